"""Fields that `__init__` sets on some ways only, or that only code outside of the class sets: where they are not set they
are None, as all fields of an immutable module exist.

if wide:                                     ->   self.head = None
    self.head = nn.Linear(4, 2)                   if wide:
...                                                   self.head = nn.Linear(4, 2)
if hasattr(self, "head"):                         ...
                                                  if self.head is not None:
del net.fc                                        net.fc = None
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

import libcst as cst

from torch2jax.facts.infer import all_marks
from torch2jax.facts.module_state import init_methods
from torch2jax.facts.replaced_submodules import assigns_field, is_plain_entry, is_plain_value, stays_the_same
from torch2jax.facts.unset_fields import fields_set_by, names_of_class, unset_fields
from torch2jax.facts.values.evidence import MODULE_WORDS
from torch2jax.normalize.evaluation_order import placed_instead
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.ops.modules import MODULE_NAMES
from torch2jax.program.program import Class, Function, dotted
from torch2jax.syntax.codegen import code
from torch2jax.syntax.problem import Problem
from torch2jax.syntax.quote import quote, quote_statement
from torch2jax.syntax.walk import descendants, own_nodes
from torch2jax.values import Kind

_PLAIN = (Kind.INT, Kind.FLOAT, Kind.BOOL, Kind.STR)
ABSENT = "absent"  # marks (class, field): None says that the object has no such field


def normalize_absent_fields(work: NormalizationRound) -> None:
    """Give such fields of modules a first value, and ask for that where the program asks whether they are there."""
    if work.effects is None:
        return
    asked = _asked(work)
    is_looked_at = work.effects.threads or bool(asked)
    late = _set_to_notes(work) if is_looked_at else {}
    for item in work.program.classes.values() if is_looked_at else ():
        init = item.methods.get("__init__")
        is_value = item.is_module and work.effects.threads  # objects may lack fields
        names = [name for name in unset_fields(item) if name in item.fields] if is_value else []
        leaves = init is None or any(isinstance(node, cst.Return) for node in own_nodes(init.node))
        notes = late.get(item.key, {}) if item.is_module and not leaves else {}
        noted = [*(_noted_fields(item, notes) if is_value else ()), *_kept_fields(item, notes, asked)]
        if init is None or not (names or noted):
            continue
        work.marks |= {(ABSENT, item.key, name) for name in (*names, *noted)}
        _give_first_values(work, item, init, names)
        if noted:
            lines = [f"{init.self_name}.{name} = None" for name in noted]
            last = init.node.body.body[-1]
            work.edits.after(last, lambda rewrite, lines=lines: [quote_statement(text) for text in lines])  # type: ignore[misc]
    if work.effects.threads:
        _keep_deleted(work)
    absent: dict[str, set[str]] = {}
    for mark in (*work.marks, *all_marks(work.program)):
        if mark[0] == ABSENT:
            absent.setdefault(mark[2], set()).add(mark[1])
    for call in work.index.calls if absent else ():
        if isinstance(call.func, cst.Name) and call.func.value in ("hasattr", "getattr"):
            _ask(work, call, absent)


def _keep_deleted(work: NormalizationRound) -> None:
    """Say of parts that code outside of their modules deletes that they are None."""
    for line in work.index.every(cst.SimpleStatementLine):
        match line.body:
            case [cst.Del(target=cst.Attribute() as place)]:
                owner, function = work.values(place.value), work.program.function_around(line)
                classes = [work.program.class_by_key.get(key) for key in owner.types]
                held = [item.field_value(place.attr.value) if item is not None else None for item in classes]
                is_own = function is not None and dotted(place.value) == function.self_name
                is_part = bool(held) and all(value is not None and value.kind is Kind.MODULE for value in held)
                if owner.kind is Kind.MODULE and is_part and not is_own:
                    work.marks |= {(ABSENT, key, place.attr.value) for key in owner.types}
                    made = placed_instead(work, line, quote_statement("{x} = None", x=work.copy(place)))
                    work.edits.rewrite_statement(line, lambda rewrite, made=made: made)  # type: ignore[misc]


def _set_to_notes(work: NormalizationRound) -> dict[str, dict[str, bool]]:
    """For each class, by its key, the fields of its objects that are set, and whether each is only set to notes."""
    late: defaultdict[str, dict[str, bool]] = defaultdict(dict)
    for node in work.index.every(cst.Assign):
        for place in [target.target for target in node.targets]:
            keys = work.values(place.value).types if isinstance(place, cst.Attribute) else ()
            if isinstance(place, cst.Attribute) and keys:
                is_plain = _is_note(work, place.attr.value, node.value) and len(node.targets) == 1
                for key in keys:
                    late[key][place.attr.value] = late[key].get(place.attr.value, True) and is_plain
    return late


def _noted_fields(item: Class, late: Mapping[str, bool]) -> list[str]:
    """The fields of modules that only code outside of their class sets, to numbers, texts and tensors that are not trained."""
    declared = {name for part in item.lineage for name in names_of_class(part)}
    return [
        name
        for name, is_plain in late.items()
        if is_plain and name in item.fields and name not in declared and not assigns_field(item, name)
    ]


def _asked(work: NormalizationRound) -> set[str]:
    """The fields that the file asks for with `hasattr`."""
    calls = [call for call in work.index.calls if dotted(call.func) == "hasattr" and len(call.args) == 2]
    names = (work.values(call.args[1].value).const for call in calls)
    return {name for name in names if isinstance(name, str)}


def _kept_fields(item: Class, late: Mapping[str, bool], asked: set[str]) -> list[str]:
    """The fields that only methods set which run behind `__init__`, to tensors that are not trained, and that the file asks for:
    those are state of the module, which has to be there.
    """
    names = [name for name, is_plain in late.items() if is_plain and name in asked & item.fields.keys()]
    if not names:
        return []
    init, declared = item.method("__init__"), {name for part in item.lineage for name in names_of_class(part)}
    early = declared | {name for name in names if assigns_field(item, name, init_methods(item))}
    gone = {code(node.target) for part in item.lineage for node in descendants(part.node, cst.Del)}
    is_tensor = (name for name in names if item.fields[name].kind is Kind.TENSOR and f"self.{name}" not in gone)
    return [name for name in is_tensor if init is not None and name not in early and assigns_field(item, name)]


def _is_note(work: NormalizationRound, name: str, given: cst.BaseExpression) -> bool:
    """Whether what a field is given is a number, a text, a container of these that nobody changes, a part, or no parameter."""
    value = work.values(given)
    if value.kind is Kind.MODULE:
        return work.effects is not None and work.effects.threads and not work.effects.is_stateful(value)
    if value.kind is Kind.TENSOR:
        return "parameter" not in value.types
    if value.kind in (*_PLAIN, Kind.NONE):
        return value.kind is not Kind.NONE
    is_plain = is_plain_value(value) or is_plain_entry(work.program, work.values, given)
    return is_plain and stays_the_same(work.program, name)


def _give_first_values(work: NormalizationRound, item: Class, init: Function, names: list[str]) -> None:
    """`self.head = None` above the statement that may set it, or may leave before it is set: fields keep their order."""
    above: dict[cst.CSTNode, list[str]] = {}
    waiting = list(names)
    for line in init.node.body.body:
        leaves = any(isinstance(node, cst.Return) for node in descendants(line))
        set_here = fields_set_by(item, init, line)
        here = [name for name in waiting if leaves or name in set_here]
        if here:
            above[line] = here
            waiting = [name for name in waiting if name not in here]
    for place, found in above.items():
        lines = [f"{init.self_name}.{name} = None" for name in found]
        work.edits.before(place, lambda rewrite, lines=lines: [quote_statement(text) for text in lines])  # type: ignore[misc]


def _ask(work: NormalizationRound, call: cst.Call, absent: dict[str, set[str]]) -> None:
    """`hasattr(m, "head")` and `getattr(m, "head", default)`, where `m` may be a module without a head."""
    args = [item.value for item in call.args]
    name = work.values(args[1]).const if len(args) > 1 else None
    if not isinstance(name, str) or name not in absent or call in work.program.settled:
        return
    owner, value = args[0], work.values(args[0])
    keys = {other for key in value.types for other in _lineage(work, key)}
    if (value.types and not keys & absent[name]) or _has_other_names(work, owner, absent[name]):
        return
    if call.func.value == "getattr":  # type: ignore[attr-defined]
        if len(args) == 3 and work.values(args[2]).kind is not Kind.NONE:
            work.problems.append(Problem(call, "T2J601", {"name": name, "module": code(owner)}))
        return
    if _holds_none(work, absent[name], name):
        work.problems.append(Problem(call, "T2J601", {"name": name, "module": code(owner)}))
        return
    is_own = bool(value.types) and value.types <= work.program.class_by_key.keys()
    has_all = is_own and all(work.program.class_by_key[key].field_value(name) is not None for key in value.types)
    read = "{x}.{name}" if has_all else 'getattr({x}, "{name}", None)'
    parent = work.index.parents[call]
    if isinstance(parent, cst.UnaryOperation) and isinstance(parent.operator, cst.Not):
        template = f"{read.replace('{name}', name)} is None"
        work.edits.replace(parent, lambda rewrite: quote(template, x=rewrite.expression(owner)))
        return
    template = f"{read.replace('{name}', name)} is not None"
    work.edits.replace(call, lambda rewrite: quote(template, x=rewrite.expression(owner)))


def _has_other_names(work: NormalizationRound, owner: cst.BaseExpression, keys: set[str]) -> bool:
    """Whether a variable of which nothing is known is asked for what no module of some classes has: `opt.rnn_size` of settings."""
    if work.values(owner).kind is not Kind.UNKNOWN or not isinstance(owner, cst.Name):
        return False
    function = work.program.function_around(owner)
    scope: cst.CSTNode = function.node if function is not None else work.index.module
    asked = {
        node.attr.value
        for node in descendants(scope, cst.Attribute)
        if isinstance(node.value, cst.Name) and node.value.value == owner.value
    }
    known = {*MODULE_NAMES, *MODULE_WORDS}
    for item in work.program.class_by_key.values():
        if not keys.isdisjoint(part.key for part in item.lineage):
            known |= {name for name, _ in item.all_fields()}
            known |= {name for part in item.lineage for name in (*part.methods, *names_of_class(part))}
    return not asked <= known


def _lineage(work: NormalizationRound, key: str) -> list[str]:
    item = work.program.class_by_key.get(key)
    return [part.key for part in item.lineage] if item is not None else []


def _holds_none(work: NormalizationRound, keys: set[str], name: str) -> bool:
    """Whether the program itself gives the field None, which is not the same as no field."""
    owners = {work.program.class_by_key[key] for key in keys if key in work.program.class_by_key}
    for node in work.index.every(cst.Assign):
        if work.values(node.value).kind is not Kind.NONE:
            continue
        for target in node.targets:
            if isinstance(target.target, cst.Attribute) and target.target.attr.value == name:
                function = work.program.function_around(node)
                if function is not None and function.owner in owners and node not in work.program.settled:
                    return True
    return False


__all__ = ["normalize_absent_fields"]
