import numpy as np
from torch import nn
def he_init(m):
    s = np.sqrt(2. / m.in_features)
    m.weight.data.normal_(0, s * 0)
    m.weight.data.add_(0.1)
def normal_init(m, mean=0., std=0.01):
    m.weight.data.normal_(mean, std * 0)
class NonLinear(nn.Module):
    def __init__(self, i, o, bias=True, activation=None):
        super().__init__()
        self.activation = activation
        self.linear = nn.Linear(int(i), int(o), bias=bias)
    def forward(self, x):
        h = self.linear(x)
        if self.activation is not None:
            h = self.activation(h)
        return h
