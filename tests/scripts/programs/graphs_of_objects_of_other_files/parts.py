import torch
import torch.nn as nn


class Agent:
    def __init__(self):
        self.encoder = nn.Linear(3, 4)
        self.head = nn.Linear(4, 1)
        self.kept = []

    def encode(self, x):
        return torch.tanh(self.encoder(x))

    def remember(self, x):
        self.z = torch.tanh(self.encoder(x))

    def keep(self, x):
        self.kept.append(torch.tanh(self.encoder(x)))

    def last(self):
        return self.kept[-1]

    def penalty(self):
        return sum(p.pow(2).sum() for p in self.encoder.parameters())


def features(agent, x):
    return torch.tanh(agent.encoder(x))
