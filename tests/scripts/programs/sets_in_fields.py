# also: nnx, linen
# Sets in fields of modules: compiled steps are found by what modules hold.
import torch
from torch import nn


class Taps(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(n)])
        self.taps = {0, 2}
        self.skipped = set(range(1, n, 3))

    def forward(self, x):
        found = []
        for i, layer in enumerate(self.layers):
            x = torch.tanh(layer(x)) if i not in self.skipped else x * 0.5
            if i in self.taps:
                found.append(x)
        return sum(found)


net = Taps(3)
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) + i).reshape(p.shape))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.cos(torch.arange(12.0)).reshape(4, 3)
for _ in range(3):
    loss = net(x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item(), len(net.taps), 2 in net.skipped)
