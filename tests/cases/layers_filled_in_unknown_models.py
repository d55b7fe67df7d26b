"""Functions that fill the layers of a model of which nothing else is known show that it is one."""

import torch.nn as nn
from torch.nn import init


def filled_by_names(net, gain=0.02):
    def fill(m):
        classname = m.__class__.__name__
        if hasattr(m, "weight") and (classname.find("Conv") != -1 or classname.find("Linear") != -1):
            init.normal_(m.weight.data, 0.0, gain)
            if hasattr(m, "bias") and m.bias is not None:
                init.constant_(m.bias.data, 0.0)
        elif classname.find("BatchNorm2d") != -1:
            init.normal_(m.weight.data, 1.0, gain)

    net.apply(fill)


def fill_layer(layer):
    if isinstance(layer, (nn.Conv2d, nn.Linear)) and layer.bias is not None:
        layer.bias.data.zero_()


def filled_by_classes(net):
    net.apply(fill_layer)
    return net


def doubled(row):
    return row * 2


def of_a_frame(frame):
    return frame.apply(doubled)
