import torch
import torch.nn as nn


def tables(n):
    ramp = torch.linspace(0.1, 1.0, n)
    alpha = 1 - ramp
    return {"ramp": ramp, "alpha": alpha, "total": torch.cumsum(alpha, 0)}


class Net(nn.Module):
    def __init__(self, n):
        super().__init__()
        for name, table in tables(n).items():
            self.register_buffer(name, table)
        self.fc = nn.Linear(n, 1)

    def forward(self, x):
        return self.fc(x * self.ramp + self.alpha * self.total)


net = Net(4)
nn.init.constant_(net.fc.weight, 0.5)
nn.init.zeros_(net.fc.bias)
net.ramp.mul_(2)
print(net.ramp, net.alpha, net.total, net(torch.ones(2, 4)).detach())
