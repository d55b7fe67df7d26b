"""Parameters that are given other values after a module is made."""

import equinox as eqx
import jax
import jax.numpy as jnp
from torch2jax.runtime.batching import batched
from torch2jax.runtime.buffers import buffer
from torch2jax.runtime.checkpoints import named_parameters, parameters
from torch2jax.runtime.initializers import kaiming_normal, with_init, xavier_uniform
from torch2jax.runtime.module_loops import map_modules, set_modules
from torch2jax.runtime.module_state import set_state
from torch2jax.runtime.parameters import map_parameters, set_parameters
from torch2jax.runtime.recurrent import GRUCell
from torch2jax.runtime.reductions import clamp, norm


class Net(eqx.Module):
    fc: eqx.nn.Linear
    norm: eqx.nn.LayerNorm
    out: eqx.nn.Linear

    def __init__(self, *, key):
        fc_key, out_key = jax.random.split(key)
        self.fc = eqx.nn.Linear(3, 4, key=fc_key)
        self.norm = eqx.nn.LayerNorm(4)
        self.out = eqx.nn.Linear(4, 2, key=out_key)
        self.fc = eqx.tree_at(lambda m: m.weight, self.fc, jnp.full_like(self.fc.weight, 0.5))
        self.fc = eqx.tree_at(lambda m: m.bias, self.fc, jnp.full_like(self.fc.bias, 0.1))
        self.out = eqx.tree_at(lambda m: m.weight, self.out, jnp.full_like(self.out.weight, 2.0))
        self.out = eqx.tree_at(lambda m: m.bias, self.out, jnp.full_like(self.out.bias, -2.0))

    def __call__(self, x):
        return batched(self.out)(batched(self.norm)(batched(self.fc)(x)))


class Deep(eqx.Module):
    layers: list[eqx.nn.Linear]

    def __init__(self, *, key):
        self.layers = [eqx.nn.Linear(3, 3, key=subkey) for subkey in jax.random.split(key, 2)]
        self.reset_parameters()

    def reset_parameters(self):
        def init_parameter(p):
            if p.ndim > 1:
                p = jnp.eye(*p.shape)
            else:
                p = jnp.zeros_like(p)
            return p

        set_parameters(init_parameter, self)

    def __call__(self, x):
        for layer in self.layers:
            x = batched(layer)(x)
        return x


class Drawn(eqx.Module):
    fc1: eqx.nn.Linear
    fc2: eqx.nn.Linear

    def __init__(self, *, key):
        fc1_key, fc2_key, reset_parameters_key = jax.random.split(key, 3)
        self.fc1 = eqx.nn.Linear(30, 20, key=fc1_key)
        self.fc2 = eqx.nn.Linear(20, 10, key=fc2_key)
        self._reset_parameters(key=reset_parameters_key)

    def _reset_parameters(self, *, key):
        def init_parameter(p, *, key):
            if p.ndim > 1:
                p = xavier_uniform(key, p.shape)
            return p

        set_parameters(init_parameter, self, key=key)

    def __call__(self, x):
        return batched(self.fc2)(batched(self.fc1)(x))


class ByName(eqx.Module):
    fc: eqx.nn.Linear

    def __init__(self, *, key):
        self.fc = eqx.nn.Linear(3, 2, key=key)

        def init_parameter(name, param):
            if "bias" in name:
                param = jnp.full_like(param, 0.5)
            elif "weight" in name:
                param = jnp.full_like(param, 0.25)
            return param

        set_parameters(init_parameter, self, named=True)

    def __call__(self, x):
        return batched(self.fc)(x)


class OwnWeights(eqx.Module):
    fc: eqx.nn.Linear

    def __init__(self, *, key):
        self.fc = eqx.nn.Linear(3, 2, key=key)
        self.fc = eqx.tree_at(lambda m: m.weight, self.fc, jnp.zeros_like(self.fc.weight))
        self.fc = eqx.tree_at(lambda m: m.weight, self.fc, self.fc.weight.at[0, 0].set(1))
        self.fc = eqx.tree_at(lambda m: m.weight, self.fc, self.fc.weight.at[1].set(0.5))
        self.fc = eqx.tree_at(lambda m: m.bias, self.fc, jnp.full_like(self.fc.bias, 3.0))

    def __call__(self, x):
        return batched(self.fc)(x)


def init_weights(module):
    if isinstance(module, eqx.nn.Linear):
        module = eqx.tree_at(lambda m: m.weight, module, jnp.full_like(module.weight, 0.25))
        if module.bias is not None:
            module = eqx.tree_at(lambda m: m.bias, module, jnp.zeros_like(module.bias))
    return module


def case_zero(*, key):
    model = Net(key=key)
    model = eqx.tree_at(lambda m: m.fc.weight, model, jnp.zeros_like(model.fc.weight))
    model = eqx.tree_at(lambda m: m.out.bias, model, jnp.full_like(model.out.bias, 1))
    return model.fc.weight, model.out.bias, model.out.weight


def case_data(*, key):
    model = Net(key=key)
    model = eqx.tree_at(lambda m: m.fc.weight, model, jnp.full_like(model.fc.weight, 0.75))
    model = eqx.tree_at(lambda m: m.out.weight, model, model.out.weight * 0.5)
    model = eqx.tree_at(lambda m: m.out.bias, model, jnp.array([1.0, 2.0]))
    return model.fc.weight, model.out.weight, model.out.bias


def case_one_row(*, key):
    model = Net(key=key)
    model = eqx.tree_at(lambda m: m.fc.weight, model, model.fc.weight.at[0].set(0))
    model = eqx.tree_at(lambda m: m.fc.weight, model, model.fc.weight.at[1, 2].set(7))
    model = eqx.tree_at(lambda m: m.fc.bias, model, model.fc.bias.at[1:].add(1))
    return model.fc.weight, model.fc.bias


def case_copied(*, key):
    model = Net(key=key)
    model = eqx.tree_at(lambda m: m.out.weight, model, jnp.broadcast_to(jnp.arange(8.0).reshape(2, 4), model.out.weight.shape).astype(model.out.weight.dtype))
    model = eqx.tree_at(lambda m: m.out.bias, model, jnp.broadcast_to(model.fc.bias[:2], model.out.bias.shape).astype(model.out.bias.dtype))
    return model.out.weight, model.out.bias


def case_own_weights(x: jax.Array, *, key):
    model = OwnWeights(key=key)
    return model(x), model.fc.weight


def case_clipped(*, key):
    model = Net(key=key)
    model = map_parameters(lambda p: clamp(p, -0.3, 0.3), model)
    return model.fc.weight, model.out.weight, model.out.bias, model.fc.bias


def case_scaled_in_a_block(*, key):
    model = Net(key=key)
    model = map_parameters(lambda param: param * 0.5, model)
    return model.fc.weight, model.out.bias


@eqx.filter_jit
def compute_gradients(model, x):
    def loss_fn(model):
        return (model(x) ** 2).mean()

    _, grads = eqx.filter_value_and_grad(loss_fn)(model)
    return grads


def case_manual_descent(x: jax.Array, *, key):
    model = Net(key=key)
    for _ in range(3):
        grads = compute_gradients(model, x)
        model = map_parameters(lambda p, grad: p - 0.1 * grad, model, grads)
    return model.fc.weight, model.out.bias


def case_manual_descent_of_data(x: jax.Array, *, key):
    model = Net(key=key)
    for _ in range(2):
        grads = compute_gradients(model, x)
        model = map_parameters(lambda p, grad: p - 0.1 * grad, model, grads)
    return model.fc.weight, model.out.bias


def case_manual_descent_cleared_behind(x: jax.Array, *, key):
    model = Net(key=key)
    for _ in range(2):
        grads = compute_gradients(model, x)
        model = map_parameters(lambda p, grad: p - 0.1 * grad, model, grads)
    return model.fc.weight, model.out.bias


def case_by_dimension(x: jax.Array, *, key):
    model = Deep(key=key)
    return model(x), model.layers[1].weight, model.layers[0].bias


# random
def case_drawn(*, key):
    model = Drawn(key=key)
    return model.fc1.weight, model.fc2.weight, model.fc1.bias


# random
def case_drawn_from_outside(*, key):
    model_key, init_key = jax.random.split(key)
    model = Drawn(key=model_key)

    def update(p, *, key):
        if p.ndim > 1:
            p = 1.0 + 0.1 * jax.random.normal(key, p.shape)
        return p

    model = map_parameters(update, model, key=init_key)
    return model.fc1.weight, model.fc2.weight


# random
def case_normal_of_data(*, key):
    model_key, normal_key, uniform_key = jax.random.split(key, 3)
    model = Drawn(key=model_key)
    model = eqx.tree_at(lambda m: m.fc1.weight, model, 0.02 * jax.random.normal(normal_key, model.fc1.weight.shape, model.fc1.weight.dtype))
    model = eqx.tree_at(lambda m: m.fc2.weight, model, jax.random.uniform(uniform_key, model.fc2.weight.shape, model.fc2.weight.dtype, minval=-1, maxval=1))
    return model.fc1.weight, model.fc2.weight


def case_by_name(x: jax.Array, *, key):
    model = ByName(key=key)
    return model(x), model.fc.weight, model.fc.bias


def case_by_name_from_outside(*, key):
    model = Net(key=key)

    def update(name, param):
        if name.endswith("bias"):
            param = jnp.zeros_like(param)
        return param

    model = map_parameters(update, model, named=True)
    return model.fc.bias, model.out.bias, model.out.weight


def case_applied(*, key):
    model = Net(key=key)
    model = with_init(model, init_weights)
    return model.fc.weight, model.out.weight, model.out.bias


def case_modules_of_model(*, key):
    model = Net(key=key)

    def init_layer(m):
        if isinstance(m, eqx.nn.Linear):
            m = eqx.tree_at(lambda m: m.weight, m, jnp.full_like(m.weight, 0.125))
            m = eqx.tree_at(lambda m: m.bias, m, jnp.zeros_like(m.bias))
        elif isinstance(m, eqx.nn.LayerNorm):
            m = eqx.tree_at(lambda m: m.weight, m, jnp.full_like(m.weight, 2.0))
        return m

    model = map_modules(init_layer, model)
    return model.fc.weight, model.out.bias, model.norm.weight


def case_sequential(*, key):
    model_key, model_key_1 = jax.random.split(key)
    model = eqx.nn.Sequential([eqx.nn.Linear(3, 4, key=model_key), eqx.nn.Lambda(jax.nn.relu), eqx.nn.Linear(4, 2, key=model_key_1)])
    model = map_parameters(lambda p: jnp.full_like(p, 0.5), model)
    model = eqx.tree_at(lambda m: m[0].weight, model, model[0].weight.at[0].set(1.0))
    model = eqx.tree_at(lambda m: m[2].bias, model, jnp.zeros_like(model[2].bias))
    return model[0].weight, model[0].bias, model[2].bias


def case_norm_of_parameters(*, key):
    model = Net(key=key)
    return sum((p**2).sum() for p in jax.tree.leaves(eqx.filter(model, eqx.is_inexact_array))), [p.shape[0] for p in parameters(model)]


def case_norms_by_name(*, key):
    model = Net(key=key)
    return {name: norm(p) for name, p in named_parameters(model)}


class ConvNet(eqx.Module):
    conv: eqx.nn.Conv2d
    fc: eqx.nn.Linear

    def __init__(self, *, key):
        conv_key, fc_key = jax.random.split(key)
        self.conv = eqx.nn.Conv2d(2, 3, 3, key=conv_key)
        self.fc = eqx.nn.Linear(3, 2, key=fc_key)
        self._initialize_weights()

    def _initialize_weights(self):
        def init_layer(m):
            if isinstance(m, eqx.nn.Conv2d):
                m = eqx.tree_at(lambda m: m.weight, m, jnp.full_like(m.weight, 0.25))
                if m.bias is not None:
                    m = eqx.tree_at(lambda m: m.bias, m, jnp.zeros_like(m.bias))
            elif isinstance(m, eqx.nn.Linear):
                m = eqx.tree_at(lambda m: m.weight, m, jnp.full_like(m.weight, 0.5))
                m = eqx.tree_at(lambda m: m.bias, m, jnp.zeros_like(m.bias))
            return m

        set_modules(init_layer, self)

    def __call__(self, x):
        return batched(self.fc)(batched(self.conv)(x).mean(axis=(2, 3)))


class ConvNetInside(eqx.Module):
    conv: eqx.nn.Conv2d
    fc: eqx.nn.Linear

    def __init__(self, *, key):
        conv_key, fc_key, init_key = jax.random.split(key, 3)
        self.conv = eqx.nn.Conv2d(20, 30, 3, key=conv_key)
        self.fc = eqx.nn.Linear(30, 20, key=fc_key)

        def init_layer(m, *, key):
            if isinstance(m, eqx.nn.Conv2d):
                m = eqx.tree_at(lambda m: m.weight, m, kaiming_normal(key, m.weight.shape, mode="fan_out", nonlinearity="relu"))
            elif isinstance(m, eqx.nn.Linear):
                m = eqx.tree_at(lambda m: m.weight, m, 0.01 * jax.random.normal(key, m.weight.shape))
                m = eqx.tree_at(lambda m: m.bias, m, jnp.zeros_like(m.bias))
            return m

        set_modules(init_layer, self, key=init_key)

    def __call__(self, x):
        return batched(self.fc)(batched(self.conv)(x).mean(axis=(2, 3)))


def case_conv_net(image: jax.Array, *, key):
    model = ConvNet(key=key)
    return model(image), model.conv.bias.reshape(-1)


def case_dimensions_of_conv(*, key):
    model = ConvNet(key=key)

    def update(p):
        if p.ndim > 1:
            p = jnp.full_like(p, 2.0)
        else:
            p = jnp.full_like(p, float(p.ndim))
        return p

    model = map_parameters(update, model)
    return model.conv.weight, model.conv.bias.reshape(-1), model.fc.bias


# random
def case_conv_net_inside(*, key):
    model = ConvNetInside(key=key)
    return model.conv.weight, model.fc.weight, model.fc.bias


class Gated(eqx.Module):
    fc: eqx.nn.Linear
    cell: GRUCell

    def __init__(self, *, key):
        fc_key, cell_key = jax.random.split(key)
        self.fc = eqx.nn.Linear(3, 2, key=fc_key)
        self.cell = GRUCell(3, 2, key=cell_key)

    def __call__(self, x):
        return batched(self.fc)(x) + self.cell(x)


def case_parameters_of_a_part(x: jax.Array, *, key):
    model = Gated(key=key)
    model = eqx.tree_at(lambda m: m.cell, model, map_parameters(lambda p: jnp.full_like(p, 0.1), model.cell))
    model = eqx.tree_at(lambda m: m.fc, model, map_parameters(lambda p: jnp.full_like(p, 0.2), model.fc))
    return model(x)


def case_augmented_weights(x: jax.Array, *, key):
    model = Gated(key=key)
    model = map_parameters(lambda p: jnp.full_like(p, 0.1), model)
    model = eqx.tree_at(lambda m: m.fc.weight, model, model.fc.weight - 0.25)
    model = eqx.tree_at(lambda m: m.fc.bias, model, model.fc.bias + 1)
    return model(x), model.fc.weight


def case_augmented_weight_of_unknown_shape(x: jax.Array, *, key):
    model = Gated(key=key)
    # torch2jax: T2J601 `weight_ih` of module `model.cell` is made in a way that cannot be followed
    model.cell.weight_ih *= 2  # T2J601
    return model(x)


def case_augmented_data():
    w = jnp.ones(3)
    w = w - 0.5
    w = w.at[0].add(1)
    return w


def ones_(layer: eqx.nn.Linear):
    layer = eqx.tree_at(lambda m: m.weight, layer, jnp.ones_like(layer.weight))
    return layer


def doubled_(layer: eqx.nn.Linear) -> tuple[eqx.nn.Linear, int]:
    layer = eqx.tree_at(lambda m: m.weight, layer, layer.weight * 2)
    return layer, 2


def first_row_(model: Net):
    model = eqx.tree_at(lambda m: m.fc.weight, model, model.fc.weight.at[0].set(3.0))
    model = eqx.tree_at(lambda m: m.fc.bias, model, model.fc.bias * 2 + 1)
    return model


def case_function_for_a_part(x, *, key):
    model = Net(key=key)
    model = eqx.tree_at(lambda m: m.fc, model, ones_(model.fc))
    return model(x)


def case_function_for_a_member(x, *, key):
    model_key, model_key_1 = jax.random.split(key)
    model = eqx.nn.Sequential([Net(key=model_key), eqx.nn.Linear(2, 3, key=model_key_1)])
    model = eqx.tree_at(lambda m: m[1], model, ones_(model[1]))
    model = eqx.tree_at(lambda m: m[0].fc, model, ones_(model[0].fc))
    out, _ = doubled_(model[0].out)
    model = eqx.tree_at(lambda m: m[0].out, model, out)
    return model[0](x), model[1].weight


def case_function_for_a_part_with_a_result(x, *, key):
    model = Net(key=key)
    model = eqx.tree_at(lambda m: m.fc, model, ones_(model.fc))
    fc, n = doubled_(model.fc)
    model = eqx.tree_at(lambda m: m.fc, model, fc)
    return n * model.fc.weight, model(x)


def case_function_of_a_function(x, *, key):
    model = Net(key=key)

    def both(net: Net):
        net = eqx.tree_at(lambda m: m.fc, net, ones_(net.fc))
        net = first_row_(net)
        out, out_1 = doubled_(net.out)
        net = eqx.tree_at(lambda m: m.out, net, out)
        return net, out_1

    model, n = both(model)
    return n, model.out.weight, model(x)


def case_function_for_a_part_in_an_expression(x, *, key):
    model = Net(key=key)
    fc, out = doubled_(model.fc)
    model = eqx.tree_at(lambda m: m.fc, model, fc)
    return out * model(x)


def case_expression_that_reads_a_model_before_it_changes(x, *, key):
    model = Net(key=key)
    # torch2jax: T2J302 `doubled_(model.fc)` changes `model` in the middle of an expression
    return model(x) * doubled_(model.fc)  # T2J302


class PartsInit(eqx.Module):
    net: Net
    rest: eqx.nn.Sequential

    def __init__(self, *, key):
        net_key, rest_key = jax.random.split(key)
        self.net = Net(key=net_key)
        self.rest = eqx.nn.Sequential([eqx.nn.Linear(2, 2, key=rest_key), eqx.nn.Lambda(jax.nn.relu)])
        self.net = eqx.tree_at(lambda m: m.fc, self.net, ones_(self.net.fc))
        self.rest = eqx.tree_at(lambda m: m[0], self.rest, ones_(self.rest[0]))
        self.rest = eqx.tree_at(lambda m: m[0].bias, self.rest, jnp.zeros_like(self.rest[0].bias))

    def __call__(self, x):
        return batched(self.rest)(self.net(x))

    def again(self):
        # torch2jax: T2J601 `self.net.fc` of module `PartsInit` is made in a way that cannot be followed
        self.net = eqx.tree_at(lambda m: m.fc, self.net, ones_(self.net.fc))  # T2J601


class PartsOnly(eqx.Module):
    net: Net
    rest: eqx.nn.Sequential

    def __init__(self, *, key):
        net_key, rest_key = jax.random.split(key)
        self.net = Net(key=net_key)
        self.rest = eqx.nn.Sequential([eqx.nn.Linear(2, 2, key=rest_key), eqx.nn.Lambda(jax.nn.relu)])
        self.net = eqx.tree_at(lambda m: m.fc, self.net, ones_(self.net.fc))
        self.rest = eqx.tree_at(lambda m: m[0], self.rest, ones_(self.rest[0]))
        self.rest = eqx.tree_at(lambda m: m[0].bias, self.rest, jnp.zeros_like(self.rest[0].bias))

    def __call__(self, x):
        return batched(self.rest)(self.net(x))


def case_parts_in_init(x, *, key):
    return PartsOnly(key=key)(x)


class Shifted(eqx.nn.StatefulLayer):
    shift: jax.Array = buffer()
    scale: eqx.nn.StateIndex

    def __init__(self):
        self.shift = jnp.zeros(3)
        self.scale = eqx.nn.StateIndex(None)

    def __call__(self, x, state):
        return x + self.shift, state


def case_another_buffer(x: jax.Array):
    model, state = eqx.nn.make_with_state(Shifted)()
    before = model.shift
    model = eqx.tree_at(lambda m: m.shift, model, x[0] * 2)
    x, state = model(x, state)
    return before, x


def case_another_buffer_of_a_part(x):
    model, state = eqx.nn.make_with_state(eqx.nn.Sequential)([Shifted(), Shifted()])
    model = eqx.tree_at(lambda m: m[0].shift, model, jnp.ones(3))
    model = eqx.tree_at(lambda m: m[1].shift, model, jnp.ones(3) * 2)
    x, state = batched(model)(x, state)
    return x


def case_buffer_that_was_none(x):
    model, state = eqx.nn.make_with_state(Shifted)()
    state = set_state(state, model.scale, jnp.ones(3))
    return state.get(model.scale)


def shifted_(model: Shifted):
    model = eqx.tree_at(lambda m: m.shift, model, model.shift + 1)
    model = eqx.tree_at(lambda m: m.shift, model, jnp.asarray(model.shift).at[0].set(5))
    model = eqx.tree_at(lambda m: m.shift, model, (model.shift + 1).astype(model.shift.dtype))
    model = eqx.tree_at(lambda m: m.shift, model, model.shift * 2 + 1)
    return model


def case_function_that_changes_a_buffer(x):
    model, state = eqx.nn.make_with_state(Shifted)()
    model = shifted_(model)
    x, state = model(x, state)
    return x
