# also: nnx
"""Functions that take gradients and leave them to their callers, that use what others have taken, and that look at it."""

import torch
import torch.nn as nn
import torch.nn.functional as F


def fill(m):
    with torch.no_grad():
        for k, p in enumerate(m.parameters()):
            p.copy_((torch.arange(p.numel(), dtype=torch.float32) * 0.7 + k).sin().view_as(p) * 0.4)
    return m


def make():
    net = fill(nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 3)))
    return net, torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)


batches = [((torch.arange(24.0) * (0.3 + 0.1 * i)).cos().view(6, 4), (torch.arange(6) + i) % 3) for i in range(4)]


def forward_pass(model, x, y):
    out = model(x)
    loss = F.cross_entropy(out, y)
    loss.backward()
    return loss.item(), (out.argmax(1) == y).float().mean().item()


def grad_norm(model):
    total = 0.0
    for p in model.parameters():
        if p.grad is not None:
            total += p.grad.data.norm(2).item() ** 2
    return total**0.5


def log_gradients(model):
    return {name: p.grad.abs().max().item() for name, p in model.named_parameters() if p.grad is not None}


def backward_pass(loss, optimizer, retain=False):
    optimizer.zero_grad()
    loss.backward(retain_graph=retain)


def update(model, optimizer, clip):
    norm = nn.utils.clip_grad_norm_(model.parameters(), clip)
    optimizer.step()
    return norm


def train_and_look(model, optimizer):
    for i, (x, y) in enumerate(batches):
        optimizer.zero_grad()
        loss, accuracy = forward_pass(model, x, y)
        if i % 2 == 0:
            largest = log_gradients(model)
            print(" ".join(f"{k} {v:.4f}" for k, v in largest.items()))
        norm = grad_norm(model)
        optimizer.step()
        print(f"{loss:.4f} {accuracy:.3f} {norm:.4f}")


def train_by_helpers(model, optimizer):
    for x, y in batches:
        loss = F.cross_entropy(model(x), y)
        backward_pass(loss, optimizer)
        norm = update(model, optimizer, 0.2)
        print(f"{loss.item():.4f} {norm.item():.4f}")


def train_with_a_limit(model, optimizer):
    for x, y in batches:
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        limit = 0.1
        nn.utils.clip_grad_norm_(model.parameters(), limit)
        optimizer.step()
        print(f"{loss.item():.4f} {limit}")


for train in (0, 1, 2):
    net, opt = make()
    if train == 0:
        train_and_look(net, opt)
    elif train == 1:
        train_by_helpers(net, opt)
    else:
        train_with_a_limit(net, opt)
    print(f"{net[0].weight.sum().item():.4f}")


class Trainer:
    def __init__(self):
        self.model, self.optimizer = make()

    def norms(self):
        return [p.grad.norm().item() for p in self.model.parameters() if p.grad is not None]

    def step(self, x, y):
        self.optimizer.zero_grad()
        loss = F.cross_entropy(self.model(x), y)
        loss.backward()
        norms = self.norms()
        self.optimizer.step()
        return loss.item(), norms


trainer = Trainer()
for x, y in batches:
    loss, norms = trainer.step(x, y)
    print(f"{loss:.4f}", *[f"{value:.4f}" for value in norms])
