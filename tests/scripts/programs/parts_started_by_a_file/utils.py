import torch.nn as nn


def initialize_weights(net):
    for m in net.modules():
        if isinstance(m, nn.Linear):
            m.weight.data.normal_(0, 0.02)
            m.weight.data.fill_(0.25)
            m.bias.data.zero_()
