import jax
import jax.numpy as jnp
from torch2jax.runtime.losses import mse_loss
from torch2jax.runtime.reductions import absolute


def case_saliency(x: jax.Array):
    x = jax.lax.stop_gradient(x)
    score, score_vjp = jax.vjp(lambda x: jnp.sin(x).sum(), x)
    x_grad = jax.lax.stop_gradient(score_vjp(jnp.ones_like(score)))[0]
    return absolute(x_grad)


def case_two_leaves(x: jax.Array):
    shift = jnp.zeros(3)
    scale = jnp.ones(3)
    loss, loss_vjp = jax.vjp(lambda shift, scale: mse_loss(x * scale + shift, jnp.ones_like(x)), shift, scale)
    shift_grad, scale_grad = jax.lax.stop_gradient(loss_vjp(jnp.ones_like(loss)))
    return shift_grad, scale_grad, loss.item()


def case_one_after_the_other(x: jax.Array):
    a = x
    loss, loss_vjp = jax.vjp(lambda a: (a * a).sum(), a)
    a_grad = jax.lax.stop_gradient(loss_vjp(jnp.ones_like(loss)))[0]
    first = a_grad
    b = x
    loss, loss_vjp_1 = jax.vjp(lambda b: jnp.tanh(b).sum(), b)
    b_grad = jax.lax.stop_gradient(loss_vjp_1(jnp.ones_like(loss)))[0]
    return first + b_grad


def case_accumulated(x: jax.Array):
    w = x
    for _ in range(2):
        loss = (w * w).sum()
        # torch2jax: T2J500 this training step is not understood: gradients are not cleared in every round, so they accumulate
        # torch2jax: T2J500 this training step is not understood: `loss.backward()` stands alone
        loss.backward()  # T2J500
    # torch2jax: T2J503 `w.grad` is read where no translated `backward()` reaches
    return w.grad  # T2J503
