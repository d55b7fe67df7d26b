# also: nnx, linen
import copy

import torch
import torch.nn as nn
import torch.nn.functional as F


class EMA:
    def __init__(self, model, decay):
        self.decay = decay
        self.shadow = copy.deepcopy(model)
        self.shadow.eval()
        for p in self.shadow.parameters():
            p.requires_grad_(False)

    @torch.no_grad()
    def update(self, model):
        for s, p in zip(self.shadow.parameters(), model.parameters()):
            s.mul_(self.decay).add_(p, alpha=1 - self.decay)
        for s, b in zip(self.shadow.buffers(), model.buffers()):
            s.copy_(b)


def make():
    return nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Dropout(0.0), nn.Linear(8, 3))


class Trainer:
    def __init__(self, model, lr=0.1):
        self.model = model
        self.optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)
        self.ema = EMA(model, 0.5)
        self.best = float("inf")
        self.best_state = None

    def step(self, x, y):
        self.model.train()
        self.optimizer.zero_grad()
        loss = F.cross_entropy(self.model(x), y)
        loss.backward()
        self.optimizer.step()
        self.ema.update(self.model)
        if loss.item() < self.best:
            self.best = loss.item()
            self.best_state = copy.deepcopy(self.model.state_dict())
        return loss.item()

    @torch.no_grad()
    def evaluate(self, x, y):
        self.model.eval()
        return (self.model(x).argmax(1) == y).float().mean().item(), self.ema.shadow(x).sum().item()


model = make()
with torch.no_grad():
    for n, p in enumerate(model.parameters()):
        p.copy_(torch.sin(torch.arange(float(p.numel())) + n).reshape(p.shape) * 0.3)
trainer = Trainer(model)
x = torch.sin(torch.arange(24.0)).reshape(6, 4)
y = torch.tensor([0, 1, 2, 0, 1, 2])
for _ in range(4):
    print(trainer.step(x, y), trainer.evaluate(x, y))
model.load_state_dict(trainer.best_state)
print(trainer.best, model(x).sum().item())
torch.save({"model": model.state_dict(), "optimizer": trainer.optimizer.state_dict(), "best": trainer.best}, "a.pt")
saved = torch.load("a.pt")
other = make()
other.load_state_dict(saved["model"])
other.eval()
print(other(x).sum().item(), saved["best"], sorted(saved))


def halve(net):
    for number, (name, buffer) in enumerate(net.named_buffers()):
        if name.endswith("running_var"):
            buffer.data.mul_(0.5)
        elif number > 5:
            buffer.fill_(1.0)


def total(net):
    return sum(buffer.float().sum().item() for buffer in net.buffers())


print(total(model))
halve(model)
print(total(model))
print(model(x).sum().item())
