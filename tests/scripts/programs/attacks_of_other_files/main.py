# also: nnx, linen
"""Attacks of another file: tensors that are passed to them have no gradients, and what they leave is cleared."""

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

from attacks import PGD, fgsm

model = nn.Sequential(nn.Linear(4, 6), nn.Tanh(), nn.Linear(6, 3))
with torch.no_grad():
    for i, p in enumerate(model.parameters()):
        p.copy_(torch.linspace(-0.5, 0.6, p.numel()).reshape(p.shape) * (1 + 0.1 * i))
X = torch.sin(torch.arange(24.0)).view(6, 4).abs()
Y = torch.arange(6) % 3
loader = DataLoader(TensorDataset(X, Y), batch_size=3)


def evaluate(loader, eps):
    total = 0.0
    for batch in loader:
        images, labels = batch
        adv = fgsm(model, images.to("cpu"), labels, eps)
        total += adv.sum().item()
    return total


def train(loader, optimizer):
    for i, (images, labels) in enumerate(loader):
        adv = fgsm(model, images, labels, 0.1)
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(adv), labels)
        loss.backward()
        optimizer.step()
        print(loss.item())


print(evaluate(loader, 0.1), evaluate(loader, 0.2))
train(loader, torch.optim.SGD(model.parameters(), lr=0.1))
print(fgsm(model, X.clone(), Y, 0.1).sum().item())
pgd = PGD(model)
for images, labels in loader:
    print(pgd.attack(images, labels).sum().item())
