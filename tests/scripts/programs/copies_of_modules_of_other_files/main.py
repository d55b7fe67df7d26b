# also: nnx, linen
import torch
import torch.nn as nn

from blocks import Mix, Norms, clones


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.mixes = clones(Mix(3), 2)
        self.norms = clones(Norms(3), 2)
        self.more = clones(nn.BatchNorm1d(3), 1)

    def forward(self, x):
        for mix, norm in zip(self.mixes, self.norms):
            x = norm(mix(x) + x)
        for norm in self.more:
            x = norm(x)
        return x


torch.manual_seed(0)
net = Net()
for i, p in enumerate(net.parameters()):
    p.data.copy_(torch.linspace(-1, 1, p.numel()).view(p.shape) + i / 10)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.arange(12.0).view(4, 3) / 10
for i in range(3):
    loss = (net(x * (i + 1)) - x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
net.eval()
print(net(x).detach().sum(0))
for name, b in net.named_buffers():
    if "mean" in name:
        print(name, b.sum().item())
