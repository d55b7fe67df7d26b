# also: nnx
"""Averages of models are kept by loops over their state dicts, whose entries are changed in place."""

import copy
import torch
import torch.nn as nn


@torch.no_grad()
def ema_update(ema, model, decay):
    msd = model.state_dict()
    for k, v in ema.state_dict().items():
        if not v.dtype.is_floating_point:
            continue
        v *= decay
        v += (1 - decay) * msd[k].detach()


def swa(avg, model, n):
    for (k, a), b in zip(avg.state_dict().items(), model.state_dict().values()):
        if "num_batches" in k:
            a.copy_(b)
        else:
            a.mul_(n / (n + 1)).add_(b, alpha=1 / (n + 1))


def noise(model, scale):
    for i, t in enumerate(model.state_dict().values()):
        t.add_(scale * i)


class ModelEMA:
    def __init__(self, model, decay=0.9, warm=True):
        self.module = copy.deepcopy(model)
        self.module.eval()
        self.decay = decay
        self.updates = 0
        self.warm = warm
        for p in self.module.parameters():
            p.requires_grad_(False)

    def update(self, model):
        self.updates += 1
        d = min(self.decay, (1 + self.updates) / (10 + self.updates)) if self.warm else self.decay
        with torch.no_grad():
            msd = model.state_dict()
            for k, v in self.module.state_dict().items():
                if v.dtype.is_floating_point:
                    v *= d
                    v += (1.0 - d) * msd[k].detach()
                else:
                    v.copy_(msd[k])

    def __call__(self, x):
        return self.module(x)


def fill(m):
    with torch.no_grad():
        for i, p in enumerate(m.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel()).float() * 0.9 + i).view_as(p) * 0.5)
    return m


model = fill(nn.Sequential(nn.Linear(3, 5, bias=False), nn.BatchNorm1d(5), nn.ReLU(), nn.Linear(5, 2)))
ema, avg = copy.deepcopy(model), copy.deepcopy(model)
kept = ModelEMA(model)
opt = torch.optim.AdamW(model.parameters(), lr=0.03)
x = torch.cos(torch.arange(30.0)).view(10, 3)
y = (x.sum(1) > 0).long()
for i in range(4):
    loss = nn.functional.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    ema_update(ema, model, 0.8)
    swa(avg, model, i)
    kept.update(model)
    print(i, f"{loss.item():.4f} {kept(x).sum().item():.4f}")
ema.eval()
avg.eval()
print(ema(x).sum().item(), avg(x).sum().item(), avg[1].num_batches_tracked.item(), ema[1].num_batches_tracked.item())
net = fill(nn.Linear(3, 2))
noise(net, 0.1)
print(net(x).sum().item())
