"""Averages of models and target networks: parameters that follow those of another model."""

import copy

import equinox as eqx
import jax
import jax.numpy as jnp
import optax
from torch2jax.runtime.batching import batched
from torch2jax.runtime.checkpoints import load_state_dict, named_parameters, parameters, state_dict
from torch2jax.runtime.parameters import map_parameters


class Net(eqx.Module):
    fc: eqx.nn.Linear
    act: eqx.nn.Lambda
    out: eqx.nn.Linear

    def __init__(self, value=0.5, *, key):
        fc_key, out_key = jax.random.split(key)
        self.fc = eqx.nn.Linear(3, 4, key=fc_key)
        self.act = eqx.nn.Lambda(jax.nn.relu)
        self.out = eqx.nn.Linear(4, 2, key=out_key)
        self.fc = eqx.tree_at(lambda m: m.weight, self.fc, jnp.full_like(self.fc.weight, value))
        self.fc = eqx.tree_at(lambda m: m.bias, self.fc, jnp.full_like(self.fc.bias, 0.1))
        self.out = eqx.tree_at(lambda m: m.weight, self.out, jnp.full_like(self.out.weight, -value))
        self.out = eqx.tree_at(lambda m: m.bias, self.out, jnp.full_like(self.out.bias, 0.2))

    def __call__(self, x):
        return batched(self.out)(self.act(batched(self.fc)(x)))


def update_ema(ema_model, model, decay=0.9):
    ema_model = map_parameters(lambda ema_p, p: ema_p * decay + (1 - decay) * p, ema_model, model)
    return ema_model


def soft_update(target: eqx.Module, source: eqx.Module, tau: float):
    def update(target_param, param):
        return target_param * (1.0 - tau) + param * tau

    target = map_parameters(update, target, source)
    return target


def hard_update(target, source):
    target = map_parameters(lambda target_param, param: param, target, source)
    return target


class EMA:
    def __init__(self, model, decay):
        self.decay = decay
        self.model = copy.deepcopy(model)

    def update(self, model):
        self.model = map_parameters(lambda p, q: p + (1 - self.decay) * (q - p), self.model, model)


class Shadow:
    def __init__(self, model, decay):
        self.decay = decay
        self.shadow = {}
        for name, param in named_parameters(model):
            if True:
                self.shadow[name] = jnp.copy(jax.lax.stop_gradient(param))

    def update(self, model):
        for name, param in named_parameters(model):
            if True:
                new_average = (1.0 - self.decay) * jax.lax.stop_gradient(param) + self.decay * self.shadow[name]
                self.shadow[name] = new_average


@eqx.filter_jit
def train_step(optimizer, net, opt_state, target, x):
    def loss_fn(net):
        wanted = target(x)
        wanted = jax.lax.stop_gradient(wanted)
        return ((net(x) - wanted - 1) ** 2).mean()

    loss, grads = eqx.filter_value_and_grad(loss_fn)(net)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(net, eqx.is_inexact_array))
    return eqx.apply_updates(net, updates), opt_state, loss


class Agent:
    def __init__(self, *, key):
        net_key, target_key = jax.random.split(key)
        self.net = Net(0.25, key=net_key)
        self.target = Net(0.75, key=target_key)
        self.target = load_state_dict(self.target, state_dict(self.net))
        self.optimizer = optax.sgd(0.1)
        self.opt_state = self.optimizer.init(eqx.filter(self.net, eqx.is_inexact_array))
        self.tau = 0.1

    def learn(self, x):
        self.net, self.opt_state, loss = train_step(self.optimizer, self.net, self.opt_state, self.target, x)

        def update(p, q):
            p = p * (1 - self.tau)
            return p + self.tau * q

        self.target = map_parameters(update, self.target, self.net)
        return loss.item()


def case_function(*, key):
    net_key, net_key_1 = jax.random.split(key)
    model, ema = Net(0.5, key=net_key), Net(0.25, key=net_key_1)
    ema = update_ema(ema, model)
    ema = update_ema(ema, model, decay=0.5)
    return ema.fc.weight, ema.out.bias, model.fc.weight


def case_copy_of_data(*, key):
    net_key, net_key_1 = jax.random.split(key)
    model, target = Net(0.5, key=net_key), Net(0.25, key=net_key_1)
    target = soft_update(target, model, 0.1)
    return target.fc.weight, target.out.weight


def case_hard_update(*, key):
    net_key, net_key_1 = jax.random.split(key)
    model, target = Net(0.5, key=net_key), Net(0.25, key=net_key_1)
    target = hard_update(target, model)
    return target.fc.weight, target.out.weight


@eqx.filter_jit
def training_step(optimizer, model, opt_state, x):
    def loss_fn(model):
        return (model(x) ** 2).sum()

    loss, grads = eqx.filter_value_and_grad(loss_fn)(model)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), opt_state


def case_class(x: jax.Array, *, key):
    model = Net(0.5, key=key)
    ema = EMA(model, 0.9)
    optimizer = optax.sgd(0.1)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    for _ in range(3):
        model, opt_state = training_step(optimizer, model, opt_state, x)
        ema.update(model)
    return ema.model.fc.weight, model.fc.weight, ema.model(x)


def case_shadow(x: jax.Array, *, key):
    model = Net(0.5, key=key)
    ema = Shadow(model, 0.9)
    optimizer = optax.sgd(0.1)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    for _ in range(3):
        model, opt_state = training_step(optimizer, model, opt_state, x)
        ema.update(model)
    return ema.shadow["fc.weight"], model.fc.weight


def case_agent(x: jax.Array, *, key):
    agent = Agent(key=key)
    losses = []
    for _ in range(3):
        losses.append(agent.learn(x))
    return losses, agent.target.fc.weight, agent.net.fc.weight


def case_in_place_in_a_script(x: jax.Array, *, key):
    model = Net(0.5, key=key)
    ema = copy.deepcopy(model)
    optimizer = optax.adam(0.1)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    decay = 0.9
    for step in range(3):
        model, opt_state = training_step(optimizer, model, opt_state, x)
        ema = map_parameters(lambda p_ema, p: p + decay * (p_ema - p), ema, model)
    return ema.fc.weight, model.fc.weight


def case_assigned_data(*, key):
    net_key, net_key_1 = jax.random.split(key)
    model, ema = Net(0.5, key=net_key), Net(0.25, key=net_key_1)
    ema = map_parameters(lambda p, q: 0.9 * p + 0.1 * q, ema, model)
    return ema.fc.weight, ema.fc.bias


def case_by_state_dict(*, key):
    net_key, net_key_1 = jax.random.split(key)
    model, ema = Net(0.5, key=net_key), Net(0.25, key=net_key_1)
    values = state_dict(model)
    weights = state_dict(ema)
    for name, value in weights.items():
        value = value * 0.9 + 0.1 * values[name]
        weights[name] = value
    ema = load_state_dict(ema, weights)
    return ema.fc.weight, ema.fc.bias


def case_new_state_dict(*, key):
    net_key, net_key_1 = jax.random.split(key)
    model, ema = Net(0.5, key=net_key), Net(0.25, key=net_key_1)
    values, averages = state_dict(model), state_dict(ema)
    ema = load_state_dict(ema, {name: 0.9 * averages[name] + 0.1 * values[name] for name in values})
    return ema.fc.weight, ema.fc.bias


def case_target_loads(*, key):
    net_key, net_key_1 = jax.random.split(key)
    net, target = Net(0.5, key=net_key), Net(0.25, key=net_key_1)
    target = load_state_dict(target, state_dict(net))
    return target.fc.weight


@eqx.filter_jit
def train_step_2(optimizer, net, opt_state, x):
    def loss_fn(net):
        return (net(x) ** 2).sum()

    loss, grads = eqx.filter_value_and_grad(loss_fn)(net)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(net, eqx.is_inexact_array))
    return eqx.apply_updates(net, updates), opt_state


def case_target_is_a_copy(x: jax.Array, *, key):
    net_key, target_key = jax.random.split(key)
    net = Net(0.5, key=net_key)
    target = Net(0.25, key=target_key)
    target = load_state_dict(target, state_dict(net))
    optimizer = optax.sgd(0.1)
    opt_state = optimizer.init(eqx.filter(net, eqx.is_inexact_array))
    net, opt_state = train_step_2(optimizer, net, opt_state, x)
    return target.fc.weight, net.fc.weight


def case_foreach(*, key):
    net_key, net_key_1 = jax.random.split(key)
    model, ema = Net(0.5, key=net_key), Net(0.25, key=net_key_1)
    # torch2jax: T2J200 `torch._foreach_mul_` has no translation yet
    torch._foreach_mul_(list(ema.parameters()), 0.9)  # T2J200
    return ema.fc.weight


def case_swa(*, key):
    model = Net(0.5, key=key)
    # torch2jax: T2J200 `torch.optim.swa_utils.AveragedModel` has no translation yet
    averaged = torch.optim.swa_utils.AveragedModel(model)  # T2J200
    averaged.update_parameters(model)
    return averaged.module.fc.weight


# unchanged
def case_plain_lists():
    averages, values = [1.0, 2.0], [3.0, 4.0]
    for i, (average, value) in enumerate(zip(averages, values)):
        averages[i] = 0.9 * average + 0.1 * value
    return averages


def case_only_read(*, key):
    net_key, net_key_1 = jax.random.split(key)
    model, other = Net(0.5, key=net_key), Net(0.25, key=net_key_1)
    total = jnp.zeros(())
    for p, q in zip(parameters(model), parameters(other)):
        total = total + ((p - q) ** 2).sum()
    return total
