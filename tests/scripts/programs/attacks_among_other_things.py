# also: nnx, linen
"""Gradients of pictures, in functions that leave between the forward pass and `backward()`, note things there, or train as well."""

import torch
import torch.nn as nn
import torch.nn.functional as F

model = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 2))
with torch.no_grad():
    for p in model.parameters():
        p.copy_(torch.linspace(-0.5, 0.7, p.numel()).view_as(p))
X = torch.linspace(-1, 1, 12).view(4, 3)
Y = torch.tensor([0, 1, 0, 1])


def attack(image, epsilon, gradient):
    return torch.clamp(image + epsilon * gradient.sign(), 0, 1)


def evaluate(model, epsilon):
    correct, guesses = 0, []
    for data, target in zip(X.split(1), Y.split(1)):
        data.requires_grad = True
        output = model(data)
        guess = output.max(1, keepdim=True)[1]
        if guess.item() != target.item():
            continue
        guesses.append(guess.item())
        loss = F.nll_loss(F.log_softmax(output, dim=1), target)
        print(round(loss.item(), 4))
        model.zero_grad()
        loss.backward()
        perturbed = attack(data, epsilon, data.grad.data)
        output = model(perturbed)
        if output.max(1, keepdim=True)[1].item() == target.item():
            correct += 1
        print([round(v, 4) for v in perturbed.flatten().tolist()])
    return correct, guesses


def train(model, optimizer, rounds):
    for step in range(rounds):
        data = X.clone()
        data.requires_grad = True
        loss = F.cross_entropy(model(data), Y)
        model.zero_grad()
        loss.backward()
        perturbed = attack(data, 0.1, data.grad.data)
        optimizer.zero_grad()
        other = F.cross_entropy(model(perturbed), Y)
        other.backward()
        optimizer.step()
        print(round(loss.item(), 4), round(other.item(), 4))


print(evaluate(model, 0.1), evaluate(model, 0.5))
train(model, torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9), 3)
print(evaluate(model, 0.1))

lens = nn.Linear(3, 2)
with torch.no_grad():
    for p in lens.parameters():
        p.copy_(torch.linspace(-0.5, 0.7, p.numel()).view_as(p))
for p in lens.parameters():
    p.requires_grad_(False)
picture = torch.linspace(0, 1, 12).view(4, 3).requires_grad_()
artist = torch.optim.Adam([picture], lr=0.05)
for step in range(3):
    artist.zero_grad()
    loss = F.mse_loss(lens(picture), lens(X))
    loss.backward()
    artist.step()
    print(round(loss.item(), 4), round(picture.sum().item(), 4))
