"""Tensors that are trained and changed in place in front of their loss (clamped, normalized): no gradient goes through that."""

import torch

target = torch.cos(torch.arange(16, dtype=torch.float32)).reshape(4, 4)
start = torch.sin(torch.arange(16, dtype=torch.float32)).reshape(4, 4) * 1.5


def loss_of(image):
    return ((image - target) ** 2).sum() + 0.1 * (image**4).sum()


image = start.clone().requires_grad_(True)
for i in range(4):
    with torch.no_grad():
        image.clamp_(0, 1)
    loss = loss_of(image)
    loss.backward()
    print(loss.item(), image.grad.sum().item())
    with torch.no_grad():
        image -= 0.1 * image.grad
    image.grad = None
print(image.sum().item())

picture = start.clone().requires_grad_(True)
optimizer = torch.optim.Adam([picture], lr=0.2)
for i in range(4):
    scale = target.abs().max() + i
    picture.data.clamp_(0, 1)
    optimizer.zero_grad()
    loss = loss_of(picture) * scale
    loss.backward()
    optimizer.step()
    print(loss.item())
print(picture.sum().item())


class Style:
    def __init__(self):
        self.image = start.clone().requires_grad_(True)
        self.optimizer = torch.optim.SGD([self.image], lr=0.1)

    def run(self, rounds):
        for i in range(rounds):
            self.image.data /= self.image.data.norm()
            loss = ((self.image - target) ** 2).sum() + 0.1 * (self.image**4).sum()
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            print(loss.item())


style = Style()
style.run(3)
print(style.image.sum().item())

a = start.clone().requires_grad_(True)
b = torch.ones(4, requires_grad=True)
for i in range(4):
    with torch.no_grad():
        for p in [a, b]:
            p.clamp_(-0.5, 0.5)
    loss = ((a - target + b) ** 2).sum()
    loss.backward()
    with torch.no_grad():
        for p in [a, b]:
            p -= 0.1 * p.grad
            p.grad.zero_()
    print(loss.item(), a.sum().item(), b.sum().item())
