# also: nnx, linen
import torch
import torch.nn as nn
from torch.utils import data as datasets
from torch.utils import data

KIND = 'TensorDataset'  # TensorDataset | Subset
LAYER = 'Linear'


class VAE(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.fc = eval('nn.' + LAYER)(n, n)
        self.bn = eval('nn.BatchNorm1d')(n)
        self.act = eval(f'nn.{"Tanh"}')()

    def forward(self, x):
        return self.act(self.bn(self.fc(x)))


d = eval('datasets.' + KIND)(torch.arange(4.0))
print(len(d), d[1][0].item())
net = VAE(3)
nn.init.constant_(net.fc.weight, 0.5)
nn.init.constant_(net.fc.bias, 0.5)
print(net(torch.arange(6.0).view(2, 3)).tolist())
