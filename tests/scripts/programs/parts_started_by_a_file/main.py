# also: nnx, linen
import torch
import torch.nn as nn

import utils


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(3, 3), nn.ReLU(), nn.Linear(3, 1))
        utils.initialize_weights(self)

    def forward(self, x):
        return self.net(x)


net = Net()
print(net(torch.linspace(-1, 1, 6).reshape(2, 3)).sum().item())
