# flagged: T2J303
"""The values of a result are changed from which its own gradient is worked out."""

import torch
from torch import nn


class Gate(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)

    def forward(self, x):
        y = torch.sigmoid(self.fc(x))
        y.data.mul_(2)
        return y.sum()


gate = Gate()
gate(torch.ones(1, 2)).backward()
print(gate.fc.weight.grad)
