"""Loops over some of the parameters of a module that look at their gradients, normalized to loops over all with a question.

parameters = list(filter(lambda p: p.grad is not None, model.parameters()))      for p in model.parameters():
for p in parameters:                                                      ->         if p.grad is not None:
    p.grad.clamp_(-1, 1)                                                                 p.grad.clamp_(-1, 1)

Gradients are values beside the parameters: a list of parameters says nothing of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeGuard

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.definitions import Definition, How
from torch2jax.program.program import dotted
from torch2jax.records import dataclass
from torch2jax.syntax.edits import Rewriter, always
from torch2jax.syntax.folding import Insertion
from torch2jax.syntax.quote import quote
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_LISTING = frozenset({"parameters", "named_parameters"})
_LISTS = frozenset({"list", "tuple"})
# What may say anew what is trained, and what may give or take gradients
_FLAGS = frozenset({"requires_grad", "requires_grad_", "apply"})
_MOVING = _FLAGS | {"backward", "zero_grad", "step"}
_KEEPING = frozenset({"parameters", "named_parameters", "zero_grad", "train", "eval", "state_dict"})  # all flags


@dataclass(frozen=True, slots=True)
class _Chosen:
    """The parameters that `listed` gives and that all of `tests` hold for, each with its own name of the parameter; `once`: they
    can be gone through once. `named` are the bindings of the variables in between.
    """

    listed: cst.Call
    tests: tuple[tuple[str, cst.BaseExpression], ...]
    once: bool
    named: tuple[Definition, ...] = ()


def normalize_gradient_lists(work: NormalizationRound) -> None:
    """Normalize all such loops of a file, and take lists away that nobody else reads."""
    if not work.program.mentions("backward") or not work.program.mentions("grad"):
        return
    through: dict[cst.Name, Definition] = {}
    lines: dict[cst.CSTNode, Definition] = {}
    for loop in work.index.every(cst.For, cst.CompFor):
        assert isinstance(loop, (cst.For, cst.CompFor))
        found = _chosen(work, loop.iter) if _looks_at_gradients(work, loop) else None
        if found is None or not (found.tests or found.named) or not _is_as_it_was(work, loop, found):
            continue
        if not _can_ask(loop, found):
            continue
        _go_through(work, loop, found)
        for name, definition in _names_between(work, loop.iter):
            through[name] = definition
            lines[definition.node] = definition
    _drop_read_nowhere(work, through, list(lines.values()))


def _looks_at_gradients(work: NormalizationRound, loop: cst.For | cst.CompFor) -> bool:
    """Whether a loop reads the gradient of its variable, or its list is one of those that have some."""
    scope: cst.CSTNode = loop if isinstance(loop, cst.For) else work.index.parents[loop]
    names = {node.value for node in (loop.target, *descendants(loop.target)) if isinstance(node, cst.Name)}
    return any(node.attr.value == "grad" and dotted(node.value) in names for node in descendants(scope, cst.Attribute))


def _chosen(work: NormalizationRound, node: cst.BaseExpression) -> _Chosen | None:
    """Which parameters of a module an expression gives, in their order."""
    match node:
        case cst.Name():
            bound = work.program.definitions.only(node)
            if bound is None or bound.how is not How.ASSIGNED or bound.value is None:
                return None
            found = _chosen(work, bound.value)
            if found is None or (found.once and work.program.definitions.uses(bound) != [node]):
                return None
            return _Chosen(found.listed, found.tests, found.once, (*found.named, bound))
        case cst.Call(func=cst.Attribute(value=module, attr=cst.Name(method)), args=[]) if method in _LISTING:
            is_module = dotted(module) is not None and work.values(module).kind is Kind.MODULE
            return _Chosen(node, (), True) if is_module else None
        case cst.Call(func=cst.Name(function), args=[cst.Arg(value=inner, keyword=None, star="")]) if (
            function in _LISTS
        ):
            found = _chosen(work, inner)
            return _Chosen(found.listed, found.tests, False, found.named) if found is not None else None
        case cst.Call(
            func=cst.Name("filter"),
            args=[
                cst.Arg(value=cst.Lambda(params=cst.Parameters(params=[cst.Param(name=cst.Name(item))]), body=test)),
                cst.Arg(value=inner),
            ],
        ):
            return _with_tests(_chosen(work, inner), item, [test], True)
        case cst.ListComp(elt=cst.Name(item), for_in=loop) | cst.GeneratorExp(elt=cst.Name(item), for_in=loop):
            if loop.inner_for_in is not None or dotted(loop.target) != item or loop.asynchronous is not None:
                return None
            tests = [part.test for part in loop.ifs]
            return _with_tests(_chosen(work, loop.iter), item, tests, isinstance(node, cst.GeneratorExp))
    return None


def _with_tests(found: _Chosen | None, item: str, tests: list[cst.BaseExpression], once: bool) -> _Chosen | None:
    """Those of some parameters that tests hold for, which ask nothing but the parameter itself."""
    is_named = (
        found is not None
        and isinstance(found.listed.func, cst.Attribute)
        and (found.listed.func.attr.value == "named_parameters")
    )
    if found is None or is_named or not all(_asks_of(test, item) for test in tests):
        return None
    return _Chosen(found.listed, (*found.tests, *((item, test) for test in tests)), once, found.named)


def _asks_of(test: cst.BaseExpression, item: str) -> bool:
    """Whether a test asks a parameter for its flag, its number of axes or its gradient, and calls nothing."""
    inner = (test, *descendants(test))
    names = {node.value.value for node in inner if isinstance(node, cst.Attribute) and isinstance(node.value, cst.Name)}
    plain = (cst.Call, cst.Lambda, cst.BaseComp, cst.NamedExpr, cst.Await)
    return names == {item} and not any(isinstance(node, plain) for node in inner)


def _names_between(work: NormalizationRound, node: cst.BaseExpression) -> Iterator[tuple[cst.Name, Definition]]:
    """The names through which an expression comes to what it gives, and their bindings."""
    for item in (node, *descendants(node)):
        if isinstance(item, cst.Name) and not work.index.is_label(item):
            bound = work.program.definitions.only(item)
            if bound is not None and bound.value is not None and _chosen(work, item) is not None:
                yield item, bound
                yield from _names_between(work, bound.value)


def _is_as_it_was(work: NormalizationRound, loop: cst.For | cst.CompFor, found: _Chosen) -> bool:
    """Whether nothing has changed which parameters a list holds, and what was asked of them, where a loop goes through it: both
    stand in one block, and nothing between them could.
    """
    root = (dotted(found.listed.func) or "").split(".")[0]
    for bound in found.named:
        line = work.index.statement_of(bound.node)
        block = work.index.parents[line]
        at: cst.CSTNode | None = loop
        while at is not None and work.index.parents.get(at) is not block:
            at = work.index.parents.get(at)
        if at is None or not isinstance(block, (cst.IndentedBlock, cst.Module)):
            return False
        body = list(block.body)
        first, last = body.index(line), body.index(at)  # type: ignore[arg-type]
        # the loop itself counts where it stands deeper: its rounds come one after the other
        own = [] if at is loop or at is work.index.statement_of(loop) else [at]
        between = [*body[first + 1 : last], *own]
        asked = {
            node.attr.value for _, test in found.tests for node in (test, *descendants(test)) if _is_attribute(node)
        }
        words = _MOVING if "grad" in asked else _FLAGS if "requires_grad" in asked else frozenset[str]()
        if first >= last or any(_may_change(work, item, root, words) for item in between):
            return False
    return True


def _is_attribute(node: cst.CSTNode) -> TypeGuard[cst.Attribute]:
    return isinstance(node, cst.Attribute)


def _may_change(work: NormalizationRound, line: cst.CSTNode, root: str, words: frozenset[str]) -> bool:
    """Whether a line may make a module anew, or, by some words or in the hands of others, change what its parameters were asked."""
    for node in descendants(line):
        match node:
            case cst.AssignTarget(target=target) | cst.AugAssign(target=target) | cst.AnnAssign(target=target):
                if (dotted(target) or root).split(".")[0] == root or ("step" in words and _is_gradient(target)):
                    return True
            case cst.Attribute(attr=cst.Name("requires_grad")):
                if words and isinstance(work.index.parents[node], cst.AssignTarget):
                    return True
            case cst.Attribute(attr=cst.Name(name)) if name in words:
                return True
            case cst.Call(func=cst.Name("setattr")) if words:
                return True
            case cst.Arg(value=value) if words and work.values(value).kind is Kind.MODULE:
                return True
            case cst.Name(name) if name == root and words and not work.index.is_label(node):
                if not _is_called_or_listed(work, node):
                    return True
    return False


def _is_called_or_listed(work: NormalizationRound, node: cst.Name) -> bool:
    """Whether a module is called, as are its parts, or asked for what leaves its flags as they are."""
    whole: cst.CSTNode = node
    parent = work.index.parents[node]
    while isinstance(parent, (cst.Attribute, cst.Subscript)) and parent.value is whole:
        whole, parent = parent, work.index.parents[parent]
    is_call = isinstance(parent, cst.Call) and parent.func is whole
    return is_call and (not isinstance(whole, cst.Attribute) or whole.attr.value in _KEEPING)


def _is_gradient(target: cst.BaseExpression) -> bool:
    return isinstance(target, cst.Attribute) and target.attr.value == "grad"


def _can_ask(loop: cst.For | cst.CompFor, found: _Chosen) -> bool:
    """Whether questions can be put to the variable of a loop."""
    if not found.tests:
        return True
    if isinstance(loop, cst.For):
        return isinstance(loop.target, cst.Name) and isinstance(loop.body, cst.IndentedBlock)
    return isinstance(loop.target, cst.Name)


def _go_through(work: NormalizationRound, loop: cst.For | cst.CompFor, found: _Chosen) -> None:
    name = cst.Name(dotted(loop.target) or "")
    tests = [_about(test, item, name) for item, test in found.tests]
    listed = work.copy(found.listed)

    if isinstance(loop, cst.For):
        work.edits.replace(loop.iter, always(listed))
        if tests:
            work.edits.replace(loop.body, lambda rewrite: _asking_first(rewrite.inside(loop.body), tests))
        return

    def build(rewrite: Rewriter) -> cst.CSTNode:
        inside = cst.ensure_type(rewrite.inside(loop), cst.CompFor)
        ifs = [cst.CompIf(_in_order(test), whitespace_before=cst.SimpleWhitespace(" ")) for test in tests]
        return inside.with_changes(iter=listed, ifs=[*ifs, *inside.ifs])

    work.edits.replace(loop, build)


def _asking_first(body: cst.CSTNode, tests: Sequence[cst.BaseExpression]) -> cst.CSTNode:
    for test in reversed(tests):
        assert isinstance(body, cst.BaseSuite)
        body = cst.IndentedBlock([cst.If(test, body)])
    return body


def _in_order(test: cst.BaseExpression) -> cst.BaseExpression:
    return test if not isinstance(test, (cst.IfExp, cst.Lambda)) else quote("({test})", test=test)


def _about(test: cst.BaseExpression, item: str, name: cst.Name) -> cst.BaseExpression:
    """A test about another name of the parameter."""
    made = test.deep_clone() if item == name.value else test.deep_clone().visit(Insertion({item: name}))
    assert isinstance(made, cst.BaseExpression)
    return made


def _drop_read_nowhere(
    work: NormalizationRound, through: dict[cst.Name, Definition], definitions: list[Definition]
) -> None:
    """Take the lines away that bind lists which only such loops go through."""
    gone: set[cst.CSTNode] = set()
    for definition in sorted(definitions, key=lambda item: work.index.nodes.index(item.node), reverse=True):
        line = work.index.statement_of(definition.node)
        inside = {item for one in gone for item in descendants(one)}
        uses = [use for use in work.program.definitions.uses(definition) if use not in inside]
        if all(use in through for use in uses) and isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1:
            if isinstance(line.body[0], cst.Assign) and len(line.body[0].targets) == 1:
                gone.add(line)
                work.edits.remove(line)


__all__ = ["normalize_gradient_lists"]
