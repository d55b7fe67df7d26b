"""Switches of torch's kernels that a program sets, and reads of them that matter.

Whether a switch is set is asked of all files of a program, as a may-analysis over names: `torch.backends.cudnn.benchmark = True`
anywhere sets it. A read matters unless all that becomes of it is another assignment to such a switch.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from torch2jax.facts.infer import Values
from torch2jax.program.program import Program, dotted
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

BACKENDS = "torch.backends."
SETTERS = {
    "torch.are_deterministic_algorithms_enabled": "use_deterministic_algorithms",
    "torch.is_deterministic_algorithms_warn_only_enabled": "use_deterministic_algorithms",
    "torch.get_float32_matmul_precision": "set_float32_matmul_precision",
}
"""Functions that tell what another function has set."""
_HOLDERS = frozenset({"cudnn", "matmul", "mkldnn", "opt_einsum"})
_TRUE = frozenset({"allow_tf32", "enabled"})  # of cudnn, where nothing is set


def read_switches(program: Program, values: Values) -> Iterator[tuple[cst.BaseExpression, str]]:
    """The reads of switches that the program sets, and what is read."""
    for node in program.index.attributes:
        name = values.torch_name(node)
        if name in SETTERS and any(file.mentions(SETTERS[name]) for file in program.files):
            yield node, name
        elif name is not None and name.startswith(BACKENDS) and _is_read(program, node):
            if any(_may_set(file, node.attr.value) for file in program.files) and not _is_kept(program, values, node):
                yield node, name


def _is_read(program: Program, node: cst.Attribute) -> bool:
    parent = program.index.parents[node]
    is_part = isinstance(parent, cst.Attribute) or (isinstance(parent, cst.Call) and parent.func is node)
    return not is_part and not isinstance(parent, cst.AssignTarget)


def _may_set(file: Program, switch: str) -> bool:
    """Whether a file gives a switch of this name a value that it may not have."""
    for node in file.index.attributes:
        target = file.index.parents[node]
        if node.attr.value == switch and isinstance(target, cst.AssignTarget) and _is_of_kernels(file, node.value):
            line = file.index.parents[target]
            if not isinstance(line, cst.Assign) or dotted(line.value) != str(switch in _TRUE):
                return True
    return False


def _is_of_kernels(file: Program, holder: cst.BaseExpression) -> bool:
    """Whether the holder of a field may be a module of switches: by what a file imports at its top, else by its last name."""
    name = dotted(holder) or ""
    root, _, rest = name.partition(".")
    value = file.module_env.get(root)
    if value is not None and value.kind is Kind.TORCH:
        return f"{value.const}.{rest}".startswith(BACKENDS)
    return name.rpartition(".")[2] in _HOLDERS


def _is_kept(program: Program, values: Values, node: cst.Attribute) -> bool:
    """`before = torch.backends.cudnn.benchmark`, to be set again, or the value of another assignment to a switch."""
    line = program.index.parents[node]
    if not isinstance(line, cst.Assign) or len(line.targets) != 1 or line.value is not node:
        return False
    target = line.targets[0].target
    if not isinstance(target, cst.Name):
        return _sets_switch(values, line)
    scope = program.index.function_of(node) or program.index.module
    uses = [item for item in descendants(scope, cst.Name) if item.value == target.value and item is not target]
    return all(_sets_switch(values, program.index.parents[use]) for use in uses)


def _sets_switch(values: Values, line: cst.CSTNode) -> bool:
    if not isinstance(line, cst.Assign) or len(line.targets) != 1:
        return False
    target = line.targets[0].target
    holder = values.torch_name(target.value) if isinstance(target, cst.Attribute) else None
    return f"{holder}.".startswith(BACKENDS)


__all__ = ["BACKENDS", "SETTERS", "read_switches"]
