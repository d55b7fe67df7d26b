"""Parameters that are filled through a variable, and in another shape."""

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 4, 4)
        self.up = nn.ConvTranspose2d(8, 3, 2, 2)
        self.attn = nn.MultiheadAttention(8, 2)
        self.blocks = nn.ModuleList([nn.Linear(4, 4) for _ in range(2)])
        self.reset()
        for block in self.blocks:
            w = block.weight.data
            nn.init.constant_(w.flatten(), 0.25)
            w[0] = 2.0
            w.add_(1)
        b = self.conv.bias
        nn.init.constant_(b.view(-1), 0.5)
        with torch.no_grad():
            p = self.conv.bias
            p[:4].copy_(torch.arange(4.0))
            total = p.sum()
            p.mul_(total)

    def reset(self):
        w = self.up.weight.data
        nn.init.xavier_uniform_(w.view(w.size(0), -1))
        q = self.attn.in_proj_weight
        old = q.detach().clone()
        nn.init.zeros_(q.view(-1))
        self.norm = old.abs().sum().item() > 0

    def forward(self, x):
        return self.conv(x)


m = Net()
print(tuple(m.conv.bias.shape), m.conv.bias.sum().item(), m.norm)
print(
    tuple(m.up.weight.shape),
    m.up.weight.abs().max().item() <= (6 / 20) ** 0.5,
    m.up.weight.abs().max().item() > 0.9 * (6 / 20) ** 0.5,
)
for b in m.blocks:
    print(b.weight.tolist(), b.bias.abs().sum().item() > 0)
print(m.conv.bias.tolist())
