"""Kernels that a program writes in a language for GPUs, and the functions that start them.

@triton.jit
def double_kernel(x, y, n, BLOCK: tl.constexpr): ...

def double(x):
    double_kernel[(n,)](x, y, n, BLOCK=64)

Such a kernel takes the memory of torch's tensors, with their strides, and writes into them; no translation of it is known.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from torch2jax.facts.infer import Values
from torch2jax.program.program import Function, Program, dotted, import_bindings
from torch2jax.records import dataclass
from torch2jax.values import Kind

LANGUAGES = {
    "triton.jit": "Triton",
    "triton.autotune": "Triton",
    "triton.heuristics": "Triton",
    "tilelang.jit": "TileLang",
    "cutlass.cute.jit": "CuTe",
    "cutlass.cute.kernel": "CuTe",
    "numba.cuda.jit": "Numba",
}


@dataclass(frozen=True, slots=True)
class KernelUse:
    """A place that has no translation: the definition of a kernel, or a statement that starts one. `region` is all that belongs
    to it, for a start the body of the function around; `name` is empty where another place tells of the kernel.
    """

    node: cst.CSTNode
    region: cst.CSTNode
    name: str
    language: str


def find_kernel_uses(program: Program, values: Values) -> list[KernelUse]:
    """The first start of a kernel in each function, and the kernels of the file that nothing in it starts."""
    bound = _imported_names(program)
    kernels = {
        item.name: (item, language)
        for item in program.functions.values()
        if (language := _language(item, bound)) is not None
    }
    uses: dict[cst.CSTNode, KernelUse] = {}
    begun = set()
    for call in program.index.calls:
        started = _started(call, values, {name: language for name, (_, language) in kernels.items()})
        if started is None:
            continue
        line = program.index.statement_of(call)
        function = program.function_around(call)
        region = line if function is None else function.node.body
        uses.setdefault(region, KernelUse(line, region, *started))
        begun.add(started[0])
    for name, (item, language) in kernels.items():
        is_told = name in begun or item.node.body in uses
        uses[item.node] = KernelUse(item.node, item.node, "" if is_told else name, language)
    return list(uses.values())


def _imported_names(program: Program) -> dict[str, str]:
    bound = {}
    for node in program.index.imports:
        for name, value in import_bindings(node, ()).items():
            if isinstance(value.const, str):
                bound[name] = value.const
    return bound


def _language(function: Function, bound: dict[str, str]) -> str | None:
    """The language of a kernel, by what decorates it."""
    for decorator in function.node.decorators:
        made = decorator.decorator
        path = dotted(made.func if isinstance(made, cst.Call) else made) or ""
        first, _, rest = path.partition(".")
        full = ".".join(filter(None, (bound.get(first, ""), rest)))
        if full in LANGUAGES:
            return LANGUAGES[full]
    return None


def _started(call: cst.Call, values: Values, kernels: dict[str, str]) -> tuple[str, str] | None:
    """The kernel that `kernel[grid](...)` starts, of this file or of another of the program, and its language."""
    if not isinstance(call.func, cst.Subscript):
        return None
    kernel = call.func.value
    if isinstance(kernel, cst.Call) and len(kernel.args) == 1:
        kernel = kernel.args[0].value  # torch.library.wrap_triton(kernel)[grid](...)
    name = dotted(kernel)
    if name is None:
        return None
    if name in kernels:
        return name, kernels[name]
    for function in _functions(kernel, values):
        for text in function.decorators:
            language = LANGUAGES.get(text.partition("(")[0])
            if language is not None:
                return name, language
    return None


def _functions(node: cst.CSTNode, values: Values) -> Iterator[Function]:
    value = values(node)
    if value.kind is Kind.FUNCTION:
        yield from (values.program.by_key[key] for key in sorted(value.types) if key in values.program.by_key)


__all__ = ["KernelUse", "find_kernel_uses"]
