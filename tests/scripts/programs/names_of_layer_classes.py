"""Names of the classes of layers, by which a program tells them apart."""

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2d(1, 2, 3),
            nn.BatchNorm2d(2),
            nn.ReLU(),
            nn.InstanceNorm2d(2, affine=True),
            nn.Linear(72, 2),
        )

    def forward(self, x):
        return self.net(x.flatten(0, 0))


def init_weights(net, gain=0.02):
    def init_func(m):
        classname = m.__class__.__name__
        if hasattr(m, "weight") and (classname.find("Conv") != -1 or classname.find("Linear") != -1):
            nn.init.constant_(m.weight.data, gain)
            if hasattr(m, "bias") and m.bias is not None:
                nn.init.constant_(m.bias.data, 0.0)
        elif classname.find("BatchNorm2d") != -1:
            nn.init.constant_(m.weight.data, 0.5)
            nn.init.constant_(m.bias.data, 0.25)

    net.apply(init_func)


net = Net()
init_weights(net)
for n, p in net.named_parameters():
    print(n, p.sum().item())
net = nn.Sequential(nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2), nn.ReLU(), nn.Linear(3, 2))
count = 0
for m in net.modules():
    if m.__class__.__name__ == "BatchNorm2d" or type(m).__name__ == "ReLU":
        count += 1
print(count)
names = [type(m).__name__ for m in net.children()]
print(names)


def tell(m):
    name = m.__class__.__name__
    if name == "ReLU":
        print("relu")


net.apply(tell)
