# also: nnx, linen
# Parts of a loss that are reported where they are added up.
import torch
import torch.nn as nn


class Meter:
    def __init__(self):
        self.total, self.count = 0.0, 0

    def update(self, value):
        self.total += value
        self.count += 1


class Writer:
    def __init__(self):
        self.rows = []

    def add_scalar(self, name, value, step):
        self.rows.append((name, round(value, 4), step))


def parts(out):
    return {"fit": (out**2).mean(), "size": out.abs().mean()}


def main():
    net = nn.Linear(3, 2)
    with torch.no_grad():
        for p in net.parameters():
            p.copy_(torch.sin(torch.arange(p.numel()).float() * 0.7 + 1).view(p.shape) * 0.5)
    x = torch.sin(torch.arange(12).float()).view(4, 3)
    opt = torch.optim.Adam(net.parameters(), lr=0.1)
    weights = {"fit": 1.0, "size": 2.0}
    writer, meters = Writer(), {"fit": Meter(), "size": Meter()}
    for i in range(4):
        net.train()
        found = parts(net(x))
        loss = 0.0
        for key, coef in weights.items():
            value = coef * found[key]
            loss += value
            meters[key].update(value.item())
            if (i + 1) % 2 == 0:
                writer.add_scalar("loss_{:s}".format(key), value.item(), i + 1)
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(loss.item(), writer.rows, meters["fit"].total, meters["size"].count)


def totals():
    net = nn.Linear(3, 2)
    with torch.no_grad():
        for p in net.parameters():
            p.copy_(torch.cos(torch.arange(p.numel()).float() * 0.7 + 1).view(p.shape) * 0.5)
    batches = [torch.sin(torch.arange(12).float() + i).view(4, 3) for i in range(3)]
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(2):
        total = 0.0
        for n, x in enumerate(batches):
            loss = (net(x) ** 2).mean()
            total = total + loss
            print(epoch, n, round(loss.item(), 4))
        opt.zero_grad()
        total.backward()
        opt.step()


main()
totals()
