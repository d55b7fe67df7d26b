import equinox as eqx
import jax
import jax.numpy as jnp
import optax
from torch2jax.runtime.batching import batched
from torch2jax.runtime.elementwise import sign
from torch2jax.runtime.losses import mse_loss
from torch2jax.runtime.reductions import absolute, clamp


def case_saliency(x: jax.Array):
    x = jax.lax.stop_gradient(x)
    score, score_vjp = jax.vjp(lambda x: jnp.sin(x).sum(), x)
    x_grad = jax.lax.stop_gradient(score_vjp(jnp.ones_like(score)))[0]
    return absolute(x_grad)


def case_two_leaves(x: jax.Array):
    shift = jnp.zeros(3)
    scale = jnp.ones(3)
    loss, loss_vjp = jax.vjp(lambda shift, scale: mse_loss(x * scale + shift, jnp.ones_like(x)), shift, scale)
    shift_grad, scale_grad = jax.lax.stop_gradient(loss_vjp(jnp.ones_like(loss)))
    return shift_grad, scale_grad, loss.item()


def case_one_after_the_other(x: jax.Array):
    a = x
    loss, loss_vjp = jax.vjp(lambda a: (a * a).sum(), a)
    a_grad = jax.lax.stop_gradient(loss_vjp(jnp.ones_like(loss)))[0]
    first = a_grad
    b = x
    loss, loss_vjp_1 = jax.vjp(lambda b: jnp.tanh(b).sum(), b)
    b_grad = jax.lax.stop_gradient(loss_vjp_1(jnp.ones_like(loss)))[0]
    return first + b_grad


def case_accumulated(x: jax.Array):
    w = x
    for _ in range(2):
        loss = (w * w).sum()
        # torch2jax: T2J500 this training step is not understood: gradients are not cleared in every round, so they accumulate
        # torch2jax: T2J500 this training step is not understood: `loss.backward()` stands alone
        loss.backward()  # T2J500
    # torch2jax: T2J503 `w.grad` is read where no translated `backward()` reaches
    return w.grad  # T2J503


def make_model(*, key):
    model = eqx.nn.Linear(3, 3, key=key)
    model = eqx.tree_at(lambda m: m.weight, model, jnp.full_like(model.weight, 0.25))
    model = eqx.tree_at(lambda m: m.weight, model, model.weight.at[0].set(jnp.array([1.0, -1.0, 0.5])))
    model = eqx.tree_at(lambda m: m.bias, model, jnp.zeros_like(model.bias))
    return model


def fast_gradient_sign(model, x, target):
    x = jax.lax.stop_gradient(x)
    loss, loss_vjp = jax.vjp(lambda x: mse_loss(batched(model)(x), target), x)
    x_grad = jax.lax.stop_gradient(loss_vjp(jnp.ones_like(loss)))[0]
    return jax.lax.stop_gradient(clamp(x + 0.1 * sign(x_grad), -1, 1))


def case_attack(x: jax.Array, y: jax.Array, *, key):
    return fast_gradient_sign(make_model(key=key), x, y)


@eqx.filter_jit
def train_step(optimizer, model, opt_state, x, y):
    def loss_fn(model):
        attacked = fast_gradient_sign(model, x, y)
        return mse_loss(batched(model)(attacked), y)

    loss, grads = eqx.filter_value_and_grad(loss_fn)(model)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), opt_state, loss


def case_trained_on_attacks(x: jax.Array, y: jax.Array, *, key):
    model = make_model(key=key)
    optimizer = optax.sgd(0.1)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    for _ in range(3):
        model, opt_state, loss = train_step(optimizer, model, opt_state, x, y)
    return jax.lax.stop_gradient(loss), jax.lax.stop_gradient(model.weight)


def case_projected(x: jax.Array, y: jax.Array, *, key):
    model = make_model(key=key)
    delta = jnp.zeros_like(x)
    for _ in range(3):
        loss, loss_vjp = jax.vjp(lambda delta: mse_loss(batched(model)(x + delta), y), delta)
        delta_grad = jax.lax.stop_gradient(loss_vjp(jnp.ones_like(loss)))[0]
        delta = clamp(delta + 0.05 * sign(jax.lax.stop_gradient(delta_grad)), -0.1, 0.1)
    return jax.lax.stop_gradient(delta)


def case_renewed_in_a_loop(x: jax.Array, y: jax.Array, *, key):
    model = make_model(key=key)
    for _ in range(3):
        loss, loss_vjp = jax.vjp(lambda x: mse_loss(batched(model)(x), y), x)
        x_grad = jax.lax.stop_gradient(loss_vjp(jnp.ones_like(loss)))[0]
        x = jax.lax.stop_gradient(x - 0.5 * x_grad)
    return x


def polluting(model, x, target):
    loss = mse_loss(batched(model)(x), target)
    # torch2jax: T2J500 this training step is not understood: its gradients are added to those that an `optimizer.step()` uses: no `zero_grad()` is between
    loss.backward()  # T2J500
    # torch2jax: T2J503 `x.grad` is read where no translated `backward()` reaches
    return jax.lax.stop_gradient(x + x.grad)  # T2J503


@eqx.filter_jit
def training_step(optimizer, model, opt_state, x, y):
    def loss_fn(model):
        attacked = polluting(model, x, y)
        return mse_loss(batched(model)(attacked), y)

    loss, grads = eqx.filter_value_and_grad(loss_fn)(model)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), opt_state


def case_attack_between_clearing_and_step(x: jax.Array, y: jax.Array, *, key):
    model = make_model(key=key)
    optimizer = optax.sgd(0.1)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    for _ in range(3):
        model, opt_state = training_step(optimizer, model, opt_state, x, y)
    return jax.lax.stop_gradient(model.weight)


def polluting_at_last(model, x, target):
    loss = mse_loss(batched(model)(x), target)
    # torch2jax: T2J500 this training step is not understood: its gradients are added to those that an `optimizer.step()` uses: no `zero_grad()` is between
    loss.backward()  # T2J500
    # torch2jax: T2J503 `x.grad` is read where no translated `backward()` reaches
    return jax.lax.stop_gradient(x + x.grad)  # T2J503


@eqx.filter_jit
def update_step(optimizer, model, opt_state, x, y):
    def loss_fn(model):
        attacked = polluting_at_last(model, x, y)
        return mse_loss(batched(model)(attacked), y)

    loss, grads = eqx.filter_value_and_grad(loss_fn)(model)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), opt_state


def case_cleared_behind_the_step(x: jax.Array, y: jax.Array, *, key):
    model = make_model(key=key)
    optimizer = optax.sgd(0.1)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    for _ in range(3):
        model, opt_state = update_step(optimizer, model, opt_state, x, y)
    return jax.lax.stop_gradient(model.weight)
