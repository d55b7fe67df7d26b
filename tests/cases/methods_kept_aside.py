import torch
import torch.nn as nn


def fill(m):
    for p in m.parameters():
        nn.init.constant_(p, 0.3)


def train(net, x):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for i in range(2):
        loss = net(x).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()


class Look:
    def __init__(self, model):
        self.model = model

    def score(self, x):
        return self.model(x).sum()


net = nn.Linear(3, 1)
fill(net)
x = torch.ones(2, 3)
look = Look(net)
g = look.score  # T2J303
train(net, x)
print(g(x).item())
