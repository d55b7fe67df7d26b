import copy

import torch
from torch import nn


class Member:
    def __init__(self):
        self.net = nn.Linear(4, 2)
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=0.05)

    def train(self, x):
        loss = self.net(x).pow(2).mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()

    def follow(self, other):
        self.net.load_state_dict(other.net.state_dict())
        self.optimizer.load_state_dict(other.optimizer.state_dict())  # T2J303

    def copy_of(self, other):
        self.net.load_state_dict(other.net.state_dict())
        self.optimizer.load_state_dict(copy.deepcopy(other.optimizer.state_dict()))


def main(x):
    one, two = Member(), Member()
    one.train(x)
    two.follow(one)
    two.copy_of(one)
    one.train(x)
    two.train(x)
