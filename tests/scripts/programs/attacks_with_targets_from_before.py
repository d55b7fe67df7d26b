# also: nnx, linen
"""Attacks whose pictures start their gradients anew in each round: what was computed from them before, such as targets, has no part in these."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(6, 8)
        self.fc2 = nn.Linear(8, 3)

    def forward(self, x):
        return self.fc2(torch.tanh(self.fc1(x)))


class BIM:
    def __init__(self, model, eps=0.1, alpha=0.03, steps=3, targeted=False, chosen=None):
        self.chosen = chosen
        self.model, self.eps, self.alpha, self.steps, self.targeted = model, eps, alpha, steps, targeted

    def get_target_label(self, images, labels):
        if self.chosen is not None:
            return self.chosen(images, labels)
        return (labels + self.model(images).argmax(1)) % 3

    def forward(self, images, labels):
        images = images.clone().detach()
        labels = labels.clone().detach()
        if self.targeted:
            target_labels = self.get_target_label(images, labels)
        weight = images.abs().mean(1)
        ori_images = images.clone().detach()
        for _ in range(self.steps):
            images.requires_grad = True
            outputs = self.model(images)
            if self.targeted:
                cost = -(F.cross_entropy(outputs, target_labels, reduction="none") * weight).sum()
            else:
                cost = (F.cross_entropy(outputs, labels, reduction="none") * weight).sum()
            grad = torch.autograd.grad(cost, images, retain_graph=False, create_graph=False)[0]
            adv_images = images + self.alpha * grad.sign() + 0.01 * grad
            a = torch.clamp(ori_images - self.eps, min=0)
            b = (adv_images >= a).float() * adv_images + (adv_images < a).float() * a
            images = torch.clamp(b, max=1).detach()
        return images


def nearest(model, images, steps):
    """The picture of which the second name speaks is another one when the gradient is taken."""
    image = images.clone().detach()
    for _ in range(steps):
        before = image
        image = 0.5 * image.detach() + 0.5 * images
        image.requires_grad = True
        cost = (model(image) * model(before)).sum()
        grad = torch.autograd.grad(cost, image)[0]
        image = (image + 0.1 * grad).detach()
    return image


net = Net()
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.copy_(torch.sin(torch.arange(p.numel()).float() * 1.3 + i).view(p.shape) * 0.5)
x = torch.sin(torch.arange(24.0) * 0.7).view(4, 6).abs()
y = torch.tensor([0, 1, 2, 1])
print(BIM(net).forward(x, y).flatten().tolist())
print(BIM(net, targeted=True).forward(x, y).flatten().tolist())
print(BIM(net, targeted=True, chosen=lambda images, labels: (labels + 1) % 3).forward(x, y).flatten().tolist())
print(nearest(net, x, 3).flatten().tolist())
