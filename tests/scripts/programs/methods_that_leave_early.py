# also: nnx
"""Methods that change their module leave early, raise, or give it back themselves."""

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 4)
        self.norm = nn.LayerNorm(4)
        self.head = nn.Linear(4, 2)
        self.apply(self._init_weights)

    def _init_weights(self, m):
        if isinstance(m, nn.Linear):
            nn.init.constant_(m.weight, 0.1)
            nn.init.constant_(m.bias, 0)

    def init_weights(self, pretrained=None):
        def _init_weights(m):
            if isinstance(m, nn.Linear):
                nn.init.constant_(m.weight, 0.2)
                if m.bias is not None:
                    nn.init.constant_(m.bias, 0.5)
            elif isinstance(m, nn.LayerNorm):
                nn.init.constant_(m.bias, 0.25)

        if isinstance(pretrained, str):
            self.apply(_init_weights)
            print("from", pretrained)
        elif pretrained is None:
            self.apply(_init_weights)
        else:
            raise TypeError("pretrained must be a str or None")

    def reset_head(self, value):
        if value == 0:
            return
        nn.init.constant_(self.head.weight, value)

    def scale_(self, factor):
        self.head.weight.data.mul_(factor)
        return self

    def forward(self, x):
        return self.head(self.norm(self.fc(x)))


net = Net()
x = torch.cos(torch.arange(6.0)).view(2, 3)
print(net(x).sum().item())
net.init_weights()
print(net(x).sum().item())
net.reset_head(0)
print(net(x).sum().item())
net.reset_head(2.0)
print(net(x).sum().item())
net.scale_(0.5)
print(net(x).sum().item())
