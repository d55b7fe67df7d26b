"""Methods that set the mode of their own module: what calls them sets it behind the call, since they have the module to themselves.

def generate(self, x):                 ->   def generate(self, x):
    self.eval()                                 self.eval()
    y = self(x).argmax(-1)                      y = self(x).argmax(-1)
    self.train()                                return y
    return y
y = model.generate(x)                  ->   y = model.generate(x)
                                            model.train()
print(decode(model.generate(x)))       ->   generated = model.generate(x)
                                            model.train()
                                            print(decode(generated))
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

import libcst as cst

from torch2jax.facts.left_modes import LEAVES_MODE, find_mode_left, is_mode_call, mode_call, mode_line, modes_left
from torch2jax.facts.module_state import gives_self, init_methods
from torch2jax.facts.restored_modes import restores_mode
from torch2jax.normalize.evaluation_order import evaluated_before, give_name, stays
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import Function, dotted
from torch2jax.syntax.codegen import code
from torch2jax.syntax.problem import Problem
from torch2jax.syntax.quote import names_in, quote_statement
from torch2jax.syntax.walk import descendants, own_nodes
from torch2jax.values import Kind


def normalize_left_modes(work: NormalizationRound) -> None:
    """Normalize all such methods, each of whose calls in sight can have a statement behind it."""
    if work.effects is None or not work.effects.threads:
        return  # modules that change in place
    known = modes_left(work.program)
    _follow_calls_of_others(work, known)
    found = {}
    for item in work.program.classes.values():
        for method in item.methods.values() if item.is_module else ():
            if method.key not in known and _sets_own_mode(work, method):
                mode = find_mode_left(work.values, method)
                if mode is not None:
                    found[method] = mode
    while True:
        lost = [method for method in found if not _can_be_followed(work, method, found)]
        if not lost:
            break
        for method in lost:
            del found[method]
    for method, mode in found.items():
        work.marks.add((LEAVES_MODE, method.key, mode))
        _leave_out_last(work, method)
        if not method.callers and not work.program.is_imported and method.owner is not None:
            fields = {"name": "training", "module": method.owner.name}
            work.lasting.append(Problem(method.node, "T2J610", fields))
    for call in _calls_of(work, found):
        _follow(work, call, found[work.values.callees[call][0]])


def _sets_own_mode(work: NormalizationRound, method: Function) -> bool:
    """Whether a method, called by its name when the module has been made, sets the mode of that and does not go back."""
    owner, own = method.owner, method.self_name
    assert work.effects is not None
    if owner is None or own is None or method.name == "forward" or method.name.startswith("__"):
        return False
    if not any(is_mode_call(node, own) for node in descendants(method.node.body)):
        return False
    is_plain = not {"property", "staticmethod", "classmethod"} & {*method.decorators}
    is_plain = is_plain and not any(isinstance(node, (cst.Yield, cst.Await)) for node in own_nodes(method.node))
    if not is_plain or method in init_methods(owner) or not isinstance(method.node.body, cst.IndentedBlock):
        return False
    if not work.effects.has_own_mode(owner) or any(owner.method(name) for name in ("train", "eval")):
        return False
    if gives_self(work.program, method) or restores_mode(work.effects, method):
        return False
    return not any(_may_set_mode(work, method, call) for call in descendants(method.node.body, cst.Call))


def _may_set_mode(work: NormalizationRound, method: Function, call: cst.Call) -> bool:
    """Whether what a method calls may set the mode of its module, which nothing in the method says yet."""
    assert work.effects is not None
    own, known = str(method.self_name), modes_left(work.program)
    for reached in work.values.callees.get(call, ()):
        is_own = isinstance(call.func, cst.Attribute) and dotted(call.func.value) in (own, None)
        name = reached.self_name if is_own else None
        if name is not None and reached.key not in known and not restores_mode(work.effects, reached):
            if any(is_mode_call(node, name) for node in descendants(reached.node.body)):
                return True
        if any(dotted(item.value) == own for item in call.args):
            names = ("train", "eval")
            if any(
                isinstance(node, cst.Attribute) and node.attr.value in names for node in descendants(reached.node.body)
            ):
                return True
    return False


def _calls_of(work: NormalizationRound, methods: Mapping[Function, str]) -> Iterator[cst.Call]:
    """Their calls, in the order of the source."""
    for call in work.index.calls:
        if any(item in methods for item in work.values.callees.get(call, ())):
            yield call


def _can_be_followed(work: NormalizationRound, method: Function, found: Mapping[Function, str]) -> bool:
    """Whether each call that may be one of a method is one of such methods that leave the same mode, and has a place behind it."""
    same = set(_calls_of(work, found))
    for call in _calls_of(work, {method: ""}):
        callees = work.values.callees[call]
        if {found.get(item) for item in callees} != {found[method]} or not _has_place_behind(work, call, same):
            return False
    for node in work.index.attributes:
        if node.attr.value == method.name and _may_be_module(work, node.value):
            around = work.index.parents[node]
            if not isinstance(around, cst.Call) or around.func is not node or not work.values.callees.get(around):
                return False
    return True


def _may_be_module(work: NormalizationRound, node: cst.BaseExpression) -> bool:
    value = work.values(node)
    return value.kind in (Kind.MODULE, Kind.UNKNOWN) and dotted(node) is not None


def _has_place_behind(work: NormalizationRound, call: cst.Call, same: Collection[cst.Call]) -> bool:
    """Whether a mode can be set right behind a call, which is one of several: on a place that the statement does not bind."""
    if not isinstance(call.func, cst.Attribute):
        return False
    place, line = dotted(call.func.value), work.index.statement_of(call)
    if place is None:
        owner = call.func.value  # `Net().generate(x)`: a module that nothing else has
        return isinstance(owner, cst.Call) and work.values(owner.func).kind is Kind.CLASS
    before = evaluated_before(work.index, call)
    if before is None or not isinstance(work.index.parents[line], (cst.IndentedBlock, cst.Module)):
        return False
    bound = {dotted(node.target) for node in descendants(line, cst.AssignTarget)}
    if any(place == name or place.startswith(f"{name}.") for name in bound if name):
        return False
    if any(item in work.index.ancestors(call) for item in same):
        return False
    return not _needs_name(work, call, line) or all(node in same or stays(work, node) for node in before)


def _needs_name(work: NormalizationRound, call: cst.Call, line: cst.CSTNode) -> bool:
    """Whether something else happens in a statement behind a call, so that the mode has to be set before that."""
    if not isinstance(line, cst.SimpleStatementLine) or isinstance(line.body[-1], cst.Return):
        return True
    inside = {call, *descendants(call)}
    for node in descendants(line):
        if isinstance(node, cst.Call) and node not in inside:
            if work.values.callees.get(node) or work.values(node.func).kind is Kind.MODULE:
                return True
        if isinstance(node, cst.Attribute) and node not in inside and node.attr.value == "training":
            return True
    return False


def _follow(work: NormalizationRound, call: cst.Call, mode: str) -> None:
    """Set the mode behind a call."""
    func, line = cst.ensure_type(call.func, cst.Attribute), work.index.statement_of(call)
    if dotted(func.value) is None:
        return
    said = quote_statement(mode_line(str(dotted(func.value)), mode))
    work.copies[said] = line
    if _needs_name(work, call, line):
        give_name(work, line, call, work.fresh("result"))
        work.edits.before(line, lambda rewrite: [said])
    else:
        work.edits.after(line, lambda rewrite: [said])


def _leave_out_last(work: NormalizationRound, method: Function) -> None:
    """Behind a mode that is set at the end of a method, or right before it is left, nothing happens there any more."""
    own, body = str(method.self_name), method.node.body
    for block in descendants(body, cst.IndentedBlock):
        for line, following in zip(block.body, [*block.body[1:], None], strict=True):
            if mode_call(line, own) is None or len(block.body) == 1:
                continue
            is_last = following is None and block is body
            if is_last or (following is not None and _returns_without(following, own)):
                work.edits.remove(line)


def _returns_without(line: cst.CSTNode, own: str) -> bool:
    match line:
        case cst.SimpleStatementLine(body=[cst.Return(value=value)]):
            return value is None or own not in names_in(value)
    return False


def _follow_calls_of_others(work: NormalizationRound, known: Mapping[str, str]) -> None:
    """Calls of such methods of other files have the mode set behind them; where that cannot be, they are reported."""
    for call, callees in work.values.callees.items():
        others = [item for item in callees if item.key in known and item.node not in work.program.functions]
        if not others or not isinstance(call, cst.Call) or call not in work.index.parents:
            continue
        modes = {known.get(item.key) for item in callees}
        mode = next(iter(modes))
        if mode is None or len(modes) > 1 or not _has_place_behind(work, call, ()):
            work.problems.append(Problem(call, "T2J603", {"name": code(call.func)}))
        elif not _is_followed(work, call, mode):
            _follow(work, call, mode)
    names = {key.rpartition(".")[2] for key in known}
    for other in work.index.calls if names else ():
        if isinstance(other.func, cst.Attribute) and other.func.attr.value in names:
            if work.values(other.func.value).kind is Kind.MODULE and not work.values.callees.get(other):
                work.problems.append(Problem(other, "T2J603", {"name": code(other.func)}))


def _is_followed(work: NormalizationRound, call: cst.Call, mode: str) -> bool:
    """Whether the statement behind that of a call sets a mode already."""
    line = work.index.statement_of(call)
    block = work.index.parents[line].body  # type: ignore[attr-defined]
    behind = block[list(block).index(line) + 1 :][:1]
    place = dotted(cst.ensure_type(call.func, cst.Attribute).value)
    if place is None:
        return True
    return bool(behind) and code(behind[0]).strip() == mode_line(place, mode)


__all__ = ["normalize_left_modes"]
