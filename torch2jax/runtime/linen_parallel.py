"""Steps that run on all devices, for modules of Flax Linen, and batch normalisation with statistics of the rows of all devices."""

import functools

import jax
import numpy as np
from jax.sharding import Mesh, PartitionSpec

from torch2jax.runtime.linen_modules import each_part, is_training
from torch2jax.runtime.linen_normalization import BatchNorm
from torch2jax.runtime.linen_training import Same, changing, joined, separated
from torch2jax.runtime.normalization import along_channels
from torch2jax.runtime.parallel import by_device, data_mesh, first, is_initialized, is_split
from torch2jax.runtime.synchronized import standardize_on_devices


def run_on_device(step, static, arrays, states, apart):
    """A step as one of several devices runs it: what its modules keep besides parameters is then what the first device has.

    If `apart`, each device draws with keys of its own."""
    args, kwargs, stores = joined(static, arrays, states)
    for store, state in zip(stores, states) if apart else ():
        if "key" in state:
            store.arrays = {**state, "key": jax.random.fold_in(state["key"], jax.lax.axis_index("data"))}
    result = step(*args, **kwargs)
    return result, [(same_on_devices(store.arrays, state), Same(store.modes)) for store, state in zip(stores, states)]


def same_on_devices(arrays, before):
    """The arrays of a store behind a step, in which devices may have different state, or have drawn apart."""
    if "key" not in arrays:
        return arrays
    kinds = {kind: first(values) for kind, values in arrays["variables"].items() if kind not in ("params", "frozen")}
    return {"variables": {**arrays["variables"], **kinds}, "key": jax.random.fold_in(before["key"], 1)}


def data_parallel(step=None, *, apart=False, when=None, anew=False):
    """torch.nn.parallel.DistributedDataParallel: compile a step that each device runs on its own rows of the batch.

    All other arguments are the same on every device, and so are the results. One device runs it alone unless `when()`.
    Steps that read what changes around them are compiled `anew` for each call. If `apart`, each device draws for itself."""
    if step is None:
        return functools.partial(data_parallel, apart=apart, when=when, anew=anew)

    def on_devices(mesh, split, static, arrays, states):
        rows = [PartitionSpec("data") if is_rows else PartitionSpec() for is_rows in split]
        run = lambda arrays, states: run_on_device(step, static, arrays, states, apart)
        specs = {"in_specs": (rows, PartitionSpec()), "out_specs": PartitionSpec()}
        return jax.shard_map(run, mesh=mesh, check_vma=False, **specs)(arrays, states)

    compiled = functools.partial(jax.jit, static_argnums=(0, 1, 2))
    kept = compiled(on_devices)

    @functools.wraps(step)
    def call(*args, **kwargs):
        static, arrays, stores = separated(args, kwargs)
        mesh = data_mesh() if when is None or when() else Mesh(np.asarray(jax.devices()[:1]), ("data",))
        run = compiled(functools.partial(on_devices)) if anew else kept
        return changing(functools.partial(run, mesh, tuple(map(is_split, arrays))), static, arrays, stores)

    return call


def pmapped(step=None, *, apart=False, when=None, anew=False):
    """torch.nn.parallel.DistributedDataParallel by jax.pmap: each device runs a step on its own rows of the batch.

    All other arguments are the same on every device, and so are the results. One device runs it alone unless `when()`.
    Steps that read what changes around them are mapped `anew` for each call. If `apart`, each device draws for itself."""
    if step is None:
        return functools.partial(pmapped, apart=apart, when=when, anew=anew)

    @functools.cache
    def on_devices(static, split, devices):
        run = lambda _, arrays, states: run_on_device(step, static, arrays, states, apart)
        axes = (0, [0 if rows else None for rows in split], None)
        return jax.pmap(run, axis_name="data", in_axes=axes, out_axes=None, devices=devices)

    @functools.wraps(step)
    def call(*args, **kwargs):
        static, arrays, stores = separated(args, kwargs)
        split = tuple(map(is_split, arrays))
        devices = tuple(jax.local_devices() if when is None or when() else jax.local_devices()[:1])
        mapped = (on_devices.__wrapped__ if anew else on_devices)(static, split, devices)
        arrays = [by_device(x) if rows else x for x, rows in zip(arrays, split)]
        run = lambda _, arrays, states: mapped(np.arange(len(devices)), arrays, states)
        return changing(run, static, arrays, stores)

    return call


class SyncBatchNorm(BatchNorm):
    """torch.nn.SyncBatchNorm: in training, the statistics are those of all devices, where these work together."""

    def __call__(self, x):
        if not is_training(self) or not is_initialized():
            return super().__call__(x)
        y, mean, var = standardize_on_devices(x, self.eps)
        if self.stats:
            count = self.num_batches_tracked + 1
            momentum = 1 / count if self.momentum is None else self.momentum
            for name, value in (("running_mean", mean), ("running_var", var)):
                old = self.stats[name].value
                self.stats[name].value = ((1 - momentum) * old + momentum * value).astype(old.dtype)
            self.stats["num_batches_tracked"].value = count
        if self.weight is None:
            return y
        return y * along_channels(self.weight, x.ndim) + along_channels(self.bias, x.ndim)


def sync_batch_norm(model):
    """torch.nn.SyncBatchNorm.convert_sync_batchnorm: the model with synchronized statistics in all BatchNorm layers."""
    if model.path:
        raise NotImplementedError("a part of a model is synchronized alone")
    owner = model.store.owner.clone()
    object.__setattr__(owner, "__class__", synchronized(type(owner)))
    model.store.owner = owner
    return model


def synchronize_parts(module):
    """Give the parts that a module has made the classes with synchronized statistics, and those that they have made by now."""
    fields = [value for name, value in vars(module).items() if name != "parent"]
    for _, part in [found for value in fields for found in each_part(value)]:
        object.__setattr__(part, "__class__", synchronized(type(part)))
        if part._state.setup_called:
            synchronize_parts(part)


@functools.cache
def synchronized(kind):
    """The class of modules that are like those of a class, but for the statistics of BatchNorm layers in them."""
    if issubclass(kind, BatchNorm):
        return SyncBatchNorm

    def setup(self):
        kind.setup(self)
        synchronize_parts(self)

    return type(kind.__name__, (kind,), {"setup": setup, "__module__": kind.__module__, "__doc__": kind.__doc__})
