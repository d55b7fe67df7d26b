"""State dicts and weights that are read behind a method which changes all parameters of its module: torch's see the change."""

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(3, 3)

    def forward(self, x):
        return self.a(x)

    def decay(self):
        for q in self.parameters():
            q.data.mul_(0.9)


net = Net()
state = net.state_dict()  # T2J303
net.decay()
print(state["a.weight"].sum().item())

other = Net()
before = {k: v.clone() for k, v in other.state_dict().items()}
other.decay()
print(before["a.weight"].sum().item(), other.a.weight.sum().item())
