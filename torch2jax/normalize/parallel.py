"""What wraps a model for several processes, and starts these, normalized away: one process drives all devices of a host.

model = DDP(model.to(rank), device_ids=[rank])    ->   model = model
ddp_model = DDP(model)                            ->   (gone: `ddp_model` is `model`)
model.module.state_dict()                         ->   model.state_dict()
with model.no_sync(): ...                         ->   with nullcontext(): ...
mp.spawn(main, args=(epochs,), nprocs=n)          ->   main(dist.get_rank(), epochs)
int(os.environ["LOCAL_RANK"])                     ->   dist.get_rank()
torch.cuda.set_device(rank)                       ->   (gone)
y = data_parallel(model, x, ids)                  ->   y = model(x)
dist.all_reduce(x)    (of a module, or of an argument) ->   all_reduce_(x, "sum", None)

Gradients are means over all devices after every backward pass. They are sums over several passes where torch waits with the
mean until the last one: the same, but for rounding.
"""

from __future__ import annotations

from collections.abc import Mapping

import libcst as cst

from torch2jax.facts.parallel import (
    BARE,
    BY_CHOICE,
    PROCESS_GROUP,
    UNSYNCED,
    WRAPPED,
    WRAPPERS,
    is_rank,
    is_wrapped,
    knows_processes,
    starts_processes,
)
from torch2jax.facts.ranks import VARIABLES, variable_of_torchrun
from torch2jax.facts.reductions import is_given
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.ops.schema import is_inplace_name
from torch2jax.program.program import Processes, Program, dotted
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import Rewriter, always_statements
from torch2jax.syntax.problem import Problem
from torch2jax.syntax.quote import quote, quote_statement
from torch2jax.syntax.walk import descendants, elements_of, is_label, own_nodes
from torch2jax.values import Kind

_DIST = "torch.distributed"
_ASKED = frozenset({"is_available", "is_initialized", "is_nccl_available", "is_gloo_available"})
_PLACING = frozenset(
    {"torch.cuda.set_device", "torch.accelerator.set_device_index", "torch.accelerator.set_device_idx"}
)
_RUNNING = "distributed_c10d.is_initialized"  # where it is decided when the program runs
_COUNTING = ("torch.cuda.device_count", "torch.accelerator.device_count")
_REDUCING = {
    "all_reduce": ("tensor", "op", "group", "async_op"),
    "broadcast": ("tensor", "src", "group", "async_op"),
    "reduce": ("tensor", "dst", "op", "group", "async_op"),
}
_CREATING = frozenset({"empty", "full", "ones", "rand", "randn", "tensor", "zeros"})
_GATHERED = {
    f"{_DIST}.all_gather": ("tensor_list", "tensor", "group", "async_op"),
    f"{_DIST}.all_gather_object": ("object_list", "obj", "group"),
    f"{_DIST}.gather": ("tensor", "gather_list", "dst", "group", "async_op"),
    f"{_DIST}.gather_object": ("obj", "object_gather_list", "dst", "group"),
}
_OPERATIONS = {"SUM": "sum", "AVG": "avg", "MAX": "max", "MIN": "min"}
_SYNC = "require_backward_grad_sync"
_UNSHARED = "_ddp_params_and_buffers_to_ignore"
_WRAPPING = ("DataParallel", "DistributedDataParallel")


def normalize_parallel(work: NormalizationRound) -> None:
    """Normalize files that start processes, or wrap models for them."""
    program = work.program
    if program.mentions("data_parallel"):
        for call in work.index.calls:
            _call_once(work, call)
    unwrapped = any(mark[0] == "unwrapped" for mark in program.marks)  # what a round before has left of a wrapper
    if not unwrapped and not any(program.mentions(word) for word in (*_WRAPPING, PROCESS_GROUP)):
        if any(_wraps(other) for other in program.files):
            for attribute in work.index.attributes:
                _unwrap(work, attribute, elsewhere=True)
        if program.processes is not Processes.UNKNOWN:
            _normalize_processes(work)
        else:
            _reduce_where_asked(work)
        return
    for call in work.index.calls:
        _drop_wrapper(work, call)
    for attribute in work.index.attributes:
        _unwrap(work, attribute)
    for line in work.index.every(cst.SimpleStatementLine):
        _drop_switch(work, line)
    if knows_processes(program, work.values):
        _normalize_processes(work)
    else:
        _reduce_where_asked(work)


def _reduce_where_asked(work: NormalizationRound) -> None:
    """Reductions of a file that others may use in programs that start processes."""
    if any(map(work.program.mentions, (*_REDUCING, "gather", "all_gather", "all_gather_object", "gather_object"))):
        for call in work.index.calls:
            name = work.values.torch_name(call.func) or ""
            if _is_reducing(name):
                _reduce_inside(work, call)
            elif name in _GATHERED:
                _gather(work, call)
        for node in work.index.every(cst.Subscript):
            _read_own_part(work, node)


def _is_reducing(name: str) -> bool:
    module, _, word = name.rpartition(".")
    return module == _DIST and word in _REDUCING


def _normalize_processes(work: NormalizationRound) -> None:
    if starts_processes(work.program, work.values) and _may_stay_alone(work):
        work.marks.add((BY_CHOICE,))
    spawns = any(work.values.torch_name(call.func) == "torch.multiprocessing.spawn" for call in work.index.calls)
    for call in work.index.calls:
        name = work.values.torch_name(call.func) or ""
        if name.rpartition(".")[0] == _DIST and name.rpartition(".")[2] in _ASKED:
            if not spawns:  # what they start is called in the next round
                _answer(work, call)
        elif name == f"{_DIST}.{PROCESS_GROUP}":
            _name_rank(work, call)
            _keep_arguments(work, call, ("world_size",))
        elif name == f"{_DIST}.barrier":
            _keep_arguments(work, call, ("group", "async_op"))
        elif name == "torch.multiprocessing.spawn":
            _start(work, call)
        elif _is_reducing(name):
            _reduce_inside(work, call)
        elif name in _GATHERED:
            _gather(work, call)
        elif name in _COUNTING:
            _ask(work, call, "get_world_size")
        elif name == "torch.accelerator.is_available":  # those that are counted
            work.edits.replace(call, lambda rewrite: cst.Name("True"))
        elif name == f"{_DIST}.get_backend":
            _name_backend(work, call)
        elif name in _PLACING or (name == f"{_DIST}.destroy_process_group" and not work.program.modules):
            if isinstance(work.index.parents[call], cst.Expr):
                work.edits.remove(work.index.statement_of(call))
        else:
            _read_environment(work, call)
            _stay(work, call)
    for node in work.index.every(cst.Subscript):
        _read_environment(work, node)
        _read_own_part(work, node)
    for question in work.index.every(cst.Comparison):
        _ask_environment(work, question)


def spelled_for_processes(work: NormalizationRound, name: str) -> str | None:
    """How the file can call a function of torch.distributed; None where it has no name for torch."""
    for bound, value in work.program.module_env.items():
        if value.kind is Kind.TORCH and value.const in ("torch", _DIST):
            return f"{bound}.distributed.{name}" if value.const == "torch" else f"{bound}.{name}"
    return None


def _ask(work: NormalizationRound, node: cst.BaseExpression, name: str) -> None:
    spelled = spelled_for_processes(work, name)
    if spelled is not None:
        work.edits.replace(node, lambda rewrite: quote(f"{spelled}()"))


def _answer(work: NormalizationRound, call: cst.Call) -> None:
    """Whether there are process groups: there are, but for the question whether one is still to be made.

    Other files can only ask for it when they run, and so can programs that make one under a condition.
    """
    if not starts_processes(work.program, work.values) or _may_stay_alone(work):
        _ask_running(work, call)
        return
    starts = False
    for ancestor in work.index.ancestors(call):
        if isinstance(ancestor, cst.If) and call in descendants(ancestor.test):
            calls = [node for node in descendants(ancestor.body) if isinstance(node, cst.Call)]
            starts = any(work.values.torch_name(item.func) == f"{_DIST}.{PROCESS_GROUP}" for item in calls)
    asks = work.values.torch_name(call.func) == f"{_DIST}.is_initialized"
    work.edits.replace(call, lambda rewrite: cst.Name("False" if starts and asks else "True"))


def _ask_running(work: NormalizationRound, call: cst.Call) -> None:
    name = work.values.torch_name(call.func)
    if name != f"{_DIST}.is_initialized":
        work.edits.replace(call, lambda rewrite: cst.Name("True"))
        return
    if spelled_for_processes(work, _RUNNING) is None:
        reason = "there is no name for `torch.distributed` by which it could be asked when the program runs"
        work.problems.append(Problem(call, "T2J508", {"name": "is_initialized()", "reason": reason}))
    _ask(work, call, _RUNNING)


def _may_stay_alone(work: NormalizationRound) -> bool:
    """Whether the program may run without the process group that it makes elsewhere."""
    makers = [call for call in work.index.calls if work.values.torch_name(call.func) == f"{_DIST}.{PROCESS_GROUP}"]
    return not makers or all(_is_conditional(work, call) for call in makers)


def _is_conditional(work: NormalizationRound, call: cst.Call, depth: int = 4) -> bool:
    """Whether a call stands below a condition, or in a function that is called below one."""
    for ancestor in work.index.ancestors(call):
        if isinstance(ancestor, (cst.If, cst.IfExp, cst.BooleanOperation)) and not _always_holds(work, ancestor):
            return True
        if isinstance(ancestor, cst.FunctionDef):
            break
    function = work.program.function_around(call)
    sites = [
        node for node, callees in work.values.callees.items() if function in callees and node in work.index.parents
    ]
    if function is not None and not sites:
        return True  # others call it, or not
    return depth > 0 and any(_is_conditional(work, site, depth - 1) for site in sites)


def _always_holds(work: NormalizationRound, node: cst.If | cst.IfExp | cst.BooleanOperation) -> bool:
    """Whether a condition only asks whether the file is the program, or whether there are processes."""
    if isinstance(node, cst.BooleanOperation):
        return False
    names = {item.value for item in (node.test, *descendants(node.test)) if isinstance(item, cst.Name)}
    calls = [item for item in (node.test, *descendants(node.test)) if isinstance(item, cst.Call)]
    asks = [(work.values.torch_name(item.func) or "").rpartition(".") for item in calls]
    is_question = bool(calls) and all(module == _DIST and name in _ASKED for module, _, name in asks)
    return names == {"__name__"} or names == {"True"} or is_question


def _start(work: NormalizationRound, call: cst.Call) -> None:
    """`spawn(main, args=(a,), nprocs=n)`: the process there is calls the function."""
    given = {item.keyword.value: item.value for item in call.args if item.keyword is not None}
    plain = [item.value for item in call.args if item.keyword is None and not item.star]
    function = given.get("fn") or (plain[0] if plain else None)
    arguments = given.get("args") or (plain[1] if len(plain) > 1 else cst.Tuple(()))
    spelled = spelled_for_processes(work, "get_rank")
    if function is None or spelled is None or not isinstance(work.index.parents[call], cst.Expr):
        return
    if not isinstance(arguments, cst.Tuple) or given.keys() - {"fn", "args", "nprocs", "join"}:
        return
    if dotted(given.get("join", cst.Name("True"))) != "True":
        return

    def build(rewrite: Rewriter) -> cst.CSTNode:
        items = [cst.Arg(rewrite.expression(item.value)) for item in arguments.elements]
        return cst.Call(rewrite.expression(function), [cst.Arg(quote(f"{spelled}()")), *items])

    work.edits.replace(call, build)


def _read_environment(work: NormalizationRound, node: cst.Subscript | cst.Call) -> None:
    """`int(os.environ["RANK"])`, or the text."""
    name = variable_of_torchrun(node)
    if name is None or _is_written(work, node):
        return
    if work.program.processes is Processes.SOME and not starts_processes(work.program, work.values):
        reason = "programs that start no processes read it, too"
        work.problems.append(Problem(node, "T2J508", {"name": "os.environ", "reason": reason}))
        return
    argument = work.index.parents[node]
    call = work.index.parents[argument] if isinstance(argument, cst.Arg) else None
    if isinstance(call, cst.Call) and dotted(call.func) == "int" and len(call.args) == 1:
        _ask(work, call, name)
    elif spelled := spelled_for_processes(work, name):
        work.edits.replace(node, lambda rewrite: quote(f"str({spelled}())"))


def _is_written(work: NormalizationRound, node: cst.CSTNode) -> bool:
    return isinstance(work.index.parents[node], (cst.AssignTarget, cst.Del))


def _ask_environment(work: NormalizationRound, node: cst.Comparison) -> None:
    """`"RANK" in os.environ`."""
    match node:
        case cst.Comparison(
            left=cst.SimpleString() as name, comparisons=[cst.ComparisonTarget(operator=cst.In(), comparator=place)]
        ):
            if name.evaluated_value in VARIABLES and dotted(place) == "os.environ":
                work.edits.replace(node, lambda rewrite: cst.Name("True"))


def _stay(work: NormalizationRound, call: cst.Call) -> None:
    """Batches and models lie where all devices have them: moves to one of them go."""
    function = call.func
    if not isinstance(function, cst.Attribute) or function.attr.value not in ("to", "cuda"):
        return
    if not work.values(function.value).is_a(Kind.TENSOR, Kind.MODULE, Kind.UNKNOWN):
        return
    if function.attr.value == "to" and not _is_move(work, call):
        return
    if work.values(function.value).kind is Kind.UNKNOWN and function.attr.value == "cuda" and len(call.args) > 2:
        return
    line = work.index.statement_of(call)
    if isinstance(work.index.parents[call], cst.Expr) or _says_nothing(work, line):
        if line not in work.edits.statements:
            work.edits.remove(line)
    else:
        work.edits.replace(call, lambda rewrite: rewrite.expression(function.value))


def _says_nothing(work: NormalizationRound, line: cst.CSTNode) -> bool:
    """Whether a line only moves variables: `x, y = x.to(device), y.to(device)`."""
    match line:
        case cst.SimpleStatementLine(body=[cst.Assign(targets=[cst.AssignTarget(target=target)], value=value)]):
            targets = elements_of(target)
            values = elements_of(value)
            return [dotted(item) for item in targets] == [_moved(work, item) for item in values]
    return False


def _moved(work: NormalizationRound, node: cst.BaseExpression) -> str | None:
    """The variable that an expression moves to a device."""
    match node:
        case cst.Call(func=cst.Attribute(value=receiver, attr=cst.Name(name))) if name in ("to", "cuda"):
            return dotted(receiver) if name == "cuda" or _is_move(work, node) else None
    return None


def _is_move(work: NormalizationRound, call: cst.Call) -> bool:
    """Whether a call of `to` says nothing but a device."""
    named = {item.keyword.value for item in call.args if item.keyword is not None}
    plain = [item for item in call.args if item.keyword is None]
    places = [*plain, *(item for item in call.args if item.keyword is not None and item.keyword.value == "device")]
    if named - {"device", "non_blocking"} or len(places) != 1 or places[0].star:
        return False
    return _is_place(work, places[0].value)


def _is_place(work: NormalizationRound, node: cst.BaseExpression) -> bool:
    if isinstance(node, cst.IfExp):
        return _is_place(work, node.body) and _is_place(work, node.orelse)
    value = work.values(node)
    return value.kind in (Kind.DEVICE, Kind.STR, Kind.INT)


def _name_rank(work: NormalizationRound, call: cst.Call) -> None:
    """`args.rank = args.rank * gpus + gpu` is the rank, where the process group is made with it."""
    place = next((dotted(item.value) for item in call.args if item.keyword and item.keyword.value == "rank"), None)
    spelled, line = spelled_for_processes(work, "get_rank"), work.index.statement_of(call)
    if place is None or spelled is None:
        return
    for node in work.index.every(cst.Assign, cst.AugAssign):
        match node:
            case cst.Assign(targets=[cst.AssignTarget(target=target)], value=cst.BinaryOperation()):
                pass
            case cst.AugAssign(target=target):
                pass
            case _:
                continue
        is_here = work.index.function_of(node) is work.index.function_of(call) and not work.is_behind(node, line)
        if is_here and dotted(target) == place:
            made = quote_statement(f"{place} = {spelled}()")
            work.edits.rewrite_statement(work.index.statement_of(node), always_statements([made]))


def _keep_arguments(work: NormalizationRound, call: cst.Call, kept: tuple[str, ...]) -> None:
    """Leave out the arguments that say how processes find and wait for each other."""
    if any(item.star for item in call.args):
        return
    positions = {3: "world_size"} if kept == ("world_size",) else {0: "group"}
    names = [
        item.keyword.value if item.keyword is not None else positions.get(n, "") for n, item in enumerate(call.args)
    ]
    left = [(name, item) for name, item in zip(names, call.args, strict=True) if name in kept]
    if len(left) < len(call.args):
        work.edits.replace(
            call,
            lambda rewrite: call.with_changes(
                args=[
                    cst.Arg(
                        rewrite.expression(item.value),
                        keyword=cst.Name(name),
                        equal=cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace("")),
                    )
                    for name, item in left
                ]
            ),
        )


_HARMLESS = frozenset(
    {"device_ids", "output_device", "bucket_cap_mb", "find_unused_parameters", "static_graph",
     "check_reduction", "gradient_as_bucket_view"}
)  # fmt: skip


_SYNCING = frozenset({"broadcast_buffers", "init_sync"})
_BATCH_STATISTICS = ("BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "SyncBatchNorm", "batch_norm", "LazyBatchNorm1d", "LazyBatchNorm2d", "LazyBatchNorm3d")  # fmt: skip


def _keeps_buffers_alike(work: NormalizationRound, option: str, value: cst.BaseExpression) -> bool:
    """Whether an option says that all processes have the same buffers, or there are none that change."""
    if option not in _SYNCING or dotted(value) == "True":
        return option in _SYNCING
    classes = [item for file in work.program.files for item in file.classes.values()]
    is_stateful = work.effects is None or any(map(work.effects.class_is_stateful, classes))
    return option == "broadcast_buffers" and not is_stateful and not _has_batch_statistics(work.program)


def _has_batch_statistics(program: Program) -> bool:
    """Whether layers take statistics of the rows of one device, in a file or those around it."""
    return any(item.mentions(word) for item in (program, *program.modules.values()) for word in _BATCH_STATISTICS)


def _is_used_bare(work: NormalizationRound, call: cst.Call, module: cst.BaseExpression) -> bool:
    """Whether a module that gets a wrapper under another name is called, or handed on, under its own afterwards."""
    line, scope = work.index.statement_of(call), work.index.function_of(call)
    match line:
        case cst.SimpleStatementLine(body=[cst.Assign(targets=[cst.AssignTarget(target=target)])]):
            if dotted(target) == dotted(module):
                return False
    name = dotted(module)
    if name is None:
        return False
    nodes = list(descendants(scope if scope is not None and "." not in name else work.index.module))
    if call in nodes and "." not in name:
        nodes = nodes[nodes.index(call) :]
    own = {call, *descendants(call)}
    return any(
        isinstance(node, (cst.Name, cst.Attribute))
        and dotted(node) == name
        and node not in own
        and _is_handed(work, node)
        for node in nodes
    )


def _is_handed(work: NormalizationRound, node: cst.CSTNode) -> bool:
    """Whether a module is called, or given to something that may call it."""
    parent = work.index.parents[node]
    if isinstance(parent, cst.Arg):
        call = work.index.parents[parent]
        name = work.values.torch_name(call.func) if isinstance(call, cst.Call) else None
        return name not in (*WRAPPERS, "torch.nn.DataParallel")
    return isinstance(parent, cst.Call) or (
        isinstance(parent, (cst.Assign, cst.Return, cst.Element))
        or (isinstance(parent, cst.Attribute) and parent.attr.value == "forward")
    )


def _drop_wrapper(work: NormalizationRound, call: cst.Call) -> None:
    """The module itself for `DDP(module)`; that it is wrapped is remembered of its class."""
    name = work.values.torch_name(call.func)
    if name == "isinstance" or name not in (*WRAPPERS, "torch.nn.DataParallel"):
        return
    named = {item.keyword.value: item.value for item in call.args if item.keyword is not None}
    module = named.pop("module", None) or (call.args[0].value if call.args and not call.args[0].star else None)
    named = {key: item for key, item in named.items() if not _keeps_buffers_alike(work, key, item)}
    if name not in WRAPPERS:
        named.pop("dim", None)  # along which batches are spread and put together again
    if module is None or named.keys() - _HARMLESS or any(item.star for item in call.args) or len(call.args) > 7:
        return
    if len([item for item in call.args if item.keyword is None]) > 3:
        return
    if name in WRAPPERS and _is_used_bare(work, call, module):
        return
    value = work.values(module)
    if value.kind not in (Kind.MODULE, Kind.UNKNOWN):
        return
    if name not in WRAPPERS and (value.kind is Kind.UNKNOWN or _has_batch_statistics(work.program)):
        if not _stops_on_several(
            work, call, named.get("device_ids") or next((item.value for item in call.args[1:2]), None)
        ):
            return
        work.lasting.append(Problem(call, "T2J513", {"name": "DataParallel"}))
    if name in WRAPPERS and not any(file.mentions(PROCESS_GROUP) for file in work.program.files):
        reason = "no process group is set up in sight, without which torch refuses it"
        work.lasting.append(Problem(call, "T2J508", {"name": "DistributedDataParallel", "reason": reason}))
    if name in WRAPPERS:
        work.marks.update((WRAPPED, item) for item in value.types or {"*"})
    work.marks.update(("unwrapped", item) for item in value.types or {"*"})
    line = work.index.statement_of(call)
    match line:
        case cst.SimpleStatementLine(body=[cst.Assign(targets=[cst.AssignTarget(target=target)], value=whole)]):
            if whole is call and dotted(target) is not None and dotted(target) == dotted(module):
                work.edits.remove(line)
                return
    if not _rename_wrapped(work, call, module):
        work.edits.replace(call, lambda rewrite: rewrite.expression(module))


def _name_backend(work: NormalizationRound, call: cst.Call) -> None:
    """The backend that the process group of the file is made with: that of the device where it names none."""
    makers = [item for item in work.index.calls if work.values.torch_name(item.func) == f"{_DIST}.{PROCESS_GROUP}"]
    texts = {item.value.value for made in makers for item in made.args[:1] if isinstance(item.value, cst.SimpleString)}
    named = [item.keyword.value for made in makers for item in made.args if item.keyword is not None]
    if len(makers) == 1 and len(texts) == 1 and named.count("backend") + (makers[0].args[0].keyword is None):
        text = texts.pop()
        work.edits.replace(call, lambda rewrite: cst.SimpleString(text))


def _reduce_inside(work: NormalizationRound, call: cst.Call) -> None:
    """What modules, and functions that are given it, reduce over the devices that run them: a value that is stored, with the
    gradient of what it was."""
    name = (work.values.torch_name(call.func) or "").rpartition(".")[2]
    given, line = named_arguments(call, _REDUCING[name]), work.index.statement_of(call)
    spelled = spelled_for_processes(
        work, f"_functional_collectives.{'broadcast' if name == 'broadcast' else 'all_reduce'}"
    )
    if spelled is None or given is None or not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1:
        return
    place, how = given.get("tensor"), _how(work, name, given)
    handle = _handle(work, call)
    known = dotted(given.get("group", cst.Name("None"))) == "None" and handle is not None
    known = known and (dotted(given.get("async_op", cst.Name("False"))) == "False" or handle not in ("", "return"))
    if not known or place is None or how is None or not _is_reduced_by_others(work, call, place):
        return
    changed = place.func if isinstance(place, cst.Call) else place
    made: list[cst.BaseStatement | cst.SimpleStatementLine] = []
    if isinstance(changed, cst.Attribute) and changed is not place:  # `x.div_(n)`, which gives `x` itself
        if not (changed.attr.value.endswith("_") and not changed.attr.value.endswith("__")):
            return
        made, changed = [cst.SimpleStatementLine([cst.Expr(place)])], changed.value
    tensor = dotted(changed)
    if tensor is None:
        return
    made.append(quote_statement(f"{spelled}_({tensor}, {how}, None)"))
    if handle and (handle == "return" or not _is_only_waited_for(work, call, handle)):
        made.append(quote_statement("return None" if handle == "return" else f"{handle} = None"))
    work.edits.rewrite_statement(line, lambda rewrite: [item.deep_clone() for item in made])
    for waiting in _waits(work, call, handle or ""):
        work.edits.remove(waiting)


def _gather(work: NormalizationRound, call: cst.Call) -> None:
    """A list that is filled with what each process has, without gradients."""
    name = work.values.torch_name(call.func) or ""
    objects = name.endswith("object")
    given, line = named_arguments(call, _GATHERED[name]), work.index.statement_of(call)
    spelled = spelled_for_processes(
        work, "_functional_collectives.gather_objects" if objects else "nn.functional.all_gather"
    )
    if spelled is None or given is None or not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1:
        return
    parts = given.get("tensor_list") or given.get("object_list") or _only_for_first(work, given)
    tensor = given.get("obj" if objects else "tensor")
    handle = _handle(work, call)
    known = dotted(given.get("group", cst.Name("None"))) == "None" and handle is not None and handle != "return"
    known = known and (dotted(given.get("async_op", cst.Name("False"))) == "False" or handle != "")
    if not known or not isinstance(parts, cst.Name) or tensor is None or work.program.function_around(call) is None:
        return
    first = _filling(work, line, parts.value, objects)
    if first is None:
        return
    match tensor:
        case cst.Call(func=cst.Attribute(value=receiver, attr=cst.Name("detach")), args=[]) if not objects:
            tensor = receiver
    made = [quote_statement(f"{parts.value} = list({spelled}({code(tensor)}{'' if objects else '.detach()'}))")]
    if handle and not _is_only_waited_for(work, call, handle):
        made.append(quote_statement(f"{handle} = None"))
    work.edits.remove(first)
    work.edits.rewrite_statement(line, lambda rewrite: [item.deep_clone() for item in made])
    for waiting in _waits(work, call, handle or ""):
        work.edits.remove(waiting)


def _only_for_first(work: NormalizationRound, given: dict[str, cst.BaseExpression]) -> cst.BaseExpression | None:
    """The list that `gather` fills for the first process: `parts if rank == 0 else None`."""
    if not _is_zero(given.get("dst", cst.Integer("0"))):
        return None
    parts = given.get("gather_list") or given.get("object_gather_list")
    return _first_of(work, parts) if parts is not None else None


def _first_of(work: NormalizationRound, node: cst.BaseExpression) -> cst.BaseExpression:
    """What an expression is for the first process."""
    is_only_there = isinstance(node, cst.IfExp) and dotted(node.orelse) == "None" and asks_for_first(work, node.test)
    return node.body if is_only_there else node  # type: ignore[attr-defined]


def asks_for_first(work: NormalizationRound, test: cst.BaseExpression) -> bool:
    """`rank == 0`."""
    match test:
        case cst.Comparison(
            left=rank, comparisons=[cst.ComparisonTarget(operator=cst.Equal(), comparator=cst.Integer("0"))]
        ):
            return is_rank(work.values(rank))
    return False


def _is_zero(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Integer) and node.value == "0"


def _filling(
    work: NormalizationRound, line: cst.SimpleStatementLine, name: str, objects: bool
) -> cst.SimpleStatementLine | None:
    """The statement of the same block that makes the list which is filled by another one, and is not read before that."""
    block = work.index.parents[line]
    lines = list(block.body) if isinstance(block, (cst.IndentedBlock, cst.Module)) else []
    for before in reversed(lines[: lines.index(line)] if line in lines else []):
        match before:
            case cst.SimpleStatementLine(
                body=[cst.Assign(targets=[cst.AssignTarget(target=cst.Name(bound))], value=value)]
            ) if bound == name:
                return before if objects or _holds_new_tensors(work, _first_of(work, value)) else None
        if any(isinstance(item, cst.Name) and item.value == name for item in descendants(before)):
            return None
    return None


def _holds_new_tensors(work: NormalizationRound, node: cst.BaseExpression) -> bool:
    """Whether a list is made of tensors that nothing else knows: what is stored in them changes no others."""
    match node:
        case cst.ListComp(elt=part):
            return _is_new(work, part)
        case cst.List(elements=elements):
            return all(_is_new(work, item.value) for item in elements)
    return False


def _is_new(work: NormalizationRound, node: cst.BaseExpression) -> bool:
    name = (work.values.torch_name(node.func) or dotted(node.func) or "") if isinstance(node, cst.Call) else ""
    return name.rpartition(".")[2].removeprefix("new_").removesuffix("_like") in _CREATING


def _read_own_part(work: NormalizationRound, node: cst.Subscript) -> None:
    """`parts[dist.get_rank()]` of a list of what each process has; `parts[dist.get_rank()] = x`."""
    match node.slice:
        case [cst.SubscriptElement(slice=cst.Index(value=index))] if is_rank(work.values(index)):
            spelled = spelled_for_processes(work, "_functional_collectives")
            if _takes_rows(work, node):
                return
            if spelled is None or not work.values(node.value).is_a(Kind.TUPLE, Kind.LIST, Kind.TENSOR, Kind.UNKNOWN):
                return
        case _:
            return
    parent, line = work.index.parents[node], work.index.statement_of(node)
    if not isinstance(parent, cst.AssignTarget):
        if not _is_written(work, node):
            work.edits.replace(
                node, lambda rewrite: quote(f"{spelled}.own_part({{x}})", x=rewrite.expression(node.value))
            )
        return
    name = dotted(node.value)
    match line:
        case cst.SimpleStatementLine(body=[cst.Assign(targets=[_], value=value)]) if (
            isinstance(node.value, cst.Name) and work.values(node.value).kind is Kind.LIST
        ):
            made = quote_statement(f"{name} = {spelled}.with_own_part({name}, {code(value)})")
            work.edits.rewrite_statement(line, lambda rewrite: [made.deep_clone()])


def _takes_rows(work: NormalizationRound, node: cst.Subscript) -> bool:
    """`x.chunk(n)[rank]` outside of modules: rows that each process takes for itself, rather than what all of them gave."""
    function = work.program.function_around(node)
    if function is not None and function.owner is not None and function.owner.is_module:
        return False
    match node.value:
        case cst.Call(func=cst.Attribute(attr=cst.Name("chunk" | "split" | "tensor_split"))):
            return True
    return False


def _how(work: NormalizationRound, name: str, given: dict[str, cst.BaseExpression]) -> str | None:
    """What says how values of all devices become one, or whose they become."""
    if name == "all_reduce":
        return _operation(work, given.get("op"))
    source: cst.BaseExpression | None = given.get("src", cst.Integer("0")) if name == "broadcast" else given.get("dst")
    is_first = source is not None and _is_zero(source)
    if name == "broadcast":
        return code(source) if isinstance(source, (cst.Name, cst.Integer)) else None
    return _operation(work, given.get("op")) if is_first else None


def named_arguments(call: cst.Call, names: tuple[str, ...]) -> dict[str, cst.BaseExpression] | None:
    """The arguments of a call by their names; None where they are not known."""
    named = {item.keyword.value: item.value for item in call.args if item.keyword is not None}
    plain = [item.value for item in call.args if item.keyword is None]
    if any(item.star for item in call.args) or len(plain) > len(names) or named.keys() - set(names):
        return None
    return dict(zip(names, plain, strict=False)) | named


def _operation(work: NormalizationRound, node: cst.BaseExpression | None) -> str | None:
    """How a reduction is called where it is translated; a variable says it when the program runs."""
    if node is None:
        return '"sum"'
    word = (work.values.torch_name(node) or "").rpartition(".")[2]
    if word in _OPERATIONS:
        return f'"{_OPERATIONS[word]}"'
    return code(node) if isinstance(node, cst.Name) and not word else None


def _is_reduced_by_others(work: NormalizationRound, call: cst.Call, place: cst.BaseExpression) -> bool:
    """Whether those who call a function know where what it reduces differs: methods of modules, and functions without steps."""
    function = work.program.function_around(call)
    if function is None:
        return False
    if function.owner is not None and function.owner.is_module:
        return not (work.values.torch_name(call.func) or "").endswith(".reduce")
    if not knows_processes(work.program, work.values) or not any(map(_wraps, work.program.files)):
        return True
    return is_given(work.program, work.values, call, place)


def _handle(work: NormalizationRound, call: cst.Call) -> str | None:
    """The variable that holds what can be waited for, and nothing else; no name for calls that stand alone."""
    parent = work.index.parents[call]
    if isinstance(parent, (cst.Expr, cst.Return)):
        return "" if isinstance(parent, cst.Expr) else "return"
    match parent:
        case cst.Assign(targets=[cst.AssignTarget(target=target)]) if dotted(target) is not None:
            name = dotted(target)
            assert name is not None
            return name if all(_is_told_of_waiting(work, item) for item in _uses(work, call, name)) else None
    return None


def _uses(work: NormalizationRound, call: cst.Call, name: str) -> list[cst.CSTNode]:
    """Where a variable of a function, or a field in its class, stands."""
    function = work.index.function_of(call)
    place: cst.CSTNode = function if function is not None and "." not in name else work.index.module
    nodes = [
        node for node in descendants(place) if isinstance(node, (cst.Name, cst.Attribute)) and dotted(node) == name
    ]
    return [item for item in nodes if isinstance(item, cst.Attribute) or not is_label(item, work.index.parents[item])]


def _is_told_of_waiting(work: NormalizationRound, node: cst.CSTNode) -> bool:
    """Whether a use of a handle binds it, waits for it, or asks whether there is one."""
    parent = work.index.parents[node]
    match parent:
        case cst.AssignTarget():
            return True
        case cst.Comparison(left=left, comparisons=[cst.ComparisonTarget(operator=cst.Is() | cst.IsNot())]):
            return left is node
        case cst.Attribute(attr=cst.Name("wait")):
            call = work.index.parents[parent]
            line = work.index.parents[call]
            return isinstance(call, cst.Call) and not call.args and isinstance(line, cst.Expr)
    return False


def _is_only_waited_for(work: NormalizationRound, call: cst.Call, name: str) -> bool:
    """Whether nobody asks whether there is a handle."""
    uses = _uses(work, call, name)
    return "." not in name and not any(isinstance(work.index.parents[node], cst.Comparison) for node in uses)


def waits_for(
    work: NormalizationRound, call: cst.Call, given: Mapping[str, cst.BaseExpression]
) -> list[cst.CSTNode] | None:
    """The statements that wait for a collective, which has no other use; None where something else is done with it."""
    handle, is_async = _handle(work, call), dotted(given.get("async_op", cst.Name("False"))) != "False"
    if handle in (None, "return") or (is_async and not handle):
        return None
    return _waits(work, call, handle or "") if not handle or _is_only_waited_for(work, call, handle) else None


def _waits(work: NormalizationRound, call: cst.Call, name: str) -> list[cst.CSTNode]:
    """The statements that wait for what has been done at once."""
    uses = _uses(work, call, name) if name not in ("", "return") else []
    return [work.index.statement_of(node) for node in uses if isinstance(work.index.parents[node], cst.Attribute)]


_EVALUATED_APART = (cst.IfExp, cst.BooleanOperation, cst.Lambda, cst.CompFor, cst.BaseComp)


def _call_once(work: NormalizationRound, call: cst.Call) -> None:
    """The call of a module for `data_parallel(module, x, ids)`, which cuts a batch into parts that lie on several devices.

    Where statistics are taken of batches, there may be only one part.
    """
    if work.values.torch_name(call.func) != "torch.nn.parallel.data_parallel":
        return
    named = {item.keyword.value: item.value for item in call.args if item.keyword is not None}
    plain = [item.value for item in call.args if item.keyword is None]
    given = dict(zip(("module", "inputs", "device_ids", "output_device"), plain, strict=False)) | named
    line = work.index.statement_of(call)
    if len(plain) > 4 or given.keys() - {"module", "inputs", "device_ids", "output_device"} or not isinstance(line, cst.SimpleStatementLine):  # fmt: skip
        return
    module, inputs, devices = given.get("module"), given.get("inputs"), given.get("device_ids")
    if module is None or inputs is None or any(item.star for item in call.args):
        return
    parts = elements_of(inputs)
    if len(parts) == 1 and isinstance(inputs, cst.Name) and work.values(inputs).is_a(Kind.TUPLE, Kind.LIST):
        return
    if _has_batch_statistics(work.program):
        if not _stops_on_several(work, call, devices):
            return
        work.lasting.append(Problem(call, "T2J513", {"name": "data_parallel"}))
    work.edits.replace(
        call,
        lambda rewrite: cst.Call(rewrite.expression(module), [cst.Arg(rewrite.expression(item)) for item in parts]),
    )


def _stops_on_several(work: NormalizationRound, call: cst.Call, devices: cst.BaseExpression | None) -> bool:
    """Stop in front of a statement where the rows of a batch would be shared out; whether that can be told there."""
    line, count = work.index.statement_of(call), _device_count(work, devices)
    apart = any(isinstance(item, _EVALUATED_APART) for item in work.index.ancestors(call) if line in work.index.ancestors(item))  # fmt: skip
    if apart or count is None or not isinstance(line, cst.SimpleStatementLine):
        return False
    text = 'raise NotImplementedError("the statistics of each device are those of its own rows")'
    work.edits.before(line, lambda rewrite: [quote_statement(f"if {count} > 1:\n    {text}")])
    return True


def _device_count(work: NormalizationRound, devices: cst.BaseExpression | None) -> str | None:
    """The number of devices that an expression lists; without one, all there are."""
    if devices is None or work.values(devices).kind is Kind.NONE:
        names = [name for name, value in work.program.module_env.items() if value.kind is Kind.TORCH and value.const == "torch"]  # fmt: skip
        return f"{names[0]}.cuda.device_count()" if names else None
    match devices:
        case cst.Call(func=cst.Name("range"), args=[cst.Arg(value=count, star="", keyword=None)]):
            is_asked = isinstance(count, cst.Call) and work.values.torch_name(count.func) in _COUNTING
            return code(count) if is_asked or dotted(count) is not None else None
        case (
            cst.Call(func=cst.Name("list" | "tuple"), args=[cst.Arg(value=inner, star="", keyword=None)])
            | cst.ListComp(for_in=cst.CompFor(iter=inner, ifs=[], inner_for_in=None))
        ):
            return _device_count(work, inner)
    return f"len({code(devices)})" if dotted(devices) is not None or isinstance(devices, cst.List) else None


def _wraps(program: Program) -> bool:
    """Whether a file wraps models, or has done so before it was normalized."""
    return any(mark[0] == "unwrapped" for mark in program.marks) or any(map(program.mentions, _WRAPPING))


def _unwrap(work: NormalizationRound, node: cst.Attribute, *, elsewhere: bool = False) -> None:
    """`model.module` and `model.no_sync` of a model that was wrapped, or that another file wraps (`elsewhere`): only a wrapper
    has such a field, where the classes of the model have none."""
    value = work.values(node.value)
    if value.kind is not Kind.MODULE or not value.types:
        return
    marks = work.program.marks
    known = all(any(item in file.class_by_key for file in work.program.files) for item in value.types)
    marked = ("unwrapped", "*") in marks or all(("unwrapped", item) in marks for item in value.types)
    if not marked and not (elsewhere and known):
        return
    if node.attr.value == "module" and not _has_field(work, value.types, "module"):
        if _is_handed(work, node):
            work.marks.add((BARE,))
        work.edits.replace(node, lambda rewrite: rewrite.expression(node.value))
    elif node.attr.value == "no_sync" and not _has_field(work, value.types, "no_sync"):
        work.marks.add((UNSYNCED,))
        work.edits.replace(node, lambda rewrite: quote("nullcontext"))


def _has_field(work: NormalizationRound, types: frozenset[str], name: str) -> bool:
    classes = [file.class_by_key.get(item) for item in types for file in work.program.files]
    return any(item is not None and (name in item.methods or name in dict(item.all_fields())) for item in classes)


def _drop_switch(work: NormalizationRound, line: cst.SimpleStatementLine) -> None:
    """`model.require_backward_grad_sync = last`, which says what `no_sync` says, and the names of buffers that the wrapper is
    not to bring to the other processes.
    """
    match line.body:
        case [cst.Assign(targets=[cst.AssignTarget(target=cst.Attribute(value=model, attr=cst.Name(name)))])]:
            if name == _SYNC and is_wrapped(work.values(model), work.program.marks):
                work.marks.add((UNSYNCED,))
                work.edits.remove(line)
            elif name == _UNSHARED and work.values(model).kind is Kind.MODULE and _are_lasting(work, line):
                work.edits.remove(line)


def _are_lasting(work: NormalizationRound, line: cst.SimpleStatementLine) -> bool:
    """Whether the buffers that a statement names are fields which nobody gives anything else behind `__init__`."""
    texts = [item.raw_value for item in descendants(line) if isinstance(item, cst.SimpleString)]
    names = {text.rpartition(".")[2] for text in texts} - {""}
    return bool(names) and not any(
        node.attr.value in names and _is_given(file, node)
        for file in work.program.files
        for node in file.index.attributes
    )


def _is_given(program: Program, node: cst.Attribute) -> bool:
    """Whether a field is bound behind `__init__`, or asked to change."""
    function = program.function_around(node)
    place: cst.CSTNode = node
    while isinstance(parent := program.index.parents[place], cst.Subscript) and parent.value is place:
        place = parent
    is_bound = isinstance(parent, (cst.AssignTarget, cst.AugAssign)) and parent.target is place
    is_changed = isinstance(parent, cst.Attribute) and is_inplace_name(parent.attr.value)
    return is_changed or (is_bound and (function is None or function.name != "__init__"))


def _rename_wrapped(work: NormalizationRound, call: cst.Call, module: cst.BaseExpression) -> bool:
    """`ddp_model = DDP(model)` in a function that binds neither again: there is one name for the model."""
    line, scope = work.index.statement_of(call), work.index.function_of(call)
    match line:
        case cst.SimpleStatementLine(
            body=[cst.Assign(targets=[cst.AssignTarget(target=cst.Name(new) as target)], value=value)]
        ) if value is call and isinstance(module, cst.Name):
            old = module.value
        case _:
            return False
    place: cst.CSTNode = scope if scope is not None else work.index.module
    mine = set(own_nodes(scope)) if scope is not None else None
    names = [
        node
        for node in descendants(place)
        if isinstance(node, cst.Name) and node.value in (old, new) and not work.index.is_label(node)
    ]
    is_nested = any(node not in mine for node in names) if mine is not None else any(map(work.index.function_of, names))
    if is_nested or [node for node in names if node.value == new and _binds(work, node)] != [target]:
        return False
    for node in names:
        if node.value == new and node is not target:
            work.edits.replace(node, lambda rewrite: cst.Name(old))
    work.edits.remove(line)
    return True


def _binds(work: NormalizationRound, node: cst.Name) -> bool:
    parent = work.index.parents[node]
    return isinstance(parent, (cst.AssignTarget, cst.Param, cst.For, cst.NamedExpr, cst.AsName)) and (
        getattr(parent, "iter", None) is not node
    )


__all__ = ["asks_for_first", "named_arguments", "normalize_parallel", "spelled_for_processes", "waits_for"]
