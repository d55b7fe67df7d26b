"""Tensors that have a gradient when another backward pass adds to it: through other names, lists, arguments and results."""

import torch
import torch.nn.functional as F

x = torch.ones(3, requires_grad=True)
y = torch.zeros(3)
loss = (x * 2).sum()
loss.backward()
print(x.grad.sum().item())
z, w = x, y
loss = (z * 3).sum()
loss.backward()
print(z.grad.sum().item())  # T2J503

batches = [(torch.ones(3), torch.zeros(3)), (torch.ones(2), torch.zeros(2))]


def run(eps):
    for a, b in batches:
        a.requires_grad = True
        loss = (a * 2 * eps).sum()
        loss.backward()  # T2J500
        print(a.grad.sum().item())  # T2J503


run(0.5)
run(1.0)
kept = torch.ones(3, requires_grad=True)


def of_file(k):
    loss = (kept * k).sum()
    loss.backward()  # T2J500
    return kept.grad.clone()  # T2J503


print(of_file(1.0), of_file(2.0))


def given(v, k):
    loss = (v * k).sum()
    loss.backward()  # T2J500
    return v.grad.clone()  # T2J503


v = torch.ones(3, requires_grad=True)
print(given(v, 1.0))
print(given(v, 2.0))


def attack(model, images, labels, eps):
    images.requires_grad = True
    loss = F.cross_entropy(model(images), labels)
    model.zero_grad()  # T2J500
    loss.backward()  # T2J500
    return images + eps * images.grad.sign()  # T2J503


model = torch.nn.Linear(3, 2)
pictures = torch.ones(4, 3)
for eps in (0.1, 0.2):
    print(attack(model, pictures, torch.tensor([0, 1, 0, 1]), eps))


def walk(model, x, n=3):
    kept = []
    x = x.clone().requires_grad_()
    for _ in range(n):
        loss = model(x).sum()
        loss.backward()
        kept.append(x.grad)
        x.grad.clamp_(-0.1, 0.1)  # T2J301
        x.data.add_(-0.5 * x.grad)
        x.grad = None
    return kept


def scaled(model, x, n=3):
    x = x.clone().requires_grad_()
    for _ in range(n):
        loss = model(x).sum()
        loss.backward()  # T2J500
        x.grad.mul_(0.5)  # T2J503
        x.data.add_(-0.5 * x.grad)  # T2J503
    return x.detach()


print(walk(model, pictures), scaled(model, pictures))


def attack_again(model, images, eps):
    images.requires_grad = True
    loss = model(images).pow(2).sum()
    loss.backward()  # T2J500
    return images + eps * images.grad  # T2J503


others = torch.ones(4, 3)
print([attack_again(model, others, eps) for eps in (0.1, 0.2)])
