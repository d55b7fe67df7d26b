# also: nnx, linen
import torch
from torch import nn

from base import Head, Middle, Plain


class Net(Plain):
    def __init__(self, width, depth):
        super(Net, self).__init__()
        self.layers = nn.ModuleList([nn.Linear(width, width) for _ in range(depth)])

    def forward(self, x):
        for layer in self.layers:
            x = torch.relu(layer(self.norm(x)))
        return x


class Wide(Head):
    def __init__(self, width, names):
        super(Wide, self).__init__(width, len(names), scale=0.5)
        self.names = names
        self.gate = nn.Parameter(torch.ones(len(names)))

    def forward(self, x):
        return super().forward(x) * self.gate


class Last(Middle):
    def __init__(self, dropped=0.0):
        super().__init__(3)
        self.dropped = dropped

    def forward(self, x):
        return self.act(super().forward(x)) + self.dropped


def fill(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.arange(p.numel()).reshape(p.shape).float().mul(0.1 + i).sin())


x = torch.arange(6.0).reshape(2, 3) / 5
for model in (Net(3, 2), Head(3), Wide(3, ["a", "b", "c"]), Last(dropped=0.25), nn.Sequential(Net(3, 1), Middle(3))):
    fill(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(2):
        loss = model(x).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(loss.item())
    print([name for name, _ in model.named_parameters()])
