"""Functions of torch that put a layer into another form, handed about as values, become functions of the program.

norm_f = spectral_norm if spectral else weight_norm    ->    def spectral_normed(module):
self.conv = norm_f(nn.Conv1d(4, 4, 3))                           return spectral_norm(module)

                                                             def weight_normed(module):
                                                                 return weight_norm(module)

                                                             norm_f = spectral_normed if spectral else weight_normed
                                                             self.conv = norm_f(nn.Conv1d(4, 4, 3))

Calls of a variable that holds one or the other then gain what one of them needs. `nn.Identity()` beside them is a function, too.
A name that means one of them all along is left as it is. `partial(spectral_norm, n_power_iterations=2)` is a function of its own.
"""

from __future__ import annotations

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.syntax.edits import always, always_statements
from torch2jax.syntax.folding import literal_value
from torch2jax.syntax.quote import quote, quote_statement
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_NAMES = {"spectral_norm": "spectral_normed", "weight_norm": "weight_normed"}


def normalize_layer_wrappers(work: NormalizationRound) -> None:
    """Normalize all such values of a file."""
    if not any(map(work.program.mentions, _NAMES)):
        return
    partials = _normalize_partials(work)
    found = [(node, name) for node in _values(work) if (name := _wrapper(work, node)) is not None]
    if _are_given_more(work):
        found = []
    beside = [item for node in (*partials, *(node for node, _ in found)) for item in _identities_beside(work, node)]
    for other in dict.fromkeys(beside):
        work.edits.replace(other, always(quote("lambda module: module")))
    if not found:
        return
    first = min((work.index.top_level(node) for node, _ in found), key=work.index.nodes.index)
    made: dict[str, str] = {}
    for node, name in found:
        if name not in made:
            made[name] = work.fresh(_NAMES[name.rpartition(".")[2]])
            text = f"def {made[name]}(module):\n    return {{wrapper}}(module)\n"
            line = quote_statement(text, wrapper=work.copy(node))
            assert isinstance(line, cst.FunctionDef)
            blank = [cst.EmptyLine(indent=False), cst.EmptyLine(indent=False)]
            work.edits.before(first, always_statements([line.with_changes(leading_lines=blank)]))
        work.edits.replace(node, always(cst.Name(made[name])))


def _normalize_partials(work: NormalizationRound) -> list[cst.Call]:
    """Make functions of those that are given some arguments before."""
    found = []
    for call in work.index.calls:
        if work.values(call.func).const != "functools.partial" or not call.args:
            continue
        first, *given = call.args
        name = _wrapper(work, first.value)
        if name is None:
            continue
        if all(item.keyword is not None and literal_value(item.value) is not None for item in given):
            words = {item.keyword.value: work.copy(item.value) for item in given if item.keyword is not None}
            text = ", ".join(["module", *(f"{word}={{{word}}}" for word in words)])
            wrapped = quote(f"{{wrapper}}({text})", wrapper=work.copy(first.value), **words)
            work.edits.replace(call, always(quote("lambda module: {wrapped}", wrapped=wrapped)))
            found.append(call)
        else:
            work.refuse(call, name, "with some of its arguments given before, which are not constants")
    return found


def _values(work: NormalizationRound) -> list[cst.BaseExpression]:
    """What stands where a function is handed on: the names and fields among them that are no part of longer ones."""
    found: list[cst.BaseExpression] = []
    for node in work.index.every(cst.Name, cst.Attribute):
        parent = work.index.parents.get(node)
        match parent:
            case cst.IfExp() if node is not parent.test:
                found.append(node)
            case cst.DictElement(value=value) | cst.Element(value=value) if value is node:
                found.append(node)
            case cst.Arg(value=value) if value is node and _is_given_to_program(work, parent):
                found.append(node)
            case cst.Param(default=value) if value is node and _has_others(work, parent):
                found.append(node)
            case cst.Assign(value=value) if value is node and not _is_alias(work, parent):
                found.append(node)
            case cst.Return():
                found.append(node)
    return found


def _wrapper(work: NormalizationRound, node: cst.BaseExpression) -> str | None:
    """The function of torch that a node names, where it is one of these."""
    name = work.values.torch_name(node)
    is_one = name is not None and name.startswith("torch.nn.utils.") and name.rpartition(".")[2] in _NAMES
    return name if is_one else None


def _is_given_to_program(work: NormalizationRound, argument: cst.Arg) -> bool:
    """Whether an argument is one of a function, class or method of the program."""
    call = work.index.parents[argument]
    return isinstance(call, cst.Call) and bool(work.values.callees.get(call))


def _has_others(work: NormalizationRound, parameter: cst.Param) -> bool:
    """Whether a parameter is given something else than its first value by some caller."""
    node = work.index.function_of(parameter)
    calls = [call for call in descendants(node, cst.Call) if _calls(call, parameter.name.value)] if node else []
    return any(work.values.torch_name(call.func) is None for call in calls)


def _calls(call: cst.Call, name: str) -> bool:
    return isinstance(call.func, cst.Name) and call.func.value == name


def _is_alias(work: NormalizationRound, assign: cst.Assign) -> bool:
    """Whether an assignment gives a variable the only value that it has."""
    match assign:
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Name(name))]):
            scope = work.index.function_of(assign) or work.index.module
            targets = [node.target for node in descendants(scope, cst.AssignTarget)]
            return sum(isinstance(target, cst.Name) and target.value == name for target in targets) == 1
    return False


def _are_given_more(work: NormalizationRound) -> bool:
    """Whether a variable that may hold such a function is called with more than a layer."""
    for call in work.index.calls:
        is_plain = len(call.args) == 1 and not call.args[0].star and call.args[0].keyword is None
        if not is_plain and _may_be_wrapper(work, call):
            return True
    return False


def _may_be_wrapper(work: NormalizationRound, call: cst.Call) -> bool:
    value = work.values(call.func)
    if value.kind is Kind.TORCH:
        is_named = isinstance(value.const, str)
        return not is_named and any(name.rpartition(".")[2] in _NAMES for name in value.types)
    return False


def _identities_beside(work: NormalizationRound, node: cst.BaseExpression) -> list[cst.Call]:
    """`nn.Identity()` among the others of a choice or table, which is called as such a function."""
    choice = work.index.parents[node]
    match choice if isinstance(choice, cst.IfExp) else work.index.parents[choice]:
        case cst.IfExp(body=body, orelse=orelse):
            others: list[cst.BaseExpression] = [body, orelse]
        case cst.Dict(elements=elements) | cst.List(elements=elements) | cst.Tuple(elements=elements):
            others = [item.value for item in elements]
        case _:
            return []
    calls = [item for item in others if isinstance(item, cst.Call)]
    return [call for call in calls if work.values.torch_name(call.func) == "torch.nn.Identity"]


__all__ = ["normalize_layer_wrappers"]
