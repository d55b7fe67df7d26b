from torch import nn


class Other(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Linear(2, 2)
        self.attn = 2.0

    def forward(self, x):
        return self.conv1(x) * self.attn
