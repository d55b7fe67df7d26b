"""Caches of modules: keys and values at positions, growing ones, what is kept for a later look, fields made late."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


class KVCache(nn.Module):
    def __init__(self, batch, length, dim):
        super().__init__()
        self.register_buffer("k", torch.zeros(batch, length, dim), persistent=False)
        self.register_buffer("v", torch.zeros(batch, length, dim), persistent=False)

    def update(self, position: int, k: Tensor, v: Tensor):
        self.k[:, position] = k
        self.v[:, position] = v
        return self.k[:, : position + 1].clone(), self.v[:, : position + 1].clone()


def case_kv_cache(x: Tensor, y: Tensor):
    cache = KVCache(2, 4, 3)
    k0, v0 = cache.update(0, x, y)
    k1, v1 = cache.update(1, y, x)
    return k0, v0, k1, v1, cache.k


class Attention(nn.Module):
    def __init__(self, dim, length):
        super().__init__()
        self.dim = dim
        self.cache = KVCache(2, length, dim)

    def forward(self, x: Tensor, position: int) -> Tensor:
        k, v = self.cache.update(position, x, 2 * x)
        weights = F.softmax(torch.einsum("bd,bld->bl", x, k) / self.dim**0.5, dim=-1)
        return torch.einsum("bl,bld->bd", weights, v)


class Decoder(nn.Module):
    def __init__(self, dim, length, depth=2):
        super().__init__()
        self.layers = nn.ModuleList([Attention(dim, length) for _ in range(depth)])

    def forward(self, x, position):
        for layer in self.layers:
            x = x + layer(x, position)
        return x


def case_decoder(x, y):
    model = Decoder(3, 4)
    outs = []
    for position in range(3):
        outs.append(model(x if position % 2 == 0 else y, position))
    return torch.stack(outs), model.layers[0].cache.k


class InnerCache(nn.Module):
    """A module that writes to the fields of one that it holds."""

    def __init__(self):
        super().__init__()
        self.cache = KVCache(2, 4, 3)

    def forward(self, x, position: int):
        self.cache.k[:, position] = x
        self.cache.v[:, position] += x
        return self.cache.k.sum(1) + self.cache.v.sum(1)


def case_written_from_the_module_around(x):
    model = InnerCache()
    return model(x, 0), model(x, 2), model.cache.v


class Growing(nn.Module):
    def __init__(self):
        super().__init__()
        self.past = None

    def forward(self, x):
        if self.past is None:
            self.past = x[:, None]
        else:
            self.past = torch.cat([self.past, x[:, None]], dim=1)
        return self.past.sum(1)

    def reset(self):
        self.past = None


def case_growing(x, y):
    model = Growing()
    a, b = model(x), model(y)
    shape = model.past.shape
    model.reset()
    return a, b, shape, model(y), model.past


class Inspected(nn.Module):
    def __init__(self):
        super().__init__()
        self.last_attn = None

    def forward(self, x):
        attn = F.softmax(x @ x.T, dim=-1)
        self.last_attn = attn
        return attn @ x


def case_inspected(x, y):
    model = Inspected()
    model(x)
    out = model(y)
    return out, model.last_attn


class Late(nn.Module):
    """A field that no method sets before forward does."""

    def __init__(self):
        super().__init__()
        self.scale = 2.0

    def forward(self, x):
        self.features = x * self.scale
        return self.features.sum()


def case_late(x):
    model = Late()
    out = model(x)
    return out, model.features


class Lazy(nn.Module):
    def __init__(self):
        super().__init__()
        self.mask = None

    def forward(self, x):
        if self.mask is None or self.mask.shape[0] != x.shape[0]:
            self.mask = torch.ones(x.shape[0], x.shape[0]).tril()
        return self.mask @ x


def case_lazy_mask(x, square):
    model = Lazy()
    return model(x), model(x), model(square), model.mask


class Rotary(nn.Module):
    def __init__(self, dim):
        super().__init__()
        inv_freq = 1.0 / (10000 ** (torch.arange(0, dim, 2).float() / dim))
        self.register_buffer("inv_freq", inv_freq, persistent=False)
        self.seq_len_cached = 0
        self.cos_cached = None
        self.sin_cached = None

    def _update(self, length: int):
        if length > self.seq_len_cached:
            self.seq_len_cached = length
            t = torch.arange(length).float()
            freqs = torch.outer(t, self.inv_freq)
            self.cos_cached = freqs.cos()
            self.sin_cached = freqs.sin()

    def forward(self, x: Tensor):
        self._update(x.shape[1])
        return self.cos_cached[: x.shape[1]], self.sin_cached[: x.shape[1]]


def case_rotary(batch, x):
    rotary = Rotary(4)
    a = rotary(batch)
    b = rotary(batch[:, :2])
    return a, b, rotary.seq_len_cached


class Recurrent(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.hidden = hidden
        self.state = None

    def forward(self, x):
        if self.state is None:
            self.state = (torch.zeros(x.shape[0], self.hidden), torch.ones(x.shape[0], self.hidden))
        h, c = self.state
        h = torch.tanh(x + h)
        c = c * 0.5 + h
        self.state = (h, c)
        return h + c


def case_recurrent(x, y):
    model = Recurrent(3)
    return model(x), model(y), model.state[0]


class HiddenState(nn.Module):
    def __init__(self):
        super().__init__()
        self.reset_state(2)

    def reset_state(self, batch: int):
        self.h = torch.zeros(batch, 3)
        self.c = torch.ones(batch, 3)

    def forward(self, x):
        self.h, self.c = torch.tanh(x + self.h), self.c * 0.5 + x
        return self.h * self.c


def case_reset_in_init(x, y):
    model = HiddenState()
    a = model(x)
    model.reset_state(2)
    return a, model(y), model.h


class Queue(nn.Module):
    """A queue of negatives, as in MoCo."""

    def __init__(self, dim, size):
        super().__init__()
        self.size = size
        self.register_buffer("queue", torch.zeros(dim, size))
        self.register_buffer("pointer", torch.zeros(1, dtype=torch.long))

    @torch.no_grad()
    def enqueue(self, keys):
        n = keys.shape[0]
        start = int(self.pointer)
        self.queue[:, start : start + n] = keys.T
        self.pointer[0] = (start + n) % self.size

    def forward(self, q, k):
        logits = q @ self.queue.clone().detach()
        self.enqueue(k)
        return logits


def case_queue(x, y):
    model = Queue(3, 6)
    a = model(x, y)
    b = model(y, x)
    c = model(x, x)
    return a, b, c, model.queue, model.pointer
