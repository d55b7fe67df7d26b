# also: nnx, linen
"""Attacks as functions that set `requires_grad` of what they are given, and read its gradient: all that is passed is new."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 2, 3)
        self.fc = nn.Linear(2 * 4, 3)

    def forward(self, x):
        return self.fc(torch.flatten(F.max_pool2d(F.relu(self.conv(x)), 2), 1))


def fgsm_attack(model, loss, images, labels, eps):
    images = images.to(device)
    labels = labels.to(device)
    images.requires_grad = True
    outputs = model(images)
    model.zero_grad()
    cost = loss(outputs, labels).to(device)
    cost.backward()
    attack_images = images + eps * images.grad.sign()
    return torch.clamp(attack_images, 0, 1)


def pgd_attack(model, images, labels, eps=0.3, alpha=2 / 255, iters=3):
    loss = nn.CrossEntropyLoss()
    ori_images = images.data
    for i in range(iters):
        images.requires_grad = True
        outputs = model(images)
        model.zero_grad()
        cost = loss(outputs, labels)
        cost.backward()
        adv_images = images + alpha * images.grad.sign()
        eta = torch.clamp(adv_images - ori_images, min=-eps, max=eps)
        images = torch.clamp(ori_images + eta, min=0, max=1).detach_()
    return images


def basic_iterative(model, images, labels, eps=0.1, alpha=0.03, iters=3):
    loss = nn.CrossEntropyLoss()
    for i in range(iters):
        images.requires_grad = True
        outputs = model(images)
        model.zero_grad()
        cost = loss(outputs, labels)
        cost.backward()
        attack_images = images + alpha * images.grad.sign()
        a = torch.clamp(images - eps, min=0)
        b = (attack_images >= a).float() * attack_images + (a > attack_images).float() * a
        c = (b > images + eps).float() * (images + eps) + (images + eps >= b).float() * b
        images = torch.clamp(c, max=255).detach_()
    return images


def momentum_attack(model, image, label, eps=0.1, steps=3, decay=1.0):
    adv, momentum = image, torch.zeros_like(image)
    for _ in range(steps):
        adv.requires_grad_()
        loss = F.cross_entropy(model(adv), label)
        loss.backward()
        grad = adv.grad / torch.mean(torch.abs(adv.grad), dim=(1, 2, 3), keepdim=True)
        momentum = decay * momentum + grad
        adv = torch.clamp(adv.detach() + eps / steps * momentum.sign(), 0, 1)
    return adv


def perturbed(model, batch, eps):
    images, labels = batch
    return fgsm_attack(model, nn.CrossEntropyLoss(), images, labels, eps)


def accuracy(model, loader, attack):
    correct = 0
    for i, (images, labels) in enumerate(loader):
        images, labels = images.to(device), labels.to(device)
        adv = attack(model, images, labels)
        correct += (model(adv).max(1)[1] == labels).sum().item()
        print(i, adv.sum().item())
    return correct


net = Net().to(device)
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.copy_(torch.sin(torch.arange(p.numel()).float() + i).view(p.shape) * 0.5)
X = torch.sin(torch.arange(144.0)).view(4, 1, 6, 6).abs()
Y = torch.tensor([0, 1, 2, 1])
loader = DataLoader(TensorDataset(X, Y), batch_size=2)

loss = nn.CrossEntropyLoss()
for images, labels in loader:
    images = fgsm_attack(net, loss, images, labels, 0.1).to(device)
    outputs = net(images)
    print(images.sum().item(), outputs.sum().item())
print(pgd_attack(net, X.clone(), Y).sum().item())
for batch in loader:
    print(perturbed(net, batch, 0.05).sum().item())
print(accuracy(net, loader, pgd_attack), accuracy(net, loader, basic_iterative), accuracy(net, loader, momentum_attack))

optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(2):
    for images, labels in loader:
        adv = pgd_attack(net, images, labels, eps=0.1)
        optimizer.zero_grad()
        cost = loss(net(adv), labels)
        cost.backward()
        optimizer.step()
        print(epoch, cost.item())
