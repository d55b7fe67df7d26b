"""Lowerings of cat, split, chunk, unbind and topk: the pieces, and how many names they go to, decide the spelling."""

from __future__ import annotations

from torch2jax.ops.rules import Facts, holds
from torch2jax.ops.schema import Alternative
from torch2jax.values import EMPTY, Kind


def cat(facts: Facts) -> Alternative:
    """torch.cat: `jnp.concatenate`, unless one of the tensors may be `torch.tensor([])` where others have more axes."""
    tensors = facts.value("tensors")
    if tensors.element().rank != 1 and any(EMPTY in part.types for part in tensors.parts):
        return Alternative("cat({tensors}, dim={dim})")
    return Alternative("jnp.concatenate({tensors}, axis={dim})")


def split(facts: Facts) -> Alternative:
    """torch.split: piece lengths become cut positions, or a number of pieces where that is evident.

    `q, k, v = x.split(C, dim=2)` is `jnp.split(x, [C, 2 * C], axis=2)`: the last piece may be shorter, so a number of
    pieces would cut elsewhere.
    """
    tensor, lengths = (parameter.name for parameter in facts.signature.parameters[:2])
    cuts = _literal_cuts(facts, lengths)
    if cuts is not None:
        return Alternative(f"jnp.split({{{tensor}}}, {cuts}, axis={{dim}})", when=f"given({lengths})")
    if (
        facts.targets
        and facts.value(lengths).is_a(Kind.INT)
        and (facts.targets <= 2 or holds(f"simple({lengths})", facts))
    ):
        multiples = [f"{number} * " if number > 1 else "" for number in range(1, facts.targets)]
        pieces = ", ".join(f"{multiple}{{{lengths}}}" for multiple in multiples)
        return Alternative(f"jnp.split({{{tensor}}}, [{pieces}], axis={{dim}})")
    return Alternative(f"split({{{tensor}}}, {{{lengths}}}, dim={{dim}})")


def _literal_cuts(facts: Facts, lengths: str) -> list[int] | None:
    """The cut positions, if lengths and number of pieces are known."""
    given = facts.constant(lengths)
    if isinstance(given, tuple) and given and all(type(length) is int for length in given):
        return [sum(given[: position + 1]) for position in range(len(given) - 1)]
    if type(given) is int and facts.targets:
        return [given * position for position in range(1, facts.targets)]
    return None


def chunk(facts: Facts) -> Alternative:
    """torch.chunk into as many names as chunks: `jnp.split`, which raises where the pieces would not be equal."""
    chunks = facts.constant("chunks")
    if isinstance(chunks, int) and chunks == facts.targets:
        return Alternative("jnp.split({input}, {chunks}, axis={dim})")
    return Alternative("chunk({input}, {chunks}, dim={dim})")


def unbind(facts: Facts) -> Alternative:
    """torch.unbind: unpacking an array already runs along its first axis."""
    first = holds("const(dim) == 0", facts)
    rows = "{input}" if first else "jnp.moveaxis({input}, {dim}, 0)"
    when = "given(dim)" if first and facts.given("dim") else None
    return Alternative(rows if facts.targets else f"tuple({rows})", when=when)


def topk(facts: Facts) -> Alternative:
    """torch.topk along the last axis into two names: `jax.lax.top_k`, whose result has no fields `values` and `indices`."""
    if facts.targets == 2 and holds("const(dim) == -1 and const(largest) == True", facts):
        given = " and ".join(f"given({name})" for name in ("dim", "largest", "sorted") if facts.given(name))
        return Alternative("jax.lax.top_k({input}, {k})", when=given or None)
    return Alternative("topk({input}, {k}, dim={dim}, largest={largest}, sorted={sorted})")
