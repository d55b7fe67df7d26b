"""A small convolutional network with batch normalisation on images of oriented stripes."""

import collections.abc
import inspect
import itertools
import math

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax


def conv_block(in_channels, out_channels, *, key):
    return eqx.nn.Sequential([
        eqx.nn.Conv2d(in_channels, out_channels, 3, padding=1, use_bias=False, key=key),
        BatchNorm(out_channels),
        eqx.nn.Lambda(jax.nn.relu),
        eqx.nn.MaxPool2d(2, 2),
    ])


# --- torch2jax support -------------------------------------------------------------------------


def along_channels(vector, ndim):
    """A vector of channels (or None) shaped for arrays whose axis 1 holds the channels."""
    return vector if vector is None or ndim < 2 else vector.reshape((1, -1) + (1,) * (ndim - 2))


def standardize(x, axes, eps):
    """Subtract the mean over `axes` and divide by the (biased) standard deviation."""
    centered = x - x.mean(axes, keepdims=True)
    return centered * jax.lax.rsqrt(x.var(axes, keepdims=True) + eps)


def scale_and_shift(x, weight, bias):
    """x * weight + bias, either of which may be None."""
    x = x if weight is None else x * weight
    return x if bias is None else x + bias


def batch_norm(x, running_mean, running_var, weight=None, bias=None, training=False, eps=1e-5):
    """torch.nn.functional.batch_norm: batch statistics in training, else the running ones (see `update_running`)."""
    if training or running_mean is None:
        y = standardize(x, (0, *range(2, x.ndim)), eps)
    else:
        y = x - along_channels(running_mean, x.ndim)
        y = y * jax.lax.rsqrt(along_channels(running_var, x.ndim) + eps)
    return scale_and_shift(y, along_channels(weight, x.ndim), along_channels(bias, x.ndim))


def update_running(x, running_mean, running_var, momentum=0.1):
    """The running statistics after the batch `x`: `momentum` weighs the batch, whose variance is unbiased."""
    axes = (0, *range(2, x.ndim))
    count = x.size // x.shape[1]
    if count == 1:
        raise ValueError(f"expected more than 1 value per channel when training, got input size {x.shape}")
    x = jax.lax.stop_gradient(x)
    mean = (1 - momentum) * running_mean + momentum * x.mean(axes)
    var = (1 - momentum) * running_var + momentum * x.var(axes, ddof=1)
    return mean.astype(running_mean.dtype), var.astype(running_var.dtype)


class BatchNorm(eqx.nn.StatefulLayer):
    """torch.nn.BatchNorm1d, 2d and 3d (channels on axis 1), called `y, state = layer(x, state)`."""

    weight: jax.Array | None
    bias: jax.Array | None
    running_mean: eqx.nn.StateIndex | None
    running_var: eqx.nn.StateIndex | None
    num_batches_tracked: eqx.nn.StateIndex | None
    num_features: int
    eps: float
    momentum: float | None
    inference: bool

    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True):
        self.weight = jnp.ones(num_features) if affine else None
        self.bias = jnp.zeros(num_features) if affine else None
        self.running_mean = eqx.nn.StateIndex(jnp.zeros(num_features)) if track_running_stats else None
        self.running_var = eqx.nn.StateIndex(jnp.ones(num_features)) if track_running_stats else None
        self.num_batches_tracked = eqx.nn.StateIndex(jnp.zeros((), int)) if track_running_stats else None
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.inference = False

    def __call__(self, x, state, *, key=None):
        if self.running_mean is None:
            return batch_norm(x, None, None, self.weight, self.bias, True, eps=self.eps), state
        mean, var = state.get(self.running_mean), state.get(self.running_var)
        y = batch_norm(x, mean, var, self.weight, self.bias, not self.inference, eps=self.eps)
        if not self.inference:
            count = state.get(self.num_batches_tracked) + 1
            momentum = 1 / count if self.momentum is None else self.momentum
            mean, var = update_running(x, mean, var, momentum)
            state = state.set(self.running_mean, mean).set(self.running_var, var)
            state = state.set(self.num_batches_tracked, count)
        return y, state


class ConvNet(eqx.nn.StatefulLayer):
    block1: eqx.nn.Sequential
    block2: eqx.nn.Sequential
    conv3: eqx.nn.Conv2d
    bn3: BatchNorm
    drop: eqx.nn.Dropout
    fc: eqx.nn.Linear

    def __init__(self, num_classes=4, channels=8, p=0.25, *, key):
        block1_key, block2_key, conv3_key, fc_key = jax.random.split(key, 4)
        self.block1 = conv_block(1, channels, key=block1_key)
        self.block2 = conv_block(channels, 2 * channels, key=block2_key)
        self.conv3 = eqx.nn.Conv2d(2 * channels, 2 * channels, 3, stride=2, padding=1, key=conv3_key)
        self.bn3 = BatchNorm(2 * channels, momentum=0.2)
        self.drop = eqx.nn.Dropout(p)
        self.fc = eqx.nn.Linear(2 * channels * 2 * 2, num_classes, key=fc_key)

    def __call__(self, x, state, *, key=None):
        x, state = batched(self.block1)(x, state)  # (B, C, 8, 8)
        x, state = batched(self.block2)(x, state)  # (B, 2C, 4, 4)
        x, state = self.bn3(batched(self.conv3)(x), state)
        x = jax.nn.relu(x)  # (B, 2C, 2, 2)
        x = x.reshape(x.shape[0], -1)
        x = self.drop(x, key=key)
        return jax.nn.log_softmax(batched(self.fc)(x), axis=1), state


def make_stripes(n, size=16, num_classes=4, noise=0.3, *, key):
    """Images of stripes in `num_classes` directions, and the direction of each."""
    labels_key, phase_key, images_key = jax.random.split(key, 3)
    labels = jax.random.randint(labels_key, (n,), 0, num_classes)
    angle = labels.astype(jnp.float32) * math.pi / num_classes
    phase = 2 * math.pi * jax.random.uniform(phase_key, n)
    grid = jnp.arange(size, dtype=jnp.float32) - size / 2
    ys, xs = tuple(jnp.meshgrid(grid, grid, indexing="ij"))
    # distance of every pixel along the direction of its image: (n, size, size)
    along = jnp.cos(angle)[:, None, None] * xs + jnp.sin(angle)[:, None, None] * ys
    images = jnp.sin(along + phase.reshape(-1, 1, 1))
    images = images + noise * jax.random.normal(images_key, (n, size, size))
    return images[:, None], labels


@eqx.filter_jit
def test_step(model, state, data, target):
    output, _ = model(data, state)
    pred = output.argmax(axis=1, keepdims=True)
    return nll_loss(output, target, reduction="sum"), (pred == target.reshape(pred.shape)).sum()


def test(model, state, loader):
    model = eqx.nn.inference_mode(model)
    loss = 0
    correct = 0
    for data, target in loader:
        batch_loss, batch_correct = test_step(model, state, data, target)
        loss += batch_loss.item()
        correct += batch_correct.item()
    loss /= len(loader.dataset)
    print(f"test: loss {loss:.4f}, accuracy {correct}/{len(loader.dataset)}")


@eqx.filter_jit
def train_step(optimizer, model, state, opt_state, data, target, *, key):
    def loss_fn(model, state):
        output, state = model(data, state, key=key)
        return nll_loss(output, target), state

    (loss, state), grads = eqx.filter_value_and_grad(loss_fn, has_aux=True)(model, state)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), state, opt_state, loss


def main():
    key = jax.random.key(1)
    seed_host_rng(1)
    key, subkey = jax.random.split(key)
    train_images, train_labels = make_stripes(256, key=subkey)
    key, subkey = jax.random.split(key)
    test_images, test_labels = make_stripes(64, key=subkey)
    train_loader = DataLoader(ArrayDataset(train_images, train_labels), batch_size=32, shuffle=True)
    test_loader = DataLoader(ArrayDataset(test_images, test_labels), batch_size=64)

    key, subkey = jax.random.split(key)
    model, state = eqx.nn.make_with_state(ConvNet)(key=subkey)
    optimizer = optax.chain(optax.add_decayed_weights(5e-4), optax.sgd(0.02, momentum=0.9))
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    losses = []
    for epoch in range(2):
        model = eqx.nn.inference_mode(model, value=False)
        for batch_idx, (data, target) in enumerate(train_loader):
            key, subkey = jax.random.split(key)
            model, state, opt_state, loss = train_step(optimizer, model, state, opt_state, data, target, key=subkey)
            losses.append(loss.item())
            if batch_idx % 4 == 0:
                print(f"epoch {epoch} [{batch_idx * len(data)}/{len(train_loader.dataset)}]: loss {loss.item():.4f}")
        test(model, state, test_loader)
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

    def apply(x, state=None, *, key=None):
        if state is not None:
            return batched_with_state(layer, x, state, key)
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


def batched_with_state(layer, x, state, key):
    """`batched(layer)(x)` and the state after it."""
    if isinstance(layer, eqx.nn.Sequential) and type(layer).__call__ is eqx.nn.Sequential.__call__:
        for sublayer, subkey in zip(layer.layers, split_key(key, len(layer.layers))):
            x, state = batched_with_state(sublayer, x, state, subkey)
        return x, state
    takes = {} if example_ndim(layer, x) is not None else inspect.signature(layer).parameters
    is_first = [p.kind for p in takes.values()][1:2] == [inspect.Parameter.VAR_POSITIONAL]  # `forward(*args)`
    if not {"state", "module_state"}.isdisjoint(list(takes)[not is_first :]):  # else `state` is what it is applied to
        args = (state, x) if is_first else (x, state)
        return layer(*args, key=key) if key is not None and "key" in takes else layer(*args)
    return batched(layer)(x, key=key), state


def reduce_loss(loss, reduction):
    """torch's `reduction`: "none", "mean" over all elements, or "sum"."""
    if reduction == "none":
        return loss
    return loss.sum() if reduction == "sum" else loss.mean()


def nll_loss(log_probs, targets, reduction="mean"):
    """torch.nn.functional.nll_loss: classes on axis 1; the mean divides by the weights of the targets that count."""
    log_probs = jnp.moveaxis(log_probs, min(1, log_probs.ndim - 1), -1)
    keep = targets != -100
    picked = jnp.take_along_axis(log_probs, jnp.where(keep, targets, 0)[..., None], axis=-1)[..., 0]
    loss, count = jnp.where(keep, -picked, 0), keep.sum(dtype=log_probs.dtype)
    return loss.sum() / count if reduction == "mean" else reduce_loss(loss, reduction)


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


class ArrayDataset:
    """torch.utils.data.TensorDataset: tuples of rows taken from equally long arrays."""

    def __init__(self, *tensors):
        self.tensors = tuple(np.asarray(array) for array in tensors)
        if any(len(array) != len(self.tensors[0]) for array in self.tensors):
            raise ValueError("the arrays have different lengths")

    def __len__(self):
        return len(self.tensors[0])

    def __getitem__(self, index):
        return tuple(array[index] for array in self.tensors)


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
