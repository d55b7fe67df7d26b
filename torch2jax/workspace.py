"""The files of a program: each analysed before those that import it, again when others call its functions, until callers and
callees agree.

    layout -> order -> analyse each file, imports first
           -> what files pass to functions of others is known: those files again, and where what they offer has changed,
              the files that use them
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import field
from operator import attrgetter
from pathlib import Path

import libcst as cst

from torch2jax.analysis import Analysis, Neighbours, Prepared, analyse, prepare
from torch2jax.facts.effects import Summary
from torch2jax.facts.infer import LOOKED_AT, SITES, files_of_sites, note_passed
from torch2jax.facts.module_state import early_methods
from torch2jax.facts.shared_rates import RatesAround
from torch2jax.facts.tensor_settings import SettingsOfFiles, Sources, find_tensor_settings
from torch2jax.facts.torch_names import gone_imports
from torch2jax.facts.values.evidence import fits
from torch2jax.options import Options
from torch2jax.own_tables import package_of
from torch2jax.plan.model import FunctionPlan, Known
from torch2jax.program.calls import wrappers_of
from torch2jax.program.layout import Layout, Scan, layout_around, scan_file
from torch2jax.program.names_outside import NamesOutside, names_outside
from torch2jax.program.norm_families import mentions_in_text, told_apart
from torch2jax.program.program import Processes, place_of
from torch2jax.records import dataclass
from torch2jax.syntax.notebook import NotebookError, read_program
from torch2jax.syntax.source import SourceError, parse_source
from torch2jax.values import Kind, Value

TORCH_IMPORT = re.compile(r"(?m)^\s*(?:import|from)\s+torch\b")
_FOLLOWED_LINES = 2_000  # of imported files, where one file is translated alone: what lies deeper stays unknown
_ROUNDS = 5
_FAULTS: tuple[type[Exception], ...] = (  # what a wrong expectation of the analysis raises
    ArithmeticError, AssertionError, AttributeError, LookupError, NameError, RuntimeError, TypeError, ValueError,
    cst.CSTValidationError, cst.ParserSyntaxError,
)  # fmt: skip
_OF_TORCH = (Kind.TENSOR, Kind.MODULE, Kind.OPTIMIZER, Kind.PARAMETERS, Kind.SCHEDULER, Kind.TORCH, Kind.TORCH_OBJECT)


@dataclass(slots=True)
class _Surroundings:
    """The files that others of the program import, what others than a file read and name, and the families of norms that the
    program tells apart.
    """

    imported: frozenset[Path]
    read: Mapping[Path, NamesOutside]
    named: Mapping[Path, Set[str]]
    families: frozenset[str]


@dataclass(slots=True)
class Workspace:
    """One program. `files` are all of its files, in order; none where one file is translated alone, whose imports are
    followed on the disk.
    """

    options: Options
    layout: Layout
    files: tuple[Path, ...] = ()
    analyses: dict[Path, Analysis] = field(default_factory=dict)
    calls: dict[str, dict[str, Value]] = field(default_factory=dict)
    _offered: dict[Path, object] = field(default_factory=dict)
    _passed: dict[Path, Mapping[str, Mapping[str, Value]]] = field(default_factory=dict)
    _prepared: dict[Path, Prepared | None] = field(default_factory=dict)
    _scans: dict[Path, Scan] = field(default_factory=dict)
    _imported: dict[Path, list[Path]] = field(default_factory=dict)
    _below: dict[Path, dict[Path, None]] = field(default_factory=dict)
    _asked: dict[Path, dict[str, str]] = field(default_factory=dict)
    _together: dict[Path, frozenset[Path]] = field(default_factory=dict)
    _surroundings: _Surroundings | None = None
    _known: Known = field(default_factory=Known)
    _settings: SettingsOfFiles = field(default_factory=SettingsOfFiles)
    _running: set[Path] = field(default_factory=set)
    _lines: int = 0
    _order: list[Path] = field(default_factory=list)
    _concerned: frozenset[Path] = frozenset()
    _is_settled: bool = False
    _are_all_known: bool = False  # each file has been analysed once
    _processes: dict[Path, tuple[Processes, frozenset[tuple[str, ...]]]] = field(default_factory=dict)
    _programs: list[frozenset[Path]] = field(default_factory=list)
    _frozen: frozenset[str] = frozenset()
    _looked_at: frozenset[tuple[str, str]] = frozenset()
    _modes_wanted: frozenset[tuple[str, str]] = frozenset()
    _inside: frozenset[str] = frozenset()
    _filled: frozenset[tuple[str, str]] = frozenset()
    _early: frozenset[str] = frozenset()
    _makers: frozenset[tuple[str, bool]] = frozenset()
    _beside: frozenset[tuple[str, str]] = frozenset()
    _lists_parts: bool = False
    _told: dict[Path, frozenset[tuple[str, str]]] = field(default_factory=dict)
    _failures: dict[Path, Exception] = field(default_factory=dict)

    # what belongs together

    def scan(self, file: Path) -> Scan:
        if file not in self._scans:
            self._scans[file] = self.layout.scans.get(file) or scan_file(file)
        return self._scans[file]

    def imported(self, file: Path) -> list[Path]:
        """The files of the program that a file imports."""
        if file not in self._imported:
            found = [self.layout.locate(name, file) for name in self.scan(file).modules]
            self._imported[file] = list(dict.fromkeys(item for item in found if item is not None and item != file))
        return self._imported[file]

    @property
    def surroundings(self) -> _Surroundings:
        """What files of the program are to others."""
        if self._surroundings is None:
            scans = {file: self.scan(file) for file in dict.fromkeys((*self.files, *self._order))}
            named = {file: scan.read.union(scan.own, _last_words(scan.modules)) for file, scan in scans.items()}
            self._surroundings = _Surroundings(
                frozenset(item for file in scans for item in self.imported(file)),
                names_outside({file: scan.read for file, scan in scans.items()}),
                names_outside(named),
                told_apart(scan.norms for scan in scans.values()),
            )
        return self._surroundings

    def is_imported(self, file: Path) -> bool:
        """Whether another file of the program imports a file."""
        return file in self.surroundings.imported

    def read_outside(self, file: Path) -> Set[str]:
        """The names of fields that other files of the program read."""
        read = self.surroundings.read.get(file)
        if read is None:
            return frozenset()
        bases = self.below(file) if self.scan(file).derives else ()
        return read.with_names(frozenset[str]().union(*(self.scan(item).own for item in bases)))

    def named_outside(self, file: Path) -> Set[str]:
        """What other files of the program may ask of a file by its name."""
        return self.surroundings.named.get(file, frozenset())

    def below(self, file: Path) -> dict[Path, None]:
        """The files that a file imports, directly and through others."""
        if file not in self._below:
            found: dict[Path, None] = {}
            waiting = list(self.imported(file))
            while waiting:
                item = waiting.pop()
                if item not in found and item != file:
                    found[item] = None
                    waiting += [other for other in self.imported(item) if other not in found]
            self._below[file] = found
        return self._below[file]

    def asked(self, file: Path) -> dict[str, str]:
        """What the imports of a file ask for, and where in the program that is."""
        if file not in self._asked:
            self._asked[file] = self._find_asked(file)
        return self._asked[file]

    def _find_asked(self, file: Path) -> dict[str, str]:
        names: dict[str, None] = {}
        for name in self.scan(file).modules:
            parts = name.split(".")
            names.update((".".join(parts[:end]), None) for end in range(1, len(parts)) if not name.startswith("."))
            names[name] = None
        found = {name: self.layout.asked(name, file) for name in names if name}
        return {name: place for name, place in found.items() if place is not None}

    def prepared(self, file: Path) -> Prepared | None:
        """A file ready for its analysis; None if it cannot be read."""
        if file not in self._prepared:
            try:
                self._prepared[file] = prepare(
                    parse_source(read_program(file), str(file)),
                    self.options,
                    self.asked(file),
                    is_imported=self.is_imported(file),
                    named=self.named_outside(file),
                )
            except (SourceError, NotebookError, OSError):
                self._prepared[file] = None
        return self._prepared[file]

    # one file alone

    def follow(self, prepared: Prepared, path: str) -> Analysis:
        """The analysis of a file that is translated alone: the files that it imports are read for what they define."""
        file = Path(path).resolve()
        return self._analyse(file, prepared, self._followed_below(file))

    def _followed(self, file: Path) -> Analysis | None:
        if file in self.analyses or file in self._running:
            return self.analyses.get(file)
        self._lines += self.scan(file).lines
        prepared = self.prepared(file) if self._lines <= _FOLLOWED_LINES else None
        if prepared is not None:
            self._keep(file, self._analyse(file, prepared, self._followed_below(file)))
        return self.analyses.get(file)

    def _followed_below(self, file: Path) -> list[Analysis]:
        self._running.add(file)
        for item in self.imported(file):
            self._followed(item)
        return self._known_below(file)

    def _keep(self, file: Path, analysis: Analysis) -> None:
        self.analyses[file] = analysis
        self._settings.note(file, analysis.facts.settings)
        self._known.note(analysis.facts, analysis.plan)

    def _known_below(self, file: Path) -> list[Analysis]:
        return [self.analyses[item] for item in self.below(file) if item in self.analyses]

    # all files

    def concerns(self, path: str) -> bool:
        """Whether a file has something to translate: it uses torch, or a file that does, or is given tensors by one, or
        objects that hold some, or functions whose calls gain something, or classes to hold, or it hands names on that go.
        """
        file = Path(path).resolve()
        self.settle()
        if file in self._concerned:
            return True
        analysis = self.analyses.get(file)
        asked = (_is_given_tensors, _calls_gain, _holds_classes, _sees_torch, _wraps_modules, _imports_gone)
        return analysis is not None and any(ask(analysis) for ask in asked)

    def settled(self, path: str, again: bool = False) -> tuple[Prepared, Analysis]:
        """A file and its analysis, once all files agree; made `again` where passes have rewritten it. Raises SourceError."""
        self.settle()
        file = Path(path).resolve()
        if again:
            self._prepared.pop(file, None)
            self._renew(file)
            self._tell_frozen()
        if file in self._failures:
            raise self._failures[file]
        prepared = self.prepared(file)
        if prepared is None:
            parse_source(read_program(file), path)
        assert prepared is not None, "what can be parsed can be analysed"
        return prepared, self.analyses[file]

    def settle(self) -> None:
        """Analyse all files, until none offers what others have not seen."""
        if self._is_settled:
            return
        self._is_settled = True
        self._concerned = self._find_concerned()
        self._order = self._sorted()
        waiting = set(self._order)
        for _ in range(_ROUNDS):
            for file in self._order:
                if file in waiting:
                    waiting.discard(file)
                    waiting |= self._renew(file)
            self._are_all_known = True
            waiting |= self._called_otherwise() | self._started_otherwise()
            waiting |= self._set_otherwise() | self._looked_at_otherwise() | self._made_otherwise()
            waiting |= self._filled_otherwise() | self._begun_otherwise() | self._called_for_parts()
            waiting |= self._listed_otherwise() | self._modes_wanted_otherwise() | self._run_beside_otherwise()
            if not waiting:
                break
        self._tell_frozen()

    def _find_concerned(self) -> frozenset[Path]:
        """The files that import torch, those of whose tables the user has rows, and the files that import these."""
        if self.options.mappings:
            return frozenset(self.files)
        importers: dict[Path, list[Path]] = {}
        for file in self.files:
            for item in self.imported(file):
                importers.setdefault(item, []).append(file)
        found = {file for file in self.files if self.scan(file).uses_torch}
        waiting = list(found)
        while waiting:
            above = [item for item in importers.get(waiting.pop(), ()) if item not in found]
            found.update(above)
            waiting += above
        return frozenset(found)

    def _sorted(self) -> list[Path]:
        """The files that are concerned, and those that they import, each behind those that it imports; circles are opened."""
        order: dict[Path, None] = {}
        for file in self.files:
            if file in self._concerned:
                self._visit(file, order, set())
        return list(order)

    def _visit(self, file: Path, order: dict[Path, None], around: set[Path]) -> None:
        if file in order or file in around:
            return
        around.add(file)
        for item in self.imported(file):
            self._visit(item, order, around)
        around.discard(file)
        order[file] = None

    def _renew(self, file: Path) -> set[Path]:
        """Analyse a file with what is known now; the files for which that makes a difference."""
        if file in self._failures:
            return set()
        before = self.analyses.get(file)
        try:
            prepared = self.prepared(file)
            if prepared is None:
                return set()
            analysis = self._analyse(file, prepared, self._known_below(file))
            self._keep(file, analysis)
        except _FAULTS as error:  # told where this file is translated; the others go on without it
            self._failures[file] = error
            self.analyses.pop(file, None)
            self._settings.note(file, None)
            return set()
        self._passed[file] = analysis.facts.values.passed
        offered, self._offered[file] = self._offered.get(file), _offers(analysis)
        is_same = before is not None and offered == self._offered[file]
        place, bases = self.layout.place(file), _places_of_bases(analysis)
        filled = files_of_sites(analysis.facts.values.stored)
        return {
            other
            for other, known in self.analyses.items()
            if not is_same or place in known.facts.values.noted  # which is to be noted of the new classes, too
            if other != file
            and (
                file in self.below(other)
                or place in known.reached
                or self.layout.place(other) in bases
                or known.facts.program.first_site // SITES in filled
            )
        }

    def _called_otherwise(self) -> set[Path]:
        """The files to whose functions others pass what was not known before."""
        passed: dict[str, dict[str, Value]] = {}
        for calls in self._passed.values():
            for key, given in calls.items():
                known = passed.setdefault(key, {})
                for name, value in given.items():
                    note_passed(known, name, value)
        changed = {key.partition(":")[0] for key, given in passed.items() if self.calls.get(key) != given}
        self.calls = passed
        return {file for file in self._order if self.layout.place(file).removesuffix(":") in changed}

    def _started_otherwise(self) -> set[Path]:
        """The files for which it makes a difference that others start processes, or wrap models for these."""
        before, self._processes = self._processes, self._find_processes()
        return {file for file in self._order if before.get(file) != self._processes.get(file)}

    def _tell_frozen(self) -> None:
        """Tell all files of the classes whose modules are frozen in one of them, or asked for their mode, and of the options
        that groups of parameters are asked for: what is written asks for them, and no fact.
        """
        frozen = [classes for known in self.analyses.values() if (classes := known.facts.freezing.classes)]
        self._frozen = frozenset().union(*frozen)
        methods = frozenset[str]().union(*(known.facts.freezing.by_themselves for known in self.analyses.values()))
        modes = frozenset[str]().union(*(known.facts.effects.modes_read_outside() for known in self.analyses.values()))
        asked = frozenset[str]().union(*(known.facts.schedules.asked for known in self.analyses.values()))
        rates = RatesAround(known.facts.schedules.shared for known in self.analyses.values())
        for known in self.analyses.values():
            known.facts.effects.frozen = self._frozen
            own = known.facts.freezing.classes
            known.facts.effects.frozen_elsewhere = frozenset().union(*(item for item in frozen if item is not own))
            known.facts.effects.frozen_by_themselves = methods
            known.facts.effects.read_modes = modes
            known.facts.schedules.asked |= asked
            known.facts.schedules.around = rates

    def _set_otherwise(self) -> set[Path]:
        """The files to whose fields others give settings that were not known before."""
        return {
            file
            for file, known in self.analyses.items()
            if known.facts.effects.settings != find_tensor_settings(known.facts.settings, self._settings_around(file))
        }

    def _settings_around(self, file: Path) -> Callable[[str], list[Sources]]:
        """What the other files of the programs that a file is a part of say of settings."""
        return self._settings.around(file, self.together(file))

    def _looked_at_otherwise(self) -> set[Path]:
        """The files of functions whose calls in others are given what these may look at again."""
        before, marks = self._looked_at, (known.facts.program.marks for known in self.analyses.values())
        self._looked_at = frozenset((mark[1], mark[2]) for each in marks for mark in each if mark[0] == LOOKED_AT)
        changed = {key.partition(":")[0] for key, _ in before ^ self._looked_at}
        return {file for file in self._order if self.layout.place(file).removesuffix(":") in changed}

    def _modes_wanted_otherwise(self) -> set[Path]:
        """The files of functions that others have come to need modules back from, since these leave them in another mode."""
        before, self._modes_wanted = self._modes_wanted, frozenset(self._known.modes_wanted)
        places = {place_of(key) for key, _ in self._modes_wanted - before}
        return {file for file in self._order if self.layout.place(file) in places}

    def _made_otherwise(self) -> set[Path]:
        """The files of functions that make parts of modules in others, and those that call such functions."""
        before, bound = self._inside, (known.facts.effects.bound for known in self.analyses.values())
        self._inside = frozenset[str]().union(*(item.keys for item in bound if item is not None))
        return self._of_functions(before ^ self._inside)

    def _filled_otherwise(self) -> set[Path]:
        """The files of modules to whose fields others give tensors, and those others once these are known to keep them."""
        filled = {file: known.facts.effects.module_state.filled for file, known in self.analyses.items()}
        classes = [item for known in self.analyses.values() for item in known.facts.program.classes.values()]
        kept = {(item.key, name) for item in classes for name in item.state}
        told, self._told = self._told, {file: frozenset(found & kept) for file, found in filled.items()}
        before, self._filled = self._filled, frozenset[tuple[str, str]]().union(*filled.values())
        places = {key.partition(":")[0] for key, _ in before ^ self._filled}
        return {
            file
            for file in self._order
            if self.layout.place(file).removesuffix(":") in places
            or told.get(file, frozenset()) != self._told.get(file, frozenset())
        }

    def _begun_otherwise(self) -> set[Path]:
        """The files of methods that others have come to call where modules of derived classes are made, and nowhere else."""
        before, states = self._early, (known.facts.effects.module_state for known in self.analyses.values())
        self._early = early_methods(state.begun for state in states)
        return self._of_functions(before ^ self._early)

    def _called_for_parts(self) -> set[Path]:
        """The files of functions that make modules, where others have come to use these in another way, and those others."""
        makers = (known.facts.effects.module_state.makers for known in self.analyses.values())
        before, self._makers = self._makers, frozenset[tuple[str, bool]]().union(*makers)
        return self._of_functions(key for key, _ in before ^ self._makers)

    def _run_beside_otherwise(self) -> set[Path]:
        """The files of methods that calls in others have come to run beside those of other subclasses, which draw or keep state."""
        asked = (known.facts.effects.asked_beside for known in self.analyses.values())
        before, self._beside = self._beside, frozenset[tuple[str, str]]().union(*asked)
        return self._of_functions(key for key, _ in before ^ self._beside)

    def _listed_otherwise(self) -> set[Path]:
        """All files, once one of them lists parts of modules of others: layers that are functions become modules everywhere."""
        before, self._lists_parts = self._lists_parts, any(item.facts.lists_others for item in self.analyses.values())
        return set(self._order) if before != self._lists_parts else set()

    def _of_functions(self, keys: Iterable[str]) -> set[Path]:
        """The files of some functions, and those that reach these files."""
        places = set(map(place_of, keys))
        return {
            file
            for file, known in self.analyses.items()
            if self.layout.place(file) in places or not places.isdisjoint(known.reached)
        }

    def _find_processes(self) -> dict[Path, tuple[Processes, frozenset[tuple[str, ...]]]]:
        """For the files of programs that start processes: how many of these do, and which models they wrap."""
        parallel = {file: known.facts.parallel for file, known in self.analyses.items() if known.facts.parallel.starts}
        found: dict[Path, tuple[Processes, frozenset[tuple[str, ...]]]] = {}
        for file in self._order if parallel else ():
            starting = [group & parallel.keys() for group in self.programs(file)]
            if any(starting):
                marks = [parallel[item].own_marks for item in sorted(frozenset().union(*starting))]
                kind = Processes.ALL if all(starting) else Processes.SOME
                found[file] = kind, frozenset().union(*marks)
        return found

    def together(self, file: Path) -> frozenset[Path]:
        """The files of all programs that a file is a part of."""
        if file not in self._together:
            self._together[file] = frozenset[Path]().union(*self.programs(file))
        return self._together[file]

    def programs(self, file: Path) -> list[frozenset[Path]]:
        """The programs that a file is a part of: those that nobody imports, or that are started, with all that they import."""
        if not self._programs:
            imported = {item for other in self.files for item in self.imported(other)}
            first = [item for item in self.files if item not in imported or self.scan(item).is_script]
            self._programs.extend(frozenset((item, *self.below(item))) for item in first)
        return [group for group in self._programs if file in group] or [frozenset((file, *self.below(file)))]

    def _analyse(self, file: Path, prepared: Prepared, imported: Sequence[Analysis]) -> Analysis:
        places = {item.facts.program.prefix for item in imported}
        others = [item for item in self.analyses.values() if item.facts.program.prefix not in places]
        place = self.layout.place(file)
        others = [item for item in others if item.facts.program.prefix != place] if self._are_all_known else []
        number = self._order.index(file) if file in self._order else len(self.analyses)
        together = frozenset(self.layout.place(item) for item in self.together(file))
        processes = self._processes.get(file, (Processes.UNKNOWN,))[0]
        asked, is_imported = self.asked(file), self.is_imported(file)
        around = Neighbours(
            place,
            number,
            asked,
            imported,
            others,
            self.calls,
            processes,
            together,
            is_imported,
            self.read_outside(file),
            self._frozen if self.files else None,
            self._settings_around(file),
            self._looked_at,
            self._families(file, prepared),
            self._known,
            self._lists_parts,
            self._are_all_known,
        )
        package = package_of(str(file), self.options)
        normalized = prepared.normalized
        return analyse(normalized.index, self.options, around, package, prepared.memory, normalized.marks)

    def _families(self, file: Path, prepared: Prepared) -> frozenset[str]:
        """The families of norms that the program tells apart, or a file that is translated alone and those that it imports."""
        if self.files:
            return self.surroundings.families
        return told_apart(
            [mentions_in_text(prepared.source.text), *(self.scan(item).norms for item in self.below(file))]
        )

    def disagreements(self, analysis: Analysis) -> Iterator[tuple[cst.Call, str]]:
        """Calls of functions of other files that do not give them what they take, with the names of the functions."""
        newest: dict[str, FunctionPlan] = {}
        for other in self.analyses.values():
            newest.update((item.key, other.plan.of(item)) for item in other.facts.program.functions.values())
        own = analysis.facts.program.functions
        for call in analysis.facts.program.index.calls:
            for callee in analysis.facts.values.callees.get(call, ()):
                if callee.node not in own and newest.get(callee.key, analysis.plan.of(callee)) != analysis.plan.of(
                    callee
                ):
                    yield call, callee.name

    def derived_layers(self) -> dict[tuple[str, str], str]:
        """The layers of torch from which classes of the program derive and the places of these, with the names of their files."""
        known = [(file, self.prepared(file)) for file in self.files]
        return {
            (name, self.layout.place(file)): file.name
            for file, prepared in known
            if prepared is not None
            for name in prepared.layers
        }


def _last_words(modules: Iterable[str]) -> list[str]:
    return [name.rpartition(".")[2] for name in modules]


def alone(options: Options, path: str) -> Workspace:
    """The workspace of a file that is translated alone."""
    return Workspace(options, layout_around(Path(path).resolve()))


def _is_given_tensors(analysis: Analysis) -> bool:
    """Whether other files pass something of torch to a function of this one, or what may be, and it is used as tensors are."""
    functions = analysis.facts.program.functions.values()
    given = [value for function in functions for value in function.seen_elsewhere.values()]
    if any(map(_holds_torch, given)):
        return True
    return any(map(_is_open, given)) and any(
        _asks_tensors(analysis, call) for call in analysis.facts.program.index.calls
    )


def _sees_torch(analysis: Analysis) -> bool:
    """Whether a file finds something of torch in the objects that it is given: `trainer.optimizer`."""
    values, program = analysis.facts.values, analysis.facts.program
    return not program.is_of_jax and any(
        values(node).kind in _OF_TORCH and values(node.value).kind is Kind.OBJECT for node in program.index.attributes
    )


def _wraps_modules(analysis: Analysis) -> bool:
    """Whether what a decorator puts around methods asks something of their module: `self.training`."""
    values, program = analysis.facts.values, analysis.facts.program
    asked = (node for node in program.index.attributes if values(node.value).kind is Kind.MODULE)
    around = [(item, item.outer) for item in map(program.function_around, asked) if item is not None]
    return any(outer is not None and item.node in wrappers_of(outer) for item, outer in around)


def _asks_tensors(analysis: Analysis, call: cst.Call) -> bool:
    """Whether a call is that of a method of tensors, on what may be one."""
    if not isinstance(call.func, cst.Attribute):
        return False
    tables, name = analysis.facts.tables, call.func.attr.value
    is_method = tables.method(name) is not None and fits(tables, name, call)
    return is_method and analysis.facts.values(call.func.value).kind is Kind.UNKNOWN


def _calls_gain(analysis: Analysis) -> bool:
    """Whether calls of a file take or give back more than they do there."""
    plan = analysis.plan
    return bool(plan.key_takers) or any(call.arguments or call.rebinds for call in plan.calls.values())


def _holds_classes(analysis: Analysis) -> bool:
    """Whether classes or functions are put into the containers and objects that a file makes."""
    return any(value.is_a(Kind.CLASS, Kind.FUNCTION) for value in analysis.facts.values.stored.values())


def _imports_gone(analysis: Analysis) -> bool:
    """Whether a file imports what the translations of others do not have: the `__init__` of a package without torch."""
    program = analysis.facts.program
    return any(any(gone_imports(node, program)) for node in program.index.imports)


def _places_of_bases(analysis: Analysis) -> frozenset[str]:
    """The places of the files with base classes of the classes of a file: their methods keep what those train."""
    bases = [base for item in analysis.facts.program.classes.values() for base in item.lineage[1:]]
    return frozenset(f"{base.key.partition(':')[0]}:" for base in bases)


def _holds_torch(value: Value) -> bool:
    return value.kind in _OF_TORCH or any(_holds_torch(part) for part in value.parts)


def _is_open(value: Value) -> bool:
    return value.kind is Kind.UNKNOWN or any(map(_is_open, value.parts))


def _offers(analysis: Analysis) -> object:
    """All that other files may have used of an analysis."""
    program, effects = analysis.facts.program, analysis.facts.effects
    functions = {
        item.key: (_offered_plan(analysis.plan.of(item)), item.returns, _summarized(effects.of(item)))
        for item in program.functions.values()
    }
    classes = {
        item.key: (dict(item.fields), list(item.bases), dict(item.buffers), dict(item.state))
        for item in program.classes.values()
    }
    reached = len(analysis.plan.per_parameter), len(analysis.plan.partly_reached)
    fields = {
        (function.key, place, *sorted(found))
        for function, events in analysis.plan.events.items()
        if function.node in program.functions and function.self_name is not None
        for place, found in events.items()
        if place.startswith(f"{function.self_name}.")
    }
    known = (
        dict(program.module_env),
        program.marks,
        program.gone,
        effects.stateful_classes(),
        effects.opened,
        analysis.facts.schedules.shared.offered(),
        analysis.facts.values.stored,
    )
    return functions, fields, classes, known, reached


_summarized = attrgetter(*(item.name for item in dataclasses.fields(Summary)))
_planned = attrgetter(*(item.name for item in dataclasses.fields(FunctionPlan)))


def _offered_plan(plan: FunctionPlan) -> object:
    return _copied(_planned(plan))


def _copied(thing: object) -> object:
    """A copy of what is in lists and dicts, which goes on to be what it is now."""
    if isinstance(thing, (list, tuple)):
        return [_copied(item) for item in thing]
    return {key: _copied(item) for key, item in thing.items()} if isinstance(thing, dict) else thing
