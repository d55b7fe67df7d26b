import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 3)

    def crop(self, n):
        self.fc.weight.data = self.fc.weight.data[:n]
        self.fc.bias.data = self.fc.bias.data[:n]

    def forward(self, x):
        return self.fc(x)
