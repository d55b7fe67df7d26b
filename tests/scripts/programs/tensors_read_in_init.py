# also: nnx, linen
import numpy as np
import torch
import torch.nn as nn


class Rates(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.lin = nn.Linear(n, n)
        nn.init.constant_(self.lin.weight, 0.1)
        nn.init.constant_(self.lin.bias, 0.1)
        dpr = [x.item() for x in torch.linspace(0, 0.5, 4)]
        self.rate = dpr[2]
        pe = torch.zeros(n)
        pe[0] = 2
        self.s = float(pe[0]) + pe[0].item()
        if pe[0] > 1:
            self.q = 3
        self.k = torch.from_numpy(np.sin(pe.numpy()))
        self.t = torch.arange(4).tolist()[2]

    def forward(self, x):
        return self.lin(x) + self.s + self.q + self.k + self.rate + self.t


m = Rates(3)
opt = torch.optim.SGD(m.parameters(), 0.1)
for i in range(2):
    loss = m(torch.ones(3)).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
