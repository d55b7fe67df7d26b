"""Buffers that forward and other methods of a module change: running statistics, codebooks, averages, amounts seen."""

import equinox as eqx
import jax
import jax.numpy as jnp
import optax
from torch2jax.runtime.batching import batched
from torch2jax.runtime.buffers import unregistered
from torch2jax.runtime.indexing import index_add
from torch2jax.runtime.losses import mse_loss
from torch2jax.runtime.module_state import set_state
from torch2jax.runtime.reductions import absolute


class RunningMean(eqx.nn.StatefulLayer):
    """Subtracts a running mean."""

    momentum: float
    running_mean: eqx.nn.StateIndex
    num_batches: eqx.nn.StateIndex
    inference: bool

    def __init__(self, size: int, momentum: float = 0.1):
        self.momentum = momentum
        self.running_mean = eqx.nn.StateIndex(jnp.zeros(size))
        self.num_batches = eqx.nn.StateIndex(jnp.array(0, int))
        self.inference = False

    def __call__(self, x: jax.Array, state) -> tuple[jax.Array, eqx.nn.State]:
        if not self.inference:
            state = state.set(self.running_mean, jax.lax.stop_gradient((1 - self.momentum) * state.get(self.running_mean) + self.momentum * x.mean(axis=0)))
            state = state.set(self.num_batches, jax.lax.stop_gradient(state.get(self.num_batches) + 1))
        return x - state.get(self.running_mean), state

    def reset(self, state):
        state = state.set(self.running_mean, jnp.zeros_like(state.get(self.running_mean)))
        state = state.set(self.num_batches, jnp.full_like(state.get(self.num_batches), 0))
        return state


def case_running_mean(x: jax.Array, y: jax.Array):
    model, state = eqx.nn.make_with_state(RunningMean)(3)
    a, state = model(x, state)
    b, state = model(y, state)
    model = eqx.nn.inference_mode(model)
    c, state = model(x, state)
    return a, b, c, state.get(model.running_mean), state.get(model.num_batches)


def case_reset(x: jax.Array):
    model, state = eqx.nn.make_with_state(RunningMean)(3)
    a, state = model(x, state)
    state = model.reset(state)
    model = eqx.nn.inference_mode(model)
    x, state = model(x, state)
    return a, x, state.get(model.num_batches)


class InPlace(eqx.nn.StatefulLayer):
    mean: eqx.nn.StateIndex
    var: eqx.nn.StateIndex
    inference: bool

    def __init__(self, size):
        self.mean = eqx.nn.StateIndex(jnp.zeros(size))
        self.var = eqx.nn.StateIndex(jnp.ones(size))
        self.inference = False

    def __call__(self, x, state):
        if not self.inference:
            state = state.set(self.mean, state.get(self.mean) * 0.9 + 0.1 * x.mean(axis=0))
            state = state.set(self.var, state.get(self.var) + 0.1 * (x.var(axis=0, ddof=1) - state.get(self.var)))
        return (x - state.get(self.mean)) / jnp.sqrt(state.get(self.var) + 1e-5), state


def case_in_place(x, y):
    model, state = eqx.nn.make_with_state(InPlace)(3)
    first, state = model(x, state)
    second, state = model(y, state)
    return first, second, state.get(model.mean), state.get(model.var)


class Copied(eqx.nn.StatefulLayer):
    center: eqx.nn.StateIndex

    def __init__(self):
        self.center = eqx.nn.StateIndex(jnp.zeros((1, 3)))

    def update_center(self, teacher, state):
        batch_center = jnp.sum(teacher, axis=0, keepdims=True) / len(teacher)
        state = state.set(self.center, jax.lax.stop_gradient(state.get(self.center) * 0.9 + batch_center * 0.1))
        return state

    def __call__(self, student, state, teacher):
        target = jax.lax.stop_gradient(jax.nn.softmax((teacher - state.get(self.center)) / 0.04, axis=-1))
        loss = jnp.sum(-target * jax.nn.log_softmax(student, axis=-1), axis=-1).mean()
        state = self.update_center(teacher, state)
        return loss, state


def case_dino_center(x, y):
    criterion, state = eqx.nn.make_with_state(Copied)()
    a, state = criterion(x, state, y)
    b, state = criterion(y, state, x)
    return a, b, state.get(criterion.center)


class Nested(eqx.nn.StatefulLayer):
    norm: RunningMean
    scale: jax.Array

    def __init__(self):
        self.norm = RunningMean(3)
        self.scale = jnp.full((3,), 2.0, dtype=float)

    def __call__(self, x, state):
        x, state = self.norm(x, state)
        return x * self.scale, state


class Outer(eqx.nn.StatefulLayer):
    first: Nested
    layers: list[Nested]
    last: eqx.nn.Sequential

    def __init__(self):
        self.first = Nested()
        self.layers = [Nested() for _ in range(2)]
        self.last = eqx.nn.Sequential([RunningMean(3), eqx.nn.Lambda(jax.nn.relu)])

    def __call__(self, x, state):
        x, state = self.first(x, state)
        for layer in self.layers:
            x, state = layer(x, state)
        return batched(self.last)(x, state)


def case_nested(x, y):
    model, state = eqx.nn.make_with_state(Outer)()
    a, state = model(x, state)
    b, state = model(y, state)
    model = eqx.nn.inference_mode(model)
    x, state = model(x, state)
    return a, b, x, state.get(model.first.norm.running_mean), state.get(model.layers[1].norm.num_batches)


class Bare(eqx.nn.StatefulLayer):
    total: eqx.nn.StateIndex = unregistered()

    def __init__(self):
        self.total = eqx.nn.StateIndex(jnp.zeros(3))

    def __call__(self, x, state):
        state = state.set(self.total, state.get(self.total) + x.sum(axis=0))
        return state.get(self.total) / 2, state


def case_plain_tensor(x, y):
    model, state = eqx.nn.make_with_state(Bare)()
    x, state = model(x, state)
    y, state = model(y, state)
    return x, y, state.get(model.total)


class Base(eqx.Module):
    seen: eqx.nn.StateIndex

    def __init__(self, size):
        self.seen = eqx.nn.StateIndex(jnp.zeros(size))

    def note(self, x, state):
        state = state.set(self.seen, state.get(self.seen) + absolute(x).sum(axis=0))
        return state


class Derived(Base):
    gain: float

    def __init__(self, size):
        super().__init__(size)
        self.gain = 3.0

    def __call__(self, x, state):
        state = self.note(x, state)
        return x * self.gain / state.get(self.seen), state


def case_inherited(x, y):
    model, state = eqx.nn.make_with_state(Derived)(3)
    x, state = model(x, state)
    y, state = model(y, state)
    return x, y, state.get(model.seen)


class DerivedWrites(Base):
    def __call__(self, x, state):
        state = state.set(self.seen, jnp.maximum(state.get(self.seen), x.max(axis=0)))
        return x + state.get(self.seen), state


def case_only_the_heir_writes(x, y):
    model, state = eqx.nn.make_with_state(DerivedWrites)(3)
    x, state = model(x, state)
    y, state = model(y, state)
    return x, y, state.get(model.seen)


class Codebook(eqx.nn.StatefulLayer):
    """Vector quantization with moving averages."""

    decay: float
    embed: eqx.nn.StateIndex
    cluster_size: eqx.nn.StateIndex
    embed_avg: eqx.nn.StateIndex
    inference: bool

    def __init__(self, num_codes, dim, decay=0.8):
        self.decay = decay
        self.embed = eqx.nn.StateIndex(jnp.arange(float(num_codes * dim)).reshape(num_codes, dim) / 10)
        self.cluster_size = eqx.nn.StateIndex(jnp.ones(num_codes))
        self.embed_avg = eqx.nn.StateIndex(jnp.copy(self.embed.init))
        self.inference = False

    def __call__(self, x, state):
        x = x.reshape(-1, state.get(self.embed).shape[1])
        distances = ((x[:, None] - state.get(self.embed)[None]) ** 2).sum(axis=-1)
        codes = distances.argmin(axis=-1)
        quantized = state.get(self.embed)[codes]
        if not self.inference:
            onehot = jax.nn.one_hot(codes, state.get(self.embed).shape[0], dtype=int).astype(x.dtype)
            state = state.set(self.cluster_size, state.get(self.cluster_size) * self.decay + (1 - self.decay) * onehot.sum(axis=0))
            state = state.set(self.embed_avg, state.get(self.embed_avg) * self.decay + (1 - self.decay) * (onehot.T @ x))
            n = state.get(self.cluster_size).sum()
            sizes = (state.get(self.cluster_size) + 1e-5) / (n + len(state.get(self.cluster_size)) * 1e-5) * n
            state = state.set(self.embed, jnp.broadcast_to(state.get(self.embed_avg) / sizes[:, None], state.get(self.embed).shape).astype(state.get(self.embed).dtype))
        return (x + jax.lax.stop_gradient(quantized - x), codes), state


def case_codebook(x, y):
    model, state = eqx.nn.make_with_state(Codebook)(4, 3)
    (a, codes), state = model(x, state)
    (b, others), state = model(y, state)
    return a, codes, b, others, state.get(model.embed), state.get(model.cluster_size)


class Masked(eqx.nn.StatefulLayer):
    usage: eqx.nn.StateIndex

    def __init__(self):
        self.usage = eqx.nn.StateIndex(jnp.zeros(5, dtype=int))

    def __call__(self, tokens: jax.Array, state):
        state = state.set(self.usage, index_add(state.get(self.usage), 0, tokens.reshape(-1), jnp.ones_like(tokens.reshape(-1))))
        state = state.set(self.usage, state.get(self.usage).at[0].set(0))
        state = state.set(self.usage, state.get(self.usage).at[1:3].add(1))
        return state.get(self.usage)[tokens], state


def case_usage(tokens: jax.Array):
    model, state = eqx.nn.make_with_state(Masked)()
    a, state = model(tokens, state)
    b, state = model(tokens, state)
    return a, b, state.get(model.usage)


def evaluate(model: RunningMean, state, x: jax.Array):
    model = eqx.nn.inference_mode(model)
    out, state = model(x, state)
    return state, out + state.get(model.running_mean)


def case_read_by_a_function(x, y):
    model, state = eqx.nn.make_with_state(RunningMean)(3)
    _, state = model(x, state)
    state, out = evaluate(model, state, y)
    return out, state.get(model.running_mean)


class Pair(eqx.nn.StatefulLayer):
    low: eqx.nn.StateIndex
    high: eqx.nn.StateIndex

    def __init__(self):
        self.low = eqx.nn.StateIndex(jnp.zeros(3))
        self.high = eqx.nn.StateIndex(jnp.zeros(3))

    def __call__(self, x, state):
        low_1, high_1 = jnp.minimum(state.get(self.low), x.min(axis=0)), jnp.maximum(state.get(self.high), x.max(axis=0))
        state = state.set(self.low, low_1)
        state = state.set(self.high, high_1)
        return (x - state.get(self.low)) / (state.get(self.high) - state.get(self.low)), state

    def span(self, state):
        return state.get(self.high) - state.get(self.low)

    def middle(self, state):
        return (state.get(self.high) + state.get(self.low)) / 2


def case_pair(x, y):
    model, state = eqx.nn.make_with_state(Pair)()
    x, state = model(x, state)
    y, state = model(y, state)
    return x, y, model.span(state)


class TwoCalls(eqx.nn.StatefulLayer):
    norm: RunningMean

    def __init__(self):
        self.norm = RunningMean(3)

    def __call__(self, x, state):
        x, state = self.norm(x, state)
        out, state = self.norm(x, state)
        return out + state.get(self.norm.running_mean), state


def case_called_twice(x):
    model, state = eqx.nn.make_with_state(TwoCalls)()
    x, state = model(x, state)
    return x, state.get(model.norm.num_batches)


@eqx.filter_jit
def train_step(optimizer, model, state, opt_state, x, y):
    def loss_fn(model, state):
        out, state = model(x, state)
        return ((out - y) ** 2).mean(), state

    (loss, state), grads = eqx.filter_value_and_grad(loss_fn, has_aux=True)(model, state)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), state, opt_state, loss


def case_training(x, y):
    model, state = eqx.nn.make_with_state(Outer)()
    optimizer = optax.sgd(0.1)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    losses = []
    for _ in range(3):
        model, state, opt_state, loss = train_step(optimizer, model, state, opt_state, x, y)
        losses.append(loss.item())
    return losses, model.first.scale, state.get(model.first.norm.running_mean), state.get(model.last[0].num_batches)


class Balanced(eqx.nn.StatefulLayer):
    """Keeps an auxiliary loss for the training loop."""

    weight: jax.Array
    aux_loss: eqx.nn.StateIndex = unregistered()

    def __init__(self):
        self.weight = jnp.ones(3)
        self.aux_loss = eqx.nn.StateIndex(jnp.array(0.0, jnp.float32))

    def __call__(self, x, state):
        gates = jax.nn.softmax(x * self.weight, axis=-1)
        state = set_state(state, self.aux_loss, (gates.mean(axis=0) ** 2).sum())
        return gates, state


@eqx.filter_jit
def training_step(optimizer, model, state, opt_state, x, y):
    def loss_fn(model, state):
        out, state = model(x, state)
        return mse_loss(out, y) + 0.1 * state.get(model.aux_loss), state

    (loss, state), grads = eqx.filter_value_and_grad(loss_fn, has_aux=True)(model, state)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), state, opt_state


def case_auxiliary_loss(x, y):
    model, state = eqx.nn.make_with_state(Balanced)()
    optimizer = optax.sgd(0.5)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    for _ in range(2):
        model, state, opt_state = training_step(optimizer, model, state, opt_state, x, y)
    return model.weight, state.get(model.aux_loss)


@eqx.filter_jit
def update_step(optimizer, model, state, opt_state, x):
    def loss_fn(model, state):
        out, state = model(x, state)
        return out.sum(), state

    (loss, state), grads = eqx.filter_value_and_grad(loss_fn, has_aux=True)(model, state)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), state, opt_state, loss


def train_one_epoch(model: Outer, state, optimizer: optax.GradientTransformation, opt_state, batches: list[jax.Array]):
    model = eqx.nn.inference_mode(model, value=False)
    total = 0.0
    for x in batches:
        model, state, opt_state, loss = update_step(optimizer, model, state, opt_state, x)
        total += loss.item()
    return model, state, opt_state, total


def case_training_function(x, y):
    model, state = eqx.nn.make_with_state(Outer)()
    optimizer = optax.sgd(0.01)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    model, state, opt_state, total = train_one_epoch(model, state, optimizer, opt_state, [x, y])
    model = eqx.nn.inference_mode(model)
    out, state = model(x, state)
    out = jax.lax.stop_gradient(out)
    return total, out, state.get(model.first.norm.num_batches)
