"""Classes that train what they hold and are modules in name only, normalized to plain classes.

class Discriminator(nn.Module):                            class Discriminator:
    def __init__(self, trunk):                                 def __init__(self, trunk):
        super().__init__()
        self.trunk = trunk                                         self.trunk = trunk
        self.optimizer = Adam(trunk.parameters())   ->             self.optimizer = Adam(trunk.parameters())

    def update(self, x):                                       def update(self, x):
        self.train()                                               self.trunk.train()
        ...                                                        ...

A module is a tree of arrays in JAX, which its methods cannot train: what changes from step to step has to be kept by another
object. The class has no parameters of its own, and nobody asks it for what only modules have, but for the mode of its parts.
Neither does anybody where the parts of a class train themselves, `nn.ModuleList([Layer(8, 6), Layer(6, 4)])` with an optimizer in
each layer: it becomes a plain class with a list. Nor of a class that keeps copies of a model, `self.module = deepcopy(model)`, and
changes them: another object has to hold what changes, and its state.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

import libcst as cst

from torch2jax.facts.bindings import CONTAINERS
from torch2jax.facts.infer import all_marks
from torch2jax.facts.values.evidence import MODULE_WORDS
from torch2jax.normalize.own_fields import calls_around, instances
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.ops.modules import PLACING
from torch2jax.program.program import Class, Function, dotted
from torch2jax.program.statements import calls_base_init, suite_body
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import Rewriter, always
from torch2jax.syntax.problem import Problem
from torch2jax.syntax.quote import names_in, quote, quote_statement
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind, Value

_PLAIN = "plain"  # the mark of such a class
_HOLDS = "holds"  # marks (class, field, what): the fields in which it has modules, or lists and dicts of them
_MODULE, _OPEN = "module", "open"
_MODES = frozenset({"train", "eval"})
_TENSORS = frozenset({"parameters", "buffers"})
_HOOKS = frozenset({"__getattr__", "__setattr__", "__delattr__", "__call__"})
_TABLES = {"torch.nn.ModuleList": ("list", "[]"), "torch.nn.ModuleDict": ("dict", "{}")}
_LOOKS = frozenset({"append", "extend", "insert", "pop", "keys", "values", "items"})
_GOES_THROUGH = frozenset({"enumerate", "zip", "len", "list", "tuple", "reversed", "range"})


def normalize_plain_trainers(work: NormalizationRound) -> None:
    """Make all such classes plain ones, and ask their objects for nothing else in the files that import them."""
    plain = {mark[1] for mark in all_marks(work.program) if mark[0] == _PLAIN}
    for item in work.program.class_by_key.values():
        if item.key in plain and item.node not in work.program.classes:
            _settle_uses(work, item)
    if not any(map(work.program.mentions, ("backward", "deepcopy"))):
        return
    for item in work.program.classes.values():
        if _only_holds(work, item) and not any(_refused(work, item, node) for node in instances(work, item)):
            _make_plain(work, item)
            work.marks.add((_PLAIN, item.key))
            work.marks |= {(_HOLDS, item.key, name, what) for name, what in _held(work, item).items()}


def _only_holds(work: NormalizationRound, item: Class) -> bool:
    """Whether a class of modules has an optimizer or parts that have, no parameters of its own, and nothing to train itself."""
    below = any(other is not item and item in other.lineage for other in work.program.class_by_key.values())
    bases = [work.values.torch_name(base.value) for base in item.node.bases]
    if below or bases != ["torch.nn.Module"] or item.node.keywords or item.node.decorators:
        return False
    if not item.methods.keys().isdisjoint(_HOOKS) or "__init__" not in item.methods:
        return False
    fields = dict(item.all_fields())
    has_optimizer = any(value.kind is Kind.OPTIMIZER for value in fields.values())
    has_tensors = any(value.kind is Kind.TENSOR and value.types & {"parameter", "buffer"} for value in fields.values())
    if not has_optimizer and _keeps_copies(work, item, fields):
        buffers = {name for name, _, _ in _registered(work, item)}
        tensors = {name for name, value in fields.items() if value.types & {"parameter", "buffer"}}
        return tensors - {name for name, value in fields.items() if value.kind is Kind.MODULE} <= buffers
    if not has_optimizer:
        return not has_tensors and _lets_parts_train(work, item) and _keeps_tables(work, item)
    return "forward" not in item.methods and (not has_tensors or _holds_plain_tensors(item))


def _keeps_copies(work: NormalizationRound, item: Class, fields: Mapping[str, Value]) -> bool:
    """Whether all modules in the fields of a class are copies of those that `__init__` is given, and methods change them."""
    init = item.methods["__init__"]
    if "no_grad" not in names_in(item.node):
        return False
    copies = set[str]()
    for line in suite_body(init.node):
        match line:
            case cst.SimpleStatementLine(
                body=[
                    cst.Assign(
                        targets=[cst.AssignTarget(target=cst.Attribute(attr=cst.Name(field)))],
                        value=cst.Call(func=copying, args=[cst.Arg(value=cst.Name(given), keyword=None, star="")]),
                    )
                ]
            ) if work.values(copying).const == "copy.deepcopy" and given in init.parameter_names:
                copies.add(field)
    held = {name for name, value in fields.items() if value.kind is Kind.MODULE}
    return bool(copies) and held == copies and all(len(_stores(work, item, name)) == 1 for name in copies)


def _stores(work: NormalizationRound, item: Class, field: str) -> list[cst.Attribute]:
    """The assignments to a field of a class, or to one of its name of what is not known."""
    return [
        node for node in work.field_stores(field) if not (types := work.values(node.value).types) or item.key in types
    ]


def _holds_trainers(work: NormalizationRound, value: Value) -> bool:
    """Whether what a field holds, itself or in a list, are modules with optimizers of their own."""
    return next(_trainers(work, value), None) is not None


def _trainers(work: NormalizationRound, value: Value) -> Iterator[Class]:
    """The classes of modules with optimizers of their own among what a field holds, itself or in a list."""
    if value.kind not in (Kind.MODULE, Kind.LIST, Kind.TUPLE, Kind.DICT):
        return
    for key in value.types & work.program.class_by_key.keys():
        item = work.program.class_by_key[key]
        if any(held.kind is Kind.OPTIMIZER for _, held in item.all_fields()):
            yield item
    for part in value.parts:
        yield from _trainers(work, part)


def _lets_parts_train(work: NormalizationRound, item: Class) -> bool:
    """Whether a method of a class asks its parts, which have optimizers, for methods that train them."""
    held = [trainer for _, value in item.all_fields() for trainer in _trainers(work, value)]
    steps = {name for trainer in held for name, method in trainer.methods.items() if "backward" in _asked(method)}
    return any(not steps.isdisjoint(_asked(method)) for method in item.methods.values())


def _asked(method: Function) -> set[str]:
    """All that a method asks something for."""
    return {node.attr.value for node in descendants(method.node) if isinstance(node, cst.Attribute)}


def _is_table(work: NormalizationRound, value: Value) -> bool:
    """Whether it is a container of torch's, of modules that train themselves."""
    return value.kind is Kind.MODULE and bool(value.types & CONTAINERS) and _holds_trainers(work, value)


def _keeps_tables(work: NormalizationRound, item: Class) -> bool:
    """Whether the containers of a class may be lists and dicts of Python's: nothing else is asked of them."""
    tables = {name: value for name, value in item.all_fields() if _is_table(work, value)}
    if not all(len(value.types) == 1 and value.types <= _TABLES.keys() for value in tables.values()):
        return False
    own = (node for node in work.index.attributes if item.key in work.values(node.value).types)
    return all(_is_used_as_table(work, node) for node in own if node.attr.value in tables)


def _is_used_as_table(work: NormalizationRound, node: cst.Attribute) -> bool:
    """Whether nothing is asked of a container that those of Python do not have."""
    parent = work.index.parents[node]
    match parent:
        case cst.Attribute(attr=cst.Name(name)) if parent.value is node:
            return name in _LOOKS
        case cst.Subscript() | cst.For() | cst.CompFor():
            return True
        case cst.AssignTarget():
            line = work.index.parents[parent]
            return isinstance(line, cst.Assign) and _made_container(work, line) is not None
        case cst.Arg():
            return all(dotted(call.func) in _GOES_THROUGH for call in calls_around(work, node))
    return False


def _holds_plain_tensors(item: Class) -> bool:
    """Whether the tensors that a class keeps are neither parameters nor buffers."""
    words = {node.attr.value for node in descendants(item.node) if isinstance(node, cst.Attribute)}
    fields = dict(item.all_fields())
    has_parameters = any(value.kind is Kind.TENSOR and "parameter" in value.types for value in fields.values())
    is_trained = any(value.kind is Kind.OPTIMIZER for value in fields.values())
    return (
        is_trained and not has_parameters and words.isdisjoint({"register_buffer", "Parameter", "register_parameter"})
    )


def _refused(work: NormalizationRound, item: Class, node: cst.BaseExpression) -> bool:
    """Whether something is asked of an object, or done with it, that only modules do."""
    value, parent = work.values(node), work.index.parents[node]
    if value.kind not in (Kind.MODULE, Kind.OBJECT):
        return not all(map(partial(_may_be_given, work), calls_around(work, node)))
    if value.types != {item.key} or _is_kept_by_module(work, node):
        return True
    if isinstance(parent, cst.Attribute) and parent.value is node:
        name, call = parent.attr.value, work.index.parents[parent]
        if item.method(name) is not None or _field(item, name):
            return False
        return not isinstance(call, cst.Call) or call.func is not parent or not _is_understood(work, call, item)
    if isinstance(parent, cst.Call) and parent.func is node:
        return "forward" not in item.methods
    return not all(map(partial(_may_be_given, work), calls_around(work, node)))


def _is_kept_by_module(work: NormalizationRound, node: cst.BaseExpression) -> bool:
    """Whether an expression is a field of a module, which would set the modes of the object and list its parameters."""
    return isinstance(node, cst.Attribute) and work.values(node.value).kind is Kind.MODULE


def _field(item: Class, name: str) -> bool:
    return any(name == field for field, _ in item.all_fields())


def _made_container(work: NormalizationRound, line: cst.Assign) -> cst.Call | None:
    """The call that makes the container which a statement gives a field."""
    match line.value:
        case cst.Call(func=made, args=[] | [cst.Arg(keyword=None, star="")]) if work.values.torch_name(made) in _TABLES:
            return line.value if len(line.targets) == 1 else None
    return None


def _may_be_given(work: NormalizationRound, call: cst.Call) -> bool:
    """Whether such an object may be an argument of a call: of a function of the program, of `super`."""
    return dotted(call.func) in ("super", "print") or bool(work.values.callees.get(call))


def _is_understood(work: NormalizationRound, call: cst.Call, item: Class) -> bool:
    """Whether a call of a method of modules only sets modes, or a place: `self.train()`, `trainer.to(device)`."""
    assert isinstance(call.func, cst.Attribute)
    match call.func.attr.value:
        case name if name in _MODES:
            is_line = isinstance(work.index.parents[call], cst.Expr) and dotted(call.func.value) is not None
            return is_line and not call.args and _parts(work, item) is not None
        case name if name in PLACING:
            return all(not argument.star and _is_place(work, argument) for argument in call.args)
        case name if name in _TENSORS:
            return not call.args and _holds_nothing(work, item)
        case "register_buffer":
            return any(line is work.index.statement_of(call) for _, line, _ in _registered(work, item))
    return False


def _holds_nothing(work: NormalizationRound, item: Class) -> bool:
    """Whether torch finds no tensors in objects of a class: what they hold lies in lists of Python's."""
    return _parts(work, item) == [] and not any(value.kind is Kind.TENSOR for _, value in item.all_fields())


def _is_place(work: NormalizationRound, argument: cst.Arg) -> bool:
    return work.values(argument.value).kind in (Kind.DEVICE, Kind.STR)


def _parts(work: NormalizationRound, item: Class) -> list[str] | None:
    """The fields with modules; None where it cannot be told of a field whether it holds one."""
    held = _held(work, item)
    return None if _OPEN in held.values() else list(held)


def _held(work: NormalizationRound, item: Class) -> dict[str, str]:
    """The fields with modules, and what they are: a module, or the container of Python's that a table becomes; of a class
    that is plain by now, as it was.
    """
    marks = [mark for mark in all_marks(work.program) if mark[:2] == (_PLAIN, item.key)]
    if marks:
        found = {mark[2]: mark[3] for mark in all_marks(work.program) if mark[:2] == (_HOLDS, item.key)}
        return {name: found[name] for name, _ in item.all_fields() if name in found}
    found = {}
    for name, value in item.all_fields():
        if value.kind is Kind.MODULE:
            is_open = value.optional or any(map(partial(_sets_modes_itself, work), (value, *value.parts)))
            kind = next((_TABLES[key][0] for key in value.types & _TABLES.keys()), _MODULE)
            found[name] = _OPEN if is_open else kind if _is_table(work, value) else _MODULE
        elif value.kind in (Kind.UNKNOWN, Kind.NONE) and _may_be_module(work, item, name):
            found[name] = _OPEN
    return found


def _sets_modes_itself(work: NormalizationRound, value: Value) -> bool:
    """Whether a class of modules has methods of its own by the names of those that set modes."""
    known = [work.program.class_by_key[key] for key in value.types if key in work.program.class_by_key]
    return any(item.method(name) is not None for item in known for name in _MODES)


def _may_be_module(work: NormalizationRound, item: Class, name: str) -> bool:
    """Whether a field of unknown kind is called somewhere, or asked for what modules have."""
    for node in (*descendants(item.node), *work.index.attributes, *work.index.calls):
        match node:
            case cst.Call(func=cst.Attribute(attr=cst.Name(word))) if word == name:
                return True
            case cst.Attribute(value=cst.Attribute(attr=cst.Name(word)), attr=cst.Name(asked)) if (
                word == name and asked in MODULE_WORDS
            ):
                return True
    return False


def _settle_uses(work: NormalizationRound, item: Class) -> None:
    """In a file that imports such a class: set the modes of the parts, and report what only modules have."""
    told: set[cst.CSTNode] = set()
    for node in sorted(instances(work, item), key=lambda node: len(list(descendants(node)))):
        line = work.index.statement_of(node)
        if line not in told and _refused(work, item, node):
            told.add(line)
            parent = work.index.parents[node]
            place = parent if isinstance(parent, cst.Attribute) else node
            work.problems.append(Problem(node, "T2J603", {"name": code(place)}))
    _set_parts(work, item)


def _make_plain(work: NormalizationRound, item: Class) -> None:
    for line in suite_body(item.methods["__init__"].node):
        if calls_base_init(line, bare=True):
            work.edits.remove(line)
    for name, line, value in _registered(work, item):
        work.edits.rewrite_statement(line, partial(_set_field, f"{item.methods['__init__'].self_name}.{name}", value))
    tables = {name for name, value in item.all_fields() if _is_table(work, value)}
    for node in work.index.attributes:
        given = work.index.parents[work.index.parents[node]]
        if node.attr.value in tables and item.key in work.values(node.value).types and isinstance(given, cst.Assign):
            _make_table(work, given)
    work.edits.replace(item.node, partial(_without_base, item.node))
    _set_parts(work, item)


def _registered(
    work: NormalizationRound, item: Class
) -> Iterator[tuple[str, cst.SimpleStatementLine, cst.BaseExpression]]:
    """The buffers that lines of `__init__` register, which are plain fields of a plain class: name, line, value."""
    init = item.methods["__init__"]
    for line in suite_body(init.node):
        match line:
            case cst.SimpleStatementLine(
                body=[
                    cst.Expr(
                        value=cst.Call(
                            func=cst.Attribute(value=cst.Name(own), attr=cst.Name("register_buffer")),
                            args=[cst.Arg(value=named, keyword=None), cst.Arg(value=given, keyword=None, star="")],
                        )
                    )
                ]
            ) if own == init.self_name and isinstance(name := work.values(named).const, str):
                yield name, line, given


def _set_field(place: str, given: cst.BaseExpression, rewrite: Rewriter) -> list[cst.BaseStatement]:
    return [quote_statement(f"{place} = {{value}}", value=rewrite.expression(given))]


def _make_table(work: NormalizationRound, line: cst.Assign) -> None:
    """Give a field a list or a dict of Python's: the one that torch's is made of, where nobody else has it."""
    made = _made_container(work, line)
    if made is None:
        return
    name, empty = _TABLES[str(work.values.torch_name(made.func))]
    inner = made.args[0].value if made.args else cst.parse_expression(empty)
    if isinstance(inner, (cst.List, cst.ListComp, cst.Dict, cst.DictComp)):
        work.edits.replace(made, lambda rewrite: rewrite.expression(inner))
    else:
        work.edits.replace(made.func, always(cst.Name(name)))


def _set_parts(work: NormalizationRound, item: Class) -> None:
    """Set the modes of the parts where those of the object are set; nothing needs to be moved."""
    parts = {} if _parts(work, item) is None else _held(work, item)
    for node in instances(work, item):
        parent = work.index.parents[node]
        call = work.index.parents[parent]
        if isinstance(parent, cst.Call) and parent.func is node and work.values(node).types == {item.key}:
            work.edits.replace(node, partial(_forward, node))
        if not isinstance(parent, cst.Attribute) or not isinstance(call, cst.Call) or call.func is not parent:
            continue
        name = parent.attr.value
        if item.method(name) is not None or _field(item, name) or _refused(work, item, node):
            continue
        if name == "register_buffer":
            continue
        if name in _TENSORS:
            work.edits.replace(call, always(quote("iter(())")))
            continue
        if name in _MODES:
            looped = {part: work.fresh("part") for part, what in parts.items() if what != _MODULE}
            build = partial(_modes_of_parts, str(dotted(node)), name, parts, looped)
            work.edits.rewrite_statement(work.index.statement_of(call), build)
        else:
            work.edits.replace(call, partial(_receiver, node))


def _receiver(node: cst.BaseExpression, rewrite: Rewriter) -> cst.CSTNode:
    return rewrite.expression(node)


def _without_base(node: cst.ClassDef, rewrite: Rewriter) -> cst.CSTNode:
    made = rewrite.inside(node)
    return made.with_changes(bases=[], lpar=cst.MaybeSentinel.DEFAULT, rpar=cst.MaybeSentinel.DEFAULT)


def _forward(node: cst.BaseExpression, rewrite: Rewriter) -> cst.CSTNode:
    inside = rewrite.inside(node)
    assert isinstance(inside, cst.BaseExpression)
    return cst.Attribute(inside, cst.Name("forward"))


def _modes_of_parts(
    owner: str, name: str, parts: Mapping[str, str], looped: Mapping[str, str], rewrite: Rewriter
) -> list[cst.BaseStatement]:
    made: list[cst.BaseStatement] = []
    for part, what in parts.items():
        held = f"{owner}.{part}" + (".values()" if what == "dict" else "")
        template = (
            f"for {looped[part]} in {{part}}:\n    {looped[part]}.{name}()" if part in looped else f"{{part}}.{name}()"
        )
        made.append(quote_statement(template, part=cst.parse_expression(held)))
    return made


__all__ = ["normalize_plain_trainers"]
