# also: nnx, linen
import torch
from torch import nn

from helpers import *

clip = 0.05


def train(batches, model, criterion, optimizer):
    model.train()
    total = 0.0
    for x, y in batches:
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        if clip is not None:
            clip_gradient(optimizer, clip)
        optimizer.step()
        total += loss.item()
    return total / len(batches)


def main():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 2))
    for i, p in enumerate(model.parameters()):
        nn.init.constant_(p, 0.1 * (i + 1))
    biases, others = [], []
    for name, param in model.named_parameters():
        if param.requires_grad:
            if name.endswith(".bias"):
                biases.append(param)
            else:
                others.append(param)
    optimizer = torch.optim.SGD(params=[{"params": biases, "lr": 1.0}, {"params": others}], lr=0.5, momentum=0.9)
    criterion = nn.MSELoss()
    batches = [(torch.arange(12).reshape(3, 4) * 0.1 * (k + 1), torch.ones(3, 2) * k) for k in range(3)]
    for epoch in range(3):
        if epoch == 2:
            slower(optimizer, 0.1)
        print("%.5f" % train(batches, model, criterion, optimizer))


if __name__ == "__main__":
    main()
