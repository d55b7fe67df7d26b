"""Contexts that set the modes of the models they are given, and set those of before at their end.

class eval_mode:                                          @contextmanager
    def __init__(self, *models):                          def evaluating(net):
        self.models = models                                  was_training = net.training
    def __enter__(self):                                      net.eval()
        self.prev_states = []                                 try:
        for model in self.models:                                 yield net
            self.prev_states.append(model.training)           finally:
            model.train(False)                                    net.train(was_training)
    def __exit__(self, *args):
        for model, state in zip(self.models, self.prev_states):
            model.train(state)
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from torch2jax.facts.restored_modes import restores
from torch2jax.program.program import Class, Function, Program, dotted
from torch2jax.program.statements import is_pass, suite_body
from torch2jax.records import dataclass
from torch2jax.syntax.edits import is_docstring

LEFT_CONTEXT = "left context"  # marks (class or function): it stands where other files enter it, and goes


@dataclass(frozen=True, slots=True)
class ModeContext:
    """The mode that is set, whether any number of models is given, and whether what goes wrong inside sets the modes back, too."""

    mode: bool
    several: bool
    is_safe: bool = True


def left_contexts(program: Program) -> list[Class | Function]:
    """The contexts of a file that go, since their statements stand where other files enter them."""
    keys = {mark[1] for mark in program.marks if mark[0] == LEFT_CONTEXT}
    found: list[Class | Function] = [item for item in program.classes.values() if item.key in keys]
    return [*found, *(item for item in program.functions.values() if item.key in keys)]


def context_of_class(item: Class) -> ModeContext | None:
    """What a class that is such a context does."""
    if any(dotted(base.value) != "object" for base in item.node.bases) or item.node.decorators or item.is_module:
        return None
    if item.methods.keys() != {"__init__", "__enter__", "__exit__"} or len(item.methods) < len(_plain(item.node)):
        return None
    init, enter, leave = (item.methods[name] for name in ("__init__", "__enter__", "__exit__"))
    if not init.self_name == enter.self_name == leave.self_name:
        return None
    own, kept = str(init.self_name), _kept_argument(init)
    if kept is None:
        return None
    first, last = _without_result(enter), _without_result(leave)
    if first is None or last is None or _gives_other(leave):
        return None
    if init.star_name is not None:
        mode, saved = _enters_all(first, f"{own}.{kept}")
        return ModeContext(mode, True) if mode is not None and _leaves_all(last, f"{own}.{kept}", saved) else None
    return _of_one(first, last, f"{own}.{kept}")


def context_of_function(function: Function) -> ModeContext | None:
    """What a function that `contextmanager` makes such a context of does."""
    names = function.parameter_names
    decorators = [dotted(item.decorator) for item in function.node.decorators]
    if decorators not in (["contextmanager"], ["contextlib.contextmanager"]) or len(names) != 1:
        return None
    if function.owner is not None or function.outer is not None or function.star_name or function.double_star_name:
        return None
    body, name = _plain(function.node), names[0]
    if not body or function.node.asynchronous is not None:
        return None
    match body[-1]:
        case cst.Try(handlers=[], orelse=None, finalbody=cst.Finally() as behind) as tried:
            *inner, gives = tried.body.body
            return _of_one([*body[:-1], *inner], behind.body.body, name) if _yields(gives, name) else None
    if len(body) == 4 and _yields(body[2], name):
        found = _of_one(body[:2], body[3:], name)
        return ModeContext(found.mode, found.several, is_safe=False) if found is not None else None
    return None


def _plain(node: cst.FunctionDef | cst.ClassDef) -> list[cst.BaseStatement]:
    return [line for line in suite_body(node) if not is_docstring(line) and not is_pass(line)]  # type: ignore[arg-type]


def _kept_argument(init: Function) -> str | None:
    """The field in which `__init__` keeps its only argument, or all of them, which is all that it does."""
    given = init.star_name or (init.parameter_names[1] if len(init.parameter_names) == 2 else None)
    count = 1 if init.star_name else 2
    if len([name for name in init.parameter_names if name != init.star_name]) != count or init.double_star_name:
        return None
    match _plain(init.node):
        case [
            cst.SimpleStatementLine(
                body=[
                    cst.Assign(
                        targets=[cst.AssignTarget(target=cst.Attribute(value=cst.Name(own), attr=cst.Name(field)))],
                        value=cst.Name(name),
                    )
                ]
            )
        ] if own == init.self_name and name == given:
            return field
    return None


def _without_result(method: Function) -> list[cst.BaseStatement] | None:
    """The statements of a method but for the last, where that gives something."""
    body = _plain(method.node)
    is_return = body and isinstance(body[-1], cst.SimpleStatementLine) and isinstance(body[-1].body[0], cst.Return)
    return (body[:-1] if is_return else body) or None


def _gives_other(leave: Function) -> bool:
    """Whether `__exit__` may give something that ends an exception."""
    match _plain(leave.node)[-1]:
        case cst.SimpleStatementLine(body=[cst.Return(value=value)]):
            return value is not None and dotted(value) not in ("None", "False")
    return False


def _of_one(first: Sequence[cst.CSTNode], last: Sequence[cst.CSTNode], place: str) -> ModeContext | None:
    """A context that keeps the mode of a module, sets one, and sets the one before."""
    if len(first) != 2 or len(last) != 1:
        return None
    saved, mode = _saves(first[0], place), _mode_set(first[1], place)
    if saved is None or mode is None or not restores(last[0], place, saved, not mode):
        return None
    return ModeContext(mode, False)


def _saves(line: cst.CSTNode, place: str) -> str | None:
    """The place that keeps the mode of a module."""
    match line:
        case cst.SimpleStatementLine(body=[cst.Assign(targets=[cst.AssignTarget(target=target)], value=value)]):
            return dotted(target) if dotted(value) == f"{place}.training" else None
    return None


def _mode_set(line: cst.CSTNode, place: str) -> bool | None:
    """The mode that a statement sets: `net.eval()`, `net.train(False)`."""
    match line:
        case cst.SimpleStatementLine(
            body=[cst.Expr(value=cst.Call(func=cst.Attribute(value=owner, attr=cst.Name(name)), args=args))]
        ) if dotted(owner) == place:
            given = [dotted(item.value) for item in args]
            known: dict[tuple[str, tuple[str | None, ...]], bool] = {
                ("eval", ()): False,
                ("train", ()): True,
                ("train", ("False",)): False,
                ("train", ("True",)): True,
            }
            return known.get((name, tuple(given)))
    return None


def _enters_all(first: Sequence[cst.BaseStatement], models: str) -> tuple[bool | None, str | None]:
    """The mode that a loop over models sets, and the list that keeps those of before."""
    match first:
        case [
            cst.SimpleStatementLine(
                body=[cst.Assign(targets=[cst.AssignTarget(target=target)], value=cst.List(elements=[]))]
            ),
            cst.For(target=cst.Name(name), iter=over, orelse=None, body=cst.IndentedBlock(body=[kept, line])),
        ] if dotted(over) == models and _appends(kept, str(dotted(target)), name):
            return _mode_set(line, name), dotted(target)
        case [
            cst.SimpleStatementLine(
                body=[
                    cst.Assign(
                        targets=[cst.AssignTarget(target=target)],
                        value=cst.ListComp(
                            elt=mode, for_in=cst.CompFor(target=cst.Name(asked), iter=gone, ifs=[], inner_for_in=None)
                        ),
                    )
                ]
            ),
            cst.For(target=cst.Name(name), iter=over, orelse=None, body=cst.IndentedBlock(body=[line])),
        ] if dotted(over) == dotted(gone) == models and dotted(mode) == f"{asked}.training":
            return _mode_set(line, name), dotted(target)
    return None, None


def _appends(line: cst.CSTNode, kept: str, name: str) -> bool:
    match line:
        case cst.SimpleStatementLine(
            body=[cst.Expr(value=cst.Call(func=cst.Attribute() as func, args=[cst.Arg(value=value)]))]
        ):
            return dotted(func) == f"{kept}.append" and dotted(value) == f"{name}.training"
    return False


def _leaves_all(last: Sequence[cst.BaseStatement], models: str, saved: str | None) -> bool:
    """Whether a loop sets the modes of before."""
    match last:
        case [
            cst.For(
                target=cst.Tuple(elements=[cst.Element(value=cst.Name(name)), cst.Element(value=cst.Name(state))]),
                iter=cst.Call(func=cst.Name("zip"), args=[cst.Arg(value=one), cst.Arg(value=other)]),
                orelse=None,
                body=cst.IndentedBlock(body=[line]),
            )
        ]:
            return dotted(one) == models and dotted(other) == saved and restores(line, name, state, False)
    return False


def _yields(line: cst.CSTNode, name: str) -> bool:
    match line:
        case cst.SimpleStatementLine(body=[cst.Expr(value=cst.Yield(value=value))]):
            return value is None or dotted(value) == name  # type: ignore[arg-type]
    return False


__all__ = ["LEFT_CONTEXT", "ModeContext", "context_of_class", "context_of_function", "left_contexts"]
