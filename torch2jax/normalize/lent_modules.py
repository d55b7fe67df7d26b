"""Modules that a function lends to an object which it makes, and which trains them: what comes of it goes back to their place.

def fit(model, data):                        def fit(model, data):
    trainer = Trainer(model)                     trainer = Trainer(model)
    trainer.train(data)               ->         trainer.train(data)
    print(model(data[0]))                        print(trainer.model(data[0]))
                                                 model = trainer.model

trainer = Trainer(self.net)                  trainer = Trainer(self.net)
trainer.train(data)                   ->     trainer.train(data)
                                             self.net = trainer.model

In torch both are the same object, so the new lines change nothing. That a function gives its argument another value is noted for
its callers. The object must not outlive the block that makes it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import libcst as cst

from torch2jax.facts.given_modules import LENT
from torch2jax.facts.kept_fields import field_of, made_class, trains
from torch2jax.normalize.kept_modules import part_of, reads_of_variable
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.definitions import Definition, How
from torch2jax.program.program import Class, Function, dotted
from torch2jax.syntax.edits import Rewriter, always, always_statements
from torch2jax.syntax.quote import quote, quote_statement
from torch2jax.syntax.walk import descendants, own_nodes
from torch2jax.values import Kind

_LOOPS = (cst.For, cst.While)


def normalize_unnamed_objects(work: NormalizationRound) -> None:
    """Give such objects names, where modules are values, one in each round."""
    for call, init in _makers(work):
        if _name_object(work, call, init):
            return


def normalize_lent_modules(work: NormalizationRound) -> None:
    """Normalize such functions and blocks where modules are values, one object in each round."""
    for call, init in _makers(work):
        if _give_back(work, call, init):
            return


def _makers(work: NormalizationRound) -> Iterator[tuple[cst.Call, Function]]:
    """The calls that make objects of one class, in programs that train."""
    if work.effects is None or not work.effects.threads:
        return
    if not work.program.is_trained:
        return
    for call, callees in work.values.callees.items():
        is_here = isinstance(call, cst.Call) and call in work.index.parents
        if is_here and len(callees) == 1 and callees[0].name == "__init__":
            yield call, callees[0]


def _lent(work: NormalizationRound, call: cst.Call, init: Function) -> Iterator[tuple[cst.BaseExpression, str]]:
    """The modules that a new object is given, with the place in it where it keeps and trains each."""
    owner = made_class(work.program, work.values, call)
    if owner is None or owner.is_module:
        return
    for parameter, given in arguments_by_parameter(init, call, work.values):
        if work.values(given).kind is Kind.MODULE and dotted(given) is not None:
            field = _trained_place(work, init, owner, parameter)
            if field is not None:
                yield given, field


def _trained_place(work: NormalizationRound, init: Function, owner: Class, parameter: str) -> str | None:
    own = field_of(work.values, init, owner, parameter) if trains(work.values, owner) else None
    return own or part_of(work, init, owner, parameter)


# Trainer(model).train(data)


def _name_object(work: NormalizationRound, call: cst.Call, init: Function) -> bool:
    """Give an object a name that is made, trains a module that lives on, and is gone again in one statement."""
    attribute = work.index.parents[call]
    run = work.index.parents[attribute] if isinstance(attribute, cst.Attribute) else None
    small = work.index.parents[run] if isinstance(run, cst.Call) and run.func is attribute else None
    line = work.index.parents[small] if isinstance(small, (cst.Expr, cst.Assign, cst.Return)) else None
    if not isinstance(line, cst.SimpleStatementLine) or line.body[0] is not small:
        return False
    if not any(_is_lasting(work, given) for given, _ in _lent(work, call, init)):
        return False
    owner = init.owner.name if init.owner is not None else "trainer"
    name = work.names_at(call)(owner.lower())
    work.edits.before(line, lambda rewrite: [quote_statement(f"{name} = {{made}}", made=rewrite.inside(call))])  # type: ignore[arg-type]
    work.edits.replace(call, always(cst.Name(name)))
    return True


def _is_lasting(work: NormalizationRound, given: cst.BaseExpression) -> bool:
    """Whether others may see what a place holds when a statement is done."""
    if not isinstance(given, cst.Name):
        return True
    definition = work.program.definitions.bound_once(given)
    is_parameter = definition is not None and definition.how is How.PARAMETER
    line = work.index.statement_of(given)
    around = work.program.function_around(given)
    is_live = work.flows is not None and given.value in work.flows.liveness(around).after_statement(line)
    return is_parameter or is_live


# trainer = Trainer(model)


def _give_back(work: NormalizationRound, call: cst.Call, init: Function) -> bool:
    """Write what an object has made of the modules that it was lent; True where that is new."""
    assign = work.index.parents[call]
    line = work.index.parents[assign] if isinstance(assign, cst.Assign) and len(assign.targets) == 1 else None
    made = assign.targets[0].target if isinstance(assign, cst.Assign) and line is not None else None
    if not isinstance(made, cst.Name) or work.program.definitions.bound_once(made) is None:
        return False
    if not isinstance(line, cst.SimpleStatementLine) or not _stays_inside(work, made, line):
        return False
    found = False
    for given, field in _lent(work, call, init):
        if isinstance(given, cst.Name):
            found = _give_back_variable(work, given, made, field, line) or found
        else:
            found = _give_back_field(work, given, made, field, line) or found
    return found


def _stays_inside(work: NormalizationRound, made: cst.Name, line: cst.SimpleStatementLine) -> bool:
    """Whether an object is only asked and called, in the block that makes it."""
    definition = work.program.definitions.bound_once(made)
    uses = work.program.definitions.uses(definition) if definition is not None else []
    return all(isinstance(work.index.parents[use], cst.Attribute) and work.is_behind(use, line) for use in uses)


def _give_back_variable(
    work: NormalizationRound, given: cst.Name, made: cst.Name, field: str, line: cst.SimpleStatementLine
) -> bool:
    """Read a variable in the object until the end of the block, where it is bound again."""
    function = work.program.function_around(made)
    definition = _original(work, given, line)
    if definition is None or not _sees_end_of_block(work, definition.how, function, line):
        return False
    if work.index.function_of(given) is not (function.node if function is not None else None):
        return False
    if reads_of_variable(work, definition, (How.ASSIGNED, How.PART, How.PARAMETER)) is None:
        return False
    every = work.program.definitions.every_of_name(given)
    uses = list(dict.fromkeys(use for item in every for use in work.program.definitions.uses(item)))
    if any(work.index.function_of(use) is not work.index.function_of(made) for use in uses):
        return False
    back = f"{given.value} = {made.value}.{field}"
    if any(dotted(item.value) == f"{made.value}.{field}" for item in every):
        return False
    for use in uses:
        if work.is_behind(use, line):
            work.edits.replace(use, always(quote(f"{made.value}.{field}")))
    for leaving in _leaving(work, line):
        _write_before(work, leaving, back)
    last = _last_of_block(work, line)
    if not _leaves(last):
        work.edits.after(last, always_statements([quote_statement(back)]))
    work.marks.add((LENT, function.key if function is not None else "", given.value, f"{made.value}.{field}"))
    return True


def _original(work: NormalizationRound, given: cst.Name, line: cst.SimpleStatementLine) -> Definition | None:
    """The binding of a variable that only other objects, in front of a line, have given back what they made of it."""
    places = {mark[3] for mark in work.program.marks | work.marks if mark[0] == LENT and mark[2] == given.value}
    others = [item for item in work.program.definitions.every_of_name(given) if dotted(item.value) not in places]
    is_before = all(not work.is_behind(item.node, line) for item in work.program.definitions.every_of_name(given))
    return others[0] if len(others) == 1 and is_before else None


def _sees_end_of_block(work: NormalizationRound, how: How, function: Function | None, line: cst.CSTNode) -> bool:
    """Whether somebody may read a variable when the block with a line is done: a caller, a later statement, the next round."""
    block = work.index.parents[line]
    if how is How.PARAMETER:
        is_of_module = function is None or (function.owner is not None and function.owner.is_module)
        return not is_of_module and function is not None and function.name != "__init__"
    return isinstance(work.index.parents.get(block), (cst.If, cst.Else, cst.With, cst.Try, *_LOOPS))


def _last_of_block(work: NormalizationRound, line: cst.CSTNode) -> cst.BaseStatement:
    block = work.index.parents[line]
    assert isinstance(block, (cst.IndentedBlock, cst.Module))
    last = block.body[-1]
    assert isinstance(last, cst.BaseStatement)
    return last


def _leaves(statement: cst.BaseStatement) -> bool:
    leaving = (cst.Return, cst.Raise, cst.Break, cst.Continue)
    return isinstance(statement, cst.SimpleStatementLine) and isinstance(statement.body[-1], leaving)


def _leaving(work: NormalizationRound, line: cst.SimpleStatementLine) -> Iterator[cst.BaseSmallStatement]:
    """The statements behind a line by which control leaves its block."""
    block = work.index.parents[line]
    function = work.index.function_of(line)
    nodes = own_nodes(function) if function is not None else work.index.nodes
    for node in nodes:
        if isinstance(node, (cst.Return, cst.Break, cst.Continue)) and work.is_behind(node, line):
            inner = [item for item in work.index.ancestors(node) if isinstance(item, _LOOPS)]
            is_of_loop_inside = bool(inner) and block in list(work.index.ancestors(inner[0]))
            if isinstance(node, cst.Return) or not is_of_loop_inside:
                yield node


def _write_before(work: NormalizationRound, leaving: cst.BaseSmallStatement, back: str) -> None:
    """Put a statement in front of one that leaves a block, whose result is computed first."""
    line = work.index.parents[leaving]
    is_called = isinstance(leaving, cst.Return) and leaving.value is not None and any(
        isinstance(node, (cst.Call, cst.Await)) for node in (leaving.value, *descendants(leaving.value))
    )  # fmt: skip
    if not is_called:
        work.edits.before(line, always_statements([quote_statement(back)]))
        return
    result = work.names_at(leaving)("result")
    work.edits.before(line, partial(_with_result, leaving, result, back))  # type: ignore[arg-type]
    work.edits.replace(leaving, always(leaving.with_changes(value=cst.Name(result))))


def _with_result(leaving: cst.Return, result: str, back: str, rewrite: Rewriter) -> Sequence[cst.BaseStatement]:
    assert leaving.value is not None
    value = rewrite.expression(leaving.value)
    return [quote_statement(f"{result} = {{value}}", value=value), quote_statement(back)]


# trainer = Trainer(self.net)


def _give_back_field(
    work: NormalizationRound, given: cst.BaseExpression, made: cst.Name, field: str, line: cst.SimpleStatementLine
) -> bool:
    """Set a field behind each statement that calls a method of the object."""
    place, source = dotted(given), f"{made.value}.{field}"
    function = work.program.function_around(made)
    if function is not None and function.owner is not None and function.owner.is_module:
        return False
    definition = work.program.definitions.bound_once(made)
    uses = work.program.definitions.uses(definition) if definition is not None else []
    calling = dict.fromkeys(work.index.statement_of(use) for use in uses if _calls(work, use))
    lines = [item for item in calling if isinstance(item, cst.SimpleStatementLine) and len(item.body) == 1]
    if len(lines) < len(calling) or any(_sets(item, place) for item in lines):
        return False
    if any(_sets(item, place, source) for item in work.index.every(cst.Assign)):
        return False
    for item in lines:
        if isinstance(item.body[0], cst.Return):
            _write_before(work, item.body[0], f"{place} = {source}")
        else:
            work.edits.after(item, always_statements([quote_statement(f"{place} = {source}")]))
    return bool(lines)


def _calls(work: NormalizationRound, use: cst.Name) -> bool:
    attribute = work.index.parents[use]
    return isinstance(work.index.parents.get(attribute), cst.Call)


def _sets(node: cst.CSTNode, place: str | None, source: str | None = None) -> bool:
    return any(
        isinstance(item, cst.Assign)
        and any(dotted(target.target) == place for target in item.targets)
        and (source is None or dotted(item.value) == source)
        for item in (node, *descendants(node))
    )


__all__ = ["normalize_lent_modules"]
