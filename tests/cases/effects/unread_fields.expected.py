"""Fields that nobody reads are left out; those that may be read are state."""

import equinox as eqx
import jax
import jax.numpy as jnp
import optax
from torch2jax.runtime.batching import batched
from torch2jax.runtime.buffers import unregistered
from torch2jax.runtime.checkpoints import state_dict
from torch2jax.runtime.module_state import set_state
from torch2jax.runtime.parameters import map_parameters
from torch2jax.runtime.reductions import norm


def attend(q, k, v):
    weights = jax.nn.softmax(q @ k.swapaxes(-2, -1), axis=-1)
    return weights @ v, weights


class Attention(eqx.Module):
    q: eqx.nn.Linear

    def __init__(self, *, key):
        self.q = eqx.nn.Linear(3, 3, key=key)

    def __call__(self, x):
        q = batched(self.q)(x)
        x, _ = attend(q, q, x)
        last = norm(x)
        return x * last


class Kept(eqx.nn.StatefulLayer):
    """Each of its fields is read in a way of its own."""

    total: eqx.nn.StateIndex = unregistered()
    named: eqx.nn.StateIndex = unregistered()
    seen: eqx.nn.StateIndex = unregistered()

    def __init__(self):
        self.total = eqx.nn.StateIndex(0.0)
        self.named = eqx.nn.StateIndex(0)
        self.seen = eqx.nn.StateIndex(jnp.zeros(()))

    def __call__(self, x, state):
        state = set_state(state, self.total, state.get(self.total) + x.sum())
        state = state.set(self.named, 3)
        state = set_state(state, self.seen, x.mean())
        return x + 1, state


class Around(eqx.nn.StatefulLayer):
    kept: Kept
    inner: eqx.nn.Linear
    chosen: eqx.nn.StateIndex = unregistered()

    def __init__(self, *, key):
        self.kept = Kept()
        self.inner = eqx.nn.Linear(3, 3, key=key)
        self.chosen = eqx.nn.StateIndex(None)

    def __call__(self, x, state):
        state = set_state(state, self.chosen, batched(self.inner)(x))
        x, state = self.kept(x, state)
        return x + self.peek(state), state

    def peek(self, state):
        return state.get(self.chosen).sum()


def filled(model):
    model = map_parameters(lambda p: jnp.full_like(p, 0.1), model)
    return model


def case_unread(x: jax.Array, *, key):
    model_key, model_key_1 = jax.random.split(key)
    model = filled(eqx.nn.Sequential([Attention(key=model_key), Attention(key=model_key_1)]))
    return batched(model)(x), len(state_dict(model))


def case_read(x: jax.Array, *, key):
    model, state = eqx.nn.make_with_state(Around)(key=key)
    model = filled(model)
    y, state = model(x, state)
    y, state = model(y, state)
    return y, state.get(model.kept.total), state.get(model.kept.named).item(), state.get(model.kept.seen)


@eqx.filter_jit
def train_step(optimizer, model, opt_state, x):
    def loss_fn(model):
        return (batched(model)(x) ** 2).mean()

    loss, grads = eqx.filter_value_and_grad(loss_fn)(model)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), opt_state, loss


def case_trained(x: jax.Array, *, key):
    model_key, model_key_1 = jax.random.split(key)
    model = filled(eqx.nn.Sequential([Attention(key=model_key), eqx.nn.Linear(3, 1, key=model_key_1)]))
    optimizer = optax.sgd(0.1)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    losses = []
    for _ in range(3):
        model, opt_state, loss = train_step(optimizer, model, opt_state, x)
        losses.append(loss.item())
    return losses


class Recurrent(eqx.Module):
    start: float

    def __init__(self):
        self.start = 0.5

    def __call__(self, x):
        return x + self.start


def drawn():
    return jnp.ones(2)


def case_set_from_outside(x: jax.Array):
    net = Recurrent()
    drawn()
    net = eqx.tree_at(lambda m: m.start, net, 1.0)
    return net(x)
