# also: nnx, linen
from collections import OrderedDict

import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(1, 8)
        self.fc2 = nn.Linear(8, 1)

    def forward(self, x):
        return self.fc2(torch.tanh(self.fc1(x)))

    def with_weights(self, x, weights):
        x = torch.tanh(F.linear(x, weights["fc1.weight"], weights["fc1.bias"]))
        return F.linear(x, weights["fc2.weight"], weights["fc2.bias"])


net = Net()
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.copy_(torch.linspace(-0.5, 0.5 + i * 0.1, p.numel()).view(p.shape))
opt = torch.optim.SGD(net.parameters(), lr=0.01)
x = torch.linspace(-1, 1, 10).view(10, 1)
for step in range(3):
    meta_loss = 0.0
    for task in range(2):
        y = torch.sin(x * (task + 1))
        loss = F.mse_loss(net(x), y)
        grads = torch.autograd.grad(loss, net.parameters(), create_graph=True)
        fast = OrderedDict((n, p - 0.1 * g) for ((n, p), g) in zip(net.named_parameters(), grads))
        meta_loss = meta_loss + F.mse_loss(net.with_weights(x, fast), y)
    opt.zero_grad()
    meta_loss.backward()
    opt.step()
    print(meta_loss.item())
