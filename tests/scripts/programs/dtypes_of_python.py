# also: linen
import torch

a = torch.ones(3, dtype=bool)
b = torch.zeros((2, 2), dtype=int)
c = torch.zeros((2, 2), dtype=float)
d = torch.arange(4, dtype=float)
e = torch.tensor([1, 2], dtype=float)
print(a.sum().item(), b.sum().item(), c.sum().item(), d.sum().item(), e.sum().item())
print(b.to(bool).sum().item(), d.type(torch.int32).sum().item())
print((~a).sum().item(), torch.arange(6)[torch.ones(6, dtype=bool)].sum().item())
