# also: nnx
"""Functions that clip, step and clear for those who have taken the gradients, and methods that share a step."""

import torch
from torch import nn


def fill(net):
    with torch.no_grad():
        for i, p in enumerate(net.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) * 0.7 + i).reshape(p.shape) * 0.3)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(4, 8)
        self.fc2 = nn.Linear(8, 2)

    def forward(self, x):
        return self.fc2(torch.tanh(self.fc1(x)))


x = torch.cos(torch.arange(24.0)).reshape(6, 4)
y = torch.sin(torch.arange(12.0)).reshape(6, 2)
data = [(x, y), (x * 0.5, y * 2)]
net = Net()
fill(net)


def clip(model, optimizer, max_norm):
    if max_norm > 0:
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    optimizer.zero_grad()


def compute_loss(model, batch):
    a, b = batch
    return ((model(a) - b) ** 2).mean()


opt = torch.optim.Adam(net.parameters(), lr=0.05)
for epoch in range(2):
    for i, batch in enumerate(data):
        loss = compute_loss(net, batch)
        loss.backward()
        clip(net, opt, 0.5)
        print(loss.item())

for epoch in range(2):
    opt.zero_grad()
    total = 0
    for i, batch in enumerate(data):
        loss = compute_loss(net, batch) / len(data)
        loss.backward()
        total += loss.item()
    nn.utils.clip_grad_norm_(net.parameters(), 0.3)
    opt.step()
    print(total)


class Runner:
    def __init__(self):
        self.enc = nn.Linear(4, 8)
        self.dec = nn.Linear(8, 2)
        fill(self.enc)
        fill(self.dec)
        self.optimizer = torch.optim.Adam(list(self.enc.parameters()) + list(self.dec.parameters()), lr=0.05)

    def set_input(self, a, b):
        self.a, self.b = a, b

    def forward(self):
        self.h = torch.tanh(self.enc(self.a))
        self.out = self.dec(self.h)

    def backward(self):
        self.loss = ((self.out - self.b) ** 2).mean() + 0.01 * self.h.pow(2).mean()
        self.loss.backward()

    def optimize_parameters(self):
        self.forward()
        self.optimizer.zero_grad()
        self.backward()
        self.optimizer.step()


r = Runner()
for i in range(3):
    r.set_input(x, y * (i + 1))
    r.optimize_parameters()
    print(r.loss.item(), r.out.sum().item())
