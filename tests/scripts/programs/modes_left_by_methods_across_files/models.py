import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)
        self.drop = nn.Dropout(0.5)
        self.train()

    def forward(self, x):
        return self.fc(x) * 100 if self.training else self.drop(self.fc(x))

    @torch.no_grad()
    def score(self, x):
        self.eval()
        return self(x).abs().sum().item()

    def check(self, x):
        value = self.score(x)
        self.train()
        return value


class Half(Net):
    def forward(self, x):
        return super().forward(x) / 2
