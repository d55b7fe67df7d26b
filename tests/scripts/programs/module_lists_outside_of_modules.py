# also: nnx, linen
"""Plain objects hold their models in module lists, which they use as lists."""

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


class Agent:
    def __init__(self):
        self.critics = nn.ModuleList([Net() for _ in range(2)])
        self.targets = nn.ModuleList([Net() for _ in range(2)])
        for t, c in zip(self.targets, self.critics):
            t.load_state_dict(c.state_dict())
        self.opts = [optim.Adam(c.parameters(), lr=0.01) for c in self.critics]

    def update(self, x, y):
        for c, o in zip(self.critics, self.opts):
            o.zero_grad()
            loss = F.mse_loss(c(x), y)
            loss.backward()
            o.step()
        for t, s in zip(self.targets, self.critics):
            for tp, p in zip(t.parameters(), s.parameters()):
                tp.data.copy_(0.9 * tp.data + 0.1 * p.data)
        return loss.item()


a = Agent()
for _ in range(3):
    print(round(a.update(X, Y), 5))
show(a.targets)
