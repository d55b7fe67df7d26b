# also: nnx
"""An average of a model whose entries are written by the names that an object keeps, beside other fields of it."""

from copy import deepcopy

import torch
from torch import nn


class ModelEMA(object):
    def __init__(self, model, decay):
        self.ema = deepcopy(model)
        self.ema.eval()
        self.decay = decay
        self.ema_has_module = hasattr(self.ema, "module")
        self.param_keys = [k for k, _ in self.ema.named_parameters()]
        self.buffer_keys = [k for k, _ in self.ema.named_buffers()]
        for p in self.ema.parameters():
            p.requires_grad_(False)

    def update(self, model):
        needs_module = hasattr(model, "module") and not self.ema_has_module
        with torch.no_grad():
            msd = model.state_dict()
            esd = self.ema.state_dict()
            for k in self.param_keys:
                if needs_module:
                    j = "module." + k
                else:
                    j = k
                model_v = msd[j].detach()
                ema_v = esd[k]
                esd[k].copy_(ema_v * self.decay + (1.0 - self.decay) * model_v)

            for k in self.buffer_keys:
                if needs_module:
                    j = "module." + k
                else:
                    j = k
                esd[k].copy_(msd[j])


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        self.bn = nn.BatchNorm1d(3)
        self.out = nn.Linear(3, 1)

    def forward(self, x):
        return self.out(torch.relu(self.bn(self.fc(x))))


net = Net()
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32).reshape(p.shape) * 0.7 + i))
ema = ModelEMA(net, 0.9)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.arange(12.0).reshape(4, 3) / 12
for _ in range(3):
    loss = net(x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    ema.update(net)
    print(loss.item(), ema.ema(x).sum().item())
