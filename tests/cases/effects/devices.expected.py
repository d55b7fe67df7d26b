"""`device = x.device` says only where tensors are to be: gone, so that nothing asks an array that is traced where it is."""

import equinox as eqx
import jax
import jax.numpy as jnp
import optax
from torch2jax.runtime.array_ops import device_of
from torch2jax.runtime.batching import batched


class Net(eqx.Module):
    linear: eqx.nn.Linear

    def __init__(self, *, key):
        self.linear = eqx.nn.Linear(3, 3, key=key)
        self.linear = eqx.tree_at(lambda m: m.weight, self.linear, jnp.full_like(self.linear.weight, 0.25))
        self.linear = eqx.tree_at(lambda m: m.bias, self.linear, jnp.full_like(self.linear.bias, 0.5))

    def mask(self, n, device):
        return jnp.tril(jnp.ones((n, n)))

    @property
    def device(self):
        return device_of(jax.tree.leaves(eqx.filter(self, eqx.is_inexact_array))[0])

    def __call__(self, x, other=None):
        steps = jnp.arange(3) * x
        b = x.shape[0]
        base = jnp.zeros((b, 1))
        rows, columns = x.shape
        scale = jnp.full((rows, columns), 0.5, dtype=float)
        *front, = x.shape
        shift = jnp.ones(3, scale.dtype).astype(jnp.float32)
        if jax.default_backend() == "gpu":
            shift = shift * 2
        return batched(self.linear)(steps + base) * scale @ self.mask(3, device_of(x)) + shift + front[0]


def case_module(x, *, key):
    return Net(key=key)(x)


@eqx.filter_jit
def train_step(optimizer, model, opt_state, x):
    def loss_fn(model):
        return (model(x) ** 2).mean()

    loss, grads = eqx.filter_value_and_grad(loss_fn)(model)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), opt_state, loss


def case_step(x, *, key):
    model = Net(key=key)
    optimizer = optax.sgd(0.1)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    losses = []
    for _ in range(3):
        model, opt_state, loss = train_step(optimizer, model, opt_state, x)
        losses.append(loss.item())
    return losses


def case_on_the_device_of_a_model(x: jax.Array, *, key):
    model = Net(key=key)
    device = jax.tree.leaves(eqx.filter(model, eqx.is_inexact_array))[0].device
    return model(jax.device_put(x, device)), jnp.ones(2), model.device == device


def case_used_otherwise(x):
    device = x.device
    places = [device]
    return jnp.ones(3), len(places)


def on(x, device):
    return jnp.zeros(2) + x.sum()


def case_given_to_a_function(x):
    device = device_of(x)
    return on(x, device)


def case_bound_twice(x, flag):
    device = x.device
    if flag:
        device = jax.devices("cpu")[0]
    return jnp.ones(3)


def case_only_statement(x, flag):
    if flag:
        pass
    else:
        pass
    return jnp.ones(2)


def case_inner_function(x):
    device = x.device

    def make(n):
        return jnp.ones(n)

    return make(2)


def asked_for_its_type(x):
    if jax.default_backend() == "gpu":
        return x * 2
    return x


def case_asked_for_its_type(x):
    return asked_for_its_type(x)


def precise(x, level, tf32):
    jax.config.update("jax_default_matmul_precision", "high")
    first = x @ x.T
    jax.config.update("jax_default_matmul_precision", "default" if level == "medium" else level)
    jax.config.update("jax_default_matmul_precision", "high" if tf32 else "highest")
    second = x @ x.T
    jax.config.update("jax_default_matmul_precision", "highest")
    return first, second
