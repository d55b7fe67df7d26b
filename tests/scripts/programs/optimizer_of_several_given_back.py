# also: nnx, linen
"""A helper sets the learning rate of an optimizer of three modules, and gives it back before each step."""

import torch
from torch import nn, optim


def schedule(optimizer, p):
    for group in optimizer.param_groups:
        group["lr"] = 0.1 / (1.0 + 10 * p) ** 0.75
    return optimizer


def train(mode, features, classes, domains, criterion, batches, optimizer, epoch, epochs):
    features.train()
    classes.train()
    domains.train()
    for i, ((xs, ys), xt) in enumerate(batches):
        if mode == "both":
            p = float(i + epoch * len(batches)) / (epochs * len(batches))
            optimizer = schedule(optimizer, p)
            optimizer.zero_grad()
            fs = features(xs)
            ft = features(xt)
            class_loss = criterion(classes(fs), ys)
            domain_loss = criterion(domains(fs), torch.zeros(len(xs)).long()) + criterion(domains(ft), torch.ones(len(xt)).long())
            loss = class_loss + 0.5 * domain_loss
            loss.backward()
            optimizer.step()
            print("%.5f %.5f" % (loss.item(), class_loss.item()))


def main():
    torch.manual_seed(0)
    features = nn.Sequential(nn.Linear(4, 8), nn.Tanh())
    classes = nn.Linear(8, 3)
    domains = nn.Linear(8, 2)
    for m in (features, classes, domains):
        for i, p in enumerate(m.parameters()):
            p.data = torch.linspace(-1, 1, p.numel()).reshape(p.shape) * 0.3
    optimizer = optim.SGD([{"params": features.parameters()}, {"params": classes.parameters()}, {"params": domains.parameters()}], lr=0.1, momentum=0.9)
    batches = [((torch.linspace(-1, 1, 12).reshape(3, 4) * (k + 1), torch.tensor([0, 1, 2])), torch.linspace(1, -2, 12).reshape(3, 4)) for k in range(3)]
    for epoch in range(2):
        train("both", features, classes, domains, nn.CrossEntropyLoss(), batches, optimizer, epoch, 2)


if __name__ == "__main__":
    main()
