# also: nnx, linen
"""Momentum encoders: a method of the module moves the parameters of one part to those of another."""

import copy
import torch
import torch.nn as nn
class B(nn.Module):
    def __init__(self):
        super().__init__()
        self.online = nn.Linear(3, 3)
        self.target = nn.Linear(3, 3)
        for p in self.target.parameters():
            p.requires_grad = False
    @torch.no_grad()
    def update(self):
        for c, m in zip(self.online.parameters(), self.target.parameters()):
            m.data = m.data * 0.9 + c.data * 0.1
    def forward(self, a):
        return (self.online(a) - self.target(a)).pow(2).mean()
model = B()
for i, p in enumerate(model.parameters()):
    p.data = torch.linspace(-0.5, 0.6, p.numel()).view(p.shape) + 0.05 * i
a = torch.ones(2, 3)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for e in range(2):
    loss = model(a)
    opt.zero_grad()
    loss.backward()
    opt.step()
    model.update()
    print(e, loss.item(), sum(p.sum().item() for p in model.target.parameters()))
class EMA():
    def __init__(self, alpha):
        self.alpha = alpha
    def update(self, old, new):
        if old is None:
            return new
        return old * self.alpha + (1 - self.alpha) * new
class B(nn.Module):
    def __init__(self, encoder):
        super().__init__()
        self.online_encoder = encoder
        self.target_encoder = copy.deepcopy(encoder)
        for p in self.target_encoder.parameters():
            p.requires_grad = False
        self.predictor = nn.Linear(3, 3)
        self.ema = EMA(0.9)
    def update(self):
        for c, m in zip(self.online_encoder.parameters(), self.target_encoder.parameters()):
            old, up = m.data, c.data
            m.data = self.ema.update(old, up)
    def forward(self, a):
        with torch.no_grad():
            t = self.target_encoder(a)
        return (self.predictor(self.online_encoder(a)) - t).pow(2).mean()
enc = nn.Sequential(nn.Linear(4, 6), nn.ReLU(), nn.Linear(6, 3))
for i, p in enumerate(enc.parameters()):
    p.data = torch.linspace(-0.5, 0.6, p.numel()).view(p.shape) + 0.05 * i
model = B(enc)
nn.init.constant_(model.predictor.weight, 0.2)
nn.init.constant_(model.predictor.bias, 0.2)
opt = torch.optim.SGD([p for p in model.parameters() if p.requires_grad], lr=0.1)
a = torch.linspace(-1, 1, 12).view(3, 4)
for e in range(3):
    loss = model(a)
    opt.zero_grad()
    loss.backward()
    opt.step()
    model.update()
    print(e, loss.item(), sum(p.sum().item() for p in model.target_encoder.parameters()))
