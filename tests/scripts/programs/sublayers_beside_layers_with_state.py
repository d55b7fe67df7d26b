# also: nnx, linen
"""Layers around what they are given, a function in one place and a module in another, beside layers that keep state."""

import copy
import torch
from torch import nn
def clones(module, N):
    return nn.ModuleList([copy.deepcopy(module) for _ in range(N)])
class LayerNorm(nn.Module):
    def __init__(self, features, eps=1e-6):
        super().__init__()
        self.a_2 = nn.Parameter(torch.ones(features))
        self.b_2 = nn.Parameter(torch.zeros(features))
        self.eps = eps
    def forward(self, x):
        mean = x.mean(-1, keepdim=True)
        std = x.std(-1, keepdim=True)
        return self.a_2 * (x - mean) / (std + self.eps) + self.b_2
class SublayerConnection(nn.Module):
    def __init__(self, size, dropout):
        super().__init__()
        self.norm = LayerNorm(size)
        self.dropout = nn.Dropout(dropout)
    def forward(self, x, sublayer):
        "Apply residual connection to any sublayer with the same size."
        _x = sublayer(self.norm(x))
        if type(_x) is tuple:
            return x + self.dropout(_x[0]), _x[1]
        return x + self.dropout(_x)
class FF(nn.Module):
    def __init__(self, d, p=0.0):
        super().__init__()
        self.w_1 = nn.Linear(d, d)
        self.w_2 = nn.Linear(d, d)
        self.dropout = nn.Dropout(p)
    def forward(self, x):
        return self.w_2(self.dropout(torch.relu(self.w_1(x))))
class EncoderLayer(nn.Module):
    def __init__(self, size, self_attn, feed_forward, dropout):
        super().__init__()
        self.self_attn = self_attn
        self.feed_forward = feed_forward
        self.sublayer = clones(SublayerConnection(size, dropout), 2)
        self.size = size
    def forward(self, x, mask):
        x = self.sublayer[0](x, lambda x: self.self_attn(x) * mask)
        return self.sublayer[1](x, self.feed_forward)
class Emb(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.att = nn.Sequential(nn.Linear(d, d), nn.BatchNorm1d(d))
        self.layer = EncoderLayer(d, FF(d), FF(d), 0.0)
    def forward(self, x, mask):
        return self.layer(self.att(x), mask)
net = Emb(4)
for p in net.parameters():
    if p.dim() > 1:
        p.data.fill_(0.1)
    else:
        p.data.copy_(torch.arange(float(p.numel())))
print(net(torch.arange(8.0).reshape(2, 4), torch.ones(2, 1)).tolist())
net.eval()
print(net(torch.arange(8.0).reshape(2, 4), torch.ones(2, 1)).tolist())
