# also: nnx, linen
"""Loops over the parameters of parts of a model that an object, or another module, keeps: the model gets other parts."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.online = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 2))
        self.target = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 2))

    def forward(self, x, model):
        return self.online(x) if model == "online" else self.target(x)


class Agent:
    def __init__(self):
        self.net = Net()
        with torch.no_grad():
            for i, p in enumerate(self.net.online.parameters()):
                p.copy_(torch.sin(torch.arange(p.numel()).float() * 0.7 + i).view_as(p) * 0.2)
        for p, q in zip(self.net.target.parameters(), self.net.online.parameters()):
            p.data.copy_(q.data)
        for p in self.net.target.parameters():
            p.requires_grad = False
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.1)

    def follow(self, tau):
        for p, q in zip(self.net.target.parameters(), self.net.online.parameters()):
            p.data.copy_(tau * q.data + (1.0 - tau) * p.data)

    def learn(self, x, y):
        loss = nn.functional.mse_loss(self.net(x, "online"), y + 0.5 * self.net(x, model="target").detach())
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()


class Wrapped(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = Net()
        for i, p in enumerate(self.net.online.parameters()):
            p.data.fill_(0.1 * i)
        for p in self.net.target.parameters():
            p.data.fill_(0.2)

    def forward(self, x):
        return self.net(x, "online") + self.net(2 * x, "target")


class Trainer:
    def __init__(self, model):
        self.model = model


def reset(trainer, value):
    for p in trainer.model.net.online.parameters():
        p.data.fill_(value)


agent = Agent()
x, y = torch.linspace(-1, 1, 8).view(4, 2), torch.ones(4, 2)
for step in range(4):
    loss = agent.learn(x, y)
    if step % 2 == 1:
        agent.follow(0.2)
    print(f"{loss:.5f}")
print(agent.net.online[2].bias.tolist(), agent.net.target[2].bias.tolist())
trainer = Trainer(Wrapped())
print(trainer.model(x).tolist())
reset(trainer, 0.3)
print(trainer.model(x).tolist())
