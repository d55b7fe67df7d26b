# also: linen
import copy
import torch
import torch.nn as nn


class EMA:
    def __init__(self, model, decay):
        self.model = model
        self.decay = decay
        self.shadow = {}
        self.backup = {}

    def register(self):
        for name, param in self.model.named_parameters():
            if param.requires_grad:
                self.shadow[name] = param.data.clone()

    def update(self):
        for name, param in self.model.named_parameters():
            if param.requires_grad:
                assert name in self.shadow
                new_average = (1.0 - self.decay) * param.data + self.decay * self.shadow[name]
                self.shadow[name] = new_average.clone()

    def apply_shadow(self):
        for name, param in self.model.named_parameters():
            if param.requires_grad:
                self.backup[name] = param.data
                param.data = self.shadow[name]

    def restore(self):
        for name, param in self.model.named_parameters():
            if param.requires_grad:
                param.data = self.backup[name]
        self.backup = {}


model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
with torch.no_grad():
    for i, p in enumerate(model.parameters()):
        p.copy_(torch.sin(torch.arange(p.numel()).float() + i).view(p.shape))


def evaluate(net, x):
    with torch.no_grad():
        return round(net(x).sum().item(), 4)


ema = EMA(model, 0.9)
ema.register()
opt = torch.optim.SGD(model.parameters(), lr=0.05)
x = torch.cos(torch.arange(12.0)).view(4, 3)
y = x.sum(1, keepdim=True)
for epoch in range(2):
    model.train()
    for step in range(2):
        opt.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        ema.update()
    model.eval()
    ema.apply_shadow()
    print(evaluate(model, x))
    ema.restore()
    print(evaluate(model, x), round(sum(p.sum().item() for p in model.parameters()), 4))
