"""What the methods of a plain object show a field to be that its `__init__` is given: `self.model.train()`, `self.optimizer.zero_grad()`.

A variable says it by the words that it is asked for; a field is asked for them in other methods than the one that sets it, in
those of subclasses, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

import libcst as cst

from torch2jax.facts.values.evidence import MODULE_WORDS
from torch2jax.ops.modules import CASTING, PLACING, SETTING, WRAPPING
from torch2jax.program.calls import chain_start
from torch2jax.program.program import Class, Function, Program, dotted
from torch2jax.program.statements import assigned_pairs
from torch2jax.records import dataclass
from torch2jax.syntax.walk import bound_names, descendants
from torch2jax.values import Kind

_MOVING = PLACING | SETTING | CASTING
_MODES = frozenset({"train", "eval"})  # which other objects have as well
_SAVED = frozenset({"state_dict", "load_state_dict"})  # which optimizers, schedulers and scalers have, too
_CHILDREN = frozenset({"children"})  # of trees and processes
_SURE = MODULE_WORDS - _MODES - _SAVED - _CHILDREN
_STEPPED = frozenset({"zero_grad", "step"})


@dataclass(slots=True)
class _Asked:
    """The words that a field is asked for, and whether it is called itself."""

    words: set[str] = field(default_factory=set)
    is_called: bool = False

    @property
    def kind(self) -> Kind:
        if self.words & _SURE or (self.is_called and self.words & (_MODES | _SAVED)):
            return Kind.MODULE
        if "param_groups" in self.words or self.words >= _STEPPED:
            return Kind.OPTIMIZER
        return Kind.UNKNOWN


@dataclass(slots=True)
class FieldEvidence:
    """What the classes of a program ask their fields for, looked up once for each."""

    program: Program
    _asked: dict[Class, dict[str, _Asked]] = field(default_factory=dict)

    def kind_of(self, function: Function, name: str) -> Kind:
        """What a parameter of an `__init__` must be, by the fields that hold it; UNKNOWN where they do not say so."""
        owner = function.owner
        if owner is None or function.name != "__init__" or owner.is_module:
            return Kind.UNKNOWN
        found = {self._kind_of_field(item, place) for item, place in self._places(owner, function, name, ())}
        found.discard(Kind.UNKNOWN)  # of a field that is asked for nothing
        return found.pop() if len(found) == 1 else Kind.UNKNOWN

    def _places(
        self, owner: Class, function: Function, name: str, around: tuple[Function, ...]
    ) -> Iterator[tuple[Class, str]]:
        """The fields of an object that are given a parameter as it is, by a base class's `__init__` as well."""
        if function in around:
            return
        for node in descendants(function.node.body):
            if isinstance(node, cst.Assign):
                for target, value in (
                    pair for item in node.targets for pair in assigned_pairs(item.target, node.value)
                ):
                    own, _, place = (dotted(target) or "").partition(".")
                    if own == function.self_name and place and "." not in place and _is_given(value, name):
                        yield owner, place
            elif isinstance(node, cst.Call) and _calls_base(node):
                for init, inner in _handed_on(owner, function, node, name):
                    yield from self._places(owner, init, inner, (*around, function))

    def _kind_of_field(self, owner: Class, name: str) -> Kind:
        asked = _Asked()
        for item in self.program.class_by_key.values():
            if owner in item.lineage or item in owner.lineage:
                found = self._of_class(item).get(name)
                if found is not None:
                    asked.words |= found.words
                    asked.is_called = asked.is_called or found.is_called
        return asked.kind

    def _of_class(self, item: Class) -> dict[str, _Asked]:
        if item not in self._asked:
            found = self._asked[item] = {}
            for method in item.methods.values():
                for node in descendants(method.node.body):
                    _note(found, node, str(method.self_name))
        return self._asked[item]


def _note(found: dict[str, _Asked], node: cst.CSTNode, own: str) -> None:
    """Note what a node asks a field for: a word with `self.net.train()`, a call with `self.net(x)`."""
    match node:
        case (
            cst.Call(
                func=cst.Attribute(value=cst.Attribute(value=cst.Name(base), attr=cst.Name(name)), attr=cst.Name(word))
            )
            | cst.Attribute(
                value=cst.Attribute(value=cst.Name(base), attr=cst.Name(name)), attr=cst.Name("param_groups" as word)
            )
        ) if base == own:
            found.setdefault(name, _Asked()).words.add(word)
        case cst.Call(func=cst.Attribute(value=cst.Name(base), attr=cst.Name(name))) if base == own:
            found.setdefault(name, _Asked()).is_called = True


def _is_given(node: cst.BaseExpression, name: str) -> bool:
    """Whether an expression is a parameter, or what moving or copying it gives."""
    start = chain_start(node, _MOVING)
    match start:
        case cst.Call(args=[cst.Arg(value=copied)]) if dotted(start.func) in ("deepcopy", "copy.deepcopy"):
            return _is_given(copied, name)
    return isinstance(start, cst.Name) and start.value == name


def _calls_base(node: cst.Call) -> bool:
    """Whether a call is `super().__init__(...)`."""
    match node.func:
        case cst.Attribute(value=cst.Call(func=cst.Name("super")), attr=cst.Name("__init__")):
            return True
    return False


def _handed_on(owner: Class, function: Function, call: cst.Call, name: str) -> Iterator[tuple[Function, str]]:
    """The `__init__` of the next base class, with those of its parameters that it is given a parameter for."""
    own = next((item for item in owner.lineage if function in item.methods.values()), owner)
    rest = owner.lineage[owner.lineage.index(own) + 1 :]
    init = next((item.methods["__init__"] for item in rest if "__init__" in item.methods), None)
    if init is None or any(argument.star for argument in call.args):
        return
    names = init.parameter_names[1:]
    for position, argument in enumerate(call.args):
        if isinstance(argument.value, cst.Name) and argument.value.value == name:
            if argument.keyword is not None:
                yield init, argument.keyword.value
            elif position < len(names):
                yield init, names[position]


def makes_modules(function: Function, name: str) -> bool:
    """Whether a function calls what it is given to make a module: `net = cls(4).to(device)`, `net.load_state_dict(...)`."""
    made: set[str] = set()
    nodes = list(descendants(function.node.body))
    for node in nodes:
        if isinstance(node, cst.Assign):
            start = chain_start(node.value, WRAPPING)
            if isinstance(start, cst.Call) and dotted(start.func) == name:
                made.update(found for target in node.targets for found in bound_names(target.target))
    methods = (node for node in nodes if isinstance(node, cst.Attribute) and node.attr.value in MODULE_WORDS)
    owners = ((node.value, chain_start(node.value, WRAPPING)) for node in methods)
    return any(
        dotted(owner) in made or (isinstance(start, cst.Call) and dotted(start.func) == name) for owner, start in owners
    )


__all__ = ["FieldEvidence", "makes_modules"]
