"""Statements that take parameters out of training, or put them back: `requires_grad` given to modules and their parameters.

for p in model.backbone.parameters():      model.backbone.requires_grad_(False)
    p.requires_grad = False

Where the module is trained by nothing in sight, or (the two networks of a GAN) only while all of it is trained, and nobody asks
which of its parameters are, the statement says nothing: a gradient is taken of what an optimizer updates only. Else the module keeps the names of what is frozen, and
everything that trains it asks for them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import takewhile

import libcst as cst

from torch2jax.facts.computed_names import as_filled_text, asked_by_name
from torch2jax.facts.flag_statements import flag_statements
from torch2jax.facts.infer import Values
from torch2jax.facts.parameters import makes_optimizer, parameter_flag
from torch2jax.facts.training import Flows, Step
from torch2jax.program.flow import Boundary, Flow, Point
from torch2jax.program.program import Class, Function, Program, dotted
from torch2jax.records import dataclass
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind, Value

_FLAG = "requires_grad"
_TRAINING = ("backward", "optim", "optimizer")
_COMPREHENSIONS = (cst.ListComp, cst.SetComp, cst.DictComp, cst.GeneratorExp)


@dataclass(frozen=True, slots=True, eq=False)
class Freeze:
    """One statement: at the module in `place`, the parameters below `path` ("" for all of them) are trained or not.

    A path is the text of a literal, with braces where a place in a list is computed: `blocks.{len(model.blocks) - 1}`.
    Without a `value` the loop decides for each parameter by its name, which is in the variable `name`, or the `flag` that a
    parameter is made with does. `is_idle`: nothing trains the module while it is frozen.
    """

    statement: cst.BaseStatement
    function: Function | None
    place: str
    path: str
    value: bool | None
    name: str | None = None
    variable: str | None = None
    flag: cst.BaseExpression | None = None
    is_idle: bool = False
    sites: frozenset[int] = frozenset()


@dataclass(slots=True)
class Freezing:
    """The statements of a file, and the classes (by key) whose modules keep names of frozen parameters."""

    statements: list[Freeze] = field(default_factory=list)
    classes: frozenset[str] = frozenset()

    @property
    def by_themselves(self) -> frozenset[str]:
        """The classes (by key) with methods that freeze their own modules."""
        return frozenset(
            item.function.owner.key
            for item in self.statements
            if not item.is_idle
            and item.function is not None
            and item.function.owner is not None
            and item.function.self_name == item.place
        )


def find_freezing(
    program: Program, values: Values, steps: Sequence[Step], flows: Flows, told: bool = False
) -> Freezing:
    """What a file freezes, as far as it can be followed; what is left is refused where it stands. `told`: the other files
    of the program hear of it.
    """
    found = Freezing()
    flagged = list(_made_by_flags(program, values))
    if not flagged and not any(node.attr.value in (_FLAG, "requires_grad_") for node in program.index.attributes):
        return found
    classes: dict[Freeze, set[str]] = {}
    for freeze, item in flagged:
        if not _has_own(item):
            classes[freeze] = {item.key}
    unkept: list[Freeze] = []  # of modules that keep no names
    asked, with_parts = list(_asked_sites(program, values)), dict[cst.CSTNode, frozenset[int]]()
    made = _made_by_calls(values)
    for node, module, value, name, variable in flag_statements(program, values):
        owner, path = _owner(program, module, values)
        place, function = dotted(owner), program.function_around(node)
        if place is None:
            continue
        kept_in = field_that_keeps(program, node, place, function)
        if kept_in is not None:
            owner, path = kept_in.value, f"{kept_in.attr.value}.{path}".rstrip(".")
            place = str(dotted(owner))
        kept = _classes(program, values(owner), place, function, told)
        sites = _given_back(program, values, made, values(owner).sites)
        with_parts[node] = sites | _all_sites(values(owner))
        is_asked = _is_asked(program, values, with_parts[node], asked)
        held = sites | _given_out(values, made, sites)
        idle = not is_asked and _is_idle(program, values, owner, function, held)
        idle = idle and not (told and _is_trained_elsewhere(program, values, place, function, held))
        can_be_kept = bool(kept) and not any(_has_own(item) for item in kept)
        is_own = function is not None and place == function.self_name
        if place.isidentifier() and not is_own and _gives_parts(program, values, function, place):
            idle, can_be_kept = idle and not _trains_modules(program, values), False
        freeze = Freeze(node, function, place, path, value, name, variable, is_idle=idle, sites=sites)
        if can_be_kept or idle:
            classes[freeze] = set() if idle else {item.key for item in kept}
        else:
            unkept.append(freeze)
    for freeze in (*classes, *unkept):
        keys = classes.get(freeze, set())
        is_thawed = not freeze.is_idle and _is_thawed_in_time(freeze, [*classes, *unkept], values, steps, flows)
        if is_thawed and not _is_asked(program, values, with_parts[freeze.statement], asked):
            freeze, keys = replace(freeze, is_idle=True), set()
        elif freeze not in classes:
            continue
        found.statements.append(freeze)
        found.classes |= keys
    return found


def field_that_keeps(
    program: Program, node: cst.BaseStatement, place: str, function: Function | None
) -> cst.Attribute | None:
    """`self.backbone`, where `__init__` freezes the `backbone` that it has put there in a line above."""
    if function is None or function.name != "__init__" or place == function.self_name:
        return None
    around = [node, *program.index.ancestors(node)]
    blocks = [
        item
        for item in around
        if isinstance(item, cst.IndentedBlock) and program.index.function_of(item) is function.node
    ]
    above = [line for block in blocks for line in takewhile(lambda line: line not in around, block.body)]
    for line in above:
        match line:
            case cst.SimpleStatementLine(
                body=[cst.Assign(targets=[cst.AssignTarget(target=cst.Attribute() as field)], value=cst.Name(name))]
            ) if name == place and dotted(field.value) == function.self_name:
                return field
    return None


def _asked_sites(program: Program, values: Values) -> Iterator[frozenset[int]]:
    """Of which modules it is asked whether parameters are trained: what has a flag that is read, what the loops around go
    through; none where a flag is read of what may be of any module.
    """
    for node in program.index.attributes:
        if node.attr.value != _FLAG or isinstance(program.index.parents[node], cst.AssignTarget):
            continue
        sites = frozenset[int]()
        if isinstance(node.value, cst.Attribute):
            sites = values(_owner(program, node.value, values)[0]).sites
        for around in program.index.ancestors(node):
            loop = around.for_in if isinstance(around, _COMPREHENSIONS) else around
            if isinstance(loop, (cst.For, cst.CompFor)):
                sites |= values(loop.iter).sites
        read = values(node.value)
        if sites or read.kind is not Kind.TENSOR or "parameter" in read.types or not read.roots:
            yield sites


def _is_asked(program: Program, values: Values, sites: frozenset[int], asked: Sequence[frozenset[int]]) -> bool:
    """Whether it may be asked if parameters are trained of a module, or of a part of it."""
    return any(not one or one & sites or _holds(program, values, sites, one) for one in asked)


def _made_by_flags(program: Program, values: Values) -> Iterator[tuple[Freeze, Class]]:
    """`self.scale = nn.Parameter(value, requires_grad=flag)` where a module is made, and the class of the module."""
    for call in program.index.calls:
        flag = parameter_flag(call) if values.torch_name(call.func) == "torch.nn.Parameter" else None
        if flag is None or isinstance(values(flag).const, bool):
            continue
        function, line = program.function_around(call), program.index.statement_of(call)
        owner = function.owner if function is not None and function.name == "__init__" else None
        match line:
            case cst.SimpleStatementLine(
                body=[
                    cst.Assign(
                        targets=[cst.AssignTarget(target=cst.Attribute(value=cst.Name(place), attr=cst.Name(name)))],
                        value=value,
                    )
                ]
            ) if value is call and owner is not None and owner.is_module and place == function.self_name:  # type: ignore[union-attr]
                yield Freeze(line, function, place, name, None, flag=flag), owner


def _is_thawed_in_time(
    freeze: Freeze, others: Sequence[Freeze], values: Values, steps: Sequence[Step], flows: Flows
) -> bool:
    """Whether the module is trained in the same function only, and all of it whenever a step trains it."""
    same = [item for item in others if not item.sites or not freeze.sites or item.sites & freeze.sites]
    if not freeze.sites or any(item.function is not freeze.function for item in same):
        return False
    if any(item.value is None or item.path or item.place != freeze.place for item in same):
        return False
    training: list[cst.CSTNode] = []
    for step in steps:
        if step.carries and step.optimizer is None:
            if step.function is freeze.function:
                training += _lines_with(freeze.place, step.forward)  # the graph is made there
                continue
        users = [step.optimizer, *(item.node for item in step.updates)]
        found = [values(node).sites if node is not None else frozenset[int]() for node in users]
        if any(not sites or sites & freeze.sites for sites in found):
            if step.function is not freeze.function or step.optimizer is None:
                return False
            training += [step.backward_statement.body[0], *_lines_with(freeze.place, step.forward)]
    settings: dict[cst.CSTNode, bool] = {}
    for item in same:
        line = item.statement
        settings[line.body[0] if isinstance(line, cst.SimpleStatementLine) else line] = bool(item.value)
    return bool(training) and _always_set(flows.liveness(freeze.function).flow, settings, training)


def _lines_with(place: str, statements: Sequence[cst.BaseStatement]) -> list[cst.CSTNode]:
    """The lines that mention a module, of some statements."""
    lines = [node for item in statements for node in descendants(item) if isinstance(node, cst.SimpleStatementLine)]
    return [
        line.body[0]
        for line in lines
        if any(isinstance(node, cst.BaseExpression) and dotted(node) == place for node in descendants(line))
    ]


def _always_set(flow: Flow, settings: dict[cst.CSTNode, bool], points: Sequence[cst.CSTNode]) -> bool:
    """Whether a flag, which is set at first, is set at some points by whatever way they are reached."""
    waiting: list[tuple[Point, bool]] = [(flow.entry, True)]
    seen = set()
    while waiting:
        point, is_set = waiting.pop()
        if (id(point), is_set) in seen:
            continue
        seen.add((id(point), is_set))
        if not isinstance(point, Boundary):
            if not is_set and any(point is item for item in points):
                return False
            is_set = settings.get(point, is_set)
        waiting += [(item, is_set) for item in flow.successors(point)]
    return all(point in flow for point in points)


def _owner(program: Program, node: cst.BaseExpression, values: Values) -> tuple[cst.BaseExpression, str]:
    """The outermost module in `model.backbone.stem` or `model.blocks[-1]`, and the path below it."""
    found, path, below = node, "", ""
    while True:
        part, holder = _part(program, node, values)
        if part is None or holder is None:
            break
        below = f"{part}.{below}" if below else part
        node = holder
        if values(node).kind is Kind.MODULE:
            found, path = node, below
    return found, path


def _part(program: Program, node: cst.BaseExpression, values: Values) -> tuple[str | None, cst.BaseExpression | None]:
    """What a part is called in the one that holds it: `stem` of `model.stem`, `enc_{i}` of `getattr(model, f"enc_{i}")`."""
    if isinstance(node, cst.Attribute):
        return node.attr.value, node.value
    if isinstance(node, cst.Subscript):
        return _index(program, node, values), node.value
    asked = asked_by_name(node)
    return (as_filled_text(asked[1]), asked[0]) if asked is not None else (None, None)


def _index(program: Program, node: cst.Subscript, values: Values) -> str | None:
    """The part of a path that an index into a list of modules is: `0`, or, of `blocks[-1]`, `{len(blocks) - 1}`."""
    if values(node.value).kind is not Kind.MODULE or dotted(node.value) is None:
        return None
    match node.slice:
        case [cst.SubscriptElement(slice=cst.Index(value=cst.Integer(value=number)))]:
            return number
        case [
            cst.SubscriptElement(
                slice=cst.Index(value=cst.UnaryOperation(operator=cst.Minus(), expression=cst.Integer(value=number)))
            )
        ]:
            return f"{{len({dotted(node.value)}) - {number}}}"
        case [cst.SubscriptElement(slice=cst.Index(value=cst.Name(value=name) as index))]:
            return f"{{{name}}}" if runs_through_range(program, index) else None
    return None


def runs_through_range(program: Program, index: cst.Name) -> bool:
    """Whether a variable runs through a range, or a part of one."""
    for item in program.index.ancestors(index):
        if isinstance(item, cst.For) and isinstance(item.target, cst.Name) and item.target.value == index.value:
            iterated = item.iter.value if isinstance(item.iter, cst.Subscript) else item.iter
            return isinstance(iterated, cst.Call) and dotted(iterated.func) == "range" and len(iterated.args) == 1
    return False


def _classes(program: Program, value: Value, place: str, function: Function | None, told: bool) -> list[Class]:
    """The classes of the file, or of the program if it is `told`, that a module may be of; none if it may be of another."""
    if function is not None and place == function.self_name and function.owner is not None:
        return [function.owner] if function.owner.is_module else []
    if value.kind is not Kind.MODULE or not value.types or not value.types <= program.class_by_key.keys():
        return []
    found = [program.class_by_key[key] for key in sorted(value.types)]
    return found if told or all(item.node in program.classes for item in found) else []


def _has_own(item: Class) -> bool:
    """Whether a class uses the name of the field for something else."""
    names = {name for part in item.lineage for name in (*part.fields, *part.methods)}
    return "untrained" in names


def _is_idle(
    program: Program, values: Values, owner: cst.BaseExpression, function: Function | None, sites: frozenset[int]
) -> bool:
    """Whether no optimizer of the file has the parameters of a module that was made in it, at one of the `sites`."""
    place = str(dotted(owner))
    if function is not None and place == function.self_name:
        return False
    if not sites or (function is not None and place in function.parameter_names and not function.callers):
        return False
    if function is not None and function.name == "__init__" and function.owner is not None and function.owner.is_module:
        if place.partition(".")[0] != function.self_name:
            return False  # it becomes a part of what is made
    for call in program.index.calls:
        if not makes_optimizer(call, values):
            continue
        if _trains_leaves(values(call)):
            continue
        trained = values(call).sites
        if not trained or trained & sites or _holds(program, values, trained, sites):
            return False
    return not any(
        item.returns is not None and _all_sites(item.returns) & sites and not item.callers
        for item in program.functions.values()
    )


def _gives_parts(program: Program, values: Values, function: Function | None, name: str) -> bool:
    """Whether parts of a module become parts of others, which go on without what it keeps: `nn.Sequential(net.conv, net.fc)`,
    `layers = list(net.children())[:-1]` and `nn.Sequential(*layers)`.
    """
    names, lists = {name}, set[str]()
    while names:
        found = set[str]()
        for node in program.index.names:
            if node.value not in names or program.index.is_label(node) or program.function_around(node) is not function:
                continue
            inner: cst.CSTNode = node
            path, parent = whole_path(program, node)
            if isinstance(parent, cst.AssignTarget) or values(path).kind in (Kind.INT, Kind.FLOAT, Kind.BOOL):
                continue
            if path is node and node.value == name:
                continue  # the whole
            if _is_put_back(program, node, name):
                continue
            for around in program.index.ancestors(node):
                match around:
                    case cst.Call(func=called) if called is not inner and values(around).kind is Kind.MODULE:
                        return True
                    case cst.Call(func=cst.Attribute(value=owner, attr=cst.Name("add_module" | "append" | "insert"))):
                        if values(owner).kind is Kind.MODULE and owner not in (inner, path):
                            return True
                    case cst.Assign(targets=[cst.AssignTarget(target=cst.Name(bound))]) if inner is around.value:
                        is_list = node.value in lists or values(inner).kind in (Kind.LIST, Kind.TUPLE, Kind.UNKNOWN)
                        found |= {bound} if is_list or values(inner).kind is Kind.MODULE else set()
                    case cst.Assign(targets=[cst.AssignTarget(target=cst.Attribute(value=owner))]):
                        is_part = values(around.value).kind is Kind.MODULE and inner is around.value
                        if is_part and values(owner).kind is Kind.MODULE and dotted(owner) != name:
                            return True
                    case cst.BaseStatement():
                        break
                inner = around
        names = found - lists - {name}
        lists |= names
    return False


def _is_put_back(program: Program, node: cst.Name, name: str) -> bool:
    """Whether what a line makes of a part of a module takes the place of a part of it: `net.head = Wrapped(net.head)`."""
    match program.index.statement_of(node):
        case cst.SimpleStatementLine(body=[cst.Assign(targets=[cst.AssignTarget(target=cst.Attribute() as target)])]):
            return str(dotted(target)).partition(".")[0] == name
    return False


def whole_path(program: Program, node: cst.Name) -> tuple[cst.BaseExpression, cst.CSTNode]:
    """`net.body[0]` around `net`, and what that stands in."""
    path: cst.BaseExpression = node
    while True:
        parent = program.index.parents[path]
        if not isinstance(parent, (cst.Attribute, cst.Subscript)) or parent.value is not path:
            return path, parent
        path = parent


def _trains_modules(program: Program, values: Values) -> bool:
    """Whether an optimizer of the file may have parameters of modules."""
    made = (values(call) for call in program.index.calls if makes_optimizer(call, values))
    return any(not _trains_leaves(item) for item in made)


def _is_trained_elsewhere(
    program: Program, values: Values, place: str, function: Function | None, sites: frozenset[int]
) -> bool:
    """Whether another file of the program may train a module: one of its functions is given it, or it is in sight there."""
    if function is None and program.is_imported and "." not in place:
        return True
    if not any(other.mentions(word) for other in program.modules.values() for word in _TRAINING):
        return False
    given = [
        _all_sites(values(argument.value))
        for call in program.index.calls
        if any(item.node not in program.functions for item in values.reached_by(call))
        for argument in call.args
    ]
    trained = frozenset[int]().union(*given)
    return bool(trained & sites) or (bool(trained) and _holds(program, values, trained, sites))


def _made_by_calls(values: Values) -> dict[cst.CSTNode, set[int]]:
    """The sites that stand for what a node gives."""
    made: dict[cst.CSTNode, set[int]] = {}
    for site, number in values.sites.items():
        made.setdefault(site[0] if isinstance(site, tuple) else site, set()).add(number)
    return made


def _given_back(
    program: Program, values: Values, made: Mapping[cst.CSTNode, set[int]], sites: frozenset[int]
) -> frozenset[int]:
    """The sites of modules, and of what the functions that make and return them give their callers, and these theirs."""
    found, before = sites, frozenset[int]()
    while found != before:
        before = found
        for function in program.functions.values():
            if function.returns is not None and _all_sites(function.returns) & found:
                for call in function.callers:
                    found |= made.get(call, set()) & _all_sites(values(call))
    return found


def _given_out(values: Values, made: Mapping[cst.CSTNode, set[int]], sites: frozenset[int]) -> frozenset[int]:
    """The sites of what functions have that give modules at some sites: `part = net.layer_at(0)`."""
    calls = [node for node, own in made.items() if isinstance(node, cst.Call) and own & sites]
    given = [callee.returns for call in calls for callee in values.callees.get(call, ()) if callee.returns is not None]
    return frozenset[int]().union(*map(_all_sites, given))


def _trains_leaves(optimizer: Value) -> bool:
    """Whether an optimizer has tensors of its own only, which are no parameters of a module: a picture that is optimized."""
    parts = optimizer.items or ()
    return bool(parts) and all(
        part.kind is Kind.TENSOR and "leaf" in part.types and "parameter" not in part.types for part in parts
    )


def _holds(program: Program, values: Values, trained: frozenset[int], sites: frozenset[int]) -> bool:
    """Whether a module that is trained may hold another one as a part that it was given."""
    known = [value for item in program.module_classes() for _, value in item.all_fields()]
    return any(_all_sites(value) & sites for value in known)


def _all_sites(value: Value) -> frozenset[int]:
    found = value.sites if value.kind is Kind.MODULE else frozenset()
    for part in value.parts:
        found |= _all_sites(part)
    return found


__all__ = ["Freeze", "Freezing", "field_that_keeps", "find_freezing", "runs_through_range", "whole_path"]
