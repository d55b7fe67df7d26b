# also: nnx, linen
# Singular values without the vectors.
import torch

x = torch.sin(torch.arange(12.0)).view(3, 4).requires_grad_()
u, s, v = torch.svd(x, compute_uv=False)
print(u.shape[0], u.shape[1], v.shape[0], v.shape[1], s.sum().item(), u.abs().sum().item())
loss = torch.svd(x, compute_uv=False)[1].pow(2).max()
loss.backward()
print(loss.item(), x.grad.abs().sum().item())
y = torch.cos(torch.arange(24.0)).view(2, 3, 4)
print(y.svd(some=False, compute_uv=False).S.sum().item(), y.svd(compute_uv=False).V.shape[-1], torch.svd(y).S.sum().item())
