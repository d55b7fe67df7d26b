"""The state of modules on its way: through functions, several models, other signatures, and code around modules."""

from collections import OrderedDict

import equinox as eqx
import jax
import jax.numpy as jnp
import optax
from torch2jax.runtime.buffers import unregistered
from torch2jax.runtime.losses import mse_loss
from torch2jax.runtime.module_state import set_state
from torch2jax.runtime.normalization import BatchNorm


class Counter(eqx.nn.StatefulLayer):
    count: eqx.nn.StateIndex = unregistered()
    seen: eqx.nn.StateIndex

    def __init__(self, start: int = 0):
        self.count = eqx.nn.StateIndex(start)
        self.seen = eqx.nn.StateIndex(jnp.zeros(3))

    def __call__(self, x: jax.Array, state):
        state = state.set(self.count, state.get(self.count) + 1)
        state = state.set(self.seen, state.get(self.seen) + x.sum(axis=0))
        return x + state.get(self.seen), state


def case_written_from_outside(x):
    model, state = eqx.nn.make_with_state(Counter)()
    _, state = model(x, state)
    state = state.set(model.count, 10)
    state = state.set(model.seen, state.get(model.seen).at[0].set(5.0))
    state = state.set(model.seen, state.get(model.seen) * 2)
    x, state = model(x, state)
    return x, state.get(model.count).item(), state.get(model.seen)


def build(start: int) -> tuple[Counter, eqx.nn.State]:
    model, state = eqx.nn.make_with_state(Counter)(start)
    return model, state


def case_built_by_a_function(x):
    model, state = build(3)
    x, state = model(x, state)
    return x, state.get(model.count).item()


def case_two_models(x, y):
    first, first_state = eqx.nn.make_with_state(Counter)()
    second, second_state = eqx.nn.make_with_state(Counter)(5)
    a, second_state = second(x, second_state)
    a, first_state = first(a, first_state)
    b, second_state = second(y, second_state)
    return a, b, first_state.get(first.count).item(), second_state.get(second.count).item()


def warm_up(model: Counter, state, x: jax.Array, times: int):
    for _ in range(times):
        _, state = model(x, state)
    return state


def case_changed_by_a_function(x):
    model, state = eqx.nn.make_with_state(Counter)()
    state = warm_up(model, state, x, 3)
    return state.get(model.count).item(), state.get(model.seen)


def describe(model: Counter, state) -> str:
    return f"{state.get(model.count).item()} calls"


def case_described(x):
    model, state = eqx.nn.make_with_state(Counter)()
    _, state = model(x, state)
    return len(describe(model, state))


class Keyword(eqx.nn.StatefulLayer):
    total: eqx.nn.StateIndex = unregistered()

    def __init__(self):
        self.total = eqx.nn.StateIndex(0.0)

    def __call__(self, x: jax.Array, state, *, scale: float = 1.0):
        state = state.set(self.total, state.get(self.total) + scale)
        return x * scale * state.get(self.total), state

    def add(self, amount: float = 1.0, state=None):
        state = state.set(self.total, state.get(self.total) + amount)
        return state


def case_keyword(x):
    model, state = eqx.nn.make_with_state(Keyword)()
    a, state = model(x=x, state=state)
    b, state = model(x, state, scale=2.0)
    state = model.add(state=state)
    state = model.add(amount=3.0, state=state)
    return a, b, state.get(model.total).item()


class Optional(eqx.nn.StatefulLayer):
    last: eqx.nn.StateIndex

    def __init__(self):
        self.last = eqx.nn.StateIndex(jnp.zeros((2, 3)))

    def __call__(self, x=None, state=None):
        if x is not None:
            state = state.set(self.last, state.get(self.last) + x)
        return state.get(self.last) * 2, state


def case_optional(x):
    model, state = eqx.nn.make_with_state(Optional)()
    a, state = model(x, state)
    b, state = model(state=state)
    return a, b


class Several(eqx.nn.StatefulLayer):
    last: eqx.nn.StateIndex

    def __init__(self):
        self.last = eqx.nn.StateIndex(jnp.zeros((2, 3)))

    def __call__(self, state, *inputs):
        state = state.set(self.last, state.get(self.last) + inputs[0])
        return sum(inputs) + state.get(self.last), state


def case_star(x, y):
    model, state = eqx.nn.make_with_state(Several)()
    out, state = model(state, x, y)
    out_1, state = model(state, x)
    return out, out_1


class Loud(Counter):
    def __call__(self, x: jax.Array, state):
        y, state = super().__call__(x, state)
        state = state.set(self.count, state.get(self.count) + 10)
        return y * 2, state


def case_super(x):
    model, state = eqx.nn.make_with_state(Loud)()
    x, state = model(x, state)
    return x, state.get(model.count).item()


class Mixed(eqx.nn.StatefulLayer):
    """State of its own, of layers, and randomness."""

    norm: BatchNorm
    drop: eqx.nn.Dropout
    counter: Counter
    steps: eqx.nn.StateIndex = unregistered()

    def __init__(self):
        self.norm = BatchNorm(3)
        self.drop = eqx.nn.Dropout(0.5)
        self.counter = Counter()
        self.steps = eqx.nn.StateIndex(0)

    def __call__(self, x, state, *, key=None):
        state = state.set(self.steps, state.get(self.steps) + 1)
        x, state = self.norm(x, state)
        return self.counter(self.drop(x, key=key), state)


def case_mixed(x):
    model, state = eqx.nn.make_with_state(Mixed)()
    model = eqx.nn.inference_mode(model)
    x, state = model(x, state)
    return x, state.get(model.steps).item(), state.get(model.counter.count).item(), state.get(model.norm.running_mean)


class Table(eqx.nn.StatefulLayer):
    parts: dict

    def __init__(self):
        self.parts = OrderedDict({"a": Counter(), "b": Counter(2)})

    def __call__(self, x, state, name: str):
        return self.parts[name](x, state)


def case_module_dict(x):
    model, state = eqx.nn.make_with_state(Table)()
    a, state = model(x, state, "a")
    b, state = model(x, state, "b")
    return a, b, state.get(model.parts["b"].count).item()


def evaluate(model: Counter, state, batches: list[jax.Array]):
    total = 0.0
    for batch in batches:
        out, state = model(batch, state)
        total += out.sum().item()
    return state, total


def case_evaluation(x, y):
    model, state = eqx.nn.make_with_state(Counter)()
    state, total = evaluate(model, state, [x, y])
    return total, state.get(model.count).item()


class Lazy(eqx.nn.StatefulLayer):
    weight: jax.Array
    mask: eqx.nn.StateIndex = unregistered()
    last: eqx.nn.StateIndex = unregistered()

    def __init__(self):
        self.weight = jnp.ones(3)
        self.mask = eqx.nn.StateIndex(None)
        self.last = eqx.nn.StateIndex(None)

    def __call__(self, x, state):
        if state.get(self.mask) is None:
            state = set_state(state, self.mask, jnp.tril(jnp.ones((x.shape[0], x.shape[0]))))
        state = set_state(state, self.last, state.get(self.mask) @ (x * self.weight))
        return state.get(self.last), state


@eqx.filter_jit
def train_step(optimizer, model, state, opt_state, x, y):
    def loss_fn(model, state):
        out, state = model(x, state)
        return mse_loss(out, y), state

    (loss, state), grads = eqx.filter_value_and_grad(loss_fn, has_aux=True)(model, state)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), state, opt_state


def case_lazy_in_training(x, y):
    model, state = eqx.nn.make_with_state(Lazy)()
    optimizer = optax.sgd(0.1)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    for _ in range(3):
        model, state, opt_state = train_step(optimizer, model, state, opt_state, x, y)
    return model.weight, jax.lax.stop_gradient(state.get(model.last))


class Inner(eqx.nn.StatefulLayer):
    scale: float
    calls: eqx.nn.StateIndex = unregistered()

    def __init__(self):
        self.scale = 2.0
        self.calls = eqx.nn.StateIndex(0)

    def __call__(self, x, state):
        def scaled(v):
            return v * self.scale + state.get(self.calls)

        state = state.set(self.calls, state.get(self.calls) + 1)
        return scaled(x), state


def case_read_by_an_inner_function(x):
    model, state = eqx.nn.make_with_state(Inner)()
    out, state = model(x, state)
    out_1, state = model(x, state)
    return out, out_1


class Helped(eqx.nn.StatefulLayer):
    mean: eqx.nn.StateIndex
    inference: bool

    def __init__(self):
        self.mean = eqx.nn.StateIndex(jnp.zeros(3))
        self.inference = False

    def _update(self, x, state):
        if self.inference:
            return state.get(self.mean), state
        state = state.set(self.mean, 0.5 * state.get(self.mean) + 0.5 * x.mean(axis=0))
        return state.get(self.mean), state

    def __call__(self, x, state):
        mean, state = self._update(x, state)
        return x - mean, state


def case_result_and_state(x):
    model, state = eqx.nn.make_with_state(Helped)()
    a, state = model(x, state)
    model = eqx.nn.inference_mode(model)
    x, state = model(x, state)
    return a, x


class Loops(eqx.nn.StatefulLayer):
    trace: eqx.nn.StateIndex
    position: eqx.nn.StateIndex = unregistered()

    def __init__(self):
        self.trace = eqx.nn.StateIndex(jnp.zeros(4))
        self.position = eqx.nn.StateIndex(0)

    def __call__(self, x, state):
        for row in x:
            state = state.set(self.trace, state.get(self.trace).at[state.get(self.position)].set(row.sum()))
            state = state.set(self.position, (state.get(self.position) + 1) % 4)
        while state.get(self.position) > 1:
            state = state.set(self.position, state.get(self.position) - 1)
        return state.get(self.trace), state


def case_loops(x):
    model, state = eqx.nn.make_with_state(Loops)()
    out, state = model(x, state)
    out_1, state = model(x, state)
    return out, out_1, state.get(model.position).item()
