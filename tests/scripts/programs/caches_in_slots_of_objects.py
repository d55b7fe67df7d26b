# also: nnx, linen
"""Keys and values of attention are written into the tensors in lists that an object keeps."""

import torch
import torch.nn as nn


class KVCache:
    def __init__(self, n_layers, batch, max_len, dim):
        self.keys = [torch.zeros(batch, max_len, dim) for _ in range(n_layers)]
        self.values = [torch.zeros(batch, max_len, dim) for _ in range(n_layers)]
        self.pos = 0

    def update(self, layer, k, v, start):
        end = start + k.shape[1]
        self.keys[layer][:, start:end] = k
        self.values[layer][:, start:end] = v
        return self.keys[layer][:, :end], self.values[layer][:, :end]

    def reset(self):
        for layer in range(len(self.keys)):
            self.keys[layer].zero_()
            self.values[layer].zero_()
        self.pos = 0


class Attn(nn.Module):
    def __init__(self, dim, idx):
        super().__init__()
        self.qkv = nn.Linear(dim, 3 * dim)
        self.idx = idx

    def forward(self, x, cache, start):
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        k, v = cache.update(self.idx, k, v, start)
        att = torch.softmax(q @ k.transpose(1, 2) / q.shape[-1] ** 0.5, dim=-1)
        return x + att @ v


class Model(nn.Module):
    def __init__(self, dim, n):
        super().__init__()
        self.blocks = nn.ModuleList([Attn(dim, i) for i in range(n)])

    def forward(self, x, cache):
        start = cache.pos
        for b in self.blocks:
            x = b(x, cache, start)
        cache.pos += x.shape[1]
        return x


model = Model(4, 2)
with torch.no_grad():
    for p in model.parameters():
        p.copy_(torch.sin(torch.arange(p.numel()).float() + 1).view(p.shape))
cache = KVCache(2, 1, 8, 4)
with torch.no_grad():
    x = torch.cos(torch.arange(12).float()).view(1, 3, 4)
    out = model(x, cache)
    print(out.sum().item())
    for i in range(3):
        out = model(out[:, -1:], cache)
        print(cache.pos, out.sum().item())
print(cache.keys[0].sum().item(), cache.values[1].sum().item())
cache.reset()
print(cache.keys[0].sum().item(), cache.pos)
