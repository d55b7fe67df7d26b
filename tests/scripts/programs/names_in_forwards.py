"""Modules with variables and parameters called key and state, also as members of containers, which hand both on."""

import torch
import torch.nn as nn


class Project(nn.Module):
    def __init__(self):
        super().__init__()
        self.k, self.norm, self.drop = nn.Linear(2, 2), nn.BatchNorm1d(2), nn.Dropout(0.0)
        with torch.no_grad():
            self.k.weight.copy_(torch.tensor([[0.3, -0.2], [0.1, 0.4]]))
            self.k.bias.fill_(0.1)

    def forward(self, x):
        key = self.k(x)
        state = self.norm(key)
        return self.drop(key) + state + x


class Attend(nn.Module):
    key = "attention"

    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout(0.0)

    def forward(self, query, key, value):
        weights = torch.softmax(query @ key.transpose(-1, -2), -1)
        return self.drop(weights) @ value


class Cell(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(2)

    def forward(self, x, state):
        state = torch.tanh(self.norm(x) + state)
        return state


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.attend, self.cell = Attend(), Cell()
        self.body = nn.Sequential(Project(), nn.BatchNorm1d(2), nn.ReLU(), Project())

    def forward(self, x, steps):
        state = torch.zeros_like(x)
        for key in range(steps):
            state = self.cell(x + key, state=state)
        return self.body(self.attend(query=x, key=state, value=x))


net = Net()
x = torch.arange(8.0).view(4, 2) / 8
print(net(x, 2).tolist(), net(x * x, steps=1).tolist())
print(net.cell.norm.running_mean.tolist(), net.body[1].running_var.tolist(), net.attend.key)
cell = Cell()
state = torch.zeros(4, 2)
for t in range(3):
    state = cell(x + t, state)
print(state.tolist(), cell.norm.running_mean.tolist())
cell.eval()
print(cell(x, state=state).tolist())
