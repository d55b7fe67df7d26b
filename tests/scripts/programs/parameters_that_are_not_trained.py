# also: nnx
import torch
import torch.nn as nn


class MF(nn.Module):
    def __init__(self, mean=3.0):
        super().__init__()
        self.l = nn.Linear(2, 1)
        self.mean = nn.Parameter(torch.FloatTensor([mean]), requires_grad=False)
        self.scale = nn.Parameter(torch.ones(2), requires_grad=False)
        nn.init.constant_(self.l.weight, 0.1)
        nn.init.zeros_(self.l.bias)

    def forward(self, x):
        return self.l(x * self.scale) + self.mean


m = MF()
opt = torch.optim.SGD([p for p in m.parameters() if p.requires_grad], lr=0.1)
x = torch.arange(6.0).view(3, 2)
for _ in range(3):
    loss = m(x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item(), m.mean.item())
print(sorted(m.state_dict().keys()))
