"""Whose variable a name is: the variable of the function, lambda, comprehension, class or module that binds it.

    total = 0                      Variable(module, "total")
    def add(x):
        global total
        total += x                 Variable(module, "total"), Variable(add, "x")

`global` and `nonlocal` are honoured, class bodies are no scope for the functions in them, and the targets of a comprehension
are its own.
"""

from __future__ import annotations

from dataclasses import field

import libcst as cst

from torch2jax.program.flow import Flow, flow_of
from torch2jax.records import dataclass
from torch2jax.syntax.walk import Index, descendants

Scope = cst.Module | cst.FunctionDef | cst.Lambda | cst.ClassDef | cst.CompFor
_SCOPES = (cst.Module, cst.FunctionDef, cst.Lambda, cst.ClassDef)
_COMPREHENSIONS = (cst.ListComp, cst.SetComp, cst.DictComp, cst.GeneratorExp)


@dataclass(frozen=True, slots=True)
class Variable:
    """A name in the scope that owns it."""

    owner: Scope
    name: str


@dataclass(slots=True)
class Scopes:
    """The scopes of a file, with their flows, made when asked for."""

    index: Index
    _flows: dict[cst.CSTNode, Flow] = field(default_factory=dict)
    _bound: dict[cst.CSTNode, frozenset[str]] = field(default_factory=dict)
    _variables: dict[cst.Name, Variable | None] = field(default_factory=dict)

    def flow(self, scope: Scope) -> Flow:
        """The control flow of the body of a scope."""
        assert not isinstance(scope, cst.CompFor), "a comprehension is one point of the flow around it"
        if scope not in self._flows:
            self._flows[scope] = flow_of(scope)
        return self._flows[scope]

    def around(self, node: cst.CSTNode) -> Scope:
        """The scope in which a node is evaluated: decorators, defaults and bases belong to the one around."""
        child = node
        for ancestor in self.index.ancestors(node):
            if isinstance(ancestor, _SCOPES) and (isinstance(ancestor, cst.Module) or child is ancestor.body):
                return ancestor
            child = ancestor
        return self.index.module

    def variable(self, name: cst.Name) -> Variable | None:
        """The variable that a name stands for; None where nothing binds it: a builtin, or what a star imports."""
        if name not in self._variables:
            self._variables[name] = self._variable(name)
        return self._variables[name]

    def _variable(self, name: cst.Name) -> Variable | None:
        clause = self._clause(name)
        if clause is not None:
            return Variable(clause, name.value)
        parent = self.index.parents.get(name)
        if isinstance(parent, cst.Param) and parent.name is name:
            around = self.index.parents[self.index.parents[parent]]
            assert isinstance(around, (cst.FunctionDef, cst.Lambda))
            return Variable(around, name.value)
        return self.lookup(name.value, self.around(name))

    def lookup(self, name: str, scope: Scope) -> Variable | None:
        """The variable that a name stands for in a scope."""
        inner = scope
        while not isinstance(scope, cst.Module):
            flow = self.flow(scope)
            if name in flow.global_names:
                break
            is_seen = scope is inner or not isinstance(scope, cst.ClassDef)
            if is_seen and name not in flow.nonlocal_names and name in self.bound(scope):
                return Variable(scope, name)
            scope = self.around(scope)
        module = self.index.module
        return Variable(module, name) if name in self.bound(module) else None

    def bound(self, scope: Scope) -> frozenset[str]:
        """The names that a scope binds itself; those of a module, also through `global`."""
        if scope not in self._bound:
            flow = self.flow(scope)
            found = {name for access in flow.accesses_by_index for name in (*access.defs, *access.may_defs)}
            if isinstance(scope, cst.Module):
                found |= {item.name.value for node in self.index.every(cst.Global) for item in node.names}
            self._bound[scope] = frozenset(found)
        return self._bound[scope]

    def _clause(self, name: cst.Name) -> cst.CompFor | None:
        """The `for` of a comprehension around a name whose target it is."""
        child: cst.CSTNode = name
        for ancestor in self.index.ancestors(name):
            if isinstance(ancestor, _COMPREHENSIONS):
                clause: cst.CompFor | None = ancestor.for_in
                while clause is not None:
                    if name.value in _names(clause.target) and not self._is_first_source(name, ancestor):
                        return clause
                    clause = clause.inner_for_in
            elif isinstance(ancestor, _SCOPES) and getattr(ancestor, "body", None) is child:
                return None
            child = ancestor
        return None

    def _is_first_source(self, name: cst.Name, comprehension: cst.BaseComp) -> bool:
        """Whether a name stands where a comprehension takes its elements from: outside of its scope."""
        source = comprehension.for_in.iter
        return name is source or source in self.index.ancestors(name)


def _names(target: cst.CSTNode) -> frozenset[str]:
    return frozenset(item.value for item in descendants(target) if isinstance(item, cst.Name))


__all__ = ["Scope", "Scopes", "Variable"]
