"""Functions whose parameters, variables and closures are called as the translation would call what it threads."""

import torch
import torch.nn as nn
import torch.nn.functional as F

params = {"lr": 0.1}
steps = 0


def train(model, loader, opt, state, key=None):
    global opt_state
    grads, updates = [], 0
    for x, y in loader:
        opt.zero_grad()
        loss = F.mse_loss(model(x), y)
        loss.backward()
        opt.step()
        updates += 1
        opt_state = updates * 2
        grads.append(loss.item())
        state["n"] += 1
    return grads, updates, key


@torch.no_grad()
def evaluate(model, x, state, key="mean"):
    model.eval()
    return {key: model(x).mean().item(), "state": state, "params": sum(p.numel() for p in model.parameters())}


def count(n):
    state = {"calls": 0}

    def call(x):
        state["calls"] += 1
        return (norm(x) + n).sum().item()

    return call(torch.ones(4, 2)), call(torch.eye(2)), state


def made(key, state):
    layer = nn.BatchNorm1d(key)
    return layer(torch.ones(4, key)).shape[1], state, nn.Linear(key, 2).weight.shape[1]


def rows():
    layer = nn.Sequential(nn.BatchNorm1d(2))
    layer(x)
    return layer[0].running_mean, layer(x)


def seeded(key):
    torch.manual_seed(key)
    return key


def initialized(model):
    for key, p in model.named_parameters():
        if "weight" in key:
            nn.init.uniform_(p, 1.0, 1.0 + 1e-9)
        else:
            nn.init.zeros_(p)


norm = nn.BatchNorm1d(2)
x = torch.arange(8.0).view(4, 2) / 8
net = nn.Linear(2, 2)
initialized(net)
print([[round(w, 4) for w in row] for row in net.weight.tolist()])
first = nn.Linear(2, 2)
with torch.no_grad():
    first.weight.copy_(torch.tensor([[0.3, -0.2], [0.1, 0.4]]))
    first.bias.zero_()
model = nn.Sequential(first, nn.BatchNorm1d(2), nn.Dropout(0.0))
opt = torch.optim.SGD(model.parameters(), lr=params["lr"], momentum=0.9)
state = {"n": 0}
print(train(model, [(x, x * x), (x + 1, x)], opt, state, key=3), state, opt_state)
print(train(model, [(x, x * x)], opt, state=state, key="z"), state, opt_state)
print(evaluate(model, x, "s"), evaluate(model=model, x=x, state="t", key="k"))
print(count(1), norm.running_mean.tolist(), made(3, state=7), made(key=2, state=5))
a, b = rows()
seeded(3)
print(a.tolist(), b.tolist(), sorted([(1, 2), (0, 3)], key=lambda state: state[0]))
