"""Loops that set fields of a module by names that they run through, or modes of modules, normalized to statements for each.

for name, value in schedule(n).items():      ->   values = schedule(n)
    self.register_buffer(name, value)             self.register_buffer("alpha", values["alpha"])
                                                  self.register_buffer("beta", values["beta"])

for net in (a, b):                           ->   a.eval()
    net.eval()                                    b.eval()

for table in (self.users, self.items):       ->   self.users.weight.data.mul_(2)
    table.weight.data.mul_(2)                     self.items.weight.data.mul_(2)

for w in (self.a.weight, self.b.weight):     ->   nn.init.xavier_uniform_(self.a.weight)
    nn.init.xavier_uniform_(w)                    nn.init.xavier_uniform_(self.b.weight)

for i, fc in enumerate([self.a, self.b]):    ->   self.a.bias.data.fill_(0)
    fc.bias.data.fill_(i)                         self.b.bias.data.fill_(1)

for net, opt in zip([a, b], [one, two]):     ->   loss = a(x).sum()
    loss = net(x).sum()                               loss.backward()
    loss.backward()                                   one.step()
    opt.step()                                        loss = b(x).sum() ...

for net in (a, b):                           ->   params += a.parameters()
    params += net.parameters()                        params += b.parameters()

for i in range(2):                           ->   self.add_module("norm0", nn.LayerNorm(4))
    self.add_module(f"norm{i}", nn.LayerNorm(4))  self.add_module("norm1", nn.LayerNorm(4))
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import libcst as cst

from torch2jax.facts.captures import reached
from torch2jax.facts.changed_parts import changes_part, changes_tensor
from torch2jax.normalize.named_fields import sets_by_name, substituted
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.definitions import How
from torch2jax.program.program import Function, dotted
from torch2jax.records import dataclass
from torch2jax.syntax.edits import Rewriter
from torch2jax.syntax.quote import quote, quote_statement
from torch2jax.syntax.walk import descendants, own_nodes
from torch2jax.values import Kind

_MOST = 40  # statements that a loop may become
_READS = frozenset({"items", "keys", "values", "get"})


@dataclass(frozen=True, slots=True)
class _Pass:
    """What the variables of a loop stand for in one of its passes."""

    given: dict[str, cst.BaseExpression]


def normalize_named_loops(work: NormalizationRound) -> None:
    """Normalize all such loops of a file whose passes are known."""
    for node in _loops(work):
        named = any(sets_by_name(work, item) or _sets_mode(work, node, item) for item in descendants(node.body))
        if not named and not _changes_parts(work, node) and not _changes_listed(work, node):
            continue
        first: list[cst.BaseStatement] = []
        _write_out(work, node, _passes(work, node, first), first)


def normalize_trained_loops(work: NormalizationRound) -> None:
    """Normalize all loops of a file that train modules which are written out."""
    for node in _loops(work):
        if _trains(work, node):
            _write_out(work, node, passes_of_places(work, node.target, node.iter, node))


def _loops(work: NormalizationRound) -> Iterator[cst.For]:
    for node in work.index.every(cst.For):
        if node.orelse is None and node.asynchronous is None and isinstance(node.body, cst.IndentedBlock):
            yield node


def _write_out(
    work: NormalizationRound, node: cst.For, passes: list[_Pass] | None, first: Sequence[cst.BaseStatement] = ()
) -> None:
    if passes is None or not _can_be_written_out(work, node, passes):
        return
    body = [item for item in node.body.body if isinstance(item, cst.BaseStatement)]
    pairs = [(substituted(work, statement, item.given), statement) for item in passes for statement in body]
    above = [item.with_changes(leading_lines=node.leading_lines) for item in first[:1]]
    if pairs and not above:
        pairs[0] = (pairs[0][0].with_changes(leading_lines=node.leading_lines), pairs[0][1])
    made = [*above, *first[1:], *(new for new, _ in pairs)]
    if made:
        work.edits.rewrite_statement(node, partial(_noted, work, made, [] if first else pairs))


def _noted(
    work: NormalizationRound,
    made: Sequence[cst.BaseStatement],
    pairs: Sequence[tuple[cst.BaseStatement, cst.BaseStatement]],
    rewrite: Rewriter,
) -> Sequence[cst.BaseStatement]:
    """The statements of all passes, each of which (`pairs`) stands for one of the body, or all together for the loop."""
    for new, old in pairs:
        for inner in descendants(new):
            if isinstance(inner, (cst.BaseCompoundStatement, cst.BaseSmallStatement)) and inner in work.copies:
                rewrite.stands_for(inner, work.copies[inner])
        rewrite.stands_for(new, old)
    return made


def _trains(work: NormalizationRound, node: cst.For) -> bool:
    """Whether a loop steps optimizers, or goes through modules that it, or functions that it calls, change."""
    if work.effects is None:
        return False
    names = [item for item in (node.target, *descendants(node.target)) if isinstance(item, cst.Name)]
    kinds = {name.value: work.values(name).kind for name in names}
    if any(_steps(item, kinds) or _lists(item, kinds) for item in descendants(node.body)):
        return True
    if Kind.MODULE not in kinds.values() or not work.effects.threads:
        return False
    if any(_changes_parameters(item, {name.value for name in names}) for item in descendants(node.body)):
        return True
    parts = [node.body, *(function.node for function in reached([node.body], work.values))]
    return any(_takes_gradients(item) for part in parts for item in descendants(part))


def _steps(node: cst.CSTNode, kinds: Mapping[str, Kind]) -> bool:
    """Whether a call steps an optimizer or a scheduler in a variable, or empties gradients."""
    match node:
        case cst.Call(func=cst.Attribute(value=cst.Name(owner), attr=cst.Name("step" | "zero_grad"))):
            return kinds.get(owner) in (Kind.OPTIMIZER, Kind.SCHEDULER)
    return False


def _lists(node: cst.CSTNode, kinds: Mapping[str, Kind]) -> bool:
    """Whether a line puts the parameters of the module in a variable into a list: `params += list(net.parameters())`."""
    match node:
        case cst.AugAssign(value=given):
            pass
        case cst.Expr(
            value=cst.Call(func=cst.Attribute(attr=cst.Name("append" | "extend")), args=[cst.Arg(value=given)])
        ):
            pass
        case _:
            return False
    owners = [
        item.func.value.value
        for item in (given, *descendants(given))
        if isinstance(item, cst.Call) and isinstance(item.func, cst.Attribute) and item.func.attr.value == "parameters"
        if isinstance(item.func.value, cst.Name)
    ]
    return any(kinds.get(owner) is Kind.MODULE for owner in owners)


def _changes_parameters(node: cst.CSTNode, names: set[str]) -> bool:
    """Whether a loop goes through the parameters of a module of some name, and does more than read them."""
    match node:
        case cst.For(iter=cst.Call(func=cst.Attribute(value=cst.Name(owner), attr=cst.Name("parameters")), args=[])):
            changing = (cst.AssignTarget, cst.AugAssign, cst.Expr)
            return owner in names and any(isinstance(item, changing) for item in descendants(node.body))
    return False


def _takes_gradients(node: cst.CSTNode) -> bool:
    return isinstance(node, cst.Attribute) and node.attr.value == "backward"


def passes_of_places(
    work: NormalizationRound, target: cst.BaseExpression, over: cst.BaseExpression, loop: cst.For
) -> list[_Pass] | None:
    """The passes of a loop over places that are written out, one list of them beside another."""
    match over, target:
        case cst.Call(func=cst.Name("zip"), args=args), cst.Tuple(elements=elements) if len(args) == len(elements):
            if any(item.star or item.keyword for item in args):
                return None
            rows = [
                passes_of_places(work, element.value, item.value, loop)
                for element, item in zip(elements, args, strict=True)
            ]
            known = [row for row in rows if row is not None]
            if len(known) < len(rows):
                return None
            return [_Pass({key: value for item in row for key, value in item.given.items()}) for row in zip(*known)]  # noqa: B905 (as the loop does, up to the end of the shortest)
        case cst.Call(func=cst.Name("enumerate"), args=[cst.Arg(value=inner), *rest]), cst.Tuple(
            elements=[cst.Element(value=cst.Name(counter)), cst.Element(value=item)]
        ):
            row, start = passes_of_places(work, item, inner, loop), work.values(rest[0].value).const if rest else 0
            if row is None or len(rest) > 1 or not isinstance(start, int):
                return None
            return [_Pass({counter: quote(str(place)), **one.given}) for place, one in enumerate(row, start)]
        case cst.Tuple() | cst.List() as display, cst.Tuple():
            single = [_in_one_pass(target, element.value, loop) for element in display.elements]
            return [item for item in single if item is not None] if None not in single else None
        case cst.Tuple() | cst.List() as display, cst.Name(name):
            given = [element.value for element in display.elements]
            is_plain = all(_is_constant(item) or _is_place(loop, item) for item in given)
            return [_Pass({name: item}) for item in given] if is_plain else None
        case cst.Name(listed), cst.Name(name):
            count = _length(work, over)
            return [_Pass({name: quote(f"{listed}[{place}]")}) for place in range(count)] if count else None
    return None


def _in_one_pass(target: cst.Tuple, given: cst.BaseExpression, loop: cst.For) -> _Pass | None:
    """The pass in which the variables of a loop stand for the places of a tuple."""
    if not isinstance(given, cst.Tuple) or len(given.elements) != len(target.elements):
        return None
    found: dict[str, cst.BaseExpression] = {}
    for element, item in zip(target.elements, given.elements, strict=True):
        is_known = _is_constant(item.value) or _is_place(loop, item.value)
        if not isinstance(element.value, cst.Name) or not is_known:
            return None
        found[element.value.value] = item.value
    return _Pass(found)


def _length(work: NormalizationRound, name: cst.Name) -> int | None:
    """How many items a list has that is written out, and is only gone through."""
    definition = work.program.definitions.bound_once(name)
    if (
        definition is None
        or not isinstance(definition.value, cst.List | cst.Tuple)
        or definition.how is not How.ASSIGNED
    ):
        return None
    if any(isinstance(item, cst.StarredElement) for item in definition.value.elements):
        return None
    parents = work.index.parents
    for use in work.program.definitions.uses(definition):
        parent = parents[use]
        call = parents[parent] if isinstance(parent, cst.Arg) else None
        is_asked = isinstance(call, cst.Call) and dotted(call.func) in ("zip", "enumerate", "len", "print")
        is_read = isinstance(parent, cst.Subscript) and not isinstance(
            parents[parent], cst.AssignTarget | cst.AugAssign | cst.Del
        )
        if not (is_asked or is_read or isinstance(parent, cst.For | cst.CompFor | cst.Return)):
            return None
    return len(definition.value.elements)


def _sets_mode(work: NormalizationRound, node: cst.For, item: cst.CSTNode) -> bool:
    """Whether a call sets the mode of the module in the variable of a loop over modules that are written out."""
    match item, node.target, node.iter:
        case (
            cst.Call(func=cst.Attribute(value=cst.Name(owner), attr=cst.Name("train" | "eval"))),
            cst.Name(name),
            cst.Tuple() | cst.List(),
        ):
            return owner == name
    return False


def _changes_parts(work: NormalizationRound, node: cst.For) -> bool:
    """Whether a loop over modules that are written out changes parts of each, which are immutable, or its state."""
    if work.effects is None or not work.effects.threads or not _is_written_out(node.iter):
        return False
    names = [item for item in (node.target, *descendants(node.target)) if isinstance(item, cst.Name)]
    modules = [name.value for name in names if work.values(name).kind is Kind.MODULE]
    return any(
        changes_part(work.program, work.values, node.body, name)
        or any(_keeps_state(work, name, item) for item in descendants(node.body))
        for name in modules
    )


def _changes_listed(work: NormalizationRound, node: cst.For) -> bool:
    """Whether a loop over tensors of modules that are written out changes them: `for w in (self.a.weight, self.b.weight)`."""
    match node:
        case cst.For(target=cst.Name(name), iter=cst.Tuple() | cst.List() as display):
            given = [item.value for item in display.elements]
            are_fields = all(
                isinstance(item, cst.Attribute) and work.values(item.value).kind is Kind.MODULE for item in given
            )
            is_tensor = bool(given) and work.values(node.target).kind is Kind.TENSOR
            return are_fields and is_tensor and changes_tensor(work.values, node.body, name)
    return False


def _is_written_out(over: cst.BaseExpression) -> bool:
    """Whether a loop goes over displays, one beside another or counted."""
    match over:
        case cst.Call(func=cst.Name("enumerate" | "zip"), args=args):
            return any(_is_written_out(item.value) for item in args)
    return isinstance(over, (cst.Tuple, cst.List))


def _keeps_state(work: NormalizationRound, name: str, node: cst.CSTNode) -> bool:
    """Whether a call runs a module with state: what stands beside it is known for what is written out."""
    assert work.effects is not None
    match node:
        case cst.Call(func=cst.Name(called)) if called == name:
            return work.effects.threads_state(node)
        case cst.Call(func=cst.Attribute(value=cst.Name(owner))) if owner == name:
            return work.effects.threads_state(node)
    return False


def _passes(work: NormalizationRound, node: cst.For, first: list[cst.BaseStatement]) -> list[_Pass] | None:
    """The passes of a loop over a dict with known keys, a range of known numbers, or a display of constants."""
    match node.iter, node.target:
        case (
            cst.Call(func=cst.Attribute(value=table, attr=cst.Name("items")), args=[]),
            cst.Tuple(elements=[cst.Element(value=cst.Name(key)), cst.Element(value=cst.Name(value))]),
        ):
            keys = _keys(work, table, work.program.function_around(node))
            if keys is None:
                return None
            if not isinstance(table, cst.Name):
                name = work.names_at(node)(_name_of(table))
                first.append(quote_statement(f"{name} = {{value}}", value=work.copy(table)))
                table = cst.Name(name)
            return [
                _Pass({key: cst.SimpleString(f'"{text}"'), value: quote(f'{{d}}["{text}"]', d=table)}) for text in keys
            ]
        case cst.Call(func=cst.Name("range"), args=args), cst.Name(name) if not any(
            item.star or item.keyword for item in args
        ):
            known = [work.values(item.value).const for item in args]
            limits = [limit for limit in known if isinstance(limit, int)]
            if not 1 <= len(known) <= 3 or len(limits) < len(known) or limits[2:] == [0]:
                return None
            numbers = range(*limits)
            return [_Pass({name: quote(str(number))}) for number in numbers] if len(numbers) <= _MOST else None
        case cst.Tuple() | cst.List() as display, cst.Name(name):
            given = [element.value for element in display.elements]
            is_plain = all(map(_is_constant, given)) or all(_is_place(node, item) for item in given)
            return [_Pass({name: item}) for item in given] if is_plain else None
        case over, cst.Tuple() if _is_written_out(over):
            return passes_of_places(work, node.target, over, node)
    return None


def _is_constant(node: cst.BaseExpression) -> bool:
    if isinstance(node, cst.UnaryOperation):
        return isinstance(node.operator, cst.Minus) and _is_constant(node.expression)
    return isinstance(node, (cst.SimpleString, cst.Integer, cst.Float))


def _is_place(loop: cst.For, node: cst.BaseExpression) -> bool:
    """Whether an expression names a place that a loop does not bind anew."""
    return dotted(node) is not None and not _is_bound_in(loop, node)


def _is_bound_in(node: cst.For, place: cst.BaseExpression) -> bool:
    """Whether the body of a loop binds what a place begins with."""
    root = (dotted(place) or "").partition(".")[0]
    targets = [item.target for item in descendants(node.body) if isinstance(item, (cst.AssignTarget, cst.AugAssign))]
    return any((dotted(target) or "").partition(".")[0] == root for target in targets)


def _name_of(table: cst.BaseExpression) -> str:
    """`schedule` for what `make_schedule(...)` gives."""
    name = (dotted(table.func) or "").split(".")[-1] if isinstance(table, cst.Call) else ""
    return name.rpartition("_")[2] if "_" in name and name.rpartition("_")[2] else "values"


def _keys(work: NormalizationRound, node: cst.BaseExpression, function: Function | None) -> list[str] | None:
    """The keys of a dict, all of them texts, in their order."""
    match node:
        case cst.Dict(elements=elements):
            found = [
                item.key.evaluated_value
                for item in elements
                if isinstance(item, cst.DictElement) and isinstance(item.key, cst.SimpleString)
            ]
            texts = [text for text in found if isinstance(text, str) and text.isidentifier()]
            return texts if len(texts) == len(elements) == len(set(texts)) else None
        case cst.Call(func=cst.Name("dict"), args=args):
            names = [item.keyword.value for item in args if item.keyword is not None]
            return names if len(names) == len(args) else None
        case cst.Call():
            callees = work.values.callees.get(node, ())
            if len(callees) != 1 or callees[0].node.asynchronous is not None:
                return None
            nodes = own_nodes(callees[0].node)
            returns = [item.value for item in nodes if isinstance(item, cst.Return)]
            known = [_keys(work, item, callees[0]) if item is not None else None for item in returns]
            is_same = bool(known) and all(item == known[0] for item in known)
            return known[0] if is_same and not any(isinstance(item, cst.Yield) for item in nodes) else None
        case cst.Name(name) if function is not None and name not in function.parameter_names:
            given = _only_value(function, name)
            return _keys(work, given, function) if given is not None else None
    return None


def _only_value(function: Function, name: str) -> cst.BaseExpression | None:
    """What a variable of a function is bound to once, where nothing changes it."""
    found: list[cst.BaseExpression] = []
    allowed = 0
    nodes = own_nodes(function.node)
    for node in nodes:
        match node:
            case cst.Assign(targets=[cst.AssignTarget(target=cst.Name(bound))], value=value) if bound == name:
                found.append(value)
                allowed += 1
            case cst.Call(func=cst.Attribute(value=cst.Name(owner), attr=cst.Name(method))) if owner == name:
                allowed += method in _READS
            case cst.Return(value=cst.Name(given)) if given == name:
                allowed += 1
    mentions = sum(1 for node in descendants(function.node.body) if isinstance(node, cst.Name) and node.value == name)
    return found[0] if len(found) == 1 and mentions == allowed else None


def _can_be_written_out(work: NormalizationRound, node: cst.For, passes: Sequence[_Pass]) -> bool:
    """Whether the statements of a loop can stand by themselves, and its variables are used nowhere else."""
    body = node.body.body
    if not passes or len(passes) * len(body) > _MOST:
        return False
    names = set(passes[0].given)
    for item in descendants(node.body):
        match item:
            case cst.Break() | cst.Continue() | cst.Lambda() | cst.CompFor() | cst.NamedExpr():
                return False
            case cst.AssignTarget() | cst.AugAssign() | cst.AnnAssign() | cst.Del():
                target = item.target
                if isinstance(target, cst.Name) and target.value in names:
                    return False
    flows = work.flows
    return flows is not None and not names & flows.liveness(work.program.function_around(node)).after_statement(node)


__all__ = ["normalize_named_loops", "normalize_trained_loops", "passes_of_places"]
