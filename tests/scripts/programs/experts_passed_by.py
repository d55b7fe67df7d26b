# also: nnx
"""Experts that a batch may pass by, in a step that is not compiled: those without a gradient keep their weights, without decay."""

import torch
import torch.nn as nn


class MoE(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = nn.Linear(4, 3)
        self.experts = nn.ModuleList([nn.Linear(4, 4) for _ in range(3)])
        self.extra = nn.Linear(4, 4)

    def forward(self, x):
        scores = self.gate(x).softmax(-1)
        best = scores.argmax(-1)
        out = torch.zeros_like(x)
        for i, expert in enumerate(self.experts):
            mask = best == i
            if not mask.any():
                continue
            out[mask] = expert(x[mask]) * scores[mask, i].unsqueeze(-1)
        if x.mean() > 0:
            out = out + self.extra(x)
        return out


net = MoE()
for i, p in enumerate(net.parameters()):
    p.data = torch.linspace(-0.5, 0.6, p.numel()).view(p.shape) * (-1) ** i
opt = torch.optim.AdamW(net.parameters(), lr=0.1, weight_decay=0.1)
for step in range(6):
    x = torch.sin(torch.arange(12.0) * (step + 1)).view(3, 4)
    loss = (net(x) - 1).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
for name, p in net.named_parameters():
    print(name, p.sum().item())
