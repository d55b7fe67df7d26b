# also: nnx, linen
"""Tensors with one element as sizes, ends of slices and counts: torch takes them for numbers."""

import torch
import torch.nn.functional as F

x = torch.arange(48.0).view(1, 3, 4, 4)
rnd = torch.randint(low=6, high=7, size=(1,), dtype=torch.int32)
y = F.interpolate(x, size=[rnd, rnd], mode="bilinear", align_corners=False)
print(y.shape, y.sum().item())
rem = 8 - rnd
top = torch.randint(low=1, high=rem.item(), size=(1,), dtype=torch.int32)
z = F.pad(y, [top.item(), top, 0, 1])
print(z.shape, z.sum().item())
print(torch.zeros(rnd, 2).shape, torch.ones((rnd, 3)).shape, int(rnd), float(rnd))
n = torch.tensor([3])
print(list(range(n)), x.flatten()[:n].tolist(), x.flatten()[n:].sum().item(), [1, 2, 3, 4][n])
print(x.view(n, 16).shape, x.repeat(n, 1, 1, 1).shape, F.adaptive_avg_pool2d(x, (n - 1, 2)).shape)
print(torch.full((n, n), 2.0).sum().item(), x.narrow(2, 0, n).shape, torch.randn(n, 2).shape)
print("abc" * n, [0] * n, round(float(n * 1.5), 2), x.flatten().topk(n)[0].tolist(), x.expand(n, 3, 4, 4).shape)

net = torch.nn.Linear(4, 1)
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.copy_(torch.sin(torch.arange(p.numel()).float() * 1.3 + i).view(p.shape))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
inputs, targets = torch.sin(torch.arange(24.0)).view(6, 4), torch.cos(torch.arange(6.0))
for _ in range(3):
    losses = (net(inputs).squeeze(1) - targets) ** 2
    hard = (losses > 0.5).sum().clamp(min=1)
    loss = torch.topk(losses, hard)[0].mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(loss.item(), hard.item())
