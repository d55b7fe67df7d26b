# also: nnx, linen
# Helpers that print gradients stand where they are called; the `__init__` of their package does not hand them on.
import torch
import torch.nn as nn

from package import plot_grad_flow, log_gradients, norms


net = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))
for i, p in enumerate(net.parameters()):
    nn.init.constant_(p, 0.1 + 0.1 * i)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
rows = []
for step in range(3):
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(net(torch.linspace(-1, 1, 12).reshape(4, 3)), torch.tensor([0, 1, 1, 0]))
    loss.backward()
    plot_grad_flow(net.named_parameters())
    log_gradients(net.named_parameters(), rows, step)
    print(loss.item(), norms(net.parameters()))
    optimizer.step()
print(rows)
