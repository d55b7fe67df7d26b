"""Models of other libraries of which a program reads the weights alone: they stay what they are, and go by the library's name.

from transformers import GPT2LMHeadModel                  ->   import transformers
other = GPT2LMHeadModel.from_pretrained("gpt2")                other = transformers.GPT2LMHeadModel.from_pretrained("gpt2")
for name, value in other.state_dict().items(): ...             for name, value in other.state_dict().items(): ...

Their tensors become arrays where a state dict of the translation gets them. What does more with such a model is reported.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from torch2jax.program.program import imported_module
from torch2jax.program.torch_packages import needs_torch
from torch2jax.syntax.edits import Edits, always, apply_edits
from torch2jax.syntax.quote import quote
from torch2jax.syntax.walk import Index, build_index

_LIBRARY, _ASKED = "transformers", frozenset({"state_dict", "eval", "config"})


def with_read_weights(index: Index) -> Index:
    """The file with such classes named by their library."""
    edits = Edits()
    for node in index.imports:
        if not isinstance(node, cst.ImportFrom) or imported_module(node) != [_LIBRARY]:
            continue
        if isinstance(node.names, cst.ImportStar) or any(item.asname is not None for item in node.names):
            continue
        names = [item.evaluated_name for item in node.names]
        uses = [item for item in index.names if item.value in names and node not in index.ancestors(item)]
        if not all(needs_torch(f"{_LIBRARY}.{name}") for name in names) or not uses:
            continue
        if _is_only_imported(index) and all(_only_reads(index, item) for item in uses):
            line = index.parents[node]
            if isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1:
                edits.replace(node, always(cst.Import([cst.ImportAlias(cst.Name(_LIBRARY))])))
                for item in uses:
                    edits.replace(item, always(quote(f"{_LIBRARY}.{item.value}")))
    return build_index(apply_edits(index.module, edits, index.parents)) if edits.nodes else index


def _is_only_imported(index: Index) -> bool:
    """Whether the library's name stands in imports only."""
    named = [item for item in index.names if item.value == _LIBRARY]
    return all(any(isinstance(above, cst.ImportFrom) for above in index.ancestors(item)) for item in named)


def _only_reads(index: Index, name: cst.Name) -> bool:
    """Whether a class makes a model in a variable that is asked for its weights and its settings only."""
    asked = index.parents[name]
    call = index.parents[asked]
    match asked, call, index.parents[call]:
        case (
            cst.Attribute(attr=cst.Name("from_pretrained")),
            cst.Call(),
            cst.Assign(targets=[cst.AssignTarget(target=cst.Name() as variable)], value=value),
        ) if value is call:
            return all(_is_asked(index, item) for item in _others(index, variable))
    return False


def _others(index: Index, variable: cst.Name) -> Iterator[cst.Name]:
    """The other places of a scope, and of those in it, where the name of a variable stands."""
    scope = next((item for item in index.ancestors(variable) if isinstance(item, (cst.FunctionDef, cst.Module))), None)
    for item in index.names:
        if item.value == variable.value and item is not variable and not index.is_label(item):
            if scope is index.module or any(above is scope for above in index.ancestors(item)):
                yield item


def _is_asked(index: Index, name: cst.Name) -> bool:
    parent = index.parents[name]
    return isinstance(parent, cst.Attribute) and parent.value is name and parent.attr.value in _ASKED


__all__ = ["with_read_weights"]
