# also: linen
"""Programs that look at the gradients of all parameters: norms behind the backward pass, means behind the update."""

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(1, 2, 2)
        self.norm = nn.BatchNorm1d(2)
        self.head = nn.Linear(4, 1)

    def forward(self, x):
        return self.head(torch.tanh(self.norm(self.conv(x[:, None]))).flatten(1))


def fill(m):
    with torch.no_grad():
        for p in m.parameters():
            p.copy_(torch.linspace(-0.5, 1.0, p.numel()).view_as(p))


model = Net()
fill(model)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
X = torch.linspace(-1, 1, 36).view(12, 3) ** 2
for epoch in range(3):
    for x in X.split(4):
        loss = model(x).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        total = 0.0
        for p in model.parameters():
            if p.grad is not None:
                total += p.grad.data.norm(2).item() ** 2
        optimizer.step()
        print(round(loss.item(), 5), round(total**0.5, 5))
    for name, p in model.named_parameters():
        print(name, tuple(p.shape), tuple(p.grad.shape), round(p.grad.mean().item(), 5), round(p.mean().item(), 5))
    print([round(float(p.grad.abs().max()), 5) for p in model.parameters()])


def train(net, steps):
    opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.5)
    for x in X[:steps]:
        opt.zero_grad()
        net(x).sum().pow(2).backward()
        norm = torch.norm(torch.stack([p.grad.detach().norm() for p in net.parameters()]))
        if norm > 1.0:
            print("large", round(norm.item(), 4))
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        print(round(sum((p.grad**2).sum().item() for p in net.parameters()), 4))


def clip(net, limit):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for x in X[:4]:
        loss = net(x).pow(2).sum() * 3
        opt.zero_grad()
        loss.backward()
        for p in net.parameters():
            p.grad.data.clamp_(-limit, limit)
        opt.step()
        print(round(loss.item(), 4))


line = nn.Linear(3, 2)
fill(line)
train(line, 4)
clip(line, 0.5)
print([round(v, 4) for v in line.weight.flatten().tolist()])
