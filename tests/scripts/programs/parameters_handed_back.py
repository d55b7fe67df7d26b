# also: nnx, linen
"""Methods and functions under no_grad that hand back a parameter of the module that they are given."""

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        self.w = nn.Parameter(torch.linspace(0, 1, 3))

    @torch.no_grad()
    def weights(self):
        return self.w

    @torch.no_grad()
    def bias(self):
        return self.fc.bias

    def forward(self, x):
        return torch.tanh(self.fc(x)) * self.w


@torch.no_grad()
def first_bias(model):
    return model.fc.bias


model = Net()
with torch.no_grad():
    for i, p in enumerate(model.parameters()):
        p.copy_(torch.linspace(-1, 1, p.numel()).view(p.shape) + 0.1 * i)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.linspace(-1, 1, 6).view(2, 3)
for step in range(3):
    loss = (
        model(x).pow(2).mean()
        + 0.3 * model.weights().sum()
        + model.bias().pow(2).sum()
        - 0.2 * first_bias(model).mean()
    )
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
print(model.weights().sum().item(), model.bias().sum().item())
