"""Modules made by factories, kept in containers, and handed arguments on."""

import math
from collections import OrderedDict
from functools import partial

import equinox as eqx
import jax
import jax.numpy as jnp
from torch2jax.runtime.activations import PReLU, hardshrink, hardsigmoid, hardswish, hardtanh, leaky_relu, softshrink
from torch2jax.runtime.batching import batched
from torch2jax.runtime.initializers import apply_init, kaiming_uniform, with_init
from torch2jax.runtime.layers_extra import tanhshrink
from torch2jax.runtime.sequences import NamedSequential


def filled(layer, value=0.5):
    layer = eqx.tree_at(lambda m: m.weight, layer, jnp.full_like(layer.weight, value))
    layer = eqx.tree_at(lambda m: m.bias, layer, jnp.full_like(layer.bias, 0.1))
    return layer


def block(width_in, width_out, act=partial(eqx.nn.Lambda, jax.nn.relu), *, key):
    return eqx.nn.Sequential([eqx.nn.Linear(width_in, width_out, key=key), act()])


class LinearBase(eqx.Module):
    """nn.Linear as a base class."""

    in_features: int
    out_features: int
    weight: jax.Array
    bias: jax.Array

    def __init__(self, in_features, out_features, bias=True, device=None, dtype=None, *, key):
        self.in_features = in_features
        self.out_features = out_features
        self.weight = jnp.empty((out_features, in_features), dtype=dtype)
        self.bias = jnp.empty(out_features, dtype=dtype) if bias else None
        self.reset_parameters(key=key)

    def reset_parameters(self, *, key):
        kaiming_uniform_key, uniform_key = jax.random.split(key)
        self.weight = kaiming_uniform(kaiming_uniform_key, self.weight.shape, a=math.sqrt(5))
        if self.bias is not None:
            bound = 1 / math.sqrt(self.in_features)
            self.bias = jax.random.uniform(uniform_key, self.bias.shape, minval=-bound, maxval=bound)

    def __call__(self, input):
        output = input @ self.weight.T
        return output if self.bias is None else output + self.bias


def fill(module):
    if isinstance(module, (eqx.nn.Linear, LinearBase)):
        module = eqx.tree_at(lambda m: m.weight, module, jnp.full_like(module.weight, 0.5))
        module = eqx.tree_at(lambda m: m.bias, module, jnp.full_like(module.bias, 0.25))
    return module


class Named(eqx.Module):
    net: eqx.nn.Sequential

    def __init__(self, *, key):
        net_key, net_key_1 = jax.random.split(key)
        self.net = NamedSequential(OrderedDict([("fc1", eqx.nn.Linear(3, 4, key=net_key)), ("relu", eqx.nn.Lambda(jax.nn.relu)), ("fc2", eqx.nn.Linear(4, 2, key=net_key_1))]))
        self.net = with_init(self.net, fill)

    def __call__(self, x):
        return batched(self.net)(x)


class NamedByDict(eqx.Module):
    net: eqx.nn.Sequential

    def __init__(self, width, *, key):
        linear_key, linear_key_1 = jax.random.split(key)
        layers = OrderedDict()
        layers["fc1"] = eqx.nn.Linear(3, width, key=linear_key)
        layers["act"] = eqx.nn.Lambda(jnp.tanh)
        layers["fc2"] = eqx.nn.Linear(width, 2, key=linear_key_1)
        self.net = NamedSequential(layers)
        apply_init(self, fill)

    def __call__(self, x):
        return batched(self.net)(x)


class Added(eqx.Module):
    net: eqx.nn.Sequential

    def __init__(self, depth, *, key):
        layers = {}
        for i in range(depth):
            key, subkey = jax.random.split(key)
            layers[f"fc{i}"] = eqx.nn.Linear(3, 3, key=subkey)
        self.net = NamedSequential(layers)
        apply_init(self, fill)

    def __call__(self, x):
        return batched(self.net)(x)


class Sliced(eqx.Module):
    net: eqx.nn.Sequential

    def __init__(self, *, key):
        net_key, net_key_1 = jax.random.split(key)
        self.net = eqx.nn.Sequential([eqx.nn.Linear(3, 4, key=net_key), eqx.nn.Lambda(jax.nn.relu), eqx.nn.Linear(4, 2, key=net_key_1)])
        apply_init(self, fill)

    def __call__(self, x):
        features = batched(self.net[:-1])(x)
        return batched(self.net[-1])(features), features


class Heads(eqx.Module):
    heads: dict
    acts: dict

    def __init__(self, *, key):
        heads_key, heads_key_1 = jax.random.split(key)
        self.heads = OrderedDict({"a": eqx.nn.Linear(3, 2, key=heads_key), "b": eqx.nn.Linear(3, 1, key=heads_key_1)})
        self.acts = OrderedDict([["relu", eqx.nn.Lambda(jax.nn.relu)], ["tanh", eqx.nn.Lambda(jnp.tanh)]])
        apply_init(self, fill)

    def __call__(self, x, name):
        return self.acts["relu"](batched(self.heads[name])(x))

    def all(self, x):
        return {name: batched(head)(x) for name, head in self.heads.items()}


class Wrapper(eqx.Module):
    inner: eqx.nn.Linear
    scale: float

    def __init__(self, inner, scale=1.0):
        self.inner = inner
        self.scale = scale

    def __call__(self, *args, **kwargs):
        return self.scale * batched(self.inner)(*args, **kwargs)


class Residual(eqx.Module):
    fn: eqx.Module

    def __init__(self, fn):
        self.fn = fn

    def __call__(self, x, **kwargs):
        return self.fn(x, **kwargs) + x


class PreNorm(eqx.Module):
    norm: eqx.nn.LayerNorm
    fn: eqx.Module

    def __init__(self, dim, fn):
        self.norm = eqx.nn.LayerNorm(dim)
        self.fn = fn

    def __call__(self, x, **kwargs):
        return self.fn(batched(self.norm)(x), **kwargs)


class MLP(eqx.Module):
    fc1: eqx.nn.Linear
    act: eqx.Module
    norm: eqx.Module
    fc2: eqx.nn.Linear

    def __init__(self, dim, hidden, act_layer=partial(eqx.nn.Lambda, partial(jax.nn.gelu, approximate=False)), norm_layer=None, *, key):
        fc1_key, fc2_key = jax.random.split(key)
        self.fc1 = eqx.nn.Linear(dim, hidden, key=fc1_key)
        self.act = act_layer()
        self.norm = norm_layer(hidden) if norm_layer is not None else eqx.nn.Identity()
        self.fc2 = eqx.nn.Linear(hidden, dim, key=fc2_key)
        apply_init(self, fill)

    def __call__(self, x):
        return batched(self.fc2)(batched(self.norm)(self.act(batched(self.fc1)(x))))


class PlainList(eqx.Module):
    layers: list[eqx.nn.Linear]

    def __init__(self, *, key):
        # torch2jax: T2J601 `layers` of module `PlainList` is made in a way that cannot be followed
        self.layers = [eqx.nn.Linear(3, 3, key=key)]  # T2J601

    def __call__(self, x):
        return batched(self.layers[0])(x)


ACTIVATIONS = {
    "ReLU": partial(eqx.nn.Lambda, jax.nn.relu),
    "ReLU6": partial(eqx.nn.Lambda, partial(hardtanh, min_val=0.0, max_val=6.0)),
    "SELU": partial(eqx.nn.Lambda, jax.nn.selu),
    "SiLU": partial(eqx.nn.Lambda, jax.nn.silu),
    "Mish": partial(eqx.nn.Lambda, jax.nn.mish),
    "Sigmoid": partial(eqx.nn.Lambda, jax.nn.sigmoid),
    "LogSigmoid": partial(eqx.nn.Lambda, jax.nn.log_sigmoid),
    "Tanh": partial(eqx.nn.Lambda, jnp.tanh),
    "Hardswish": partial(eqx.nn.Lambda, hardswish),
    "Hardsigmoid": partial(eqx.nn.Lambda, hardsigmoid),
    "Softsign": partial(eqx.nn.Lambda, jax.nn.soft_sign),
    "Tanhshrink": partial(eqx.nn.Lambda, tanhshrink),
    "Identity": eqx.nn.Identity,
    "ELU": partial(eqx.nn.Lambda, jax.nn.elu),
    "CELU": partial(eqx.nn.Lambda, jax.nn.celu),
    "GELU": partial(eqx.nn.Lambda, partial(jax.nn.gelu, approximate=False)),
    "LeakyReLU": partial(eqx.nn.Lambda, leaky_relu),
    "PReLU": PReLU,
    "Softplus": partial(eqx.nn.Lambda, jax.nn.softplus),
    "Hardtanh": partial(eqx.nn.Lambda, hardtanh),
    "Softshrink": partial(eqx.nn.Lambda, softshrink),
    "Hardshrink": partial(eqx.nn.Lambda, hardshrink),
}


class ByName(eqx.Module):
    act: eqx.Module

    def __init__(self, name):
        self.act = ACTIVATIONS[name]()

    def __call__(self, x):
        # torch2jax: T2J300 `forward` changes its argument `x` in place, and its callers would not see the change
        return self.act(x)  # T2J300


def case_named(x: jax.Array, *, key):
    return Named(key=key)(x)


def case_named_by_dict(x: jax.Array, *, key):
    return NamedByDict(4, key=key)(x)


def case_added(x: jax.Array, *, key):
    return Added(2, key=key)(x)


def case_sliced(x: jax.Array, *, key):
    return Sliced(key=key)(x)


def case_heads(x: jax.Array, *, key):
    model = Heads(key=key)
    return model(x, "a"), model(x, name="b"), model.all(x)


def case_wrapper(x: jax.Array, *, key):
    return Wrapper(filled(eqx.nn.Linear(3, 2, key=key)), scale=3.0)(x)


def case_residual(x: jax.Array, *, key):
    return Residual(PreNorm(3, MLP(3, 5, key=key)))(x)


def case_factory(x: jax.Array, *, key):
    net = block(3, 4, partial(eqx.nn.Lambda, jnp.tanh), key=key)
    net = with_init(net, fill)
    return batched(net)(x)


def case_layers_as_arguments(x: jax.Array, *, key):
    net = MLP(3, 4, act_layer=partial(eqx.nn.Lambda, jax.nn.relu), norm_layer=partial(eqx.nn.LayerNorm, eps=1e-6), key=key)
    return net(x)


def case_starred_layers(x: jax.Array, *, key):
    layers = []
    for width in (3, 3):
        key, subkey = jax.random.split(key)
        layers += [eqx.nn.Linear(3, width, key=subkey), eqx.nn.Lambda(jax.nn.relu)]
    key, subkey = jax.random.split(key)
    net = eqx.nn.Sequential([*layers, eqx.nn.Linear(3, 1, key=subkey)])
    net = with_init(net, fill)
    return batched(net)(x)


def case_in_a_plain_list(x: jax.Array, *, key):
    layers_key, layers_key_1 = jax.random.split(key)
    layers = [filled(eqx.nn.Linear(3, 3, key=layers_key)), filled(eqx.nn.Linear(3, 3, key=layers_key_1), 0.25)]
    for layer in layers:
        x = jax.nn.relu(batched(layer)(x))
    return x


def case_in_a_dict(x: jax.Array, *, key):
    layers_key, layers_key_1 = jax.random.split(key)
    layers = {"one": filled(eqx.nn.Linear(3, 3, key=layers_key)), "two": filled(eqx.nn.Linear(3, 2, key=layers_key_1), 0.25)}
    return batched(layers["two"])(batched(layers["one"])(x))


def case_scaled(x: jax.Array, *, key):
    class Scaled(LinearBase):
        scale: float

        def __init__(self, *args, scale=2.0, key, **kwargs):
            super().__init__(*args, **kwargs, key=key)
            self.scale = scale

        def __call__(self, x):
            return self.scale * super().__call__(x)

    return filled(Scaled(3, 2, bias=True, scale=3.0, key=key))(x)


def case_plain_list_in_module(x: jax.Array, *, key):
    return PlainList(key=key)(x)


def case_by_name(x: jax.Array):
    return ByName("ReLU")(x)


def case_given_module(x: jax.Array, *, key):
    def run(module: eqx.Module, times):
        y = x
        for _ in range(times):
            y = batched(module)(y)
        return y

    return run(filled(eqx.nn.Linear(3, 3, key=key)), 2)


# unchanged
def case_ordered_dict_of_numbers():
    from collections import OrderedDict

    return list(OrderedDict([("a", 1), ("b", 2)]).values())
