# also: nnx, linen
"""A helper that sets the learning rate gives the optimizer back, and is handed on as an argument."""

import torch
from torch import nn, optim


def lr_schedule(optimizer, epoch, first=0.1, every=2):
    lr = first * (0.1 ** (epoch // every))
    if epoch % every == 0:
        print("rate %.4f" % lr)
    for group in optimizer.param_groups:
        group["lr"] = lr
    return optimizer


def train(model, criterion, optimizer, schedule, batches, epochs):
    for epoch in range(epochs):
        for phase in ["train", "val"]:
            if phase == "train":
                optimizer = schedule(optimizer, epoch)
                model.train(True)
            else:
                model.train(False)
            total = 0.0
            for x, y in batches:
                optimizer.zero_grad()
                loss = criterion(model(x), y)
                if phase == "train":
                    loss.backward()
                    optimizer.step()
                total += loss.item()
            print(phase, "%.5f" % total)
    return model


model = nn.Linear(4, 3)
for i, p in enumerate(model.parameters()):
    p.data = torch.linspace(-1, 1, p.numel()).reshape(p.shape) * 0.3
batches = [(torch.linspace(-1, 1, 12).reshape(3, 4) * (k + 1), torch.tensor([0, 1, 2])) for k in range(3)]
train(model, nn.CrossEntropyLoss(), optim.SGD(model.parameters(), lr=0.1, momentum=0.9), lr_schedule, batches, 4)
