# tensors of state dicts that are set by names which may be those of buffers
import torch.nn as nn


class Anywhere(nn.Module):
    def __init__(self):
        super().__init__()
        self.bn = nn.BatchNorm1d(3)
        for key in self.state_dict():
            if "mean" in key:
                self.state_dict()[key][...] = 1  # T2J301


class Others(nn.Module):
    def __init__(self):
        super().__init__()
        self.bn = nn.BatchNorm1d(3)
        for key in self.state_dict():
            if key.endswith("weight"):
                self.state_dict()[key][...] = 1  # T2J301
            else:
                self.state_dict()[key][...] = 0  # T2J301


class Last(nn.Module):
    def __init__(self):
        super().__init__()
        self.bn = nn.BatchNorm1d(3)
        for key in self.state_dict():
            if key.endswith("weight"):
                self.state_dict()[key][...] = 1  # T2J301
        self.key = key
