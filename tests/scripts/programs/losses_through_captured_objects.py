# flagged: T2J500
"""A loss of which a part is computed by a method of an object that an inner function reads from around it."""

import torch
from torch import nn


class Agent:
    def __init__(self):
        self.net = nn.Linear(2, 1)
        nn.init.constant_(self.net.weight, 0.2)
        nn.init.constant_(self.net.bias, 0.1)
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.1)

    def score(self, x):
        return self.net(x).pow(2).mean()

    def learn(self, xs):
        def energy(x):
            return self.score(x)

        for x in xs:
            loss = energy(x) + self.net(x).mean()
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            print(loss.item())


Agent().learn([torch.ones(3, 2) * i for i in range(3)])
