# also: nnx
import torch
import torch.nn as nn


class Block(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.lin = nn.Linear(dim, dim)
        with torch.no_grad():
            self.lin.weight.copy_(torch.arange(dim * dim).reshape(dim, dim) * 0.02)
            self.lin.bias.fill_(0.1)

    def step(self, x, cache):
        h, inputs = cache
        h = h * 0.5 + self.lin(x)
        cache = (h, torch.cat([inputs[:, 1:], x.unsqueeze(1)], dim=1))
        return h + inputs.sum(1), cache


class Split(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.even, self.odd, self.up = [Block(dim) for _ in range(3)]
        self.first, self.second = (nn.Linear(dim, dim, bias=False) for _ in range(2))
        with torch.no_grad():
            self.first.weight.fill_(0.3)
            self.second.weight.fill_(0.2)

    def forward(self, x):
        return self.even.lin(x).sum() * self.odd.lin(x).mean() + self.up.lin(self.second(self.first(x))).sum()


net = Split(3)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for _ in range(3):
    opt.zero_grad()
    loss = net(torch.ones(2, 3))
    loss.backward()
    opt.step()
    print(loss.item())
