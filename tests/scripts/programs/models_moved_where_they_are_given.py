"""Models that are moved to a device where a function is given them are those that it trains, whatever they are called."""
# also: nnx, linen

import torch
import torch.nn as nn


def train(model, steps):
    model.train()
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for i in range(steps):
        opt.zero_grad()
        loss = (model(torch.tensor([[1.0, 2.0, 3.0], [3.0, -1.0, 0.5]])) ** 2).mean()
        loss.backward()
        opt.step()
        print(loss.item())


def count(model):
    model.eval()
    return sum(p.numel() for p in model.parameters())


def made():
    net = nn.Sequential(nn.Linear(3, 2), nn.Dropout(0.0), nn.BatchNorm1d(2))
    for i, p in enumerate(net.parameters()):
        nn.init.constant_(p, 0.1 * i + 0.2)
    return net


class Holder:
    def __init__(self):
        self.net = made()
        self.device = "cpu"

    def run(self):
        train(self.net.to(self.device), 2)
        print(self.net(torch.tensor([[1.0, 2.0, 3.0], [3.0, -1.0, 0.5]])).sum().item())


def main():
    net = made()
    train(net.cuda() if torch.cuda.is_available() else net, 2)
    print(net(torch.tensor([[1.0, 2.0, 3.0], [3.0, -1.0, 0.5]])).sum().item())
    for i in range(2):
        train(net.to(torch.device("cpu")), 1)
    print(net(torch.tensor([[1.0, 2.0, 3.0], [3.0, -1.0, 0.5]])).sum().item())
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    print(count(net.to(device)), net.training)
    train(net.float(), 2)
    print(net(torch.tensor([[1.0, 2.0, 3.0], [3.0, -1.0, 0.5]])).sum().item())
    train(net.train(), 2)
    print(net(torch.tensor([[1.0, 2.0, 3.0], [3.0, -1.0, 0.5]])).sum().item())
    train(net.eval().to("cpu"), 2)
    print(net(torch.tensor([[1.0, 2.0, 3.0], [3.0, -1.0, 0.5]])).sum().item())
    Holder().run()


main()
