# also: nnx linen
"""Programs ask on what their parameters lie before they move anything there."""

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)
        nn.init.constant_(self.fc.weight, 0.5)
        nn.init.zeros_(self.fc.bias)

    def start(self, count):
        hidden = torch.zeros(count, 3)
        if next(self.parameters()).is_cuda:
            hidden = hidden.cuda()
        return hidden + 1

    def forward(self, count):
        return self.fc(self.start(count))


net = Net()
print(net(2).sum().item())
print(next(net.parameters()).is_cuda == torch.cuda.is_available(), next(net.fc.parameters()).detach().is_sparse)
