"""Steps that run on all devices, for modules of Flax NNX, and batch normalisation with statistics of the rows of all devices."""

import functools

import jax
import numpy as np
from flax import nnx
from jax.sharding import Mesh, PartitionSpec

from torch2jax.runtime.nnx_checkpoints import modules
from torch2jax.runtime.nnx_normalization import BatchNorm
from torch2jax.runtime.normalization import along_channels
from torch2jax.runtime.parallel import by_device, data_mesh, device_ranks, first, is_initialized, is_split
from torch2jax.runtime.synchronized import standardize_on_devices


def variables_of(tree):
    """The variables of all objects in a tree, each once."""
    return [value for _, value in nnx.iter_graph(tree) if isinstance(value, nnx.Variable)]


def run_on_device(step, args, kwargs, apart):
    """A step as one of several devices runs it: what its modules keep besides parameters is then what the first device has.

    If `apart`, each device draws with keys of its own."""
    keys = [(variable, variable[...]) for variable in variables_of((args, kwargs)) if isinstance(variable, nnx.RngKey)]
    for variable, key in keys if apart else ():
        variable.set_value(jax.random.fold_in(key, jax.lax.axis_index("data")))
    same = nnx.Param, nnx.OptState, nnx.RngState
    before = {id(variable): variable.get_value() for variable in variables_of((args, kwargs))}
    results = step(*args, **kwargs)
    for variable, key in keys if apart else ():
        variable.set_value(key)
    for variable in variables_of((args, kwargs)):
        value = variable.get_value()
        if not isinstance(variable, same) and value is not before.get(id(variable)):
            variable.set_value(first(value))
    return results


def split_static(args, kwargs):
    """What a compiled function is given as it is (arrays and objects), behind whatever else its arguments hold, which is static."""
    is_object = lambda x: isinstance(x, (nnx.Pytree, nnx.Variable))
    leaves, structure = jax.tree.flatten((args, kwargs), is_leaf=is_object)
    is_dynamic = tuple(is_object(x) or isinstance(x, (jax.Array, np.ndarray)) for x in leaves)
    fixed = tuple(None if d else x for x, d in zip(leaves, is_dynamic))
    return (structure, fixed, is_dynamic), [x for x, d in zip(leaves, is_dynamic) if d]


def with_static(static, dynamic):
    """The arguments that were split."""
    structure, leaves, is_dynamic = static
    given = iter(dynamic)
    return structure.unflatten([next(given) if d else x for x, d in zip(leaves, is_dynamic)])


def data_parallel(step=None, *, apart=False, when=None, anew=False):
    """torch.nn.parallel.DistributedDataParallel: compile a step that each device runs on its own rows of the batch.

    All other arguments are the same on every device, and so are the results. One device runs it alone unless `when()`.
    Steps that read what changes around them are compiled `anew` for each call. If `apart`, each device draws for itself."""
    if step is None:
        return functools.partial(data_parallel, apart=apart, when=when, anew=anew)

    def on_devices(mesh, static, split, dynamic):
        def run(*dynamic):
            args, kwargs = with_static(static, dynamic)
            return run_on_device(step, args, kwargs, apart)

        specs = tuple(PartitionSpec("data") if rows else PartitionSpec() for rows in split)
        mapped = nnx.shard_map(run, mesh=mesh, in_specs=specs, out_specs=PartitionSpec(), check_vma=False)
        return mapped(*dynamic)

    compiled = functools.partial(nnx.jit, static_argnums=(0, 1, 2))
    kept = compiled(on_devices)

    @functools.wraps(step)
    def call(*args, **kwargs):
        static, dynamic = split_static(args, kwargs)
        mesh = data_mesh() if when is None or when() else Mesh(np.asarray(jax.devices()[:1]), ("data",))
        run = compiled(functools.partial(on_devices)) if anew else kept
        return run(mesh, static, tuple(map(is_split, dynamic)), dynamic)

    return call


def pmapped(step=None, *, apart=False, when=None, anew=False):
    """torch.nn.parallel.DistributedDataParallel by jax.pmap: each device runs a step on its own rows of the batch.

    All other arguments are the same on every device, and so are the results. One device runs it alone unless `when()`.
    Steps that read what changes around them are mapped `anew` for each call. If `apart`, each device draws for itself."""
    if step is None:
        return functools.partial(pmapped, apart=apart, when=when, anew=anew)

    @functools.cache
    def on_devices(static, split, devices):
        def run(_, *dynamic):
            args, kwargs = with_static(static, dynamic)
            return run_on_device(step, args, kwargs, apart)

        axes = (0, *(0 if rows else None for rows in split))
        return nnx.pmap(run, axis_name="data", in_axes=axes, out_axes=None, devices=devices)

    @functools.wraps(step)
    def call(*args, **kwargs):
        static, dynamic = split_static(args, kwargs)
        split = tuple(map(is_split, dynamic))
        devices = tuple(jax.local_devices() if when is None or when() else jax.local_devices()[:1])
        mapped = (on_devices.__wrapped__ if anew else on_devices)(static, split, devices)
        return mapped(np.arange(len(devices)), *(by_device(x) if rows else x for x, rows in zip(dynamic, split)))

    return call


def device_keys(rngs):
    """Streams of random numbers for each of the devices of this host, which draw apart where they work together."""
    if not is_initialized():
        return [rngs]
    key = rngs()
    return [nnx.Rngs(jax.random.fold_in(key, rank)) for rank in device_ranks()]


class SyncBatchNorm(BatchNorm):
    """torch.nn.SyncBatchNorm: in training, the statistics are those of all devices, where these work together."""

    def __call__(self, x):
        if self.deterministic or not is_initialized():
            return super().__call__(x)
        y, mean, var = standardize_on_devices(x, self.eps)
        if self.running_mean is not None:
            count = self.num_batches_tracked[...] + 1
            momentum = 1 / count if self.momentum is None else self.momentum
            for place, value in ((self.running_mean, mean), (self.running_var, var)):
                place[...] = ((1 - momentum) * place[...] + momentum * value).astype(place.dtype)
            self.num_batches_tracked[...] = count
        if self.weight is None:
            return y
        return y * along_channels(self.weight[...], x.ndim) + along_channels(self.bias[...], x.ndim)


def sync_batch_norm(module):
    """torch.nn.SyncBatchNorm.convert_sync_batchnorm: the module with synchronized statistics in all BatchNorm layers."""
    for part in modules(module):
        if isinstance(part, BatchNorm):
            object.__setattr__(part, "__class__", SyncBatchNorm)
    return module
