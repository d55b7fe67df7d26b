"""Reductions over all processes outside of steps, and what they need: the values of every device, not of the first alone.

losses += loss.item()                         `loss` and `losses` are arrays with an axis for the devices
total = torch.tensor([losses, count])         so is `total`,
dist.all_reduce(total)                        whose axis is summed away here
print(total[0] / total[1])

Backward from the variable that is reduced, over all assignments of a function: a must-analysis. What depends on results of steps
(or of evaluations) has to have the axis; numbers that are the same on all devices are left as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field

import libcst as cst

from torch2jax.facts.evaluation import Evaluation
from torch2jax.facts.infer import Values
from torch2jax.facts.ranks import is_rank
from torch2jax.facts.training import Step
from torch2jax.program.program import Function, Program, dotted
from torch2jax.records import dataclass
from torch2jax.syntax.problem import Problem
from torch2jax.syntax.walk import Index, descendants, is_label
from torch2jax.values import Kind

_REDUCING = frozenset({"torch.distributed.all_reduce", "torch.distributed.broadcast", "torch.distributed.reduce"})
_GATHERING = {
    "torch.distributed._functional_collectives.gather_objects": "numbers",
    "torch.distributed.nn.functional.all_gather": "tensors",
}
_OPERATIONS = {"SUM": "sum", "AVG": "mean", "MAX": "max", "MIN": "min", "PRODUCT": "prod"}
_KEEPING = frozenset({"detach", "clone", "item", "float", "double", "cpu", "contiguous"})


_SAME = frozenset(
    {Kind.MODULE, Kind.OPTIMIZER, Kind.SCHEDULER, Kind.LOADER, Kind.DEVICE, Kind.INT, Kind.FLOAT, Kind.BOOL, Kind.STR}
)


class _NoAxis(Exception):
    """Why something has no axis for the devices."""


@dataclass(frozen=True, slots=True)
class Reduction:
    """`dist.all_reduce(name)`: `how` the values of all devices become one; where all devices have the same, `is_same`.

    `dist.broadcast(name, source)`: that of the device with this rank is taken."""

    statement: cst.SimpleStatementLine
    name: str
    how: str
    is_same: bool
    source: cst.BaseExpression | None = None


@dataclass(frozen=True, slots=True)
class Gathering:
    """`list(all_gather(given))`: what all devices have, as numbers, as tensors, or as rows of a batch."""

    call: cst.Call
    inner: cst.Call
    given: cst.BaseExpression
    how: str


@dataclass(slots=True)
class Reductions:
    """The reductions of a file, and what is `gathered`. `results` are the results of steps, and of evaluations, that have an axis for the devices, and
    `reads` those that evaluations give to expressions; `numbers` are reads of tensors as numbers that keep the axis;
    `tensors` are made of numbers with the axis; `firsts` are variables with the axis where the first device's value is meant;
    `calls` give functions that reduce over devices arguments with the axis, and `returned` are numbers that these return.
    """

    found: list[Reduction] = field(default_factory=list)
    gathered: list[Gathering] = field(default_factory=list)
    results: set[tuple[Step | Evaluation, str]] = field(default_factory=set)
    reads: set[cst.BaseExpression] = field(default_factory=set)
    numbers: list[cst.Call] = field(default_factory=list)
    tensors: list[cst.Call] = field(default_factory=list)
    firsts: list[cst.Name] = field(default_factory=list)
    calls: dict[cst.Call, list[cst.BaseExpression]] = field(default_factory=dict)
    returned: list[cst.Call] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def find_reductions(
    program: Program, values: Values, steps: Sequence[Step], evaluations: Sequence[Evaluation]
) -> Reductions:
    """The reductions of a file that stand outside of its steps, of variables of functions, or of a script."""
    reductions = Reductions()
    inside = {node for step in steps for part in (*step.forward, step.loss) for node in (part, *descendants(part))}
    by_function: dict[Function | None, list[cst.Call]] = {}
    for call in program.index.calls:
        if values.torch_name(call.func) not in _REDUCING or call in inside:
            continue
        function = program.function_around(call)
        if function is None or not (function.owner is not None and function.owner.is_module):
            by_function.setdefault(function, []).append(call)
    regions: list[Step | Evaluation] = [*steps, *evaluations]
    running = {item.function for item in regions}
    for function in program.functions.values():
        if _reduces(function) and function not in running:
            reductions.returned.extend(_returned_numbers(function))
    gathering: dict[Function | None, list[cst.Call]] = {}
    for call in program.index.calls:
        around = program.function_around(call)
        if values.torch_name(call.func) in _GATHERING and around in running and call not in inside:
            gathering.setdefault(around, []).append(call)
            by_function.setdefault(around, [])
    helped = _helped(program, values, inside, regions)
    for function in helped:
        by_function.setdefault(function, [])
    for function, calls in by_function.items():
        own: list[Step | Evaluation] = [step for step in steps if step.function is function]
        own += [item for item in evaluations if item.function is function]
        work = _Function(program, values, function, own, reductions)
        for call in helped.get(function, []):
            work.rebind(call)
        for call in helped.get(function, []):
            work.give(call)
        for call in calls:
            work.reduce(call)
        for call in gathering.get(function, []):
            work.gather(call)
        work.settle_doubts()
        work.read_elsewhere()
    return reductions


def _helped(
    program: Program, values: Values, inside: set[cst.CSTNode], own: Sequence[Step | Evaluation]
) -> dict[Function | None, list[cst.Call]]:
    """Calls of functions that reduce what they are given, behind the steps of a function."""
    found: dict[Function | None, list[cst.Call]] = {}
    running = {node for item in own if isinstance(item, Evaluation) for node in _of_evaluation(item)}
    for call, callees in values.callees.items():
        if call not in program.index.parents or call in inside or call in running:
            continue
        function = program.function_around(call)
        regions = {item.function for item in own}
        if function in regions and any(map(_reduces, callees)) and regions.isdisjoint(callees):
            found.setdefault(function, []).append(call)
    return found


def _of_evaluation(evaluation: Evaluation) -> Iterator[cst.CSTNode]:
    for item in (*evaluation.inside, *evaluation.reads):
        yield from (item, *descendants(item))


def _reduces(function: Function) -> bool:
    """Whether a function, of this file or another one, reduces over the devices that run it."""
    calls = [node for node in descendants(function.node.body) if isinstance(node, cst.Call)]
    names = [(dotted(call.func) or "").rpartition(".") for call in calls]
    return function.owner is None and any(
        place.endswith("_functional_collectives") or (name == "all_gather" and place.endswith("nn.functional"))
        for place, _, name in names
    )


def _reads_numbers(function: Function) -> bool:
    """Whether a function does more with a number that it reads than to return it."""
    nodes = list(descendants(function.node.body))
    returned = {call.func for call in _returned_numbers(function)}
    reads = [
        node for node in nodes if isinstance(node, cst.Attribute) and node.attr.value in ("item", "tolist", "numpy")
    ]
    return any(node not in returned for node in reads)


def _returned_numbers(function: Function) -> Iterator[cst.Call]:
    """`return x.item()`."""
    for node in descendants(function.node.body):
        match node:
            case cst.Return(value=cst.Call(func=cst.Attribute(attr=cst.Name("item")), args=[]) as call):
                yield call


def assignments(nodes: Iterable[cst.CSTNode]) -> Iterator[tuple[cst.CSTNode, cst.CSTNode]]:
    """What is bound, or filled by a method, each with what it is given."""
    for node in nodes:
        if isinstance(node, cst.Assign):
            for target in node.targets:
                yield target.target, node.value
        elif isinstance(node, (cst.AugAssign, cst.AnnAssign, cst.NamedExpr)) and node.value is not None:
            yield node.target, node.value
        elif isinstance(node, cst.WithItem) and node.asname is not None:
            yield node.asname, node.item
        elif isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):  # `parts.append(x)`
            for item in node.args:
                yield node.func.value, item.value


def is_given(program: Program, values: Values, call: cst.Call, tensor: cst.BaseExpression) -> bool:
    """Whether a function without steps of its own reduces what it is given: only those who call it know where that differs."""
    function = program.function_around(call)
    if function is None or not function.parameter_names or _has_step(program, values, function):
        return False
    varying = _Function(program, values, function, (), Reductions()).varies()
    return bool(_names(tensor) & varying)


def _has_step(program: Program, values: Values, function: Function) -> bool:
    """Whether a function takes gradients, or calls models."""
    for node in descendants(function.node.body):
        if not isinstance(node, cst.Call):
            continue
        if isinstance(node.func, cst.Attribute) and node.func.attr.value == "backward":
            return True
        if values(node.func).kind is Kind.MODULE or any(values(item.value).kind is Kind.LOADER for item in node.args):
            return True
    return False


@dataclass(slots=True)
class _Function:
    """One function, or a script, with reductions. `spread` are the variables with an axis for the devices, `reduced` those that lose it."""

    program: Program
    values: Values
    function: Function | None
    own: Sequence[Step | Evaluation]
    out: Reductions
    spread: set[str] = field(default_factory=set)
    reduced: dict[str, cst.SimpleStatementLine] = field(default_factory=dict)
    settled: set[cst.CSTNode] = field(default_factory=set)
    varying: frozenset[str] | None = None
    known_nodes: list[cst.CSTNode] | None = None
    doubts: list[tuple[cst.Call, cst.CSTNode, str, _NoAxis]] = field(
        default_factory=list
    )  # lines that bind without the axis
    asking: cst.Call | None = None  # the reduction that is looked at

    def nodes(self) -> list[cst.CSTNode]:
        """All nodes of the function, or those of the script that stand in none."""
        if self.known_nodes is None:
            if self.function is not None:
                self.known_nodes = list(descendants(self.function.node.body))
            else:
                every = descendants(self.program.index.module)
                self.known_nodes = [node for node in every if self.program.function_around(node) is None]
        return self.known_nodes

    def parameters(self) -> Sequence[str]:
        return () if self.function is None else self.function.parameter_names

    def reduce(self, call: cst.Call) -> None:
        statement = self.program.index.statement_of(call)
        self.asking = call
        try:
            name, how, source = self._form(call, statement)
            assert isinstance(statement, cst.SimpleStatementLine)
            is_same = name not in self.varies()
            if not is_same:
                if name in self.reduced:
                    raise _NoAxis(f"`{name}` is reduced twice")
                # a scalar that keeps what it was reduced to is the same everywhere, and can be told from one with the axis
                if not self._is_scalar(call) and not self._is_bound_before(name, statement):
                    raise _NoAxis(f"`{name}` is not bound anew in front of it")
                self.reduced[name] = statement
                self._spread(name)
            self.out.found.append(Reduction(statement, name, how, is_same, source))
            self.settled.update(descendants(statement))
        except _NoAxis as reason:
            fields = {"name": (dotted(call.func) or "").rpartition(".")[2], "reason": str(reason)}
            self.out.problems.append(Problem(call, "T2J508", fields))

    def give(self, call: cst.Call) -> None:
        """A call of a function that reduces: it is given what each device has."""
        self.asking = call
        try:
            if any(map(_reads_numbers, self.values.callees[call])):
                raise _NoAxis("it reads what it reduces as a number")
            given = [item.value for item in call.args if _names(item.value) & self.varies()]
            if not given or any(item.star for item in call.args):
                raise _NoAxis("nothing says what each device gives it")
            for value in given:
                self._parts(value)
                self.settled.update((value, *descendants(value)))
            self.out.calls[call] = given
        except _NoAxis as reason:
            name = {"name": dotted(call.func) or "a helper", "reason": str(reason)}
            self.out.problems.append(Problem(call, "T2J508", name))

    def gather(self, call: cst.Call) -> None:
        """`parts = list(all_gather(x.detach()))`; where `x` cannot be followed, the program stops there with several devices."""
        self.asking = call
        how = _GATHERING[self.values.torch_name(call.func) or ""]
        argument = self.program.index.parents[call]
        around = self.program.index.parents[argument] if isinstance(argument, cst.Arg) else None
        given = call.args[0].value
        if how == "tensors" and isinstance(given, cst.Call) and isinstance(given.func, cst.Attribute):
            given = given.func.value  # what `.detach()` is of
        if not isinstance(around, cst.Call) or dotted(around.func) != "list":
            return
        try:
            if isinstance(given, cst.Name) and self._is_batch(given):
                how = "rows"
            elif not self._differs(given):
                raise _NoAxis("it is the same everywhere")
            else:
                self._value(given)
                if how == "numbers":
                    self._be_scalar(given)
        except _NoAxis:
            return
        self.out.gathered.append(Gathering(around, call, given, how))
        self.settled.update(descendants(around))

    def _is_batch(self, node: cst.Name) -> bool:
        """Whether a variable holds a batch of the loop around it."""
        bound = [target for target, _ in self._assignments() if node.value in _names(target)]
        loops = [
            item
            for item in self.program.index.ancestors(node)
            if isinstance(item, cst.For) and node.value in _names(item.target)
        ]
        return bool(loops) and not bound and self.values(loops[0].iter).kind is Kind.LOADER

    def _parts(self, node: cst.BaseExpression) -> None:
        """What a function is given, in dicts and lists as well: all of it has to have the axis."""
        match node:
            case cst.Dict(elements=elements) | cst.List(elements=elements) | cst.Tuple(elements=elements):
                for item in elements:
                    if isinstance(item, (cst.StarredElement, cst.StarredDictElement)) or not self._differs(item.value):
                        raise _NoAxis("a part of what it is given is the same everywhere")
                    self._parts(item.value)
            case _:
                self._value(node)

    def rebind(self, call: cst.Call) -> None:
        """`loss = mean_of_all(loss)`: behind it the variable has no axis."""
        statement = self.program.index.statement_of(call)
        match statement:
            case cst.SimpleStatementLine(
                body=[cst.Assign(targets=[cst.AssignTarget(target=cst.Name(name))], value=value)]
            ) if value is call and any(name in _names(item.value) for item in call.args):
                is_scalar = self.values(call).kind is Kind.TENSOR and self.values(call).rank == 0
                is_bound = self._is_bound_before(name, statement) and not self._is_conditional(statement)
                if name not in self.reduced and (is_scalar or is_bound):
                    self.reduced[name] = statement

    def _is_conditional(self, statement: cst.CSTNode) -> bool:
        """Whether a pass of the loop around a statement may leave it out."""
        for ancestor in self.program.index.ancestors(statement):
            if isinstance(ancestor, (cst.For, cst.While, cst.FunctionDef)):
                return False
            if isinstance(ancestor, (cst.If, cst.Try)):
                return True
        return False

    def _form(self, call: cst.Call, statement: cst.CSTNode) -> tuple[str, str, cst.BaseExpression | None]:
        """The variable, the operation, and the rank of whom the value is taken."""
        named = {item.keyword.value: item.value for item in call.args if item.keyword is not None}
        plain = [item.value for item in call.args if item.keyword is None]
        torch_name = self.values.torch_name(call.func) or ""
        to_one, from_one = torch_name.endswith(".reduce"), torch_name.endswith(".broadcast")
        tensor = named.pop("tensor", None) or (plain.pop(0) if plain else None)
        if to_one:
            target = named.pop("dst", None) or (plain.pop(0) if plain else None)
            if not isinstance(target, cst.Integer) or target.value != "0":
                raise _NoAxis("only the first process can take what is reduced")
        source = (named.pop("src", None) or (plain.pop(0) if plain else None)) if from_one else None
        if from_one and (source is None or _names(source) & self.varies() or is_rank(self.values(source))):
            raise _NoAxis("it is not known whose value is taken")
        operation = named.pop("op", None) or (plain.pop(0) if plain else None)
        word = "SUM" if operation is None else (dotted(operation) or "").rpartition(".")[2]
        alone = isinstance(self.program.index.parents[call], cst.Expr) and isinstance(
            statement, cst.SimpleStatementLine
        )
        if not isinstance(tensor, cst.Name) or not alone or named or plain or word not in _OPERATIONS:
            raise _NoAxis("only variables are reduced, with one of the usual operations and at once")
        return tensor.value, "first" if from_one else _OPERATIONS[word], source

    def _is_scalar(self, call: cst.Call) -> bool:
        value = self.values(call.args[0].value)
        return value.kind is Kind.TENSOR and value.rank == 0

    def _is_bound_before(self, name: str, statement: cst.SimpleStatementLine) -> bool:
        return self._bound_before(name, statement) is not None

    def _bound_before(self, name: str, statement: cst.SimpleStatementLine) -> cst.CSTNode | None:
        """The last line in front of a statement, within the loop around it, that surely gives a variable a new value."""
        index = self.program.index
        node: cst.CSTNode = statement
        for ancestor in index.ancestors(statement):
            if isinstance(ancestor, (cst.IndentedBlock, cst.Module)):
                before = ancestor.body[: list(ancestor.body).index(node)]  # type: ignore[arg-type]
                found = next((line for line in reversed(before) if self._binds(line, name)), None)
                if found is not None:
                    return found
            if isinstance(ancestor, (cst.For, cst.While, cst.FunctionDef)):
                return None
            node = ancestor
        return None

    def _binds(self, line: cst.CSTNode, name: str) -> bool:
        match line:
            case cst.SimpleStatementLine(body=[cst.Assign(targets=[cst.AssignTarget(target=target)])]):
                items = target.elements if isinstance(target, cst.Tuple) else ()
                return any(
                    isinstance(item, cst.Name) and item.value == name
                    for item in (target, *(part.value for part in items))
                )
        return False

    # what differs between devices

    def varies(self) -> frozenset[str]:
        """Variables that may depend on what steps, evaluations and loaders give: a may-analysis."""
        if self.varying is None:
            found = {name for item in self.own for name in item.results}
            found |= {dotted(item.loss) or "" for item in self.own if isinstance(item, Step)}
            found |= {name for loop in self._loops() for name in _names(loop.target)}
            found |= set(self.parameters())
            found |= {name for target, value in self._assignments() if self._is_own(value) for name in _names(target)}
            found |= set(self._filled())
            size = -1
            while size < len(found):
                size = len(found)
                for target, value in self._assignments():
                    if found & _names(value):
                        found |= _names(target)
            self.varying = frozenset(found)
        return self.varying

    def _is_own(self, value: cst.CSTNode) -> bool:
        """Whether an expression calls functions that train, or evaluate: what these give is each device's own."""
        calls = [node for node in (value, *descendants(value)) if isinstance(node, cst.Call)]
        callees = [item for call in calls for item in self.values.callees.get(call, ())]
        return any(self._trains(item, set()) for item in callees)

    def _filled(self) -> Iterator[str]:
        """Variables whose objects, lists or dicts functions that train, or evaluate, may have filled."""
        for call in self.nodes():
            if isinstance(call, cst.Call) and any(
                self._trains(item, set()) for item in self.values.callees.get(call, ())
            ):
                receiver = [call.func.value] if isinstance(call.func, cst.Attribute) else []
                for item in (*receiver, *(argument.value for argument in call.args)):
                    if self.values(item).kind not in _SAME:
                        yield from _names(item)

    def _trains(self, function: Function, seen: set[Function]) -> bool:
        if function in seen or (function.owner is not None and function.owner.is_module):
            return False
        seen.add(function)
        calls = [node for node in descendants(function.node.body) if isinstance(node, cst.Call)]
        inner = [item for call in calls for item in self.values.callees.get(call, ())]
        return _has_step(self.program, self.values, function) or any(self._trains(item, seen) for item in inner)

    def _loops(self) -> Iterator[cst.For]:
        for node in self.nodes():
            if isinstance(node, cst.For) and not (
                isinstance(node.iter, cst.Call) and dotted(node.iter.func) == "range"
            ):
                yield node

    def _assignments(self) -> Iterator[tuple[cst.CSTNode, cst.CSTNode]]:
        """All but `dist.broadcast(x)`, which puts nothing into `dist`."""
        for target, value in assignments(self.nodes()):
            if not (isinstance(target, cst.BaseExpression) and self.values(target).kind is Kind.TORCH):
                yield target, value

    # the axis

    def _spread(self, name: str) -> None:
        if name in self.spread:
            return
        if self.function is None and self._is_read_in_functions(name):
            raise _NoAxis(f"functions read `{name}`")
        if name in self.parameters():
            raise _NoAxis(f"`{name}` is an argument, of which it is not known whether it is the same on all devices")
        self.spread.add(name)
        end = self.reduced.get(name)
        is_known = False
        for item in self.own:
            loss = dotted(item.loss) if isinstance(item, Step) else None
            if name == loss or name in item.results:
                self.out.results.add((item, name))
                is_known = True
        region = self._region()
        for node in self.nodes():
            if node in region or not _targets(node, name):
                continue
            if end is not None and (node in end.body or self._is_behind(node, end)):
                continue
            try:
                self._take(node, name)
            except _NoAxis as reason:
                assert self.asking is not None
                self.doubts.append((self.asking, node, name, reason))
            is_known = True
        if not is_known:
            raise _NoAxis(f"nothing says where `{name}` comes from")

    def settle_doubts(self) -> None:
        """Names that some lines bind without the axis have it wherever it is needed: bound with it between these lines and that."""
        places = {node: place for place, node in enumerate(self.nodes())} if self.doubts else {}
        for call, node, name, reason in self.doubts:
            needed = [item for item in self.settled if isinstance(item, cst.Name) and item.value == name]
            if any(self._may_reach(places, node, item) for item in needed if not is_bound(self.program.index, item)):
                fields = {"name": "all_reduce", "reason": str(reason)}
                self.out.problems.append(Problem(call, "T2J508", fields))

    def _may_reach(self, places: Mapping[cst.CSTNode, int], node: cst.CSTNode, use: cst.Name) -> bool:
        """Whether what a line binds may still be what a variable has where it is used."""
        line = self.program.index.statement_of(use)
        bound = self._bound_before(use.value, line) if isinstance(line, cst.SimpleStatementLine) else None
        return bound is None or places[bound] < places[node] < places[use]

    def _is_read_in_functions(self, name: str) -> bool:
        functions = self.program.functions.values()
        return any(
            isinstance(node, cst.Name) and node.value == name and not is_label(node, self.program.index.parents[node])
            for function in functions
            if name not in function.env
            for node in descendants(function.node.body)
        )

    def _take(self, node: cst.CSTNode, name: str) -> None:
        """An assignment to a variable with the axis."""
        match node:
            case cst.Assign(targets=targets, value=value) if all(isinstance(item.target, cst.Name) for item in targets):
                self._value(value)
            case cst.Assign(targets=[cst.AssignTarget(target=cst.Tuple() as target)], value=cst.Tuple() as value):
                self._value(_part(target, value, name))
                return
            case cst.AugAssign(target=cst.Name(), operator=operator, value=value) if isinstance(
                operator, (cst.AddAssign, cst.SubtractAssign, cst.MultiplyAssign, cst.DivideAssign)
            ):
                self._value(value)
                self._be_scalar(value)
            case _:
                raise _NoAxis(f"`{name}` is bound in a way that cannot be followed")
        self.settled.update(descendants(node))

    def _value(self, node: cst.BaseExpression) -> None:
        """See that an expression has the axis where it differs between devices."""
        evaluated = [item for item in self.own if isinstance(item, Evaluation) and node in item.reads]
        if evaluated:
            self.out.reads.add(node)
            return
        match node:
            case cst.Name(name):
                if name in self.varies():
                    self._spread(name)
            case cst.Integer() | cst.Float():
                pass
            case cst.Call(func=cst.Attribute(value=receiver, attr=cst.Name(method)), args=[]) if method in _KEEPING:
                self._value(receiver)
                if method == "item" and self._differs(receiver):
                    self._be_scalar(receiver)
                    self.out.numbers.append(node)
            case cst.Attribute(value=receiver, attr=cst.Name("data")) if self.values(receiver).kind is Kind.TENSOR:
                self._value(receiver)
            case cst.Call(func=cst.Name("float" | "int"), args=[cst.Arg(value=value)]):
                self._value(value)
                if self._differs(value):
                    self._be_scalar(value)
                    self.out.numbers.append(node)
            case cst.UnaryOperation(operator=cst.Minus(), expression=value):
                self._value(value)
                self._be_scalar(value)
            case cst.BinaryOperation(operator=cst.Add() | cst.Subtract() | cst.Multiply() | cst.Divide() | cst.Power()):
                for part in (node.left, node.right):
                    self._value(part)
                    self._be_scalar(part)
            case cst.Call(args=[cst.Arg(keyword=None), *_]) if self.values.torch_name(node.func) == "torch.tensor":
                self._tensor(node)
            case cst.Call(args=[cst.Arg(keyword=None)]) if self.values.torch_name(node.func) == "torch.stack":
                self._tensor(node)
            case cst.Call() if self._is_own(node):
                raise _NoAxis(f"`{dotted(node.func)}` gives what the first device has: reduce it where it is computed")
            case _ if _names(node) & self.varies() and not self._is_count(node):
                raise _NoAxis("what is reduced is computed in a way that cannot be followed")

    def _tensor(self, node: cst.Call) -> None:
        value = node.args[0].value
        if isinstance(value, cst.BinaryOperation) and isinstance(value.operator, cst.Multiply):  # `[x] * n`
            value = value.left
        parts = [item.value for item in value.elements] if isinstance(value, (cst.List, cst.Tuple)) else [value]
        for part in parts:
            self._value(part)
            self._be_scalar(part)
        self.out.tensors.append(node)

    def _differs(self, node: cst.BaseExpression) -> bool:
        is_read = any(isinstance(item, Evaluation) and node in item.reads for item in self.own)
        return is_read or bool(_names(node) & self.varies())

    def _be_scalar(self, node: cst.BaseExpression) -> None:
        value = self.values(node)
        if not (value.is_number or (value.kind is Kind.TENSOR and value.rank == 0)):
            raise _NoAxis("only numbers can be followed through sums and products")

    def _is_count(self, node: cst.BaseExpression) -> bool:
        """`x.size(0)` of a batch, which is the same on all devices."""
        match node:
            case cst.Call(
                func=cst.Attribute(value=cst.Name(), attr=cst.Name("size")), args=[cst.Arg(value=cst.Integer())]
            ):
                return True
            case cst.Subscript(value=cst.Attribute(value=cst.Name(), attr=cst.Name("shape"))):
                return True
            case cst.Call(func=cst.Name("len"), args=[cst.Arg(value=cst.Name())]):
                return True
        return False

    # where the first device is meant

    def read_elsewhere(self) -> None:
        """Variables with the axis are read for their first device, but where they are reduced."""
        region = self._region()
        for node in self.nodes():
            if (
                not isinstance(node, cst.Name)
                or node.value not in self.spread
                or node in region
                or node in self.settled
            ):
                continue
            parent = self.program.index.parents[node]
            if is_label(node, parent) or is_bound(self.program.index, node):
                continue
            end = self.reduced.get(node.value)
            if end is not None and self._is_behind(node, end):
                value = self.values(node)
                is_open = value.kind is Kind.TENSOR and value.rank == 0 and not self._is_behind(node, end, surely=True)
                if not is_open:  # else it is told from one with the axis where it is read
                    continue
            self.out.firsts.append(node)

    def _region(self) -> set[cst.CSTNode]:
        """What runs in steps and evaluations."""
        found: set[cst.CSTNode] = set()
        for item in self.own:
            parts = (*item.forward, item.loss, item.backward_statement) if isinstance(item, Step) else item.inside
            for part in parts:
                found.update((part, *descendants(part)))
        return found

    def _is_behind(self, node: cst.CSTNode, statement: cst.SimpleStatementLine, *, surely: bool = False) -> bool:
        """Whether a node stands behind a statement, in its block or further out; `surely` if it was run in any case."""
        index = self.program.index
        around = {node, *index.ancestors(node)}
        line: cst.CSTNode = statement
        for ancestor in index.ancestors(statement):
            if isinstance(ancestor, (cst.IndentedBlock, cst.Module)):
                body = list(ancestor.body)
                if around & set(body[body.index(line) + 1 :]):  # type: ignore[arg-type]
                    return True
            if isinstance(ancestor, cst.FunctionDef) or (
                surely and isinstance(ancestor, (cst.If, cst.For, cst.While, cst.Try))
            ):
                return False
            line = ancestor
        return False


def _part(target: cst.Tuple, value: cst.Tuple, name: str) -> cst.BaseExpression:
    """What an assignment of several values at once gives one variable."""
    pairs = list(zip(target.elements, value.elements, strict=False))
    stars = any(isinstance(item, cst.StarredElement) for pair in pairs for item in pair)
    found = [right.value for left, right in pairs if isinstance(left.value, cst.Name) and left.value.value == name]
    if stars or len(found) != 1 or len(target.elements) != len(value.elements):
        raise _NoAxis(f"`{name}` is bound in a way that cannot be followed")
    return found[0]


def is_bound(index: Index, node: cst.Name) -> bool:
    """Whether a name stands where it is bound."""
    child: cst.CSTNode = node
    for ancestor in index.ancestors(node):
        if isinstance(ancestor, (cst.AssignTarget, cst.AsName, cst.Param)):
            return True
        if isinstance(ancestor, (cst.AugAssign, cst.AnnAssign, cst.NamedExpr, cst.For, cst.CompFor)):
            return ancestor.target is child
        if not isinstance(ancestor, (cst.Tuple, cst.List, cst.Element, cst.StarredElement)):
            return False
        child = ancestor
    return False


def _names(node: cst.CSTNode) -> set[str]:
    return {item.value for item in (node, *descendants(node)) if isinstance(item, cst.Name)}


def _targets(node: cst.CSTNode, name: str) -> bool:
    """Whether a node binds a variable."""
    match node:
        case cst.Assign():
            return any(
                name in _names(item.target) and not isinstance(item.target, cst.Subscript) for item in node.targets
            )
        case cst.AugAssign() | cst.AnnAssign() | cst.NamedExpr():
            return isinstance(node.target, cst.Name) and node.target.value == name
        case cst.For() | cst.CompFor():
            return name in _names(node.target)
        case cst.AsName():
            return name in _names(node.name)
    return False


__all__ = ["Gathering", "Reduction", "Reductions", "assignments", "find_reductions", "is_bound", "is_given"]
