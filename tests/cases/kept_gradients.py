import torch
from torch import nn

net = nn.Linear(3, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.ones(2, 3)
net(x).pow(2).sum().backward()
kept = [p.grad for p in net.parameters()]  # T2J303
first = net.weight.grad  # T2J303
copied = net.weight.grad.clone()
norms = [p.grad.norm().item() for p in net.parameters()]
torch.nn.utils.clip_grad_norm_(net.parameters(), 0.1)
print([g.sum().item() for g in kept], first.sum().item(), copied.sum().item(), norms)
optimizer.step()

for _ in range(3):
    optimizer.zero_grad()
    net(x).pow(2).sum().backward()
    grads = [p.grad for p in net.parameters()]
    print([g.norm().item() for g in grads])
    torch.nn.utils.clip_grad_norm_(net.parameters(), 0.1)
    optimizer.step()
