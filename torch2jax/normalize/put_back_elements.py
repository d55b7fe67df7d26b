"""Elements of lists that are changed by another name are put back, where modules and states of optimizers are values.

for net, opt in zip(nets, opts):               for i, (net, opt) in enumerate(zip(nets, opts)):
    opt.zero_grad()                                opt.zero_grad()
    net(x).mean().backward()          ->           net(x).mean().backward()
    opt.step()                                     opt.step()
                                                   nets[i] = net
                                                   opts[i] = opt

opts = [Adam(net.parameters()) for net in nets]    ->    opts = []
                                                         for net in nets:
                                                             opt = Adam(net.parameters())
                                                             opts.append(opt)

In torch this changes nothing. The lines stand right behind those that change an element, so that whoever reads the list sees it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import libcst as cst

from torch2jax.facts.changed_parts import changes_each, changes_part
from torch2jax.facts.gradient_reads import left_to_callers
from torch2jax.facts.listed_optimizers import (
    ListPlace,
    element_taken,
    list_place,
    lists_put_back,
    source_of,
    trained_lists,
)
from torch2jax.facts.parameters import makes_optimizer
from torch2jax.normalize.named_fields import expression_with
from torch2jax.normalize.parameter_aliases import functions_reached
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.normalize.taken_elements import MODES, split_return, trains_something
from torch2jax.program.program import dotted
from torch2jax.program.statements import reads_and_writes
from torch2jax.records import dataclass
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import always, always_statements
from torch2jax.syntax.quote import names_in, quote, quote_statement
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_LOADING = frozenset({"apply", "load_state_dict", "requires_grad_"})
_Partners = Mapping[ListPlace, ListPlace]


@dataclass(frozen=True, slots=True)
class _Taken:
    """A variable that has an element of a list while some lines run; without `index`, in a loop that does not count."""

    name: cst.Name
    container: cst.BaseExpression
    index: cst.BaseExpression | None
    lines: Sequence[cst.BaseStatement]


def normalize_put_back_elements(work: NormalizationRound) -> None:
    """Normalize all such variables of a file, where modules are values."""
    if work.effects is None or not work.effects.threads:
        return
    _fill_one_by_one(work)
    partners = trained_lists(work.program, work.values)
    behind: dict[cst.BaseStatement, list[cst.BaseStatement]] = {}
    left = left_to_callers(work.program)  # whose lists are at hand where they are called
    for loop in work.index.every(cst.For):
        if work.program.function_around(loop) not in left:
            _of_loop(work, loop, partners, behind)
    for assign in work.index.every(cst.Assign):
        taken = _of_line(work, assign)
        if taken is not None and taken.index is not None:
            _put_back(taken, taken.index, _changing(work, taken, partners), behind)
    for line, lines in behind.items():
        work.edits.after(line, always_statements(lines))


def _fill_one_by_one(work: NormalizationRound) -> None:
    """Lists of optimizers that are taken out of them are filled by loops, in which each has a name."""
    taken = [
        name
        for name in work.index.names
        if work.values(name).kind is Kind.OPTIMIZER and _list_of(work, name) is not None
    ]
    if not taken:
        return
    for line in work.index.every(cst.SimpleStatementLine):
        match line:
            case cst.SimpleStatementLine(
                body=[cst.Assign(targets=[cst.AssignTarget(target=target)], value=cst.ListComp() as made)]
            ) if dotted(target) is not None:
                part = made.for_in
                is_plain = not part.ifs and part.inner_for_in is None and part.asynchronous is None
                if is_plain and isinstance(made.elt, cst.Call) and makes_optimizer(made.elt, work.values):
                    work.edits.rewrite_statement(line, always_statements(_loop_for(work, line, target, made)))


def _loop_for(
    work: NormalizationRound, line: cst.SimpleStatementLine, target: cst.BaseExpression, made: cst.ListComp
) -> list[cst.BaseStatement]:
    """A loop that fills a list as a comprehension does; its variables have names that nothing else has."""
    scope = work.index.function_of(line) or work.index.module
    inside = set(descendants(made))
    used = {item.value for item in descendants(scope, cst.Name) if item not in inside}
    free = work.beside_variables(scope)
    given = {name: cst.Name(free(name)) for name in sorted(names_in(made.for_in.target)) if name in used}
    own = {name: cst.parse_expression(new.value) for name, new in given.items()}
    loop = quote_statement(
        "for {x} in {xs}:\n    pass", x=expression_with(work, made.for_in.target, own), xs=work.copy(made.for_in.iter)
    )
    name = free("opt")
    body = [
        quote_statement(f"{name} = {{made}}", made=expression_with(work, made.elt, own)),
        quote_statement(f"{{opts}}.append({name})", opts=work.copy(target)),
    ]
    assert isinstance(loop, cst.For)
    begin = quote_statement("{opts} = []", opts=work.copy(target))
    return [begin.with_changes(leading_lines=line.leading_lines), loop.with_changes(body=cst.IndentedBlock(body))]


def _of_loop(
    work: NormalizationRound,
    loop: cst.For,
    partners: _Partners,
    behind: dict[cst.BaseStatement, list[cst.BaseStatement]],
) -> None:
    """Put back what a loop changes of the lists that it goes through; the loop counts, if it has not done so."""
    if not isinstance(loop.body, cst.IndentedBlock) or loop.asynchronous is not None:
        return
    lines = [line for line in loop.body.body if isinstance(line, cst.BaseStatement)]
    bound = set[str]().union(*(reads_and_writes(line)[1] for line in lines))
    counter = _counter(loop)
    if counter is None and _counts_otherwise(loop):
        return
    names = [item for item in (loop.target, *descendants(loop.target)) if isinstance(item, cst.Name)]
    found: list[tuple[_Taken, list[cst.BaseStatement]]] = []
    for name in names:
        container = source_of(loop.target, loop.iter, name.value)
        if container is None or not _is_taken(work, name, container):
            continue
        taken = _Taken(name, container, counter, lines)
        changing = _changing(work, taken, partners)
        if changing and name.value not in bound:
            found.append((taken, changing))
    if not found or (counter is not None and names_in(counter) & bound):
        return
    index = counter or cst.Name(work.names_at(loop)("i"))
    if counter is None:
        pair = quote("({i}, {x})", i=index.deep_clone(), x=_bracketed(loop.target))
        work.edits.replace(loop.target, always(pair.with_changes(lpar=(), rpar=())))
        work.edits.replace(loop.iter, always(quote("enumerate({x})", x=loop.iter.deep_clone())))
    for taken, changing in found:
        _put_back(taken, index, changing, behind)


def _bracketed(target: cst.BaseExpression) -> cst.BaseExpression:
    target = target.deep_clone()
    if isinstance(target, cst.Tuple) and not target.lpar:
        return target.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
    return target


def _counter(loop: cst.For) -> cst.BaseExpression | None:
    """The variable that counts the passes of a loop from 0 on."""
    match loop.iter, loop.target:
        case cst.Call(func=cst.Name("enumerate"), args=[_]), cst.Tuple(
            elements=[cst.Element(value=cst.Name() as name), _]
        ):
            return name
    return None


def _counts_otherwise(loop: cst.For) -> bool:
    return isinstance(loop.iter, cst.Call) and dotted(loop.iter.func) == "enumerate"


def _of_line(work: NormalizationRound, assign: cst.CSTNode) -> _Taken | None:
    """What `net = nets[i]` takes out of a list, as long as the variable and the index keep their values."""
    match assign:
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Name() as name)], value=cst.Subscript() as element):
            index = element_taken(element)
        case _:
            return None
    line = work.index.statement_of(assign)
    block = work.index.parents[line]
    if (
        index is None
        or not _is_taken(work, name, element.value)
        or not isinstance(block, (cst.IndentedBlock, cst.Module))
    ):
        return None
    body = [item for item in block.body if isinstance(item, cst.BaseStatement)]
    lines, names = body[body.index(line) + 1 :], {name.value, *names_in(index)}
    end = next((n for n, item in enumerate(lines) if not names.isdisjoint(reads_and_writes(item)[1])), len(lines))
    return _Taken(name, element.value, index, lines[:end])


def _is_taken(work: NormalizationRound, name: cst.Name, container: cst.BaseExpression) -> bool:
    is_list = work.values(container).kind is Kind.LIST and dotted(container) is not None
    return is_list and work.values(name).kind in (Kind.MODULE, Kind.OPTIMIZER)


def _changing(work: NormalizationRound, taken: _Taken, partners: _Partners) -> list[cst.BaseStatement]:
    """The statements that change an element by its variable, and behind which it is not put back."""
    place = dotted(taken.container)
    found = _changed_by(work, taken, taken.lines, partners)
    behind = {line: lists_put_back(work.program, work.values, line, taken.name.value) for line in found}
    return [line for line, lists in behind.items() if place not in map(dotted, lists)]


def _changed_by(
    work: NormalizationRound, taken: _Taken, lines: Sequence[cst.CSTNode], partners: _Partners
) -> Iterator[cst.BaseStatement]:
    name = taken.name.value
    for line in lines:
        if isinstance(line, cst.SimpleStatementLine):
            if _changes(work, taken, line, partners):
                if isinstance(line.body[-1], cst.Return):
                    split_return(work, line)
                else:
                    yield line
        elif isinstance(line, cst.For) and (
            changes_each(work.program, work.values, line, name) or _goes_through_groups(line, name)
        ):
            yield line
        elif isinstance(line, (cst.If, cst.For, cst.While, cst.With, cst.Try)):
            blocks = [item for item in descendants(line, cst.IndentedBlock) if _is_own_block(work, item, line)]
            for block in blocks:
                assert isinstance(block, cst.IndentedBlock)
                yield from _changed_by(work, taken, block.body, partners)


def _is_own_block(work: NormalizationRound, block: cst.CSTNode, statement: cst.CSTNode) -> bool:
    """Whether a block is a branch of a statement itself, and of none inside of it."""
    kinds = (cst.If, cst.For, cst.While, cst.With, cst.Try, cst.FunctionDef, cst.ClassDef)
    for around in work.index.ancestors(block):
        if around is statement:
            return True
        above = work.index.parents[around]
        match above:
            case cst.If(orelse=orelse) if orelse is around:
                continue
        if isinstance(around, kinds):
            return False
    return False


def _goes_through_groups(loop: cst.For, name: str) -> bool:
    match loop.iter:
        case cst.Attribute(value=cst.Name(owner), attr=cst.Name("param_groups")):
            return owner == name
    return False


def _changes(work: NormalizationRound, taken: _Taken, line: cst.SimpleStatementLine, partners: _Partners) -> bool:
    name, is_module = taken.name.value, work.values(taken.name).kind is Kind.MODULE
    if is_module and changes_part(work.program, work.values, line, name):
        return True
    for call in descendants(line, cst.Call):
        assert isinstance(call, cst.Call)
        match call.func:
            case cst.Attribute(value=owner, attr=cst.Name("step")) if is_module:
                if _trains(work, owner, taken, partners):
                    return True
            case cst.Attribute(value=cst.Name(owner), attr=cst.Name(method)) if owner == name and is_module:
                assert work.effects is not None
                if method in _LOADING or (method in MODES and work.effects.has_mode(work.values(taken.name))):
                    return True
            case cst.Attribute(value=cst.Name(owner), attr=cst.Name("step" | "load_state_dict")) if owner == name:
                return True
        given = [item for item in call.args if isinstance(item.value, cst.Name) and item.value.value == name]
        if given and any(trains_something(item.node) for item in functions_reached(work, call)):
            return True
        if given and not is_module and isinstance(call.func, cst.Attribute) and call.func.attr.value == "step":
            return True  # of a scaler
    if not is_module:
        stores = [item.target for item in descendants(line, cst.AssignTarget, cst.AugAssign)]  # type: ignore[attr-defined]
        return any(f"{name}.param_groups" in {dotted(part) for part in (item, *descendants(item))} for item in stores)
    return False


def _trains(work: NormalizationRound, optimizer: cst.BaseExpression, taken: _Taken, partners: _Partners) -> bool:
    """Whether an optimizer may train what was taken out of a list."""
    value = work.values(optimizer)
    if value.kind is not Kind.OPTIMIZER:
        return False
    source = _list_of(work, optimizer) if isinstance(optimizer, cst.Name) else None
    known = partners.get(source[0]) if source is not None else None
    if source is not None and known is not None:
        return _list_of(work, taken.name) == (known, source[1])
    return not value.sites or bool(value.sites & work.values(taken.name).sites)


def _list_of(work: NormalizationRound, name: cst.Name) -> tuple[ListPlace, str] | None:
    """The list that a variable has an element of, and what tells which: the index, or the loop."""
    bound = [] if work.index.is_label(name) else _bindings(work, name)
    for around in work.index.ancestors(bound[0]) if len(bound) == 1 else ():
        match around:
            case cst.For(target=target, iter=over):
                source, counter = source_of(target, over, name.value), _counter(around)
                place = list_place(work.program, source) if source is not None else None
                return (place, code(counter) if counter is not None else f"loop {id(around)}") if place else None
            case cst.Assign(value=cst.Subscript(value=container) as element):
                place, index = list_place(work.program, container), element_taken(element)
                return (place, code(index)) if place is not None and index is not None else None
            case cst.BaseStatement():
                return None
    return None


def _bindings(work: NormalizationRound, name: cst.Name) -> list[cst.CSTNode]:
    if work.program.definitions.is_bound(name):
        return [name]
    return [item.node for item in work.program.definitions.of(name)]


def _put_back(
    taken: _Taken,
    index: cst.BaseExpression,
    changing: Sequence[cst.BaseStatement],
    behind: dict[cst.BaseStatement, list[cst.BaseStatement]],
) -> None:
    for line in changing:
        put = quote_statement(
            "{nets}[{i}] = {net}", nets=taken.container.deep_clone(), i=index.deep_clone(), net=taken.name.deep_clone()
        )
        behind.setdefault(line, []).append(put)


__all__ = ["normalize_put_back_elements"]
