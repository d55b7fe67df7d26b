"""Which models several processes train together, and what differs between these: ranks, and the rows of batches.

One process drives all devices of a host, each of which stands for a process of torch. Values of the program are those of the
first device, but for batches, which hold the rows of all devices; steps of wrapped models run on every device.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import field

import libcst as cst

from torch2jax.facts.device_calls import DrawnBatch, find_drawn_batches
from torch2jax.facts.device_rows import is_for_first
from torch2jax.facts.effects import Draw, Effects
from torch2jax.facts.evaluation import Evaluation
from torch2jax.facts.infer import Values
from torch2jax.facts.module_state import is_target
from torch2jax.facts.rank_objects import RankObject, find_rank_objects
from torch2jax.facts.ranks import LOCAL_RANK, Ranks, find_ranks, is_rank
from torch2jax.facts.reductions import Reductions, find_reductions, is_bound
from torch2jax.facts.training import Step, value_of_place
from torch2jax.program.program import Function, Processes, Program, dotted
from torch2jax.records import dataclass
from torch2jax.syntax.problem import Problem
from torch2jax.syntax.walk import Index, descendants, is_label
from torch2jax.values import Kind, Value

PROCESS_GROUP = "init_process_group"
WRAPPED = "wrapped"  # the mark of a class whose modules several processes train; "*": any class
BARE = "bare"  # the mark of a file that calls, or hands on, a module without its wrapper
UNSYNCED = "unsynced"  # the mark of a file with passes behind which each process keeps the buffers that it has
BY_CHOICE = "by choice"  # the mark of a file that makes a process group only under a condition
SHARDED = "sharded"  # the mark of a file with models of which each process keeps a part
SYNCHRONIZING = "torch.nn.SyncBatchNorm.convert_sync_batchnorm"
WRAPPERS = ("torch.nn.parallel.DistributedDataParallel",)
_SEEDS = frozenset({"manual_seed", "manual_seed_all", "seed", "seed_everything"})
_TOLD = frozenset({"print", "info", "debug", "warning", "write", "format", "str", "int", "isinstance", "to", "cuda"})
_OTHERS = frozenset(
    {"glob", "rglob", "iterdir", "listdir", "scandir", "walk", "split", "splitlines", "readlines", "finditer", "findall",
     "items", "keys", "parameters", "named_parameters", "buffers", "named_buffers", "modules", "named_modules", "children",
     "named_children"}
)  # fmt: skip
ROW_METHODS = frozenset(
    {"from_numpy", "as_tensor", "float", "long", "int", "half", "double", "view", "reshape", "contiguous", "to", "cuda",
     "astype", "unsqueeze", "flatten", "pin_memory"}
)  # fmt: skip  # what gives the rows of a process another form
_COUNTED = frozenset({"size", "shape"})


@dataclass(frozen=True, slots=True)
class RankPart:
    """An assignment of the rows of one process (`mine = batch[rank * size : (rank + 1) * size]`), and the ranks in it."""

    assignment: cst.Assign
    name: str
    ranks: tuple[cst.BaseExpression, ...]
    is_local: bool


@dataclass(frozen=True, slots=True)
class Parallel:
    """What runs on all devices: steps, and evaluations; `counts` are expressions for the number of rows of a batch, with the
    batch; `marks` say which classes of models are wrapped (`own_marks`: by the file itself).
    Where processes are started only `is_by_choice`, steps ask when they run. Steps that draw from seeds that are the same everywhere draw the same.
    `parts` are the rows that a process takes by its rank, `firsts` reads of batches where the rows of the first device are meant,
    `drawn` batches that each process draws for itself, `objects` those that are made with its rank.
    `ranks` are those of which more is asked than for the first process, `sizes` numbers of processes where nothing starts any.
    A file that `starts` processes, or wraps models for them, is translated for devices, and so are the files that it imports.
    """

    steps: frozenset[Step] = frozenset()
    evaluations: frozenset[Evaluation] = frozenset()
    counts: tuple[tuple[cst.BaseExpression, cst.CSTNode], ...] = ()
    marks: frozenset[tuple[str, ...]] = frozenset()
    draws_alike: bool = False
    problems: tuple[Problem, ...] = ()
    reductions: Reductions = field(default_factory=Reductions)
    starts: bool = False
    own_marks: frozenset[tuple[str, ...]] = frozenset()
    is_by_choice: bool = False
    ranks: tuple[cst.BaseExpression, ...] = ()
    sizes: tuple[cst.Call, ...] = ()
    parts: tuple[RankPart, ...] = ()
    firsts: tuple[cst.Name, ...] = ()
    drawn: tuple[DrawnBatch, ...] = ()
    objects: tuple[RankObject, ...] = ()


def is_wrapped(value: Value | None, marks: Collection[tuple[str, ...]]) -> bool:
    """Whether a module may be one that was wrapped for several processes."""
    if value is None or not value.types:
        return True
    return (WRAPPED, "*") in marks or any((WRAPPED, item) in marks for item in value.types)


def is_share_of_rank(call: cst.Call, values: Values) -> bool:
    """Whether a sampler is for the process that makes it."""
    plain = [item.value for item in call.args if item.keyword is None]
    named = {item.keyword.value: item.value for item in call.args if item.keyword is not None}
    rank = named.get("rank") or (plain[2] if len(plain) > 2 else None)
    return rank is None or values(rank).kind is Kind.NONE or is_rank(values(rank))


def knows_processes(program: Program, values: Values) -> bool:
    """Whether a file starts processes, or is a part of programs that do."""
    return program.processes is not Processes.UNKNOWN or starts_processes(program, values)


def starts_processes(program: Program, values: Values) -> bool:
    """Whether a file makes a process group, or wraps models for several processes."""
    if any(item[0] == WRAPPED for item in program.marks):
        return True
    if not program.mentions(PROCESS_GROUP) and not program.mentions("DistributedDataParallel"):
        return False
    names = (f"torch.distributed.{PROCESS_GROUP}", *WRAPPERS)
    return any(values.torch_name(call.func) in names for call in program.index.calls)


def find_parallel(
    program: Program,
    values: Values,
    effects: Effects,
    steps: Sequence[Step],
    evaluations: Sequence[Evaluation],
    others: Sequence[Parallel],
) -> Parallel:
    """What of a file runs on all devices."""
    own = frozenset(item for item in program.marks if item[0] in (WRAPPED, BY_CHOICE, BARE, UNSYNCED))
    every = own.union(*(other.own_marks for other in others))
    marks = frozenset(item for item in every if item[0] == WRAPPED)
    is_by_choice = program.processes is Processes.SOME or (BY_CHOICE,) in every
    parallel = [step for step in steps if marks and step.problem is None and _trains(step, marks, values)]
    evaluated = [item for item in evaluations if marks and _evaluates(item, marks, values)]
    parts: tuple[RankPart, ...] = ()
    drawn: list[DrawnBatch] = []
    region = _regions(parallel, evaluated)
    traced = _reached(program, values, region)
    bodies = {node for item in traced if item.node in program.functions for node in descendants(item.node)}
    known = find_ranks(program, values, every, region | bodies)
    own |= known.fields
    read = () if known.is_empty else tuple(_read_ranks(program, known))
    if marks and read and not is_by_choice:
        parts = tuple(_find_parts(program, known, effects, read, traced))
    if marks and not _draws_alike(program, values):
        drawn = find_drawn_batches(program, values, effects, [*parallel, *evaluated], region, traced)
    objects = find_rank_objects(program, known, effects, region, traced) if marks else []
    shared = {rank for part in parts for rank in part.ranks}
    own_ranks = {method for item in objects for method in item.made.methods.values()}
    ranks = tuple(rank for rank in read if rank not in shared and program.function_around(rank) not in own_ranks)
    problems = [
        *_misread_ranks(program, values, ranks),
        *_converted_apart(program, values),
    ]
    starts = starts_processes(program, values)
    sizes = () if knows_processes(program, values) else tuple(_unanswered(program, values))
    if not marks:
        problems.extend(_reduced_alone(program, values, ()))
        if starts:
            problems.extend(_shares_apart(program, values))
        return Parallel(problems=tuple(problems), starts=starts, own_marks=own, ranks=ranks, sizes=sizes)
    for step in steps:
        if step.problem is None and step not in parallel and step.trained:
            reason = "this step trains it, and no `DistributedDataParallel` keeps its parameters the same"
            problems.append(Problem(step.backward, "T2J508", {"name": step.trained[0], "reason": reason}))
    problems.extend(_continued(parallel))
    problems.extend(_decided_apart(program, known, region | bodies))
    if (SHARDED,) in program.marks:
        problems.extend(
            Problem(step.backward, "T2J511", {"name": (step.trained or ("the model",))[0]}) for step in parallel
        )
    batches = [(part.assignment, (part.name,)) for part in parts] + [(item.assignment, item.names) for item in drawn]
    batches += [batch for item in objects for batch in item.batches]
    rows = _Rows(program, values, parallel, evaluated, batches, {item.place for item in objects})
    rows.look()
    if parallel:
        for_devices = {node for item in drawn for node in (item.call, *descendants(item.call))}
        problems.extend(_Draws(program, values, effects, rows.inside() | for_devices).problems())
    reductions = find_reductions(program, values, parallel, evaluated)
    problems.extend(_reduced_alone(program, values, [item.inner for item in reductions.gathered]))
    of_each = {item.given for item in reductions.gathered if item.how == "rows"}
    apart = next((name for mark, name in _APART.items() if (mark,) in every), None)
    if apart is not None:
        problems.extend(_evaluated_apart(apart, values, effects, evaluated, reductions))
    return Parallel(
        frozenset(parallel),
        frozenset(evaluated),
        tuple(rows.counts),
        marks,
        _draws_alike(program, values),
        (*problems, *(item for item in rows.problems if item.node not in of_each), *reductions.problems),
        reductions,
        starts,
        own,
        is_by_choice,
        ranks,
        sizes,
        parts,
        tuple(name for name in dict.fromkeys(rows.firsts) if name not in of_each),
        tuple(drawn),
        tuple(objects),
    )


def _trains(step: Step, marks: frozenset[tuple[str, ...]], values: Values) -> bool:
    region: list[cst.CSTNode] = [*step.forward, cst.Expr(step.loss)]
    found = [value_of_place(region, place, values) for place in step.trained or step.models]
    return bool(found) and all(is_wrapped(value, marks) for value in found)


def _evaluates(evaluation: Evaluation, marks: frozenset[tuple[str, ...]], values: Values) -> bool:
    region: list[cst.CSTNode] = [*evaluation.inside, *(cst.Expr(item) for item in evaluation.reads)]
    found = [value_of_place(region, place, values) for place in evaluation.models]
    return any(is_wrapped(value, marks) for value in found)


def _draws_alike(program: Program, values: Values) -> bool:
    """Whether all processes seed torch with the same number."""
    seeds = [call for call in program.index.calls if values.torch_name(call.func) == "torch.manual_seed"]
    return bool(seeds) and not any(_tells_rank(program, values, call) for call in seeds)


def _tells_rank(program: Program, values: Values, call: cst.Call) -> bool:
    """Whether what a call is given may differ between processes: a rank, or a variable that was made of one."""
    parts = [node for item in call.args for node in (item.value, *descendants(item.value))]
    names = {node.value for node in parts if isinstance(node, cst.Name)}
    made = [
        node.value for node in program.index.every(cst.Assign) if any(names & _bound(item) for item in node.targets)
    ]
    parts += [node for value in made for node in (value, *descendants(value))]
    return any(is_rank(values(node)) for node in parts if isinstance(node, (cst.Name, cst.Call, cst.Attribute)))


def _bound(target: cst.AssignTarget) -> set[str]:
    return {node.value for node in (target.target, *descendants(target.target)) if isinstance(node, cst.Name)}


# what is the same with one process for all devices only under conditions


def _unanswered(program: Program, values: Values) -> Iterator[cst.Call]:
    """Numbers of processes that are asked for without the question whether there are any, where no process is started."""
    asking = {program.function_around(call) for call in program.index.calls if _asks_for_processes(values, call)}
    indirect = {
        program.function_around(call)
        for call, callees in values.callees.items()
        if call in program.index.parents and any(item in asking for item in callees)
    }
    for call in program.index.calls:
        if values.torch_name(call.func) != "torch.distributed.get_world_size":
            continue
        if program.function_around(call) not in asking | indirect:
            yield call


def _asks_for_processes(values: Values, call: cst.Call) -> bool:
    return values.torch_name(call.func) in ("torch.distributed.is_initialized", "torch.distributed.is_available")


def _synchronizing(program: Program, values: Values) -> Iterator[cst.Call]:
    """Calls that make the statistics of a model those of all devices."""
    if program.mentions("convert_sync_batchnorm"):
        for call in program.index.calls:
            if values.torch_name(call.func) == SYNCHRONIZING:
                yield call


def _converted_apart(program: Program, values: Values) -> Iterator[Problem]:
    """Models that keep another name after they were converted, and are changed under both."""
    for call in _synchronizing(program, values):
        line = program.index.parents[call]
        if isinstance(line, cst.Assign) and len(line.targets) == 1 and call.args:
            name = dotted(line.targets[0].target)
            if name is not None and name == _converted(call.args[0].value):
                continue
        reason = "the model that is converted keeps another name, under which it changes as well: give it the same name"
        yield Problem(call, "T2J508", {"name": "convert_sync_batchnorm", "reason": reason})


def _converted(node: cst.BaseExpression) -> str | None:
    """The name of what is converted, moved to a device or not."""
    match node:
        case cst.Call(func=cst.Attribute(value=inner, attr=cst.Name("to" | "cuda"))):
            return dotted(inner)
    return dotted(node)


def _shares_apart(program: Program, values: Values) -> Iterator[Problem]:
    """Samplers for processes that train models of their own."""
    for call in program.index.calls:
        if values.torch_name(call.func) == "torch.utils.data.DistributedSampler" and is_share_of_rank(call, values):
            reason = "no `DistributedDataParallel` keeps the models of the processes the same"
            yield Problem(call, "T2J508", {"name": "DistributedSampler", "reason": reason})


def _continued(steps: Sequence[Step]) -> Iterator[Problem]:
    """Steps whose loss goes on from what was computed before."""
    for step in steps:
        if step.carried or step.carries:
            reason = "it goes on from what was computed before the step, outside of what each device runs for itself"
            yield Problem(step.backward, "T2J508", {"name": "backward()", "reason": reason})


def _decided_apart(program: Program, ranks: Ranks, inside: set[cst.CSTNode]) -> Iterator[Problem]:
    """What every device reads though a rank decides on it: `scale = 2.0 if rank == 0 else 1.0`."""
    told: set[str] = set()
    for node in program.index.every(cst.Name, cst.Attribute, cst.IfExp) if ranks.kept else ():
        if node not in inside:
            continue
        is_read = not isinstance(node, cst.Name) or not (
            is_label(node, program.index.parents[node]) or is_bound(program.index, node)
        )
        name = dotted(node) or "a choice"
        if is_read and name not in told and ranks.decides(node) and not ranks.is_below_test(node):
            told.add(name)
            reason = "a rank decides what it is, and every device would have that of the first"
            yield Problem(node, "T2J508", {"name": name, "reason": reason})


_APART = {BARE: ".module", UNSYNCED: "no_sync"}


def _evaluated_apart(
    name: str, values: Values, effects: Effects, evaluations: Sequence[Evaluation], reductions: Reductions
) -> Iterator[Problem]:
    """What all devices compute with a model that has not been given the buffers of the first process: one without its wrapper,
    or behind a pass that does not synchronize.
    """
    for evaluation in evaluations:
        kept = any(item is evaluation for item, _ in reductions.results)
        if kept or any(read in reductions.reads for read in evaluation.reads):
            parts = [*evaluation.inside, *map(cst.Expr, evaluation.reads)]
            models = [value_of_place(parts, place, values) for place in evaluation.models]
            if any(item is None or effects.is_stateful(item) for item in models):
                node = evaluation.inside[0] if evaluation.inside else evaluation.reads[0]
                without = "in a model without its wrapper" if name == ".module" else "behind such a pass"
                yield Problem(
                    node, "T2J508", {"name": name, "reason": f"each process has buffers of its own {without}"}
                )


_LIBRARIES = (("numpy.random.", "numpy.random.seed"), ("random.", "random.seed"), ("np.random.", "np.random.seed"))
_OWN_STREAMS = frozenset({"default_rng", "RandomState", "Generator", "seed", "getstate", "setstate", "get_state", "set_state"})  # fmt: skip


@dataclass(slots=True)
class _Draws:
    """Draws outside of what each device runs: in torch each process draws for itself, unless all have the same seed."""

    program: Program
    values: Values
    effects: Effects
    inside: set[cst.CSTNode]

    def problems(self) -> Iterator[Problem]:
        alike = _draws_alike(self.program, self.values)
        own = self._of_devices()
        split = self._samplers()
        shared, told = self._shares_data(split), set[Function | None]()
        for call in self.program.index.calls:
            function = self.program.function_around(call)
            if call in self.inside or function in own or (function is not None and _draws_for_rows(function)):
                continue
            name = self._drawing(call, alike) or (None if alike else self._shuffles(call, split))
            if name is not None and shared and self._makes_data(call):
                if function not in told:
                    yield Problem(call, "T2J512", {"name": name})
                told.add(function)
            elif name is not None:
                reason = "each process draws for itself: give all of them the same seed"
                yield Problem(call, "T2J508", {"name": name, "reason": reason})

    def _shares_data(self, split: set[str]) -> bool:
        """Whether all processes read shares of one data set, which none of them seeds by its rank."""
        calls = self.program.index.calls
        seeds = [call for call in calls if (dotted(call.func) or "").rpartition(".")[2] in _SEEDS]
        loaders = [call for call in calls if self.values.torch_name(call.func) == "torch.utils.data.DataLoader"]
        if not loaders or any(_tells_rank(self.program, self.values, call) for call in seeds):
            return False
        sampled = all(any(item.keyword and item.keyword.value == "sampler" for item in call.args) for call in loaders)
        return sampled and not any(self._shuffles(call, split) for call in loaders)

    def _makes_data(self, call: cst.Call) -> bool:
        """Whether what is drawn are the samples of a data set, when it is made."""
        function = self.program.function_around(call)
        makers = [*self.values.callees.get(call, ()), *([function] if function is not None else [])]
        return any(map(_makes_rows, makers))

    def _of_devices(self) -> set[Function]:
        """The functions that are called by steps and evaluations, or for single rows, alone."""
        sites: dict[Function, list[cst.Call]] = {}
        for call, callees in self.values.callees.items():
            for item in callees:
                sites.setdefault(item, []).append(call)
        found: set[Function] = set()
        size = -1
        while size < len(found):
            size = len(found)
            found |= {item for item, calls in sites.items() if all(self._is_below(call, found) for call in calls)}
        return found

    def _is_below(self, call: cst.Call, found: set[Function]) -> bool:
        if call in self.inside:
            return True
        if call not in self.program.index.parents:
            return False
        function = self.program.function_around(call)
        return function is not None and (function in found or _draws_for_rows(function))

    def _drawing(self, call: cst.Call, alike: bool) -> str | None:
        name = dotted(call.func) or ""
        for start, seed in _LIBRARIES:
            if name.startswith(start) and name.rpartition(".")[2] not in _OWN_STREAMS:
                return None if self._is_seeded(seed) else name
        torch_name = self.values.torch_name(call.func) or ""
        if alike or self.values(call).kind is Kind.MODULE or torch_name.startswith(("torch.nn.", "torch.utils.data.D")):
            return None
        if self.effects.draw_of(call) is Draw.NONE or self.effects.generator_of(call) is not None:
            return None
        callees = self.values.callees.get(call, ())
        is_own = any(item.node in self.program.functions for item in callees)
        if is_own or any(self.values(item.value).kind is Kind.MODULE for item in call.args):
            return None
        called = [call.func, call.func.value] if isinstance(call.func, cst.Attribute) else [call.func]
        if any(self.values(item).kind is Kind.MODULE for item in called):
            return None
        return name or "()"

    def _is_seeded(self, seed: str) -> bool:
        seeds = [call for call in self.program.index.calls if dotted(call.func) == seed]
        return bool(seeds) and not any(_tells_rank(self.program, self.values, call) for call in seeds)

    def _samplers(self) -> set[str]:
        """Variables that hold samplers for all devices."""
        found: set[str] = set()
        for call in self.program.index.calls:
            if self.values.torch_name(call.func) == "torch.utils.data.DistributedSampler":
                line = self.program.index.statement_of(call)
                if isinstance(line, cst.SimpleStatementLine) and isinstance(line.body[0], cst.Assign):
                    found |= {dotted(item.target) or "" for item in line.body[0].targets}
        return found

    def _shuffles(self, call: cst.Call, split: set[str]) -> str | None:
        """A loader that gives each process rows in an order of its own."""
        if self.values.torch_name(call.func) != "torch.utils.data.DataLoader" or self._is_shared():
            return None
        named = {item.keyword.value: item.value for item in call.args if item.keyword is not None}
        plain = [item.value for item in call.args if item.keyword is None]
        if any(item.star for item in call.args):
            return "DataLoader"
        sampler = named.get("sampler") or (plain[3] if len(plain) > 3 else None)
        shuffle = named.get("shuffle") or (plain[2] if len(plain) > 2 else None)
        if sampler is not None and self.values(sampler).kind is not Kind.NONE:
            parts = (sampler, *descendants(sampler))
            made = any(self.values.torch_name(item.func) == "torch.utils.data.DistributedSampler" for item in parts if isinstance(item, cst.Call))  # fmt: skip
            return None if made or any(isinstance(item, (cst.Name, cst.Attribute)) and dotted(item) in split for item in parts) else "DataLoader"  # fmt: skip
        if "batch_sampler" in named:
            return "DataLoader"
        return None if shuffle is None or dotted(shuffle) == "False" else "DataLoader"

    def _is_shared(self) -> bool:
        """Whether all loaders of the file are shared out to all processes when they have been made."""
        names = [self.values.torch_name(item.func) or "" for item in self.program.index.calls]
        shared = sum(name.startswith("torch.utils.data.share_") for name in names)
        return 0 < shared == names.count("torch.utils.data.DataLoader")


def _makes_rows(function: Function) -> bool:
    """Whether a function makes an object that gives single rows."""
    owner = function.owner
    if owner is None or owner.is_module or function.name != "__init__":
        return False
    return {"__getitem__", "__len__"} <= owner.methods.keys()


def _draws_for_rows(function: Function) -> bool:
    """Whether a function belongs to a module, or makes single rows of a data set, which are drawn for each of them."""
    owner = function.owner
    if owner is None:
        return False
    is_rows = "__getitem__" in owner.methods or "__call__" in owner.methods
    return owner.is_module or (is_rows and function.name != "__init__")


# ranks


def _read_ranks(program: Program, ranks: Ranks) -> Iterator[cst.BaseExpression]:
    """Ranks in what is more than a test for the first process, or a remark: all devices of a host are one process."""
    index = program.index
    for node in index.every(cst.Name, cst.Attribute, cst.Call):
        if is_target(program, node) or (isinstance(node, cst.Name) and is_label(node, index.parents[node])):
            continue
        if ranks(node) and not _is_harmless(index, ranks.values, node):
            yield node


def _find_parts(
    program: Program,
    known: Ranks,
    effects: Effects,
    ranks: Sequence[cst.BaseExpression],
    traced: Collection[Function],
) -> Iterator[RankPart]:
    """Rows that are taken by the rank: a statement that computes a tensor of what all processes have, and does nothing else.

    `traced`: functions that run on every device."""
    outside = [
        rank for rank in ranks if not _is_in_module(program, rank) and program.function_around(rank) not in traced
    ]
    lines = dict.fromkeys(map(program.index.statement_of, outside))
    for line in lines:
        match line:
            case cst.SimpleStatementLine(
                body=[cst.Assign(targets=[cst.AssignTarget(target=cst.Name() as target)], value=value) as assignment]
            ):
                inner = tuple(known.outermost(value))
                kinds = set[str]().union(*map(known.types_of, inner))
                what = known.values(value)
                is_rows = what.kind is Kind.TENSOR and what.rank != 0
                if is_rows and len(kinds) == 1 and _only_computes(value, known, effects):
                    if not _is_shared_name(program, line, target.value):
                        yield RankPart(assignment, target.value, inner, LOCAL_RANK in kinds)


def _only_computes(node: cst.BaseExpression, ranks: Ranks, effects: Effects) -> bool:
    """Whether an expression may be computed once for each device: nothing draws, changes or asks the outside."""
    values = ranks.values
    for part in (node, *descendants(node)):
        if isinstance(part, (cst.NamedExpr, cst.Lambda, cst.Await, cst.Yield, cst.GeneratorExp, cst.BaseComp)):
            return False
        if not isinstance(part, cst.Call) or ranks(part):
            continue
        name = (values.torch_name(part.func) or dotted(part.func) or "").rpartition(".")[2]
        if isinstance(part.func, cst.Attribute):
            name = part.func.attr.value
        is_own = bool(values.callees.get(part)) or values(part.func).kind in (Kind.FUNCTION, Kind.MODULE, Kind.OBJECT)
        if is_own or name not in _COMPUTING or effects.draw_of(part) is not Draw.NONE:
            return False
    return True


_COMPUTING = ROW_METHODS | {
    "array", "asarray", "slice", "range", "len", "chunk", "split", "tensor_split", "index_select", "narrow", "arange", "clone",
    "size", "min", "max", "stack", "cat", "transpose", "permute", "squeeze", "tensor",
}  # fmt: skip


def _is_shared_name(program: Program, line: cst.CSTNode, name: str) -> bool:
    """Whether other functions may see a variable that a function binds, or a class has it as a field."""
    index = program.index
    around = [item for item in index.ancestors(line) if isinstance(item, (cst.FunctionDef, cst.ClassDef))]
    if around and isinstance(around[0], cst.ClassDef):
        return True
    declared = [item for node in index.every(cst.Global) for item in node.names]
    declared += [item for node in index.every(cst.Nonlocal) for item in node.names]
    return any(item.name.value == name for item in declared)


def _regions(steps: Sequence[Step], evaluations: Sequence[Evaluation]) -> set[cst.CSTNode]:
    """All that runs on every device, but for what it calls."""
    found: set[cst.CSTNode] = set()
    for step in steps:
        for part in (*step.forward, step.loss):
            found.update((part, *descendants(part)))
    for evaluation in evaluations:
        for item in (*evaluation.inside, *evaluation.reads):
            found.update((item, *descendants(item)))
    return found


def _reached(program: Program, values: Values, region: set[cst.CSTNode]) -> set[Function]:
    """The functions that a region calls, and those that these call."""
    found: set[Function] = set()
    left = [item for call, callees in values.callees.items() if call in region for item in callees]
    while left:
        function = left.pop()
        if function in found:
            continue
        found.add(function)
        for call, callees in values.callees.items():
            if call in program.index.parents and program.function_around(call) is function:
                left.extend(callees)
    return found


def _misread_ranks(program: Program, values: Values, ranks: Sequence[cst.BaseExpression]) -> Iterator[Problem]:
    """What is told of ranks: in modules that run on every device they are the device's own, but no numbers of Python.

    Files that start processes are for several devices, others may be for one."""
    starts = starts_processes(program, values)
    for node in ranks:
        name = {"name": dotted(node) or "get_rank()"}
        if _has_to_be_constant(program, node) or (starts and not _is_in_module(program, node)):
            reason = "it is the rank of a process here, and one process drives all devices"
            yield Problem(node, "T2J508", {**name, "reason": reason})
        else:
            yield Problem(node, "T2J509", name)


def _reduced_alone(program: Program, values: Values, known: Collection[cst.Call]) -> Iterator[Problem]:
    """What is told of reductions in functions that may be called outside of steps, where these are not `known`."""
    if not program.mentions("_functional_collectives") and not program.mentions("all_gather"):
        return
    for call in program.index.calls:
        module, _, name = (values.torch_name(call.func) or "").rpartition(".")
        function = program.function_around(call)
        is_method = function is not None and function.owner is not None and function.owner.is_module
        is_told = module in ("torch.distributed._functional_collectives", "torch.distributed.nn.functional")
        if is_told and "own_part" not in name and not is_method and call not in known:
            yield Problem(call, "T2J509", {"name": name.removesuffix("_")})


def _is_in_module(program: Program, node: cst.BaseExpression) -> bool:
    """Whether a rank is read in a method of a module, which may run on every device."""
    function = program.function_around(node)
    return bool(function is not None and function.owner is not None and function.owner.is_module)


def _has_to_be_constant(program: Program, node: cst.BaseExpression) -> bool:
    """Whether a rank says how long a part of an array is, in what every device runs."""
    function = program.function_around(node)
    if function is None or not _is_in_module(program, node) or function.name == "__init__":
        return False
    for ancestor in program.index.ancestors(node):
        if isinstance(ancestor, cst.Slice) or (isinstance(ancestor, cst.Call) and dotted(ancestor.func) == "range"):
            return True
        if isinstance(ancestor, cst.BaseStatement):
            return False
    return False


def _is_asserted(index: Index, node: cst.CSTNode) -> bool:
    """Whether a rank is only said to be as all are: `assert rank < world_size`."""
    parent = index.parents[node]
    while isinstance(parent, (cst.Comparison, cst.ComparisonTarget, cst.BooleanOperation)):
        parent = index.parents[parent]
    return isinstance(parent, cst.Assert)


def _is_harmless(index: Index, values: Values, node: cst.CSTNode) -> bool:
    parent = index.parents[node]
    if _is_asserted(index, node):
        return True
    match parent:
        case (
            cst.AssignTarget()
            | cst.Assign()
            | cst.AnnAssign()
            | cst.Param()
            | cst.Return()
            | cst.FormattedStringExpression()
        ):
            return True
        case cst.AugAssign(target=target):
            return target is node
        case cst.Comparison(left=left, comparisons=[cst.ComparisonTarget(operator=operator, comparator=other)]):
            return _is_first(other if left is node else left) or _asks_for_none(operator, other)
        case cst.ComparisonTarget():
            comparison = index.parents[parent]
            return isinstance(comparison, cst.Comparison) and _is_first(comparison.left)
        case cst.UnaryOperation(operator=cst.Not()) | cst.BooleanOperation() | cst.If() | cst.Expr():
            return True
        case cst.Element():
            around = index.parents[index.parents[parent]]
            if isinstance(around, cst.Assign) and any(isinstance(item.target, cst.Name) for item in around.targets):
                return False  # it is not followed into containers
            is_given = isinstance(around, cst.Arg) and _takes_rank(index, values, around)
            return (
                is_given
                or _fills_text(values, around)
                or isinstance(around, (cst.Assign, cst.AssignTarget, cst.Return))
            )
        case cst.Arg():
            return _takes_rank(index, values, parent)
        case cst.IfExp():
            return parent.test is node or _is_harmless(index, values, parent)
        case cst.BinaryOperation(left=left, operator=cst.Modulo()) if left is node:  # the rank within a host
            return _is_harmless(index, values, parent)
        case cst.BinaryOperation():
            return _fills_text(values, parent) or _seeds(index, parent) or _is_kept_for_seeds(index, parent)
        case cst.Attribute():
            return True
    return False


def _fills_text(values: Values, node: cst.CSTNode) -> bool:
    """`"process %d" % rank`."""
    is_remainder = isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Modulo)
    return is_remainder and values(cst.ensure_type(node, cst.BinaryOperation).left).kind is Kind.STR


def _asks_for_none(operator: cst.BaseCompOp, other: cst.BaseExpression) -> bool:
    """`rank is not None`."""
    return isinstance(operator, (cst.Is, cst.IsNot)) and dotted(other) == "None"


def _is_first(node: cst.BaseExpression) -> bool:
    """0, -1, or a tuple or set of these."""
    if isinstance(node, (cst.Tuple, cst.List, cst.Set)):
        return all(_is_first(item.value) for item in node.elements)
    if isinstance(node, cst.UnaryOperation):
        return isinstance(node.operator, cst.Minus) and isinstance(node.expression, cst.Integer)
    return isinstance(node, cst.Integer) and node.value == "0"


def _takes_rank(index: Index, values: Values, argument: cst.Arg) -> bool:
    """Whether a call may be given a rank: functions of the program, what prints, seeds or places, and samplers."""
    call = index.parents[argument]
    if not isinstance(call, cst.Call):
        return False
    if values.callees.get(call):
        return True
    name = call.func.attr.value if isinstance(call.func, cst.Attribute) else dotted(call.func) or ""
    torch_name = values.torch_name(call.func) or ""
    if torch_name.startswith("torch."):
        known = ("torch.distributed.init_process_group", "torch.utils.data.DistributedSampler", "torch.device")
        return torch_name in (*known, *WRAPPERS) or name in _SEEDS or "device" in name
    if argument.keyword is not None and argument.keyword.value in ("device", "disable", "initial"):
        return True
    return name in _TOLD or name in _SEEDS


def _seeds(index: Index, node: cst.BinaryOperation) -> bool:
    """Whether a sum with a rank is a seed."""
    for ancestor in index.ancestors(node):
        if isinstance(ancestor, cst.Call):
            return (dotted(ancestor.func) or "").rpartition(".")[2] in _SEEDS
        if isinstance(ancestor, cst.FormattedStringExpression):
            return True
        if isinstance(ancestor, (cst.BaseStatement, cst.BaseSmallStatement)):
            return False
    return False


def _is_kept_for_seeds(index: Index, node: cst.BinaryOperation) -> bool:
    """Whether a sum with a rank is a variable that is given to what seeds, or prints, only."""
    line = index.parents[node]
    match line:
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Name() as target)], value=value) if value is node:
            scope: cst.CSTNode = index.function_of(node) or index.module
            uses = [item for item in descendants(scope) if isinstance(item, cst.Name) and item.value == target.value]
            return all(item is target or _is_seed(index, item) for item in uses)
    return False


def _is_seed(index: Index, node: cst.Name) -> bool:
    parent = index.parents[node]
    if isinstance(parent, cst.FormattedStringExpression) or is_label(node, parent):
        return True
    call = index.parents[parent] if isinstance(parent, cst.Arg) else None
    name = dotted(call.func) if isinstance(call, cst.Call) else None
    return (name or "").rpartition(".")[2] in _SEEDS | {"print"}


# batches


@dataclass(slots=True)
class _Rows:
    """What is done with batches outside of steps, where they hold the rows of all devices."""

    program: Program
    values: Values
    steps: Sequence[Step]
    evaluations: Sequence[Evaluation]
    batches: Sequence[tuple[cst.Assign, tuple[str, ...]]]
    objects: Collection[str]
    counts: list[tuple[cst.BaseExpression, cst.CSTNode]]
    firsts: list[cst.Name]
    problems: list[Problem]
    seen: set[cst.CSTNode]

    def __init__(
        self,
        program: Program,
        values: Values,
        steps: Sequence[Step],
        evaluations: Sequence[Evaluation],
        batches: Sequence[tuple[cst.Assign, tuple[str, ...]]],
        objects: Collection[str],
    ) -> None:
        self.program, self.values, self.steps, self.evaluations = program, values, steps, evaluations
        self.batches, self.objects = batches, objects
        self.counts, self.firsts, self.problems = [], [], []
        self.seen = set()

    def look(self) -> None:
        inside = self.inside()
        for loop in self.program.index.every(cst.For):
            names = self._batches(loop)
            if names:
                self._look_at(loop.body, names, inside)
        for assignment, bound in self.batches:
            if assignment in inside:
                self._refuse(assignment, bound[0])
            function = self.program.index.function_of(assignment)
            self._look_at(function.body if function is not None else self.program.index.module, set(bound), inside)
        self._look_at_parameters(inside)
        self._look_at_single_batches(inside)

    def _look_at_parameters(self, inside: set[cst.CSTNode]) -> None:
        """Batches that functions are given by those that loop."""
        regions: list[Step | Evaluation] = [*self.steps, *self.evaluations]
        for function in dict.fromkeys(item.function for item in regions):
            if function is None:
                continue
            inputs = {name for item in regions if item.function is function for name in item.inputs}
            given = inputs & set(function.parameter_names)
            names = {name for name in given if self._may_be_batch(function.env.get(name))}
            self._look_at(function.node.body, names, inside)

    def _may_be_batch(self, value: Value | None) -> bool:
        return value is None or value.kind in (Kind.TENSOR, Kind.UNKNOWN, Kind.TUPLE, Kind.LIST, Kind.DICT)

    def _look_at_single_batches(self, inside: set[cst.CSTNode]) -> None:
        """`next(iter(loader))`, at once or in variables."""
        index = self.program.index
        for call in index.calls:
            if dotted(call.func) != "next" or not call.args or not self._gives_batches(call.args[0].value):
                continue
            whole: cst.CSTNode = call
            while isinstance(index.parents[whole], cst.Subscript):
                whole = index.parents[whole]
            parent = index.parents[whole]
            if isinstance(parent, cst.Assign) and len(parent.targets) == 1:
                target = parent.targets[0].target
                names = {node.value for node in (target, *descendants(target)) if isinstance(node, cst.Name)}
                function = index.function_of(call)
                self._look_at(function.body if function is not None else index.module, names, inside)
                continue
            count = self._count(whole, parent)
            if count is not None:
                self.counts.append((count, whole))
            else:
                self._refuse(call, "next()")

    def _gives_batches(self, node: cst.BaseExpression) -> bool:
        if isinstance(node, cst.Call) and dotted(node.func) == "iter" and node.args:
            node = node.args[0].value
        return self.values(node).kind in (Kind.LOADER, Kind.UNKNOWN) and not self._gives_others(node)

    def _gives_others(self, node: cst.BaseExpression) -> bool:
        """Whether an expression gives paths, texts, names or groups of parameters, as no loader of batches does."""
        match node:
            case cst.Attribute(attr=cst.Name("param_groups")):
                return True
            case cst.Call(func=cst.Name("sorted" | "list" | "reversed" | "tuple"), args=[cst.Arg(value=inner), *_]):
                return self._gives_others(inner)
            case cst.Call(func=cst.Name("open")) | cst.GeneratorExp():
                return isinstance(node, cst.Call) or self._gives_others(node.for_in.iter)
            case cst.Call(func=cst.Attribute(attr=cst.Name(name))):
                return name in _OTHERS
        return False

    def _refuse(self, node: cst.CSTNode, name: str) -> None:
        reason = "it holds the rows of all devices here, outside of what each device runs for itself"
        self.problems.append(Problem(node, "T2J508", {"name": name, "reason": reason}))

    def inside(self) -> set[cst.CSTNode]:
        """All that runs on every device."""
        return _regions(self.steps, self.evaluations)

    def _batches(self, loop: cst.For) -> set[str]:
        """The variables of a loop that may hold batches with rows of all devices."""
        iterable = loop.iter
        counter = isinstance(iterable, cst.Call) and dotted(iterable.func) in ("enumerate", "tqdm.tqdm", "tqdm")
        while isinstance(iterable, cst.Call) and iterable.args and counter:
            iterable = iterable.args[0].value
        if not self._may_be_split(iterable):
            return set()
        names = [node.value for node in (loop.target, *descendants(loop.target)) if isinstance(node, cst.Name)]
        is_counted = isinstance(loop.iter, cst.Call) and any(
            isinstance(node, cst.Call) and dotted(node.func) == "enumerate"
            for node in (loop.iter, *descendants(loop.iter))
        )
        return set(names[1:] if is_counted else names)

    def _may_be_split(self, iterable: cst.BaseExpression) -> bool:
        value = self.values(iterable)
        if dotted(iterable) in self.objects:
            return True
        if value.kind is Kind.LOADER:
            return "split" in value.types or "whole" not in value.types
        if isinstance(iterable, cst.Call) and any(map(_yields, self.values.callees.get(iterable, ()))):
            return any(self._may_be_split(item.value) for item in iterable.args)
        if value.kind is not Kind.UNKNOWN or (
            isinstance(iterable, cst.Call) and dotted(iterable.func) in ("range", "zip")
        ):
            return False
        if self._gives_others(iterable):
            return False
        function = self.program.function_around(iterable)
        return any(step.function is function for step in self.steps) or any(
            item.function is function for item in self.evaluations
        )

    def _look_at(self, body: cst.CSTNode, names: set[str], inside: set[cst.CSTNode]) -> None:
        for node in descendants(body):
            if isinstance(node, cst.Name) and node.value in names and node not in inside and not self._is_label(node):
                if node not in self.seen and (body is not self.program.index.module or not self._is_local(node)):
                    self.seen.add(node)
                    self._use(node, inside)

    def _is_local(self, node: cst.Name) -> bool:
        function = self.program.function_around(node)
        return function is not None and node.value in function.env

    def _is_label(self, node: cst.Name) -> bool:
        parent = self.program.index.parents[node]
        return is_label(node, parent) or (is_bound(self.program.index, node) and not isinstance(parent, cst.AugAssign))

    def _use(self, node: cst.Name, inside: set[cst.CSTNode]) -> None:
        parent = self.program.index.parents[node]
        count = self._count(node, parent)
        if count is not None:
            self.counts.append((count, node))
        elif self._is_handed_on(node):
            return
        elif is_for_first(self.program, self.values, node, [*self.steps, *self.evaluations], inside):
            self.firsts.append(node)
        else:
            self._refuse(node, node.value)

    def _count(self, node: cst.CSTNode, parent: cst.CSTNode) -> cst.BaseExpression | None:
        """`len(x)`, `x.size(0)` or `x.shape[0]` around a batch."""
        index = self.program.index
        if isinstance(parent, cst.Arg):
            call = index.parents[parent]
            return call if isinstance(call, cst.Call) and dotted(call.func) == "len" else None
        if not isinstance(parent, cst.Attribute) or parent.attr.value not in _COUNTED:
            return None
        around = index.parents[parent]
        match around:
            case cst.Call(args=[cst.Arg(value=cst.Integer("0"))]) if parent.attr.value == "size":
                return around
            case cst.Subscript(slice=[cst.SubscriptElement(slice=cst.Index(value=cst.Integer("0")))]):
                return around if parent.attr.value == "shape" else None
        return None

    def _is_handed_on(self, node: cst.Name) -> bool:
        """Whether it is an argument of a function of the file with a step in it, left as it is (`x = x`), or forgotten."""
        index = self.program.index
        for ancestor in index.ancestors(node):
            if isinstance(ancestor, cst.Call):
                callees = self.values.callees.get(ancestor, ())
                return bool(callees) and all(self._has_step(item) for item in callees)
            if isinstance(ancestor, cst.Del):
                return dotted(ancestor.target) == node.value or isinstance(ancestor.target, cst.Tuple)
            if isinstance(ancestor, cst.Yield):  # to a loop that is looked at as well
                return ancestor.value is node
            if isinstance(ancestor, (cst.Assign,)):
                targets = [dotted(item.target) for item in ancestor.targets]
                if isinstance(ancestor.value, cst.Name) and targets == [node.value]:
                    return True
                return _is_same_tuple(ancestor)
            if isinstance(ancestor, cst.BaseStatement):
                return False
        return False

    def _has_step(self, function: Function) -> bool:
        return any(step.function is function for step in self.steps)


def _yields(function: Function) -> bool:
    """Whether a function hands on what it loops over."""
    return any(isinstance(node, cst.Yield) for node in descendants(function.node.body))


def _is_same_tuple(node: cst.Assign) -> bool:
    """`x, y = x, y`, which moves to devices have left."""
    target = node.targets[0].target
    if len(node.targets) != 1 or not isinstance(target, cst.Tuple) or not isinstance(node.value, cst.Tuple):
        return False
    left, right = ([dotted(item.value) for item in part.elements] for part in (target, node.value))
    return left == right and None not in left


__all__ = [
    "ROW_METHODS",
    "Parallel",
    "find_parallel",
    "is_rank",
    "is_share_of_rank",
    "is_wrapped",
    "knows_processes",
    "starts_processes",
]
