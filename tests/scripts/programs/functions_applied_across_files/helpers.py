from torch import nn


def fill(m):
    name = m.__class__.__name__
    if name.find("Linear") != -1:
        nn.init.constant_(m.weight.data, 0.25)
        nn.init.constant_(m.bias.data, 0.5)


def count(m):
    print(sum(p.numel() for p in m.parameters()))
