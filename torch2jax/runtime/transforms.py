"""Transforms of functions where torch.func and torch.autograd.functional order or pack their results otherwise than JAX."""

import jax
import jax.numpy as jnp


def grad_and_value(func, argnums=0, has_aux=False):
    """torch.func.grad_and_value: the gradient comes first."""

    def gradient_first(*args, **kwargs):
        value, gradient = jax.value_and_grad(func, argnums=argnums, has_aux=has_aux)(*args, **kwargs)
        return gradient, value

    return gradient_first


def functional_jacobian(func, inputs, create_graph=False):
    """torch.autograd.functional.jacobian."""
    if isinstance(inputs, (tuple, list)):
        result = jax.jacrev(func, argnums=tuple(range(len(inputs))))(*inputs)
    else:
        result = jax.jacrev(func)(inputs)
    return result if create_graph else jax.lax.stop_gradient(result)


def functional_hessian(func, inputs, create_graph=False):
    """torch.autograd.functional.hessian of a function with one value."""

    def scalar(*args):
        return jnp.reshape(func(*args), ())

    if isinstance(inputs, (tuple, list)):
        result = jax.hessian(scalar, argnums=tuple(range(len(inputs))))(*inputs)
    else:
        result = jax.hessian(scalar)(inputs)
    return result if create_graph else jax.lax.stop_gradient(result)


def functional_vjp(func, inputs, v=None, create_graph=False):
    """torch.autograd.functional.vjp: the outputs, and the gradients of the inputs packed as these are."""
    several = isinstance(inputs, (tuple, list))
    outputs, pull = jax.vjp(func, *(inputs if several else (inputs,)))
    gradients = pull(jax.tree.map(jnp.ones_like, outputs) if v is None else v)
    result = outputs, gradients if several else gradients[0]
    return result if create_graph else jax.lax.stop_gradient(result)


def functional_jvp(func, inputs, v=None, create_graph=False):
    """torch.autograd.functional.jvp: the outputs, and how they change along `v`."""
    primals = tuple(inputs) if isinstance(inputs, (tuple, list)) else (inputs,)
    along = jax.tree.map(jnp.ones_like, primals) if v is None else v
    tangents = tuple(along) if isinstance(along, (tuple, list)) else (along,)
    result = jax.jvp(func, primals, tangents)
    return result if create_graph else jax.lax.stop_gradient(result)


def functional_hvp(func, inputs, v=None, create_graph=False):
    """torch.autograd.functional.hvp and vhp, which differ in how they compute: the value, and the Hessian times `v`."""
    several = isinstance(inputs, (tuple, list))
    primals = tuple(inputs) if several else (inputs,)
    along = jax.tree.map(jnp.ones_like, primals) if v is None else v
    tangents = tuple(along) if isinstance(along, (tuple, list)) else (along,)

    def value_and_gradient(*args):
        return jax.value_and_grad(lambda *a: jnp.reshape(func(*a), ()), argnums=tuple(range(len(primals))))(*args)

    (_, _), (_, products) = jax.jvp(value_and_gradient, primals, tangents)
    result = func(*primals), products if several else products[0]
    return result if create_graph else jax.lax.stop_gradient(result)
