# also: nnx
"""States of optimizers of models of which a part is frozen, or not reached in some steps."""

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(3, 4)
        self.second = nn.Linear(4, 4)
        self.third = nn.Linear(4, 1)

    def forward(self, x, deep):
        x = torch.tanh(self.first(x))
        if deep:
            x = torch.tanh(self.second(x))
        return self.third(x)


x = torch.linspace(-1, 1.7, 24).reshape(8, 3)
y = x.sum(1, keepdim=True)


def make():
    model = Net()
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.linspace(-0.5, 0.6, p.numel()).reshape(p.shape))
    for p in model.first.parameters():
        p.requires_grad = False
    return model


model = make()
optimizer = torch.optim.AdamW(model.parameters(), lr=0.05, weight_decay=0.1)
for i in range(5):
    loss = (model(x, i % 2 == 1) - y).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(loss.item())
saved = optimizer.state_dict()
print([(n, entry["step"].item()) for n, entry in sorted(saved["state"].items())])
print(saved["param_groups"][0]["params"])
other = make()
other.load_state_dict(model.state_dict())
again = torch.optim.AdamW(filter(lambda p: p.requires_grad, other.parameters()), lr=0.05)
print([len(group["params"]) for group in again.param_groups])
best = torch.optim.AdamW(other.parameters(), lr=0.5)
best.load_state_dict(saved)
for i in range(4):
    loss = (other(x, i % 2 == 0) - y).pow(2).mean()
    best.zero_grad()
    loss.backward()
    best.step()
    print(loss.item())
print([(n, entry["step"].item()) for n, entry in sorted(best.state_dict()["state"].items())])
