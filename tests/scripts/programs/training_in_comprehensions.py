"""Comprehensions that train, or run modules with state: one pass behind the other, also in the middle of an expression."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(3)
        self.fc = nn.Linear(3, 2)
        with torch.no_grad():
            self.fc.weight.copy_(torch.arange(6.0).view(2, 3) / 10)
            self.fc.bias.zero_()

    def forward(self, x):
        return self.fc(self.norm(x))


class Block(nn.Module):
    def __init__(self, rate):
        super().__init__()
        self.norm = nn.BatchNorm1d(3)
        self.drop = nn.Dropout(rate)

    def forward(self, x):
        return self.drop(self.norm(x))


class Blocks(nn.Module):
    def __init__(self, rate):
        super().__init__()
        self.blocks = nn.ModuleList([Block(rate) for _ in range(2)])

    def forward(self, x):
        for block in self.blocks:
            x = x + block(x)
        return x + sum(block(x) for block in self.blocks)


def train_step(net, criterion, optimizer, inputs, labels):
    net.train()
    loss = criterion(net(inputs), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.detach()


def accuracy(net, batches):
    net.eval()
    return [(net(x).argmax(1) == y).float().mean().item() for x, y in batches]


def main():
    batches = [(torch.sin(torch.arange(12.0) + k).view(4, 3), (torch.arange(4) + k) % 2) for k in range(3)]
    net = Net()
    criterion = nn.CrossEntropyLoss(label_smoothing=0.05)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.2, momentum=0.9)
    batch = "a name that is used again"
    losses = torch.stack([train_step(net, criterion, optimizer, *batch) for batch in batches])
    print(losses, batch)
    total = sum(train_step(net, criterion, optimizer, x, y) for x, y in batches if x.sum() > -100).item()
    by_epoch = {epoch: [train_step(net, criterion, optimizer, x, y).item() for x, y in batches] for epoch in range(2)}
    print(total, by_epoch)
    net.train()
    outputs = [net(x).sum().item() for x, _ in batches]
    print(outputs, net.norm.running_mean, accuracy(net, batches))
    for rate in (0.0, 0.0):
        blocks = Blocks(rate)
        print([blocks(x).tolist() for x, _ in batches], blocks.blocks[1].norm.running_mean)


main()
