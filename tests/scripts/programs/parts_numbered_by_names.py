"""Parts whose names are computed, as many as somebody wants."""

import torch
import torch.nn as nn


def fill(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) * 0.7 + i).view(p.shape) * 0.3)


class Stack(nn.Module):
    def __init__(self, n, dim):
        super().__init__()
        self.n = n
        self.first = nn.Linear(dim, dim)
        for i in range(n):
            setattr(self, f"fc{i}", nn.Linear(dim, dim))
            self.add_module("norm%d" % i, nn.BatchNorm1d(dim))
            layer = nn.Linear(dim, dim, bias=False)
            name = f"skip{i}"
            self.add_module(name, layer)
            if i % 3 == 0:
                self.add_module("drop" + str(i), nn.Dropout(0.0))
        self.last = nn.Linear(dim, 1)

    def forward(self, x):
        x = self.first(x)
        for i in range(self.n):
            norm = getattr(self, "norm" + str(i))
            if hasattr(self, f"drop{i}"):
                x = getattr(self, f"drop{i}")(x)
            x = norm(getattr(self, f"fc{i}")(x)).relu() + self._modules[f"skip{i}"](x)
        return self.last(x) + self.fc0(x).mean(1, keepdim=True)


net = Stack(12, 4)
fill(net)
x = torch.sin(torch.arange(24.0)).view(6, 4)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for _ in range(3):
    loss = (net(x) - 1).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
print([(name, tuple(value.shape)) for name, value in net.state_dict().items()][:14])
print([name for name, _ in net.named_children()], len(list(net.modules())))
print(net.fc1.weight.sum().item(), net.norm0.running_mean.sum().item(), getattr(net, "fc2").bias.sum().item())
net.eval()
print(net(x).sum().item())
