"""Layers and losses that are asked of torch by a name that is known when the program runs: a table says which there are.

self.act = getattr(nn, name)()     ->   ACTIVATIONS = {"ReLU": nn.ReLU, "ELU": nn.ELU, ...}
                                        self.act = ACTIVATIONS[name]()
getattr(nn, name)(**options)       ->   ACTIVATIONS = {"ELU": lambda alpha=1.0: nn.ELU(alpha), ...}
self.act = getattr(F, name)        ->   FUNCTIONS = {"relu": F.relu, "elu": F.elu, ...}
                                        self.act = FUNCTIONS[name]
getattr(nn, kind)(4, 8, num_layers=2)   RECURRENT = {"LSTM": nn.LSTM, "GRU": nn.GRU, "RNN": nn.RNN}
getattr(nn, pad)(n, **options)           PADDINGS = {"ReflectionPad1d": lambda padding: nn.ReflectionPad1d(padding), ...}
getattr(nn, f"Conv{dim}d")(4, 8, 3)     LAYERS = {"Conv1d": nn.Conv1d, "Conv2d": nn.Conv2d, "Conv3d": nn.Conv3d}

Only where it is known what is meant: by a name that the program gives (a default, an argument of a call in sight), by a part of
the name, by what it is made with (sizes and options that only recurrent layers, or norms, take), or by what is done with it (a
member of a Sequential, called with one argument). Others are a `KeyError`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import libcst as cst

from torch2jax.facts.infer import text_pattern
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.program import dotted
from torch2jax.records import dataclass
from torch2jax.syntax.edits import always_statements
from torch2jax.syntax.quote import quote, quote_statement
from torch2jax.syntax.walk import descendants
from torch2jax.values import NOTHING, Kind

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
_PADDINGS = {
    f"{kind}Pad{ndim}d": {"padding": "", **({"value": ""} if kind == "Constant" else {})}
    for kind in ("Constant", "Zero", "Reflection", "Replication", "Circular")
    for ndim in (1, 2, 3)
}  # without first values
_SLIDING = {"kernel_size": "", "stride": "None", "padding": "0"}
_POOLINGS = {
    **{f"AvgPool{n}d": {**_SLIDING, "ceil_mode": "False", "count_include_pad": "True"} for n in (1, 2, 3)},
    **{f"MaxPool{n}d": {**_SLIDING, "dilation": "1", "ceil_mode": "False"} for n in (1, 2, 3)},
    **{f"Adaptive{kind}Pool{n}d": {"output_size": ""} for kind in ("Avg", "Max") for n in (1, 2, 3)},
}
_FUNCTIONS = (
    "relu", "relu6", "elu", "selu", "celu", "gelu", "leaky_relu", "silu", "mish", "sigmoid", "logsigmoid", "tanh", "softplus",
    "softsign", "hardswish", "hardsigmoid", "hardtanh", "tanhshrink", "softshrink", "hardshrink",
)  # fmt: skip
_LATE = frozenset({"ceil_mode", "count_include_pad"})  # options that stand behind others
_WINDOWS = ("hann_window", "hamming_window", "bartlett_window", "blackman_window")
_OF_TORCH = ("relu", "selu", "sigmoid", "tanh", "sin", "cos", "exp", "abs", "sqrt", "square")
_LOSSES = (
    "MSELoss", "L1Loss", "SmoothL1Loss", "HuberLoss", "CrossEntropyLoss", "NLLLoss", "BCELoss", "BCEWithLogitsLoss", "KLDivLoss",
)  # fmt: skip
_LOSS_FUNCTIONS = (
    "mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "cross_entropy", "nll_loss", "binary_cross_entropy",
    "binary_cross_entropy_with_logits", "kl_div",
)  # fmt: skip
_OF_RECURRENT = frozenset({"hidden_size", "num_layers", "batch_first", "bidirectional"})  # options of no other layers
_NORMS = ("BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "InstanceNorm1d", "InstanceNorm2d", "InstanceNorm3d")


@dataclass(frozen=True, slots=True)
class _Table:
    """Some of what a part of torch has: what the table is called, the names, and with how many arguments they are called."""

    home: str
    wish: str
    keys: tuple[str, ...]
    count: int | None = None


_ACTIVATIONS, _RECURRENT = (
    _Table("torch.nn", "ACTIVATIONS", (*_PLAIN_LAYERS, *_OPTIONS), 1),
    _Table("torch.nn", "RECURRENT", ("LSTM", "GRU", "RNN")),
)
_OF_PLACES = tuple(  # of one number of axes each
    _Table("torch.nn", wish, tuple(name for name in names if name.endswith(f"{ndim}d")))
    for wish, names in (("PADDINGS", _PADDINGS), ("POOLINGS", _POOLINGS))
    for ndim in (1, 2, 3)
)
_MADE_WITH_SIZES = (_RECURRENT, _Table("torch.nn", "NORMS", _NORMS), *_OF_PLACES)
_WITH_OPTIONS = (_ACTIVATIONS, *_OF_PLACES)
_KNOWN = (
    *_WITH_OPTIONS,
    _Table("torch.nn", "LOSSES", _LOSSES, 2),
    _Table("torch.nn.functional", "FUNCTIONS", _FUNCTIONS, 1),
    _Table("torch.nn.functional", "LOSSES", _LOSS_FUNCTIONS, 2),
    _Table("torch", "FUNCTIONS", _OF_TORCH, 1),
    _Table("torch", "WINDOWS", _WINDOWS),
)


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
    tables: dict[_Table, list[_Question]] = {}
    for question in _questions(work):
        table = _table(work, question)
        if table is not None:
            tables.setdefault(table, []).append(question)
    for table, questions in tables.items():
        _write_table(work, table, questions)


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
            and any(table.home == home for table in _KNOWN)
            and is_open
            and root in work.program.module_env
            and not _is_tried(work, node)
        ):
            yield _Question(node, holder, text, home)


def _is_tried(work: NormalizationRound, node: cst.CSTNode) -> bool:
    """Whether an error of a name that torch does not have is caught."""
    return any(isinstance(around, cst.Try) for around in work.index.ancestors(node))


# what is meant


def _table(work: NormalizationRound, question: _Question) -> _Table | None:
    """The table that can be asked instead; None where it is not known what is meant."""
    given, texts = _given(work, question), set(_texts(work, question.text))
    if any(item.keyword is not None and item.keyword.value == "inplace" for item in given):
        return None
    if question.home == "torch.nn":
        alike = _named_alike(work, question)
        if alike or _is_made_with_sizes(work, given):
            return alike or _of_sizes(work, question, given, texts)
    found, count = [item for item in _KNOWN if item.home == question.home], _count(work, question)
    if texts:
        found = [item for item in found if texts <= set(item.keys) and (count == 1 or item.keys is not _WINDOWS)]
    else:
        found = [item for item in found if item.count is not None and item.count == count]
    return found[0] if found and not (given and found[0] not in _WITH_OPTIONS) else None


def _named_alike(work: NormalizationRound, question: _Question) -> _Table | None:
    """The layers whose names have a form that is known: `f"Conv{dim}d"`."""
    assert work.effects is not None
    pattern = text_pattern(question.text, work.values(question.text))
    if pattern is None or not pattern.strip(".*"):
        return None
    layers = work.effects.tables.layers
    names = [name.removeprefix("torch.nn.") for name in sorted(layers) if name.startswith("torch.nn.")]
    keys = tuple(name for name in names if re.fullmatch(pattern, name))
    return _Table("torch.nn", "LAYERS", keys) if keys else None


def _is_made_with_sizes(work: NormalizationRound, given: Sequence[cst.Arg]) -> bool:
    """Whether arguments are none that activations take: several by position, a size, or an option of other layers."""
    plain = [item for item in given if not item.star]
    known = {name for options in _OPTIONS.values() for name in options}
    if any(item.keyword is not None and item.keyword.value not in known for item in plain):
        return True
    positional = [item.value for item in plain if item.keyword is None]
    is_size = [(value := work.values(item)).kind is Kind.INT and value.const is NOTHING for item in positional]
    return len(positional) > 2 or any(is_size)


def _of_sizes(
    work: NormalizationRound, question: _Question, given: Sequence[cst.Arg], texts: set[str]
) -> _Table | None:
    """The recurrent layers, or the norms, that a name may mean by what they are made with."""
    if texts:
        return next((item for item in _MADE_WITH_SIZES if texts & set(item.keys)), None)
    keywords = {item.keyword.value for item in given if item.keyword is not None}
    makes_pairs = keywords <= _OF_RECURRENT | {"dropout"} and _makes_pairs(work, question)
    return _RECURRENT if keywords & _OF_RECURRENT or makes_pairs else None


def _makes_pairs(work: NormalizationRound, question: _Question) -> bool:
    """Whether what is made gives two things wherever it is called, for what layers of one or two arguments are given."""
    made = [work.index.parents[item] for item in _uses(work, question.node) if _is_called(work, item)]
    uses = [use for item in made if isinstance(item, cst.BaseExpression) for use in _uses(work, item)]
    calls = [work.index.parents[use] for use in uses if _is_called(work, use)]
    return bool(calls) and all(_is_pair(work, call) for call in calls)


def _is_pair(work: NormalizationRound, call: cst.CSTNode) -> bool:
    match work.index.parents[call]:
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Tuple(elements=[_, _]))]):
            return isinstance(call, cst.Call) and len(call.args) <= 2
    return False


def _count(work: NormalizationRound, question: _Question) -> int | None:
    """With how many arguments it is called; None where that is not known, or differs."""
    uses = list(_uses(work, question.node))
    if question.home == "torch.nn":
        made = [work.index.parents[item] for item in uses if _is_called(work, item)]
        counts = {_count_of_made(work, item) for item in made} if len(made) == len(uses) else set()
    else:
        counts = {_arguments(work, item) for item in uses if _is_called(work, item)}
    return counts.pop() if len(counts) == 1 else None


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
    if isinstance(work.index.parents[made], (cst.Arg, cst.Element)):
        return _count_of_member(work, made)
    assert isinstance(made, cst.BaseExpression)
    uses = list(_uses(work, made))
    counts = {_arguments(work, item) if item is made else _count_of_use(work, item) for item in uses}
    return counts.pop() if len(counts) == 1 else None


def _count_of_use(work: NormalizationRound, use: cst.BaseExpression) -> int | None:
    """With how many arguments a module in a variable or field is called there: `act(x)`, `layers += [act]`."""
    return _arguments(work, use) if _is_called(work, use) else _count_of_member(work, use)


def _count_of_member(work: NormalizationRound, made: cst.CSTNode) -> int | None:
    """With how many arguments a member of a Sequential or list is called; None if it is no such member."""
    around = work.index.parents[made]
    holder = work.index.parents.get(around)
    if isinstance(around, cst.Arg) and isinstance(holder, cst.Call):
        is_appended = isinstance(holder.func, cst.Attribute) and holder.func.attr.value == "append"
        return 1 if is_appended or work.values.torch_name(holder.func) == "torch.nn.Sequential" else None
    return 1 if isinstance(around, cst.Element) and isinstance(holder, cst.List) else None


def _given(work: NormalizationRound, question: _Question) -> list[cst.Arg]:
    """The arguments with which layers are made."""
    calls = [work.index.parents[use] for use in _uses(work, question.node) if _is_called(work, use)]
    calls = calls if question.home == "torch.nn" else []
    return [item for call in calls if isinstance(call, cst.Call) for item in call.args]


# the table


def _write_table(work: NormalizationRound, table: _Table, questions: list[_Question]) -> None:
    has_options = any(_given(work, item) for item in questions)
    name, holder = work.fresh(table.wish), dotted(questions[0].holder)
    entries = [f'    "{key}": {_entry(f"{holder}.{key}", key, has_options)},\n' for key in table.keys]
    line = quote_statement(f"{name} = {{\n{''.join(entries)}}}\n")
    tops = {_top(work, item.node) for item in questions}
    above = next(line for line in work.index.module.body if line in tops)
    work.edits.before(above, always_statements([line]))
    for item in questions:
        work.edits.replace(item.node, lambda rewrite, item=item: _asked(name, rewrite.expression(item.text)))  # type: ignore[misc]


def _asked(table: str, text: cst.BaseExpression) -> cst.BaseExpression:
    return quote(f"{table}[{{key}}]", key=text)


def _entry(path: str, key: str, has_options: bool) -> str:
    """The class or function itself, or a lambda that takes the options of a class by torch's names."""
    options = {**_OPTIONS, **_PADDINGS, **_POOLINGS}.get(key) if has_options else None
    if options is None:
        return path
    parameters = ", ".join(f"{name}={default}" if default else name for name, default in options.items())
    given = ", ".join(f"{name}={name}" if name in _LATE else name for name in options)
    return f"lambda {parameters}: {path}({given})"


def _top(work: NormalizationRound, node: cst.CSTNode) -> cst.CSTNode:
    """The statement of the file around a node."""
    return next(item for item in work.index.ancestors(node) if work.index.parents.get(item) is work.index.module)


__all__ = ["normalize_layers_by_name"]
