from torch import nn


def set_init(layers):
    for layer in layers:
        nn.init.normal_(layer.weight, mean=0., std=0.)
        nn.init.constant_(layer.bias, 0.25)
