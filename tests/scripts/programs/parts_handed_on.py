# also: nnx
"""Parts that `__init__` makes in fields and hands on to other parts, and that nothing else reads."""

import torch
from torch import nn
class Scale(nn.Module):
    def __init__(self, module, k):
        super().__init__()
        self.module = module
        self.k = k
    def forward(self, x):
        return self.module(x) * self.k
class Lin(nn.Module):
    def __init__(self, i, o):
        super().__init__()
        self.model = nn.Sequential(nn.Dropout(), nn.Linear(i, o, bias=False))
    def forward(self, x):
        return self.model(x)
class Res(nn.Module):
    def __init__(self, i, o, stride=1):
        super().__init__()
        self.conv1 = nn.Conv2d(i, o, 3, 1, padding=1)
        self.conv2 = nn.Conv2d(o, o, 3, 1, padding=1)
        nn.init.constant_(self.conv1.weight.data, 0.1)
        nn.init.constant_(self.conv2.weight.data, 0.05)
        nn.init.zeros_(self.conv1.bias)
        nn.init.zeros_(self.conv2.bias)
        if stride == 1:
            self.model = nn.Sequential(nn.ReLU(), Scale(self.conv1, 2.0), nn.ReLU(), Scale(self.conv2, 0.5))
        else:
            self.model = nn.Sequential(nn.ReLU(), Scale(self.conv1, 2.0), nn.ReLU(), Scale(self.conv2, 0.5), nn.AvgPool2d(2, stride=stride))
        self.bypass = nn.Sequential()
        if stride != 1:
            self.bypass_conv = nn.Conv2d(i, o, 1, 1, padding=0)
            nn.init.constant_(self.bypass_conv.weight.data, 0.3)
            nn.init.zeros_(self.bypass_conv.bias)
            self.bypass = nn.Sequential(Scale(self.bypass_conv, 1.5), nn.AvgPool2d(2, stride=stride))
    def forward(self, x):
        return self.model(x) + self.bypass(x)
class LPIPS(nn.Module):
    def __init__(self, chns=(1, 2)):
        super().__init__()
        self.lin0 = Lin(chns[0], 1)
        self.lin1 = Lin(chns[1], 1)
        self.lins = nn.ModuleList([self.lin0, self.lin1])
        for p in self.lins.parameters():
            nn.init.constant_(p, 0.2)
    def forward(self, xs):
        return sum(lin(x) for lin, x in zip(self.lins, xs))
class D(nn.Module):
    def __init__(self):
        super().__init__()
        self.final = nn.Conv2d(2, 1, 1)
        nn.init.constant_(self.final.weight.data, 1.)
        nn.init.zeros_(self.final.bias)
        self.model = nn.Sequential(Res(2, 2), Res(2, 2, stride=2), self.final)
    def forward(self, x):
        return self.model(x).view(-1)
d = D()
x = torch.arange(32.0).reshape(1, 2, 4, 4) / 32
opt = torch.optim.Adam(d.parameters(), lr=0.01)
for k in range(3):
    loss = (d(x) ** 2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
print(sum(p.numel() for p in d.parameters()))
m = LPIPS()
m.eval()
print(m([torch.ones(1, 1), torch.ones(1, 2)]).tolist())
