"""Attention and transformer layers of torch.nn as modules of Flax Linen, with torch's parameters, defaults and masks."""

from functools import partial
from typing import Any

from flax import linen as nn

from torch2jax.runtime.activations import dropout
from torch2jax.runtime.attention import multi_head_attention_forward
from torch2jax.runtime.linen_copies import copied_part
from torch2jax.runtime.linen_layers import uniform
from torch2jax.runtime.linen_modules import arguments, is_training
from torch2jax.runtime.linen_normalization import LayerNorm
from torch2jax.runtime.transformer import activation_function


class Projection(nn.Module):
    """torch.nn.Linear as attention has it: the bias starts at zero."""

    features: int
    use_bias: bool = True
    dtype: Any = None
    start: Any = None

    def setup(self):
        init, dtype = self.start or uniform(self.features**-0.5), self.dtype or float
        self.weight = self.param("weight", init, (self.features, self.features), dtype)
        zeros = nn.initializers.zeros
        self.bias = self.param("bias", zeros, (self.features,), dtype) if self.use_bias else None


class MultiheadAttention(nn.Module):
    """torch.nn.MultiheadAttention."""

    embed_dim: int
    num_heads: int
    dropout: float = 0.0
    bias: bool = True
    add_bias_kv: bool = False
    add_zero_attn: bool = False
    kdim: int | None = None
    vdim: int | None = None
    batch_first: bool = False
    dtype: Any = None
    start: Any = None

    def setup(self):
        if self.embed_dim % self.num_heads:
            raise ValueError("embed_dim must be divisible by num_heads")
        size, kdim, vdim = self.embed_dim, self.kdim or self.embed_dim, self.vdim or self.embed_dim
        whole, dtype = kdim == vdim == size, self.dtype or float
        xavier = nn.initializers.glorot_uniform(in_axis=1, out_axis=0)
        self.in_proj_weight = self.param("in_proj_weight", xavier, (3 * size, size), dtype) if whole else None
        self.q_proj_weight = None if whole else self.param("q_proj_weight", xavier, (size, size), dtype)
        self.k_proj_weight = None if whole else self.param("k_proj_weight", xavier, (size, kdim), dtype)
        self.v_proj_weight = None if whole else self.param("v_proj_weight", xavier, (size, vdim), dtype)
        zeros = nn.initializers.zeros
        self.in_proj_bias = self.param("in_proj_bias", zeros, (3 * size,), dtype) if self.bias else None
        self.bias_k = self.param("bias_k", self.extra) if self.add_bias_kv else None
        self.bias_v = self.param("bias_v", self.extra) if self.add_bias_kv else None
        self.out_proj = Projection(size, self.bias, self.dtype, self.start)

    def extra(self, key):
        """A key or value that is added to the sequence."""
        normal = nn.initializers.glorot_normal(in_axis=1, out_axis=0)
        return normal(key, (self.embed_dim, 1), self.dtype or float).T[None]

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
            self.in_proj_weight,
            self.in_proj_bias,
            self.bias_k,
            self.bias_v,
            self.add_zero_attn,
            self.dropout,
            self.out_proj.weight,
            self.out_proj.bias,
            training=is_training(self),
            key_padding_mask=key_padding_mask,
            need_weights=need_weights,
            attn_mask=attn_mask,
            q_proj_weight=self.q_proj_weight,
            k_proj_weight=self.k_proj_weight,
            v_proj_weight=self.v_proj_weight,
            average_attn_weights=average_attn_weights,
            is_causal=is_causal,
            dropout_key=self.make_rng("dropout") if self.dropout and is_training(self) else None,
        )
        return y.swapaxes(0, 1) if swapped else y, weights


class FeedForward(nn.Module):
    """torch.nn.Linear as the layers of transformers have it."""

    in_features: int
    out_features: int
    use_bias: bool = True
    start: Any = None

    def setup(self):
        init = uniform(self.in_features**-0.5)
        self.weight = self.param("weight", self.start or init, (self.out_features, self.in_features))
        self.bias = self.param("bias", init, (self.out_features,)) if self.use_bias else None

    def __call__(self, x):
        y = x @ self.weight.T
        return y if self.bias is None else y + self.bias


class TransformerEncoderLayer(nn.Module):
    """torch.nn.TransformerEncoderLayer."""

    d_model: int
    nhead: int
    dim_feedforward: int = 2048
    dropout: float = 0.1
    activation: Any = "relu"
    layer_norm_eps: float = 1e-5
    batch_first: bool = False
    norm_first: bool = False
    bias: bool = True
    start: Any = None

    def setup(self):
        options = (self.d_model, self.nhead, self.dropout, self.bias)
        self.self_attn = MultiheadAttention(*options, batch_first=self.batch_first, start=self.start)
        self.linear1 = FeedForward(self.d_model, self.dim_feedforward, self.bias, self.start)
        self.linear2 = FeedForward(self.dim_feedforward, self.d_model, self.bias, self.start)
        self.norm1 = LayerNorm(self.d_model, self.layer_norm_eps, use_bias=self.bias)
        self.norm2 = LayerNorm(self.d_model, self.layer_norm_eps, use_bias=self.bias)

    def __call__(self, src, src_mask=None, src_key_padding_mask=None, is_causal=False):
        attention = lambda x: attend(self, self.self_attn, x, x, src_mask, src_key_padding_mask)
        if self.norm_first:
            x = src + attention(self.norm1(src))
            return x + feed_forward(self, self.norm2(x))
        x = self.norm1(src + attention(src))
        return self.norm2(x + feed_forward(self, x))


def drop(layer, x):
    """Dropout in training."""
    if not layer.dropout or not is_training(layer):
        return x
    return dropout(x, layer.dropout, key=layer.make_rng("dropout"))


def attend(layer, attention, query, memory, attn_mask, key_padding_mask):
    """Attention of `query` to `memory`, then dropout."""
    return drop(layer, attention(query, memory, memory, key_padding_mask, False, attn_mask)[0])


def feed_forward(layer, x):
    """linear1, activation, dropout, linear2, dropout."""
    hidden = activation_function(layer.activation)(layer.linear1(x))
    return drop(layer, layer.linear2(drop(layer, hidden)))


class TransformerDecoderLayer(nn.Module):
    """torch.nn.TransformerDecoderLayer."""

    d_model: int
    nhead: int
    dim_feedforward: int = 2048
    dropout: float = 0.1
    activation: Any = "relu"
    layer_norm_eps: float = 1e-5
    batch_first: bool = False
    norm_first: bool = False
    bias: bool = True
    start: Any = None

    def setup(self):
        options = (self.d_model, self.nhead, self.dropout, self.bias)
        self.self_attn = MultiheadAttention(*options, batch_first=self.batch_first, start=self.start)
        self.multihead_attn = MultiheadAttention(*options, batch_first=self.batch_first, start=self.start)
        self.linear1 = FeedForward(self.d_model, self.dim_feedforward, self.bias, self.start)
        self.linear2 = FeedForward(self.dim_feedforward, self.d_model, self.bias, self.start)
        self.norm1 = LayerNorm(self.d_model, self.layer_norm_eps, use_bias=self.bias)
        self.norm2 = LayerNorm(self.d_model, self.layer_norm_eps, use_bias=self.bias)
        self.norm3 = LayerNorm(self.d_model, self.layer_norm_eps, use_bias=self.bias)

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
        look_back = lambda x: attend(self, self.self_attn, x, x, tgt_mask, tgt_key_padding_mask)
        look_up = lambda x: attend(self, self.multihead_attn, x, memory, memory_mask, memory_key_padding_mask)
        if self.norm_first:
            x = tgt + look_back(self.norm1(tgt))
            x = x + look_up(self.norm2(x))
            return x + feed_forward(self, self.norm3(x))
        x = self.norm1(tgt + look_back(tgt))
        x = self.norm2(x + look_up(x))
        return self.norm3(x + feed_forward(self, x))


class TransformerEncoder(nn.Module):
    """torch.nn.TransformerEncoder: copies of a layer, one after the other."""

    encoder_layer: Any
    num_layers: int
    norm: Any = None
    torch_order = ("layers", "norm")

    def setup(self):
        layer = arguments(self, "encoder_layer")
        self.layers = [copied_part(layer) for _ in range(self.num_layers)]

    def __call__(self, src, mask=None, src_key_padding_mask=None, is_causal=None):
        for layer in self.layers:
            src = layer(src, mask, src_key_padding_mask)
        return src if self.norm is None else self.norm(src)


class TransformerDecoder(nn.Module):
    """torch.nn.TransformerDecoder: copies of a layer, one after the other."""

    decoder_layer: Any
    num_layers: int
    norm: Any = None
    torch_order = ("layers", "norm")

    def setup(self):
        layer = arguments(self, "decoder_layer")
        self.layers = [copied_part(layer) for _ in range(self.num_layers)]

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


class XavierStack(nn.Module):
    """The layers of torch.nn.Transformer, whose matrices start from Xavier's uniform distribution, each from its own."""

    layer: Any
    num_layers: int
    d_model: int
    layer_norm_eps: float
    bias: bool

    def setup(self):
        make = arguments(self, "layer")
        self.layers = [make() for _ in range(self.num_layers)]
        self.norm = LayerNorm(self.d_model, self.layer_norm_eps, use_bias=self.bias)

    def __call__(self, x, *args):
        for layer in self.layers:
            x = layer(x, *args)
        return self.norm(x)


class Transformer(nn.Module):
    """torch.nn.Transformer: an encoder and a decoder."""

    d_model: int = 512
    nhead: int = 8
    num_encoder_layers: int = 6
    num_decoder_layers: int = 6
    dim_feedforward: int = 2048
    dropout: float = 0.1
    activation: Any = "relu"
    layer_norm_eps: float = 1e-5
    batch_first: bool = False
    norm_first: bool = False
    bias: bool = True

    def setup(self):
        names = "dim_feedforward dropout activation layer_norm_eps batch_first norm_first bias".split()
        options = {name: getattr(self, name) for name in names}
        start = nn.initializers.glorot_uniform(in_axis=1, out_axis=0)
        encode = partial(TransformerEncoderLayer, self.d_model, self.nhead, start=start, **options)
        decode = partial(TransformerDecoderLayer, self.d_model, self.nhead, start=start, **options)
        norm = (self.d_model, self.layer_norm_eps, self.bias)
        self.encoder = XavierStack(encode, self.num_encoder_layers, *norm)
        self.decoder = XavierStack(decode, self.num_decoder_layers, *norm)

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
