import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        self.drop = nn.Dropout(1e-9)  # draws, and drops nothing

    def forward(self, x, t, y):
        return self.drop(self.fc(x)) * 0.9 + 0.01 * t[:, None] + y[:, None]

    def forward_with_cfg(self, x, t, y, cfg_scale):
        return self.forward(x, t, y) * cfg_scale
