# flagged: T2J200 T2J601 T2J604, also: nnx, linen
"""Finished models whose lists, dicts and sequences get other parts."""

import copy

import torch
from torch import nn

x = torch.linspace(-1, 1, 12).view(3, 4)


class Backbone(nn.Module):
    def __init__(self, classes=3):
        super().__init__()
        self.features = nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 4), nn.Tanh())
        self.layers = nn.ModuleList([nn.Linear(4, 4) for _ in range(3)])
        self.heads = nn.ModuleDict({"main": nn.Linear(4, classes), "aux": nn.Linear(4, 2)})
        self.fc = nn.Linear(4, 4)

    def forward(self, x):
        x = self.fc(self.features(x))
        for layer in self.layers:
            x = layer(x).tanh()
        return self.heads["main"](x), self.heads["aux"](x)


def fill(model):
    with torch.no_grad():
        for k, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(float(p.numel())) * (0.3 + 0.1 * k)).reshape(p.shape))


def show(model):
    fill(model)
    print([(name, tuple(p.shape)) for name, p in model.named_parameters()])
    main, aux = model(x)
    print(main.sum().item(), aux.sum().item())


def train(model, steps=3):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    for _ in range(steps):
        optimizer.zero_grad()
        main, aux = model(x)
        loss = main.pow(2).mean() + aux.abs().mean()
        loss.backward()
        optimizer.step()
        print(loss.item())


def adapt(model, classes):
    model.heads["main"] = nn.Linear(model.heads["main"].in_features, classes)
    model.features[2] = nn.Sequential(nn.Linear(4, 4, bias=False), nn.BatchNorm1d(4))
    model.features[1] = nn.GELU()
    return model


model = Backbone()
model.layers[1] = nn.Linear(4, 4, bias=False)
show(model)
train(model)
model.layers[-1] = nn.Identity()
model.layers.append(nn.Linear(4, 4))
show(model)
train(model)

model = adapt(model, 5)
show(model)
train(model)
print(list(model.state_dict()), model.features[2][1].running_mean.tolist())
model.eval()
print(model(x)[0].shape)
other = copy.deepcopy(model)
other.fc = nn.Identity()
other.features[-1] = nn.Dropout(0.0)
other.heads["more"] = nn.Linear(4, 1)
show(other)
print(len(list(model.parameters())), model(x)[0].sum().item())
print(len(other.layers), len(other.heads))

for i in range(len(model.layers)):
    model.layers[i] = nn.Linear(4, 4)
for name in model.heads:
    model.heads[name] = nn.Linear(4, 2)
show(model)
train(model.train())


class Whole(nn.Module):
    def __init__(self, net):
        super().__init__()
        self.net = net
        self.scale = nn.Parameter(torch.ones(1))

    def forward(self, x):
        main, aux = self.net(x)
        return main * self.scale, aux


model.layers[0] = nn.Linear(4, 4, bias=False)
model.layers[1] = nn.Tanh()
model.heads["aux"] = nn.Linear(4, 2, bias=False)
whole = Whole(model)
show(whole)
train(whole)
