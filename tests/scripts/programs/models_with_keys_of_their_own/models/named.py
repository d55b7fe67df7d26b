import torch.nn as nn


class Named(nn.Module):
    def __init__(self, width, out):
        super().__init__()
        self.parts = nn.ModuleDict()
        for key in ("left", "right"):
            self.parts[key] = nn.Linear(3, width)
        self.head = nn.Linear(width, out)

    def forward(self, x):
        return self.head(self.parts["left"](x) * self.parts["right"](x))
