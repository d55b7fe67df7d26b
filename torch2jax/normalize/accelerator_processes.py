"""What `accelerate.Accelerator` and `lightning.Fabric` do in several processes, in the words of `torch.distributed`.

accelerator = Accelerator()                        ->   torch.distributed.init_process_group()
model, optimizer, loader = accelerator.prepare(         model = torch.nn.parallel.DistributedDataParallel(model)
    model, optimizer, loader)                           loader = torch.utils.data.share_batches(loader)
accelerator.print(loss.item())                          if torch.distributed.get_rank() == 0:
                                                            print(loss.item())
mean = accelerator.reduce(loss, "mean")                 mean = loss.detach().clone()
                                                        torch.distributed.all_reduce(mean, op=torch.distributed.ReduceOp.AVG)

A `Fabric` says for how many devices it is; a program with an `Accelerator` is one for several where the options of the translation
say so. Both hand out the rows of a loader anew: whole batches go to one process after another, or single rows do.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import dotted
from torch2jax.syntax.edits import Rewriter
from torch2jax.syntax.problem import Problem
from torch2jax.syntax.quote import quote, quote_statement
from torch2jax.values import Kind

SEVERAL = "several"  # the mark of a file whose accelerators are for several processes
_STARTED, _STEPPED = "started", "stepped"
_FIRST, _RANK, _COUNT = "{dist}.get_rank() == 0", "{dist}.get_rank()", "{dist}.get_world_size()"
SHARED: Mapping[str, str] = {
    "is_main_process": _FIRST,
    "is_local_main_process": "{dist}.get_node_local_rank() == 0",
    "is_global_zero": _FIRST,
    "num_processes": _COUNT,
    "world_size": _COUNT,
    "process_index": _RANK,
    "global_rank": _RANK,
    "local_process_index": "{dist}.get_node_local_rank()",
    "local_rank": "{dist}.get_node_local_rank()",
    "use_distributed": "True",
}
_MEANS = {"mean": "AVG", "avg": "AVG", "sum": "SUM"}
_REDUCING = {"reduce": "mean", "all_reduce": "mean"}
COLLECTIVE = frozenset(
    {"all_gather", "all_reduce", "barrier", "broadcast", "gather", "gather_for_metrics", "pad_across_processes", "print",
     "reduce", "wait_for_everyone"}
)  # fmt: skip  # methods that do something else with several processes


def find_several(work: NormalizationRound, makers: Sequence[cst.Call]) -> bool:
    """Whether what these calls make is for several processes: it says so, or the options of the translation do."""
    if any((SEVERAL,) in file.marks for file in (work.program, *work.program.files)):
        work.marks.add((SEVERAL,))
        return True
    devices = [item.value for call in makers for item in call.args if item.keyword and item.keyword.value == "devices"]
    counts = [work.values(item).const for item in devices]
    alone = any(count in (1, "1") for count in counts)
    if not any(isinstance(count, int) and count > 1 for count in counts) and (alone or not work.several):
        return False
    for call in makers:
        if any(item.keyword is not None and item.keyword.value == "split_batches" for item in call.args):
            fields = {
                "name": "accelerate.Accelerator",
                "hint": ": batches that are split have no translation for several processes",
            }
            work.lasting.append(Problem(call, "T2J200", fields))
    work.marks.add((SEVERAL,))
    return True


def start(work: NormalizationRound, call: cst.Call) -> None:
    """Make the process group in front of the line that makes the object."""
    line, torch = work.index.statement_of(call), work.torch_alias()
    if (_STARTED,) in work.program.marks or torch is None or not isinstance(line, cst.SimpleStatementLine):
        return
    named = {item.keyword.value: item.value for item in call.args if item.keyword is not None}
    count = work.values(named["devices"]).const if "devices" in named else None
    size = f"world_size={count}" if isinstance(count, int) and count > 1 else ""
    work.marks.add((_STARTED,))
    made = quote_statement(f"{torch}.distributed.init_process_group({size})")
    work.edits.before(line, lambda rewrite: [made.deep_clone()])


def wrapped(work: NormalizationRound, value: cst.BaseExpression, batches: bool) -> Callable[[Rewriter], cst.CSTNode]:
    """What is prepared of a value: a wrapper of a module, a loader of a share of the rows, or what it is."""
    kind, torch = work.values(value).kind, work.torch_alias()
    text = "{value}"
    if kind is Kind.MODULE:
        text = f"{torch}.nn.parallel.DistributedDataParallel({{value}})"
    elif kind is Kind.LOADER:
        text = f"{torch}.utils.data.share_{'batches' if batches else 'rows'}({{value}})"
    return lambda rewrite: quote(text, value=rewrite.expression(value))


def is_known(work: NormalizationRound, value: cst.BaseExpression) -> bool:
    """Whether it is known what several processes do with something that is prepared."""
    return work.values(value).kind in (Kind.MODULE, Kind.LOADER, Kind.OPTIMIZER, Kind.SCHEDULER)


def share(work: NormalizationRound, call: cst.Call, name: str, plain: Sequence[cst.Arg]) -> None:
    """Normalize a call that does something else with several processes; what is left is reported."""
    torch, line = work.torch_alias(), work.index.statement_of(call)
    dist, alone = f"{torch}.distributed", isinstance(work.index.parents[call], cst.Expr)
    if torch is None:
        return
    if name in ("print", "save") and alone:
        function = quote("print" if name == "print" else f"{torch}.save")
        work.edits.rewrite_statement(line, partial(_for_first, dist, function, call))
    elif name in ("wait_for_everyone", "barrier") and alone:
        work.edits.replace(call, lambda rewrite: quote(f"{dist}.barrier()"))
    elif name in _REDUCING and plain and (how := _operation(work, call, name)) is not None:
        match line:
            case cst.SimpleStatementLine(
                body=[cst.Assign(targets=[cst.AssignTarget(target=cst.Name(target))], value=value)]
            ) if value is call:
                reduced = quote_statement(f"{dist}.all_reduce({target}, op={dist}.ReduceOp.{how})")
                work.edits.rewrite_statement(line, partial(_reduced, target, plain[0].value, reduced))


def _reduced(
    target: str, value: cst.BaseExpression, reduced: cst.BaseStatement, rewrite: Rewriter
) -> Sequence[cst.BaseStatement]:
    return [quote_statement(f"{target} = {{x}}.detach().clone()", x=rewrite.expression(value)), reduced.deep_clone()]


def _operation(work: NormalizationRound, call: cst.Call, name: str) -> str | None:
    given = [item.value for item in call.args[1:]]
    words = [work.values(item).const for item in given]
    if any(item.keyword is not None and item.keyword.value not in ("reduction", "reduce_op") for item in call.args):
        return None
    word = words[0] if words else _REDUCING[name]
    return _MEANS.get(word) if isinstance(word, str) and len(words) <= 1 else None


def _for_first(
    dist: str, function: cst.BaseExpression, call: cst.Call, rewrite: Rewriter
) -> Sequence[cst.BaseStatement]:
    """`if torch.distributed.get_rank() == 0: print(x)`."""
    arguments = [item.with_changes(value=rewrite.expression(item.value)) for item in call.args]
    line = cst.SimpleStatementLine([cst.Expr(cst.Call(function.deep_clone(), arguments))])
    return [cst.If(quote(f"{dist}.get_rank() == 0"), cst.IndentedBlock([line]))]


def step_schedules(work: NormalizationRound) -> None:
    """A schedule that was prepared with an optimizer makes a step for each process, once all else is written out."""
    torch, marks = work.torch_alias(), work.program.marks
    names = {mark[1] for mark in marks if mark[0] == "prepared"}
    if (SEVERAL,) not in marks or (_STEPPED,) in marks or torch is None:
        return
    work.marks.add((_STEPPED,))
    for call in work.index.calls:
        line = work.index.statement_of(call)
        match line:
            case cst.SimpleStatementLine(
                body=[
                    cst.Expr(value=cst.Call(func=cst.Attribute(value=place, attr=cst.Name("step")), args=[]) as whole)
                ]
            ) if whole is call and (dotted(place) or "").rpartition(".")[2] in names:
                if work.values(place).kind is Kind.SCHEDULER:
                    header = f"for _ in range({torch}.distributed.get_world_size()):\n    pass"
                    work.edits.rewrite_statement(line, partial(_repeated, header, line))


def _repeated(header: str, line: cst.SimpleStatementLine, rewrite: Rewriter) -> Sequence[cst.BaseStatement]:
    loop = cst.ensure_type(quote_statement(header), cst.For)
    inner = rewrite.inside(line)
    rewrite.stands_for(inner, line)
    return [loop.with_changes(body=cst.IndentedBlock([cst.ensure_type(inner, cst.SimpleStatementLine)]))]


__all__ = ["COLLECTIVE", "SEVERAL", "SHARED", "find_several", "is_known", "share", "start", "step_schedules", "wrapped"]
