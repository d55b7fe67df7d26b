import kinds
from kinds import RULES
from torch import nn


def weights(model):
    found = []
    for module in model.modules():
        if isinstance(module, nn.Conv2d):
            found.append(tuple(module.weight.shape))
        elif isinstance(module, kinds.SKIPPED):
            continue
        else:
            found.append("other")
    return found


def points(model):
    return sum(RULES[type(module)] for module in model.modules() if type(module) in RULES)


def number(model, kind):
    return sum(isinstance(module, kind) for module in model.modules())
