# also: nnx, linen
"""A flow whose blocks hold the next one: the sum of log-determinants goes through all of them and grows in place."""
import torch
import torch.nn as nn


class Coupling(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.net = nn.Linear(dim, dim)

    def forward(self, x, sldj=None, reverse=True):
        s = torch.tanh(self.net(x))
        if reverse:
            x = x * s.mul(-1).exp()
        else:
            x = x * s.exp()
            sldj += s.sum(-1)
        return x, sldj


class Block(nn.Module):
    def __init__(self, dim, depth):
        super().__init__()
        self.couplings = nn.ModuleList([Coupling(dim), Coupling(dim)])
        self.is_last = depth == 1
        if not self.is_last:
            self.next_block = Block(dim, depth - 1)

    def forward(self, x, sldj, reverse=False):
        if reverse:
            if not self.is_last:
                x, sldj = self.next_block(x, sldj, reverse)
            for coupling in reversed(self.couplings):
                x, sldj = coupling(x, sldj, reverse)
        else:
            for coupling in self.couplings:
                x, sldj = coupling(x, sldj, reverse)
            if not self.is_last:
                x, sldj = self.next_block(x, sldj, reverse)
        return x, sldj


class Flow(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.flows = Block(dim, 3)

    def forward(self, x, reverse=False):
        sldj = None
        if not reverse:
            x, sldj = self._pre_process(x)
        x, sldj = self.flows(x, sldj, reverse)
        return x, sldj

    def _pre_process(self, x):
        y = (2 * x - 1) * 0.9
        ldj = torch.nn.functional.softplus(y) - 1.0
        sldj = ldj.view(ldj.size(0), -1).sum(-1)
        return y, sldj


net = Flow(4)
with torch.no_grad():
    for p in net.parameters():
        p.copy_(torch.linspace(-0.8, 0.7, p.numel()).view(p.shape))
x = torch.linspace(0.1, 0.9, 12).view(3, 4)
z, ldj = net(x)
print(z.tolist(), ldj.tolist())
y, nothing = net(z, reverse=True)
print(y.tolist(), nothing)
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
for step in range(4):
    optimizer.zero_grad()
    z, ldj = net(x)
    loss = (0.5 * z.pow(2).sum(-1) - ldj).mean()
    loss.backward()
    optimizer.step()
    print(loss.item())
