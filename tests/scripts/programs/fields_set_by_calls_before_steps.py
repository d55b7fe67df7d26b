# also: nnx, linen
# Methods and functions leave in fields of objects what a step behind their calls reads: a loss, its parts, a value.
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


def fill(model, scale=1.0):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(scale * torch.linspace(-0.4, 0.5, p.numel()).reshape(p.shape) * (1 + 0.1 * i))


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
    """The loss is kept in a field and used by another method"""
    def __init__(self):
        self.model = Net()
        fill(self.model)
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=0.05)

    def set_input(self, x, y):
        self.x, self.y = x, y

    def forward(self):
        self.logp, self.value = self.model(self.x)

    def compute_loss(self):
        self.loss_pi = F.nll_loss(self.logp, self.y)
        self.loss_v = (self.value ** 2).mean()
        self.loss = self.loss_pi + 0.5 * self.loss_v

    def backward(self):
        self.optimizer.zero_grad()
        self.loss.backward()
        self.optimizer.step()


t = Trainer()
rng = np.random.RandomState(0)
for i in range(5):
    x, y = torch.from_numpy(rng.randn(4, 3).astype(np.float32)), torch.tensor([0, 1, 1, 0])
    t.set_input(x, y)
    t.forward()
    t.compute_loss()
    t.backward()
    print(t.loss.item(), t.loss_pi.item(), t.loss_v.item())
for p in t.model.parameters():
    print(float(p.sum()))


class Recaller:
    """act within learn, value of before"""
    def __init__(self):
        self.net = Net()
        fill(self.net)
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.1)
        self.value = None

    def act(self, obs):
        logits, self.value = self.net(torch.from_numpy(obs))
        self.logp = logits.max()
        return int(logits.argmax())

    def evaluate(self, obs):
        self.act(obs)
        return self.value.item()

    def learn(self, obs, r):
        self.act(obs)
        loss = (r - self.value) ** 2 - 0.1 * self.logp
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()


recaller = Recaller()
rng = np.random.RandomState(0)
for step in range(5):
    obs = rng.randn(3).astype(np.float32)
    print(recaller.evaluate(obs), recaller.learn(obs, 0.5), recaller.evaluate(obs))
for p in recaller.net.parameters():
    print(float(p.sum()))


def act(state, net, obs):
    logits, value = net(torch.from_numpy(obs))
    state.value = value
    return int(logits.argmax())


class State:
    pass


net = Net()
fill(net)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
state = State()
rng = np.random.RandomState(0)
for step in range(5):
    obs = rng.randn(3).astype(np.float32)
    a = act(state, net, obs)
    loss = (0.3 - state.value) ** 2
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(a, loss.item())
for p in net.parameters():
    print(float(p.sum()))
