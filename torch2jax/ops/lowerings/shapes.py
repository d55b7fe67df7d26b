"""Lowerings of view, expand and flatten: what the given sizes are decides the spelling."""

from __future__ import annotations

from torch2jax.ops.rules import Facts, holds, is_dtype
from torch2jax.ops.schema import Alternative
from torch2jax.values import Kind


def view(facts: Facts) -> Alternative:
    """`x.view(2, -1)` reshapes, `x.view(torch.int32)` reinterprets the bits: `view` of JAX arrays is only the latter."""
    if facts.given("dtype"):
        return Alternative("{input}.view({dtype})")
    shape = facts.value("shape")
    if shape.items is not None and len(shape.items) == 1 and is_dtype(shape.items[0]):
        return Alternative("{input}.view({*shape})")
    return Alternative("{input}.reshape({*shape})")


def expand(facts: Facts) -> Alternative:
    """`jnp.broadcast_to`, unless a size may be -1 (the axis keeps its length)."""
    sizes = facts.constant("size")
    if isinstance(sizes, tuple) and all(type(size) is int and size >= 0 for size in sizes):
        return Alternative("jnp.broadcast_to({input}, {size})")
    if facts.value("size").is_a(Kind.SIZE):
        return Alternative("jnp.broadcast_to({input}, {size})")
    return Alternative("expand({input}, {*size})")


def flatten(facts: Facts) -> Alternative:
    """`x.flatten(1)` keeps the batch axis: `x.reshape(x.shape[0], -1)`; the whole array: `x.reshape(-1)`."""
    start, end = facts.constant("start_dim"), facts.constant("end_dim")
    if (start, end) == (0, -1):
        return Alternative("{input}.reshape(-1)", when=_settled(facts))
    if (start, end) == (1, -1) and holds("simple(input)", facts):
        return Alternative("{input}.reshape({input}.shape[0], -1)", when=_settled(facts))
    return Alternative("flatten({input}, start_dim={start_dim}, end_dim={end_dim})")


def _settled(facts: Facts) -> str | None:
    """A condition that says that the given axes are in the text of the spelling already."""
    return " and ".join(f"given({name})" for name in ("start_dim", "end_dim") if facts.given(name)) or None
