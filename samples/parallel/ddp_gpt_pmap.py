"""Train a small GPT on several devices, with gradients of several batches: `torchrun --nproc-per-node=8 ddp_gpt.py`."""

import dataclasses
import functools
import inspect
import itertools
import math
import os
from contextlib import nullcontext
from functools import partial
from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax.sharding import Mesh, NamedSharding, PartitionSpec

block_size, batch_size, vocab_size = 8, 2, 16
gradient_accumulation_steps = 2
max_iters, warmup_iters, learning_rate, min_lr, grad_clip = 6, 2, 1e-2, 1e-3, 1.0


class Block(eqx.Module):
    heads: int
    ln_1: eqx.nn.LayerNorm
    ln_2: eqx.nn.LayerNorm
    c_attn: eqx.nn.Linear
    c_proj: eqx.nn.Linear
    mlp: eqx.nn.Sequential

    def __init__(self, dim: int, heads: int, *, key):
        c_attn_key, c_proj_key, mlp_key, mlp_key_1 = jax.random.split(key, 4)
        self.heads = heads
        self.ln_1, self.ln_2 = eqx.nn.LayerNorm(dim), eqx.nn.LayerNorm(dim)
        self.c_attn = eqx.nn.Linear(dim, 3 * dim, key=c_attn_key)
        self.c_proj = eqx.nn.Linear(dim, dim, key=c_proj_key)
        self.mlp = eqx.nn.Sequential([eqx.nn.Linear(dim, 4 * dim, key=mlp_key), eqx.nn.Lambda(partial(jax.nn.gelu, approximate=False)), eqx.nn.Linear(4 * dim, dim, key=mlp_key_1)])

    def __call__(self, x):
        b, t, c = x.shape
        q, k, v = (part.reshape(b, t, self.heads, -1).swapaxes(1, 2) for part in split(batched(self.c_attn)(batched(self.ln_1)(x)), c, dim=2))
        y = scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + batched(self.c_proj)(y.swapaxes(1, 2).reshape(b, t, c))
        return x + batched(self.mlp)(batched(self.ln_2)(x))


class GPT(eqx.Module):
    wte: eqx.nn.Embedding
    wpe: eqx.nn.Embedding
    blocks: list[Block]
    ln_f: eqx.nn.LayerNorm
    lm_head: eqx.nn.Linear

    def __init__(self, dim: int = 16, heads: int = 2, layers: int = 2, *, key):
        wte_key, wpe_key, blocks_key, lm_head_key = jax.random.split(key, 4)
        self.wte = eqx.nn.Embedding(vocab_size, dim, key=wte_key)
        self.wpe = eqx.nn.Embedding(block_size, dim, key=wpe_key)
        self.blocks = [Block(dim, heads, key=subkey) for subkey in jax.random.split(blocks_key, layers)]
        self.ln_f = eqx.nn.LayerNorm(dim)
        self.lm_head = eqx.nn.Linear(dim, vocab_size, use_bias=False, key=lm_head_key)

    def __call__(self, idx, targets):
        x = batched(self.wte)(idx) + jax.vmap(self.wpe)(jnp.arange(idx.shape[1]))
        for block in self.blocks:
            x = block(x)
        logits = batched(self.lm_head)(batched(self.ln_f)(x))
        return logits, cross_entropy(logits.reshape(-1, vocab_size), targets.reshape(-1))


def init_weights(model):
    def update(p, number):
        return jnp.broadcast_to(0.2 * jnp.sin(1.7 * jnp.arange(p.size, dtype=jnp.float32) + number).reshape(p.shape), p.shape).astype(p.dtype)

    model = map_parameters(update, model, itertools.count())
    return model


def get_lr(it):
    if it < warmup_iters:
        return learning_rate * (it + 1) / (warmup_iters + 1)
    ratio = (it - warmup_iters) / (max_iters - warmup_iters)
    return min_lr + 0.5 * (1.0 + math.cos(math.pi * ratio)) * (learning_rate - min_lr)


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
def compute_gradients(model, batch):
    def loss_fn(model):
        logits, loss = model(batch[:, :-1], batch[:, 1:])
        return loss / gradient_accumulation_steps, loss

    (_, loss), grads = eqx.filter_value_and_grad(loss_fn, has_aux=True)(model)
    grads = jax.lax.pmean(grads, "data")
    loss = first(loss)
    return loss, grads


@eqx.filter_jit
def apply_gradients(optimizer, model, opt_state, grads):
    if grads is None:
        return model, opt_state
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), opt_state


def main(*, key):
    init_process_group()
    ddp_rank = jax.process_index()
    ddp_world_size = jax.device_count()
    master_process = ddp_rank == 0
    if master_process:
        print(f"tokens per iteration: {gradient_accumulation_steps * ddp_world_size * batch_size * block_size}")

    tokens = jnp.arange(4096) ** 2 % 13 + jnp.arange(4096) % 3
    sequences = tokens[: 4096 - 4096 % (block_size + 1)].reshape(-1, block_size + 1)
    model = GPT(key=key)
    model = init_weights(model)
    decay = [p for p in parameters(model) if p.ndim >= 2]
    no_decay = [p for p in parameters(model) if p.ndim < 2]
    optimizer = with_param_groups(
        lambda lr, weight_decay: optax.adamw(lr, b1=0.9, b2=0.95, weight_decay=weight_decay),
        model,
        [{"params": decay, "weight_decay": 0.1}, {"params": no_decay, "weight_decay": 0.0}],
        lr=learning_rate,
        weight_decay=0.01,
    )
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))

    number = 0
    grads = None
    for it in range(max_iters):
        lr = get_lr(it)
        for group in opt_state.param_groups:
            group["lr"] = jnp.asarray(lr)
        for micro_step in range(gradient_accumulation_steps):
            batch = shard([sequences[(number * ddp_world_size + ddp_rank) * batch_size : (number * ddp_world_size + ddp_rank) * batch_size + batch_size] for ddp_rank in device_ranks()])
            number += 1
            last = micro_step == gradient_accumulation_steps - 1
            with nullcontext() if last else nullcontext():
                loss, new_grads = compute_gradients(model, batch)
                grads = add_gradients(grads, new_grads)
        grads, _ = clip_grad_norm(grads, grad_clip)
        model, opt_state = apply_gradients(optimizer, model, opt_state, grads)
        grads = None
        if master_process:
            print(f"iter {it}: loss {loss.item():.4f}, lr {lr:.5f}")
    if master_process:
        print({name: round(absolute(p).sum().item(), 3) for name, p in named_parameters(model) if "ln_f" in name})


# --- torch2jax support -------------------------------------------------------------------------


def attention_scores(query, key, attn_mask=None, is_causal=False):
    """Scaled products of queries and keys; a boolean mask is True where a query may look, a float mask is added."""
    scores = query @ key.swapaxes(-1, -2) * (query.shape[-1] ** -0.5)
    if is_causal:
        attn_mask = jnp.tril(jnp.ones(scores.shape[-2:], bool))
    if attn_mask is not None:
        scores = jnp.where(attn_mask, scores, -jnp.inf) if attn_mask.dtype == bool else scores + attn_mask
    return scores


def safe_softmax(scores):
    """The softmax over the last axis, with weights 0 for a query that may look at nothing."""
    blind = jnp.all(scores == -jnp.inf, axis=-1, keepdims=True)
    return jnp.where(blind, 0, jax.nn.softmax(jnp.where(blind, 0, scores), axis=-1))


def dropout_weights(weights):
    """Dropout of attention weights; none without a rate."""
    return weights


def scaled_dot_product_attention(query, key, value, is_causal=False):
    """torch.nn.functional.scaled_dot_product_attention: 0 for a query that may look at nothing."""
    scores = attention_scores(query, key, None, is_causal)
    return dropout_weights(safe_softmax(scores)) @ value


def is_buffer(module, name):
    """Whether a field of a module is not trained: of all modules of its class, or of those that say so in `buffer_names`."""
    marks = type(module).__dataclass_fields__[name].metadata
    return marks.get("buffer") or name in getattr(module, "buffer_names", ())


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


def named_parameters(model, recurse=True):
    """torch's named_parameters: `(name, array)` of the trainable arrays, in torch's shapes, tied ones once."""
    listed = [entry for entry in torch_entries(model) if entry.is_parameter and (recurse or "." not in entry.name)]
    entries = {id(entry.value): entry for entry in reversed(listed)}
    return [(entry.name, torch_view(entry.value, entry.shape)) for entry in reversed(entries.values())]


def torch_view(array, shape):
    """A parameter in torch's shape: one object, whenever it is asked for, since programs compare parameters by what they are."""
    if array.shape == shape:
        return array
    if isinstance(array, jax.core.Tracer):
        return array.reshape(shape)
    if not hasattr(array, "torch_view"):
        array.torch_view = array.reshape(shape)
    return array.torch_view


def parameters(model, recurse=True):
    """torch's parameters: the trainable arrays, tied ones once."""
    return [value for _, value in named_parameters(model, recurse)]


def split(x, split_size, dim=0):
    """torch.split: pieces of the given length, or of the given list of lengths."""
    if isinstance(split_size, int):
        cuts = list(range(split_size, x.shape[dim], split_size))
    else:
        cuts = [sum(split_size[: i + 1]) for i in range(len(split_size) - 1)]
    return tuple(jnp.split(x, cuts, axis=dim))


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


def by_device(x):
    """A batch with one more axis in front: its rows on each device of this host."""
    if jax.process_count() == 1:
        return x.reshape(jax.device_count(), -1, *x.shape[1:])
    parts = sorted(x.addressable_shards, key=lambda part: part.index[0].start)
    return np.stack([np.asarray(part.data) for part in parts])


class GroupsState(NamedTuple):
    """The state of an optimizer over groups: what its `param_groups` say, and the state of the update of each."""

    param_groups: list
    inner: list[Any]


@dataclasses.dataclass(frozen=True)
class Member:
    """A parameter of a group: torch's shape, and where the model keeps it."""

    shape: tuple
    dtype: Any
    path: str

    @property
    def size(self):
        return math.prod(self.shape)

    @property
    def ndim(self):
        return len(self.shape)


def with_param_groups(make, model, groups, **options):
    """torch.optim over some of the parameters of a model, or over groups of them with options of their own.

    `make` is given the options of a group and gives its optimizer; `options` are those of groups that say nothing. All else is
    left as it is. Options that may change are numbers in the state, `opt_state.param_groups[0]["lr"]`, and `"params"` there
    says the shapes and types of the parameters."""
    return updates_of_groups(make, *kept_groups(make, model, groups, options))


def kept_groups(make, model, groups, options):
    """The options that groups have, the number of the group of each parameter, and what gives the groups at first."""
    own, options = groups_with_options(make, groups, options)
    return kept_with_data(own, options, member_paths(model, [group["params"] for group in own]))


def updates_of_groups(make, options, number_of, groups):
    """An optimizer over groups, for parameters by their paths; those in no group stay as they are. `groups` gives what
    the groups say at first."""

    def flatten(tree):
        return jax.tree_util.tree_flatten_with_path(tree, is_leaf=lambda x: x is None)

    def by_path(tree):
        return {jax.tree_util.keystr(path): leaf for path, leaf in flatten(tree)[0]}

    def split(tree, count):
        leaves = by_path(tree)
        return [{path: leaves.get(path) for path, n in number_of.items() if n == i} for i in range(count)]

    def optimizers(param_groups):
        return [make(**{name: group[name] for name in options}) for group in param_groups]

    def init(params):
        full = groups()
        return GroupsState(full, [made.init(part) for made, part in zip(optimizers(full), split(params, len(full)))])

    def update(grads, state, params):
        count = len(state.param_groups)
        parts = zip(optimizers(state.param_groups), split(grads, count), state.inner, split(params, count))
        results = [made.update(grad, inner, part) for made, grad, inner, part in parts]
        steps = {path: step for result, _ in results for path, step in result.items()}
        parameters = by_path(params)
        zero = lambda leaf: None if leaf is None else jnp.zeros_like(leaf)
        still = lambda path, leaf: zero(parameters.get(path) if leaf is None else leaf)
        updates = [steps.get(path, still(path, leaf)) for path, leaf in by_path(grads).items()]
        return flatten(grads)[1].unflatten(updates), GroupsState(state.param_groups, [inner for _, inner in results])

    return optax.GradientTransformation(init, update)


def groups_with_options(make, groups, options):
    """The groups as dicts that hold lists of parameters, and the options of those that say nothing."""
    groups = list(groups)
    groups = groups if groups and isinstance(groups[0], dict) else [{"params": groups}]
    known = {name: item.default for name, item in inspect.signature(make).parameters.items() if name != "params"}
    options = {**{name: value for name, value in known.items() if value is not inspect.Parameter.empty}, **options}
    refused = {"betas", "eps", "momentum", "alpha", "amsgrad", "centered", "dampening", "maximize", "nesterov", "rho"}
    if unknown := refused & {name for group in groups for name in group} - options.keys():
        raise ValueError(f"groups of parameters with their own {', '.join(sorted(unknown))} are not translated")
    return [{**group, "params": members_of(group["params"])} for group in groups], options


def with_members(groups, paths):
    """Groups that say what does not change of their parameters."""
    member = lambda p: Member(tuple(p.shape), p.dtype, paths[id(p)])
    return [{**group, "params": [member(p) for p in group["params"]]} for group in groups]


def members_of(given):
    """The parameters of a group, which is given one, several, or pairs of names and parameters."""
    items = [given] if hasattr(given, "shape") else given
    return [item[1] if isinstance(item, tuple) else item for item in items]


def check_apart(groups):
    """Refuse groups that share parameters, as torch does, or have one twice, which torch warns of and updates twice in each
    step; what is left are the ids of all parameters."""
    number_of = {}
    for number, group in enumerate(groups):
        for parameter in group:
            if number_of.get(id(parameter), number) != number:
                raise ValueError("some parameters appear in more than one parameter group")
            if id(parameter) in number_of:
                raise ValueError("a parameter group has a parameter twice: list it once")
            number_of[id(parameter)] = number
    return set(number_of)


def member_paths(model, groups):
    """The paths at which a model keeps the parameters of groups, by their ids."""
    wanted, paths = check_apart(groups), {}
    for path, leaf in jax.tree_util.tree_flatten_with_path(model)[0]:
        for parameter in (leaf, getattr(leaf, "torch_view", None)):
            if id(parameter) in wanted:
                paths[id(parameter)] = jax.tree_util.keystr(path)
    if wanted - paths.keys():
        raise ValueError("the groups hold parameters that the model does not have")
    return paths


def may_change(name):
    """Whether an option of a group is a number that may change while the program trains."""
    return name in ("lr", "momentum", "weight_decay") or "count" in name


@jax.tree_util.register_pytree_with_keys_class
class ParamGroup(dict):
    """What a group of parameters says: numbers that may change, and arrays, are data, whatever else it has is static."""

    changes = staticmethod(may_change)
    data = ()  # of what a transformation gives: what is data there, also where something else stands for it

    def tree_flatten_with_keys(self):
        is_data = lambda name, value: name in self.data or self.changes(name) or holds_array(value)
        data = [name for name, value in self.items() if is_data(name, value)]
        fixed = tuple((name, value) for name, value in self.items() if name not in data)
        return [(jax.tree_util.DictKey(name), self[name]) for name in data], (tuple(self), tuple(data), fixed)

    @classmethod
    def tree_unflatten(cls, static, children):
        names, data, fixed = static
        held = {**dict(zip(data, children)), **dict(fixed)}
        group = cls({name: held[name] for name in names})
        group.data = data
        return group


def holds_array(value):
    """Whether an option is an array, or several."""
    return any(isinstance(leaf, jax.Array) for leaf in jax.tree.leaves(value))


def kept_with_data(groups, options, paths):
    """The options that groups have, the number of the group of each parameter by its path, and what gives the groups at first."""
    number = lambda name, value: jnp.asarray(value) if "count" in name else jnp.asarray(value, float)
    fixed = lambda value: tuple(value) if isinstance(value, list) else value
    change = lambda name, value: number(name, value) if may_change(name) else fixed(value)
    full = [{**options, **group} for group in with_members(groups, paths)]
    kept = lambda: [ParamGroup({name: change(name, value) for name, value in group.items()}) for group in full]
    number_of = {paths[id(p)]: number for number, group in enumerate(groups) for p in group["params"]}
    return options, {path: number for path, number in number_of.items() if path is not None}, kept


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


@jax.jit
def add_gradients(grads, new):
    """What `backward()` leaves with the parameters: the sum of the gradients, or the new ones where there were none."""
    add = lambda old, new: new if old is None else old if new is None else old + new
    return jax.tree.map(add, grads, new, is_leaf=lambda grad: grad is None)


def gradient_norm(grads, norm_type=2.0):
    """torch.nn.utils.get_total_norm: the p-norm of all gradients together."""
    leaves = jax.tree.leaves(grads)
    if norm_type == 2:
        return jnp.sqrt(sum(jnp.sum(jnp.abs(g) ** 2) for g in leaves))
    if norm_type == jnp.inf:
        return jnp.stack([jnp.max(jnp.abs(g)) for g in leaves]).max()
    return sum(jnp.sum(jnp.abs(g) ** norm_type) for g in leaves) ** (1 / norm_type)


def clip_grad_norm(grads, max_norm, norm_type=2.0):
    """torch.nn.utils.clip_grad_norm_: the scaled gradients, and their norm before."""
    total_norm = gradient_norm(grads, norm_type)
    scale = jnp.minimum(max_norm / (total_norm + 1e-6), 1.0)
    return jax.tree.map(lambda g: g * scale.astype(g.dtype), grads), total_norm


if __name__ == "__main__":
    find_hosts()
    key = jax.random.key(0)
    key, subkey = jax.random.split(key)
    main(key=subkey)
