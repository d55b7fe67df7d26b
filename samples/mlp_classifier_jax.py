"""Classify points on interleaved spirals with a residual MLP."""

import collections.abc
import inspect
import itertools
import math
from dataclasses import dataclass

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax


@dataclass
class Config:
    num_classes: int = 3
    points_per_class: int = 100
    width: int = 32
    depth: int = 2
    dropout: float = 0.1
    batch_size: int = 50
    epochs: int = 4
    lr: float = 3e-3
    weight_decay: float = 0.05


class Spirals:
    """Points on `num_classes` spiral arms, with a little noise."""

    def __init__(self, num_classes: int, points_per_class: int, seed: int = 0):
        rng = np.random.default_rng(seed)
        points, labels = [], []
        for c in range(num_classes):
            radius = np.linspace(0.1, 1.0, points_per_class)
            angle = 4.0 * radius + 2 * np.pi * c / num_classes + 0.1 * rng.standard_normal(points_per_class)
            points.append(np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1))
            labels.append(np.full(points_per_class, c))
        self.points = jnp.asarray(np.concatenate(points).astype(np.float32))
        self.labels = jnp.asarray(np.concatenate(labels))

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        return self.points[index], self.labels[index]


class ResidualLayer(eqx.Module):
    norm: eqx.nn.LayerNorm
    fc1: eqx.nn.Linear
    fc2: eqx.nn.Linear
    dropout: eqx.nn.Dropout

    def __init__(self, width: int, dropout: float, *, key):
        fc1_key, fc2_key = jax.random.split(key)
        self.norm = eqx.nn.LayerNorm(width)
        self.fc1 = eqx.nn.Linear(width, 2 * width, key=fc1_key)
        self.fc2 = eqx.nn.Linear(2 * width, width, key=fc2_key)
        self.dropout = eqx.nn.Dropout(dropout)

    def __call__(self, x, *, key=None):
        h = jax.nn.gelu(batched(self.fc1)(batched(self.norm)(x)), approximate=False)
        return x + self.dropout(batched(self.fc2)(h), key=key)


class ResidualMLP(eqx.Module):
    embed: eqx.nn.Linear
    layers: list[ResidualLayer]
    head: eqx.nn.Linear

    def __init__(self, config: Config, *, key):
        embed_key, layers_key, head_key = jax.random.split(key, 3)
        self.embed = eqx.nn.Linear(2, config.width, key=embed_key)
        self.layers = [ResidualLayer(config.width, config.dropout, key=subkey) for subkey in jax.random.split(layers_key, config.depth)]
        self.head = eqx.nn.Linear(config.width, config.num_classes, key=head_key)

    def __call__(self, x, *, key=None):
        x = jnp.tanh(batched(self.embed)(x))
        for layer, subkey in zip(self.layers, split_key(key, len(self.layers))):
            x = layer(x, key=subkey)
        return batched(self.head)(x)


@eqx.filter_jit
def train_step(optimizer, model, opt_state, points, criterion, labels, *, key):
    def loss_fn(model):
        logits = model(points, key=key)
        return criterion(logits, labels)

    loss, grads = eqx.filter_value_and_grad(loss_fn)(model)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), opt_state, loss


def train_one_epoch(model, loader, criterion, optimizer, opt_state, *, key):
    """Returns the loss of every step."""
    model = eqx.nn.inference_mode(model, value=False)
    losses = []
    for points, labels in loader:
        key, subkey = jax.random.split(key)
        model, opt_state, loss = train_step(optimizer, model, opt_state, points, criterion, labels, key=subkey)
        losses.append(loss.item())
    return model, opt_state, losses


@eqx.filter_jit
def evaluate_step(model, points, criterion, labels):
    logits = model(points)
    return criterion(logits, labels), (logits.argmax(axis=-1) == labels).sum()


def evaluate(model, loader, criterion):
    """Mean loss and accuracy over all examples."""
    model = eqx.nn.inference_mode(model)
    total_loss, correct, count = 0.0, 0, 0
    for points, labels in loader:
        batch_loss, batch_correct = evaluate_step(model, points, criterion, labels)
        total_loss += batch_loss.item() * labels.shape[0]
        correct += batch_correct.item()
        count += labels.shape[0]
    return total_loss / count, correct / count


def main():
    key = jax.random.key(0)
    seed_host_rng(0)
    config = Config()
    train_loader = DataLoader(
        Spirals(config.num_classes, config.points_per_class),
        batch_size=config.batch_size,
        shuffle=True,
        drop_last=True,
    )
    test_loader = DataLoader(Spirals(config.num_classes, config.points_per_class, seed=1), batch_size=config.batch_size)

    key, subkey = jax.random.split(key)
    model = ResidualMLP(config, key=subkey)
    criterion = cross_entropy
    optimizer = optax.adamw(config.lr, weight_decay=config.weight_decay)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))

    losses = []
    for epoch in range(config.epochs):
        key, subkey = jax.random.split(key)
        model, opt_state, out = train_one_epoch(model, train_loader, criterion, optimizer, opt_state, key=subkey)
        losses += out
        test_loss, accuracy = evaluate(model, test_loader, criterion)
        print(f"epoch {epoch}: train {losses[-1]:.4f}, test {test_loss:.4f}, accuracy {accuracy:.2f}")
    return losses


# --- torch2jax support -------------------------------------------------------------------------


def split_key(key, num):
    """`num` new keys, or as many `None` where there is no key (inference)."""
    return [None] * num if key is None else jax.random.split(key, num)


def example_ndim(layer, x):
    """How many trailing axes of `x` are one example of an Equinox layer; None for whatever takes the whole batch."""
    if not isinstance(layer, eqx.Module) or not type(layer).__call__.__module__.startswith("equinox."):
        return None
    match layer:
        case eqx.nn.Embedding():
            return 0
        case eqx.nn.Linear():
            return 1
        case eqx.nn.LayerNorm() | eqx.nn.RMSNorm():
            return len(layer.shape)
        case eqx.nn.GroupNorm():
            return x.ndim - 1
        case eqx.nn.Conv() | eqx.nn.ConvTranspose() | eqx.nn.Pool():
            return layer.num_spatial_dims + 1
        case eqx.nn.AdaptivePool():
            return len(layer.target_shape) + 1
    return None


def refuse_state(layer, *args, **kwargs):
    """Raise a TypeError for a module that keeps state, where none is passed."""
    signature = inspect.signature(layer)
    takes = signature.parameters.get("state")
    if takes and takes.default is takes.empty and "state" not in signature.bind_partial(*args, **kwargs).arguments:
        name = type(layer).__name__
        raise TypeError(
            f"{name} keeps state, which has to be passed with it and taken back: `y, state = model(x, state)`. "
            f"Annotate the parameter that holds the module with its class and translate again"
        )


def batched(layer):
    """Apply `layer` to a batch: Equinox's own layers over all leading axes (flattened: one matrix product), an
    `eqx.nn.Sequential` member by member, anything else as it is. With `state`, returns `(y, state)`."""

    def apply(x, *, key=None):
        if isinstance(layer, eqx.nn.Sequential) and type(layer).__call__ is eqx.nn.Sequential.__call__:
            for sublayer, subkey in zip(layer.layers, split_key(key, len(layer.layers))):
                x = batched(sublayer)(x, key=subkey)
            return x
        ndim = example_ndim(layer, x)
        if ndim is not None:
            leading, example = x.shape[: x.ndim - ndim], x.shape[x.ndim - ndim :]
            y = jax.vmap(layer)(x.reshape(math.prod(leading), *example))
            return y.reshape(*leading, *y.shape[1:])
        refuse_state(layer, x)
        draws = key is not None and "key" in inspect.signature(layer).parameters
        return layer(x, key=key) if draws else layer(x)

    return apply


def target_weights(targets, weight):
    """The class weight of every target; 0 where it is ignored."""
    keep = targets != -100
    return jnp.where(keep, jnp.take(weight, jnp.where(keep, targets, 0)), 0)


def nll_loss(log_probs, targets, weight=None):
    """torch.nn.functional.nll_loss: classes on axis 1; the mean divides by the weights of the targets that count."""
    log_probs = jnp.moveaxis(log_probs, min(1, log_probs.ndim - 1), -1)
    keep = targets != -100
    picked = jnp.take_along_axis(log_probs, jnp.where(keep, targets, 0)[..., None], axis=-1)[..., 0]
    if weight is None:
        loss, count = jnp.where(keep, -picked, 0), keep.sum(dtype=log_probs.dtype)
    else:
        weights = target_weights(targets, weight)
        loss, count = jnp.where(keep, -picked * weights, 0), weights.sum()
    return loss.sum() / count


def cross_entropy(logits, targets, weight=None):
    """torch.nn.functional.cross_entropy: classes on axis 1; `targets` are class indices or class probabilities."""
    axis = min(1, logits.ndim - 1)
    log_probs = jax.nn.log_softmax(logits, axis=axis)
    weighted = log_probs if weight is None else log_probs * weight.reshape((-1,) + (1,) * (logits.ndim - axis - 1))
    if jnp.issubdtype(targets.dtype, jnp.floating):
        return (-(weighted * targets).sum(axis)).mean()
    return nll_loss(log_probs, targets, weight)


host_rng = np.random.default_rng(0)  # what torch's global generator is to loaders and transforms


def seed_host_rng(seed):
    """torch.manual_seed, for what loaders, samplers and transforms draw."""
    host_rng.bit_generator.state = np.random.default_rng(seed % 2**64).bit_generator.state


def as_rng(generator):
    """NumPy's generator of random numbers: the one of the whole program for None, one from the next key of a sequence."""
    if generator is None:
        return host_rng
    if isinstance(generator, np.random.Generator):
        return generator
    return np.random.default_rng(int(jax.random.bits(next(generator))))


def default_collate(batch):
    """torch.utils.data.default_collate: stack arrays and numbers, keep strings in a list, go into dicts and tuples."""
    first = batch[0]
    if isinstance(first, (np.ndarray, np.generic, jax.Array, int, float)):
        return jax.numpy.asarray(np.stack([np.asarray(sample) for sample in batch]))
    if isinstance(first, (str, bytes)):
        return list(batch)
    if isinstance(first, collections.abc.Mapping):
        return {key: default_collate([sample[key] for sample in batch]) for key in first}
    if hasattr(first, "_fields"):
        return type(first)(*map(default_collate, zip(*batch)))
    if isinstance(first, collections.abc.Sequence):
        return [default_collate(members) for members in zip(*batch, strict=True)]
    raise TypeError(f"batches hold arrays, numbers, strings, dicts and lists, not {type(first)}")


class DataLoader:
    """torch.utils.data.DataLoader: batches of a dataset, in a new order at every pass where `shuffle` is set.

    The settings of worker processes and of pinned memory (`settings`) say nothing here."""

    def __init__(
        self, dataset, batch_size=1, shuffle=False, sampler=None, batch_sampler=None, num_workers=0, collate_fn=None,
        pin_memory=False, drop_last=False, timeout=0, worker_init_fn=None, multiprocessing_context=None,
        generator=None, **settings,
    ):  # fmt: skip
        self.dataset, self.batch_size, self.shuffle, self.sampler = dataset, batch_size, shuffle, sampler
        collates = batch_size is not None or batch_sampler is not None
        self.collate_fn = collate_fn or (default_collate if collates else lambda sample: sample)
        self.drop_last, self.generator = drop_last, generator
        self.batch_sampler, self.num_workers, self.worker_init_fn = batch_sampler, num_workers, worker_init_fn

    def __len__(self):
        if self.batch_sampler is not None:
            return len(self.batch_sampler)
        count, size = len(self.dataset if self.sampler is None else self.sampler), self.batch_size or 1
        return count // size if self.drop_last else -(-count // size)

    def positions(self):
        """The order of one pass."""
        if self.sampler is not None:
            return self.sampler
        count = len(self.dataset)
        return as_rng(self.generator).permutation(count).tolist() if self.shuffle else range(count)

    def batches(self):
        """The positions of each batch of one pass."""
        positions = iter(self.positions())
        batches = iter(lambda: list(itertools.islice(positions, self.batch_size)), [])
        return (batch for batch in batches if len(batch) == self.batch_size or not self.drop_last)

    def __iter__(self):
        if self.batch_size is None and self.batch_sampler is None:
            return (self.collate_fn(self.dataset[position]) for position in self.positions())
        batches = self.batches() if self.batch_sampler is None else self.batch_sampler
        return (self.collate_fn([self.dataset[position] for position in batch]) for batch in batches)


if __name__ == "__main__":
    main()
