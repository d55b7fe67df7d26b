# also: nnx, linen
import torch
from torch import nn


class Dense(nn.Module):
    def __init__(self, n, growth, layers):
        super().__init__()
        for i in range(layers):
            layer = nn.Linear(n + i * growth, growth)
            nn.init.constant_(layer.weight, 0.1)
            nn.init.constant_(layer.bias, 0.2)
            self.add_module("denselayer%d" % (i + 1), layer)

    def forward(self, x):
        features = [x]
        for name, layer in self.named_children():
            features.append(torch.relu(layer(torch.cat(features, 1))))
        return torch.cat(features, 1)


class Heads(nn.Module):
    def __init__(self, dim, n):
        super().__init__()
        self.heads = [nn.Linear(dim, 2) for _ in range(n)]
        for i, head in enumerate(self.heads):
            self.add_module("head_{}".format(i), head)
        self.out = nn.Linear(2 * n, 1)
        for p in self.parameters():
            nn.init.constant_(p, 0.3)

    def forward(self, x):
        return self.out(torch.cat([head(x) for head in self.heads], dim=1))


x = torch.linspace(-1, 1, 6).reshape(2, 3)
net = Dense(3, 2, 2)
print(net(x).sum().item(), list(net.state_dict()))
heads = Heads(3, 2)
print(heads(x).sum().item(), sorted(heads.state_dict()))
