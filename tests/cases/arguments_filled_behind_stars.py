"""What `forward` hands on in its stars is changed there, and a call in sight gives it."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)

    def losses(self, x, noise=None):
        if noise is None:
            noise = torch.ones(2)
        noise += torch.ones(2)  # T2J300
        return self.fc(x + noise).mean()

    def forward(self, x, *args, **kwargs):
        return self.losses(x, *args, **kwargs)


noise = torch.zeros(3, 2)
print(Net()(torch.ones(3, 2), noise=noise), noise)
