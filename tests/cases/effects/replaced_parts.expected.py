"""Parts of models that are exchanged, added, taken out and looked at from outside."""

import copy
from collections import OrderedDict

import equinox as eqx
import jax
import jax.numpy as jnp
import optax
from torch2jax.runtime.batching import batched
from torch2jax.runtime.checkpoints import children, load_state_dict, modules, named_children, named_modules, state_dict
from torch2jax.runtime.freezing import freeze, unfreeze, unfrozen, with_frozen_of
from torch2jax.runtime.initializers import apply_init, with_init
from torch2jax.runtime.keys import split_key
from torch2jax.runtime.sequences import NamedSequential


class Net(eqx.Module):
    body: eqx.nn.Sequential
    layers: list[eqx.Module]
    head: eqx.Module
    untrained: tuple = eqx.field(default=(), static=True)

    def __init__(self, *, key):
        body_key, layers_key, head_key = jax.random.split(key, 3)
        self.body = eqx.nn.Sequential([eqx.nn.Linear(3, 4, key=body_key), eqx.nn.Lambda(jax.nn.relu)])
        self.layers = [eqx.nn.Linear(4, 4, key=subkey) for subkey in jax.random.split(layers_key, 2)]
        self.head = eqx.nn.Linear(4, 2, key=head_key)
        apply_init(self, fill)

    def __call__(self, x):
        x = batched(self.body)(x)
        for layer in self.layers:
            x = batched(layer)(x)
        return batched(self.head)(x)


def fill(module):
    if isinstance(module, eqx.nn.Linear):
        module = eqx.tree_at(lambda m: m.weight, module, jnp.full_like(module.weight, 0.5))
        module = eqx.tree_at(lambda m: m.bias, module, jnp.full_like(module.bias, 0.25))
    return module


def three_way(*, key):
    layer = eqx.nn.Linear(4, 3, key=key)
    layer = eqx.tree_at(lambda m: m.weight, layer, jnp.ones_like(layer.weight))
    layer = eqx.tree_at(lambda m: m.bias, layer, jnp.zeros_like(layer.bias))
    return layer


def case_other_head(x: jax.Array, *, key):
    model_key, head_key = jax.random.split(key)
    model = Net(key=model_key)
    model = eqx.tree_at(lambda m: m.head, model, three_way(key=head_key))
    return model(x)


def case_identity(x: jax.Array, *, key):
    model = Net(key=key)
    model = eqx.tree_at(lambda m: m.head, model, eqx.nn.Identity())
    return model(x)


# random
def case_new_head(x: jax.Array, *, key):
    model_key, head_key = jax.random.split(key)
    model = Net(key=model_key)
    model = eqx.tree_at(lambda m: m.head, model, eqx.nn.Linear(model.head.in_features, 3, key=head_key))
    return model(x)


def case_element(x: jax.Array, *, key):
    model = Net(key=key)
    model.layers[0] = eqx.nn.Identity()
    model = eqx.tree_at(lambda m: m.body[1], model, eqx.nn.Lambda(jnp.tanh))
    return model(x)


@eqx.filter_jit
def train_step(optimizer, model, opt_state, x):
    params, static = eqx.partition(model, unfrozen(model))

    def loss_fn(params):
        model = eqx.combine(params, static)
        return (model(x) ** 2).mean()

    loss, grads = eqx.filter_value_and_grad(loss_fn)(params)
    updates, opt_state = optimizer.update(grads, opt_state, params)
    return eqx.apply_updates(model, updates), opt_state


def case_replaced_and_trained(x: jax.Array, *, key):
    model_key, head_key = jax.random.split(key)
    model = Net(key=model_key)
    model = eqx.tree_at(lambda m: m.head, model, three_way(key=head_key))
    optimizer = optax.sgd(0.1)
    opt_state = optimizer.init(eqx.filter(model, unfrozen(model)))
    for _ in range(2):
        model, opt_state = train_step(optimizer, model, opt_state, x)
    return model.head.weight, model.body[0].weight


def case_setattr(x: jax.Array, *, key):
    model = Net(key=key)
    model = eqx.tree_at(lambda m: m.head, model, eqx.nn.Identity())
    return model(x)


def case_appended(x: jax.Array, *, key):
    model = Net(key=key)
    model.layers.append(eqx.nn.Identity())
    return model(x)


def case_deleted(x: jax.Array, *, key):
    model = Net(key=key)
    del model.layers[1]
    return model(x)


def case_slice_of_sequential(x: jax.Array, *, key):
    net_key, net_key_1 = jax.random.split(key)
    net = eqx.nn.Sequential([eqx.nn.Linear(3, 4, key=net_key), eqx.nn.Lambda(jax.nn.relu), eqx.nn.Linear(4, 2, key=net_key_1)])
    net = with_init(net, fill)
    features = net[:2]
    return batched(features)(x), batched(net[-1])(batched(features)(x)), len(net), len(net[1:])


def case_children(x: jax.Array, *, key):
    model = Net(key=key)
    names = [name for name, _ in named_children(model)]
    return names, len(list(children(model)))


def case_body_of_children(x: jax.Array, *, key):
    net_key, net_key_1 = jax.random.split(key)
    net = eqx.nn.Sequential([eqx.nn.Linear(3, 4, key=net_key), eqx.nn.Lambda(jax.nn.relu), eqx.nn.Linear(4, 2, key=net_key_1)])
    net = with_init(net, fill)
    features = eqx.nn.Sequential(list(children(net))[:-1])
    return batched(features)(x)


def case_counted_modules(*, key):
    model = Net(key=key)
    return sum(isinstance(m, eqx.nn.Linear) for m in modules(model))


def case_named_modules(*, key):
    model = Net(key=key)
    return [name for name, module in named_modules(model) if isinstance(module, eqx.nn.Linear)]


def case_ordered_dict(x: jax.Array, *, key):
    net_key, net_key_1 = jax.random.split(key)
    net = NamedSequential(OrderedDict([("fc", eqx.nn.Linear(3, 4, key=net_key)), ("act", eqx.nn.Lambda(jax.nn.relu)), ("out", eqx.nn.Linear(4, 2, key=net_key_1))]))
    net = with_init(net, fill)
    return batched(net)(x), net.fc.weight


def case_hook(x: jax.Array, *, key):
    model = Net(key=key)
    seen = []
    # torch2jax: T2J602 `model.head.register_forward_hook` attaches a hook
    model.head.register_forward_hook(lambda module, inputs, output: seen.append(output))  # T2J602
    return model(x)


def case_clones(x: jax.Array, *, key):
    layer = eqx.nn.Linear(3, 3, key=key)
    layer = fill(layer)
    layers = [copy.deepcopy(layer) for _ in range(2)]
    layers = eqx.tree_at(lambda m: m[0].weight, layers, jnp.zeros_like(layers[0].weight))
    return layers[0].weight, layers[1].weight


def case_part_of_state_dict(*, key):
    net_key, net_key_1 = jax.random.split(key)
    model, other = Net(key=net_key), Net(key=net_key_1)
    other = eqx.tree_at(lambda m: m.head.weight, other, jnp.zeros_like(other.head.weight))
    model = eqx.tree_at(lambda m: m.head, model, load_state_dict(model.head, state_dict(other.head)))
    return model.head.weight


def case_state_dict_without_head(*, key):
    net_key, net_key_1 = jax.random.split(key)
    model, other = Net(key=net_key), Net(key=net_key_1)
    other = eqx.tree_at(lambda m: m.body[0].weight, other, jnp.zeros_like(other.body[0].weight))
    values = {k: v for k, v in state_dict(other).items() if not k.startswith("head.")}
    model = load_state_dict(model, values, strict=False)
    return model.body[0].weight, model.head.weight


def case_part_called(x: jax.Array, *, key):
    model = Net(key=key)
    features = batched(model.body)(x)
    return features, batched(model.layers[0])(features)


def case_parts_read(*, key):
    model = Net(key=key)
    return model.head.in_features, model.head.out_features, len(model.layers), model.body[0].weight.shape[0]


class Noisy(eqx.Module):
    features: eqx.nn.Sequential
    head: eqx.nn.Sequential

    def __init__(self, *, key):
        features_key, head_key = jax.random.split(key)
        self.features = eqx.nn.Sequential([eqx.nn.Linear(3, 4, key=features_key), eqx.nn.Dropout(0.5)])
        self.head = eqx.nn.Sequential([eqx.nn.Linear(4, 2, key=head_key), eqx.nn.Dropout(0.5)])
        apply_init(self, fill)

    def __call__(self, x, *, key=None):
        head_key, features_key = split_key(key, 2)
        return batched(self.head)(batched(self.features)(x, key=features_key), key=head_key)


class Rested(Noisy):
    def train(self, mode=True):
        # torch2jax: T2J603 `super().train` of modules has no translation yet
        super().train(mode)  # T2J603
        # torch2jax: T2J603 `self.features.eval` of modules has no translation yet
        self.features.eval()  # T2J603
        return self


def case_part_evaluated(x: jax.Array, *, key):
    model_key, model_key_1 = jax.random.split(key)
    model = Noisy(key=model_key)
    model = eqx.tree_at(lambda m: m.features, model, eqx.nn.inference_mode(model.features))
    model = eqx.tree_at(lambda m: m.head, model, eqx.nn.inference_mode(model.head))
    return model(x, key=model_key_1)


def case_evaluated_in_train(x: jax.Array, *, key):
    model_key, model_key_1 = jax.random.split(key)
    model = Rested(key=model_key)
    model.train(False)
    return model(x, key=model_key_1)


def case_layers_evaluated(x: jax.Array, *, key):
    model_key, model_key_1 = jax.random.split(key)
    model = Noisy(key=model_key)
    model = eqx.tree_at(lambda m: m.features, model, eqx.nn.inference_mode(model.features))
    model = eqx.tree_at(lambda m: m.head, model, eqx.nn.inference_mode(model.head))
    return model(x, key=model_key_1)


class Headless(eqx.Module):
    net: Net

    def __init__(self, *, key):
        self.net = Net(key=key)
        self.net = eqx.tree_at(lambda m: m.head, self.net, eqx.nn.Identity())
        self.net = unfreeze(self.net, "head")

    def __call__(self, x):
        return self.net(x)


def without_head(model):
    model = eqx.tree_at(lambda m: m.head, model, eqx.nn.Identity())
    model = unfreeze(model, "head")
    return model


def case_headless(x: jax.Array, *, key):
    return Headless(key=key)(x)


def case_function_that_replaces(x: jax.Array, *, key):
    model = Net(key=key)
    model = without_head(model)
    return model(x)


def case_frozen_but_for_the_new_head(x: jax.Array, *, key):
    model_key, head_key = jax.random.split(key)
    model = Net(key=model_key)
    model = freeze(model)
    model = with_frozen_of(eqx.tree_at(lambda m: m.head, model, three_way(key=head_key)), model)
    optimizer = optax.adamw(0.1, weight_decay=0.01)
    opt_state = optimizer.init(eqx.filter(model, unfrozen(model)))
    for _ in range(2):
        model, opt_state = train_step(optimizer, model, opt_state, x)
    return model.head.weight, model.body[0].weight, model.layers[1].bias
