"""Functions that a namespace of the file names, by their own names.

models = SimpleNamespace(small=make_small, big=Net)    ->    (gone, where nothing else is read of it)
net = models.small()                                         net = make_small()

Lambdas in such a namespace that make modules are functions with names by then.

nn.MaskedLinear = MaskedLinear                         ->    (gone)
nn.MaskedLinear(3, 4, mask)                                  MaskedLinear(3, 4, mask)
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from torch2jax.facts.library_calls import NAMESPACES
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.ops.names import has_name
from torch2jax.program.definitions import Definition, How
from torch2jax.program.program import dotted
from torch2jax.syntax.edits import always
from torch2jax.values import Kind


def normalize_namespaces(work: NormalizationRound) -> None:
    """Normalize what is read of all such namespaces of a file."""
    for line in work.index.module.body:
        match line:
            case cst.SimpleStatementLine(
                body=[cst.Assign(targets=[cst.AssignTarget(target=cst.Name() as target)], value=cst.Call() as made)]
            ) if is_namespace(work, made):
                definition = work.program.definitions.bound_once(target)
                functions = dict(_functions(work, made, target.value))
                if definition is not None and _read(work, definition, functions) and _is_bare(work, made):
                    work.edits.remove(line)


def normalize_added_names(work: NormalizationRound) -> None:
    """Normalize what a file adds to modules of torch: its own functions and classes, under names that torch has not."""
    for line in work.index.module.body:
        match line:
            case cst.SimpleStatementLine(
                body=[cst.Assign(targets=[cst.AssignTarget(target=cst.Attribute() as target)], value=cst.Name() as own)]
            ) if work.values(target.value).kind is Kind.TORCH and _is_defined(work, own):
                name = f"{work.values(target.value).const}.{target.attr.value}"
                if not has_name(name) and _read_added(work, name, target, own.value):
                    work.edits.remove(line)


def _read_added(work: NormalizationRound, name: str, target: cst.Attribute, own: str) -> bool:
    """Write the function for what is read of a module of torch; whether nothing else does."""
    added = [
        node
        for node in work.index.attributes
        if node.attr.value == target.attr.value and node is not target and work.values.torch_name(node) == name
    ]
    if any(_is_hidden(work, node, own) or isinstance(work.index.parents[node], cst.AssignTarget) for node in added):
        return False
    for node in added:
        work.edits.replace(node, always(cst.Name(own)))
    return True


def is_namespace(work: NormalizationRound, node: cst.CSTNode) -> bool:
    """Whether a call makes a namespace of what it is given by keywords."""
    if not isinstance(node, cst.Call) or any(item.star or item.keyword is None for item in node.args):
        return False
    function = work.values(node.func)
    return function.kind is Kind.PYTHON and function.const in NAMESPACES


def _functions(work: NormalizationRound, made: cst.Call, place: str) -> Iterator[tuple[str, str]]:
    """The places in a namespace, and in those in it, that hold functions or classes of the file, with their names."""
    for item in made.args:
        assert item.keyword is not None
        inner = f"{place}.{item.keyword.value}"
        if isinstance(item.value, cst.Call) and is_namespace(work, item.value):
            yield from _functions(work, item.value, inner)
        elif isinstance(item.value, cst.Name):
            if _is_defined(work, item.value):
                yield inner, item.value.value


def _is_defined(work: NormalizationRound, name: cst.Name) -> bool:
    """Whether a name is that of a function or class of the file, and of nothing else."""
    definition = work.program.definitions.bound_once(name)
    is_known = definition is not None and definition.how is How.DEFINED
    return is_known and definition is not None and definition.variable.owner is work.index.module


def _is_inner(work: NormalizationRound, node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Call) and is_namespace(work, node) and _is_bare(work, node)


def _read(work: NormalizationRound, definition: Definition, functions: dict[str, str]) -> bool:
    """Write the functions for what is read of a namespace; whether that leaves nothing that reads it."""
    uses = work.program.definitions.uses(definition) if functions else []
    chains = {use: list(_chain(work, use)) for use in uses}
    if not uses or any(_may_be_set(work, chain[-1], functions) for chain in chains.values()):
        return False
    replaced = set[cst.Name]()
    for use, chain in chains.items():
        for node in chain:
            function = functions.get(dotted(node) or "")
            if function is not None and not _is_hidden(work, node, function):
                work.edits.replace(node, always(cst.Name(function)))
                replaced.add(use)
    return len(replaced) == len(uses) and not work.program.is_imported


def _is_bare(work: NormalizationRound, made: cst.Call) -> bool:
    """Whether nothing is computed for a namespace."""
    given = [item.value for item in made.args]
    return all(
        isinstance(item, (cst.BaseString, cst.BaseNumber)) or dotted(item) is not None or _is_inner(work, item)
        for item in given
    )


def _may_be_set(work: NormalizationRound, node: cst.BaseExpression, functions: dict[str, str]) -> bool:
    """Whether a field is set, or something else gets the namespace, or one in it, and may set it."""
    is_target = isinstance(work.index.parents[node], (cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.Del, cst.For))
    return is_target or any(place.startswith(f"{dotted(node)}.") for place in functions)


def _chain(work: NormalizationRound, use: cst.CSTNode) -> Iterator[cst.BaseExpression]:
    """A name and the fields that are read of it, each of the one before."""
    while isinstance(use, (cst.Name, cst.Attribute)):
        yield use
        parent = work.index.parents[use]
        if not isinstance(parent, cst.Attribute) or parent.value is not use:
            return
        use = parent


def _is_hidden(work: NormalizationRound, node: cst.BaseExpression, name: str) -> bool:
    """Whether a function around a node binds a name itself."""
    scopes = work.program.definitions.scopes
    seen = scopes.lookup(name, scopes.around(node))
    return seen is None or seen.owner is not work.index.module


__all__ = ["is_namespace", "normalize_added_names", "normalize_namespaces"]
