# also: nnx, linen
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = nn.ModuleDict({"a": nn.Linear(2, 2), "b": nn.Linear(2, 1)})
        self.act = nn.ReLU()

    def forward(self, x):
        return self.heads["b"](self.act(self.heads["a"](x)))


class Scaled(nn.Module):
    def __init__(self, a, b):
        super().__init__()
        self.w = nn.Parameter(torch.full((b, a), 0.25))

    def forward(self, x):
        return x @ self.w.t()


def swap(module):
    for n, ch in module.named_children():
        if isinstance(ch, nn.Linear):
            setattr(module, n, Scaled(ch.in_features, ch.out_features))
        elif isinstance(ch, nn.ReLU):
            setattr(module, n, nn.Tanh())
        else:
            swap(ch)


net = Net()
for p in net.parameters():
    p.data.fill_(0.5)
x = torch.tensor([[1.0, -2.0]])
print(net(x).tolist())
swap(net)
print(net(x).tolist(), [n for n, _ in net.named_parameters()])
