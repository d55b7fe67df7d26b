"""Modules that have layers, and train them by themselves: what of a class computes, and what trains.

class PPO(nn.Module):
    def __init__(self, lr):
        super().__init__()
        self.data = []                                              trains
        self.fc = nn.Linear(4, 2)                                   computes
        self.optimizer = Adam(self.parameters(), lr)                trains

    def pi(self, x):                                                computes
        return self.fc(x)

    def train_net(self):                                            trains
        ...
        self.optimizer.step()

What changes from step to step belongs to what trains, and a module to what computes. A method that reads what changes trains,
too; so does one that treats its module as a whole (`self.state_dict()`). Where something belongs to both, there is no answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field

import libcst as cst

from torch2jax.facts.infer import Values
from torch2jax.facts.module_state import init_methods
from torch2jax.facts.replaced_submodules import is_plain_layer
from torch2jax.facts.values.evidence import MODULE_WORDS
from torch2jax.ops.modules import CASTING, MODULE_NAMES, PLACING, SETTING
from torch2jax.ops.schema import Tables
from torch2jax.program.program import Class, Function, dotted, is_super
from torch2jax.program.statements import calls_base_init, reads_and_writes, suite_body
from torch2jax.records import dataclass
from torch2jax.syntax.edits import is_docstring
from torch2jax.syntax.quote import names_in
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind, Value

_TRAINING = frozenset({Kind.OPTIMIZER, Kind.SCHEDULER})
_CHANGEABLE = frozenset({Kind.LIST, Kind.DICT, Kind.OBJECT, Kind.UNKNOWN, Kind.PYTHON})
_COUNTED = frozenset({Kind.INT, Kind.FLOAT, Kind.BOOL, Kind.STR, Kind.NONE})
_SPECIAL = frozenset({"__getattr__", "__setattr__", "__delattr__", "__call__", "__getattribute__", "__new__"})
_PURE = frozenset({"len", "int", "float", "str", "max", "min", "tuple", "list", "range", "sum", "abs", "bool"})
_OF_WHOLE = MODULE_NAMES - {"forward", "training", "register_buffer", "register_parameter", "add_module"}
_OF_PARAMETERS = frozenset({"backward", "parameters", "named_parameters", "state_dict", "load_state_dict", "zero_grad"})
_MAKING = frozenset({"register_buffer", "register_parameter", "add_module", "apply"}) | PLACING | CASTING | SETTING


class NotDivided(Exception):
    """A class that is not for sure two things."""


@dataclass(slots=True)
class _Uses:
    """The fields and methods of its object that code names, the fields that it gives values or may change, and whether it
    uses the object as a whole.
    """

    named: set[str] = field(default_factory=set)
    stored: set[str] = field(default_factory=set)
    changed: set[str] = field(default_factory=set)
    whole: bool = False
    called: bool = False


@dataclass(frozen=True, slots=True)
class Division:
    """What of a class computes: fields, methods, statements of `__init__` with its parameters; lines that both parts run."""

    item: Class
    fields: frozenset[str]
    methods: frozenset[str]
    lines: tuple[cst.BaseStatement, ...]
    parameters: tuple[str, ...]
    shared: frozenset[cst.BaseStatement]


def divide(item: Class, values: Values, tables: Tables) -> Division | None:
    """What of a class of modules that train themselves computes; None for other classes."""
    kinds = {value.kind for _, value in item.all_fields()}
    trains = Kind.OPTIMIZER in kinds or any(map(_takes_gradients, item.methods.values()))
    if not trains or not _derives_once(item, values) or item.node.keywords or item.node.decorators:
        return None
    try:
        return _Divider(item, values, tables).divide()
    except NotDivided:
        return None


def _takes_gradients(method: Function) -> bool:
    """Whether a method trains its own module, with an optimizer that it makes or is given: `fit(self, x, y)`."""
    return any(
        isinstance(node.func, cst.Attribute) and node.func.attr.value == "backward"
        for node in descendants(method.node, cst.Call)
    )


def _derives_once(item: Class, values: Values) -> bool:
    """Whether all that a class derives from, one by one, are modules, and classes of the program that only compute."""
    *inner, last = [[base.value for base in each.node.bases] for each in item.lineage]
    if [values.torch_name(base) for base in last] != ["torch.nn.Module"] or any(len(bases) != 1 for bases in inner):
        return False
    kinds = {value.kind for each in item.lineage[1:] for value in each.fields.values()}
    return not kinds & _TRAINING


class _Divider:
    def __init__(self, item: Class, values: Values, tables: Tables) -> None:
        self.item, self.values, self.tables = item, values, tables
        self.known = dict(item.all_fields())
        if "__init__" not in item.methods or not _SPECIAL.isdisjoint(item.methods):
            raise NotDivided
        for line in item.node.body.body:
            if not isinstance(line, cst.FunctionDef) and not is_docstring(line):
                raise NotDivided
        self.init = item.methods["__init__"]
        self.uses = {name: _uses_of(method, method.node) for name, method in item.methods.items()}
        bases = item.lineage[1:]
        self.inherited = {name for base in bases for name in base.fields}
        self.inherited_methods = {name for base in bases for name in base.methods} - item.methods.keys()
        registered = set(_registered(item, values))
        self.parts = {name for name, value in self.known.items() if name in registered or holds_parameters(value)}
        if not self.parts or any(method.self_name is None for method in item.methods.values()):
            raise NotDivided
        called = {method.name for method in init_methods(item)} - {"__init__"}
        self.making = {name for name in called if name not in self.uses or self.makes_parts(name)}
        if any(self.may_be_part(name) for name in self.known.keys() - self.parts):
            raise NotDivided

    def divide(self) -> Division:
        training = self.find_training()
        lines, fields, methods = self.find_computing(training)
        if fields & training or methods & self.training_methods or any(map(self.is_leaf, fields)):
            raise NotDivided
        if any(map(_asks_base, self.training_methods_of(self.item))) or self.bases_ask_for(training):
            raise NotDivided
        shared = self.check_lines(lines, fields)
        kept = tuple(line for line in suite_body(self.init.node) if line in lines or line in shared)
        given = tuple(name for name in self.init.parameter_names[1:] if name in _read(kept))
        stars = {self.init.star_name, self.init.double_star_name}
        if not stars.isdisjoint(_read(kept)):
            raise NotDivided
        methods |= self.inherited_methods
        return Division(self.item, frozenset(fields), frozenset(methods), kept, given, frozenset(shared))

    def training_methods_of(self, item: Class) -> Iterator[cst.FunctionDef]:
        for name in self.training_methods:
            yield cst.ensure_type(item.methods[name].node, cst.FunctionDef)

    def bases_ask_for(self, training: set[str]) -> bool:
        """Whether a class that it derives from trains, or names what belongs to what trains."""
        for method in (method for base in self.item.lineage[1:] for method in base.methods.values()):
            uses = _uses_of(method, method.node)
            words = {node.attr.value for node in descendants(method.node) if isinstance(node, cst.Attribute)}
            if uses.named & (training | self.training_methods) or "backward" in words:
                return True
        return False

    def may_be_part(self, name: str) -> bool:
        """Whether a field of which nothing is known is called, or asked for what modules have."""
        if self.known[name].kind not in (Kind.UNKNOWN, Kind.NONE):
            return False
        for node in descendants(self.item.node):
            match node:
                case cst.Call(func=cst.Attribute(attr=cst.Name(word))) if word == name:
                    return True
                case cst.Attribute(value=cst.Attribute(attr=cst.Name(word)), attr=cst.Name(asked)):
                    if word == name and asked in MODULE_WORDS:
                        return True
        return False

    def find_training(self) -> set[str]:
        """The fields of what trains, as far as nothing that computes asks for them; notes its methods."""
        later = {name: uses for name, uses in self.uses.items() if name != "__init__" and name not in self.making}
        fields = {name for name, value in self.known.items() if value.kind in _TRAINING}
        changed = {name for uses in later.values() for name in uses.changed if name in self.known}
        fields |= {name for name in changed - self.parts if self.known[name].kind in _CHANGEABLE}
        forward = self.reached_from("forward")
        counted = {name for each, uses in later.items() if each not in forward for name in uses.changed}
        fields |= {name for name in counted & self.known.keys() - self.parts if self.known[name].kind in _COUNTED}
        fields |= self.set_by_others() & self.known.keys() - self.parts
        methods = {name for name in later if self.trains(name)}
        kept = {name for each in later.keys() - forward for name in later[each].stored if self.holds_values(name)}
        fields |= kept & {name for each in methods for name in self.uses[each].named}
        while True:
            fields |= {name for each in methods for name in self.uses[each].stored if name in self.known}
            more = {name for name, uses in later.items() if uses.named & (fields | methods)} - methods
            if not more:
                break
            methods |= more
        if fields & self.parts or "forward" in methods:
            raise NotDivided
        self.training_methods = methods
        return fields

    def makes_parts(self, name: str) -> bool:
        """Whether a method gives fields layers or parameters, or calls one that does."""
        every = (self.uses[each] for each in self.reached_from(name))
        return any(uses.stored & self.parts or uses.named & _MAKING for uses in every)

    def holds_values(self, name: str) -> bool:
        """Whether a field, no part of the module, holds a tensor, or several: what one method computes for another."""
        return name in self.known.keys() - self.parts and self.known[name].kind in (Kind.TENSOR, Kind.TUPLE)

    def is_plain(self, name: str) -> bool:
        """Whether a field holds a module without parameters."""
        value = self.known[name]
        return value.kind is Kind.MODULE and (value.is_loss_module or is_plain_layer(self.tables, value))

    def is_leaf(self, name: str) -> bool:
        """Whether a field holds a tensor that is trained, and is no parameter of the module."""
        value = self.known[name]
        return value.kind is Kind.TENSOR and "leaf" in value.types and "parameter" not in value.types

    def reached_from(self, name: str) -> set[str]:
        """A method and those that it calls."""
        found, waiting = set[str](), [name]
        while waiting:
            name = waiting.pop()
            if name in self.uses and name not in found:
                found.add(name)
                waiting += self.uses[name].named
        return found

    def set_by_others(self) -> set[str]:
        """The fields that code outside of the class gives values."""
        index, own = self.values.program.index, set(descendants(self.item.node))
        return {
            node.attr.value
            for node in index.attributes
            if isinstance(index.parents[node], (cst.AssignTarget, cst.AugAssign, cst.AnnAssign))
            and node not in own
            and self.item.key in self.values(node.value).types
        }

    def trains(self, name: str) -> bool:
        """Whether a method takes gradients, or treats its module as a whole."""
        uses = self.uses[name]
        words = {
            node.attr.value for node in descendants(self.item.methods[name].node) if isinstance(node, cst.Attribute)
        }
        asked = uses.named - self.item.methods.keys() - self.known.keys()
        return uses.whole or bool(words & _OF_PARAMETERS) or bool(asked & _OF_WHOLE)

    def find_computing(self, training: set[str]) -> tuple[set[cst.BaseStatement], set[str], set[str]]:
        """The statements of `__init__`, the fields and the methods that belong to what computes."""
        body = [line for line in suite_body(self.init.node) if not is_docstring(line)]
        own = {line: _uses_of(self.init, line) for line in body}
        methods = {
            name
            for name, uses in self.uses.items()
            if name != "__init__" and name not in self.training_methods
            if name == "forward" or uses.named & self.parts or uses.called
        }
        free = self.uses.keys() - {"__init__"} - self.training_methods
        fields = self.parts | self.inherited
        lines = {line for line in body if calls_base_init(line)}
        while True:
            before, read = len(lines) + len(fields) + len(methods), _read(tuple(lines))
            for line, uses in own.items():
                if uses.named & training:
                    if uses.stored - training & fields:
                        raise NotDivided
                    continue
                makes = uses.named & (_MAKING | self.making) or uses.stored & fields
                is_asked = uses.named & fields or (uses.named and _variables_bound(line) & read)
                if makes or (is_asked and not uses.stored):
                    lines.add(line)
            methods |= {
                name for name in self.item.methods if name != "__init__" and name in self.named(lines, methods, own)
            }
            methods |= {name for name in free if self.uses[name].named & methods}
            fields |= self.named(lines, methods, own) & self.known.keys()
            if before == len(lines) + len(fields) + len(methods):
                return lines, fields, methods

    def named(self, lines: set[cst.BaseStatement], methods: set[str], own: dict[cst.BaseStatement, _Uses]) -> set[str]:
        return set().union(*(own[line].named for line in lines), *(self.uses[name].named for name in methods))

    def check_lines(self, lines: set[cst.BaseStatement], fields: set[str]) -> set[cst.BaseStatement]:
        """The lines that both parts run, as numbers are read; what computes is made before anything that trains looks at it."""
        body = [line for line in suite_body(self.init.node) if not is_docstring(line)]
        own = {line: _uses_of(self.init, line) for line in body}
        is_made = False
        for line in body:
            if line in lines:
                if own[line].whole or (is_made and not self.may_come_later(own[line])):
                    raise NotDivided
            elif own[line].named & (fields | self.item.methods.keys() | MODULE_NAMES) or own[line].whole:
                is_made = True
        plain = [line for line in body if line not in lines and not own[line].named and not own[line].whole]
        local = set().union(*(reads_and_writes(line)[1] for line in plain))
        if any(
            _variables_bound(line) & names_in(other)
            for line in body
            if own[line].named
            for other in body
            if other is not line and (other in plain or (other in lines) is not (line in lines))
        ):
            raise NotDivided
        computing = _closed(lines, plain, local)
        training = _closed(set(body) - lines - set(plain), plain, local)
        loose = [line for line in plain if line not in computing | training]
        if not all(_is_pure(line) for line in computing & training) or any(map(self.asks_torch, loose)):
            raise NotDivided
        lines |= computing
        return computing & training

    def asks_torch(self, line: cst.BaseStatement) -> bool:
        """Whether a line that neither part needs may draw random numbers, seed them, or the like."""
        return any(isinstance(node, cst.Call) and self.values.torch_name(node.func) for node in descendants(line))

    def may_come_later(self, uses: _Uses) -> bool:
        """Whether a line of what computes may move in front of one of what trains: it makes no parameters, and gives none
        values."""
        stored = {name for name in uses.stored & self.parts if not self.is_plain(name)}
        makes = stored or uses.named & (self.making | {"apply", "register_parameter", "add_module"})
        return not makes and not (uses.named - uses.stored) & self.parts


def _uses_of(method: Function, code: cst.CSTNode) -> _Uses:
    """How code in a method uses its object."""
    found, own = _Uses(), method.self_name
    parents: dict[cst.CSTNode, cst.CSTNode] = {}
    for node in (code, *descendants(code)):
        for child in node.children:
            parents[child] = node
    for node in (code, *descendants(code)):
        if not isinstance(node, cst.Name) or node.value != own:
            continue
        around = parents.get(node)
        if isinstance(around, cst.Param) or _is_in_super(node, parents):
            continue
        if isinstance(around, cst.Attribute) and around.value is node:
            _note_field(around, parents, found)
        elif isinstance(around, cst.Call) and around.func is node:
            found.called = True
            found.named.add("forward")
        elif not (isinstance(around, cst.Attribute) and around.attr is node):
            found.whole = True
    return found


def _asks_base(method: cst.FunctionDef) -> bool:
    """Whether a method asks for what its class derives from."""
    return any(isinstance(node, cst.Name) and node.value == "super" for node in descendants(method))


def _is_in_super(node: cst.CSTNode, parents: dict[cst.CSTNode, cst.CSTNode]) -> bool:
    argument = parents.get(node)
    call = parents.get(argument) if isinstance(argument, cst.Arg) else None
    return is_super(call)


def _note_field(place: cst.Attribute, parents: dict[cst.CSTNode, cst.CSTNode], found: _Uses) -> None:
    name = place.attr.value
    found.named.add(name)
    chain: cst.CSTNode = place
    while True:
        around = parents.get(chain)
        if isinstance(around, (cst.Attribute, cst.Subscript)) and around.value is chain:
            chain = around
            continue
        if isinstance(around, cst.Element):
            around = parents.get(parents[around])
        if isinstance(around, (cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.Del)) and not (
            isinstance(around, (cst.AugAssign, cst.AnnAssign)) and around.value is chain
        ):
            found.changed.add(name)
            if chain is place:
                found.stored.add(name)
        elif isinstance(around, cst.Call) and around.func is chain and chain is not place:
            found.changed.add(name)
        return


def _registered(item: Class, values: Values) -> Iterator[str]:
    """The names of the buffers, parameters and modules that a class registers by methods."""
    for node in descendants(item.node):
        match node:
            case cst.Call(
                func=cst.Attribute(attr=cst.Name("register_buffer" | "register_parameter" | "add_module")), args=args
            ):
                name = values(args[0].value).const if args else None
                if not isinstance(name, str):
                    raise NotDivided
                yield name


def holds_parameters(value: Value) -> bool:
    """Whether a field holds modules or parameters."""
    if value.kind is Kind.MODULE or (value.kind is Kind.TENSOR and "parameter" in value.types):
        return True
    return any(map(holds_parameters, value.parts))


def _read(lines: Sequence[cst.BaseStatement]) -> set[str]:
    return set().union(*(reads_and_writes(line)[0] for line in lines))


def _is_pure(line: cst.BaseStatement) -> bool:
    """Whether a line computes numbers, texts or the like of others, and does nothing else."""
    if not isinstance(line, cst.SimpleStatementLine) or not all(isinstance(item, cst.Assign) for item in line.body):
        return False
    for node in descendants(line):
        if isinstance(node, (cst.Yield, cst.Await, cst.NamedExpr, cst.Lambda)):
            return False
        if isinstance(node, cst.AssignTarget) and not isinstance(node.target, (cst.Name, cst.Tuple)):
            return False
        if isinstance(node, cst.Call) and dotted(node.func) not in _PURE:
            return False
    return True


def _variables_bound(line: cst.BaseStatement) -> set[str]:
    return {name for name in reads_and_writes(line)[1] if "." not in name and name != "*"}


def _closed(
    lines: set[cst.BaseStatement], plain: Sequence[cst.BaseStatement], local: set[str]
) -> set[cst.BaseStatement]:
    """The plain lines that make or change the variables which some lines read."""
    needed = _read(tuple(lines)) & local
    found: set[cst.BaseStatement] = set()
    while True:
        more = {line for line in plain if line not in found and names_in(line) & needed}
        if not more:
            return found
        found |= more
        needed |= _read(tuple(more)) & local


def own_names(item: Class) -> Iterator[str]:
    """The names of the fields and methods of a class."""
    yield from item.methods
    yield from (name for name, _ in item.all_fields())


__all__ = ["Division", "divide", "own_names"]
