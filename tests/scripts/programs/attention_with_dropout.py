# also: nnx
"""Attention whose dropout is only on in training: the function draws with a stream of keys."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class A(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv, self.p = nn.Linear(4, 12), 0.0

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, -1)
        return F.scaled_dot_product_attention(q, k, v, is_causal=True, dropout_p=self.p if self.training else 0)


m = A()
with torch.no_grad():
    for p in m.parameters():
        p.copy_(torch.sin(torch.arange(p.numel()) * 1.7 + 1).reshape(p.shape))
opt = torch.optim.SGD(m.parameters(), lr=0.1)
x = torch.sin(torch.arange(24.0)).reshape(2, 3, 4)
for i in range(3):
    opt.zero_grad()
    loss = m(x).pow(2).mean()
    loss.backward()
    opt.step()
    print(loss.item())
m.eval()
print(m(x).sum().item())
