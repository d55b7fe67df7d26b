"""One name for a module that an object keeps and trains: what training makes of it has no other.

def run(self):                                   ->   def run(self):
    model, steps = self.model, self.steps                 steps = self.steps
    ... loss = model(x).sum() ...                         ... loss = self.model(x).sum() ...

trainer = Trainer(net, loader)                   ->   trainer = Trainer(net, loader)
trainer.run()                                         trainer.run()
print(net(x))                                         print(trainer.model(x))

In torch all these names stand for the same object.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.ops.modules import PLACING, SETTING
from torch2jax.program.calls import arguments_by_parameter, chain_start
from torch2jax.program.definitions import Definition, How
from torch2jax.program.program import Class, Function, dotted
from torch2jax.syntax.edits import Rewriter, always
from torch2jax.syntax.quote import quote
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind


def normalize_kept_modules(work: NormalizationRound) -> None:
    """Normalize such names where modules are values."""
    if work.effects is None or not work.effects.threads:
        return
    for function in list(work.program.functions.values()):
        if function.owner is not None and not function.owner.is_module and function.self_name is not None:
            _normalize_names_of_fields(work, function)
    for call, callees in work.values.callees.items():
        if call in work.index.parents and len(callees) == 1 and callees[0].name == "__init__":
            _normalize_given(work, call, callees[0])


# model = self.model


def _normalize_names_of_fields(work: NormalizationRound, function: Function) -> None:
    owner = function.owner
    assert owner is not None
    for line in _lines(function.node.body):
        assign = line.body[0]
        if not isinstance(assign, cst.Assign) or len(assign.targets) != 1:
            continue
        pairs = list(_pairs(assign.targets[0].target, assign.value))
        gone = []
        for target, value in pairs:
            uses = _uses_of_field(work, function, owner, target, value)
            if uses is not None and _is_changed(work, function, uses):
                gone.append(target)
                for use in uses:
                    work.edits.replace(use, partial(_copy, value))
        if gone:
            left = [pair for pair in pairs if pair[0] not in gone]
            work.edits.rewrite_statement(line, partial(_without, line, left))


def _lines(body: cst.CSTNode) -> Iterator[cst.SimpleStatementLine]:
    """The lines of one statement in a block, and in the blocks of `if`s and loops below it."""
    for node in descendants(body):
        if isinstance(node, cst.SimpleStatementLine) and len(node.body) == 1:
            yield node


def _pairs(
    target: cst.BaseExpression, value: cst.BaseExpression
) -> Iterator[tuple[cst.BaseExpression, cst.BaseExpression]]:
    if isinstance(target, cst.Tuple) and isinstance(value, cst.Tuple) and len(target.elements) == len(value.elements):
        for one, other in zip(target.elements, value.elements, strict=True):
            yield one.value, other.value
    else:
        yield target, value


def _uses_of_field(
    work: NormalizationRound, function: Function, owner: Class, target: cst.BaseExpression, value: cst.BaseExpression
) -> list[cst.Name] | None:
    """The reads of a variable that only ever holds the module in a field which only `__init__` sets; else None."""
    match target, value:
        case cst.Name(), cst.Attribute(value=cst.Name(value=own), attr=cst.Name(value=name)) if (
            own == function.self_name and work.values(value).kind is Kind.MODULE
        ):
            definition = work.program.definitions.bound_once(target)
            if definition is None or work.index.function_of(target) is not function.node:
                return None
            if not _stores_of(owner, name) or _is_rebound(function, own):
                return None
            return _plain_uses(work, definition)
    return None


def _plain_uses(work: NormalizationRound, definition: Definition) -> list[cst.Name] | None:
    """The reads of a variable; None where its scope deletes or declares it."""
    uses = work.program.definitions.uses(definition)
    is_plain = all(not isinstance(work.index.parents[use], (cst.Del, cst.NameItem)) for use in uses)
    return uses if is_plain and definition.how in (How.ASSIGNED, How.PART) else None


def _is_rebound(function: Function, name: str) -> bool:
    """Whether a function, or one in it, binds the name of the object again."""
    return any(
        (isinstance(node, cst.Param) and node.name.value == name)
        or (isinstance(node, cst.AssignTarget) and dotted(node.target) == name)
        for node in descendants(function.node.body)
    )


def _stores_of(owner: Class, name: str) -> list[cst.Assign]:
    """The statements that set a field of a class, where all are lines of `__init__`; none else."""
    found = []
    for item in owner.lineage:
        init = item.methods.get("__init__")
        lines = [line for line in init.node.body.body if isinstance(line, cst.SimpleStatementLine)] if init else []
        own = {statement for line in lines for statement in line.body}
        for node in descendants(item.node):
            if isinstance(node, (cst.Assign, cst.AugAssign, cst.AnnAssign)):
                targets = node.targets if isinstance(node, cst.Assign) else [node]
                if any(_names_field(target.target, name) for target in targets):
                    if not isinstance(node, cst.Assign) or node not in own:
                        return []
                    found.append(node)
    return found


def _names_field(target: cst.CSTNode, name: str) -> bool:
    return any(
        isinstance(node, cst.Attribute) and node.attr.value == name and isinstance(node.value, cst.Name)
        for node in (target, *descendants(target))
    )


def _is_changed(work: NormalizationRound, function: Function, uses: Sequence[cst.Name]) -> bool:
    """Whether a module may change under a name: it is trained here, or a statement calls one of its methods."""
    if any(isinstance(node, cst.Attribute) and node.attr.value == "backward" for node in descendants(function.node)):
        return True
    for use in uses:
        attribute = work.index.parents[use]
        call = work.index.parents.get(attribute)
        if isinstance(attribute, cst.Attribute) and isinstance(call, cst.Call) and call.func is attribute:
            if isinstance(work.index.parents.get(call), cst.Expr):
                return True
    return False


def _copy(value: cst.BaseExpression, rewrite: Rewriter) -> cst.CSTNode:
    return value.deep_clone()


def _without(
    line: cst.SimpleStatementLine,
    left: Sequence[tuple[cst.BaseExpression, cst.BaseExpression]],
    rewrite: Rewriter,
) -> list[cst.BaseStatement]:
    if not left:
        return []
    assign = line.body[0]
    assert isinstance(assign, cst.Assign)
    target, value = left[0][0], rewrite.expression(left[0][1])
    if len(left) > 1:
        target = cst.Tuple([cst.Element(item) for item, _ in left], lpar=(), rpar=())
        value = cst.Tuple([cst.Element(rewrite.expression(item)) for _, item in left], lpar=(), rpar=())
    bound = assign.targets[0].with_changes(target=target)
    return [line.with_changes(body=[assign.with_changes(targets=[bound], value=value)])]


# trainer = Trainer(net)


def _normalize_given(work: NormalizationRound, call: cst.Call, init: Function) -> None:
    """Read the modules that an object is given and trains in its fields, once it has been made."""
    owner, index, definitions = _made_class(work, call), work.index, work.program.definitions
    assign = index.parents[call]
    if owner is None or owner.is_module or not isinstance(assign, cst.Assign) or len(assign.targets) != 1:
        return
    made, line = assign.targets[0].target, index.parents[assign]
    if not isinstance(made, cst.Name) or definitions.bound_once(made) is None or not _trains(owner):
        return
    block = index.parents.get(line)
    if any(isinstance(item, (cst.For, cst.While)) for item in index.ancestors(line)):
        return
    for parameter, given in arguments_by_parameter(init, call, work.values):
        if not isinstance(given, cst.Name) or work.values(given).kind is not Kind.MODULE:
            continue
        definition, field = definitions.bound_once(given), _field_of(init, owner, parameter)
        uses = _plain_uses(work, definition) if definition is not None and field is not None else None
        if uses is None or index.function_of(given) is not index.function_of(made):
            continue
        behind = [use for use in uses if _is_behind(work, use, line, block)]
        others = [use for use in uses if use not in behind and index.function_of(use) is not index.function_of(made)]
        if others or not all(_sees(work, use, made, owner) for use in behind):
            continue  # functions that may run before the object is made, or do not see it
        for use in behind:
            work.edits.replace(use, always(quote(f"{made.value}.{field}")))


def _made_class(work: NormalizationRound, call: cst.Call) -> Class | None:
    """The class of the object that a call makes, whose `__init__` may be that of a base class."""
    types = work.values(call).types
    return work.program.class_by_key.get(next(iter(types))) if len(types) == 1 else None


def _sees(work: NormalizationRound, use: cst.Name, made: cst.Name, owner: Class) -> bool:
    """Whether the name of an object means it where a read stands: an argument of that name may be the only object of its class."""
    scopes = work.program.definitions.scopes
    seen = scopes.lookup(made.value, scopes.around(use))
    if seen == scopes.variable(made):
        return True
    function = next(
        (item for item in work.program.functions.values() if seen is not None and item.node is seen.owner), None
    )
    if function is None or made.value not in function.parameter_names:
        return False
    value = work.values(function.parameters[function.parameter_names.index(made.value)].name)
    made_by = [call for call, callees in work.values.callees.items() if owner.methods.get("__init__") in callees]
    return value.kind is Kind.OBJECT and value.types == {owner.key} and len(made_by) == 1


def _trains(owner: Class) -> bool:
    return any(
        isinstance(node, cst.Attribute) and node.attr.value == "backward"
        for item in owner.lineage
        for node in descendants(item.node)
    )


def _field_of(init: Function, owner: Class, parameter: str) -> str | None:
    """The field in which `__init__` keeps what it is given for a parameter, where nothing else is ever kept."""
    if any(
        isinstance(node, (cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.For)) and dotted(node.target) == parameter
        for node in descendants(init.node)
    ):
        return None
    for line in init.node.body.body:
        for small in line.body if isinstance(line, cst.SimpleStatementLine) else ():
            if isinstance(small, cst.Assign) and _itself(small.value) == parameter:
                own, _, name = (dotted(small.targets[0].target) or "").partition(".")
                kept = {parameter, f"{own}.{name}"}
                stores = _stores_of(owner, name) if own == init.self_name else []
                if stores and all(_itself(item.value) in kept for item in stores):
                    return name
    return None


def _itself(value: cst.BaseExpression) -> str | None:
    """The place of the module that an expression is, which may be moved or put into a mode."""
    return dotted(chain_start(value, PLACING | SETTING))


def _is_behind(work: NormalizationRound, use: cst.CSTNode, line: cst.CSTNode, block: cst.CSTNode | None) -> bool:
    """Whether a read comes behind a line of the same block, or of a block below."""
    if not isinstance(block, (cst.IndentedBlock, cst.Module)):
        return False
    node: cst.CSTNode | None = use
    while node is not None and work.index.parents.get(node) is not block:
        node = work.index.parents.get(node)
    body = list(block.body)
    return node is not None and node in body and body.index(node) > body.index(line)  # type: ignore[arg-type]


__all__ = ["normalize_kept_modules"]
