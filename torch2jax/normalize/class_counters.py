"""Numbers that a class of modules has, and that its methods change in a module: `__init__` gives them to each module.

class Loss(nn.Module):               ->    class Loss(nn.Module):
    steps = 0                                  def __init__(self):
    def __init__(self):                            super().__init__()
        super().__init__()                         self.steps = 0
    def forward(self, x):                      def forward(self, x):
        self.steps += 1                            self.steps += 1

A module begins with the number of its class, and has one of its own from the first change on. Where the number of the class itself
may be asked for or changed, nothing is done.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import Class, dotted, is_super
from torch2jax.syntax.quote import quote_statement
from torch2jax.syntax.walk import Index, children, descendants
from torch2jax.values import UNKNOWN, Kind


def normalize_class_counters(work: NormalizationRound) -> None:
    """Normalize all such numbers of a file."""
    for item in work.program.classes.values():
        init = item.methods.get("__init__") if item.is_module else None
        made = _start(init.node) if init is not None else None
        if init is None or init.self_name is None or made is None:
            continue
        lines = [(line, name, value) for line, name, value in _numbers(work, item) if _is_counter(work, item, name)]
        own = init.self_name
        starts = [quote_statement(f"{own}.{name} = {{value}}", value=work.copy(value)) for _, name, value in lines]
        for line, _, _ in lines:
            work.edits.rewrite_statement(line, lambda rewrite: [])
        if starts:
            work.edits.after(made, lambda rewrite, starts=starts: starts)  # type: ignore[misc]


def _start(init: cst.FunctionDef) -> cst.SimpleStatementLine | None:
    """The line that calls `__init__` of the bases."""
    for line in init.body.body if isinstance(init.body, cst.IndentedBlock) else ():
        match line:
            case cst.SimpleStatementLine(
                body=[cst.Expr(value=cst.Call(func=cst.Attribute(value=owner, attr=cst.Name("__init__"))))]
            ) if is_super(owner):
                return line
    return None


def _numbers(
    work: NormalizationRound, item: Class
) -> Iterator[tuple[cst.SimpleStatementLine, str, cst.BaseExpression]]:
    """The lines of a class that give it a number."""
    for line in children(item.node.body):
        match line:
            case cst.SimpleStatementLine(
                body=[
                    cst.Assign(targets=[cst.AssignTarget(target=cst.Name(name))], value=value)
                    | cst.AnnAssign(target=cst.Name(name), value=cst.BaseExpression() as value)
                ]
            ) if isinstance(value, (cst.Integer, cst.Float, cst.Name)) and work.values(value).is_number:
                yield line, name, value


def _is_counter(work: NormalizationRound, item: Class, name: str) -> bool:
    """Whether a method changes such a number in its module, and all that asks for the name asks modules of this class."""
    program, is_changed = work.program, False
    if _is_asked_elsewhere(work, item, name) or sum(map(name.__eq__, _names(item.node))) != 1:
        return False
    others = [other for other in program.class_by_key.values() if other is not item and item in other.lineage]
    if any(name in _names(other.node) for other in others):
        return False
    if any(node.evaluated_value == name for node in work.index.every(cst.SimpleString)):
        return False
    for node in work.index.attributes:
        if node.attr.value != name:
            continue
        value, method = work.values(node.value), program.function_around(node)
        is_own = method is not None and method.owner is item and dotted(node.value) == method.self_name
        if not is_own and value.kind is not Kind.MODULE:
            return False
        if is_own and method is not None and _is_changed(work.index, node):
            is_changed = True
            if method.name == "__init__":
                return False  # which says itself what the module begins with
    return is_changed


def _is_asked_elsewhere(work: NormalizationRound, item: Class, name: str) -> bool:
    """Whether other files may mean the number of this class: not if those that are known have one of the same name only."""
    program = work.program
    if program.read_elsewhere.isdisjoint((name, f"={name}")):
        return False
    found = [(module, node) for module in program.modules.values() for node in module.index.attributes]
    asked = [(module, node) for module, node in found if node.attr.value == name]
    for module, node in asked:
        method = module.function_around(node)
        owner = method.owner if method is not None and dotted(node.value) == method.self_name else None
        is_read = isinstance(node.value, cst.Name) and node.value.value != "cls" and not _is_changed(module.index, node)
        is_class = is_read and module.module_env.get(dotted(node.value) or "", UNKNOWN).kind is Kind.CLASS
        if is_class or (not is_read and owner is None) or (owner is not None and item in owner.lineage):
            return True
    return not asked


def _is_changed(index: Index, node: cst.Attribute) -> bool:
    parent = index.parents[node]
    return isinstance(parent, (cst.AugAssign, cst.AssignTarget)) and parent.target is node


def _names(node: cst.ClassDef) -> Iterator[str]:
    """The names that stand for variables of a class body, and the names of its methods."""
    for line in children(node.body):
        if isinstance(line, cst.FunctionDef):
            yield line.name.value
        elif isinstance(line, cst.BaseStatement):
            yield from (part.value for part in descendants(line, cst.Name))


__all__ = ["normalize_class_counters"]
