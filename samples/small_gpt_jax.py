"""Train a small GPT on a character sequence and sample from it."""

import inspect
import math
from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax

TEXT = "the quick brown fox jumps over the lazy dog. pack my box with five dozen liquor jugs. " * 8


class CausalSelfAttention(eqx.Module):
    num_heads: int
    head_dim: int
    qkv: eqx.nn.Linear
    proj: eqx.nn.Linear
    attn_drop: eqx.nn.Dropout
    resid_drop: eqx.nn.Dropout
    causal: np.ndarray

    def __init__(self, dim: int, num_heads: int, block_size: int, dropout: float, *, key):
        qkv_key, proj_key = jax.random.split(key)
        assert dim % num_heads == 0
        self.num_heads = num_heads
        self.head_dim = dim // num_heads
        self.qkv = eqx.nn.Linear(dim, 3 * dim, use_bias=False, key=qkv_key)
        self.proj = eqx.nn.Linear(dim, dim, key=proj_key)
        self.attn_drop = eqx.nn.Dropout(dropout)
        self.resid_drop = eqx.nn.Dropout(dropout)
        self.causal = np.asarray(jnp.triu(jnp.ones((block_size, block_size), dtype=bool), k=1))

    def __call__(self, x, *, key=None):
        attn_drop_key, resid_drop_key = split_key(key, 2)
        b, t, c = x.shape
        qkv = batched(self.qkv)(x).reshape(b, t, 3, self.num_heads, self.head_dim)
        q, k, v = qkv.transpose(2, 0, 3, 1, 4)  # each (b, heads, t, head_dim)

        scores = q @ k.swapaxes(-2, -1) / math.sqrt(self.head_dim)
        scores = jnp.where(self.causal[:t, :t], float("-inf"), scores)
        weights = self.attn_drop(jax.nn.softmax(scores, axis=-1), key=attn_drop_key)
        out = (weights @ v).swapaxes(1, 2).reshape(b, t, c)
        return self.resid_drop(batched(self.proj)(out), key=resid_drop_key)


class Block(eqx.Module):
    ln1: eqx.nn.LayerNorm
    attn: CausalSelfAttention
    ln2: eqx.nn.LayerNorm
    mlp: eqx.nn.Sequential

    def __init__(self, dim, num_heads, block_size, dropout, *, key):
        attn_key, mlp_key, mlp_key_1 = jax.random.split(key, 3)
        self.ln1 = eqx.nn.LayerNorm(dim)
        self.attn = CausalSelfAttention(dim, num_heads, block_size, dropout, key=attn_key)
        self.ln2 = eqx.nn.LayerNorm(dim)
        self.mlp = eqx.nn.Sequential([
            eqx.nn.Linear(dim, 4 * dim, key=mlp_key),
            eqx.nn.Lambda(jax.nn.gelu),
            eqx.nn.Linear(4 * dim, dim, key=mlp_key_1),
            eqx.nn.Dropout(dropout),
        ])

    def __call__(self, x, *, key=None):
        attn_key, mlp_key = split_key(key, 2)
        x = x + self.attn(batched(self.ln1)(x), key=attn_key)
        return x + batched(self.mlp)(batched(self.ln2)(x), key=mlp_key)


class SmallGPT(eqx.Module):
    block_size: int
    token_embedding: eqx.nn.Embedding
    position_embedding: eqx.nn.Embedding
    drop: eqx.nn.Dropout
    blocks: eqx.nn.Sequential
    ln_f: eqx.nn.LayerNorm
    head: eqx.nn.Linear

    def __init__(self, vocab_size, block_size=16, dim=32, num_heads=4, num_layers=2, dropout=0.1, *, key):
        token_embedding_key, position_embedding_key, blocks_key, head_key, apply_key = jax.random.split(key, 5)
        self.block_size = block_size
        self.token_embedding = eqx.nn.Embedding(vocab_size, dim, key=token_embedding_key)
        self.position_embedding = eqx.nn.Embedding(block_size, dim, key=position_embedding_key)
        self.drop = eqx.nn.Dropout(dropout)
        self.blocks = eqx.nn.Sequential([Block(dim, num_heads, block_size, dropout, key=subkey) for subkey in jax.random.split(blocks_key, num_layers)])
        self.ln_f = eqx.nn.LayerNorm(dim)
        self.head = eqx.nn.Linear(dim, vocab_size, use_bias=False, key=head_key)
        apply_init(self, self._init_weights, key=apply_key)
        self.head = eqx.tree_at(lambda m: m.weight, self.head, None)  # tied weights: see `__call__`

    def _init_weights(self, module, *, key):
        if isinstance(module, (eqx.nn.Linear, eqx.nn.Embedding)):
            module = eqx.tree_at(lambda m: m.weight, module, 0.02 * jax.random.normal(key, module.weight.shape, module.weight.dtype))
        if isinstance(module, eqx.nn.Linear) and module.bias is not None:
            module = eqx.tree_at(lambda m: m.bias, module, jnp.zeros_like(module.bias))
        return module

    def __call__(self, idx, targets=None, *, key=None):
        head = eqx.tree_at(lambda m: m.weight, self.head, self.token_embedding.weight, is_leaf=lambda x: x is None)
        drop_key, blocks_key = split_key(key, 2)
        b, t = idx.shape
        positions = jnp.arange(t)
        x = self.drop(batched(self.token_embedding)(idx) + jax.vmap(self.position_embedding)(positions), key=drop_key)
        x = batched(self.blocks)(x, key=blocks_key)
        logits = batched(head)(batched(self.ln_f)(x))
        if targets is None:
            return logits, None
        loss = cross_entropy(flatten(logits, end_dim=1), targets.reshape(-1))
        return logits, loss

    def generate(self, idx, max_new_tokens, temperature=1.0, top_k=None, *, key):
        for _ in range(max_new_tokens):
            key, subkey = jax.random.split(key)
            logits, _ = self(idx[:, -self.block_size :], key=subkey)
            logits = logits[:, -1] / temperature
            if top_k is not None:
                kth = topk(logits, min(top_k, logits.shape[-1])).values[:, -1:]
                logits = jnp.where(logits < kth, -float("inf"), logits)
            key, subkey = jax.random.split(key)
            next_idx = jax.random.categorical(subkey, jnp.log(jax.nn.softmax(logits, axis=-1)))[..., None]
            idx = jnp.concatenate([idx, next_idx], axis=1)
        return idx


def get_batch(data, block_size, batch_size, *, key):
    starts = jax.random.randint(key, (batch_size,), 0, len(data) - block_size).tolist()
    x = jnp.stack([data[i : i + block_size] for i in starts])
    y = jnp.stack([data[i + 1 : i + 1 + block_size] for i in starts])
    return x, y


@eqx.filter_jit
def train_step(optimizer, model, opt_state, x, y, max_norm, *, key):
    def loss_fn(model):
        _, loss = model(x, y, key=key)
        return loss

    loss, grads = eqx.filter_value_and_grad(loss_fn)(model)
    grads, _ = clip_grad_norm(grads, max_norm)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), opt_state, loss


def train(model, data, steps, batch_size=16, lr=3e-3, max_norm=1.0, *, key):
    """Returns the loss of every step."""
    optimizer = optax.adamw(lr, b1=0.9, b2=0.95, weight_decay=0.1)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    losses = []
    model = eqx.nn.inference_mode(model, value=False)
    for step in range(steps):
        key, subkey = jax.random.split(key)
        x, y = get_batch(data, model.block_size, batch_size, key=subkey)
        key, subkey = jax.random.split(key)
        model, opt_state, loss = train_step(optimizer, model, opt_state, x, y, max_norm, key=subkey)
        losses.append(loss.item())
        if step % 5 == 0:
            print(f"step {step}: loss {loss.item():.4f}")
    return model, losses


def main():
    key = jax.random.key(1337)
    chars = sorted(set(TEXT))
    stoi = {ch: i for i, ch in enumerate(chars)}
    data = jnp.array([stoi[ch] for ch in TEXT], dtype=int)

    key, subkey = jax.random.split(key)
    model = SmallGPT(len(chars), key=subkey)
    key, subkey = jax.random.split(key)
    model, losses = train(model, data, steps=20, key=subkey)

    model = eqx.nn.inference_mode(model)
    prompt = data[:4][None]
    key, subkey = jax.random.split(key)
    tokens = model.generate(prompt, max_new_tokens=12, temperature=0.8, top_k=5, key=subkey)
    print("sample:", repr("".join(chars[i] for i in tokens[0].tolist())))
    return losses


# --- torch2jax support -------------------------------------------------------------------------


def flatten(x, end_dim=-1):
    """torch.flatten: merge the axes from `start_dim` to `end_dim`."""
    if x.ndim == 0:
        return x.reshape(1)
    start, end = 0 % x.ndim, end_dim % x.ndim + 1
    return x.reshape(*x.shape[:start], math.prod(x.shape[start:end]), *x.shape[end:])


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
    main()
