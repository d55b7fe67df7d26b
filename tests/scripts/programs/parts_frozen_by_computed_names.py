# also: nnx, linen
"""Parts of a module are frozen by names that are written in a loop or computed, also under another name."""

import torch
import torch.nn as nn

NAMES = ("layer2", "layer4")


class Net(nn.Module):
    def __init__(self, kind, stages=2):
        super().__init__()
        self.stages = stages
        self.layer1 = nn.Linear(4, 4)
        self.layer2 = nn.Sequential(nn.Linear(4, 4), nn.Tanh())
        self.layer3 = nn.Linear(4, 3)
        self.layer4 = nn.Linear(3, 2)
        if kind == "numbers":
            for i in range(1, self.stages + 1):
                for param in getattr(self, "layer" + str(i)).parameters():
                    param.requires_grad_(False)
        elif kind == "method":
            self.freeze_stages()
        elif kind == "texts":
            for name in ["layer1", "layer3"]:
                getattr(self, name).requires_grad_(False)
        elif kind == "names":
            for name in NAMES:
                for param in getattr(self, name).parameters():
                    param.requires_grad = False
        elif kind == "formats":
            for i in range(2):
                for param in getattr(self, "layer{:d}".format(i + 2)).parameters():
                    param.requires_grad = False
        elif kind == "alias":
            last = self.layer4
            last.requires_grad_(False)

    def freeze_stages(self):
        for i in range(self.stages):
            part = getattr(self, "layer%d" % (i + 1))
            for param in part.parameters():
                param.requires_grad = False

    def features(self, x):
        results = [x]
        for i in range(3):
            layer = getattr(self, "layer{:d}".format(i + 1))
            results.append(torch.tanh(layer(results[-1])))
        return results[1:]

    def forward(self, x):
        for i in range(1, 5):
            x = torch.tanh(getattr(self, f"layer{i}")(x))
        return x


def fill(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.cos(torch.arange(p.numel()).float() + i).reshape(p.shape) * 0.3)


def fit(model):
    optimizer = torch.optim.SGD(filter(lambda p: p.requires_grad, model.parameters()), lr=0.1)
    x = torch.linspace(-1, 1, 8).reshape(2, 4)
    for step in range(3):
        optimizer.zero_grad()
        loss = (model(x) - 1).pow(2).sum() + sum(f.pow(2).mean() for f in model.features(x))
        loss.backward()
        optimizer.step()
        print(step, f"{loss.item():.4f}")
    for name, p in model.named_parameters():
        print(name, f"{p.abs().sum().item():.4f}", p.requires_grad)


for kind in ("numbers", "method", "texts", "names", "formats", "alias", "none"):
    print(kind)
    net = Net(kind)
    fill(net)
    fit(net)

net = Net("none")
fill(net)
for i in (1, 4):
    for p in getattr(net, f"layer{i}").parameters():
        p.requires_grad = False
fit(net)
