# also: nnx, linen
"""Parameters and parts that are None at first stand where they are filled: in state dicts, and in what optimizers are given."""

import torch
import torch.nn as nn


class Gated(nn.Module):
    def __init__(self, use):
        super().__init__()
        self.gate = None
        self.bias = None
        self.fc = nn.Linear(3, 2)
        if use:
            self.gate = nn.Parameter(torch.ones(2))
            self.bias = nn.Parameter(torch.zeros(2))
        self.out = nn.Linear(2, 1)

    def forward(self, x):
        y = self.fc(x)
        if self.gate is not None:
            y = y * self.gate + self.bias
        return self.out(y)


class Built(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = None
        self.body = nn.Linear(3, 3)
        self.build()

    def build(self):
        self.tail = nn.Linear(3, 3)
        self.head = nn.Linear(3, 1)

    def forward(self, x):
        return self.head(torch.tanh(self.tail(self.body(x))))


class Longer(Built):
    def __init__(self):
        super().__init__()
        self.last = nn.Linear(1, 1)

    def forward(self, x):
        return self.last(super().forward(x))


def fill(m):
    with torch.no_grad():
        for i, p in enumerate(m.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) + i).reshape(p.shape))


x = torch.arange(6.0).reshape(2, 3) / 3
for net in [Gated(True), Gated(False), Built(), Longer()]:
    fill(net)
    print([name for name, _ in net.named_parameters()])
    print(list(net.state_dict()))
    print([name for name, _ in net.named_children()])
    params = list(net.parameters())
    opt = torch.optim.SGD([{"params": params[:2], "lr": 0.1}, {"params": params[2:], "lr": 0.01}], lr=0.1)
    for step in range(2):
        loss = (net(x) ** 2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(loss.item())
