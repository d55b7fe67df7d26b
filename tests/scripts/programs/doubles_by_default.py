# also: nnx, linen
"""float64 as the type of new tensors: 32 bits wide in JAX, unless it is told otherwise."""

import torch
from torch import nn
dtype = torch.float64
torch.set_default_dtype(dtype)
torch.set_default_tensor_type('torch.DoubleTensor')
net = nn.Linear(2, 1)
nn.init.constant_(net.weight, 0.1)
nn.init.constant_(net.bias, 0.1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for k in range(3):
    x = torch.tensor([[1.0, 2.0]]).to(dtype)
    loss = (net(x) ** 2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
