"""Writes to tensors of a state dict that nobody keeps: the module gets a state dict with other entries.

for key in saved:                                         weights = self.state_dict()
    if "fc" in key:                                       for key in saved:
        continue                                     ->       if "fc" in key:
    self.state_dict()[key].copy_(saved[key])                      continue
                                                              weights[key] = saved[key]
                                                          self.load_state_dict(weights)

model.state_dict()["bias"].fill_(0.5)                ->   weights = model.state_dict()
                                                          entry = weights["bias"].clone()
                                                          entry.fill_(0.5)
                                                          weights["bias"] = entry
                                                          model.load_state_dict(weights)

That is done around the outermost loop that asks the module for nothing else, or else around the line.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.normalize.state_dict_writes import keeps_entry, loads_by_itself
from torch2jax.ops.schema import is_inplace_name
from torch2jax.program.program import dotted, root_name
from torch2jax.records import dataclass
from torch2jax.syntax.edits import Rewriter, always
from torch2jax.syntax.quote import quote, quote_statement
from torch2jax.syntax.walk import bound_names, descendants
from torch2jax.values import Kind

_KEY_PARTS = (
    cst.Name, cst.Attribute, cst.SimpleString, cst.FormattedString, cst.ConcatenatedString, cst.Integer,
    cst.Subscript, cst.BinaryOperation, cst.UnaryOperation,
)  # fmt: skip
_TEXT_METHODS = frozenset(
    {
        "replace",
        "format",
        "join",
        "strip",
        "lstrip",
        "rstrip",
        "removeprefix",
        "removesuffix",
        "split",
        "rsplit",
        "lower",
        "upper",
    }
)
_ASKED = frozenset({"shape", "size", "dim", "ndim", "numel", "dtype", "device"})
_LEAVING = (cst.Return, cst.Yield, cst.Await, cst.FunctionDef, cst.ClassDef, cst.Lambda)
_OF_KEYS = frozenset({"enumerate", "len", "list", "reversed", "set", "sorted", "tuple"})
_LOOPS = (cst.For, cst.While)


_Place = tuple[cst.BaseStatement, str]  # a statement, and the name of the module whose entries change there


@dataclass(frozen=True, slots=True)
class _Write:
    """A line that changes an entry, the statement of it, the entry as it is written there, and the module's name."""

    line: cst.SimpleStatementLine
    statement: cst.BaseSmallStatement
    entry: cst.Subscript
    model: str

    @property
    def root(self) -> str:
        return self.model.partition(".")[0]

    @property
    def asked(self) -> cst.BaseExpression:
        return self.entry.value

    @property
    def key(self) -> cst.BaseExpression:
        return cst.ensure_type(self.entry.slice[0].slice, cst.Index).value


def normalize_state_entries(work: NormalizationRound) -> None:
    """Normalize all such writes of a file whose entries nobody else has meanwhile."""
    if not work.program.mentions("state_dict"):
        return
    found: dict[tuple[cst.BaseStatement, str], list[_Write]] = {}
    for write in _writes(work):
        found.setdefault((_place(work, write), write.model), []).append(write)
    for places in _runs_of_lines(work, found):
        writes = [write for place in places for write in found[place]]
        if not any(_are_entries_kept(work, write, places[0][0]) for write in writes):
            _normalize(work, [place for place, _ in places], writes)


def _runs_of_lines(work: NormalizationRound, found: Mapping[_Place, Sequence[_Write]]) -> list[list[_Place]]:
    """The places, those one behind the other together that ask the same module for nothing else."""
    runs: list[list[_Place]] = []
    for place, model in found:
        before = runs[-1][-1] if runs else None
        if before is not None and before[1] == model and _is_next(work, before[0], place):
            mentions = _mentions(work, place, found[place, model][0].root)
            if all(_is_alike(work, name, found[place, model][0]) for name in mentions):
                runs[-1].append((place, model))
                continue
        runs.append([(place, model)])
    return runs


def _is_next(work: NormalizationRound, line: cst.BaseStatement, other: cst.BaseStatement) -> bool:
    """Whether a statement stands right behind another one in its block."""
    block = work.index.parents.get(line)
    if not isinstance(block, (cst.IndentedBlock, cst.Module)):
        return False
    return any(pair[0] is line and pair[1] is other for pair in pairwise(block.body))


def _writes(work: NormalizationRound) -> Iterator[_Write]:
    for call in work.index.calls:
        model = _module(call)
        entry = work.index.parents.get(call)
        line = work.index.statement_of(call) if model is not None else None
        match entry, line:
            case cst.Subscript(slice=[cst.SubscriptElement(slice=cst.Index(value=key))]), cst.SimpleStatementLine(
                body=[statement]
            ) if entry.value is call and model is not None:
                is_written = _changed(statement) is entry and _is_steady(key)
                if is_written and _is_state(work, call):
                    yield _Write(line, statement, entry, model)


def _module(node: cst.CSTNode) -> str | None:
    """The name of the module in `module.state_dict()`."""
    match node:
        case cst.Call(func=cst.Attribute(value=module, attr=cst.Name("state_dict")), args=[]):
            return dotted(module)
    return None


def _is_state(work: NormalizationRound, call: cst.Call) -> bool:
    """Whether a call asks a module of torch's own ways for its state dict."""
    module = cst.ensure_type(call.func, cst.Attribute).value
    known = work.program.class_by_key
    own = (known[name].method("state_dict") for name in work.values(module).types & known.keys())
    return (
        work.values(module).kind is Kind.MODULE
        and work.values(call).kind is Kind.STATE_DICT
        and not loads_by_itself(work, module)
        and not any(own)
    )


def _changed(statement: cst.CSTNode) -> cst.CSTNode | None:
    """What a statement changes in place, or what that is a part of: `entry` in `entry[0].mul_(2)`."""
    match statement:
        case cst.Expr(value=cst.Call(func=cst.Attribute(value=inner, attr=cst.Name(method)), args=given)):
            if not is_inplace_name(method):
                return None
            found = _base(inner)
            return found if found is not None or not given else _base(given[0].value)
        case cst.Expr(value=cst.Call(func=cst.Name(function), args=[first, *_])) if is_inplace_name(function):
            return _base(first.value)
        case cst.AugAssign(target=target):
            return _base(target)
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Subscript(value=inner))]):
            return _base(inner)
    return None


def _base(node: cst.BaseExpression) -> cst.CSTNode | None:
    """The entry that an expression is, or shows a part of."""
    match node:
        case cst.Subscript(value=inner) if _module(inner) is not None:
            return node
        case cst.Subscript(value=inner) | cst.Attribute(value=inner) | cst.Call(func=cst.Attribute(value=inner)):
            return _base(inner)
    return None


def _is_steady(key: cst.BaseExpression) -> bool:
    """Whether a key is the same thing, however often it is asked for."""
    for node in descendants(key):
        match node:
            case cst.Call(func=cst.Attribute(attr=cst.Name(method))) if method in _TEXT_METHODS:
                continue
            case cst.Call(func=cst.Name("len" | "str")):
                continue
        if isinstance(node, cst.BaseExpression) and not isinstance(node, _KEY_PARTS):
            return False
    return True


def _place(work: NormalizationRound, write: _Write) -> cst.BaseStatement:
    """The outermost loop that says nothing else of a module, or else the line of a write."""
    place: cst.BaseStatement = write.line
    for node in work.index.ancestors(write.line):
        if isinstance(node, _LOOPS):
            if not _asks_for_nothing_else(work, node, write):
                break
            place = node
        elif isinstance(node, (cst.FunctionDef, cst.ClassDef)):
            break
    is_tried = any(isinstance(node, cst.Try) for node in work.index.ancestors(place))
    return write.line if is_tried else place


def _asks_for_nothing_else(work: NormalizationRound, loop: cst.For | cst.While, write: _Write) -> bool:
    if any(isinstance(node, _LEAVING) for node in descendants(loop)) or loop.orelse is not None:
        return False
    return all(_is_alike(work, name, write) for name in _mentions(work, loop, write.root))


def _mentions(work: NormalizationRound, block: cst.CSTNode, root: str) -> list[cst.Name]:
    return [node for node in descendants(block, cst.Name) if node.value == root and not work.index.is_label(node)]


def _is_alike(work: NormalizationRound, name: cst.Name, write: _Write) -> bool:
    """Whether a name asks a module for its state dict, of which nothing is kept: `k in self.state_dict()`."""
    parents = work.index.parents
    call = _call_of(work, name)
    if call is None or _module(call) != write.model:
        return False
    line, above = work.index.statement_of(call), parents[call]
    if isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1 and _changed(line.body[0]) is not None:
        return True
    match above:
        case cst.Attribute(attr=cst.Name("keys")) | cst.ComparisonTarget():
            return True
        case cst.Attribute(attr=cst.Name("items")):
            return isinstance(parents[parents[above]], cst.For)
        case cst.Arg():
            around = parents[above]
            return isinstance(around, cst.Call) and dotted(around.func) in _OF_KEYS
        case cst.For():
            return above.iter is call
        case cst.Subscript():
            asked = parents[above]
            return isinstance(asked, cst.Attribute) and asked.attr.value in _ASKED
    return False


def _call_of(work: NormalizationRound, name: cst.Name) -> cst.Call | None:
    """The call that asks for a state dict in `name.part.state_dict()`."""
    parents = work.index.parents
    node: cst.CSTNode = name
    while isinstance(parent := parents[node], cst.Attribute) and parent.value is node:
        node = parent
    called = parents[node]
    return called if isinstance(called, cst.Call) and called.func is node and _module(called) is not None else None


def _are_entries_kept(work: NormalizationRound, write: _Write, place: cst.BaseStatement) -> bool:
    """Whether something may have an entry when it changes: a variable of a loop, or the module goes by another name, or runs."""
    for node in work.index.ancestors(write.line):
        if isinstance(node, cst.For) and _mentions(work, node.iter, write.root):
            if not _goes_through_entries(node, write):
                return True
    return _has_other_name(work, write, place) or (place is write.line and _runs(work, write))


def _goes_through_entries(loop: cst.For, write: _Write) -> bool:
    """Whether a loop goes through names of entries, or through entries that are done with when they change."""
    match loop.iter:
        case cst.Call(func=cst.Attribute(value=asked, attr=cst.Name("items")), args=[]):
            is_asked = _module(asked) == write.model
        case _:
            return _are_keys(loop.iter, write.model)
    match loop.target:
        case cst.Tuple(elements=[cst.Element(), cst.Element(value=cst.Name(name))]):
            return is_asked and not keeps_entry(loop, name) and not _is_read_behind(loop, name, write)
    return False


def _are_keys(node: cst.BaseExpression, model: str) -> bool:
    """Whether an expression gives the names of entries alone, or some of them: `list(net.state_dict())[:2]`."""
    match node:
        case cst.Call(func=cst.Attribute(value=asked, attr=cst.Name("keys")), args=[]):
            return _module(asked) == model
        case cst.Call(func=cst.Name(function), args=[cst.Arg(value=inner)]) if function in _OF_KEYS:
            return _are_keys(inner, model)
        case cst.Subscript(value=inner) if _module(inner) is None:
            return _are_keys(inner, model)
    return _module(node) == model


def _is_read_behind(loop: cst.For, name: str, write: _Write) -> bool:
    """Whether the variable of a loop is read behind a write, or may be in a loop around that."""
    inner = [node for node in descendants(loop.body, *_LOOPS) if write.line in descendants(node)]
    nodes = list(descendants(loop.body))
    behind = nodes[nodes.index(write.line) + len(descendants(write.line)) :]
    return bool(inner) or any(isinstance(node, cst.Name) and node.value == name for node in behind)


def _has_other_name(work: NormalizationRound, write: _Write, place: cst.BaseStatement) -> bool:
    """Whether a function gives a module, or something with it, another name, by which it is known where it changes."""
    function = work.index.function_of(write.line) or work.index.module
    spoken = {node.value for node in descendants(place, cst.Name)} - {write.root}
    for line in descendants(function, cst.Assign):
        bound = set[str]().union(*(bound_names(item.target) for item in line.targets))
        value = dotted(line.value)
        if value is None or work.values(line.value).kind is not Kind.MODULE:
            continue
        root = root_name(line.value)
        if (root == write.root and bound & spoken) or (write.root in bound and root in spoken):
            return True
    return False


def _runs(work: NormalizationRound, write: _Write) -> bool:
    """Whether a line calls the module whose entry it changes, or what has it, which may change other entries."""
    for name in _mentions(work, write.line, write.root):
        if _call_of(work, name) is None and any(
            isinstance(node, cst.Call) and (node.func is name or name in descendants(node.func))
            for node in work.index.ancestors(name)
            if node in descendants(write.line)
        ):
            return True
    return False


def _normalize(work: NormalizationRound, places: Sequence[cst.BaseStatement], writes: Sequence[_Write]) -> None:
    fresh, model = work.names_at(places[0]), writes[0].model
    weights, entry = fresh("weights"), fresh("entry")
    for place in places:
        for call in descendants(place, cst.Call):
            if _module(call) == model:
                work.edits.replace(call, always(cst.Name(weights)))
    work.edits.before(places[0], lambda rewrite: [quote_statement(f"{weights} = {model}.state_dict()")])
    for write in writes:
        _store(work, write, weights, entry)
    work.edits.after(places[-1], lambda rewrite: [quote_statement(f"{model}.load_state_dict({weights})")])


def _store(work: NormalizationRound, write: _Write, weights: str, entry: str) -> None:
    """Make a write one to an entry of a dict."""
    given = _copied(write)
    place = partial(quote, f"{weights}[{{key}}]")
    if given is not None:
        build = partial(_assigned, given, place(key=write.key.deep_clone()), _may_spread(work, write, given))
        work.edits.replace(write.statement, build)
        return
    work.edits.replace(write.entry, always(cst.Name(entry)))
    before = quote_statement(f"{entry} = {weights}[{{key}}].clone()", key=write.key.deep_clone())
    after = quote_statement(f"{weights}[{{key}}] = {entry}", key=write.key.deep_clone())
    work.edits.before(write.line, lambda rewrite: [before])
    work.edits.after(write.line, lambda rewrite: [after])


def _copied(write: _Write) -> cst.BaseExpression | None:
    """The tensor that an entry as a whole becomes: `entry.copy_(value)`, `entry.data.copy_(value)`."""
    match write.statement:
        case cst.Expr(
            value=cst.Call(
                func=cst.Attribute(value=place, attr=cst.Name("copy_")), args=[cst.Arg(keyword=None) as given]
            )
        ) if not given.star:
            inner = place.value if isinstance(place, cst.Attribute) and place.attr.value == "data" else place
            return given.value if inner is write.entry else None
    return None


def _may_spread(work: NormalizationRound, write: _Write, value: cst.BaseExpression) -> bool:
    """Whether a value may not have the shape of the entry that becomes it, or is expected not to have it."""
    tried = any(isinstance(node, cst.Try) for node in work.index.ancestors(write.line))
    return tried or not isinstance(value, (cst.Name, cst.Subscript, cst.Attribute))


def _assigned(
    value: cst.BaseExpression, place: cst.BaseExpression, spreads: bool, rewrite: Rewriter
) -> cst.BaseSmallStatement:
    """`weights[key] = value`, spread over the shape of the entry where it may have another one."""
    new = rewrite(value)
    assert isinstance(new, cst.BaseExpression)
    if spreads:
        new = quote("{value}.expand_as({place})", value=new, place=place.deep_clone())
    return cst.Assign([cst.AssignTarget(cst.ensure_type(place, cst.Subscript))], new)


__all__ = ["normalize_state_entries"]
