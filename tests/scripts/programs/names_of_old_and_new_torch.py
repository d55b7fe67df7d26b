# also: nnx, linen
"""Infinity from where old and new torch have it, tensors like an element of a list, and an argument that torch does not use."""
import torch
TORCH_MAJOR = int(torch.__version__.split('.')[0])
TORCH_MINOR = int(torch.__version__.split('.')[1])

if TORCH_MAJOR == 1 and TORCH_MINOR < 8:
    from torch._six import inf
else:
    from torch import inf


def norm(x, kind=2.0):
    if kind == inf:
        return x.abs().max()
    return x.norm(kind)


x = torch.tensor([3.0, -4.0])
print(norm(x).item(), norm(x, inf).item())
ms = [torch.ones(2, 2)]
f = ms[0].new_zeros(2, 3, dtype=torch.float32)
g = ms[0][:, 0].new_ones(4)
print(f.shape, g.sum().item())
z = torch.nn.functional.gumbel_softmax(logits=torch.zeros(3, 4), tau=1.0, hard=True, eps=1e-10, dim=1)
print(z.sum().item())


def gumbel(logits, tau=1.0, hard=False, eps=1e-10, dim=-1):
    return torch.nn.functional.gumbel_softmax(logits=logits, tau=tau, hard=hard, eps=eps, dim=dim)


print(gumbel(torch.zeros(3, 4), hard=True).sum().item())
