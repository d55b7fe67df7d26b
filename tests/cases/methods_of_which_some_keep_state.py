import torch.nn as nn


class Plain(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.fc = nn.Linear(n, 2)

    def forward(self, x):
        return self.fc(x)

    def loss(self, y):
        return y.mean()


class Counted(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.count = 0
        self.fc = nn.Linear(n, 2)

    def forward(self, x):
        return self.fc(x)

    def loss(self, y):
        self.count += 1
        return y.mean() * self.count


NETS = {"plain": Plain, "counted": Counted}


def run(name, x):
    net = NETS[name](3)
    return net.loss(net(x))  # T2J609
