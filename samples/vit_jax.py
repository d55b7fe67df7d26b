"""A small vision transformer that learns which colour dominates an image."""

import collections.abc
import inspect
import itertools
import math
from functools import partial
from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax


class PatchEmbedding(eqx.Module):
    """Split an image into patches and embed each of them."""

    num_patches: int
    proj: eqx.nn.Conv2d

    def __init__(self, img_size: int, patch_size: int, in_chans: int, embed_dim: int, *, key) -> None:
        self.num_patches = (img_size // patch_size) ** 2
        self.proj = eqx.nn.Conv2d(in_chans, embed_dim, patch_size, stride=patch_size, key=key)

    def __call__(self, x: jax.Array) -> jax.Array:
        return flatten(batched(self.proj)(x), start_dim=2).swapaxes(1, 2)  # (B, N, D)


class Attention(eqx.Module):
    num_heads: int
    dropout: float
    qkv: eqx.nn.Linear
    proj: eqx.nn.Linear
    inference: bool

    def __init__(self, dim: int, num_heads: int, dropout: float = 0.0, *, key) -> None:
        qkv_key, proj_key = jax.random.split(key)
        self.num_heads = num_heads
        self.dropout = dropout
        self.qkv = eqx.nn.Linear(dim, dim * 3, key=qkv_key)
        self.proj = eqx.nn.Linear(dim, dim, key=proj_key)
        self.inference = False

    def __call__(self, x: jax.Array, *, key=None) -> jax.Array:
        B, N, C = x.shape
        qkv = batched(self.qkv)(x).reshape(B, N, 3, self.num_heads, C // self.num_heads).transpose(2, 0, 3, 1, 4)
        q, k, v = qkv[0], qkv[1], qkv[2]
        x = scaled_dot_product_attention(q, k, v, dropout_p=self.dropout if not self.inference else 0.0, dropout_key=key)
        x = x.swapaxes(1, 2).reshape(B, N, C)
        return batched(self.proj)(x)


class MLP(eqx.Module):
    fc1: eqx.nn.Linear
    act: eqx.nn.Lambda
    fc2: eqx.nn.Linear
    drop: eqx.nn.Dropout

    def __init__(self, dim: int, hidden_dim: int, dropout: float, *, key) -> None:
        fc1_key, fc2_key = jax.random.split(key)
        self.fc1 = eqx.nn.Linear(dim, hidden_dim, key=fc1_key)
        self.act = eqx.nn.Lambda(partial(jax.nn.gelu, approximate=False))
        self.fc2 = eqx.nn.Linear(hidden_dim, dim, key=fc2_key)
        self.drop = eqx.nn.Dropout(dropout)

    def __call__(self, x: jax.Array, *, key=None) -> jax.Array:
        drop_key, drop_key_1 = split_key(key, 2)
        return self.drop(batched(self.fc2)(self.drop(self.act(batched(self.fc1)(x)), key=drop_key_1)), key=drop_key)


class Block(eqx.Module):
    norm1: eqx.nn.LayerNorm
    attn: Attention
    norm2: eqx.nn.LayerNorm
    mlp: MLP

    def __init__(self, dim: int, num_heads: int, mlp_ratio: float = 2.0, dropout: float = 0.0, *, key) -> None:
        attn_key, mlp_key = jax.random.split(key)
        self.norm1 = eqx.nn.LayerNorm(dim, eps=1e-6)
        self.attn = Attention(dim, num_heads, key=attn_key)
        self.norm2 = eqx.nn.LayerNorm(dim, eps=1e-6)
        self.mlp = MLP(dim, int(dim * mlp_ratio), dropout, key=mlp_key)

    def __call__(self, x: jax.Array, *, key=None) -> jax.Array:
        attn_key, mlp_key = split_key(key, 2)
        x = x + self.attn(batched(self.norm1)(x), key=attn_key)
        x = x + self.mlp(batched(self.norm2)(x), key=mlp_key)
        return x


class VisionTransformer(eqx.Module):
    patch_embed: PatchEmbedding
    cls_token: jax.Array
    pos_embed: jax.Array
    pos_drop: eqx.nn.Dropout
    blocks: list[Block]
    norm: eqx.nn.LayerNorm
    head: eqx.nn.Linear

    def __init__(
        self,
        img_size: int = 16,
        patch_size: int = 4,
        in_chans: int = 3,
        num_classes: int = 3,
        embed_dim: int = 32,
        depth: int = 2,
        num_heads: int = 4,
        dropout: float = 0.1,
        *,
        key,
    ) -> None:
        patch_embed_key, blocks_key, head_key, trunc_normal_key, trunc_normal_key_1, apply_key = jax.random.split(key, 6)
        self.patch_embed = PatchEmbedding(img_size, patch_size, in_chans, embed_dim, key=patch_embed_key)
        self.cls_token = jnp.zeros((1, 1, embed_dim))
        self.pos_embed = jnp.zeros((1, 1 + self.patch_embed.num_patches, embed_dim))
        self.pos_drop = eqx.nn.Dropout(dropout)
        self.blocks = [Block(embed_dim, num_heads, dropout=dropout, key=subkey) for subkey in jax.random.split(blocks_key, depth)]
        self.norm = eqx.nn.LayerNorm(embed_dim, eps=1e-6)
        self.head = eqx.nn.Linear(embed_dim, num_classes, key=head_key)

        self.pos_embed = trunc_normal(trunc_normal_key, self.pos_embed.shape, std=0.02)
        self.cls_token = trunc_normal(trunc_normal_key_1, self.cls_token.shape, std=0.02)
        apply_init(self, self._init_weights, key=apply_key)

    def _init_weights(self, m: eqx.Module, *, key) -> eqx.Module:
        if isinstance(m, eqx.nn.Linear):
            m = eqx.tree_at(lambda m: m.weight, m, trunc_normal(key, m.weight.shape, std=0.02))
            if m.bias is not None:
                m = eqx.tree_at(lambda m: m.bias, m, jnp.zeros_like(m.bias))
        elif isinstance(m, eqx.nn.LayerNorm):
            m = eqx.tree_at(lambda m: m.weight, m, jnp.ones_like(m.weight))
            m = eqx.tree_at(lambda m: m.bias, m, jnp.zeros_like(m.bias))
        return m

    def __call__(self, x: jax.Array, *, key=None) -> jax.Array:
        pos_drop_key, blocks_key = split_key(key, 2)
        x = self.patch_embed(x)
        cls_token = expand(self.cls_token, x.shape[0], -1, -1)
        x = jnp.concatenate((cls_token, x), axis=1)
        x = self.pos_drop(x + self.pos_embed, key=pos_drop_key)
        for block, subkey in zip(self.blocks, split_key(blocks_key, len(self.blocks))):
            x = block(x, key=subkey)
        x = batched(self.norm)(x)
        return batched(self.head)(x[:, 0])


def make_data(n: int, size: int = 16, *, key) -> tuple[jax.Array, jax.Array]:
    images_key, labels_key = jax.random.split(key)
    images = jax.random.uniform(images_key, (n, 3, size, size))
    labels = jax.random.randint(labels_key, (n,), 0, 3)
    images = images.at[jnp.arange(n), labels].set(images[jnp.arange(n), labels] + 0.2)
    mean = images.mean(axis=(0, 2, 3), keepdims=True)
    std = torch_std(images, dim=(0, 2, 3), keepdim=True)
    return (images - mean) / std, labels


@eqx.filter_jit
def train_step(optimizer, model, opt_state, criterion, images, labels, *, key):
    def loss_fn(model):
        return criterion(model(images, key=key), labels)

    loss, grads = eqx.filter_value_and_grad(loss_fn)(model)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), opt_state, loss


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


def train(model: eqx.Module, loader: DataLoader, epochs: int, lr: float, *, key) -> tuple[eqx.Module, list[float]]:
    criterion = partial(cross_entropy, label_smoothing=0.1)
    optimizer = optax.adamw(lr, b1=0.9, b2=0.99, weight_decay=0.05)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    losses = []
    for epoch in range(epochs):
        model = eqx.nn.inference_mode(model, value=False)
        for images, labels in loader:
            key, subkey = jax.random.split(key)
            model, opt_state, loss = train_step(optimizer, model, opt_state, criterion, images, labels, key=subkey)
            losses.append(loss.item())
    return model, losses


def main() -> list[float]:
    key = jax.random.key(5)
    seed_host_rng(5)
    key, subkey = jax.random.split(key)
    loader = DataLoader(ArrayDataset(*make_data(256, key=subkey)), batch_size=32, shuffle=True, drop_last=True)
    key, subkey = jax.random.split(key)
    model = VisionTransformer(key=subkey)
    key, subkey = jax.random.split(key)
    model, losses = train(model, loader, epochs=5, lr=4e-3, key=subkey)

    model = eqx.nn.inference_mode(model)
    key, subkey = jax.random.split(key)
    images, labels = make_data(64, key=subkey)
    key, subkey = jax.random.split(key)
    top2 = topk(model(images, key=subkey), 2, dim=1).indices
    hits = (top2 == labels[:, None]).any(axis=1).astype(jnp.float32).mean()
    print(f"top-2 accuracy: {hits.item():.3f}")
    return losses


# --- torch2jax support -------------------------------------------------------------------------


def attention_scores(query, key):
    """Scaled products of queries and keys; a boolean mask is True where a query may look, a float mask is added."""
    scores = query @ key.swapaxes(-1, -2) * (query.shape[-1] ** -0.5)
    return scores


def safe_softmax(scores):
    """The softmax over the last axis, with weights 0 for a query that may look at nothing."""
    blind = jnp.all(scores == -jnp.inf, axis=-1, keepdims=True)
    return jnp.where(blind, 0, jax.nn.softmax(jnp.where(blind, 0, scores), axis=-1))


def dropout_weights(weights, rate, key):
    """Dropout of attention weights; none without a rate."""
    if rate == 0:
        return weights
    return jnp.where(jax.random.bernoulli(key, 1 - rate, weights.shape), weights / (1 - rate), 0)


def scaled_dot_product_attention(query, key, value, dropout_p=0.0, *, dropout_key=None):
    """torch.nn.functional.scaled_dot_product_attention: 0 for a query that may look at nothing."""
    scores = attention_scores(query, key)
    return dropout_weights(safe_softmax(scores), dropout_p, dropout_key) @ value


def expand(x, *sizes):
    """torch.Tensor.expand: broadcast; -1 keeps the size of an axis."""
    sizes = sizes if len(sizes) != 1 or isinstance(sizes[0], int) else tuple(sizes[0])
    shape = (1,) * (len(sizes) - x.ndim) + x.shape
    return jnp.broadcast_to(x, tuple(old if new == -1 else new for old, new in zip(shape, sizes)))


def flatten(x, start_dim=0):
    """torch.flatten: merge the axes from `start_dim` to `end_dim`."""
    if x.ndim == 0:
        return x.reshape(1)
    start, end = start_dim % x.ndim, -1 % x.ndim + 1
    return x.reshape(*x.shape[:start], math.prod(x.shape[start:end]), *x.shape[end:])


def trunc_normal(key, shape, mean=0.0, std=1.0, a=-2.0, b=2.0, dtype=jnp.float32):
    """torch.nn.init.trunc_normal_: the bounds `a` and `b` are values, not standard deviations."""
    return mean + std * jax.random.truncated_normal(key, (a - mean) / std, (b - mean) / std, shape, dtype)


class LayerVisitor:
    """Replaces the layers of a model as torch's `module.apply(init)` does: children first, tied arrays stay tied."""

    def __init__(self, init, key):
        self.init, self.key, self.renewed = init, key, {}

    def visit(self, layer):
        """`init(layer)` or `init(layer, key=...)`, remembering which array replaced which.

        A layer whose weight is computed from other parameters has `plain` and `with_plain`: `init` is given the plain one."""
        if hasattr(layer, "with_plain"):
            return layer.with_plain(self.visit(layer.plain()))
        kwargs = {}
        if self.key is not None and "key" in inspect.signature(self.init).parameters:
            self.key, kwargs["key"] = jax.random.split(self.key)
        new = self.init(layer, **kwargs)
        if new is None:
            return layer  # the function only looks at it
        old_arrays, new_arrays = (jax.tree.leaves(eqx.filter(x, eqx.is_array)) for x in (layer, new))
        for before, after in zip(old_arrays, new_arrays):
            if before is not after:
                self.renewed[id(before)] = before, after
        return new

    def visit_children(self, tree):
        """`tree` with every layer below it visited."""
        if hasattr(tree, "with_plain"):
            return tree
        is_layer = lambda x: isinstance(x, eqx.Module) and not isinstance(x, eqx.nn.StateIndex) and x is not tree
        visit = lambda x: self.visit(self.visit_children(x)) if is_layer(x) else self.latest(x)
        return jax.tree.map(visit, tree, is_leaf=is_layer)

    def latest(self, leaf):
        """The array that replaced `leaf`, or `leaf`."""
        while id(leaf) in self.renewed:
            leaf = self.renewed[id(leaf)][1]
        return leaf


def apply_init(module, init, *, key=None):
    """torch's `self.apply(init)` inside `__init__`: replace each layer below `module` by `init(layer[, key=...])`."""
    visitor = LayerVisitor(init, key)
    for name, value in list(vars(module).items()):
        setattr(module, name, visitor.visit_children([value])[0])
    for name, value in vars(visitor.visit(module)).items():
        setattr(module, name, jax.tree.map(visitor.latest, value))


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


class ValuesIndices(NamedTuple):
    """What torch's max, min, median, mode, sort, topk, ... along an axis return."""

    values: Any
    indices: Any


def topk(x, k, dim=-1):
    """torch.topk along any axis: the `k` largest (or smallest) entries in order, and their indices."""
    if x.ndim == 0:
        return ValuesIndices(x, jnp.zeros((), int))
    rows = jnp.moveaxis(x, dim, -1)
    indices = jnp.moveaxis(jax.lax.top_k(rows, k)[1], -1, dim).astype(int)
    return ValuesIndices(jnp.take_along_axis(x, indices, axis=dim), indices)


def safe_sqrt(x):
    """Square root whose gradient at 0 is 0, as in torch's norm, std and cdist."""
    return jnp.where(x == 0, 0, jnp.sqrt(jnp.where(x == 0, 1, x)))


def torch_std(x, dim=None, keepdim=False):
    """torch.std: divides by N - correction; gradient 0 where all entries are equal."""
    axis = None if x.ndim == 0 else tuple(dim) if isinstance(dim, list) else dim
    return safe_sqrt(jnp.var(x, axis=axis, ddof=1, keepdims=keepdim))


def reduce_loss(loss, reduction):
    """torch's `reduction`: "none", "mean" over all elements, or "sum"."""
    if reduction == "none":
        return loss
    return loss.sum() if reduction == "sum" else loss.mean()


def target_weights(targets, weight, ignore_index):
    """The class weight of every target; 0 where it is ignored."""
    keep = targets != ignore_index
    return jnp.where(keep, jnp.take(weight, jnp.where(keep, targets, 0)), 0)


def nll_loss(log_probs, targets, weight=None, ignore_index=-100, reduction="mean"):
    """torch.nn.functional.nll_loss: classes on axis 1; the mean divides by the weights of the targets that count."""
    log_probs = jnp.moveaxis(log_probs, min(1, log_probs.ndim - 1), -1)
    keep = targets != ignore_index
    picked = jnp.take_along_axis(log_probs, jnp.where(keep, targets, 0)[..., None], axis=-1)[..., 0]
    if weight is None:
        loss, count = jnp.where(keep, -picked, 0), keep.sum(dtype=log_probs.dtype)
    else:
        weights = target_weights(targets, weight, ignore_index)
        loss, count = jnp.where(keep, -picked * weights, 0), weights.sum()
    return loss.sum() / count if reduction == "mean" else reduce_loss(loss, reduction)


def cross_entropy(logits, targets, weight=None, ignore_index=-100, label_smoothing=0.0, reduction="mean"):
    """torch.nn.functional.cross_entropy: classes on axis 1; `targets` are class indices or class probabilities."""
    axis = min(1, logits.ndim - 1)
    log_probs = jax.nn.log_softmax(logits, axis=axis)
    classes = logits.shape[axis]
    weighted = log_probs if weight is None else log_probs * weight.reshape((-1,) + (1,) * (logits.ndim - axis - 1))
    if jnp.issubdtype(targets.dtype, jnp.floating):
        if label_smoothing:
            targets = targets * (1 - label_smoothing) + label_smoothing / classes
        return reduce_loss(-(weighted * targets).sum(axis), reduction)
    if label_smoothing:
        loss = nll_loss(log_probs, targets, weight, ignore_index, reduction)
        smooth = jnp.where(targets != ignore_index, -weighted.sum(axis), 0)
        if reduction == "mean":
            count = (targets != ignore_index).sum(dtype=smooth.dtype)
            total = count if weight is None else target_weights(targets, weight, ignore_index).sum()
            smooth = smooth.sum() / total
        else:
            smooth = reduce_loss(smooth, reduction)
        return (1 - label_smoothing) * loss + label_smoothing / classes * smooth
    return nll_loss(log_probs, targets, weight, ignore_index, reduction)


def seed_host_rng(seed):
    """torch.manual_seed, for what loaders, samplers and transforms draw."""
    host_rng.bit_generator.state = np.random.default_rng(seed % 2**64).bit_generator.state


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


if __name__ == "__main__":
    main()
