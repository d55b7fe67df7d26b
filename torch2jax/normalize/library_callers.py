"""Functions that a library or Python calls, which has no key to give, seed themselves where they draw random numbers:

@app.command()                  ->   @app.command()
def train(n: int = 3):               def train(n: int = 3):
    x = torch.randn(n)                   torch.manual_seed(0)
                                         x = torch.randn(n)

So do tests, each of which draws as if it ran alone. Threads, callbacks and others that may run more than once take another seed
each time: `torch.manual_seed(next(seeds))`.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count

import libcst as cst

from torch2jax.facts.effects import EAGER_CALLERS, Draw
from torch2jax.facts.library_calls import given_functions, hands_over, runs
from torch2jax.facts.outside_callers import called_by_others
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import Function, dotted
from torch2jax.syntax.edits import always_statements
from torch2jax.syntax.quote import quote_statement


def normalize_library_callers(work: NormalizationRound) -> None:
    """Normalize the functions of a file that draw, and that others than the program call."""
    assert work.effects is not None
    drawing = [item for item in work.program.functions.values() if work.effects.of(item).draw is not Draw.NONE]
    called = _called(work, drawing) if drawing else {}
    if not called:
        return
    first = work.first_import(work.index.top_level(next(iter(called)).node))
    torch = work.torch_alias()
    if torch is None:
        torch = work.fresh("torch")
        work.edits.before(first, always_statements([_import("torch", torch)]))
    often = [item for item, is_once in called.items() if not is_once]
    seeds = work.fresh("seeds") if often else ""
    taken = _seeds(work)
    numbers = (number for number in count(_first_seed(work)) if number not in taken)  # no two of them draw the same
    for function, is_once in called.items():
        line = quote_statement(f"{torch}.manual_seed({next(numbers) if is_once else f'next({seeds})'})")
        work.edits.prologue(function.node.body, always_statements([line]))
    if often:
        module = work.alias_of("itertools")
        if module is None:
            module = work.fresh("itertools")
            work.edits.before(first, always_statements([_import("itertools", module)]))
        made = quote_statement(f"{seeds} = {module}.count({max([next(numbers), *(seed + 1 for seed in taken)]) or ''})")
        _put_below_imports(work, work.index.top_level(often[0].node), made)


def _import(module: str, name: str) -> cst.BaseStatement:
    return quote_statement(f"import {module}" if name == module else f"import {module} as {name}")


def _called(work: NormalizationRound, drawing: Iterable[Function]) -> dict[Function, bool]:
    """The functions that others call, and whether they do so once only."""
    assert work.effects is not None
    found: dict[Function, bool] = {}
    for function in drawing:
        is_once = called_by_others(function, work.program, work.values)
        if is_once is not None:
            found[function] = is_once
    for node, function, call in given_functions(work.program, work.values, work.effects):
        is_once = None if dotted(call.func) in EAGER_CALLERS else runs(call, work.values)
        if is_once is not None and not hands_over(call, node, work.values):
            found[function] = found.get(function, True) and is_once and not _is_repeated(work, call)
    return {item: is_once for item, is_once in found.items() if _may_seed_itself(work, item, is_once)}


def _is_repeated(work: NormalizationRound, call: cst.Call) -> bool:
    loops = (cst.For, cst.While, cst.CompFor, cst.ListComp, cst.GeneratorExp, cst.FunctionDef)
    return any(isinstance(node, loops) for node in work.index.ancestors(call))


def _may_seed_itself(work: NormalizationRound, function: Function, is_once: bool) -> bool:
    """Whether nothing that the program seeds or draws depends on it: only lines of the file that draw nothing else call it
    as well, and the seeds of others are numbers, or are set in what it calls.
    """
    owner = function.owner
    if (owner is not None and owner.is_module) or not isinstance(function.node.body, cst.IndentedBlock):
        return False
    around = {work.program.function_around(call) for call in function.callers}
    others = [call for call in work.index.calls if call not in function.callers]
    if around - {None} or (around and any(_draws_above(work, call) for call in others)):
        return False
    below = _reached(work, function)
    files = [work.program] if is_once else work.program.files
    for file in files:
        for call in file.index.calls:
            place = file.function_around(call)
            if (dotted(call.func) or "").rpartition(".")[2] == "manual_seed" and place not in below:
                if not all(isinstance(item.value, cst.Integer) for item in call.args):
                    return False
    return True


def _put_below_imports(work: NormalizationRound, place: cst.CSTNode, made: cst.BaseStatement) -> None:
    """A line of the file below the imports above a place."""
    lines = list(work.index.module.body)
    above = [line for line in map(work.index.statement_of, work.index.imports) if line in lines[: lines.index(place)]]  # type: ignore[arg-type]
    if above:
        apart = made.with_changes(leading_lines=[cst.EmptyLine(indent=False)])
        work.edits.after(max(above, key=lines.index), always_statements([apart]))
    else:
        work.edits.before(place, always_statements([made]))


def _seeds(work: NormalizationRound) -> set[int]:
    """The seeds that code of the file sets, above a test, say."""
    calls = [call for call in work.index.calls if (dotted(call.func) or "").rpartition(".")[2] == "manual_seed"]
    return {int(item.value.value, 0) for call in calls for item in call.args if isinstance(item.value, cst.Integer)}


def _first_seed(work: NormalizationRound) -> int:
    """The first seed that nothing draws from yet: what is at the level of the file has 0, and pytest's fixtures for all files
    are beside those of each.
    """
    if work.program.prefix.rstrip(":").rpartition("/")[2] == "conftest":
        return 1000
    return int(any(_draws_above(work, call) for call in work.index.calls))


def _draws_above(work: NormalizationRound, call: cst.Call) -> bool:
    """Whether a call at the level of the file draws."""
    assert work.effects is not None
    return work.program.function_around(call) is None and work.effects.draw_of(call) is not Draw.NONE


def _reached(work: NormalizationRound, function: Function) -> set[Function | None]:
    """A function, and the functions of the file that only it and those call."""
    found: set[Function | None] = {function}
    while True:
        more = {
            item
            for item in work.program.functions.values()
            if item not in found
            and item.callers
            and all(work.program.function_around(call) in found for call in item.callers)
        }
        if not more:
            return found
        found |= more


__all__ = ["normalize_library_callers"]
