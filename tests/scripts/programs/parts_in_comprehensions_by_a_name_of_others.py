# also: nnx
"""Variables of comprehensions over the parts of a module, with the name of another module with a state."""

import copy

import torch
import torch.nn as nn


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(4, 4)
        self.bn = nn.BatchNorm1d(4)

    def forward(self, x):
        return x + torch.tanh(self.bn(self.lin(x)))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Block() for _ in range(3)])
        self.out = nn.Linear(4, 1)

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return self.out(x)


def fill(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) * 0.9 + i).reshape(p.shape) * 0.4)


model = Net()
fill(model)
ema = copy.deepcopy(model)
x = torch.sin(torch.arange(12.0)).view(3, 4)

layer = model.blocks[0]
outs = [layer(x).sum().item() for layer in ema.blocks]
print(outs, sum(outs))
print(layer(x).sum().item())
print(
    [round(layer.bn.running_mean.sum().item(), 5) for layer in ema.blocks], round(layer.bn.running_mean.sum().item(), 5)
)

alone = Block()
fill(alone)
for _ in range(3):
    print(alone(x).sum().item())
print(model(x).sum().item())
print([round(alone.bn.running_mean.sum().item(), 5) for alone in model.blocks], alone.bn.running_mean.sum().item())

h = x
for block in model.blocks:
    h = block(h)
print(h.sum().item(), sum(block.bn.running_mean.sum().item() for block in ema.blocks))
