"""closures with train step that reads the model between and a maker called by a maker"""

import torch
from torch import nn
import torch.nn.functional as F


def start(model, k=1):
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.linspace(-0.9, 1, p.numel()).reshape(p.shape) * k)


def get_train_fn(model, lr=0.1, penalty=0.01):
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)

    def compute_loss(x, y):
        return F.mse_loss(model(x), y) + penalty * sum(p.pow(2).sum() for p in model.parameters())

    def train_fn(x, y):
        optimizer.zero_grad()
        loss = compute_loss(x, y)
        loss.backward()
        optimizer.step()
        return loss.item()

    return train_fn


def main():
    x = torch.linspace(-1, 1, 24).reshape(8, 3)
    y = x.sum(1, keepdim=True)
    net = nn.Linear(3, 1)
    start(net)
    train_fn = get_train_fn(net, lr=0.05)
    for i in range(4):
        loss = train_fn(x, y)
        print(i, loss, net.weight.norm().item())
    return net


main()
