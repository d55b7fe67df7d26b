"""Learning rate schedules of torch.optim.lr_scheduler that Optax does not have."""

import jax.numpy as jnp


def cosine_annealing(lr, period, eta_min=0.0):
    """torch.optim.lr_scheduler.CosineAnnealingLR: down to `eta_min` in `period` steps, then up again, and so on."""
    return lambda count: eta_min + (lr - eta_min) * (1 + jnp.cos(jnp.pi * count / period)) / 2


def multi_step_decay(lr, milestones, gamma=0.1):
    """torch.optim.lr_scheduler.MultiStepLR: a milestone that stands twice counts twice."""
    return lambda count: lr * gamma ** (count >= jnp.asarray(milestones)).sum()


def cosine_warm_restarts(lr, period, growth=1, eta_min=0.0):
    """torch.optim.lr_scheduler.CosineAnnealingWarmRestarts: each period is `growth` times as long as the one before."""
    lengths, starts = [period], [0]
    while growth > 1 and starts[-1] + lengths[-1] < 2**31:
        starts.append(starts[-1] + lengths[-1])
        lengths.append(lengths[-1] * growth)

    def schedule(count):
        cycle = jnp.searchsorted(jnp.asarray(starts), count, side="right") - 1
        length = jnp.asarray(lengths, jnp.float32)[cycle]
        done = (count - jnp.asarray(starts)[cycle]) % length
        return eta_min + (lr - eta_min) * (1 + jnp.cos(jnp.pi * done / length)) / 2

    return schedule
