# a method that asks another module for its state, which is a part of a module that has been made
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.bn = nn.BatchNorm1d(2)

    def sync(self, other):
        self.load_state_dict(other.state_dict())  # T2J603


class Pair(nn.Module):
    def __init__(self):
        super().__init__()
        self.online = Net()
        self.target = Net()

    def update(self):
        self.target.sync(self.online)  # T2J601


pair = Pair()
pair.update()
