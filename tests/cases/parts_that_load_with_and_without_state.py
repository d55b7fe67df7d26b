# a part whose class may keep state or not, and loads weights by a method of its own
import torch
import torch.nn as nn


class Plain(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)

    def load(self, path):
        self.load_state_dict(torch.load(path))  # T2J603


class Normed(nn.Module):
    def __init__(self):
        super().__init__()
        self.bn = nn.BatchNorm1d(3)

    def load(self, path):
        self.load_state_dict(torch.load(path))  # T2J603


class Whole(nn.Module):
    def __init__(self, name, path):
        super().__init__()
        if name == "plain":
            self.base = Plain()
        else:
            self.base = Normed()
        self.base.load(path)  # T2J609
