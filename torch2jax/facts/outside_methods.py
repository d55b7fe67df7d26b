"""Methods of modules that act on a model as a whole, for libraries whose modules are definitions: they run outside of it.

def optimizer(self, lr):                                   def forward(self, x):
    return torch.optim.Adam(self.parameters(), lr)             return self.fc(x)

A method is outside if it makes a model or an optimizer, changes parameters or modes, or takes gradients, or calls such a method;
and if no `__init__` or `forward`, nor a method that these may call, may call it. A must-analysis on names of methods: those that may
be called inside are taken away until none is left that calls one that is outside.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import libcst as cst

from torch2jax.facts.flag_statements import sets_flags
from torch2jax.facts.infer import Values, is_differentiated_lambda
from torch2jax.facts.module_state import init_methods, written_through
from torch2jax.program.calls import decorators_of, wrappers_of
from torch2jax.program.program import Class, Function, Program, dotted
from torch2jax.syntax.walk import descendants
from torch2jax.values import PARAMETER_ROOT, Kind, Value

_OF_MODELS = frozenset(
    "load_state_dict train eval apply append extend insert zero_grad requires_grad_ add_module register_module "
    "register_parameter register_forward_hook register_forward_pre_hook register_full_backward_hook half double float "
    "get_submodule get_parameter".split()
)
_MAKING_PARAMETERS = frozenset({"torch.nn.Parameter", "torch.nn.Buffer"})
_CHANGING = (cst.Call, cst.AssignTarget, cst.Attribute)
_COPYING = frozenset({"copy.deepcopy", "copy.copy"})


def find_outside(program: Program, values: Values, makes_model: Callable[[cst.Call], bool]) -> frozenset[Function]:
    """The methods of modules that run outside of them."""
    methods = list(_eligible(program))
    acting = {item for item in methods if any(True for _ in acts_on_model(program, values, item, makes_model))}
    blocked: set[Function] = set()
    while acting - blocked:
        found, mentions = acting - blocked, list(_mentions(program, values, methods))
        calling = True
        while calling:
            more = {around for around, named in mentions if around in methods and named in found} - found - blocked
            found, calling = found | more, bool(more)
        inside = {named for around, named in mentions if named in found and around not in found}
        if not inside:
            return frozenset(found)
        blocked |= inside
    return frozenset()


def acts_on_model(
    program: Program,
    values: Values,
    method: Function,
    makes_model: Callable[[cst.Call], bool],
    calling: tuple[Function, ...] = (),
) -> Iterator[tuple[cst.CSTNode, str]]:
    """What a method does that only code outside of the model can do, also by functions that it gives parts to, and why it cannot
    be done inside; `calling` are the functions that call it.
    """
    for decorator in _modes_around(program, values, method):
        yield decorator, "a method asks this of a module that is being used"
    for node in descendants(method.node.body):
        if program.settled and isinstance(node, _CHANGING) and program.index.statement_of(node) in program.settled:
            continue  # a parameter is changed in place, and has the gradient of what it was
        match node:
            case cst.Call() if makes_model(node):
                yield node, "parts are made in `__init__` only"
            case cst.Call() if (
                values.torch_name(node.func) in _MAKING_PARAMETERS or values(node).kind is Kind.OPTIMIZER
            ):
                yield node, "methods of modules compute, and change no parameters"
            case cst.Call(args=[first, *_]) if values.torch_name(node.func) == "torch.save" and has_module(
                values(first.value)
            ):
                yield node, "a module that is being used is no model with variables of its own"
            case cst.Call(args=[first, *_]) if values(node.func).const in _COPYING and has_module(values(first.value)):
                yield node, "a copy of a part would have no variables of its own"
            case cst.Call() if (values.torch_name(node.func) or "").startswith("torch.nn.init."):
                yield node, "methods of modules compute, and change no parameters"
            case cst.Call(func=cst.Attribute(value=owner, attr=cst.Name(name))) if (
                name.endswith("_") and name[0] != "_" and PARAMETER_ROOT in values(owner).roots
            ):
                yield node, "methods of modules compute, and change no parameters"
            case cst.AssignTarget(target=cst.Attribute(value=owner, attr=cst.Name("data"))) if (
                PARAMETER_ROOT in values(owner).roots
            ):
                yield node, "methods of modules compute, and change no parameters"
            case cst.SimpleStatementLine() | cst.For() if sets_flags(node, values):
                yield node, "methods of modules compute, and change no parameters"
            case cst.Call(func=cst.Attribute(attr=cst.Name("backward"))):
                yield node, "gradients are taken outside of modules"
            case cst.Call(args=[_, *given]) if is_differentiated_lambda(node) and any(
                values(item.value).kind is Kind.MODULE for item in given
            ):
                yield node, "gradients are taken outside of modules"
            case cst.Call(func=cst.Attribute(value=owner, attr=cst.Name(name))) if name in _OF_MODELS:
                classes = [program.class_by_key[key] for key in values(owner).types if key in program.class_by_key]
                if values(owner).kind is Kind.MODULE and not any(item.method(name) for item in classes):
                    yield node, "a method asks this of a module that is being used"
            case cst.Attribute(value=owner) if values(owner).kind is Kind.MODULE and "parameter" in values(node).types:
                if written_through(program, values, node) is not None:
                    yield node, "methods of modules compute, and change no parameters"
            case cst.Call(args=[_, *_]) if any(has_module(values(given.value)) for given in node.args):
                seen = (*calling, method)
                for function in values.callees.get(node, ()):
                    if function.owner is None and function in program.functions.values() and function not in seen:
                        for _, reason in acts_on_model(program, values, function, makes_model, seen):
                            yield node, reason


def _modes_around(program: Program, values: Values, method: Function) -> Iterator[cst.BaseExpression]:
    """The decorators of a method that set the mode of its module: `self.eval()` in front of the call."""
    for node, _, decorators in decorators_of(method, program, values):
        for wrapper in (item for decorator in decorators for item in wrappers_of(decorator)):
            first = wrapper.params.params[0].name.value if wrapper.params.params else None
            asked = {dotted(call.func) for call in descendants(wrapper.body, cst.Call)}
            if first is not None and asked & {f"{first}.eval", f"{first}.train"}:
                yield node


def has_module(value: Value) -> bool:
    """Whether a value is a module, or holds one."""
    return value.kind is Kind.MODULE or any(map(has_module, value.parts))


def _eligible(program: Program) -> Iterator[Function]:
    """The methods of modules that may run outside."""
    for item in program.classes.values():
        if item.is_module:
            early = init_methods(item)
            for method in item.methods.values():
                is_special = method.name == "forward" or method.name.startswith("__")
                if method not in early and not is_special and "property" not in method.decorators:
                    yield method


def _mentions(program: Program, values: Values, methods: list[Function]) -> Iterator[tuple[Function, Function]]:
    """The methods of modules that name one of some methods, with that."""
    for node in program.index.attributes:
        named = [item for item in methods if item.name == node.attr.value]
        around = method_around(program, node) if named else None
        if around is None:
            continue
        owner = values(node.value)
        classes = [program.class_by_key[key] for key in owner.types if key in program.class_by_key]
        for method in named:
            if method is not around and (owner.kind is not Kind.MODULE or not classes or _may_call(classes, method)):
                yield around, method


def _may_call(classes: list[Class], method: Function) -> bool:
    """Whether a method of one of some classes, or of those that derive from them, may be the one that is called by its name."""
    return any(method.owner in item.lineage or (method.owner is not None and item in method.owner.lineage)
               for item in classes)  # fmt: skip


def method_around(program: Program, node: cst.CSTNode) -> Function | None:
    """The method of a module in which a node stands."""
    function = program.function_around(node)
    while function is not None and (function.owner is None or not function.owner.is_module):
        function = function.outer
    return function


__all__ = ["acts_on_model", "find_outside", "has_module", "method_around"]
