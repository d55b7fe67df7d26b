# also: nnx
"""Forward hooks of models that are trained: statistics of steps, what losses read, what changes outputs, and hooks that come later."""

import torch
import torch.nn as nn
import torch.nn.functional as F


def fill(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_((torch.arange(p.numel()).reshape(p.shape) % 7 - 3) * 0.05 + 0.01 * i)
    return model


class CNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 4, 3, padding=1)
        self.conv2 = nn.Conv2d(4, 6, 3, padding=1)
        self.pool = nn.MaxPool2d(2)
        self.fc = nn.Linear(6 * 4 * 4, 3)

    def forward(self, x):
        x = F.relu(self.conv1(x))
        x = self.pool(F.relu(self.conv2(x)))
        return self.fc(x.flatten(1))


x = (torch.arange(128.0).reshape(2, 1, 8, 8) % 11) / 8 - 0.6


def train(model, steps):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(steps):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), torch.tensor([0, 2]))
        loss.backward()
        optimizer.step()
        print(loss.item())


def keep(name, kept):
    def hook(module, inputs, output):
        kept[name] = output.detach()

    return hook


# statistics of each step, until the hook is removed
model, stats = fill(CNN()), {"mean": [], "std": []}


def record(module, inputs, output):
    stats["mean"].append(output.mean().item())
    stats["std"].append(output.std().item())


handle = model.conv2.register_forward_hook(record)
train(model, 2)
handle.remove()
train(model, 1)
print(stats["mean"], stats["std"])

# what comes out is what the hook gives, while it is there
halved, means = fill(CNN()), []
handle = halved.conv2.register_forward_hook(lambda m, i, o: o * 0.5)
halved.fc.register_forward_pre_hook(lambda m, i: means.append(i[0].mean().item()))
optimizer = torch.optim.SGD(halved.parameters(), lr=0.1)
for step in range(3):
    optimizer.zero_grad()
    loss = F.cross_entropy(halved(x), torch.tensor([0, 2]))
    loss.backward()
    optimizer.step()
    if step == 1:
        handle.remove()
    print(loss.item())
print(means)

# a trained model is looked at
model.eval()
kept = {}
model.conv1.register_forward_hook(keep("conv1", kept))
model.pool.register_forward_hook(keep("pool", kept))
with torch.no_grad():
    model(x)
for name, output in kept.items():
    print(name, tuple(output.shape), output.sum().item())
