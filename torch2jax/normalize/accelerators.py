"""What `accelerate.Accelerator` and `lightning.Fabric` do on one process without mixed precision, written with torch: almost nothing.

accelerator = Accelerator()                            ->   (gone, where nothing else is done with it)
model, optimizer = accelerator.prepare(model, optimizer)    (gone)
accelerator.backward(loss)                                  loss.backward()
accelerator.clip_grad_norm_(model.parameters(), 1.0)        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
fabric.clip_gradients(model, optimizer, max_norm=1.0)       torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=1.0)
if accelerator.is_main_process:                             if True:
with accelerator.autocast():                                loss = criterion(model(x), y)
    loss = criterion(model(x), y)

Where only the running program knows that there is no mixed precision and no accumulation of gradients, what is left of the
object refuses them. Accumulation that the program tells is written out before (`normalize/accelerator_steps.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import libcst as cst

from torch2jax.facts.accelerators import ACCELERATOR, FABRIC, PREPARING
from torch2jax.normalize.accelerator_processes import (
    COLLECTIVE,
    SEVERAL,
    SHARED,
    find_several,
    is_known,
    share,
    start,
    step_schedules,
    wrapped,
)
from torch2jax.normalize.accelerator_steps import STEPS, accumulate, step_count
from torch2jax.normalize.fabric_checkpoints import normalize_files
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import Processes, dotted
from torch2jax.records import dataclass
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import Rewriter, always_statements, as_expression
from torch2jax.syntax.quote import quote, quote_statement
from torch2jax.syntax.walk import descendants, elements_of
from torch2jax.values import Kind


@dataclass(frozen=True, slots=True)
class _Library:
    """What an object of a library offers: `constants` on one process, methods that are `functions` of torch, that give back what
    they are given (`same`, `prepares`), that make `contexts` which do nothing, and that do nothing themselves (`silent`).

    `options` say nothing on one process, but for their values here; None: whatever they are."""

    makers: tuple[str, ...]
    constants: Mapping[str, str]
    prepares: frozenset[str]
    same: frozenset[str]
    contexts: frozenset[str]
    silent: frozenset[str]
    options: Mapping[str, tuple[object, ...] | None]
    functions: Mapping[str, str]


_SWITCH: tuple[object, ...] = (True, False)
_MAIN = ("is_main_process", "is_local_main_process", "is_last_process")
_ACCELERATE = _Library(
    makers=("accelerate.Accelerator", "accelerate.accelerator.Accelerator"),
    constants={
        **dict.fromkeys(_MAIN, "True"),
        "num_processes": "1",
        "process_index": "0",
        "local_process_index": "0",
        "mixed_precision": '"no"',
        "sync_gradients": "True",
        "use_distributed": "False",
        "optimizer_step_was_skipped": "False",
        "scaler": "None",
    },
    prepares=PREPARING[ACCELERATOR],
    same=frozenset({"gather", "gather_for_metrics", "pad_across_processes", "reduce", "unwrap_model"}),
    contexts=frozenset(
        {"autocast", "accumulate", "no_sync", "main_process_first", "local_main_process_first", "join_uneven_inputs"}
    ),
    silent=frozenset({"wait_for_everyone", "free_memory", "clear", "end_training"}),
    options={
        "mixed_precision": (None, "no"),
        "gradient_accumulation_steps": (1,),
        **dict.fromkeys(
            (
                "split_batches",
                "device_placement",
                "cpu",
                "step_scheduler_with_optimizer",
                "even_batches",
                "dispatch_batches",
            ),
            _SWITCH,
        ),
        "log_with": (None,),
        **dict.fromkeys(("project_dir", "logging_dir", "project_config", "rng_types", "dataloader_config"), None),
    },
    functions={
        "clip_grad_norm_": "nn.utils.clip_grad_norm_",
        "clip_grad_value_": "nn.utils.clip_grad_value_",
        "save": "save",
    },
)
_LIGHTNING = _Library(
    makers=tuple(
        f"{package}.Fabric"
        for package in (
            "lightning",
            "lightning.fabric",
            "lightning.fabric.fabric",
            "lightning_fabric",
            "lightning_fabric.fabric",
        )
    ),
    constants={
        "is_global_zero": "True",
        "global_rank": "0",
        "local_rank": "0",
        "node_rank": "0",
        "world_size": "1",
    },
    prepares=PREPARING[FABRIC],
    same=frozenset({"all_gather", "all_reduce", "broadcast", "to_device"}),
    contexts=frozenset(
        {"autocast", "no_backward_sync", "rank_zero_first", "init_module", "init_tensor", "sharded_model"}
    ),
    silent=frozenset({"barrier", "launch"}),
    options={
        "precision": (None, 32, "32", "32-true"),
        "devices": (1, "1", "auto", -1),
        "num_nodes": (1,),
        "strategy": ("auto", "ddp", "dp"),
        "accelerator": None,
        "plugins": (None,),
        "callbacks": (None,),
        "loggers": (None,),
    },
    functions={},
)
_LIBRARIES: Mapping[str, _Library] = {ACCELERATOR: _ACCELERATE, FABRIC: _LIGHTNING}
_DEVICE = 'device("cuda" if {torch}.cuda.is_available() else "cpu")'
_SETTINGS = frozenset(
    {"DataLoaderConfiguration", "DistributedDataParallelKwargs", "InitProcessGroupKwargs", "ProjectConfiguration"}
)
_LOGGING = frozenset({"log", "log_dict", "init_trackers"})
_Pair = tuple[cst.BaseExpression, cst.BaseExpression]
_HARMLESS = frozenset({"device_placement", "move_to_device", "use_distributed_sampler", "retain_graph", "create_graph"})


def normalize_accelerators(work: NormalizationRound) -> None:
    """Normalize all that is done with such objects, in programs that start no processes themselves."""
    step_schedules(work)
    if not any(file.mentions(name) for file in work.program.files for name in (*_LIBRARIES, "get_logger")):
        return
    makers = [call for call in work.index.calls if work.values.torch_name(call.func) in _MAKERS]
    several = find_several(work, makers)
    if work.program.processes is not Processes.UNKNOWN and not several:
        _refuse_processes(work)
        return
    accumulate(work)
    for call in makers if several else ():
        start(work, call)
    for call in work.index.calls:
        if isinstance(call.func, cst.Attribute) and (library := _library(work, call.func.value)) is not None:
            _method(work, call, call.func, library, several)
        elif work.values.torch_name(call.func) in _MAKERS:
            _drop_unused(work, call)
        elif work.values.torch_name(call.func) == "accelerate.logging.get_logger":
            _name_logger(work, call)
    for attribute in work.index.attributes:
        if (library := _library(work, attribute.value)) is not None:
            _attribute(work, attribute, library, several)
    _drop_annotations(work)
    _drop_settings(work)


_MAKERS = {maker: library for library in _LIBRARIES.values() for maker in library.makers}


def _library(work: NormalizationRound, node: cst.CSTNode) -> _Library | None:
    """The library that a value is the object of."""
    value = work.values(node)
    return (
        _LIBRARIES.get(next(iter(value.types))) if value.kind is Kind.TORCH_OBJECT and len(value.types) == 1 else None
    )


def _drop_annotations(work: NormalizationRound) -> None:
    """Drop what says that a parameter is one, when nothing is done with it any more."""
    if work.edits.touched() or any(_library(work, item.value) for item in work.index.attributes):
        return
    for node in work.index.every(cst.Annotation):
        if work.values.torch_name(node.annotation) in _MAKERS and isinstance(work.index.parents[node], cst.Param):
            work.edits.drop(node)


def _refuse_processes(work: NormalizationRound) -> None:
    for call in work.index.calls:
        if (name := work.values.torch_name(call.func)) in _MAKERS:
            work.refuse(call, str(name), "the program starts processes of its own")


def _attribute(work: NormalizationRound, node: cst.Attribute, library: _Library, several: bool) -> None:
    parent, name = work.index.parents[node], node.attr.value
    if isinstance(parent, (cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.Del)):
        return
    if isinstance(parent, cst.Decorator):
        if name.startswith("on_"):  # `on_main_process`
            work.edits.drop(parent)
    elif several and name in ("print", "state"):
        return
    elif several and name in library.constants and name in SHARED:
        text = SHARED[name].replace("{dist}", f"{work.torch_alias()}.distributed")
        text = f"({text})" if isinstance(parent, (cst.Comparison, cst.UnaryOperation)) else text
        work.edits.replace(node, lambda rewrite: quote(text))
    elif name in library.constants:
        text = library.constants[name]
        if name == "sync_gradients" and step_count(work, node) != "1":
            return  # it is written out, or reported
        work.edits.replace(node, lambda rewrite: quote(text))
    elif name == "device" and (torch := work.torch_alias()) is not None:
        text = f"{torch}.{_DEVICE.replace('{torch}', torch)}"
        work.edits.replace(node, lambda rewrite: quote(text))
    elif name == "print":
        work.edits.replace(node, lambda rewrite: cst.Name("print"))
    elif name in library.contexts and isinstance(parent, cst.Arg):
        call = work.index.parents[parent]  # `partial(accelerator.no_sync, model)`
        if isinstance(call, cst.Call) and (dotted(call.func) or "").rpartition(".")[2] == "partial" and call.args[0] is parent:  # fmt: skip
            work.edits.replace(call, lambda rewrite: cst.Name("nullcontext"))
    elif name == "state":
        _ask_state(work, node, parent, library)


def _ask_state(work: NormalizationRound, node: cst.Attribute, parent: cst.CSTNode, library: _Library) -> None:
    """`accelerator.state.num_processes`, or a line that only tells of the state."""
    if isinstance(parent, cst.Attribute) and parent.attr.value in library.constants:
        text = library.constants[parent.attr.value]
        work.edits.replace(parent, lambda rewrite: quote(text))
    elif isinstance(parent, cst.Arg) and isinstance(call := work.index.parents[parent], cst.Call):
        is_told = isinstance(call.func, cst.Attribute) and call.func.attr.value in ("info", "print", "debug")
        if is_told and isinstance(work.index.parents[call], cst.Expr) and call.args[0] is parent:
            work.edits.remove(work.index.statement_of(call))


def _method(
    work: NormalizationRound, call: cst.Call, function: cst.Attribute, library: _Library, several: bool
) -> None:
    name, torch = function.attr.value, work.torch_alias()
    plain = [item for item in call.args if item.keyword is None]
    named = {item.keyword.value: item.value for item in call.args if item.keyword is not None}
    if name in library.prepares and plain and not named.keys() - _HARMLESS:
        _prepare(work, call, plain, library if several else None)
    elif several and name in COLLECTIVE:
        share(work, call, name, plain)
    elif any(item.star for item in call.args):
        return
    elif name == "backward" and plain and not named.keys() - (_HARMLESS | {"model"}):
        _backward(work, call, library)
    elif name in library.functions and torch is not None and "safe_serialization" not in named:
        text = f"{torch}.{library.functions[name]}"
        work.edits.replace(function, lambda rewrite: quote(text))
    elif name in library.same and plain:
        is_copy = name == "reduce" and work.values(plain[0].value).kind is Kind.TENSOR
        if _pairs(work.index.statement_of(call), call, plain[:1]) is not None and not is_copy:
            _prepare(work, call, plain[:1], None)  # `model = accelerator.unwrap_model(model)` goes
            return
        work.edits.replace(call, partial(_copied if is_copy else _written, plain[0].value))
    elif name == "get_state_dict" and len(plain) == len(call.args) == 1:
        work.edits.replace(call, lambda rewrite: quote("{m}.state_dict()", m=rewrite.expression(plain[0].value)))
    elif name in library.contexts:
        if name != "accumulate" or step_count(work, call) == "1":
            _drop_context(work, call)
    elif library is _LIGHTNING and normalize_files(work, call, name):
        return
    elif isinstance(work.index.parents[call], cst.Expr):
        _statement(work, call, library, plain, named)
    elif name in library.silent and not call.args and isinstance(work.index.parents[call], cst.Return):
        work.edits.replace(call, lambda rewrite: cst.Name("None"))


def _written(node: cst.BaseExpression, rewrite: Rewriter) -> cst.CSTNode:
    return rewrite.expression(node)


def _copied(node: cst.BaseExpression, rewrite: Rewriter) -> cst.CSTNode:
    return quote("{x}.clone()", x=rewrite.expression(node))


def _statement(
    work: NormalizationRound,
    call: cst.Call,
    library: _Library,
    plain: list[cst.Arg],
    named: dict[str, cst.BaseExpression],
) -> None:
    """A call that gives nothing."""
    name, line = cst.ensure_type(call.func, cst.Attribute).attr.value, work.index.statement_of(call)
    is_silent = (name in library.silent and not call.args) or (name in _LOGGING and _tells_nobody(work, call))
    if is_silent:
        work.edits.remove(line)
    elif name == "clip_gradients" and (text := _clipping(work, plain, named)) is not None:
        work.edits.rewrite_statement(line, partial(_clip, text, plain, named))


def _tells_nobody(work: NormalizationRound, call: cst.Call) -> bool:
    """Whether there are no trackers that anything could be told to, and what is told does nothing else."""
    makers = [item for file in work.program.files for item in file.index.calls if (dotted(item.func) or "").rpartition(".")[2] in _LIBRARIES]  # fmt: skip
    words = {item.keyword.value if item.keyword is not None else item.star for made in makers for item in made.args}
    inner = [node for item in call.args for node in (item.value, *descendants(item.value))]
    acts = any(isinstance(node, (cst.NamedExpr, cst.Await, cst.Yield)) or work.values.callees.get(node) for node in inner)  # type: ignore[call-overload]  # fmt: skip
    return bool(makers) and not words & {"log_with", "loggers", "**", "*"} and not acts


def _clipping(work: NormalizationRound, plain: list[cst.Arg], named: dict[str, cst.BaseExpression]) -> str | None:
    """What clips the gradients of an optimizer that updates all parameters of a module."""
    torch, ways = work.torch_alias(), named.keys() & {"clip_val", "max_norm"}
    if torch is None or len(plain) != 2 or len(ways) != 1 or named.keys() - {"clip_val", "max_norm", "norm_type", "error_if_nonfinite"}:  # fmt: skip
        return None
    module, optimizer = (work.values(item.value) for item in plain)
    if optimizer.kind is not Kind.OPTIMIZER or not module.sites or optimizer.sites != module.sites:
        return None
    return f"{torch}.nn.utils.clip_grad_{'norm' if 'max_norm' in ways else 'value'}_"


def _clip(
    function: str, plain: list[cst.Arg], named: dict[str, cst.BaseExpression], rewrite: Rewriter
) -> list[cst.BaseStatement]:
    size = rewrite.expression(named.get("max_norm") or named["clip_val"])
    kind = f", norm_type={code(named['norm_type'])}" if "norm_type" in named else ""
    text = f"{function}({{module}}.parameters(), {{size}}{kind})"
    return [quote_statement(text, module=rewrite.expression(plain[0].value), size=size)]


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
        work.edits.replace(call, lambda rewrite: quote("nullcontext()"))


def _backward(work: NormalizationRound, call: cst.Call, library: _Library) -> None:
    loss, *options = call.args
    options = [item for item in options if item.keyword is None or item.keyword.value != "model"]
    count = step_count(work, call) if library is _ACCELERATE else "1"
    if loss.keyword is not None or count is None:
        return

    def build(rewrite: Rewriter) -> cst.CSTNode:
        given = [item.with_changes(value=rewrite.expression(item.value)) for item in options]
        value = rewrite.expression(loss.value)
        if count != "1":
            value = quote(f"({{loss}} / {count})", loss=value)
        return cst.Call(cst.Attribute(value, cst.Name("backward")), given)

    work.edits.replace(call, build)


def _prepare(work: NormalizationRound, call: cst.Call, given: list[cst.Arg], shares: _Library | None) -> None:
    """What is prepared is what there was; one thing comes back alone, several as a tuple."""
    if given[0].star and len(given) == 1:
        return
    if shares is not None:
        _share_out(work, call, given, _pairs(work.index.statement_of(call), call, given), shares is _ACCELERATE)
    else:
        give_back(work, call, given)


def give_back(work: NormalizationRound, call: cst.Call, given: list[cst.Arg]) -> None:
    """Write out a call that gives back what it is given: one thing alone, several as a tuple."""
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


def _share_out(
    work: NormalizationRound, call: cst.Call, given: list[cst.Arg], pairs: list[_Pair] | None, batches: bool
) -> None:
    """What is prepared for several processes is wrapped, or hands out shares of rows."""
    values = [item.value for item in given]
    if not all(is_known(work, value) for value in values):
        return
    if pairs:
        lines = [
            (target, wrapped(work, value, batches))
            for target, value in pairs
            if dotted(target) != dotted(value) or work.values(value).is_a(Kind.MODULE, Kind.LOADER)
        ]
        line = work.index.statement_of(call)
        work.edits.rewrite_statement(
            line,
            lambda rewrite: [
                quote_statement("{t} = {v}", t=t.deep_clone(), v=as_expression(v(rewrite))) for t, v in lines
            ],
        )
    elif len(given) == 1:
        work.edits.replace(call, wrapped(work, values[0], batches))


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


def _pairs(line: cst.CSTNode, call: cst.Call, given: list[cst.Arg]) -> list[_Pair] | None:
    """The names that a line gives to what it prepares, with that, where they can be given one after the other."""
    if any(item.star or dotted(item.value) is None for item in given):
        return None
    match line:
        case cst.SimpleStatementLine(body=[cst.Expr(value=value)]):
            return [] if value is call else None
        case cst.SimpleStatementLine(body=[cst.Assign(targets=[cst.AssignTarget(target=target)], value=value)]):
            targets = elements_of(target)
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
    """Drop `accelerator = Accelerator()` where nothing is done with it any more, and options that say nothing before that."""
    library = _MAKERS[str(work.values.torch_name(call.func))]
    uses = [item for item in work.index.attributes if _library(work, item.value) is not None]
    is_done = not uses and not work.edits.touched() and len(list(work.program.files)) == 1
    left = [item for item in call.args if not (_is_plain(work, item, library) or (is_done and _is_steps(item)))]
    if len(left) < len(call.args):
        work.edits.replace(call, lambda rewrite: call.with_changes(args=[_kept(rewrite, item) for item in left]))
        return
    if any(item.star for item in left):
        _check(work, call)
        return
    line = work.index.statement_of(call)
    match line:
        case cst.SimpleStatementLine(body=[cst.Assign(targets=[cst.AssignTarget(target=target)], value=value)]):
            name = dotted(target)
        case _:
            return
    if value is not call or name is None or left:
        return
    same = [node for node in (*work.index.names, *work.index.attributes) if _last(node) == name.rpartition(".")[2]]
    if all(node is target or node in descendants(target) for node in same) and "." not in name:
        work.edits.remove(line)


def _is_steps(item: cst.Arg) -> bool:
    return item.keyword is not None and item.keyword.value == STEPS


def _kept(rewrite: Rewriter, item: cst.Arg) -> cst.Arg:
    return item.with_changes(value=rewrite.expression(item.value), comma=cst.MaybeSentinel.DEFAULT)


def _check(work: NormalizationRound, call: cst.Call) -> None:
    """`Accelerator(**options)`: what there is in them is seen when the program runs."""
    if all(item.star == "**" or item.keyword is not None for item in call.args):
        only = call.args[0].value if len(call.args) == 1 else None

        def build(rewrite: Rewriter) -> cst.CSTNode:
            given = rewrite.expression(only) if only is not None else cst.Call(cst.Name("dict"), [_kept(rewrite, item) for item in call.args])  # fmt: skip
            return quote("{made}.checked({given})", made=rewrite.expression(call.func), given=given)

        work.edits.replace(call, build)


def _last(node: cst.BaseExpression) -> str:
    return (dotted(node) or code(node)).rpartition(".")[2]


def _is_plain(work: NormalizationRound, item: cst.Arg, library: _Library) -> bool:
    """Whether an argument is known to change nothing on one process."""
    if item.star or item.keyword is None:
        return False
    name = item.keyword.value
    if name == "kwargs_handlers" and isinstance(item.value, cst.List):
        return all(_is_setting(work, part.value) for part in item.value.elements)
    allowed = library.options.get(name, ())
    if name == "devices" and (SEVERAL,) in work.program.marks:
        return True
    if allowed is None:
        return not any(isinstance(node, cst.Call) and not _is_setting(work, node) for node in (item.value, *descendants(item.value)))  # fmt: skip
    value = work.values(item.value)
    if value.kind is Kind.NONE:
        return None in allowed
    return any(type(value.const) is type(one) and value.const == one for one in allowed if one is not None)


_OF_PROCESSES = frozenset({"main_process_only", "in_order"})


def _name_logger(work: NormalizationRound, call: cst.Call) -> None:
    """`logger = get_logger(name)` is `logger = logging.getLogger(name)`, which all processes tell alike."""
    line, target = work.index.statement_of(call), work.index.parents[call]
    level = next((item.value for item in call.args[1:]), None)
    if not isinstance(target, cst.Assign) or not isinstance(target.targets[0].target, cst.Name) or len(call.args) > 2:
        return
    name = target.targets[0].target.value
    work.edits.replace(
        call, lambda rewrite: quote("logging.getLogger({name})", name=rewrite.expression(call.args[0].value))
    )
    if level is not None:
        lines = [quote_statement(f"{place}.setLevel({code(level)}.upper())") for place in (name, f"{name}.root")]
        work.edits.after(line, always_statements(lines))
    for other in work.index.calls:
        if isinstance(other.func, cst.Attribute) and dotted(other.func.value) == name:
            for item in other.args:
                if item.keyword is not None and item.keyword.value in _OF_PROCESSES:
                    _leave_out(work, other)
                    break


def _leave_out(work: NormalizationRound, call: cst.Call) -> None:
    """Leave out the arguments that say which processes tell something."""
    left = [item for item in call.args if item.keyword is None or item.keyword.value not in _OF_PROCESSES]
    work.edits.replace(call, lambda rewrite: call.with_changes(args=[_kept(rewrite, item) for item in left]))


def _drop_settings(work: NormalizationRound) -> None:
    """Settings for several processes that nobody reads any more."""
    for call in work.index.calls:
        target = work.index.parents[call]
        if (
            isinstance(target, cst.Assign)
            and _is_setting(work, call)
            and isinstance(target.targets[0].target, cst.Name)
        ):
            name = target.targets[0].target
            definition = work.program.definitions.bound_once(name)
            if definition is not None and not work.program.definitions.uses(definition):
                work.edits.remove(work.index.statement_of(call))


def _is_setting(work: NormalizationRound, node: cst.BaseExpression) -> bool:
    """Whether an expression makes settings for several processes, or is a variable that holds them."""
    if isinstance(node, cst.Call):
        return (work.values.torch_name(node.func) or "").rpartition(".")[2] in _SETTINGS
    definition = work.program.definitions.bound_once(node) if isinstance(node, cst.Name) else None
    match work.index.statement_of(definition.node) if definition is not None else None:
        case cst.SimpleStatementLine(body=[cst.Assign(value=cst.Call() as call)]):
            return _is_setting(work, call)
    return False


__all__ = ["give_back", "normalize_accelerators"]
