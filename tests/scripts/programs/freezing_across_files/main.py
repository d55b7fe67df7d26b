# flagged: T2J502
"""A helper of another file freezes a part of what is trained: it stays where it is, and is reported."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from helpers import freeze, teacher


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(3, 4)
        self.head = nn.Linear(4, 2)

    def forward(self, x):
        return self.head(torch.tanh(self.body(x)))


model = Net()
freeze(model.body)
t = teacher()
model.load_state_dict({k: torch.linspace(-0.5, 0.6, v.numel()).reshape(v.shape) for k, v in model.state_dict().items()})
t.load_state_dict({k: torch.linspace(-0.5, 0.6, v.numel()).reshape(v.shape) for k, v in t.state_dict().items()})
opt = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.linspace(-1, 1.7, 24).reshape(8, 3)
for i in range(3):
    loss = F.mse_loss(model(x), t(x))
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item(), model.body.weight.sum().item())
