import torch
from torch import nn


class Meter:
    def __init__(self):
        self.total, self.n = 0.0, 0

    def update(self, value, n=1):
        self.total += value * n
        self.n += n


net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.copy_(torch.sin(torch.arange(p.numel()).float() * 0.7 + i).reshape(p.shape) * 0.5)
opt = torch.optim.SGD(net.parameters(), lr=0.02)
meter = Meter()
data = torch.cos(torch.arange(96).float()).reshape(4, 6, 4)
for i in range(4):
    out = net(data[i])
    loss = torch.relu(1 - out).mean()
    if i % 2 == 0:
        gp = (out**2).mean()
        loss = loss + gp
        print(
            f"gp {gp.item():.3f}",
            "%.3f" % gp.item(),
            "{:.3f}".format(gp.item()),
            round(gp.item(), 3),
            gp.detach().item(),
        )
        meter.update(gp.item(), len(out))
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item(), meter.total)
