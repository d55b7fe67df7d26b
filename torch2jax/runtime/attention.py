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
        *,
        key,
    ):
        if embed_dim % num_heads:
            raise ValueError("embed_dim must be divisible by num_heads")
        kdim, vdim = kdim or embed_dim, vdim or embed_dim
        q_key, k_key, v_key, out_key = jax.random.split(key, 4)
        xavier = jax.nn.initializers.glorot_uniform(in_axis=1, out_axis=0)
        self.in_proj_weight = self.q_proj_weight = self.k_proj_weight = self.v_proj_weight = None
        if kdim == vdim == embed_dim:
            self.in_proj_weight = xavier(q_key, (3 * embed_dim, embed_dim))
        else:
            self.q_proj_weight = xavier(q_key, (embed_dim, embed_dim))
            self.k_proj_weight = xavier(k_key, (embed_dim, kdim))
            self.v_proj_weight = xavier(v_key, (embed_dim, vdim))
        self.in_proj_bias = jnp.zeros(3 * embed_dim) if bias else None
        self.out_proj = eqx.nn.Linear(embed_dim, embed_dim, use_bias=bias, key=out_key)
        if bias:
            self.out_proj = eqx.tree_at(lambda linear: linear.bias, self.out_proj, jnp.zeros(embed_dim))
        self.bias_k = self.bias_v = None
        if add_bias_kv:
            normal = jax.nn.initializers.glorot_normal(in_axis=1, out_axis=0)
            self.bias_k, self.bias_v = (normal(k, (embed_dim, 1)).T[None] for k in jax.random.split(q_key))
        self.num_heads, self.dropout, self.batch_first = num_heads, dropout, batch_first
        self.add_zero_attn, self.inference = add_zero_attn, False

    def project(self, inputs):
        """Queries, keys and values as (batch, heads, length, width)."""
        weights = (self.q_proj_weight, self.k_proj_weight, self.v_proj_weight)
        if self.in_proj_weight is not None:
            weights = jnp.split(self.in_proj_weight, 3)
        biases = (0.0,) * 3 if self.in_proj_bias is None else jnp.split(self.in_proj_bias, 3)
        q, k, v = (x @ weight.T + bias for x, weight, bias in zip(inputs, weights, biases))
        extra = [] if self.bias_k is None else [(self.bias_k, self.bias_v)]
        extra += [(jnp.zeros_like(k[:1, :1]), jnp.zeros_like(v[:1, :1]))] if self.add_zero_attn else []
        for one_k, one_v in extra:
            k = jnp.concatenate([k, jnp.broadcast_to(one_k, (k.shape[0], 1, k.shape[2]))], axis=1)
            v = jnp.concatenate([v, jnp.broadcast_to(one_v, (v.shape[0], 1, v.shape[2]))], axis=1)
        return [x.reshape(*x.shape[:2], self.num_heads, -1).swapaxes(1, 2) for x in (q, k, v)]

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
        inputs, batched_input = (query, key_, value), query.ndim == 3
        if not batched_input:
            inputs = tuple(x[None] for x in inputs)
            key_padding_mask = None if key_padding_mask is None else key_padding_mask[None]
        elif not self.batch_first:
            inputs = tuple(x.swapaxes(0, 1) for x in inputs)
        q, k, v = self.project(inputs)
        scores = q @ k.swapaxes(-1, -2) / math.sqrt(q.shape[-1])
        added = k.shape[2] - inputs[1].shape[1]  # entries of add_bias_kv and add_zero_attn: everybody may look at them
        attn_mask, key_padding_mask = (
            mask if mask is None else jnp.pad(mask, [(0, 0)] * (mask.ndim - 1) + [(0, added)])
            for mask in (attn_mask, key_padding_mask)
        )
        if attn_mask is not None:
            if attn_mask.ndim == 3:  # (batch * heads, target, source)
                attn_mask = attn_mask.reshape(-1, self.num_heads, *attn_mask.shape[1:])
            scores = jnp.where(attn_mask, -jnp.inf, scores) if attn_mask.dtype == bool else scores + attn_mask
        if key_padding_mask is not None:
            ignored = key_padding_mask[:, None, None, :]
            scores = jnp.where(ignored, -jnp.inf, scores) if ignored.dtype == bool else scores + ignored
        # torch computes weights that nobody needs with scaled_dot_product_attention
        weights = jax.nn.softmax(scores, axis=-1) if need_weights else safe_softmax(scores)
        weights = dropout_weights(weights, 0.0 if self.inference else self.dropout, key)
        y = (weights @ v).swapaxes(1, 2)
        y = y.reshape(*y.shape[:2], -1) @ self.out_proj.weight.T
        y = y if self.out_proj.bias is None else y + self.out_proj.bias
        weights = weights.mean(1) if average_attn_weights else weights
        if not batched_input:
            y, weights = y[0], weights[0]
        elif not self.batch_first:
            y = y.swapaxes(0, 1)
        return y, weights if need_weights else None
