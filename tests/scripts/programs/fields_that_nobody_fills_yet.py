# also: nnx, linen
"""A mask that a method of its module would set, which nothing in sight calls: what reads it shows it to be a tensor."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Attention(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.linear_out = nn.Linear(dim * 2, dim)
        self.mask = None
        self.bias = None

    def set_mask(self, mask):
        self.mask = mask

    def set_bias(self, bias):
        self.bias = bias

    def forward(self, output, context):
        attn = torch.bmm(output, context.transpose(1, 2))
        if self.mask is not None:
            attn.data.masked_fill_(self.mask, -float("inf"))
        if self.bias is not None:
            attn = attn + self.bias
        attn = F.softmax(attn, dim=-1)
        mixed = torch.cat((torch.bmm(attn, context), output), dim=2)
        return torch.tanh(self.linear_out(mixed)), attn


torch.manual_seed(0)
attention = Attention(3)
with torch.no_grad():
    for p in attention.parameters():
        p.copy_(torch.linspace(-1, 1, p.numel()).view(p.shape))
optimizer = torch.optim.SGD(attention.parameters(), lr=0.1)
output, context = torch.arange(12.0).view(2, 2, 3) / 10, torch.arange(18.0).view(2, 3, 3) / 10
for _ in range(3):
    y, attn = attention(output, context)
    loss = y.pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(loss.item(), attn.sum().item())
