"""Learning rate schedulers: each update takes the rate that torch's takes, however often and wherever the scheduler steps."""

import itertools
import math
import equinox as eqx
import jax
import jax.numpy as jnp
import optax
from torch2jax.runtime.batching import batched
from torch2jax.runtime.checkpoints import parameters
from torch2jax.runtime.losses import mse_loss
from torch2jax.runtime.normalization import BatchNorm
from torch2jax.runtime.parameter_groups import with_param_groups
from torch2jax.runtime.parameters import map_parameters
from torch2jax.runtime.schedules import (
    LearningRates,
    ReduceOnPlateau,
    cosine_annealing,
    cosine_warm_restarts,
    multi_step_decay,
    one_cycle,
    scaled_rate,
)
from torch2jax.runtime.training import clip_grad_norm


def make(*, key):
    model = eqx.nn.Linear(3, 3, key=key)
    model = map_parameters(lambda p: jnp.linspace(-0.5, 0.6, p.size).reshape(p.shape), model)
    return model


@eqx.filter_jit
def train_step(optimizer, model, opt_state, x, y):
    def loss_fn(model):
        return mse_loss(batched(model)(x), y)

    loss, grads = eqx.filter_value_and_grad(loss_fn)(model)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), opt_state, loss


def train(model, optimizer, opt_state, x, y):
    total = 0.0
    for _ in range(2):
        model, opt_state, loss = train_step(optimizer, model, opt_state, x, y)
        total += loss.item()
    return model, opt_state, total


def case_behind_every_update(x, y, *, key):
    model = make(key=key)
    scheduler = cosine_annealing(0.1, 4, eta_min=0.01)
    optimizer = optax.sgd(scheduler, momentum=0.9)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    losses = []
    for _ in range(9):
        model, opt_state, loss = train_step(optimizer, model, opt_state, x, y)
        losses.append(loss.item())
    return losses, jax.lax.stop_gradient(model.weight)


def case_behind_every_epoch(x, y, *, key):
    model = make(key=key)
    scheduler = optax.exponential_decay(0.2, 2, 0.3, staircase=True)
    optimizer = optax.inject_hyperparams(lambda count: optax.chain(optax.add_decayed_weights(0.01), optax.sgd(scheduler(count))))(count=0)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    losses, rates = [], []
    for _ in range(6):
        model, opt_state, out = train(model, optimizer, opt_state, x, y)
        losses.append(out)
        rates.append(scheduler(opt_state.hyperparams["count"]).item())
        opt_state.hyperparams["count"] += 1
    return losses, rates, [scheduler(opt_state.hyperparams["count"]).item()], jax.lax.stop_gradient(model.weight)


def case_now_and_then(x, y, *, key):
    model, rate = make(key=key), 0.3
    scheduler = optax.piecewise_constant_schedule(rate, dict.fromkeys([1, 3], 0.5))
    optimizer = optax.inject_hyperparams(lambda count: optax.sgd(scheduler(count)))(count=0)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    for epoch in range(7):
        model, opt_state, _ = train(model, optimizer, opt_state, x, y)
        if epoch % 2 == 0:
            opt_state.hyperparams["count"] += 1
    return jax.lax.stop_gradient(model.weight)


@eqx.filter_jit
def update_step(optimizer, model, opt_state, x, y):
    def loss_fn(model):
        return mse_loss(batched(model)(x), y)

    loss, grads = eqx.filter_value_and_grad(loss_fn)(model)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), opt_state


def case_several_updates_for_one_step(x, y, *, key):
    model = make(key=key)
    scheduler = optax.exponential_decay(0.1, 1, 0.8)
    optimizer = optax.inject_hyperparams(lambda count: optax.sgd(scheduler(count)))(count=0)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    for i in range(6):
        model, opt_state = update_step(optimizer, model, opt_state, x, y)
        if i % 3 == 2:
            continue
        opt_state.hyperparams["count"] += 1
    return jax.lax.stop_gradient(model.weight)


def fit(model, optimizer, opt_state, scheduler, x, y):
    for _ in range(4):
        model, opt_state, loss = train_step(optimizer, model, opt_state, x, y)
    return model, opt_state, loss.item()


def case_handed_over(x, y, *, key):
    model = make(key=key)
    scheduler = optax.linear_schedule(0.1 * 0.1, 0.1, 6)
    optimizer = optax.sgd(scheduler)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    model, opt_state, out = fit(model, optimizer, opt_state, scheduler, x, y)
    model, opt_state, out_1 = fit(model, optimizer, opt_state, scheduler, x, y)
    return out, out_1, jax.lax.stop_gradient(model.bias)


def run(model, optimizer, opt_state, x, y, scheduler=None):
    for _ in range(3):
        model, opt_state, _ = train(model, optimizer, opt_state, x, y)
        if scheduler is not None:
            opt_state.hyperparams["count"] += 1
    return model, opt_state


def case_perhaps_none(x, y, *, key):
    model = make(key=key)
    scheduler = optax.exponential_decay(0.1, 1, 0.5)
    optimizer = optax.inject_hyperparams(lambda count: optax.sgd(scheduler(count)))(count=0)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    model, opt_state = run(model, optimizer, opt_state, x, y, scheduler)
    model, opt_state = run(model, optimizer, opt_state, x, y)
    return jax.lax.stop_gradient(model.weight)


class Trainer:
    def __init__(self, model, epochs):
        self.model = model
        self.epochs = epochs
        self.scheduler = cosine_annealing(0.01, epochs)
        self.optimizer = optax.inject_hyperparams(lambda count: optax.adam(self.scheduler(count)))(count=0)
        self.opt_state = self.optimizer.init(eqx.filter(model, eqx.is_inexact_array))

    def epoch(self, x, y):
        for _ in range(2):
            self.model, self.opt_state, loss = train_step(self.optimizer, self.model, self.opt_state, x, y)
        self.opt_state.hyperparams["count"] += 1
        return loss.item()

    def fit(self, x, y):
        results = []
        for _ in range(1):
            results.append(self.epoch(x, y))
        return results


def case_in_an_object(x, y, *, key):
    trainer = Trainer(make(key=key), 5)
    losses = []
    for _ in range(7):
        losses.append(trainer.epoch(x, y))
    return losses, jax.lax.stop_gradient(trainer.model.weight)


def case_two_optimizers(x, y, *, key):
    make_key, make_key_1 = jax.random.split(key)
    first, second = make(key=make_key), make(key=make_key_1)
    slowed = optax.exponential_decay(0.1, 1, 0.5, staircase=True)
    slow = optax.inject_hyperparams(lambda count: optax.sgd(slowed(count)))(count=0)
    slow_opt_state = slow.init(eqx.filter(first, eqx.is_inexact_array))
    quickened = optax.polynomial_schedule(0.2, 0.0, 1.0, 4)
    fast = optax.inject_hyperparams(lambda count: optax.sgd(quickened(count)))(count=0)
    fast_opt_state = fast.init(eqx.filter(second, eqx.is_inexact_array))
    for _ in range(3):
        first, slow_opt_state, _ = train(first, slow, slow_opt_state, x, y)
        second, fast_opt_state, _ = train(second, fast, fast_opt_state, x, y)
        slow_opt_state.hyperparams["count"] += 1
        fast_opt_state.hyperparams["count"] += 1
    return jax.lax.stop_gradient(first.weight), jax.lax.stop_gradient(second.weight)


def case_other_optimizers(x, y, *, key):
    model_key, other_key = jax.random.split(key)
    found = []
    model = make(key=model_key)
    restarts = cosine_warm_restarts(0.01, 2, growth=2)
    rms = optax.inject_hyperparams(lambda count: optax.rmsprop(restarts(count), decay=0.99, eps_in_sqrt=False))(count=0)
    rms_opt_state = rms.init(eqx.filter(model, eqx.is_inexact_array))
    for _ in range(7):
        model, rms_opt_state, out = train(model, rms, rms_opt_state, x, y)
        found.append(out)
        rms_opt_state.hyperparams["count"] += 1
    other = make(key=other_key)
    constant = optax.piecewise_constant_schedule(0.001 * 0.5, {3: 1 / 0.5})
    adamw = optax.inject_hyperparams(lambda count: optax.adamw(constant(count), weight_decay=0.1))(count=0)
    adamw_opt_state = adamw.init(eqx.filter(other, eqx.is_inexact_array))
    for _ in range(5):
        other, adamw_opt_state, out_1 = train(other, adamw, adamw_opt_state, x, y)
        found.append(out_1)
        adamw_opt_state.hyperparams["count"] += 1
    return found


def case_before_the_update(x, y, *, key):
    model = make(key=key)
    scheduler = optax.exponential_decay(0.1, 1, 0.5, staircase=True)
    optimizer = optax.inject_hyperparams(lambda count: optax.sgd(scheduler(count)))(count=0)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    for _ in range(3):
        opt_state.hyperparams["count"] += 1
        model, opt_state = update_step(optimizer, model, opt_state, x, y)
    return jax.lax.stop_gradient(model.weight)


def case_first_of_all(x, y, *, key):
    model = make(key=key)
    scheduler = optax.exponential_decay(0.1, 1, 0.5, staircase=True)
    optimizer = optax.inject_hyperparams(lambda count: optax.sgd(scheduler(count)))(count=0)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    for _ in range(3):
        opt_state.hyperparams["count"] += 1
        model, opt_state = update_step(optimizer, model, opt_state, x, y)
    return jax.lax.stop_gradient(model.weight)


class LRScheduler:
    """Sets the learning rate of each group of an optimizer to what `get_lr` says."""

    def __init__(self, optimizer, opt_state, last_epoch=-1):
        for group in opt_state.param_groups:
            if last_epoch == -1 and "initial_lr" not in group:
                group["initial_lr"] = group["lr"].item()
        self.base_lrs = [group["initial_lr"] for group in opt_state.param_groups]
        self.last_epoch = last_epoch
        self._step_count = 0
        self._is_initial = True
        self.step(optimizer, opt_state)
        self._is_initial = False

    def step(self, optimizer, opt_state, epoch=None):
        self._step_count += 1
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        by_epoch = epoch is not None and hasattr(self, "_get_closed_form_lr")
        self._last_lr = list(self._get_closed_form_lr() if by_epoch else self.get_lr(optimizer, opt_state))
        for group, lr in zip(opt_state.param_groups, self._last_lr, strict=True):
            group["lr"] = jnp.asarray(lr)

    def get_lr(self, optimizer, opt_state):
        raise NotImplementedError

    def get_last_lr(self):
        return self._last_lr

    def state_dict(self):
        return {name: value for name, value in self.__dict__.items() if name != "optimizer"}

    def load_state_dict(self, state_dict):
        self.__dict__.update(state_dict)


class StepRates(LRScheduler):
    def __init__(self, optimizer, opt_state, step_size, gamma=0.1, last_epoch=-1):
        self.step_size, self.gamma = step_size, gamma
        super().__init__(optimizer, opt_state, last_epoch)

    def get_lr(self, optimizer, opt_state):
        falls = self.last_epoch > 0 and self.last_epoch % self.step_size == 0
        return [group["lr"].item() * (self.gamma if falls else 1) for group in opt_state.param_groups]

    def _get_closed_form_lr(self):
        return [base * self.gamma ** (self.last_epoch // self.step_size) for base in self.base_lrs]


class ExponentialRates(LRScheduler):
    def __init__(self, optimizer, opt_state, gamma, last_epoch=-1):
        self.gamma = gamma
        super().__init__(optimizer, opt_state, last_epoch)

    def get_lr(self, optimizer, opt_state):
        factor = 1 if self._is_initial else self.gamma
        return [group["lr"].item() * factor for group in opt_state.param_groups]

    def _get_closed_form_lr(self):
        return [base * self.gamma**self.last_epoch for base in self.base_lrs]


class OneCycleLR(LRScheduler):
    def __init__(
        self,
        optimizer,
        opt_state,
        max_lr,
        total_steps=None,
        epochs=None,
        steps_per_epoch=None,
        pct_start=0.3,
        anneal_strategy="cos",
        cycle_momentum=True,
        base_momentum=0.85,
        max_momentum=0.95,
        div_factor=25.0,
        final_div_factor=1e4,
        three_phase=False,
        last_epoch=-1,
    ):
        steps = epochs * steps_per_epoch if total_steps is None else total_steps
        top, last = pct_start * steps - 1, steps - 1
        self.ends, self.places = ([top, last], [0, 1, 2]) if not three_phase else ([top, 2 * top, last], [0, 1, 0, 2])
        self.anneal_strategy, self.cycle_momentum = anneal_strategy, cycle_momentum
        rates = list(max_lr) if isinstance(max_lr, (list, tuple)) else [max_lr] * len(opt_state.param_groups)
        self.rates = [[rate / div_factor, rate, rate / div_factor / final_div_factor] for rate in rates]
        self.momenta = [max_momentum, base_momentum, max_momentum]
        for group, values in zip(opt_state.param_groups, self.rates, strict=True):
            group["initial_lr"] = values[0]
        super().__init__(optimizer, opt_state, last_epoch)

    def between(self, values):
        """What lies between the values of two corners, at the present count of steps."""
        number = sum(self.last_epoch > end for end in self.ends[:-1])
        start = self.ends[number - 1] if number else 0
        done = (self.last_epoch - start) / (self.ends[number] - start)
        first, last = values[self.places[number]], values[self.places[number + 1]]
        if self.anneal_strategy == "linear":
            return first + (last - first) * done
        return last + (first - last) * (1 + math.cos(math.pi * done)) / 2

    def set_momentum(self, optimizer, opt_state, momentum):
        for group in opt_state.param_groups:
            if "betas" in group:
                group["betas"] = tuple(map(jnp.asarray, (momentum, tuple(map(float, group["betas"]))[1])))
            else:
                group["momentum"] = jnp.asarray(momentum)

    def get_lr(self, optimizer, opt_state):
        if self.cycle_momentum:
            self.set_momentum(optimizer, opt_state, self.between(self.momenta))
        return [self.between(values) for values in self.rates]


def case_several_schedulers(x, y, *, key):
    model = make(key=key)
    optimizer = with_param_groups(
        lambda lr, momentum: optax.sgd(lr, momentum=momentum),
        model,
        parameters(model),
        lr=0.1,
        momentum=0,
    )
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    first = StepRates(optimizer, opt_state, 1, 0.5)
    second = ExponentialRates(optimizer, opt_state, 0.9)
    model, opt_state, _ = train(model, optimizer, opt_state, x, y)
    first.step(optimizer, opt_state)
    second.step(optimizer, opt_state)
    return jax.lax.stop_gradient(model.weight)


def case_in_a_list(x, y, *, key):
    model = make(key=key)
    scheduler = optax.exponential_decay(0.1, 1, 0.5, staircase=True)
    optimizer = optax.inject_hyperparams(lambda count: optax.sgd(scheduler(count)))(count=0)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    model, opt_state, _ = train(model, optimizer, opt_state, x, y)
    opt_state.hyperparams["count"] += 1
    return jax.lax.stop_gradient(model.weight)


def made(model):
    optimizer = optax.inject_hyperparams(optax.sgd)(learning_rate=0.1)
    scheduler = LearningRates(optax.exponential_decay(0.1, 1, 0.5, staircase=True))
    return optimizer, scheduler


def case_from_a_function(x, y, *, key):
    model = make(key=key)
    optimizer, scheduler = made(model)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    model, opt_state, _ = train(model, optimizer, opt_state, x, y)
    opt_state.hyperparams["learning_rate"] = jnp.asarray(scheduler.step())
    return jax.lax.stop_gradient(model.weight)


def case_bound_between(x, y, *, key):
    model, size = make(key=key), 3
    optimizer = optax.inject_hyperparams(optax.sgd)(learning_rate=0.1)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    size = size - 2
    scheduler = LearningRates(optax.exponential_decay(0.1, size, 0.5, staircase=True))
    model, opt_state, _ = train(model, optimizer, opt_state, x, y)
    opt_state.hyperparams["learning_rate"] = jnp.asarray(scheduler.step())
    return jax.lax.stop_gradient(model.weight)


def case_one_of_two(x, y, *, key):
    model = make(key=key)
    optimizer = optax.inject_hyperparams(optax.sgd)(learning_rate=0.1)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    if x.shape[0] > 1:
        scheduler = LearningRates(optax.exponential_decay(0.1, 1, 0.5, staircase=True))
    else:
        scheduler = LearningRates(optax.exponential_decay(0.1, 1, 0.5))
    model, opt_state, _ = train(model, optimizer, opt_state, x, y)
    opt_state.hyperparams["learning_rate"] = jnp.asarray(scheduler.step())
    return jax.lax.stop_gradient(model.weight)


def case_with_an_epoch(x, y, *, key):
    model = make(key=key)
    optimizer = optax.inject_hyperparams(optax.sgd)(learning_rate=0.1)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    scheduler = LearningRates(optax.exponential_decay(0.1, 1, 0.5, staircase=True))
    model, opt_state, _ = train(model, optimizer, opt_state, x, y)
    opt_state.hyperparams["learning_rate"] = jnp.asarray(scheduler.step(3))
    return jax.lax.stop_gradient(model.weight)


def case_its_state(x, y, *, key):
    model = make(key=key)
    optimizer = optax.sgd(0.1)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    # torch2jax: T2J507 this scheduler cannot become a schedule of its optimizer: its state is saved without that of its optimizer, or is more than a count
    scheduler = StepLR(optimizer, 1, 0.5)  # T2J507
    model, opt_state, _ = train(model, optimizer, opt_state, x, y)
    # torch2jax: T2J203 the method `state_dict` of a scheduler has no translation yet
    return scheduler.state_dict()  # T2J203


def case_started_again(x, y, *, key):
    model = make(key=key)
    optimizer = with_param_groups(
        lambda lr, momentum: optax.sgd(lr, momentum=momentum),
        model,
        [{"params": parameters(model), "initial_lr": 0.1}],
        lr=0.05,
        momentum=0,
    )
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    scheduler = StepRates(optimizer, opt_state, 2, 0.5, last_epoch=2)
    model, opt_state, _ = train(model, optimizer, opt_state, x, y)
    scheduler.step(optimizer, opt_state)
    return jax.lax.stop_gradient(model.weight)


def case_by_a_lambda(x, y, *, key):
    model = make(key=key)
    scheduler = (0.2 * 0.8**epoch for epoch in itertools.count())
    optimizer = optax.inject_hyperparams(optax.sgd)(learning_rate=next(scheduler))
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    for _ in range(5):
        model, opt_state, _ = train(model, optimizer, opt_state, x, y)
        opt_state.hyperparams["learning_rate"] = jnp.asarray(next(scheduler))
    return jax.lax.stop_gradient(model.weight), [opt_state.hyperparams["learning_rate"].item()]


def warmed_up(step):
    if step < 3:
        return (step + 1) / 3
    return max(0.1, 1 - step / 10)


def case_by_a_function(x, y, *, key):
    model = make(key=key)
    scheduler = (0.05 * factor for factor in map(warmed_up, itertools.count()))
    optimizer = optax.inject_hyperparams(optax.adam)(learning_rate=next(scheduler))
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    rates = []
    for _ in range(12):
        model, opt_state = update_step(optimizer, model, opt_state, x, y)
        opt_state.hyperparams["learning_rate"] = jnp.asarray(next(scheduler))
        rates.append(opt_state.hyperparams["learning_rate"].item())
    return jax.lax.stop_gradient(model.weight), rates


def case_by_several_functions(x, y, *, key):
    model = make(key=key)
    optimizer = optax.inject_hyperparams(optax.sgd)(learning_rate=next(scheduler))
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    # torch2jax: T2J201 `torch.optim.lr_scheduler.LambdaLR` is translated, but not with `lr_lambda`
    scheduler = lr_scheduler.LambdaLR(optimizer, [warmed_up])  # T2J201
    model, opt_state, _ = train(model, optimizer, opt_state, x, y)
    opt_state.hyperparams["learning_rate"] = jnp.asarray(next(scheduler))
    return jax.lax.stop_gradient(model.weight)


def case_milestones_that_stand_twice(x, y, *, key):
    model = make(key=key)
    scheduler = multi_step_decay(0.2, [2, 2, 3], 0.5)
    optimizer = optax.inject_hyperparams(lambda count: optax.sgd(scheduler(count)))(count=0)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    for _ in range(5):
        model, opt_state, _ = train(model, optimizer, opt_state, x, y)
        opt_state.hyperparams["count"] += 1
    return jax.lax.stop_gradient(model.weight)


def fit_annotated(
    model: eqx.Module,
    optimizer: optax.GradientTransformation,
    opt_state,
    scheduler: optax.Schedule,
    x: jax.Array,
    y: jax.Array,
) -> tuple[eqx.Module, optax.OptState]:
    for _ in range(3):
        model, opt_state, _ = train(model, optimizer, opt_state, x, y)
        opt_state.hyperparams["count"] += 1
    return model, opt_state


def case_annotated(x, y, *, key):
    model = make(key=key)
    scheduler = optax.exponential_decay(0.2, 1, 0.5)
    optimizer = optax.inject_hyperparams(lambda count: optax.sgd(scheduler(count)))(count=0)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    model, opt_state = fit_annotated(model, optimizer, opt_state, scheduler, x, y)
    return jax.lax.stop_gradient(model.weight)


def case_once_for_each_value(x, y, *, key):
    found = []
    for decay in (0.0, 0.1, 0.2):
        key, subkey = jax.random.split(key)
        model = make(key=subkey)
        scheduler = optax.exponential_decay(0.2, 1, 1 - decay, staircase=True)
        optimizer = optax.inject_hyperparams(lambda count: optax.chain(optax.add_decayed_weights(decay), optax.sgd(scheduler(count))))(count=0)
        opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
        for _ in range(3):
            model, opt_state, _ = train(model, optimizer, opt_state, x, y)
            opt_state.hyperparams["count"] += 1
        found.append(jax.lax.stop_gradient(model.weight))
    return found


def case_kept_beyond_the_loop(x, y, *, key):
    model, optimizers = make(key=key), []
    for decay in (0.0, 0.1, 0.2):
        optimizer = optax.chain(optax.add_decayed_weights(decay), optax.sgd(0.2))
        # torch2jax: T2J507 this scheduler cannot become a schedule of its optimizer: which variable holds its optimizer is not known where it steps
        scheduler = StepLR(optimizer, 1)  # T2J507
        optimizers.append(optimizer)
        # torch2jax: T2J203 the method `step` of a scheduler has no translation yet
        scheduler.step()  # T2J203
    # torch2jax: T2J501 it is not known which parameters `optimizer_1` updates
    optimizer_1 = optimizers[0]
    model, opt_state1, _ = train(model, optimizer_1, opt_state1, x, y)  # T2J501
    optimizers[0] = optimizer_1
    return jax.lax.stop_gradient(model.weight)


def case_decay_bound_again(x, y, *, key):
    model, decay = make(key=key), 0.1
    optimizer = optax.chain(optax.add_decayed_weights(decay), optax.sgd(0.2))
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    # torch2jax: T2J507 this scheduler cannot become a schedule of its optimizer: `decay` is bound again below its optimizer
    scheduler = StepLR(optimizer, 1)  # T2J507
    for _ in range(3):
        model, opt_state, _ = train(model, optimizer, opt_state, x, y)
        # torch2jax: T2J203 the method `step` of a scheduler has no translation yet
        scheduler.step()  # T2J203
        decay = 0.5
    return jax.lax.stop_gradient(model.weight)


def case_either_optimizer(x, y, *, key):
    make_key, make_key_1 = jax.random.split(key)
    first, second = make(key=make_key), make(key=make_key_1)
    scheduler = optax.exponential_decay(0.1, 1, 0.5, staircase=True)
    slow = optax.inject_hyperparams(lambda count: optax.sgd(scheduler(count)))(count=0)
    slow_opt_state = slow.init(eqx.filter(first, eqx.is_inexact_array))
    fast = optax.sgd(0.2)
    fast_opt_state = fast.init(eqx.filter(second, eqx.is_inexact_array))
    first, slow_opt_state, _ = train(first, slow, slow_opt_state, x, y)
    slow_opt_state.hyperparams["count"] += 1
    second, fast_opt_state, _ = train(second, fast, fast_opt_state, x, y)
    slow_opt_state.hyperparams["count"] += 1
    return jax.lax.stop_gradient(first.weight), jax.lax.stop_gradient(second.weight)


def case_in_one_helper(x, y, *, key):
    model = make(key=key)
    scheduler = optax.exponential_decay(0.1, 1, 0.5, staircase=True)
    optimizer = optax.sgd(scheduler)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    for _ in range(3):
        model, opt_state = update_step(optimizer, model, opt_state, x, y)
    return jax.lax.stop_gradient(model.weight)


def case_logged(x, y, *, key):
    model = make(key=key)
    scheduler = optax.exponential_decay(0.1, 1, 0.5, staircase=True)
    optimizer = optax.inject_hyperparams(lambda count: optax.sgd(scheduler(count)))(count=0)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    rates = []
    for epoch in range(3):
        model, opt_state, _ = train(model, optimizer, opt_state, x, y)
        opt_state.hyperparams["count"] += 1
        rates.append(f"{epoch}: {scheduler(opt_state.hyperparams['count']).item():.4f}")
    return rates


class Plain(eqx.nn.StatefulLayer):
    layer: eqx.nn.Linear
    norm: BatchNorm

    def __init__(self, *, key):
        self.layer = eqx.nn.Linear(3, 3, key=key)
        self.norm = BatchNorm(3)

    def __call__(self, x, state):
        return self.norm(batched(self.layer)(x), state)


@eqx.filter_jit
def train_step_7(optimizer, model, state, opt_state, x, y):
    def loss_fn(model, state):
        out, state = model(x, state)
        return mse_loss(out, y), state

    (loss, state), grads = eqx.filter_value_and_grad(loss_fn, has_aux=True)(model, state)
    grads, _ = clip_grad_norm(grads, 0.5)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), state, opt_state


def case_a_model_with_state(x, y, *, key):
    model, state = eqx.nn.make_with_state(Plain)(key=key)

    def update(p):
        return jnp.broadcast_to(jnp.linspace(-0.5, 0.6, p.size).reshape(p.shape), p.shape).astype(p.dtype)

    model = map_parameters(update, model)
    scheduler = optax.exponential_decay(0.1, 1, 0.7)
    optimizer = optax.inject_hyperparams(lambda count: optax.sgd(scheduler(count), momentum=0.9, nesterov=True))(count=0)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    for i in range(4):
        model, state, opt_state = train_step_7(optimizer, model, state, opt_state, x, y)
        if i > 0:
            opt_state.hyperparams["count"] += 1
    return jax.lax.stop_gradient(model.layer.weight), state.get(model.norm.running_mean)


def fit_any(model, optimizer, opt_state, scheduler, x, y):
    rates = []
    for _ in range(3):
        model, opt_state, _ = train(model, optimizer, opt_state, x, y)
        opt_state.hyperparams["count"] += 1
        rates.append(scheduler(opt_state.hyperparams["count"]).item())
    return model, opt_state, rates


def case_one_after_the_other(x, y, *, key):
    model = make(key=key)
    slowed = optax.exponential_decay(0.1, 1, 0.5, staircase=True)
    slow = optax.inject_hyperparams(lambda count: optax.sgd(slowed(count)))(count=0)
    slow_opt_state = slow.init(eqx.filter(model, eqx.is_inexact_array))
    model, slow_opt_state, first = fit_any(model, slow, slow_opt_state, slowed, x, y)
    quickened = optax.exponential_decay(0.02, 1, 0.9)
    fast = optax.inject_hyperparams(lambda count: optax.adam(quickened(count)))(count=0)
    fast_opt_state = fast.init(eqx.filter(model, eqx.is_inexact_array))
    model, fast_opt_state, out = fit_any(model, fast, fast_opt_state, quickened, x, y)
    return first, out, jax.lax.stop_gradient(model.weight)


def fit_mixed(model, optimizer, opt_state, scheduler, x, y):
    for _ in range(3):
        model, opt_state, _ = train(model, optimizer, opt_state, x, y)
        opt_state.hyperparams["learning_rate"] = jnp.asarray(scheduler.step())
    return model, opt_state


def case_counted_and_iterated(x, y, *, key):
    model = make(key=key)
    slow = optax.inject_hyperparams(optax.sgd)(learning_rate=0.1)
    slow_opt_state = slow.init(eqx.filter(model, eqx.is_inexact_array))
    slowed = LearningRates(optax.exponential_decay(0.1, 1, 0.5, staircase=True))
    model, slow_opt_state = fit_mixed(model, slow, slow_opt_state, slowed, x, y)
    fast = optax.inject_hyperparams(optax.adam)(learning_rate=0.02)
    fast_opt_state = fast.init(eqx.filter(model, eqx.is_inexact_array))
    quickened = LearningRates(scaled_rate(0.02, warmed_up))
    fast_opt_state.hyperparams["learning_rate"] = jnp.asarray(quickened.rate)
    model, fast_opt_state = fit_mixed(model, fast, fast_opt_state, quickened, x, y)
    return jax.lax.stop_gradient(model.weight)


def decayed(optimizer, opt_state, epoch):
    rate = 0.2 * 0.5**epoch
    opt_state.hyperparams["learning_rate"] = jnp.asarray(rate)
    return opt_state


def case_set_by_hand(x, y, *, key):
    model = make(key=key)
    optimizer = optax.inject_hyperparams(lambda learning_rate: optax.sgd(learning_rate, momentum=0.9))(learning_rate=0.2)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    for epoch in range(4):
        opt_state = decayed(optimizer, opt_state, epoch)
        model, opt_state, _ = train(model, optimizer, opt_state, x, y)
    return jax.lax.stop_gradient(model.weight), opt_state.hyperparams["learning_rate"].item()


def case_set_in_the_loop(x, y, *, key):
    model = make(key=key)
    optimizer = optax.inject_hyperparams(optax.sgd)(learning_rate=0.1)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    found = []
    for step in range(6):
        opt_state.hyperparams["learning_rate"] = jnp.asarray(min(1.0, (step + 1) / 3) * 0.1)
        model, opt_state = update_step(optimizer, model, opt_state, x, y)
        if step == 3:
            opt_state.hyperparams["learning_rate"] *= 0.1
        if step > 3:
            opt_state.hyperparams["learning_rate"] = jnp.asarray(opt_state.hyperparams["learning_rate"].item() / 2)
        found.append(f"{opt_state.hyperparams['learning_rate'].item():.5f}")
    return jax.lax.stop_gradient(model.weight), found


def case_read_only(x, y, *, key):
    model = make(key=key)
    optimizer = optax.inject_hyperparams(lambda learning_rate: optax.chain(optax.add_decayed_weights(0.1), optax.adam(learning_rate)))(learning_rate=0.25)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    model, opt_state, _ = train(model, optimizer, opt_state, x, y)
    return jax.lax.stop_gradient(model.weight), opt_state.hyperparams["learning_rate"].item()


def case_read_beside_a_scheduler(x, y, *, key):
    model = make(key=key)
    scheduler = optax.exponential_decay(0.1, 1, 0.5, staircase=True)
    optimizer = optax.inject_hyperparams(lambda count: optax.sgd(scheduler(count)))(count=0)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    rates = []
    for _ in range(3):
        model, opt_state = update_step(optimizer, model, opt_state, x, y)
        opt_state.hyperparams["count"] += 1
        rates.append(scheduler(opt_state.hyperparams["count"]).item())
    return jax.lax.stop_gradient(model.weight), rates


def case_set_beside_a_scheduler(x, y, *, key):
    model = make(key=key)
    optimizer = with_param_groups(
        lambda lr, momentum: optax.sgd(lr, momentum=momentum),
        model,
        parameters(model),
        lr=0.1,
        momentum=0,
    )
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    scheduler = StepRates(optimizer, opt_state, 1, gamma=0.5)
    model, opt_state, _ = train(model, optimizer, opt_state, x, y)
    scheduler.step(optimizer, opt_state)
    opt_state.param_groups[0]["lr"] = jnp.asarray(0.3)
    return jax.lax.stop_gradient(model.weight)


def case_set_before_the_update(x, y, *, key):
    model = make(key=key)
    optimizer = optax.inject_hyperparams(optax.sgd)(learning_rate=0.1)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    opt_state.hyperparams["learning_rate"] = jnp.asarray(0.3)
    model, opt_state = update_step(optimizer, model, opt_state, x, y)
    return jax.lax.stop_gradient(model.weight)


def case_other_options(x, y, *, key):
    model = make(key=key)
    optimizer = with_param_groups(
        lambda lr, momentum: optax.sgd(lr, momentum=momentum),
        model,
        parameters(model),
        lr=0.1,
        momentum=0.5,
    )
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    for group in opt_state.param_groups:
        group["lr"] = jnp.asarray(0.3)
        group["momentum"] = jnp.asarray(0.9)
    model, opt_state, _ = train(model, optimizer, opt_state, x, y)
    return jax.lax.stop_gradient(model.weight)


def case_two_with_one_helper(x, y, *, key):
    make_key, make_key_1 = jax.random.split(key)
    first, second = make(key=make_key), make(key=make_key_1)
    slow = optax.inject_hyperparams(optax.sgd)(learning_rate=0.1)
    slow_opt_state = slow.init(eqx.filter(first, eqx.is_inexact_array))
    fast = optax.inject_hyperparams(optax.adam)(learning_rate=0.3)
    fast_opt_state = fast.init(eqx.filter(second, eqx.is_inexact_array))
    for epoch in range(3):
        first, slow_opt_state, _ = train(first, slow, slow_opt_state, x, y)
        second, fast_opt_state, _ = train(second, fast, fast_opt_state, x, y)
        slow_opt_state = decayed(slow, slow_opt_state, epoch)
        fast_opt_state = decayed(fast, fast_opt_state, epoch + 1)
    return jax.lax.stop_gradient(first.weight), jax.lax.stop_gradient(second.weight)


def slowed_down(optimizer, opt_state, factor):
    for group in opt_state.param_groups:
        group["lr"] *= factor


def case_on_a_plateau(x, y, *, key):
    model = make(key=key)
    scheduler = ReduceOnPlateau(0.9, factor=0.5, patience=1)
    optimizer = optax.inject_hyperparams(lambda learning_rate: optax.sgd(learning_rate, momentum=0.5))(learning_rate=0.9)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    rates = []
    for epoch in range(8):
        model, opt_state, total = train(model, optimizer, opt_state, x, y)
        opt_state.hyperparams["learning_rate"] = jnp.asarray(scheduler.step(total if epoch < 6 else mse_loss(batched(model)(x), y)))
        rates.append(opt_state.hyperparams["learning_rate"].item())
    return rates, jax.lax.stop_gradient(model.weight)


def case_on_a_plateau_without_a_metric(x, y, *, key):
    model = make(key=key)
    optimizer = optax.sgd(0.9)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    # torch2jax: T2J507 this scheduler cannot become a schedule of its optimizer: it is used in another way than `step()` and `get_last_lr()`
    scheduler = lr_scheduler.ReduceLROnPlateau(optimizer)  # T2J507
    model, opt_state, total = train(model, optimizer, opt_state, x, y)
    # torch2jax: T2J203 the method `step` of a scheduler has no translation yet
    scheduler.step(total, 1)  # T2J203
    return jax.lax.stop_gradient(model.weight)


def case_one_cycle(x, y, *, key):
    model = make(key=key)
    scheduler = one_cycle(0.5, 3 * len(x))
    optimizer = optax.inject_hyperparams(lambda count: optax.sgd(scheduler(count)))(count=0)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    for _ in range(5):
        model, opt_state, _ = train(model, optimizer, opt_state, x, y)
        opt_state.hyperparams["count"] += 1
    return jax.lax.stop_gradient(model.weight)


def case_one_cycle_of_the_momentum(x, y, *, key):
    model = make(key=key)
    optimizer = with_param_groups(
        lambda lr, momentum: optax.sgd(lr, momentum=momentum),
        model,
        parameters(model),
        lr=0.1,
        momentum=0.9,
    )
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    scheduler = OneCycleLR(optimizer, opt_state, 0.5, total_steps=10)
    for _ in range(5):
        model, opt_state, _ = train(model, optimizer, opt_state, x, y)
        scheduler.step(optimizer, opt_state)
    return jax.lax.stop_gradient(model.weight)


def warming(steps):
    return lambda step: min(1.0, (step + 1) / steps)


def case_by_what_a_function_returns(x, y, *, key):
    model = make(key=key)
    scheduler = (0.1 * factor for factor in map(warming(3), itertools.count()))
    optimizer = optax.inject_hyperparams(optax.sgd)(learning_rate=next(scheduler))
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    for _ in range(5):
        model, opt_state, _ = train(model, optimizer, opt_state, x, y)
        opt_state.hyperparams["learning_rate"] = jnp.asarray(next(scheduler))
    return jax.lax.stop_gradient(model.weight)


def fit_with(model, optimizer, opt_state, scheduler, x, y):
    for _ in range(3):
        model, opt_state, _ = train(model, optimizer, opt_state, x, y)
        # torch2jax: T2J203 the method `step` of a scheduler has no translation yet
        scheduler.step()  # T2J203
    return model, opt_state, jax.lax.stop_gradient(model.weight)


def case_a_scheduler_of_another_optimizer(x, y, *, key):
    make_key, make_key_1 = jax.random.split(key)
    first, second = make(key=make_key), make(key=make_key_1)
    left = optax.sgd(0.5)
    left_opt_state = left.init(eqx.filter(first, eqx.is_inexact_array))
    right = optax.sgd(0.5)
    right_opt_state = right.init(eqx.filter(second, eqx.is_inexact_array))
    # torch2jax: T2J507 this scheduler cannot become a schedule of its optimizer: which variable holds its optimizer is not known where it steps
    scheduler = ExponentialLR(right, 0.1)  # T2J507
    first, left_opt_state, out = fit_with(first, left, left_opt_state, scheduler, x, y)
    second, right_opt_state, out_1 = fit_with(second, right, right_opt_state, scheduler, x, y)
    return out, out_1


def made_by_a_function(model, momentum):
    return optax.inject_hyperparams(lambda learning_rate: optax.sgd(learning_rate, momentum=momentum))(learning_rate=0.1)


def case_set_for_an_optimizer_from_a_function(x, y, *, key):
    model = make(key=key)
    optimizer = made_by_a_function(model, 0.9)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    for epoch in range(3):
        opt_state = decayed(optimizer, opt_state, epoch)
        model, opt_state, _ = train(model, optimizer, opt_state, x, y)
    return jax.lax.stop_gradient(model.weight)


@eqx.filter_jit
def train_step_11(optimizer, model, opt_state, x, y, scheduler):
    def loss_fn(model):
        # torch2jax: T2J203 the method `get_last_lr` of a scheduler has no translation yet
        return mse_loss(batched(model)(x), y) * scheduler.get_last_lr()[0]  # T2J203

    loss, grads = eqx.filter_value_and_grad(loss_fn)(model)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), opt_state


def case_a_loss_of_the_rate(x, y, *, key):
    model = make(key=key)
    optimizer = optax.sgd(0.5)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    # torch2jax: T2J507 this scheduler cannot become a schedule of its optimizer: the learning rate is read in a training step
    scheduler = StepLR(optimizer, 1, 0.5)  # T2J507
    for _ in range(3):
        model, opt_state = train_step_11(optimizer, model, opt_state, x, y, scheduler)
        # torch2jax: T2J203 the method `step` of a scheduler has no translation yet
        scheduler.step()  # T2J203
    return jax.lax.stop_gradient(model.weight)


def chosen(name, optimizer, opt_state, epochs):
    if name == "linear":
        scheduler_1 = LearningRates(optax.linear_schedule(opt_state.hyperparams["learning_rate"].item() * 0.1, opt_state.hyperparams["learning_rate"].item(), epochs))
        opt_state.hyperparams["learning_rate"] = jnp.asarray(scheduler_1.rate)
        return scheduler_1
    elif name == "step":
        scheduler = LearningRates(optax.exponential_decay(opt_state.hyperparams["learning_rate"].item(), 1, 0.5, staircase=True))
    else:
        scheduler = LearningRates(scaled_rate(opt_state.hyperparams["learning_rate"].item(), lambda epoch: (epoch + 1) / epochs))
        opt_state.hyperparams["learning_rate"] = jnp.asarray(scheduler.rate)
    return scheduler


def any_optimizer(name, model):
    if name == "sgd":
        return optax.inject_hyperparams(lambda learning_rate: optax.sgd(learning_rate, momentum=0.9))(learning_rate=0.1)
    return optax.inject_hyperparams(optax.adam)(learning_rate=0.05)


def case_chosen_by_name(x, y, *, key):
    losses = []
    for name in ("linear", "step", "lambda"):
        for kind in ("sgd", "adam"):
            key, subkey = jax.random.split(key)
            model = make(key=subkey)
            optimizer = any_optimizer(kind, model)
            opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
            scheduler = chosen(name, optimizer, opt_state, 3)
            for _ in range(4):
                model, opt_state, out = train(model, optimizer, opt_state, x, y)
                losses.append(out)
                opt_state.hyperparams["learning_rate"] = jnp.asarray(scheduler.step())
            losses.append(opt_state.hyperparams["learning_rate"].item())
    return losses


def case_a_metric_or_not(x, y, *, key):
    model = make(key=key)
    optimizer = optax.inject_hyperparams(optax.sgd)(learning_rate=0.1)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    if x.shape[0] > 1:
        scheduler = ReduceOnPlateau(0.1, mode="max", patience=0)
    else:
        scheduler = LearningRates(optax.exponential_decay(0.1, 1, 0.5, staircase=True))
    for _ in range(3):
        model, opt_state, loss = train(model, optimizer, opt_state, x, y)
        if isinstance(loss, float):
            opt_state.hyperparams["learning_rate"] = jnp.asarray(scheduler.step(loss))
        else:
            opt_state.hyperparams["learning_rate"] = jnp.asarray(scheduler.step())
    return jax.lax.stop_gradient(model.weight), opt_state.hyperparams["learning_rate"].item()


class Runner:
    def __init__(self, model, optimizer, opt_state, scheduler=None):
        self.model, self.optimizer, self.scheduler = model, optimizer, scheduler
        self.opt_state = opt_state

    def fit(self, x, y):
        losses = []
        for _ in range(4):
            self.model, self.opt_state, out = train(self.model, self.optimizer, self.opt_state, x, y)
            losses.append(out)
            if self.scheduler is not None:
                self.opt_state.hyperparams["learning_rate"] = jnp.asarray(self.scheduler.step())
        return losses


def case_given_to_an_object(x, y, *, key):
    model = make(key=key)
    optimizer = optax.inject_hyperparams(optax.sgd)(learning_rate=0.1)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    scheduler = LearningRates(optax.piecewise_constant_schedule(0.1, dict.fromkeys([1, 2], 0.5)))
    return Runner(model, optimizer, opt_state, scheduler).fit(x, y)


def case_with_its_own_optimizer_or_another(x, y, *, key):
    make_key, make_key_1 = jax.random.split(key)
    first, second = make(key=make_key), make(key=make_key_1)
    left = optax.sgd(0.5)
    left_opt_state = left.init(eqx.filter(first, eqx.is_inexact_array))
    right = optax.sgd(0.25)
    right_opt_state = right.init(eqx.filter(second, eqx.is_inexact_array))
    # torch2jax: T2J507 this scheduler cannot become a schedule of its optimizer: it may be another one where it is used
    falling = StepLR(left, 1, 0.5)  # T2J507
    # torch2jax: T2J507 this scheduler cannot become a schedule of its optimizer: it is used in another way than `step()` and `get_last_lr()`
    rising = ExponentialLR(right, 2.0)  # T2J507
    first, left_opt_state, _ = fit_paired(first, left, left_opt_state, falling, x, y)
    second, right_opt_state, _ = fit_paired(second, right, right_opt_state, rising, x, y)
    first, left_opt_state, out = fit_paired(first, left, left_opt_state, rising, x, y)
    return out


def fit_paired(model, optimizer, opt_state, scheduler, x, y):
    for _ in range(2):
        model, opt_state, _ = train(model, optimizer, opt_state, x, y)
        # torch2jax: T2J203 the method `step` of a scheduler has no translation yet
        scheduler.step()  # T2J203
    return model, opt_state, jax.lax.stop_gradient(model.weight)


def case_one_and_then_another(x, y, *, key):
    model = make(key=key)
    optimizer = with_param_groups(
        lambda lr, momentum: optax.sgd(lr, momentum=momentum),
        model,
        parameters(model),
        lr=0.1,
        momentum=0,
    )
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    scheduler = StepRates(optimizer, opt_state, 1, 0.5)
    model, opt_state, _ = train(model, optimizer, opt_state, x, y)
    scheduler.step(optimizer, opt_state)
    scheduler = ExponentialRates(optimizer, opt_state, 0.5)
    model, opt_state, _ = train(model, optimizer, opt_state, x, y)
    scheduler.step(optimizer, opt_state)
    return jax.lax.stop_gradient(model.weight)


def case_anew_in_each_round(x, y, *, key):
    model = make(key=key)
    optimizer = optax.sgd(0.1)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    for _ in range(2):
        # torch2jax: T2J507 this scheduler cannot become a schedule of its optimizer: it must be made in the same block as its optimizer, below it
        scheduler = StepLR(optimizer, 1, 0.5)  # T2J507
        model, opt_state, _ = train(model, optimizer, opt_state, x, y)
        # torch2jax: T2J203 the method `step` of a scheduler has no translation yet
        scheduler.step()  # T2J203
    return jax.lax.stop_gradient(model.weight)
