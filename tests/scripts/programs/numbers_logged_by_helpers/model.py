import torch
from torch import nn

from utils import NOTES, report, scaled, text_of


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        y = scaled(self.fc(x))
        report(y)
        NOTES.append(text_of(y))
        return y
