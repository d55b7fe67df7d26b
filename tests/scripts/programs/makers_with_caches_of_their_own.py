# also: nnx, linen
from functools import wraps

import torch
from torch import nn


def cache_fn(f):
    cache = dict()

    @wraps(f)
    def cached_fn(*args, _cache=True, key=None, **kwargs):
        if not _cache:
            return f(*args, **kwargs)
        nonlocal cache
        if key in cache:
            return cache[key]
        result = f(*args, **kwargs)
        cache[key] = result
        return result

    return cached_fn


class PreNorm(nn.Module):
    def __init__(self, dim, fn):
        super().__init__()
        self.fn = fn
        self.norm = nn.LayerNorm(dim)

    def forward(self, x):
        return self.fn(self.norm(x))


class Perceiver(nn.Module):
    def __init__(self, depth, dim, share=True):
        super().__init__()
        get_attn = lambda: PreNorm(dim, nn.Linear(dim, dim))
        get_ff = lambda: PreNorm(dim, nn.Sequential(nn.Linear(dim, dim), nn.Tanh()))
        get_attn, get_ff = map(cache_fn, (get_attn, get_ff))
        self.layers = nn.ModuleList([])
        for i in range(depth):
            should_cache = i > 0 and share
            cache_args = {"_cache": should_cache}
            self.layers.append(nn.ModuleList([get_attn(**cache_args), get_ff(**cache_args)]))

    def forward(self, x):
        for attn, ff in self.layers:
            x = attn(x) + x
            x = ff(x) + x
        return x


for share in (False,):
    net = Perceiver(3, 4, share)
    with torch.no_grad():
        for i, p in enumerate(net.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel()).float() * 0.7 + i).reshape(p.shape) * 0.5)
    print(len(list(net.parameters())), net(torch.ones(2, 4)).sum().item())
