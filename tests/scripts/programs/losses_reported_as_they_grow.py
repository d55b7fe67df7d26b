# flagged: T2J500, T2J504
# Sums that are reported in each round.
import torch
import torch.nn as nn


def parts(out):
    return {"fit": (out**2).mean(), "size": out.abs().mean()}


def make():
    net = nn.Linear(3, 2)
    with torch.no_grad():
        for p in net.parameters():
            p.copy_(torch.sin(torch.arange(p.numel()).float() * 0.7 + 1).view(p.shape) * 0.5)
    return net, torch.optim.SGD(net.parameters(), lr=0.1)


x = torch.sin(torch.arange(12).float()).view(4, 3)
weights = {"fit": 1.0, "size": 2.0}


def running():
    net, opt = make()
    for i in range(2):
        found = parts(net(x))
        loss = 0.0
        for key, coef in weights.items():
            loss = loss + coef * found[key]
            print(key, loss.item())
        opt.zero_grad()
        loss.backward()
        opt.step()


running()
