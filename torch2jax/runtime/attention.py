"""Attention layers and functions of torch, in torch's layout and with torch's masks."""

import math

import equinox as eqx
import jax
import jax.numpy as jnp


def attention_scores(query, key, attn_mask=None, is_causal=False, scale=None):
    """Scaled products of queries and keys; a boolean mask is True where a query may look, a float mask is added."""
    scores = query @ key.swapaxes(-1, -2) * (query.shape[-1] ** -0.5 if scale is None else scale)
    if is_causal:
        attn_mask = jnp.tril(jnp.ones(scores.shape[-2:], bool))
    if attn_mask is not None:
        scores = jnp.where(attn_mask, scores, -jnp.inf) if attn_mask.dtype == bool else scores + attn_mask
    return scores


def subsequent_mask(size):
    """torch.nn.Transformer.generate_square_subsequent_mask: 0 where a query may look, -inf further on."""
    return jnp.triu(jnp.full((size, size), -jnp.inf), k=1)


def safe_softmax(scores):
    """The softmax over the last axis, with weights 0 for a query that may look at nothing."""
    blind = jnp.all(scores == -jnp.inf, axis=-1, keepdims=True)
    return jnp.where(blind, 0, jax.nn.softmax(jnp.where(blind, 0, scores), axis=-1))


def dropout_weights(weights, rate, key):
    """Dropout of attention weights; none without a rate."""
    if rate == 0:
        return weights
    return jnp.where(jax.random.bernoulli(key, 1 - rate, weights.shape), weights / (1 - rate), 0)


def scaled_dot_product_attention(
    query,
    key,
    value,
    attn_mask=None,
    dropout_p=0.0,
    is_causal=False,
    scale=None,
    enable_gqa=False,
    *,
    dropout_key=None,
):
    """torch.nn.functional.scaled_dot_product_attention: 0 for a query that may look at nothing."""
    if enable_gqa:
        key = jnp.repeat(key, query.shape[-3] // key.shape[-3], axis=-3)
        value = jnp.repeat(value, query.shape[-3] // value.shape[-3], axis=-3)
    scores = attention_scores(query, key, attn_mask, is_causal, scale)
    return dropout_weights(safe_softmax(scores), dropout_p, dropout_key) @ value


def attention_heads(x, num_heads):
    """(length, batch, width) as (batch, heads, length, width of a head)."""
    return x.reshape(*x.shape[:2], num_heads, -1).transpose(1, 2, 0, 3)


def longer_sequence(x, extra):
    """`x`, (length, batch, width), with one more entry that all batches share."""
    return jnp.concatenate([x, jnp.broadcast_to(extra, (1, *x.shape[1:]))])


def multi_head_attention_forward(
    query,
    key,
    value,
    embed_dim_to_check,
    num_heads,
    in_proj_weight,
    in_proj_bias,
    bias_k,
    bias_v,
    add_zero_attn,
    dropout_p,
    out_proj_weight,
    out_proj_bias,
    training=True,
    key_padding_mask=None,
    need_weights=True,
    attn_mask=None,
    use_separate_proj_weight=False,
    q_proj_weight=None,
    k_proj_weight=None,
    v_proj_weight=None,
    static_k=None,
    static_v=None,
    average_attn_weights=True,
    is_causal=False,
    *,
    dropout_key=None,
):
    """torch.nn.functional.multi_head_attention_forward: inputs are (length, batch, width) or without a batch.

    The output, and the weights (None unless need_weights); boolean masks are True where ignored. As in torch,
    `is_causal` only says that the mask, which must be there, is the causal one.
    """
    if is_causal and attn_mask is None:
        raise ValueError("is_causal is a hint about attn_mask: give the mask")
    batched_input = query.ndim == 3
    if not batched_input:
        query, key, value = query[:, None], key[:, None], value[:, None]
        key_padding_mask = None if key_padding_mask is None else key_padding_mask[None]
    separate = (q_proj_weight, k_proj_weight, v_proj_weight)
    in_proj = separate if in_proj_weight is None or use_separate_proj_weight else jnp.split(in_proj_weight, 3)
    biases = (0.0,) * 3 if in_proj_bias is None else jnp.split(in_proj_bias, 3)
    q, k, v = (x @ weight.T + bias for x, weight, bias in zip((query, key, value), in_proj, biases))
    k, v = (k, v) if bias_k is None else (longer_sequence(k, bias_k), longer_sequence(v, bias_v))
    q, k, v = (attention_heads(x, num_heads) for x in (q, k, v))
    k = k if static_k is None else static_k.reshape(*k.shape[:2], -1, k.shape[-1])
    v = v if static_v is None else static_v.reshape(*v.shape[:2], -1, v.shape[-1])
    if add_zero_attn:
        k, v = (jnp.pad(x, [(0, 0), (0, 0), (0, 1), (0, 0)]) for x in (k, v))
    scores = q @ k.swapaxes(-1, -2) / math.sqrt(q.shape[-1])
    added = add_zero_attn + (bias_k is not None)  # everybody may look at these entries
    attn_mask, key_padding_mask = (
        mask if mask is None else jnp.pad(mask, [(0, 0)] * (mask.ndim - 1) + [(0, added)])
        for mask in (attn_mask, key_padding_mask)
    )
    if attn_mask is not None:
        if attn_mask.ndim == 3:  # (batch * heads, target, source)
            attn_mask = attn_mask.reshape(-1, num_heads, *attn_mask.shape[1:])
        scores = jnp.where(attn_mask, -jnp.inf, scores) if attn_mask.dtype == bool else scores + attn_mask
    if key_padding_mask is not None:
        ignored = key_padding_mask[:, None, None, :]
        scores = jnp.where(ignored, -jnp.inf, scores) if ignored.dtype == bool else scores + ignored
    # torch computes weights that nobody needs with scaled_dot_product_attention
    weights = jax.nn.softmax(scores, axis=-1) if need_weights else safe_softmax(scores)
    weights = dropout_weights(weights, dropout_p if training else 0.0, dropout_key)
    y = (weights @ v).transpose(2, 0, 1, 3)
    y = y.reshape(*y.shape[:2], -1) @ out_proj_weight.T
    y = y if out_proj_bias is None else y + out_proj_bias
    weights = weights.mean(1) if average_attn_weights else weights
    if not batched_input:
        y, weights = y[:, 0], weights[0]
    return y, weights if need_weights else None


class MultiheadAttention(eqx.Module):
    """torch.nn.MultiheadAttention; `key` is the random key of dropout, torch's argument `key` is called `key_`."""

    in_proj_weight: jax.Array | None
    q_proj_weight: jax.Array | None
    k_proj_weight: jax.Array | None
    v_proj_weight: jax.Array | None
    in_proj_bias: jax.Array | None
    bias_k: jax.Array | None
    bias_v: jax.Array | None
    out_proj: eqx.nn.Linear
    add_zero_attn: bool = eqx.field(static=True)
    num_heads: int = eqx.field(static=True)
    dropout: float = eqx.field(static=True)
    batch_first: bool = eqx.field(static=True)
    inference: bool

    def __init__(
        self,
        embed_dim,
        num_heads,
        dropout=0.0,
        bias=True,
        add_bias_kv=False,
        add_zero_attn=False,
        kdim=None,
        vdim=None,
        batch_first=False,
        dtype=None,
        *,
        key,
    ):
        if embed_dim % num_heads:
            raise ValueError("embed_dim must be divisible by num_heads")
        kdim, vdim, dtype = kdim or embed_dim, vdim or embed_dim, dtype or float
        q_key, k_key, v_key, out_key = jax.random.split(key, 4)
        xavier = jax.nn.initializers.glorot_uniform(in_axis=1, out_axis=0)
        self.in_proj_weight = self.q_proj_weight = self.k_proj_weight = self.v_proj_weight = None
        if kdim == vdim == embed_dim:
            self.in_proj_weight = xavier(q_key, (3 * embed_dim, embed_dim), dtype)
        else:
            self.q_proj_weight = xavier(q_key, (embed_dim, embed_dim), dtype)
            self.k_proj_weight = xavier(k_key, (embed_dim, kdim), dtype)
            self.v_proj_weight = xavier(v_key, (embed_dim, vdim), dtype)
        self.in_proj_bias = jnp.zeros(3 * embed_dim, dtype) if bias else None
        self.out_proj = eqx.nn.Linear(embed_dim, embed_dim, use_bias=bias, dtype=dtype, key=out_key)
        if bias:
            self.out_proj = eqx.tree_at(lambda linear: linear.bias, self.out_proj, jnp.zeros(embed_dim, dtype))
        self.bias_k = self.bias_v = None
        if add_bias_kv:
            normal = jax.nn.initializers.glorot_normal(in_axis=1, out_axis=0)
            self.bias_k, self.bias_v = (normal(k, (embed_dim, 1), dtype).T[None] for k in jax.random.split(q_key))
        self.num_heads, self.dropout, self.batch_first = num_heads, dropout, batch_first
        self.add_zero_attn, self.inference = add_zero_attn, False

    def __call__(
        self,
        query,
        key_,
        value,
        key_padding_mask=None,
        need_weights=True,
        attn_mask=None,
        average_attn_weights=True,
        is_causal=False,
        *,
        key=None,
    ):
        """The output and the attention weights (None unless need_weights); boolean masks are True where ignored."""
        inputs, swapped = (query, key_, value), self.batch_first and query.ndim == 3
        q, k, v = (x.swapaxes(0, 1) for x in inputs) if swapped else inputs
        y, weights = multi_head_attention_forward(
            q,
            k,
            v,
            q.shape[-1],
            self.num_heads,
            self.in_proj_weight,
            self.in_proj_bias,
            self.bias_k,
            self.bias_v,
            self.add_zero_attn,
            self.dropout,
            self.out_proj.weight,
            self.out_proj.bias,
            training=not self.inference,
            key_padding_mask=key_padding_mask,
            need_weights=need_weights,
            attn_mask=attn_mask,
            q_proj_weight=self.q_proj_weight,
            k_proj_weight=self.k_proj_weight,
            v_proj_weight=self.v_proj_weight,
            average_attn_weights=average_attn_weights,
            is_causal=is_causal,
            dropout_key=key,
        )
        return y.swapaxes(0, 1) if swapped else y, weights
