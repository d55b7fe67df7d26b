# also: nnx
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width, depth=1):
        super().__init__()
        self.lin = nn.Linear(3, width)
        self.norm = nn.BatchNorm1d(width)

    @classmethod
    def from_config(cls, config):
        return cls(config["width"], depth=config.get("depth", 1))

    @staticmethod
    def with_weights(width, scale):
        net = Net(width)
        with torch.no_grad():
            for p in net.parameters():
                p.copy_(torch.linspace(-1, 1, p.numel()).view_as(p) * scale)
        return net

    def forward(self, x):
        return self.norm(self.lin(x)).relu()

    def forward_loss(self, x):
        return ((self(x) - 1) ** 2).mean()


class Big(Net):
    def __init__(self, width, depth=1):
        super().__init__(width * 2, depth)
        self.extra = nn.BatchNorm1d(width * 2)

    def forward(self, x):
        return self.extra(super().forward(x))


def fill(model):
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.linspace(-1, 1, p.numel()).view_as(p) * 0.7)


def train(net, x, steps):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(steps):
        opt.zero_grad()
        loss = net.forward_loss(x)
        loss.backward()
        opt.step()
        print(loss.item())


x = torch.linspace(-1, 1, 12).view(4, 3)
for kind in (Net, Big):
    net = kind.from_config({"width": 4})
    fill(net)
    train(net, x, 3)
    print(net.norm.running_mean.sum().item())
net = Net.with_weights(3, 0.4)
train(net, x, 2)
net.eval()
print(net(x).sum().item())
big = Big.from_config({"width": 2})
fill(big)
train(big, x, 2)


tables = {"small": Net.with_weights, "big": Net.with_weights}
for name, place in tables.items():
    made = place(2, 0.3)
    with torch.no_grad():
        print(name, made(x).sum().item())
