# also: nnx, linen
# A model around another one, whose parameters the optimizer has, is trained by a function of another file.
import torch
import torch.nn as nn
from lib import Diffusion, fit

net = nn.Linear(3, 3)
for p in net.parameters():
    p.data = 0.3 * torch.cos(0.7 * torch.arange(float(p.numel()))).reshape(p.shape)
batches = [torch.sin(torch.arange(12.0) + i).reshape(4, 3) for i in range(3)]
diffusion = Diffusion(net)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
fit(diffusion, optimizer, batches)
print(net(batches[0]).sum().item(), diffusion.net.weight.sum().item())
