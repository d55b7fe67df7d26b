# also: nnx
"""Parts and parameters of a model are frozen one by one: by their kind, their name, their place, and in methods."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Body(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 5)
        self.second = nn.Linear(5, 6)

    def forward(self, x):
        return self.second(torch.tanh(self.first(x)))


class Net(nn.Module):
    def __init__(self, freeze=False):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(4))
        self.scale.requires_grad = True
        self.body = Body()
        self.layers = nn.ModuleList([nn.Linear(6, 6) for _ in range(2)])
        self.norm = nn.LayerNorm(6)
        if freeze:
            self.freeze_body()
            for child in self.layers.children():
                child.bias.requires_grad = False
        self.head = nn.Linear(6, 3)

    def freeze_body(self):
        for name, param in self.body.named_parameters():
            if "first" in name:
                param.requires_grad = False

    def forward(self, x):
        x = self.body(x * self.scale)
        for layer in self.layers:
            x = torch.tanh(layer(x))
        return self.head(self.norm(x))


def fill(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.cos(torch.arange(p.numel()).float() * 0.7 + i).reshape(p.shape) * 0.3)
    return model


def fit(model, title):
    optimizer = torch.optim.Adam(filter(lambda p: p.requires_grad, model.parameters()), lr=0.05)
    for step in range(3):
        x = torch.sin(torch.arange(20.0) * 0.37 + step).reshape(5, 4)
        y = torch.cos(torch.arange(15.0) * 0.21 + step).reshape(5, 3)
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
    print(title, round(loss.item(), 5))
    for name, p in model.named_parameters():
        print(name, p.requires_grad, round(p.abs().sum().item(), 4))


fit(fill(Net(freeze=True)), "in methods")

model = fill(Net())
for name, param in model.body.named_parameters():
    if name.endswith("bias"):
        param.requires_grad = False
fit(model, "below a part")

model = fill(Net())
count = 0
for child in model.children():
    count += 1
    if count < 3:
        for param in child.parameters():
            param.requires_grad = False
fit(model, "counted")

model = fill(Net())
for i, (name, child) in enumerate(model.named_children()):
    if name in ["body", "norm"] or i == 3:
        child.requires_grad_(False)
fit(model, "named")

model = fill(Net())
for m in model.modules():
    if isinstance(m, nn.LayerNorm):
        m.weight.requires_grad = False
    elif isinstance(m, Body):
        for param in m.second.parameters():
            param.requires_grad_(False)
fit(model, "by kind")

model = fill(Net())
for i, p in enumerate(model.parameters()):
    if i < 4:
        p.requires_grad = False
for i, (name, p) in enumerate(model.named_parameters()):
    p.requires_grad = name.startswith("head") or i % 2 == 0
fit(model, "by place")

model = fill(Net())
for p in list(model.parameters())[:-2]:
    p.requires_grad = False
params = list(model.parameters())
for p in params[2:5]:
    p.requires_grad = True
fit(model, "some of them")
