"""Activations with some of their arguments, as `partial` makes them."""

from functools import partial

import torch
import torch.nn as nn


class MLP(nn.Module):
    def __init__(self, act=nn.ReLU, gate=partial(nn.LeakyReLU, 0.2), norm=partial(nn.LayerNorm, eps=1e-3)):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        self.act, self.gate = act(inplace=True), gate()
        self.norm = norm(3)

    def forward(self, x):
        return self.norm(self.act(self.fc(x)) * self.gate(x))


for net in (MLP(), MLP(act=partial(nn.ELU, alpha=0.5)), MLP(gate=partial(nn.Softmax, dim=-1)), MLP(gate=nn.Sigmoid)):
    with torch.no_grad():
        for i, p in enumerate(net.parameters()):
            p.copy_(torch.linspace(-0.5, 0.7 + i, p.numel()).reshape(p.shape))
    print(net(torch.linspace(-1, 2, 12).reshape(4, 3)).abs().sum().item())
