# flagged: T2J200 T2J605
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self, n=3):
        super().__init__()
        self.fc = nn.Linear(n, n)
        self.bn = nn.BatchNorm1d(n)

    def forward(self, x):
        return self.bn(self.fc(x))


class Seg(nn.Module):
    def __init__(self, net):
        super().__init__()
        self.net = net
        self.head = nn.Linear(3, 2)

    def forward(self, x):
        return self.head(self.net(x))


def make(pretrained=False, more=False):
    model = Net()
    if pretrained:
        model.load_state_dict({"fc.weight": torch.ones(3, 3)}, strict=False)
    if more:
        return model, 5
    return model


net, n = make(True, True)
print(net.fc.weight.sum().item(), n)
net = make(True)
print(net(torch.eye(3)).shape)
