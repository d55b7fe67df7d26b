"""Attention and transformer layers of torch.nn as modules of Flax NNX, with torch's parameters, defaults and masks."""

import copy

import jax
import jax.numpy as jnp
from flax import nnx

from torch2jax.runtime.activations import dropout
from torch2jax.runtime.attention import multi_head_attention_forward
from torch2jax.runtime.nnx_layers import Linear, value_of
from torch2jax.runtime.nnx_normalization import LayerNorm
from torch2jax.runtime.transformer import activation_function


class MultiheadAttention(nnx.Module):
    """torch.nn.MultiheadAttention."""

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
        rngs,
    ):
        if embed_dim % num_heads:
            raise ValueError("embed_dim must be divisible by num_heads")
        kdim, vdim, dtype = kdim or embed_dim, vdim or embed_dim, dtype or float
        xavier = jax.nn.initializers.glorot_uniform(in_axis=1, out_axis=0)
        draw = lambda *shape: nnx.Param(xavier(rngs.params(), shape, dtype))
        self.in_proj_weight = self.q_proj_weight = self.k_proj_weight = self.v_proj_weight = nnx.data(None)
        if kdim == vdim == embed_dim:
            self.in_proj_weight = draw(3 * embed_dim, embed_dim)
        else:
            self.q_proj_weight, self.k_proj_weight = draw(embed_dim, embed_dim), draw(embed_dim, kdim)
            self.v_proj_weight = draw(embed_dim, vdim)
        self.in_proj_bias = nnx.Param(jnp.zeros(3 * embed_dim, dtype)) if bias else nnx.data(None)
        self.bias_k = self.bias_v = nnx.data(None)
        if add_bias_kv:
            normal = jax.nn.initializers.glorot_normal(in_axis=1, out_axis=0)
            pair = [nnx.Param(normal(rngs.params(), (embed_dim, 1), dtype).T[None]) for _ in range(2)]
            self.bias_k, self.bias_v = pair
        self.out_proj = Linear(embed_dim, embed_dim, bias=bias, dtype=dtype, rngs=rngs)
        if bias:
            self.out_proj.bias[...] = jnp.zeros(embed_dim, dtype)
        self.embed_dim, self.num_heads, self.head_dim = embed_dim, num_heads, embed_dim // num_heads
        self.kdim, self.vdim, self.dropout, self.batch_first = kdim, vdim, dropout, batch_first
        self.add_zero_attn, self.deterministic, self.rngs = add_zero_attn, False, rngs.dropout.fork()

    def __call__(
        self,
        query,
        key,
        value,
        key_padding_mask=None,
        need_weights=True,
        attn_mask=None,
        average_attn_weights=True,
        is_causal=False,
    ):
        """The output and the attention weights (None unless need_weights); boolean masks are True where ignored."""
        inputs, swapped = (query, key, value), self.batch_first and query.ndim == 3
        q, k, v = (x.swapaxes(0, 1) for x in inputs) if swapped else inputs
        y, weights = multi_head_attention_forward(
            q,
            k,
            v,
            q.shape[-1],
            self.num_heads,
            value_of(self.in_proj_weight),
            value_of(self.in_proj_bias),
            value_of(self.bias_k),
            value_of(self.bias_v),
            self.add_zero_attn,
            self.dropout,
            self.out_proj.weight[...],
            value_of(self.out_proj.bias),
            training=not self.deterministic,
            key_padding_mask=key_padding_mask,
            need_weights=need_weights,
            attn_mask=attn_mask,
            q_proj_weight=value_of(self.q_proj_weight),
            k_proj_weight=value_of(self.k_proj_weight),
            v_proj_weight=value_of(self.v_proj_weight),
            average_attn_weights=average_attn_weights,
            is_causal=is_causal,
            dropout_key=self.rngs() if self.dropout and not self.deterministic else None,
        )
        return y.swapaxes(0, 1) if swapped else y, weights


class TransformerLayer(nnx.Module):
    """What the layers of encoder and decoder share."""

    def __init__(self, d_model, dim_feedforward, dropout, activation, norm_first, bias, rngs):
        self.linear1 = Linear(d_model, dim_feedforward, bias=bias, rngs=rngs)
        self.linear2 = Linear(dim_feedforward, d_model, bias=bias, rngs=rngs)
        self.activation, self.norm_first = activation_function(activation), norm_first
        self.rate, self.deterministic, self.rngs = dropout, False, rngs.dropout.fork()

    def drop(self, x):
        """Dropout in training."""
        if self.deterministic or not self.rate:
            return x
        return dropout(x, self.rate, key=self.rngs())

    def attend(self, attention, query, memory, attn_mask, key_padding_mask):
        """Attention of `query` to `memory`, then dropout."""
        return self.drop(attention(query, memory, memory, key_padding_mask, False, attn_mask)[0])

    def feed_forward(self, x):
        """linear1, activation, dropout, linear2, dropout."""
        return self.drop(self.linear2(self.drop(self.activation(self.linear1(x)))))


class TransformerEncoderLayer(TransformerLayer):
    """torch.nn.TransformerEncoderLayer."""

    def __init__(
        self,
        d_model,
        nhead,
        dim_feedforward=2048,
        dropout=0.1,
        activation="relu",
        layer_norm_eps=1e-5,
        batch_first=False,
        norm_first=False,
        bias=True,
        *,
        rngs,
    ):
        self.self_attn = MultiheadAttention(d_model, nhead, dropout, bias, batch_first=batch_first, rngs=rngs)
        super().__init__(d_model, dim_feedforward, dropout, activation, norm_first, bias, rngs)
        self.norm1 = LayerNorm(d_model, layer_norm_eps, bias=bias)
        self.norm2 = LayerNorm(d_model, layer_norm_eps, bias=bias)

    def __call__(self, src, src_mask=None, src_key_padding_mask=None, is_causal=False):
        attention = lambda x: self.attend(self.self_attn, x, x, src_mask, src_key_padding_mask)
        if self.norm_first:
            x = src + attention(self.norm1(src))
            return x + self.feed_forward(self.norm2(x))
        x = self.norm1(src + attention(src))
        return self.norm2(x + self.feed_forward(x))


class TransformerDecoderLayer(TransformerLayer):
    """torch.nn.TransformerDecoderLayer."""

    def __init__(
        self,
        d_model,
        nhead,
        dim_feedforward=2048,
        dropout=0.1,
        activation="relu",
        layer_norm_eps=1e-5,
        batch_first=False,
        norm_first=False,
        bias=True,
        *,
        rngs,
    ):
        self.self_attn = MultiheadAttention(d_model, nhead, dropout, bias, batch_first=batch_first, rngs=rngs)
        self.multihead_attn = MultiheadAttention(d_model, nhead, dropout, bias, batch_first=batch_first, rngs=rngs)
        super().__init__(d_model, dim_feedforward, dropout, activation, norm_first, bias, rngs)
        self.norm1 = LayerNorm(d_model, layer_norm_eps, bias=bias)
        self.norm2 = LayerNorm(d_model, layer_norm_eps, bias=bias)
        self.norm3 = LayerNorm(d_model, layer_norm_eps, bias=bias)

    def __call__(
        self,
        tgt,
        memory,
        tgt_mask=None,
        memory_mask=None,
        tgt_key_padding_mask=None,
        memory_key_padding_mask=None,
        tgt_is_causal=False,
        memory_is_causal=False,
    ):
        look_back = lambda x: self.attend(self.self_attn, x, x, tgt_mask, tgt_key_padding_mask)
        look_up = lambda x: self.attend(self.multihead_attn, x, memory, memory_mask, memory_key_padding_mask)
        if self.norm_first:
            x = tgt + look_back(self.norm1(tgt))
            x = x + look_up(self.norm2(x))
            return x + self.feed_forward(self.norm3(x))
        x = self.norm1(tgt + look_back(tgt))
        x = self.norm2(x + look_up(x))
        return self.norm3(x + self.feed_forward(x))


def copied(layer, count):
    """`count` layers with the parameters of `layer`, as torch's stacks begin; each draws numbers of its own."""
    copies = nnx.List([copy.deepcopy(layer) for _ in range(count)])
    for number, twin in enumerate(copies):
        for _, part in nnx.iter_graph(twin):
            if isinstance(part, nnx.RngStream):
                part.key[...] = jax.random.fold_in(part.key[...], number)
    return copies


class TransformerEncoder(nnx.Module):
    """torch.nn.TransformerEncoder: copies of a layer, one after the other."""

    def __init__(self, encoder_layer, num_layers, norm=None):
        self.layers, self.num_layers, self.norm = copied(encoder_layer, num_layers), num_layers, nnx.data(norm)

    def __call__(self, src, mask=None, src_key_padding_mask=None, is_causal=None):
        for layer in self.layers:
            src = layer(src, mask, src_key_padding_mask)
        return src if self.norm is None else self.norm(src)


class TransformerDecoder(nnx.Module):
    """torch.nn.TransformerDecoder: copies of a layer, one after the other."""

    def __init__(self, decoder_layer, num_layers, norm=None):
        self.layers, self.num_layers, self.norm = copied(decoder_layer, num_layers), num_layers, nnx.data(norm)

    def __call__(
        self,
        tgt,
        memory,
        tgt_mask=None,
        memory_mask=None,
        tgt_key_padding_mask=None,
        memory_key_padding_mask=None,
        tgt_is_causal=None,
        memory_is_causal=False,
    ):
        for layer in self.layers:
            tgt = layer(tgt, memory, tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask)
        return tgt if self.norm is None else self.norm(tgt)


class Transformer(nnx.Module):
    """torch.nn.Transformer: an encoder and a decoder, all of whose matrices start from Xavier's uniform distribution."""

    def __init__(
        self,
        d_model=512,
        nhead=8,
        num_encoder_layers=6,
        num_decoder_layers=6,
        dim_feedforward=2048,
        dropout=0.1,
        activation="relu",
        layer_norm_eps=1e-5,
        batch_first=False,
        norm_first=False,
        bias=True,
        *,
        rngs,
    ):
        options = (d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, bias)
        norms = [LayerNorm(d_model, layer_norm_eps, bias=bias) for _ in range(2)]
        encoder_layer = TransformerEncoderLayer(*options, rngs=rngs)
        decoder_layer = TransformerDecoderLayer(*options, rngs=rngs)
        self.encoder = TransformerEncoder(encoder_layer, num_encoder_layers, norm=norms[0])
        self.decoder = TransformerDecoder(decoder_layer, num_decoder_layers, norm=norms[1])
        self.d_model, self.nhead, self.batch_first = d_model, nhead, batch_first
        xavier = jax.nn.initializers.glorot_uniform(in_axis=1, out_axis=0)
        for _, part in nnx.iter_graph(self):
            if isinstance(part, nnx.Param) and part.ndim == 2:
                part[...] = xavier(rngs.params(), part.shape)

    def __call__(
        self,
        src,
        tgt,
        src_mask=None,
        tgt_mask=None,
        memory_mask=None,
        src_key_padding_mask=None,
        tgt_key_padding_mask=None,
        memory_key_padding_mask=None,
        src_is_causal=None,
        tgt_is_causal=None,
        memory_is_causal=False,
    ):
        memory = self.encoder(src, src_mask, src_key_padding_mask)
        masks = (tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask)
        return self.decoder(tgt, memory, *masks)
