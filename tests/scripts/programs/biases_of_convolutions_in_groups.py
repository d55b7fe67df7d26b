# also: nnx, linen
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Conv1d(2, 2, 1)
        self.b = nn.Conv1d(2, 1, 1)

    def forward(self, x):
        return self.b(self.a(x).relu())

    def get_1x(self):
        for m in (self.a,):
            yield m.weight
            if m.bias is not None:
                yield m.bias

    def get_10x(self):
        yield self.b.bias


net = Net()
for p in net.parameters():
    p.data.fill_(0.1)
opt = torch.optim.SGD(
    [{"params": net.get_1x()}, {"params": net.get_10x(), "lr": 0.3}, {"params": [net.b.weight]}], lr=0.1
)
for i in range(2):
    opt.zero_grad()
    loss = (net(torch.ones(1, 2, 3)) - 1).pow(2).mean()
    loss.backward()
    opt.step()
    print(loss.item())
print([tuple(b.shape) for b in [net.a.bias, net.b.bias]], torch.cat([net.a.bias, net.b.bias]).tolist())
