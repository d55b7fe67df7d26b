# also: linen
"""Training steps that stand at module level, outside of loops and functions."""

import torch
import torch.nn as nn


class Frozen(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    @torch.no_grad()
    def forward(self, x):
        return self.fc(x)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.frozen = Frozen()
        self.head = nn.Linear(3, 1)

    def forward(self, x):
        return self.head(self.frozen(x))


def fill(m):
    with torch.no_grad():
        for p in m.parameters():
            p.copy_(torch.linspace(-0.5, 1.0, p.numel()).view_as(p))


def show(m):
    print([round(float(v), 4) for p in m.parameters() for v in p.detach().flatten()])


x = torch.linspace(-1, 1, 12).view(4, 3)

net = Net()
fill(net)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
loss = net(x).pow(2).mean()
loss.backward()
optimizer.step()
print(loss.item())
show(net)

optimizer.zero_grad()
loss = net(x).abs().mean()
loss.backward()
optimizer.step()
print(loss.item())
show(net)

generator = nn.Linear(3, 3)
discriminator = nn.Linear(3, 1)
fill(generator)
fill(discriminator)
g_optimizer = torch.optim.SGD(generator.parameters(), lr=0.1)
d_optimizer = torch.optim.SGD(discriminator.parameters(), lr=0.1)
fake = generator(x)
d_optimizer.zero_grad()
d_loss = discriminator(fake.detach()).mean()
d_loss.backward()
d_optimizer.step()
g_optimizer.zero_grad()
g_loss = -discriminator(fake).pow(2).mean()
g_loss.backward()
g_optimizer.step()
print(d_loss.item(), g_loss.item())
show(generator)
show(discriminator)
