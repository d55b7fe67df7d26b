# also: nnx
import torch
from torch import nn


class Expand(nn.Module):
    def __init__(self):
        super().__init__()
        self.squeeze = nn.Linear(4, 2)
        self.act0 = nn.ReLU(inplace=True)
        self.one = nn.Linear(2, 3)
        self.act1 = nn.ReLU(inplace=True)
        self.two = nn.Linear(2, 3)
        self.act2 = nn.ReLU(inplace=True)

    def forward(self, x):
        x = self.act0(self.squeeze(x))
        return torch.cat([self.act1(self.one(x)), self.act2(self.two(x))], 1)


net = Expand()
with torch.no_grad():
    for k, p in enumerate(net.parameters()):
        p.copy_(torch.sin(torch.arange(float(p.numel())) * (0.3 + k)).reshape(p.shape))
print(net(torch.ones(2, 4)).tolist(), net(-torch.ones(1, 4)).sum().item())
