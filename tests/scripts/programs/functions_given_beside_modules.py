# also: nnx
import torch
import torch.nn as nn


class Res(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(3)
        self.drop = nn.Dropout(0.1)

    def forward(self, x, sublayer):
        return x + self.drop(sublayer(self.norm(x)))


class Attn(nn.Module):
    def __init__(self):
        super().__init__()
        self.q = nn.Linear(3, 3)
        self.drop = nn.Dropout(0.2)

    def forward(self, q, k, mask):
        return self.drop(self.q(q) + k) * mask


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.attn = Attn()
        self.ff = nn.Sequential(nn.Linear(3, 3), nn.Dropout(0.1))
        self.res = nn.ModuleList([Res() for _ in range(2)])

    def forward(self, x, mask):
        x = self.res[0](x, lambda x: self.attn(x, x, mask))
        return self.res[1](x, self.ff)


net = Layer()
print(tuple(net(torch.ones(2, 3), torch.ones(3)).shape))
net.eval()
with torch.no_grad():
    for p in net.parameters():
        p.fill_(0.1)
print(net(torch.arange(6.0).view(2, 3), torch.ones(3)).sum().item())
