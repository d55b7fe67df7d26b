"""Train with a class of its own, in processes that the program starts itself: `python spawned_trainer.py 8`."""

import collections.abc
import dataclasses
import functools
import inspect
import itertools
import math
import os
import sys
from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax.sharding import Mesh, NamedSharding, PartitionSpec


class Waves:
    def __init__(self, count):
        rng = np.random.default_rng(5)
        self.x = jnp.asarray(rng.normal(size=(count, 6)).astype(np.float32))
        self.y = jnp.sin(self.x).sum(axis=1, keepdims=True)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, index):
        return self.x[index], self.y[index]


def setup(rank, world_size):
    os.environ["MASTER_ADDR"] = "localhost"
    os.environ.setdefault("MASTER_PORT", "29571")
    init_process_group(world_size=world_size)


# --- torch2jax support -------------------------------------------------------------------------


host_rng = np.random.default_rng(0)  # what torch's global generator is to loaders and transforms


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


def is_initialized():
    """torch.distributed.is_initialized: whether all devices work together, as `init_process_group` notes for all files."""
    return "DEVICES_WORK_TOGETHER" in os.environ


def data_mesh():
    """All devices of all hosts in a row."""
    return Mesh(np.asarray(jax.devices()), ("data",))


def is_split(x):
    """Whether the rows of an array lie on different devices, as those of batches do."""
    spec = getattr(getattr(x, "sharding", None), "spec", ())
    return len(spec) > 0 and spec[0] == "data"


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


@data_parallel(when=is_initialized)
def train_step(optimizer, model, opt_state, source, targets):
    def loss_fn(model):
        output = batched(model)(source)
        return mse_loss(output, targets)

    loss, grads = eqx.filter_value_and_grad(loss_fn)(model)
    grads = jax.lax.pmean(grads, "data")
    loss = first(loss)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), opt_state, loss


class Trainer:
    def __init__(self, model: eqx.Module, loader: DataLoader, optimizer: optax.GradientTransformation, opt_state, rank: int):
        self.rank = rank
        self.loader = loader
        self.optimizer = optimizer
        self.opt_state = opt_state
        self.model = model
        self.losses = []

    def _run_batch(self, source, targets):
        self.model, self.opt_state, loss = train_step(self.optimizer, self.model, self.opt_state, source, targets)
        self.losses.append(loss.item())

    def _run_epoch(self, epoch):
        size = row_count(next(iter(self.loader))[0])
        self.loader.sampler.set_epoch(epoch)
        for source, targets in self.loader:
            self._run_batch(source, targets)
        if self.rank == 0:
            print(
                f"epoch {epoch}: {size} rows, {len(self.loader)} steps, losses {self.losses[0]:.4f} {self.losses[-1]:.4f}"
            )

    def train(self, epochs):
        for epoch in range(epochs):
            self._run_epoch(epoch)
        if self.rank == 0:
            for name, value in state_dict(self.model).items():
                print(name, f"{absolute(value).sum().item():.4f}")


def main(rank: int, world_size: int, epochs: int, *, key):
    model_key, model_key_1 = jax.random.split(key)
    setup(rank, world_size)
    dataset = Waves(22)
    loader = DeviceDataLoader(dataset, batch_size=4, shuffle=False, sampler=DeviceSampler(dataset, shuffle=False))
    model = eqx.nn.Sequential([eqx.nn.Linear(6, 8, key=model_key), eqx.nn.Lambda(jnp.tanh), eqx.nn.Linear(8, 1, key=model_key_1)])
    model = map_parameters(lambda parameter: jnp.full_like(parameter, 0.05), model)
    optimizer = optax.adam(0.02)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    trainer = Trainer(model, loader, optimizer, opt_state, rank)
    trainer.train(epochs)


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


def mse_loss(x, y):
    """torch.nn.functional.mse_loss."""
    return ((x - y) ** 2).mean()


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


def row_count(x):
    """How many rows of a batch one device has."""
    return x.shape[0] // (jax.device_count() if is_split(x) else 1)


def first(tree):
    """What the first device has, for all of them: torch's processes read the values of rank 0, or take them over."""
    return jax.tree.map(lambda x: jax.lax.all_gather(x, "data")[0], tree)


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


if __name__ == "__main__":
    find_hosts()
    world_size = int(sys.argv[1])
    key = jax.random.key(0)
    key, subkey = jax.random.split(key)
    main(jax.process_index(), world_size, 3, key=subkey)
