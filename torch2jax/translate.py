"""The pipeline of one file: facts, plan, edits, one rebuild, imports and support code.

source -> index -> program -> values -> effects -> steps        facts
       -> threading -> keys                                      plan
       -> modules, training, threading, statements, calls, names edits
       -> apply -> imports -> support                            text
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from pathlib import Path

import libcst as cst

from torch2jax.analysis.arguments import restate_arguments, tidy_arguments
from torch2jax.analysis.chained_stores import restate_chained_stores
from torch2jax.analysis.constant_forwards import restate_constant_forwards
from torch2jax.analysis.control import restate_control
from torch2jax.analysis.devices import restate_devices
from torch2jax.analysis.effects import Summary, analyse_effects
from torch2jax.analysis.evaluation import find_evaluations
from torch2jax.analysis.freezing import find_freezing
from torch2jax.analysis.infer import infer_values
from torch2jax.analysis.made_arguments import restate_made_arguments
from torch2jax.analysis.named_parts import restate_named_parts
from torch2jax.analysis.parameter_loops import find_parameter_loops
from torch2jax.analysis.part_loops import restate_part_loops
from torch2jax.analysis.products import restate_products
from torch2jax.analysis.program import (
    Function,
    build_program,
    canonical,
    import_bindings,
    imported_module,
    needs_torch,
)
from torch2jax.analysis.replaced_parts import find_replaced_parts
from torch2jax.analysis.restating import Problem, Restating
from torch2jax.analysis.schedules import find_schedules
from torch2jax.analysis.state_methods import restate_state_methods
from torch2jax.analysis.stored_changes import restate_stored_changes
from torch2jax.analysis.time_steps import restate_time_steps
from torch2jax.analysis.training import Flows, find_steps
from torch2jax.analysis.transforms import Restated, note_origins, placed, restate_transforms
from torch2jax.analysis.views import restate_views
from torch2jax.diagnostics import CODES_BY_ID, Diagnostic, diagnose
from torch2jax.emit.check import assigned_names, undefined_names
from torch2jax.emit.imports import filter_import, read_imports, update_imports
from torch2jax.emit.support import HEADING, SupportCode, collect_support, import_support, place_support, support_names
from torch2jax.ops.schema import Tables
from torch2jax.ops.tables import load_tables
from torch2jax.options import Options
from torch2jax.plan.keys import plan_keys
from torch2jax.plan.model import Facts, Plan
from torch2jax.plan.threading import plan_threading
from torch2jax.rewrite.calls import rewrite_calls
from torch2jax.rewrite.evaluation import rewrite_evaluation
from torch2jax.rewrite.freezing import rewrite_freezing
from torch2jax.rewrite.inplace import rewrite_inplace_expressions
from torch2jax.rewrite.module_state import rewrite_module_state
from torch2jax.rewrite.modules import rewrite_modules
from torch2jax.rewrite.names import rewrite_names
from torch2jax.rewrite.parameter_loops import rewrite_parameter_loops
from torch2jax.rewrite.promotion import rewrite_promotions
from torch2jax.rewrite.schedules import rewrite_schedules
from torch2jax.rewrite.statements import drop_self_assignments, rewrite_statements
from torch2jax.rewrite.threading import finish_hoists, rewrite_threading
from torch2jax.rewrite.training import rewrite_training
from torch2jax.rewrite.transforms import rewrite_checkpoints, rewrite_lambdas, rewrite_transforms
from torch2jax.rewrite.unit import Remark, Unit
from torch2jax.syntax.codegen import code, code_in
from torch2jax.syntax.edits import Edits, Rewriter, always, apply_edits
from torch2jax.syntax.fresh import FreshNames
from torch2jax.syntax.imported import Import
from torch2jax.syntax.lines import spread_lines
from torch2jax.syntax.positions import find_positions
from torch2jax.syntax.source import Source, SourceError, parse_source
from torch2jax.syntax.walk import Index, build_index, children
from torch2jax.targets import TARGETS
from torch2jax.values import UNKNOWN, Kind, Value

PASSES = (
    rewrite_freezing,  # first: others would refuse it
    rewrite_modules,  # classes first: they outline loops and restore ties that other passes then see as settled
    rewrite_module_state,  # where fields that change are made, read and given other values
    rewrite_transforms,  # before calls: it says what they may not do inside of functions with a gradient of their own
    rewrite_training,  # steps claim their statements before any other pass rewrites them one by one
    rewrite_schedules,  # before calls and statements, of which it settles those that make and step schedulers
    rewrite_evaluation,  # as do evaluation steps
    rewrite_parameter_loops,  # before statements, which their bodies are; behind training, which names gradients
    rewrite_threading,  # signatures, returns and the results of calls
    rewrite_statements,  # in-place updates and contexts claim whole statements
    rewrite_inplace_expressions,  # in-place operations that no statement has claimed
    rewrite_calls,  # what is left are calls
    rewrite_names,  # and names that are not called
    rewrite_promotions,  # and operators
    rewrite_lambdas,  # shortens what they have made of some lambdas
    rewrite_checkpoints,  # wraps what the others have made of some calls
    drop_self_assignments,  # what is left of copies that arrays do not need
    finish_hoists,  # last: it needs what the others have made of hoisted calls
)

# Before all of them, and before anything is planned, effects are restated in torch's own words, each pass on the facts of
# what the ones before it have left, until it has nothing more to restate.
RESTATEMENTS: tuple[Callable[[Restating], None], ...] = (
    restate_devices,
    restate_constant_forwards,
    restate_named_parts,
    restate_part_loops,
    restate_made_arguments,
    restate_stored_changes,
    restate_chained_stores,
    restate_products,
    restate_arguments,
    restate_state_methods,
    restate_views,
    restate_state_methods,  # once more: the state that changes of views have shown
    tidy_arguments,
    restate_control,
    restate_time_steps,
)
_ROUNDS = 8

_IMPORTS = {
    "jnp": Import("jax.numpy", None, "jnp"),
    "jax": Import("jax"),
    "np": Import("numpy", None, "np"),
    "eqx": Import("equinox", None, "eqx"),
    "nnx": Import("flax", "nnx"),
    "optax": Import("optax"),
    "einops": Import("einops"),
    "itertools": Import("itertools"),
    "math": Import("math"),
    "partial": Import("functools", "partial"),
    "Callable": Import("collections.abc", "Callable"),
    "Any": Import("typing", "Any"),
}


@dataclass(frozen=True, slots=True)
class Translation:
    """The text of a translated file and what must be told about it."""

    text: str
    diagnostics: tuple[Diagnostic, ...]


def translate_module(text: str, path: str, options: Options, taken: frozenset[str] = frozenset()) -> Translation:
    """Translate one file. Raises SourceError if it does not parse. Names that are `taken` are imported under others."""
    source = parse_source(text, path)
    index = build_index(source.module)
    if not _imports_torch(index) and not _imports_own(index, tables_for(options), _package(path, options)):
        return Translation(text, ())
    spread = spread_lines(source.module)
    if spread.origins:
        index = build_index(spread.module)
    restated = restate_transforms(index, text, tables_for(options))
    unit, effects = _unit(restated.index, options, path, taken)
    index = unit.facts.program.index
    restated = _composed(restated, effects)
    _note_restated(unit, restated)
    for rewrite in PASSES:
        rewrite(unit)
    _legalize(unit)
    _note_assumptions(unit)
    _note_wide_types(unit)
    _mark(unit)
    module = apply_edits(index.module, unit.edits, index.parents)
    origins = spread.origins | {new: spread.origins.get(old, old) for new, old in restated.origins.items()}
    finished = _finish(unit, module, source, options)
    if clashes := assigned_names(finished, unit.own - unit.bound):  # with names that the passes have made up
        return translate_module(text, path, options, taken | clashes)
    return Translation(finished, _diagnostics(unit, source, origins))


def _note_restated(unit: Unit, restated: Restated) -> None:
    """What was told about transforms before all else, and which calls compute their intermediate values again."""
    unit.checkpoints = restated.checkpoints
    for problem in restated.problems:
        unit.remarks.append(Remark(problem.node, problem.code, problem.fields))
        unit.settle(problem.node)


@dataclass(slots=True)
class EffectsRestated:
    """What restating the effects of a file has come to. `origins` maps new nodes to those of the tree before, `rebuilt`
    those of the tree before to what stands in their place.
    """

    origins: dict[cst.CSTNode, cst.CSTNode] = field(default_factory=dict)
    rebuilt: dict[cst.CSTNode, cst.CSTNode] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    settled: set[cst.CSTNode] = field(default_factory=set)
    in_place: set[cst.CSTNode] = field(default_factory=set)
    marks: set[tuple[str, ...]] = field(default_factory=set)
    lasting: list[Problem] = field(default_factory=list)

    def apply(self, work: Restating) -> Index:
        """The index of the module with the edits of one round."""
        rewriter = Rewriter(work.edits, work.index.parents)
        module = rewriter(work.index.module)
        assert isinstance(module, cst.Module)
        note_origins(work.index, module, work.copies, self.origins)
        self.rebuilt = {old: rewriter.rebuilt.get(new, new) for old, new in self.rebuilt.items()} | rewriter.rebuilt
        self.settled = {rewriter.rebuilt.get(node, node) for node in self.settled | work.settled}
        self.in_place = {rewriter.rebuilt.get(node, node) for node in self.in_place | work.in_place}
        self.marks |= work.marks
        index = build_index(module)
        self.lasting = [
            Problem(self._kept(item.node, work.index, index, rewriter), item.code, item.fields)
            for item in (*self.lasting, *work.lasting)
        ]
        return index

    def _kept(self, node: cst.CSTNode, old: Index, new: Index, rewriter: Rewriter) -> cst.CSTNode:
        """What stands in the new tree for a node of the old one: itself, what was made of it, or of what is around it."""
        for item in (node, *old.ancestors(node)):
            kept = rewriter.rebuilt.get(item, item)
            if kept in new.parents:
                return kept
            origin = self.origins.get(item, item)
            made = next((new_node for new_node in new.parents if self.origins.get(new_node) is origin), None)
            if made is not None:
                return made
        return new.module


def _composed(first: Restated, second: EffectsRestated) -> Restated:
    """What two restatements, one after the other, have come to; the index is that of the first."""
    origins = dict(first.origins)
    origins |= {new: first.origins.get(old, old) for new, old in second.origins.items()}
    moved = [Problem(second.rebuilt.get(item.node, item.node), item.code, item.fields) for item in first.problems]
    checkpoints = frozenset(second.rebuilt.get(node, node) for node in first.checkpoints)
    return Restated(first.index, origins, (*moved, *second.problems), checkpoints)


def tables_for(options: Options) -> Tables:
    """The tables of a conversion: the shipped ones, under rows of the user's own. Raises TableError."""
    return _tables_with(options.mappings, _stamps(options.mappings)) if options.mappings else load_tables()


@lru_cache(maxsize=4)
def _tables_with(files: tuple[str, ...], stamps: tuple[int, ...]) -> Tables:
    """Tables with those of some files, read anew when one of them has changed."""
    del stamps
    from torch2jax.coverage import State, decide
    from torch2jax.ops.own import Surroundings, own_tables

    no_rows = Tables({}, {})

    def is_decided(name: str) -> bool:
        in_code = name.startswith(("torch.optim.lr_scheduler.", "torch.utils.data."))
        return in_code or decide(name, no_rows).state is not State.UNKNOWN

    return own_tables(files, Surroundings(load_tables(), _IMPORTS.values(), support_names(), is_decided, canonical))


def _package(path: str, options: Options) -> str:
    """The package that a file belongs to, for relative imports: only where there are tables that may name it."""
    folder, parts = Path(path).resolve().parent, list[str]()
    while options.mappings and (folder / "__init__.py").is_file():
        parts.insert(0, folder.name)
        folder = folder.parent
    return ".".join(parts)


def _own_bindings(node: cst.Import | cst.ImportFrom, tables: Tables, package: str) -> dict[str, Import]:
    """The names by which an import makes things known for which the user has rows."""
    if not tables.own or isinstance(node.names, cst.ImportStar):
        return {}
    values = import_bindings(node, (), tables.own, package)
    return {
        item.bound: item
        for item in read_imports(node)
        if tables.has_own(str(values.get(item.bound, UNKNOWN).const)) and not _is_torch(item)
    }


def _imports_own(index: Index, tables: Tables, package: str) -> bool:
    return any(
        import_bindings(node, (), tables.own, package)
        if isinstance(node.names, cst.ImportStar)
        else _own_bindings(node, tables, package)
        for node in index.imports
    )


def _replaced(facts: Facts, package: str) -> frozenset[str]:
    """Names of imports of which rows of the user's own decide every use: the imports go as those of torch do."""
    index, values, tables = facts.program.index, facts.values, facts.tables
    found: set[str] = set()
    others: set[str] = set()
    for node in index.imports:
        bound = _own_bindings(node, tables, package)
        found |= bound.keys()
        others |= {item.bound for item in read_imports(node)} - bound.keys()
    if not found:
        return frozenset()
    used: set[str] = set()
    for name in index.names:
        parent = index.parents[name]
        if (
            name.value not in found
            or index.is_label(name)
            or any(item in index.imports for item in index.ancestors(name))
        ):
            continue
        used.add(name.value)
        place: cst.CSTNode = name
        while values.torch_name(place) is None and isinstance(parent, cst.Attribute) and parent.value is place:
            place, parent = parent, index.parents[parent]
        if values.torch_name(place) not in tables.own:
            others.add(name.value)
    for text in index.every(cst.SimpleString):
        others.add(text.raw_value)  # as in `__all__`
    return frozenset(found & used - others)


def _imports_torch(index: Index) -> bool:
    return any(item.module.split(".")[0] == "torch" for node in index.imports for item in read_imports(node))


def _unit(index: Index, options: Options, path: str, taken: frozenset[str]) -> tuple[Unit, EffectsRestated]:
    package = _package(path, options)
    if options.follow_imports:
        stamps = _stamps((*options.files, *options.mappings))
        workspace = _workspace(options, stamps) if options.files else Workspace(options)
        analysis = workspace.analyse(index, path)
    else:
        analysis = analyse(index, options, "", {}, {}, package=package)
    index = analysis.facts.program.index
    names = {name.value for name in index.names}
    replaced = _replaced(analysis.facts, package)
    bound = frozenset(_bound_names(index, replaced)) | taken
    own = frozenset(analysis.facts.tables.imports.get(options.target, ()))
    if own and any(isinstance(node.names, cst.ImportStar) for node in index.imports):
        bound |= own  # whatever a star may bind
    unit = Unit(analysis.facts, analysis.plan, Edits(), support_names(), bound, FreshNames(names | own))
    unit.own, unit.replaced = own, replaced
    for node, identifier, fields in analysis.plan.problems:
        unit.problem(node, identifier, **fields)
    if options.follow_imports and not options.files:
        _note_untranslated(unit, workspace, path)
    return unit, analysis.restated


def _note_untranslated(unit: Unit, workspace: Workspace, path: str) -> None:
    """A file translated alone must not import others that use torch."""
    for node in unit.facts.program.index.imports:
        if {item.bound for item in read_imports(node)} <= unit.replaced:
            continue
        for name in imported_module(node):
            file = workspace.locate(name, Path(path).resolve())
            if file is not None and _TORCH_IMPORT.search(file.read_text(encoding="utf-8", errors="replace")):
                unit.problem(node, "T2J006", name=name)


@dataclass(frozen=True, slots=True)
class Analysis:
    """The facts and the plan of one file."""

    facts: Facts
    plan: Plan
    restated: EffectsRestated


Calls = Mapping[str, Mapping[str, Value]]  # function's key -> parameter -> what other files pass for it


def analyse(
    index: Index,
    options: Options,
    prefix: str,
    imports: Mapping[str, Analysis],
    calls: Calls,
    known: Sequence[Analysis] = (),
    package: str = "",
) -> Analysis:
    """Facts and plan of one file, given those of the files that it imports, and how other files call its functions."""
    tables, target = tables_for(options), TARGETS[options.target]
    others = (*known, *imports.values())
    summaries: dict[Function, Summary] = {}
    for other in others:
        summaries.update(other.facts.effects.summaries)
    lambdas = {node: draw for other in others for node, draw in other.facts.effects.drawing_lambdas().items()}

    def look(index: Index, restated: EffectsRestated) -> Restating:
        program = build_program(index, prefix)
        program.package = package
        program.settled, program.marks = frozenset(restated.settled), frozenset(restated.marks)
        program.in_place = frozenset(restated.in_place)
        for name, other in imports.items():
            program.adopt(name, other.facts.program)
        for elsewhere in known:  # whatever other files may pass to the functions of this one
            for key, item in elsewhere.facts.program.class_by_key.items():
                program.class_by_key.setdefault(key, item)
        for function in program.functions.values():
            function.seen_elsewhere = dict(calls.get(function.key, {}))
        values = infer_values(program, tables)
        for other in others:
            values.adopt(other.facts.values)
        drawing = target.draws_at_init, target.calls_take_key
        effects = analyse_effects(program, values, tables, *drawing, dict(summaries), lambdas)
        effects.threads = target.state is not None
        values.kept_numbers = effects.kept_numbers()
        return Restating(index, program, values, effects=effects, flows=Flows(program), checked=target.checked)

    found, restated = _restate_effects(look, index)
    program, values, effects, flows = found.program, found.values, found.effects, found.flows
    assert effects is not None and flows is not None
    plan = Plan()
    for other in others:
        plan.adopt(other.plan)
    steps = tuple(find_steps(program, values, flows))
    evaluations = tuple(find_evaluations(program, effects, flows, steps))
    loops = tuple(find_parameter_loops(program, values, flows)) if target.immutable else ()
    replaced = frozenset(find_replaced_parts(program, values, effects)) if target.immutable else frozenset()
    freezing = find_freezing(program, values, steps, flows)
    effects.frozen = freezing.classes.union(*(other.facts.effects.frozen for other in others))
    schedules = find_schedules(program, values, tables, steps)
    facts = Facts(
        program, values, effects, flows, steps, evaluations, tables, target, loops, freezing, replaced, schedules
    )
    plan_threading(facts, plan)
    plan_keys(facts, plan)
    return Analysis(facts, plan, restated)


def _restate_effects(
    look: Callable[[Index, EffectsRestated], Restating], index: Index
) -> tuple[Restating, EffectsRestated]:
    """The facts of what the restatements have made of a file, and what they have to say about it."""
    restated = EffectsRestated()
    work = look(index, restated)
    for restate in RESTATEMENTS:
        for last in [False] * (_ROUNDS - 1) + [True]:
            restate(work)
            problems = list(work.problems)
            work.problems.clear()
            is_done = not work.edits.touched() and work.marks <= restated.marks
            if last or is_done:
                restated.problems += problems
            if is_done:
                restated.settled |= work.settled
                work.program.settled = frozenset(restated.settled)
                break
            work = look(restated.apply(work), restated)
    every = (*restated.lasting, *work.lasting, *restated.problems)
    restated.problems = [placed(item, work.index, restated.origins) for item in every]
    return work, restated


_TORCH_IMPORT = re.compile(r"(?m)^\s*(?:import|from)\s+torch\b")
_FOLLOWED_LINES = 2_000  # of imported files, where one file is translated alone: what lies deeper stays unknown


def _stamps(files: tuple[str, ...]) -> tuple[int, ...]:
    return tuple(Path(file).stat().st_mtime_ns for file in files if Path(file).is_file())


@lru_cache(maxsize=2)
def _workspace(options: Options, stamps: tuple[int, ...]) -> Workspace:
    """The workspace of a program, made anew when one of its files has changed."""
    del stamps
    workspace = Workspace(options)
    for file in options.files:
        workspace.analysis(Path(file))
    workspace.begin_second_round()
    for file in options.files:
        workspace.analysis(Path(file))
    return workspace


@dataclass(slots=True)
class Workspace:
    """The files of a program: each is analysed before those that import it (circles are left open). In a second round the
    calls from all files are known.
    """

    options: Options
    analyses: dict[Path, Analysis] = field(default_factory=dict)
    running: set[Path] = field(default_factory=set)
    calls: dict[str, dict[str, Value]] = field(default_factory=dict)
    known: list[Analysis] = field(default_factory=list)
    lines: int = 0

    def begin_second_round(self) -> None:
        """Keep what the first round has seen of calls, and start anew."""
        for analysis in self.analyses.values():
            self.known.append(analysis)
            for function in analysis.facts.program.functions.values():
                self.calls[function.key] = dict(function.seen)
        self.analyses = {}

    def analyse(self, index: Index, path: str) -> Analysis:
        """The analysis of the file that is translated, on its own index."""
        imports, package = self.imports_of(index, path), _package(path, self.options)
        return analyse(index, self.options, self.prefix(Path(path)), imports, self.calls, self.known, package)

    def prefix(self, file: Path) -> str:
        """What sets the keys of a file apart from those of others."""
        return f"{file.parent.name}/{file.stem}:"

    def imports_of(self, index: Index, path: str) -> dict[str, Analysis]:
        """The analyses of the files that a file imports, by the names that it uses for them."""
        found = {}
        for node in index.imports:
            for name in imported_module(node):
                file = self.locate(name, Path(path).resolve())
                analysis = self.analysis(file) if file is not None else None
                if analysis is not None:
                    found[name] = analysis
        return found

    def locate(self, name: str, importer: Path) -> Path | None:
        """The file of a module: relative to the importing file, or in its folder or one of three above it."""
        level = len(name) - len(name.lstrip("."))
        parts = [part for part in name.lstrip(".").split(".") if part]
        if not parts:
            return None
        folders = list(importer.parents)[:4]
        for base in folders[level - 1 : level] if level else folders:
            for candidate in (base.joinpath(*parts).with_suffix(".py"), base.joinpath(*parts, "__init__.py")):
                if candidate.is_file() and candidate != importer:
                    return candidate
        return None

    def analysis(self, file: Path) -> Analysis | None:
        """The analysis of one file; None if it cannot be read or is being analysed."""
        file = file.resolve()
        if file in self.analyses or file in self.running:
            return self.analyses.get(file)
        try:
            data = file.read_bytes()
            self.lines += data.count(b"\n")
            if not self.options.files and self.lines > _FOLLOWED_LINES:
                return None
            source = parse_source(data, str(file))
        except (SourceError, OSError):
            return None
        self.running.add(file)
        index = restate_transforms(build_index(source.module), source.text, tables_for(self.options)).index
        imports = self.imports_of(index, str(file))
        package = _package(str(file), self.options)
        analysis = analyse(index, self.options, self.prefix(file), imports, self.calls, self.known, package)
        self.analyses[file] = analysis
        self.running.discard(file)
        return analysis


_BINDERS = frozenset({cst.AssignTarget, cst.Param, cst.FunctionDef, cst.ClassDef, cst.For, cst.CompFor, cst.AsName})


def _bound_names(index: Index, replaced: frozenset[str]) -> Iterable[str]:
    """Every name that the file binds somewhere, imports of torch excepted and those that are `replaced`."""
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
            if item.module.split(".")[0] != "torch" and item.name and item.bound not in replaced:
                yield item.asname or item.name


def _is_stored(index: Index, node: cst.CSTNode) -> bool:
    for ancestor in index.ancestors(node):
        if isinstance(ancestor, (cst.AssignTarget, cst.For, cst.CompFor)):
            return True
        if not isinstance(ancestor, (cst.Tuple, cst.List, cst.Element)):
            return False
    return False


def _legalize(unit: Unit) -> None:
    """Every torch name must have been decided; this check trusts no pass."""
    index, values = unit.facts.program.index, unit.facts.values
    for node in (*index.attributes, *index.names):
        name = values.torch_name(node)
        if name is None or node in unit.settled or node in unit.edits.nodes:
            continue
        parent = index.parents.get(node)
        if isinstance(parent, cst.Attribute) and values.torch_name(parent) is not None:
            continue
        if any(
            isinstance(item, (cst.Import, cst.ImportFrom)) or item in unit.edits.nodes or item in unit.settled
            for item in index.ancestors(node)
        ):
            continue
        if isinstance(parent, (cst.AssignTarget, cst.Param)) or (
            isinstance(parent, cst.Arg) and parent.keyword is node
        ):
            continue
        unit.problem(node, "T2J200", name=name)


def _note_assumptions(unit: Unit) -> None:
    """Say which names were taken for tensors by their use, and which imports could hide anything."""
    for function in unit.facts.program.functions.values():
        for param in function.parameters:
            if unit.facts.values(param.name).kind is Kind.TENSOR and _is_assumed(function, param):
                unit.remarks.append(Remark(param, "T2J101", {"name": param.name.value}))
    for node in unit.facts.program.index.imports:
        if isinstance(node, cst.ImportFrom) and isinstance(node.names, cst.ImportStar):
            module = read_imports(node)[0].module
            if not needs_torch(module):
                unit.remarks.append(Remark(node, "T2J004", {"module": module}))


def _is_assumed(function: Function, param: cst.Param) -> bool:
    name = param.name.value
    known = param.annotation is not None or name in function.seen
    return not known and name in function.evidence and function.name != "forward"


_WIDE = {"torch.long": "int64", "torch.int64": "int64", "torch.double": "float64", "torch.float64": "float64"}
_WIDE_METHODS = {"long": "int64", "double": "float64"}


def _note_wide_types(unit: Unit) -> None:
    """Say once per file what 64-bit types become."""
    values = unit.facts.values
    for node in unit.facts.program.index.attributes:
        wide = _WIDE.get(values.torch_name(node) or "")
        if wide is None and values(node.value).kind is Kind.TENSOR:
            wide = _WIDE_METHODS.get(node.attr.value)
        if wide is not None:
            unit.remarks.append(Remark(node, "T2J100", {"dtype": wide}))
            return


def _mark(unit: Unit) -> None:
    """Errors are marked in the text, above the statement."""
    index = unit.facts.program.index
    for remark in unit.remarks:
        identifier = CODES_BY_ID[remark.code]
        if identifier.severity == "error" and not isinstance(remark.node, cst.Module):
            statement: cst.CSTNode = index.statement_of(remark.node)
            while isinstance(statement, cst.If) and isinstance(index.parents.get(statement), cst.If):
                statement = index.parents[statement]  # an `elif` has no line above it that is its own
            unit.edits.comment(statement, f"torch2jax: {remark.code} {_message(remark)}")


def _fields(remark: Remark) -> dict[str, str]:
    wanted = CODES_BY_ID[remark.code].fields
    given = dict(remark.fields)
    fallback = given.get("name", code(remark.node))
    hint = given.get("hint", "")
    return {name: hint if name == "hint" else _short(given.get(name, fallback)) for name in wanted}


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 100 else line[:97] + "..."


def _message(remark: Remark) -> str:
    return CODES_BY_ID[remark.code].message.format(**_fields(remark))


def _diagnostic(remark: Remark, path: str, position: tuple[int, int]) -> Diagnostic:
    fields: dict[str, object] = dict(_fields(remark))
    return diagnose(remark.code, path, position[0], position[1], **fields)


def _diagnostics(unit: Unit, source: Source, origins: Mapping[cst.CSTNode, cst.CSTNode]) -> tuple[Diagnostic, ...]:
    if not unit.remarks:
        return ()
    nodes = [origins.get(remark.node, remark.node) for remark in unit.remarks]
    positions = find_positions(source.module, nodes)
    found = [
        _diagnostic(remark, source.path, positions.get(node, (1, 1)))
        for remark, node in zip(unit.remarks, nodes, strict=True)
    ]
    return tuple(dict.fromkeys(found))


def _finish(unit: Unit, module: cst.Module, source: Source, options: Options) -> str:
    """Imports and support code for what the new text uses."""
    original, wanted = module, _own_imports(unit, options)
    unwanted = partial(_is_unwanted, names=unit.replaced, wanted=frozenset(wanted.values()))
    if _has_inner_imports(unit.facts.program.index):
        module = _drop_inner_imports(original, unwanted)
    written: dict[cst.CSTNode, str] = {}
    kept = update_imports(module, (), unwanted)
    renames = {new: old for old, new in unit.renamed.items()}
    ours = unit.support | unit.own | set(renames) | set(_IMPORTS)
    refused = unit.replaced - unit.own
    own_words = unit.facts.program.index.module is source.module  # else passes have put names of ours among them before
    undefined = _plainly_missing(unit, kept, ours, source) if own_words and not refused else None
    if undefined is None:
        undefined = undefined_names(_without_stars(_text_of(kept, written)), ours | refused)
    if needed := undefined & refused:  # what was refused is still there
        return _finish(replace(unit, replaced=unit.replaced - needed), original, source, options)
    missing = undefined & ours
    if missing and _speaks_of(source, missing):  # the original may have lacked them, too
        missing -= undefined_names(_without_stars(source.text)) - _star_names(unit)
    helpers = sorted(name for name in missing if name in unit.support or renames.get(name) in unit.support)
    imports = [_IMPORTS[name] for name in sorted(missing) if name in _IMPORTS and name not in helpers]
    imports.extend(wanted[name] for name in sorted(missing & wanted.keys()))
    names = [renames.get(name, name) for name in helpers]
    support = SupportCode("", (), ())
    if options.support == "import":
        imports.extend(_renamed_import(item, unit.renamed) for item in import_support(names))
    elif names:
        support = collect_support(names)
        imports.extend(support.imports)
        unseen = {*support.names} & unit.bound - unit.renamed.keys()  # what support code itself needs
        unit.renamed.update({name: f"torch_{name}" for name in unseen})
    finished = update_imports(module, imports, unwanted)
    if not support.text:
        return _text_of(finished, written)
    return place_support(finished, _renamed_support(support, unit.renamed), partial(_part, finished, written))


def _plainly_missing(unit: Unit, kept: cst.Module, ours: Set[str], source: Source) -> frozenset[str] | None:
    """The names of `ours` that the translation has written and nothing binds; None if that takes a look at all scopes:
    the original speaks of one of them, too, or imports everything from somewhere.
    """
    original = unit.facts.program.index.parents
    found: set[str] = set()
    stack: list[cst.CSTNode] = [kept]
    while stack:
        node = stack.pop()
        if type(node) is cst.Name:
            found.add(node.value)
        elif type(node) is cst.Attribute:
            stack.append(node.value)
        else:
            stack += [child for child in children(node) if child not in original]
    found &= ours
    for line in kept.body:
        for item in line.body if type(line) is cst.SimpleStatementLine else ():
            if type(item) is cst.ImportFrom and isinstance(item.names, cst.ImportStar):
                return None
            if isinstance(item, (cst.Import, cst.ImportFrom)):
                found -= {imported.bound for imported in read_imports(item)}
    return None if found and _speaks_of(source, found) else frozenset(found)


def _speaks_of(source: Source, names: Set[str]) -> bool:
    """Whether one of some names may stand in a source as a variable; behind a dot it is none."""
    return re.search(rf"(?<![\w.])(?:{'|'.join(map(re.escape, names))})\b", source.text) is not None


def _text_of(module: cst.Module, written: dict[cst.CSTNode, str]) -> str:
    """The code of a module; that of its statements is kept in `written` for the next time."""
    text = "".join([_part(module, written, node) for node in (*module.header, *module.body, *module.footer)])
    if module.has_trailing_newline or not text:
        return text
    return text.removesuffix(module.default_newline)


def _part(module: cst.Module, written: dict[cst.CSTNode, str], node: cst.CSTNode) -> str:
    text = written.get(node)
    if text is None:
        text = written[node] = code_in(module, node)
    return text


def _has_inner_imports(index: Index) -> bool:
    """Whether a module is imported inside a function, `if` or `try`."""
    return any(not isinstance(index.parents.get(index.parents[node]), cst.Module) for node in index.imports)


def _without_stars(text: str) -> str:
    """The text with `from x import *` taken out: what it binds is not known, but what is new in a translation is."""
    return re.sub(r"(?m)^([ \t]*)from[ \t]+[\w.]+[ \t]+import[ \t]*\*", r"\1pass", text) if "*" in text else text


def _star_names(unit: Unit) -> set[str]:
    """The names that star imports of torch bind."""
    known = (*unit.facts.tables.functions, *unit.facts.tables.layers)
    stars = [
        node
        for node in unit.facts.program.index.imports
        if isinstance(node, cst.ImportFrom) and isinstance(node.names, cst.ImportStar)
    ]
    return {name for node in stars for name in import_bindings(node, known)}


def _is_torch(item: Import) -> bool:
    return needs_torch(item.module) or needs_torch(f"{item.module}.{item.name}")


def _is_unwanted(item: Import, names: frozenset[str], wanted: frozenset[Import]) -> bool:
    return _is_torch(item) or (item.bound in names and item not in wanted)


def _own_imports(unit: Unit, options: Options) -> dict[str, Import]:
    """What rows of the user's own import, by the names that it has in this file."""
    found = {}
    for name, item in unit.facts.tables.imports.get(options.target, {}).items():
        new = unit.renamed.get(name)
        found[new or name] = Import(item.module, item.name, new or item.asname)
    return found


def _renamed_import(item: Import, renamed: dict[str, str]) -> Import:
    return Import(item.module, item.name, renamed.get(item.name or ""))


def _renamed_support(support: SupportCode, renamed: dict[str, str]) -> SupportCode:
    text = support.text
    for old, new in sorted(renamed.items()):
        if not new.startswith("torch_"):
            continue  # a name that is no support code
        ending = r"\b(?!\s*=[^=])" if old[0].isupper() else r"(?=\()"  # a class is named as a base, too
        text = re.sub(rf"(?<![\w.]){old}{ending}", new, text)
        text = re.sub(rf"\b(def|class) {old}\b", rf"\1 {new}", text)
    return SupportCode(text, support.imports, tuple(renamed.get(name, name) for name in support.names))


def _drop_inner_imports(module: cst.Module, unwanted: Callable[[Import], bool]) -> cst.Module:
    """Torch imports inside functions, `if` and `try` go too."""
    index = build_index(module)
    edits = Edits()
    for node in index.imports:
        line = index.parents[node]
        if not isinstance(line, cst.SimpleStatementLine) or isinstance(index.parents.get(line), cst.Module):
            continue
        left = filter_import(node, unwanted)
        if left is None and len(line.body) == 1:
            edits.remove(line)
        elif left is not None and left is not node:
            edits.replace(node, always(left))
    return apply_edits(module, edits, index.parents) if edits.touched() else module


__all__ = ["HEADING", "Translation", "translate_module"]
