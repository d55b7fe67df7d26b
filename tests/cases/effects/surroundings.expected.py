"""Compiled steps see the variables and objects around them as they are, also where those change between two steps."""

import equinox as eqx
import jax
import jax.numpy as jnp
import optax
from torch2jax.runtime.batching import batched
from torch2jax.runtime.losses import mse_loss
from torch2jax.runtime.parameters import map_parameters

SCALE = 1.0
WEIGHTS = [1.0, 1.0]
HAS_FEATURE = False
try:
    import math

    HAS_FEATURE = math.pi > 3
except ImportError:
    HAS_FEATURE = False


def make(*, key):
    model = eqx.nn.Linear(3, 3, key=key)
    model = map_parameters(lambda p: jnp.linspace(-0.5, 0.6, p.size).reshape(p.shape), model)
    return model, optax.sgd(0.1)


@eqx.filter_jit
def train_step(optimizer, model, opt_state, x, y, SCALE):
    def loss_fn(model):
        return mse_loss(batched(model)(x), y) * SCALE

    loss, grads = eqx.filter_value_and_grad(loss_fn)(model)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), opt_state, loss


def scaled_step(model, optimizer, opt_state, x, y):
    model, opt_state, loss = train_step(optimizer, model, opt_state, x, y, SCALE)
    return model, opt_state, loss.item()


def case_global_variable(x, y, *, key):
    global SCALE
    model, optimizer = make(key=key)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    losses = []
    for factor in (1.0, 3.0, 0.5):
        SCALE = factor
        model, opt_state, out = scaled_step(model, optimizer, opt_state, x, y)
        losses.append(out)
    return losses


def criterion(output, y):
    return mse_loss(output, y) * SCALE


def training_step(optimizer, model, opt_state, x, y):
    def loss_fn(model):
        return criterion(batched(model)(x), y)

    loss, grads = eqx.filter_value_and_grad(loss_fn)(model)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), opt_state, loss


def case_global_variable_of_a_helper(x, y, *, key):
    global SCALE
    model, optimizer = make(key=key)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    losses = []
    for factor in (1.0, 3.0, 0.5):
        SCALE = factor
        model, opt_state, loss = training_step(optimizer, model, opt_state, x, y)
        losses.append(loss.item())
    return losses


@eqx.filter_jit
def update_step(optimizer, model, opt_state, x, WEIGHTS, y):
    def loss_fn(model):
        output = batched(model)(x)
        return WEIGHTS[0] * mse_loss(output, y) + WEIGHTS[1] * (output ** 2).mean()

    loss, grads = eqx.filter_value_and_grad(loss_fn)(model)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), opt_state, loss


def weighted_step(model, optimizer, opt_state, x, y):
    model, opt_state, loss = update_step(optimizer, model, opt_state, x, WEIGHTS, y)
    return model, opt_state, loss.item()


def case_global_list(x, y, *, key):
    model, optimizer = make(key=key)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    losses = []
    for _ in range(3):
        model, opt_state, out = weighted_step(model, optimizer, opt_state, x, y)
        losses.append(out)
        WEIGHTS[1] = WEIGHTS[1] * 0.5
    WEIGHTS[1] = 1.0
    return losses


class Annealing:
    def __init__(self):
        self.beta = 0.0

    def advance(self):
        self.beta = min(1.0, self.beta + 0.4)


def train_step_1(optimizer, model, opt_state, x, y, beta):
    def loss_fn(model):
        return mse_loss(batched(model)(x), y) + beta * (model.weight ** 2).sum()

    loss, grads = eqx.filter_value_and_grad(loss_fn)(model)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), opt_state, loss


def annealed_step(model, optimizer, opt_state, annealing, x, y):
    model, opt_state, loss = train_step_1(optimizer, model, opt_state, x, y, annealing.beta)
    return model, opt_state, loss.item()


def case_field_of_an_object(x, y, *, key):
    model, optimizer = make(key=key)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    annealing = Annealing()
    losses = []
    for _ in range(4):
        model, opt_state, out = annealed_step(model, optimizer, opt_state, annealing, x, y)
        losses.append(out)
        annealing.advance()
    return losses


class Settings:
    scale = 1.0


def train_step_2(optimizer, model, opt_state, x, y):
    def loss_fn(model):
        return mse_loss(batched(model)(x), y) * Settings.scale

    loss, grads = eqx.filter_value_and_grad(loss_fn)(model)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), opt_state, loss


def case_field_of_a_class(x, y, *, key):
    model, optimizer = make(key=key)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    Settings.scale = 1.0
    losses = []
    for _ in range(3):
        model, opt_state, loss = train_step_2(optimizer, model, opt_state, x, y)
        Settings.scale = Settings.scale + 1.0
        losses.append(loss.item())
    return losses


def train_step_3(optimizer, model, opt_state, loss_of, x):
    def loss_fn(model):
        return loss_of(batched(model)(x))

    loss, grads = eqx.filter_value_and_grad(loss_fn)(model)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), opt_state, loss


def case_variable_of_a_closure(x, y, *, key):
    model, optimizer = make(key=key)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    scale = 1.0

    def loss_of(output):
        return mse_loss(output, y) * scale

    losses = []
    for _ in range(3):
        model, opt_state, loss = train_step_3(optimizer, model, opt_state, loss_of, x)
        scale = scale + 1.0
        losses.append(loss.item())
    return losses


def featured(output, y):
    return mse_loss(output, y) * (2.0 if HAS_FEATURE else 1.0)


@eqx.filter_jit
def train_step_4(optimizer, model, opt_state, x, y):
    def loss_fn(model):
        return featured(batched(model)(x), y)

    loss, grads = eqx.filter_value_and_grad(loss_fn)(model)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), opt_state, loss


def case_flag_of_the_module(x, y, *, key):
    model, optimizer = make(key=key)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    losses = []
    for _ in range(2):
        model, opt_state, loss = train_step_4(optimizer, model, opt_state, x, y)
        losses.append(loss.item())
    return losses


@eqx.filter_jit
def train_step_5(teaching, teacher, opt_state, x, y):
    def loss_fn(teacher):
        return mse_loss(batched(teacher)(x), y)

    first, grads = eqx.filter_value_and_grad(loss_fn)(teacher)
    updates, opt_state = teaching.update(grads, opt_state, eqx.filter(teacher, eqx.is_inexact_array))
    return eqx.apply_updates(teacher, updates), opt_state, first


@eqx.filter_jit
def train_step_6(optimizer, model, opt_state, teacher, distill, x):
    def loss_fn(model):
        return distill(batched(model)(x), teacher)

    loss, grads = eqx.filter_value_and_grad(loss_fn)(model)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), opt_state, loss


def case_trained_teacher(x, y, *, key):
    make_key, make_key_1 = jax.random.split(key)
    teacher, teaching = make(key=make_key)
    teaching_opt_state = teaching.init(eqx.filter(teacher, eqx.is_inexact_array))
    model, optimizer = make(key=make_key_1)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))

    def distill(output, teacher):
        target = batched(teacher)(x * 2)
        target = jax.lax.stop_gradient(target)
        return mse_loss(output, target)

    losses = []
    for _ in range(3):
        teacher, teaching_opt_state, first = train_step_5(teaching, teacher, teaching_opt_state, x, y)
        model, opt_state, loss = train_step_6(optimizer, model, opt_state, teacher, distill, x)
        losses.append((first.item(), loss.item()))
    return losses


@eqx.filter_jit
def train_step_7(optimizer, model, opt_state, x, y, penalty):
    def loss_fn(model):
        return mse_loss(batched(model)(x), y) + penalty(model)

    loss, grads = eqx.filter_value_and_grad(loss_fn)(model)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), opt_state


def case_trained_model_of_a_closure(x, y, *, key):
    model, optimizer = make(key=key)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))

    def penalty(model):
        return 0.1 * (model.weight ** 2).sum()

    for _ in range(3):
        model, opt_state = train_step_7(optimizer, model, opt_state, x, y, penalty)
    return jax.lax.stop_gradient(model.weight)


@eqx.filter_jit
def train_step_8(optimizer, model, opt_state, x, y):
    def loss_fn(model):
        return mse_loss(batched(model)(x), y)

    loss, grads = eqx.filter_value_and_grad(loss_fn)(model)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), opt_state, loss


def case_two_loops_with_one_step(x, y, *, key):
    model, optimizer = make(key=key)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    losses = []
    for _ in range(2):
        model, opt_state, loss = train_step_8(optimizer, model, opt_state, x, y)
        losses.append(loss.item())
    for _ in range(2):
        model, opt_state, loss = train_step_8(optimizer, model, opt_state, x, y)
        losses.append(loss.item())
    return losses


def threshold_count(model, x, threshold):
    total = 0
    for _ in range(2):
        total += (batched(model)(x) > threshold * SCALE).sum().item()
    return total


def case_evaluation(x, y, *, key):
    global SCALE
    model, _ = make(key=key)
    found = []
    for SCALE in (0.0, 0.3, 1.0):
        found.append(threshold_count(model, x, 1.0))
    return found


class Tempered(eqx.Module):
    layer: eqx.nn.Linear
    temperature: float

    def __init__(self, *, key):
        self.layer = eqx.nn.Linear(3, 3, key=key)
        self.temperature = 1.0

    def __call__(self, x):
        return batched(self.layer)(x) / self.temperature


def case_field_of_a_module_from_outside(x, y, *, key):
    model = Tempered(key=key)
    # torch2jax: T2J601 `temperature` of module `model` is made in a way that cannot be followed
    model.temperature *= 0.5  # T2J601
    return model(x)


BANK = jnp.zeros(3)


def distance(output):
    return ((output - BANK) ** 2).mean()


def train_step_10(optimizer, model, opt_state, x):
    def loss_fn(model):
        output = batched(model)(x)
        return distance(output), output

    (loss, output), grads = eqx.filter_value_and_grad(loss_fn, has_aux=True)(model)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), opt_state, loss, output


def case_global_tensor_in_place(x, y, *, key):
    global BANK
    model, optimizer = make(key=key)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    losses = []
    for _ in range(3):
        model, opt_state, loss, output = train_step_10(optimizer, model, opt_state, x)
        BANK = BANK * 0.5 + 0.5 * jax.lax.stop_gradient(output).mean(axis=0)
        losses.append(loss.item())
    BANK = jnp.zeros_like(BANK)
    return losses
