"""Modules that inherit from several classes, and what they inherit."""

import equinox as eqx
import jax
import jax.numpy as jnp
import optax
from torch2jax.runtime.array_ops import device_of
from torch2jax.runtime.batching import batched


class Base(eqx.Module):
    width: int
    fc: eqx.nn.Linear
    scale = 2.0

    def __init__(self, width=3, *, key):
        self.width = width
        self.fc = eqx.nn.Linear(width, width, key=key)
        self.fc = eqx.tree_at(lambda m: m.weight, self.fc, jnp.eye(*self.fc.weight.shape))
        self.fc = eqx.tree_at(lambda m: m.bias, self.fc, jnp.zeros_like(self.fc.bias))

    @property
    def device(self):
        return device_of(self.fc.weight)

    @property
    def size(self):
        return self.width * 2

    def pre(self, x):
        return x * self.scale

    def __call__(self, x):
        return batched(self.fc)(self.pre(x))


class Deeper(Base):
    extra: float
    out: eqx.nn.Linear

    def __init__(self, width=3, extra=1.0, *, key):
        draw_key, out_key = jax.random.split(key)
        super().__init__(width, key=draw_key)
        self.extra = extra
        self.out = eqx.nn.Linear(width, 2, key=out_key)
        self.out = eqx.tree_at(lambda m: m.weight, self.out, jnp.full_like(self.out.weight, 0.5))
        self.out = eqx.tree_at(lambda m: m.bias, self.out, jnp.zeros_like(self.out.bias))

    def __call__(self, x):
        x = super().__call__(x)
        return batched(self.out)(x) + self.extra


class Deepest(Deeper):
    scale = 3.0

    def pre(self, x):
        return super().pre(x) + 1


class NoInit(Base):
    def __call__(self, x):
        return jax.nn.relu(super().__call__(x))


class LossMixin:
    def loss(self, x, y):
        return ((self(x) - y) ** 2).mean()


class Countable:
    def count(self):
        return sum(p.size for p in jax.tree.leaves(eqx.filter(self, eqx.is_inexact_array)))


class WithLoss(LossMixin, Countable, Base):
    pass


class OldStyle(Base):
    bias: jax.Array

    def __init__(self, *args, key, **kwargs):
        super().__init__(*args, **kwargs, key=key)
        self.bias = jnp.ones(self.width)

    def __call__(self, x):
        return super(OldStyle, self).__call__(x) + self.bias


class Abstract(eqx.Module):
    def body(self, x):
        raise NotImplementedError

    def __call__(self, x):
        return self.body(x) + 1


class Concrete(Abstract):
    weight: jax.Array

    def __init__(self):
        super().__init__()
        self.weight = jnp.array([1.0, 2.0, 3.0])

    def body(self, x):
        return x * self.weight


class Static(eqx.Module):
    weight: jax.Array
    names = ("a", "b")

    def __init__(self):
        self.weight = jnp.ones(3)

    @staticmethod
    def double(x):
        return 2 * x

    @classmethod
    def make(cls):
        return cls()

    def __call__(self, x):
        return self.double(x) * self.weight


class Called(eqx.Module):
    inner: Base

    def __init__(self, *, key):
        self.inner = Base(key=key)

    def __call__(self, x):
        return self.inner(x)


def case_base(x: jax.Array, *, key):
    model = Base(key=key)
    return model(x), model.size


def case_deeper(x: jax.Array, *, key):
    return Deeper(extra=0.5, key=key)(x)


def case_deepest(x: jax.Array, *, key):
    return Deepest(key=key)(x)


def case_no_init(x: jax.Array, *, key):
    return NoInit(width=3, key=key)(x)


def case_mixins(x: jax.Array, y: jax.Array, *, key):
    model = WithLoss(key=key)
    return model.loss(x, y), model.count()


def case_old_style(x: jax.Array, *, key):
    return OldStyle(width=3, key=key)(x)


def case_abstract(x: jax.Array):
    return Concrete()(x)


def case_static(x: jax.Array):
    model = Static.make()
    return model(x), Static.double(x), len(model.names)


def case_called_forward(x: jax.Array, *, key):
    return Called(key=key)(x)


def case_class_attribute(x: jax.Array, *, key):
    model = Base(key=key)
    return model.scale, Deepest.scale


@eqx.filter_jit
def train_step(optimizer, model, opt_state, x):
    def loss_fn(model):
        return (model(x) ** 2).mean()

    loss, grads = eqx.filter_value_and_grad(loss_fn)(model)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), opt_state


def case_trained_subclass(x: jax.Array, *, key):
    model = Deeper(key=key)
    optimizer = optax.sgd(0.1)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    for _ in range(2):
        model, opt_state = train_step(optimizer, model, opt_state, x)
    return model.fc.weight, model.out.weight


# unchanged
def case_plain_classes():
    class One:
        def value(self):
            return 1

    class Two(One):
        def value(self):
            return super().value() + 1

    return Two().value()
