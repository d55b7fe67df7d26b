# expect: equal
"""Microbatches from a generator function, zero_grad after the step, running averages with tensors."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class AverageMeter:
    def __init__(self):
        self.sum = 0.0
        self.count = 0

    def update(self, value, n=1):
        self.sum += value * n
        self.count += n

    @property
    def avg(self):
        return self.sum / max(1, self.count)


def iterate(x, y, batch_size):
    order = torch.randperm(len(x))
    for start in range(0, len(x), batch_size):
        index = order[start : start + batch_size]
        yield x[index], y[index]


def train(model, optimizer, x, y, epochs):
    meter = AverageMeter()
    averages = []
    for epoch in range(epochs):
        for inputs, targets in iterate(x, y, 8):
            outputs = model(inputs)
            loss = F.mse_loss(outputs, targets)
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
            meter.update(loss.item(), inputs.size(0))
        averages.append(meter.avg)
    return averages


def main():
    torch.manual_seed(0)
    x = torch.randn(32, 3)
    y = torch.sin(x).sum(dim=-1, keepdim=True)
    model = nn.Sequential(nn.Linear(3, 12), nn.SiLU(), nn.Linear(12, 1))
    optimizer = torch.optim.Adagrad(model.parameters(), lr=0.05)
    averages = train(model, optimizer, x, y, 4)
    print([round(a, 4) for a in averages])
    return averages


if __name__ == "__main__":
    main()
