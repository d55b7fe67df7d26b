# also: nnx, linen
"""States of optimizers as torch has them: each entry by the number of its parameter, groups with all their options."""

import torch
import torch.nn as nn
import torch.nn.functional as F

x = torch.linspace(-1, 1.7, 24).reshape(8, 3)
y = torch.tensor([0, 1, 1, 0, 1, 0, 0, 1])


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(1))
        self.first = nn.Linear(3, 4)
        self.second = nn.Linear(4, 2)

    def forward(self, x):
        return self.second(torch.tanh(self.first(x))) * self.scale


def make():
    model = Net()
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.linspace(-0.5, 0.6, p.numel()).reshape(p.shape) if p.numel() > 1 else p)
    return model


def train(model, optimizer, steps):
    for _ in range(steps):
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(loss.item())


def show(state):
    for number, entry in state["state"].items():
        for name in sorted(entry):
            print(number, name, tuple(entry[name].shape), round(entry[name].abs().sum().item(), 4))
    for group in state["param_groups"]:
        print(len(group["params"]), group["params"][0], group["lr"], float(group.get("weight_decay", 0)))


def sgd(model):
    return torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)


def plain(model):
    return torch.optim.SGD(model.parameters(), lr=0.1)


def adam(model):
    return torch.optim.Adam(model.parameters(), lr=0.05, betas=(0.8, 0.9), amsgrad=True)


def adamw(model):
    decayed = [p for name, p in model.named_parameters() if name.endswith("weight")]
    others = [p for name, p in model.named_parameters() if not name.endswith("weight")]
    groups = [{"params": decayed, "weight_decay": 0.2}, {"params": others, "weight_decay": 0.0, "lr": 0.01}]
    return torch.optim.AdamW(groups, lr=0.05, betas=(0.9, 0.95))


def adamax(model):
    return torch.optim.Adamax(model.parameters(), lr=0.05)


def adadelta(model):
    return torch.optim.Adadelta(model.parameters(), lr=0.5, rho=0.8)


def adagrad(model):
    return torch.optim.Adagrad(model.parameters(), lr=0.1, lr_decay=0.1, initial_accumulator_value=0.2)


def nadam(model):
    return torch.optim.NAdam(model.parameters(), lr=0.05)


def radam(model):
    return torch.optim.RAdam(model.parameters(), lr=0.05, weight_decay=0.01)


def rmsprop(model):
    return torch.optim.RMSprop(model.parameters(), lr=0.01, momentum=0.5, centered=True)


def rprop(model):
    return torch.optim.Rprop(model.parameters(), lr=0.02)


def asgd(model):
    return torch.optim.ASGD(model.parameters(), lr=0.1, lambd=0.01)


for maker in (sgd, plain, adam, adamw, adamax, adadelta, adagrad, nadam, radam, rmsprop, rprop, asgd):
    print(maker.__name__)
    model = make()
    optimizer = maker(model)
    print(len(optimizer.state_dict()["state"]))
    train(model, optimizer, 3)
    saved = optimizer.state_dict()
    show(saved)
    torch.save({"model": model.state_dict(), "optimizer": saved}, maker.__name__ + ".pt")
    other = make()
    again = maker(other)
    file = torch.load(maker.__name__ + ".pt")
    other.load_state_dict(file["model"])
    again.load_state_dict(file["optimizer"])
    train(other, again, 3)
    show(again.state_dict())
