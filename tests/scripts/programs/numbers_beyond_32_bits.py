# also: nnx, linen
"""Whole numbers beyond 32 bits beside tensors of real numbers: masks, bounds, scales."""
import torch
x = torch.linspace(0.5, 2, 6).view(2, 3)
m = x > 1
print(x.masked_fill(m, -2 ** 32 + 1).sum().item())
print((x * 10 ** 10).sum().item())
print((x + 5000000000).mean().item())
print(torch.where(m, x, -2 ** 32 + 1.0).sum().item())
print(torch.full_like(x, -2 ** 33).sum().item())
print(x.clamp(max=10 ** 12).sum().item())
y = x.clone()
y[m] = -2 ** 32 + 1
print(y.sum().item())
y.masked_fill_(m, -10 ** 10)
print(y.sum().item())
N = 10 ** 11
print((x / N).sum().item(), (N * x).sum().item(), (x > N).sum().item())


def attend(attn, mask):
    attn = attn.masked_fill(mask, -2 ** 32 + 1)
    return torch.softmax(attn, dim=-1)


print(attend(x, m).sum().item())
print(torch.arange(3) * 1000, torch.full((2,), 2 ** 20).sum().item())
