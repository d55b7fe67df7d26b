"""Learning rate schedules of torch.optim.lr_scheduler that Optax does not have."""

import jax.numpy as jnp


def cosine_annealing(lr, period, eta_min=0.0):
    """torch.optim.lr_scheduler.CosineAnnealingLR: down to `eta_min` in `period` steps, then up again, and so on."""
    return lambda count: eta_min + (lr - eta_min) * (1 + jnp.cos(jnp.pi * count / period)) / 2


def multi_step_decay(lr, milestones, gamma=0.1):
    """torch.optim.lr_scheduler.MultiStepLR: a milestone that stands twice counts twice."""
    return lambda count: lr * gamma ** (count >= jnp.asarray(milestones)).sum()


def polynomial_decay(lr, total_iters, power):
    """torch.optim.lr_scheduler.PolynomialLR: a power of the part of the steps that is left, which is never below 0."""
    return lambda count: lr * ((total_iters - jnp.minimum(count, total_iters)) / total_iters) ** power


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


def cyclic(base_lr, max_lr, step_size_up=2000, step_size_down=None, mode="triangular", gamma=1.0):
    """torch.optim.lr_scheduler.CyclicLR without momentum: up to `max_lr` and down to `base_lr`, again and again."""
    down = step_size_up if step_size_down is None else step_size_down

    def schedule(count):
        cycle, place = jnp.divmod(count, step_size_up + down)
        height = jnp.where(place <= step_size_up, place / step_size_up, 1 - (place - step_size_up) / down)
        scale = {"triangular": 1.0, "triangular2": 0.5**cycle, "exp_range": gamma**count}[mode]
        return base_lr + (max_lr - base_lr) * height * scale

    return schedule


def one_cycle(max_lr, total_steps, pct_start=0.3, div_factor=25.0, final_div_factor=1e4):
    """torch.optim.lr_scheduler.OneCycleLR without momentum: up to `max_lr` and down again, along cosines."""
    top, last = pct_start * total_steps - 1, total_steps - 1
    first = max_lr / div_factor

    def schedule(count):
        up = first + (max_lr - first) * (1 - jnp.cos(jnp.pi * count / top)) / 2
        down = (1 + jnp.cos(jnp.pi * jnp.minimum((count - top) / (last - top), 1))) / 2
        return jnp.where(count <= top, up, first / final_div_factor + (max_lr - first / final_div_factor) * down)

    return schedule


def whole_steps(milestone):
    """A milestone of torch.optim.lr_scheduler.SequentialLR: a count of steps never comes to a fraction."""
    if milestone != int(milestone):
        raise ValueError(f"{milestone} is no whole number of steps: what SequentialLR makes of it is not translated")
    return int(milestone)


class ReduceOnPlateau:
    """torch.optim.lr_scheduler.ReduceLROnPlateau: the learning rate falls when a metric no longer becomes better."""

    def __init__(
        self,
        lr,
        mode="min",
        factor=0.1,
        patience=10,
        threshold=1e-4,
        threshold_mode="rel",
        cooldown=0,
        min_lr=0.0,
        eps=1e-8,
    ):
        self.lr, self.factor, self.patience, self.cooldown = lr, factor, patience, cooldown
        self.min_lr, self.eps = min_lr[0] if isinstance(min_lr, (list, tuple)) else min_lr, eps
        self.sign = 1 if mode == "min" else -1
        self.threshold, self.relative = threshold, threshold_mode == "rel"
        self.best = self.sign * float("inf")
        self.bad, self.waiting = 0, 0

    def step(self, metric):
        """The learning rate behind one more value of the metric."""
        metric = float(metric)
        margin = self.sign * self.threshold
        limit = self.best * (1 - margin) if self.relative else self.best - margin
        if self.sign * metric < self.sign * limit:
            self.best, self.bad = metric, 0
        else:
            self.bad += 1
        if self.waiting:
            self.waiting, self.bad = self.waiting - 1, 0
        if self.bad > self.patience:
            reduced = max(self.lr * self.factor, self.min_lr)
            if self.lr - reduced > self.eps:
                self.lr = reduced
            self.waiting, self.bad = self.cooldown, 0
        return self.lr


class LearningRates:
    """A scheduler of torch.optim.lr_scheduler that sets the learning rate itself: what a schedule gives after each step."""

    def __init__(self, schedule):
        self.schedule, self.count = schedule, 0

    @property
    def rate(self):
        return self.schedule(self.count)

    def step(self, epoch=None):
        """The learning rate after one more step, or of an epoch."""
        self.count = self.count + 1 if epoch is None else epoch
        return self.rate

    def state_dict(self):
        return {"last_epoch": self.count}

    def load_state_dict(self, state_dict):
        self.count = int(state_dict["last_epoch"])


def scaled_rate(lr, factor):
    """torch.optim.lr_scheduler.LambdaLR: the learning rate times what a function gives for the count of steps."""
    return lambda count: lr * factor(count)
