"""Statistics of the batches of all devices: `torchrun --nproc-per-node=8 sync_batchnorm.py`."""

import collections.abc
import dataclasses
import functools
import inspect
import itertools
import math
import os
from functools import partial
from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax.sharding import Mesh, NamedSharding, PartitionSpec


class Residual(eqx.nn.StatefulLayer):
    body: eqx.nn.Sequential

    def __init__(self, channels: int, *, key):
        body_key, body_key_1 = jax.random.split(key)
        self.body = eqx.nn.Sequential([
            eqx.nn.Conv2d(channels, channels, 3, padding=1, use_bias=False, key=body_key),
            BatchNorm(channels),
            eqx.nn.Lambda(jax.nn.relu),
            eqx.nn.Conv2d(channels, channels, 3, padding=1, use_bias=False, key=body_key_1),
            BatchNorm(channels),
        ])

    def __call__(self, x, state):
        out, state = batched(self.body)(x, state)
        return jax.nn.relu(x + out), state


def build_model(*, key):
    model_key, model_key_1, model_key_2 = jax.random.split(key, 3)
    model, state = eqx.nn.make_with_state(eqx.nn.Sequential)([
        eqx.nn.Conv2d(1, 6, 3, padding=1, key=model_key), Residual(6, key=model_key_1), eqx.nn.AdaptiveAvgPool2d(1), eqx.nn.Lambda(partial(flatten, start_dim=1)), BatchNorm(6), eqx.nn.Linear(6, 1, key=model_key_2)])

    def update(p, number):
        return jnp.broadcast_to(0.5 * jnp.cos(jnp.arange(p.size, dtype=jnp.float32) + number).reshape(p.shape), p.shape).astype(p.dtype)

    model = map_parameters(update, model, itertools.count())
    return model, state


# --- torch2jax support -------------------------------------------------------------------------


def pmapped(step=None, *, when=None, anew=False):
    """torch.nn.parallel.DistributedDataParallel by jax.pmap: each device runs a step on its own rows of the batch.

    All other arguments are the same on every device, and so are the results. One device runs it alone unless `when()`.
    Steps that read what changes around them are mapped `anew` for each call."""
    if step is None:
        return functools.partial(pmapped, when=when, anew=anew)

    programs = {}

    def on_devices(tree, split, static, devices):
        rest = []

        def run(_, *arrays):
            args, kwargs = jax.tree.unflatten(tree, eqx.combine(arrays, static))
            results, other = eqx.partition(step(*args, **kwargs), eqx.is_array)
            rest.append(other)
            return results

        axes = (0, *(0 if rows else None for rows in split))
        mapped = jax.pmap(run, axis_name="data", in_axes=axes, out_axes=None, devices=devices)
        return lambda *arrays: eqx.combine(mapped(*arrays), rest[-1])

    @functools.wraps(step)
    def call(*args, **kwargs):
        leaves, tree = jax.tree.flatten((args, kwargs))
        split = tuple(map(is_split, leaves))
        arrays, static = map(tuple, eqx.partition(leaves, eqx.is_array))
        alone = when is not None and not when()
        devices = jax.local_devices()[:1] if alone else None
        if anew:
            mapped = on_devices(tree, split, static, devices)
        else:
            kinds = tuple((leaf.shape, leaf.dtype) if eqx.is_array(leaf) else type(leaf) for leaf in leaves)
            kind = tree, split, static, kinds, alone
            mapped = programs[kind] = programs.get(kind) or on_devices(tree, split, static, devices)
        arrays = [by_device(leaf) if rows else leaf for leaf, rows in zip(arrays, split)]
        return mapped(np.arange(1 if alone else jax.local_device_count()), *arrays)

    return call


@pmapped
def train_step(optimizer, model, state, opt_state, x, y):
    def loss_fn(model, state):
        out, state = batched(model)(x, state)
        return mse_loss(out, y), state

    (loss, state), grads = eqx.filter_value_and_grad(loss_fn, has_aux=True)(model, state)
    grads = jax.lax.pmean(grads, "data")
    state = first(state)
    loss = each(loss)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), state, opt_state, loss


def main(*, key):
    init_process_group()
    rank, world_size = jax.process_index(), jax.device_count()
    local_rank = 0

    images = jnp.sin(jnp.arange(64 * 36, dtype=jnp.float32) ** 1.1).reshape(64, 1, 6, 6)
    dataset = ArrayDataset(images, images.max(axis=(1, 2, 3))[:, None])
    loader = DeviceDataLoader(dataset, batch_size=16 // world_size, sampler=DeviceSampler(dataset, shuffle=False))

    model, state = build_model(key=key)
    model = sync_batch_norm(model)
    optimizer = optax.adam(0.01)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    for epoch in range(3):
        for x, y in loader:
            model, state, opt_state, loss = train_step(optimizer, model, state, opt_state, x, y)
            mean = jax.lax.stop_gradient(loss)
            mean = mean.sum(axis=0)
            if rank == 0:
                print(f"epoch {epoch}: {mean.item() / world_size:.4f}")
    if rank == 0:
        for name, value in state_dict(model, state).items():
            if "running" in name:
                print(name, f"{value.sum().item():.3f}")


# --- torch2jax support -------------------------------------------------------------------------


def is_buffer(module, name):
    """Whether a field of a module is not trained: of all modules of its class, or of those that say so in `buffer_names`."""
    marks = type(module).__dataclass_fields__[name].metadata
    return marks.get("buffer") or name in getattr(module, "buffer_names", ())


def flatten(x, start_dim=0, end_dim=-1):
    """torch.flatten: merge the axes from `start_dim` to `end_dim`."""
    if x.ndim == 0:
        return x.reshape(1)
    start, end = start_dim % x.ndim, end_dim % x.ndim + 1
    return x.reshape(*x.shape[:start], math.prod(x.shape[start:end]), *x.shape[end:])


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


def host_array(value):
    """An entry of a state dict: a NumPy array, or what a compiled function computes with."""
    return value if isinstance(value, jax.core.Tracer) else np.asarray(value)


class TorchEntry(NamedTuple):
    """A parameter or buffer of a model: torch's name and shape, and where the model keeps it."""

    name: str
    shape: tuple
    path: tuple
    value: Any  # an array, the StateIndex of a buffer in the state, or None for what is absent or tied
    is_parameter: bool


def torch_fields(tree):
    """`(torch name, step, value)` of the direct members of a module or container, in torch's order."""
    if isinstance(tree, eqx.nn.Sequential) and hasattr(tree, "names"):
        return [(name, name, getattr(tree, name)) for name in tree.names]
    if isinstance(tree, eqx.Module):
        members = []
        for field in dataclasses.fields(tree):
            name = field.metadata.get("torch_name", field.name)
            if name is None or field.metadata.get("static"):
                continue  # a constant, or a buffer that torch does not save
            unnamed = isinstance(tree, eqx.nn.Sequential) and name == "layers"
            members.append(("" if unnamed else name, field.name, getattr(tree, field.name, None)))
        return sorted(members, key=lambda member: field_rank(tree, *member[1:]))
    pairs = tree.items() if isinstance(tree, dict) else enumerate(tree)
    return [(str(key), key, value) for key, value in pairs]


def field_rank(module, field_name, value):
    """torch lists the parameters (0) of a module first, then its buffers (1), then its submodules (2)."""
    if value is None:
        return 0
    if not (eqx.is_array(value) or isinstance(value, eqx.nn.StateIndex)):
        return 2
    marks = type(module).__dataclass_fields__[field_name].metadata
    if marks.get("parameter"):
        return 0
    return 1 if is_buffer(module, field_name) or isinstance(value, np.ndarray) or not eqx.is_inexact_array(value) else 0


def torch_entries(tree, prefix="", path=()):
    """All parameters and buffers of a model as `TorchEntry`s, in the order of torch's state dict."""
    entries = []
    for name, step, value in torch_fields(tree):
        full = prefix + name
        if value is None or eqx.is_array(value) or isinstance(value, eqx.nn.StateIndex):
            listed = field_rank(tree, step, value) == 0 if isinstance(tree, eqx.Module) else eqx.is_inexact_array(value)
            shape = getattr(value, "shape", ())
            if isinstance(tree, (eqx.nn.Conv, eqx.nn.ConvTranspose)) and step == "bias":
                shape = shape[:1]
            entries.append(TorchEntry(full, shape, (*path, step), value, listed and eqx.is_array(value)))
        elif isinstance(value, (eqx.Module, list, tuple, dict)):
            entries += torch_entries(value, full + "." if name else prefix, (*path, step))
    return entries


def follow_path(tree, path):
    """The part of a model at `path`: attribute names, list indices and dict keys."""
    return functools.reduce(lambda x, step: getattr(x, step) if isinstance(x, eqx.Module) else x[step], path, tree)


def tied_weights(tree, prefix=""):
    """torch's names of the parameters that modules hold under one of two names, with the other one."""
    tied = {}
    for kind in reversed(type(tree).__mro__):
        for name, kept in vars(kind).get("tied_weights", {}).items():
            tied[prefix + name] = prefix + kept
    for name, _, value in torch_fields(tree):
        if isinstance(value, (eqx.Module, list, tuple, dict)) and not isinstance(value, eqx.nn.StateIndex):
            tied |= tied_weights(value, f"{prefix}{name}." if name else prefix)
    return tied


def state_dict(model, state=None):
    """torch's state_dict: NumPy arrays by torch's names, with the buffers that live in `state`, tied ones at each place."""
    entries, tied = {}, tied_weights(model)
    for name, shape, _, value, _ in torch_entries(model):
        if isinstance(value, eqx.nn.StateIndex):
            if state is None and not (value.init is None or eqx.is_array(value.init)):
                raise ValueError(f"{name} lives in the model's state: call state_dict(model, state)")
            value = value.init if state is None else state.get(value)  # while the model is made: what it begins with
            shape = getattr(value, "shape", ())
        if value is not None or name in tied:
            entries[name] = None if value is None else host_array(value).reshape(shape)
    for name in entries:
        kept = name
        while entries[kept] is None:
            kept = tied[kept]
        entries[name] = entries[kept]
    return entries


def mse_loss(x, y):
    """torch.nn.functional.mse_loss."""
    return ((x - y) ** 2).mean()


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


def map_parameters(function, model, *others, named=False, key=None):
    """`model` with `function(p, ...)` in the place of each parameter p.

    The function is given the parameters of the other models (or the items of lists) beside it; if `named` the name of the
    parameter first; with a key one of its own."""
    entries = [entry for entry in torch_entries(model) if entry.is_parameter]
    columns = [[entry.value.reshape(entry.shape) for entry in entries]]
    for other in others:
        has_modules = isinstance(other, list) and any(isinstance(part, eqx.Module) for part in other)
        if isinstance(other, eqx.Module) or has_modules:
            other = [entry.value.reshape(entry.shape) for entry in torch_entries(other) if entry.is_parameter]
        columns.append(other)
    values = []
    for entry, *row in zip(entries, *columns):
        names = (entry.name,) if named else ()
        if key is None:
            value = function(*names, *row)
        else:
            key, subkey = jax.random.split(key)
            value = function(*names, *row, key=subkey)
        shared = any(value is given for given in row[1:])  # two models may not hold one array: steps donate them
        value = (jnp.copy(value) if shared else value).astype(entry.value.dtype)
        values.append(value.reshape(entry.value.shape))
    paths = [entry.path for entry in entries[: len(values)]]
    return eqx.tree_at(lambda m: [follow_path(m, path) for path in paths], model, values) if values else model


host_rng = np.random.default_rng(0)  # what torch's global generator is to loaders and transforms


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


def find_hosts():
    """jax.distributed.initialize, where the environment names a host to meet at: before JAX is asked for anything else.

    JAX_NUM_PROCESSES and JAX_PROCESS_ID say how many hosts there are, and which one this is, where no cluster tells it."""
    if "JAX_COORDINATOR_ADDRESS" in os.environ and not jax.distributed.is_initialized():
        count, number = (os.environ.get(name) for name in ("JAX_NUM_PROCESSES", "JAX_PROCESS_ID"))
        jax.distributed.initialize(num_processes=count and int(count), process_id=number and int(number))


def init_process_group(world_size=-1):
    """torch.distributed.init_process_group: find the other hosts, and see that there is a device for each rank."""
    os.environ["DEVICES_WORK_TOGETHER"] = "1"
    find_hosts()
    if int(os.environ.get("GROUP_WORLD_SIZE", 1)) > 1 and "JAX_COORDINATOR_ADDRESS" not in os.environ:
        raise RuntimeError("several hosts find each other by JAX_COORDINATOR_ADDRESS, which is not set")
    if int(os.environ.get("LOCAL_RANK", 0)) > 0:
        raise RuntimeError("one process drives all devices of a host: start the program once, without torchrun")
    if world_size not in (-1, jax.device_count()):
        raise RuntimeError(f"the program is written for {world_size} devices, there are {jax.device_count()}")


def is_initialized():
    """torch.distributed.is_initialized: whether all devices work together, as `init_process_group` notes for all files."""
    return "DEVICES_WORK_TOGETHER" in os.environ


def data_mesh():
    """All devices of all hosts in a row."""
    return Mesh(np.asarray(jax.devices()), ("data",))


def device_ranks():
    """The ranks of the devices of this host; 0 alone where they do not work together."""
    if not is_initialized():
        return range(1)
    start = jax.process_index() * jax.local_device_count()
    return range(start, start + jax.local_device_count())


def shard(parts):
    """The batches of the devices of this host as one, whose arrays hold the rows of one device after another."""
    if not is_initialized():
        return parts[0]
    rows = NamedSharding(data_mesh(), PartitionSpec("data"))

    def joined(*values):
        if all(isinstance(value, (np.ndarray, jax.Array)) and np.ndim(value) for value in values):
            if len({value.shape for value in values}) > 1:
                raise ValueError("the batches of the devices have different shapes")
            return jax.make_array_from_process_local_data(rows, np.concatenate(values))
        if not isinstance(values[0], str) and any(np.any(value != values[0]) for value in values):
            raise ValueError(f"a part of the batch differs between devices, and has no rows: {values[0]!r}")
        return values[0]

    return jax.tree.map(joined, *parts)


def is_split(x):
    """Whether the rows of an array lie on different devices, as those of batches do."""
    spec = getattr(getattr(x, "sharding", None), "spec", ())
    return len(spec) > 0 and spec[0] == "data"


def first(tree):
    """What the first device has, for all of them: torch's processes read the values of rank 0, or take them over."""
    return jax.tree.map(lambda x: jax.lax.all_gather(x, "data")[0], tree)


def each(tree):
    """What all devices have, for all of them: arrays with one more axis in front."""
    return jax.tree.map(lambda x: jax.lax.all_gather(x, "data"), tree)


def by_device(x):
    """A batch with one more axis in front: its rows on each device of this host."""
    if jax.process_count() == 1:
        return x.reshape(jax.device_count(), -1, *x.shape[1:])
    parts = sorted(x.addressable_shards, key=lambda part: part.index[0].start)
    return np.stack([np.asarray(part.data) for part in parts])


class DeviceSampler:
    """torch.utils.data.DistributedSampler for all devices of this host: the positions that each of them visits."""

    def __init__(self, dataset, num_replicas=None, rank=None, shuffle=True, seed=0, drop_last=False):
        self.dataset, self.shuffle, self.seed, self.drop_last, self.epoch = dataset, shuffle, seed, drop_last, 0
        self.num_replicas = jax.device_count()
        if num_replicas not in (None, self.num_replicas) or rank not in (None, jax.process_index()):
            raise ValueError(f"every device has its share of the samples: there are {self.num_replicas}")
        full, rest = divmod(len(dataset), self.num_replicas)
        self.num_samples = full + (rest > 0 and not drop_last)

    def set_epoch(self, epoch):
        self.epoch = epoch

    def __len__(self):
        return self.num_samples

    def shares(self):
        """The positions for each device of this host."""
        total, rng = len(self.dataset), np.random.default_rng((self.seed, self.epoch))
        order = rng.permutation(total) if self.shuffle else np.arange(total)
        order = np.resize(order, self.num_samples * self.num_replicas)
        return [order[rank :: self.num_replicas].tolist() for rank in device_ranks()]


class DeviceDataLoader(DataLoader):
    """torch.utils.data.DataLoader: with a sampler for all devices, batches hold the rows of one device after another."""

    def __iter__(self):
        if not isinstance(self.sampler, DeviceSampler):
            yield from super().__iter__()
            return
        shares, size = self.sampler.shares(), self.batch_size
        for start in range(0, len(self.sampler), size):
            parts = [share[start : start + size] for share in shares]
            if len(parts[0]) == size or not self.drop_last:
                yield shard([self.collate_fn([self.dataset[i] for i in part]) for part in parts])


def standardize_on_devices(x, eps):
    """A batch standardized by the statistics of the rows of all devices, and these as running statistics take them up."""
    axes = (0, *range(2, x.ndim))
    count = x.size // x.shape[1] * jax.lax.axis_size("data")
    mean = jax.lax.pmean(x.mean(axes), "data")
    centered = x - along_channels(mean, x.ndim)
    var = jax.lax.pmean((centered**2).mean(axes), "data")
    y = centered * jax.lax.rsqrt(along_channels(var, x.ndim) + eps)
    return y, *jax.lax.stop_gradient((mean, var * count / max(count - 1, 1)))


class SyncBatchNorm(eqx.nn.StatefulLayer):
    """torch.nn.SyncBatchNorm: in training, the statistics are those of all devices, where these work together."""

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
        layer = BatchNorm(num_features, eps, momentum, affine, track_running_stats)
        for name, value in vars(layer).items():
            setattr(self, name, value)

    def __call__(self, x, state, *, key=None):
        if self.inference or not is_initialized():
            return BatchNorm.__call__(self, x, state)
        y, *new = standardize_on_devices(x, self.eps)
        y = scale_and_shift(y, along_channels(self.weight, x.ndim), along_channels(self.bias, x.ndim))
        if self.running_mean is not None:
            batches = state.get(self.num_batches_tracked) + 1
            momentum = 1 / batches if self.momentum is None else self.momentum
            for place, value in zip((self.running_mean, self.running_var), new):
                old = state.get(place)
                state = state.set(place, ((1 - momentum) * old + momentum * value).astype(old.dtype))
            state = state.set(self.num_batches_tracked, batches)
        return y, state


def sync_batch_norm(module):
    """torch.nn.SyncBatchNorm.convert_sync_batchnorm: the module with synchronized statistics in all BatchNorm layers."""

    def convert(layer):
        if not isinstance(layer, BatchNorm):
            return layer
        converted = object.__new__(SyncBatchNorm)
        for name, value in vars(layer).items():
            object.__setattr__(converted, name, value)
        return converted

    return jax.tree.map(convert, module, is_leaf=lambda layer: isinstance(layer, BatchNorm))


if __name__ == "__main__":
    find_hosts()
    key = jax.random.key(0)
    key, subkey = jax.random.split(key)
    main(key=subkey)
