import torch
import torch.nn.functional as F
from torch import nn


class Noisy:
    def __init__(self, lr, noise=0.0):
        self.net = nn.Linear(3, 2)
        self.noise = noise
        for p in self.net.parameters():
            p.data.fill_(0.2)
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=lr)
        self.total = 0

    def train(self, x, count=1):
        for _ in range(count):
            x_n = x + self.noise * torch.randn_like(x)
            loss = F.mse_loss(self.net(x_n), torch.ones(len(x), 2))
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            self.total += 1

    def values(self):
        return self.net.weight.flatten().tolist()
