"""Functions of libraries that seed all generators of random numbers, in the words of those that have them.

set_seed(seed)                ->   torch.manual_seed(seed)
                                   np.random.seed(seed)    (where the program uses them)
                                   random.seed(seed)
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from torch2jax.facts.accelerators import FABRIC, is_made_of
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import dotted
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import always_statements
from torch2jax.syntax.quote import quote_statement

_WORDS = frozenset({"set_seed", "seed_everything"})
_SEEDING = frozenset(
    {
        "accelerate.utils.set_seed",
        "accelerate.utils.random.set_seed",
        "lightning.Fabric.seed_everything",
        "lightning.fabric.Fabric.seed_everything",
        "lightning.fabric.seed_everything",
        "lightning.fabric.utilities.seed.seed_everything",
        "lightning.pytorch.seed_everything",
        "lightning.seed_everything",
        "lightning_fabric.Fabric.seed_everything",
        "lightning_fabric.seed_everything",
        "lightning_fabric.utilities.seed.seed_everything",
        "pytorch_lightning.seed_everything",
        "pytorch_lightning.utilities.seed.seed_everything",
        "transformers.set_seed",
        "transformers.trainer_utils.set_seed",
    }
)
_HARMLESS = frozenset({"workers", "verbose"})
_MODULES = {"numpy": "np", "random": "random"}  # with their own generators, and how they are usually called


def normalize_library_seeds(work: NormalizationRound) -> None:
    """Normalize all such lines of a file."""
    if not any(map(work.program.mentions, _WORDS)):
        return
    calls = [call for call in work.index.calls if isinstance(work.index.parents[call], cst.Expr) and _seeds(work, call)]
    missing = [word for word in _MODULES if not work.alias_of(word) and any(file.mentions(word) for file in work.program.files)]  # fmt: skip
    if calls and missing:
        _import(work, missing)
        return  # the next round finds them
    for call in calls:
        lines = _lines(work, call)
        if lines is not None:
            work.edits.rewrite_statement(work.index.statement_of(call), always_statements(lines))


def _import(work: NormalizationRound, modules: Sequence[str]) -> None:
    """Import modules that only other files have so far, in front of the first import."""
    first = next(line for line in work.index.module.body if _imports(line))
    free = work.names_at(first)
    lines = []
    for module in modules:
        name = free(_MODULES[module])
        lines.append(quote_statement(f"import {module}" if name == module else f"import {module} as {name}"))
    work.edits.before(first, always_statements(lines))


def _imports(line: cst.CSTNode) -> bool:
    """Whether a line imports something other than what comes first in a file."""
    match line:
        case cst.SimpleStatementLine(body=[cst.Import(), *_]):
            return True
        case cst.SimpleStatementLine(body=[cst.ImportFrom(module=module), *_]):
            return module is None or dotted(module) != "__future__"
    return False


def _seeds(work: NormalizationRound, call: cst.Call) -> bool:
    """Whether a call seeds everything: a function of a library, or a method of its object."""
    if work.values.torch_name(call.func) in _SEEDING:
        return True
    match call.func:
        case cst.Attribute(value=place, attr=cst.Name("seed_everything")):
            return is_made_of(work.values(place), FABRIC)
    return False


def _lines(work: NormalizationRound, call: cst.Call) -> list[cst.BaseStatement] | None:
    """What seeds the generators that the program uses."""
    given = [item for item in call.args if item.keyword is None or item.keyword.value not in _HARMLESS]
    torch = work.torch_alias()
    if len(given) != 1 or given[0].star or torch is None or not _is_repeatable(given[0].value):
        return None
    named = [(work.alias_of(module), name) for module, name in (("numpy", "random.seed"), ("random", "seed"))]
    seeders = [f"{torch}.manual_seed", *(f"{alias}.{name}" for alias, name in named if alias is not None)]
    return [quote_statement(f"{seeder}({code(given[0].value)})") for seeder in seeders]


def _is_repeatable(node: cst.BaseExpression) -> bool:
    """Whether a seed may be written several times: a number, a name, an entry, or a sum or product of these."""
    if isinstance(node, cst.BinaryOperation):
        return _is_repeatable(node.left) and _is_repeatable(node.right)
    return isinstance(node, cst.Integer) or dotted(node) is not None or _reads(node)


def _reads(node: cst.BaseExpression) -> bool:
    """`int(config["seed"])`, `config["seed"]`."""
    match node:
        case cst.Call(func=cst.Name("int"), args=[cst.Arg(value=inner)]):
            return dotted(inner) is not None or _reads(inner)
        case cst.Subscript(value=place, slice=[cst.SubscriptElement(slice=cst.Index(value=cst.SimpleString()))]):
            return dotted(place) is not None
    return False


__all__ = ["normalize_library_seeds"]
