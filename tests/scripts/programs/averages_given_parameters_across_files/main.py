# also: nnx, linen
"""What another file averages, and puts into the parameters that it is given."""

import torch
import torch.nn as nn
from ema import ExponentialMovingAverage


def make(scale=1.0):
    model = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.linspace(-1, 1, p.numel()).reshape(p.shape) * scale)
    return model


torch.manual_seed(0)
model = make()
ema = ExponentialMovingAverage(model.parameters(), 0.9)
opt = torch.optim.SGD(model.parameters(), lr=0.05)
for i in range(3):
    x = torch.linspace(-1, 1, 6).reshape(2, 3) + i
    opt.zero_grad()
    loss = model(x).pow(2).mean()
    loss.backward()
    opt.step()
    ema.update(model.parameters())
    print(round(loss.item(), 2))
ema.store(model.parameters())
ema.copy_to(model.parameters())
print(model[0].weight.tolist())
ema.restore(model.parameters())
print(model[0].weight.tolist())
