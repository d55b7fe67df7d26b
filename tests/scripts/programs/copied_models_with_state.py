"""Copies of models with state that go on beside them: the best one so far, and one from before training."""

import copy

import torch
import torch.nn as nn
import torch.nn.functional as F


def fill(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) * 0.7 + i).view(p.shape) * 0.3)


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(6)
        self.fc = nn.Linear(6, 2)

    def forward(self, x):
        return self.fc(self.norm(x))


def train(model, x, y, epochs=3):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    best, best_loss = None, 100.0
    best = copy.deepcopy(model)
    for epoch in range(epochs):
        model.train()
        opt.zero_grad()
        loss = F.mse_loss(model(x), y)
        loss.backward()
        opt.step()
        model.eval()
        with torch.no_grad():
            val = F.mse_loss(model(x), y).item()
        if val < best_loss:
            best_loss = val
            best = copy.deepcopy(model)
    best.eval()
    print(best(x).sum().item(), best.norm.running_mean)
    return best_loss


net = Block()
fill(net)
first = copy.deepcopy(net)
print(train(net, torch.sin(torch.arange(24.0)).view(4, 6), torch.cos(torch.arange(8.0)).view(4, 2)))
print(first(torch.sin(torch.arange(24.0)).view(4, 6)).sum().item(), first.norm.running_var, net.norm.running_var)
second = copy.deepcopy(first)
second(torch.sin(torch.arange(24.0)).view(4, 6) * 3)
print(first.norm.running_var, second.norm.running_var)
opt = torch.optim.Adam(second.parameters(), lr=0.01)
for _ in range(2):
    opt.zero_grad()
    loss = (
        second(torch.sin(torch.arange(24.0)).view(4, 6)).pow(2).mean()
        + first(torch.sin(torch.arange(24.0)).view(4, 6)).mean()
    )
    loss.backward()
    opt.step()
    print(loss.item())
print(first.norm.running_var, second.norm.running_var, net.norm.running_var)
