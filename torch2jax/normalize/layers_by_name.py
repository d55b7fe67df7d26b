"""Activations and losses that are asked of torch by a name that is known when the program runs: a table says which there are.

self.act = getattr(nn, name)()     ->   ACTIVATIONS = {"ReLU": nn.ReLU, "ELU": nn.ELU, ...}
                                        self.act = ACTIVATIONS[name]()
getattr(nn, name)(**options)       ->   ACTIVATIONS = {"ELU": lambda alpha=1.0: nn.ELU(alpha), ...}
self.act = getattr(F, name)        ->   FUNCTIONS = {"relu": F.relu, "elu": F.elu, ...}
                                        self.act = FUNCTIONS[name]

Only where it is known that an activation or a loss is meant: by a name that the program gives (a default, an argument of a
call in sight), or by what is done with it (a member of a Sequential, called with one argument). Others are a `KeyError`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.program import dotted
from torch2jax.syntax.edits import always_statements
from torch2jax.syntax.quote import quote, quote_statement
from torch2jax.syntax.walk import descendants

_PLAIN_LAYERS = (
    "ReLU", "ReLU6", "SELU", "SiLU", "Mish", "Sigmoid", "LogSigmoid", "Tanh", "Hardswish", "Hardsigmoid", "Softsign", "Tanhshrink",
    "Identity",
)  # fmt: skip
_OPTIONS = {
    "ELU": {"alpha": "1.0"},
    "CELU": {"alpha": "1.0"},
    "GELU": {"approximate": '"none"'},
    "LeakyReLU": {"negative_slope": "0.01"},
    "PReLU": {"num_parameters": "1", "init": "0.25"},
    "Softplus": {"beta": "1.0", "threshold": "20.0"},
    "Hardtanh": {"min_val": "-1.0", "max_val": "1.0"},
    "Softshrink": {"lambd": "0.5"},
    "Hardshrink": {"lambd": "0.5"},
}
_FUNCTIONS = (
    "relu", "relu6", "elu", "selu", "celu", "gelu", "leaky_relu", "silu", "mish", "sigmoid", "logsigmoid", "tanh", "softplus",
    "softsign", "hardswish", "hardsigmoid", "hardtanh", "tanhshrink", "softshrink", "hardshrink",
)  # fmt: skip
_OF_TORCH = ("relu", "selu", "sigmoid", "tanh", "sin", "cos", "exp", "abs", "sqrt", "square")
_LOSSES = (
    "MSELoss", "L1Loss", "SmoothL1Loss", "HuberLoss", "CrossEntropyLoss", "NLLLoss", "BCELoss", "BCEWithLogitsLoss", "KLDivLoss",
)  # fmt: skip
_LOSS_FUNCTIONS = (
    "mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "cross_entropy", "nll_loss", "binary_cross_entropy",
    "binary_cross_entropy_with_logits", "kl_div",
)  # fmt: skip
# What a part of torch has that is called with so many arguments, and what the table is called.
_KNOWN: Mapping[tuple[str, int], tuple[str, tuple[str, ...]]] = {
    ("torch.nn", 1): ("ACTIVATIONS", (*_PLAIN_LAYERS, *_OPTIONS)),
    ("torch.nn", 2): ("LOSSES", _LOSSES),
    ("torch.nn.functional", 1): ("FUNCTIONS", _FUNCTIONS),
    ("torch.nn.functional", 2): ("LOSSES", _LOSS_FUNCTIONS),
    ("torch", 1): ("FUNCTIONS", _OF_TORCH),
}


@dataclass(frozen=True, slots=True)
class _Question:
    """`getattr(nn, name)`: the expression, what is asked, and the name."""

    node: cst.BaseExpression
    holder: cst.BaseExpression
    text: cst.BaseExpression
    home: str


def normalize_layers_by_name(work: NormalizationRound) -> None:
    """Write a table for each part of torch that is asked so."""
    if not any(name.value in ("getattr", "__dict__", "vars") for name in work.index.names):
        return
    tables: dict[tuple[str, int], list[_Question]] = {}
    for question in _questions(work):
        count = _count(work, question)
        if count is not None and _fits(work, question, count):
            tables.setdefault((question.home, count), []).append(question)
    for kind, questions in tables.items():
        _write_table(work, kind, questions)


def _questions(work: NormalizationRound) -> Iterator[_Question]:
    for node in (*work.index.calls, *work.index.every(cst.Subscript)):
        match node:
            case cst.Call(func=cst.Name("getattr"), args=[cst.Arg(value=holder), cst.Arg(value=text)]):
                pass
            case cst.Subscript(
                value=cst.Attribute(value=holder, attr=cst.Name("__dict__"))
                | cst.Call(func=cst.Name("vars"), args=[cst.Arg(value=holder)]),
                slice=[cst.SubscriptElement(slice=cst.Index(value=text))],
            ):
                pass
            case _:
                continue
        home = work.values.torch_name(holder)
        root = (dotted(holder) or "").partition(".")[0]
        is_open = not isinstance(work.values(text).const, str)
        if (
            home is not None
            and (home, 1) in _KNOWN
            and is_open
            and root in work.program.module_env
            and not _is_tried(work, node)
        ):
            yield _Question(node, holder, text, home)


def _is_tried(work: NormalizationRound, node: cst.CSTNode) -> bool:
    """Whether an error of a name that torch does not have is caught."""
    return any(isinstance(around, cst.Try) for around in work.index.ancestors(node))


# what is meant


def _count(work: NormalizationRound, question: _Question) -> int | None:
    """With how many arguments it is called: 1 for activations, 2 for losses; None where that is not known."""
    texts = set(_texts(work, question.text))
    kinds = [count for (home, count), (_, names) in _KNOWN.items() if home == question.home and texts <= set(names)]
    if texts:
        return kinds[0] if kinds else None
    uses = list(_uses(work, question.node))
    if question.home == "torch.nn":
        made = [work.index.parents[item] for item in uses if _is_called(work, item)]
        counts = {_count_of_made(work, item) for item in made} if len(made) == len(uses) else set()
    else:
        counts = {_arguments(work, item) for item in uses if _is_called(work, item)}
    found = counts.pop() if len(counts) == 1 else None
    return found if found is not None and (question.home, found) in _KNOWN else None


def _texts(work: NormalizationRound, text: cst.BaseExpression) -> Iterator[str]:
    """Names that the program gives for a parameter: its default, and the arguments of calls in sight."""
    node = work.index.function_of(text)
    function = work.program.functions.get(node) if isinstance(node, cst.FunctionDef) else None
    if not isinstance(text, cst.Name) or function is None:
        return
    for item in function.parameters:
        if item.name.value == text.value and item.default is not None:
            yield from _constant(work, item.default)
    for call, callees in work.values.callees.items():
        if function in callees and isinstance(call, cst.Call):
            given = dict(arguments_by_parameter(function, call, work.values))
            if text.value in given:
                yield from _constant(work, given[text.value])


def _constant(work: NormalizationRound, node: cst.BaseExpression) -> Iterator[str]:
    const = work.values(node).const
    if isinstance(const, str):
        yield const


def _uses(work: NormalizationRound, node: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """Where what was asked for, or made, stands: itself, or the variable or field that holds it."""
    assign = work.index.parents[node]
    match assign:
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Name(name))]):
            scope: cst.CSTNode = work.index.function_of(node) or work.index.module
            for item in descendants(scope):
                is_stored = isinstance(work.index.parents.get(item), cst.AssignTarget)
                if (
                    isinstance(item, cst.Name)
                    and item.value == name
                    and not is_stored
                    and not work.index.is_label(item)
                ):
                    yield item
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Attribute() as field)]):
            yield from _reads(work, field)
        case _:
            yield node


def _reads(work: NormalizationRound, field: cst.Attribute) -> Iterator[cst.BaseExpression]:
    """Where the class reads a field of its own."""
    owner = next((item for item in work.index.ancestors(field) if isinstance(item, cst.ClassDef)), None)
    for item in descendants(owner) if owner is not None else ():
        is_read = isinstance(item, cst.Attribute) and not isinstance(work.index.parents[item], cst.AssignTarget)
        if is_read and dotted(item) == dotted(field):  # type: ignore[arg-type]
            yield item  # type: ignore[misc]


def _is_called(work: NormalizationRound, node: cst.CSTNode) -> bool:
    call = work.index.parents[node]
    return isinstance(call, cst.Call) and call.func is node


def _arguments(work: NormalizationRound, node: cst.CSTNode) -> int | None:
    """With how many arguments something is called, by position and each for itself."""
    call = work.index.parents[node]
    if not isinstance(call, cst.Call) or call.func is not node:
        return None
    return len(call.args) if all(item.keyword is None and not item.star for item in call.args) else None


def _count_of_made(work: NormalizationRound, made: cst.CSTNode) -> int | None:
    """With how many arguments a module is called; one if it is a member of a Sequential or list."""
    around = work.index.parents[made]
    holder = work.index.parents.get(around)
    if isinstance(around, cst.Arg) and isinstance(holder, cst.Call):
        is_appended = isinstance(holder.func, cst.Attribute) and holder.func.attr.value == "append"
        return 1 if is_appended or work.values.torch_name(holder.func) == "torch.nn.Sequential" else None
    if isinstance(around, cst.Element):
        return 1 if isinstance(holder, cst.List) else None
    assert isinstance(made, cst.BaseExpression)
    counts = {_arguments(work, item) for item in _uses(work, made)}
    return counts.pop() if len(counts) == 1 else None


def _given(work: NormalizationRound, question: _Question) -> list[cst.Arg]:
    """The arguments with which layers are made."""
    calls = [work.index.parents[use] for use in _uses(work, question.node) if _is_called(work, use)]
    calls = calls if question.home == "torch.nn" else []
    return [item for call in calls if isinstance(call, cst.Call) for item in call.args]


def _fits(work: NormalizationRound, question: _Question, count: int) -> bool:
    """Whether the table can be asked instead: losses are made without options, and nothing works in place."""
    names = [item.keyword.value if item.keyword is not None else None for item in _given(work, question)]
    return "inplace" not in names and not (names and count == 2)


# the table


def _write_table(work: NormalizationRound, kind: tuple[str, int], questions: list[_Question]) -> None:
    wish, keys = _KNOWN[kind]
    has_options = any(_given(work, item) for item in questions)
    name, holder = work.fresh(wish), dotted(questions[0].holder)
    entries = [f'    "{key}": {_entry(f"{holder}.{key}", key, has_options)},\n' for key in keys]
    table = quote_statement(f"{name} = {{\n{''.join(entries)}}}\n")
    tops = {_top(work, item.node) for item in questions}
    above = next(line for line in work.index.module.body if line in tops)
    work.edits.before(above, always_statements([table]))
    for item in questions:
        work.edits.replace(item.node, lambda rewrite, item=item: _asked(name, rewrite.expression(item.text)))  # type: ignore[misc]


def _asked(table: str, text: cst.BaseExpression) -> cst.BaseExpression:
    return quote(f"{table}[{{key}}]", key=text)


def _entry(path: str, key: str, has_options: bool) -> str:
    """The class or function itself, or a lambda that takes the options of a class by torch's names."""
    options = _OPTIONS.get(key) if has_options else None
    if options is None:
        return path
    parameters = ", ".join(f"{name}={default}" for name, default in options.items())
    return f"lambda {parameters}: {path}({', '.join(options)})"


def _top(work: NormalizationRound, node: cst.CSTNode) -> cst.CSTNode:
    """The statement of the file around a node."""
    return next(item for item in work.index.ancestors(node) if work.index.parents.get(item) is work.index.module)


__all__ = ["normalize_layers_by_name"]
