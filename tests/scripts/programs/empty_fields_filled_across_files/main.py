# also: nnx, linen
"""Fields of a module that are None when it is made get tensors in other files: masks, and noise in a loop over its parts."""

import torch
from masks import is_masked, set_mask
from models import Net

net, other = Net(), Net()
x = torch.sin(torch.arange(6, dtype=torch.float32)).reshape(2, 3)
y = net(x)
print(round(y.sum().item(), 4))
for i, part in enumerate(net.parts):
    part.noise = torch.full((2, 4), 2.0 + i)
y, z = net(x), other(x)
print(round(y.sum().item(), 4), round(z.sum().item(), 4))
set_mask(other, torch.tensor([0.0, 0.0, 1.0, 0.0]))
net.mask = torch.tensor([1.0, 0.0, 1.0, 0.0])
y, z = net(x), other(x)
print(round(y.sum().item(), 4), round(z.sum().item(), 4), is_masked(net), is_masked(other))
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
for step in range(3):
    loss = (net(x) - 1).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(round(loss.item(), 4))
    if step == 1:
        net.mask = None
print(net.parts[0].noise.sum().item(), net.mask is None, sorted(net.state_dict()))
