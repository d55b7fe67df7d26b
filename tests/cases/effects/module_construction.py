"""Modules made by factories, kept in containers, and handed arguments on."""

from collections import OrderedDict
from functools import partial

import torch
import torch.nn.functional as F
from torch import Tensor, nn


def filled(layer, value=0.5):
    nn.init.constant_(layer.weight, value)
    nn.init.constant_(layer.bias, 0.1)
    return layer


def block(width_in, width_out, act=nn.ReLU):
    return nn.Sequential(nn.Linear(width_in, width_out), act())


def fill(module):
    if isinstance(module, nn.Linear):
        nn.init.constant_(module.weight, 0.5)
        nn.init.constant_(module.bias, 0.25)


class Named(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(OrderedDict([("fc1", nn.Linear(3, 4)), ("relu", nn.ReLU()), ("fc2", nn.Linear(4, 2))]))
        self.net.apply(fill)

    def forward(self, x):
        return self.net(x)


class NamedByDict(nn.Module):
    def __init__(self, width):
        super().__init__()
        layers = OrderedDict()
        layers["fc1"] = nn.Linear(3, width)
        layers["act"] = nn.Tanh()
        layers["fc2"] = nn.Linear(width, 2)
        self.net = nn.Sequential(layers)
        self.apply(fill)

    def forward(self, x):
        return self.net(x)


class Added(nn.Module):
    def __init__(self, depth):
        super().__init__()
        self.net = nn.Sequential()
        for i in range(depth):
            self.net.add_module(f"fc{i}", nn.Linear(3, 3))
        self.apply(fill)

    def forward(self, x):
        return self.net(x)


class Sliced(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))
        self.apply(fill)

    def forward(self, x):
        features = self.net[:-1](x)
        return self.net[-1](features), features


class Heads(nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = nn.ModuleDict({"a": nn.Linear(3, 2), "b": nn.Linear(3, 1)})
        self.acts = nn.ModuleDict([["relu", nn.ReLU()], ["tanh", nn.Tanh()]])
        self.apply(fill)

    def forward(self, x, name):
        return self.acts["relu"](self.heads[name](x))

    def all(self, x):
        return {name: head(x) for name, head in self.heads.items()}


class Wrapper(nn.Module):
    def __init__(self, inner, scale=1.0):
        super().__init__()
        self.inner = inner
        self.scale = scale

    def forward(self, *args, **kwargs):
        return self.scale * self.inner(*args, **kwargs)


class Residual(nn.Module):
    def __init__(self, fn):
        super().__init__()
        self.fn = fn

    def forward(self, x, **kwargs):
        return self.fn(x, **kwargs) + x


class PreNorm(nn.Module):
    def __init__(self, dim, fn):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.fn = fn

    def forward(self, x, **kwargs):
        return self.fn(self.norm(x), **kwargs)


class MLP(nn.Module):
    def __init__(self, dim, hidden, act_layer=nn.GELU, norm_layer=None):
        super().__init__()
        self.fc1 = nn.Linear(dim, hidden)
        self.act = act_layer()
        self.norm = norm_layer(hidden) if norm_layer is not None else nn.Identity()
        self.fc2 = nn.Linear(hidden, dim)
        self.apply(fill)

    def forward(self, x):
        return self.fc2(self.norm(self.act(self.fc1(x))))


class PlainList(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = [nn.Linear(3, 3)]  # T2J601

    def forward(self, x):
        return self.layers[0](x)


class ByName(nn.Module):
    def __init__(self, name):
        super().__init__()
        self.act = getattr(nn, name)(inplace=True)

    def forward(self, x):
        return self.act(x)  # T2J300


def case_named(x: Tensor):
    return Named()(x)


def case_named_by_dict(x: Tensor):
    return NamedByDict(4)(x)


def case_added(x: Tensor):
    return Added(2)(x)


def case_sliced(x: Tensor):
    return Sliced()(x)


def case_heads(x: Tensor):
    model = Heads()
    return model(x, "a"), model(x, name="b"), model.all(x)


def case_wrapper(x: Tensor):
    return Wrapper(filled(nn.Linear(3, 2)), scale=3.0)(x)


def case_residual(x: Tensor):
    return Residual(PreNorm(3, MLP(3, 5)))(x)


def case_factory(x: Tensor):
    net = block(3, 4, nn.Tanh)
    net.apply(fill)
    return net(x)


def case_layers_as_arguments(x: Tensor):
    net = MLP(3, 4, act_layer=nn.ReLU, norm_layer=partial(nn.LayerNorm, eps=1e-6))
    return net(x)


def case_starred_layers(x: Tensor):
    layers = []
    for width in (3, 3):
        layers += [nn.Linear(3, width), nn.ReLU()]
    net = nn.Sequential(*layers, nn.Linear(3, 1))
    net.apply(fill)
    return net(x)


def case_in_a_plain_list(x: Tensor):
    layers = [filled(nn.Linear(3, 3)), filled(nn.Linear(3, 3), 0.25)]
    for layer in layers:
        x = F.relu(layer(x))
    return x


def case_in_a_dict(x: Tensor):
    layers = {"one": filled(nn.Linear(3, 3)), "two": filled(nn.Linear(3, 2), 0.25)}
    return layers["two"](layers["one"](x))


def case_scaled(x: Tensor):
    class Scaled(nn.Linear):
        def __init__(self, *args, scale=2.0, **kwargs):
            super().__init__(*args, **kwargs)
            self.scale = scale

        def forward(self, x):
            return self.scale * super().forward(x)

    return filled(Scaled(3, 2, bias=True, scale=3.0))(x)


def case_plain_list_in_module(x: Tensor):
    return PlainList()(x)


def case_by_name(x: Tensor):
    return ByName("ReLU")(x)


def case_given_module(x: Tensor):
    def run(module: nn.Module, times):
        y = x
        for _ in range(times):
            y = module(y)
        return y

    return run(filled(nn.Linear(3, 3)), 2)


# unchanged
def case_ordered_dict_of_numbers():
    from collections import OrderedDict

    return list(OrderedDict([("a", 1), ("b", 2)]).values())
