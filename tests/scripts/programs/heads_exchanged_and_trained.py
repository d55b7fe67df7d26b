# also: nnx, linen
"""Models whose last layers are exchanged for new ones, which are trained while what was there is frozen, or all of it."""

import copy

import torch
import torch.nn as nn
import torch.nn.functional as F


def fill(module):
    with torch.no_grad():
        for i, p in enumerate(module.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel()).float() * 0.7 + i).view(p.shape) * 0.3)


class Backbone(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 4, 3, padding=1)
        self.bn = nn.BatchNorm2d(4)
        self.fc = nn.Linear(4, 10)
        self.scale = nn.Parameter(torch.ones(1) * 0.5)

    def forward(self, x):
        x = F.relu(self.bn(self.conv(x)))
        return self.fc(F.adaptive_avg_pool2d(x, 1).flatten(1)) * self.scale


class Wrapped(nn.Module):
    def __init__(self, body):
        super().__init__()
        self.body = body

    def forward(self, x):
        return self.body(x)


x = torch.sin(torch.arange(2 * 64).float()).view(2, 1, 8, 8)
t = torch.tensor([0, 2])


def build(classes, frozen):
    model = Backbone()
    fill(model)
    if frozen:
        for param in model.parameters():
            param.requires_grad = False
    model.fc = nn.Linear(model.fc.in_features, classes)
    fill(model.fc)
    return model


def train(model, opt):
    for _ in range(3):
        model.train()
        loss = F.cross_entropy(model(x), t)
        opt.zero_grad()
        loss.backward()
        opt.step()
        model.eval()
        with torch.no_grad():
            print(loss.item(), model(x).argmax(1).tolist())


frozen = build(3, True)
params = [p for p in frozen.parameters() if p.requires_grad]
print(len(params), [name for name, _ in frozen.named_parameters()])
train(frozen, torch.optim.SGD(params, lr=0.5, momentum=0.9, weight_decay=0.01))
print(frozen.conv.weight.sum().item(), frozen.bn.running_var.sum().item(), frozen.fc.weight.shape)
model = build(3, False)
train(model, torch.optim.SGD(model.parameters(), lr=0.5, momentum=0.9, weight_decay=0.01))
print(model.conv.weight.sum().item(), sum(p.numel() for p in model.parameters()))

outer = Wrapped(Backbone())
fill(outer)
head = nn.Sequential(nn.Linear(4, 5), nn.Tanh(), nn.Linear(5, 3))
fill(head)
outer.body.fc = head
print(len(outer.state_dict()), outer(x).shape)
train(outer, torch.optim.Adam(outer.parameters(), lr=0.01))
other = copy.deepcopy(outer)
train(other, torch.optim.SGD(other.parameters(), lr=0.1))
fresh = Wrapped(Backbone())
fresh.body.fc = nn.Sequential(nn.Linear(4, 5), nn.Tanh(), nn.Linear(5, 3))
fresh.load_state_dict(other.state_dict())
fresh.eval()
outer.eval()
print(fresh(x).sum().item(), other(x).sum().item(), outer(x).sum().item())
