"""Data-parallel programs: one process drives all devices of a host, and each device is what a process is to torch.distributed."""

import contextlib
import functools
import io
import os
from collections import OrderedDict

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import multihost_utils
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from torch2jax.runtime.data import DataLoader


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


def destroy_process_group():
    """torch.distributed.destroy_process_group: from here on each process is on its own."""
    os.environ.pop("DEVICES_WORK_TOGETHER", None)


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


def device_keys(key):
    """A key for each of the devices of this host, which draw apart where they work together."""
    return [jax.random.fold_in(key, rank) for rank in device_ranks()] if is_initialized() else [key]


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


class OnDevices:
    """An object for each device of this host, made with its rank: what a method gives is one batch with the rows of all devices.

    As with torch's processes, the first one of the host tells what it does; what the others print is left out."""

    def __init__(self, make):
        self.objects = by_turns(make, device_ranks())

    def __getattr__(self, name):
        value = getattr(self.objects[0], name)
        if not callable(value):
            return value
        return lambda *args, **kwargs: shard(by_turns(lambda own: getattr(own, name)(*args, **kwargs), self.objects))

    def __len__(self):
        return len(self.objects[0])

    def __iter__(self):
        return map(shard, zip(*self.objects))


def by_turns(function, items):
    """What a function gives for each item, of which the first may print."""
    found = []
    for item in items:
        with contextlib.redirect_stdout(io.StringIO()) if found else contextlib.nullcontext():
            found.append(function(item))
    return found


def is_split(x):
    """Whether the rows of an array lie on different devices, as those of batches do."""
    spec = getattr(getattr(x, "sharding", None), "spec", ())
    return len(spec) > 0 and spec[0] == "data"


def row_count(x):
    """How many rows of a batch one device has."""
    return x.shape[0] // (jax.device_count() if is_split(x) else 1)


def rows_of_first(batch):
    """The rows that the first of all devices has, of a batch with those of all of them."""

    def own(x):
        if not is_split(x):
            return x
        rows = np.asarray(min(x.addressable_shards, key=lambda part: part.index[0].start or 0).data)
        return jnp.asarray(multihost_utils.broadcast_one_to_all(rows) if jax.process_count() > 1 else rows)

    return jax.tree.map(own, batch)


def rows_of_each(x):
    """A batch with one more axis in front: the rows that each of all devices has."""
    rows = multihost_utils.process_allgather(x, tiled=True) if jax.process_count() > 1 else x
    return rows.reshape(jax.device_count() if is_split(x) else 1, -1, *x.shape[1:])


def first(tree):
    """What the first device has, for all of them: torch's processes read the values of rank 0, or take them over."""
    return jax.tree.map(lambda x: jax.lax.all_gather(x, "data")[0], tree)


def each(tree):
    """What all devices have, for all of them: arrays with one more axis in front."""
    return jax.tree.map(lambda x: jax.lax.all_gather(x, "data"), tree)


def runs_on_devices():
    """Whether this is the part of a step that each device runs for itself."""
    try:
        jax.lax.axis_index("data")
    except NameError:
        return False
    return True


def all_reduce(x, reduce=jax.lax.psum):
    """torch.distributed.all_reduce in a step: as in torch, gradients pass it as if it were not there. Else for one device."""
    if runs_on_devices():
        fixed = jax.lax.stop_gradient(x)
        return reduce(fixed, "data") + (x - fixed)
    if jax.device_count() > 1:
        raise NotImplementedError("outside of steps it is not known what each device has to reduce")
    return x


def broadcast(x, src):
    """torch.distributed.broadcast in a step: what one device has, with gradients passing as if it were not there. Else what the first has."""
    if runs_on_devices():
        fixed = jax.lax.stop_gradient(x)
        return jax.lax.all_gather(fixed, "data")[src] + (x - fixed)
    if jax.device_count() > 1 and (src != 0 or is_split(x) or jax.process_count() > 1):
        raise NotImplementedError("outside of steps it is not known what each device has")
    return x


def all_gather(x):
    """torch.distributed.nn.functional.all_gather in a step: what each device has, with its gradient. Else for one device."""
    if runs_on_devices():
        return tuple(jax.lax.all_gather(x, "data"))
    if jax.device_count() > 1:
        raise NotImplementedError("outside of steps it is not known what each device has")
    return (x,)


def gather_objects(x):
    """torch.distributed.all_gather_object for one device."""
    return [x][own_rank(0) :]


def share_objects(objects):
    """torch.distributed.broadcast_object_list from the first of the devices of one host: what the program has anyway."""
    if jax.process_count() > 1:
        raise NotImplementedError("objects of one host are not known to the others")


def sum_of_devices(x):
    """torch.distributed.nn.functional.all_reduce in a step: a sum over all devices, with its gradient. Else for one device."""
    return jax.lax.psum(x, "data") if runs_on_devices() else all_gather(x)[0]


def own_part(parts):
    """What stands at the rank of a device in a sequence, or an array, of what each device has."""
    if not runs_on_devices():
        return parts[own_rank(0)]
    return (parts if isinstance(parts, jax.Array) else jnp.stack(parts))[jax.lax.axis_index("data")]


def with_own_part(parts, x):
    """A list of what each device has, with another value at the rank of a device."""
    if not runs_on_devices():
        return [x, *parts[own_rank(0) + 1 :]]
    rank = jax.lax.axis_index("data")
    return [jnp.where(rank == number, x, part) for number, part in enumerate(parts)]


def own_rank(rank):
    """torch.distributed.get_rank in a step: the rank of each device. Else for one device."""
    if runs_on_devices() and jax.lax.axis_size("data") > 1:
        return jax.lax.axis_index("data")
    if jax.device_count() > 1:
        raise NotImplementedError("outside of steps the rank of one device does not stand for all of them")
    return rank


def world_size():
    """torch.distributed.get_world_size in files that start no processes: as in torch, others have to do so."""
    if not is_initialized():
        raise ValueError("Default process group has not been initialized, please make sure to call init_process_group.")
    return jax.device_count()


def as_dicts(tree, kind=dict):
    """A tree whose dicts are of one kind: OrderedDict for functions of JAX, which change the order of others."""
    if isinstance(tree, dict):
        return kind((key, as_dicts(value, kind)) for key, value in tree.items())
    return [as_dicts(value, kind) for value in tree] if isinstance(tree, list) else tree


def over_devices(function, *values):
    """Call a function that reduces over devices with what each of them has, which has an axis for them in front."""

    @functools.partial(jax.vmap, axis_name="data")
    def run(*values):
        return as_dicts(function(*map(as_dicts, values)), OrderedDict)

    results = run(*(as_dicts(value, OrderedDict) for value in values))
    return as_dicts(jax.tree.map(lambda x: x[0], results))


def as_number(x):
    """torch.Tensor.item, but for what each of several devices has while they reduce it."""
    return x if isinstance(x, jax.core.Tracer) else x.item()


def of_first(x):
    """What the first device has, of values with an axis for the devices in front, or of one that is the same for all."""
    return jax.tree.map(lambda value: value[0] if np.ndim(value) else value, x)


def per_device(values):
    """An array for each device of numbers that have an axis for the devices, or are the same on all of them."""
    count = jax.device_count()
    if not isinstance(values, (list, tuple)):
        return jnp.broadcast_to(jnp.asarray(values), (count,))
    return jnp.stack([jnp.broadcast_to(jnp.asarray(value), (count,)) for value in values], axis=-1)


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


class EpochSampler(DeviceSampler):
    """A sampler for all devices of this host whose order changes with each pass."""

    def shares(self):
        found = super().shares()
        self.epoch += 1
        return found


class BatchSharesSampler(EpochSampler):
    """A sampler that gives whole batches to one device after another; the first rows complete the last batches."""

    def __init__(self, dataset, size, shuffle, drop_last):
        super().__init__(dataset, shuffle=shuffle, drop_last=drop_last)
        count, step = len(dataset), size * self.num_replicas
        if self.num_replicas > 1:
            count = count // step * step if drop_last else -(-count // step) * step
        self.size, self.total, self.num_samples = size, count, count // self.num_replicas

    def shares(self):
        rng = np.random.default_rng((self.seed, self.epoch))
        count = len(self.dataset)
        order = np.resize(rng.permutation(count) if self.shuffle else np.arange(count), self.total)
        self.epoch += 1
        if self.num_replicas == 1:
            return [order.tolist()]
        batches = order.reshape(-1, self.size)
        return [batches[rank :: self.num_replicas].ravel().tolist() for rank in device_ranks()]


def share_rows(loader):
    """lightning.fabric.Fabric.setup_dataloaders: a loader whose rows are shared out to all devices, where they work together."""
    return shared_loader(loader, EpochSampler(loader.dataset, shuffle=loader.shuffle))


def share_batches(loader):
    """accelerate.Accelerator.prepare of a loader: its batches are shared out to all devices, where they work together."""
    return shared_loader(
        loader, BatchSharesSampler(loader.dataset, loader.batch_size, loader.shuffle, loader.drop_last)
    )


def shared_loader(loader, sampler):
    """A loader like another one, with a sampler for all devices."""
    if not is_initialized():
        return loader
    if loader.sampler is not None or loader.batch_sampler is not None or loader.batch_size is None:
        raise NotImplementedError("a sampler of the program is not shared out to several devices")
    return DeviceDataLoader(
        loader.dataset, loader.batch_size, sampler=sampler, collate_fn=loader.collate_fn, drop_last=loader.drop_last
    )
