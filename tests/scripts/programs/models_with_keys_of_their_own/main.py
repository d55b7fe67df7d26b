# also: nnx
"""Classes of several files that one call makes, one of them with a variable that is named as keys are."""

import torch

from models import get_model
from models.plain import twin


def fill(net):
    for place, p in enumerate(net.parameters()):
        p.data.copy_(torch.linspace(-0.7, 0.9, p.numel()).reshape(p.shape) * (1 + 0.1 * place))
    return net


x = torch.linspace(-1, 1, 6).reshape(2, 3)
for name in ("plain", "named"):
    net = fill(get_model(name, out=2))
    print(name, net(x).tolist())
for net in twin(3):
    print(fill(net)(x).tolist())
