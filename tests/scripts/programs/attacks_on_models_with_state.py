# also: nnx, linen
"""Attacks on models whose BatchNorm counts, in the middle of training: in the loop, in functions, in one mode and in two."""

import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(6, 8)
        self.bn = nn.BatchNorm1d(8)
        self.fc2 = nn.Linear(8, 3)

    def forward(self, x):
        return self.fc2(torch.relu(self.bn(self.fc1(x))))


def fill(model):
    with torch.no_grad():
        for k, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) + k).view(p.shape) * 0.5)


def batches():
    for n in range(2):
        x = torch.cos(torch.arange(24.0) * (n + 1)).view(4, 6).abs()
        yield x, torch.tensor([0, 1, 2, n % 3])


def in_evaluation(model, optimizer):
    model.train()
    for x, y in batches():
        model.eval()
        adv = x.clone().detach()
        for _ in range(2):
            adv.requires_grad_(True)
            wrong = F.cross_entropy(model(adv), y)
            grad = torch.autograd.grad(wrong, adv)[0]
            adv = torch.clamp(adv.detach() + 0.05 * grad.sign(), 0, 1)
        model.train()
        loss = F.cross_entropy(model(adv), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print("evaluation", round(loss.item(), 4))


def in_training(model, optimizer):
    model.train()
    for x, y in batches():
        adv = x + 0.01
        for _ in range(2):
            adv.requires_grad_(True)
            out = model(adv)
            wrong = F.cross_entropy(out, y) + 0.1 * F.cross_entropy(model(adv + 0.1), y)
            grad = torch.autograd.grad(wrong, adv)[0]
            adv = torch.clamp(adv.detach() + 0.05 * grad.sign(), 0, 1)
        loss = F.cross_entropy(model(adv), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print("training", round(loss.item(), 4))


def with_one_gradient(model, optimizer):
    model.train()
    for x, y in batches():
        x.requires_grad = True
        F.cross_entropy(model(x), y).backward()
        adv = torch.clamp(x + 0.05 * x.grad.sign(), 0, 1).detach()
        loss = F.cross_entropy(model(adv), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print("one gradient", round(loss.item(), 4))


def attack(model, x, y, steps=2):
    was_training = model.training
    if was_training:
        model.eval()
    adv = x.clone().detach()
    for _ in range(steps):
        adv.requires_grad_(True)
        grad = torch.autograd.grad(F.cross_entropy(model(adv), y), adv)[0]
        adv = torch.clamp(adv.detach() + 0.05 * grad.sign(), 0, 1)
    if was_training:
        model.train()
    return adv


def with_function(model, optimizer):
    model.train()
    for x, y in batches():
        adv = attack(model, x, y)
        loss = F.cross_entropy(model(adv), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print("function", round(loss.item(), 4), model.training)


def evaluated_loss(model, x, y):
    model.eval()
    return F.cross_entropy(model(x + 0.1), y)


def in_two_modes(model, optimizer):
    model.train()
    for x, y in batches():
        loss = F.cross_entropy(model(x), y) + evaluated_loss(model, x, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print("two modes", round(loss.item(), 4), model.training)


def main():
    model = Net()
    fill(model)
    optimizer = optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    for train in (in_evaluation, in_training, with_one_gradient, with_function, in_two_modes):
        train(model, optimizer)
    print(round(model.bn.running_mean.sum().item(), 4), model.bn.num_batches_tracked.item())


if __name__ == "__main__":
    main()
