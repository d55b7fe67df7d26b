import torch
from torch import nn


class ActNorm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.loc = nn.Parameter(torch.zeros(1, width))
        self.scale = nn.Parameter(torch.ones(1, width))
        self.register_buffer("initialized", torch.tensor(0, dtype=torch.uint8))

    def initialize(self, x):
        with torch.no_grad():
            mean = x.mean(0, keepdim=True)
            std = x.std(0, keepdim=True)
            self.loc.data.copy_(-mean)
            self.scale.data.copy_(1 / (std + 1e-6))

    def forward(self, x):
        if self.initialized.item() == 0:
            self.initialize(x)
            self.initialized.fill_(1)
        return self.scale * (x + self.loc), torch.sum(torch.log(torch.abs(self.scale)))

    def reverse(self, y):
        return y / self.scale - self.loc


class Flow(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        self.norms = nn.ModuleList()
        for _ in range(depth):
            self.norms.append(ActNorm(width))
        self.fc = nn.Linear(width, width)

    def forward(self, x):
        total = 0
        for norm in self.norms:
            x, det = norm(x)
            x = x + torch.tanh(self.fc(x))
            total = total + det
        return x, total

    def reverse(self, outputs, rounds=1):
        for _ in range(rounds):
            for norm in self.norms[::-1]:
                outputs = norm.reverse(outputs)
        return outputs
