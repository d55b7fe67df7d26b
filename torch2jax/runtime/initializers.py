"""torch.nn.init as functions of a key and a shape, and torch's `module.apply(init)`."""

import inspect
import math

import equinox as eqx
import jax
import jax.numpy as jnp


def calculate_gain(nonlinearity, param=None):
    """torch.nn.init.calculate_gain."""
    match nonlinearity:
        case "tanh":
            return 5 / 3
        case "relu":
            return math.sqrt(2)
        case "leaky_relu":
            return math.sqrt(2 / (1 + (0.01 if param is None else param) ** 2))
        case "selu":
            return 3 / 4
    return 1.0


def fan_in_and_out(shape):
    """torch's fans of a weight (out, in, ...)."""
    receptive = math.prod(shape[2:])
    return shape[1] * receptive, shape[0] * receptive


def kaiming_std(shape, a, mode, nonlinearity):
    """The standard deviation of torch's kaiming initialisers."""
    fan = fan_in_and_out(shape)[0 if mode == "fan_in" else 1]
    return calculate_gain(nonlinearity, a) / math.sqrt(fan)


def kaiming_uniform(key, shape, a=0.0, mode="fan_in", nonlinearity="leaky_relu", dtype=jnp.float32):
    """torch.nn.init.kaiming_uniform_."""
    bound = math.sqrt(3) * kaiming_std(shape, a, mode, nonlinearity)
    return jax.random.uniform(key, shape, dtype, -bound, bound)


def kaiming_normal(key, shape, a=0.0, mode="fan_in", nonlinearity="leaky_relu", dtype=jnp.float32):
    """torch.nn.init.kaiming_normal_."""
    return kaiming_std(shape, a, mode, nonlinearity) * jax.random.normal(key, shape, dtype)


def xavier_uniform(key, shape, gain=1.0, dtype=jnp.float32):
    """torch.nn.init.xavier_uniform_."""
    bound = gain * math.sqrt(6 / sum(fan_in_and_out(shape)))
    return jax.random.uniform(key, shape, dtype, -bound, bound)


def xavier_normal(key, shape, gain=1.0, dtype=jnp.float32):
    """torch.nn.init.xavier_normal_."""
    return gain * math.sqrt(2 / sum(fan_in_and_out(shape))) * jax.random.normal(key, shape, dtype)


def trunc_normal(key, shape, mean=0.0, std=1.0, a=-2.0, b=2.0, dtype=jnp.float32):
    """torch.nn.init.trunc_normal_: the bounds `a` and `b` are values, not standard deviations."""
    return mean + std * jax.random.truncated_normal(key, (a - mean) / std, (b - mean) / std, shape, dtype)


def orthogonal(key, shape, gain=1.0, dtype=jnp.float32):
    """torch.nn.init.orthogonal_: orthonormal rows or columns of the weight flattened to two axes."""
    rows, columns = shape[0], math.prod(shape[1:])
    return jax.nn.initializers.orthogonal(gain)(key, (rows, columns), dtype).reshape(shape)


def eye_kernel(shape, groups=1, dtype=jnp.float32):
    """torch.nn.init.dirac_: the kernel (out, in, ...) of a convolution that keeps its input channels."""
    out = shape[0] // groups
    index = jnp.arange(groups)[:, None] * out + jnp.arange(min(out, shape[1]))
    middle = tuple(size // 2 for size in shape[2:])
    return jnp.zeros(shape, dtype).at[(index, jnp.arange(min(out, shape[1])), *middle)].set(1)


class LayerVisitor:
    """Replaces the layers of a model as torch's `module.apply(init)` does: children first, tied arrays stay tied."""

    def __init__(self, init, key):
        self.init, self.key, self.renewed = init, key, {}

    def visit(self, layer):
        """`init(layer)` or `init(layer, key=...)`, remembering which array replaced which.

        A layer whose weight is computed from other parameters has `plain` and `with_plain`: `init` is given the plain one."""
        if hasattr(layer, "with_plain"):
            return layer.with_plain(self.visit(layer.plain()))
        kwargs = {}
        if self.key is not None and "key" in inspect.signature(self.init).parameters:
            self.key, kwargs["key"] = jax.random.split(self.key)
        new = self.init(layer, **kwargs)
        if new is None:
            return layer  # the function only looks at it
        old_arrays, new_arrays = (jax.tree.leaves(eqx.filter(x, eqx.is_array)) for x in (layer, new))
        for before, after in zip(old_arrays, new_arrays):
            if before is not after:
                self.renewed[id(before)] = before, after
        return new

    def visit_children(self, tree):
        """`tree` with every layer below it visited."""
        if hasattr(tree, "with_plain"):
            return tree
        is_layer = lambda x: isinstance(x, eqx.Module) and not isinstance(x, eqx.nn.StateIndex) and x is not tree
        visit = lambda x: self.visit(self.visit_children(x)) if is_layer(x) else self.latest(x)
        return jax.tree.map(visit, tree, is_leaf=is_layer)

    def latest(self, leaf):
        """The array that replaced `leaf`, or `leaf`."""
        while id(leaf) in self.renewed:
            leaf = self.renewed[id(leaf)][1]
        return leaf


def apply_init(module, init, *, key=None):
    """torch's `self.apply(init)` inside `__init__`: replace each layer below `module` by `init(layer[, key=...])`."""
    visitor = LayerVisitor(init, key)
    for name, value in list(vars(module).items()):
        setattr(module, name, visitor.visit_children([value])[0])
    for name, value in vars(visitor.visit(module)).items():
        setattr(module, name, jax.tree.map(visitor.latest, value))


def with_init(module, init, *, key=None):
    """torch's `module.apply(init)` on a finished model: each layer replaced by `init(layer[, key=...])`."""
    visitor = LayerVisitor(init, key)
    return jax.tree.map(visitor.latest, visitor.visit(visitor.visit_children(module)))
