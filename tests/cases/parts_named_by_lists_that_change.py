# parts with names of lists that are not known to be all alike
import torch
import torch.nn as nn


class Grown(nn.Module):
    def __init__(self, widths):
        super().__init__()
        names = ["branch1", "branch2"]
        names.append("tail")
        for name, width in zip(names, widths):
            setattr(self, name, nn.Linear(2, width))  # T2J601

    def forward(self, x):
        return self.branch1(x)


class Changed(nn.Module):
    def __init__(self, widths):
        super().__init__()
        self.names = ["branch1", "branch2"]
        self.names[1] = "tail"
        for name, width in zip(self.names, widths):
            setattr(self, name, nn.Linear(2, width))  # T2J601

    def forward(self, x):
        return self.branch1(x)


class Mixed(nn.Module):
    def __init__(self, widths):
        super().__init__()
        for name, width in zip(["branch1", "stem2"], widths):
            setattr(self, name, nn.Linear(2, width))  # T2J601

    def forward(self, x):
        return self.branch1(x)
