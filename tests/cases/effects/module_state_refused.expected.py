"""What changes in a module and has no place in its state, or is seen by others under a second name."""

import equinox as eqx
import jax
import jax.numpy as jnp
import optax
from torch2jax.runtime.batching import batched
from torch2jax.runtime.buffers import unregistered
from torch2jax.runtime.module_state import set_state
from torch2jax.runtime.normalization import BatchNorm


class Shown(eqx.nn.StatefulLayer):
    """Gives its own buffer away and changes it in place later."""

    total: eqx.nn.StateIndex

    def __init__(self):
        self.total = eqx.nn.StateIndex(jnp.zeros(3))

    def __call__(self, x, state):
        state = state.set(self.total, state.get(self.total) + x.sum(axis=0))
        return state.get(self.total), state


def case_two_results_are_one_tensor(x, y):
    model, state = eqx.nn.make_with_state(Shown)()
    a, state = model(x, state)
    # torch2jax: T2J303 `total` is changed in place and may be shared with `a`
    b, state = model(y)  # T2J303
    return a, b


def case_one_result_at_a_time(x, y):
    model, state = eqx.nn.make_with_state(Shown)()
    a, state = model(x, state)
    a = a * 2
    b, state = model(y, state)
    return a, b


def case_results_in_a_list(x, y):
    model, state = eqx.nn.make_with_state(Shown)()
    outs = []
    for item in (x, y):
        out, state = model(item)
        # torch2jax: T2J303 `total` is changed in place and may be shared with `outs`
        outs.append(out)  # T2J303
    return outs


def case_field_under_a_second_name(x, y):
    model, state = eqx.nn.make_with_state(Shown)()
    _, state = model(x, state)
    seen = state.get(model.total)
    # torch2jax: T2J303 `total` is changed in place and may be shared with `seen`
    _, state = model(y)  # T2J303
    return seen, state.get(model.total)


def case_copy_of_a_field(x, y):
    model, state = eqx.nn.make_with_state(Shown)()
    _, state = model(x, state)
    seen = state.get(model.total)
    _, state = model(y, state)
    return seen, state.get(model.total)


class Around(eqx.nn.StatefulLayer):
    inner: Shown

    def __init__(self):
        self.inner = Shown()

    def __call__(self, x, state):
        first, state = self.inner(x, state)
        # torch2jax: T2J303 `total` is changed in place and may be shared with `first`
        second, state = self.inner(x * 2)  # T2J303
        return first + second, state


def case_inside_of_a_module(x):
    model, state = eqx.nn.make_with_state(Around)()
    x, state = model(x, state)
    return x


class Careful(eqx.nn.StatefulLayer):
    inner: Shown

    def __init__(self):
        self.inner = Shown()

    def __call__(self, x, state):
        first, state = self.inner(x, state)
        first = first + 1
        second, state = self.inner(x * 2, state)
        return first + second, state


def case_careful(x):
    model, state = eqx.nn.make_with_state(Careful)()
    out, state = model(x, state)
    out_1, state = model(x, state)
    return out, out_1


class Replaced(eqx.nn.StatefulLayer):
    """Its field is another tensor after each call."""

    total: eqx.nn.StateIndex = unregistered()

    def __init__(self):
        self.total = eqx.nn.StateIndex(jnp.zeros(3))

    def __call__(self, x, state):
        state = state.set(self.total, state.get(self.total) + x.sum(axis=0))
        return state.get(self.total), state


def case_new_tensors(x, y):
    model, state = eqx.nn.make_with_state(Replaced)()
    a, state = model(x, state)
    seen = state.get(model.total)
    b, state = model(y, state)
    return a, b, seen, state.get(model.total)


class Local(eqx.nn.StatefulLayer):
    total: eqx.nn.StateIndex

    def __init__(self):
        self.total = eqx.nn.StateIndex(jnp.zeros(3))

    def __call__(self, x, state):
        before = state.get(self.total)
        # torch2jax: T2J301 `self.total` is a view of `before`, and changing it in place changes both
        state.get(self.total).add_(x.sum(0))  # T2J301
        return before * 2, state


def case_local_name(x):
    model, state = eqx.nn.make_with_state(Local)()
    x, state = model(x, state)
    return x


class ReadBefore(eqx.nn.StatefulLayer):
    count: eqx.nn.StateIndex = unregistered()

    def __init__(self):
        self.count = eqx.nn.StateIndex(0)

    def step(self, state):
        state = state.set(self.count, state.get(self.count) + 1)
        return state.get(self.count), state

    def __call__(self, x, state):
        # torch2jax: T2J606 `count` of module `ReadBefore` changes after `__init__`: `self.step()` may change it in the same statement, after it was read
        # torch2jax: T2J302 `self.step()` changes `self.count` in the middle of an expression
        return x * (state.get(self.count) + 10 * self.step()), state  # T2J302, T2J606


def case_read_before_a_call_in_the_same_statement(x):
    model, state = eqx.nn.make_with_state(ReadBefore)()
    x, state = model(x, state)
    return x


class Layers(eqx.Module):
    fc: eqx.nn.Linear

    def __init__(self, *, key):
        self.fc = eqx.nn.Linear(3, 3, key=key)

    def __call__(self, x, *, key):
        if self.fc is None:
            # torch2jax: T2J601 `fc` of module `Layers` is made in a way that cannot be followed
            self.fc = eqx.nn.Linear(3, 3, key=key)  # T2J601
        return batched(self.fc)(x)


def case_layers(x, *, key):
    draw_key, layers_key = jax.random.split(key)
    return Layers(key=layers_key)(x, key=draw_key)


class Named(eqx.Module):
    mode: str

    def __init__(self):
        self.mode = "fast"

    def __call__(self, x):
        return x if self.mode == "fast" else 2 * x

    def slow(self):
        # torch2jax: T2J606 `mode` of module `Named` changes after `__init__`: it is not made of tensors and numbers only, as far as can be seen
        self.mode = "slow"  # T2J606


def case_text(x):
    model = Named()
    model.slow()
    return model(x)


class Listed(eqx.Module):
    history: list = unregistered()

    def __init__(self):
        self.history = []

    def __call__(self, x):
        # torch2jax: T2J606 `history` of module `Listed` changes after `__init__`: it is a list that is changed in place
        self.history.append(x.sum())  # T2J606
        return x


def case_history(x):
    model, other = Listed(), Listed()
    model(other(x))
    return model.history


class Keyed(eqx.Module):
    cache: dict = unregistered()

    def __init__(self):
        self.cache = {}

    def __call__(self, x, name: str):
        if name not in self.cache:
            # torch2jax: T2J606 `cache` of module `Keyed` changes after `__init__`: it is a dict that is changed in place
            self.cache[name] = x.sum()  # T2J606
        return self.cache[name]


def case_dictionary(x):
    return Keyed()(x, "a")


class Counted(eqx.Module):
    calls = 0

    def __call__(self, x):
        # torch2jax: T2J606 `calls` of module `Counted` changes after `__init__`: no `__init__` makes it
        self.calls += 1  # T2J606
        return x


def case_default_of_the_class(x):
    model = Counted()
    model(x)
    return model.calls


# torch2jax: T2J606 `last` of module `NoInit` changes after `__init__`: no `__init__` gives it a first value
class NoInit(eqx.nn.StatefulLayer):  # T2J606
    last: eqx.nn.StateIndex = unregistered()

    def __call__(self, x, state):
        state = set_state(state, self.last, x * 2)
        return self.total(), state

    def total(self, state):
        return state.get(self.last).sum()


def case_without_init(x):
    model, state = eqx.nn.make_with_state(NoInit)()
    x, state = model(x, state)
    return x


class Asked(eqx.nn.StatefulLayer):
    first: eqx.nn.StateIndex = unregistered()

    def __init__(self):
        self.first = eqx.nn.StateIndex(None)

    def __call__(self, x, state):
        # torch2jax: T2J606 `first` of module `self` changes after `__init__`: `hasattr` asks for it by name
        if not hasattr(self, "first"):  # T2J606
            state = set_state(state, self.first, x.sum())
        return x - state.get(self.first), state

    def forget(self, state):
        # torch2jax: T2J606 `first` of module `Asked` changes after `__init__`: it is not changed by a statement of its own
        del self.first  # T2J606
        return state


def case_hasattr(x):
    model, state = eqx.nn.make_with_state(Asked)()
    x, state = model(x, state)
    return x


class Represented(eqx.nn.StatefulLayer):
    count: eqx.nn.StateIndex = unregistered()

    def __init__(self):
        self.count = eqx.nn.StateIndex(0)

    def __call__(self, x, state):
        state = state.set(self.count, state.get(self.count) + 1)
        return x, state

    def __len__(self, state):
        # torch2jax: T2J606 `count` of module `Represented` changes after `__init__`: `__len__` cannot be given the state
        return self.count  # T2J606


def case_length(x):
    module, state = eqx.nn.make_with_state(Represented)()
    return len(module)


class Warm(eqx.nn.StatefulLayer):
    weight: jax.Array
    steps: eqx.nn.StateIndex = unregistered()

    def __init__(self):
        self.weight = jnp.ones(3)
        self.steps = eqx.nn.StateIndex(0)

    def __call__(self, x, state):
        state = state.set(self.steps, state.get(self.steps) + 1)
        if state.get(self.steps) < 3:
            return x * self.weight, state
        return x * self.weight * 2, state


def train_step(optimizer, model, state, opt_state, x, y):
    def loss_fn(model, state):
        out, state = model(x, state)
        return ((out - y) ** 2).sum(), state

    (loss, state), grads = eqx.filter_value_and_grad(loss_fn, has_aux=True)(model, state)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), state, opt_state


def case_number_decides_in_a_step(x, y):
    model, state = eqx.nn.make_with_state(Warm)()
    optimizer = optax.sgd(0.1)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    for _ in range(4):
        model, state, opt_state = train_step(optimizer, model, state, opt_state, x, y)
    return model.weight


class Inner(eqx.nn.StatefulLayer):
    mean: eqx.nn.StateIndex

    def __init__(self):
        self.mean = eqx.nn.StateIndex(jnp.zeros(3))

    def update(self, x, state):
        # torch2jax: T2J606 `mean` of module `Inner` changes after `__init__`: with gradients in some calls and without in others
        self.mean = 0.5 * state.get(self.mean) + x.mean(axis=0)  # T2J606
        return state

    def __call__(self, x, state, frozen: jax.Array):
        state = self.update(x, state)
        state = self.update(frozen, state)
        return x - state.get(self.mean), state


def case_with_and_without_gradient(x, y):
    model, state = eqx.nn.make_with_state(Inner)()
    x, state = model(x, state, y)
    return x


def sweep(model: list, state):
    for layer in model:
        state = layer.reset(state)
    return state, model


class Resettable(eqx.nn.StatefulLayer):
    total: eqx.nn.StateIndex

    def __init__(self):
        self.total = eqx.nn.StateIndex(jnp.zeros(3))

    def reset(self, state):
        state = state.set(self.total, jnp.zeros_like(state.get(self.total)))
        return state

    def __call__(self, x, state):
        state = state.set(self.total, state.get(self.total) + x.sum(axis=0))
        return x + state.get(self.total), state


def case_parts_in_a_loop(x):
    model, state = eqx.nn.make_with_state(list)([Resettable(), Resettable()])
    state, _ = sweep(model, state)
    x, state = model[0](x, state)
    return x


class Keeper:
    """Holds a model of its own, which others use, too."""

    def __init__(self, model: Resettable, state):
        self.model = model
        self.state = state

    def observe(self, x):
        x, self.state = self.model(x, self.state)
        return x


def case_one_model_in_two_hands(x, y):
    model, state = eqx.nn.make_with_state(Resettable)()
    # torch2jax: T2J303 `model` is changed in place and may be shared with `self.model`
    keeper = Keeper(model)  # T2J303
    keeper.observe(x)
    y, state = model(y, state)
    return y


class KeptAndChanged(eqx.nn.StatefulLayer):
    last: eqx.nn.StateIndex = unregistered()

    def __init__(self):
        self.last = eqx.nn.StateIndex(None)

    def __call__(self, x, state):
        h = x * 2
        state = set_state(state, self.last, h)
        # torch2jax: T2J303 `h` is changed in place and may be shared with `a field and a caller`
        # torch2jax: T2J303 `h` is changed in place and may be shared with `self.last`
        h += 1  # T2J303
        return h, state


def case_kept_and_changed(x):
    model, state = eqx.nn.make_with_state(KeptAndChanged)()
    x, state = model(x, state)
    return x, state.get(model.last)


class KeptCopy(eqx.nn.StatefulLayer):
    last: eqx.nn.StateIndex = unregistered()

    def __init__(self):
        self.last = eqx.nn.StateIndex(None)

    def __call__(self, x, state):
        h = x * 2
        state = set_state(state, self.last, jnp.copy(h))
        h += 1
        return h, state


def case_kept_copy(x):
    model, state = eqx.nn.make_with_state(KeptCopy)()
    x, state = model(x, state)
    return x, state.get(model.last)


def case_layers_on_their_own(x):
    norm, state = eqx.nn.make_with_state(BatchNorm)(3)
    y, state = norm(x, state)
    out, state = norm(y, state)
    return y, out, state.get(norm.running_mean), state.get(norm.num_batches_tracked)


def case_listed_layers(x):
    norms, state = eqx.nn.make_with_state(list)([BatchNorm(3), Resettable()])
    for norm in norms:
        x, state = batched(norm)(x, state)
    return x, state.get(norms[1].total)


class Decayed(eqx.Module):
    weight: jax.Array

    def __init__(self):
        self.weight = jnp.ones(3)

    def __call__(self, x):
        # torch2jax: T2J601 `weight` of module `Decayed` is made in a way that cannot be followed
        self.weight = self.weight * 0.9  # T2J601
        return x * self.weight


def case_parameter(x):
    return Decayed()(x)
