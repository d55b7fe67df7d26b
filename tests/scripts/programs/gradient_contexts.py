"""Gradients that are switched off, or as a flag says: by contexts, in variables, by decorators and by statements."""

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self, learns_gate):
        super().__init__()
        self.fc = nn.Linear(2, 1, bias=False)
        self.learns_gate = learns_gate

    def forward(self, x):
        with torch.set_grad_enabled(self.learns_gate):
            gate = self.fc(x)
        off = torch.no_grad()
        with off:
            offset = self.fc(x) * 3
        with torch.set_grad_enabled(False):
            scale = self.fc(x).abs()
        with torch.inference_mode(False):
            back = self.fc(x)
        return gate * self.fc(x) + offset + back + scale


@torch.set_grad_enabled(False)
def level(net, x):
    return net(x).mean().item()


def evaluate(net, x):
    torch.set_grad_enabled(False)
    found = net(x).sum().item()
    torch.set_grad_enabled(True)
    return found


def train(learns_gate):
    net = Net(learns_gate)
    with torch.no_grad():
        net.fc.weight.fill_(0.5)
    x, y = torch.tensor([[1.0, 2.0], [0.5, -1.0]]), torch.tensor([[1.0], [2.0]])
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
    for _ in range(3):
        loss = ((net(x) - y) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(round(loss.item(), 4), round(level(net, x), 4), round(evaluate(net, x), 4))


train(True)
train(False)
