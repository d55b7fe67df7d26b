"""A script whose own variables are called as the translation would call what it threads: key, state, opt_state, updates."""

import torch
import torch.nn as nn
import torch.nn.functional as F

config = {"lr": 0.1, "width": 2}
key, width = next(iter(config)), config["width"]
state = {"phase": "warmup"}
opt_state, updates, loss_fn = "idle", 0, None


def describe(model, x):
    model(x)
    return f"{key} {state['phase']} {opt_state}"


def smooth(observation):
    state = observation * 2.0
    return state + norm(state)


first = nn.Linear(2, width)
with torch.no_grad():
    first.weight.copy_(torch.tensor([[0.3, -0.2], [0.1, 0.4]]))
    first.bias.zero_()
model = nn.Sequential(first, nn.BatchNorm1d(width), nn.Dropout(0.0))
norm = nn.BatchNorm1d(2)
optimizer = torch.optim.SGD(model.parameters(), lr=config["lr"], momentum=0.9)
x, y = torch.arange(8.0).view(4, 2) / 8, torch.tensor([0, 1, 1, 0])
losses = []
for epoch in range(4):
    if epoch == 2:
        opt_state, state["phase"] = "busy", "train"
    optimizer.zero_grad()
    loss = F.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
    updates += 1
    losses.append(loss.item())
for key, value in config.items():
    print(key, value)
print(describe(model, x), [key.upper() for key in state], updates, losses)
print(smooth(x).tolist(), norm.running_mean.tolist(), model[1].running_mean.tolist())
print({key: nn.Linear(2, 3).weight.shape[0] for key in ("a", "b")}, opt_state, state)
