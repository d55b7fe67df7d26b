"""Which rows give exactly torch's values: those that only move, select, compare or create, or do one
sum or product.

What adds up or calls a function of the mathematical library agrees with torch up to rounding. The lists here are claims, and
the tests compare every row for which they speak with torch, without tolerance.
"""

from __future__ import annotations

import re

from torch2jax.ops.schema import FunctionSpec

_MOVING = """
array array_split asarray atleast_1d atleast_2d broadcast_arrays broadcast_shapes broadcast_to column_stack concatenate diag
diagonal dstack empty empty_like expand_dims eye fill_diagonal flip fliplr flipud full full_like hstack meshgrid moveaxis
ones ones_like ravel repeat reshape roll rot90 squeeze stack swapaxes take take_along_axis tile transpose tril tril_indices
triu triu_indices vstack where zeros zeros_like set dynamic_slice_in_dim block_diag astype
"""
_COMPARING = """
abs absolute add all any argmax argmin argsort argwhere array_equal ceil clip conj copysign count_nonzero floor fmod heaviside
isfinite isin isinf isnan isneginf isposinf isreal iscomplexobj issubdtype finfo iinfo logical_and logical_not logical_or
logical_xor max maximum min minimum multiply nan_to_num nextafter nonzero promote_types result_type round searchsorted sign
signbit sort square subtract trunc unique gcd lcm relu relu6 stop_gradient item tolist bool int tuple isinstance
"""
_SUPPORT = """
aminmax cartesian_prod channel_shuffle clamp cummax cummin diag_embed expand fmax fmin gather hardshrink
hardtanh index_copy index_fill kthvalue masked_scatter masked_select max_along max_pool max_pool_with_indices
adaptive_max_pool min_along mode_along narrow pad pad_sequence pixel_shuffle pixel_unshuffle put scatter
maximum_or_along minimum_or_along median median_along nanmedian nanmedian_along fftshift ifftshift
split threshold topk unflatten unfold unfold_windows view_as_complex view_as_real embedding one_hot
"""
EXACT_CALLS = frozenset(f"{_MOVING} {_COMPARING} {_SUPPORT}".split())
EXACT_LOWERINGS = frozenset({"cat", "chunk", "expand", "flatten", "split", "topk", "unbind", "view"})
_CALL = re.compile(r"([\w.]*)\(")
# One of them rounds once; a compiler may fuse two.
_ROUNDING = re.compile(r" [-+*] |\bjnp\.(?:add|subtract|multiply)\(")
_INEXACT = re.compile(r" (?:@|\*\*|/|//|%) ")  # a division by a constant may be a product with its reciprocal
# Positions are whole numbers: what is computed with elements is what is left without them.
_PART = re.compile(r"\[[^\]]*\]|\b(?:axis|k|n|shift)=[^,)]*")


def is_exact(spec: FunctionSpec) -> bool:
    """Whether all spellings of a row give exactly torch's values."""
    if spec.lowering is not None:
        return spec.lowering in EXACT_LOWERINGS
    texts = [item.emit for item in (*spec.alternatives, *spec.method_alternatives) if item.emit is not None]
    return bool(texts) and all(map(_is_exact_text, texts))


def _is_exact_text(text: str) -> bool:
    names = {call.split(".")[-1] for call in _CALL.findall(text) if call}
    computed = _PART.sub("", text)
    return names <= EXACT_CALLS and len(_ROUNDING.findall(computed)) < 2 and not _INEXACT.search(computed)


_EXACT_LAYERS = re.compile(
    r"torch\.nn\.(?:Identity|Flatten|Unflatten|ReLU6?|Hardtanh|Threshold|Hardshrink|(?:Adaptive)?MaxPool[123]d|Embedding"
    r"|(?:Zero|Constant|Reflection|Replication|Circular)Pad[123]d|Pixel(?:Uns|S)huffle|ChannelShuffle|Unfold)"
)


def is_exact_layer(name: str) -> bool:
    """Whether a call of a layer gives exactly torch's values."""
    return _EXACT_LAYERS.fullmatch(name) is not None
