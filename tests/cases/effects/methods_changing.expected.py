"""Methods that change their arguments: of plain classes, of modules, static and class methods; initialisers."""

import equinox as eqx
import jax
import jax.numpy as jnp
from torch2jax.runtime.batching import batched
from torch2jax.runtime.buffers import buffer
from torch2jax.runtime.reductions import absolute, clamp


class Counter:
    def __init__(self, start: jax.Array):
        self.total = start
        self.calls = 0

    def count(self, values: jax.Array):
        self.calls += 1
        values += 1
        self.total = self.total + values.sum()
        return values

    def halve(self, values: jax.Array) -> jax.Array:
        values = values / 2
        return values

    @staticmethod
    def clip(values: jax.Array, top: float):
        values = clamp(values, max=top)
        return values, values.max()

    @classmethod
    def negate(cls, values: jax.Array):
        return -values

    def twice(self, values: jax.Array):
        values = self.count(values)
        return self.count(values)

    def __call__(self, values: jax.Array):
        values = absolute(values)
        return values, values.sum()


def case_method(v: jax.Array):
    counter = Counter(jnp.zeros(()))
    y = v
    y = counter.count(y)
    return y, counter.total


def case_method_gives_its_argument(v: jax.Array):
    counter = Counter(jnp.zeros(()))
    y = v
    y = counter.halve(y)
    z = y
    return y, z


def case_static_method(v: jax.Array):
    y = v
    y, most = Counter.clip(y, 0.5)
    return y, most


def case_class_method(v: jax.Array):
    y = v
    y = Counter.negate(y)
    return y


def case_through_methods(v: jax.Array):
    counter = Counter(jnp.zeros(()))
    y = v
    y = counter.twice(y)
    return y, counter.total, counter.calls


def case_call(v: jax.Array):
    counter = Counter(jnp.zeros(()))
    y = v
    y, s = counter(y)
    return y, s


def _shift_(t: jax.Array, by: float):
    return t + by


class Holder:
    def __init__(self, start: jax.Array):
        self.data_ = start

    def shift(self):
        self.data_ = _shift_(self.data_, 1.0)
        self.data_ = self.data_.at[0].set(_shift_(self.data_[0], 5.0))


def case_field_of_object(x: jax.Array):
    holder = Holder(x)
    holder.shift()
    return holder.data_


def case_field_from_outside(x: jax.Array):
    holder = Holder(x)
    holder.data_ = _shift_(holder.data_, 2.0)
    return holder.data_


def constant_(t: jax.Array, value: float = 0.5):
    t = jnp.full_like(t, value)
    return t


def eye_(t: jax.Array) -> jax.Array:
    t = jnp.zeros_like(t)
    t = jnp.fill_diagonal(t, 1.0, inplace=False)
    return t


class Net(eqx.Module):
    weight: jax.Array
    bias: jax.Array
    fc: eqx.nn.Linear
    scale: jax.Array = buffer()

    def __init__(self, *, key):
        self.weight = jnp.empty((3, 3))
        self.bias = jnp.zeros(3)
        self.fc = eqx.nn.Linear(3, 3, key=key)
        self.scale = jnp.ones(3)
        self.bias = constant_(self.bias)
        self.weight = eye_(self.weight)
        self.fc = eqx.tree_at(lambda m: m.weight, self.fc, constant_(self.fc.weight, 0.25))
        part = jax.lax.stop_gradient(self.fc.bias).reshape(1, 3)
        # torch2jax: T2J303 `part` is changed in place and may be shared with `a container, a field or a caller`
        part.copy_(eye_(part))
        self.scale = constant_(self.scale, 2.0)

    def __call__(self, x):
        return batched(self.fc)(x @ self.weight + self.bias) * self.scale


class Initialised(eqx.Module):
    weight: jax.Array
    bias: jax.Array
    fc: eqx.nn.Linear
    scale: jax.Array = buffer()

    def __init__(self, *, key):
        self.weight = jnp.empty((3, 3))
        self.bias = jnp.zeros(3)
        self.fc = eqx.nn.Linear(3, 3, key=key)
        self.scale = jnp.ones(3)
        self.bias = constant_(self.bias)
        self.weight = eye_(self.weight)
        self.fc = eqx.tree_at(lambda m: m.weight, self.fc, constant_(self.fc.weight, 0.25))
        self.fc = eqx.tree_at(lambda m: m.bias, self.fc, constant_(self.fc.bias, 0.1))
        self.scale = constant_(self.scale, 2.0)

    def __call__(self, x):
        return batched(self.fc)(x @ self.weight + self.bias) * self.scale


def case_initialised(x: jax.Array, *, key):
    net = Initialised(key=key)
    return net(x)


class Made(eqx.Module):
    weight: jax.Array

    def __init__(self):
        self.weight = eye_(jnp.empty((3, 3)))

    def __call__(self, x):
        return x @ self.weight


def case_made(x: jax.Array):
    return Made()(x)


class Block(eqx.Module):
    norm: eqx.nn.LayerNorm

    def __init__(self):
        self.norm = eqx.nn.LayerNorm(3)

    def __call__(self, x):
        x += 1
        return batched(self.norm)(x)

    def masked(self, scores: jax.Array, mask: jax.Array):
        scores = jnp.where(mask, -1e9, scores)
        return scores, jax.nn.softmax(scores, axis=-1)


class Blocks(eqx.Module):
    first: Block
    second: Block

    def __init__(self):
        self.first = Block()
        self.second = Block()

    def __call__(self, x: jax.Array, mask: jax.Array):
        x = self.first(x * 2)
        x = self.second(x)
        scores = x + 1
        scores, weights = self.first.masked(scores, mask)
        return weights, scores


def case_blocks(x: jax.Array, mask: jax.Array):
    return Blocks()(x, mask)


class Block2(eqx.Module):
    def __call__(self, x):
        # torch2jax: T2J300 `forward` changes its argument `x` in place, and its callers would not see the change
        x += 1  # T2J300
        return x * 3


class Looks(eqx.Module):
    block: Block2

    def __init__(self):
        self.block = Block2()

    def __call__(self, x: jax.Array):
        y = x * 2
        return self.block(y) + y
