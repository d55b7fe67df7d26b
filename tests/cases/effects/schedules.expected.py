"""Learning rate schedulers: each update takes the rate that torch's takes, however often and wherever the scheduler steps."""

import itertools

import equinox as eqx
import jax
import jax.numpy as jnp
import optax
from torch2jax.runtime.batching import batched
from torch2jax.runtime.losses import mse_loss
from torch2jax.runtime.parameters import map_parameters
from torch2jax.runtime.schedules import cosine_annealing, cosine_warm_restarts, multi_step_decay


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


@eqx.filter_jit
def training_step(optimizer, model, opt_state, x, y):
    def loss_fn(model):
        return mse_loss(batched(model)(x), y)

    loss, grads = eqx.filter_value_and_grad(loss_fn)(model)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), opt_state, loss


def case_behind_every_update(x, y, *, key):
    model = make(key=key)
    scheduler = cosine_annealing(0.1, 4, eta_min=0.01)
    optimizer = optax.sgd(scheduler, momentum=0.9)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    losses = []
    for _ in range(9):
        model, opt_state, loss = training_step(optimizer, model, opt_state, x, y)
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


@eqx.filter_jit
def train_step_1(optimizer, model, opt_state, x, y):
    def loss_fn(model):
        return mse_loss(batched(model)(x), y)

    loss, grads = eqx.filter_value_and_grad(loss_fn)(model)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), opt_state, loss


def fit(model, optimizer, opt_state, scheduler, x, y):
    for _ in range(4):
        model, opt_state, loss = train_step_1(optimizer, model, opt_state, x, y)
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


@eqx.filter_jit
def train_step_2(optimizer, model, opt_state, x, y):
    def loss_fn(model):
        return mse_loss(batched(model)(x), y)

    loss, grads = eqx.filter_value_and_grad(loss_fn)(model)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), opt_state, loss


class Trainer:
    def __init__(self, model, epochs):
        self.model = model
        self.epochs = epochs
        self.scheduler = cosine_annealing(0.01, epochs)
        self.optimizer = optax.inject_hyperparams(lambda count: optax.adam(self.scheduler(count)))(count=0)
        self.opt_state = self.optimizer.init(eqx.filter(model, eqx.is_inexact_array))

    def epoch(self, x, y):
        for _ in range(2):
            self.model, self.opt_state, loss = train_step_2(self.optimizer, self.model, self.opt_state, x, y)
        self.opt_state.hyperparams["count"] += 1
        return loss.item()

    def fit(self, x, y):
        return [self.epoch(x, y) for _ in range(1)]


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


@eqx.filter_jit
def train_step_3(optimizer, model, opt_state, x, y):
    def loss_fn(model):
        return mse_loss(batched(model)(x), y)

    loss, grads = eqx.filter_value_and_grad(loss_fn)(model)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), opt_state


def case_before_the_update(x, y, *, key):
    model = make(key=key)
    optimizer = optax.sgd(0.1)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    # torch2jax: T2J507 this scheduler cannot become a schedule of its optimizer: it steps between the loss and the update
    scheduler = StepLR(optimizer, 1, 0.5)  # T2J507
    for _ in range(3):
        model, opt_state = train_step_3(optimizer, model, opt_state, x, y)
        # torch2jax: T2J203 the method `step` of a scheduler has no translation yet
        scheduler.step()  # T2J203
    return jax.lax.stop_gradient(model.weight)


@eqx.filter_jit
def train_step_4(optimizer, model, opt_state, x, y):
    def loss_fn(model):
        return mse_loss(batched(model)(x), y)

    loss, grads = eqx.filter_value_and_grad(loss_fn)(model)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), opt_state


def case_first_of_all(x, y, *, key):
    model = make(key=key)
    scheduler = optax.exponential_decay(0.1, 1, 0.5, staircase=True)
    optimizer = optax.inject_hyperparams(lambda count: optax.sgd(scheduler(count)))(count=0)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    for _ in range(3):
        opt_state.hyperparams["count"] += 1
        model, opt_state = train_step_4(optimizer, model, opt_state, x, y)
    return jax.lax.stop_gradient(model.weight)


def case_several_schedulers(x, y, *, key):
    model = make(key=key)
    optimizer = optax.sgd(0.1)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    # torch2jax: T2J507 this scheduler cannot become a schedule of its optimizer: its optimizer has several schedulers
    first = StepLR(optimizer, 1, 0.5)  # T2J507
    # torch2jax: T2J507 this scheduler cannot become a schedule of its optimizer: its optimizer has several schedulers
    second = ExponentialLR(optimizer, 0.9)  # T2J507
    model, opt_state, _ = train(model, optimizer, opt_state, x, y)
    # torch2jax: T2J203 the method `step` of a scheduler has no translation yet
    first.step()  # T2J203
    # torch2jax: T2J203 the method `step` of a scheduler has no translation yet
    second.step()  # T2J203
    return jax.lax.stop_gradient(model.weight)


def case_in_a_list(x, y, *, key):
    model = make(key=key)
    optimizer = optax.sgd(0.1)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    # torch2jax: T2J507 this scheduler cannot become a schedule of its optimizer: it is used in another way than `step()` and `get_last_lr()`
    scheduler = StepLR(optimizer, 1, 0.5)  # T2J507
    schedulers = [scheduler]
    model, opt_state, _ = train(model, optimizer, opt_state, x, y)
    for item in schedulers:
        # torch2jax: T2J203 the method `step` of a scheduler has no translation yet
        item.step()  # T2J203
    return jax.lax.stop_gradient(model.weight)


def made(model):
    optimizer = optax.sgd(0.1)
    # torch2jax: T2J507 this scheduler cannot become a schedule of its optimizer: it is used in another way than `step()` and `get_last_lr()`
    scheduler = StepLR(optimizer, 1, 0.5)  # T2J507
    return optimizer, scheduler


def case_from_a_function(x, y, *, key):
    model = make(key=key)
    optimizer, scheduler = made(model)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    model, opt_state, _ = train(model, optimizer, opt_state, x, y)
    # torch2jax: T2J203 the method `step` of a scheduler has no translation yet
    scheduler.step()  # T2J203
    return jax.lax.stop_gradient(model.weight)


def case_bound_between(x, y, *, key):
    model, size = make(key=key), 3
    optimizer = optax.sgd(0.1)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    size = size - 2
    # torch2jax: T2J507 this scheduler cannot become a schedule of its optimizer: `size` is bound between it and its optimizer
    scheduler = StepLR(optimizer, size, 0.5)  # T2J507
    model, opt_state, _ = train(model, optimizer, opt_state, x, y)
    # torch2jax: T2J203 the method `step` of a scheduler has no translation yet
    scheduler.step()  # T2J203
    return jax.lax.stop_gradient(model.weight)


def case_one_of_two(x, y, *, key):
    model = make(key=key)
    optimizer = optax.sgd(0.1)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    if x.shape[0] > 1:
        # torch2jax: T2J507 this scheduler cannot become a schedule of its optimizer: `scheduler` is bound again
        scheduler = StepLR(optimizer, 1, 0.5)  # T2J507
    else:
        # torch2jax: T2J507 this scheduler cannot become a schedule of its optimizer: `scheduler` is bound again
        scheduler = ExponentialLR(optimizer, 0.5)  # T2J507
    model, opt_state, _ = train(model, optimizer, opt_state, x, y)
    # torch2jax: T2J203 the method `step` of a scheduler has no translation yet
    scheduler.step()  # T2J203
    return jax.lax.stop_gradient(model.weight)


def case_with_an_epoch(x, y, *, key):
    model = make(key=key)
    optimizer = optax.sgd(0.1)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    # torch2jax: T2J507 this scheduler cannot become a schedule of its optimizer: it is used in another way than `step()` and `get_last_lr()`
    scheduler = StepLR(optimizer, 1, 0.5)  # T2J507
    model, opt_state, _ = train(model, optimizer, opt_state, x, y)
    # torch2jax: T2J203 the method `step` of a scheduler has no translation yet
    scheduler.step(3)  # T2J203
    return jax.lax.stop_gradient(model.weight)


def case_its_state(x, y, *, key):
    model = make(key=key)
    optimizer = optax.sgd(0.1)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    # torch2jax: T2J507 this scheduler cannot become a schedule of its optimizer: it is used in another way than `step()` and `get_last_lr()`
    scheduler = StepLR(optimizer, 1, 0.5)  # T2J507
    model, opt_state, _ = train(model, optimizer, opt_state, x, y)
    # torch2jax: T2J203 the method `state_dict` of a scheduler has no translation yet
    return scheduler.state_dict()  # T2J203


def case_started_again(x, y, *, key):
    model = make(key=key)
    optimizer = optax.inject_hyperparams(lambda count: optax.sgd(scheduler(count)))(count=0)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    # torch2jax: T2J201 `torch.optim.lr_scheduler.StepLR` is translated, but not with `last_epoch`
    scheduler = StepLR(optimizer, 1, 0.5, last_epoch=3)  # T2J201
    model, opt_state, _ = train(model, optimizer, opt_state, x, y)
    opt_state.hyperparams["count"] += 1
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


@eqx.filter_jit
def train_step_5(optimizer, model, opt_state, x, y):
    def loss_fn(model):
        return mse_loss(batched(model)(x), y)

    loss, grads = eqx.filter_value_and_grad(loss_fn)(model)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), opt_state


def case_by_a_function(x, y, *, key):
    model = make(key=key)
    scheduler = (0.05 * warmed_up(count) for count in itertools.count())
    optimizer = optax.inject_hyperparams(optax.adam)(learning_rate=next(scheduler))
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    rates = []
    for _ in range(12):
        model, opt_state = train_step_5(optimizer, model, opt_state, x, y)
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
