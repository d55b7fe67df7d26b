import torch
import torch.nn as nn


def fgsm(model, images, labels, eps):
    images.requires_grad = True
    loss = nn.CrossEntropyLoss()(model(images), labels)
    model.zero_grad()
    loss.backward()
    return torch.clamp(images + eps * images.grad.sign(), 0, 1)


class PGD:
    def __init__(self, model, eps=0.1, alpha=0.03, steps=3):
        self.model, self.eps, self.alpha, self.steps = model, eps, alpha, steps

    def attack(self, x, y):
        original = x.data
        for _ in range(self.steps):
            x.requires_grad = True
            cost = nn.functional.cross_entropy(self.model(x), y)
            self.model.zero_grad()
            cost.backward()
            moved = x + self.alpha * x.grad.sign()
            x = (original + torch.clamp(moved - original, -self.eps, self.eps)).detach_()
        return x
