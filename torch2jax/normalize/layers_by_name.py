"""Layers and losses that are asked of torch by a name that is known when the program runs: a table says which there are.

self.act = getattr(nn, name)()     ->   ACTIVATIONS = {"ReLU": nn.ReLU, "ELU": nn.ELU, ...}
                                        self.act = ACTIVATIONS[name]()
getattr(nn, name)(**options)       ->   ACTIVATIONS = {"ELU": lambda alpha=1.0: nn.ELU(alpha), ...}
self.act = getattr(F, name)        ->   FUNCTIONS = {"relu": F.relu, "elu": F.elu, ...}
                                        self.act = FUNCTIONS[name]
getattr(nn, kind)(4, 8, num_layers=2)   RECURRENT = {"LSTM": nn.LSTM, "GRU": nn.GRU, "RNN": nn.RNN}
getattr(nn, pad)(n, **options)           PADDINGS = {"ReflectionPad1d": lambda padding: nn.ReflectionPad1d(padding), ...}
getattr(F, loss)(x, y, reduction="sum")  LOSSES = {"mse_loss": lambda input, target: F.mse_loss(input, target, reduction="sum"), ...}
getattr(nn, f"Conv{dim}d")(4, 8, 3)     LAYERS = {"Conv1d": nn.Conv1d, "Conv2d": nn.Conv2d, "Conv3d": nn.Conv3d}
kind = kind + "Cell"                     LAYERS = {"GRUCell": nn.GRUCell, "LSTMCell": nn.LSTMCell, "RNNCell": nn.RNNCell}
getattr(nn, kind)(4, 8)
optim.__dict__[name]               ->   getattr(optim, name)
if not hasattr(nn, name):          ->   if name not in ACTIVATIONS:
    raise ValueError(name)                  raise ValueError(name)

Only where it is known what is meant: by names that the program gives (a default, an argument of a call in sight), by a part of
the name, by what it is made with (sizes and options that only recurrent layers, or norms, take), or by what is done with it (a
member of a Sequential, called with one argument). Others are a `KeyError`; so are all that the program does not give, where it is
seen to give every name that there is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import libcst as cst

from torch2jax.facts.infer import text_pattern
from torch2jax.facts.texts import texts_of
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.ops.schema import is_inplace_name
from torch2jax.ops.signatures import parse_signature
from torch2jax.program.program import dotted
from torch2jax.records import dataclass
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import Rewriter, always_statements
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
_LATE = frozenset({"ceil_mode", "count_include_pad", "inplace"})  # options that stand behind others
_WINDOWS = ("hann_window", "hamming_window", "bartlett_window", "blackman_window")
_OF_TORCH = ("relu", "selu", "sigmoid", "tanh", "sin", "cos", "exp", "abs", "sqrt", "square")
_LOSSES = (
    "MSELoss", "L1Loss", "SmoothL1Loss", "HuberLoss", "CrossEntropyLoss", "NLLLoss", "BCELoss", "BCEWithLogitsLoss", "KLDivLoss",
)  # fmt: skip
_LOSS_FUNCTIONS = (
    "mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "cross_entropy", "nll_loss", "binary_cross_entropy",
    "binary_cross_entropy_with_logits", "kl_div",
)  # fmt: skip
_WIDTH = 100  # of a table in one line
_OTHER_ERRORS = frozenset({"ImportError", "KeyboardInterrupt", "OSError", "RuntimeError"})
_DATASETS = ("MNIST", "FashionMNIST", "KMNIST", "CIFAR10", "CIFAR100")  # which are made alike
_OF_RECURRENT = frozenset({"hidden_size", "num_layers", "batch_first", "bidirectional"})  # options of no other layers
_NORMS = ("BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "InstanceNorm1d", "InstanceNorm2d", "InstanceNorm3d")


_Fixed = tuple[tuple[str, str], ...]  # options, and the texts of what they are given
_LITERALS = (cst.SimpleString, cst.Integer, cst.Float)
_WORDS = frozenset({"True", "False", "None"})


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
    _Table("torchvision.datasets", "DATASETS", _DATASETS),
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
    tables: dict[tuple[_Table, bool, _Fixed], tuple[dict[str, None], list[_Question]]] = {}
    for question in _questions(work):
        table = _table(work, question) if _is_open(work, question) else None
        if table is None and isinstance(question.node, cst.Subscript):
            work.edits.replace(question.node, partial(_asked_by_getattr, question))
        elif table is not None:
            family = _around(table) or table
            fixed = () if family in (*_WITH_OPTIONS, *_MADE_WITH_SIZES) else _fixed(work, question)
            keys, questions = tables.setdefault((family, _may_change(work, question), fixed), ({}, []))
            keys |= dict.fromkeys(table.keys)
            questions.append(question)
    for (table, takes_inplace, fixed), (keys, questions) in tables.items():
        if fixed:
            entries = _fixed_entries(work, table, list(keys), fixed, questions)
        else:
            entries = _entries(work, list(keys), takes_inplace, questions)
        _write_table(work, table.wish, entries, questions)


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
        home = work.values.torch_name(holder) or ""
        root = (dotted(holder) or "").partition(".")[0]
        is_torch = home in ("torch", "torchvision.datasets") or home.startswith("torch.")
        is_stored = isinstance(work.index.parents[node], (cst.AssignTarget, cst.Del))
        if is_torch and root in work.program.module_env and not is_stored and not _is_tried(work, node):
            yield _Question(node, holder, text, home)


def _is_open(work: NormalizationRound, question: _Question) -> bool:
    """Whether only the program knows the name, of something that there are tables of."""
    is_known = isinstance(work.values(question.text).const, str)
    return not is_known and any(table.home == question.home for table in _KNOWN)


def _asked_by_getattr(question: _Question, rewrite: Rewriter) -> cst.BaseExpression:
    """`getattr(optim, name)` of `optim.__dict__[name]`."""
    holder, text = rewrite.expression(question.holder), rewrite.expression(question.text)
    return quote("getattr({holder}, {name})", holder=holder, name=text)


def _is_tried(work: NormalizationRound, node: cst.CSTNode) -> bool:
    """Whether an error of a name that torch does not have is caught."""
    tried = [item for item in work.index.ancestors(node) if isinstance(item, cst.Try)]
    kinds = [handler.type for item in tried for handler in item.handlers]
    return any(kind is None or (dotted(kind) or "Exception") not in _OTHER_ERRORS for kind in kinds)


# what is meant


def _table(work: NormalizationRound, question: _Question) -> _Table | None:
    """The table that can be asked instead; None where it is not known what is meant."""
    given, names = _given(work, question), texts_of(work.program, work.values, question.text)
    texts = tuple(text for text in names.found if _is_translated(work, question.home, text))
    if any(map(is_inplace_name, names.found)):
        return None
    if question.home == "torchvision.datasets":
        return _of_datasets(work, question)
    if names.is_whole and len(texts) > 1:  # what one name says is not asked of a table
        return _of_names(question.home, texts, given)
    if question.home == "torch.nn":
        alike = _named_alike(work, question)
        if alike or _is_made_with_sizes(work, given, bool(texts)):
            return alike or _of_sizes(work, question, given, set(texts))
    found, count = [item for item in _KNOWN if item.home == question.home], _count(work, question)
    if texts:
        found = [item for item in found if set(texts) <= set(item.keys) and (count == 1 or item.keys is not _WINDOWS)]
    else:
        found = [item for item in found if item.count is not None and item.count == count]
    return found[0] if found and (not given or found[0] in _WITH_OPTIONS or _fixed(work, question)) else None


def _of_datasets(work: NormalizationRound, question: _Question) -> _Table | None:
    """The datasets that texts of the program name, in capitals or not, or all that are made alike, where it is told that one is
    for training.
    """
    calls = _calls(work, question)
    words = [{item.keyword.value for item in call.args if item.keyword is not None} for call in calls]
    if not words or not all("train" in item for item in words):
        return None
    texts = (cst.ensure_type(item, cst.SimpleString).evaluated_value for item in work.index.every(cst.SimpleString))
    said = {text.lower() for text in texts if isinstance(text, str)}
    named = tuple(name for name in _DATASETS if name.lower() in said)
    return _Table(question.home, "DATASETS", named if len(named) > 1 else _DATASETS)


def _is_translated(work: NormalizationRound, home: str, text: str) -> bool:
    """Whether something of torch has a translation."""
    assert work.effects is not None
    tables, name = work.effects.tables, f"{home}.{text}"
    return name in (tables.layers if home == "torch.nn" else tables.functions)


def _of_names(home: str, names: Sequence[str], given: Sequence[cst.Arg]) -> _Table | None:
    """A table of some names alone; layers that are made with options which nobody knows have to be those that are known here."""
    table = _Table(home, "LAYERS" if home == "torch.nn" else "FUNCTIONS", tuple(names))
    known = _around(table)
    if known is None and any(item.star for item in given):
        return None
    return table if known is None else _Table(home, known.wish, table.keys)


def _around(table: _Table) -> _Table | None:
    """The table that is known here and has all that another one has."""
    same = (item for item in (*_KNOWN, *_MADE_WITH_SIZES) if item.home == table.home)
    return next((item for item in same if set(table.keys) <= set(item.keys)), None)


def _named_alike(work: NormalizationRound, question: _Question) -> _Table | None:
    """The layers whose names have a form that is known: `f"Conv{dim}d"`."""
    assert work.effects is not None
    text = _put_together(work, question.text)
    pattern = text_pattern(text, work.values(text))
    if pattern is None or not pattern.strip(".*"):
        return None
    layers = work.effects.tables.layers
    names = [name.removeprefix("torch.nn.") for name in sorted(layers) if name.startswith("torch.nn.")]
    keys = tuple(name for name in names if re.fullmatch(pattern, name))
    return _Table("torch.nn", "LAYERS", keys) if keys else None


def _put_together(work: NormalizationRound, text: cst.BaseExpression) -> cst.BaseExpression:
    """What a variable was given that holds a name, whatever path has led to where it is read: `kind + "Cell"`."""
    definitions = work.program.definitions
    bound = definitions.only(text) if isinstance(text, cst.Name) else None
    line = definitions.assignment(bound) if bound is not None else None
    return line.value if line is not None else text


def _is_made_with_sizes(work: NormalizationRound, given: Sequence[cst.Arg], is_named: bool) -> bool:
    """Whether arguments are none that activations take: several by position, a size (a number may be one of theirs if the
    program gives a name), or an option of other layers.
    """
    plain = [item for item in given if not item.star]
    known = {"inplace", *(name for options in _OPTIONS.values() for name in options)}
    if any(item.keyword is not None and item.keyword.value not in known for item in plain):
        return True
    positional = [item.value for item in plain if item.keyword is None]
    sizes = [value for item in positional if (value := work.values(item)).kind is Kind.INT]
    return len(positional) > 2 or any(value.const is NOTHING or not is_named for value in sizes)


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
        fixed = len(_fixed(work, question))
        counts = {_arguments(work, item, fixed) for item in uses if _is_called(work, item)}
    return counts.pop() if len(counts) == 1 else None


def _uses(work: NormalizationRound, node: cst.BaseExpression, depth: int = 4) -> Iterator[cst.BaseExpression]:
    """Where what was asked for, or made, stands: itself, the variable or field that holds it, or the calls that give it back."""
    for place in _places(work, node):
        is_given_back = depth and isinstance(work.index.parents[place], cst.Return)
        function = work.program.function_around(place) if is_given_back else None
        calls = [item for item in function.callers if item in work.index.parents] if function is not None else []
        if not calls:
            yield place
        for call in calls:
            assert isinstance(call, cst.BaseExpression)
            yield from _uses(work, call, depth - 1)


def _places(work: NormalizationRound, node: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """Where something stands: itself, or the variable or field that holds it."""
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


def _arguments(work: NormalizationRound, node: cst.CSTNode, fixed: int = 0) -> int | None:
    """With how many arguments something is called, by position and each for itself, before some that are always the same."""
    call = work.index.parents[node]
    if not isinstance(call, cst.Call) or call.func is not node:
        return None
    plain = [item for item in call.args if item.keyword is None and not item.star]
    return len(plain) if len(call.args) == len(plain) + fixed else None


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
    calls = _calls(work, question) if question.home == "torch.nn" else []
    return [item for call in calls for item in call.args]


def _calls(work: NormalizationRound, question: _Question) -> list[cst.Call]:
    """The calls of what is asked for."""
    uses = [use for use in _uses(work, question.node) if _is_called(work, use)]
    return [cst.ensure_type(work.index.parents[use], cst.Call) for use in uses]


def _fixed(work: NormalizationRound, question: _Question) -> _Fixed:
    """The options that all calls of what is asked for give as the same constants; none where anything else is given by keyword."""
    found = set[_Fixed]()
    for call in _calls(work, question):
        named = {item.keyword.value: item.value for item in call.args if item.keyword is not None}
        is_plain = all(isinstance(value, _LITERALS) or dotted(value) in _WORDS for value in named.values())
        if not is_plain or "inplace" in named or any(item.star for item in call.args):
            return ()
        found.add(tuple((name, code(value)) for name, value in named.items()))
    return found.pop() if len(found) == 1 else ()


# the table


def _write_table(
    work: NormalizationRound, wish: str, entries: Mapping[str, str], questions: Sequence[_Question]
) -> None:
    name = work.fresh(wish)
    items = [f'"{key}": {text}' for key, text in entries.items()]
    line = f"{name} = {{{', '.join(items)}}}\n"
    if len(line) > _WIDTH:
        line = f"{name} = {{\n{''.join(f'    {item},{chr(10)}' for item in items)}}}\n"
    tops = {_top(work, item.node) for item in questions}
    above = next(line for line in work.index.module.body if line in tops)
    work.edits.before(above, always_statements([quote_statement(line)]))
    for item in questions:
        work.edits.replace(item.node, lambda rewrite, item=item: _asked(name, rewrite.expression(item.text)))  # type: ignore[misc]
    meant = {(item.home, code(item.text), work.program.function_around(item.node)) for item in questions}
    for call in work.index.calls:
        match call:
            case cst.Call(func=cst.Name("hasattr"), args=[cst.Arg(value=holder), cst.Arg(value=text)]):
                place = (work.values.torch_name(holder) or "", code(text), work.program.function_around(call))
                if place in meant and not _is_tried(work, call):
                    _ask_table(work, call, text, name)


def _ask_table(work: NormalizationRound, call: cst.Call, text: cst.BaseExpression, table: str) -> None:
    """`name in ACTIVATIONS` for `hasattr(nn, name)`, where an error is raised for all other names."""
    parent = work.index.parents[call]
    if isinstance(parent, cst.UnaryOperation):
        around = work.index.parents[parent]
        if isinstance(around, cst.If) and around.test is parent and _raises(around.body):
            work.edits.replace(parent, lambda rewrite: quote(f"{{key}} not in {table}", key=rewrite.expression(text)))
    elif isinstance(parent, cst.Assert) or (isinstance(parent, cst.If) and _raises_otherwise(work, parent)):
        work.edits.replace(call, lambda rewrite: quote(f"{{key}} in {table}", key=rewrite.expression(text)))


def _raises_otherwise(work: NormalizationRound, test: cst.If) -> bool:
    """Whether an error is raised where a condition does not hold: in its `else`, or behind it where it leaves the function."""
    if test.orelse is not None:
        return isinstance(test.orelse, cst.Else) and _raises(test.orelse.body)
    block = getattr(work.index.parents[test], "body", ())
    behind = block[block.index(test) + 1 :] if test in block else ()
    return bool(behind) and _ends_with(test.body, cst.Return) and _is_line(behind[0], cst.Raise)


def _raises(block: cst.BaseSuite) -> bool:
    return _ends_with(block, cst.Raise)


def _ends_with(block: cst.BaseSuite, kind: type[cst.CSTNode]) -> bool:
    return bool(block.body) and _is_line(block.body[-1], kind)


def _is_line(line: cst.CSTNode, kind: type[cst.CSTNode]) -> bool:
    return isinstance(line, cst.SimpleStatementLine) and isinstance(line.body[-1], kind)


def _entries(
    work: NormalizationRound, keys: Sequence[str], takes_inplace: bool, questions: Sequence[_Question]
) -> dict[str, str]:
    """The layers or functions themselves, or what makes layers with options."""
    given = [item for question in questions for item in _given(work, question)]
    words = {item.keyword.value for item in given if item.keyword is not None}
    has_options = bool(words - {"inplace"}) or any(item.keyword is None for item in given)
    holder = dotted(questions[0].holder)
    return {key: _entry(f"{holder}.{key}", _options(work, key, takes_inplace) if has_options else {}) for key in keys}


def _fixed_entries(
    work: NormalizationRound, table: _Table, keys: Sequence[str], fixed: _Fixed, questions: Sequence[_Question]
) -> dict[str, str]:
    """What calls such functions, or makes such layers, with options that are always the same, which the calls no longer give."""
    assert work.effects is not None
    tables, entries, holder = work.effects.tables, dict[str, str](), dotted(questions[0].holder)
    calls = [call for question in questions for call in _calls(work, question)]
    count = max(len(call.args) for call in calls) - len(fixed)
    for key in keys:
        specs = tables.layers if table.home == "torch.nn" else tables.functions
        parameters = parse_signature(specs[f"{table.home}.{key}"].signature)
        taken = [item.name for item in parameters.parameters][:count]
        if all(name in parameters and name not in taken for name, _ in fixed):
            given = ", ".join([*taken, *(f"{name}={text}" for name, text in fixed)])
            entries[key] = f"lambda {', '.join(taken)}: {holder}.{key}({given})".replace("lambda :", "lambda:")
    for call in calls:
        work.edits.replace(call, partial(_without_fixed, call))
    return entries


def _without_fixed(call: cst.Call, rewrite: Rewriter) -> cst.Call:
    inner = cst.ensure_type(rewrite.inside(call), cst.Call)
    kept = [item for item in inner.args if item.keyword is None]
    return inner.with_changes(args=[item.with_changes(comma=cst.MaybeSentinel.DEFAULT) for item in kept])


def _may_change(work: NormalizationRound, question: _Question) -> bool:
    """Whether layers are made with `inplace`, or with options that are kept as a dict, which may name it."""
    given = _given(work, question)
    is_named = any(item.keyword is not None and item.keyword.value == "inplace" for item in given)
    texts = work.index.every(cst.SimpleString) if any(item.star for item in given) else ()
    return is_named or any(cst.ensure_type(item, cst.SimpleString).evaluated_value == "inplace" for item in texts)


def _options(work: NormalizationRound, key: str, takes_inplace: bool) -> dict[str, str]:
    """The options that a layer is made with by torch's names, and their first values."""
    assert work.effects is not None
    options = {**_OPTIONS, **_PADDINGS, **_POOLINGS}.get(key, {})
    layer = work.effects.tables.layers.get(f"torch.nn.{key}")
    changes = takes_inplace and layer is not None and "inplace" in parse_signature(layer.signature)
    return {**options, "inplace": "False"} if changes else options


def _asked(table: str, text: cst.BaseExpression) -> cst.BaseExpression:
    return quote(f"{table}[{{key}}]", key=text)


def _entry(path: str, options: Mapping[str, str]) -> str:
    """The class or function itself, or a lambda that takes the options of a class."""
    if not options:
        return path
    parameters = ", ".join(f"{name}={default}" if default else name for name, default in options.items())
    given = ", ".join(f"{name}={name}" if name in _LATE else name for name in options)
    return f"lambda {parameters}: {path}({given})"


def _top(work: NormalizationRound, node: cst.CSTNode) -> cst.CSTNode:
    """The statement of the file around a node."""
    return next(item for item in work.index.ancestors(node) if work.index.parents.get(item) is work.index.module)


__all__ = ["normalize_layers_by_name"]
