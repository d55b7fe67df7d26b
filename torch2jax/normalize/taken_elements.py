"""Optimizers of a list that are asked by their places get names, and so do the modules at these places of the list they train.

for i in range(n):                                       for i in range(n):
    self.opts[i].zero_grad()                                 opt = self.opts[i]
    loss = self.nets[i](x).mean()              ->            net = self.nets[i]
    loss.backward()                                          opt.zero_grad()
    self.opts[i].step()                                      loss = net(x).mean()
                                                             loss.backward()
                                                             opt.step()

opts.append(Adam(nets[i].parameters()))    ->    net = nets[i]
                                                 opts.append(Adam(net.parameters()))

self.nets[i].eval()                        ->    net = self.nets[i]
                                                 net.eval()

So do elements whose parameters a loop changes and, where modules are values, those that a function changes. In torch both are the same object, as long as the place keeps what it holds and the index its value.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from torch2jax.facts.changed_parts import changes_part
from torch2jax.facts.listed_optimizers import MUTATING, element_taken, list_place, trained_lists
from torch2jax.facts.parameters import given_parameters, makes_optimizer
from torch2jax.normalize.parameter_aliases import functions_reached, is_read_here, may_exchange
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.program import dotted
from torch2jax.program.statements import reads_and_writes
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import always, always_statements
from torch2jax.syntax.fresh import FreshNames
from torch2jax.syntax.quote import names_in, quote, quote_statement
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_ASKED = frozenset({"step", "zero_grad"})


def normalize_taken_elements(work: NormalizationRound) -> None:
    """Normalize all such lines of a file, those of one place in one block together."""
    if work.effects is None:
        return
    _name_given(work)
    _name_changed(work)
    asked = list(_asked(work))
    partners = trained_lists(work.program, work.values) if asked else {}
    done: set[cst.CSTNode] = set()
    free: dict[cst.CSTNode, FreshNames] = {}
    for optimizer in asked:
        place = list_place(work.program, optimizer.value)
        trained = partners.get(place) if place is not None else None
        if optimizer in done or trained is None:
            continue
        prefix, dot, _ = str(dotted(optimizer.value)).rpartition(".")
        module = optimizer.with_changes(value=cst.parse_expression(f"{prefix}{dot}{trained.name}"))
        region = _region(work, optimizer, module)
        if region:
            scope = work.index.function_of(optimizer) or work.index.module
            names = free.setdefault(scope, work.beside_variables(scope))
            done.update(_name_elements(work, (module, optimizer), region, names))


def _name_given(work: NormalizationRound) -> None:
    """Name the elements of lists whose parameters new optimizers are given."""
    for call in work.index.calls:
        match given_parameters(call) if makes_optimizer(call, work.values) else None:
            case cst.Call(func=cst.Attribute(value=cst.Subscript() as element, attr=cst.Name("parameters")), args=[]):
                if element_taken(element) is None or work.values(element.value).kind is not Kind.LIST:
                    continue
            case _:
                continue
        made = work.index.parents[call]
        line = work.index.statement_of(call)
        if isinstance(made, cst.ListComp):
            _go_through(work, made, element)
        elif isinstance(line, cst.SimpleStatementLine) and is_read_here(work, element, line):  # type: ignore[arg-type]
            name = work.names_at(line)(_singular(element.value))
            taken = quote_statement(f"{name} = {{place}}", place=work.copy(element))
            work.edits.before(line, always_statements([taken]))
            work.edits.replace(element, always(_named(work, name, element)))


MODES = frozenset({"eval", "train"})
_LOADING = frozenset({"apply", "load_state_dict"})
_TRAINING = frozenset({"backward", "load_state_dict", "param_groups", "step"})
_LISTING = frozenset({"named_parameters", "parameters"})


def _name_changed(work: NormalizationRound) -> None:
    """Name the elements of lists that a line changes as a whole."""
    for element in work.index.every(cst.Subscript):
        assert isinstance(element, cst.Subscript)
        kind = work.values(element).kind
        if kind not in (Kind.MODULE, Kind.OPTIMIZER) or element_taken(element) is None:
            continue
        line = work.index.statement_of(element)
        if (
            work.values(element.value).kind is not Kind.LIST
            or line in work.edits.preceding
            or element in work.edits.nodes
        ):
            continue
        if not _is_changed(work, element, line) or not is_read_here(work, element, line):  # type: ignore[arg-type]
            continue
        head = line.iter if isinstance(line, cst.For) else line
        if isinstance(line, cst.SimpleStatementLine) and isinstance(line.body[-1], cst.Return):
            split_return(work, line)
            continue
        if not isinstance(line, (cst.SimpleStatementLine, cst.For)) or not _keeps(work, [line], element):
            continue
        same = [item for item in descendants(head, cst.Subscript) if item.deep_equals(element)]
        name = work.names_at(line)(_singular(element.value))
        taken = quote_statement(f"{name} = {{place}}", place=work.copy(element))
        work.edits.before(line, always_statements([taken]))
        for item in same:
            work.edits.replace(item, always(_named(work, name, item)))


def split_return(work: NormalizationRound, line: cst.SimpleStatementLine) -> None:
    """`return fit(net)` -> `result = fit(net)`, `return result`: something can stand between."""
    match line.body:
        case [cst.Return(value=cst.Call() as value)] if line not in work.edits.statements:
            name = work.names_at(line)("result")
            result = quote_statement(f"{name} = {{value}}", value=work.copy(value))
            lines = [result.with_changes(leading_lines=line.leading_lines), quote_statement(f"return {name}")]
            work.edits.rewrite_statement(line, always_statements(lines))


def _is_changed(work: NormalizationRound, element: cst.Subscript, line: cst.CSTNode) -> bool:
    """Whether a line sets the mode of an element of a list, or its parameters, or, where modules are values, changes it in
    another way.
    """
    assert work.effects is not None
    parent = work.index.parents[element]
    call = work.index.parents[parent]
    match parent, call:
        case cst.Attribute(attr=cst.Name(method)), cst.Call(func=func) if func is parent:
            is_line = isinstance(work.index.parents[call], cst.Expr)
            if method in MODES:
                return is_line
            if isinstance(line, cst.For) and method in _LISTING:
                return any(item is element for item in descendants(line.iter)) and _changes_tensors(line)
            return is_line and method in _LOADING and work.effects.threads
        case cst.Arg(), cst.Call() if work.effects.threads:
            if isinstance(line, cst.For):
                return False
            for callee in work.values.callees.get(call, ()):
                for name, node in arguments_by_parameter(callee, call, work.values):
                    if node is element and changes_part(work.program, work.values, callee.node.body, name):
                        return True
            return any(trains_something(item.node) for item in functions_reached(work, call))
    return False


def _changes_tensors(loop: cst.For) -> bool:
    """Whether the body of a loop changes tensors: the parameters that it goes through."""
    names = names_in(loop.target)
    return any(
        isinstance(item, (cst.Call, cst.AssignTarget, cst.AugAssign))
        and any(part.value in names for part in descendants(item, cst.Name))
        for item in descendants(loop.body)
    )


def trains_something(function: cst.CSTNode) -> bool:
    """Whether a function takes gradients or steps, or gives a module or an optimizer other values."""
    return any(isinstance(item, cst.Attribute) and item.attr.value in _TRAINING for item in descendants(function))


def _go_through(work: NormalizationRound, made: cst.ListComp, element: cst.Subscript) -> None:
    """`[Adam(nets[i].parameters()) for i in range(n)]` -> `[Adam(net.parameters()) for i, net in zip(range(n), nets)]`."""
    part = made.for_in
    match part, element_taken(element):
        case cst.CompFor(
            target=cst.Name(position),
            iter=cst.Call(func=cst.Name("range"), args=[cst.Arg()]),
            ifs=[],
            inner_for_in=None,
        ), cst.Name(index) if position == index:
            pass
        case _:
            return
    name = work.names_at(made)(_singular(element.value))
    uses = [item for item in descendants(made.elt, cst.Name) if item.value == position]
    container = element.value.deep_clone()
    if len(uses) == 1 and code(part.iter) == f"range(len({code(container)}))":
        work.edits.replace(part.target, always(cst.Name(name)))
        work.edits.replace(part.iter, always(container))
    else:
        pair = cst.Tuple([cst.Element(cst.Name(position)), cst.Element(cst.Name(name))], lpar=(), rpar=())
        work.edits.replace(part.target, always(pair))
        work.edits.replace(part.iter, always(quote("zip({n}, {nets})", n=part.iter.deep_clone(), nets=container)))
    work.edits.replace(element, always(_named(work, name, element)))


def _asked(work: NormalizationRound) -> Iterator[cst.Subscript]:
    """The elements of lists that lines step, or whose gradients they empty."""
    for node in work.index.every(cst.Expr):
        match node:
            case cst.Expr(value=cst.Call(func=cst.Attribute(value=cst.Subscript() as element, attr=method))):
                if method.value in _ASKED and work.values(element).kind is Kind.OPTIMIZER and element_taken(element):
                    yield element


def _region(work: NormalizationRound, optimizer: cst.Subscript, module: cst.Subscript) -> Sequence[cst.BaseStatement]:
    """The lines of the outermost block that speak of two elements in a line of their own, from that on; none where these may
    become others there.
    """
    best: Sequence[cst.BaseStatement] = ()
    for block in work.index.ancestors(optimizer):
        if isinstance(block, (cst.FunctionDef, cst.Lambda, cst.ClassDef)):
            break
        if not isinstance(block, (cst.IndentedBlock, cst.Module)):
            continue
        lines = _with_one_index([line for line in block.body if isinstance(line, cst.BaseStatement)], optimizer)
        while lines and not any(_mentions(lines[0], element) for element in (optimizer, module)):
            lines = lines[1:]
        if (
            lines
            and isinstance(lines[0], cst.SimpleStatementLine)
            and all(_keeps(work, lines, element) for element in (optimizer, module))
        ):
            best = lines
    return best


def _with_one_index(lines: Sequence[cst.BaseStatement], element: cst.Subscript) -> Sequence[cst.BaseStatement]:
    """The lines of a block around an element, between those that bind a variable of its index again."""
    names = {name for item in element.slice for name in names_in(item)}
    here = next(n for n, line in enumerate(lines) if any(item is element for item in descendants(line)))
    binding = [n for n, line in enumerate(lines) if not names.isdisjoint(reads_and_writes(line)[1])]
    if here in binding:
        return []
    begin = max((n + 1 for n in binding if n < here), default=0)
    return lines[begin : min((n for n in binding if n > here), default=len(lines))]


def _mentions(line: cst.CSTNode, element: cst.Subscript) -> bool:
    return any(item.deep_equals(element) for item in descendants(line, cst.Subscript))


def _keeps(work: NormalizationRound, lines: Sequence[cst.BaseStatement], element: cst.Subscript) -> bool:
    """Whether an element of a list stays the same while some lines run."""
    fields = [item for part in element.slice for item in descendants(part, cst.Attribute)]
    if any(may_exchange(work, lines, item) for item in fields):
        return False
    if may_exchange(work, lines, element.value):
        return False
    label = str(dotted(element.value)).rpartition(".")[2]
    reached = {
        function.node
        for line in lines
        for call in descendants(line, cst.Call)
        for function in functions_reached(work, call)
    }
    return not any(_stores(node, label) for part in (*lines, *reached) for node in descendants(part))


def _stores(node: cst.CSTNode, label: str) -> bool:
    """Whether code changes what is in a list of some name."""
    match node:
        case cst.AssignTarget(target=cst.Subscript(value=container)) | cst.Del(target=cst.Subscript(value=container)):
            pass
        case cst.Call(func=cst.Attribute(value=container, attr=cst.Name(method))) if method in MUTATING:
            pass
        case _:
            return False
    return (dotted(container) or "").rpartition(".")[2] == label


def _name_elements(
    work: NormalizationRound, places: Sequence[cst.Subscript], region: Sequence[cst.BaseStatement], free: FreshNames
) -> list[cst.CSTNode]:
    """Variables for elements of lists in front of some lines, which speak of these."""
    every = [item for line in region for item in descendants(line, cst.Subscript)]
    found = [[item for item in every if item.deep_equals(place)] for place in places]
    used: list[cst.CSTNode] = [item for items in found for item in items]
    if not all(_may_be_named(work, item, region[0]) for item in used):
        return []
    lines: list[cst.BaseStatement] = []
    for place, items in zip(places, found, strict=True):
        if not items:
            continue
        name = free(_singular(place.value))
        lines.append(quote_statement(f"{name} = {{place}}", place=work.copy(items[0])))
        for item in items:
            work.edits.replace(item, always(_named(work, name, item)))
    work.edits.before(region[0], always_statements(lines))
    return used


def _named(work: NormalizationRound, name: str, element: cst.CSTNode) -> cst.Name:
    """A variable in the place of an element."""
    new = cst.Name(name)
    work.copies[new] = element
    return new


def _may_be_named(work: NormalizationRound, element: cst.CSTNode, line: cst.BaseStatement) -> bool:
    """Whether a variable may stand for an element, which is no place that is stored to."""
    parent = work.index.parents[element]
    return not isinstance(parent, (cst.AssignTarget, cst.Del, cst.AugAssign)) and is_read_here(work, element, line)  # type: ignore[arg-type]


def _singular(place: cst.BaseExpression) -> str:
    """What one of a list is called: `net` for `self.nets`."""
    label = str(dotted(place)).rpartition(".")[2]
    if label.endswith("s") and not label.endswith("ss") and len(label) > 2:
        return label[:-1]
    for ending in ("_list", "_dict"):
        if label.endswith(ending):
            return label.removesuffix(ending)
    return label if "." in str(dotted(place)) else f"one_{label}"


__all__ = ["MODES", "normalize_taken_elements", "split_return", "trains_something"]
