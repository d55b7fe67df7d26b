"""Writes that other names see: behind each of them, what shares the storage is given its new values in words.

z = y.view(-1)                z = y.view(-1)
z[0] = 5               ->     z[0] = 5
return y                      y = z.reshape(y.shape)
                              return y

A walk over the statements of each function knows, at each point, which names and which slots of lists, tuples and dicts
hold which storage, and how a view was cut from it. Where that is not known, or cannot be said, the write is left alone,
to be refused.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import field, replace
from itertools import combinations

import libcst as cst

from torch2jax.facts.alias_state import (
    UNKNOWN_ORIGIN,
    Box,
    Holder,
    Loop,
    State,
    age_kept,
    assigned_root,
    blur_path,
    common_path,
    grow_old,
    is_constant,
    is_field_text,
    is_prefix,
    is_sure,
    key_text,
    known_objects,
    made_along,
    merged,
    name_for_view,
    open_object,
    path_of,
    quoted_key,
    read_by,
    reads_values,
    root_of,
    row_step,
    slot_key,
    speaks_of,
    without_words,
    words_of,
)
from torch2jax.facts.axes import has_axis, is_index
from torch2jax.facts.effects import Draw
from torch2jax.facts.file_contents import is_number_or_read
from torch2jax.facts.float_arithmetic import is_float
from torch2jax.facts.infer import OWNED, is_own_gradient, is_suppressing, keeps_arguments
from torch2jax.facts.module_state import runs_in_methods
from torch2jax.facts.mutations import copied_place
from torch2jax.facts.storage import (
    BASE,
    NEW,
    SURROUNDINGS,
    VIEWS,
    Held,
    Maybe,
    Object,
    Ref,
    Shared,
    Step,
    Tensor,
    ViewCall,
    are_apart,
    attribute_step,
    code_behind,
    index_step,
    is_new,
    is_plain_index,
    part_step,
    perhaps_step,
    view_step,
    without_data,
)
from torch2jax.normalize.escape import (
    contained_names,
    is_given_new_display,
    is_given_what_lasts,
    is_of_all,
    keeps_result,
    kept_arguments,
    kept_names,
    puts_in_container,
)
from torch2jax.normalize.kept_results import kept_results
from torch2jax.normalize.object_fields import shared_fields
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.normalize.shared_results import (
    FACTS_OF_TENSORS,
    all_parameters,
    gives_no_storage,
    has_plain_default,
    is_callable,
    is_of_given,
    passes_on,
    shared_by_result,
)
from torch2jax.ops.python import Does, gives_parts, method_does
from torch2jax.ops.schema import is_inplace_name
from torch2jax.program.calls import arguments_by_parameter, outlives, reached_from
from torch2jax.program.liveness import Liveness
from torch2jax.program.program import Class, Function, dotted
from torch2jax.program.statements import out_of_displays
from torch2jax.records import dataclass
from torch2jax.syntax.codegen import code
from torch2jax.syntax.fresh import FreshNames
from torch2jax.syntax.problem import Problem
from torch2jax.syntax.quote import names_in
from torch2jax.syntax.walk import count_name, descendants, elements_of
from torch2jax.values import DTYPE_CALLS, Kind, Value, class_dtype

_NOTICED = frozenset({cst.Yield, cst.NamedExpr, cst.Lambda, cst.Call, cst.Name})
_PARTIAL = ("partial", "functools.partial")
_UNROLLED = 6  # lines that may be made of a loop over a few names
_PERHAPS = (Kind.UNKNOWN, Kind.PYTHON, Kind.NONE)  # what may be a tensor after all
_COMPUTED = "computed"  # what arithmetic gives that may be a number as well as a tensor
_GIVEN = "given"  # the tensors in a container that a caller has passed
_KEPT = "kept"  # the tensors in a container that lies in a field
_OF_OBJECT = "of object"  # the tensor in a field of an object
_MODULE = "module"  # a tensor of a variable of the file, in a function
_GIVES = "gives"  # what a callable gives that was passed, and of which nothing is known
_OF_NUMBERS = (cst.MatrixMultiply, cst.Subtract, cst.Divide, cst.Power)
_NO_MASKS = (cst.In, cst.NotIn, cst.Is, cst.IsNot)
_NO_CHANGE = {"requires_grad_", "share_memory_", "retain_grad_", "rename_"}
_METADATA = {"t_", "transpose_", "swapaxes_", "swapdims_", "squeeze_", "unsqueeze_", "resize_", "resize_as_", "set_"}
_LOOKING = {"len", "range", "int", "float", "bool", "min", "max", "abs", "sum", "isinstance", "print", "str", "repr"}
_WITHOUT_TENSORS = {"len", "range", "int", "float", "bool", "isinstance", "str", "repr", "hasattr", "id", "ord", "chr"}
_COMPUTING = {"abs", "sum"}
_PASSING_THROUGH = {"reversed", "enumerate", "zip", "all", "any", "round", "divmod", "slice", "type"}
_CONTAINERS = (Kind.LIST, Kind.TUPLE, Kind.DICT)


class _Again(Exception):
    """A dead name is needed after all: it must be kept up to date."""

    def __init__(self, name: str) -> None:
        self.name = name


def normalize_views(work: NormalizationRound) -> None:
    """Give what shares storage its new values, behind each write of the file."""
    if work.effects is None or work.flows is None:
        return
    work.problems += [*shared_fields(work), *kept_results(work)]
    writers = _functions_that_write(work)
    for function in sorted(writers, key=lambda item: "" if item is None else item.key):
        walk = _Walk(work, function)
        for _ in range(6):
            try:
                walk.run()
                break
            except _Again as wanted:
                walk.keep.add(wanted.name)
        else:
            continue
        walk.finish()


def _functions_that_write(work: NormalizationRound) -> set[Function | None]:
    """The functions in which a tensor may be written to."""
    found: set[Function | None] = set()
    values, program = work.values, work.program
    for node in work.index.every(cst.Subscript):
        if values(node.value).kind is Kind.TENSOR and _is_target(work, node):
            found.add(program.function_around(node))
    for update in work.index.every(cst.AugAssign):
        if values(update.target).is_a(Kind.TENSOR, *_PERHAPS):
            found.add(program.function_around(update))
    for call in work.index.calls:
        if may_change(work, call):
            found.add(program.function_around(call))
    return found


def _is_target(work: NormalizationRound, node: cst.CSTNode) -> bool:
    """Whether a store goes to a node."""
    parent, whole = out_of_displays(work.index, node)
    if isinstance(parent, (cst.AugAssign, cst.AnnAssign)):
        return parent.target is whole
    return isinstance(parent, cst.AssignTarget)


def may_change(work: NormalizationRound, call: cst.Call) -> bool:
    """Whether a call changes a tensor in place."""
    values = work.values
    name = values.torch_name(call.func)
    if name is not None:
        last = name.rpartition(".")[2]
        has_out = any(item.keyword is not None and item.keyword.value == "out" for item in call.args)
        return is_inplace_name(last) or has_out or values.is_inplace(call)
    if values.is_inplace_layer(call):
        return True
    if not isinstance(call.func, cst.Attribute) or values(call.func.value).kind is not Kind.TENSOR:
        return False
    method = call.func.attr.value
    return is_inplace_name(method) and method not in _NO_CHANGE


@dataclass(frozen=True, slots=True)
class OwnFields:
    """The fields of an object that a method of it names, those that it binds again, and whether it may keep any somewhere else."""

    owner: str
    named: frozenset[str]
    bound: frozenset[str]
    kept: bool


@dataclass(frozen=True, slots=True)
class _Updates:
    """Statements that follow a write at once, and others that can wait until a loop is done."""

    lines: list[str]
    behind: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Writing:
    """What is done behind one line: `lines` are the statements that give others their new values, `behind` those that can
    stand behind a loop.
    """

    line: cst.SimpleStatementLine
    written: str
    lines: list[str]
    behind: list[str] = field(default_factory=list)
    object: Object = ()

    @property
    def roots(self) -> frozenset[str]:
        return frozenset(assigned_root(text) for text in (*self.lines, *self.behind))


_Writings = dict[cst.SimpleStatementLine, _Writing]


def _writings_of_both(first: _Writings, later: _Writings) -> _Writings | None:
    """What two walks over the same lines found to be done behind them; None if they do not agree. What one of them leaves
    to the callers of the function, since it changes an argument, is left to them.
    """
    for line in {**first, **later}:
        one, other = first.get(line), later.get(line)
        if one is None or other is None:
            is_same = not (one or other).roots  # type: ignore[union-attr]
        else:
            is_same = (one.written, one.lines, one.behind) == (other.written, other.lines, other.behind)
            is_same = is_same and (one.object == other.object or not one.roots)
        if not is_same:
            return None
    return {line: writing for line, writing in later.items() if line in first}


@dataclass(frozen=True, slots=True)
class _Passing:
    """What a loop around the present statement goes through: the name of the tensor if it has one, what its variables are
    called, its text, and the counter of its rows.
    """

    name: str
    row: str
    over: str
    counter: str | None
    objects: frozenset[Object]

    @property
    def names(self) -> frozenset[str]:
        return words_of(self.row)


@dataclass(frozen=True, slots=True)
class _Settled:
    """What the walk of a loop has come to that was entered with some state: the one that no further round adds to, and those
    at its end and where it is left. Loops around it enter it so again.
    """

    before: State
    around: tuple[object, ...]
    state: State
    end: State
    left: State | None


class _Walk:
    """The walk over one function (None: the module)."""

    def __init__(self, work: NormalizationRound, function: Function | None) -> None:
        assert work.flows is not None and work.effects is not None
        self.work = work
        self.look = work.values
        self.tables = work.effects.tables
        self.function = function
        self.liveness: Liveness = work.flows.liveness(function)
        self.keep: set[str] = set()
        self.final = True
        self.breaks: list[State | None] = []  # what is known at each `break` of the loops around
        self.continues: list[State | None] = []
        self.trials: list[State] = []  # what is known anywhere in the bodies of the `try` around
        self.fresh: FreshNames | None = None
        self.temporaries: dict[str, str] = {}
        self.inner: set[str] | None = None
        self.scope: cst.CSTNode = function.node if function is not None else work.index.module
        self.spoken: frozenset[str] | None = None  # every name of the scope
        self.named: frozenset[str] | None = None  # those of which attributes are read
        self.noticed: dict[cst.CSTNode, list[cst.CSTNode]] = {}
        self.reset()

    def reset(self) -> None:
        self.writings: dict[cst.SimpleStatementLine, _Writing] = {}
        self.problems: list[Problem] = []
        self.loops: list[Loop] = []
        self.passing: list[_Passing] = []
        self.seen_loops: dict[cst.For, list[Loop]] = {}
        self.scattered: set[Object] = set()
        self.outlined: list[Callable[[], None]] = []
        self.returned: set[Object] = set()
        self.loop_names: dict[cst.For, str] = {}
        self.settled: dict[cst.CSTNode, _Settled] = {}
        self.made_before: set[Object] = set()

    def name(self, wish: str) -> str:
        """The name of something that is used at once: one for all that would have the same."""
        if self.fresh is None:
            self.fresh = self.work.local(self.scope)
        if wish not in self.temporaries:
            self.temporaries[wish] = self.fresh(wish)
        return self.temporaries[wish]

    def run(self) -> None:
        self.reset()
        state = State()
        function = self.function
        if function is not None:
            returned = {
                mark[2] for mark in self.work.program.marks if mark[:2] == (OWNED, function.key) and len(mark) > 2
            }
            for param in function.parameters:
                name = param.name.value
                kind = self.look(param.name).kind
                if kind in (Kind.TENSOR, Kind.UNKNOWN):
                    state.names[name] = Tensor(("param", name, name in returned))
                elif kind is Kind.LIST and is_given_new_display(self.work, function, name):
                    state.names[name] = self.boxed(param, Box(kind, exact=False, fresh=True), state)
                elif kind in _CONTAINERS:
                    state.names[name] = Maybe(frozenset({(_GIVEN, name)}))
        self.block(self.scope.body.body if function is not None else self.scope.body, state)  # type: ignore[attr-defined]

    # statements

    def block(self, body: Sequence[cst.CSTNode], state: State | None) -> State | None:
        for statement in body:
            if state is None:
                return None
            state = self.statement(statement, state)
            if self.trials and state is not None:
                self.trials = [trial.joined(state) for trial in self.trials]
        return state

    def suite(self, node: cst.BaseSuite | None, state: State) -> State | None:
        return self.block(node.body, state) if node is not None else state

    def statement(self, node: cst.CSTNode, state: State) -> State | None:
        match node:
            case cst.SimpleStatementLine():
                return self.line(node, state)
            case cst.If():
                self.reads(node.test, state)
                yes = self.suite(node.body, state.copy())
                other = node.orelse
                if isinstance(other, cst.If):
                    no = self.statement(other, state.copy())
                else:
                    no = self.suite(other.body, state.copy()) if other is not None else state
                return merged(yes, no)
            case cst.For():
                return self.for_loop(node, state)
            case cst.While():
                self.reads(node.test, state)
                state, left = self.repeated(node, lambda inner: self.suite(node.body, inner), state)
                return self.behind_loop(node.orelse, state, left)
            case cst.With():
                for item in node.items:
                    self.reads(item.item, state)
                    if item.asname is not None:
                        self.bind(item.asname.name, None, None, state)
                if not any(is_suppressing(item.item, self.look) for item in node.items):
                    return self.suite(node.body, state)
                self.trials.append(state.copy())
                return merged(self.suite(node.body, state), self.trials.pop())
            case cst.Try() | cst.TryStar():
                self.trials.append(state.copy())
                body = self.suite(node.body, state)
                mixed = self.trials.pop()
                if body is not None:
                    mixed = mixed.joined(body)
                    body = self.suite(node.orelse.body, body) if node.orelse is not None else body
                ends = [body] + [self.suite(handler.body, mixed.copy()) for handler in node.handlers]
                result: State | None = None
                for end in ends:
                    result = merged(result, end)
                if node.finalbody is not None:
                    result = self.suite(node.finalbody.body, result if result is not None else mixed)
                return result
            case cst.FunctionDef() | cst.ClassDef():
                if isinstance(node, cst.FunctionDef):
                    self.keep_defaults(node.params, state)
                else:
                    self.keep_fields(node, state)
                self.rebound(node.name.value, state)
                state.names[node.name.value] = None
                return state
            case cst.Match():
                result = state
                for case in node.cases:
                    result = merged(result, self.suite(case.body, state.copy()))
                return result
        return state

    def repeated(
        self, node: cst.For | cst.While, body: Callable[[State], State | None], state: State
    ) -> tuple[State, State | None]:
        """The state behind a loop, and that where it is left: its body is walked until nothing new is found, and once more
        for what is to be done.
        """
        around = self.around()
        known = self.settled.get(node)
        is_known = known is not None and not self.trials and known.before == state and known.around == around
        if is_known and not self.final:
            return known.end.copy(), None if known.left is None else known.left.copy()  # type: ignore[union-attr]
        before = state.copy()
        final, self.final = self.final, False
        is_walked = False
        behind: State | None = None
        left: State | None = None
        if is_known:
            state = known.state.copy()  # type: ignore[union-attr]
        else:
            for _ in range(4):
                scattered = len(self.scattered)
                behind, left = self.once(body, state)
                after = state if behind is None else state.joined(behind)
                if after == state:
                    is_walked = not (final or self.trials) and scattered == len(self.scattered)
                    break
                state = after
        self.final = final
        settled = state.copy()
        count, outlined, writings = len(self.problems), len(self.outlined), dict(self.writings)
        if not is_walked:
            behind, left = self.once(body, state)
        if final and len(self.problems) > count and len(self.outlined) == outlined:
            self.first_round_apart(node, body, before, count, writings)
        end = state if behind is None else state.joined(behind)
        if not (final or self.trials) and around == self.around():
            self.settled[node] = _Settled(before, around, settled, end.copy(), None if left is None else left.copy())
        return end, left

    def first_round_apart(
        self,
        node: cst.For | cst.While,
        body: Callable[[State], State | None],
        state: State,
        count: int,
        writings: dict[cst.SimpleStatementLine, _Writing],
    ) -> None:
        """What a write changes in the first round of a loop, and what it changes in the later ones, where all rounds at
        once have refused it: a name that each round gives a new tensor, `keep.append(x[0]); x = x[~mask]`, shares with
        nothing that earlier rounds have kept. It is allowed if both say that the same is to be done.
        """
        refused, allowed, outlined = self.problems, self.writings, len(self.outlined)
        self.problems, self.writings = refused[:count], dict(writings)
        later, _ = self.once(body, state)
        live = self.liveness.before_statement(node)
        first = self.writings
        if later is not None and len(self.problems) == count:
            self.final = False
            age_kept(later, live)
            for _ in range(4):
                behind, _ = self.once(body, later)
                if behind is not None:
                    age_kept(behind, live)
                after = later if behind is None else later.joined(behind)
                if after == later:
                    break
                later = after
            else:
                later = None
            self.final = True
        if later is not None and len(self.problems) == count:
            self.writings = dict(writings)
            self.once(body, later)
            both = _writings_of_both(first, self.writings)
            if both is not None and len(self.problems) == count and len(self.outlined) == outlined:
                self.writings = both
                return
        del self.outlined[outlined:]
        self.problems, self.writings = refused, allowed

    def around(self) -> tuple[object, ...]:
        """What the walk of a loop depends on, besides the state in which it is entered."""
        loops = [(loop.node, loop.over, loop.index, loop.object, loop.path, loop.step) for loop in self.loops]
        return len(self.scattered), tuple(loops), tuple(self.passing)

    def once(self, body: Callable[[State], State | None], state: State) -> tuple[State | None, State | None]:
        """The state at the end of a loop's body, however it gets there, and that where the loop is left."""
        self.breaks.append(None)
        self.continues.append(None)
        end = merged(body(state.copy()), self.continues.pop())
        return end, self.breaks.pop()

    def behind_loop(self, orelse: cst.Else | None, state: State, left: State | None) -> State | None:
        """`else` comes where a loop is not left, and what follows in either case."""
        return merged(self.suite(orelse.body, state) if orelse is not None else state, left)

    def line(self, line: cst.SimpleStatementLine, state: State) -> State | None:
        if line in self.work.program.settled:
            return self.settled_line(line, state)
        alone = len(line.body) == 1
        for small in line.body:
            match small:
                case cst.Assign():
                    self.reads(small.value, state)
                    if alone and self.hoist(line, small, small.value, state):
                        pass
                    ref = self.ref(small.value, state)
                    for target in small.targets:
                        self.assign(target.target, ref, small.value, line if alone else None, state)
                case cst.AnnAssign() if small.value is not None:
                    self.reads(small.value, state)
                    self.assign(small.target, self.ref(small.value, state), small.value, None, state)
                case cst.AugAssign():
                    self.reads(small.value, state)
                    if alone:
                        self.hoist(line, small, small.value, state)
                    self.augmented(line if alone else None, small, state)
                case cst.Expr():
                    self.reads(small.value, state)
                    self.expression_statement(line if alone else None, small.value, state)
                case cst.Return():
                    if small.value is not None:
                        self.reads(small.value, state)
                        if alone:
                            self.hoist(line, small, small.value, state)
                        self.returned |= state.objects(self.ref(small.value, state))
                    return None
                case cst.Raise() | cst.Break() | cst.Continue():
                    return self.leaving(small, state)
                case cst.Del():
                    for name in descendants(small.target):
                        if isinstance(name, cst.Name):
                            state.names.pop(name.value, None)
        return state

    def leaving(self, small: cst.CSTNode, state: State) -> State | None:
        """`break` and `continue` go on somewhere else with what is known here, which counts in what follows, too."""
        if isinstance(small, cst.Raise):
            return None
        leaving = self.breaks if isinstance(small, cst.Break) else self.continues
        leaving[-1] = merged(leaving[-1], state.copy())
        return state

    def settled_line(self, line: cst.SimpleStatementLine, state: State) -> State:
        """A line that an earlier round has made or dealt with leaves all as it was, but for how values lie in memory."""
        for small in line.body:
            if isinstance(small, cst.Assign):
                self.settled_assignment(small, state)
            changed = self.changed_place(small)
            ref = self.ref(changed, state) if changed is not None else None
            if isinstance(ref, Tensor):
                self.forget_words_about(ref, state)
        for call in descendants(line):
            if isinstance(call, cst.Call) and receiver_name(call).rpartition(".")[2] in _METADATA:
                receiver = self.receiver(call)
                self.scattered |= state.objects(self.ref(receiver, state)) if receiver is not None else frozenset()
        return state

    def changed_place(self, small: cst.BaseSmallStatement) -> cst.BaseExpression | None:
        """The tensor that a statement changes in place: `x` of `x[0] = 1`, `x += 1` and `x.add_(1)`."""
        place: cst.BaseExpression | None = None
        match small:
            case (
                cst.AugAssign(target=target) | cst.Assign(targets=[cst.AssignTarget(target=cst.Subscript() as target)])
            ):
                place = target
            case cst.Expr(value=cst.Call() as call):
                place = call
                while isinstance(place, cst.Call) and may_change(self.work, place):
                    place = self.receiver(place)
                place = None if place is call else place
        while isinstance(place, cst.Subscript) and self.look(place.value).kind is Kind.TENSOR:
            place = place.value
        return without_data(place, self.look) if place is not None else None

    def settled_assignment(self, small: cst.Assign, state: State) -> None:
        for target in small.targets:
            if isinstance(target.target, cst.Name) and target.target.value not in state.names:
                state.names[target.target.value] = None

    # binding names

    def rebound(self, name: str, state: State) -> None:
        """A name gets another value: views whose words speak of it cannot be made anew."""
        state.stale.discard(name)
        for attribute in [key for key in state.names if key.startswith(f"{name}.")]:
            del state.names[attribute]
        for key, ref in state.names.items():
            if type(ref) is Tensor and (ref.path or ref.object[0] == "item") and key != name:
                state.names[key] = without_words(ref, name)
        for key_, box in state.boxes.items():
            if not any(speaks_of(slot, name) or without_words(ref, name) is not ref for slot, ref in box.slots.items()):
                continue
            slots = {slot: without_words(ref, name) for slot, ref in box.slots.items() if not speaks_of(slot, name)}
            lost = [box.slots[slot] for slot in box.slots if slot not in slots]
            if slots == box.slots:
                continue
            made = {("slot", key_, slot) for slot in box.slots if slot not in slots}
            if lost and box.fresh and {ref.object for ref in lost if isinstance(ref, Tensor)} == made:
                self.untold(key_, made, slots, state)
            elif lost:
                objects = frozenset[Object]().union(*(state.objects(item) for item in (*lost, box.rest)))
                state.boxes[key_] = replace(box, slots=slots, exact=False, fresh=False, rest=Maybe(objects))
            else:
                state.boxes[key_] = replace(box, slots=slots)

    def untold(self, key: Object, made: Collection[Object], slots: dict[str, Ref], state: State) -> None:
        """Slots of a container stand for other tensors from now on: what they held is one of those that it holds."""
        state.boxes[key] = replace(state.boxes[key], slots=slots)
        for item in made:
            grow_old(item, state, ("box", key))

    def lengthened(self, key: Object, state: State) -> None:
        """A list gets one more item: `parts[-1]` is another one from now on, and so may be `parts[i]`."""
        box = state.boxes[key]
        slots = {slot: ref for slot, ref in box.slots.items() if slot.isdigit()}
        lost = {("slot", key, slot) for slot in box.slots if slot not in slots}
        held = {ref.object for slot, ref in box.slots.items() if slot not in slots and isinstance(ref, Tensor)}
        if held <= lost:
            self.untold(key, lost, slots, state)
        else:
            _blur(Held(key), state.objects(Held(key)), state)

    def assign(
        self,
        target: cst.CSTNode,
        ref: Ref,
        value: cst.BaseExpression,
        line: cst.SimpleStatementLine | None,
        state: State,
    ) -> None:
        match target:
            case cst.Subscript() if self.look(target.value).kind is Kind.TENSOR:
                self.store(line, target, state)
            case cst.Tuple() | cst.List():
                self.unpack(target, ref, value, state)
            case cst.Attribute(value=place, attr=cst.Name("data")) if self.look(place).kind is Kind.TENSOR:
                self.replaced(line or self.index_line(target), place, state)
                self.bind(target, ref, value, state)
            case _:
                self.bind(target, ref, value, state)

    def replaced(self, line: cst.SimpleStatementLine | None, place: cst.BaseExpression, state: State) -> None:
        """`t.data = value`: the container in which the tensor lies has it still, with its new values."""
        if _is_kept_beside(code(place), state.objects(self.ref(place, state))):
            self.refuse(line, code(place), "a container, a field or a caller", "T2J303")

    def bind(self, target: cst.CSTNode, ref: Ref, value: cst.CSTNode | None, state: State) -> None:
        match target:
            case cst.Name():
                self.rebound(target.value, state)
                state.names[target.value] = ref
            case cst.Tuple() | cst.List():
                self.unpack(target, ref, value, state)
            case cst.StarredElement():
                self.bind(target.value, Maybe(state.objects(ref)) if ref is not None else None, None, state)
            case cst.Subscript():
                if not self.put_fresh(target, ref, value, state):
                    self.put(target, ref, state)
            case cst.Attribute(value=cst.Name()) if isinstance(ref, Tensor) and (
                self.is_field(target) or self.is_attribute(target)
            ):
                state.names[code(target)] = ref
            case cst.Attribute() if self.is_moved_field(target, ref, state):
                state.names[code(target)] = ref
            case cst.Attribute():
                state.names.pop(code(target), None)
                state.escape(state.objects(ref))

    def is_moved_field(self, target: cst.Attribute, ref: Ref, state: State) -> bool:
        """`self.cache = self.cache.to(x)`: a field holds what it has held, or a copy of that."""
        return isinstance(ref, Maybe) and self.is_field(target) and state.objects(ref) == {("field", code(target))}

    def unpack(self, target: cst.Tuple | cst.List, ref: Ref, value: cst.CSTNode | None, state: State) -> None:
        elements = list(target.elements)
        starred = any(isinstance(element, cst.StarredElement) for element in elements)
        refs: list[Ref] | None = None
        if isinstance(value, (cst.Tuple, cst.List)) and len(value.elements) == len(elements) and not starred:
            if not any(isinstance(element, cst.StarredElement) for element in value.elements):
                refs = [self.ref(element.value, state) for element in value.elements]
        elif isinstance(ref, Held) and ref.box in state.boxes and not starred:
            box = state.boxes[ref.box]
            if box.fresh and not box.slots and isinstance(value, cst.Name) and box.kind is not Kind.DICT:
                slots: dict[str, Ref] = {
                    str(place): Tensor(("slot", ref.box, str(place))) for place in range(len(elements))
                }
                state.boxes[ref.box] = replace(box, slots=slots)
                refs = list(slots.values())
            elif box.fresh and not box.slots and value is not None:
                refs = [self.new(value, state, number) for number in range(len(elements))]
            else:
                refs = [box.slots.get(str(number), self.slot_of(box, state)) for number in range(len(elements))]
        elif isinstance(value, cst.Call) and not starred:
            refs = self.parts(value, len(elements), state)
        if refs is None and value is not None and isinstance(ref, Tensor) and not starred:
            count = len(elements)  # rows of a tensor
            refs = [Tensor(ref.object, (*ref.path, row_step(number, count))) for number in range(count)]
        if refs is None:
            objects = state.objects(ref)
            found = self.look(value).items if value is not None else None
            known, refs = known_objects(objects), []
            for number in range(len(elements)):
                item = found[number] if found is not None and number < len(found) and not starred else None
                if item is not None and value is not None and self.is_made_by(value, item) and not objects:
                    refs.append(self.new(value, state, number))
                else:
                    refs.append(Maybe(objects if known else self.taken(elements[number].value, state)))
        for element, part in zip(elements, refs, strict=True):
            node: cst.CSTNode = element if isinstance(element, cst.StarredElement) else element.value
            if isinstance(node, cst.Subscript) and self.look(node.value).kind is Kind.TENSOR:
                continue  # refused elsewhere
            self.bind(node, part, None, state)

    def slot_of(self, box: Box, state: State) -> Ref:
        objects = frozenset[Object]().union(*(state.objects(item) for item in (*box.slots.values(), box.rest)))
        return Maybe(objects or frozenset({UNKNOWN_ORIGIN})) if not box.exact else None

    def put_fresh(self, target: cst.Subscript, ref: Ref, value: cst.CSTNode | None, state: State) -> bool:
        """Whether a tensor that has just been made, and has no name, goes to a slot whose key is not known, of a dictionary in
        which all are of this kind: `losses[part.name] = part(x)`.
        """
        holder = self.ref(target.value, state)
        box = state.boxes.get(holder.box) if isinstance(holder, Held) else None
        if (
            box is None
            or not isinstance(holder, Held)
            or box.kind is not Kind.DICT
            or box.slots
            or box.rest is not None
        ):
            return False
        key = slot_key(target)
        objects = state.objects(ref)
        is_own = bool(objects) and all(item[0] in ("new", _GIVES) and item[1] is value for item in objects)
        if not is_own or (key is not None and is_constant(key)) or not (box.fresh or box.exact):
            return False
        state.boxes[holder.box] = replace(box, exact=False, fresh=True)
        return True

    def put(self, target: cst.Subscript, ref: Ref, state: State) -> None:
        """`lst[0] = value`."""
        holder = self.ref(target.value, state)
        key = slot_key(target)
        if isinstance(holder, Held) and holder.box in state.boxes and key is not None:
            box = state.boxes[holder.box]
            if box.kind is Kind.DICT or key in box.slots or not box.exact:
                known = is_constant(key)
                if known or len(box.slots) == 0:
                    state.boxes[holder.box] = replace(box, slots={**box.slots, key: ref})
                    return
            _blur(holder, state.objects(holder) | state.objects(ref), state)
            return
        if isinstance(holder, Held) and holder.box in state.boxes:
            _blur(holder, state.objects(holder) | state.objects(ref), state)
            return
        index = target.slice[0].slice
        is_key = isinstance(index, cst.Index) and self.look(index.value).kind is Kind.STR
        if not is_key and self.look(target.value).is_a(*_PERHAPS):  # a list of tensors, or a tensor
            held = frozenset(item for item in state.objects(holder) if self.is_tensor(item))
            self.write_somewhere(self.index_line(target), target.value, Maybe(held), state)
        state.escape(state.objects(ref))

    # what expressions refer to

    def new(self, node: cst.CSTNode | None, state: State, number: int = 0) -> Tensor:
        """A tensor that nobody else has; what the same place made before is an older one."""
        made: Object = ("new", node, number)
        if made in self.made_before:
            grow_old(made, state)
        self.made_before.add(made)
        return Tensor(made)

    def given_result(self, node: cst.CSTNode, state: State, *place: int, kind: str = _GIVES) -> Object:
        """What something gives of which nothing is known, or a part of it: a tensor, or several in a container, all its own."""
        made: Object = (kind, node, *place)
        if made in self.made_before:
            grow_old(made, state)
        self.made_before.add(made)
        return made

    def ref(self, node: cst.CSTNode, state: State) -> Ref:
        match node:
            case cst.Name():
                if node.value in state.names:
                    return state.names[node.value]
                return self.unknown(node)
            case cst.Subscript():
                return self.subscript(node, state)
            case cst.Attribute():
                return self.attribute(node, state)
            case cst.Call():
                return self.call(node, state)
            case cst.IfExp():
                return self.either(node.body, node.orelse, state)
            case cst.BooleanOperation():
                return self.either(node.left, node.right, state)
            case cst.NamedExpr():
                ref = self.ref(node.value, state)
                self.bind(node.target, ref, node.value, state)
                return ref
            case cst.List() | cst.Tuple():
                return self.display(node, state)
            case cst.Dict():
                return self.dictionary(node, state)
            case cst.ListComp() | cst.DictComp() | cst.GeneratorExp():
                return self.comprehension(node, state)
            case cst.BinaryOperation() if self.look(node).kind in _CONTAINERS:
                objects = state.objects(self.ref(node.left, state)) | state.objects(self.ref(node.right, state))
                return Maybe(objects) if objects else None
            case cst.UnaryOperation(operator=cst.Plus()):
                return self.ref(node.expression, state)
            case cst.BinaryOperation() | cst.UnaryOperation() | cst.Comparison():
                if self.look(node).kind is Kind.TENSOR:
                    made = self.new(node, state)
                    if any(self.is_scattered(item, state) for item in descendants(node)):
                        self.scattered.add(made.object)
                    return made
                return Tensor((_COMPUTED, node)) if self.look(node).kind is Kind.UNKNOWN else None
        return self.unknown(node)

    def either(self, one: cst.BaseExpression, other: cst.BaseExpression, state: State) -> Ref:
        """What one of two expressions gives."""
        refs = [self.ref(one, state), self.ref(other, state)]
        objects = frozenset[Object]().union(*map(state.objects, refs))
        is_open = any(
            ref is None and isinstance(item, (cst.Subscript, cst.Call)) and self.look(item).kind is Kind.UNKNOWN
            for ref, item in zip(refs, (one, other), strict=True)
        )
        return Maybe(objects | open_object(one) if is_open else objects) if objects else None

    def unknown(self, node: cst.CSTNode) -> Ref:
        value = self.look(node)
        if value.kind is Kind.TENSOR and isinstance(node, cst.Name) and self.is_of_module(node):
            return Maybe(frozenset({(_MODULE, node.value)}))
        if value.kind is Kind.TENSOR or value.kind in _CONTAINERS:
            return Maybe(open_object(node))
        return None

    def taken(self, place: cst.CSTNode, state: State) -> frozenset[Object]:
        """What a place is given that comes from anywhere; in each round of a loop something else. What a loader has put together
        is its own.
        """
        roots = self.look(place).roots
        if roots and is_new(roots) and all(maker is place for maker in self.look.makers(roots)):
            return frozenset({self.new(place, state).object})
        found = open_object(place)
        for item in found - {UNKNOWN_ORIGIN}:
            grow_old(item, state)
        return found

    def is_of_module(self, node: cst.Name) -> bool:
        """Whether a name in a function is a variable of the file."""
        variable = self.work.program.definitions.scopes.variable(node) if self.function is not None else None
        return variable is not None and variable.owner is self.work.index.module

    def is_scattered(self, node: cst.CSTNode, state: State) -> bool:
        """Whether the values of a tensor may not lie one behind the other."""
        match node:
            case cst.Name():
                ref = state.names.get(node.value)
                return isinstance(ref, Tensor) and not self.is_whole(ref)
            case cst.Attribute(attr=cst.Name(value="T" | "mT" | "H" | "mH")):
                return True
            case cst.Call(func=cst.Attribute(attr=cst.Name(value=name))):
                return name in ("t", "transpose", "permute", "swapaxes", "swapdims", "movedim", "moveaxis", "expand")
        return False

    def is_whole(self, ref: Tensor) -> bool:
        is_slot = ref.object[0] in ("slot", "item")
        is_scattered = ref.object in self.scattered or (is_slot and ref.object[1] in self.scattered)
        return not is_scattered and all(step.whole for step in ref.path)

    def is_unnamed(self, base: Tensor, node: cst.CSTNode) -> bool:
        """Whether a tensor is made by an expression that stands in another one, and nobody else has it: `(x - y).long()`."""
        inside = list(descendants(node))
        is_made = base.object[0] in ("new", _COMPUTED) and not base.path
        is_named = any(isinstance(item, cst.NamedExpr) for item in inside)
        return is_made and not is_named and any(base.object[1] is item for item in inside)

    def viewed(self, base: Ref, step: Step | str | None, node: cst.CSTNode, state: State) -> Ref:
        if step == "copy":
            return self.new(node, state)
        if step == "same":
            return base
        if isinstance(step, Step) and isinstance(base, Tensor):
            return Tensor(base.object, (*base.path, step))
        if isinstance(base, Tensor) and self.is_unnamed(base, node):  # be it a copy or not
            made = self.new(node, state)
            if not self.is_whole(base):
                self.scattered.add(made.object)
            return made
        if isinstance(base, Tensor):
            perhaps = perhaps_step(node)
            blur_path(perhaps, state)
            return Tensor(base.object, (*base.path, perhaps))
        objects = state.objects(base)
        return Maybe(objects or open_object(node))

    def subscript(self, node: cst.Subscript, state: State) -> Ref:
        base = self.ref(node.value, state)
        kind = self.look(node.value).kind
        if kind is Kind.TENSOR:
            step = index_step(node, self.look)
            return self.viewed(base, "copy" if step == "maybe" and self.picks(node) else step, node, state)
        if isinstance(base, Held) and base.box in state.boxes:
            return self.slot(base, node, state)
        if kind is Kind.UNKNOWN and (_is_own_mask(node) or self.picks(node)):
            return self.new(node, state)
        if base is None and isinstance(node.value, cst.Name) and self.is_of_numbers(node.value):
            return None
        if isinstance(base, Maybe):
            return Maybe(base.objects | state.anywhere())
        return self.from_anywhere(node, state)

    def picks(self, node: cst.Subscript) -> bool:
        """Whether one of some indices is a tensor of whole numbers with an axis."""
        indices = [item.slice.value for item in node.slice if isinstance(item.slice, cst.Index)]
        numbers = [item for item in indices if isinstance(item, cst.Name) and is_index(self.look(item))]
        return any(has_axis(item, self.work.program, self.work.values) for item in numbers)

    def is_of_numbers(self, name: cst.Name) -> bool:
        """Whether a variable holds what has been computed as no container can be, so that its parts are its own: `a[:3] @ b`."""
        bound = self.work.program.definitions.of(name)
        return bool(bound) and all(
            isinstance(item.value, cst.BinaryOperation) and isinstance(item.value.operator, _OF_NUMBERS)
            for item in bound
        )

    def from_anywhere(self, node: cst.Subscript, state: State) -> Ref:
        """A part of something of which little is known: it may hold whatever has gone somewhere."""
        if self.look(node.value).kind is Kind.OBJECT:  # by its `__getitem__`
            return Maybe(known_objects(state.escaped) | open_object(node))
        if state.escaped and self.look(node).is_a(*_PERHAPS):
            return Maybe(known_objects(state.escaped) | open_object(node))
        return self.unknown(node)

    def slot(self, base: Held, node: cst.Subscript, state: State) -> Ref:
        box, key = state.boxes[base.box], slot_key(node)
        if isinstance(node.slice[0].slice, cst.Slice) or key is None:
            return Maybe(state.objects(base))
        if box.kind is not Kind.DICT and key.startswith("-") and box.exact and key[1:].isdigit():
            key = str(len(box.slots) - int(key[1:]))
        if key in box.slots:
            return box.slots[key]
        if box.exact:
            if is_constant(key):
                return None
            if self.is_list_of_tensors(box) and isinstance(node.slice[0].slice, cst.Index):
                return Tensor(("item", base.box, key))
            return Maybe(state.objects(base))
        if box.fresh and (all(is_constant(item) for item in box.slots) if is_constant(key) else not box.slots):
            made = Tensor(("slot", base.box, key))
            state.boxes[base.box] = replace(box, slots={**box.slots, key: made})
            return made
        return Maybe(state.objects(base) | open_object(node))

    def attribute(self, node: cst.Attribute, state: State) -> Ref:
        base = self.look(node.value)
        if node.attr.value in FACTS_OF_TENSORS and base.is_a(Kind.TENSOR, Kind.UNKNOWN):
            return None
        if base.kind is Kind.TENSOR:
            step = attribute_step(node.attr.value, base)
            if step is not None:
                return self.viewed(self.ref(node.value, state), step, node, state)
            if self.look(node).kind is not Kind.TENSOR:
                return None
            if node.attr.value == "grad":
                return Maybe(open_object(node))
            return Maybe(state.objects(self.ref(node.value, state)))
        if base.kind is Kind.TUPLE and self.look(node).kind is Kind.TENSOR:
            return self.named_part(node, base, state)
        if self.is_field(node):
            return state.names.setdefault(code(node), Tensor(("field", code(node))))
        held = self.ref(node.value, state) if base.is_a(Kind.UNKNOWN, Kind.PYTHON) else None
        if isinstance(held, (Held, Maybe)) and self.look(node).is_a(Kind.TENSOR, Kind.UNKNOWN, Kind.PYTHON):
            return Maybe(state.objects(held) | state.anywhere())
        if base.kind is Kind.CLASS and self.look(node).is_a(Kind.TENSOR, Kind.UNKNOWN) and state.escaped:
            return Maybe(known_objects(state.escaped) | open_object(node))
        if self.is_attribute(node):
            named = [ref for name, ref in state.names.items() if name.endswith(f".{node.attr.value}")]
            others = known_objects(state.escaped).union(*(state.objects(ref) for ref in named))
            own: Object = (_OF_OBJECT, code(node)) if self.look(node).kind is Kind.TENSOR else UNKNOWN_ORIGIN
            return state.names.get(code(node), Maybe(others | {own} | open_object(node)))
        if self.look(node).kind in _CONTAINERS and base.kind in (Kind.OBJECT, Kind.MODULE):
            return Maybe(frozenset({(_KEPT, code(node))}))
        return self.unknown(node)

    def named_part(self, node: cst.Attribute, base: Value, state: State) -> Ref:
        """`found.values`, of several tensors that an operation has given."""
        held = self.ref(node.value, state)
        if not isinstance(held, Held) or held.box not in state.boxes:
            return Maybe(state.objects(held) or open_object(node))
        roots, slots = self.look(node).roots, state.boxes[held.box].slots
        found = [str(place) for place, item in enumerate(base.items or ()) if item.roots == roots]
        return slots.get(found[0]) if len(found) == 1 else Maybe(state.objects(held))

    def has_named_parts(self, name: str) -> bool:
        """Whether parts of what a variable holds are read by their names somewhere, as those of no plain tuple are."""
        if self.named is None:
            places = descendants(self.scope, cst.Attribute)
            self.named = frozenset(item.value.value for item in places if isinstance(item.value, cst.Name))
        return name in self.named

    def is_field(self, node: cst.CSTNode) -> bool:
        """Whether an expression is `self.name`, a tensor."""
        match node:
            case cst.Attribute(value=cst.Name(value=owner)) if self.function is not None:
                is_own = owner == own_object(self.function) and self.look(node).kind is Kind.TENSOR
                return is_own and not self.is_property(node)
        return False

    def is_property(self, node: cst.Attribute) -> bool:
        """Whether an attribute is computed by a method, `x` of `@property def x(self)`, and cannot be given a tensor."""
        assert self.work.effects is not None
        found = [item.method(node.attr.value) for item in self.work.effects.classes_of(self.look(node.value))]
        return any(item is not None and "property" in item.decorators for item in found)

    def is_attribute(self, node: cst.CSTNode) -> bool:
        """Whether an expression is an attribute that may be a tensor, of an object of the program that is no module."""
        match node:
            case cst.Attribute(value=owner):
                return self.look(owner).kind is Kind.OBJECT and self.look(node).is_a(Kind.TENSOR, Kind.UNKNOWN)
        return False

    def view_call(self, node: cst.Call, state: State) -> tuple[ViewCall, cst.BaseExpression] | None:
        """The call as a view of a tensor, and that tensor."""
        func = node.func
        if not isinstance(func, cst.Attribute):
            return None
        name = func.attr.value
        torch_name = self.look.torch_name(func)
        if torch_name is not None:
            name = torch_name.rpartition(".")[2]
            if not torch_name.startswith("torch.") or name not in VIEWS or torch_name.count(".") > 1:
                return None
            if not node.args or node.args[0].keyword is not None or node.args[0].star:
                return None
            base = node.args[0].value
            rest = node.args[1:]
            after = "".join(f", {_argument(item)}" for item in rest) + ")"
            before = f"{code(func)}("
        elif self.look(func.value).kind is Kind.TENSOR and name in VIEWS:
            base, rest = func.value, node.args
            before, after = "", code_behind(node, base)
        else:
            return None
        ref = self.ref(base, state)
        whole = isinstance(ref, Tensor) and self.is_whole(ref)
        held = self.look(base)
        if name in DTYPE_CALLS and held.dtype is None and is_float(self.work.program, self.look, base):
            held = held.but(dtype="float")
        return ViewCall(name, before, after, rest, held, node, whole), base

    def call(self, node: cst.Call, state: State) -> Ref:
        ref = self.result(node, state)
        if any(keeps_result(self.work, callee) for callee in self.look.callees.get(node, ())):
            ref = _told(ref, self.given_result(node, state), state)
            state.escape(known_objects(state.objects(ref)))
        return ref

    def result(self, node: cst.Call, state: State) -> Ref:
        found = self.view_call(node, state)
        if found is not None:
            call, base = found
            step = view_step(call, self.look)
            ref = self.ref(base, state)
            if step == "parts":
                return self.part_box(node, call, ref, state)
            if step is not None:
                return self.viewed(ref, step, node, state)
        receiver = self.receiver(node)
        if receiver is not None and may_change(self.work, node):
            ref = self.ref(receiver, state)
            if receiver_name(node).rpartition(".")[2] in _METADATA:
                self.scattered |= state.objects(ref)
            return ref
        name = self.look.torch_name(node.func)
        arguments = self.argument_objects(node, state)
        if is_keys(node) and self.look(node.func).kind is not Kind.TORCH:
            return None
        if gives_no_storage(node, self.look):
            return None
        if is_own_gradient(node) and len(self.look(node).items or ()) == 1:
            return self.made(node, state)
        if kept := self.kept_by_callees(node):
            return Maybe(arguments | kept)
        if name is None and receiver is not None:
            spec = self.tables.method(receiver_name(node))
            if spec is not None and spec.view is None:
                return self.made(node, state)
            return Maybe(state.objects(self.ref(receiver, state)) | arguments)
        if name is not None:
            spec = self.tables.functions.get(name)
            if (taken := self.taken_over(node, name)) is not None:
                return Maybe(state.objects(self.ref(taken, state)) | {(_GIVEN, code(taken))})
            if spec is not None and (spec.view is None or self.is_apart(node)):
                return self.made(node, state)
            if self.look(node).kind is Kind.MODULE:  # `nn.ParameterList([x])`
                state.escape(arguments)
            return Maybe(arguments | open_object(node)) if self.holds_tensors(node) else None
        self.keep_arguments(node, state)
        builtin = dotted(node.func)
        if builtin in _WITHOUT_TENSORS and not self.look.callees.get(node):
            return None
        if builtin == "setattr":
            state.escape(arguments)
        if builtin in ("list", "tuple", "dict") and len(node.args) <= 1:
            return self.copied(node, builtin, state)
        if builtin in ("set", "frozenset") and not self.look.callees.get(node):
            return Maybe(arguments) if arguments else None
        value = self.look(node)
        if value.kind in (Kind.OBJECT, Kind.TORCH_OBJECT, Kind.DATASET, Kind.LOADER, Kind.MODULE, Kind.FUNCTION):
            if not self.is_known_maker(node, value):  # else what it keeps has been noted
                state.escape(arguments)
            return None
        if value.is_a(Kind.PYTHON, Kind.UNKNOWN) and keeps_arguments(self.look(node.func)):
            return Maybe(arguments) if arguments else None
        if captured := self.from_outside(node, state):
            return Maybe(arguments | captured)
        if passes_on(self.look(node.func)) and arguments:
            return Maybe(arguments)
        if value.kind is Kind.TENSOR and is_new(value.roots):
            is_called = self.look.callees.get(node) or self.look(node.func).kind is Kind.MODULE or builtin in _COMPUTING
            if self.is_made_by(node, value) if is_called else not arguments:
                return self.made(node, state)
        if self.look(node.func).const == "einops.pack":  # which joins copies, and lists their shapes
            return self.boxed(node, Box(Kind.TUPLE, {"0": self.new(node, state), "1": None}), state)
        tensors = [item for item in value.items or (value,) if item.kind is Kind.TENSOR]
        if (
            str(self.look(node.func).const).startswith("einops.")
            and tensors
            and all(self.is_made_by(node, item) for item in tensors)
        ):
            return self.made(node, state)
        if not self.holds_tensors(node):
            return None
        if is_of_given(self.work, self.function, node):
            return Maybe(frozenset({self.given_result(node, state)}))
        given = None if value.items is not None and _holds_new(value) else self.of_functions(node, state)
        if given is not None and not self.gives_arguments(node):
            return given
        if value.items is not None and (self.look.callees.get(node) or (not arguments and _holds_new(value))):
            return self.results(node, value, [], arguments, state)
        return Maybe(arguments if self.gives_arguments(node) else arguments | open_object(node))

    def taken_over(self, node: cst.Call, name: str) -> cst.BaseExpression | None:
        """What `torch.Tensor(x)` is given, where that may be a tensor, which it gives back, and no size."""
        if (name != "torch.Tensor" and class_dtype(name) is None) or len(node.args) != 1 or node.args[0].star:
            return None
        given = node.args[0].value
        may_be_tensor = self.look(given).kind in (Kind.TENSOR, Kind.UNKNOWN) and not self.look.makes_its_own(given)
        return given if may_be_tensor and not is_number_or_read(given, self.look) else None

    def kept_by_callees(self, node: cst.Call) -> frozenset[Object]:
        """The containers in fields that functions of the program give: `return self.buffers`."""
        if self.look(node).kind not in _CONTAINERS:
            return frozenset()
        returned = (
            item.value
            for callee in self.look.callees.get(node, ())
            for item in descendants(callee.node.body, cst.Return)
            if isinstance(item, cst.Return)
        )
        fields = (item for item in returned if isinstance(item, cst.Attribute))
        return frozenset((_KEPT, code(item)) for item in fields)

    def is_known_maker(self, node: cst.Call, value: Value) -> bool:
        """Whether an object or a module is made by an `__init__` of the program, of a class without bases other than such ones."""
        classes = [self.work.program.class_by_key.get(name) for name in value.types]
        makers = {item.method("__init__") if item is not None and _is_plain(item) else None for item in classes}
        is_made = value.kind in (Kind.OBJECT, Kind.MODULE) and bool(makers)
        return is_made and makers <= {*self.look.callees.get(node, ())}

    def of_functions(self, node: cst.Call, state: State) -> Ref:
        """What functions of the program give, by what it may share with what they are given; None: that is not known."""
        callees = self.look.callees.get(node, ())
        shared = [shared_by_result(self.work, callee) for callee in callees]
        if not callees or None in shared:
            return None
        known = [item for item in shared if item is not None]
        if all(item.keys for item in known):
            return self.keyed_results(node, list(zip(callees, known, strict=True)), state)
        made = self.given_result(node, state)
        whole = [self.reached_by(callee, item.names, node, state) for callee, item in zip(callees, known, strict=True)]
        if None in whole:
            return None
        objects = frozenset[Object]().union(*(item for item in whole if item is not None)) or frozenset({made})
        if objects == {made} and self.look(node).kind is Kind.TENSOR:
            return self.new(node, state)
        parts = known[0].parts if len(callees) == 1 else None
        if parts is None or any(one & other for one, other in combinations(parts, 2)):
            return Maybe(objects)
        slots: dict[str, Ref] = {}
        for place, names in enumerate(parts):
            reached = self.reached_by(callees[0], names, node, state)
            slots[str(place)] = Maybe(reached or frozenset({self.given_result(node, state, place)}))
        return self.boxed(node, Box(Kind.TUPLE, slots), state)

    def keyed_results(self, node: cst.Call, callees: list[tuple[Function, Shared]], state: State) -> Ref:
        """The dictionary that functions of the program give: what each of its values may share with what they are given."""
        owner = self.ref(node.func.value, state) if isinstance(node.func, cst.Attribute) else None
        everything = self.argument_objects(node, state) | state.objects(owner)
        everything |= {self.given_result(node, state)} | open_object(node)
        slots: dict[str, frozenset[Object]] = {}
        for callee, shared in callees:
            keys = shared.keys or {}
            for place, (key, names) in enumerate(keys.items()):
                is_apart = not any(names & others for other, others in keys.items() if other != key)
                reached = self.reached_by(callee, names, node, state) if is_apart else everything
                own = frozenset({self.given_result(node, state, place)})
                slots[key] = slots.get(key, frozenset()) | ((reached or own) if reached is not None else everything)
        return self.boxed(node, Box(Kind.DICT, {key: Maybe(objects) for key, objects in slots.items()}), state)

    def reached_by(
        self, callee: Function, names: frozenset[str], node: cst.Call, state: State
    ) -> frozenset[Object] | None:
        """The storage that a call gives a function under some names; None: it is given functions."""
        given = dict(arguments_by_parameter(callee, node, self.look))
        everything = [item.value for item in node.args]
        is_starred = any(item.star for item in node.args)
        found: frozenset[Object] = frozenset()
        for name in names & {SURROUNDINGS, *all_parameters(callee)}:
            if name in given:
                reached = self.reached_in(given[name], state)
                if reached is None:
                    return None
                found |= reached
            elif name != SURROUNDINGS and (is_starred or name not in callee.parameter_names):
                if any(is_callable(self.look, item) for item in everything):
                    return None
                found = found.union(*(state.objects(self.ref(item, state)) for item in everything))
            elif name not in (SURROUNDINGS, callee.self_name):
                if not has_plain_default(callee, name):
                    return None
            else:
                owner = self.ref(node.func.value, state) if isinstance(node.func, cst.Attribute) else None
                found |= state.objects(owner) | open_object(node) | self.given_of_own(node, state)
        return found

    def reached_in(self, given: cst.BaseExpression, state: State) -> frozenset[Object] | None:
        """The storage of an argument, or of what a lambda gives that is passed: `lambda: torch.zeros_like(x)`; None: of any other
        function.
        """
        if not is_callable(self.look, given):
            return state.objects(self.ref(given, state))
        if not isinstance(given, cst.Lambda) or given.params.params or given.params.star_kwarg is not None:
            return None
        value = self.look(given.body)
        if value.is_number or value.kind is Kind.NONE:
            return frozenset()
        return state.objects(self.ref(given.body, state)) if value.kind is Kind.TENSOR else None

    def results(
        self,
        node: cst.Call,
        value: Value,
        before: list[tuple[frozenset[str], Object]],
        arguments: frozenset[Object],
        state: State,
        path: tuple[int, ...] = (),
    ) -> Ref:
        """What a call of the program gives, new tensors or some of its arguments: the part at a path, behind the tensors of
        some roots.
        """
        if value.items is not None:
            slots: dict[str, Ref] = {}
            for place, item in enumerate(value.items):
                slots[str(place)] = self.results(node, item, before, arguments, state, (*path, place))
            return self.boxed(node, Box(value.kind, slots), state, path)
        if value.is_number or value.kind in (Kind.STR, Kind.NONE):
            return None
        if not self.is_made_by(node, value):
            is_given = is_new(value.roots) or self.gives_arguments(node)
            return Maybe(arguments if is_given else arguments | open_object(node))
        shared = frozenset(made for roots, made in before if roots & value.roots)
        ref = Maybe(shared) if shared else self.new(node, state, len(before))
        before += [(value.roots, made) for made in shared or state.objects(ref)]
        return ref

    def is_made_by(self, node: cst.CSTNode, value: Value) -> bool:
        """Whether a tensor that a call gives has been made by it, and is none that it was given."""
        if not is_new(value.roots) or not (value.kind is Kind.TENSOR or (value.kind is Kind.UNKNOWN and value.roots)):
            return False
        makers = self.look.makers(value.roots)
        return len(makers) == len(value.roots) and all(maker is node for maker in makers)

    def gives_arguments(self, node: cst.Call) -> bool:
        """Whether what functions of the program give is new, or one of the tensors that the call gives them, or a part of one."""
        given = {
            callee: {
                name for name, item in arguments_by_parameter(callee, node, self.look) if self.is_tensor_node(item)
            }
            for callee in self.look.callees.get(node, ())
        }
        return bool(given) and all(self.gives_only(callee, names) for callee, names in given.items())

    def gives_only(self, function: Function, names: Collection[str]) -> bool:
        """Whether a function gives a tensor that it has made, or one of its parameters of some names, or a part of it."""
        result = function.returns
        if result is None or result.kind is not Kind.TENSOR or function.outer is not None:
            return False
        made = {root for root in result.roots if root.startswith("new:") and not root.startswith("new:param:")}
        inside = set(descendants(function.node))
        is_made = [maker in inside for maker in self.look.makers(frozenset(made))]
        others = (root.removeprefix("new:").removeprefix("param:") for root in result.roots - made)
        return len(is_made) == len(made) and all(is_made) and all(root in names for root in others)

    def is_tensor_node(self, node: cst.CSTNode) -> bool:
        return self.look(node).kind is Kind.TENSOR

    def keep_arguments(self, node: cst.Call, state: State) -> None:
        """What a function of the program may put into a container or an object: into one that it is given, too."""
        kept: frozenset[Object] = frozenset()
        for callee in self.look.callees.get(node, ()):
            for given in kept_arguments(self.work, callee, node):
                kept |= state.objects(self.ref(given, state))
        state.escape(kept)
        for item in node.args if kept else ():
            ref = self.ref(item.value, state)
            if isinstance(ref, Held) and ref.box in state.boxes:
                _blur(ref, state.objects(ref) | kept | open_object(node), state)

    def is_apart(self, node: cst.Call) -> bool:
        """Whether what may be a view of an argument is known to be none: the result of a dropout that drops."""
        value = self.look(node)
        given = frozenset[str]().union(*(self.look(item.value).roots for item in node.args))
        return value.kind is Kind.TENSOR and given.isdisjoint(value.roots)

    def made(self, node: cst.Call, state: State) -> Ref:
        """What a function that gives no views has made."""
        value = self.look(node)
        if value.kind is Kind.TENSOR:
            made = self.new(node, state)
            if any(self.is_scattered(item, state) for item in descendants(node)) and not _makes_whole(node):
                self.scattered.add(made.object)
            return made
        if value.items is not None:
            slots: dict[str, Ref] = {
                str(number): self.new(node, state, number) if item.kind is Kind.TENSOR else None
                for number, item in enumerate(value.items)
            }
            return self.boxed(node, Box(value.kind, slots), state)
        if value.kind in (Kind.LIST, Kind.TUPLE):
            return self.boxed(node, Box(value.kind, exact=False, fresh=True), state)
        return None

    def holds_tensors(self, node: cst.CSTNode) -> bool:
        value = self.look(node)
        return value.kind in (Kind.TENSOR, Kind.UNKNOWN, *_CONTAINERS)

    def argument_objects(self, node: cst.Call, state: State) -> frozenset[Object]:
        found: frozenset[Object] = frozenset()
        for item in node.args:
            found |= state.objects(self.ref(item.value, state))
        if isinstance(node.func, cst.Attribute) and self.look.torch_name(node.func) is None:
            holder = node.func.value
            # What a list's `pop` gives, the list has no more; it is otherwise with `d.pop("a")` and `[x].pop()`.
            is_list = isinstance(holder, cst.Name) and self.look(holder).kind is Kind.LIST
            taken = is_list and node.func.attr.value == "pop"
            if self.look(holder).kind is not Kind.TENSOR:
                held = self.ref(holder, state)
                if isinstance(held, (Held, Maybe)):
                    objects = state.objects(held)
                    if puts_in_container(self.work.values, node) and not gives_parts(node.func.attr.value):
                        objects = frozenset(item for item in objects if item[0] != _KEPT)
                    found |= objects & self.objects_besides(holder, state) if taken else objects
        function = self.look.lambda_of(node.func)
        if function is not None:  # it may give back what it reads of its surroundings
            for name in descendants(function.body):
                if isinstance(name, cst.Name) and name.value in state.names:
                    found |= state.objects(state.names[name.value])
        return found

    def objects_besides(self, holder: cst.BaseExpression, state: State) -> frozenset[Object]:
        """What has a name of its own, or is in another container than the one of a name."""
        mine = self.ref(holder, state)
        others = [ref for name, ref in state.names.items() if name != code(holder) and ref != mine]
        return frozenset[Object]().union(*map(state.objects, others))

    def from_outside(self, node: cst.Call, state: State) -> frozenset[Object]:
        """The tensors of its surroundings that a function inside of this one gives back: themselves, in a display or a part."""
        found: frozenset[Object] = frozenset()
        for callee in self.look.callees.get(node, ()):
            if callee.outer is None or callee.outer is not self.function:
                continue
            body = list(descendants(callee.node.body))
            given = [item.value for item in body if isinstance(item, (cst.Return, cst.Yield))]
            followed: set[str] = set()
            while given:
                value = given.pop()
                match value:
                    case cst.Name(name) if name not in callee.parameter_names and name not in followed:
                        followed.add(name)
                        found |= state.objects(state.names.get(name))
                        given += [source for item in body for source in _sources(item, name)]
                    case cst.Call(
                        func=cst.Name(
                            value="reversed" | "list" | "tuple" | "iter" | "sorted" | "zip" | "enumerate" | "next"
                        )
                    ):
                        given += [item.value for item in value.args]
                    case cst.Tuple() | cst.List() | cst.Dict():
                        given += [element.value for element in value.elements]
                    case cst.IfExp():
                        given += [value.body, value.orelse]
                    case cst.Subscript() | cst.Attribute() | cst.From():
                        given.append(value.value if not isinstance(value, cst.From) else value.item)
        return found

    def receiver(self, node: cst.Call) -> cst.BaseExpression | None:
        """The tensor whose method a call is, or which a function in place is given."""
        name = self.look.torch_name(node.func)
        if name is not None:
            may_be_inplace = self.look(node).kind is not Kind.MODULE and any(
                item.keyword is not None and item.keyword.value == "inplace" for item in node.args
            )
            changes = is_inplace_name(name.rpartition(".")[2]) or may_be_inplace
            return node.args[0].value if changes and node.args and not node.args[0].star else None
        if self.look.is_inplace_layer(node):
            return node.args[0].value
        if isinstance(node.func, cst.Attribute) and self.look(node.func.value).kind is Kind.TENSOR:
            return node.func.value
        return None

    # containers

    def boxed(self, node: cst.CSTNode, box: Box, state: State, path: tuple[int, ...] = ()) -> Held:
        """A container that is made here, or lies at a path in the one that is."""
        key: Object = ("box", node, *path)
        if key in state.boxes:
            old = Maybe(state.objects(Held(key)))
            for name, ref in state.names.items():
                if ref == Held(key):
                    state.names[name] = old
            for other, item in state.boxes.items():
                slots = {slot: old if ref == Held(key) else ref for slot, ref in item.slots.items()}
                state.boxes[other] = replace(item, slots=slots)
        state.boxes[key] = box
        return Held(key)

    def display(self, node: cst.List | cst.Tuple, state: State) -> Ref:
        kind = Kind.LIST if isinstance(node, cst.List) else Kind.TUPLE
        if any(isinstance(element, cst.StarredElement) for element in node.elements):
            objects = frozenset[Object]().union(
                *(state.objects(self.ref(element.value, state)) for element in node.elements)
            )
            return self.boxed(node, Box(kind, exact=False, rest=Maybe(objects)), state)
        slots = {str(number): self.ref(element.value, state) for number, element in enumerate(node.elements)}
        return self.boxed(node, Box(kind, slots), state)

    def dictionary(self, node: cst.Dict, state: State) -> Ref:
        slots: dict[str, Ref] = {}
        for element in node.elements:
            ref = self.ref(element.value, state)
            key = key_text(element.key) if isinstance(element, cst.DictElement) else None
            if key is None:
                objects = frozenset[Object]().union(
                    *(state.objects(self.ref(item.value, state)) for item in node.elements)
                )
                return self.boxed(node, Box(Kind.DICT, exact=False, rest=Maybe(objects)), state)
            slots[key] = ref
        return self.boxed(node, Box(Kind.DICT, slots), state)

    def comprehension(self, node: cst.ListComp | cst.DictComp | cst.GeneratorExp, state: State) -> Ref:
        """A container of new tensors, or of who knows what."""
        made, kind = (node.value, Kind.DICT) if isinstance(node, cst.DictComp) else (node.elt, Kind.LIST)
        inner = state.copy()
        for name in descendants(node.for_in.target):
            if isinstance(name, cst.Name):
                inner.names[name.value] = self.iterated(node.for_in.iter, state)
        ref = self.ref(made, inner)
        if self.look(made).kind is Kind.TENSOR and isinstance(ref, Tensor) and ref.object[0] == "new":
            if any(ref.object[1] is item for item in (made, *descendants(made))):  # be it a view of that
                held = self.boxed(node, Box(kind, exact=False, fresh=True), state)
                if not self.is_whole(ref):
                    self.scattered.add(held.box)
                return held
        objects = inner.objects(ref)
        return self.boxed(node, Box(kind, exact=False, rest=Maybe(objects) if objects else None), state)

    def iterated(self, node: cst.BaseExpression, state: State) -> Ref:
        objects = state.objects(self.ref(node, state))
        for part in descendants(node):
            if isinstance(part, cst.Name):
                objects |= state.objects(state.names.get(part.value))
        return Maybe(objects) if objects else None

    def copied(self, node: cst.Call, builtin: str, state: State) -> Ref:
        kind = {"list": Kind.LIST, "tuple": Kind.TUPLE, "dict": Kind.DICT}[builtin]
        if not node.args:
            return self.boxed(node, Box(kind), state)
        ref = self.ref(node.args[0].value, state)
        if isinstance(ref, Held) and ref.box in state.boxes:
            box = state.boxes[ref.box]
            if box.fresh:
                return Maybe(state.objects(ref))
            return self.boxed(node, replace(box, kind=kind), state)
        if ref is None:
            return None
        return self.boxed(node, Box(kind, exact=False, rest=Maybe(state.objects(ref))), state)

    def part_box(self, node: cst.Call, call: ViewCall, ref: Ref, state: State) -> Ref:
        if not isinstance(ref, Tensor):
            return Maybe(state.objects(ref) or open_object(node))
        return Maybe(frozenset({ref.object}))

    def parts(self, node: cst.Call, count: int, state: State) -> list[Ref] | None:
        """`a, b = y.chunk(2)`."""
        found = self.view_call(node, state)
        if found is None or view_step(found[0], self.look) != "parts":
            return None
        call, base = found
        ref = self.ref(base, state)
        if not isinstance(ref, Tensor):
            return None
        return [Tensor(ref.object, (*ref.path, part_step(call, number, count, node))) for number in range(count)]

    # reads that matter

    def reads(self, node: cst.CSTNode, state: State) -> None:
        """What an expression may do with tensors besides computing: others may come to hold them."""
        if node not in self.noticed:
            self.noticed[node] = [
                item for item in descendants(node) if type(item) in _NOTICED and self.is_noticed(item)
            ]
        for item in self.noticed[node]:
            if isinstance(item, cst.Yield):
                assert isinstance(item.value, cst.BaseExpression)
                state.escape(state.objects(self.ref(item.value, state)))
            elif isinstance(item, cst.NamedExpr):
                self.bind(item.target, self.ref(item.value, state), item.value, state)
            elif isinstance(item, cst.Lambda):
                self.keep_defaults(item.params, state)
            elif isinstance(item, cst.Name):
                self.forget_fields(state, item.value)
            elif isinstance(item, cst.Call) and _takes_out(item):
                ref = self.ref(item.func.value, state) if isinstance(item.func, cst.Attribute) else None
                if isinstance(ref, Held) and ref.box in state.boxes:
                    _blur(ref, state.objects(ref), state)
            elif isinstance(item, cst.Call) and dotted(item.func) in _PARTIAL:
                state.escape(self.argument_objects(item, state))
            else:
                own = own_object(self.function)
                assert own is not None and isinstance(item, cst.Call)
                self.forget_fields(state, own, self.fields_reached(item))

    def is_noticed(self, item: cst.CSTNode) -> bool:
        """Whether an expression may do more than compute, whatever the names hold when it is reached."""
        if isinstance(item, cst.Name):
            return self.look(item).kind is Kind.OBJECT and self.is_handed_on(item)
        if isinstance(item, cst.Call):
            return _takes_out(item) or dotted(item.func) in _PARTIAL or self.may_change_fields(item)
        return not isinstance(item, cst.Yield) or isinstance(item.value, cst.BaseExpression)

    def keep_fields(self, node: cst.ClassDef, state: State) -> None:
        """A class keeps what its body gives its fields."""
        for line in descendants(node.body):
            if isinstance(line, (cst.Assign, cst.AnnAssign)) and line.value is not None:
                state.escape(state.objects(self.ref(line.value, state)))

    def keep_defaults(self, params: cst.Parameters, state: State) -> None:
        """A function keeps the defaults of its parameters."""
        for param in (*params.posonly_params, *params.params, *params.kwonly_params):
            if param.default is not None:
                state.escape(state.objects(self.ref(param.default, state)))

    def may_change_fields(self, call: cst.Call) -> bool:
        """Whether a call may give fields of the object other tensors: one of its own methods, or of functions it is given to."""
        own = own_object(self.function)
        if own is None or self.look.torch_name(call.func) is not None:
            return False
        inner = [item for item in self.look.callees.get(call, ()) if item.outer is not None]
        if any(own_object(item) == own and own in names_in(item.node) for item in inner):
            return True
        if isinstance(call.func, cst.Name) and call.func.value in _LOOKING:
            return False
        if isinstance(call.func, cst.Name) and call.func.value in _PASSING_THROUGH:
            return any(isinstance(item.value, cst.Name) and item.value.value == own for item in call.args)
        mentions = [item for item in descendants(call) if isinstance(item, cst.Name) and item.value == own]
        parents = self.work.index.parents
        if all(self.look(parents[item]).kind is Kind.TENSOR for item in mentions):
            return False  # tensors of its own are given to a function, which does not have the object
        if self.look(call.func).kind is Kind.MODULE and not any(
            isinstance(parents[item], (cst.Arg, cst.Element, cst.DictElement)) for item in mentions
        ):
            return False  # one of its parts, which has fields of its own
        return bool(self.look.callees.get(call) or not isinstance(call.func, cst.Attribute))

    def is_handed_on(self, node: cst.Name) -> bool:
        """Whether an object is more than looked at or given a field, as in `box.items`: others may get hold of it."""
        parent = self.work.index.parents.get(node)
        if not isinstance(parent, cst.Attribute) or parent.value is not node:
            return node.value != own_object(self.function)
        return self.look(parent).kind is Kind.FUNCTION

    def fields_reached(self, call: cst.Call) -> OwnFields | None:
        """What its own method, and what runs in this, does with the fields of the object; None if it may be anything."""
        own, callees = own_object(self.function), self.look.callees.get(call, ())
        if own is None or not isinstance(call.func, cst.Attribute) or dotted(call.func.value) != own or not callees:
            return None
        given = [name for item in call.args for name in descendants(item, cst.Name) if name.value == own]
        if any(self.look(self.work.index.parents[name]).kind is not Kind.TENSOR for name in given):
            return None
        named, bound, kept = set[str](), set[str](), False
        for function in reached_from(callees, self.look.callees):
            index, owner = self.work.program.home(function.node).index, function.owner
            kept = kept or function.self_name in kept_names(self.work, function)
            for name in descendants(function.node.body, cst.Name):
                if name.value != function.self_name:
                    continue
                part = index.parents.get(name)
                if not isinstance(part, cst.Attribute) or part.attr.value == "__dict__" or owner is None:
                    return None
                above, field = index.parents.get(part), part.attr.value
                is_called = isinstance(above, cst.Call) and above.func is part
                if not is_called and (owner.getter(field) or owner.method(field)):
                    return None
                named |= {field}
                is_read = isinstance(above, cst.BaseExpression | cst.Arg | cst.Index | cst.Return | cst.Element)
                bound |= set() if is_read and not isinstance(above, cst.NamedExpr) else {field}
        return OwnFields(own, frozenset(named), frozenset(bound), kept)

    def given_of_own(self, call: cst.Call, state: State) -> frozenset[Object]:
        """The storage of the fields that a method of the same object may give back."""
        fields = self.fields_reached(call)
        found: frozenset[Object] = frozenset()
        if fields is None or self.function is None or self.function.owner is None:
            return found
        for name in fields.named:
            held, place = self.function.owner.field_value(name), f"{fields.owner}.{name}"
            if held is not None and held.kind is Kind.TENSOR:
                found |= state.objects(state.names.setdefault(place, Tensor(("field", place))))
        return found

    def forget_fields(self, state: State, owner: str, reached: OwnFields | None = None) -> None:
        """What the fields of an object are is no longer known: others may have given it other tensors, or taken its own."""
        taken, bound = (reached.named, reached.bound) if reached is not None else (None, frozenset[str]())
        objects: frozenset[Object] = frozenset()
        for place in [name for name in state.names if name.startswith(f"{owner}.")]:
            name = place.split(".")[1]
            is_taken = taken is None or (reached is not None and reached.kept and name in taken)
            if is_taken or name in bound:
                ref = state.names.pop(place)
                objects |= state.objects(ref) if is_taken else frozenset()
        state.escape(objects)

    # writes

    def augmented(self, line: cst.SimpleStatementLine | None, small: cst.AugAssign, state: State) -> None:
        target = small.target
        if isinstance(target, cst.Subscript) and self.look(target.value).kind is Kind.TENSOR:
            self.store(line, target, state)
        elif self.look(target).kind is Kind.TENSOR:
            self.write(line, target, state)
        elif isinstance(target, (cst.Subscript, cst.Attribute)) and (
            self.look(target).kind in _CONTAINERS or self.look(small.value).kind in _CONTAINERS
        ):  # `self.items += [x]`: no tensor takes a list
            state.escape(state.objects(self.ref(small.value, state)))
        elif isinstance(target, (cst.Subscript, cst.Attribute)) and self.look(target).is_a(*_PERHAPS):
            if is_number_or_read(target, self.look):
                return
            objects = state.objects(self.ref(target, state))
            held = frozenset(item for item in objects if self.is_tensor(item) or item[0] in ("box", "slot"))
            self.write_somewhere(line, target, Maybe(held), state)
        elif isinstance(target, cst.Name):
            ref = state.names.get(target.value)
            if is_number_or_read(target, self.look):
                ref = None
            elif ref is None or any(item[0] == _COMPUTED for item in state.objects(ref)):
                # A number, as far as is known, or what a number and something else have given.
                is_open = self.look(small.value).kind is Kind.UNKNOWN
                if ref is None and is_open:
                    ref = Tensor(self.given_result(small, state, kind=_COMPUTED))
                self.bind(target, None if ref is None else Maybe(state.objects(ref)), None, state)
                return
            is_text = self.look(small.value).kind is Kind.STR  # which no tensor takes
            if self.look(target).is_a(*_PERHAPS) and not is_text and self.look(small.value).kind not in _CONTAINERS:
                # It is one of some tensors, or a number.
                held = frozenset(item for item in state.objects(ref) if isinstance(ref, Maybe) or self.is_tensor(item))
                self.write_somewhere(line, target, Maybe(held), state)
            if isinstance(ref, Held) and ref.box in state.boxes:  # `lst += [x]`
                objects = state.objects(ref) | state.objects(self.ref(small.value, state))
                _blur(ref, objects, state)
            else:
                self.bind(target, None if ref is None else Maybe(state.objects(ref)), None, state)

    def is_tensor(self, item: Object) -> bool:
        """Whether what is told apart so is a tensor for sure, not a number or what an unannotated parameter holds."""
        if item[0] == "param" and self.function is not None:
            parameters = {param.name.value: param.name for param in self.function.parameters}
            return item[1] in parameters and self.look(parameters[str(item[1])]).kind is Kind.TENSOR
        return item[0] in ("new", "field")

    def store(self, line: cst.SimpleStatementLine | None, target: cst.Subscript, state: State) -> None:
        """`x[...] = value`, `x[...] += value`."""
        base = target.value
        while isinstance(base, cst.Attribute) and base.attr.value == "data":
            base = base.value
        if isinstance(base, cst.Subscript) and self.look(base.value).kind is Kind.TENSOR:
            is_selected = all(
                isinstance(element.slice, cst.Index) and self.look(element.slice.value).kind is Kind.INT
                for element in base.slice
            )
            if is_selected and is_plain_index(target, self.look) and not isinstance(base.value, cst.Subscript):
                base = base.value  # `x[0][1]` is `x[0, 1]`
        self.write(line, base, state)

    def expression_statement(
        self, line: cst.SimpleStatementLine | None, node: cst.BaseExpression, state: State
    ) -> None:
        if not isinstance(node, cst.Call):
            return
        if may_change(self.work, node):
            self.changing_call(line, node, state)
            return
        if isinstance(node.func, cst.Attribute) and self.look(node.func.value).kind is not Kind.TENSOR:
            self.container_method(node, node.func, state)
        else:
            self.call(node, state)

    def changing_call(self, line: cst.SimpleStatementLine | None, call: cst.Call, state: State) -> None:
        out = next((item.value for item in call.args if item.keyword is not None and item.keyword.value == "out"), None)
        if out is not None:
            places = elements_of(out)
            if len(places) == 1:
                self.write(line, _part_base(places[0], self.look), state)
            elif any(self.is_shared(place, state, line) for place in places):
                self.refuse(line, code(out), None)
            return
        place: cst.BaseExpression | None = call
        methods: list[str] = []
        while isinstance(place, cst.Call) and may_change(self.work, place):
            methods.append(receiver_name(place))
            place = self.receiver(place)
        if place is None:
            return
        if any(method in _METADATA for method in methods):
            if self.place(without_data(place, self.look), state) is not None:  # else nobody else has this view
                if self.is_shared(place, state, line):
                    self.refuse(line, code(place), None)
                elif state.objects(self.ref(without_data(place, self.look), state)) & state.escaped:
                    self.refuse(line, code(place), "a container, a field or a caller", "T2J303")
                self.forget(place, state)
            return
        is_plain = not any(isinstance(item, (cst.Call, cst.NamedExpr)) for item in (place, *descendants(place)))
        if line is not None and is_plain and self.chain_reads_itself(call, place, state):
            is_method = isinstance(call.func, cst.Attribute) and self.look.torch_name(call.func) is None
            if is_method and not self.look.is_inplace_layer(call):
                self.split_chain(line, call, place)
                return
        self.write(line, _part_base(place, self.look), state)

    def forget(self, place: cst.BaseExpression, state: State) -> None:
        """A name has got another shape in place: how it was cut is no longer known."""
        if isinstance(place, cst.Name):
            self.rebound(place.value, state)
            state.names[place.value] = Maybe(state.objects(state.names.get(place.value)))

    def container_method(self, node: cst.Call, func: cst.Attribute, state: State) -> None:
        ref = self.ref(func.value, state)
        arguments = self.argument_objects(node, state)
        name = func.attr.value
        if isinstance(ref, Held) and ref.box in state.boxes:
            box = state.boxes[ref.box]
            if name == "append" and len(node.args) == 1:
                self.lengthened(ref.box, state)
                box = state.boxes[ref.box]
                item = self.ref(node.args[0].value, state)
                is_own = (
                    isinstance(item, Tensor)
                    and item.object[0] == "new"
                    and isinstance(node.args[0].value, (cst.Call, cst.BinaryOperation))
                )
                if is_own and box.kind is Kind.LIST and box.holds_fresh and self.is_made_outside_loop(ref.box, node):
                    state.boxes[ref.box] = replace(box, exact=False, fresh=True)
                elif box.exact:
                    box = replace(box, slots={**box.slots, str(len(box.slots)): item})
                    if len(box.slots) > 16:
                        box = replace(box, slots={}, exact=False, rest=Maybe(state.objects(ref) | arguments))
                    state.boxes[ref.box] = box
                elif not (box.fresh and is_own):
                    _blur(ref, state.objects(ref) | arguments, state)
                return
            if name in ("items", "keys", "values", "get", "index", "count", "copy"):
                return
            _blur(ref, state.objects(ref) | arguments, state)
            return
        if puts_in_container(self.work.values, node) and self.look(func.value).kind is not Kind.MODULE:
            given = (state.objects(self.ref(item.value, state)) for item in node.args)
            state.escape(frozenset[Object]().union(*given))
        else:
            self.call(node, state)

    def is_made_outside_loop(self, box: Object, call: cst.Call) -> bool:
        """Whether each round of a loop around a call finds the container that a place before the loop has made."""
        around = set(self.work.index.ancestors(box[1])) if isinstance(box[1], cst.CSTNode) else None
        loops = (item for item in self.work.index.ancestors(call) if isinstance(item, (cst.For, cst.While)))
        return around is not None and any(loop not in around for loop in loops)

    def is_shared(self, place: cst.BaseExpression, state: State, line: cst.SimpleStatementLine | None = None) -> bool:
        ref = self.ref(place, state)
        if not isinstance(ref, (Tensor, Maybe)):
            return False
        objects = state.objects(ref)
        if any(item[0] == "item" for item in objects):  # the container that a loop goes through has it, too
            return True
        mine = code(place)
        return any(
            holder.live and holder.text != mine and state.objects(holder.ref) & objects
            for holder in self.holders(state, line)
        )

    def write(self, line: cst.SimpleStatementLine | None, node: cst.BaseExpression, state: State) -> None:
        """A write to the tensor that an expression gives."""
        node = without_data(node, self.look)
        place = self.place(node, state)
        if place is None:
            self.through_expression(line, node, state)
            return
        if self.is_captured(node) or is_of_all(self.work, self.function, node):
            self.refuse(line if line is not None else self.index_line(node), code(node), None, "T2J303")
            return
        ref = self.ref(node, state)
        if (row := self.passed(node, ref, state)) is not None:
            self.refuse(line if line is not None else self.index_line(node), code(node), row)
            return
        if not isinstance(ref, Tensor):
            self.write_somewhere(line, node, ref, state)
            return
        if line is None:
            if self.is_shared(node, state):
                self.refuse(self.index_line(node), code(node), None)
            return
        if ref.object[0] == "param" and not ref.object[2]:
            if self.is_attribute(node) or self.is_field(node):
                self.refuse(line, code(node), "a container, a field or a caller", "T2J303")
            return  # for the caller to see, which is refused, or normalized, elsewhere
        if ref.object in state.escaped:
            self.refuse(line, code(node), "a container, a field or a caller", "T2J303")
            return
        if place.assigned is None:  # a slot of a tuple
            self.outline(line, node, state)
            return
        if "repeated" in self.look(node).types or any(step.repeats for step in ref.path):
            self.refuse(line, code(node), "a tensor whose elements it repeats")
            return
        self.note_ranged(ref)
        self.forget_words_about(ref, state)
        found = self.updates(line, place, ref, state)
        is_augmented = isinstance(line.body[-1], cst.AugAssign)  # which gives a Python number to this name alone
        is_perhaps_number = is_augmented and "python" in self.look(node).among
        if found is None or (is_perhaps_number and (found.lines or found.behind)):
            self.refuse(line, code(node), self.sharer(line, place, ref, state))
            return
        if self.is_field(node) and self.function is not None and self.function.owner is not None:
            if self.function.owner.is_module:
                # What becomes of fields of modules is decided elsewhere, and so is who else may look at them.
                if found.lines or found.behind:
                    self.refuse(line, code(node), self.sharer(line, place, ref, state))
                return
        if self.final:
            self.writings[line] = _Writing(line, place.text, found.lines, found.behind, ref.object)

    def forget_words_about(self, ref: Tensor, state: State) -> None:
        """A tensor gets other values: parts that were picked by what it held, `x[x.sum(1).argmin()]`, cannot be made anew."""
        changed = [text for text, item in state.names.items() if isinstance(item, Tensor) and item.object == ref.object]
        for text in changed:
            for key, item in state.names.items():
                if isinstance(item, Tensor) and any(reads_values(step, text) for step in item.path):
                    state.names[key] = without_words(item, text.partition(".")[0])

    def is_captured(self, node: cst.BaseExpression) -> bool:
        """Whether a variable of a function around this one is changed that something else may hold there."""
        function = self.function
        if function is None or function.outer is None or not isinstance(node, cst.Name):
            return False
        if node.value in function.parameter_names or node.value in _bound(function.node.body):
            return False
        is_given = node.value in function.outer.parameter_names and outlives(
            self.work.program, function, function.outer
        )
        return node.value in contained_names(self.work, function.outer) or (
            is_given and is_given_what_lasts(self.work, function.outer, node.value)
        )

    def passed(self, node: cst.BaseExpression, ref: Ref, state: State) -> str | None:
        """The variable of a loop that goes through what a write changes, other than that variable itself."""
        objects, mine = state.objects(ref), code(node)
        for item in self.passing:
            if mine in item.names or (mine == item.over and item.counter == self.row_index(node)):
                continue  # what is written is the row that has been read
            if mine == item.name or item.objects & objects:
                return item.row
        return None

    def row_index(self, node: cst.BaseExpression) -> str:
        """The variable `i` where `node` stands in `node[i]` or `node[i, ...]`."""
        match self.work.index.parents.get(node):
            case cst.Subscript(value=value, slice=[cst.SubscriptElement(slice=cst.Index(value=cst.Name(name))), *_]):
                return name if value is node else ""
        return ""

    def index_line(self, node: cst.CSTNode) -> cst.SimpleStatementLine | None:
        line = self.work.index.statement_of(node)
        return line if isinstance(line, cst.SimpleStatementLine) else None

    def write_somewhere(
        self, line: cst.SimpleStatementLine | None, node: cst.BaseExpression, ref: Ref, state: State
    ) -> None:
        """A write to one of several objects: nobody else may hold one of them."""
        if not isinstance(ref, Maybe):
            return
        objects = known_objects(ref.objects)
        mine = code(node)
        if any(item[0] == _GIVEN or (item[0] in (_MODULE, _OF_OBJECT) and item[1] != mine) for item in objects):
            self.refuse(line, mine, "a container, a field or a caller", "T2J303")
            return
        if _is_kept_beside(mine, objects):
            self.refuse(line or self.index_line(node), mine, "a container, a field or a caller", "T2J303")
            return
        own = self.ref(node.value, state) if isinstance(node, cst.Subscript) else None
        for holder in self.holders(state, line):
            if isinstance(own, Held) and (holder.ref == own or self.is_slot_of(holder, own, state)):
                continue  # the container itself, in which the slot is given its new value
            shared = state.objects(holder.ref) & objects
            if holder.live and holder.text != mine and shared:
                self.refuse(line, mine, holder.text)
                return
        others = ref.objects - objects - {UNKNOWN_ORIGIN}
        if (objects | (others if len(others) > 1 else frozenset())) & state.escaped or (
            UNKNOWN_ORIGIN in ref.objects
            and not isinstance(node, cst.Attribute)
            and self.may_be_escaped(mine, line, state)
        ):
            self.refuse(line, mine, "a container, a field or a caller", "T2J303")
            return
        is_known = UNKNOWN_ORIGIN not in ref.objects and all(_is_made(item) or _is_owned(item) for item in objects)
        is_looped = any(loop.object in objects for loop in self.loops)
        if line is not None and is_known and not is_looped and isinstance(node, cst.Name):
            if "repeated" not in self.look(node).types and self.final:
                self.writings[line] = _Writing(line, mine, [])

    def is_slot_of(self, holder: Holder, own: Held, state: State) -> bool:
        """Whether a place is a slot of a container of which each slot has a tensor of its own."""
        box = state.boxes[own.box]
        is_own = all(ref == Tensor(("slot", own.box, key)) for key, ref in box.slots.items())
        return holder.slot is not None and holder.slot[0] == own.box and box.fresh and is_own and box.rest is None

    def may_be_escaped(self, mine: str, line: cst.SimpleStatementLine | None, state: State) -> bool:
        """Whether what comes from somewhere may be a tensor that has gone somewhere and is still looked at here."""
        return any(
            holder.live and holder.text != mine and state.objects(holder.ref) & state.escaped
            for holder in self.holders(state, line)
        )

    def refuse(self, line: cst.CSTNode | None, name: str, base: str | None, identifier: str = "T2J301") -> None:
        if line is None or not self.final:
            return
        key = "other" if identifier == "T2J303" else "base"
        other = "a container, a field or a caller" if identifier == "T2J303" else "another name"
        self.problems.append(Problem(line, identifier, {"name": name, key: base or other}))

    def sharer(self, line: cst.SimpleStatementLine, place: Holder, ref: Tensor, state: State) -> str | None:
        for holder in self.holders(state, line):
            if holder.live and not holder.is_same(place) and ref.object in state.objects(holder.ref):
                return holder.text
        return None

    def note_ranged(self, ref: Tensor) -> None:
        """A write to what a loop runs over: the loop must look at the rows as they are then."""
        for loop in self.loops:
            if loop.object == ref.object and loop.step is not None and loop.step not in ref.path:
                if not are_apart(ref.path, loop.path):
                    loop.wanted = loop.ranged = True

    def place(self, node: cst.BaseExpression, state: State) -> Holder | None:
        """The place that an expression names: a variable, or a slot of a container."""
        text = code(node) if not isinstance(node, cst.Name) else node.value
        match node:
            case cst.Name():
                return Holder(text, state.names.get(text), True, f"{text} = {NEW}", text)
            case cst.Subscript() if self.look(node.value).kind is not Kind.TENSOR:
                base = self.ref(node.value, state)
                root = root_of(node)
                if root is None:
                    return None
                if isinstance(base, Held) and base.box in state.boxes:
                    box, key = state.boxes[base.box], slot_key(node)
                    if key is not None and box.exact and key.startswith("-") and key[1:].isdigit():
                        key = str(len(box.slots) - int(key[1:]))
                    slot = (base.box, key) if key is not None else None
                    assigned = None if box.kind is Kind.TUPLE else f"{text} = {NEW}"
                    return Holder(text, None, True, assigned, root, slot)
                return Holder(text, None, True, f"{text} = {NEW}", root)
            case cst.Attribute() if self.look(node.value).kind is not Kind.TENSOR:
                return Holder(text, None, True, f"{text} = {NEW}", root_of(node) or text)
        return None

    def holders(self, state: State, line: cst.SimpleStatementLine | None) -> Iterator[Holder]:
        """Every place that holds tensors; what is in containers as long as somebody can get at them."""
        live = self.live_after(line)
        for name, ref in state.names.items():
            if name == copied_place(line):
                continue  # where it is the same tensor, it has these values already
            is_field = "." in name
            yield Holder(name, ref, is_field or name in live, f"{name} = {NEW}", name.partition(".")[0])
        reached: set[Object] = set()
        for name, ref in sorted(state.names.items(), key=lambda item: item[0] not in live):
            if isinstance(ref, Held):
                yield from self.slots(name, ref, state, name in live, reached, name, f"{name} = {NEW}")

    def slots(
        self, text: str, held: Held, state: State, live: bool, reached: set[Object], root: str, whole: str | None
    ) -> Iterator[Holder]:
        """The slots of a container, and of those in it; `whole`: how it is given another value."""
        if held.box in reached or held.box not in state.boxes:
            return
        box = state.boxes[held.box]
        is_tuple = box.kind is Kind.TUPLE  # which each place gets anew
        if not is_tuple:
            reached.add(held.box)
        for key, ref in box.slots.items():
            place = f"{text}[{quoted_key(key)}]"
            assigned: str | None = f"{place} = {NEW}"
            if is_tuple:
                parts = [NEW if other == key else f"{text}[{other}]" for other in box.slots]
                inner = ", ".join(parts) + ("," if len(parts) == 1 else "")
                is_plain = box.exact and not self.has_named_parts(text)
                assigned = whole.replace(NEW, f"({inner})") if is_plain and whole is not None else None
            if isinstance(ref, Held):
                yield from self.slots(place, ref, state, live, reached, root, assigned)
                continue
            yield Holder(place, ref, live, assigned, root, None if is_tuple else (held.box, key))
        if box.rest is not None:
            yield Holder(f"{text}[...]", box.rest, live, None, root)

    def live_after(self, line: cst.SimpleStatementLine | None) -> frozenset[str]:
        if line is None:
            return frozenset(name.value for name in descendants(self.scope) if isinstance(name, cst.Name))
        return self.liveness.after_statement(line)

    def updates(self, line: cst.SimpleStatementLine, written: Holder, ref: Tensor, state: State) -> _Updates | None:
        """The statements that give all that share storage with what is written their new values; None: they cannot be."""
        needed: list[Holder] = []
        dead: list[Holder] = []
        for holder in self.holders(state, line):
            if holder.is_same(written):
                continue
            if holder.live and self.may_be_same(holder, ref, state):
                return None
            if not isinstance(holder.ref, Tensor) or holder.ref.object != ref.object:
                continue
            if are_apart(holder.ref.path, ref.path):
                dead.append(holder)
            elif holder.live or holder.text in self.keep:
                needed.append(holder)
            else:
                dead.append(holder)
        chosen = self.with_carriers(needed, dead, ref, state)
        if chosen is None:
            return None
        for holder in dead:
            if holder not in chosen and isinstance(holder.ref, Tensor) and not are_apart(holder.ref.path, ref.path):
                state.stale.add(holder.text)
        lines = self.spelled(chosen, written, ref, state)
        if lines is None or any(
            self.may_be_unbound(name, line, written.root) for text in lines for name in read_by(text)
        ):
            return None
        return self.with_slots(line, written, ref, lines, state) if ref.object[0] == "item" else _Updates(lines)

    def may_be_unbound(self, name: str, line: cst.SimpleStatementLine, written: str) -> bool:
        flow = self.liveness.flow
        return name != written and line.body[-1] in flow and flow.may_be_unbound(name, line.body[-1], written)

    def may_be_same(self, holder: Holder, ref: Tensor, state: State) -> bool:
        """Whether a place may hold what is written, without its being known."""
        if isinstance(holder.ref, Maybe):
            return bool(holder.ref.objects & state.objects(ref))
        if not isinstance(holder.ref, Tensor) or holder.ref.object == ref.object:
            return False
        mine, other = ref.object, holder.ref.object
        if other[0] == "item" and mine[0] in ("item", "slot"):
            return mine[1] == other[1]
        if mine[0] == "item" and other[0] == "slot":
            return mine[1] == other[1]
        return other[0] == "item" and mine in state.objects(holder.ref)

    def with_slots(
        self, line: cst.SimpleStatementLine, written: Holder, ref: Tensor, lines: list[str], state: State
    ) -> _Updates | None:
        """What a variable over a container holds goes back to its slot, and from there to others."""
        kind, box_key, where = ref.object
        assert kind == "item"
        assert isinstance(box_key, tuple)
        if ref.path:
            return None
        box = state.boxes.get(box_key)
        loop = next((item for item in reversed(self.loops) if item.object == ref.object), None)
        own: list[str] = []
        if loop is not None:
            loop.wanted = True
            over = loop.over
            own = [f"{over}[{loop.index}] = {written.text}"]
        elif written.slot == (box_key, where):
            over = written.text.rpartition("[")[0]
        else:
            over = next((name for name, item in state.names.items() if item == Held(box_key)), "")
            if not over or not isinstance(where, str):
                return None
            own = [f"{over}[{quoted_key(where)}] = {written.text}"]
        behind: list[str] = []
        for key, item in box.slots.items() if box is not None else ():
            if not isinstance(item, Tensor):
                return None
            text = f"{over}[{quoted_key(key)}]"
            slot = Holder(text, item, True, f"{text} = {NEW}", over, (box_key, key))
            found = self.from_slot(line, slot, item, state)
            if found is None:
                return None
            behind += found
        return _Updates([*lines, *own], behind)

    def from_slot(self, line: cst.SimpleStatementLine, slot: Holder, ref: Tensor, state: State) -> list[str] | None:
        found: list[Holder] = []
        for holder in self.holders(state, line):
            if not holder.live or holder.is_same(slot):
                continue
            if isinstance(holder.ref, Maybe) and ref.object in holder.ref.objects:
                return None
            if isinstance(holder.ref, Tensor) and holder.ref.object == ref.object:
                if not are_apart(holder.ref.path, ref.path):
                    found.append(holder)
        chosen = self.with_carriers(found, [], ref, state)
        return None if chosen is None else self.spelled(chosen, slot, ref, state)

    def is_list_of_tensors(self, box: Box) -> bool:
        """Whether all slots hold tensors of their own, and can be assigned to."""
        items = list(box.slots.values())
        objects = [item.object for item in items if isinstance(item, Tensor) and item.object[0] in ("new", "param")]
        if any(item[0] == "param" and not item[2] for item in objects):
            return False
        return bool(items) and box.kind is not Kind.TUPLE and len(set(objects)) == len(items)

    def with_carriers(self, needed: list[Holder], dead: list[Holder], ref: Tensor, state: State) -> list[Holder] | None:
        """The places to be brought up to date, with those that others are cut from."""
        chosen = list(needed)
        for holder in needed:
            path = path_of(holder)
            if is_prefix(path, ref.path) or is_prefix(ref.path, path):
                continue
            common = common_path(path, ref.path)
            if any(is_prefix(path_of(item), common) for item in chosen):
                continue
            carriers = [item for item in dead if is_prefix(path_of(item), common)]
            if not carriers:
                return None
            carrier = max(carriers, key=lambda item: len(path_of(item)))
            if carrier.text in state.stale:
                raise _Again(carrier.text)
            chosen.append(carrier)
        return chosen

    def spelled(self, chosen: list[Holder], written: Holder, ref: Tensor, state: State) -> list[str] | None:
        current: list[tuple[str, tuple[Step, ...]]] = [(written.text, ref.path)]
        lines: list[str] = []
        above = [item for item in chosen if is_prefix(path_of(item), ref.path)]
        others = [item for item in chosen if item not in above]
        for holder in sorted(above, key=lambda item: -len(path_of(item))):
            sources = [item for item in current if is_prefix(path_of(holder), item[1])]
            text, path = min(sources, key=lambda item: len(item[1]))
            made = self.given_back(holder, path[len(path_of(holder)) :], text, state)
            if made is None:
                return None
            lines += made
            current.append((holder.text, path_of(holder)))
        for holder in sorted(others, key=lambda item: len(path_of(item))):
            sources = [item for item in current if is_prefix(item[1], path_of(holder))]
            if not sources or holder.assigned is None:
                return None
            text, path = max(sources, key=lambda item: len(item[1]))
            steps = path_of(holder)[len(path) :]
            if any("?" in step.names for step in steps):
                return None
            lines.append(holder.assigned.replace(NEW, made_along(text, steps)))
            current.append((holder.text, path_of(holder)))
            self.want_loops(steps)
        return lines

    def given_back(self, holder: Holder, steps: tuple[Step, ...], value: str, state: State) -> list[str] | None:
        """The statements by which a base gets the values of a view back."""
        lines: list[str] = []
        if any("?" in step.names for step in steps):
            return None
        self.want_loops(steps)
        for number in range(len(steps) - 1, -1, -1):
            step, base = steps[number], made_along(holder.text, steps[:number])
            if step.back is None:
                whole = self.put_together(holder, steps[: number + 1], state)
                if whole is None:
                    return None
                value = whole
            elif not step.stores:
                value = step.back.replace(BASE, base).replace(NEW, value)
            elif number == 0:
                if (
                    holder.text.endswith("]")
                    and holder.assigned is not None
                    and not holder.assigned.startswith(holder.text)
                ):
                    return None  # in a tuple
                return [*lines, f"{step.back.replace(BASE, base)} = {value}"]
            else:
                name = self.name(f"{holder.root}_part")
                if value == name:  # the part of a part, which stays until it is back in its place
                    name = self.name(f"{holder.root}_view")
                lines += [f"{name} = {base}", f"{step.back.replace(BASE, name)} = {value}"]
                value = name
        if holder.assigned is None:
            return None
        return [*lines, holder.assigned.replace(NEW, value)]

    def put_together(self, holder: Holder, path: tuple[Step, ...], state: State) -> str | None:
        """All parts of a base in one, if they are at hand."""
        last = path[-1]
        if last.cut is None or last.cut[0] != "part" or last.dimension is None or last.count is None:
            return None
        base = holder.ref
        if not isinstance(base, Tensor):
            return None
        names: dict[object, str] = {}
        for name, ref in state.names.items():
            if isinstance(ref, Tensor) and ref.object == base.object and name not in state.stale:
                if len(ref.path) == len(base.path) + len(path) and ref.path[:-1] == (*base.path, *path[:-1]):
                    cut = ref.path[-1].cut
                    if cut is not None and cut[:2] == last.cut[:2]:
                        names.setdefault(cut[2], name)
        if len(names) != last.count:
            return None
        parts = ", ".join(names[number] for number in range(last.count))
        torch = self.work.torch_alias()
        if torch is None:
            return None
        return f"{torch}.cat(({parts}))" if last.dimension == 0 else f"{torch}.cat(({parts}), {last.dimension})"

    def want_loops(self, steps: tuple[Step, ...]) -> None:
        for loop in self.loops:
            if loop.step is not None and loop.step in steps:
                loop.wanted = True

    # writes through expressions

    def through_expression(self, line: cst.SimpleStatementLine | None, node: cst.BaseExpression, state: State) -> None:
        """`x.view(-1)[0] = 1`: the view gets a name first."""
        ref = self.ref(node, state)
        if isinstance(ref, Tensor) and not is_sure(ref):
            ref = Maybe(state.objects(ref))
        if isinstance(ref, Tensor) and line is not None:
            if ref.object[0] == "new" and any(ref.object[1] is item for item in (node, *descendants(node))):
                if self.is_harmless(line):
                    if self.final:
                        self.outlined.append(lambda: self.work.edits.remove(line))
                    return
            if ref.object[0] == "param" and not ref.object[2]:
                return
            self.outline(line, node, state)
        elif isinstance(ref, Maybe):
            self.write_somewhere(line, node, ref, state)

    def is_harmless(self, line: cst.SimpleStatementLine) -> bool:
        """Whether nothing remains of a line whose result nobody sees."""
        assert self.work.effects is not None
        for item in descendants(line):
            if isinstance(item, (cst.Await, cst.NamedExpr, cst.Yield)):
                return False
            if isinstance(item, cst.Call):
                is_torch = self.look.torch_name(item.func) is not None
                is_method = isinstance(item.func, cst.Attribute) and self.look(item.func.value).kind is Kind.TENSOR
                if not (is_torch or is_method) or self.work.effects.draw_of(item) is not Draw.NONE:
                    return False
        return True

    def outline(self, line: cst.SimpleStatementLine, node: cst.BaseExpression, state: State) -> None:
        if not self.final:
            return
        self.give_name(node, line, root_of(node) or "value", line)

    def give_name(self, node: cst.BaseExpression, line: cst.BaseStatement, root: str, origin: cst.CSTNode) -> None:
        """An expression gets a name, in a statement before a line that stands for `origin`."""
        work = self.work

        def edit() -> None:
            name = self.name(name_for_view(root, node))
            made = self.statement_from(f"{name} = {code(node)}", origin)
            work.edits.before(line, lambda rewrite: [made])
            work.edits.replace(node, lambda rewrite: cst.Name(name))

        self.outlined.append(edit)

    def hoist(
        self,
        line: cst.SimpleStatementLine,
        small: cst.Assign | cst.AugAssign | cst.Return,
        value: cst.BaseExpression,
        state: State,
    ) -> bool:
        """`y = x.add_(1)`: the write becomes a statement of its own, if others see it."""
        calls = [
            item for item in (value, *descendants(value)) if isinstance(item, cst.Call) and may_change(self.work, item)
        ]
        if not calls:
            return False
        call = calls[0]
        chain: set[cst.CSTNode] = set()
        place: cst.BaseExpression | None = call
        while isinstance(place, cst.Call) and may_change(self.work, place):
            chain.add(place)
            place = self.receiver(place)
        if place is None or any(item.keyword is not None and item.keyword.value == "out" for item in call.args):
            return False
        place = without_data(place, self.look)
        if not isinstance(place, cst.Name):
            return chain.issuperset(calls) and self.hoist_view(line, small, call, place, state)
        ref = self.ref(place, state)
        objects = state.objects(ref)
        if any(item[0] == _KEPT for item in objects):
            self.refuse(line, place.value, "a container, a field or a caller", "T2J303")
            return False
        if isinstance(ref, Maybe) and not self.is_shared(place, state) and not all(map(_is_made, objects)):
            return False
        if not isinstance(ref, (Tensor, Maybe)):
            return False
        if any(item[0] == "param" and not item[2] for item in objects):
            return False
        if len(calls) > 1 and calls[1] not in set(descendants(call)):
            return False
        name = place.value
        rebinds = (
            isinstance(small, cst.Assign)
            and len(small.targets) == 1
            and dotted(small.targets[0].target) == name
            and call is value
        )
        live = name in self.live_after(line) and not rebinds
        mentions = sum(isinstance(item, cst.Name) and item.value == name for item in descendants(small))
        chained = self.chain_reads_itself(call, place, state)
        if not live and not self.is_shared(place, state) and not chained and not objects & state.escaped:
            first = self.first_of_chain(call)
            is_given = isinstance(first.func, cst.Attribute) and self.receiver(first) is first.func.value
            given = sum(count_name(item, name) for item in (first.args if is_given else first.args[1:]))
            if mentions <= 1 + rebinds + given:
                if self.final and self.is_first(call, value, state) and not self.look.is_inplace_layer(call):
                    self.writings[line] = _Writing(line, name, [])
                return False
        if not self.is_first(call, value, state):
            return False
        if not self.final:
            return True
        work = self.work

        def edit() -> None:
            made = self.statement_from(code(call), line)
            if rebinds:  # the chain itself remains
                work.edits.rewrite_statement(line, lambda rewrite: [made])
                return
            work.edits.before(line, lambda rewrite: [made])
            work.edits.replace(call, lambda rewrite: cst.Name(name))

        self.outlined.append(edit)
        return True

    def hoist_view(
        self,
        line: cst.SimpleStatementLine,
        small: cst.Assign | cst.AugAssign | cst.Return,
        call: cst.Call,
        view: cst.BaseExpression,
        state: State,
    ) -> bool:
        """`y = x.view(-1).add_(1)`: the view gets a name first, if others see what it is cut from."""
        assert small.value is not None
        ref = self.ref(view, state)
        objects = state.objects(ref)
        if not objects or not isinstance(view, (cst.Call, cst.Subscript)):
            return False
        if self.look.makes_its_own(view) and not objects & state.escaped:
            return False
        if not self.is_first(call, small.value, state) or any(item[0] == "param" and not item[2] for item in objects):
            return False
        targets = {dotted(target.target) for target in small.targets} if isinstance(small, cst.Assign) else set()
        is_seen = any(
            holder.live and holder.text not in targets and objects & state.objects(holder.ref)
            for holder in self.holders(state, line)
        )
        mentioned = sum(
            isinstance(item, cst.Name) and bool(objects & state.objects(state.names.get(item.value)))
            for item in descendants(small.value)
        )
        is_own = all(item[0] in ("new", _GIVES) or _is_owned(item) for item in objects)
        if not is_seen and mentioned <= 1 and is_own and not objects & state.escaped:
            if self.final:
                self.writings[line] = _Writing(line, code(view), [])
            return False
        if not isinstance(ref, Tensor) or not is_sure(ref):
            return False
        self.outline(line, view, state)
        return True

    def first_of_chain(self, call: cst.Call) -> cst.Call:
        inner = self.receiver(call)
        while isinstance(inner, cst.Call) and may_change(self.work, inner):
            call, inner = inner, self.receiver(inner)
        return call

    def chain_reads_itself(self, call: cst.Call, place: cst.BaseExpression, state: State) -> bool:
        """Whether `x.mul_(2).add_(x)` reads what it has changed, under this name or another."""
        first, text = self.first_of_chain(call), code(place)
        objects = known_objects(state.objects(self.ref(place, state)))
        changed = {item for item in objects if item[0] != _GIVEN}
        while call is not first:
            for item in (part for argument in call.args for part in descendants(argument)):
                if isinstance(item, (cst.Name, cst.Attribute)) and code(item) == text:
                    return True
                if isinstance(item, cst.Name) and changed & state.objects(state.names.get(item.value)):
                    return True
            inner = self.receiver(call)
            assert isinstance(inner, cst.Call)
            call = inner
        return False

    def split_chain(self, line: cst.SimpleStatementLine, call: cst.Call, place: cst.BaseExpression) -> None:
        """Each call of a chain in a line of its own."""
        calls = [call]
        while (inner := self.receiver(calls[-1])) is not None and isinstance(inner, cst.Call):
            calls.append(inner)
        texts = []
        for item in reversed(calls):
            inner = self.receiver(item)
            assert inner is not None
            texts.append(code(place) + code_behind(item, inner))

        def edit() -> None:
            made = [self.statement_from(text, line) for text in texts]
            self.work.edits.rewrite_statement(line, lambda rewrite: made)

        if self.final:
            self.outlined.append(edit)

    def is_first(self, call: cst.Call, value: cst.BaseExpression, state: State) -> bool:
        """Whether nothing is computed before a call in an expression."""
        around = set(self.work.index.ancestors(call))
        for item in (value, *descendants(value)):
            if item is call:
                return True
            if item in around or item is value:
                if isinstance(
                    item, (cst.IfExp, cst.BooleanOperation, cst.Lambda, cst.ListComp, cst.GeneratorExp, cst.DictComp)
                ):
                    return False
                continue
            if isinstance(item, (cst.Call, cst.BinaryOperation, cst.Subscript, cst.Comparison, cst.UnaryOperation)):
                return False
        return False

    # loops

    def for_loop(self, node: cst.For, state: State) -> State | None:
        self.reads(node.iter, state)
        if self.final and self.can_unroll(node, state):
            self.outlined.append(lambda: self.unroll(node))
        loops: list[Loop] = []
        shown = self.shown_again(node, state)

        def body(inner: State) -> State | None:
            passing = len(self.passing)
            loops[:] = self.enter(node, inner)
            inner.escape(shown)
            self.loops += loops
            end = self.suite(node.body, inner)
            for _ in loops:
                self.loops.pop()
            del self.passing[passing:]
            return end

        result, left = self.repeated(node, body, state)
        self.seen_loops[node] = list(loops)
        if (made := self.loop_names.get(node)) is not None:  # the counter is not there any more
            for name, ref in result.names.items():
                result.names[name] = without_words(ref, made)
        return self.behind_loop(node.orelse, result, left)

    def shown_again(self, node: cst.For, state: State) -> frozenset[Object]:
        """What a display in the head of a loop holds under the name of the variable, which is lost: `for w in (w, w)`."""
        bound = {name.value for name in _bound_names(node.target)}
        found: frozenset[Object] = frozenset()
        for display in descendants(node.iter):
            if isinstance(display, (cst.Tuple, cst.List)):
                elements = [item.value for item in display.elements]
                if len(elements) > 1 and any(isinstance(item, cst.Name) and item.value in bound for item in elements):
                    found = found.union(*(state.objects(self.ref(item, state)) for item in elements))
        return found

    def can_unroll(self, node: cst.For, state: State) -> bool:
        """Whether a loop changes the few tensors that its head names: `for t in (a, b): t.mul_(2)`."""
        if not isinstance(node.iter, (cst.Tuple, cst.List)) or not isinstance(node.target, cst.Name):
            return False
        elements, body, name = node.iter.elements, node.body.body, node.target.value
        if any(isinstance(element, cst.StarredElement) for element in elements):
            return False
        if node.orelse is not None or not isinstance(node.body, cst.IndentedBlock):
            return False
        if len(elements) * len(body) > _UNROLLED or not all(isinstance(item, cst.SimpleStatementLine) for item in body):
            return False
        inside = list(descendants(node.body))
        if any(isinstance(item, (cst.Break, cst.Continue, cst.Return, cst.Yield, cst.Lambda)) for item in inside):
            return False
        if name in _bound(node.body) or name in self.liveness.after_statement(node):
            return False
        for element in elements:
            place = self.place(element.value, state)
            ref = self.ref(element.value, state)
            if place is None or place.assigned is None or not isinstance(ref, Tensor):
                return False
            if ref.object[0] == "field" or (ref.object[0] == "param" and not ref.object[2]):
                return False
        return any(_is_written(self.work, item, name) for item in inside)

    def unroll(self, node: cst.For) -> None:
        assert isinstance(node.iter, (cst.Tuple, cst.List))
        assert isinstance(node.target, cst.Name)
        made: list[cst.BaseStatement] = []
        for element in node.iter.elements:
            for line in node.body.body:
                new = line.visit(_Renamed(node.target.value, element.value))
                assert isinstance(new, cst.SimpleStatementLine)
                fresh = new.deep_clone()
                for part in (fresh, *descendants(fresh)):
                    self.work.copies[part] = line
                made.append(fresh)
        self.work.edits.rewrite_statement(node, lambda rewrite: made)

    def enter(self, node: cst.For, state: State) -> list[Loop]:
        """Bind the variables of a loop, in its body."""
        found: list[Loop] = []
        target, source = node.target, node.iter
        index: str | None = None
        name = dotted(source.func) if isinstance(source, cst.Call) else None
        if (
            isinstance(source, cst.Call)
            and name == "enumerate"
            and len(source.args) == 1
            and isinstance(target, cst.Tuple)
            and len(target.elements) == 2
            and isinstance(target.elements[0].value, cst.Name)
            and target.elements[0].value.value not in _bound(node.body)
        ):
            index = target.elements[0].value.value
            self.bind(target.elements[0].value, None, None, state)
            target, source = target.elements[1].value, source.args[0].value  # type: ignore[assignment]
            name = dotted(source.func) if isinstance(source, cst.Call) else None
        pairs: list[tuple[cst.CSTNode, cst.BaseExpression]]
        if (
            isinstance(source, cst.Call)
            and name == "zip"
            and isinstance(target, cst.Tuple)
            and len(target.elements) == len(source.args)
        ):
            pairs = [(e.value, a.value) for e, a in zip(target.elements, source.args, strict=True)]
        else:
            pairs = [(target, source)]
        for place, over in pairs:
            loop = self.loop_over(node, place, over, index, state)
            if loop is not None:
                found.append(loop)
        return found

    def loop_over(
        self, node: cst.For, place: cst.CSTNode, over: cst.BaseExpression, index: str | None, state: State
    ) -> Loop | None:
        items = self.dictionary_items(node, place, over, state)
        if items is not None:
            return items
        found = self.view_call(over, state) if isinstance(over, cst.Call) else None
        if found is not None and found[0].name == "unbind" and found[0].number(0, "dim", default=0) == 0:
            if isinstance(place, cst.Name) and self.final:
                base = found[1]
                if any(_is_written(self.work, item, place.value) for item in descendants(node.body)):
                    replaced = self.copied_from(code(base), over)
                    self.outlined.append(lambda: self.work.edits.replace(over, lambda rewrite: replaced))
        ref = self.ref(over, state)
        yielded = self.yielded(over)
        if not isinstance(place, cst.Name):
            objects = state.objects(ref) | yielded
            self.pass_through(node, over, code(place), index, objects, state)
            self.bind(place, Maybe(objects) if objects else None, None, state)
            self.bind_key(place, over, state)
            return None
        is_over_keys = is_keys(over) or (self.look(over).kind is Kind.DICT and isinstance(over, cst.Name))
        if is_over_keys or self.look(place).is_number:
            self.bind(place, None, None, state)
            return None
        counter = index or self.loop_name(node)
        if isinstance(ref, Tensor) and not isinstance(over, cst.Name) and self.final:
            if any(_is_written(self.work, item, place.value) for item in descendants(node.body)):
                self.name_rows(node, over)
        if isinstance(ref, Tensor) and isinstance(over, cst.Name):
            step = Step(f"{BASE}[{counter}]", f"{BASE}[{counter}]", True, frozenset({counter}), ("index", counter))
            self.bind(place, None, None, state)
            state.names[place.value] = Tensor(ref.object, (*ref.path, step))
            return Loop(node, code(over), counter, place, over, ref.object, ref.path, step, counted=index is not None)
        if isinstance(ref, Held) and ref.box in state.boxes and isinstance(over, cst.Name):
            box = state.boxes[ref.box]
            is_new = box.fresh and not box.slots and box.rest is None and box.kind is Kind.LIST
            if is_new or (box.exact and box.kind is Kind.LIST and self.is_list_of_tensors(box)):
                made: Object = ("item", ref.box, node)
                grow_old(made, state)
                self.bind(place, Tensor(made), None, state)
                return Loop(node, code(over), counter, place, over, made, counted=index is not None)
        objects = state.objects(ref) | yielded
        if isinstance(ref, Tensor):
            objects = frozenset({ref.object})
        self.pass_through(node, over, place.value, index, objects, state)
        rows = Maybe(objects) if objects else self.unknown(over)
        is_open = rows is not None and not known_objects(state.objects(rows))
        self.bind(place, Maybe(self.taken(place, state)) if is_open else rows, None, state)
        return None

    def yielded(self, over: cst.BaseExpression) -> frozenset[Object]:
        """What a generator of the program gives that it has from elsewhere: `for t in bank.each(): ...`."""
        found: set[Object] = set()
        for callee in self.look.callees.get(over, ()) if isinstance(over, cst.Call) else ():
            inside = {*descendants(callee.node.body)}
            for item in descendants(callee.node.body, cst.Yield):
                given = elements_of(item.value) if isinstance(item.value, cst.BaseExpression) else []
                for part in [item.value.item] if isinstance(item.value, cst.From) else given:
                    value = self.look(part)
                    is_open = isinstance(item.value, cst.From) or value.is_a(Kind.TENSOR, Kind.UNKNOWN)
                    makers = self.look.makers(value.roots)
                    is_made = 0 < len(value.roots) == len(makers) and inside.issuperset(makers)
                    if is_open and not is_made and not is_number_or_read(part, self.look):
                        found.add((_GIVEN, callee.name))
        return frozenset(found)

    def bind_key(self, place: cst.CSTNode, over: cst.BaseExpression, state: State) -> None:
        """The keys of a dictionary are no tensors: `for name, value in d.items()`. Arrays of JAX cannot be keys at all."""
        match place, over:
            case (
                cst.Tuple(elements=[cst.Element(value=cst.Name() as key), _]),
                cst.Call(func=cst.Attribute(attr=cst.Name("items")), args=[]),
            ):
                self.bind(key, None, None, state)

    def pass_through(
        self,
        node: cst.For,
        over: cst.BaseExpression,
        row: str,
        index: str | None,
        objects: frozenset[Object],
        state: State,
    ) -> None:
        """Note what a loop holds while it runs: it goes on through the arrays of its start, whatever becomes of the names."""
        is_over_keys = self.look(over).kind is Kind.DICT
        if is_over_keys or self.can_unroll(node, state):
            return
        name = over.value if isinstance(over, cst.Name) and self.look(over).kind is Kind.TENSOR else ""
        counter = index if index is not None and index not in _bound(node.body) else None
        passed = known_objects(objects | self.shown(over, state))
        self.passing.append(_Passing(name, row, code(over), counter, passed))

    def shown(self, node: cst.BaseExpression, state: State) -> frozenset[Object]:
        """What stands in the displays of a loop's head: `reversed([a, b])`, `{"a": a}.values()`, `[(a, b), (b, a)]`."""
        parts: list[cst.BaseExpression] = []
        match node:
            case cst.Tuple() | cst.List() | cst.Dict():
                parts = [element.value for element in node.elements]
            case cst.Call(func=cst.Attribute(value=holder, attr=cst.Name(value="values" | "items"))):
                parts = [holder]
            case cst.Call(func=cst.Name(value="reversed" | "list" | "tuple" | "iter" | "sorted" | "zip" | "enumerate")):
                parts = [item.value for item in node.args]
        held = [state.objects(self.ref(part, state)) | self.shown(part, state) for part in parts]
        return frozenset[Object]().union(*held)

    def name_rows(self, node: cst.For, over: cst.BaseExpression) -> None:
        """`for row in y.t(): ...`, where the rows change: what the loop runs over gets a name."""
        self.give_name(over, node, root_of(over) or "rows", over)

    def dictionary_items(
        self, node: cst.For, place: cst.CSTNode, over: cst.BaseExpression, state: State
    ) -> Loop | None:
        """`for k, v in d.items()`."""
        match over:
            case cst.Call(func=cst.Attribute(value=cst.Name() as holder, attr=cst.Name(value="items")), args=[]):
                pass
            case _:
                return None
        ref = self.ref(holder, state)
        if not isinstance(ref, Held) or ref.box not in state.boxes or not isinstance(place, cst.Tuple):
            return None
        box = state.boxes[ref.box]
        if len(place.elements) != 2 or not (
            (box.fresh and not box.slots) or (box.exact and self.is_list_of_tensors(box))
        ):
            return None
        key, value = (element.value for element in place.elements)
        if not isinstance(key, cst.Name) or not isinstance(value, cst.Name) or key.value in _bound(node.body):
            return None
        made: Object = ("item", ref.box, node)
        grow_old(made, state)
        self.bind(key, None, None, state)
        self.bind(value, Tensor(made), None, state)
        return Loop(node, holder.value, key.value, value, None, made, counted=True)

    def loop_name(self, node: cst.For) -> str:
        if node not in self.loop_names:
            if self.spoken is None:
                self.spoken = frozenset(item.value for item in descendants(self.scope) if type(item) is cst.Name)
            taken = self.spoken.union(self.loop_names.values())
            wishes = ("i", "j", "k", "row", "position")
            self.loop_names[node] = next((wish for wish in wishes if wish not in taken), None) or self.name("i")
        return self.loop_names[node]

    # edits

    def statement_from(self, text: str, origin: cst.CSTNode) -> cst.SimpleStatementLine:
        """A new line, which stands for what it was made from."""
        made = cst.parse_statement(text)
        assert isinstance(made, cst.SimpleStatementLine)
        for node in (made, *descendants(made)):
            self.work.copies[node] = origin
        return made

    def finish(self) -> None:
        """Make the edits of the last walk: first what must get a name, and in a later round what follows from it."""
        work = self.work
        work.problems += self.problems
        if self.outlined:
            for edit in self.outlined:
                edit()
            return
        for writing in list(self.writings.values()):
            if writing.object in self.returned and any(is_field_text(text) for text in writing.lines):
                # a caller has what a field holds, and the next call would change it
                fields = {"name": writing.written, "other": "a field and a caller"}
                work.problems.append(Problem(writing.line, "T2J303", fields))
                del self.writings[writing.line]
        for writing in self.writings.values():
            work.settled.add(writing.line)
        behind: dict[cst.CSTNode, list[str]] = {}
        for writing in self.writings.values():
            if self.is_repeated(writing):
                continue
            for texts in (writing.lines, writing.behind):
                if texts:
                    place = self.sunk(writing.line, texts)
                    lines = behind.setdefault(place, [])
                    lines += [text for text in texts if place is writing.line or text not in lines]
        for place, lines in behind.items():
            made = [self.statement_from(self.as_data(text), place) for text in lines]
            for statement, text in zip(made, lines, strict=True):
                (work.in_place if is_field_text(text) else work.settled).add(statement)
            work.edits.after(place, lambda rewrite, made=made: made)  # type: ignore[misc]
        for loops in self.seen_loops.values():
            self.count(loops)

    def as_data(self, text: str) -> str:
        """`self.weight.data = v` for `self.weight = v` of a parameter, in a method of a module that has been made."""
        work, (place, _, value) = self.work, text.partition(" = ")
        named = [node for node in work.index.attributes if node.attr.value == place.rpartition(".")[2]]
        is_parameter = any("parameter" in work.values(node).types and code(node) == place for node in named)
        is_kept = is_field_text(text) and is_parameter and runs_in_methods(work.program, self.function)
        return f"{place}.data = {value}" if is_kept else text

    def captured(self) -> set[str]:
        """The names that functions inside of this one speak of."""
        if self.inner is None:
            self.inner = {
                name.value
                for item in descendants(self.scope)
                if isinstance(item, (cst.FunctionDef, cst.Lambda)) and item is not self.scope
                for name in descendants(item)
                if isinstance(name, cst.Name)
            }
        return self.inner

    def is_repeated(self, writing: _Writing) -> bool:
        """Whether the next line writes to the same tensor, and nobody looks in between."""
        parent = self.work.index.parents[writing.line]
        body = list(getattr(parent, "body", ()))
        if writing.line not in body:
            return False
        position = body.index(writing.line)
        following = self.writings.get(body[position + 1]) if position + 1 < len(body) else None
        if (
            following is None
            or following.written != writing.written
            or following.lines != writing.lines
            or writing.behind
        ):
            return False
        mentioned = {item.value for item in descendants(following.line) if isinstance(item, cst.Name)}
        return not mentioned & writing.roots and not writing.roots & self.captured()

    def sunk(self, line: cst.SimpleStatementLine, texts: Sequence[str]) -> cst.CSTNode:
        """Where new values are given: behind the loops in which nobody looks at them."""
        place: cst.CSTNode = line
        roots = {assigned_root(text) for text in texts}
        spoken = {name for text in texts for name in words_of(text)}
        if roots & self.captured():
            return line
        for ancestor in self.work.index.ancestors(line):
            if isinstance(ancestor, (cst.FunctionDef, cst.ClassDef, cst.Module, cst.With, cst.Try, cst.TryStar)):
                break
            if isinstance(ancestor, cst.If):
                continue
            if not isinstance(ancestor, (cst.For, cst.While)):
                continue
            inside = list(descendants(ancestor))
            mentioned = {item.value for item in inside if isinstance(item, cst.Name)}
            if mentioned & roots or any(isinstance(item, (cst.Return, cst.Yield)) for item in inside):
                break
            if _bound(ancestor) & spoken or ancestor.orelse is not None:
                break
            place = ancestor
        return place

    def count(self, loops: list[Loop]) -> None:
        """Give loops the counters that the new statements speak of."""
        wanted = [loop for loop in loops if loop.wanted]
        if not wanted:
            return
        loop = wanted[0]
        node, edits = loop.node, self.work.edits
        if loop.ranged and loop.item is node.iter and isinstance(node.body, cst.IndentedBlock):
            row = self.statement_from(f"{code(loop.target)} = {loop.over}[{loop.index}]", node.iter)
            counter = self.copied_from(f"range(len({loop.over}))", node.iter)
            edits.replace(node.target, lambda rewrite: cst.Name(loop.index))
            edits.replace(node.iter, lambda rewrite: counter)
            edits.prologue(node.body, lambda rewrite: [row])
            return
        if any(item.ranged for item in wanted):
            item = next(item for item in wanted if item.ranged)
            if isinstance(node.body, cst.IndentedBlock):
                row = self.statement_from(f"{code(item.target)} = {item.over}[{item.index}]", node.iter)
                edits.prologue(node.body, lambda rewrite: [row])
        if all(item.counted for item in wanted):
            return
        loop = next(item for item in wanted if not item.counted)
        target, source = node.target, node.iter
        inner = f"({code(target)})" if isinstance(target, cst.Tuple) and not target.lpar else code(target)
        header = cst.parse_statement(f"for {loop.index}, {inner} in enumerate({code(source)}):\n    pass\n")
        assert isinstance(header, cst.For)
        for new in (header.target, header.iter):
            for part in (new, *descendants(new)):
                self.work.copies[part] = source
        edits.replace(target, lambda rewrite: header.target)
        edits.replace(source, lambda rewrite: header.iter)

    def copied_from(self, text: str, origin: cst.CSTNode) -> cst.BaseExpression:
        made = cst.parse_expression(text)
        for node in (made, *descendants(made)):
            self.work.copies[node] = origin
        return made


class _Renamed(cst.CSTTransformer):
    """Puts an expression in the place of a variable."""

    def __init__(self, name: str, new: cst.BaseExpression) -> None:
        super().__init__()
        self.name = name
        self.new = new

    def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> cst.BaseExpression:
        return updated_node.with_changes(attr=original_node.attr)

    def leave_Arg(self, original_node: cst.Arg, updated_node: cst.Arg) -> cst.Arg:
        return updated_node.with_changes(keyword=original_node.keyword)

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.BaseExpression:
        return self.new if original_node.value == self.name else updated_node


def _is_written(work: NormalizationRound, node: cst.CSTNode, name: str) -> bool:
    """Whether a variable is written to here."""
    target: cst.CSTNode | None = None
    if isinstance(node, cst.Call) and may_change(work, node) and isinstance(node.func, cst.Attribute):
        target = node.func
    elif isinstance(node, (cst.AugAssign, cst.AssignTarget)):
        target = node.target
    return target is not None and root_of(target) == name


def changes_metadata(call: cst.Call) -> bool:
    """Whether a method gives its tensor another shape in place."""
    return receiver_name(call).rpartition(".")[2] in _METADATA


def is_keys(node: cst.CSTNode) -> bool:
    """Whether an expression gives the keys of a dictionary: `d.keys()`."""
    match node:
        case cst.Call(func=cst.Attribute(attr=cst.Name("keys")), args=[]):
            return True
    return False


def receiver_name(call: cst.Call) -> str:
    """The name of the method or function that is called."""
    return call.func.attr.value if isinstance(call.func, cst.Attribute) else code(call.func)


def _part_base(node: cst.BaseExpression, look: Callable[[cst.CSTNode], Value]) -> cst.BaseExpression:
    """`x` of `x[0]` where that is a view: its parts are written to as those of `x`."""
    node = without_data(node, look)
    if isinstance(node, cst.Subscript) and look(node.value).kind is Kind.TENSOR:
        has_effect = any(isinstance(part, (cst.Call, cst.Await, cst.NamedExpr)) for part in descendants(node))
        if is_plain_index(node, look) and not has_effect and not isinstance(node.value, cst.Call):
            inner = without_data(node.value, look)
            if not (isinstance(inner, cst.Subscript) and look(inner.value).kind is Kind.TENSOR):
                return inner
    return node


def _argument(item: cst.Arg) -> str:
    name = f"{item.keyword.value}=" if item.keyword is not None else ""
    return f"{item.star}{name}{code(item.value)}"


def _sources(node: cst.CSTNode, name: str) -> list[cst.BaseExpression]:
    """What a statement or a comprehension gives a variable, or takes its values from."""
    targets: list[cst.CSTNode] = []
    source: cst.BaseExpression | None = None
    match node:
        case cst.Assign():
            targets, source = [item.target for item in node.targets], node.value
        case cst.NamedExpr() | cst.AnnAssign():
            targets, source = [node.target], node.value
        case cst.For() | cst.CompFor():
            targets, source = [node.target], node.iter
    named = (item for target in targets for item in descendants(target) if isinstance(item, cst.Name))
    return [source] if source is not None and any(item.value == name for item in named) else []


def _is_kept_beside(text: str, objects: Collection[Object]) -> bool:
    """Whether the tensor in a place lies in a container in a field, of which the place is no slot."""
    return any(item[0] == _KEPT and not text.startswith(f"{item[1]}[") for item in objects)


def _is_made(item: Object) -> bool:
    """Whether an object was made in the function, in this round of a loop or an earlier one."""
    return item[0] in ("new", _GIVES) or item[:2] in (("old", "new"), ("old", _GIVES))


def _is_owned(item: Object) -> bool:
    """Whether an object is one that callers do not look at again."""
    return item[0] == "param" and item[2] is True


def _holds_new(value: Value) -> bool:
    """Whether all tensors of a result have been made for it."""
    if value.items is not None:
        return all(map(_holds_new, value.items))
    return is_new(value.roots) if value.kind is Kind.TENSOR else value.is_number or value.kind is Kind.STR


def _blur(held: Held, objects: frozenset[Object], state: State) -> None:
    """Which slot of a container holds what is no longer known, but all that it may hold."""
    box = state.boxes[held.box]
    state.boxes[held.box] = replace(box, slots={}, exact=False, fresh=False, rest=Maybe(objects))


def own_object(function: Function | None) -> str | None:
    """What a method calls its object, or a function in it, which has no argument of that name."""
    method = function
    while method is not None and method.self_name is None:
        method = method.outer
    name = method.self_name if method is not None else None
    is_hidden = function is not method and function is not None and name in function.parameter_names
    return None if is_hidden else name


def _is_own_mask(node: cst.Subscript) -> bool:
    """`x[x[..., 4] > 0.5]`, `x[x[:, 0] == i]`: what picks by a mask is a copy, be it a tensor or an array of NumPy."""
    match node.slice:
        case [
            cst.SubscriptElement(slice=cst.Index(value=cst.Comparison(left=cst.Subscript() as part, comparisons=tests)))
        ]:
            places = [element.slice for element in part.slice]
            has_rest = any(isinstance(item, cst.Index) and isinstance(item.value, cst.Ellipsis) for item in places)
            is_of_array = has_rest or (len(places) > 1 and any(isinstance(item, cst.Slice) for item in places))
            is_part = is_of_array and code(part.value) == code(node.value)
            return is_part and not any(isinstance(item.operator, _NO_MASKS) for item in tests)
    return False


def _told(ref: Ref, made: Object, state: State) -> Ref:
    """What a function has given that keeps it, too: where it comes from anywhere, it is told from all else."""
    match ref:
        case Maybe(objects) if UNKNOWN_ORIGIN in objects:
            return Maybe(objects | {made})
        case Held(box_key) if box_key in state.boxes:
            box = state.boxes[box_key]
            slots = {key: _told(item, made, state) for key, item in box.slots.items()}
            state.boxes[box_key] = replace(box, slots=slots, rest=_told(box.rest, made, state))
    return ref


def _takes_out(call: cst.Call) -> bool:
    """Whether a method takes something out of a container and gives it to the caller."""
    return Does.REMOVES | Does.GIVES in method_does(receiver_name(call) or "")


def _is_plain(item: Class) -> bool:
    """Whether a class has no bases, or is one of modules whose bases are all of the program."""
    if not item.is_module:
        return not item.bases
    return all(
        base.kind is Kind.CLASS or base.const == "torch.nn.Module" for part in item.lineage for base in part.bases
    )


def _makes_whole(node: cst.Call) -> bool:
    """Whether a result lies in memory as if made anew, whatever it was made of."""
    name = receiver_name(node)
    return name in ("contiguous", "cat", "stack", "matmul", "mm", "bmm", "tensor", "zeros", "ones", "empty", "full")


def _bound(loop: cst.CSTNode) -> set[str]:
    """The names that a loop binds, other than by stores."""
    found: set[str] = set()
    for item in descendants(loop):
        match item:
            case cst.AssignTarget(target=target) | cst.For(target=target) | cst.NamedExpr(target=target):
                found |= {name.value for name in _bound_names(target)}
            case cst.AsName(name=target):
                found |= {name.value for name in _bound_names(target)}
    return found


def _bound_names(target: cst.CSTNode) -> Iterator[cst.Name]:
    if isinstance(target, cst.Name):
        yield target
    elif isinstance(target, (cst.Tuple, cst.List)):
        for element in target.elements:
            yield from _bound_names(element.value)


__all__ = ["changes_metadata", "may_change", "normalize_views"]
