# also: nnx, linen
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


def filled(model):
    rng = np.random.RandomState(0)
    for p in model.parameters():
        p.data = torch.from_numpy(rng.randn(*p.shape).astype(np.float32) * 0.5)
    return model


rng = np.random.RandomState(1)
x = torch.from_numpy(rng.randn(8, 4).astype(np.float32))
y = torch.from_numpy(rng.randint(0, 3, 8))
limit = 0.2


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(4, 5)
        self.unused = nn.Linear(2, 2)
        self.b = nn.Linear(5, 3)

    def forward(self, x):
        return self.b(torch.tanh(self.a(x)))


# each by itself, through a variable, and into itself
model = filled(Net())
optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
for step in range(3):
    optimizer.zero_grad()
    loss = F.cross_entropy(model(x), y)
    loss.backward()
    for p in model.parameters():
        if p.grad is not None:
            torch.nan_to_num(p.grad, nan=0, posinf=1e5, neginf=-1e5, out=p.grad)
    for p in model.parameters():
        nn.utils.clip_grad_norm_(p, limit)
    for name, p in model.named_parameters():
        g = p.grad
        if g is not None and "weight" in name:
            g.mul_(0.5)
            g.add_(p.data, alpha=0.1)
    for p in model.parameters():
        if p.grad is not None:
            torch.nn.utils.clip_grad_value_([p], clip_value=0.15)
    optimizer.step()
    print(round(loss.item(), 5))
print([round(p.sum().item(), 5) for p in model.parameters()])


# in functions that give something back, called where it is asked for
def limited(named_parameters, most):
    norms = {}
    for name, p in named_parameters:
        norm = p.grad.data.norm(2).item()
        norms[name] = norm
        if norm > most:
            p.grad.data.mul_(most / (norm + 1e-6))
    return norms


def shifted(module, by=0.01):
    for p in module.parameters():
        p.grad += torch.full_like(p.grad, by)


def total_norm(parameters, most=None):
    parameters = [p for p in parameters if p.grad is not None]
    total = 0.0
    for p in parameters:
        total += p.grad.norm().item() ** 2
        if most is not None:
            p.grad.clamp_(-most, most)
    return total**0.5


net = filled(nn.Sequential(nn.Linear(4, 5), nn.Tanh(), nn.Linear(5, 3)))
opt = torch.optim.Adam(net.parameters(), lr=0.05)
for step in range(3):
    opt.zero_grad()
    loss = F.cross_entropy(net(x), y)
    loss.backward()
    for name, norm in limited(net.named_parameters(), 0.1).items():
        print(name, round(norm, 5))
    shifted(net)
    if total_norm(net.parameters()) > 0.1:
        print("large", round(total_norm(net.parameters(), 0.05), 5))
    opt.step()
print([round(p.sum().item(), 5) for p in net.parameters()])
