from torch import nn


class HalfLinear(nn.Linear):
    def forward(self, x):
        return super().forward(x) * 0.5
