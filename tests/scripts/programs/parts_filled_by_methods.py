"""Methods that apply functions to a part: one that looks at its layers, and one that fills them."""
# also: nnx, linen

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))

    def kinds(self):
        found = []

        def look(layer):
            if isinstance(layer, nn.Linear):
                found.append(layer.in_features)

        self.body.apply(look)
        return found

    def fill(self):
        def fill(layer):
            if isinstance(layer, nn.Linear):
                nn.init.constant_(layer.weight, 0.5)
                nn.init.zeros_(layer.bias)

        self.body.apply(fill)

    def forward(self, x):
        return self.body(x)


net = Net()
kinds = net.kinds()
print(*kinds)
net.fill()
print(net(torch.ones(1, 2)).item())
