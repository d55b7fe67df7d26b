"""The pipeline of one file: facts, plan, edits, one rebuild, imports and support code.

source -> index -> program -> values -> effects -> steps        facts
       -> threading -> keys                                      plan
       -> modules, training, threading, statements, calls, names edits
       -> apply -> imports -> support                            text
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Protocol

import libcst as cst

from torch2jax.analysis import Analysis, Neighbours, NormalizedEffects, Prepared, analyse, prepare
from torch2jax.diagnostics import CODES_BY_ID, Diagnostic, Severity
from torch2jax.emit.check import assigned_names, hidden_names
from torch2jax.emit.finish import finish
from torch2jax.emit.imports import known_imports, read_imports
from torch2jax.emit.order import check_order
from torch2jax.emit.remarks import list_diagnostics, mark_errors
from torch2jax.emit.support import HEADING, support_names
from torch2jax.facts.infer import public_names
from torch2jax.lower_control.transforms import Normalized, placed_everywhere
from torch2jax.options import Options
from torch2jax.own_tables import imports_own, package_of, replaced_imports, tables_for
from torch2jax.program.layout import SupportPlace
from torch2jax.program.norm_families import mentions_in_text, told_apart
from torch2jax.program.program import Program, imported_module, modules_asked
from torch2jax.program.torch_packages import needs_torch
from torch2jax.records import dataclass
from torch2jax.rewrite.calls import rewrite_calls
from torch2jax.rewrite.carried import rewrite_carried
from torch2jax.rewrite.class_names import rewrite_class_names
from torch2jax.rewrite.dtype_tests import rewrite_dtype_tests
from torch2jax.rewrite.evaluation import rewrite_evaluation
from torch2jax.rewrite.exceptions import rewrite_exceptions
from torch2jax.rewrite.forward_hooks import rewrite_forward_hooks
from torch2jax.rewrite.freezing import rewrite_freezing
from torch2jax.rewrite.hashes import check_hashes
from torch2jax.rewrite.inplace import rewrite_inplace_expressions
from torch2jax.rewrite.kernels import drop_errors_of_kernels, rewrite_kernels
from torch2jax.rewrite.layer_biases import rewrite_layer_biases
from torch2jax.rewrite.layer_tests import (
    merge_tested_layers,
    note_layer_tests,
    note_layers_told_apart,
    note_optimizer_tests,
)
from torch2jax.rewrite.left_functions import drop_errors_of_left_functions, drop_left_functions
from torch2jax.rewrite.legalize import legalize, note_assumptions, note_wide_types
from torch2jax.rewrite.listed_states import rewrite_listed_states
from torch2jax.rewrite.module_state import rewrite_module_state
from torch2jax.rewrite.modules import rewrite_modules
from torch2jax.rewrite.names import rewrite_names
from torch2jax.rewrite.names_as_text import note_names_as_text
from torch2jax.rewrite.parallel import rewrite_parallel
from torch2jax.rewrite.parameter_loops import rewrite_parameter_loops
from torch2jax.rewrite.promotion import rewrite_promotions
from torch2jax.rewrite.schedules import rewrite_schedules
from torch2jax.rewrite.setup_methods import rewrite_bound
from torch2jax.rewrite.statements import drop_self_assignments, rewrite_statements
from torch2jax.rewrite.switches import rewrite_switches
from torch2jax.rewrite.threading import finish_hoists, rewrite_threading
from torch2jax.rewrite.torch_attributes import rewrite_questions
from torch2jax.rewrite.training import rewrite_training
from torch2jax.rewrite.transforms import rewrite_checkpoints, rewrite_lambdas, rewrite_transforms
from torch2jax.rewrite.unit import Unit
from torch2jax.rewrite.updates import rewrite_updates
from torch2jax.rewrite.variables import rewrite_variables
from torch2jax.rewrite.versions import rewrite_versions
from torch2jax.rewrite.written_arrays import rewrite_written_arrays
from torch2jax.syntax.edits import Edits, Rewriter, core
from torch2jax.syntax.fresh import FreshNames
from torch2jax.syntax.problem import Problem
from torch2jax.syntax.quote import names_in
from torch2jax.syntax.source import Source, parse_source
from torch2jax.syntax.walk import Index, build_index, descendants
from torch2jax.workspace import TORCH_IMPORT, Workspace, alone

PASSES = (
    drop_left_functions,  # nothing is to be decided of what goes
    rewrite_kernels,  # each is one error, which no other pass adds to
    rewrite_parallel,  # what it counts or refuses no other pass touches
    rewrite_freezing,  # first of the rest: others would refuse it
    rewrite_modules,  # classes first: they outline loops and restore ties that other passes then see as settled
    rewrite_module_state,  # where fields that change are made, read and given other values
    rewrite_transforms,  # before calls: it says what they may not do inside of functions with a gradient of their own
    rewrite_carried,  # above the steps that go on from what it computes
    rewrite_training,  # steps claim their statements before any other pass rewrites them one by one
    rewrite_updates,  # behind them: they use and empty the gradients that steps make
    rewrite_schedules,  # before calls and statements, of which it settles those that make and step schedulers
    rewrite_evaluation,  # as do evaluation steps
    rewrite_parameter_loops,  # before statements, which their bodies are; behind training, which names gradients
    rewrite_threading,  # signatures, returns and the results of calls
    rewrite_listed_states,  # behind what names their states
    rewrite_layer_biases,  # before statements, which read what they change
    rewrite_forward_hooks,  # behind the statements that make modules
    rewrite_statements,  # in-place updates and contexts claim whole statements
    rewrite_exceptions,  # which handlers catch what JAX raises
    rewrite_versions,  # tests for the version of torch
    rewrite_dtype_tests,  # before dtypes get names
    rewrite_questions,  # and for what it has
    note_names_as_text,  # and the program for what it has
    rewrite_switches,  # and for how its kernels are set
    rewrite_inplace_expressions,  # in-place operations that no statement has claimed
    rewrite_class_names,  # names of classes, of which calls are parts
    rewrite_calls,  # what is left are calls
    rewrite_bound,  # of which some give models their variables
    rewrite_written_arrays,  # of which some make what is changed in place
    check_hashes,
    rewrite_names,  # and names that are not called
    merge_tested_layers,  # of which several may have become one
    rewrite_promotions,  # and operators
    rewrite_lambdas,  # shortens what they have made of some lambdas
    rewrite_checkpoints,  # wraps what the others have made of some calls
    rewrite_variables,  # what of parameters is read, and not written
    drop_self_assignments,  # what is left of copies that arrays do not need
    finish_hoists,  # behind them: it needs what they have made of hoisted calls
    drop_errors_of_kernels,
    drop_errors_of_left_functions,
)


@dataclass(frozen=True, slots=True)
class Translation:
    """The text of a translated file and what must be told about it."""

    text: str
    diagnostics: tuple[Diagnostic, ...]
    support: tuple[str, ...] = ()
    """What it takes from the support module of its package, and where that module lies."""
    support_file: Path | None = None


class Observer(Protocol):
    """Somebody who wants to know how a file is translated."""

    def passed(self, name: str, unit: Unit) -> None:
        """A pass has run."""

    def finished(self, unit: Unit, source: Source, origins: Mapping[cst.CSTNode, cst.CSTNode]) -> None:
        """All passes have run; `origins` says which node of the original a node stands for."""


def translate_module(
    text: str,
    path: str,
    options: Options,
    taken: frozenset[str] = frozenset(),
    workspace: Workspace | None = None,
    observer: Observer | None = None,
) -> Translation:
    """Translate one file, of the program that `workspace` holds. Raises SourceError if it does not parse. Names that are
    `taken` are imported under others. An `observer` is shown what the passes have done.
    """
    if workspace is not None:
        found = workspace.settled(path, again=bool(taken)) if workspace.concerns(path) else None
    else:
        found, workspace = _analysis_alone(parse_source(text, path), options)
    if found is None:
        return Translation(text, ())
    prepared, analysis = found
    unit = _unit(analysis, options, path, taken)
    index = unit.facts.program.index
    normalized = _composed(prepared.normalized, analysis.normalized, index)
    _note_normalized(unit, normalized)
    if workspace is not None:
        _note_others(unit, analysis, workspace, path)
    own = {(name, unit.facts.program.prefix): Path(path).name for name in prepared.layers}
    note_layers_told_apart(unit)
    note_optimizer_tests(unit)
    note_layer_tests(unit, workspace.derived_layers() if workspace is not None and workspace.files else own)
    unit.members = prepared.members
    for rewrite in PASSES:
        rewrite(unit)
        if observer is not None:
            observer.passed(rewrite.__name__, unit)
    legalize(unit)
    note_assumptions(unit)
    note_wide_types(unit)
    mark_errors(unit)
    rewriter = Rewriter(unit.edits, index.parents)
    module = rewriter(index.module)
    assert isinstance(module, cst.Module)
    check_order(unit, prepared.normalized.index.module, analysis.normalized, module, rewriter)
    spread = prepared.origins
    origins = {**spread, **{new: spread.get(old, old) for new, old in normalized.origins.items()}}
    place = _support_place(path, options, workspace)
    finished = finish(unit, module, prepared.source, options, place.module if place is not None else None)
    if clashes := assigned_names(finished.text, unit.own - unit.bound):  # with names that the passes have made up
        program = workspace if workspace is not None and workspace.files else None
        return translate_module(text, path, options, taken | clashes, program, observer)
    _note_foreign(unit, module, rewriter, finished.foreign)
    _note_hidden(unit, finished.text)
    if observer is not None:
        observer.finished(unit, prepared.source, origins)
    diagnostics = list_diagnostics(unit, path, prepared.source, origins)
    file = place.file if place is not None and finished.support else None
    return Translation(finished.text, diagnostics, finished.support, file)


def _note_foreign(unit: Unit, module: cst.Module, rewriter: Rewriter, names: Sequence[str]) -> None:
    """Support code that another target alone has is reported where it is asked for."""
    for name in names:
        place: cst.CSTNode = unit.facts.program.index.module
        for node in descendants(module):
            if isinstance(node, (cst.SimpleStatementLine, cst.BaseCompoundStatement)) and name in names_in(node):
                place = rewriter.sources.get(core(node), place)
        reason = f"`{name}`, which it takes, is there for another target only"
        unit.problem(place, "T2J612", name=f"this use of {name}", reason=reason)


def _note_hidden(unit: Unit, text: str) -> None:
    """A program's own variable must not have the name of what the translation imports, where both are meant."""
    index = unit.facts.program.index
    known = known_imports(unit.facts.target.name)
    own = frozenset(name.value for name in index.names if name.value in known and _is_value(index.parents[name], name))
    for hidden in sorted(hidden_names(text, index.module.code, own)) if own else ():
        node = next(name for name in index.names if name.value == hidden and _is_value(index.parents[name], name))
        unit.problem(node, "T2J200", name=f"{hidden}, a variable that hides what translations import by this name,")


def _is_value(parent: cst.CSTNode, name: cst.Name) -> bool:
    return isinstance(parent, (cst.AssignTarget, cst.AnnAssign, cst.AugAssign, cst.Param, cst.For, cst.Element)) and (
        getattr(parent, "annotation", None) is not name
    )


def _support_place(path: str, options: Options, workspace: Workspace | None) -> SupportPlace | None:
    """The module from which a file takes its support code, where packages share it."""
    if options.support != "module" or workspace is None:
        return None
    return workspace.layout.support_of(Path(path).resolve())


def _analysis_alone(source: Source, options: Options) -> tuple[tuple[Prepared, Analysis] | None, Workspace | None]:
    """The analysis of a file on its own, None if it has nothing to translate, and what it knows of the files that it imports."""
    index, package = build_index(source.module), package_of(source.path, options)
    if not _imports_torch(index) and not imports_own(index, tables_for(options), package):
        return None, None
    if not options.follow_imports:
        prepared = prepare(source, options, index=index)
        around = Neighbours(families=told_apart([mentions_in_text(source.text)]))
        return (
            prepared,
            analyse(prepared.normalized.index, options, around, package, marks=prepared.normalized.marks),
        ), None
    workspace, place = alone(options, source.path), Path(source.path).resolve()
    prepared = prepare(source, options, workspace.asked(place), index, workspace.is_imported(place))
    return (prepared, workspace.follow(prepared, source.path)), workspace


def _note_normalized(unit: Unit, normalized: Normalized) -> None:
    """What was told about transforms before all else, and which calls compute their intermediate values again."""
    unit.checkpoints = normalized.checkpoints
    for problem in normalized.problems:
        unit.problems.append(Problem(problem.node, problem.code, problem.fields))
        if CODES_BY_ID[problem.code].severity is Severity.ERROR:
            unit.settle(problem.node)


def _composed(first: Normalized, second: NormalizedEffects, last: Index) -> Normalized:
    """What two normalizations, one after the other, have come to, for the `last` tree; the index is that of the first."""
    origins = dict(first.origins)
    origins |= {new: first.origins.get(old, old) for new, old in second.origins.items()}
    rebuilt = [Problem(second.rebuilt.get(item.node, item.node), item.code, item.fields) for item in first.problems]
    moved = [place for item in rebuilt for place in placed_everywhere(item, last, second.origins)]
    checkpoints = frozenset(second.rebuilt.get(node, node) for node in first.checkpoints)
    return Normalized(first.index, origins, (*moved, *second.problems), checkpoints)


def _imports_torch(index: Index) -> bool:
    return any(needs_torch(item.module) for node in index.imports for item in read_imports(node))


def _unit(analysis: Analysis, options: Options, path: str, taken: frozenset[str]) -> Unit:
    index = analysis.facts.program.index
    names = {name.value for name in index.names}
    replaced = replaced_imports(analysis.facts, package_of(path, options))
    bound = frozenset((*_bound_names(analysis.facts.program, replaced), *_star_names(analysis.facts.program))) | taken
    own = frozenset(analysis.facts.tables.imports.get(options.target, ()))
    if own and any(isinstance(node.names, cst.ImportStar) for node in index.imports):
        bound |= own  # whatever a star may bind
    unit = Unit(analysis.facts, analysis.plan, Edits(), support_names(options.target), bound, FreshNames(names | own))
    unit.own, unit.replaced = own, replaced
    for node, identifier, fields in analysis.plan.problems:
        unit.problem(node, identifier, **fields)
    return unit


def _star_names(program: Program) -> Iterable[str]:
    """What star imports of other files of the program bind, but for names of torch, which go."""
    for node in program.index.imports:
        if isinstance(node, cst.ImportFrom) and isinstance(node.names, cst.ImportStar):
            module = program.module_asked(imported_module(node)[0])
            yield from public_names(module).keys() - module.gone if module is not None else ()


def _note_others(unit: Unit, analysis: Analysis, workspace: Workspace, path: str) -> None:
    """A file translated alone must not import others that use torch; files translated together must agree."""
    if workspace.files:
        unit.others = tuple(other.facts for other in workspace.analyses.values())
        for call, name in workspace.disagreements(analysis):
            unit.problem(call, "T2J007", name=name)
        return
    file = Path(path).resolve()
    for node in unit.facts.program.index.imports:
        if {item.bound for item in read_imports(node)} <= unit.replaced:
            continue
        for name in modules_asked(node):
            other = workspace.layout.locate(name, file)
            if other is not None and TORCH_IMPORT.search(other.read_text(encoding="utf-8", errors="replace")):
                unit.problem(node, "T2J006", name=name)


_BINDERS = frozenset({cst.AssignTarget, cst.Param, cst.FunctionDef, cst.ClassDef, cst.For, cst.CompFor, cst.AsName})


def _bound_names(program: Program, replaced: frozenset[str]) -> Iterable[str]:
    """Every name that the file binds somewhere, imports of torch excepted and those that are `replaced`."""
    index = program.index
    for name in index.names:
        parent = index.parents[name]
        if name.value in replaced:
            continue
        if type(parent) in _BINDERS:
            if getattr(parent, "iter", None) is not name and getattr(parent, "default", None) is not name:
                yield name.value
        elif type(parent) is cst.Element and _is_stored(index, parent):
            yield name.value
    for node in index.imports:
        for item in read_imports(node):
            is_kept = not needs_torch(item.module) or program.has_file_of(item.module)
            if is_kept and item.name and item.bound not in replaced:
                yield item.asname or item.name


def _is_stored(index: Index, node: cst.CSTNode) -> bool:
    for ancestor in index.ancestors(node):
        if isinstance(ancestor, (cst.AssignTarget, cst.For, cst.CompFor)):
            return True
        if not isinstance(ancestor, (cst.Tuple, cst.List, cst.Element)):
            return False
    return False


__all__ = ["HEADING", "Translation", "translate_module"]
