# flagged: T2J506
"""One optimizer for a step whose values are computed before it, and do not read the last layer, and for one that reads it."""
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
for epoch in range(3):
    logits, value = net(x)
    adv = []
    for v in value.squeeze(1).tolist():
        adv.append(1 - v)
    adv = torch.tensor(adv)
    print(adv.sum().item())
    loss = -(logits.log_softmax(1)[:, 0] * adv).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
    vloss = ((net(x)[1] - 1) ** 2).mean()
    opt.zero_grad()
    vloss.backward()
    opt.step()
    print(round(loss.item(), 5), round(vloss.item(), 5))
