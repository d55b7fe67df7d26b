# also: nnx, linen
"""One of the two factors of a weight-normalized layer is frozen where it is made, for good or as an option says."""
import torch
import torch.nn as nn


class Head(nn.Module):
    def __init__(self, frozen=True):
        super().__init__()
        self.a = nn.Linear(3, 4)
        self.last = nn.utils.weight_norm(nn.Linear(4, 2, bias=False))
        self.last.weight_g.data.fill_(1)
        if frozen:
            self.last.weight_g.requires_grad = False

    def forward(self, x):
        return self.last(torch.tanh(self.a(x)))


for frozen in (True, False):
    m = Head(frozen)
    with torch.no_grad():
        for p in m.parameters():
            p.copy_(torch.linspace(-0.5, 0.7, p.numel()).view_as(p))
    opt = torch.optim.SGD(m.parameters(), lr=0.1, weight_decay=0.1)
    x = torch.linspace(-1, 1, 12).view(4, 3)
    for i in range(2):
        loss = m(x).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(loss.item(), m.last.weight_g.sum().item(), m.last.weight_v.sum().item())
