"""Models whose parameters are shared out over processes, in the words of those that keep them whole: the numbers are the same.

model = FSDP(model, auto_wrap_policy=policy)     ->     model = torch.nn.parallel.DistributedDataParallel(model, broadcast_buffers=False)
for layer in model.layers:
    fully_shard(layer)                           ->     (gone)
fully_shard(model)                               ->     model = torch.nn.parallel.DistributedDataParallel(model, broadcast_buffers=False)
p.full_tensor()                                  ->     p
"""

from __future__ import annotations

from functools import partial

import libcst as cst

from torch2jax.facts.parallel import SHARDED
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import dotted
from torch2jax.syntax.edits import Rewriter
from torch2jax.syntax.quote import quote, quote_statement
from torch2jax.syntax.walk import descendants, is_label
from torch2jax.values import Kind

_FSDP = (
    "torch.distributed.fsdp.FullyShardedDataParallel",
    "torch.distributed.fsdp.fully_sharded_data_parallel.FullyShardedDataParallel",
)
_SHARDING = ("torch.distributed.fsdp.fully_shard", "torch.distributed._composable.fsdp.fully_shard")
_MESHES = (
    "torch.distributed.device_mesh.init_device_mesh",
    "torch.distributed.init_device_mesh",
    "torch.distributed._tensor.device_mesh.init_device_mesh",
)
_HARMLESS = frozenset(
    {"auto_wrap_policy", "sharding_strategy", "device_id", "limit_all_gathers", "cpu_offload", "use_orig_params",
     "sync_module_states", "backward_prefetch", "forward_prefetch", "mesh", "device_mesh", "reshard_after_forward"}
)  # fmt: skip
_NONE = frozenset({"mixed_precision", "process_group", "ignored_modules", "param_init_fn", "mp_policy"})


def normalize_sharded_models(work: NormalizationRound) -> None:
    """Normalize models of which each process keeps a part."""
    program = work.program
    if not any(program.mentions(word) for word in ("FullyShardedDataParallel", "fully_shard", "init_device_mesh")):
        return
    for call in work.index.calls:
        name = work.values.torch_name(call.func)
        if name in _FSDP:
            _keep_whole(work, call)
        elif name in _SHARDING:
            _shard(work, call)
        elif name in _MESHES:
            _drop_mesh(work, call)
        elif isinstance(call.func, cst.Attribute) and call.func.attr.value == "full_tensor" and not call.args:
            work.edits.replace(call, partial(_whole, call.func.value))


def _whole(node: cst.BaseExpression, rewrite: Rewriter) -> cst.CSTNode:
    return rewrite.expression(node)


def _wrapper(work: NormalizationRound) -> str | None:
    """How the file can call what keeps the parameters whole."""
    for bound, value in work.program.module_env.items():
        if value.kind is Kind.TORCH and value.const in ("torch", "torch.nn"):
            return f"{bound}.{'nn.' if value.const == 'torch' else ''}parallel.DistributedDataParallel"
    return None


def _is_harmless(call: cst.Call) -> bool:
    """Whether the options only say how the parameters are shared out."""
    if any(item.star for item in call.args) or any(item.keyword is None for item in call.args[1:]):
        return False
    named = {item.keyword.value: dotted(item.value) for item in call.args if item.keyword is not None}
    return all(name in _HARMLESS or (name in _NONE and value == "None") for name, value in named.items())


def _keep_whole(work: NormalizationRound, call: cst.Call) -> None:
    spelled = _wrapper(work)
    if spelled is None or not call.args or not _is_harmless(call) or call.args[0].keyword is not None:
        return
    if any(file.mentions("clip_grad_norm_") for file in work.program.files):
        return  # torch would take the norms of the parts that lie on each process
    module = call.args[0].value
    text = f"{spelled}({{module}}, broadcast_buffers=False)"
    work.marks.add((SHARDED,))
    work.edits.replace(call, lambda rewrite: quote(text, module=rewrite.expression(module)))


def _shard(work: NormalizationRound, call: cst.Call) -> None:
    """A statement that shares out a model, or a layer of one that is shared out as a whole as well."""
    spelled, line = _wrapper(work), work.index.statement_of(call)
    if spelled is None or len(call.args) < 1 or not _is_harmless(call) or not isinstance(line, cst.SimpleStatementLine):
        return
    name = dotted(call.args[0].value)
    if name is None or not isinstance(work.index.parents[call], cst.Expr) or len(line.body) != 1:
        return
    if _is_loop_variable(work, call, name):
        if any(_shards_whole(work, other, call) for other in work.index.calls):
            block = work.index.parents[line]
            loop = work.index.parents[block] if isinstance(block, cst.IndentedBlock) else None
            alone = isinstance(loop, cst.For) and isinstance(block, cst.IndentedBlock) and len(block.body) == 1
            work.edits.remove(loop if alone and isinstance(loop, cst.For) else line)
        return
    work.marks.add((SHARDED,))
    made = quote_statement(f"{name} = {spelled}({name}, broadcast_buffers=False)")
    work.edits.rewrite_statement(line, lambda rewrite: [made.deep_clone()])


def _is_loop_variable(work: NormalizationRound, call: cst.Call, name: str) -> bool:
    loops = [item for item in work.index.ancestors(call) if isinstance(item, cst.For)]
    return any(dotted(loop.target) == name for loop in loops)


def _shards_whole(work: NormalizationRound, other: cst.Call, call: cst.Call) -> bool:
    """Whether another call of the function shares out the model itself, now or in a round before."""
    if work.index.function_of(other) is not work.index.function_of(call) or other is call or not other.args:
        return False
    name = work.values.torch_name(other.func)
    place = dotted(other.args[0].value)
    if place is None or _is_loop_variable(work, other, place):
        return False
    return name in _SHARDING or name == "torch.nn.parallel.DistributedDataParallel"


def _drop_mesh(work: NormalizationRound, call: cst.Call) -> None:
    """A mesh that nothing uses any more."""
    line = work.index.statement_of(call)
    match line:
        case cst.SimpleStatementLine(
            body=[cst.Assign(targets=[cst.AssignTarget(target=cst.Name() as target)], value=value)]
        ) if value is call:
            scope: cst.CSTNode = work.index.function_of(call) or work.index.module
            names = [item for item in descendants(scope) if isinstance(item, cst.Name) and item.value == target.value]
            if all(item is target or is_label(item, work.index.parents[item]) for item in names):
                work.edits.remove(line)


__all__ = ["normalize_sharded_models"]
