# also: nnx, linen
"""A helper that looks at the groups of optimizers of which only one was given any; what they keep is saved."""

import io
import torch
import torch.nn as nn
import torch.nn.functional as F

x = torch.linspace(-1, 1.7, 24).reshape(8, 3)
y = torch.tensor([0, 1, 1, 0, 1, 0, 0, 1])


def make():
    model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
    model.load_state_dict(
        {k: torch.linspace(-0.5, 0.6, v.numel()).reshape(v.shape) for k, v in model.state_dict().items()}
    )
    return model


def update(model, optimizer):
    for group in optimizer.param_groups:
        if "lr_scale" in group:
            group["lr"] = 0.5 * group["lr_scale"]
        else:
            group["lr"] *= 0.9
    optimizer.zero_grad()
    loss = F.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
    return loss.item()


model = make()
optimizer = torch.optim.Adam(model.parameters(), lr=0.4)
for i in range(3):
    print(update(model, optimizer))
f = io.BytesIO()
torch.save({"m": model.state_dict(), "o": optimizer.state_dict()}, f)
f.seek(0)
saved = torch.load(f)
model = make()
optimizer = torch.optim.Adam(model.parameters(), lr=0.4)
model.load_state_dict(saved["m"])
optimizer.load_state_dict(saved["o"])
for i in range(3):
    print(update(model, optimizer), optimizer.param_groups[0]["lr"])
other = make()
groups = [{"params": other[0].parameters(), "lr_scale": 0.1}, {"params": other[2].parameters()}]
opt2 = torch.optim.Adam(groups, lr=0.4)
for i in range(3):
    print(update(other, opt2))
