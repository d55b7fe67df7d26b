# also: nnx, linen
"""Lists of target models follow the lists of those that are trained: by functions, loops over parameters and state dicts."""

import copy

import torch
from torch import nn, optim
import torch.nn.functional as F

X = torch.tensor([[0.1, 0.2], [0.3, -0.4], [0.5, 0.6]])
Y = torch.tensor([[1.0], [2.0], [3.0]])


class Net(nn.Module):
    def __init__(self, scale=1.0):
        super().__init__()
        self.fc1 = nn.Linear(2, 3)
        self.fc2 = nn.Linear(3, 1)
        for k, p in enumerate(self.parameters()):
            nn.init.constant_(p, 0.1 * (k + 1) * scale)

    def forward(self, x):
        return self.fc2(torch.tanh(self.fc1(x)))


def show(models):
    for m in models:
        print([round(v, 5) for v in m(X).flatten().tolist()])


def soft_update(target, source, tau):
    for tp, p in zip(target.parameters(), source.parameters()):
        tp.data.copy_(tp.data * (1.0 - tau) + p.data * tau)


class A:
    def __init__(self, n):
        self.nets = [Net() for _ in range(n)]
        self.targets = [copy.deepcopy(net) for net in self.nets]
        self.opts = [optim.SGD(net.parameters(), lr=0.1 * (i + 1)) for i, net in enumerate(self.nets)]

    def train(self, x, y):
        for i, (net, opt) in enumerate(zip(self.nets, self.opts)):
            opt.zero_grad()
            F.mse_loss(net(x), y * (i + 1)).backward()
            opt.step()

    def soft(self):
        for i in range(len(self.nets)):
            soft_update(self.targets[i], self.nets[i], 0.1)

    def soft2(self):
        for t, s in zip(self.targets, self.nets):
            soft_update(t, s, 0.1)

    def soft3(self):
        for t, s in zip(self.targets, self.nets):
            for tp, p in zip(t.parameters(), s.parameters()):
                tp.data.copy_(0.9 * tp.data + 0.1 * p.data)

    def soft4(self):
        with torch.no_grad():
            for i in range(len(self.nets)):
                for tp, p in zip(self.targets[i].parameters(), self.nets[i].parameters()):
                    tp.data.mul_(0.9)
                    tp.data.add_(0.1 * p.data)

    def hard(self):
        for t, s in zip(self.targets, self.nets):
            t.load_state_dict(s.state_dict())

    def hard2(self):
        for i in range(len(self.nets)):
            self.targets[i].load_state_dict(self.nets[i].state_dict())

    def fill(self):
        for i, c in enumerate(self.nets):
            for p in c.parameters():
                nn.init.constant_(p, 0.1 * (i + 1))
        for c in self.targets:
            for p in c.parameters():
                p.data.fill_(0.3)


a = A(3)
for f in (a.soft, a.soft2, a.soft3, a.soft4, a.hard):
    a.train(X, Y)
    f()
    show(a.targets)
a.train(X, Y)
a.hard2()
show(a.targets)
a.fill()
a.soft()
show(a.targets)
show(a.nets)


class MADDPG:
    def __init__(self, n):
        self.n = n
        self.critics = [Net() for _ in range(n)]
        self.targets = copy.deepcopy(self.critics)
        self.critic_optimizer = [optim.Adam(x.parameters(), lr=0.01) for x in self.critics]
        self.steps = 0

    def update(self, x, y):
        out = []
        for agent in range(self.n):
            self.critic_optimizer[agent].zero_grad()
            q = self.critics[agent](x)
            with torch.no_grad():
                tq = self.targets[agent](x)
            loss = nn.MSELoss()(q, y + 0.9 * tq.detach() + agent)
            loss.backward()
            self.critic_optimizer[agent].step()
            out.append(loss.item())
        self.steps += 1
        if self.steps % 2 == 0:
            for i in range(self.n):
                soft_update(self.targets[i], self.critics[i], 0.1)
        return out


m = MADDPG(2)
for _ in range(4):
    print([round(v, 5) for v in m.update(X, Y)])
show(m.critics)
show(m.targets)
