# also: nnx
"""A dict of blocks whose weights are filled by methods, down from the whole model."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class RMSNorm(nn.Module):
    def __init__(self, dim, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim))

    def forward(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps) * self.weight

    def reset_parameters(self):
        torch.nn.init.constant_(self.weight, 1.5)


class Attention(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.wq = nn.Linear(d, d, bias=False)
        self.wk = nn.Linear(d, d, bias=False)
        self.wo = nn.Linear(d, d, bias=False)

    def init_weights(self, init_std: float):
        for linear in (self.wq, self.wk):
            nn.init.constant_(linear.weight, 0.02)
        nn.init.constant_(self.wo.weight, init_std)

    def forward(self, x):
        return self.wo(torch.tanh(self.wq(x)) * self.wk(x))


class Block(nn.Module):
    def __init__(self, d, std):
        super().__init__()
        self.std = std
        self.attention = Attention(d)
        self.attention_norm = RMSNorm(d)
        self.ffn_norm = RMSNorm(d)

    def forward(self, x):
        return self.ffn_norm(x + self.attention(self.attention_norm(x)))

    def init_weights(self):
        for norm in (self.attention_norm, self.ffn_norm):
            norm.reset_parameters()
        self.attention.init_weights(self.std)


class Transformer(nn.Module):
    def __init__(self, d=4, n=2):
        super().__init__()
        self.emb = nn.Embedding(5, d)
        self.layers = nn.ModuleDict()
        for i in range(n):
            self.layers[str(i)] = Block(d, 0.3 / (i + 1))
        self.norm = RMSNorm(d)
        self.output = nn.Linear(d, 3, bias=False)
        self.register_buffer("freqs", torch.arange(d, dtype=torch.float32), persistent=True)
        self.init_weights()

    def init_weights(self):
        self.freqs = torch.arange(4, dtype=torch.float32) * 0.5
        nn.init.constant_(self.emb.weight, 0.7)
        for layer in self.layers.values():
            layer.init_weights()
        self.norm.reset_parameters()
        nn.init.constant_(self.output.weight, 0.4)

    def forward(self, t):
        x = self.emb(t) + self.freqs
        for layer in self.layers.values():
            x = layer(x)
        return self.output(self.norm(x))


net = Transformer()
print(
    net(torch.tensor([[0, 1, 2]])).sum().item(),
    net.layers["0"].attention.wo.weight.sum().item(),
    net.norm.weight.sum().item(),
)
