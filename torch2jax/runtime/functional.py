"""Functions of torch and torch.nn.functional that take a line or two of JAX, for calls whose arguments are known at run time."""

import jax
import jax.numpy as jnp


def linear(x, weight, bias=None):
    """torch.nn.functional.linear: `weight` is (out, in)."""
    y = x @ weight.T
    return y if bias is None else y + bias


def embedding(indices, weight, padding_idx=None):
    """torch.nn.functional.embedding: the row `padding_idx` gets no gradient."""
    if padding_idx is not None:
        weight = weight.at[padding_idx].set(jax.lax.stop_gradient(weight[padding_idx]))
    return weight[indices]


def one_hot(indices, num_classes=-1):
    """torch.nn.functional.one_hot: integers; as many classes as the largest index asks for by default."""
    return jax.nn.one_hot(indices, int(indices.max()) + 1 if num_classes == -1 else num_classes, dtype=int)


def pad_sequence(sequences, batch_first=False, padding_value=0.0, padding_side="right"):
    """torch.nn.utils.rnn.pad_sequence: arrays of different lengths, padded and stacked."""
    length = max(len(x) for x in sequences)

    def padded(x):
        missing = length - len(x)
        ends = (missing, 0) if padding_side == "left" else (0, missing)
        return jnp.pad(x, [ends] + [(0, 0)] * (x.ndim - 1), constant_values=padding_value)

    return jnp.stack([padded(x) for x in sequences], axis=0 if batch_first else 1)


def diag_embed(x, offset=0, dim1=-2, dim2=-1):
    """torch.diag_embed: the last axis on a diagonal of new matrices."""
    length = x.shape[-1] + abs(offset)
    position = jnp.arange(x.shape[-1])
    rows, columns = position + max(-offset, 0), position + max(offset, 0)
    matrices = jnp.zeros((*x.shape[:-1], length, length), x.dtype).at[..., rows, columns].set(x)
    return jnp.moveaxis(matrices, (-2, -1), (dim1, dim2))


def logdet(x):
    """torch.logdet: NaN for a negative determinant."""
    sign, value = jnp.linalg.slogdet(x)
    return jnp.where(sign < 0, jnp.nan, value)


def solve(a, b):
    """torch.linalg.solve: `b` is a batch of vectors if its shape is that of `a` without the last axis."""
    if b.ndim == 1 or (b.ndim == a.ndim - 1 and b.shape == a.shape[:-1]):
        return jnp.linalg.solve(a, b[..., None])[..., 0]
    return jnp.linalg.solve(a, b)
