"""Functions and objects in fields of modules that hold modules or parameters themselves.

self.act = partial(self.scaled, factor=2)      # holds `self`
self.block = Residual(lambda x: self.fc(x))    # so does what `Residual` keeps in a field
self.helper = Helper(self.fc)                  # an object that is no module

In torch all of them are one module. Transformed functions compute with copies of modules, or with new ones in their place, and
what such a function holds would be the module from before.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from torch2jax.facts.effects import Effects
from torch2jax.facts.infer import Values
from torch2jax.facts.replaced_submodules import is_plain_layer
from torch2jax.program.flow import free_variables
from torch2jax.program.program import Function, Program
from torch2jax.syntax.codegen import code
from torch2jax.syntax.problem import Problem
from torch2jax.syntax.walk import descendants, own_nodes
from torch2jax.values import NOTHING, Kind, Value


def find_held_functions(program: Program, effects: Effects) -> Iterator[Problem]:
    """The fields of modules that are given such a function or object."""
    search = _Search(program, effects)
    for node in program.index.every(cst.Assign):
        for item in node.targets:
            place = item.target
            if isinstance(place, cst.Attribute) and search.values(place.value).kind is Kind.MODULE:
                if (held := search.held(node.value)) is not None:
                    yield Problem(node, "T2J611", {"name": code(place), "held": held})
    for call in program.index.calls:
        if search.values(call).kind is Kind.MODULE:
            for argument in search.kept_arguments(call):
                if (held := search.held(argument)) is not None:
                    yield Problem(call, "T2J611", {"name": code(argument), "held": held})


class _Search:
    """What the functions of one program hold."""

    def __init__(self, program: Program, effects: Effects) -> None:
        self.program = program
        self.effects = effects
        self.values: Values = effects.values

    def held(self, node: cst.BaseExpression) -> str | None:
        """A module or parameter that a function holds which an expression may give, in the words of the program."""
        value = self.values(node)
        match node:
            case cst.Lambda():
                return self._read_in(node)
            case cst.Name() if value.kind is Kind.FUNCTION:
                return self._read_by_all(value)
            case cst.Attribute() if _is_method_of_module(value, self.values(node.value)):
                return code(node.value) if self._matters(self.values(node.value)) else None
            case cst.IfExp():
                return self.held(node.body) or self.held(node.orelse)
            case cst.BooleanOperation():
                return self.held(node.left) or self.held(node.right)
            case cst.Subscript(value=cst.Dict() | cst.List() | cst.Tuple() as table):
                return self.held(table)
            case cst.Call() if (given := self._given_back(node)) is not None:
                return given
            case cst.Call() if self.values(node.func).const == "functools.partial":
                return self._given(node)
            case cst.Call() if value.kind is Kind.OBJECT and any(
                item.is_dataclass for item in self.effects.classes_of(value)
            ):
                return self._given(node)
            case cst.Name() | cst.Call() if value.kind is Kind.OBJECT:
                return self._in_object(value)
            case cst.List() | cst.Tuple() | cst.Dict():
                elements = [item.value for item in node.elements if hasattr(item, "value")]
                return next((held for item in elements if (held := self.held(item)) is not None), None)
            case _ if value.kind in (Kind.LIST, Kind.TUPLE, Kind.DICT):
                objects = [part for part in value.parts if part.kind is Kind.OBJECT]
                return next((held for part in objects if (held := self._in_object(part)) is not None), None)
        return None

    def _given_back(self, call: cst.Call) -> str | None:
        """A module of which a method of it gives back another method, bound: `self._pick("dot")`."""
        for callee in self.values.callees.get(call, ()):
            if callee.owner is None or not callee.owner.is_module or callee.name == "forward":
                continue
            for node in own_nodes(callee.node):
                value = node.value if isinstance(node, cst.Return) else None
                if isinstance(value, cst.Attribute) and _is_method_of_module(
                    self.values(value), self.values(value.value)
                ):
                    return code(value.value) if self._matters(self.values(value.value)) else None
        return None

    def kept_arguments(self, call: cst.Call) -> Iterator[cst.BaseExpression]:
        """The arguments of a call that modules of the program keep in fields as they are."""
        for item in self.effects.classes_of(self.values(call)):
            init = item.method("__init__")
            if init is None or self.values(call.func).kind is not Kind.CLASS:
                continue
            kept = _kept_parameters(init)
            names = init.parameter_names[1:]
            for position, argument in enumerate(call.args):
                name = argument.keyword.value if argument.keyword is not None else None
                if name is None and not argument.star and position < len(names):
                    name = names[position]
                if name in kept:
                    yield argument.value

    def _matters(self, value: Value) -> bool:
        """Whether a value is a module with more in it than how it is called, or a parameter."""
        if value.kind is Kind.TENSOR:
            return "parameter" in value.types
        return value.kind is Kind.MODULE and not value.is_loss_module and not is_plain_layer(self.effects.tables, value)

    def _read_in(self, node: cst.Lambda) -> str | None:
        free = set(free_variables(node))
        for name in (item for item in descendants(node.body) if isinstance(item, cst.Name)):
            if name.value in free and self._matters(self.values(name)) and not self._is_asked_for_constant(name):
                return name.value
        return None

    def _is_asked_for_constant(self, module: cst.Name) -> bool:
        """Whether a module is read for a number or text that it keeps from the beginning: `self.dim`."""
        field = self.program.index.parents[module]
        if not isinstance(field, cst.Attribute) or not self.values(field).is_a(
            Kind.INT, Kind.FLOAT, Kind.BOOL, Kind.STR
        ):
            return False
        name = field.attr.value
        return name not in self.program.changed_fields and f"={name}" not in self.program.read_elsewhere

    def _read_by_all(self, value: Value) -> str | None:
        functions = [self.program.by_key[key] for key in sorted(value.types) if key in self.program.by_key]
        return next((held for function in functions if (held := self._read_by(function)) is not None), None)

    def _read_by(self, function: Function) -> str | None:
        """A module that a function reads from around it."""
        if function.is_method:
            return None
        for name in free_variables(function.node):
            found = self.program.variables_of(self.program.scope_of(function.outer, name)).get(name)
            if found is not None and self._matters(found):
                return name
        return None

    def _given(self, call: cst.Call) -> str | None:
        """What a `partial` holds: its function, or what that is given."""
        for argument in call.args:
            value = self.values(argument.value)
            if self._matters(value):
                return code(argument.value)
            if (held := self.held(argument.value)) is not None:
                return held
        return None

    def _in_object(self, value: Value) -> str | None:
        """A field with a module or parameter of an object that is no module."""
        for item in self.effects.classes_of(value):
            for name, field in item.all_fields():
                if self._matters(field):
                    return f"{item.name}.{name}"
        return None


def _is_method_of_module(value: Value, owner: Value) -> bool:
    """Whether `owner.name`, of this value, is a method, bound to a module."""
    is_bound = value.elem is not None and value.elem.kind is Kind.MODULE
    return owner.kind is Kind.MODULE and value.kind is Kind.FUNCTION and value.const is NOTHING and is_bound


def _kept_parameters(init: Function) -> set[str]:
    """The parameters of `__init__` that it stores in fields: `self.fn = fn`."""
    names = set(init.parameter_names[1:])
    stores = [
        node.value
        for node in own_nodes(init.node)
        if isinstance(node, cst.Assign) and any(isinstance(item.target, cst.Attribute) for item in node.targets)
    ]
    return {value.value for value in stores if isinstance(value, cst.Name) and value.value in names} | {
        name.value
        for value in stores
        if isinstance(value, (cst.IfExp, cst.BooleanOperation))
        for name in descendants(value, cst.Name)
        if name.value in names
    }


__all__ = ["find_held_functions"]
