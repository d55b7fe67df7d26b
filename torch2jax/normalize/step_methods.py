"""Methods of one object that make up a training step together, written out in the method that steps the optimizer.

def forward(self):                             def optimize(self):
    self.fake = self.G(self.x)                     fake = self.G(self.x)
def backward_G(self):                              self.fake = fake
    self.loss = f(self.D(self.fake))               self.opt.zero_grad()
    self.loss.backward()                ->         self.loss = f(self.D(fake))
def optimize(self):                                self.loss.backward()
    self.forward()                                 self.opt.step()
    self.opt.zero_grad()
    self.backward_G()
    self.opt.step()

A gradient goes through what one method leaves in a field of the object and another one reads; it is taken of one function.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from torch2jax.facts.captures import reached
from torch2jax.facts.steps import find_steps
from torch2jax.facts.stored_graphs import paired
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.normalize.step_functions import passes_back
from torch2jax.normalize.written_out import drop_unused, is_row, write_out
from torch2jax.program.program import Class, Function, dotted
from torch2jax.syntax.edits import always, always_statements
from torch2jax.syntax.quote import quote_statement
from torch2jax.syntax.walk import descendants, own_nodes
from torch2jax.values import Kind


def normalize_step_methods(work: NormalizationRound) -> None:
    """Write out one such call in each method, and read variables where the method has set the field itself."""
    if not work.program.mentions("backward"):
        return
    for method in list(work.program.functions.values()):
        owner = method.owner
        if owner is None or owner.is_module or method.self_name is None:
            continue
        lines = _lines_of_steps(work, method)
        if lines and not _write_out_part(work, method, owner) and not lines <= _understood(work, method):
            _name_fields(work, method)


def _lines_of_steps(work: NormalizationRound, method: Function) -> set[cst.CSTNode]:
    """The lines of a method that step optimizers."""
    return {
        work.index.statement_of(node)
        for node in own_nodes(method.node)
        if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and node.func.attr.value == "step"
        if work.values(node.func.value).kind is Kind.OPTIMIZER
    }


def _understood(work: NormalizationRound, method: Function) -> set[cst.CSTNode]:
    """The lines that step an optimizer with gradients that are understood."""
    assert work.flows is not None
    steps = [step for step in find_steps(work.program, work.values, work.flows) if step.problem is None]
    lines = [line for step in steps for update in step.updates for line in update.lines]
    return {*lines, *(step.step_statement for step in steps if step.step_statement is not None)}


# self.forward()


def _write_out_part(work: NormalizationRound, method: Function, owner: Class) -> bool:
    """Write out the first call of a method that brings a graph into the step, or that takes it on."""
    calls = list(_own_calls(work, method, owner))
    passing = [(call, part) for call, part in calls if passes_back(work, part)]
    carried = _fields_read(work, [part for _, part in passing], owner) | _fields_read(work, [method], owner)
    making = {field for field in _graphs(work, method) if passing}
    bringing = []
    for call, part in calls:
        brought = _graphs(work, part) & carried if (call, part) not in passing else set[str]()
        if brought:
            bringing.append((call, part))
            making |= brought
    given = {node.attr.value for call, _ in passing for node in descendants(call) if isinstance(node, cst.Attribute)}
    is_taken = making & (given | _fields_read(work, [part for _, part in passing], owner))
    is_own = any(isinstance(node, cst.Attribute) and node.attr.value == "backward" for node in own_nodes(method.node))
    for call, part in (*bringing, *passing) if is_taken or (bringing and is_own) else ():
        if is_row(part) and write_out(work, call, part):
            drop_unused(work, part, call)
            return True
    return False


def _own_calls(work: NormalizationRound, method: Function, owner: Class) -> Iterator[tuple[cst.Call, Function]]:
    """The calls of other methods of the object in a method, each the first in a line."""
    for node in own_nodes(method.node):
        if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
            callees = work.values.callees.get(node, ())
            is_own = dotted(node.func.value) == method.self_name and len(callees) == 1
            if is_own and callees[0].owner in owner.lineage and callees[0] is not method:
                yield node, callees[0]


def _graphs(work: NormalizationRound, method: Function) -> set[str]:
    """The fields to which a method itself gives what modules compute."""
    found = set[str]()
    for node in own_nodes(method.node):
        if isinstance(node, cst.Assign) and len(node.targets) == 1:
            for place, value in paired(node.targets[0].target, node.value):
                own, _, field = (dotted(place) or "").partition(".")
                if own == method.self_name and field and "." not in field and _calls_module(work, value):
                    found.add(field)
    return found


def _calls_module(work: NormalizationRound, value: cst.BaseExpression) -> bool:
    return any(
        isinstance(node, cst.Call) and work.values(node.func).kind is Kind.MODULE
        for node in (value, *descendants(value))
    )


def _fields_read(work: NormalizationRound, methods: list[Function], owner: Class) -> set[str]:
    """The fields that methods, and those of the object that they call, read."""
    bodies = [item.node.body for item in methods]
    bodies += [item.node.body for item in reached(bodies, work.values) if item.owner in owner.lineage]
    nodes = [node for body in bodies for node in descendants(body)]
    # methods of a base class may stand in another file, whose nodes the index does not know
    stored = {node.target for node in nodes if isinstance(node, cst.AssignTarget)}
    return {node.attr.value for node in nodes if isinstance(node, cst.Attribute) and node not in stored}


# fake = self.fake


def _name_fields(work: NormalizationRound, method: Function) -> None:
    """Keep what a method gives to a field in a variable as well, where several passes back in it go through the field."""
    nodes = own_nodes(method.node)
    passes = [node for node in nodes if isinstance(node, cst.Attribute) and node.attr.value == "backward"]
    for field in sorted(_graphs(work, method)):
        place = f"{method.self_name}.{field}"
        found = [node for node in work.index.attributes if node.attr.value == field and dotted(node) == place]
        found = [node for node in found if work.program.function_around(node) is method]
        stores = [node for node in found if isinstance(work.index.parents[node], cst.AssignTarget)]
        reads = [node for node in found if node not in stores]
        if len(stores) != 1:
            continue
        line = work.index.statement_of(stores[0])
        if not isinstance(line, cst.SimpleStatementLine) or len(line.body) > 1:
            continue
        between = [work.index.statement_of(node) for node in passes if work.is_behind(node, line)]
        if not any(work.is_behind(read, item) for read in reads for item in between):
            continue
        if all(work.is_behind(read, line) for read in reads) and not _is_set_elsewhere(work, method, line, field):
            name = work.beside_variables(method.node)(field)
            work.edits.replace(stores[0], always(cst.Name(name)))
            work.edits.after(line, always_statements([quote_statement(f"{place} = {name}")]))
            for read in reads:
                work.edits.replace(read, always(cst.Name(name)))
            return


def _is_set_elsewhere(work: NormalizationRound, method: Function, line: cst.SimpleStatementLine, field: str) -> bool:
    """Whether a function that is called behind a line, or one inside of the method, has to do with a field of that name."""
    block = work.index.parents[line]
    assert isinstance(block, (cst.IndentedBlock, cst.Module))
    behind = block.body[list(block.body).index(line) + 1 :]
    bodies: list[cst.CSTNode] = [item.node for item in reached(behind, work.values)]
    bodies += [node for node in descendants(method.node.body) if isinstance(node, (cst.FunctionDef, cst.Lambda))]
    nodes = [node for body in bodies for node in descendants(body)]
    return any(isinstance(node, cst.Attribute) and node.attr.value == field for node in nodes)


__all__ = ["normalize_step_methods"]
