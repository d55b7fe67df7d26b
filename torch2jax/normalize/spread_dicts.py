"""Arguments of torch's functions and layers that stand in a dict of known keys, spread out.

params = dict(kernel_size=k, padding=1)         params = dict(kernel_size=k, padding=1)
fold = nn.Fold(size, **params)            ->   fold = nn.Fold(size, kernel_size=params["kernel_size"], padding=1)

options = {}                                    options = {}
if factor:                                      if factor:
    options["scale_factor"] = factor      ->        options["scale_factor"] = factor
y = F.interpolate(x, **options)                 y = F.interpolate(x, scale_factor=options.get("scale_factor"))

def pad(x, sizes, **kwargs):                    def pad(x, sizes, **kwargs):
    return F.pad(x, sizes, **kwargs)      ->        return F.pad(x, sizes, mode="constant", value=kwargs.get("value"))
pad(x, (1, 1), mode="constant")                 pad(x, (1, 1), mode="constant")
pad(x, (1, 1), mode="constant", value=1)        pad(x, (1, 1), mode="constant", value=1)

The dict is bound once, by a display or a call of `dict`, or holds what calls in sight give beyond the parameters of a function,
and nothing but such calls and subscripts ever sees it. An entry that is set later may be missing: torch's own default is asked
for then.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.ops.signatures import parse_signature
from torch2jax.program.program import Function
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import Rewriter
from torch2jax.syntax.quote import quote
from torch2jax.syntax.walk import descendants, is_label, with_fields
from torch2jax.values import Kind

_LITERALS = (cst.Integer, cst.Float, cst.SimpleString)
_CONSTANTS = frozenset({"True", "False", "None"})
_OTHERWISE = frozenset({"max", "median", "min", "nanmedian"})  # with `dim`, they give something else
_AS_THEY_ARE = ("torch.utils.data.", "torchvision.datasets.")
_Keys = Mapping[str, cst.BaseExpression | None]  # None: what is set later, or not


def normalize_spread_dicts(work: NormalizationRound) -> None:
    """Spread out the dicts in calls of torch, one of each call in a round."""
    known: dict[tuple[cst.CSTNode, str], _Keys | None] = {}
    for call in work.index.calls:
        starred = [arg for arg in call.args if arg.star == "**" and isinstance(arg.value, cst.Name)]
        if len(starred) != 1 or not _is_of_torch(work, call):
            continue
        variable = cst.ensure_type(starred[0].value, cst.Name)
        scope = _scope(work, variable)
        place = (scope, variable.value)
        if place not in known:
            known[place] = _keys(work, *place)
        keys = known[place]
        given = {arg.keyword.value for arg in call.args if arg.keyword is not None}
        if keys is None or given & set(keys):
            continue
        defaults = _defaults(work, call) if None in keys.values() else {}
        if all(value is not None or key in defaults for key, value in keys.items()):
            _spread(work, call, starred[0], keys, defaults)


def _defaults(work: NormalizationRound, call: cst.Call) -> Mapping[str, str]:
    """The texts of what torch takes for parameters that are not given."""
    name = work.values.torch_name(call.func)
    last = (name or code(call.func)).rpartition(".")[2]
    if work.effects is None or last in _OTHERWISE:
        return {}
    tables = work.effects.tables
    spec = tables.functions.get(name or "") or tables.layers.get(name or "")
    if name is None and isinstance(call.func, cst.Attribute):
        spec = tables.method(call.func.attr.value)
    parameters = parse_signature(spec.signature).parameters if spec is not None else ()
    texts = {item.name: item.default for item in parameters if item.default is not None}
    return {key: text for key, text in texts.items() if _is_constant(cst.parse_expression(text))}


def _is_of_torch(work: NormalizationRound, call: cst.Call) -> bool:
    """Whether the arguments of a call get other names: loaders and their like take dicts as they are."""
    is_method = isinstance(call.func, cst.Attribute) and work.values(call.func.value).kind is Kind.TENSOR
    name = work.values.torch_name(call.func)
    return is_method or (name is not None and not name.startswith(_AS_THEY_ARE))


def _scope(work: NormalizationRound, variable: cst.Name) -> cst.CSTNode:
    """The function whose variable this is, or the file."""
    function = work.program.function_around(variable)
    while function is not None:
        if variable.value in function.env or variable.value in function.parameter_names:
            return function.node
        function = function.outer
    return work.index.module


def _keys(work: NormalizationRound, scope: cst.CSTNode, name: str) -> _Keys | None:
    """The keys of a dict with their values; None where they may be others, or change."""
    found = _given_by_callers(work, scope, name)
    later: dict[str, None] = {}
    for node in descendants(scope):
        if not isinstance(node, cst.Name) or node.value != name:
            continue
        parent = work.index.parents[node]
        if is_label(node, parent) or (isinstance(parent, cst.Param) and found is not None):
            continue
        if isinstance(parent, cst.AssignTarget):
            if found is not None:
                return None
            found = _made(work.index.parents[parent])
            if found is None:
                return None
        elif (key := _set_later(work, node, parent)) is not None:
            later[key] = None
        elif not _only_reads(work, node, parent):
            return None
    return None if found is None else {**found, **{key: cst.Ellipsis() if key in found else None for key in later}}


def _given_by_callers(work: NormalizationRound, scope: cst.CSTNode, name: str) -> _Keys | None:
    """What all calls of a function, which only this file calls, give for its `**kwargs`: a number or text that all of them give,
    or else the names; None where there may be others.
    """
    function = work.program.functions.get(scope) if isinstance(scope, cst.FunctionDef) else None
    star = function.node.params.star_kwarg if function is not None else None
    if function is None or star is None or star.name.value != name or function.decorators:
        return None
    calls = [call for call in function.callers if isinstance(call, cst.Call)]
    is_open = function.seen_elsewhere or function.name in work.program.read_elsewhere or _is_handed_on(work, function)
    if (
        is_open
        or not calls
        or len(calls) < len(function.callers)
        or any(arg.star for call in calls for arg in call.args)
    ):
        return None
    found: dict[str, list[cst.BaseExpression]] = {}
    for arg in (arg for call in calls for arg in call.args):
        if arg.keyword is not None and arg.keyword.value not in function.parameter_names:
            found.setdefault(arg.keyword.value, []).append(arg.value)
    return {key: _in_all(values, len(calls)) for key, values in found.items()}


def _is_handed_on(work: NormalizationRound, function: Function) -> bool:
    """Whether something else than a call speaks of a function, or of what has its name."""
    parents = work.index.parents
    for node in work.index.names:
        if node.value != function.name or parents[node] is function.node:
            continue
        parent = parents[node]
        whole = parent if isinstance(parent, cst.Attribute) and parent.attr is node else node
        call = parents[whole]
        if not isinstance(call, cst.Call) or call.func is not whole:
            return True
    return False


def _in_all(values: Sequence[cst.BaseExpression], count: int) -> cst.BaseExpression | None:
    """The number or text that all calls give; something else that they give; None where some give nothing."""
    if len(values) < count:
        return None
    is_one = all(_is_constant(item) and item.deep_equals(values[0]) for item in values)
    return values[0] if is_one else cst.Ellipsis()


def _set_later(work: NormalizationRound, node: cst.Name, parent: cst.CSTNode) -> str | None:
    """The key of `options["size"] = size`."""
    match parent:
        case cst.Subscript(
            value=value, slice=[cst.SubscriptElement(slice=cst.Index(value=cst.SimpleString() as key))]
        ) if value is node and isinstance(work.index.parents[parent], cst.AssignTarget):
            word = key.evaluated_value
            return word if isinstance(word, str) and word.isidentifier() else None
    return None


def _made(assign: cst.CSTNode) -> _Keys | None:
    if not isinstance(assign, cst.Assign) or len(assign.targets) != 1:
        return None
    return written_entries(assign.value)


def written_entries(made: cst.BaseExpression | None) -> _Keys | None:
    """The keys of `dict(a=1, b=x)` and `{"a": 1, "b": x}`, with what they stand for; None if some key is not written out."""
    keys: dict[str, cst.BaseExpression | None] = {}
    match made:
        case cst.Call(func=cst.Name("dict"), args=args):
            for arg in args:
                if arg.keyword is None:
                    return None
                keys[arg.keyword.value] = arg.value
            return keys
        case cst.Dict(elements=elements):
            for element in elements:
                key = element.key if isinstance(element, cst.DictElement) else None
                word = key.evaluated_value if isinstance(key, cst.SimpleString) else None
                if not isinstance(word, str) or not word.isidentifier():
                    return None
                keys[word] = element.value
            return keys
    return None


def _only_reads(work: NormalizationRound, node: cst.Name, parent: cst.CSTNode) -> bool:
    """Whether a use of a dict neither changes it nor hands it on."""
    if isinstance(parent, cst.Arg):
        return parent.star == "**"
    is_read = isinstance(parent, cst.Subscript) and parent.value is node
    return is_read and not isinstance(work.index.parents[parent], (cst.AssignTarget, cst.AugAssign, cst.Del))


def _spread(
    work: NormalizationRound, call: cst.Call, starred: cst.Arg, keys: _Keys, defaults: Mapping[str, str]
) -> None:
    name = cst.ensure_type(starred.value, cst.Name).value
    bare = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))

    def build(rewrite: Rewriter) -> cst.CSTNode:
        args: list[cst.Arg] = []
        for arg in call.args:
            if arg is not starred:
                args.append(cst.ensure_type(rewrite(arg), cst.Arg))
                continue
            for word, value in keys.items():
                if value is None:
                    default = defaults[word]
                    taken = quote(f'{name}.get("{word}")' if default == "None" else f'{name}.get("{word}", {default})')
                else:
                    taken = value.deep_clone() if _is_constant(value) else quote(f'{name}["{word}"]')
                args.append(cst.Arg(taken, keyword=cst.Name(word), equal=bare))
        comma = cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
        parted = [arg if isinstance(arg.comma, cst.Comma) else arg.with_changes(comma=comma) for arg in args[:-1]]
        return with_fields(
            call, args=[*parted, *(arg.with_changes(comma=cst.MaybeSentinel.DEFAULT) for arg in args[-1:])]
        )

    work.edits.replace(call, build)


def _is_constant(value: cst.BaseExpression) -> bool:
    if isinstance(value, cst.UnaryOperation):
        return _is_constant(value.expression)
    return isinstance(value, _LITERALS) or (isinstance(value, cst.Name) and value.value in _CONSTANTS)


__all__ = ["normalize_spread_dicts", "written_entries"]
