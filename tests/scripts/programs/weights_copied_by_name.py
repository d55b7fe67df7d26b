# also: nnx
"""Weights that functions copy into a model by their names: state dicts that are changed, loaded and looked at again."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, n=4):
        super().__init__()
        self.a = nn.Linear(3, n)
        self.b = nn.BatchNorm1d(n)
        self.tail = nn.Linear(n, 2)

    def forward(self, x):
        return self.tail(self.b(self.a(x)))


def copied(model, states):
    own = model.state_dict()
    for name, param in states.items():
        if name not in own:
            continue
        if isinstance(param, nn.Parameter):
            param = param.data
        own[name].copy_(param)
    missing = set(own.keys()) - set(states.keys())
    print(len(own), len(missing))


def copied_where_it_fits(model, states):
    own = model.state_dict()
    for name, param in states.items():
        try:
            own[name].copy_(param)
        except Exception:
            print("left out", name)
    print(len(own))


def updated(model, states):
    own = model.state_dict()
    states = {name.replace("module.", ""): value for name, value in states.items()}
    kept = {name: value for name, value in states.items() if name in own and own[name].shape == value.shape}
    own.update(kept)
    model.load_state_dict(own)
    print(len(kept), "of", len(own), round(own["a.weight"].sum().item(), 4))
    return model


def fill(model, by=0.7):
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.sin(torch.arange(p.numel()) * by + 0.2).view_as(p))


def show(x):
    print(round(x.sum().item(), 4), round(x.square().sum().item(), 4))


def init_net(net, gpu_ids=[]):
    if len(gpu_ids) > 0:
        assert torch.cuda.is_available()
        net.to(gpu_ids[0])
    net.apply(init)
    return net


def init(m):
    if m.__class__.__name__.find("Linear") != -1:
        nn.init.constant_(m.weight.data, 0.02)
        m.bias.data.fill_(0.1)


def main():
    x = torch.linspace(-1, 1, 12).view(4, 3) ** 3
    source = Net()
    fill(source)
    source(x)
    other = Net()
    fill(other, 0.3)
    copied(other, source.state_dict())
    other.eval()
    show(other(x))
    third = Net(4)
    fill(third, 0.2)
    states = source.state_dict()
    states["tail.weight"] = torch.ones(3, 4)
    copied_where_it_fits(third, states)
    third.eval()
    show(third(x))
    fourth = Net()
    fill(fourth, 0.5)
    fourth = updated(fourth, {"module." + name: value for name, value in states.items()})
    show(fourth(x))
    show(fourth.b.running_mean)
    last = init_net(Net())
    show(last(x))


main()
