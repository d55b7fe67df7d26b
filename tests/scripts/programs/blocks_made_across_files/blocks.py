import torch
from torch import nn
def conv_block(a, b):
    fc = nn.Linear(a, b)
    nn.init.constant_(fc.weight, 0.1)
    nn.init.zeros_(fc.bias)
    return nn.Sequential(fc, nn.ReLU())
def tail(width):
    return nn.Sequential(conv_block(width, width), nn.Tanh())
