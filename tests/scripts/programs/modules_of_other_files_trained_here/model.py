import torch
import torch.nn as nn

net = nn.Linear(3, 1)
with torch.no_grad():
    net.weight.fill_(0.3)
    net.bias.fill_(0.1)


def predict(x):
    return net(x)
