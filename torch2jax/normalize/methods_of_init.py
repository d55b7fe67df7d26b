"""Methods with which a module is started, and started anew later: `__init__` gets a copy of its own.

def __init__(self):                              def __init__(self):
    self.fc = nn.Linear(3, 3)                        self.fc = nn.Linear(3, 3)
    self.reset_parameters()                          self.reset_parameters_at_init()

                                         ->      def reset_parameters_at_init(self):
                                                     nn.init.zeros_(self.fc.bias)

def reset_parameters(self):                      def reset_parameters(self):
    nn.init.zeros_(self.fc.bias)                     nn.init.zeros_(self.fc.bias)

While a module is made its parts are set in place; later, the method gives the module back, or acts on its variables.
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from torch2jax.facts.module_state import changes_buffers, runs_only_at_init
from torch2jax.normalize.changed_modules import changes_parts
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import Class, Function, dotted, is_super
from torch2jax.syntax.edits import always, always_statements
from torch2jax.syntax.walk import descendants, with_fields


def normalize_methods_of_init(work: NormalizationRound) -> None:
    """Copy all such methods, with those of derived classes that stand for them, where all of these are in the file."""
    if work.effects is None or not (work.effects.threads or work.effects.bound is not None):
        return  # modules that change in place
    for item in work.program.classes.values():
        for name in list(item.methods) if item.is_module else ():
            if not any(name in base.methods for base in item.lineage[1:]):
                _separate(work, item, name)


def _separate(work: NormalizationRound, item: Class, name: str) -> None:
    """Give `__init__` a copy of a method of a class, and of those that override it."""
    heirs = [other for other in work.program.class_by_key.values() if item in other.lineage]
    methods = [other.methods[name] for other in heirs if name in other.methods]
    if name.startswith("__") or name == "forward" or not all(_can_be_copied(work, method) for method in methods):
        return
    calls = list(dict.fromkeys(call for method in methods for call in method.callers))
    at_init = [call for call in calls if isinstance(call, cst.Call) and _is_at_init(work, call, name)]
    later = [call for call in calls if call not in at_init and not _is_in_one(work, call, methods)]
    if not at_init or not (later or name in work.program.read_elsewhere):
        return
    is_bound = work.effects is not None and work.effects.bound is not None  # buffers lie beside modules then
    if any(changes_parts(work, method) or (is_bound and changes_buffers(method)) for method in methods):
        _copy(work, methods, at_init, heirs)


def _can_be_copied(work: NormalizationRound, method: Function) -> bool:
    named = [item.decorator for item in method.node.decorators]
    names = [work.values.torch_name(node.func if isinstance(node, cst.Call) else node) for node in named]
    is_plain = all(name in ("torch.no_grad", "torch.inference_mode") for name in names)
    return is_plain and isinstance(method.node.body, cst.IndentedBlock) and method.node in work.index.parents


def _is_at_init(work: NormalizationRound, call: cst.Call, name: str) -> bool:
    """Whether a call is `self.reset_parameters()` in what runs nowhere but where modules are made."""
    around = work.program.function_around(call)
    if around is None or around.self_name is None or call not in work.index.parents:
        return False
    return dotted(call.func) == f"{around.self_name}.{name}" and runs_only_at_init(work.program, around)


def _is_in_one(work: NormalizationRound, call: cst.CSTNode, methods: Sequence[Function]) -> bool:
    """Whether a method calls that of its base class: `super().reset_parameters()`."""
    func = call.func if isinstance(call, cst.Call) else None
    return work.program.function_around(call) in methods and isinstance(func, cst.Attribute) and is_super(func.value)


def _copy(
    work: NormalizationRound, methods: Sequence[Function], at_init: Sequence[cst.Call], heirs: Sequence[Class]
) -> None:
    taken = {node.attr.value for node in work.index.attributes}.union(
        *({*item.methods, *item.fields} for item in heirs)
    )
    wishes = (f"{methods[0].name}_at_init{n or ''}" for n in range(len(taken) + 1))
    name = next(wish for wish in wishes if wish not in taken)
    for method in methods:
        twin = with_fields(work.copy(method.node), name=cst.Name(name), leading_lines=[cst.EmptyLine(indent=False)])
        named = [node for node in descendants(twin, cst.Attribute) if is_super(node.value)]
        for attr in [node.attr for node in named if node.attr.value == method.name]:
            changed = twin.with_deep_changes(attr, value=name)
            assert isinstance(changed, cst.FunctionDef)
            twin = changed
        work.edits.after(method.node, always_statements([twin]))
    for call in at_init:
        assert isinstance(call.func, cst.Attribute)
        work.edits.replace(call.func.attr, always(cst.Name(name)))


__all__ = ["normalize_methods_of_init"]
