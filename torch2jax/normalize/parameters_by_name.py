"""Parameters that are changed by way of a dictionary of those of their module, normalized to a loop over that module.

ema_params = dict(ema.named_parameters())            ->    params = dict(model.named_parameters())
params = dict(model.named_parameters())                    for name, ema_param in ema.named_parameters():
for name, param in params.items():                             if name in params:
    ema_params[name].mul_(d).add_(param, alpha=1 - d)              param = params[name]
                                                                   ema_param.mul_(d).add_(param, alpha=1 - d)

for name, p in ema_params.items():                   ->    for name, p in ema.named_parameters():
    p.mul_(d).add_(params[name], alpha=1 - d)                  p.mul_(d).add_(params[name], alpha=1 - d)

Each round changes the parameter of its own name only, so that it makes no difference which comes first. The same is done with
dictionaries of buffers.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import field

import libcst as cst

from torch2jax.facts.parameter_loops import changes_tensor
from torch2jax.normalize.joined_parameters import parameters_stay
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.ops.schema import is_inplace_name
from torch2jax.program.definitions import Definition, How
from torch2jax.program.liveness import Liveness
from torch2jax.program.program import dotted
from torch2jax.program.statements import reads_and_writes
from torch2jax.records import dataclass
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import Rewriter, always, always_statements
from torch2jax.syntax.quote import names_in, quote, quote_statement
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_LISTING = frozenset({"named_parameters", "named_buffers"})
_MAKERS = frozenset({"dict", "OrderedDict", "collections.OrderedDict"})


@dataclass(slots=True)
class _Table:
    """A variable for `dict(module.named_parameters())`: `read` are the uses that ask for its keys only."""

    definition: Definition
    listed: cst.Call
    loops: dict[cst.For, list[cst.Subscript]] = field(default_factory=dict)
    read: list[cst.Name] = field(default_factory=list)

    @property
    def module(self) -> cst.BaseExpression:
        return cst.ensure_type(self.listed.func, cst.Attribute).value


def normalize_parameters_by_name(work: NormalizationRound) -> None:
    """Normalize the loops of a file that change what such dictionaries hold."""
    if work.flows is None or not any(map(work.program.mentions, _LISTING)):
        return
    written: set[cst.For] = set()
    for node in work.index.every(cst.Assign):
        table = _table(work, cst.ensure_type(node, cst.Assign))
        if table is None or not _is_looked_up_only(work, table) or not written.isdisjoint(table.loops):
            continue
        if not any(_is_changed(work, table, loop) for loop in table.loops):
            continue
        plans = [_Loop(work, table, loop, found) for loop, found in table.loops.items()]
        if not all(plan.fits() for plan in plans):
            continue
        for plan in plans:
            plan.write()
            written.add(plan.loop)
        if not table.read:
            work.edits.remove(work.index.statement_of(node))


def _table(work: NormalizationRound, node: cst.Assign) -> _Table | None:
    match node:
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Name() as name)], value=value):
            listed = _listed(work, value)
            definition = work.program.definitions.bound_once(name) if listed is not None else None
            if listed is None or definition is None or definition.how is not How.ASSIGNED:
                return None
            line = work.index.statement_of(node)
            is_alone = isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1
            return _Table(definition, listed) if is_alone else None
    return None


def _listed(work: NormalizationRound, node: cst.BaseExpression) -> cst.Call | None:
    """The `model.named_parameters()` of `dict(model.named_parameters())`, or of the comprehension that does the same."""
    match node:
        case cst.Call(func=maker, args=[cst.Arg(value=inner, star="", keyword=None)]) if dotted(maker) in _MAKERS:
            return inner if _lists(work, inner) else None  # type: ignore[return-value]
        case cst.DictComp(
            key=cst.Name(key),
            value=cst.Name(value),
            for_in=cst.CompFor(
                target=cst.Tuple(elements=[cst.Element(cst.Name(name)), cst.Element(cst.Name(part))]),
                iter=inner,
                ifs=[],
                inner_for_in=None,
            ),
        ) if (key, value) == (name, part):
            return inner if _lists(work, inner) else None  # type: ignore[return-value]
    return None


def _lists(work: NormalizationRound, node: cst.BaseExpression) -> bool:
    match node:
        case cst.Call(func=cst.Attribute(value=module, attr=cst.Name(method)), args=[]) if method in _LISTING:
            return dotted(module) is not None and work.values(module).kind is Kind.MODULE
    return False


def _is_looked_up_only(work: NormalizationRound, table: _Table) -> bool:
    """Whether a table is gone through and asked for members by the names of loops, and for its keys, and nothing else; these are
    noted.
    """
    parents = work.index.parents
    for use in work.program.definitions.uses(table.definition):
        parent = parents[use]
        loop = _loop_over(work, use)
        if loop is not None and not _gives_keys(loop.iter):
            table.loops.setdefault(loop, [])
            continue
        if loop is not None or _asks_for_keys(work, use):
            table.read.append(use)
            continue
        around = _loop_of_key(work, parent) if isinstance(parent, cst.Subscript) and parent.value is use else None
        if around is None or isinstance(parents[parent], (cst.AssignTarget, cst.Del)):
            return False
        table.loops.setdefault(around, []).append(cst.ensure_type(parent, cst.Subscript))
    return all(parameters_stay(work, table.listed, (table.definition.node, loop.iter)) for loop in table.loops)


def _gives_keys(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Name) or (
        isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and node.func.attr.value == "keys"
    )


def _loop_over(work: NormalizationRound, use: cst.Name) -> cst.For | None:
    """The loop over `table.items()`, `table.values()`, or the keys of a table."""
    node: cst.CSTNode = use
    parent = work.index.parents[node]
    if isinstance(parent, cst.Attribute) and parent.attr.value in ("items", "values", "keys"):
        node = work.index.parents[parent]
        if not isinstance(node, cst.Call) or node.args:
            return None
        parent = work.index.parents[node]
    return parent if isinstance(parent, cst.For) and parent.iter is node else None


def _asks_for_keys(work: NormalizationRound, use: cst.Name) -> bool:
    """`name in table`, `len(table)`, `table.keys()`."""
    match work.index.parents[use]:
        case cst.ComparisonTarget(operator=cst.In() | cst.NotIn()):
            return True
        case cst.Arg() as argument:
            call = work.index.parents[argument]
            return isinstance(call, cst.Call) and dotted(call.func) == "len"
        case cst.Attribute(attr=cst.Name("keys")):
            return True
    return False


def _loop_of_key(work: NormalizationRound, node: cst.CSTNode) -> cst.For | None:
    """The innermost loop around `table[name]`, which runs through names."""
    match node:
        case cst.Subscript(slice=[cst.SubscriptElement(slice=cst.Index(value=cst.Name(key)))]):
            loop = next((item for item in work.index.ancestors(node) if isinstance(item, cst.For)), None)
            return loop if loop is not None and _key_of(loop.target) == key else None
    return None


def _key_of(target: cst.BaseExpression) -> str | None:
    """The variable of a loop that holds names."""
    match target:
        case cst.Name(name):
            return name
        case cst.Tuple(elements=[cst.Element(value=cst.Name(name)), cst.Element(value=cst.Name())]):
            return name
    return None


def _is_changed(work: NormalizationRound, table: _Table, loop: cst.For) -> bool:
    """Whether a loop changes members of a table in place."""
    found = table.loops[loop]
    if not found:
        last = loop.target.elements[-1].value if isinstance(loop.target, cst.Tuple) else loop.target
        return isinstance(last, cst.Name) and changes_tensor(loop.body, last.value, work.values)
    return any(_changes_member(work, node) for node in found)


def _changes_member(work: NormalizationRound, node: cst.CSTNode) -> bool:
    """Whether `table[name]` is changed in place where it stands: by a method, or by a store of its data."""
    parent = work.index.parents[node]
    match parent:
        case cst.Attribute(attr=cst.Name(word)):
            call = work.index.parents[parent]
            if isinstance(call, cst.Call) and call.func is parent:
                return is_inplace_name(word) or (word == "detach" and _changes_member(work, call))
            return word == "data" and (isinstance(call, cst.AssignTarget) or _changes_member(work, parent))
        case cst.AugAssign(target=target):
            return target is node
    return False


class _Loop:
    """One loop that changes the parameters of a table, and how it is written instead."""

    def __init__(self, work: NormalizationRound, table: _Table, loop: cst.For, found: Sequence[cst.Subscript]) -> None:
        self.work = work
        self.table = table
        self.loop = loop
        self.found = found

    def fits(self) -> bool:
        loop = self.loop
        if loop.orelse is not None or loop.asynchronous is not None or not isinstance(loop.body, cst.IndentedBlock):
            return False
        if not self.found:
            return True
        leaves = (cst.Break, cst.Return, cst.Yield, cst.Await, cst.FunctionDef, cst.Lambda)
        within = list(descendants(loop.body))
        if any(isinstance(node, leaves) for node in within) or self.source() is None:
            return False
        statements = [reads_and_writes(line) for line in loop.body.body]
        bound = frozenset[str]().union(*(writes for _, writes in statements)) | names_in(loop.target)
        return bound.isdisjoint(self.liveness().after_statement(loop)) and not self.is_carried(bound)

    def liveness(self) -> Liveness:
        flows = self.work.flows
        assert flows is not None
        return flows.liveness(self.work.program.function_around(self.loop))

    def is_carried(self, bound: Collection[str]) -> bool:
        """Whether a round reads what another one has left in a variable."""
        body = cst.ensure_type(self.loop.body, cst.IndentedBlock)
        before = self.liveness().before_statement(body.body[0])
        return not (before - names_in(self.loop.target)).isdisjoint(bound)

    def source(self) -> cst.BaseExpression | None:
        """What the loop takes its names of: a dictionary, or the parameters of another module."""
        iterated = self.loop.iter
        match iterated:
            case cst.Name() if self.work.values(iterated).kind is Kind.DICT:
                return iterated
            case cst.Call(func=cst.Attribute(value=cst.Name() as given, attr=cst.Name("items" | "keys")), args=[]):
                return given if self.work.values(given).kind is Kind.DICT else None
        is_other = _lists(self.work, iterated) and code(iterated) != code(self.table.listed)
        return iterated if is_other else None

    def write(self) -> None:
        work, loop = self.work, self.loop
        if not self.found:
            listing = cst.ensure_type(self.table.listed.func, cst.Attribute).attr.value
            asked = cst.ensure_type(cst.ensure_type(loop.iter, cst.Call).func, cst.Attribute).attr.value
            listing = listing if asked == "items" else listing.removeprefix("named_")
            work.edits.replace(loop.iter, always(quote(f"{{module}}.{listing}()", module=work.copy(self.table.module))))
            return
        source = self.source()
        assert source is not None
        if isinstance(source, cst.Name):
            named: cst.BaseExpression = work.copy(source)
        else:
            named = cst.Name(work.fresh("named"))
            made = quote_statement("{named} = dict({source})", named=named, source=work.copy(source))
            work.edits.before(loop, always_statements([made]))
        key = str(_key_of(loop.target))
        member = work.fresh(_singular(self.table.definition.variable.name))
        pair = cst.Tuple([cst.Element(cst.Name(key)), cst.Element(cst.Name(member))], lpar=(), rpar=())
        value = loop.target.elements[1].value if isinstance(loop.target, cst.Tuple) else None
        is_read = value is not None and code(value) in names_in(loop.body)
        work.edits.replace(loop.target, always(pair))
        work.edits.replace(loop.iter, always(work.copy(self.table.listed)))
        for node in self.found:
            work.edits.replace(node, always(cst.Name(member)))
        body = cst.ensure_type(loop.body, cst.IndentedBlock)

        def build(rewrite: Rewriter) -> cst.CSTNode:
            lines = list(cst.ensure_type(rewrite.inside(body), cst.IndentedBlock).body)
            if is_read and value is not None:
                lines.insert(0, quote_statement(f"{code(value)} = {{named}}[{key}]", named=named))
            test = quote(f"{key} in {{named}}", named=named)
            return body.with_changes(body=[cst.If(test, cst.IndentedBlock(lines))])

        work.edits.replace(body, build)


def _singular(name: str) -> str:
    return name[:-1] if name.endswith("s") and len(name) > 1 else f"{name}_member"


__all__ = ["normalize_parameters_by_name"]
