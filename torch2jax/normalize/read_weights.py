"""Models of other libraries of which a program reads the weights alone: they stay what they are, and go by the library's name.

from transformers import GPT2LMHeadModel                  ->   import transformers
other = GPT2LMHeadModel.from_pretrained("gpt2")                other = transformers.GPT2LMHeadModel.from_pretrained("gpt2")
for name, value in other.state_dict().items(): ...             for name, value in other.state_dict().items(): ...

Their tensors become arrays where a state dict of the translation gets them. What does more with such a model is reported.
"""

from __future__ import annotations

import libcst as cst

from torch2jax.program.program import imported_module
from torch2jax.program.read_models import only_reads_weights
from torch2jax.program.torch_packages import needs_torch
from torch2jax.syntax.edits import Edits, always, apply_edits
from torch2jax.syntax.quote import quote
from torch2jax.syntax.walk import Index, build_index

_LIBRARY = "transformers"


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
        if _is_only_imported(index) and all(only_reads_weights(index, item) for item in uses):
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


__all__ = ["with_read_weights"]
