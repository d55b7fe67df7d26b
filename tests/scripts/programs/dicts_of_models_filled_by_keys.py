"""Dicts of models and optimizers that are filled key by key, and train by their keys."""

from collections import OrderedDict

import torch
import torch.nn as nn


def fill(net):
    with torch.no_grad():
        for p in net.parameters():
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32)).view_as(p) * 0.3)


def adversarial(x):
    nets = {}
    nets["G"] = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 4))
    nets["D"] = nn.Sequential(nn.Linear(4, 6), nn.LeakyReLU(0.2), nn.Linear(6, 1))
    for net in nets.values():
        fill(net)
    opt_g = torch.optim.SGD(nets["G"].parameters(), lr=0.05)
    opt_d = torch.optim.SGD(nets["D"].parameters(), lr=0.05)
    crit = nn.BCEWithLogitsLoss()
    for _ in range(3):
        fake = nets["G"](x)
        opt_d.zero_grad()
        loss_d = crit(nets["D"](x), torch.ones(6, 1)) + crit(nets["D"](fake.detach()), torch.zeros(6, 1))
        loss_d.backward()
        opt_d.step()
        opt_g.zero_grad()
        loss_g = crit(nets["D"](fake), torch.ones(6, 1))
        loss_g.backward()
        opt_g.step()
        print(loss_d.item(), loss_g.item())
    for net in nets.values():
        net.eval()
    return nets["G"](x).sum().item()


def several(x):
    nets = OrderedDict()
    nets["a"] = nn.Linear(4, 4)
    nets["b"] = nn.Linear(4, 4)
    for net in nets.values():
        fill(net)
    opts = dict()
    opts["a"] = torch.optim.SGD(nets["a"].parameters(), lr=0.1)
    opts["b"] = torch.optim.SGD(nets["b"].parameters(), lr=0.2)
    for _ in range(3):
        for opt in opts.values():
            opt.zero_grad()
        loss = (nets["b"](torch.tanh(nets["a"](x))) - x).pow(2).mean()
        loss.backward()
        for opt in opts.values():
            opt.step()
        print(loss.item())
    return nets["a"](x).sum().item()


x = torch.linspace(-1, 1, 24).view(6, 4)
print(adversarial(x))
print(several(x))
models = {}
models["enc"] = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU())
fill(models["enc"])
models["dec"] = nn.Linear(models["enc"][0].out_features, 4)
fill(models["dec"])
opt = torch.optim.SGD(list(models["enc"].parameters()) + list(models["dec"].parameters()), lr=0.1, momentum=0.9)
for m in models.values():
    m.train()
for i in range(3):
    opt.zero_grad()
    out = models["dec"](models["enc"](x))
    loss = ((out - x) ** 2).mean()
    loss.backward()
    opt.step()
    print(loss.item())
for m in models.values():
    m.eval()
print(models["dec"](models["enc"](x)).sum().item())
print(len(models["enc"].state_dict()), sum(p.numel() for p in models["dec"].parameters()))
# also: nnx, linen
