import torch
import torch.nn as nn


class Q(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))
        for i, m in enumerate(self.net.modules()):
            if isinstance(m, nn.Linear):
                nn.init.constant_(m.bias, val=0.01 * i)
                nn.init.constant_(m.weight, 0.1)

    def forward(self, x):
        return self.net(x)


print(Q()(torch.ones(1, 3)).sum().item())
