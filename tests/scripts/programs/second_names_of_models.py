# also: nnx, linen
"""Models with second names that several lines give, or a choice between the model and itself, as programs do that may wrap it."""

import contextlib

import torch
import torch.nn as nn

x = torch.arange(12.0).view(3, 4) / 12


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)
        self.drop = nn.Dropout(0.5)
        with torch.no_grad():
            for p in self.parameters():
                p.copy_(torch.sin(torch.arange(p.numel()).float()).view(p.shape))

    def forward(self, x):
        return self.drop(self.fc(x))


def train(model, optimizer):
    loss = (model(x) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def in_a_branch(flag):
    model = Net().eval()
    bare = model
    if flag:
        bare = model.to("cpu")
    optimizer = torch.optim.SGD(bare.parameters(), lr=0.1)
    return train(model, optimizer), bare(x).sum().item()


def in_both_branches(flag):
    model = None
    with contextlib.nullcontext():
        model = Net()
        if flag:
            bare = model.eval()
        else:
            bare = model
            bare.eval()
    optimizer = torch.optim.SGD(bare.parameters(), lr=0.1)
    return train(model, optimizer), bare(x).sum().item()


def chosen(flag):
    model = Net().eval()
    bare = model if flag else model  # noqa: RUF034 (what is left of `model.module if flag else model`)

    def look():
        return bare(x).sum().item()

    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    return train(model, optimizer), look()


def in_a_loop(flag):
    model = Net().eval()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    losses = []
    for i in range(4):
        losses.append(train(model, optimizer))
        if i < 2:
            best = model
    print([f"{loss:.4f}" for loss in losses])
    return best(x).sum().item(), model(x).sum().item()


def for_each_seed(flag):
    for seed in range(2):
        model = Net().eval()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1 * (seed + 1))
        train(model, optimizer)
    bare = model
    return train(bare, optimizer), model(x).sum().item()


for flag in (True, False):
    for function in (in_a_branch, in_both_branches, chosen, in_a_loop, for_each_seed):
        print([f"{number:.4f}" for number in function(flag)])
