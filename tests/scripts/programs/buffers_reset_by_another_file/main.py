# also: nnx, linen
import torch
from model import A

m = A(3)
x = torch.arange(6.0).view(2, 3)
print(m(x).sum().item(), m.mem.sum().item())
m.reset(0.25)
print(m.mem.sum().item())
opt = torch.optim.SGD(m.parameters(), lr=0.1)
m(x).sum().backward()
opt.step()
print(m(x).sum().item())
m.start()
print(m(x).sum().item())
