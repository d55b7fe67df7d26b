"""Layers of torch that are given first values again: what torch does there, in the program's own words.

self.fc.reset_parameters()     ->     nn.init.kaiming_uniform_(self.fc.weight, a=5**0.5)
                                      if self.fc.bias is not None:
                                          bound = self.fc.weight[0].numel() ** -0.5
                                          nn.init.uniform_(self.fc.bias, -bound, bound)

if hasattr(layer, "reset_parameters"):                 if isinstance(layer, (nn.Conv2d, nn.Linear)):
    layer.reset_parameters()                   ->          nn.init.kaiming_uniform_(layer.weight, a=5**0.5)
                                                           ...

Where any layer is asked, it is one of those that the program makes.
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from torch2jax.facts.module_state import init_methods
from torch2jax.normalize.evaluation_order import placed_instead
from torch2jax.normalize.insertion import imported_names
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import dotted
from torch2jax.syntax.edits import Rewriter
from torch2jax.syntax.quote import quote, quote_statements
from torch2jax.values import Kind

_DENSE = "Linear Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d ConvTranspose3d"
_NORMS = "LayerNorm GroupNorm"
_BATCH_NORMS = "BatchNorm1d BatchNorm2d BatchNorm3d"
_UNIFORM = """
{init}.kaiming_uniform_({x}.weight, a=5**0.5)
if {x}.bias is not None:
    {bound} = {x}.weight[0].numel() ** -0.5
    {init}.uniform_({x}.bias, -{bound}, {bound})
"""
_ONES = """
if {x}.weight is not None:
    {init}.ones_({x}.weight)
if {x}.bias is not None:
    {init}.zeros_({x}.bias)
"""
_ROOT_MEAN_SQUARE = """
if {x}.weight is not None:
    {init}.ones_({x}.weight)
"""
_NORMAL = """
{init}.normal_({x}.weight)
"""
_TEXTS = {
    **{f"torch.nn.{name}": _UNIFORM for name in _DENSE.split()},
    **{f"torch.nn.{name}": _ONES for name in (*_NORMS.split(), *_BATCH_NORMS.split())},
    "torch.nn.RMSNorm": _ROOT_MEAN_SQUARE,
    "torch.nn.Embedding": _NORMAL,
}


_OTHERS = frozenset(
    f"torch.nn.{name}"
    for name in (
        "Bilinear EmbeddingBag GRU GRUCell InstanceNorm1d InstanceNorm2d InstanceNorm3d LSTM LSTMCell PReLU RNN RNNCell SyncBatchNorm"
    ).split()
)  # layers that can be reset, too, in ways of their own


def normalize_resets(work: NormalizationRound) -> None:
    """Normalize all such statements of a file whose layers are known."""
    if not work.program.mentions("reset_parameters"):
        return
    prefix = _prefix(work)
    for branch in work.index.every(cst.If):
        _reset_any(work, branch, prefix)
    for call in work.index.calls:
        match call:
            case cst.Call(func=cst.Attribute(value=layer, attr=cst.Name("reset_parameters")), args=[]):
                text = _text(work, call, layer)
            case _:
                continue
        line = work.index.statement_of(call)
        is_line = isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1
        if text is None or prefix is None or not is_line or not isinstance(work.index.parents[call], cst.Expr):
            continue
        made = _statements(work, call, layer, text, prefix)
        first = made[0].with_changes(leading_lines=line.leading_lines)
        work.edits.rewrite_statement(line, lambda rewrite, made=[first, *made[1:]]: made)  # type: ignore[misc]


def _statements(
    work: NormalizationRound, call: cst.CSTNode, layer: cst.BaseExpression, text: str, prefix: str
) -> list[cst.BaseStatement]:
    text = text.lstrip().replace("{bound}", work.names_at(call)("bound")).replace("{init}", prefix)
    number = text.count("{x}")
    for n in range(number):
        text = text.replace("{x}", f"{{x{n}}}", 1)
    return list(quote_statements(text, **{f"x{n}": work.copy(layer) for n in range(number)}))


def _reset_any(work: NormalizationRound, branch: cst.If, prefix: str | None) -> None:
    """`if hasattr(layer, "reset_parameters"): layer.reset_parameters()`."""
    match branch:
        case cst.If(
            test=cst.Call(
                func=cst.Name("hasattr"),
                args=[cst.Arg(value=cst.Name(asked)), cst.Arg(value=cst.SimpleString(raw_value="reset_parameters"))],
            ),
            body=cst.IndentedBlock(
                body=[
                    *said,
                    cst.SimpleStatementLine(
                        body=[
                            cst.Expr(
                                value=cst.Call(
                                    func=cst.Attribute(
                                        value=cst.Name(reset) as layer, attr=cst.Name("reset_parameters")
                                    ),
                                    args=[],
                                )
                            )
                        ]
                    ),
                ]
            ),
            orelse=None,
        ) if asked == reset and prefix is not None and all(map(_says, said)):
            groups = _made_layers(work)
        case _:
            return
    if not groups or work.program.defines_method("reset_parameters"):
        return
    module = prefix.removesuffix(".init")
    first: cst.If | None = None
    for text, names in reversed(groups.items()):
        made = _statements(work, branch, layer, text, prefix)
        first = cst.If(_is_one_of(asked, module, names), cst.IndentedBlock(made), first)
    assert first is not None
    every = _is_one_of(asked, module, [name for names in groups.values() for name in names])

    def build(rewrite: Rewriter, chain: cst.If = first) -> list[cst.BaseStatement]:
        lines = [item for line in said for item in rewrite.statement(line)]
        if lines and len(groups) == 1:
            chain = chain.with_changes(body=cst.IndentedBlock([*lines, *chain.body.body]))
        elif lines:
            chain = cst.If(every, cst.IndentedBlock([*lines, chain]))
        return placed_instead(work, branch, chain)

    work.edits.rewrite_statement(branch, build)


def _is_one_of(layer: str, module: str, names: Sequence[str]) -> cst.BaseExpression:
    """`isinstance(layer, (nn.Conv2d, nn.Linear))`."""
    kinds = ", ".join(f"{module}.{name}" for name in sorted(names))
    return quote(f"isinstance({layer}, ({kinds}))" if len(names) > 1 else f"isinstance({layer}, {kinds})")


def _says(line: cst.BaseStatement) -> bool:
    """Whether a line only prints something."""
    match line:
        case cst.SimpleStatementLine(body=[cst.Expr(value=cst.Call(func=cst.Name("print")))]):
            return True
    return False


def _made_layers(work: NormalizationRound) -> dict[str, list[str]]:
    """The layers that can be reset among those that the program makes, by what torch does with them; none if not all are known."""
    found: dict[str, list[str]] = {}
    for file in work.program.files:
        for call in file.index.calls:
            name = work.values.torch_name(call.func) or ""
            if name in _OTHERS or name.startswith("torchvision.models") or name.endswith(tuple(_BATCH_NORMS.split())):
                return {}
            short, text = name.removeprefix("torch.nn."), _TEXTS.get(name)
            if text is not None and short not in found.setdefault(text, []):
                found[text].append(short)
    return found


def _text(work: NormalizationRound, call: cst.Call, layer: cst.BaseExpression) -> str | None:
    """What torch does with a layer; None where its class is open, or does more than statements here can say."""
    value = work.values(layer)
    none = {name for name in value.types if name.startswith("torch.nn.") and name not in {*_TEXTS, *_OTHERS}}
    texts = {_TEXTS.get(name) for name in value.types - none}  # of others torch cannot be asked, so it is none of them
    if value.kind is not Kind.MODULE or len(texts) != 1 or not _is_place(layer):
        return None
    if value.types & {f"torch.nn.{name}" for name in _BATCH_NORMS.split()} and not _is_being_made(work, call):
        return None  # the statistics, too, begin anew
    if "torch.nn.Embedding" in value.types and work.program.mentions("padding_idx"):
        return None
    return texts.pop()


def _is_place(node: cst.BaseExpression) -> bool:
    """Whether evaluating an expression several times gives the same layer and does nothing."""
    while isinstance(node, cst.Subscript):
        match node.slice:
            case [cst.SubscriptElement(slice=cst.Index(value=cst.Name() | cst.Integer()))]:
                node = node.value
            case _:
                return False
    return dotted(node) is not None


def _is_being_made(work: NormalizationRound, call: cst.Call) -> bool:
    """Whether the module around a layer is being made, so that the layer is new."""
    function = work.program.function_around(call)
    return function is not None and function.owner is not None and function in init_methods(function.owner)


def _prefix(work: NormalizationRound) -> str | None:
    """How the file names `torch.nn.init`."""
    known = {meant: name for name, meant in imported_names(work.index).items()}
    for meant in ("torch.nn.init", "torch.nn", "torch"):
        if meant in known:
            return known[meant] + "torch.nn.init".removeprefix(meant)
    return None


__all__ = ["normalize_resets"]
