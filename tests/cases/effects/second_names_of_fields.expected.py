"""Tensors of a module that code outside of it knows by second names: by a variable, in a list, in a state dict."""

import copy

import equinox as eqx
import jax
import jax.numpy as jnp
import optax
from torch2jax.runtime.buffers import buffer, trainable
from torch2jax.runtime.checkpoints import load_state_dict, state_dict
from torch2jax.runtime.module_state import set_state
from torch2jax.runtime.normalization import BatchNorm


class Counting(eqx.nn.StatefulLayer):
    """Changes its buffer in place through a function and a view."""

    scale: jax.Array
    total: eqx.nn.StateIndex

    def __init__(self):
        self.scale = jnp.ones(3)
        self.total = eqx.nn.StateIndex(jnp.zeros(3))

    def __call__(self, x: jax.Array, state) -> tuple[jax.Array, eqx.nn.State]:
        def count(t):
            return t + 1

        state = set_state(state, self.total, count(state.get(self.total)))
        self_flat = state.get(self.total).reshape(-1)
        self_flat = self_flat.at[0].add(x.sum())
        state = set_state(state, self.total, self_flat.reshape(state.get(self.total).shape))
        return self.scale * x, state

    def shown(self, state) -> jax.Array:
        return state.get(self.total)


class Fixed(eqx.Module):
    scale: jax.Array
    shift: jax.Array = buffer()

    def __init__(self):
        self.scale = jnp.ones(3)
        self.shift = jnp.ones(3)

    def __call__(self, x: jax.Array) -> jax.Array:
        return self.scale * x + self.shift


def case_buffer_that_changes_from_outside(x):
    model = Fixed()
    # torch2jax: T2J303 `model.shift` is changed in place and may be shared with `shift`
    shift = model.shift  # T2J303
    model = eqx.tree_at(lambda m: m.shift, model, model.shift * 2)
    return shift, model(x)


def case_buffer_read_again(x):
    model = Fixed()
    shift = model.shift * 1
    model = eqx.tree_at(lambda m: m.shift, model, model.shift * 2)
    shift = shift + model.shift
    return shift, model(x)


def case_buffer_with_another_value(x):
    model = Fixed()
    shift = model.shift
    model = eqx.tree_at(lambda m: m.shift, model, jnp.zeros(3))
    return shift, model(x)


def case_parameter(x):
    model = Fixed()
    # torch2jax: T2J303 `model.scale` is changed in place and may be shared with `scale`
    scale = model.scale  # T2J303
    model = eqx.tree_at(lambda m: m.scale, model, model.scale.at[0].set(2))
    scale = jax.lax.stop_gradient(scale)
    return scale * 1, model(x)


def case_parameter_no_longer_needed(x):
    model = Fixed()
    scale = model.scale
    y = model(x) * scale
    model = eqx.tree_at(lambda m: m.scale, model, model.scale.at[0].set(2))
    return y, model(x)


def case_parameters_in_a_list(x):
    model = Fixed()
    # torch2jax: T2J303 `model.scale` is changed in place and may be shared with `kept`
    kept = list(model.parameters())  # T2J303
    model = eqx.tree_at(lambda m: m.scale, model, model.scale * 3)
    return kept[0] * 1, model(x)


def case_initialised_anew(x, *, key):
    model = eqx.nn.Sequential([eqx.nn.Linear(3, 3, key=key)])
    # torch2jax: T2J303 `model` is changed in place and may be shared with `weight`
    weight = model[0].weight  # T2J303
    model = eqx.tree_at(lambda m: m[0].weight, model, jnp.ones_like(model[0].weight))
    return weight * 1


def case_loaded_anew(x):
    model = Fixed()
    # torch2jax: T2J303 `model` is changed in place and may be shared with `shift`
    shift = model.shift  # T2J303
    other = Fixed()
    other = eqx.tree_at(lambda m: m.shift, other, jnp.zeros_like(other.shift))
    model = load_state_dict(model, state_dict(other))
    return shift, model(x)


def case_state_dict_of_a_model_that_is_called(x):
    model, state = eqx.nn.make_with_state(Counting)()
    # torch2jax: T2J303 `model` is changed in place and may be shared with `before`
    before = model.state_dict()  # T2J303
    _, state = model(x, state)
    return before["total"], state.get(model.total)


def case_copy_of_a_state_dict(x):
    model, state = eqx.nn.make_with_state(Counting)()
    before = copy.deepcopy(state_dict(model, state))
    _, state = model(x, state)
    after = state.get(model.total) * 1
    model, state = load_state_dict(model, before, state=state)
    return after, state.get(model.total)


def case_buffer_that_a_call_changes(x):
    model, state = eqx.nn.make_with_state(Counting)()
    total = state.get(model.total)
    # torch2jax: T2J303 `total` is changed in place and may be shared with `total`
    _, state = model(x)  # T2J303
    return total, state.get(model.total)


def case_result_and_a_later_change(x):
    model, state = eqx.nn.make_with_state(Counting)()
    total = model.shown(state)
    # torch2jax: T2J303 `self.total` is changed in place and may be shared with `total`
    state = state.set(model.total, state.get(model.total) + 1)  # T2J303
    return total


def case_statistics_of_a_layer(x: jax.Array):
    layer, state = eqx.nn.make_with_state(BatchNorm)(3)
    # torch2jax: T2J303 `layer` is changed in place and may be shared with `mean`
    mean = state.get(layer.running_mean)  # T2J303
    _, state = layer(x, state)
    return mean, state.get(layer.running_mean)


class Keeping(eqx.nn.StatefulLayer):
    """Keeps a part of what it is given, and changes that in place."""

    last: eqx.nn.StateIndex

    def __init__(self):
        self.last = eqx.nn.StateIndex(jnp.zeros(3))

    def __call__(self, x: jax.Array, state) -> tuple[jax.Array, eqx.nn.State]:
        # torch2jax: T2J303 `self.last` is changed in place and may be shared with `x[0]`
        y, last_1 = x * 2, x[0]
        state = set_state(state, self.last, last_1)
        return y, state

    def clear(self, state):
        state = state.set(self.last, jnp.zeros_like(state.get(self.last)))
        return state


def case_argument_that_a_field_keeps(x):
    model, state = eqx.nn.make_with_state(Keeping)()
    rows = x.reshape(1, -1) * 1
    y, state = model(rows, state)
    state = model.clear(state)
    return rows, y


class Copying(eqx.nn.StatefulLayer):
    last: eqx.nn.StateIndex

    def __init__(self):
        self.last = eqx.nn.StateIndex(jnp.zeros(3))

    def __call__(self, x: jax.Array, state) -> tuple[jax.Array, eqx.nn.State]:
        y, last_2 = x * 2, x[0]
        state = set_state(state, self.last, last_2)
        return y, state

    def clear(self, state):
        state = state.set(self.last, jnp.zeros_like(state.get(self.last)))
        return state


def case_copy_that_a_field_keeps(x):
    model, state = eqx.nn.make_with_state(Copying)()
    rows = x.reshape(1, -1) * 1
    y, state = model(rows, state)
    state = model.clear(state)
    return rows, y, state.get(model.last)


def bump(t: jax.Array) -> jax.Array:
    return t + 1


def case_field_as_the_argument_of_its_module(x):
    model, state = eqx.nn.make_with_state(Counting)()
    state = set_state(state, model.total, bump(state.get(model.total)))
    total = state.get(model.total)
    total, state = model(total)
    # torch2jax: T2J303 `self.total` is changed in place and may be shared with `total`
    return total  # T2J303


@eqx.filter_jit
def train_step(optimizer, model, opt_state, x):
    params, static = eqx.partition(model, trainable(model))

    def loss_fn(params):
        model = eqx.combine(params, static)
        return (model(x) ** 2).mean()

    loss, grads = eqx.filter_value_and_grad(loss_fn)(params)
    updates, opt_state = optimizer.update(grads, opt_state, params)
    return eqx.apply_updates(model, updates), opt_state, loss


class Trainer:
    """Keeps states of its model in some methods, and trains it in others."""

    def __init__(self):
        self.model = Fixed()
        self.optimizer = optax.sgd(0.1)
        self.opt_state = self.optimizer.init(eqx.filter(self.model, trainable(self.model)))
        # torch2jax: T2J303 `self.model` is changed in place and may be shared with `self.scale`
        self.scale = self.model.scale  # T2J303
        self.best = None
        self.kept = None
        self.history = []

    def step(self, x):
        self.model, self.opt_state, loss = train_step(self.optimizer, self.model, self.opt_state, x)
        return loss.item()

    def keep(self):
        # torch2jax: T2J303 `self.model` is changed in place and may be shared with `self.best`
        self.best = self.model.state_dict()  # T2J303
        self.kept = copy.deepcopy(state_dict(self.model))
        # torch2jax: T2J303 `self.model` is changed in place and may be shared with `self.history`
        # torch2jax: T2J303 `shift` is changed in place and may be shared with `self.history`
        self.history.append(self.model.shift)  # T2J303

    def restore(self):
        self.model = load_state_dict(self.model, self.kept if self.best is None else self.best)
        return self.history, self.scale


def case_states_kept_in_one_method_and_changed_in_another(x):
    trainer = Trainer()
    trainer.step(x)
    trainer.keep()
    trainer.step(x)
    trainer.restore()
    return trainer.model(x)


class CarefulTrainer:
    def __init__(self):
        self.model = Fixed()
        self.optimizer = optax.sgd(0.1)
        self.opt_state = self.optimizer.init(eqx.filter(self.model, trainable(self.model)))
        self.best = None

    def step(self, x):
        self.model, self.opt_state, loss = train_step(self.optimizer, self.model, self.opt_state, x)
        return loss.item()

    def keep(self):
        self.best = copy.deepcopy(state_dict(self.model))

    def restore(self):
        self.model = load_state_dict(self.model, self.best)


def case_copies_kept_in_one_method(x):
    trainer = CarefulTrainer()
    losses = [trainer.step(x)]
    trainer.keep()
    losses.append(trainer.step(x))
    trainer.restore()
    losses.append(trainer.step(x))
    return losses, trainer.model(x)


@eqx.filter_jit
def update_step(optimizer, model, opt_state, x):
    params, static = eqx.partition(model, trainable(model))

    def loss_fn(params):
        model = eqx.combine(params, static)
        return (model(x) ** 2).mean()

    loss, grads = eqx.filter_value_and_grad(loss_fn)(params)
    updates, opt_state = optimizer.update(grads, opt_state, params)
    return eqx.apply_updates(model, updates), opt_state


def case_variable_around_a_step(x):
    model = Fixed()
    optimizer = optax.sgd(0.1)
    opt_state = optimizer.init(eqx.filter(model, trainable(model)))
    weights = []

    def step():
        nonlocal model, opt_state
        model, opt_state = update_step(optimizer, model, opt_state, x)
        # torch2jax: T2J303 `model` is changed in place and may be shared with `weights`
        weights.append(model.scale)  # T2J303

    step()
    step()
    return weights
