import torch
from torch import nn

act = nn.Tanh()
net = nn.Sequential(nn.Linear(2, 2), act, nn.Linear(2, 2), act)
x = torch.ones(1, 2)
for layer in net._modules.values():  # T2J603
    x = layer(x)
