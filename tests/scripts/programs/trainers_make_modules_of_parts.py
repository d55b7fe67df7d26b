import torch
import torch.nn as nn


class Critic(nn.Module):
    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder
        self.out = nn.Linear(3, 1)
        nn.init.constant_(self.out.weight, 0.2)
        nn.init.constant_(self.out.bias, 0.1)

    def forward(self, x):
        return self.out(self.encoder(x))


def fill(module, value):
    with torch.no_grad():
        for p in module.parameters():
            p.fill_(value)


class Trainer:
    def __init__(self, encoder):
        self.net = Critic(encoder)
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.1)

    def fit(self, x):
        self.opt.zero_grad()
        loss = (self.net(x) - 1).pow(2).mean()
        loss.backward()
        self.opt.step()


class InSequence:
    def __init__(self, encoder):
        self.net = nn.Sequential(encoder, nn.Linear(3, 1))
        nn.init.constant_(self.net[1].weight, 0.2)
        nn.init.constant_(self.net[1].bias, 0.1)
        self.opt = torch.optim.SGD(self.net[1].parameters(), lr=0.1)

    def fit(self, x):
        self.opt.zero_grad()
        loss = (self.net(x) - 1).pow(2).mean()
        loss.backward()
        self.opt.step()


def trained_in_function(x):
    encoder = nn.Linear(2, 3)
    fill(encoder, 0.3)
    one = Trainer(encoder)
    for _ in range(3):
        one.fit(x)
        print(encoder(x).sum().item())


x = torch.ones(2, 2)
encoder = nn.Linear(2, 3)
fill(encoder, 0.3)
print(encoder(x).sum().item())
one = Trainer(encoder)
print(encoder(x).sum().item())
one.fit(x)
print(encoder(x).sum().item(), encoder.weight.sum().item())
one.fit(x)
print(sum(v.sum().item() for v in encoder.state_dict().values()), one.net(x).sum().item())

trained_in_function(x)

body = nn.Linear(2, 3)
fill(body, 0.3)
two = InSequence(body)
two.fit(x)
print(body(x).sum().item(), two.net(x).sum().item())


class Holder:
    def __init__(self, encoder):
        self.net = Critic(encoder)


base = nn.Linear(2, 3)
fill(base, 0.3)
holder = Holder(base)
fill(holder.net, 0.3)
opt = torch.optim.SGD(holder.net.parameters(), lr=0.1)
for _ in range(2):
    opt.zero_grad()
    loss = (holder.net(x) - 1).pow(2).mean()
    loss.backward()
    opt.step()
print(base(x).sum().item())
