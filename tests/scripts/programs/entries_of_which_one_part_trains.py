# flagged: T2J506
"""Entries of a list of which a loss reads one part only as a number, so that a layer gets no gradient from it."""
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(3, 2)
        self.p = nn.Linear(2, 2)
        self.v = nn.Linear(2, 1)
    def forward(self, x):
        h = torch.tanh(self.a(x))
        return self.p(h), self.v(h)
net = Net()
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.copy_(torch.cos(torch.arange(p.numel()).float() * (0.7 + i)).view_as(p) * 0.3)
opt = torch.optim.Adam(net.parameters(), lr=0.05)
x = torch.arange(12.).view(4, 3) / 6
saved = []
for epoch in range(3):
    for i in range(4):
        logits, value = net(x[i])
        saved.append((logits.log_softmax(0)[0], value))
    losses = []
    for lp, v in saved:
        losses.append(-lp * (1 - v.item()))
    loss = torch.stack(losses).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
    del saved[:]
    vloss = ((net(x)[1] - 1) ** 2).mean()
    opt.zero_grad()
    vloss.backward()
    opt.step()
    print(round(loss.item(), 5), round(vloss.item(), 5))
