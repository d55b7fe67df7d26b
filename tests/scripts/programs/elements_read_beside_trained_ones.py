# flagged: T2J500, also: linen
"""Each model of a list is trained by a loss that reads one of them by its place, too."""

import torch
from torch import nn
import torch.nn.functional as F

X = torch.linspace(-1, 1, 6).view(3, 2)
Y = torch.tensor([[1.0], [2.0], [3.0]])


class Net(nn.Module):
    def __init__(self, scale):
        super().__init__()
        self.fc = nn.Linear(2, 1)
        nn.init.constant_(self.fc.weight, scale)
        nn.init.constant_(self.fc.bias, 0.1)

    def forward(self, x):
        return self.fc(x)


class Trainer:
    def __init__(self):
        self.nets = [Net(0.1 * (i + 1)) for i in range(3)]
        self.opts = [torch.optim.SGD(net.parameters(), lr=0.1) for net in self.nets]

    def train(self, x, y):
        for net, opt in zip(self.nets, self.opts):
            loss = F.mse_loss(net(x) + self.nets[0](x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
        return loss.item()


trainer = Trainer()
for _ in range(3):
    print(round(trainer.train(X, Y), 5))
for net in trainer.nets:
    print([round(v, 5) for v in net(X).flatten().tolist()])
