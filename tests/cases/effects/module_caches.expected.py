"""Caches of modules: keys and values at positions, growing ones, what is kept for a later look, fields made late."""

import equinox as eqx
import jax
import jax.numpy as jnp
from torch2jax.runtime.buffers import buffer, unregistered
from torch2jax.runtime.module_state import set_state


class KVCache(eqx.Module):
    k: eqx.nn.StateIndex = buffer(persistent=False)
    v: eqx.nn.StateIndex = buffer(persistent=False)

    def __init__(self, batch, length, dim):
        self.k = eqx.nn.StateIndex(jnp.zeros((batch, length, dim)))
        self.v = eqx.nn.StateIndex(jnp.zeros((batch, length, dim)))

    def update(self, position: int, state, k: jax.Array, v: jax.Array):
        state = state.set(self.k, state.get(self.k).at[:, position].set(k))
        state = state.set(self.v, state.get(self.v).at[:, position].set(v))
        return (state.get(self.k)[:, : position + 1], state.get(self.v)[:, : position + 1]), state


def case_kv_cache(x: jax.Array, y: jax.Array):
    cache, state = eqx.nn.make_with_state(KVCache)(2, 4, 3)
    (k0, v0), state = cache.update(0, state, x, y)
    (k1, v1), state = cache.update(1, state, y, x)
    return k0, v0, k1, v1, state.get(cache.k)


class Attention(eqx.nn.StatefulLayer):
    dim: int
    cache: KVCache

    def __init__(self, dim, length):
        self.dim = dim
        self.cache = KVCache(2, length, dim)

    def __call__(self, x: jax.Array, state, position: int) -> tuple[jax.Array, eqx.nn.State]:
        (k, v), state = self.cache.update(position, state, x, 2 * x)
        weights = jax.nn.softmax(jnp.einsum("bd,bld->bl", x, k) / self.dim**0.5, axis=-1)
        return jnp.einsum("bl,bld->bd", weights, v), state


class Decoder(eqx.nn.StatefulLayer):
    layers: list[Attention]

    def __init__(self, dim, length, depth=2):
        self.layers = [Attention(dim, length) for _ in range(depth)]

    def __call__(self, x, state, position):
        for layer in self.layers:
            out, state = layer(x, state, position)
            x = x + out
        return x, state


def case_decoder(x, y):
    model, state = eqx.nn.make_with_state(Decoder)(3, 4)
    outs = []
    for position in range(3):
        out, state = model(x if position % 2 == 0 else y, state, position)
        outs.append(out)
    return jnp.stack(outs), state.get(model.layers[0].cache.k)


class InnerCache(eqx.nn.StatefulLayer):
    """A module that writes to the fields of one that it holds."""

    cache: KVCache

    def __init__(self):
        self.cache = KVCache(2, 4, 3)

    def __call__(self, x, state, position: int):
        state = state.set(self.cache.k, state.get(self.cache.k).at[:, position].set(x))
        state = state.set(self.cache.v, state.get(self.cache.v).at[:, position].add(x))
        return state.get(self.cache.k).sum(axis=1) + state.get(self.cache.v).sum(axis=1), state


def case_written_from_the_module_around(x):
    model, state = eqx.nn.make_with_state(InnerCache)()
    out, state = model(x, state, 0)
    out_1, state = model(x, state, 2)
    return out, out_1, state.get(model.cache.v)


class Growing(eqx.nn.StatefulLayer):
    past: eqx.nn.StateIndex = unregistered()

    def __init__(self):
        self.past = eqx.nn.StateIndex(None)

    def __call__(self, x, state):
        if state.get(self.past) is None:
            state = set_state(state, self.past, x[:, None])
        else:
            state = set_state(state, self.past, jnp.concatenate([state.get(self.past), x[:, None]], axis=1))
        return state.get(self.past).sum(axis=1), state

    def reset(self, state):
        state = set_state(state, self.past, None)
        return state


def case_growing(x, y):
    model, state = eqx.nn.make_with_state(Growing)()
    out, state = model(x, state)
    out_1, state = model(y, state)
    a, b = out, out_1
    shape = state.get(model.past).shape
    state = model.reset(state)
    y, state = model(y, state)
    return a, b, shape, y, state.get(model.past)


class Inspected(eqx.nn.StatefulLayer):
    last_attn: eqx.nn.StateIndex = unregistered()

    def __init__(self):
        self.last_attn = eqx.nn.StateIndex(None)

    def __call__(self, x, state):
        attn = jax.nn.softmax(x @ x.T, axis=-1)
        state = set_state(state, self.last_attn, attn)
        return attn @ x, state


def case_inspected(x, y):
    model, state = eqx.nn.make_with_state(Inspected)()
    _, state = model(x, state)
    out, state = model(y, state)
    return out, state.get(model.last_attn)


class Late(eqx.nn.StatefulLayer):
    """A field that no method sets before forward does."""

    scale: float
    features: eqx.nn.StateIndex = unregistered()

    def __init__(self):
        self.scale = 2.0
        self.features = eqx.nn.StateIndex(None)

    def __call__(self, x, state):
        state = set_state(state, self.features, x * self.scale)
        return state.get(self.features).sum(), state


def case_late(x):
    model, state = eqx.nn.make_with_state(Late)()
    out, state = model(x, state)
    return out, state.get(model.features)


class Lazy(eqx.nn.StatefulLayer):
    mask: eqx.nn.StateIndex = unregistered()

    def __init__(self):
        self.mask = eqx.nn.StateIndex(None)

    def __call__(self, x, state):
        if state.get(self.mask) is None or state.get(self.mask).shape[0] != x.shape[0]:
            state = set_state(state, self.mask, jnp.tril(jnp.ones((x.shape[0], x.shape[0]))))
        return state.get(self.mask) @ x, state


def case_lazy_mask(x, square):
    model, state = eqx.nn.make_with_state(Lazy)()
    out, state = model(x, state)
    out_1, state = model(x, state)
    square, state = model(square, state)
    return out, out_1, square, state.get(model.mask)


class Rotary(eqx.nn.StatefulLayer):
    inv_freq: jax.Array = buffer(persistent=False)
    seq_len_cached: eqx.nn.StateIndex = unregistered()
    cos_cached: eqx.nn.StateIndex = unregistered()
    sin_cached: eqx.nn.StateIndex = unregistered()

    def __init__(self, dim):
        inv_freq = 1.0 / (10000 ** (jnp.arange(0, dim, 2).astype(jnp.float32) / dim))
        self.inv_freq = inv_freq
        self.seq_len_cached = eqx.nn.StateIndex(0)
        self.cos_cached = eqx.nn.StateIndex(None)
        self.sin_cached = eqx.nn.StateIndex(None)

    def _update(self, length: int, state):
        if length > state.get(self.seq_len_cached):
            state = state.set(self.seq_len_cached, length)
            t = jnp.arange(length).astype(jnp.float32)
            freqs = jnp.outer(t, self.inv_freq)
            state = set_state(state, self.cos_cached, jnp.cos(freqs))
            state = set_state(state, self.sin_cached, jnp.sin(freqs))
        return state

    def __call__(self, x: jax.Array, state):
        state = self._update(x.shape[1], state)
        return (state.get(self.cos_cached)[: x.shape[1]], state.get(self.sin_cached)[: x.shape[1]]), state


def case_rotary(batch, x):
    rotary, state = eqx.nn.make_with_state(Rotary)(4)
    a, state = rotary(batch, state)
    b, state = rotary(batch[:, :2], state)
    return a, b, state.get(rotary.seq_len_cached).item()


class Recurrent(eqx.nn.StatefulLayer):
    hidden: int
    state: eqx.nn.StateIndex = unregistered()

    def __init__(self, hidden):
        self.hidden = hidden
        self.state = eqx.nn.StateIndex(None)

    def __call__(self, x, state):
        if state.get(self.state) is None:
            state = set_state(state, self.state, (jnp.zeros((x.shape[0], self.hidden)), jnp.ones((x.shape[0], self.hidden))))
        h, c = state.get(self.state)
        h = jnp.tanh(x + h)
        c = c * 0.5 + h
        state = set_state(state, self.state, (h, c))
        return h + c, state


def case_recurrent(x, y):
    model, state = eqx.nn.make_with_state(Recurrent)(3)
    x, state = model(x, state)
    y, state = model(y, state)
    return x, y, state.get(model.state)[0]


class HiddenState(eqx.nn.StatefulLayer):
    h: eqx.nn.StateIndex = unregistered()
    c: eqx.nn.StateIndex = unregistered()

    def __init__(self):
        batch = 2
        self.h = eqx.nn.StateIndex(jnp.zeros((batch, 3)))
        self.c = eqx.nn.StateIndex(jnp.ones((batch, 3)))

    def reset_state(self, batch: int, state):
        state = set_state(state, self.h, jnp.zeros((batch, 3)))
        state = set_state(state, self.c, jnp.ones((batch, 3)))
        return state

    def __call__(self, x, state):
        h_1, c_1 = jnp.tanh(x + state.get(self.h)), state.get(self.c) * 0.5 + x
        state = set_state(state, self.h, h_1)
        state = set_state(state, self.c, c_1)
        return state.get(self.h) * state.get(self.c), state


def case_reset_in_init(x, y):
    model, state = eqx.nn.make_with_state(HiddenState)()
    a, state = model(x, state)
    state = model.reset_state(2, state)
    y, state = model(y, state)
    return a, y, state.get(model.h)


class Queue(eqx.nn.StatefulLayer):
    """A queue of negatives, as in MoCo."""

    size: int
    queue: eqx.nn.StateIndex
    pointer: eqx.nn.StateIndex

    def __init__(self, dim, size):
        self.size = size
        self.queue = eqx.nn.StateIndex(jnp.zeros((dim, size)))
        self.pointer = eqx.nn.StateIndex(jnp.zeros(1, dtype=int))

    def enqueue(self, keys, state):
        n = keys.shape[0]
        start = int(state.get(self.pointer).item())
        state = state.set(self.queue, jax.lax.stop_gradient(state.get(self.queue).at[:, start : start + n].set(keys.T)))
        state = state.set(self.pointer, jax.lax.stop_gradient(state.get(self.pointer).at[0].set((start + n) % self.size)))
        return state

    def __call__(self, q, state, k):
        logits = q @ jax.lax.stop_gradient(state.get(self.queue))
        state = self.enqueue(k, state)
        return logits, state


def case_queue(x, y):
    model, state = eqx.nn.make_with_state(Queue)(3, 6)
    a, state = model(x, state, y)
    b, state = model(y, state, x)
    c, state = model(x, state, x)
    return a, b, c, state.get(model.queue), state.get(model.pointer)
