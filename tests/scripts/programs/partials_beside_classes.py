# also: nnx, linen
"""A partial of a class that stands beside another class, and is called by its own name, too."""
from functools import partial
import torch
import torch.nn as nn


class Attention(nn.Module):
    def __init__(self, dim, heads=2, dim_head=4, flash=False):
        super().__init__()
        self.heads = heads
        self.flash = flash
        self.qkv = nn.Linear(dim, heads * dim_head * 3, bias=False)
        self.out = nn.Linear(heads * dim_head, dim)

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        a = (q @ k.transpose(-1, -2)).softmax(-1)
        return self.out(a @ v) * (2 if self.flash else 1)


class LinearAttention(nn.Module):
    def __init__(self, dim, heads=2, dim_head=4):
        super().__init__()
        self.q = nn.Linear(dim, heads * dim_head)
        self.out = nn.Linear(heads * dim_head, dim)

    def forward(self, x):
        return self.out(self.q(x).softmax(-1))


class Unet(nn.Module):
    def __init__(self, dim, dim_mults=(1, 2), full_attn=(False, True), flash_attn=False):
        super().__init__()
        dims = [dim, *[dim * m for m in dim_mults]]
        in_out = list(zip(dims[:-1], dims[1:]))
        FullAttention = partial(Attention, flash=flash_attn)
        self.downs = nn.ModuleList([])
        for (dim_in, dim_out), layer_full_attn in zip(in_out, full_attn):
            attn_klass = FullAttention if layer_full_attn else LinearAttention
            self.downs.append(nn.ModuleList([attn_klass(dim_in, dim_head=3), nn.Linear(dim_in, dim_out)]))
        self.mid = FullAttention(dims[-1], heads=3)

    def forward(self, x):
        for attn, down in self.downs:
            x = attn(x) + x
            x = down(x)
        return self.mid(x)


net = Unet(4, flash_attn=True)
with torch.no_grad():
    for p in net.parameters():
        p.copy_(torch.linspace(-0.5, 0.7, p.numel()).view_as(p))
opt = torch.optim.Adam(net.parameters(), lr=0.01)
x = torch.linspace(-1, 1, 24).view(2, 3, 4)
for i in range(3):
    loss = net(x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(i, loss.item())
