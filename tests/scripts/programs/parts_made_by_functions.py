# also: nnx
import os
import tempfile

import torch
import torch.nn as nn


class Body(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 4)
        self.bn = nn.BatchNorm1d(4)
        self.head = nn.Linear(4, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.head(self.bn(self.fc(x)))


def saved_body(path):
    model = Body()
    model.load_state_dict(torch.load(path))
    return model


class WithParts(nn.Module):
    def __init__(self, path):
        super().__init__()
        net = saved_body(path)
        self.body = nn.Sequential(*list(net.children())[:-1])
        self.out = nn.Linear(net.head.in_features, 1)
        nn.init.constant_(self.out.weight, 0.5)
        nn.init.zeros_(self.out.bias)

    def forward(self, x):
        return self.out(self.body(x))


class Wrap(nn.Module):
    def __init__(self, body):
        super().__init__()
        self.body = body

    def forward(self, x):
        return self.body(x)


def layers(sizes):
    found = []
    for size in sizes:
        found.append(nn.Linear(size, size))
        found.append(nn.BatchNorm1d(size))
    return nn.Sequential(*found)


def wrapped():
    model = Wrap(layers([3, 3]))
    for number, p in enumerate(model.parameters()):
        nn.init.constant_(p, 0.1 * number)
    return model


class Base(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2, bias=False)


class Scaled(Base):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(1))
        for number, p in enumerate(self.parameters()):
            nn.init.constant_(p, number)


x = torch.sin(torch.arange(24.0)).reshape(8, 3)
path = os.path.join(tempfile.mkdtemp(), "body.pt")
body = Body()
for number, p in enumerate(body.parameters()):
    nn.init.constant_(p, 0.3 - 0.1 * number)
body(x * 2)
torch.save(body.state_dict(), path)

net = WithParts(path)
net.out = nn.Linear(net.out.in_features, 2)
nn.init.constant_(net.out.weight, 0.25)
nn.init.zeros_(net.out.bias)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    loss = (net(x) - 1).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(f"{loss.item():.5f}")
net.eval()
print([f"{value:.4f}" for value in net(x)[:, 0].tolist()])

other = wrapped()
print([f"{value:.4f}" for value in other(x)[:, 1].tolist()])
scaled = Scaled()
print(scaled.scale.item(), scaled.fc.weight[0, 0].item())
