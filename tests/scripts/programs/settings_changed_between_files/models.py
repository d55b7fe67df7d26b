import torch
from torch import nn

SCALE = 1.0
SHIFT = 0.0


def set_scale(value):
    global SCALE
    SCALE = value


class Net(nn.Module):
    def __init__(self, args=None):
        super().__init__()
        self.fc = nn.Linear(2, 2)
        self.args = args
        with torch.no_grad():
            for p in self.parameters():
                p.fill_(0.3)

    def forward(self, x):
        x = self.fc(x) * SCALE + SHIFT
        return x if self.args is None else x * self.args.gain
