"""Accumulation of gradients that `accelerate.Accelerator` does, written out.

for x, y in loader:                               for number, (x, y) in enumerate(loader):
    with accelerator.accumulate(model):               is_last = (number + 1) % 4 == 0 or number + 1 == len(loader)
        loss = criterion(model(x), y)                 loss = criterion(model(x), y)
        accelerator.backward(loss)                    (loss / 4).backward()
        optimizer.step()                      ->      if is_last:
        optimizer.zero_grad()                             optimizer.step()
                                                          optimizer.zero_grad()
    if accelerator.sync_gradients:                    if is_last:
        steps += 1                                        steps += 1

The last batch of a loader that the accelerator has prepared ends an accumulation. Where a loop may be left before that, passes
are counted in a variable, which goes on in the next loop.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from torch2jax.facts.accelerators import ACCELERATOR, is_made_of
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import dotted
from torch2jax.records import dataclass
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import Rewriter, always_statements, as_expression
from torch2jax.syntax.quote import quote, quote_statement
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

STEPS = "gradient_accumulation_steps"
_GUARDED = frozenset({"step", "zero_grad"})
_PROGRESS = frozenset({"tqdm", "tqdm.tqdm", "tqdm.auto.tqdm"})


def is_accelerator(work: NormalizationRound, node: cst.CSTNode) -> bool:
    return is_made_of(work.values(node), ACCELERATOR)


def step_count(work: NormalizationRound, node: cst.CSTNode) -> str | None:
    """Over how many passes the accelerators of a program accumulate, as it can be written at a place; None where it cannot."""
    given = [(call, item.value) for call in _makers(work) for item in call.args if _keyword(item) == STEPS]
    if not given:
        return "1"
    maker, value = given[0]
    if len(given) > 1 or maker not in work.index.parents:
        return None
    if isinstance(constant := work.values(value).const, int):
        return str(constant)
    own, function = work.index.function_of(maker), work.index.function_of(node)
    root = value
    while isinstance(root, cst.Attribute):
        root = root.value
    if not isinstance(root, cst.Name) or dotted(value) is None:
        return None
    if own in (function, None):
        return code(value) if work.program.definitions.bound_once(root) is not None else None
    return _field_with(work, maker, value, node)


def _makers(work: NormalizationRound) -> Iterator[cst.Call]:
    for file in work.program.files:
        if file.mentions(ACCELERATOR):
            yield from (
                call for call in file.index.calls if (dotted(call.func) or "").rpartition(".")[2] == ACCELERATOR
            )


def _keyword(item: cst.Arg) -> str:
    return item.keyword.value if item.keyword is not None else ""


def _field_with(work: NormalizationRound, maker: cst.Call, value: cst.BaseExpression, node: cst.CSTNode) -> str | None:
    """`self.steps`, where `__init__` keeps what it gives the accelerator in that field, and nothing else does."""
    maker_function, function = work.program.function_around(maker), work.program.function_around(node)
    if maker_function is None or function is None or function.owner is None:
        return None
    if maker_function.owner is not function.owner or maker_function.name != "__init__":
        return None
    fields = [
        (dotted(item.targets[0].target) or "", dotted(item.value))
        for item in work.index.every(cst.Assign)
        if isinstance(item.targets[0].target, cst.Attribute)
    ]
    kept = [name for name, text in fields if text == dotted(value) and name.startswith(f"{maker_function.self_name}.")]
    if len(kept) != 1 or [name for name, _ in fields].count(kept[0]) != 1:
        return None
    return f"{function.self_name}.{kept[0].partition('.')[2]}"


def accumulate(work: NormalizationRound) -> None:
    """Write out the accumulation of all loops of a file."""
    _note_prepared(work)
    for node in work.index.every(cst.With):
        for item in node.items:
            call = item.item
            if not isinstance(call, cst.Call) or not isinstance(call.func, cst.Attribute):
                continue
            if call.func.attr.value != "accumulate" or not is_accelerator(work, call.func.value):
                continue
            count = step_count(work, call)
            if count != "1":
                reason = _Loop(work, node, item, count or "").write() if count is not None else _UNKNOWN
                if reason is not None:
                    work.refuse(call, "accelerate.Accelerator.accumulate", reason)


_UNKNOWN = "it cannot be told here over how many passes gradients are accumulated"


def _note_prepared(work: NormalizationRound) -> None:
    """Mark the names of what accelerators have prepared: loaders end accumulations, and optimizers and schedulers wait for that."""
    for call in work.index.calls:
        if isinstance(call.func, cst.Attribute) and call.func.attr.value.startswith("prepare"):
            if is_accelerator(work, call.func.value):
                work.marks.update(("prepared", _last(item.value)) for item in call.args)
                line = work.index.parents[call]
                if isinstance(line, cst.Assign):
                    targets = [node for item in line.targets for node in (item.target, *descendants(item.target))]
                    work.marks.update(("prepared", _last(node)) for node in targets)


def _last(node: cst.CSTNode) -> str:
    return (dotted(node) or "").rpartition(".")[2] if isinstance(node, cst.BaseExpression) else ""


@dataclass(slots=True)
class _Loop:
    """One loop with a block in which gradients are accumulated."""

    work: NormalizationRound
    node: cst.With
    item: cst.WithItem
    count: str

    def write(self) -> str | None:
        """Write it out; else why not."""
        work, loop = self.work, self._loop()
        if loop is None or len(self.node.items) != 1 or self.item.asname is not None:
            return "the block does not stand alone in a loop over a loader"
        loader, is_counted = _loader(work, loop.iter)
        if loader is None or not self._is_prepared(loader):
            return "what the loop goes through is no loader that the accelerator has prepared"
        reason = self._doubt(loop)
        if reason is not None:
            return reason
        taken = work.names_at(self.node)
        name = taken("is_last")
        number = loop.target.elements[0].value if is_counted and isinstance(loop.target, cst.Tuple) else None
        text = number.value if isinstance(number, cst.Name) else taken("number")
        if not is_counted:
            work.edits.replace(loop.target, lambda rewrite: _numbered(text, loop.target))
            work.edits.replace(
                loop.iter, lambda rewrite: quote("enumerate({x})", x=as_expression(rewrite.inside(loop.iter)))
            )
        if self._may_leave(loop):
            passes = taken("passes")
            place = next((line for line in (*work.index.ancestors(loop),) if _is_outermost_loop(work, line)), loop)
            work.edits.before(place, always_statements([quote_statement(f"{passes} = 0")]))
            lines = [
                f"{passes} = 0 if {text} + 1 == len({code(loader)}) else {passes} + 1",
                f"{name} = {passes} % {self.count} == 0",
            ]
        else:
            lines = [f"{name} = ({text} + 1) % {self.count} == 0 or {text} + 1 == len({code(loader)})"]
        work.edits.before(self.node, always_statements([quote_statement(line) for line in lines]))
        block = cst.ensure_type(self.node.body, cst.IndentedBlock)
        self._guard(block, name)
        for question in self._questions(loop):
            work.edits.replace(question, lambda rewrite: cst.Name(name))
        work.edits.rewrite_statement(self.node, lambda rewrite: rewrite.block(block))
        return None

    def _loop(self) -> cst.For | None:
        block = self.work.index.parents[self.node]
        loop = self.work.index.parents[block]
        return loop if isinstance(loop, cst.For) and loop.body is block else None

    def _is_prepared(self, node: cst.BaseExpression) -> bool:
        mark = ("prepared", _last(node))
        return mark in self.work.marks or mark in self.work.program.marks

    def _doubt(self, loop: cst.For) -> str | None:
        """Why it is not known what the accelerator does."""
        work = self.work
        block = cst.ensure_type(loop.body, cst.IndentedBlock)
        before = block.body[: list(block.body).index(self.node)]
        if any(isinstance(item, cst.Continue) for line in before for item in descendants(line)):
            return "passes may leave it out"
        own = set(descendants(self.node))
        for call in work.index.calls:
            if isinstance(call.func, cst.Attribute) and call.func.attr.value in _GUARDED and call not in own:
                is_step = work.values(call.func.value).kind is Kind.OPTIMIZER and call.func.attr.value == "step"
                if is_step and self._is_prepared(call.func.value):
                    return "an optimizer steps outside of it, too"
            if call in own and work.values.callees.get(call):
                given = [call.func, *(item.value for item in call.args)]
                if any(work.values(item).is_a(Kind.OPTIMIZER, Kind.SCHEDULER) or is_accelerator(work, item) for item in given):  # fmt: skip
                    return "a function that is called in it may step"
        questions = [
            item
            for item in work.index.attributes
            if item.attr.value == "sync_gradients" and is_accelerator(work, item.value)
        ]
        if set(questions) - set(self._questions(loop)):
            return "it is asked elsewhere whether gradients are complete"
        if self._may_leave(loop) and not self._runs_once(loop):
            return "the loop may be left while gradients wait"
        return None

    def _questions(self, loop: cst.For) -> list[cst.Attribute]:
        """Where it is asked in and behind the block whether an accumulation is complete."""
        block = cst.ensure_type(loop.body, cst.IndentedBlock)
        lines = block.body[list(block.body).index(self.node) :]
        nodes = [item for line in lines for item in descendants(line) if isinstance(item, cst.Attribute)]
        return [item for item in nodes if item.attr.value == "sync_gradients" and is_accelerator(self.work, item.value)]

    def _may_leave(self, loop: cst.For) -> bool:
        inner = {
            node
            for item in descendants(loop.body)
            if isinstance(item, (cst.For, cst.While))
            for node in descendants(item)
        }
        leaving = [item for item in descendants(loop.body) if isinstance(item, (cst.Break, cst.Return))]
        return any(isinstance(item, cst.Return) or item not in inner for item in leaving)

    def _runs_once(self, loop: cst.For) -> bool:
        """Whether the function around the loop is called from one place at most, and not again and again."""
        function = self.work.program.function_around(loop)
        if function is None:
            return True
        sites = [call for call, callees in self.work.values.callees.items() if function in callees]
        return len(sites) <= 1 and not any(
            isinstance(item, (cst.For, cst.While)) for call in sites for item in self.work.index.ancestors(call)
        )

    def _guard(self, block: cst.IndentedBlock, name: str) -> None:
        """Let what the accelerator has prepared step only where an accumulation is complete."""
        work, waiting = self.work, list[cst.BaseStatement]()
        for line in block.body:
            if self._waits(line):
                waiting.append(line)
                continue
            self._join(waiting, name)
            waiting = []
            for node in descendants(line):
                if isinstance(node, cst.SimpleStatementLine) and node is not line and self._waits(node):
                    if not any(_asks(work, item) for item in work.index.ancestors(node)):
                        self._join([node], name)
        self._join(waiting, name)

    def _waits(self, line: cst.BaseStatement) -> bool:
        """`optimizer.step()`, `if accelerator.sync_gradients: ...`."""
        if isinstance(line, cst.If):
            return _asks(self.work, line) and line.orelse is None
        match line:
            case cst.SimpleStatementLine(
                body=[cst.Expr(value=cst.Call(func=cst.Attribute(value=place, attr=cst.Name(name))))]
            ) if name in _GUARDED:
                kind = self.work.values(place).kind
                return kind in (Kind.OPTIMIZER, Kind.SCHEDULER) and self._is_prepared(place)
        return False

    def _join(self, lines: Sequence[cst.BaseStatement], name: str) -> None:
        """Put lines that follow each other under one condition."""
        if not lines:
            return
        first, *others = lines
        for line in others:
            self.work.edits.remove(line)

        def build(rewrite: Rewriter) -> Sequence[cst.BaseStatement]:
            body: list[cst.BaseStatement] = []
            for line in lines:
                if isinstance(line, cst.If):
                    body += rewrite.block(cst.ensure_type(line.body, cst.IndentedBlock))
                else:
                    made = rewrite.inside(line)
                    rewrite.stands_for(made, line)
                    body.append(made)  # type: ignore[arg-type]
            return [cst.If(cst.Name(name), cst.IndentedBlock(body))]

        self.work.edits.rewrite_statement(first, build)


def _asks(work: NormalizationRound, node: cst.CSTNode) -> bool:
    """`if accelerator.sync_gradients:`."""
    match node:
        case cst.If(test=cst.Attribute(value=place, attr=cst.Name("sync_gradients"))):
            return is_accelerator(work, place)
    return False


def _numbered(name: str, target: cst.BaseAssignTargetExpression) -> cst.CSTNode:
    """`number, (x, y)`."""
    whole = target.deep_clone()
    if isinstance(whole, cst.Tuple) and not whole.lpar:
        whole = whole.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
    return cst.Tuple([cst.Element(cst.Name(name)), cst.Element(whole)], lpar=[], rpar=[])


def _loader(work: NormalizationRound, node: cst.BaseExpression) -> tuple[cst.BaseExpression | None, bool]:
    """The loader that a loop goes through, and whether it counts the batches."""
    is_counted = isinstance(node, cst.Call) and dotted(node.func) == "enumerate" and len(node.args) == 1
    if is_counted:
        node = cst.ensure_type(node, cst.Call).args[0].value
    while isinstance(node, cst.Call) and dotted(node.func) in _PROGRESS and node.args:
        node = node.args[0].value
    found = node if dotted(node) is not None and work.values(node).kind is Kind.LOADER else None
    return found, is_counted


def _is_outermost_loop(work: NormalizationRound, node: cst.CSTNode) -> bool:
    """Whether a node is a loop that stands in no other one of its function."""
    if not isinstance(node, (cst.For, cst.While)):
        return False
    for around in work.index.ancestors(node):
        if isinstance(around, cst.FunctionDef):
            return True
        if isinstance(around, (cst.For, cst.While)):
            return False
    return True


__all__ = ["STEPS", "accumulate", "is_accelerator", "step_count"]
