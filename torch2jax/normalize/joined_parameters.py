"""Loops over lists of parameters, normalized to loops over the parameters of modules; short ones that change those of several
modules to one loop for each.

params = list(net.parameters())                 ->    params = list(net.parameters())
...                                                   ...
for p in params:                                      for p in net.parameters():
    total += p.sum()                                      total += p.sum()

for p in [*a.parameters(), *b.parameters()]:    ->    for p in a.parameters():
    p.clamp_(-c, c)                                       p.clamp_(-c, c)
                                                      for p in b.parameters():
                                                          p.clamp_(-c, c)

for p, q in zip(a.parameters(), b.parameters()):      for p, q in zip(a.parameters(), b.parameters()):
    q.lerp_(p, 0.1)                             ->        q.lerp_(p, 0.1)
    p.mul_(0.9)                                       for p, q in zip(a.parameters(), b.parameters()):
                                                          p.mul_(0.9)
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from torch2jax.facts.parameter_loops import changes_tensor
from torch2jax.normalize.gradient_changes import changes_of_gradient
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.definitions import How
from torch2jax.program.program import dotted
from torch2jax.syntax.edits import always, always_statements
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_LONGEST = 3  # lines that are written once more for each module


def normalize_joined_parameters(work: NormalizationRound) -> None:
    """Write a loop for each of the modules whose parameters a loop changes."""
    for loop in work.index.every(cst.For):
        sources = joined_sources(work, loop.iter) or _chained_sources(work, loop.iter)
        if sources is None or len(sources) < 2 or not _can_be_several(work, loop):
            continue
        loops = [_once_more(work, loop, source, loop.body, number) for number, source in enumerate(sources)]
        work.edits.rewrite_statement(loop, always_statements(loops))


def _once_more(
    work: NormalizationRound, loop: cst.For, over: cst.BaseExpression, body: cst.BaseSuite, number: int
) -> cst.For:
    """A second tree of a loop, over something else or with other lines; what stands above it goes to the first one."""
    return loop.with_changes(
        target=work.copy(loop.target),
        iter=work.copy(over),
        body=work.copy(body),
        leading_lines=() if number else loop.leading_lines,
    )


def normalize_changed_pairs(work: NormalizationRound) -> None:
    """Let each of the loops over the parameters of several modules change those of one of them: no two passes have one in common."""
    for loop in work.index.every(cst.For):
        assert isinstance(loop, cst.For)
        groups = _groups_of(work, loop) if _is_over_apart(work, loop) else []
        if len(groups) > 1:
            bodies = map(cst.IndentedBlock, groups)
            loops = [_once_more(work, loop, loop.iter, body, number) for number, body in enumerate(bodies)]
            work.edits.rewrite_statement(loop, always_statements(loops))


def _is_over_apart(work: NormalizationRound, loop: cst.For) -> bool:
    """Whether a loop goes through the parameters of modules that have none in common: `zip(a.parameters(), b.parameters())`."""
    match loop:
        case cst.For(
            target=cst.Tuple(elements=elements),
            iter=cst.Call(func=cst.Name("zip"), args=args),
            orelse=None,
            asynchronous=None,
        ):
            is_all = len(elements) == len(args) and all(isinstance(item.value, cst.Name) for item in elements)
            modules = [item.value for item in args if _gives_parameters(work, item.value)]
            lists = [item.value for item in args if _is_list_of_tensors(work, item.value)]
            sites = [work.values(item.func.value).sites for item in modules]  # type: ignore[attr-defined]
            is_apart = all(sites) and len(frozenset[int]().union(*sites)) == sum(map(len, sites))
            names = {dotted(item) for item in lists}
            return is_all and is_apart and len(modules) + len(lists) == len(args) and len(names) == len(lists)
    return False


def _is_list_of_tensors(work: NormalizationRound, node: cst.BaseExpression) -> bool:
    """Whether a variable or field holds a list of tensors; that they are the list's own is asked where it is changed."""
    value = work.values(node)
    return dotted(node) is not None and value.kind is Kind.LIST and value.element().kind is Kind.TENSOR


def _groups_of(work: NormalizationRound, loop: cst.For) -> list[list[cst.SimpleStatementLine]]:
    """The lines of a loop that change the parameters of one of its modules in a row; none where one does anything else."""
    names = [str(dotted(node)) for node in descendants(loop.target, cst.Name)]
    groups: list[tuple[str, list[cst.SimpleStatementLine]]] = []
    for line in loop.body.body:
        changed = [name for name in names if changes_tensor(line, name, work.values)]
        if not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1 or len(changed) != 1 or _binds(line):
            return []
        if groups and groups[-1][0] == changed[0]:
            groups[-1][1].append(line)
        else:
            groups.append((changed[0], [line]))
    return [lines for _, lines in groups]


def _binds(line: cst.SimpleStatementLine) -> bool:
    """Whether a line gives a variable another value."""
    targets = [item.target for item in descendants(line, cst.AssignTarget)]
    return any(isinstance(item, cst.Name) for item in targets) or any(descendants(line, cst.NamedExpr))


def normalize_parameter_lists(work: NormalizationRound) -> None:
    """Let loops over a list of parameters go over those of its modules: a list would keep them as they are now."""
    for loop in work.index.every(cst.For, cst.CompFor):
        assert isinstance(loop, (cst.For, cst.CompFor))
        for name in _gone_through(loop.iter):
            sources = _listed_sources(work, name) if work.values(name).kind is Kind.LIST else None
            if sources:
                listed = cst.List([cst.StarredElement(work.copy(source)) for source in sources])
                work.edits.replace(name, always(listed if len(sources) > 1 else work.copy(sources[0])))


def _gone_through(node: cst.BaseExpression) -> list[cst.Name]:
    """The variables whose members a loop is given, also beside others: `zip(params, before)`."""
    match node:
        case cst.Name():
            return [node]
        case cst.Call(func=cst.Name("zip" | "enumerate"), args=args):
            return [item.value for item in args if isinstance(item.value, cst.Name) and not item.star]
    return []


def _listed_sources(work: NormalizationRound, name: cst.Name) -> list[cst.BaseExpression] | None:
    """`a.parameters()` and `b.parameters()` of a variable that holds a list of just these, where `a` and `b` are the same modules."""
    definitions = work.program.definitions
    definition = definitions.only(name)
    if definition is None or definition.value is None or definition.how is not How.ASSIGNED:
        return None
    sources = joined_sources(work, definition.value)
    if sources is None or not all(parameters_stay(work, source, (definition.value, name)) for source in sources):
        return None
    changing = (cst.Attribute, cst.Subscript, cst.AugAssign)
    is_changed = any(isinstance(work.index.parents[use], changing) for use in definitions.uses(definition))
    return None if is_changed else sources


def parameters_stay(work: NormalizationRound, source: cst.BaseExpression, uses: Sequence[cst.CSTNode]) -> bool:
    """Whether the module of `a.b.parameters()` is the same at all uses."""
    assert isinstance(source, cst.Call) and isinstance(source.func, cst.Attribute)
    module, path = source.func.value, set[str]()
    while isinstance(module, cst.Attribute):
        path.add(module.attr.value)
        module = module.value
    root = work.program.definitions.bound_once(module) if isinstance(module, cst.Name) else None
    if root is None:
        return False
    loops = {node for node in work.index.ancestors(root.node) if isinstance(node, (cst.For, cst.While))}
    return all(loops <= set(work.index.ancestors(use)) for use in uses) and not any(
        target.target.attr.value in path and not is_at_init(work, target)
        for target in work.index.every(cst.AssignTarget)
        if isinstance(target.target, cst.Attribute)
    )


def is_at_init(work: NormalizationRound, node: cst.CSTNode) -> bool:
    """Whether a node stands in an `__init__`."""
    function = work.program.function_around(node)
    return function is not None and function.name == "__init__"


def _can_be_several(work: NormalizationRound, loop: cst.For) -> bool:
    """Whether a loop changes what it runs over, in a few lines that never leave it before its end."""
    if not isinstance(loop.target, cst.Name) or loop.orelse is not None or loop.asynchronous is not None:
        return False
    leaves = (cst.Break, cst.FunctionDef, cst.ClassDef, cst.For, cst.While, cst.Lambda)
    short = len(loop.body.body) <= _LONGEST and not any(isinstance(item, leaves) for item in descendants(loop.body))
    variable = loop.target.value
    return short and (
        changes_tensor(loop.body, variable, work.values)
        or any(changes_of_gradient(loop, variable))
        or any(_sets_flag(item, variable) for item in descendants(loop.body))
    )


def _sets_flag(node: cst.CSTNode, variable: str) -> bool:
    """Whether a parameter in a variable is taken out of training, or its gradient is set."""
    match node:
        case cst.AssignTarget(
            target=cst.Attribute(value=cst.Name(value=name), attr=cst.Name("requires_grad" | "grad"))
        ):
            return name == variable
        case cst.Call(func=cst.Attribute(value=cst.Name(value=name), attr=cst.Name("requires_grad_"))):
            return name == variable
    return False


def joined_sources(work: NormalizationRound, node: cst.BaseExpression) -> list[cst.BaseExpression] | None:
    """`a.parameters()` and `b.parameters()` of what joins them in one list."""
    match node:
        case cst.List(elements=elements) | cst.Tuple(elements=elements):
            starred = [item.value for item in elements if isinstance(item, cst.StarredElement)]
            is_all = len(starred) == len(elements) and all(_gives_parameters(work, item) for item in starred)
            return starred if is_all else None
        case cst.BinaryOperation(left=left, operator=cst.Add(), right=right):
            first, second = joined_sources(work, left), joined_sources(work, right)
            return None if first is None or second is None else [*first, *second]
        case cst.Call(func=cst.Name("list"), args=[cst.Arg(value=inner, keyword=None, star="")]):
            return [inner] if _gives_parameters(work, inner) else _chained_sources(work, inner)
        case cst.ListComp(elt=cst.Name(value=name), for_in=cst.CompFor(target=cst.Name(value=variable)) as loop):
            is_plain = name == variable and loop.inner_for_in is None and loop.asynchronous is None
            source = _used_up_here(work, loop.iter)
            if is_plain and _gives_parameters(work, source) and _lets_all_pass(work, variable, loop.ifs):
                return [source]
    return None


def _used_up_here(work: NormalizationRound, node: cst.BaseExpression) -> cst.BaseExpression:
    """What a variable holds that is set for this read alone; else the expression itself."""
    definitions = work.program.definitions
    definition = definitions.only(node) if isinstance(node, cst.Name) else None
    if definition is None or definition.value is None or definition.how is not How.ASSIGNED:
        return node
    return definition.value if list(definitions.uses(definition)) == [node] else node


def _lets_all_pass(work: NormalizationRound, variable: str, tests: Sequence[cst.CompIf]) -> bool:
    """Whether a comprehension asks its parameters for nothing but whether they are trained, as all of them are."""
    is_flag = all(dotted(item.test) == f"{variable}.requires_grad" for item in tests)
    return is_flag and (not tests or work.program.keeps_all_trained)


def _chained_sources(work: NormalizationRound, node: cst.BaseExpression) -> list[cst.BaseExpression] | None:
    """The sources of `itertools.chain(a.parameters(), b.parameters())`, which can be gone through once."""
    match node:
        case cst.Call(func=function, args=args) if work.values(function).const == "itertools.chain":
            given = [item.value for item in args if not item.star and item.keyword is None]
            is_all = len(given) == len(args) and all(_gives_parameters(work, item) for item in given)
            return given if is_all else None
    return None


def passing_sources(work: NormalizationRound, node: cst.BaseExpression) -> list[cst.BaseExpression] | None:
    """The sources of an iterator over the parameters of modules: `a.parameters()` itself, or a chain of such."""
    return [node] if _gives_parameters(work, node) else _chained_sources(work, node)


def _gives_parameters(work: NormalizationRound, node: cst.BaseExpression) -> bool:
    match node:
        case cst.Call(func=cst.Attribute(value=module, attr=cst.Name("parameters")), args=[]):
            return dotted(module) is not None and work.values(module).kind is Kind.MODULE
    return False


__all__ = [
    "is_at_init",
    "joined_sources",
    "normalize_changed_pairs",
    "normalize_joined_parameters",
    "normalize_parameter_lists",
    "parameters_stay",
    "passing_sources",
]
