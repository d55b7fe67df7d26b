# also: nnx
"""Fields that one method sets before it reads them are its variables, and no state."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Gate(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.fc = nn.Linear(dim, dim)
        self.out = None
        self.kept = torch.zeros(1)

    def forward(self, x, double=False):
        self.out = self.fc(x)
        if double:
            self.out += self.out
        w = 1.0
        self.w, self.v = self.out.sigmoid(), self.out.tanh()
        if x.size(0) > 2:
            self.kept = x.mean()  # not on all paths
        return w * self.w * self.v + sum(self.w[i] for i in range(2)) + self.kept


class Residual(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.norm = nn.LayerNorm(dim)

    def forward(self, x, sublayer):
        return x + sublayer(self.norm(x))


class Attention(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.qkv = nn.Linear(dim, 3 * dim)

    def forward(self, x, mask=None):
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        self.scores = q @ k.transpose(-2, -1)
        if mask is not None:
            self.scores = self.scores.masked_fill(mask == 0, -1e9)
        self.attn = self.scores.softmax(-1)
        return self.attn @ v


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = Attention(4)
        self.residual = Residual(4)
        self.first = Gate(4)
        self.second = Gate(4)

    def forward(self, x, mask):
        x = self.residual(x, lambda h: self.attention(h, mask))
        return self.second(self.first(x), double=True)


model = Net()
with torch.no_grad():
    for i, p in enumerate(model.parameters()):
        p.copy_((torch.arange(p.numel(), dtype=torch.float32).reshape(p.shape) * 0.37 + i).sin() * 0.3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x = (torch.arange(24, dtype=torch.float32) * 0.3).sin().view(6, 4)
for _ in range(3):
    loss = F.mse_loss(model(x, torch.ones(6, 6).tril()), x)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(loss.item())
print(model(x[:2], torch.ones(2, 2)).sum().item(), model.second.kept.item())
