"""Transformer layers of torch.nn, with torch's parameters, defaults and order of normalisation and dropout."""

import equinox as eqx
import jax
import jax.numpy as jnp

from torch2jax.runtime.activations import dropout
from torch2jax.runtime.attention import MultiheadAttention
from torch2jax.runtime.batching import batched
from torch2jax.runtime.keys import split_key


def feed_forward(layer, x, key):
    """linear1, activation, dropout, linear2, dropout of a transformer layer."""
    inner_key, outer_key = split_key(key, 2)
    x = layer.activation(batched(layer.linear1)(x))
    x = dropout(x, layer.dropout, key=inner_key, inference=layer.inference)
    x = batched(layer.linear2)(x)
    return dropout(x, layer.dropout, key=outer_key, inference=layer.inference)


def attend(layer, attention, query, memory, attn_mask, key_padding_mask, key):
    """Attention of `query` to `memory`, then dropout, in a transformer layer."""
    inner_key, outer_key = split_key(key, 2)
    x, _ = attention(query, memory, memory, key_padding_mask, False, attn_mask, key=inner_key)
    return dropout(x, layer.dropout, key=outer_key, inference=layer.inference)


def activation_function(activation):
    """A function, or what torch's names "relu" and "gelu" stand for."""
    match activation:
        case "relu":
            return jax.nn.relu
        case "gelu":
            return gelu
    return activation


def gelu(x):
    """torch.nn.functional.gelu."""
    return jax.nn.gelu(x, approximate=False)


class TransformerEncoderLayer(eqx.Module):
    """torch.nn.TransformerEncoderLayer."""

    self_attn: MultiheadAttention
    linear1: eqx.nn.Linear
    linear2: eqx.nn.Linear
    norm1: eqx.nn.LayerNorm
    norm2: eqx.nn.LayerNorm
    dropout: float
    activation: object = eqx.field(static=True)
    norm_first: bool = eqx.field(static=True)
    inference: bool

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
        key,
    ):
        attention_key, key1, key2 = jax.random.split(key, 3)
        self.self_attn = MultiheadAttention(d_model, nhead, dropout, bias, batch_first=batch_first, key=attention_key)
        self.linear1 = eqx.nn.Linear(d_model, dim_feedforward, use_bias=bias, key=key1)
        self.linear2 = eqx.nn.Linear(dim_feedforward, d_model, use_bias=bias, key=key2)
        self.norm1 = eqx.nn.LayerNorm(d_model, layer_norm_eps, use_bias=bias)
        self.norm2 = eqx.nn.LayerNorm(d_model, layer_norm_eps, use_bias=bias)
        self.dropout, self.activation = dropout, activation_function(activation)
        self.norm_first, self.inference = norm_first, False

    def __call__(self, src, src_mask=None, src_key_padding_mask=None, is_causal=False, *, key=None):
        key1, key2 = split_key(key, 2)
        attention = lambda x: attend(self, self.self_attn, x, x, src_mask, src_key_padding_mask, key1)
        if self.norm_first:
            x = src + attention(batched(self.norm1)(src))
            return x + feed_forward(self, batched(self.norm2)(x), key2)
        x = batched(self.norm1)(src + attention(src))
        return batched(self.norm2)(x + feed_forward(self, x, key2))


class TransformerDecoderLayer(eqx.Module):
    """torch.nn.TransformerDecoderLayer."""

    self_attn: MultiheadAttention
    multihead_attn: MultiheadAttention
    linear1: eqx.nn.Linear
    linear2: eqx.nn.Linear
    norm1: eqx.nn.LayerNorm
    norm2: eqx.nn.LayerNorm
    norm3: eqx.nn.LayerNorm
    dropout: float
    activation: object = eqx.field(static=True)
    norm_first: bool = eqx.field(static=True)
    inference: bool

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
        key,
    ):
        self_key, cross_key, key1, key2 = jax.random.split(key, 4)
        self.self_attn = MultiheadAttention(d_model, nhead, dropout, bias, batch_first=batch_first, key=self_key)
        self.multihead_attn = MultiheadAttention(d_model, nhead, dropout, bias, batch_first=batch_first, key=cross_key)
        self.linear1 = eqx.nn.Linear(d_model, dim_feedforward, use_bias=bias, key=key1)
        self.linear2 = eqx.nn.Linear(dim_feedforward, d_model, use_bias=bias, key=key2)
        self.norm1 = eqx.nn.LayerNorm(d_model, layer_norm_eps, use_bias=bias)
        self.norm2 = eqx.nn.LayerNorm(d_model, layer_norm_eps, use_bias=bias)
        self.norm3 = eqx.nn.LayerNorm(d_model, layer_norm_eps, use_bias=bias)
        self.dropout, self.activation = dropout, activation_function(activation)
        self.norm_first, self.inference = norm_first, False

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
        *,
        key=None,
    ):
        key1, key2, key3 = split_key(key, 3)
        look_back = lambda x: attend(self, self.self_attn, x, x, tgt_mask, tgt_key_padding_mask, key1)
        look_up = lambda x: attend(self, self.multihead_attn, x, memory, memory_mask, memory_key_padding_mask, key2)
        if self.norm_first:
            x = tgt + look_back(batched(self.norm1)(tgt))
            x = x + look_up(batched(self.norm2)(x))
            return x + feed_forward(self, batched(self.norm3)(x), key3)
        x = batched(self.norm1)(tgt + look_back(tgt))
        x = batched(self.norm2)(x + look_up(x))
        return batched(self.norm3)(x + feed_forward(self, x, key3))


def copied(layer, count):
    """`count` layers with the parameters of `layer`, as torch's stacks begin."""
    return [jax.tree.map(lambda x: jnp.array(x) if eqx.is_array(x) else x, layer) for _ in range(count)]


class TransformerEncoder(eqx.Module):
    """torch.nn.TransformerEncoder: copies of a layer, one after the other."""

    layers: list
    norm: eqx.Module | None

    def __init__(self, encoder_layer, num_layers, norm=None):
        self.layers, self.norm = copied(encoder_layer, num_layers), norm

    def __call__(self, src, mask=None, src_key_padding_mask=None, is_causal=None, *, key=None):
        for layer, subkey in zip(self.layers, split_key(key, len(self.layers))):
            src = layer(src, mask, src_key_padding_mask, key=subkey)
        return src if self.norm is None else batched(self.norm)(src)


class TransformerDecoder(eqx.Module):
    """torch.nn.TransformerDecoder: copies of a layer, one after the other."""

    layers: list
    norm: eqx.Module | None

    def __init__(self, decoder_layer, num_layers, norm=None):
        self.layers, self.norm = copied(decoder_layer, num_layers), norm

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
        *,
        key=None,
    ):
        masks = (tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask)
        for layer, subkey in zip(self.layers, split_key(key, len(self.layers))):
            tgt = layer(tgt, memory, *masks, key=subkey)
        return tgt if self.norm is None else batched(self.norm)(tgt)


class Transformer(eqx.Module):
    """torch.nn.Transformer: an encoder and a decoder, all of whose matrices start from Xavier's uniform distribution."""

    encoder: TransformerEncoder
    decoder: TransformerDecoder

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
        key,
    ):
        options = (d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, bias)
        encoder_key, decoder_key, key = jax.random.split(key, 3)
        norms = [eqx.nn.LayerNorm(d_model, layer_norm_eps, use_bias=bias) for _ in range(2)]
        self.encoder = TransformerEncoder(
            TransformerEncoderLayer(*options, key=encoder_key), num_encoder_layers, norm=norms[0]
        )
        self.decoder = TransformerDecoder(
            TransformerDecoderLayer(*options, key=decoder_key), num_decoder_layers, norm=norms[1]
        )
        self.encoder, self.decoder = with_xavier((self.encoder, self.decoder), key)

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
        *,
        key=None,
    ):
        encoder_key, decoder_key = split_key(key, 2)
        memory = self.encoder(src, src_mask, src_key_padding_mask, key=encoder_key)
        masks = (tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask)
        return self.decoder(tgt, memory, *masks, key=decoder_key)


def with_xavier(layers, key):
    """`layers` with every matrix drawn anew from Xavier's uniform distribution."""
    leaves, structure = jax.tree.flatten(layers)
    xavier = jax.nn.initializers.glorot_uniform(in_axis=1, out_axis=0)
    keys = jax.random.split(key, len(leaves))
    is_matrix = lambda x: eqx.is_inexact_array(x) and x.ndim == 2
    return structure.unflatten(xavier(k, x.shape) if is_matrix(x) else x for k, x in zip(keys, leaves))
