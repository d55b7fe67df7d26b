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
"""

from __future__ import annotations

from functools import partial

import libcst as cst

from torch2jax.facts.infer import all_marks
from torch2jax.facts.values.evidence import MODULE_WORDS
from torch2jax.normalize.own_fields import calls_around, instances
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.ops.modules import PLACING
from torch2jax.program.program import Class, dotted
from torch2jax.program.statements import calls_base_init, suite_body
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import Rewriter
from torch2jax.syntax.problem import Problem
from torch2jax.syntax.quote import quote_statement
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_PLAIN = "plain"  # the mark of such a class
_MODES = frozenset({"train", "eval"})
_HOOKS = frozenset({"__getattr__", "__setattr__", "__delattr__", "__call__", "forward"})


def normalize_plain_trainers(work: NormalizationRound) -> None:
    """Make all such classes plain ones, and ask their objects for nothing else in the files that import them."""
    plain = {mark[1] for mark in all_marks(work.program) if mark[0] == _PLAIN}
    for item in work.program.class_by_key.values():
        if item.key in plain and item.node not in work.program.classes:
            _settle_uses(work, item)
    if not work.program.mentions("backward"):
        return
    for item in work.program.classes.values():
        if _only_holds(work, item) and not any(_refused(work, item, node) for node in instances(work, item)):
            _make_plain(work, item)
            work.marks.add((_PLAIN, item.key))


def _only_holds(work: NormalizationRound, item: Class) -> bool:
    """Whether a class of modules has an optimizer, no parameters of its own, and nothing to compute itself."""
    below = any(other is not item and item in other.lineage for other in work.program.class_by_key.values())
    bases = [work.values.torch_name(base.value) for base in item.node.bases]
    if below or bases != ["torch.nn.Module"] or item.node.keywords or item.node.decorators:
        return False
    if not item.methods.keys().isdisjoint(_HOOKS) or "__init__" not in item.methods:
        return False
    fields = dict(item.all_fields())
    if any(value.kind is Kind.TENSOR and value.types & {"parameter", "buffer"} for value in fields.values()):
        return _holds_plain_tensors(item)
    return any(value.kind is Kind.OPTIMIZER for value in fields.values())


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
    if value.types != {item.key}:
        return True
    if isinstance(parent, cst.Attribute) and parent.value is node:
        name, call = parent.attr.value, work.index.parents[parent]
        if item.method(name) is not None or _field(item, name):
            return False
        return not isinstance(call, cst.Call) or call.func is not parent or not _is_understood(work, call, item)
    if isinstance(parent, cst.Call) and parent.func is node:
        return True
    return not all(map(partial(_may_be_given, work), calls_around(work, node)))


def _field(item: Class, name: str) -> bool:
    return any(name == field for field, _ in item.all_fields())


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
    return False


def _is_place(work: NormalizationRound, argument: cst.Arg) -> bool:
    return work.values(argument.value).kind in (Kind.DEVICE, Kind.STR)


def _parts(work: NormalizationRound, item: Class) -> list[str] | None:
    """The fields with modules; None where it cannot be told of a field whether it holds one."""
    found: list[str] = []
    for name, value in item.all_fields():
        if value.kind is Kind.MODULE:
            if value.optional:
                return None
            found.append(name)
        elif value.kind in (Kind.UNKNOWN, Kind.NONE) and _may_be_module(work, item, name):
            return None
    return found


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
    work.edits.replace(item.node, partial(_without_base, item.node))
    _set_parts(work, item)


def _set_parts(work: NormalizationRound, item: Class) -> None:
    """Set the modes of the parts where those of the object are set; nothing needs to be moved."""
    parts = _parts(work, item) or []
    for node in instances(work, item):
        parent = work.index.parents[node]
        call = work.index.parents[parent]
        if not isinstance(parent, cst.Attribute) or not isinstance(call, cst.Call) or call.func is not parent:
            continue
        name = parent.attr.value
        if item.method(name) is not None or _field(item, name) or _refused(work, item, node):
            continue
        if name in _MODES:
            build = partial(_modes_of_parts, str(dotted(node)), name, parts)
            work.edits.rewrite_statement(work.index.statement_of(call), build)
        else:
            work.edits.replace(call, partial(_receiver, node))


def _receiver(node: cst.BaseExpression, rewrite: Rewriter) -> cst.CSTNode:
    return rewrite.expression(node)


def _without_base(node: cst.ClassDef, rewrite: Rewriter) -> cst.CSTNode:
    made = rewrite.inside(node)
    return made.with_changes(bases=[], lpar=cst.MaybeSentinel.DEFAULT, rpar=cst.MaybeSentinel.DEFAULT)


def _modes_of_parts(owner: str, name: str, parts: list[str], rewrite: Rewriter) -> list[cst.BaseStatement]:
    return [quote_statement("{part}." + f"{name}()", part=cst.parse_expression(f"{owner}.{part}")) for part in parts]


__all__ = ["normalize_plain_trainers"]
