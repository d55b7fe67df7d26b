"""Train an image classifier on several devices: `torchrun --nproc-per-node=8 ddp_classifier.py`."""

import argparse
import codecs
import collections
import collections.abc
import dataclasses
import functools
import inspect
import itertools
import json
import math
import os
import pickle
import struct
import sys
import zipfile
from pathlib import Path, PurePath
from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import optax
from jax.experimental import multihost_utils
from jax.sharding import Mesh, NamedSharding, PartitionSpec


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


def data_parallel(step=None, *, donate="none", when=None, anew=False):
    """torch.nn.parallel.DistributedDataParallel: compile a step that each device runs on its own rows of the batch.

    All other arguments are the same on every device, and so are the results. One device runs it alone unless `when()`.
    Steps that read what changes around them are traced `anew` for each call, and compiled where that makes a difference."""
    if step is None:
        return functools.partial(data_parallel, donate=donate, when=when, anew=anew)

    programs = {}

    def on_devices(mesh, split, args, kwargs):
        leaves, tree = jax.tree.flatten((args, kwargs))
        arrays, static = eqx.partition(leaves, eqx.is_array)
        specs = [PartitionSpec("data") if rows else PartitionSpec() for rows in split]
        rest = []

        def run(*arrays):
            args, kwargs = jax.tree.unflatten(tree, eqx.combine(arrays, tuple(static)))
            results, other = eqx.partition(step(*args, **kwargs), eqx.is_array)
            rest.append(other)
            return results

        mapped = jax.shard_map(run, mesh=mesh, in_specs=tuple(specs), out_specs=PartitionSpec(), check_vma=False)
        if anew:
            lowered = jax.jit(mapped).lower(*arrays)
            text = lowered.as_text()
            mapped = programs[text] = programs.get(text) or lowered.compile()
        return eqx.combine(mapped(*arrays), rest[-1])

    if not anew:
        on_devices = eqx.filter_jit(on_devices, donate=donate)

    @functools.wraps(step)
    def call(*args, **kwargs):
        split = tuple(map(is_split, jax.tree.leaves((args, kwargs))))
        mesh = data_mesh() if when is None or when() else Mesh(np.asarray(jax.devices()[:1]), ("data",))
        return on_devices(mesh, split, args, kwargs)

    return call


class Net(eqx.nn.StatefulLayer):
    conv1: eqx.nn.Conv2d
    bn1: BatchNorm
    conv2: eqx.nn.Conv2d
    fc: eqx.nn.Linear

    def __init__(self, num_classes: int = 4, *, key):
        conv1_key, conv2_key, fc_key = jax.random.split(key, 3)
        self.conv1 = eqx.nn.Conv2d(1, 8, 3, padding=1, use_bias=False, key=conv1_key)
        self.bn1 = BatchNorm(8)
        self.conv2 = eqx.nn.Conv2d(8, 16, 3, stride=2, padding=1, key=conv2_key)
        self.fc = eqx.nn.Linear(16, num_classes, key=fc_key)

    def __call__(self, x, state):
        x, state = self.bn1(batched(self.conv1)(x), state)
        x = jax.nn.relu(x)
        x = jax.nn.relu(batched(self.conv2)(x))
        return batched(self.fc)(x.mean(axis=(2, 3))), state


def make_data(count: int):
    """Waves of four kinds."""
    labels = jnp.arange(count) % 4
    grid = jnp.arange(8, dtype=jnp.float32)
    phase = jnp.arange(count, dtype=jnp.float32)[:, None, None]
    waves = jnp.sin(grid[:, None] * (1 + labels[:, None, None]) + phase) + jnp.cos(grid * labels[:, None, None])
    return ArrayDataset(waves[:, None], labels)


def init_weights(model):
    def update(p, number):
        return jnp.broadcast_to(0.4 * jnp.sin(jnp.arange(p.size, dtype=jnp.float32) + number).reshape(p.shape), p.shape).astype(p.dtype)

    model = map_parameters(update, model, itertools.count())
    return model


@data_parallel
def train_step(optimizer, model, state, opt_state, images, labels):
    def loss_fn(model, state):
        out, state = model(images, state)
        return cross_entropy(out, labels), state

    (loss, state), grads = eqx.filter_value_and_grad(loss_fn, has_aux=True)(model, state)
    grads = jax.lax.pmean(grads, "data")
    state = first(state)
    loss = each(loss)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), state, opt_state, loss


def train_one_epoch(model, state, loader, optimizer, opt_state, device):
    model = eqx.nn.inference_mode(model, value=False)
    total_0 = 0.0
    total_1 = 0.0
    for images, labels in loader:
        model, state, opt_state, loss = train_step(optimizer, model, state, opt_state, images, labels)
        total_0 += np.asarray(loss, float) * row_count(images)
        total_1 += row_count(images)
    total = per_device([total_0, total_1])
    total = total.sum(axis=0)
    return model, state, opt_state, (total[0] / total[1]).item()


@data_parallel
def evaluate_step(model, state, images, labels):
    return each((model(images, state)[0].argmax(axis=1) == labels).sum())


def evaluate(model, state, loader, device):
    model = eqx.nn.inference_mode(model)
    correct, count = 0, 0
    for images, labels in loader:
        correct += np.asarray(evaluate_step(model, state, images, labels), int)
        count += row_count(labels)
    totals = per_device([correct, count])
    totals = totals.sum(axis=0)
    return (totals[0] / totals[1]).item()


def main(*, key):
    model_key, restored_key = jax.random.split(key)
    init_process_group()
    rank, local_rank, world_size = jax.process_index(), 0, jax.device_count()
    device = jax.devices()[0] if jax.default_backend() == "gpu" else jax.devices("cpu")[0]

    train_set, test_set = make_data(128), make_data(64)
    sampler = DeviceSampler(train_set, num_replicas=world_size, rank=rank, shuffle=False)
    train_loader = DeviceDataLoader(train_set, batch_size=32 // world_size, sampler=sampler, drop_last=True)
    test_loader = DeviceDataLoader(test_set, batch_size=8, sampler=DeviceSampler(test_set, shuffle=False))

    model, model_state = eqx.nn.make_with_state(Net)(key=model_key)
    model = init_weights(model)
    scheduler = cosine_annealing(0.1, 4)
    optimizer = optax.inject_hyperparams(lambda count: optax.chain(optax.add_decayed_weights(1e-4), optax.sgd(scheduler(count), momentum=0.9)))(count=0)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))

    for epoch in range(4):
        sampler.set_epoch(epoch)
        model, model_state, opt_state, loss = train_one_epoch(model, model_state, train_loader, optimizer, opt_state, device)
        accuracy = evaluate(model, model_state, test_loader, device)
        opt_state.hyperparams["count"] += 1
        if rank == 0:
            print(f"epoch {epoch}: loss {loss:.4f}, accuracy {accuracy:.3f}")
            save(state_dict(model, model_state), "ddp_classifier.pt")

    barrier()
    restored, restored_state = eqx.nn.make_with_state(Net)(key=restored_key)
    restored, restored_state = load_state_dict(restored, load("ddp_classifier.pt"), state=restored_state)
    if rank == 0:
        print(f"restored: {sum(absolute(p).sum().item() for p in jax.tree.leaves(eqx.filter(restored, eqx.is_inexact_array))):.3f}")


# --- torch2jax support -------------------------------------------------------------------------


def is_buffer(module, name):
    """Whether a field of a module is not trained: of all modules of its class, or of those that say so in `buffer_names`."""
    marks = type(module).__dataclass_fields__[name].metadata
    return marks.get("buffer") or name in getattr(module, "buffer_names", ())


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


def is_empty(value, state):
    """Whether a field of a module is a buffer that has no value so far."""
    return isinstance(value, eqx.nn.StateIndex) and state is not None and state.get(value) is None


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


def load_state_dict(model, state_dict, strict=True, *, state=None):
    """The model (with `state`: the model and the state) with the values of a torch state dict, by torch's names.

    Missing, unexpected and misshapen entries are one ValueError; strict=False allows the first two."""
    arrays = {name: host_array(value) for name, value in state_dict.items()}
    entries = torch_entries(model)
    state = jax.tree.map(lambda x: x, state)  # `state.set` makes its receiver invalid
    given = [e for e in entries if not is_empty(e.value, state)]
    wanted = {e.name: e for e in given if e.value is not None}
    tied = {e.name for e in entries if e.value is None}
    problems, paths, values = [], [], []
    for name, entry in wanted.items():
        stateful, path = isinstance(entry.value, eqx.nn.StateIndex), entry.path
        old = state.get(entry.value) if stateful and state is not None else entry.value
        if stateful and state is None:  # of a part of a model that is being made: what its state begins with
            if not eqx.is_array(entry.value.init):
                raise ValueError(
                    f"{name} lives in the model's state: call load_state_dict(model, state_dict, state=state)"
                )
            old, path = entry.value.init, (*path, "init")
        shape = old.shape if stateful else entry.shape
        if name not in arrays:
            problems += [f"missing {name} {shape}"] if strict else []
        elif arrays[name].shape != shape:
            problems.append(f"misshapen {name}: {arrays[name].shape} in the file, {shape} in the model")
        elif stateful and state is not None:
            state = state.set(entry.value, jnp.asarray(arrays[name], old.dtype))
        else:
            new = arrays[name].reshape(old.shape).astype(old.dtype)
            paths.append(path)
            values.append(new if isinstance(old, np.ndarray) else jnp.asarray(new))
    for name in arrays.keys() - wanted.keys() if strict else ():
        twins = (arrays[other] for other in wanted if other in arrays)
        if name not in tied or not any(np.array_equal(arrays[name], twin) for twin in twins):
            problems.append(f"unexpected {name} {arrays[name].shape}")
    if problems:
        raise ValueError("the state dict does not fit the model:\n  " + "\n  ".join(sorted(problems)))
    if paths:
        model = eqx.tree_at(lambda m: [follow_path(m, path) for path in paths], model, values)
    return model if state is None else (model, state)


def torch_dtypes():
    """NumPy's dtype for every storage class and dtype name of torch."""
    names = {
        "DoubleStorage": "float64", "FloatStorage": "float32", "HalfStorage": "float16", "LongStorage": "int64",
        "IntStorage": "int32", "ShortStorage": "int16", "CharStorage": "int8", "ByteStorage": "uint8",
        "BoolStorage": "bool", "ComplexDoubleStorage": "complex128", "ComplexFloatStorage": "complex64",
    }  # fmt: skip
    plain = "float64 float32 float16 int64 int32 int16 int8 uint64 uint32 uint16 uint8 bool complex128 complex64"
    dtypes = {name: np.dtype(name) for name in plain.split()} | {old: np.dtype(new) for old, new in names.items()}
    for name in ("bfloat16", "float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz"):
        dtypes[name] = np.dtype(getattr(ml_dtypes, name))
    return dtypes | {"BFloat16Storage": dtypes["bfloat16"]}


def rebuild_tensor(storage, offset, size, stride, *rest):
    """A tensor of a torch file: `size` and `stride` over the elements of a storage."""
    dtype = next((x for x in rest if isinstance(x, np.dtype)), storage.dtype)
    storage = storage.view(dtype)
    last = offset + sum((n - 1) * step for n, step in zip(size, stride))
    if min((offset, *size, *stride)) < 0 or (math.prod(size) and last >= storage.size):
        raise pickle.UnpicklingError("a tensor reaches beyond its storage")
    strides = [step * storage.itemsize for step in stride]
    return np.lib.stride_tricks.as_strided(storage[offset:], size, strides).copy()


def plain_classes():
    """Classes without methods of their own making that files hold beside arrays, by the names that pickle has for them."""
    plain = (collections.OrderedDict, collections.defaultdict, collections.Counter, argparse.Namespace, set, frozenset, complex,
             bytearray, slice, range, list, dict, int, float, np.ndarray, np.dtype)  # fmt: skip
    named = {f"{kind.__module__}.{kind.__qualname__}": kind for kind in plain}
    named |= {name.replace("builtins.", "__builtin__."): kind for name, kind in named.items()}
    paths = {f"pathlib.{name}": PurePath for name in ("PosixPath", "WindowsPath", "Path", "PurePosixPath")}
    arrays = {
        f"numpy.{core}.multiarray.{name}": np.empty(0).__reduce__()[0] if name == "_reconstruct" else numpy_scalar
        for core in ("core", "_core")
        for name in ("scalar", "_reconstruct")
    }
    return named | paths | arrays | {"_codecs.encode": codecs.encode}


def numpy_scalar(dtype, data):
    """A number of NumPy from its bytes."""
    return np.frombuffer(data, dtype)[0]


class TensorUnpickler(pickle.Unpickler):
    """Reads arrays and plain containers from a file of torch.save; refuses everything else if `weights_only`, and runs no code then."""

    def __init__(self, file, read_storage, weights_only=True):
        super().__init__(file)
        self.read_storage, self.weights_only = read_storage, weights_only

    def find_class(self, module, name):
        known = plain_classes() | {
            "torch._utils._rebuild_tensor_v2": rebuild_tensor,
            "torch._utils._rebuild_tensor_v3": rebuild_tensor,
            "torch._utils._rebuild_parameter": lambda data, requires_grad, hooks: data,
            "torch.Size": tuple,
            "torch.storage.UntypedStorage": np.dtype("uint8"),
            "torch.torch_version.TorchVersion": str,
            "torch.device": lambda *args: ":".join(map(str, args)),
        }
        if module == "torch":
            known |= {f"torch.{dtype_name}": dtype for dtype_name, dtype in torch_dtypes().items()}
        if f"{module}.{name}" not in known:
            if not self.weights_only:  # an object of a class of the program
                return super().find_class(module, name)
            raise pickle.UnpicklingError(f"{module}.{name} in the file: only arrays, numbers and containers are read")
        return known[f"{module}.{name}"]

    def persistent_load(self, pid):
        _, dtype, key, _, _ = pid
        return self.read_storage(dtype, key)


def is_safetensors(file):
    """Whether a file has the name of a safetensors file; files that are open are torch's."""
    return isinstance(file, (str, os.PathLike)) and Path(file).suffix == ".safetensors"


MODULES = "archive/modules.pkl"


def load(path, weights_only=True):
    """What torch.load reads, without torch: nested containers of NumPy arrays from a `.pt` or `.safetensors` file, or one
    that is open."""
    if is_safetensors(path):
        return load_safetensors(path)
    if not zipfile.is_zipfile(path):
        raise ValueError(f"{path} is not a zip file as torch.save writes it (since torch 1.6)")
    with zipfile.ZipFile(path) as archive:
        if MODULES in archive.namelist():
            return pickle.loads(archive.read(MODULES))
        root = next(name for name in archive.namelist() if name.endswith("/data.pkl")).removesuffix("data.pkl")
        if f"{root}byteorder" in archive.namelist() and archive.read(f"{root}byteorder") != b"little":
            raise ValueError(f"{path} was written on a big-endian machine")
        read = functools.cache(lambda dtype, key: np.frombuffer(archive.read(f"{root}data/{key}"), dtype))
        with archive.open(f"{root}data.pkl") as file:
            return TensorUnpickler(file, read, weights_only).load()


def save(obj, path):
    """Write nested containers of arrays as torch.save does (torch.load reads them), to a path or an open file."""
    if is_safetensors(path):
        save_safetensors(obj, path)
        return
    arrays = []
    data = b"\x80\x02" + pickle_plain(obj, arrays) + b"."
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("archive/data.pkl", data)
        archive.writestr("archive/byteorder", "little")
        for key, array in enumerate(arrays):
            archive.writestr(f"archive/data/{key}", array.tobytes())
        archive.writestr("archive/version", "3\n")


def pickle_plain(obj, arrays):
    """The pickle of an array (appended to `arrays`), a number, a string, None, a container of these or an object that has them."""
    dump = lambda *items: b"".join(pickle_plain(item, arrays) for item in items)
    match obj:
        case None | True | False:
            return {None: b"N", True: b"\x88", False: b"\x89"}[obj]
        case np.generic() if not obj.dtype.hasobject:
            return dump(obj.item())
        case int():
            digits = obj.to_bytes(obj.bit_length() // 8 + 1, "little", signed=True)
            return b"\x8a" + bytes([len(digits)]) + digits
        case float():
            return b"G" + struct.pack(">d", obj)
        case str():
            text = obj.encode()
            return b"X" + struct.pack("<I", len(text)) + text
        case dict():
            items = [x for item in obj.items() for x in item]
            kind = b"ccollections\nOrderedDict\n)R" if isinstance(obj, collections.OrderedDict) else b"}"
            return kind + b"(" + dump(*items) + b"u"
        case list():
            return b"](" + dump(*obj) + b"e"
        case set() | frozenset():
            return b"c__builtin__\n" + type(obj).__name__.encode() + b"\n(" + dump(list(obj)) + b"tR"
        case argparse.Namespace():
            return b"cargparse\nNamespace\n)\x81" + dump(vars(obj)) + b"b"
        case os.PathLike():
            return dump(os.fspath(obj))
        case tuple():
            return b"(" + dump(*obj) + b"t"
        case np.ndarray() | jax.Array():
            array = np.asarray(obj)
            kinds = {dtype: name for name, dtype in torch_dtypes().items() if name.endswith("Storage")}
            if array.dtype not in kinds:
                raise TypeError(f"torch has no storage for {array.dtype}")
            strides = tuple(math.prod(array.shape[axis + 1 :]) for axis in range(array.ndim))
            storage = b"ctorch\n" + kinds[array.dtype].encode() + b"\n" + dump(str(len(arrays)), "cpu", array.size)
            arrays.append(array)
            tensor = dump(0, array.shape, strides, False, collections.OrderedDict())
            return b"ctorch._utils\n_rebuild_tensor_v2\n((" + dump("storage") + storage + b"tQ" + tensor + b"tR"
    if hasattr(type(obj), "without_hash"):  # options that a model keeps
        return dump(obj.without_hash())
    if is_plain_object(obj):
        kind = type(obj)
        return f"c{kind.__module__}\n{kind.__qualname__}\n".encode() + b")\x81" + dump(vars(obj)) + b"b"
    raise TypeError(f"cannot save a {type(obj).__name__}: only arrays, numbers, strings and containers of them")


def is_plain_object(obj):
    """Whether an object is all in its fields, and pickle finds its class by name."""
    kind = type(obj)
    is_found = getattr(sys.modules.get(kind.__module__), kind.__qualname__, None) is kind
    is_usual = kind.__reduce_ex__ is object.__reduce_ex__ and kind.__reduce__ is object.__reduce__
    return is_found and is_usual and hasattr(obj, "__dict__") and jax.tree_util.all_leaves([obj])


def safetensors_dtypes():
    """The dtype names of safetensors and NumPy's dtypes."""
    names = {"F64": "float64", "F32": "float32", "F16": "float16", "BF16": "bfloat16", "BOOL": "bool"}
    names |= {f"I{8 * n}": f"int{8 * n}" for n in (1, 2, 4, 8)} | {f"U{8 * n}": f"uint{8 * n}" for n in (1, 2, 4, 8)}
    names |= {"F8_E4M3": "float8_e4m3fn", "F8_E5M2": "float8_e5m2", "C64": "complex64"}
    return {name: torch_dtypes()[dtype] for name, dtype in names.items()}


def load_safetensors(path):
    """The arrays of a `.safetensors` file by name."""
    data = Path(path).read_bytes()
    start = 8 + struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8:start])
    header.pop("__metadata__", None)
    arrays = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        array = np.frombuffer(data[start + begin : start + end], safetensors_dtypes()[entry["dtype"]])
        arrays[name] = array.reshape(entry["shape"])
    return arrays


def save_safetensors(arrays, path):
    """Write a dict of arrays as a `.safetensors` file."""
    kinds = {dtype: name for name, dtype in safetensors_dtypes().items()}
    header, blocks, end = {}, [], 0
    for name, array in arrays.items():
        array = np.asarray(array)
        begin, end = end, end + array.nbytes
        header[name] = {"dtype": kinds[array.dtype], "shape": list(array.shape), "data_offsets": [begin, end]}
        blocks.append(array.tobytes())
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    Path(path).write_bytes(b"".join([struct.pack("<Q", len(text)), text, *blocks]))


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


def absolute(x):
    """torch.abs: as jnp.abs, with gradient 0 at 0."""
    return jnp.abs(x) if jnp.iscomplexobj(x) else x * jax.lax.stop_gradient(jnp.sign(x))


def nll_loss(log_probs, targets):
    """torch.nn.functional.nll_loss: classes on axis 1; the mean divides by the weights of the targets that count."""
    log_probs = jnp.moveaxis(log_probs, min(1, log_probs.ndim - 1), -1)
    keep = targets != -100
    picked = jnp.take_along_axis(log_probs, jnp.where(keep, targets, 0)[..., None], axis=-1)[..., 0]
    loss, count = jnp.where(keep, -picked, 0), keep.sum(dtype=log_probs.dtype)
    return loss.sum() / count


def cross_entropy(logits, targets):
    """torch.nn.functional.cross_entropy: classes on axis 1; `targets` are class indices or class probabilities."""
    axis = min(1, logits.ndim - 1)
    log_probs = jax.nn.log_softmax(logits, axis=axis)
    if jnp.issubdtype(targets.dtype, jnp.floating):
        return (-(log_probs * targets).sum(axis)).mean()
    return nll_loss(log_probs, targets)


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


def barrier():
    """torch.distributed.barrier: wait for the other hosts."""
    multihost_utils.sync_global_devices("barrier")


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


def row_count(x):
    """How many rows of a batch one device has."""
    return x.shape[0] // (jax.device_count() if is_split(x) else 1)


def first(tree):
    """What the first device has, for all of them: torch's processes read the values of rank 0, or take them over."""
    return jax.tree.map(lambda x: jax.lax.all_gather(x, "data")[0], tree)


def each(tree):
    """What all devices have, for all of them: arrays with one more axis in front."""
    return jax.tree.map(lambda x: jax.lax.all_gather(x, "data"), tree)


def per_device(values):
    """An array for each device of numbers that have an axis for the devices, or are the same on all of them."""
    count = jax.device_count()
    if not isinstance(values, (list, tuple)):
        return jnp.broadcast_to(jnp.asarray(values), (count,))
    return jnp.stack([jnp.broadcast_to(jnp.asarray(value), (count,)) for value in values], axis=-1)


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


def cosine_annealing(lr, period, eta_min=0.0):
    """torch.optim.lr_scheduler.CosineAnnealingLR: down to `eta_min` in `period` steps, then up again, and so on."""
    return lambda count: eta_min + (lr - eta_min) * (1 + jnp.cos(jnp.pi * count / period)) / 2


if __name__ == "__main__":
    find_hosts()
    key = jax.random.key(0)
    key, subkey = jax.random.split(key)
    main(key=subkey)
