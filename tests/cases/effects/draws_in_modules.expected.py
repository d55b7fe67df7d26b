"""Draws in modules, their methods and training steps."""

import random

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax
from torch2jax.runtime.activations import dropout
from torch2jax.runtime.batching import batched
from torch2jax.runtime.data import ArrayDataset, DataLoader
from torch2jax.runtime.distributions import Normal
from torch2jax.runtime.distributions_discrete import Categorical
from torch2jax.runtime.indexing import expand, gather
from torch2jax.runtime.initializers import apply_init, trunc_normal
from torch2jax.runtime.keys import KeySequence
from torch2jax.runtime.losses import mse_loss


class Noise(eqx.Module):
    scale: float

    def __init__(self, scale: float = 1.0):
        self.scale = scale

    def __call__(self, x, *, key):
        return x + self.scale * jax.random.normal(key, x.shape, x.dtype)


class Plain(eqx.Module):
    def __call__(self, x, *, key=None):
        return x * 2.0


class DropPath(eqx.Module):
    drop_prob: float
    inference: bool

    def __init__(self, drop_prob: float = 0.0):
        self.drop_prob = drop_prob
        self.inference = False

    def __call__(self, x, *, key=None):
        if self.drop_prob == 0.0 or self.inference:
            return x
        keep = 1 - self.drop_prob
        shape = (x.shape[0],) + (1,) * (x.ndim - 1)
        mask = jax.random.bernoulli(key, keep, shape).astype(x.dtype)
        return x * mask / keep


def differ(a: jax.Array, b: jax.Array):
    return (a != b).any()


def case_layer(x: jax.Array, *, key):
    noise_key, noise_key_1 = jax.random.split(key)
    noise = Noise()
    return differ(noise(x, key=noise_key), noise(x, key=noise_key_1))


def case_layers_in_turn(x: jax.Array, *, key):
    layers = [Noise() for _ in range(3)]
    outs = []
    for layer, subkey in zip(layers, jax.random.split(key, len(layers))):
        outs.append(layer(x, key=subkey))
    return differ(outs[0], outs[1]), differ(outs[1], outs[2])


def case_sequence(x: jax.Array, *, key):
    model_key, model_key_1 = jax.random.split(key)
    model = eqx.nn.Sequential([eqx.nn.Dropout(0.5), Plain(), Noise(), Noise()])
    return differ(batched(model)(x, key=model_key), batched(model)(x, key=model_key_1))


class Mixed(eqx.Module):
    layers: list[eqx.Module]

    def __init__(self):
        self.layers = [Plain(), Noise(), Plain(), eqx.nn.Dropout(0.5), eqx.nn.Identity()]

    def __call__(self, x, *, key):
        for layer, subkey in zip(self.layers, jax.random.split(key, len(self.layers))):
            x = batched(layer)(x, key=subkey)
        return x


def case_layers_of_several_kinds(x: jax.Array, *, key):
    model_key, model_key_1 = jax.random.split(key)
    model = Mixed()
    return differ(model(x, key=model_key), model(x, key=model_key_1))


class Chosen(eqx.Module):
    layer: eqx.Module

    def __init__(self, noisy: bool):
        self.layer = Noise() if noisy else Plain()

    def __call__(self, x, *, key):
        return self.layer(x, key=key)


def case_layer_of_two_kinds(x: jax.Array, *, key):
    draw_key, draw_key_1 = jax.random.split(key)
    return differ(Chosen(True)(x, key=draw_key), x), Chosen(False)(x, key=draw_key_1)


# random
def case_drop_path(x: jax.Array, *, key=None):
    return DropPath(0.5)(x, key=key)


def case_drop_path_in_inference(x: jax.Array):
    model = DropPath(0.5)
    model = eqx.nn.inference_mode(model)
    return model(x)


class Vae(eqx.Module):
    mean: eqx.nn.Linear
    log_var: eqx.nn.Linear
    decoder: eqx.nn.Linear

    def __init__(self, *, key):
        mean_key, log_var_key, decoder_key = jax.random.split(key, 3)
        self.mean = eqx.nn.Linear(3, 2, key=mean_key)
        self.log_var = eqx.nn.Linear(3, 2, key=log_var_key)
        self.decoder = eqx.nn.Linear(2, 3, key=decoder_key)

    def reparameterize(self, mean: jax.Array, log_var: jax.Array, *, key):
        std = jnp.exp(0.5 * log_var)
        eps = jax.random.normal(key, std.shape, std.dtype)
        return mean + eps * std

    def encode(self, x: jax.Array):
        return batched(self.mean)(x), batched(self.log_var)(x)

    def sample(self, n: int, *, key):
        return jax.vmap(self.decoder)(jax.random.normal(key, (n, 2)))

    def __call__(self, x, *, key):
        mean, log_var = self.encode(x)
        z = self.reparameterize(mean, log_var, key=key)
        return batched(self.decoder)(z), mean, log_var


def case_methods_of_module(x: jax.Array, *, key):
    model_key, model_key_1, model_key_2, sample_key, sample_key_1 = jax.random.split(key, 5)
    model = Vae(key=model_key)
    a, mean, _ = model(x, key=model_key_1)
    b, other, _ = model(x, key=model_key_2)
    return differ(a, b), differ(mean, other), differ(model.sample(2, key=sample_key), model.sample(2, key=sample_key_1))


class Masked(eqx.Module):
    ratio: float
    token: jax.Array

    def __init__(self, ratio: float = 0.5):
        self.ratio = ratio
        self.token = jnp.zeros((1, 1, 4))

    def __call__(self, x, *, key):
        b, n, d = x.shape
        keep = int(n * (1 - self.ratio))
        scores = jax.random.uniform(key, (b, n))
        order = jnp.argsort(scores, axis=1)
        restore = jnp.argsort(order, axis=1)
        kept = gather(x, 1, expand(order[:, :keep, None], -1, -1, d))
        filled = jnp.concatenate([kept, expand(self.token, b, n - keep, -1)], axis=1)
        return gather(filled, 1, expand(restore[:, :, None], -1, -1, d))


def case_masking(batch: jax.Array, *, key):
    return Masked()(batch, key=key).shape


class Sampler(eqx.Module):
    head: eqx.nn.Linear

    def __init__(self, *, key):
        self.head = eqx.nn.Linear(3, 5, key=key)

    def generate(self, x: jax.Array, steps: int, *, key):
        found = []
        for _ in range(steps):
            logits = batched(self.head)(x)
            key, subkey = jax.random.split(key)
            found.append(jax.random.categorical(subkey, jnp.log(jax.nn.softmax(logits, axis=-1)))[..., None])
        return jnp.concatenate(found, axis=1)


def case_generation(x: jax.Array, *, key):
    draw_key, sampler_key = jax.random.split(key)
    return Sampler(key=sampler_key).generate(x, 6, key=draw_key).shape


class Policy(eqx.Module):
    net: eqx.nn.Linear

    def __init__(self, *, key):
        self.net = eqx.nn.Linear(3, 4, key=key)

    def act(self, x: jax.Array, *, key):
        dist = Categorical(logits=batched(self.net)(x))
        action = dist.sample(key)
        return action, dist.log_prob(action)


def case_policy(x: jax.Array, *, key):
    policy_key, actions_key = jax.random.split(key)
    policy = Policy(key=policy_key)
    actions = jnp.stack([policy.act(x, key=subkey)[0] for subkey in jax.random.split(actions_key, 20)])
    return actions.shape, differ(actions[:10], actions[10:])


def case_distributions(*, key):
    sample_key, rsample_key, sample_key_1 = jax.random.split(key, 3)
    normal = Normal(0.0, 1.0)
    a, b = normal.sample(sample_key, (3,)), normal.rsample(rsample_key, (3,))
    return differ(a, b), differ(normal.sample(sample_key_1, (3,)), a)


class Initialised(eqx.Module):
    a: eqx.nn.Linear
    b: eqx.nn.Linear
    scale: jax.Array

    def __init__(self, *, key):
        a_key, b_key, scale_key, apply_key, trunc_normal_key = jax.random.split(key, 5)
        self.a = eqx.nn.Linear(3, 3, key=a_key)
        self.b = eqx.nn.Linear(3, 3, key=b_key)
        self.scale = jax.random.normal(scale_key, 3) * 0.02
        apply_init(self, self._init, key=apply_key)
        self.b = eqx.tree_at(lambda m: m.weight, self.b, trunc_normal(trunc_normal_key, self.b.weight.shape, std=0.02))

    def _init(self, module, *, key):
        if isinstance(module, eqx.nn.Linear):
            module = eqx.tree_at(lambda m: m.weight, module, 0.5 * jax.random.normal(key, module.weight.shape))
            module = eqx.tree_at(lambda m: m.bias, module, jnp.zeros_like(module.bias))
        return module

    def __call__(self, x):
        return batched(self.b)(batched(self.a)(x)) * self.scale


def case_initialisation(*, key):
    initialised_key, initialised_key_1 = jax.random.split(key)
    m, n = Initialised(key=initialised_key), Initialised(key=initialised_key_1)
    return differ(m.a.weight, n.a.weight), differ(m.a.weight, m.b.weight), m.a.bias, differ(m.scale, n.scale)


class Property(eqx.Module):
    @property
    def noise(self, *, key):
        # torch2jax: T2J400 `torch.randn` draws random numbers in `noise`, which Python calls, where no key can be passed
        return torch.randn(3)  # T2J400

    def __call__(self, x):
        return x + self.noise


def case_property(x: jax.Array):
    return Property()(x)


class Jittered:
    def __init__(self, n: int, *, key):
        self.keys = KeySequence(key)
        self.data = jnp.arange(float(n))

    def __len__(self):
        return len(self.data)

    def __getitem__(self, i):
        return self.data[i] + 0.1 * jax.random.uniform(next(self.keys), ())


def case_dataset(*, key):
    data = Jittered(4, key=key)
    (a,) = [batch for batch in DataLoader(data, batch_size=4)]
    (b,) = [batch for batch in DataLoader(data, batch_size=4)]
    return bool((a != b).any()), data[0] < 1


class Net(eqx.Module):
    hidden: eqx.nn.Linear
    dropout: eqx.nn.Dropout
    noise: Noise
    head: eqx.nn.Linear

    def __init__(self, *, key):
        hidden_key, head_key = jax.random.split(key)
        self.hidden = eqx.nn.Linear(3, 8, key=hidden_key)
        self.dropout = eqx.nn.Dropout(0.2)
        self.noise = Noise(0.1)
        self.head = eqx.nn.Linear(8, 1, key=head_key)

    def __call__(self, x, *, key):
        noise_key, dropout_key = jax.random.split(key)
        return batched(self.head)(self.noise(self.dropout(jax.nn.relu(batched(self.hidden)(x)), key=dropout_key), key=noise_key))


@eqx.filter_jit
def train_step(optimizer, model, opt_state, noisy, *, key):
    def loss_fn(model):
        loss_key, loss_key_1 = jax.random.split(key)
        return mse_loss(model(noisy, key=loss_key), jax.random.uniform(loss_key_1, (2, 1)))

    loss, grads = eqx.filter_value_and_grad(loss_fn)(model)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), opt_state, loss


def case_training(x: jax.Array, *, key):
    key, subkey = jax.random.split(key)
    model = Net(key=subkey)
    optimizer = optax.sgd(0.01)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    losses = []
    for _ in range(5):
        key, subkey = jax.random.split(key)
        noisy = x + 0.1 * jax.random.normal(subkey, x.shape, x.dtype)
        key, subkey = jax.random.split(key)
        model, opt_state, loss = train_step(optimizer, model, opt_state, noisy, key=subkey)
        losses.append(loss.item())
    return len(set(losses))


@eqx.filter_jit(donate="all-except-first")
def training_step(optimizer, model, opt_state, x, eps, t, *, key):
    def loss_fn(model):
        return ((model(x + eps * (t[:, None] / 10.0), key=key)) ** 2).mean()

    loss, grads = eqx.filter_value_and_grad(loss_fn)(model)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), opt_state, loss


def train(model: Net, loader: DataLoader, epochs: int, *, key):
    optimizer = optax.adam(1e-3)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    seen = []
    for _ in range(epochs):
        model = eqx.nn.inference_mode(model, value=False)
        for (x,) in loader:
            key, subkey = jax.random.split(key)
            t = jax.random.randint(subkey, (x.shape[0],), 0, 10)
            key, subkey = jax.random.split(key)
            eps = jax.random.normal(subkey, x.shape, x.dtype)
            key, subkey = jax.random.split(key)
            model, opt_state, loss = training_step(optimizer, model, opt_state, x, eps, t, key=subkey)
            seen.append(loss.item())
        model = eqx.nn.inference_mode(model)
        for (x,) in loader:
            key, subkey = jax.random.split(key)
            seen.append(model(x, key=subkey).mean().item())
    return model, seen


def case_training_function(*, key):
    seen_key, seen_key_1 = jax.random.split(key)
    loader = DataLoader(ArrayDataset(jnp.ones((4, 3))), batch_size=4)
    _, seen = train(Net(key=seen_key_1), loader, 3, key=seen_key)
    return len(set(seen)), len(seen)


class Flaky(eqx.Module):
    fc: eqx.nn.Linear

    def __init__(self, *, key):
        self.fc = eqx.nn.Linear(3, 1, key=key)

    def __call__(self, x):
        if random.random() < 0.5:
            return batched(self.fc)(x)
        return batched(self.fc)(x * np.random.uniform(0.5, 1.5))


def update_step(optimizer, model, opt_state, x):
    def loss_fn(model):
        return model(x).sum()

    loss, grads = eqx.filter_value_and_grad(loss_fn)(model)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), opt_state, loss


def case_numbers_of_the_host_in_a_step(x: jax.Array, *, key):
    model = Flaky(key=key)
    optimizer = optax.sgd(0.0)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    losses = set()
    for _ in range(30):
        model, opt_state, loss = update_step(optimizer, model, opt_state, x)
        losses.add(round(loss.item(), 4))
    return len(losses) > 2


@eqx.filter_jit
def train_step_1(optimizer, model, opt_state, shift, x, *, key):
    def loss_fn(model):
        return batched(model)(shift(x, key=key)).sum()

    loss, grads = eqx.filter_value_and_grad(loss_fn)(model)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), opt_state, loss


def case_lambda_in_a_step(x: jax.Array, *, key):
    shift = lambda t, *, key: t + jax.random.uniform(key, 3)
    key, subkey = jax.random.split(key)
    model = eqx.nn.Linear(3, 1, key=subkey)
    optimizer = optax.sgd(0.0)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    losses = set()
    for _ in range(4):
        key, subkey = jax.random.split(key)
        model, opt_state, loss = train_step_1(optimizer, model, opt_state, shift, x, key=subkey)
        losses.add(loss.item())
    return len(losses)


@eqx.filter_jit
def train_step_2(optimizer, model, opt_state, x, *, key):
    def loss_fn(model):
        keys = KeySequence(key)
        return sum(batched(model)(x + jax.random.normal(next(keys), 3)).sum() for _ in range(2)) + sum(
            batched(model)(x * jax.random.uniform(next(keys), 3)).sum() for _ in range(2) for _ in range(2)
        )

    loss, grads = eqx.filter_value_and_grad(loss_fn)(model)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), opt_state, loss


def case_comprehension_in_a_step(x: jax.Array, *, key):
    key, subkey = jax.random.split(key)
    model = eqx.nn.Linear(3, 1, key=subkey)
    optimizer = optax.sgd(0.0)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    losses = set()
    for _ in range(4):
        key, subkey = jax.random.split(key)
        model, opt_state, loss = train_step_2(optimizer, model, opt_state, x, key=subkey)
        losses.add(loss.item())
    return len(losses)


class Stream:
    def __init__(self, size: int, *, key):
        self.keys = KeySequence(key)
        self.size = size

    @property
    def value(self):
        return jax.random.uniform(next(self.keys), self.size)


def train_step_3(optimizer, model, opt_state, x, stream):
    def loss_fn(model):
        return batched(model)(x + stream.value).sum()

    loss, grads = eqx.filter_value_and_grad(loss_fn)(model)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), opt_state, loss


def case_property_in_a_step(x: jax.Array, *, key):
    stream_key, model_key = jax.random.split(key)
    stream = Stream(3, key=stream_key)
    model = eqx.nn.Linear(3, 1, key=model_key)
    optimizer = optax.sgd(0.0)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    losses = set()
    for _ in range(4):
        model, opt_state, loss = train_step_3(optimizer, model, opt_state, x, stream)
        losses.add(loss.item())
    return len(losses)


@eqx.filter_jit
def train_step_4(optimizer, model, opt_state, x, *, key):
    def loss_fn(model):
        return batched(model)(x, key=key).sum()

    loss, grads = eqx.filter_value_and_grad(loss_fn)(model)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), opt_state, loss


def case_seeded_rounds(x: jax.Array, *, key):
    key, model_key, model_key_1 = jax.random.split(key, 3)
    model = eqx.nn.Sequential([eqx.nn.Linear(3, 3, key=model_key), eqx.nn.Dropout(0.5), eqx.nn.Linear(3, 1, key=model_key_1)])
    optimizer = optax.sgd(0.0)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    losses = []
    for epoch in range(3):
        key = jax.random.key(epoch % 2)
        key, subkey = jax.random.split(key)
        model, opt_state, loss = train_step_4(optimizer, model, opt_state, x, key=subkey)
        losses.append(loss.item())
    return losses[0] == losses[2]


def train_step_5(optimizer, model, opt_state, x, g):
    def loss_fn(model):
        return batched(model)(x + jax.random.normal(next(g), x.shape)).sum()

    loss, grads = eqx.filter_value_and_grad(loss_fn)(model)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), opt_state, loss


def case_generator_in_a_step(x: jax.Array, *, key):
    g = KeySequence(jax.random.key(0))
    model = eqx.nn.Linear(3, 1, key=key)
    optimizer = optax.sgd(0.0)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    losses = set()
    for _ in range(5):
        model, opt_state, loss = train_step_5(optimizer, model, opt_state, x, g)
        losses.add(loss.item())
    return len(losses)


@eqx.filter_jit
def compiled(x: jax.Array, *, key):
    return x + jax.random.normal(key, x.shape, x.dtype)


def case_compiled_function(x: jax.Array, *, key):
    compiled_key, compiled_key_1 = jax.random.split(key)
    return differ(compiled(x, key=compiled_key), compiled(x, key=compiled_key_1))


@eqx.filter_jit
def train_step_6(d_opt, critic, opt_state, generator, z, x):
    def loss_fn(critic):
        return jax.vmap(critic)(jax.lax.stop_gradient(jax.vmap(generator)(z))).mean() - batched(critic)(x).mean()

    d_loss, grads = eqx.filter_value_and_grad(loss_fn)(critic)
    updates, opt_state = d_opt.update(grads, opt_state, eqx.filter(critic, eqx.is_inexact_array))
    return eqx.apply_updates(critic, updates), opt_state, d_loss


@eqx.filter_jit
def train_step_7(g_opt, generator, opt_state, critic, *, key):
    def loss_fn(generator):
        return -jax.vmap(critic)(jax.vmap(generator)(jax.random.normal(key, (4, 2)))).mean()

    g_loss, grads = eqx.filter_value_and_grad(loss_fn)(generator)
    updates, opt_state = g_opt.update(grads, opt_state, eqx.filter(generator, eqx.is_inexact_array))
    return eqx.apply_updates(generator, updates), opt_state, g_loss


def case_two_steps(x: jax.Array, *, key):
    key, linear_key, linear_key_1 = jax.random.split(key, 3)
    generator, critic = eqx.nn.Linear(2, 3, key=linear_key), eqx.nn.Linear(3, 1, key=linear_key_1)
    g_opt = optax.sgd(0.0)
    g_opt_state = g_opt.init(eqx.filter(generator, eqx.is_inexact_array))
    d_opt = optax.sgd(0.0)
    d_opt_state = d_opt.init(eqx.filter(critic, eqx.is_inexact_array))
    seen = []
    for _ in range(3):
        key, subkey = jax.random.split(key)
        z = jax.random.normal(subkey, (4, 2))
        critic, d_opt_state, d_loss = train_step_6(d_opt, critic, d_opt_state, generator, z, x)
        key, subkey = jax.random.split(key)
        generator, g_opt_state, g_loss = train_step_7(g_opt, generator, g_opt_state, critic, key=subkey)
        seen += [d_loss.item(), g_loss.item()]
    return len(set(seen))


def augment(x: jax.Array, p: float = 0.5, *, key):
    rand_key, randn_like_key = jax.random.split(key)
    if jax.random.uniform(rand_key, 1).item() < p:
        x = jnp.flip(x, axis=(-1,))
    return x + 0.01 * jax.random.normal(randn_like_key, x.shape, x.dtype)


def case_augmentation(x: jax.Array, *, key):
    augment_key, augment_key_1 = jax.random.split(key)
    return differ(augment(x, key=augment_key), augment(x, p=1.0, key=augment_key_1))


def diffuse(model: eqx.Module, shape: tuple, steps: int, *, key):
    key, subkey = jax.random.split(key)
    x = jax.random.normal(subkey, shape)
    for t in reversed(range(steps)):
        key, subkey = jax.random.split(key)
        z = jax.random.normal(subkey, x.shape, x.dtype) if t > 0 else jnp.zeros_like(x)
        key, subkey = jax.random.split(key)
        x = 0.9 * model(x, key=subkey) + 0.1 * z
    return x


def case_diffusion(*, key):
    diffuse_key, diffuse_key_1 = jax.random.split(key)
    model = Noise(0.0)
    return differ(diffuse(model, (2, 3), 4, key=diffuse_key), diffuse(model, (2, 3), 4, key=diffuse_key_1))


class Layers(eqx.Module):
    first: DropPath
    second: eqx.nn.Linear

    def __init__(self, width: int, *, key):
        self.first = DropPath(
            drop_prob=0.5
        )
        self.second = eqx.nn.Linear(width, width, use_bias=False, key=key)

    def __call__(self, x, *, key):
        first_key, dropout_key = jax.random.split(key)
        x = self.first(
            batched(self.second)(x),
            key=first_key,
        )
        return dropout(x, p=0.25, key=dropout_key)


def case_calls_over_several_lines(x: jax.Array, *, key):
    layers_key, layers_key_1, layers_key_2 = jax.random.split(key, 3)
    layers = Layers(
        x.shape[-1],
        key=layers_key
    )
    return differ(layers(x, key=layers_key_1), layers(
        x,  # again
        key=layers_key_2,
    ))
