# also: nnx, linen
"""A module freezes a part unless an option says otherwise, and nothing has frozen anything before."""

import torch
import torch.nn as nn

x = torch.linspace(-1, 1.7, 24).reshape(6, 4)
y = torch.linspace(0, 1, 6).reshape(6, 1)


class Wrapped(nn.Module):
    def __init__(self, freeze, scaled=True):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(4, 6), nn.Tanh(), nn.Linear(6, 1))
        for param in self.net.parameters():
            param.requires_grad = not freeze
        self.scale = nn.Parameter(torch.ones(1))
        self.shift = nn.Parameter(torch.zeros(1))
        if not scaled:
            self.scale.requires_grad_(False)

    def forward(self, x):
        return self.net(x) * self.scale + self.shift


def train(model):
    values = {k: torch.sin(torch.arange(v.numel()) + 1.0).reshape(v.shape) * 0.5 for k, v in model.state_dict().items()}
    model.load_state_dict(values)
    optimizer = torch.optim.SGD([p for p in model.parameters() if p.requires_grad], lr=0.1)
    for _ in range(3):
        optimizer.zero_grad()
        loss = ((model(x) - y) ** 2).mean()
        loss.backward()
        optimizer.step()
    print(round(loss.item(), 5), [name for name, p in model.named_parameters() if (p - values[name]).abs().sum() > 0])
    print([name for name, p in model.named_parameters() if p.requires_grad])


train(Wrapped(True))
train(Wrapped(False))
train(Wrapped(True, scaled=False))
