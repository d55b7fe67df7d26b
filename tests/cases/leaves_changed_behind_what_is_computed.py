"""What was computed from a tensor before it was changed in place has its gradient at the values of before."""

import torch

image = torch.ones(4, requires_grad=True)
target = torch.zeros(4)
for i in range(5):
    doubled = image * 2
    with torch.no_grad():
        image.clamp_(0, 1)
    loss = ((doubled - target) ** 2).sum() + (image**2).sum()
    loss.backward()  # T2J500
    with torch.no_grad():
        image -= 0.1 * image.grad  # T2J503
    image.grad = None  # T2J503
