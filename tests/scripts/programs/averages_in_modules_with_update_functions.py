# also: nnx, linen
import copy
from copy import deepcopy
import torch
import torch.nn as nn
import torch.nn.functional as F



def fill(module, s=0.3):
    with torch.no_grad():
        for k, p in enumerate(module.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel()).float() * 0.7 + k).reshape(p.shape) * s)


def data(*shape, s=1.0):
    n = 1
    for d in shape:
        n *= d
    return torch.cos(torch.arange(n).float() * 1.7 * s).reshape(shape)


class ModelEmaV2(nn.Module):
    def __init__(self, model, decay=0.9999, device=None):
        super(ModelEmaV2, self).__init__()
        self.module = deepcopy(model)
        self.module.eval()
        self.decay = decay
        self.device = device
        if self.device is not None:
            self.module.to(device=device)

    def _update(self, model, update_fn):
        with torch.no_grad():
            for ema_v, model_v in zip(self.module.state_dict().values(), model.state_dict().values()):
                if self.device is not None:
                    model_v = model_v.to(device=self.device)
                ema_v.copy_(update_fn(ema_v, model_v))

    def update(self, model):
        self._update(model, update_fn=lambda e, m: self.decay * e + (1. - self.decay) * m)

    def set(self, model):
        self._update(model, update_fn=lambda e, m: m)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 6)
        self.bn = nn.BatchNorm1d(6)
        self.out = nn.Linear(6, 2)

    def forward(self, x):
        return self.out(torch.relu(self.bn(self.fc(x))))


model = Net()
fill(model)
ema = ModelEmaV2(model, decay=0.9)
opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
x, y = data(8, 4), torch.arange(8) % 2
for step in range(5):
    model.train()
    loss = F.cross_entropy(model(x * (step + 1)), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    ema.update(model)
    print("%.5f" % loss.item())
model.eval()
print("%.5f %.5f" % (F.cross_entropy(ema.module(x), y).item(), F.cross_entropy(model(x), y).item()))
