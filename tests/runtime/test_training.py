"""Clipping and optimizers make torch's steps."""

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest
import torch
from torch import optim

from torch2jax.runtime import optimizer_options as oo
from torch2jax.runtime import training as t

RNG = np.random.default_rng(0)
START = {"w": RNG.normal(size=(3, 2)).astype(np.float32), "b": RNG.normal(size=2).astype(np.float32)}
L2 = optax.add_decayed_weights

OPTIMIZERS = {
    "sgd": (lambda p: optim.SGD(p, 0.05), lambda: optax.sgd(0.05)),
    "sgd momentum": (lambda p: optim.SGD(p, 0.05, momentum=0.9), lambda: optax.sgd(0.05, momentum=0.9)),
    "sgd nesterov": (
        lambda p: optim.SGD(p, 0.05, momentum=0.9, nesterov=True, weight_decay=0.1),
        lambda: optax.chain(L2(0.1), optax.sgd(0.05, momentum=0.9, nesterov=True)),
    ),
    "sgd dampening": (
        lambda p: optim.SGD(p, 0.05, momentum=0.9, dampening=0.5),
        lambda: optax.chain(t.scale_by_torch_momentum(0.9, 0.5), optax.scale(-0.05)),
    ),
    "adam": (lambda p: optim.Adam(p, 0.05, eps=1e-2), lambda: optax.adam(0.05, eps=1e-2)),
    "adam l2": (lambda p: optim.Adam(p, 0.05, weight_decay=0.1), lambda: optax.chain(L2(0.1), optax.adam(0.05))),
    "adamw": (lambda p: optim.AdamW(p, 0.05), lambda: optax.adamw(0.05, weight_decay=1e-2)),
    "amsgrad": (
        lambda p: optim.Adam(p, 0.05, betas=(0.5, 0.6), amsgrad=True),
        lambda: optax.chain(t.scale_by_torch_amsgrad(0.5, 0.6), optax.scale(-0.05)),
    ),
    "rmsprop": (lambda p: optim.RMSprop(p, 0.05), lambda: optax.rmsprop(0.05, decay=0.99, eps_in_sqrt=False)),
    "rmsprop centered": (
        lambda p: optim.RMSprop(p, 0.01, centered=True, momentum=0.9, eps=1e-2),
        lambda: optax.rmsprop(0.01, decay=0.99, eps=1e-2, eps_in_sqrt=False, centered=True, momentum=0.9),
    ),
    "adagrad": (lambda p: optim.Adagrad(p, 0.5), lambda: optax.chain(t.scale_by_torch_adagrad(), optax.scale(-0.5))),
    "nadam": (lambda p: optim.NAdam(p, 0.05), lambda: optax.chain(t.scale_by_torch_nadam(), optax.scale(-0.05))),
    "rprop": (lambda p: optim.Rprop(p, 0.05), lambda: oo.torch_rprop(lr=0.05)),
    "adamax": (lambda p: optim.Adamax(p, 0.05), lambda: optax.adamax(0.05)),
    "radam": (lambda p: optim.RAdam(p, 0.05), lambda: optax.radam(0.05)),
    "adadelta": (lambda p: optim.Adadelta(p), lambda: optax.adadelta(1.0)),
}


def loss(p):
    return (p["w"] ** 2).sum() + ((p["w"].sum(0) - p["b"]) ** 4).sum() + p["b"].sum()


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_steps_agree(name):
    theirs = {k: torch.tensor(v, requires_grad=True) for k, v in START.items()}
    params = jax.tree.map(jnp.asarray, START)
    torch_optimizer, optimizer = OPTIMIZERS[name][0](theirs.values()), OPTIMIZERS[name][1]()
    opt_state = optimizer.init(params)

    @jax.jit
    def step(params, opt_state):
        updates, opt_state = optimizer.update(jax.grad(loss)(params), opt_state, params)
        return optax.apply_updates(params, updates), opt_state

    for _ in range(10):
        torch_optimizer.zero_grad()
        loss(theirs).backward()
        torch_optimizer.step()
        params, opt_state = step(params, opt_state)
    for k in START:
        np.testing.assert_allclose(params[k], theirs[k].detach(), rtol=1e-4, atol=2e-5)


@pytest.mark.parametrize("norm_type", [2.0, 1.0, float("inf"), 3.0])
@pytest.mark.parametrize("max_norm", [0.5, 100.0])
def test_clip_grad_norm(max_norm, norm_type):
    theirs = {k: torch.zeros(v.shape, requires_grad=True) for k, v in START.items()}
    for k, parameter in theirs.items():
        parameter.grad = torch.tensor(START[k])
    expected = torch.nn.utils.clip_grad_norm_(theirs.values(), max_norm, norm_type)
    grads, total = jax.jit(lambda g: t.clip_grad_norm(g, max_norm, norm_type))(START)
    np.testing.assert_allclose(total, expected, rtol=1e-6)
    chained, _ = t.clip_by_torch_norm(max_norm, norm_type).update(START, optax.EmptyState())
    for k in START:
        np.testing.assert_allclose(grads[k], theirs[k].grad, rtol=1e-6)
        np.testing.assert_allclose(chained[k], theirs[k].grad, rtol=1e-6)


def test_clip_grad_value():
    np.testing.assert_allclose(t.clip_grad_value(START, 0.2)["w"], np.clip(START["w"], -0.2, 0.2))
