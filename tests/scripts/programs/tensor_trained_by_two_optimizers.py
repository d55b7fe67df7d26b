# also: nnx, linen
"""A tensor trained by Adam first and then by LBFGS, whose closure empties its gradient."""
import torch
import torch.nn as nn
import torch.optim as optim

target = torch.linspace(0, 1, 16).view(1, 1, 4, 4)
img = torch.zeros(1, 1, 4, 4, requires_grad=True)
opt = optim.Adam([img], lr=0.1)
for step in range(3):
    opt.zero_grad()
    loss = nn.functional.mse_loss(img * 2, target)
    loss.backward()
    opt.step()
opt2 = optim.LBFGS([img], max_iter=2)
def closure():
    opt2.zero_grad()
    loss = nn.functional.mse_loss(img * 3, target)
    loss.backward()
    return loss
opt2.step(closure)
print(img.sum().item())
