# also: nnx, linen
"""Models and optimizers that functions bind by `global` behind a seed, trained by objects and read by the file itself."""

import os
import tempfile

import torch
from torch import nn

SAVED = os.path.join(tempfile.mkdtemp(), "weights.pth")


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)
        self.bn = nn.BatchNorm1d(2)

    def forward(self, x):
        return self.bn(self.fc(x))


class Trainer:
    def __init__(self, steps):
        self.steps = steps

    def run(self, x, y):
        global best, losses
        best = None
        losses = []
        for i in range(self.steps):
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(x), y)
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
            if best is None or loss.item() < best:
                best = loss.item()
        return losses[-1]


def init(seed):
    global model, optimizer
    torch.manual_seed(seed)
    model = Net()
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.cos(torch.arange(float(p.numel())) + seed).reshape(p.shape))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def reset():
    def inner():
        global model
        model = Net()
        with torch.no_grad():
            for p in model.parameters():
                p.fill_(0.25)

    inner()


init(1)
x = torch.sin(torch.arange(12.0)).reshape(4, 3)
y = torch.ones(4, 2)
print(Trainer(3).run(x, y), best, losses)
print(model.fc.weight.sum().item(), model(x).sum().item())
model.eval()
print(model(x).sum().item())
print(model.bn.running_mean.tolist())
torch.save(model.state_dict(), SAVED)
reset()
print(model(x).sum().item(), model.fc.weight.sum().item())
model.load_state_dict(torch.load(SAVED))
print(model.fc.weight.sum().item())
for p in model.parameters():
    p.data.mul_(0.5)
print(sum(p.sum().item() for p in model.parameters()))
