"""Names that stand for torch itself and that a translation does not have: what imports of torch bind, and `T = torch`.

Such a name may come from another file of the program: `from .layers import nn`, or `from .layers import *`.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from torch2jax.facts.infer import Values, public_names
from torch2jax.ops.schema import Tables
from torch2jax.program.program import Program, dotted, import_bindings, imported_module
from torch2jax.values import Kind


def names_of_torch(program: Program, values: Values, tables: Tables) -> frozenset[str]:
    """All such names of a file, in whatever scope."""
    stars = (*tables.functions, *tables.layers)
    found: set[str] = set()
    for node in program.index.imports:
        bound = import_bindings(node, stars, tables.own, program.package)
        of_torch = {name: str(value.const) for name, value in bound.items() if value.kind is Kind.TORCH}
        found.update(name for name, full in of_torch.items() if not program.has_file_of(full))
        found.update(bound for bound, _ in gone_imports(node, program))
    for assignment in second_names(program, values, tables):
        found.update(item.target.value for item in assignment.targets if isinstance(item.target, cst.Name))
    return frozenset(found)


def gone_imports(node: cst.Import | cst.ImportFrom, program: Program) -> Iterator[tuple[str, str]]:
    """Of what an import takes from another file of the program, the names that its translation does not have: as they are
    bound here, and as they are called there.
    """
    if isinstance(node, cst.Import):
        return
    (base,) = imported_module(node)
    module = program.module_asked(base)
    if module is None:
        return
    if isinstance(node.names, cst.ImportStar):
        yield from ((name, name) for name in sorted(public_names(module).keys() & module.gone))
        return
    for alias in node.names:
        name = dotted(alias.name) or ""
        if name in module.gone:
            yield (dotted(alias.asname.name) if alias.asname is not None else None) or name, name


def second_names(program: Program, values: Values, tables: Tables) -> Iterator[cst.Assign]:
    """Lines such as `T = torch`, which give a module of torch another name."""
    for node in program.index.every(cst.Assign):
        if len(node.targets) == 1 and isinstance(node.targets[0].target, cst.Name):
            name = values.torch_name(node.value)
            if name is not None and _is_torch_module(tables, name):
                yield node


def _is_torch_module(tables: Tables, name: str) -> bool:
    prefix = f"{name}."
    return any(known.startswith(prefix) for known in (*tables.functions, *tables.layers)) and name not in tables.layers
