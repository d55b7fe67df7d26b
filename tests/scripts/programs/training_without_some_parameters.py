# also: nnx, linen
"""Parameters that are not trained: of a part, by their names, of a module that says so itself, and trained again later."""

import torch
from torch import nn


def fill(model):
    with torch.no_grad():
        for number, p in enumerate(model.parameters()):
            p.copy_(torch.linspace(-0.5, 0.4 + 0.1 * number, p.numel()).reshape(p.shape))


class Net(nn.Module):
    def __init__(self, n, frozen=False):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n, 8), nn.BatchNorm1d(8), nn.ReLU())
        self.middle = nn.Linear(8, 8)
        if frozen:
            for p in self.body.parameters():
                p.requires_grad = False
            self.middle.bias.requires_grad = False
        self.head = nn.Linear(8, 2)

    def forward(self, x):
        return self.head(torch.tanh(self.middle(self.body(x))))

    def freeze_middle(self):
        for p in self.middle.parameters():
            p.requires_grad = False


x = torch.linspace(-1, 1, 24).reshape(6, 4)
y = torch.tensor([0, 1, 0, 1, 1, 0])


def train(model, steps):
    optimizer = torch.optim.Adam(filter(lambda p: p.requires_grad, model.parameters()), lr=0.05, weight_decay=0.1)
    for _ in range(steps):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        print(loss.item())
    print([round(p.sum().item(), 4) for p in model.parameters()])
    print([name for name, p in model.named_parameters() if p.requires_grad])


first = Net(4)
fill(first)
for p in first.body.parameters():
    p.requires_grad = False
train(first, 3)

second = Net(4)
fill(second)
for name, p in second.named_parameters():
    p.requires_grad_(name.startswith("head") or "bias" in name)
train(second, 3)

third = Net(4, frozen=True)
fill(third)
third.freeze_middle()
train(third, 3)
third.requires_grad_(True)
train(third, 2)
print(sum(p.numel() for p in third.parameters() if p.requires_grad))
