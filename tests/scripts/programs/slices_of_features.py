# also: nnx
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, 4, 3, padding=1),
            nn.ReLU(inplace=True),
            nn.Conv2d(4, 4, 3, padding=1),
            nn.ReLU(inplace=True),
            nn.Conv2d(4, 5, 3, padding=1),
            nn.ReLU(inplace=True),
            nn.Conv2d(5, 5, 3, padding=1),
            nn.ReLU(inplace=True),
        )


class Slices(nn.Module):
    def __init__(self, requires_grad=False):
        super().__init__()
        features = Net().features
        self.slice1 = nn.Sequential()
        self.slice2 = nn.Sequential()
        self.slice3 = nn.Sequential()
        self.N_slices = 3
        for x in range(2):
            self.slice1.add_module(str(x), features[x])
        for x in range(2, 6):
            self.slice2.add_module(str(x), features[x])
        for x in range(6, 8):
            self.slice3.add_module(str(x), features[x])
        if not requires_grad:
            for param in self.parameters():
                param.requires_grad = False

    def forward(self, x):
        h1 = self.slice1(x)
        h2 = self.slice2(h1)
        return h1, h2, self.slice3(h2)


class Parts(nn.Module):
    def __init__(self):
        super().__init__()
        features = Net().features
        self.part1 = features[:4]
        self.part2 = nn.Sequential(*list(features.children())[4:6])
        self.part3 = nn.Sequential(*[features[i] for i in range(6, 8)])

    def forward(self, x):
        return self.part3(self.part2(self.part1(x)))


def fill(net):
    with torch.no_grad():
        for i, p in enumerate(net.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel()).reshape(p.shape) * 0.3 + i) * 0.3)


x = torch.cos(torch.arange(2 * 3 * 25.0)).reshape(2, 3, 5, 5)
net = Slices()
fill(net)
print([h.sum().item() for h in net(x)], len(list(net.parameters())))
net = Parts()
fill(net)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for _ in range(2):
    opt.zero_grad()
    loss = net(x).pow(2).mean()
    loss.backward()
    opt.step()
    print(loss.item())
