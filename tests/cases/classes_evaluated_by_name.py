import torch.nn as nn


class Conv(nn.Module):
    def __init__(self, c1, c2):
        super().__init__()
        self.conv = nn.Conv2d(c1, c2, 3)

    def forward(self, x):
        return self.conv(x)


def parse(rows):
    layers = []
    for kind, args in rows:
        kind = eval(kind) if isinstance(kind, str) else kind  # T2J609
        args = [eval(item) if isinstance(item, str) else item for item in args]
        layers.append(kind(*args))
    return nn.Sequential(*layers)
