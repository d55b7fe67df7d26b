# flagged: T2J303
import torch
from torch.optim import SGD

image = torch.zeros(3, requires_grad=True)
optimizer = SGD([image], lr=0.1)
for i in range(3):
    x = image
    optimizer.zero_grad()
    ((image - 1) ** 2).sum().backward()
    optimizer.step()
    print(x.sum().item())
