import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)
        self.flow = None
        self.mode = None
        self.scale = None
        self.mask = None

    def add_flow(self, flow):
        self.flow = flow  # T2J606

    def set_mode(self, mode):
        self.mode = mode  # T2J606

    def set_scale(self, scale):
        self.scale = scale  # T2J606

    def set_mask(self, mask):
        self.mask = mask

    def forward(self, x):
        x = self.fc(x)
        if self.flow is not None:
            x = self.flow(x)
        if self.mode == "train":
            x = x + 1
        if self.scale:
            x = x * self.scale
        return x if self.mask is None else x.masked_fill(self.mask, 0.0)


print(Net()(torch.ones(3, 2)))
