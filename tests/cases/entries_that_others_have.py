# tensors of state dicts that something else has when they change
import torch
import torch.nn as nn


def kept(net: nn.Linear):
    weight = net.state_dict()["weight"]  # T2J303
    net.state_dict()["weight"].fill_(3.0)
    return weight


def kept_in_list(net: nn.Linear):
    found = []
    for key in ("weight", "bias"):
        found.append(net.state_dict()[key])  # T2J303
        net.state_dict()[key].mul_(5)
    return found


def loaded(net: nn.Linear, values):
    state = net.state_dict()
    weight = state["weight"]  # T2J303
    net.load_state_dict(values)
    return weight


def read_behind(net: nn.Linear):
    total = 0
    for key, value in net.state_dict().items():
        net.state_dict()[key].mul_(2)  # T2J302
        total += value.sum().item()
    return total


def parameters(net: nn.Linear):
    for name, p in net.named_parameters():
        net.state_dict()[name].copy_(p * 2)  # T2J302
        print(p.sum())


def in_name_only(net: nn.Linear):
    net.state_dict()["weight"].data = torch.zeros(2, 2)  # T2J302


def read_before(net: nn.Linear):
    weight = net.state_dict()["weight"].clone()
    shape = net.state_dict()["weight"].shape
    net.state_dict()["weight"].fill_(3.0)
    return weight, shape
