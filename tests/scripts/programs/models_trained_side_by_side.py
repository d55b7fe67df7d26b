# also: nnx, linen
"""Models that lists hold beside their optimizers, trained in loops through both, and read by their own names and from the lists."""

import torch
import torch.nn as nn

x = torch.arange(12.0).view(3, 4) / 12


class Net(nn.Module):
    def __init__(self, scale):
        super().__init__()
        self.fc = nn.Linear(4, 2)
        with torch.no_grad():
            for p in self.fc.parameters():
                p.copy_(torch.sin(scale * torch.arange(p.numel()).float()).view(p.shape))

    def forward(self, x):
        return self.fc(x)


class Normed(Net):
    def __init__(self, scale):
        super().__init__(scale)
        self.norm = nn.BatchNorm1d(2)

    def forward(self, x):
        return self.norm(self.fc(x))


def train(net, optimizer, x):
    loss = (net(x) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


plain, momentum, adam = Net(1.0), Net(1.0), Net(1.0)
nets = [plain, momentum, adam]
opt_plain = torch.optim.SGD(plain.parameters(), lr=0.1)
opt_momentum = torch.optim.SGD(momentum.parameters(), lr=0.1, momentum=0.8)
opt_adam = torch.optim.Adam(adam.parameters(), lr=0.05)
optimizers = [opt_plain, opt_momentum, opt_adam]
losses = [[], [], []]
for epoch in range(4):
    for net, optimizer, history in zip(nets, optimizers, losses):
        loss = (net(x) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        history.append(loss.item())
print([[f"{loss:.4f}" for loss in history] for history in losses])
print(
    len(nets),
    f"{nets[1](x).sum().item():.4f}",
    [f"{net(x).sum().item():.4f}" for net in nets],
    f"{adam(x).sum().item():.4f}",
)


def in_a_function():
    first = Net(0.5)
    second = Normed(0.7)
    pair = (first, second)
    one = torch.optim.SGD(first.parameters(), lr=0.1)
    two = torch.optim.SGD(second.parameters(), lr=0.1, momentum=0.9)
    for epoch in range(3):
        for number, (net, optimizer) in enumerate(zip(pair, [one, two])):
            print(number, f"{train(net, optimizer, x * (number + 1)):.4f}")
    second.eval()
    for net in pair:
        print(f"{net(x).sum().item():.4f}")


class Pair:
    def __init__(self):
        self.maker, self.judge = Net(0.3), nn.Linear(2, 1)
        self.one = torch.optim.SGD(self.maker.parameters(), lr=0.1)
        self.two = torch.optim.SGD(self.judge.parameters(), lr=0.1)
        self.slower = torch.optim.lr_scheduler.StepLR(self.one, 1, 0.5)
        self.shorter = torch.optim.lr_scheduler.ExponentialLR(self.two, 0.9)

    def set_up(self):
        nets = [self.maker, self.judge]
        for net in nets:
            for p in net.parameters():
                nn.init.constant_(p, 0.1)

    def step(self):
        both = [self.one, self.two]
        nets = [self.maker, self.judge]
        loss = self.judge(self.maker(x)).mean()
        for optimizer in both:
            optimizer.zero_grad()
        loss.backward()
        for optimizer in both:
            optimizer.step()
        schedulers = [self.slower, self.shorter]
        for scheduler in schedulers:
            scheduler.step()
        return loss.item(), nets[0](x).sum().item(), sum(p.sum().item() for net in nets for p in net.parameters())


in_a_function()
pair = Pair()
pair.set_up()
for epoch in range(3):
    print([f"{number:.4f}" for number in pair.step()])
