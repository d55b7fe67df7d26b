"""Optimizers of torch.optim that are given torch's options: the same chains, chosen when they are made.

Their states have the names that torch has for them. `params` is what torch takes first, and no part of an update; the last
options of each say how fast torch computes one, and not what it is."""

import jax
import jax.numpy as jnp
import optax

from torch2jax.runtime.optimizers import scale_by_torch_radam
from torch2jax.runtime.training import (
    scale_by_torch_adagrad,
    scale_by_torch_amsgrad,
    scale_by_torch_momentum,
    scale_by_torch_nadam,
)


def with_names(link, *names, counts=False):
    """A link of a chain whose state is a dict, with torch's names ("" where torch keeps no such thing); with a count of its own."""
    kind = type(link.init(()))
    remade = getattr(kind, "_make", kind)

    def named(state):
        return dict(zip(names, state))

    def init(params):
        return named(link.init(params)) | ({"step": jnp.zeros([], jnp.int32)} if counts else {})

    def update(grads, state, params=None):
        updates, new = link.update(grads, remade([state[name] for name in names]), params)
        return updates, named(new) | ({"step": state["step"] + 1} if counts else {})

    return optax.GradientTransformation(init, update)


def torch_sgd(
    params=None,
    lr=1e-3,
    momentum=0,
    dampening=0,
    weight_decay=0,
    nesterov=False,
    *,
    maximize=False,
    foreach=None,
    differentiable=False,
    fused=None,
):
    """torch.optim.SGD."""
    is_plain = isinstance(momentum, (int, float)) and momentum == 0
    moving = with_names(scale_by_torch_momentum(momentum, dampening, nesterov), "", "momentum_buffer")
    return chained(lr, maximize, optax.add_decayed_weights(weight_decay), optax.identity() if is_plain else moving)


def torch_adam(
    params=None,
    lr=1e-3,
    betas=(0.9, 0.999),
    eps=1e-8,
    weight_decay=0,
    amsgrad=False,
    *,
    maximize=False,
    foreach=None,
    capturable=False,
    differentiable=False,
    fused=None,
    decoupled_weight_decay=False,
):
    """torch.optim.Adam."""
    scale = (scale_by_torch_amsgrad if amsgrad else optax.scale_by_adam)(b1=betas[0], b2=betas[1], eps=eps)
    names = ("step", "exp_avg", "exp_avg_sq", *(("max_exp_avg_sq",) if amsgrad else ()))
    scale, decay = with_names(scale, *names), optax.add_decayed_weights(weight_decay)
    return chained(lr, maximize, *((scale, decay) if decoupled_weight_decay else (decay, scale)))


def torch_adamw(
    params=None,
    lr=1e-3,
    betas=(0.9, 0.999),
    eps=1e-8,
    weight_decay=1e-2,
    amsgrad=False,
    *,
    maximize=False,
    foreach=None,
    capturable=False,
    differentiable=False,
    fused=None,
    decoupled_weight_decay=True,
):
    """torch.optim.AdamW."""
    return torch_adam(params, lr, betas, eps, weight_decay, amsgrad, maximize=maximize, decoupled_weight_decay=True)


def torch_adamax(
    params=None,
    lr=2e-3,
    betas=(0.9, 0.999),
    eps=1e-8,
    weight_decay=0,
    foreach=None,
    *,
    maximize=False,
    differentiable=False,
    capturable=False,
):
    """torch.optim.Adamax."""
    update = with_names(optax.scale_by_adamax(b1=betas[0], b2=betas[1], eps=eps), "step", "exp_avg", "exp_inf")
    return chained(lr, maximize, optax.add_decayed_weights(weight_decay), update)


def torch_adadelta(
    params=None,
    lr=1.0,
    rho=0.9,
    eps=1e-6,
    weight_decay=0,
    foreach=None,
    *,
    maximize=False,
    capturable=False,
    differentiable=False,
):
    """torch.optim.Adadelta."""
    update = with_names(optax.scale_by_adadelta(rho=rho, eps=eps), "square_avg", "acc_delta", counts=True)
    return chained(lr, maximize, optax.add_decayed_weights(weight_decay), update)


def torch_adagrad(
    params=None,
    lr=1e-2,
    lr_decay=0,
    weight_decay=0,
    initial_accumulator_value=0,
    eps=1e-10,
    foreach=None,
    *,
    maximize=False,
    differentiable=False,
    fused=None,
):
    """torch.optim.Adagrad."""
    link = scale_by_torch_adagrad(eps=eps, initial_accumulator_value=initial_accumulator_value)

    def init(params):
        return {"step": jnp.zeros([], jnp.int32), "sum": link.init(params)}

    def update(grads, state, params=None):
        updates, total = link.update(grads, state["sum"], params)
        factor = 1 / (1 + state["step"] * lr_decay)
        return jax.tree.map(lambda u: u * factor, updates), {"step": state["step"] + 1, "sum": total}

    scale = optax.GradientTransformation(init, update)
    return chained(lr, maximize, optax.add_decayed_weights(weight_decay), scale)


def torch_nadam(
    params=None,
    lr=2e-3,
    betas=(0.9, 0.999),
    eps=1e-8,
    weight_decay=0,
    momentum_decay=4e-3,
    decoupled_weight_decay=False,
    *,
    maximize=False,
    foreach=None,
    capturable=False,
    differentiable=False,
):
    """torch.optim.NAdam."""
    link = scale_by_torch_nadam(b1=betas[0], b2=betas[1], eps=eps, momentum_decay=momentum_decay)
    scale = with_names(link, "step", "mu_product", "exp_avg", "exp_avg_sq")
    decay = optax.add_decayed_weights(weight_decay)
    return chained(lr, maximize, *((scale, decay) if decoupled_weight_decay else (decay, scale)))


def torch_radam(
    params=None,
    lr=1e-3,
    betas=(0.9, 0.999),
    eps=1e-8,
    weight_decay=0,
    decoupled_weight_decay=False,
    *,
    maximize=False,
    foreach=None,
    capturable=False,
    differentiable=False,
):
    """torch.optim.RAdam."""
    scale = with_names(scale_by_torch_radam(b1=betas[0], b2=betas[1], eps=eps), "step", "exp_avg", "exp_avg_sq")
    decay = optax.add_decayed_weights(weight_decay)
    return chained(lr, maximize, *((scale, decay) if decoupled_weight_decay else (decay, scale)))


def torch_rmsprop(
    params=None,
    lr=1e-2,
    alpha=0.99,
    eps=1e-8,
    weight_decay=0,
    momentum=0,
    centered=False,
    capturable=False,
    foreach=None,
    *,
    maximize=False,
    differentiable=False,
):
    """torch.optim.RMSprop."""
    link = (optax.scale_by_stddev if centered else optax.scale_by_rms)(decay=alpha, eps=eps, eps_in_sqrt=False)
    scale = with_names(link, *(("grad_avg",) if centered else ()), "square_avg", counts=True)
    moving = with_names(optax.trace(momentum), "momentum_buffer")
    return chained(lr, maximize, optax.add_decayed_weights(weight_decay), scale, moving)


def torch_rprop(
    params=None,
    lr=1e-2,
    etas=(0.5, 1.2),
    step_sizes=(1e-6, 50),
    *,
    capturable=False,
    foreach=None,
    maximize=False,
    differentiable=False,
):
    """torch.optim.Rprop: moves by `lr` in the first step; after a change of sign the gradient counts as 0."""

    def init(params):
        prev, size = jax.tree.map(jnp.zeros_like, params), jax.tree.map(lambda p: jnp.full_like(p, lr), params)
        return {"step": jnp.zeros([], jnp.int32), "prev": prev, "step_size": size}

    def update(grads, state, params=None):
        signs = jax.tree.map(lambda g, q: jnp.sign(g * q), grads, state["prev"])
        factor = lambda sign: jnp.where(sign > 0, etas[1], jnp.where(sign < 0, etas[0], 1.0))
        sizes = jax.tree.map(lambda s, sign: jnp.clip(s * factor(sign), *step_sizes), state["step_size"], signs)
        grads = jax.tree.map(lambda g, sign: jnp.where(sign < 0, 0, g), grads, signs)
        moved = jax.tree.map(lambda g, s: -jnp.sign(g) * s, grads, sizes)
        return moved, {"step": state["step"] + 1, "prev": grads, "step_size": sizes}

    return optax.chain(optax.scale(-1.0 if maximize else 1.0), optax.GradientTransformation(init, update))


def torch_asgd(
    params=None,
    lr=1e-2,
    lambd=1e-4,
    alpha=0.75,
    t0=1e6,
    weight_decay=0,
    foreach=None,
    maximize=False,
    differentiable=False,
    capturable=False,
):
    """torch.optim.ASGD: a decaying rate, decay of the weights at that rate, and an average of the weights, which nothing asks."""

    def init(params):
        start = {"step": jnp.zeros([], jnp.int32), "eta": jnp.asarray(lr, float), "mu": jnp.ones([])}
        return start | {"ax": jax.tree.map(jnp.zeros_like, params)}

    def update(grads, state, params):
        step, eta, mu = state["step"] + 1, state["eta"], state["mu"]
        updates = jax.tree.map(lambda g, p: -eta * (g + lambd * p), grads, params)
        average = jax.tree.map(lambda ax, p, u: ax + (p + u - ax) * mu, state["ax"], params, updates)
        new = {"step": step, "eta": lr / (1 + lambd * lr * step) ** alpha, "mu": 1 / jnp.maximum(1.0, step - t0)}
        return updates, new | {"ax": average}

    update = optax.GradientTransformation(init, update)
    return optax.chain(optax.scale(-1.0 if maximize else 1.0), optax.add_decayed_weights(weight_decay), update)


def torch_optimizer(name):
    """The class of torch.optim that has this name."""
    adaptive = (torch_adadelta, torch_adagrad, torch_adam, torch_adamw, torch_adamax, torch_nadam, torch_radam)
    classes = (*adaptive, torch_asgd, torch_rmsprop, torch_rprop, torch_sgd)
    named = {item.__name__.removeprefix("torch_"): item for item in classes}
    if name.lower() not in named:
        raise ValueError(f"torch.optim.{name} is not translated")
    return named[name.lower()]


def chained(lr, maximize, *links):
    """The links between the gradients, turned around where something is made larger, and the learning rate."""
    return optax.chain(optax.scale(-1.0 if maximize else 1.0), *links, optax.scale_by_learning_rate(lr))
