"""Values that are computed before a training step: constants in it, unless they come from what it trains."""

from collections import deque

import equinox as eqx
import jax
import jax.numpy as jnp
import optax
from torch2jax.runtime.batching import batched
from torch2jax.runtime.buffers import unregistered
from torch2jax.runtime.losses import mse_loss
from torch2jax.runtime.module_state import set_state
from torch2jax.runtime.training import add_gradients, pull_back_entries


@eqx.filter_jit
def train_step(optimizer, head, opt_state, features, target):
    def loss_fn(head):
        return mse_loss(batched(head)(features), target)

    loss, grads = eqx.filter_value_and_grad(loss_fn)(head)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(head, eqx.is_inexact_array))
    return eqx.apply_updates(head, updates), opt_state, loss


def head_step(head, optimizer, opt_state, features, target):
    head, opt_state, loss = train_step(optimizer, head, opt_state, features, target)
    return head, opt_state, loss


def case_features_of_another_model(x, y, *, key):
    linear_key, linear_key_1 = jax.random.split(key)
    body, head = eqx.nn.Sequential([eqx.nn.Linear(3, 4, key=linear_key)]), eqx.nn.Linear(4, 3, key=linear_key_1)
    body = eqx.tree_at(lambda m: m[0].weight, body, jnp.ones_like(body[0].weight))
    body = eqx.tree_at(lambda m: m[0].bias, body, jnp.zeros_like(body[0].bias))
    head = eqx.tree_at(lambda m: m.weight, head, jnp.ones_like(head.weight))
    head = eqx.tree_at(lambda m: m.bias, head, jnp.zeros_like(head.bias))
    optimizer = optax.sgd(0.1)
    opt_state = optimizer.init(eqx.filter(head, eqx.is_inexact_array))
    for _ in range(3):
        head, opt_state, loss = head_step(head, optimizer, opt_state, jnp.tanh(batched(body)(x)), y)
    return jax.lax.stop_gradient(loss), jax.lax.stop_gradient(head.weight)


class Body(eqx.nn.StatefulLayer):
    inner: eqx.nn.Linear
    outer: eqx.nn.Linear
    penalty: eqx.nn.StateIndex = unregistered()

    def __init__(self, *, key):
        inner_key, outer_key = jax.random.split(key)
        self.inner = eqx.nn.Linear(3, 4, key=inner_key)
        self.outer = eqx.nn.Linear(4, 3, key=outer_key)
        self.inner = eqx.tree_at(lambda m: m.weight, self.inner, jnp.full_like(self.inner.weight, 0.1))
        self.outer = eqx.tree_at(lambda m: m.weight, self.outer, jnp.full_like(self.outer.weight, 0.2))
        self.inner = eqx.tree_at(lambda m: m.bias, self.inner, jnp.zeros_like(self.inner.bias))
        self.outer = eqx.tree_at(lambda m: m.bias, self.outer, jnp.zeros_like(self.outer.bias))
        self.penalty = eqx.nn.StateIndex(jnp.zeros(()))

    def encode(self, x):
        return jnp.tanh(batched(self.inner)(x))

    def __call__(self, x, state):
        h = self.encode(x)
        state = set_state(state, self.penalty, (h ** 2).mean())
        return batched(self.outer)(h), state


def outer_step(model, optimizer, features, y):
    # torch2jax: T2J500 this training step is not understood: `optimizer.zero_grad()` stands alone
    optimizer.zero_grad()  # T2J500
    loss = mse_loss(batched(model.outer)(features), y)
    # torch2jax: T2J500 this training step is not understood: `features` was computed from what it trains, before it: the gradient would not go on there
    loss.backward()  # T2J500
    # torch2jax: T2J500 this training step is not understood: `optimizer.step()` stands alone
    optimizer.step()  # T2J500
    return loss.item()


def case_features_of_a_part(x, y, *, key):
    model, state = eqx.nn.make_with_state(Body)(key=key)
    optimizer = optax.sgd(0.1)
    for _ in range(3):
        loss = outer_step(model, optimizer, model.encode(x), y)
    return loss, jax.lax.stop_gradient(model.inner.weight)


@eqx.filter_jit
def training_step(optimizer, model, state, opt_state, features, y):
    def loss_fn(model, state):
        return mse_loss(batched(model.outer)(features), y), state

    (loss, state), grads = eqx.filter_value_and_grad(loss_fn, has_aux=True)(model, state)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), state, opt_state, loss


def constant_step(model, state, optimizer, opt_state, features, y):
    model, state, opt_state, loss = training_step(optimizer, model, state, opt_state, features, y)
    return model, state, opt_state, loss.item()


def case_detached_features(x, y, *, key):
    model, state = eqx.nn.make_with_state(Body)(key=key)
    optimizer = optax.sgd(0.1)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    for _ in range(3):
        model, state, opt_state, loss = constant_step(model, state, optimizer, opt_state, jax.lax.stop_gradient(model.encode(x)), y)
    features = model.encode(x)
    features = jax.lax.stop_gradient(features)
    model, state, opt_state, loss = constant_step(model, state, optimizer, opt_state, features, y)
    return loss, jax.lax.stop_gradient(model.inner.weight), jax.lax.stop_gradient(model.outer.weight)


@eqx.filter_jit
def update_step(optimizer, student, state, opt_state, x, target):
    def loss_fn(student, state):
        out, state = student(x, state)
        return mse_loss(out, target), state

    (loss, state), grads = eqx.filter_value_and_grad(loss_fn, has_aux=True)(student, state)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(student, eqx.is_inexact_array))
    return eqx.apply_updates(student, updates), state, opt_state, loss


def follow(student, state, optimizer, opt_state, x, target):
    student, state, opt_state, loss = update_step(optimizer, student, state, opt_state, x, target)
    return student, state, opt_state, jax.lax.stop_gradient(loss)


def case_teacher_of_the_same_class(x, *, key):
    teacher_key, student_key = jax.random.split(key)
    teacher, teacher_state = eqx.nn.make_with_state(Body)(key=teacher_key)
    student, student_state = eqx.nn.make_with_state(Body)(key=student_key)
    optimizer = optax.sgd(0.1)
    opt_state = optimizer.init(eqx.filter(student, eqx.is_inexact_array))
    for _ in range(3):
        out, teacher_state = teacher(x, teacher_state)
        student, student_state, opt_state, loss = follow(student, student_state, optimizer, opt_state, x, out + 1)
    return loss, jax.lax.stop_gradient(student.inner.weight)


@eqx.filter_jit
def train_step_1(optimizer, model, state, opt_state, x, y):
    def loss_fn(model, state):
        out, state = model(x, state)
        return mse_loss(out, y) + 0.5 * state.get(model.penalty), state

    (loss, state), grads = eqx.filter_value_and_grad(loss_fn, has_aux=True)(model, state)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), state, opt_state, loss


def case_penalty_of_the_forward_pass(x, y, *, key):
    model, state = eqx.nn.make_with_state(Body)(key=key)
    optimizer = optax.sgd(0.1)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    for _ in range(3):
        model, state, opt_state, loss = train_step_1(optimizer, model, state, opt_state, x, y)
    return jax.lax.stop_gradient(loss), jax.lax.stop_gradient(model.inner.weight)


@eqx.filter_jit
def train_step_2(optimizer, model, state, opt_state, x, y):
    def loss_fn(model, state):
        parts = deque()
        for row, wanted in zip(x, y):
            parts.append(mse_loss(batched(model.outer)(model.encode(row)), wanted))
        return jnp.stack(list(parts)).mean(), state

    (loss, state), grads = eqx.filter_value_and_grad(loss_fn, has_aux=True)(model, state)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), state, opt_state, loss


def case_parts_gathered_in_the_step(x, y, *, key):
    model, state = eqx.nn.make_with_state(Body)(key=key)
    optimizer = optax.sgd(0.1)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    for _ in range(3):
        model, state, opt_state, loss = train_step_2(optimizer, model, state, opt_state, x, y)
    return jax.lax.stop_gradient(loss), jax.lax.stop_gradient(model.inner.weight)


key = jax.random.key(0)
key, subkey = jax.random.split(key)
policy = eqx.nn.Linear(3, 2, key=subkey)
policy = eqx.tree_at(lambda m: m.weight, policy, jnp.broadcast_to(jnp.arange(6.0).reshape(2, 3) / 10, policy.weight.shape).astype(policy.weight.dtype))
policy = eqx.tree_at(lambda m: m.bias, policy, jnp.full_like(policy.bias, 0.1))
updater = optax.sgd(0.1)
updater_opt_state = updater.init(eqx.filter(policy, eqx.is_inexact_array))
gathered = []
gathered_entry_vjps = []


@eqx.filter_jit
def compute_gathered_entry(policy, x):
    def forward(policy):
        scores = jax.nn.log_softmax(batched(policy)(x), axis=-1)
        return scores.max(), scores

    return eqx.filter_vjp(forward, policy, has_aux=True)


def act(x):
    gathered_entry, gathered_entry_vjp, scores = compute_gathered_entry(policy, x)
    gathered.append(gathered_entry)
    gathered_entry_vjps.append(gathered_entry_vjp)
    return scores.argmax()


@eqx.filter_jit
def train_step_3(updater, policy, opt_state, gathered, gathered_entry_vjps):
    def loss_fn(primals):
        policy, gathered = primals
        return -jnp.stack(gathered).sum() + 0.1 * (policy.weight ** 2).sum()

    loss, grads = eqx.filter_value_and_grad(loss_fn)((policy, gathered))
    grads = add_gradients(grads[0], pull_back_entries(gathered_entry_vjps, grads[1]))
    updates, opt_state = updater.update(grads, opt_state, eqx.filter(policy, eqx.is_inexact_array))
    return eqx.apply_updates(policy, updates), opt_state


def case_list_of_the_module(x):
    global policy, updater_opt_state
    for row in x:
        act(row)
    policy, updater_opt_state = train_step_3(updater, policy, updater_opt_state, gathered, gathered_entry_vjps)
    gathered.clear()
    gathered_entry_vjps.clear()
    return jax.lax.stop_gradient(policy.weight)


class Policy(eqx.Module):
    score: eqx.nn.Linear
    log_probs: list = unregistered()

    def __init__(self, *, key):
        self.score = eqx.nn.Linear(3, 2, key=key)
        self.log_probs = []

    def __call__(self, x):
        return jax.nn.log_softmax(batched(self.score)(x), axis=-1)


def choose(agent, x):
    scores = agent(x)
    agent.log_probs.append(scores[0])
    return scores.argmax()


def case_list_of_a_model(x, *, key):
    agent = Policy(key=key)
    optimizer = optax.sgd(0.1)
    for row in x:
        choose(agent, row)
    loss = -jnp.stack(agent.log_probs).sum()
    # torch2jax: T2J500 this training step is not understood: `optimizer.zero_grad()` stands alone
    optimizer.zero_grad()  # T2J500
    # torch2jax: T2J500 this training step is not understood: `agent.log_probs` was computed from what it trains, before it: the gradient would not go on there
    loss.backward()  # T2J500
    # torch2jax: T2J500 this training step is not understood: `optimizer.step()` stands alone
    optimizer.step()  # T2J500
    return jax.lax.stop_gradient(agent.score.weight)
