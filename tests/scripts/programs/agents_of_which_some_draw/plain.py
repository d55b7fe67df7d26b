import torch
import torch.nn.functional as F
from torch import nn


class Plain:
    def __init__(self, lr):
        self.net = nn.Linear(3, 2)
        for p in self.net.parameters():
            p.data.fill_(0.1)
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=lr)
        self.total = 0

    def train(self, x, count=2):
        for _ in range(count):
            loss = F.mse_loss(self.net(x), torch.ones(len(x), 2))
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            self.total += 1

    def values(self):
        return self.net.weight.flatten().tolist()
