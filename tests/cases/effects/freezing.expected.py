"""Parameters that are not trained: requires_grad set to False from inside and outside of modules."""

import copy

import equinox as eqx
import jax
import jax.numpy as jnp
import optax
from torch2jax.runtime.batching import batched
from torch2jax.runtime.checkpoints import named_parameters, parameters
from torch2jax.runtime.freezing import choose_trained, freeze, freeze_in_place, trained_names, unfreeze, unfrozen
from torch2jax.runtime.losses import mse_loss
from torch2jax.runtime.reached import reached_value_and_grad
from torch2jax.runtime.separate_states import per_parameter
from torch2jax.runtime.training import clip_grad_norm


class Backbone(eqx.Module):
    fc: eqx.nn.Linear

    def __init__(self, *, key):
        self.fc = eqx.nn.Linear(3, 3, key=key)
        self.fc = eqx.tree_at(lambda m: m.weight, self.fc, jnp.eye(*self.fc.weight.shape))
        self.fc = eqx.tree_at(lambda m: m.bias, self.fc, jnp.full_like(self.fc.bias, 0.25))

    def __call__(self, x):
        return jnp.tanh(batched(self.fc)(x))


class Classifier(eqx.Module):
    backbone: Backbone
    head: eqx.nn.Linear
    untrained: tuple = eqx.field(default=(), static=True)

    def __init__(self, *, key):
        backbone_key, head_key = jax.random.split(key)
        self.backbone = Backbone(key=backbone_key)
        self.head = eqx.nn.Linear(3, 2, key=head_key)
        self.head = eqx.tree_at(lambda m: m.weight, self.head, jnp.full_like(self.head.weight, 0.5))
        self.head = eqx.tree_at(lambda m: m.bias, self.head, jnp.full_like(self.head.bias, -0.5))

    def __call__(self, x):
        return batched(self.head)(self.backbone(x))


class FrozenInside(eqx.Module):
    backbone: Backbone
    head: eqx.nn.Linear
    untrained: tuple = eqx.field(default=(), static=True)

    def __init__(self, *, key):
        backbone_key, head_key = jax.random.split(key)
        self.backbone = Backbone(key=backbone_key)
        freeze_in_place(self, "backbone")
        self.head = eqx.nn.Linear(3, 2, key=head_key)
        self.head = eqx.tree_at(lambda m: m.weight, self.head, jnp.full_like(self.head.weight, 0.5))
        self.head = eqx.tree_at(lambda m: m.bias, self.head, jnp.full_like(self.head.bias, -0.5))

    def __call__(self, x):
        return batched(self.head)(self.backbone(x))


class FrozenByMethod(eqx.Module):
    backbone: Backbone
    head: eqx.nn.Linear
    untrained: tuple = eqx.field(default=(), static=True)

    def __init__(self, *, key):
        backbone_key, head_key = jax.random.split(key)
        self.backbone = Backbone(key=backbone_key)
        freeze_in_place(self, "backbone")
        self.head = eqx.nn.Linear(3, 2, key=head_key)
        self.head = eqx.tree_at(lambda m: m.weight, self.head, jnp.full_like(self.head.weight, 0.5))
        self.head = eqx.tree_at(lambda m: m.bias, self.head, jnp.full_like(self.head.bias, -0.5))

    def __call__(self, x):
        return batched(self.head)(self.backbone(x))


class Distilled(eqx.Module):
    student: Classifier
    teacher: Classifier
    untrained: tuple = eqx.field(default=(), static=True)

    def __init__(self, *, key):
        student_key, teacher_key = jax.random.split(key)
        self.student = Classifier(key=student_key)
        self.teacher = Classifier(key=teacher_key)
        freeze_in_place(self, "teacher")

    def __call__(self, x):
        wanted = self.teacher(2 * x)
        wanted = jax.lax.stop_gradient(wanted)
        return mse_loss(self.student(x), wanted)


@eqx.filter_jit
def train_step(optimizer, model, opt_state, x, target):
    params, static = eqx.partition(model, unfrozen(model))

    def loss_fn(params):
        model = eqx.combine(params, static)
        return mse_loss(model(x), target)

    loss, grads = eqx.filter_value_and_grad(loss_fn)(params)
    updates, opt_state = optimizer.update(grads, opt_state, params)
    return eqx.apply_updates(model, updates), opt_state


def train(model, optimizer, opt_state, x, steps):
    target = jnp.ones((x.shape[0], 2))
    for _ in range(steps):
        model, opt_state = train_step(optimizer, model, opt_state, x, target)
    return model, opt_state


def case_frozen_in_init(x: jax.Array, *, key):
    model = FrozenInside(key=key)
    optimizer = optax.adamw(0.1, weight_decay=0.1)
    opt_state = optimizer.init(eqx.filter(model, unfrozen(model)))
    model, opt_state = train(model, optimizer, opt_state, x, 3)
    return model.backbone.fc.weight, model.backbone.fc.bias, model.head.weight


def case_frozen_in_init_by_method(x: jax.Array, *, key):
    model = FrozenByMethod(key=key)
    optimizer = optax.chain(optax.add_decayed_weights(0.1), optax.sgd(0.1))
    opt_state = optimizer.init(eqx.filter(model, unfrozen(model)))
    model, opt_state = train(model, optimizer, opt_state, x, 3)
    return model.backbone.fc.weight, model.head.weight, model.head.bias


@eqx.filter_jit
def training_step(optimizer, model, opt_state, x):
    params, static = eqx.partition(model, unfrozen(model))

    def loss_fn(params):
        model = eqx.combine(params, static)
        return model(x)

    loss, grads = reached_value_and_grad(loss_fn)(params)
    updates, opt_state = optimizer.update(grads, opt_state, params)
    return eqx.apply_updates(model, updates), opt_state


def case_frozen_teacher_in_module(x: jax.Array, *, key):
    model = Distilled(key=key)
    optimizer = per_parameter(optax.adamw(0.1, weight_decay=0.01))
    opt_state = optimizer.init(eqx.filter(model, unfrozen(model)))
    for _ in range(3):
        model, opt_state = training_step(optimizer, model, opt_state, x)
    return model.teacher.head.weight, model.student.head.weight, model.student.backbone.fc.weight


def case_frozen_from_outside(x: jax.Array, *, key):
    model = Classifier(key=key)
    model = freeze(model, "backbone")
    optimizer = optax.adamw(0.1, weight_decay=0.1)
    opt_state = optimizer.init(eqx.filter(model, unfrozen(model)))
    model, opt_state = train(model, optimizer, opt_state, x, 3)
    return model.backbone.fc.weight, model.head.weight


def case_frozen_by_method_from_outside(x: jax.Array, *, key):
    model = Classifier(key=key)
    model = freeze(model, "backbone")
    optimizer = optax.chain(optax.add_decayed_weights(0.1), optax.sgd(0.1, momentum=0.9))
    opt_state = optimizer.init(eqx.filter(model, unfrozen(model)))
    model, opt_state = train(model, optimizer, opt_state, x, 3)
    return model.backbone.fc.weight, model.head.weight


def case_trained_ones_filtered(x: jax.Array, *, key):
    model = Classifier(key=key)
    model = freeze(model, "backbone")
    optimizer = optax.adam(0.1)
    opt_state = optimizer.init(eqx.filter(model, unfrozen(model)))
    model, opt_state = train(model, optimizer, opt_state, x, 3)
    return model.backbone.fc.weight, model.head.weight


def case_trained_ones_listed(x: jax.Array, *, key):
    model = Classifier(key=key)
    model = freeze(model)
    model = unfreeze(model, "head")
    optimizer = optax.adam(0.1)
    opt_state = optimizer.init(eqx.filter(model, unfrozen(model)))
    model, opt_state = train(model, optimizer, opt_state, x, 3)
    return model.backbone.fc.weight, model.head.weight


def case_frozen_by_name(x: jax.Array, *, key):
    model = Classifier(key=key)

    def is_trained(name, requires_grad):
        if "bias" in name:
            requires_grad = False
        return requires_grad

    model = choose_trained(model, is_trained)
    optimizer = optax.adamw(0.1, weight_decay=0.01)
    opt_state = optimizer.init(eqx.filter(model, unfrozen(model)))
    model, opt_state = train(model, optimizer, opt_state, x, 3)
    return model.backbone.fc.bias, model.backbone.fc.weight, model.head.bias


def case_frozen_unless_named(x: jax.Array, *, key):
    model = Classifier(key=key)
    model = choose_trained(model, lambda name, requires_grad: name.startswith("head."))
    optimizer = optax.adamw(0.1, weight_decay=0.01)
    opt_state = optimizer.init(eqx.filter(model, unfrozen(model)))
    model, opt_state = train(model, optimizer, opt_state, x, 3)
    return model.backbone.fc.bias, model.backbone.fc.weight, model.head.bias


def case_flags_given_to_a_method(x: jax.Array, *, key):
    model = Classifier(key=key)
    model = choose_trained(model, lambda name, requires_grad: name.startswith("head."))
    optimizer = optax.adamw(0.1, weight_decay=0.01)
    opt_state = optimizer.init(eqx.filter(model, unfrozen(model)))
    model, opt_state = train(model, optimizer, opt_state, x, 3)
    return model.backbone.fc.bias, model.backbone.fc.weight, model.head.bias


def case_some_flags_given_to_a_method(x: jax.Array, *, key):
    model = Classifier(key=key)

    def is_trained(name, requires_grad):
        if name.endswith("bias"):
            requires_grad = False
        else:
            requires_grad = True
        return requires_grad

    model = choose_trained(model, is_trained)
    optimizer = optax.adamw(0.1, weight_decay=0.01)
    opt_state = optimizer.init(eqx.filter(model, unfrozen(model)))
    model, opt_state = train(model, optimizer, opt_state, x, 3)
    return model.backbone.fc.bias, model.backbone.fc.weight, model.head.bias


def case_frozen_copy(x: jax.Array, *, key):
    model = Classifier(key=key)
    target = copy.deepcopy(model)
    optimizer = optax.sgd(0.1)
    opt_state = optimizer.init(eqx.filter(model, unfrozen(model)))
    model, opt_state = train(model, optimizer, opt_state, x, 2)
    return target.head.weight, model.head.weight


def case_frozen_and_only_called(x: jax.Array, *, key):
    model = Classifier(key=key)
    return model(x)


@eqx.filter_jit
def update_step(optimizer, model, opt_state, x, target):
    params, static = eqx.partition(model, unfrozen(model))

    def loss_fn(params):
        model = eqx.combine(params, static)
        return mse_loss(model(x), target)

    loss, grads = eqx.filter_value_and_grad(loss_fn)(params)
    grads, _ = clip_grad_norm(grads, 0.1)
    updates, opt_state = optimizer.update(grads, opt_state, params)
    return eqx.apply_updates(model, updates), opt_state


def case_frozen_and_clipped(x: jax.Array, *, key):
    model = FrozenInside(key=key)
    optimizer = optax.sgd(1.0)
    opt_state = optimizer.init(eqx.filter(model, unfrozen(model)))
    target = jnp.ones((x.shape[0], 2))
    for _ in range(3):
        model, opt_state = update_step(optimizer, model, opt_state, x, target)
    return model.backbone.fc.weight, model.head.weight


def case_counted(x: jax.Array, *, key):
    model = FrozenInside(key=key)
    trained = sum(p.size for p in jax.tree.leaves(eqx.filter(model, unfrozen(model))))
    return sum(p.size for p in parameters(model)), trained


def case_counted_where_all_are_trained(*, key):
    model = Classifier(key=key)
    return sum(p.size for p in jax.tree.leaves(eqx.filter(model, unfrozen(model))))


def case_read_back(*, key):
    model = Classifier(key=key)
    return [name in trained_names(model) for name, p in named_parameters(model)]
