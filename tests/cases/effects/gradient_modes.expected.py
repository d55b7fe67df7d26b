"""Questions after the gradient mode."""

import equinox as eqx
import jax
import jax.numpy as jnp
from torch2jax.runtime.batching import batched
from torch2jax.runtime.parameters import set_parameters


class Saving(eqx.Module):
    first: eqx.nn.Linear
    second: eqx.nn.Linear
    saves: bool
    inference: bool

    def __init__(self, saves, *, key):
        first_key, second_key = jax.random.split(key)
        self.first = eqx.nn.Linear(3, 3, key=first_key)
        self.second = eqx.nn.Linear(3, 3, key=second_key)
        self.saves = saves
        set_parameters(lambda p: jnp.full_like(p, 0.25), self)
        self.inference = False

    def __call__(self, x):
        if self.saves and (not self.inference):
            x = eqx.filter_checkpoint(batched(self.first))(x)
        else:
            x = batched(self.first)(x)
        # less memory
        x = eqx.filter_checkpoint(batched(self.second))(x)
        return eqx.filter_checkpoint(batched(self.first))(x)


def case_choice_of_checkpoints(x: jax.Array, *, key):
    return Saving(True, key=key)(x)


def case_inside_of_a_context(x: jax.Array):
    if False:
        x = x * 2
    else:
        x = x * 3
    x = jax.lax.stop_gradient(x)
    return x


def _in_function():
    return False


def case_inside_of_a_decorated_function(x: jax.Array):
    return x * 2 if _in_function() else x * 5


def case_depends_on_the_caller(x: jax.Array):
    # torch2jax: T2J200 `torch.is_grad_enabled` has no translation yet: JAX has no global gradient mode: what is differentiated is decided by the caller of jax.grad
    if torch.is_grad_enabled():  # T2J200
        return x
    return x * 2


def case_known_later(x: jax.Array):
    # torch2jax: T2J200 `torch.is_grad_enabled` has no translation yet: JAX has no global gradient mode: what is differentiated is decided by the caller of jax.grad
    asked = lambda: torch.is_grad_enabled()  # T2J200
    return x if asked() else x * 2


def case_computes_something_else(x: jax.Array):
    # torch2jax: T2J200 `torch.is_grad_enabled` has no translation yet: JAX has no global gradient mode: what is differentiated is decided by the caller of jax.grad
    if torch.is_grad_enabled():  # T2J200
        x = jnp.sin(x)
    else:
        x = jnp.cos(x)
    return x
