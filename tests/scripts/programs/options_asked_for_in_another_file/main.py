# also: nnx, linen
"""Options of groups of parameters that another file asks for, where this one asks for none of them."""

import torch
from helpers import describe, make

x = torch.linspace(-1, 1.7, 24).reshape(8, 3)
y = torch.tensor([0, 1, 1, 0, 1, 0, 0, 1])


def update(model, optimizer):
    loss = torch.nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return round(loss.item(), 5)


model = make()
optimizer = torch.optim.Adam(model.parameters(), lr=0.05, betas=(0.8, 0.9))
describe(optimizer)
for _ in range(3):
    print(len(optimizer.param_groups[0]["params"]), update(model, optimizer))
model = make(5)
groups = [{"params": model[0].parameters(), "eps": 1e-3}, {"params": model[2].parameters(), "lr": 0.1}]
optimizer = torch.optim.AdamW(groups, lr=0.05)
describe(optimizer)
for _ in range(3):
    print(update(model, optimizer))
    for group in optimizer.param_groups:
        group["lr"] *= 0.5
describe(optimizer)
