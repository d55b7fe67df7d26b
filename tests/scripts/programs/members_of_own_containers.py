# also: nnx
import torch
import torch.nn as nn


class Flow(nn.Sequential):
    def forward(self, x):
        total = 0
        for layer in self:
            x, ld = layer(x)
            total = total + ld
        return x, total

    def inverse(self, x):
        for layer in reversed(self):
            x = layer.inverse(x)
        return x


class Scale(nn.Module):
    def __init__(self, dim, k):
        super().__init__()
        self.log_s = nn.Parameter(torch.arange(dim).float() * 0.1 * k)

    def forward(self, x):
        return x * self.log_s.exp(), self.log_s.sum()

    def inverse(self, x):
        return x * torch.exp(-self.log_s)


class Stage(nn.Sequential):
    def __init__(self, dim, depth):
        super().__init__(*[nn.Linear(dim, dim) for _ in range(depth)])


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.flow = Flow(*[Scale(3, k + 1) for k in range(3)])
        self.stages = nn.ModuleList([Stage(3, 2), Stage(3, 1)])

    def forward(self, x):
        first = self.flow[0](x)[0]
        y, ld = self.flow(first)
        for stage in self.stages:
            for layer in stage:
                y = torch.tanh(layer(y))
            y = stage(y)
        return y, ld


net = Net()
for k, p in enumerate(net.parameters()):
    if p.dim() == 2:
        p.data.copy_(torch.sin(torch.arange(9).float() + k).view(3, 3))
    else:
        nn.init.constant_(p, 0.1 * (k + 1))
x = torch.tensor([[0.1, 0.2, 0.3], [1.0, -1.0, 0.5]])
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    y, ld = net(x)
    loss = (y**2).mean() - 0.1 * ld
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(step, loss.item())
with torch.no_grad():
    print(net.flow[-1].inverse(x).sum().item(), len(net.flow), net.flow.inverse(x).sum().item())
    for i, layer in enumerate(net.flow):
        x, ld = layer(x)
        print(i, x.sum().item(), ld.item())
    print(sum(layer.weight.sum() for stage in net.stages for layer in stage).item(), net.stages[0][1].bias.sum().item())
    print([n for n, _ in net.named_parameters()])
