"""Contexts that a value chooses, with gradients or without, normalized to `torch.set_grad_enabled`.

context = torch.no_grad if frozen else nullcontext    ->   with_gradient = not frozen
with context():                                            with torch.set_grad_enabled(with_gradient):
    y = self.encoder(x)                                        y = self.encoder(x)

A context that does nothing leaves gradients as they are around it. So does the translation of one that switches them on: what
is computed below a context without gradients is made constant where that one ends.
"""

from __future__ import annotations

from functools import partial

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.ops.contexts import Gradient, gradient_below
from torch2jax.records import dataclass
from torch2jax.syntax.edits import Rewriter
from torch2jax.syntax.quote import quote_statement
from torch2jax.syntax.walk import descendants, with_fields
from torch2jax.values import Kind


def normalize_chosen_contexts(work: NormalizationRound) -> None:
    """Normalize all such contexts of a file."""
    if not work.program.mentions("torch"):
        return
    done: set[cst.FunctionDef | None] = set()  # one new name for each function in a round
    for node in work.index.every(cst.With):
        function = work.index.function_of(node)
        if len(node.items) == 1 and node.items[0].asname is None and function not in done:
            if _normalize(work, node, node.items[0]):
                done.add(function)


@dataclass(frozen=True, slots=True)
class _Choice:
    """What a choice between contexts asks, whether there are gradients where it holds, and the context that says so."""

    test: cst.BaseExpression
    is_direct: bool
    switch: cst.BaseExpression

    def bind(self, name: str, rewrite: Rewriter) -> cst.SimpleStatementLine:
        text = f"{name} = {{test}}" if self.is_direct else f"{name} = not {{test}}"
        return cst.ensure_type(quote_statement(text, test=rewrite.expression(self.test)), cst.SimpleStatementLine)

    def enter(self, name: str, item: cst.WithItem, rewrite: Rewriter) -> cst.WithItem:
        switch = cst.ensure_type(self.switch.deep_clone(), cst.Attribute)
        return with_fields(item, item=cst.Call(switch, [cst.Arg(cst.Name(name))]))


def _normalize(work: NormalizationRound, node: cst.With, item: cst.WithItem) -> bool:
    context = item.item
    if isinstance(context, cst.IfExp):
        choice = _choice(work, context, is_called=True)
        if choice is not None:
            name = work.names_at(node)("with_gradient")
            work.edits.before(node, lambda rewrite: [choice.bind(name, rewrite)])
            work.edits.replace(item, partial(choice.enter, name, item))
        return choice is not None
    if isinstance(context, cst.Call):
        is_plain = isinstance(context.func, cst.Name) and not context.args
        return is_plain and _normalize_variable(work, node, cst.ensure_type(context.func, cst.Name).value, True)
    return isinstance(context, cst.Name) and _normalize_variable(work, node, context.value, False)


def _normalize_variable(work: NormalizationRound, node: cst.With, name: str, called: bool) -> bool:
    """The contexts of a variable that is bound once, and does nothing but enter them."""
    function = work.index.function_of(node)
    if function is None:
        return False
    uses = [part for part in descendants(function, cst.Name) if part.value == name]
    bound = [part for part in uses if isinstance(work.index.parents[part], cst.AssignTarget)]
    items = [_item_of(work, part, called) for part in uses if part not in bound]
    if len(bound) != 1 or None in items or work.index.function_of(bound[0]) is not function:
        return False
    assign = work.index.parents[work.index.parents[bound[0]]]
    if not isinstance(assign, cst.Assign) or len(assign.targets) != 1 or not isinstance(assign.value, cst.IfExp):
        return False
    choice = _choice(work, assign.value, is_called=not called)
    if choice is None:
        return False
    flag = work.names_at(node)("with_gradient")
    work.edits.replace(assign, lambda rewrite: choice.bind(flag, rewrite).body[0])
    for item in items:
        if item is not None:
            work.edits.replace(item, partial(choice.enter, flag, item))
    return True


def _item_of(work: NormalizationRound, name: cst.Name, called: bool) -> cst.WithItem | None:
    """The item of a `with` that enters what a variable holds, or what it gives when it is called."""
    user = work.index.parents[name]
    if called:
        is_call = isinstance(user, cst.Call) and user.func is name and not user.args
        user = work.index.parents[user] if is_call else user
    statement = work.index.parents.get(user)
    is_alone = isinstance(statement, cst.With) and len(statement.items) == 1
    return user if isinstance(user, cst.WithItem) and user.asname is None and is_alone else None


def _choice(work: NormalizationRound, node: cst.IfExp, *, is_called: bool) -> _Choice | None:
    """A choice between a context without gradients and one with them, or one that does nothing."""
    first, second = (_context(branch, is_called) for branch in (node.body, node.orelse))
    modes = [_mode(work, first), _mode(work, second)]
    if set(modes) not in ({Gradient.OFF, Gradient.ON}, {Gradient.OFF, Gradient.AS_AROUND}):
        return None
    off = first if modes[0] is Gradient.OFF else second
    if not isinstance(off, cst.Attribute):
        return None
    switch = off.with_changes(attr=cst.Name("set_grad_enabled"))
    return _Choice(node.test, off is not first, switch)


def _context(branch: cst.BaseExpression, is_called: bool) -> cst.BaseExpression | None:
    """The class of a context; None if it is made with arguments."""
    if not is_called:
        return branch
    return branch.func if isinstance(branch, cst.Call) and not branch.args else None


def _mode(work: NormalizationRound, context: cst.BaseExpression | None) -> Gradient | None:
    """What a context does with gradients; None if it may do something else, too."""
    if context is None:
        return None
    if work.values(context).kind is Kind.PYTHON and work.values(context).const == "contextlib.nullcontext":
        return Gradient.AS_AROUND
    return gradient_below(work.values.torch_name(context) or "")


__all__ = ["normalize_chosen_contexts"]
