import torch
from torch import nn


class Scale(nn.Module):
    def __init__(self, by):
        super().__init__()
        self.by = by  # T2J604

    def forward(self, x):
        return x * self.by


class Noise(nn.Module):
    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout(0.5)

    def forward(self, x):
        return self.drop(x)


class Many(nn.Module):
    def __init__(self, given):
        super().__init__()
        self.acts = [nn.ReLU(), nn.AvgPool1d(2)]
        self.scales = [Scale(item) for item in given]  # T2J601
        self.noises = [Noise()]  # T2J601
        self.more = {"lin": nn.Linear(3, 3)}  # T2J601

    def forward(self, x):
        return self.more["lin"](self.noises[0](self.scales[0](self.acts[0](x))))


net = Many([nn.Parameter(torch.ones(3))])
