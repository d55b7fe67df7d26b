"""Values that objects keep for later steps, where the gradient cannot go on."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self, n=3, m=2):
        super().__init__()
        self.body = nn.Linear(n, 8)
        self.pi = nn.Linear(8, m)
        self.v = nn.Linear(8, 1)

    def forward(self, x):
        h = torch.tanh(self.body(x))
        return F.log_softmax(self.pi(h), -1), self.v(h).squeeze(-1)


class Trainer:
    """The loss of another method uses what a third one has computed, and calls a module itself."""
    def __init__(self):
        self.model, self.head = Net(), nn.Linear(2, 2)
        self.opt = torch.optim.SGD([*self.model.parameters(), *self.head.parameters()], lr=0.05)

    def encode(self, x):
        self.logp, self.value = self.model(x)

    def compute(self, y):
        self.loss = F.cross_entropy(self.head(self.logp), y) + self.value.mean()

    def update(self):
        self.opt.zero_grad()  # T2J500
        self.loss.backward()  # T2J500
        self.opt.step()  # T2J500
        return self.loss.item()


class Loop:
    def __init__(self, trainer):
        self.trainer = trainer

    def first(self, x, y):
        self.trainer.encode(x)
        self.trainer.compute(y)

    def run(self, x, y):
        self.first(x, y)
        return self.trainer.update()


class Twice:
    """Two lines give the field a value."""

    def __init__(self):
        self.net = Net()
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.1)

    def act(self, obs):
        self.value = self.net(obs)[1]

    def guess(self, obs):
        self.value = 2 * self.net(obs)[1]

    def learn(self, r):
        loss = (r - self.value) ** 2
        self.opt.zero_grad()  # T2J500
        loss.backward()  # T2J500
        self.opt.step()  # T2J500
        return loss.item()


twice = Twice()
for i in range(4):
    if i % 2:
        twice.act(torch.ones(3))
    else:
        twice.guess(torch.ones(3))
    print(twice.learn(1.0))
loop = Loop(Trainer())
print(loop.run(torch.ones(4, 3), torch.tensor([0, 1, 1, 0])))
