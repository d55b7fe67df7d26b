# also: nnx
"""Methods that register buffers of their module anew when these have become too small."""

import torch
import torch.nn as nn


class Rotary(nn.Module):
    def __init__(self, dim, max_position_embeddings=4, base=100.0, device=None):
        super().__init__()
        self.dim = dim
        inv_freq = 1.0 / (base ** (torch.arange(0, dim, 2).float() / dim))
        self.register_buffer("inv_freq", inv_freq, persistent=False)
        self._set_cos_sin_cache(
            seq_len=max_position_embeddings, device=self.inv_freq.device, dtype=torch.get_default_dtype()
        )

    def _set_cos_sin_cache(self, seq_len, device, dtype):
        self.max_seq_len_cached = seq_len
        t = torch.arange(self.max_seq_len_cached, device=device, dtype=self.inv_freq.dtype)
        freqs = torch.outer(t, self.inv_freq)
        emb = torch.cat((freqs, freqs), dim=-1)
        self.register_buffer("cos_cached", emb.cos().to(dtype), persistent=False)
        self.register_buffer("sin_cached", emb.sin().to(dtype), persistent=False)

    def forward(self, x, seq_len=None):
        if seq_len > self.max_seq_len_cached:
            self._set_cos_sin_cache(seq_len=seq_len, device=x.device, dtype=x.dtype)
        return self.cos_cached[:seq_len].to(dtype=x.dtype), self.sin_cached[:seq_len].to(dtype=x.dtype)


class Positions(nn.Module):
    def __init__(self, dim, n):
        super().__init__()
        pos = "of __init__"
        self.dim = dim
        self.build(n)
        self.kind = pos

    def build(self, n, scale=1.0):
        """Make the table anew."""
        pos = torch.arange(n)[:, None] * torch.linspace(0.1, scale, self.dim)
        self.register_buffer("table", torch.sin(pos))

    def forward(self, x):
        n = x.shape[1]
        if n > self.table.shape[0]:
            self.build(n, scale=2.0)
        return x + self.table[:n]


class Attention(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.positions = Positions(dim, 3)
        self.rotary = Rotary(dim)
        self.q = nn.Linear(dim, dim)

    def forward(self, x):
        q = self.q(self.positions(x))
        cos, sin = self.rotary(q, seq_len=x.shape[1])
        return q * cos + torch.roll(q, 1, -1) * sin


net = Attention(4)
with torch.no_grad():
    for n, p in enumerate(net.parameters()):
        p.copy_(torch.linspace(-1, 1, p.numel()).reshape(p.shape) * (0.3 + 0.05 * n))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for n in (3, 4, 6, 5):
    x = torch.linspace(-1, 1, 2 * n * 4).reshape(2, n, 4)
    loss = net(x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item(), net.rotary.cos_cached.shape[0], net.positions.table.sum().item())
print(sorted(net.state_dict()), net.positions.kind)
