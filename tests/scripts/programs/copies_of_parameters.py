"""Copies of parameters outlive training steps, which are given the arrays of the model to reuse."""

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

data = DataLoader(TensorDataset(torch.linspace(-1, 1, 12).view(6, 2), torch.ones(6, 1)), batch_size=3)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)
        self.out = nn.Linear(2, 1)

    def forward(self, x):
        return self.out(torch.tanh(self.fc(x)))


class Average:
    def __init__(self, model, decay):
        self.decay = decay
        self.first = model.out.weight.data.clone()
        self.shadow = {}
        for name, p in model.named_parameters():
            self.shadow[name] = p.data.clone()

    def update(self, model):
        for name, p in model.named_parameters():
            self.shadow[name] = self.decay * self.shadow[name] + (1 - self.decay) * p.data


net = Net()
for p in net.parameters():
    nn.init.constant_(p, 0.3)
optimizer = torch.optim.Adam(net.parameters(), lr=0.05)
old = net.fc.weight.detach().clone()
start = [p.detach().clone() for p in net.parameters()]
average = Average(net, 0.9)
kept = []
for x, y in data:
    kept.append(net.out.bias.clone())
    optimizer.zero_grad()
    loss = (net(x) - y).pow(2).mean()
    loss.backward()
    optimizer.step()
    average.update(net)
print((net.fc.weight - old).abs().sum().item(), [b.item() for b in kept])
print([(p - s).abs().sum().item() for p, s in zip(net.parameters(), start)])
print(average.first.tolist(), {name: value.sum().item() for name, value in average.shadow.items()})
