# also: nnx, linen
"""A model that is wrapped in one of several branches, and trained and clipped under both names."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(4, 5)
        self.b = nn.Linear(5, 2)

    def forward(self, x):
        return self.b(torch.tanh(self.a(x)))

    def half(self, x):
        return self.a(x)


def fill(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.linspace(-0.5, 0.6, p.numel()).view(p.shape) * (1 + i / 3))


x = torch.linspace(-1, 1, 24).view(6, 4)
y = torch.stack([x.sum(1), x[:, 0] * x[:, 1]], 1)
cuda, single = torch.cuda.is_available(), True
model = Net()
fill(model)
if cuda:
    if single:
        parallel_model = model.cuda()
    else:
        parallel_model = nn.DataParallel(model, dim=1).cuda()
else:
    parallel_model = model
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def evaluate():
    model.eval()
    return parallel_model(x).sum().item()


def train():
    for i in range(3):
        model.train()
        optimizer.zero_grad()
        loss = F.mse_loss(parallel_model(x), y)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 0.5)
        optimizer.step()
        print(loss.item(), model.half(x).sum().item())


train()
print(evaluate())
