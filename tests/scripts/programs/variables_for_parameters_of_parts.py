# also: nnx, linen
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.ls = nn.ModuleList([nn.Linear(2, 3), nn.Linear(3, 1)])
        self.apply(self._init)
        for i in range(2):
            w = self.ls[i].weight
            w.data.mul_(0.5)
        self.norm = nn.LayerNorm(3)
        self._init(self.norm)
        b = self.ls[0].bias
        b.data = torch.arange(3).float()

    def _init(self, m):
        if isinstance(m, nn.Linear):
            w = m.weight
            w.data = torch.sin(torch.arange(w.numel()).float()).view(w.shape)
            m.bias.data.zero_()
        elif isinstance(m, nn.LayerNorm):
            w = m.weight
            w.data = torch.full_like(w, 0.5)

    def forward(self, x):
        return self.ls[1](torch.tanh(self.norm(self.ls[0](x))))


net = Net()
x = torch.arange(8.0).view(4, 2) * 0.1
print(net(x).sum().item())
w = net.ls[0].weight
w.data.mul_(2)
with torch.no_grad():
    w.add_(1)
print(net(x).sum().item())
