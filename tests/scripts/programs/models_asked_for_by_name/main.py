"""Models that are asked for by name are made by one of those functions of a file that take what they are given."""

import models
import torch


def fill(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) * 0.7 + i).view(p.shape) * 0.3)


class Trainer:
    def __init__(self, name):
        self.model = getattr(models, name)(pretrained=False)
        fill(self.model)
        self.opt = torch.optim.SGD(self.model.parameters(), lr=0.1)

    def fit(self, n):
        x = torch.arange(4.0 * n).view(4, n).cos()
        for _ in range(3):
            loss = (self.model(x) - x[:, :1]).pow(2).mean()
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            print(loss.item())


def run(name, n):
    model = models.__dict__[name](pretrained=True, bias=False)
    fill(model)
    model.eval()
    print(models.count(model), model(torch.ones(1, n)).sum().item())


Trainer("small").fit(3)
Trainer("large").fit(4)
run("small", 3)
run("large", 4)
print(getattr(models, "count")(models.small()))
