# also: nnx, linen
"""Batches that a step takes by numbers that change: they are cut out before the step, which is compiled once."""

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
inputs = torch.linspace(-1, 1, 60).reshape(20, 3)
labels = (inputs.sum(1) > 0).long()
weights = torch.linspace(0.5, 1.5, 20)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)
        with torch.no_grad():
            self.fc.weight.copy_(torch.linspace(-0.5, 0.5, 6).reshape(2, 3))
            self.fc.bias.zero_()

    def forward(self, x):
        return self.fc(x)


class Trainer:
    def __init__(self, net, data, target):
        self.net, self.data, self.target = net, data, target
        self.optimizer = torch.optim.Adam(net.parameters(), lr=0.05)

    def epoch(self, size):
        total = 0.0
        for start in range(0, len(self.data), size):
            self.optimizer.zero_grad()
            loss = F.cross_entropy(self.net(self.data[start : start + size]), self.target[start : start + size])
            loss.backward()
            self.optimizer.step()
            total += loss.item()
        return total


net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.2)
for epoch in range(2):
    for i in range(0, len(inputs), 6):
        optimizer.zero_grad()
        loss = F.cross_entropy(net(inputs[i : i + 6]), labels[i : i + 6])
        loss.backward()
        optimizer.step()
        print(f"{loss.item():.4f}")
    for i in range(4):
        begin, end = 5 * i, min(5 * (i + 1), len(inputs))
        optimizer.zero_grad()
        out = net(inputs[begin:end])
        each = F.cross_entropy(out, labels[begin:end], reduction="none")
        loss = (each * weights[begin:end]).mean() * (epoch + 1) + weights.mean() * (out**2).mean() / (i + 2)
        loss.backward()
        optimizer.step()
        print(f"{loss.item():.4f}")
    for i in range(1, 4):
        optimizer.zero_grad()
        before, now = net(inputs[i - 1][None]), net(inputs[i][None])
        loss = F.mse_loss(now, before + 1) + (inputs[i] * weights[:3]).sum() * 0
        loss.backward()
        optimizer.step()
        if i % 2:
            print(f"{loss.item():.4f}")

trainer = Trainer(net, inputs, labels)
print(f"{trainer.epoch(7):.4f} {trainer.epoch(7):.4f}", net.fc.weight.detach().numpy().round(4).tolist())
