"""Steps of LBFGS, which runs its closure several times: a loop that runs what the closure does, and goes where the search says.

optimizer = LBFGS(net.parameters())             search = LBFGS()
...                                             ...
def closure():                                  search.begin()
    optimizer.zero_grad()                ->     while search.is_searching:
    loss = criterion(net(x), y)                     net.zero_grad()
    loss.backward()                                 loss = criterion(net(x), y)
    return loss                                     loss.backward()
                                                    with torch.no_grad():
loss = optimizer.step(closure)                          ... search.tell(loss, gradient, point) ...
                                                loss = search.first_loss

The search is a class of the program then (`libraries/torch_lbfgs.py`), in torch's words. Optimizers that something else is asked of,
and those whose closures do not stand beside their steps, are left as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from torch2jax.facts.contexts import turns_off
from torch2jax.facts.parameters import given_parameters
from torch2jax.normalize.closure_steps import given_closures, new_names, returned_by, uses_of
from torch2jax.normalize.joined_parameters import joined_sources
from torch2jax.normalize.library_sources import read_source
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.normalize.written_out import renamed
from torch2jax.program.program import Function, dotted
from torch2jax.program.statements import suite_body, target_of_call
from torch2jax.records import dataclass
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import always, always_statements
from torch2jax.syntax.quote import names_in, quote_statement, quote_statements
from torch2jax.values import Kind

_CLASS = "torch.optim.LBFGS"
_FILE = "torch_lbfgs"


def normalize_searched_steps(work: NormalizationRound) -> None:
    """Normalize all such optimizers of a file, and their steps."""
    if work.torch_alias() != "torch":
        return
    calls = [call for call in work.index.calls if work.values.torch_name(call.func) == _CLASS]
    searches = [found for call in calls if (found := _search(work, call)) is not None]
    if not searches:
        return
    name = work.fresh("LBFGS")
    for search in searches:
        search.edit(name)
    text = read_source(_FILE).parts["LBFGS"].text.replace("class LBFGS:", f"class {name}:", 1)
    first = next(item for item in work.index.module.body if _is_code(item))
    work.edits.before(first, always_statements(quote_statements(text)))


def _is_code(statement: cst.CSTNode) -> bool:
    if not isinstance(statement, cst.SimpleStatementLine):
        return True
    small = statement.body[0]
    is_text = isinstance(small, cst.Expr) and isinstance(small.value, (cst.SimpleString, cst.ConcatenatedString))
    return not is_text and not isinstance(small, (cst.Import, cst.ImportFrom))


@dataclass(frozen=True, slots=True)
class _Step:
    """A call of `step`, the closure that it runs, and what this gives back."""

    call: cst.Call
    closure: Function
    returned: cst.BaseExpression


@dataclass(frozen=True, slots=True)
class _Search:
    """An optimizer, what it trains (the parameters of a module, or tensors), the steps that it takes, and the places where it
    empties gradients."""

    work: NormalizationRound
    made: cst.Call
    module: cst.BaseExpression | None
    tensors: Sequence[cst.BaseExpression]
    steps: Sequence[_Step]
    clears: Sequence[cst.Call]

    def edit(self, name: str) -> None:
        given = given_parameters(self.made)
        options = [item for item in self.made.args if item.value is not given]
        made = cst.Call(cst.Name(name), [item.with_changes(comma=cst.MaybeSentinel.DEFAULT) for item in options])
        self.work.edits.replace(self.made, always(made.deep_clone()))
        closures = {step.closure.node for step in self.steps}
        for node in closures:
            self.work.edits.remove(node)
        for step in self.steps:
            self._write_out(step)
        for clear in self.clears:
            line = self.work.index.statement_of(clear)
            if not any(closure in self.work.index.ancestors(line) for closure in closures):
                self.work.edits.rewrite_statement(line, always_statements(self._emptied()))

    def _emptied(self) -> list[cst.BaseStatement]:
        module = self.module or self._holder()
        if module is not None:
            return list(quote_statements(f"{code(module)}.zero_grad()"))
        return list(quote_statements("\n".join(f"{code(item)}.grad = None" for item in self.tensors)))

    def _holder(self) -> cst.BaseExpression | None:
        """The module that holds all tensors, where nobody looks at the gradients of its others: `LBFGS([net.temperature])`."""
        work, held = self.work, [item.value for item in self.tensors if isinstance(item, cst.Attribute)]
        if len({code(item) for item in held}) != 1 or len(held) < len(self.tensors):
            return None
        closures = {step.closure.node for step in self.steps}
        others = [
            work.index.function_of(node) or work.index.module
            for node in work.index.attributes
            if node.attr.value == "backward" and closures.isdisjoint(work.index.ancestors(node))
        ]
        is_alone = all("zero_grad" in names_in(scope) for scope in others)
        is_read = any(file.mentions("grad") for file in work.program.files)
        return held[0] if work.values(held[0]).kind is Kind.MODULE and is_alone and not is_read else None

    def _write_out(self, step: _Step) -> None:
        work, call = self.work, step.call
        line = work.index.statement_of(call)
        assert isinstance(call.func, cst.Attribute) and isinstance(line, cst.SimpleStatementLine)
        search, fresh = code(call.func.value), work.names_at(call)
        target = target_of_call(line, call)
        names = new_names(work, call, step.closure, "")
        body = [
            item
            for item in suite_body(step.closure.node)[:-1]
            if not isinstance(_small(item), (cst.Nonlocal, cst.Global))
        ]
        inner = [made for item in body for made in self._statement(renamed(work, item, names), code(call.func.value))]
        value = renamed(work, step.returned, names)
        loss = value.value if isinstance(value, cst.Name) else fresh("loss")
        if not isinstance(value, cst.Name):
            inner.append(quote_statement(f"{loss} = {{value}}", value=value))
        gradient, point, parts = fresh("gradient"), fresh("point"), fresh("parts")
        tail = self._told(search, loss, gradient, point, parts, fresh)
        (loop,) = quote_statements(f"while {search}.is_searching:\n    pass")
        assert isinstance(loop, cst.While)
        made = [
            *quote_statements(f"{search}.begin()"),
            loop.with_changes(body=cst.IndentedBlock([*inner, *quote_statements(tail)])),
            *(quote_statements(f"{target} = {search}.first_loss") if target else ()),
        ]
        made[0] = made[0].with_changes(leading_lines=line.leading_lines)
        work.edits.rewrite_statement(line, always_statements(made))

    def _statement(self, line: cst.BaseStatement, optimizer: str) -> list[cst.BaseStatement]:
        """A line of a closure where it is run: gradients are recorded there, and emptied of what the optimizer trains."""
        match line:
            case cst.If(test=test, body=cst.IndentedBlock(body=body), orelse=None) if code(
                test
            ).strip() in _SURE or _asks_for_graph(test):
                return [made for item in body for made in self._statement(item, optimizer)]
            case cst.SimpleStatementLine(
                body=[cst.Expr(value=cst.Call(func=cst.Attribute(value=owner, attr=cst.Name("zero_grad"))))]
            ) if code(owner) == optimizer:
                return self._emptied()
        return [line]

    def _told(self, search: str, loss: str, gradient: str, point: str, parts: str, fresh: object) -> str:
        """The lines that tell a search what is known at a point, and go to the next."""
        if self.module is None:
            places = [code(item) for item in self.tensors]
            gradients, values = (", ".join(f"{item}{what}.reshape(-1)" for item in places) for what in (".grad", ""))
            sizes = ", ".join(f"{item}.numel()" for item in places)
            moves = [f"    {item}.copy_({parts}[{n}].view_as({item}))" for n, item in enumerate(places)]
            listed = (f"[{gradients}]", f"[{values}]", f"[{sizes}]")
        else:
            over = f"for p in {code(self.module)}.parameters()"
            moves = [
                f"    for p, part in zip({code(self.module)}.parameters(), {parts}):",
                "        p.copy_(part.view_as(p))",
            ]
            listed = (f"[p.grad.reshape(-1) {over}]", f"[p.reshape(-1) {over}]", f"[p.numel() {over}]")
        return "\n".join(
            [
                "with torch.no_grad():",
                f"    {gradient} = torch.cat({listed[0]})",
                f"    {point} = {search}.tell({loss}, {gradient}, torch.cat({listed[1]}))",
                f"    {parts} = list({point}.split({listed[2]}))",
                *moves,
            ]
        )


_OF_DATA = ("torch.tensor", "torch.zeros", "torch.ones", "torch.autograd.Variable")  # which make no parameters
_SURE = ("torch.is_grad_enabled()",)


def _asks_for_graph(test: cst.BaseExpression) -> bool:
    """`loss.requires_grad`"""
    return isinstance(test, cst.Attribute) and test.attr.value == "requires_grad" and isinstance(test.value, cst.Name)


def _small(statement: cst.CSTNode) -> cst.CSTNode | None:
    return statement.body[0] if isinstance(statement, cst.SimpleStatementLine) else None


def _search(work: NormalizationRound, made: cst.Call) -> _Search | None:
    """An optimizer of which nothing is asked but steps with closures in sight, and to empty gradients."""
    given, value = given_parameters(made), work.values(made)
    if given is None or value.kind is not Kind.OPTIMIZER or any(item.star for item in made.args):
        return None
    sources = [given] if _module_of(given) is not None else joined_sources(work, given)
    module = _module_of(sources[0]) if sources is not None and len(sources) == 1 else None
    tensors = [] if module is not None else list(_tensors(work, given))
    if (module is None and not tensors) or (module is not None and _may_be_frozen(work)):
        return None
    steps: list[_Step] = []
    clears: list[cst.Call] = []
    for use in _uses(work, made):
        parent = work.index.parents[use]
        call = work.index.parents[parent]
        if not isinstance(parent, cst.Attribute) or not isinstance(call, cst.Call) or call.func is not parent:
            return None
        if parent.attr.value == "zero_grad" and isinstance(work.index.parents[call], cst.Expr):
            clears.append(call)
            continue
        step = _step(work, call) if parent.attr.value == "step" else None
        if step is None:
            return None
        steps.append(step)
    closures = [step.call.args[0].value for step in steps]
    if not steps or any(use not in closures for step in steps for use in uses_of(work, step.closure)):
        return None
    return _Search(work, made, module, tensors, steps, clears)


def _may_be_frozen(work: NormalizationRound) -> bool:
    """Whether parameters may be taken out of training: they have no gradient, and the search must not move them."""
    others = [item for item in work.program.files if item.index is not work.index]
    if any(item.mentions("requires_grad") or item.mentions("requires_grad_") for item in others):
        return True
    stored = any(
        isinstance(node.target, cst.Attribute)
        and node.target.attr.value == "requires_grad"
        and dotted(work.set_alone(node.target)) != "True"
        for node in work.index.every(cst.AssignTarget)
    )
    given = any(
        item.keyword is not None and item.keyword.value == "requires_grad" and dotted(item.value) != "True"
        for call in work.index.calls
        if work.values.torch_name(call.func) not in _OF_DATA
        for item in call.args
    )
    called = [node for node in work.index.attributes if node.attr.value == "requires_grad_"]
    return stored or given or not all(_sets_flag(work.index.parents[node]) for node in called)


def _sets_flag(call: cst.CSTNode) -> bool:
    """`x.requires_grad_()`, `x.requires_grad_(True)`"""
    return isinstance(call, cst.Call) and all(dotted(item.value) == "True" for item in call.args)


def _module_of(node: cst.BaseExpression) -> cst.BaseExpression | None:
    match node:
        case cst.Call(func=cst.Attribute(value=module, attr=cst.Name("parameters")), args=[]):
            return module if dotted(module) is not None else None
    return None


def _tensors(work: NormalizationRound, given: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """The tensors that a display names; none if it holds anything else."""
    if isinstance(given, (cst.List, cst.Tuple)):
        items = [element.value for element in given.elements if isinstance(element, cst.Element)]
        if all(dotted(item) is not None and work.values(item).kind is Kind.TENSOR for item in items):
            yield from items if len(items) == len(given.elements) else ()


def _uses(work: NormalizationRound, made: cst.Call) -> Sequence[cst.BaseExpression]:
    """Where a file reads an optimizer, by whichever name."""
    types, parents = work.values(made).types, work.index.parents
    found: list[cst.BaseExpression] = []
    for node in (*work.index.names, *work.index.attributes):
        value = work.values(node)
        if value.kind is Kind.OPTIMIZER and value.types & types and not isinstance(parents[node], cst.AssignTarget):
            if not (isinstance(node, cst.Name) and work.index.is_label(node)):
                found.append(node)
    return found


def _step(work: NormalizationRound, call: cst.Call) -> _Step | None:
    """A step with a closure whose statements mean the same where it is called."""
    match call.args:
        case [cst.Arg(value=given, star="", keyword=None | cst.Name("closure"))]:
            pass
        case _:
            return None
    line = work.index.statement_of(call)
    reached = given_closures(work, given)
    function = reached[0] if len(reached) == 1 else None
    around = work.program.function_around(call)
    if function is None or not isinstance(line, cst.SimpleStatementLine) or target_of_call(line, call) is None:
        return None
    is_method = function.owner is not None and around is not None and function.owner is around.owner
    is_near = function.owner is None and function.outer is around
    without = [item for item in work.index.ancestors(call) if isinstance(item, cst.With)]
    if not (is_near or is_method) or any(turns_off(part.item, work.values) for item in without for part in item.items):
        return None
    returned = returned_by(function)
    return _Step(call, function, returned) if returned is not None else None


__all__ = ["normalize_searched_steps"]
