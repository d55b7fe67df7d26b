# also: nnx, linen
"""The field `training` that is set to what the line above has said of all parts, too."""
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 4)
        self.bn = nn.BatchNorm1d(4)
        self.drop = nn.Dropout(0.5)

    def forward(self, x):
        x = self.bn(self.fc(x))
        return x if self.training else self.drop(x) + 1


net = Net()
nn.init.constant_(net.fc.weight, 0.2)
nn.init.zeros_(net.fc.bias)
x = torch.arange(12.0).reshape(4, 3).sin()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)


def train():
    net.train()
    net.training = True
    optimizer.zero_grad()
    loss = (net(x) - 1).pow(2).mean()
    loss.backward()
    optimizer.step()
    print("%.4f" % loss.item())


def test():
    net.eval()
    net.training = False
    with torch.no_grad():
        print("%.4f" % net(x).sum().item(), net.training)


for _ in range(2):
    train()
    test()
