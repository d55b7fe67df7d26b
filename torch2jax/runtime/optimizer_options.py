"""Optimizers of torch.optim whose options are known only when they are made: the same chains, chosen then.

`params` is what torch takes first, and no part of an update; `**idle` are options that say how fast torch computes one, and not
what it is."""

import optax

from torch2jax.runtime.optimizers import scale_by_torch_radam
from torch2jax.runtime.training import (
    scale_by_torch_adagrad,
    scale_by_torch_amsgrad,
    scale_by_torch_momentum,
    scale_by_torch_nadam,
)


def torch_sgd(
    params=None, lr=1e-3, momentum=0.0, dampening=0.0, weight_decay=0.0, nesterov=False, *, maximize=False, **idle
):
    """torch.optim.SGD."""
    is_plain = isinstance(momentum, (int, float)) and momentum == 0
    update = optax.identity() if is_plain else scale_by_torch_momentum(momentum, dampening, nesterov)
    return chained(lr, maximize, optax.add_decayed_weights(weight_decay), update)


def torch_adam(
    params=None,
    lr=1e-3,
    betas=(0.9, 0.999),
    eps=1e-8,
    weight_decay=0.0,
    amsgrad=False,
    *,
    maximize=False,
    decoupled_weight_decay=False,
    **idle,
):
    """torch.optim.Adam."""
    scale = (scale_by_torch_amsgrad if amsgrad else optax.scale_by_adam)(b1=betas[0], b2=betas[1], eps=eps)
    decay = optax.add_decayed_weights(weight_decay)
    return chained(lr, maximize, *((scale, decay) if decoupled_weight_decay else (decay, scale)))


def torch_adamw(
    params=None, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=1e-2, amsgrad=False, *, maximize=False, **idle
):
    """torch.optim.AdamW."""
    return torch_adam(params, lr, betas, eps, weight_decay, amsgrad, maximize=maximize, decoupled_weight_decay=True)


def torch_adamax(params=None, lr=2e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0, *, maximize=False, **idle):
    """torch.optim.Adamax."""
    update = optax.scale_by_adamax(b1=betas[0], b2=betas[1], eps=eps)
    return chained(lr, maximize, optax.add_decayed_weights(weight_decay), update)


def torch_adadelta(params=None, lr=1.0, rho=0.9, eps=1e-6, weight_decay=0.0, *, maximize=False, **idle):
    """torch.optim.Adadelta."""
    update = optax.scale_by_adadelta(rho=rho, eps=eps)
    return chained(lr, maximize, optax.add_decayed_weights(weight_decay), update)


def torch_adagrad(
    params=None,
    lr=1e-2,
    lr_decay=0.0,
    weight_decay=0.0,
    initial_accumulator_value=0.0,
    eps=1e-10,
    *,
    maximize=False,
    **idle,
):
    """torch.optim.Adagrad."""
    update = scale_by_torch_adagrad(eps=eps, initial_accumulator_value=initial_accumulator_value)
    falling = optax.scale_by_schedule(lambda step: 1 / (1 + step * lr_decay))
    return chained(lr, maximize, optax.add_decayed_weights(weight_decay), update, falling)


def torch_nadam(
    params=None,
    lr=2e-3,
    betas=(0.9, 0.999),
    eps=1e-8,
    weight_decay=0.0,
    momentum_decay=4e-3,
    decoupled_weight_decay=False,
    *,
    maximize=False,
    **idle,
):
    """torch.optim.NAdam."""
    scale = scale_by_torch_nadam(b1=betas[0], b2=betas[1], eps=eps, momentum_decay=momentum_decay)
    decay = optax.add_decayed_weights(weight_decay)
    return chained(lr, maximize, *((scale, decay) if decoupled_weight_decay else (decay, scale)))


def torch_radam(
    params=None,
    lr=1e-3,
    betas=(0.9, 0.999),
    eps=1e-8,
    weight_decay=0.0,
    decoupled_weight_decay=False,
    *,
    maximize=False,
    **idle,
):
    """torch.optim.RAdam."""
    scale = scale_by_torch_radam(b1=betas[0], b2=betas[1], eps=eps)
    decay = optax.add_decayed_weights(weight_decay)
    return chained(lr, maximize, *((scale, decay) if decoupled_weight_decay else (decay, scale)))


def torch_rmsprop(
    params=None,
    lr=1e-2,
    alpha=0.99,
    eps=1e-8,
    weight_decay=0.0,
    momentum=0.0,
    centered=False,
    *,
    maximize=False,
    **idle,
):
    """torch.optim.RMSprop."""
    scale = (optax.scale_by_stddev if centered else optax.scale_by_rms)(decay=alpha, eps=eps, eps_in_sqrt=False)
    return chained(lr, maximize, optax.add_decayed_weights(weight_decay), scale, optax.trace(momentum))


def torch_optimizer(name):
    """The class of torch.optim that has this name."""
    classes = (torch_adadelta, torch_adagrad, torch_adam, torch_adamw, torch_adamax, torch_nadam, torch_radam)
    named = {item.__name__.removeprefix("torch_"): item for item in (*classes, torch_rmsprop, torch_sgd)}
    if name.lower() not in named:
        raise ValueError(f"torch.optim.{name} is not translated")
    return named[name.lower()]


def chained(lr, maximize, *links):
    """The links between the gradients, turned around where something is made larger, and the learning rate."""
    return optax.chain(optax.scale(-1.0 if maximize else 1.0), *links, optax.scale_by_learning_rate(lr))
