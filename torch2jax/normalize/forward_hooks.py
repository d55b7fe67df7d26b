"""Hooks of modules: which modules they are attached to, and whether a module may run them itself.

model = Net()                                          the module in `model` takes hooks from here on
model.fc.register_forward_hook(keep("fc"))             left as it is
for name, layer in model.named_modules():
    handles.append(layer.register_forward_hook(show))

A hook is a function of Python that each call of a module runs: nothing but steps (see `plan.hooks`) that calls the module may be
compiled or differentiated, what the hook is given may not change in place later, and it may not ask which module it is given.
A hook is reported where this, or what makes the module, cannot be seen.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field

import libcst as cst

from torch2jax.facts.effects import Draw
from torch2jax.facts.hooks import HOOKED, hook_calls, hook_functions, takes_hooks
from torch2jax.normalize.rounds import CannotNormalize, NormalizationRound
from torch2jax.ops.modules import FORWARD_HOOKS, is_own_method
from torch2jax.program.calls import arguments_by_parameter, chain_start
from torch2jax.program.definitions import Definition, How
from torch2jax.program.program import Function, dotted
from torch2jax.program.statements import assigned_pairs
from torch2jax.records import dataclass
from torch2jax.syntax.codegen import code
from torch2jax.syntax.problem import Problem
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

Place = tuple[str, str]
"""The key of a function, and a place in it."""

_TRANSFORMS = ("torch.autograd.", "torch.func.", "torch.vmap", "torch.compile", "torch.jit.", "torch.utils.checkpoint.")
_FUSED = ("torch.nn.MultiheadAttention", "torch.nn.Transformer")  # which do not call all of their parts
_LISTS = frozenset({"torch.nn.ModuleList", "torch.nn.ModuleDict"})
_ALL = frozenset({"modules", "named_modules", "children", "named_children"})
_COPIES = frozenset({"copy.deepcopy", "copy.copy", "deepcopy"})

_ABOUT = frozenset(
    {"shape", "ndim", "size", "dim", "numel", "dtype", "device", "clone", "mean", "sum", "std", "norm", "item"}
)
_NAMING = frozenset({"type", "isinstance", "str", "repr"})


def normalize_forward_hooks(work: NormalizationRound) -> None:
    """Note the modules of all such calls of a file; runs first, while what changes in place says so."""
    calls = list(hook_calls(work.program))
    if not calls or work.effects is None or takes_hooks(work.program):
        return
    search, found = _Search(work), set[Place]()
    try:
        _check_program(work)
        for call in calls:
            _check_receiver(work, call)
            found |= search.roots(call.func.value) or _unseen()  # type: ignore[attr-defined]
            for function in _hooks_of(work, call):
                _check_hook(work, function, call.func.attr.value)  # type: ignore[attr-defined]
    except CannotNormalize:
        work.lasting += [Problem(call, "T2J602", {"name": code(call.func)}) for call in calls]
        work.settled |= set(calls)
        found = set()
    work.marks.update((HOOKED, *place) for place in found)


def _check_program(work: NormalizationRound) -> None:
    """Nothing of the file is compiled or differentiated but its steps, and no module is copied, since copies share their hooks."""
    if work.effects is None or work.effects.bound is not None:
        raise CannotNormalize("modules that are definitions")
    for call in work.index.calls:
        name = work.values.torch_name(call.func) or dotted(call.func) or ""
        if name.startswith((*_TRANSFORMS, *_FUSED)) or name in _COPIES:
            raise CannotNormalize("steps")
    own = set(work.program.classes)
    if any(item.node not in own and item.is_module for item in work.program.class_by_key.values()):
        raise CannotNormalize("layers that other files call")


def _check_receiver(work: NormalizationRound, call: cst.Call) -> None:
    """Lists and dictionaries of modules take no hooks here: what goes through all modules has to ask for a class."""
    assert isinstance(call.func, cst.Attribute)
    node = call.func.value
    has_lists = any(work.values.torch_name(item.func) in _LISTS for item in work.index.calls)
    if not isinstance(node, cst.Name) or not has_lists:
        return
    tests = [item.test for item in work.index.ancestors(call) if isinstance(item, cst.If)]
    asked = [part for test in tests for part in (test, *descendants(test)) if isinstance(part, cst.Call)]
    if any(
        dotted(part.func) == "isinstance" and part.args and code(part.args[0].value) == node.value for part in asked
    ):
        return
    sources = [item.value for item in work.program.definitions.of(node) if item.how is not How.ASSIGNED and item.value]
    if any(isinstance(part, cst.Name) and part.value in _ALL for source in sources for part in descendants(source)):
        raise CannotNormalize("lists of modules")


def _hooks_of(work: NormalizationRound, call: cst.Call) -> list[cst.FunctionDef | cst.Lambda]:
    """The functions that may be the hook that a call attaches."""
    if len(call.args) != 1 or call.args[0].keyword is not None or call.args[0].star:
        raise CannotNormalize("options of hooks")
    found = hook_functions(work.program, call.args[0].value)
    if not found:
        raise CannotNormalize("hooks that are not in sight")
    return found


def _unseen() -> set[Place]:
    raise CannotNormalize("a module that is not made in sight")


def _check_hook(work: NormalizationRound, node: cst.FunctionDef | cst.Lambda, name: str) -> None:
    """A hook draws nothing, and asks nothing of the module but its name and fields; where something changes in place, it copies
    what it keeps."""
    function = work.program.functions.get(node) if isinstance(node, cst.FunctionDef) else None
    assert work.effects is not None
    if function is not None and work.effects.of(function).draw is not Draw.NONE:
        raise CannotNormalize("hooks that draw")
    if _changes_own_module(work, node):
        raise CannotNormalize("hooks that keep something in the module around")
    names = [item.name.value for item in node.params.params]
    names = names[1:] if function is not None and function.is_method else names
    module, kept = names[:1], names[1:3]
    changes = name in FORWARD_HOOKS and _changes_in_place(work)
    unlike = names[1:2] if name == "register_backward_hook" else []  # the gradients of the last operation's inputs
    for item in descendants(node.body):
        if isinstance(item, cst.Name) and item.value in module and not _asks_little(work, item):
            raise CannotNormalize("hooks that keep their module")
        if isinstance(item, cst.Name) and item.value in unlike:
            raise CannotNormalize("gradients of inputs")
        if isinstance(item, cst.Name) and item.value in kept and changes and not _is_copied(work, item):
            raise CannotNormalize("hooks that keep what changes")


def _changes_own_module(work: NormalizationRound, node: cst.FunctionDef | cst.Lambda) -> bool:
    """Whether a hook changes fields of the module in whose method it stands: models are other objects in time."""
    around, selves = work.program.function_around(work.index.parents[node]), set[str]()
    while around is not None:
        if around.owner is not None and around.owner.is_module and around.self_name is not None:
            selves.add(around.self_name)
        around = around.outer
    is_trained = work.program.mentions("backward") or (work.effects is not None and work.effects.threads)
    for item in descendants(node.body) if selves else ():
        match item:
            case cst.AssignTarget(target=cst.Attribute(value=base)) | cst.AugAssign(target=cst.Attribute(value=base)):
                pass
            case cst.AssignTarget(target=cst.Subscript(value=base)) | cst.AugAssign(target=cst.Subscript(value=base)):
                pass
            case cst.Call(func=cst.Attribute(value=base)) if is_trained and work.values(base).kind is not Kind.TENSOR:
                pass
            case cst.Call(func=cst.Name(value="setattr"), args=[cst.Arg(value=base), *_]):
                pass
            case _:
                continue
        if any(isinstance(part, cst.Name) and part.value in selves for part in (base, *descendants(base))):
            return True
    return False


def _asks_little(work: NormalizationRound, name: cst.Name) -> bool:
    """Whether a module is read for a field of its own, its class or its text, or stands as the key of a dictionary."""
    parents = work.index.parents
    parent = parents[name]
    if isinstance(parent, cst.Index) or (isinstance(parent, cst.Comparison) and _is_sought(parent, name)):
        return True
    if isinstance(parent, cst.Attribute) and parent.value is name:
        around = parents[parent]
        return not isinstance(around, (cst.AssignTarget, cst.AugAssign, cst.Call)) or parent.attr.value == "__class__"
    call = parents[parent] if isinstance(parent, cst.Arg) else None
    if isinstance(parent, cst.FormattedStringExpression):
        return False
    is_named = isinstance(call, cst.Call) and dotted(call.func) in _NAMING
    return is_named or work.index.is_label(name)


def _is_sought(test: cst.Comparison, name: cst.Name) -> bool:
    """Whether it is asked if something is in a container: `module in cache`."""
    return test.left is name and isinstance(test.comparisons[0].operator, cst.In | cst.NotIn)


def _is_copied(work: NormalizationRound, name: cst.Name) -> bool:
    """Whether something new is made of a tensor, or only its shape is asked for: `output.detach().clone()`."""
    parents, node = work.index.parents, name
    current: cst.CSTNode = node
    while isinstance(parent := parents[current], (cst.Attribute, cst.Call, cst.Subscript)):
        if isinstance(parent, cst.Attribute) and parent.attr.value in _ABOUT:
            return True
        current = parent
    return work.index.is_label(name)


def _changes_in_place(work: NormalizationRound) -> bool:
    """Whether a module may change what another one has computed."""
    for call in work.index.calls:
        flags = [item.value for item in call.args if item.keyword is not None and item.keyword.value == "inplace"]
        if any(work.values(item).const is not False for item in flags):
            return True
        name = work.values.torch_name(call.func) or ""
        if (
            name.startswith("torch.nn.")
            and name in _TAKING_FLAGS
            and any(work.values(item.value).const is True for item in call.args)
        ):
            return True
    return any(_changes(work, node) for node in descendants(work.index.module))


_TAKING_FLAGS = frozenset(
    f"torch.nn.{name}"
    for name in ("ReLU", "ReLU6", "LeakyReLU", "ELU", "SELU", "CELU", "SiLU", "Hardtanh", "Dropout", "Dropout2d")
) | frozenset(
    f"torch.nn.functional.{name}" for name in ("relu", "relu6", "leaky_relu", "elu", "selu", "silu", "dropout")
)


def _changes(work: NormalizationRound, node: cst.CSTNode) -> bool:
    """Whether a node changes a tensor that may be what a module has given."""
    match node:
        case cst.AugAssign(target=target):
            return _may_be_given(work, target)
        case cst.Call(func=cst.Attribute(value=base, attr=cst.Name(value=name))):
            return name.endswith("_") and not name.endswith("__") and _may_be_given(work, base)
        case cst.AssignTarget(target=cst.Subscript(value=base)):
            return _may_be_given(work, base)
    return False


def _may_be_given(work: NormalizationRound, node: cst.BaseExpression) -> bool:
    """Whether a tensor may be what a module has given: in a module any, elsewhere what a call of one is bound to."""
    if work.values(node).kind not in (Kind.TENSOR, Kind.UNKNOWN):
        return False
    function = work.program.function_around(node)
    if function is not None and function.owner is not None and function.owner.is_module:
        return function.name != "__init__"
    while isinstance(node, cst.Attribute | cst.Subscript):
        node = node.value
    sources = [item.value for item in work.program.definitions.of(node)] if isinstance(node, cst.Name) else []
    calls = [part for item in sources if item for part in (item, *descendants(item)) if isinstance(part, cst.Call)]
    return any(_may_call_module(work, call) for call in calls)


def _may_call_module(work: NormalizationRound, call: cst.Call) -> bool:
    """Whether a call may be that of a module, or of a method of its own class."""
    if work.values(call.func).kind is Kind.UNKNOWN and isinstance(call.func, cst.Name):
        return bool(work.program.definitions.of(call.func))
    if isinstance(call.func, cst.Attribute) and work.values(call.func.value).is_a(Kind.MODULE, Kind.UNKNOWN):
        return is_own_method(call.func.attr.value)
    return work.values(call.func).kind is Kind.MODULE


@dataclass(slots=True)
class _Search:
    """Looks for the places where the modules are made that an expression may give a part of."""

    work: NormalizationRound
    _open: set[cst.CSTNode] = field(default_factory=set)

    def roots(self, node: cst.BaseExpression) -> set[Place]:
        """All such places; there is at least one, unless the module is being looked for already."""
        if node in self._open:
            return set()
        self._open.add(node)
        found = self._found(node)
        if not found and self.work.values(node).kind is Kind.MODULE:
            raise CannotNormalize("a module that is not made in sight")
        self._open.discard(node)
        return found

    def _found(self, node: cst.BaseExpression) -> set[Place]:
        match node:
            case cst.Name():
                return self._of_definitions(self.work.program.definitions.of(node), node)
            case cst.Attribute(value=cst.Name(value=own)) if self._is_own(node, own):
                return self._of_field(node)
            case cst.Attribute(value=base) | cst.Subscript(value=base):
                return self.roots(base)
            case cst.Call():
                return self._of_call(node)
            case cst.ListComp() | cst.GeneratorExp() | cst.DictComp():
                return self.roots(node.for_in.iter)
            case cst.List() | cst.Tuple():
                return self._all(item.value for item in node.elements)
        return set()

    def _all(self, nodes: Iterable[cst.BaseExpression]) -> set[Place]:
        return {place for node in nodes for place in self._found(node)}

    def _of_call(self, call: cst.Call) -> set[Place]:
        """`list(model.modules())`, `getattr(model, name)`, `model.get_submodule(name)`."""
        if self._makes(call):
            raise CannotNormalize("a module without a name")
        base = [call.func.value] if isinstance(call.func, cst.Attribute) else []
        return self._all([*base, *(item.value for item in call.args)])

    def _of_definitions(self, definitions: Iterable[Definition], name: cst.Name) -> set[Place]:
        found: set[Place] = set()
        for item in definitions:
            if item.how is How.PARAMETER and item.node not in self._open:  # else a function that goes on with parts
                self._open.add(item.node)
                found |= self._of_callers(item, name)
                self._open.discard(item.node)
            elif item.how is How.PARAMETER:
                continue
            elif item.how in (How.ASSIGNED, How.NEXT, How.PART) and item.value is not None:
                found |= self._of_value(item.value, name.value, item.node)
            elif item.how not in (How.IMPORTED, How.DEFINED):
                raise CannotNormalize("a variable that is bound in another way")
        return found

    def _of_value(self, value: cst.BaseExpression, place: str, node: cst.CSTNode) -> set[Place]:
        """The places behind an assignment: its own one, if the module is made there, and those of what is given to it."""
        made = chain_start(value, _PLACING)
        if not isinstance(made, cst.Call) or not self._makes(made):
            return self._found(value)
        around = self.work.program.function_around(node)
        given = [item.value for item in made.args if self._may_be_module(item.value)]
        if any(self._keeps(function) for function in self.work.values.callees.get(made, ())):
            raise CannotNormalize("a module that a function keeps")
        return {(around.key if around is not None else "", place)} | self._all(given)

    def _may_be_module(self, node: cst.BaseExpression) -> bool:
        value = self.work.values(node)
        return value.kind in (Kind.MODULE, Kind.LIST, Kind.UNKNOWN) and not isinstance(
            node, (cst.Call, cst.SimpleString)
        )

    def _makes(self, call: cst.Call) -> bool:
        """Whether a call makes a module: of a class of the file, of torch's layers, or by a function of the file."""
        kinds = (Kind.CLASS, Kind.TORCH, Kind.FUNCTION)
        return self.work.values(call).kind is Kind.MODULE and self.work.values(call.func).kind in kinds

    def _keeps(self, function: Function) -> bool:
        """Whether a function gives a module that has a name outside of it, too."""
        if function.name == "__init__":
            return False
        own = {*function.parameter_names, *function.env}
        given = [node.value for node in descendants(function.node.body) if isinstance(node, cst.Return)]
        is_global = any(isinstance(node, cst.Global | cst.Nonlocal) for node in descendants(function.node.body))
        return is_global or not all(isinstance(item, cst.Call) or dotted(item) in own for item in given if item)

    def _of_callers(self, item: Definition, name: cst.Name) -> set[Place]:
        """What the calls in sight give for a parameter."""
        functions = [f for f in self.work.program.functions.values() if item.node in f.parameters]
        applied = self._applying(functions[0]) if functions else []
        calls = [call for call in functions[0].callers if isinstance(call, cst.Call)] if functions else []
        if not (calls or applied) or len(calls) != len(functions[0].callers):
            raise CannotNormalize("callers out of sight")
        found = self._all(call.func.value for call in applied if isinstance(call.func, cst.Attribute))
        for call in calls:
            if call in applied:
                continue
            if call not in self.work.index.parents:
                raise CannotNormalize("callers in other files")
            given = [
                value for n, value in arguments_by_parameter(functions[0], call, self.work.values) if n == name.value
            ]
            found |= self._all(given)
        return found

    def _applying(self, function: Function) -> list[cst.Call]:
        """The calls that apply a function to a module and its parts: `model.apply(attach)`."""
        named = (call for call in self.work.index.calls if dotted(call.func) is not None and len(call.args) == 1)
        return [
            call
            for call in named
            if isinstance(call.func, cst.Attribute)
            and call.func.attr.value == "apply"
            and self.work.values(call.func.value).kind is Kind.MODULE
            and function.key in self.work.values(call.args[0].value).types
        ]

    def _is_own(self, node: cst.Attribute, name: str) -> bool:
        function = self.work.program.function_around(node)
        return function is not None and function.owner is not None and function.self_name == name

    def _of_field(self, node: cst.Attribute) -> set[Place]:
        """`self.model` of an object: what any method stores there."""
        function = self.work.program.function_around(node)
        assert function is not None and function.owner is not None
        found: set[Place] = set()
        for method in function.owner.methods.values():
            for item in descendants(method.node.body, cst.Assign):
                pairs = [pair for part in item.targets for pair in assigned_pairs(part.target, item.value)]
                for target, value in pairs:
                    if dotted(target) == code(node):
                        found |= self._of_value(value, code(node), item)
        return found


_PLACING = frozenset({"to", "cuda", "cpu", "eval", "train", "float"})
