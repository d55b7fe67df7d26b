"""What `accelerate.Accelerator` does on one process without mixed precision, written with torch: almost nothing.

accelerator = Accelerator()                            ->   (gone, where nothing else is done with it)
model, optimizer = accelerator.prepare(model, optimizer)    (gone)
accelerator.backward(loss)                                  loss.backward()
accelerator.clip_grad_norm_(model.parameters(), 1.0)        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
if accelerator.is_main_process:                             if True:
with accelerator.autocast():                                loss = criterion(model(x), y)
    loss = criterion(model(x), y)

Where only the running program knows that there is no mixed precision and no accumulation of gradients, what is left of the
object refuses them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import Processes, dotted
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import Rewriter
from torch2jax.syntax.quote import quote, quote_statement
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

ACCELERATOR = "Accelerator"  # the type of its values
_CONSTANTS: Mapping[str, str] = MappingProxyType(
    {
        "is_main_process": "True",
        "is_local_main_process": "True",
        "is_last_process": "True",
        "num_processes": "1",
        "process_index": "0",
        "local_process_index": "0",
        "mixed_precision": '"no"',
        "sync_gradients": "True",
        "optimizer_step_was_skipped": "False",
        "scaler": "None",
    }
)
_DEVICE = 'device("cuda" if {torch}.cuda.is_available() else "cpu")'
_FUNCTIONS: Mapping[str, str] = MappingProxyType(
    {
        "clip_grad_norm_": "nn.utils.clip_grad_norm_",
        "clip_grad_value_": "nn.utils.clip_grad_value_",
        "save": "save",
    }
)
_PREPARES = frozenset({"prepare", "prepare_model", "prepare_optimizer", "prepare_scheduler", "prepare_data_loader"})
_SAME = frozenset({"gather", "unwrap_model"})


def normalize_accelerators(work: NormalizationRound) -> None:
    """Normalize all that is done with accelerators, in programs that start no processes themselves."""
    if not any(file.mentions(ACCELERATOR) for file in work.program.files):
        return
    if work.program.processes is not Processes.UNKNOWN:
        _refuse_processes(work)
        return
    for call in work.index.calls:
        if isinstance(call.func, cst.Attribute) and is_accelerator(work, call.func.value):
            _method(work, call, call.func)
        elif work.values.torch_name(call.func) == "accelerate.Accelerator":
            _drop_unused(work, call)
    for attribute in work.index.attributes:
        if is_accelerator(work, attribute.value):
            _attribute(work, attribute)
    _drop_annotations(work)


def _drop_annotations(work: NormalizationRound) -> None:
    """Drop what says that a parameter is one, when nothing is done with it any more."""
    if work.edits.touched() or any(is_accelerator(work, item.value) for item in work.index.attributes):
        return
    for node in work.index.every(cst.Annotation):
        name = work.values.torch_name(node.annotation)
        if name == "accelerate.Accelerator" and isinstance(work.index.parents[node], cst.Param):
            work.edits.drop(node)


def is_accelerator(work: NormalizationRound, node: cst.CSTNode) -> bool:
    value = work.values(node)
    return value.kind is Kind.TORCH_OBJECT and value.types == {ACCELERATOR}


def _refuse_processes(work: NormalizationRound) -> None:
    for call in work.index.calls:
        if work.values.torch_name(call.func) == "accelerate.Accelerator":
            work.refuse(call, "accelerate.Accelerator", "the program starts processes of its own")


def _torch(work: NormalizationRound) -> str | None:
    """The name of torch in the file."""
    names = (name for name, value in work.program.module_env.items() if value.kind is Kind.TORCH)
    return next((name for name in names if work.program.module_env[name].const == "torch"), None)


def _attribute(work: NormalizationRound, node: cst.Attribute) -> None:
    if isinstance(work.index.parents[node], (cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.Del)):
        return
    name = node.attr.value
    if name in _CONSTANTS:
        work.edits.replace(node, lambda rewrite: quote(_CONSTANTS[name]).deep_clone())
    elif name == "device" and (torch := _torch(work)) is not None:
        text = f"{torch}.{_DEVICE.replace('{torch}', torch)}"
        work.edits.replace(node, lambda rewrite: quote(text).deep_clone())
    elif name == "print":
        work.edits.replace(node, lambda rewrite: cst.Name("print"))


def _method(work: NormalizationRound, call: cst.Call, function: cst.Attribute) -> None:
    name = function.attr.value
    plain = [item for item in call.args if item.keyword is None]
    named = {item.keyword.value for item in call.args if item.keyword is not None}
    stars = [item for item in call.args if item.star]
    if name in _PREPARES and plain and not named - {"device_placement"}:
        _prepare(work, call, plain)
    elif name == "backward" and plain and not stars and not named - {"retain_graph", "create_graph"}:
        _backward(work, call)
    elif name in _FUNCTIONS and not stars and (torch := _torch(work)) is not None and "safe_serialization" not in named:
        text = f"{torch}.{_FUNCTIONS[name]}"
        work.edits.replace(function, lambda rewrite: quote(text).deep_clone())
    elif name in _SAME and plain and not stars:
        work.edits.replace(call, lambda rewrite: rewrite.expression(plain[0].value))
    elif name == "get_state_dict" and len(plain) == len(call.args) == 1 and not stars:
        work.edits.replace(call, lambda rewrite: quote("{m}.state_dict()", m=rewrite.expression(plain[0].value)))
    elif (name == "autocast" and not call.args) or (name == "accumulate" and not named and not stars):
        if all(dotted(item.value) is not None for item in plain):
            _drop_context(work, call)
    elif name == "wait_for_everyone" and isinstance(work.index.parents[call], cst.Expr):
        work.edits.remove(work.index.statement_of(call))


def _drop_context(work: NormalizationRound, call: cst.Call) -> None:
    """A context that does nothing: its statements stand where it stood."""
    item = work.index.parents[call]
    statement = work.index.parents[item]
    is_alone = (
        isinstance(statement, cst.With) and len(statement.items) == 1 and isinstance(statement.body, cst.IndentedBlock)
    )
    if is_alone and isinstance(item, cst.WithItem) and item.asname is None:
        block = cst.ensure_type(cst.ensure_type(statement, cst.With).body, cst.IndentedBlock)
        work.edits.rewrite_statement(statement, lambda rewrite: rewrite.block(block))
    else:
        work.edits.replace(call, lambda rewrite: quote("nullcontext()").deep_clone())


def _backward(work: NormalizationRound, call: cst.Call) -> None:
    loss, *options = call.args
    if loss.keyword is not None:
        return

    def build(rewrite: Rewriter) -> cst.CSTNode:
        given = [item.with_changes(value=rewrite.expression(item.value)) for item in options]
        return cst.Call(cst.Attribute(rewrite.expression(loss.value), cst.Name("backward")), given)

    work.edits.replace(call, build)


def _prepare(work: NormalizationRound, call: cst.Call, given: list[cst.Arg]) -> None:
    """What is prepared is what there was; one thing comes back alone, several as a tuple."""
    if given[0].star and len(given) == 1:
        return
    line = work.index.statement_of(call)
    pairs = _pairs(line, call, given)
    if pairs is not None:
        lines = [(target, value) for target, value in pairs if dotted(target) != dotted(value)]
        if lines:
            work.edits.rewrite_statement(line, lambda rewrite: [_assign(rewrite, *pair) for pair in lines])
        else:
            work.edits.remove(line)
    elif len(given) == 1:
        work.edits.replace(call, lambda rewrite: rewrite.expression(given[0].value))
    else:
        work.edits.replace(call, _tuple(given))


def _assign(rewrite: Rewriter, target: cst.BaseExpression, value: cst.BaseExpression) -> cst.BaseStatement:
    return quote_statement("{target} = {value}", target=target.deep_clone(), value=rewrite.expression(value))


def _tuple(given: list[cst.Arg]) -> Callable[[Rewriter], cst.CSTNode]:
    def build(rewrite: Rewriter) -> cst.CSTNode:
        elements = [
            cst.StarredElement(rewrite.expression(item.value))
            if item.star
            else cst.Element(rewrite.expression(item.value))
            for item in given
        ]
        return cst.Tuple(elements)

    return build


_Pair = tuple[cst.BaseExpression, cst.BaseExpression]


def _pairs(line: cst.CSTNode, call: cst.Call, given: list[cst.Arg]) -> list[_Pair] | None:
    """The names that a line gives to what it prepares, with that, where they can be given one after the other."""
    if any(item.star or dotted(item.value) is None for item in given):
        return None
    match line:
        case cst.SimpleStatementLine(body=[cst.Expr(value=value)]):
            return [] if value is call else None
        case cst.SimpleStatementLine(body=[cst.Assign(targets=[cst.AssignTarget(target=target)], value=value)]):
            targets = [item.value for item in target.elements] if isinstance(target, cst.Tuple) else [target]
            pairs = list(zip(targets, (item.value for item in given), strict=False))
            fits = value is call and len(targets) == len(given) and all(dotted(item) is not None for item in targets)
            return pairs if fits and _is_in_order(pairs) else None
    return None


def _is_in_order(pairs: list[_Pair]) -> bool:
    """Whether no value reads a name that was given anew before."""
    changed: set[str] = set()
    for target, value in pairs:
        if dotted(target) == dotted(value):
            continue
        if changed & {dotted(node) for node in descendants(value, cst.Name, cst.Attribute)}:
            return False
        changed.add(dotted(target) or "")
    return True


def _drop_unused(work: NormalizationRound, call: cst.Call) -> None:
    """Drop `accelerator = Accelerator()` where nothing is done with it any more."""
    line = work.index.statement_of(call)
    match line:
        case cst.SimpleStatementLine(body=[cst.Assign(targets=[cst.AssignTarget(target=target)], value=value)]):
            name = dotted(target)
        case _:
            return
    if value is not call or name is None or not all(_is_plain(work, item) for item in call.args):
        return
    same = [node for node in (*work.index.names, *work.index.attributes) if _last(node) == name.rpartition(".")[2]]
    if all(node is target or node in descendants(target) for node in same) and "." not in name:
        work.edits.remove(line)


def _last(node: cst.BaseExpression) -> str:
    return (dotted(node) or code(node)).rpartition(".")[2]


def _is_plain(work: NormalizationRound, item: cst.Arg) -> bool:
    """Whether an argument is known to change nothing."""
    if item.star or item.keyword is None:
        return False
    value = work.values(item.value).const
    known: dict[str, tuple[object, ...]] = {"mixed_precision": (None, "no"), "gradient_accumulation_steps": (1,)}
    switches: tuple[object, ...] = (True, False)
    names = ("split_batches", "device_placement", "cpu", "step_scheduler_with_optimizer")
    allowed = known.get(item.keyword.value, switches if item.keyword.value in names else ())
    return any(type(value) is type(one) and value == one for one in allowed)


__all__ = ["normalize_accelerators"]
