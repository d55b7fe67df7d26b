"""Statements with a meaning of their own: gradient contexts, modes, seeds, initialisation, in-place updates.

with torch.no_grad():         ->   loss = ...
    loss = ...
x[mask] = 0                   ->   x = x.at[mask].set(0)
nn.init.zeros_(self.fc.bias)  ->   self.fc = eqx.tree_at(lambda m: m.bias, self.fc, jnp.zeros_like(self.fc.bias))
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import libcst as cst

from torch2jax.facts.alias_state import slot_key
from torch2jax.facts.bindings import makes_module
from torch2jax.facts.compiled import COMPILERS
from torch2jax.facts.computed_names import asked_by_name
from torch2jax.facts.contexts import enabling, gradient_set, has_tensors, is_constant, is_under_no_grad
from torch2jax.facts.datasets import draws_on_host
from torch2jax.facts.effects import CUDA_SEEDERS, STATE_SETTERS, is_discrete
from torch2jax.facts.freezing import runs_through_range
from torch2jax.facts.infer import GIVES, ITEM, LISTED_MODULE, Values, all_marks
from torch2jax.facts.key_order import holds_dict
from torch2jax.facts.left_modes import leaves_mode
from torch2jax.facts.listed_optimizers import lists_put_back
from torch2jax.facts.module_state import Form, form_of, gives_self, module_place, runs_only_at_init
from torch2jax.facts.moves import default_set, is_module_cast, split_move
from torch2jax.facts.mutations import copied_place
from torch2jax.facts.parameters import given_parameters
from torch2jax.facts.precision import is_off
from torch2jax.facts.replaced_submodules import DROPOUTS, is_in_two_fields
from torch2jax.facts.restored_modes import hides_mode, restores_mode
from torch2jax.facts.saved_states import has_torch_form
from torch2jax.facts.storage import without_data
from torch2jax.ops.contexts import AUTOCASTS, KERNEL_CHOICES, Gradient
from torch2jax.ops.lowering import Lowered, Refusal, as_tuple
from torch2jax.ops.lowerings import lower_call
from torch2jax.ops.modules import REGISTERING
from torch2jax.ops.rules import FLOATS, result_value
from torch2jax.ops.rules import Facts as ArgumentFacts
from torch2jax.ops.schema import FunctionSpec, is_inplace_name
from torch2jax.ops.signatures import BindError, bind, parse_signature
from torch2jax.program.definitions import How
from torch2jax.program.program import Class, Function, dotted, root_name
from torch2jax.rewrite.calls import (
    EITHER_MODE,
    cast_expression,
    cast_to,
    fills_itself,
    inplace_row,
    is_method_of_torch,
    keeping_dtype,
    keeps_mode,
    method_of,
    mode_given,
    mode_template,
    only_looks,
    without_generator,
)
from torch2jax.rewrite.compiled import compile_function
from torch2jax.rewrite.constants import decorated_as_constant
from torch2jax.rewrite.kept_frozen import FROZEN_AS_BEFORE, may_be_frozen_by_now, may_hold_older
from torch2jax.rewrite.layer_biases import in_kept_shape
from torch2jax.rewrite.layer_notes import is_note_on_layer
from torch2jax.rewrite.layer_settings import SETTINGS, may_be_pooling, settings_of_layer
from torch2jax.rewrite.module_state import OPERATORS, as_made, is_state, with_own_dtype, write_field
from torch2jax.rewrite.names import is_stored
from torch2jax.rewrite.optimizers import (
    initial_state,
    list_all,
    no_gradients,
    no_optimizer,
    no_state,
    optimizer_from_function,
    optimizer_state,
    trained_by,
)
from torch2jax.rewrite.precision import is_decided_later, require_full_precision
from torch2jax.rewrite.promotion import augmented
from torch2jax.rewrite.threading import companion_place, with_part
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import Rewriter
from torch2jax.syntax.problem import Problem
from torch2jax.syntax.quote import names_in, quote, quote_statement
from torch2jax.syntax.walk import bound_names, descendants, elements_of, own_nodes
from torch2jax.values import UNKNOWN, Kind, Value

ERASED_ASSIGNMENTS = ("torch.backends.", "torch._dynamo.config.", "torch._inductor.config.")
ERASED_CALLS = {
    "torch.set_num_threads", "torch.autograd.set_detect_anomaly", "torch.use_deterministic_algorithms", "torch.set_deterministic",
    "torch.cuda.empty_cache", "torch.cuda.synchronize",
    "torch.set_num_interop_threads", "torch.cuda.ipc_collect", "torch.mps.empty_cache", "torch.backends.mps.empty_cache", "torch.mps.synchronize",
    "torch.xpu.empty_cache", "torch.xpu.synchronize", "torch.accelerator.empty_cache", "torch.accelerator.synchronize",
    "torch.multiprocessing.set_sharing_strategy", "torch.multiprocessing.set_start_method", "torch.serialization.add_safe_globals", "torch.compiler.reset",
    "torch.set_flush_denormal", "torch.set_warn_always", "torch.set_deterministic_debug_mode", "torch._dynamo.reset",
    "torch.cuda.init", "torch.cuda.set_per_process_memory_fraction", "torch.cuda.memory._record_memory_history",
    "torch.cuda.memory.empty_cache", "torch.cuda.reset_peak_memory_stats", "torch.cuda.reset_max_memory_allocated",
    "torch.cuda.reset_max_memory_cached", "torch.cuda.reset_accumulated_memory_stats",
    "torch.accelerator.reset_peak_memory_stats", "torch.xpu.reset_peak_memory_stats", "torch.cuda.set_stream",
    "torch.cuda.nvtx.range_push", "torch.cuda.nvtx.range_pop", "torch.cuda.nvtx.mark", "torch.cuda.profiler.start",
    "torch.cuda.profiler.stop", "torch.cuda.profiler.init", "torch.backends.cuda.enable_flash_sdp",
    "torch.backends.cuda.enable_mem_efficient_sdp", "torch.backends.cuda.enable_math_sdp",
    "torch.backends.cuda.enable_cudnn_sdp", "torch.backends.cuda.preferred_linalg_library",
    "torch.backends.cuda.allow_fp16_bf16_reduction_math_sdp", "torch.backends.nnpack.set_flags",
    "torch.compiler.cudagraph_mark_step_begin", "torchaudio.set_audio_backend", "torch.fx.wrap",
} | CUDA_SEEDERS  # fmt: skip
ERASED_DECORATORS = {
    "torch.jit.ignore",
    "torch.jit.script",
    "torch.jit.script_if_tracing",
    "torch.jit.unused",
    "torch.jit.export",
    "torch.jit.script_method",
    "torch.compile",
    "torch.compiler.disable",
    "torch.compiler.allow_in_graph",
    "torch._dynamo.disable",
    "torch._dynamo.allow_in_graph",
    "torch._disable_dynamo",
    "torch.cuda.amp.custom_fwd",
    "torch.cuda.amp.custom_bwd",
    "torch.amp.custom_fwd",
    "torch.amp.custom_bwd",
    "torch.autograd.function.once_differentiable",
    "torch.fx.wrap",
}
STOP = "jax.lax.stop_gradient({x})"
_IDLE = KERNEL_CHOICES.union(AUTOCASTS)
_AT_METHODS = {
    cst.AddAssign: "add", cst.SubtractAssign: "subtract", cst.MultiplyAssign: "multiply", cst.DivideAssign: "divide",
    cst.PowerAssign: "power",
}  # fmt: skip


def rewrite_statements(unit: Unit) -> None:
    """Decide all statements; runs before calls, whose nodes it may claim."""
    for node in unit.facts.program.index.every(cst.With, cst.FunctionDef, cst.SimpleStatementLine):
        if isinstance(node, cst.With):
            _context(unit, node)
        elif isinstance(node, cst.FunctionDef):
            _decorators(unit, node)
        elif isinstance(node, cst.SimpleStatementLine):
            if node not in unit.edits.statements and node not in unit.settled:
                _line(unit, node)


def _context(unit: Unit, node: cst.With) -> None:
    """`with torch.no_grad():` goes, its block stays; in code that is differentiated its results are constants."""
    values = unit.facts.values
    fork = unit.facts.effects.forks(node)
    if fork is not None:
        _fork(unit, node, fork)
        return
    kept = [item for item in node.items if values(item.item).kind is not Kind.CONTEXT]
    gone = [item for item in node.items if item not in kept]
    if not gone:
        return
    asked = [item.item for item in gone if isinstance(item.item, cst.Call) and is_decided_later(unit, item.item)]
    for item in gone:
        unit.settle(item.item.func if item.item in asked and isinstance(item.item, cst.Call) else item)
        note_precision(unit, item.item)
    name = str(values(gone[0].item).const)
    stop = _stop(unit, node, gone) if _is_differentiated(unit, node) else None
    if stop is not None and (not stop or any(_escapes(unit, node, item) for item in descendants(node.body))):
        unit.problem(node, "T2J201", name=name, argument="a return or an in-place update under it")
        return
    if stop is not None:
        _add_constants(unit, node, stop)
    if stop is None and _may_be_differentiated(unit, node):
        stop = _stop(unit, node, gone)
    if kept and asked:
        unit.problem(node, "T2J200", name=code(asked[0].func))
    elif kept:
        unit.edits.rewrite_statement(node, lambda rewrite: [_below_others(unit, node, kept, rewrite, stop)])
    else:
        unit.edits.rewrite_statement(node, lambda rewrite: _after_questions(unit, node, asked, rewrite, stop))


def _after_questions(
    unit: Unit, node: cst.With, asked: Sequence[cst.Call], rewrite: Rewriter, stop: str | None
) -> Sequence[cst.BaseStatement]:
    """The block of contexts that go, behind the questions whether those of mixed precision change nothing."""
    body = _unwrapped(unit, node, rewrite, stop)
    lines = [cst.SimpleStatementLine([cst.Expr(require_full_precision(unit, call, rewrite))]) for call in asked]
    return [*lines, *body]


def note_precision(unit: Unit, context: cst.BaseExpression) -> None:
    """Say that a context of mixed precision is left out, unless it is off anyway."""
    values = unit.facts.values
    name = values.torch_name(context.func) if isinstance(context, cst.Call) else None
    if isinstance(context, cst.Call) and name in AUTOCASTS and not is_off(context, name, values):
        unit.problem(context, "T2J102", name=code(context.func))


def _below_others(
    unit: Unit, node: cst.With, kept: Sequence[cst.WithItem], rewrite: Rewriter, stop: str | None
) -> cst.BaseStatement:
    """The block of a context that goes, below the others that stand beside it."""
    body = _unwrapped(unit, node, rewrite, stop)
    last = len(kept) - 1
    items = [
        cst.ensure_type(rewrite(item), cst.WithItem).with_changes(
            comma=cst.MaybeSentinel.DEFAULT if number == last else item.comma
        )
        for number, item in enumerate(kept)
    ]
    header = node.body.header if isinstance(node.body, cst.IndentedBlock) else cst.TrailingWhitespace()
    return node.with_changes(items=items, body=cst.IndentedBlock(body, header=header))


def _stop(unit: Unit, node: cst.With, contexts: Sequence[cst.WithItem]) -> str | None:
    """What makes a constant of a result of a block where no gradient is recorded; None if one is; "" if that cannot be said."""
    modes = {gradient_set(item.item, unit.facts.values): item.item for item in contexts}
    if Gradient.ON in modes or Gradient.EITHER not in modes:
        return STOP if Gradient.OFF in modes else None
    enabled = enabling(modes[Gradient.EITHER], unit.facts.values)
    if not isinstance(enabled, (cst.Name, cst.Attribute)):
        return ""
    is_bound = any(
        isinstance(item, cst.AssignTarget) and dotted(item.target) == dotted(enabled) for item in descendants(node)
    )
    return "" if is_bound else f"{{x}} if {dotted(enabled)} else {STOP}"


def _fork(unit: Unit, node: cst.With, call: cst.Call) -> None:
    """`with torch.random.fork_rng():` goes; behind its block draws go on from the key that there was before it."""
    if len(node.items) > 1 or any(item.keyword is None or item.keyword.value != "devices" for item in call.args):
        unit.problem(node, "T2J200", name="torch.random.fork_rng")
        return
    unit.settle(node.items[0])
    key = unit.plan.keys.get(call)
    if key is None:
        unit.edits.rewrite_statement(node, lambda rewrite: _unwrapped(unit, node, rewrite, None))
        return
    name = unit.fresh("outer_key")
    kept, put_back = quote_statement(f"{name} = jax.random.clone({key})"), quote_statement(f"{key} = {name}")
    unit.edits.rewrite_statement(node, lambda rewrite: [kept, *_unwrapped(unit, node, rewrite, None), put_back])


def _unwrapped(unit: Unit, node: cst.With, rewrite: Rewriter, stop: str | None) -> Sequence[cst.BaseStatement]:
    if isinstance(node.body, cst.IndentedBlock):
        body = list(rewrite.block(node.body))
    else:
        body = [cst.SimpleStatementLine([rewrite(small)]) for small in node.body.body]  # type: ignore[list-item]
    if stop:
        if body and _returns_tensor(unit, node.body.body[-1]):
            body[-1] = _last_as_constant(body[-1], stop)
        for name in _assigned_tensors(unit, node):
            body.append(quote_statement(f"{{x}} = {stop}", x=name))
    return body


def _escapes(unit: Unit, node: cst.With, item: cst.CSTNode) -> bool:
    """Whether something in a block gets around the constants that stand behind it."""
    if isinstance(item, cst.Return):
        is_direct = any(item in line.body for line in node.body.body if isinstance(line, cst.SimpleStatementLine))
        return not is_direct and not _is_made_constant(unit, item)
    if not isinstance(item, cst.AugAssign) or item.target in unit.facts.effects.module_state.writes:
        return False
    if "parameter" in unit.facts.values(without_data(item.target, unit.facts.values)).types:
        if unit.facts.program.index.statement_of(item) in unit.facts.program.settled:
            return False  # it has other values, and the gradient that it had
    return not _is_made_in(unit, node, item) and not _adds(unit, item)


def _adds(unit: Unit, update: cst.AugAssign) -> bool:
    """Whether an update adds a variable to what has its gradient from before: that stays, as torch keeps it."""
    is_sum = isinstance(update.operator, (cst.AddAssign, cst.SubtractAssign))
    return is_sum and isinstance(update.value, cst.Name) and update.value not in unit.edits.nodes


def _add_constants(unit: Unit, node: cst.With, stop: str) -> None:
    """`losses[i] += jax.lax.stop_gradient(loss)`: what a block adds to what it has not made has no gradient."""
    for item in descendants(node.body):
        if isinstance(item, cst.AugAssign) and not _is_made_in(unit, node, item) and _adds(unit, item):
            if item.target not in unit.facts.effects.module_state.writes and _holds_tensors(unit, item.value):  # type: ignore[arg-type]
                unit.edits.replace(item.value, partial(_stopped, item.value, stop))


def _stopped(value: cst.BaseExpression, stop: str, rewrite: Rewriter) -> cst.CSTNode:
    return quote(stop, x=cst.ensure_type(rewrite.inside(value), cst.Name))


def _is_made_in(unit: Unit, node: cst.With, update: cst.AugAssign) -> bool:
    """Whether what an update changes was bound in the block before, and so is a constant by then: `low[low == high] -= 1`."""
    place: cst.BaseExpression = update.target
    while isinstance(place, cst.Subscript):
        place = place.value
    if not isinstance(place, cst.Name):
        return False
    seen = unit.facts.program.definitions.of(place)
    inside = set(descendants(node.body))
    return bool(seen) and all(definition.node in inside for definition in seen)


def _assigned_tensors(unit: Unit, node: cst.With) -> list[str]:
    """The variables with tensors that a block sets and that are read behind it."""
    function = unit.facts.program.function_around(node)
    read = unit.facts.flows.liveness(function).after_statement(node)
    found: list[str] = []
    for item in descendants(node.body):
        if isinstance(item, cst.AssignTarget):
            given = _given_to(unit, item)
            for name in descendants(item.target):
                if not isinstance(name, cst.Name) or name.value not in read or name.value in {*found, *given}:
                    continue
                if _holds_tensors(unit, name):
                    found.append(name.value)
    return found


def _given_to(unit: Unit, target: cst.AssignTarget) -> set[str]:
    """The variables that a function is given which returns what it changes: they are no new tensors."""
    assign = unit.facts.program.index.parents[target]
    if not isinstance(assign, cst.Assign) or not isinstance(assign.value, cst.Call):
        return set()
    gives = {mark[1] for mark in all_marks(unit.facts.program) if mark[0] == GIVES}
    if not any(item.key in gives for item in unit.facts.values.callees.get(assign.value, ())):
        return set()
    return {argument.value.value for argument in assign.value.args if isinstance(argument.value, cst.Name)}


def _as_constant(node: cst.Return, rewrite: Rewriter) -> cst.CSTNode:
    """`return x` -> `return jax.lax.stop_gradient(x)`."""
    assert node.value is not None
    return node.with_changes(value=quote(STOP, x=rewrite.expression(node.value)))


def _last_as_constant(statement: cst.BaseStatement, stop: str) -> cst.BaseStatement:
    """`return x` -> `return jax.lax.stop_gradient(x)`."""
    match statement:
        case cst.SimpleStatementLine(body=[*others, cst.Return(value=cst.BaseExpression() as value) as last]):
            constant = quote(stop, x=value)
            return statement.with_changes(body=[*others, last.with_changes(value=constant)])
    return statement


def _holds_tensors(unit: Unit, name: cst.Name) -> bool:
    """Whether a variable holds tensors, or may hold some."""
    value = unit.facts.values(name)
    if value.kind in (Kind.TUPLE, Kind.LIST, Kind.DICT):
        parts = value.items or ((value.elem,) if value.elem is not None else ())
        return any(part.kind in (Kind.TENSOR, Kind.TORCH_OBJECT, Kind.UNKNOWN) for part in parts)
    return value.kind in (Kind.TENSOR, Kind.TORCH_OBJECT, Kind.UNKNOWN)


def _returns_tensor(unit: Unit, line: cst.CSTNode) -> bool:
    if not isinstance(line, cst.SimpleStatementLine) or not isinstance(line.body[-1], cst.Return):
        return False
    value = line.body[-1].value
    return value is not None and unit.facts.values(value).kind in (Kind.TENSOR, Kind.TUPLE, Kind.LIST, Kind.UNKNOWN)


def _may_be_differentiated(unit: Unit, node: cst.With) -> bool:
    """Whether code out of sight may differentiate a function: one of tensors, that nobody in the program calls."""
    function = unit.facts.program.function_around(node)
    if function is None or function.callers or function.is_method or function.outer is not None:
        return False
    values = [unit.facts.values(param.name) for param in function.parameters]
    others = (Kind.MODULE, Kind.OPTIMIZER, Kind.LOADER, Kind.DATASET)
    return any(value.kind is Kind.TENSOR for value in values) and not any(value.kind in others for value in values)


def _is_differentiated(unit: Unit, node: cst.CSTNode) -> bool:
    """Whether code may run below a gradient: the forward of a module, or part of a step."""
    function = unit.facts.program.function_around(node)
    is_inside = function is not None and function in unit.differentiated.functions
    return is_inside or node in unit.differentiated.nodes


def _decorators(unit: Unit, node: cst.FunctionDef) -> None:
    values, added = unit.facts.values, _added_decorators(unit, unit.facts.program.functions[node])
    kept = []
    for decorator in node.decorators:
        expression = decorator.decorator
        name = values.torch_name(expression.func if isinstance(expression, cst.Call) else expression)
        if name in COMPILERS and compile_function(unit, decorator, unit.facts.program.functions[node]):
            kept.append(decorator)
            continue
        if name in ERASED_DECORATORS:
            unit.settle(decorator)
        elif isinstance(expression, cst.Call) and name in _IDLE and values(expression).kind is Kind.CONTEXT:
            unit.settle(decorator)
            note_precision(unit, expression)
        elif (mode := gradient_set(expression, values)) is not None:
            unit.settle(decorator)
            if mode in (Gradient.OFF, Gradient.EITHER) and _is_differentiated_call(unit, node):
                if mode is Gradient.OFF and _returns_constants(unit, node):
                    continue
                if mode is Gradient.EITHER or not decorated_as_constant(unit, decorator, node):
                    unit.problem(node, "T2J201", name=str(name), argument="a function that differentiated code calls")
                else:
                    kept.append(decorator)
        else:
            kept.append(decorator)
    if added or len(kept) < len(node.decorators) or any(item.decorator in unit.edits.nodes for item in kept):
        first = node.decorators[0] if node.decorators else None
        unit.edits.replace(
            node,
            lambda rewrite: _with_decorators(rewrite.inside(node), [*added, *(rewrite(item) for item in kept)], first),
        )


def _added_decorators(unit: Unit, function: Function) -> list[cst.Decorator]:
    """What marks a method of a module that runs outside of it."""
    bound, text = unit.facts.effects.bound, unit.facts.target.outside
    if text is None or bound is None or function not in bound.outside or function.self_name is None:
        return []
    return [cst.Decorator(unit.quote(text))]


def _changes_state_only(unit: Unit, node: cst.FunctionDef) -> bool:
    """Whether a method gives back nothing and changes fields of modules, which are kept without a gradient then."""
    state = unit.facts.effects.module_state
    results = [item.value for item in own_nodes(node) if isinstance(item, cst.Return) and item.value is not None]
    return unit.facts.program.functions[node] in state.touching and not results


def _returns_constants(unit: Unit, node: cst.FunctionDef) -> bool:
    """Make constants of all that a function returns; False if that cannot be done, or something else is changed by it."""
    planned = unit.plan.functions.get(unit.facts.program.functions[node])
    results = [item for item in own_nodes(node) if isinstance(item, (cst.Return, cst.Yield))]
    if (planned is not None and planned.extras) or any(isinstance(item, cst.Yield) for item in results):
        return False
    values = [unit.facts.values(item.value) for item in results if item.value is not None]
    if not values or not all(map(is_constant, values)):
        return False
    return all(isinstance(item, cst.Return) and _is_made_constant(unit, item) for item in results)


def _is_made_constant(unit: Unit, node: cst.Return) -> bool:
    """Make a constant of what a `return` gives; False if that cannot be done."""
    value = unit.facts.values(node.value) if node.value is not None else None
    if value is None or not is_constant(value):
        return value is None
    if has_tensors(value):
        unit.constants[node] = STOP
        if node not in unit.edits.nodes:
            unit.edits.replace(node, partial(_as_constant, node))
    return True


def _is_differentiated_call(unit: Unit, node: cst.FunctionDef) -> bool:
    """Whether the results of a function are a part of what is differentiated."""
    return not _changes_state_only(unit, node) and _is_called_under_gradient(unit, node)


def _is_called_under_gradient(unit: Unit, node: cst.FunctionDef) -> bool:
    """Whether a function is a forward, or is called by the forward of a module or by a step."""
    if node.name.value == "forward":
        return True
    return unit.facts.program.functions[node] in unit.differentiated.functions


def _with_decorators(node: cst.CSTNode, decorators: list[cst.CSTNode], first: cst.Decorator | None) -> cst.CSTNode:
    assert isinstance(node, cst.FunctionDef)
    lines = node.leading_lines
    if not decorators and first is not None and first.leading_lines and not node.leading_lines:
        lines = first.leading_lines
    return node.with_changes(decorators=decorators, leading_lines=lines, lines_after_decorators=())


def _line(unit: Unit, line: cst.SimpleStatementLine) -> None:
    if len(line.body) != 1:
        _several(unit, line)
        return
    small = line.body[0]
    match small:
        case cst.Expr(value=cst.Call() as call):
            _call_statement(unit, line, call)
        case cst.Expr(value=cst.Name() | cst.Attribute() as value) if _only_names(unit, value):
            unit.settle(line)
            unit.edits.remove(line)
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Name() as name)]) if _is_context_only(unit, name):
            unit.settle(line)
            unit.edits.remove(line)
        case cst.Assign():
            _assignment(unit, line, small)
        case cst.AugAssign():
            _augmented(unit, line, small)


def _only_names(unit: Unit, value: cst.BaseExpression) -> bool:
    """Whether a line does nothing but name something that torch has, and asks nothing with that."""
    name, tables = unit.facts.values.torch_name(value), unit.facts.tables
    asks = any(isinstance(item, cst.Try) for item in unit.facts.program.index.ancestors(value))
    return name is not None and (name in tables.functions or name in tables.layers) and not asks


def _is_context_only(unit: Unit, variable: cst.Name) -> bool:
    """Whether a variable holds a context of gradients, and is used for nothing but `with`."""
    index, values = unit.facts.program.index, unit.facts.values
    if values(variable).kind is not Kind.CONTEXT:
        return False
    uses = (name for name in index.names if name.value == variable.value and not index.is_label(name))
    return all(
        values(name).kind is Kind.CONTEXT and isinstance(index.parents[name], (cst.AssignTarget, cst.WithItem))
        for name in uses
    )


def _several(unit: Unit, line: cst.SimpleStatementLine) -> None:
    """`import torch; x = 1` and the like: statements that must be rewritten stand on lines of their own."""
    for small in line.body:
        if isinstance(small, cst.Expr) and isinstance(small.value, cst.Call):
            name = unit.facts.values.torch_name(small.value.func)
            if name is not None and (name in CUDA_SEEDERS or unit.facts.effects.seeds(small.value)):
                unit.problem(small.value, "T2J302", name=code(small))


def _allow_tf32(unit: Unit, line: cst.SimpleStatementLine, node: cst.Assign) -> None:
    """JAX allows TF32 for products on GPUs; torch only where a program says so."""

    def update(rewrite: Rewriter) -> list[cst.BaseStatement]:
        chosen = quote('"highest"')
        if unit.facts.values(node.value).const is not False:
            chosen = quote('"high" if {value} else "highest"', value=rewrite.expression(node.value))
        return [quote_statement('jax.config.update("jax_default_matmul_precision", {chosen})', chosen=chosen)]

    unit.settle(node.targets[0].target)
    unit.edits.rewrite_statement(line, update)


def _call_statement(unit: Unit, line: cst.SimpleStatementLine, call: cst.Call) -> None:
    values = unit.facts.values
    name = values.torch_name(call.func)
    if call in unit.plan.seeds:
        _seed(unit, line, call)
        return
    if (
        name in ERASED_CALLS
        or default_set(call, name, values) in ("float32", "float64")  # which JAX has of itself without and with 64 bits
        or (gradient_set(call, values) is not None and _is_out_of_gradients(unit, call))
    ):
        unit.settle(call)
        unit.edits.remove(line)
        return
    if name == "torch.nn.utils.remove_weight_norm" and call.args and not _is_trained_without_norm(unit):
        unit.problems.append(Problem(call, "T2J103", {"name": code(call.args[0].value)}))
        unit.settle(call)
        unit.edits.remove(line)
        return
    if isinstance(call.func, cst.Attribute) and values(call.func.value).kind is Kind.GENERATOR:
        _generator_statement(unit, line, call, call.func)
        return
    if name is not None and name.startswith("torch.nn.init."):
        _initialise(unit, line, call, name)
        return
    if name is not None and _function_in_place(unit, line, call, name):
        return
    if values.is_inplace_layer(call) and (changed := _given_variable(unit, call)) is not None:
        _layer_in_place(unit, line, call, changed)
        return
    if not isinstance(call.func, cst.Attribute):
        return
    method = call.func.attr.value
    receiver = values(call.func.value)
    if _is_placement(unit, call.func):
        unit.settle(call)
        unit.edits.remove(line)
    elif receiver.kind is Kind.MODULE:
        _module_statement(unit, line, call, call.func, method, receiver)
    elif receiver.kind is Kind.TENSOR and is_inplace_name(method):
        _inplace_method(unit, line, call, call.func)
    elif receiver.kind is Kind.OPTIMIZER and method == "load_state_dict":
        _load_optimizer(unit, line, call)
    elif receiver.kind is Kind.TENSOR and method == "record_stream":
        unit.settle(call)
        unit.edits.remove(line)
    elif receiver.kind in (Kind.OPTIMIZER, Kind.TENSOR) and method in ("zero_grad", "step", "backward"):
        unit.problem(line, "T2J500", reason=f"`{code(call)}` stands alone")


def _is_trained_without_norm(unit: Unit) -> bool:
    """Whether a file of the program makes one weight of two, and trains."""
    files = unit.facts.program.files
    return any(file.mentions("remove_weight_norm") and file.mentions("backward") for file in files)


def _given_variable(unit: Unit, call: cst.Call) -> cst.Name | None:
    """`x` of `self.relu(x)` and of `self.relu(self.relu(x))`."""
    given = call.args[0].value
    while isinstance(given, cst.Call) and unit.facts.values.is_inplace_layer(given):
        given = given.args[0].value
    return given if isinstance(given, cst.Name) else None


def _layer_in_place(unit: Unit, line: cst.SimpleStatementLine, call: cst.Call, name: cst.Name) -> None:
    """`self.relu(x)` -> `x = self.relu(x)`, where the layer changes its argument."""
    if may_write(unit, line, name, quiet_parameter=True):
        unit.edits.rewrite_statement(
            line, lambda rewrite: [quote_statement("{x} = {y}", x=name, y=rewrite.expression(call))]
        )


def _is_out_of_gradients(unit: Unit, switch: cst.Call) -> bool:
    """Whether a call that switches recording of gradients on or off stands where nothing is differentiated."""
    steps, function = unit.facts.steps, unit.facts.program.function_around(switch)
    if not steps and (not unit.differentiated.functions or _stays_without_gradients(unit, switch)):
        return True
    if _is_differentiated(unit, switch) or any(step.function is function for step in steps):
        return False
    calls = (call for call in unit.facts.program.index.calls if unit.facts.program.function_around(call) is function)
    modes = [mode for call in calls if (mode := gradient_set(call, unit.facts.values)) is not None]
    return modes[-1] is Gradient.ON  # else it goes on behind the function


def _stays_without_gradients(unit: Unit, switch: cst.Call) -> bool:
    """Whether a call switches recording of gradients off for good, in a program that never asks for one."""
    program, values = unit.facts.program, unit.facts.values
    if gradient_set(switch, values) is not Gradient.OFF or _is_differentiated(unit, switch):
        return False
    if any(file.mentions(word) for file in program.files for word in ("backward", "grad", "autograd", "enable_grad")):
        return False
    switches = [call for call in program.index.calls if enabling(call, values) is not None]
    return all(gradient_set(call, values) is Gradient.OFF for call in switches)


def _generator_statement(unit: Unit, line: cst.SimpleStatementLine, call: cst.Call, function: cst.Attribute) -> None:
    """`g.manual_seed(n)` and `g.set_state(s)`: the keys of a generator start from another one."""
    place, name = function.value, function.attr.value
    if dotted(place) is None or len(call.args) != 1 or name not in ("manual_seed", "set_state"):
        return
    made = _made_before(unit, line, str(dotted(place)))
    unit.settle(function)
    if made is not None and name == "manual_seed":
        unit.generator_seeds[made] = call.args[0].value
        unit.edits.remove(line)
        return
    template = "jax.random.key({value})" if name == "manual_seed" else "jax.random.clone({value})"
    unit.edits.rewrite_statement(
        line,
        lambda rewrite: [
            quote_statement(
                "{place}.key = {value}",
                place=rewrite.expression(place),
                value=quote(template, value=rewrite.expression(call.args[0].value)),
            )
        ],
    )


def _made_before(unit: Unit, line: cst.SimpleStatementLine, place: str) -> cst.Call | None:
    """The call in `place = torch.Generator()` where that is the statement before this one."""
    block = unit.facts.program.index.parents[line]
    body = list(getattr(block, "body", ()))
    before = body[body.index(line) - 1] if line in body and body.index(line) else None
    small = before.body[0] if isinstance(before, cst.SimpleStatementLine) and len(before.body) == 1 else None
    if isinstance(small, cst.Assign) and len(small.targets) == 1 and isinstance(small.value, cst.Call):
        if dotted(small.targets[0].target) == place:
            if unit.facts.values.torch_name(small.value.func) == "torch.Generator":
                return small.value
    return None


def _seed(unit: Unit, line: cst.SimpleStatementLine, call: cst.Call) -> None:
    """`torch.manual_seed(n)`: the program's randomness starts from `jax.random.key(n)`."""
    key = unit.plan.seeds[call]
    draws = any(source.source == key for _, source in unit.plan.splits) or key in unit.plan.keys.values()
    sequence = next((item for item in unit.plan.sequences.values() if call in item.seeds), None)
    reached = unit.facts.values.callees.get(call, ())
    if sequence is not None:
        key, seeded = sequence.name, unit.spell("KeySequence({value})")
    else:
        seeded = "{value}"
    if reached and call in unit.plan.calls and unit.plan.calls[call].behind:
        if sequence is not None:
            unit.problem(call, "T2J401", place=f"`{code(call.func)}`")
        return  # the new key is one of its results
    if reached:
        unit.edits.rewrite_statement(
            line,
            lambda rewrite: [
                quote_statement("{key} = {value}", key=key, value=quote(seeded, value=rewrite.expression(call)))
            ],
        )
        return
    unit.settle(call.func)
    unit.settled.add(call)
    function = unit.facts.program.function_around(call)
    seeds = function is not None and unit.facts.effects.of(function).seeds
    host = _seeds_host(unit, call)
    if not draws and not seeds and sequence is None:
        if host:
            unit.edits.rewrite_statement(line, lambda rewrite: [_host_seed(unit, call, rewrite)])
        else:
            unit.edits.remove(line)
        return
    template = seeded.replace("{value}", unit.facts.target.new_key)
    if unit.facts.values.torch_name(call.func) in STATE_SETTERS:
        template = seeded.replace("{value}", "jax.random.clone({seed})")
    unit.edits.rewrite_statement(
        line,
        lambda rewrite: [
            quote_statement(
                "{key} = {value}", key=key, value=quote(template, seed=rewrite.expression(call.args[0].value))
            ),
            *([_host_seed(unit, call, rewrite)] if host else []),
        ],
    )


def _seeds_host(unit: Unit, call: cst.Call) -> bool:
    """Whether a seed also starts what loaders, samplers and transforms draw with NumPy."""
    seeds = unit.facts.values.torch_name(call.func) not in STATE_SETTERS
    return (
        seeds
        and isinstance(call.args[0].value, (cst.Name, cst.Attribute, cst.Integer))
        and draws_on_host(unit.facts.program, unit.facts.values)
    )


def _host_seed(unit: Unit, call: cst.Call, rewrite: Rewriter) -> cst.BaseStatement:
    return unit.statement("seed_host_rng({seed})", seed=rewrite.expression(call.args[0].value))


# modules


def _is_placement(unit: Unit, function: cst.Attribute) -> bool:
    """Whether a method only lays out the weights of recurrent layers for cuDNN: `model.rnn.flatten_parameters()`, also of a
    model of which nothing is known (that was loaded).
    """
    name = function.attr.value
    is_torchs = name == "flatten_parameters" and not unit.facts.program.defines_method(name)
    return is_torchs and unit.facts.values(function.value).kind in (Kind.MODULE, Kind.UNKNOWN)


def _module_statement(
    unit: Unit, line: cst.SimpleStatementLine, call: cst.Call, function: cst.Attribute, method: str, receiver: Value
) -> None:
    target = unit.facts.target
    place = function.value
    if any(item.method(method) is not None for item in unit.facts.effects.classes_of(receiver)):
        return  # a method of the program's own
    if method in ("train", "eval"):
        if not is_method_of_torch(unit.facts.program, function):  # which is rewritten as a call
            _mode_statement(unit, line, call, place, receiver)
    elif method == "load_state_dict":
        _load_state_dict(unit, line, call, place, receiver)
    elif is_module_cast(call):
        _cast_module(unit, line, call, place, receiver)
    elif method in ("to", "cuda", "cpu") and not target.immutable:
        unit.settle(call)
        unit.edits.remove(line)
    elif method in ("to", "cuda", "cpu"):
        around = unit.facts.program.function_around(line)
        is_own = dotted(place) == "self" or (target.setup is not None and runs_only_at_init(unit.facts.program, around))
        if is_own and split_move(unit.facts.values, call)[1] is None:
            unit.settle(call)  # JAX places arrays itself
            unit.edits.remove(line)
        elif isinstance(place, (cst.Name, cst.Attribute)) and dotted(place) != "self":
            unit.edits.rewrite_statement(
                line,
                lambda rewrite: _unless_same(rewrite.expression(place), rewrite.expression(call)),
            )
        else:
            unit.problem(call, "T2J603", name=code(function))
    elif method == "apply" and target.immutable and not fills_itself(unit, place) and not only_looks(unit, call):
        write_place(unit, line, place, lambda rewrite: rewrite.expression(call))
    elif method == "register_buffer":
        _register(unit, line, call, None)
    elif method == "register_parameter":
        _register(unit, line, call, "{value}")
    elif method == "zero_grad":
        unit.problem(line, "T2J500", reason=f"`{code(call)}` stands alone")
    elif method == "requires_grad_":
        unit.problem(line, "T2J502", name=code(place))


def _unless_same(place: cst.BaseExpression, value: cst.BaseExpression) -> list[cst.BaseStatement]:
    return [] if code(place) == code(value) else [quote_statement("{m} = {value}", m=place, value=value)]


def _mode_statement(
    unit: Unit, line: cst.SimpleStatementLine, call: cst.Call, place: cst.BaseExpression, receiver: Value
) -> None:
    target, function = unit.facts.target, unit.facts.program.function_around(line)
    is_own = function is not None and function.self_name is not None and dotted(place) == function.self_name
    if is_own and function is not None and function.owner is not None:
        if not unit.facts.effects.has_own_mode(function.owner) and not any(_does(item.value) for item in call.args):
            unit.settle(call)
            unit.edits.remove(line)
            return
    template = mode_template(target, unit.facts.values, call)
    is_self = is_own or (function is not None and function.self_name is None and dotted(place) == "self")
    is_local = restores_mode(unit.facts.effects, function) or leaves_mode(unit.facts.program, function)
    if is_self and target.immutable and template is not None and is_local:
        write_own_mode(unit, line, call, place, template)
        return
    is_part = function is not None and str(dotted(place)).startswith(f"{function.self_name}.")
    if is_part and target.immutable and template is not None and unit.facts.effects.has_mode(receiver):
        if hides_mode(unit.facts.effects, function, str(dotted(place))):
            _write_mode_of_part(unit, line, call, place, template)
            return
    if template is None and not target.immutable and len(call.args) == 1 and dotted(place) is not None:
        unit.settle(call.func)
        unit.settled.add(call)
        unit.edits.rewrite_statement(line, partial(_either_mode, call, place))
        return
    named = asked_by_name(place)
    maker = unit.facts.program.function_around(line)
    is_made = maker is not None and named is not None and dotted(named[0]) == maker.self_name
    is_named = named is not None and (not target.immutable or (is_made and _makes_module(unit, maker)))
    if template is None or not (is_named or dotted(place)) or (target.immutable and dotted(place) == "self"):
        unit.problem(call, "T2J603", name=code(call.func))
        return
    unit.settle(call.func)
    if not keeps_mode(unit, receiver):
        unit.edits.remove(line)
        return
    if named is not None and target.immutable:
        _write_mode_by_name(unit, line, call, named, template)
        return
    held = _part_under_another_name(unit, line, place) if target.immutable else None
    if held is not None:
        unit.problem(call, "T2J303", name=code(place), other=code(held))
        return
    is_copied = receiver.types <= DROPOUTS and is_in_two_fields(unit.facts.program, receiver)
    if target.immutable and (_is_held(unit, line, place) or is_copied):
        unit.problem(call, "T2J603", name=code(call.func))
    elif target.immutable:
        write_place(
            unit,
            line,
            place,
            lambda rewrite: quote(template, model=rewrite.expression(place), **mode_given(template, call, rewrite)),
        )
    elif call.args:
        unit.edits.rewrite_statement(line, lambda rewrite: [quote_statement(template, model=rewrite.expression(place))])


def write_own_mode(
    unit: Unit, line: cst.SimpleStatementLine, call: cst.Call, place: cst.BaseExpression, template: str
) -> None:
    """`self.eval()` in a method that goes back to the mode before: `self = eqx.nn.inference_mode(self)`."""
    unit.settle(call.func)
    unit.settled.add(call)

    def build(rewrite: Rewriter) -> list[cst.BaseStatement]:
        model = rewrite.expression(place)
        changed = quote(template, model=model, **mode_given(template, call, rewrite))
        return [quote_statement("{model} = {changed}", model=model.deep_clone(), changed=changed)]

    unit.edits.rewrite_statement(line, build)


def _write_mode_of_part(
    unit: Unit, line: cst.SimpleStatementLine, call: cst.Call, place: cst.BaseExpression, template: str
) -> None:
    """`self.net.eval()` in such a method: `self = eqx.tree_at(lambda m: m.net, self, eqx.nn.inference_mode(self.net))`."""
    unit.settle(call.func)
    unit.settled.add(call)
    own, _, path = str(dotted(place)).partition(".")

    def build(rewrite: Rewriter) -> list[cst.BaseStatement]:
        changed = quote(template, model=rewrite.expression(place), **mode_given(template, call, rewrite))
        return [quote_statement(f"{own} = {{new}}", new=with_part(unit, cst.Name(own), f".{path}", changed))]

    unit.edits.rewrite_statement(line, build)


def _part_under_another_name(
    unit: Unit, line: cst.BaseStatement, name: cst.BaseExpression
) -> cst.BaseExpression | None:
    """The part of a module, which goes on to be used, that a variable holds: `m` behind `m = self.fc if deep else self.out`."""
    program = unit.facts.program
    function = program.function_around(line)
    if not isinstance(name, cst.Name):
        return None
    given = {function.self_name, *function.parameter_names} if function is not None else set()
    live = given | unit.facts.flows.liveness(function).after_statement(line)
    for definition in program.definitions.of(name):
        waiting = [definition.value] if definition.how is How.ASSIGNED and definition.value is not None else []
        while waiting:
            value = waiting.pop()
            if isinstance(value, cst.IfExp):
                waiting += [value.body, value.orelse]
            asked = asked_by_name(value)
            inner = asked[0] if asked is not None else getattr(value, "value", value)
            is_part = asked is not None or isinstance(value, (cst.Attribute, cst.Subscript))
            if is_part and unit.facts.values(inner).kind is Kind.MODULE and root_name(inner) in live:
                return value
    return None


def _makes_module(unit: Unit, function: Function | None) -> bool:
    """Whether a function is the `__init__` of a module, or runs only there: it may change what has been made by then."""
    if function is None or function.owner is None or not function.owner.is_module:
        return False
    return function.name == "__init__" or function in unit.facts.effects.module_state.init_only


def _write_mode_by_name(
    unit: Unit,
    line: cst.SimpleStatementLine,
    call: cst.Call,
    named: tuple[cst.BaseExpression, cst.BaseExpression],
    template: str,
) -> None:
    """`getattr(self, name).eval()`: `setattr(self, name, eqx.nn.inference_mode(getattr(self, name)))`."""
    unit.settled.add(call)
    place = cst.ensure_type(call.func, cst.Attribute).value

    def build(rewrite: Rewriter) -> list[cst.BaseStatement]:
        changed = quote(template, model=rewrite.expression(place), **mode_given(template, call, rewrite))
        holder, name = map(rewrite.expression, named)
        return [quote_statement("setattr({holder}, {name}, {new})", holder=holder, name=name, new=changed)]

    unit.edits.rewrite_statement(line, build)


def _either_mode(call: cst.Call, place: cst.BaseExpression, rewrite: Rewriter) -> list[cst.BaseStatement]:
    """`model.train(mode)` of objects that have a method for each mode."""
    model, mode = rewrite.expression(place), rewrite.expression(call.args[0].value)
    return [quote_statement(EITHER_MODE, model=model, mode=mode)]


def _does(node: cst.BaseExpression) -> bool:
    """Whether an expression may do more than give a value."""
    return any(isinstance(item, (cst.Call, cst.Await, cst.NamedExpr)) for item in descendants(node))


def _is_held(unit: Unit, line: cst.BaseStatement, place: cst.BaseExpression) -> bool:
    """Whether a module is a part of one that cannot be changed here: a field in a method, or what a loop runs through."""
    function = unit.facts.program.function_around(line)
    text = str(dotted(place))
    if function is not None and function.owner is not None and text.startswith(f"{function.self_name}."):
        is_made = _makes_module(unit, function)
        return function.owner.is_module and not is_made and not _gives_self(unit, line)
    for ancestor in unit.facts.program.index.ancestors(line):
        if isinstance(ancestor, cst.FunctionDef):
            return False
        if isinstance(ancestor, cst.For):
            if any(_is_name(part, text) for part in (ancestor.target, *descendants(ancestor.target))):
                if _goes_through_new(unit, ancestor, text):
                    return False
                if any(lists_put_back(unit.facts.program, unit.facts.values, line, text)):
                    return False
                return not any(item.loop is ancestor and item.changed == text for item in unit.facts.loops)
    return False


def _goes_through_new(unit: Unit, loop: cst.For, name: str) -> bool:
    """Whether a loop names modules that are made in its head, where nothing else holds them: `for model in [Net(3), Net(4)]`."""
    if not isinstance(loop.iter, (cst.List, cst.Tuple)):
        return False
    made: list[cst.BaseExpression] = [item.value for item in loop.iter.elements]
    if isinstance(loop.target, cst.Tuple):
        names = [dotted(item.value) for item in loop.target.elements]
        rows = [item.elements for item in made if isinstance(item, cst.Tuple) and len(item.elements) == len(names)]
        if names.count(name) != 1 or len(rows) < len(made):
            return False
        made = [row[names.index(name)].value for row in rows]
    values, is_label = unit.facts.values, unit.facts.program.index.is_label
    given = [argument.value for item in made if isinstance(item, cst.Call) for argument in item.args]
    parts = [
        part for node in given for part in (node, *descendants(node)) if isinstance(part, (cst.Name, cst.Attribute))
    ]
    held = [value for part in parts if not is_label(part) for value in (values(part), *values(part).parts)]
    return all(makes_module(values, item) for item in made) and not any(
        value.is_a(Kind.MODULE, Kind.UNKNOWN) for value in held
    )


def _cast_module(
    unit: Unit, line: cst.SimpleStatementLine, call: cst.Call, place: cst.BaseExpression, receiver: Value
) -> None:
    """`model.half()`: `model = cast_module(model, jnp.float16)`, with its state; objects change in place."""
    target, function = unit.facts.target, unit.facts.program.function_around(call)
    is_own = function is not None and dotted(place) == function.self_name
    unit.settle(call.func)
    unit.settled.add(call)
    dtype = partial(cast_expression, unit, call)
    if target.hidden_buffer == "{value}" and unit.facts.program.has_hidden_buffers:
        unit.problem(call, "T2J603", name=code(call.func))  # they are constants of the definition
        return
    if not target.immutable or (is_own and function is not None and function.name == "__init__"):
        text = unit.spell(target.cast_inside if is_own else target.cast)
        unit.edits.rewrite_statement(
            line,
            lambda rewrite: [quote_statement(text, model=rewrite.expression(place), dtype=dtype(rewrite))],
        )
        return
    text, state = unit.spell(target.cast), _state_beside(unit, call, place, receiver)
    is_lost = state is None and unit.facts.effects.is_stateful(receiver) and call not in unit.plan.early_loads
    if (is_own and not _gives_self(unit, line)) or _is_held(unit, line, place) or is_lost:
        unit.problem(call, "T2J603", name=code(call.func))
        return
    if state is None:
        write_place(
            unit, line, place, lambda rewrite: quote(text, model=rewrite.expression(place), dtype=dtype(rewrite))
        )
        return
    with_state = f"{{m}}, {state} = {text.removesuffix(')')}, {state})"
    unit.edits.rewrite_statement(
        line,
        lambda rewrite: [
            quote_statement(
                with_state, m=rewrite.expression(place), model=rewrite.expression(place), dtype=dtype(rewrite)
            )
        ],
    )


def _state_beside(unit: Unit, call: cst.Call, place: cst.BaseExpression, receiver: Value) -> str | None:
    """The place of the state of a module that a statement changes; a part of one that is being made has none yet."""
    if unit.facts.target.state is None or not unit.facts.effects.is_stateful(receiver):
        return None
    if call in unit.plan.early_loads:
        return None
    function = unit.facts.program.function_around(call)
    whole = module_place(unit.facts.program, unit.facts.values, place) or dotted(place)
    return companion_place(unit, function, str(whole), "state")


def _load_optimizer(unit: Unit, line: cst.SimpleStatementLine, call: cst.Call) -> None:
    """`optimizer.load_state_dict(saved)`: the state is the one that was saved."""
    state = optimizer_state(unit, call)
    if state is None or len(call.args) != 1 or call.args[0].keyword is not None:
        return  # reported with the call
    saved = call.args[0].value
    unit.settle(call.func)
    unit.settled.add(call)
    target = unit.facts.target
    is_whole = isinstance(call.func, cst.Attribute) and has_torch_form(unit.facts.values(call.func.value))
    text = unit.spell(target.loaded_optimizer if is_whole else target.restored_optimizer)
    place = cst.parse_expression(state)
    unit.edits.rewrite_statement(
        line, lambda rewrite: [quote_statement(text, state=place, saved=rewrite.expression(saved))]
    )


def _load_state_dict(
    unit: Unit, line: cst.SimpleStatementLine, call: cst.Call, place: cst.BaseExpression, receiver: Value
) -> None:
    target, function = unit.facts.target, unit.facts.program.function_around(call)
    is_own = function is not None and dotted(place) == function.self_name and target.immutable
    is_made = is_own and target.load_inside is not None and runs_only_at_init(unit.facts.program, function)
    is_kept = is_own and not is_made and not _gives_self(unit, line)
    if target.load_state_dict is None or root_name(place) is None or is_kept or not call.args:
        unit.problem(call, "T2J603", name=code(call.func))
        return
    if receiver.may_train:
        unit.problem(call, "T2J203", name="load_state_dict", owner="what may be an optimizer or a scheduler")
        return
    named = (item.value for item in call.args if item.keyword and item.keyword.value == "strict")
    strict = next(named, call.args[1].value if len(call.args) > 1 and call.args[1].keyword is None else None)
    is_first = is_made and function is not None and function.name == "__init__"
    state = None if is_first else _state_beside(unit, call, place, receiver)
    template = unit.spell(str(target.load_inside) if is_made else target.load_state_dict)
    extras = ("" if strict is None else f", strict={code(strict)}") + ("" if state is None else f", state={state}")
    template = template.removesuffix(")") + extras + ")"
    left = "{m}" if state is None else f"{{m}}, {state}"
    unit.settle(call.func)
    given = call.args[0].value
    if is_made and state is not None:
        template = f"{state} = {template}"
    if not target.immutable or is_made:
        unit.edits.rewrite_statement(
            line,
            lambda rewrite: [
                quote_statement(template, model=rewrite.expression(place), values=rewrite.expression(given))
            ],
        )
        return
    holder, path = split_place(unit, place)
    if state is None:
        write_place(
            unit,
            line,
            place,
            lambda rewrite: quote(template, model=rewrite.expression(place), values=rewrite.expression(given)),
        )
        return
    if path is not None and holder is not None:
        part = unit.fresh(place.attr.value if isinstance(place, cst.Attribute) else "part")
        unit.edits.rewrite_statement(
            line,
            lambda rewrite: [
                quote_statement(
                    f"{part}, {state} = {{value}}",
                    value=quote(template, model=rewrite.expression(place), values=rewrite.expression(given)),
                ),
                quote_statement("{m} = {new}", m=holder, new=with_part(unit, holder, path, cst.Name(part))),
            ],
        )
        return
    unit.edits.rewrite_statement(
        line,
        lambda rewrite: [
            quote_statement(
                f"{left} = {{value}}",
                m=rewrite.expression(place),
                value=quote(template, model=rewrite.expression(place), values=rewrite.expression(call.args[0].value)),
            )
        ],
    )


def _register(unit: Unit, line: cst.SimpleStatementLine, call: cst.Call, template: str | None) -> None:
    """`self.register_buffer("mask", value)` -> `self.mask = value`; without a template, a buffer."""
    by_name = {item.keyword.value: item.value for item in call.args if item.keyword is not None}
    plain = [item.value for item in call.args if item.keyword is None]
    name = plain[0] if plain else by_name.get("name")
    value = plain[1] if len(plain) > 1 else by_name.get("tensor", by_name.get("param"))
    const = unit.facts.values(name).const if name is not None else None
    assert isinstance(call.func, cst.Attribute)
    owner, function = call.func.value, unit.facts.program.function_around(line)
    if not isinstance(const, str) or not const.isidentifier() or value is None:
        unit.problem(call, "T2J601", name=code(call))
        return
    is_own = function is not None and function.owner is not None and function.owner.is_module
    if unit.facts.target.immutable and is_own and not runs_only_at_init(unit.facts.program, function):
        unit.problem(call, "T2J601", name=const, module=code(owner))
        return
    if template is None and unit.facts.target.immutable and method_of(unit, owner) is None:
        unit.problem(call, "T2J601", name=const, module=code(owner))
        return
    if template is None:
        discrete = is_discrete(unit.facts.values(value).dtype)
        template = unit.facts.target.discrete_buffer if discrete else unit.facts.target.buffer
        classes = unit.facts.effects.classes_of(unit.facts.values(owner))
        if any(part.buffers.get(const) is False for item in classes for part in item.lineage):
            template = unit.facts.target.hidden_buffer or template
    if unit.facts.values(value).kind is Kind.NONE:
        template = unit.facts.target.open_field or "{value}"
    elif unit.facts.target.open_field is not None and _may_be_none_at_all(unit, value):
        template = f"{unit.facts.target.open_field} if {{value}} is None else {template}"
    known = UNKNOWN
    for item in unit.facts.effects.classes_of(unit.facts.values(owner)):
        for part in item.lineage:
            if const in part.state:
                known = unit.facts.values(value) if unit.facts.target.immutable else known
                kept = unit.facts.target.state_buffer if part.buffers.get(const) else None
                template = kept or unit.facts.target.state_fields[part.state[const]].made
    template = unit.facts.target.named(template, code(owner), const)
    unit.settle(call.func)
    unit.edits.rewrite_statement(
        line,
        lambda rewrite: [
            quote_statement(
                f"{{owner}}.{const} = {{value}}",
                owner=rewrite.expression(owner),
                value=quote(template, value=with_own_dtype(rewrite.expression(value), known)),
            )
        ],
    )


def _may_be_none_at_all(unit: Unit, node: cst.BaseExpression) -> bool:
    """Whether what a variable or field holds may be None."""
    value = unit.facts.values(node)
    return dotted(node) is not None and (value.optional or value.kind is Kind.UNKNOWN)


# initialisation and other writes


def _initialise(unit: Unit, line: cst.SimpleStatementLine, call: cst.Call, name: str) -> None:
    """`nn.init.f_(place, ...)`: the place gets a new value."""
    spec = unit.facts.tables.functions.get(name) or unit.facts.tables.functions.get(f"{name}_")
    if spec is None or not call.args:
        unit.problem(call, "T2J200", name=name)
        return
    place = call.args[0].value if call.args[0].keyword is None else None
    if place is None:
        unit.problem(call, "T2J202", name=name, reason="needs its tensor first")
        return
    whole = _viewed(unit, place)
    if whole is not None:
        unit.settle(call.func)
        given = place.func.value  # type: ignore[attr-defined]
        if given is not whole:  # `data` says nothing of a shape
            unit.settle(given)
            unit.edits.replace(given, lambda rewrite: rewrite(whole))
        lowered = _lower(unit, spec, call, None, name)
        if lowered is not None:
            write_place(unit, line, whole, partial(_filled_in_shape, unit, lowered, call, whole))
        return
    if isinstance(without_data(place, unit.facts.values), cst.Name) and not may_write(
        unit, line, without_data(place, unit.facts.values)
    ):
        return
    unit.settle(call.func)
    lowered = _lower(unit, spec, call, None, name)
    if lowered is not None and not _write_part(unit, line, call, place, lowered):
        write_place(unit, line, place, lambda rewrite: _filled(unit, lowered, rewrite, call))


def _viewed(unit: Unit, place: cst.BaseExpression) -> cst.BaseExpression | None:
    """The parameter that is filled through a view in another shape: `w` of `w.view(w.shape[0], -1)`."""
    match place:
        case cst.Call(func=cst.Attribute(value=base, attr=cst.Name("view" | "reshape" | "flatten" | "view_as"))):
            base = without_data(base, unit.facts.values)
            is_parameter = "parameter" in unit.facts.values(base).types  # in one piece, so that a reshape is a view
            return base if is_parameter else None
    return None


def _filled_in_shape(
    unit: Unit, lowered: Lowered, call: cst.Call, whole: cst.BaseExpression, rewrite: Rewriter
) -> cst.BaseExpression:
    filled = _filled(unit, lowered, rewrite, call)
    return quote("{filled}.reshape({whole}.shape)", filled=filled, whole=rewrite.expression(whole))


def _lower(
    unit: Unit,
    spec: object,
    call: cst.Call,
    receiver: cst.BaseExpression | None,
    name: str,
    arguments: Sequence[cst.Arg] | None = None,
) -> Lowered | None:
    """The spelling of a call by a row; `arguments` in the place of the call's own."""
    signature = parse_signature(spec.signature)  # type: ignore[attr-defined]
    arguments = without_generator(unit, call, call.args if arguments is None else arguments)
    if receiver is not None:
        receiver = without_data(receiver, unit.facts.values)
    elif arguments and "mutates" in spec.effects:  # type: ignore[attr-defined]
        arguments[0] = arguments[0].with_changes(value=without_data(arguments[0].value, unit.facts.values))
    try:
        bound = bind(signature, arguments, receiver)
    except BindError as error:
        unit.problem(call, "T2J202", name=name, reason=str(error))
        return None
    lowered = lower_call(spec, ArgumentFacts(signature, bound, unit.facts.values, repeatable=True))  # type: ignore[arg-type]
    if isinstance(lowered, Refusal):
        unit.problem(call, "T2J201", name=name, argument=lowered.argument or lowered.reason)
        return None
    if lowered.draws and call not in unit.plan.keys:
        unit.problem(call, "T2J400", name=code(call.func), place="this place")
        return None
    spelled = lowered.draws and call not in unit.plan.generated
    template = unit.facts.target.with_draws(lowered.template) if spelled else lowered.template
    return Lowered(unit.spell(template), lowered.arguments, lowered.defaults, lowered.tuples)


def _filled(unit: Unit, lowered: Lowered, rewrite: Rewriter, call: cst.Call) -> cst.BaseExpression:
    key = unit.plan.keys.get(call)
    return lowered.build(rewrite, **({"key": key} if key is not None and lowered.draws else {}))


def _filled_call(unit: Unit, lowered: Lowered, call: cst.Call, rewrite: Rewriter) -> cst.BaseExpression:
    return _filled(unit, lowered, rewrite, call)


def write_place(
    unit: Unit,
    line: cst.SimpleStatementLine,
    node: cst.BaseExpression,
    value: Callable[[Rewriter], cst.BaseExpression],
    may_lack: bool = False,
    around: str = "{new}",
) -> None:
    """Give a place a new value: a name or field is rebound, something inside a module replaced with `eqx.tree_at`, also
    where it may be None by now (`may_lack`); with something `around` the new module.
    """
    place = without_data(node, unit.facts.values)
    if _is_computed_weight(unit, place):
        unit.edits.remove(line)
        return
    holder, path = (place, None) if _is_slot(unit, line, place) else split_place(unit, place)
    if holder is None:
        unit.problem(line, "T2J302", name=code(node))
        return
    if isinstance(place, cst.Attribute) and is_state(unit, place):
        unit.edits.rewrite_statement(
            line, lambda rewrite: [write_field(unit, line, place, value(rewrite), keeps=_is_element_write(unit, place))]
        )
        return
    if _is_property(unit, holder):
        unit.problem(line, "T2J601", name=holder.attr.value, module=code(holder.value))  # type: ignore[attr-defined]
        return
    if path is not None and _is_queue(unit, holder):
        unit.problem(line, "T2J303", name=code(place), other=code(holder))
        return
    if path is not None and _is_own_part(unit, line, holder):
        owner = unit.facts.program.function_around(line)
        reason = "it is a part of the module, which a method cannot exchange"
        module = owner.owner.name if owner is not None and owner.owner is not None else "the module"
        unit.problem(line, "T2J606", name=code(place), module=module, reason=reason)
        return
    if path is None or not unit.facts.target.immutable or _is_kept_slot(unit, place, holder):
        template, held = unit.facts.target.overwritten, holder if path is None else place
        if template is None or not (is_variable(unit, held) or _may_be_variable(unit, held, node)):
            template = "{place} = {value}"
        elif "{owner}" not in template and _is_exchanged(line):
            template = unit.facts.target.buffer_value or template
        if "{owner}" in template:
            _set_by_name(unit, line, held, template, value)
            return
        keeps = _keeps_gradient(unit, line, place)

        def rebound(rewrite: Rewriter) -> Sequence[cst.BaseStatement]:
            new = as_made(unit, place, value(rewrite))
            new = unit.quote("with_data({x}, {new})", x=rewrite.expression(place), new=new) if keeps else new
            return [quote_statement(template, place=held, value=new)]

        unit.edits.rewrite_statement(line, rebound)
        return
    if isinstance(holder, cst.Name) and _is_part(unit, line, holder.value):
        unit.problem(line, "T2J303", name=code(node), other="the module that holds it")
        return

    def new_value(rewrite: Rewriter) -> cst.BaseExpression:
        return in_kept_shape(unit, line, place, value(rewrite))

    def new_holder(rewrite: Rewriter) -> cst.BaseExpression:
        return unit.quote(around, new=with_part(unit, holder, path, new_value(rewrite), may_lack), m=holder)

    unit.edits.rewrite_statement(
        line, lambda rewrite: [quote_statement("{m} = {new}", m=holder, new=new_holder(rewrite))]
    )


def _is_exchanged(line: cst.SimpleStatementLine) -> bool:
    """Whether a parameter gets another tensor, of any dtype and shape, in the place of its own: `w.data = w.data.half()`."""
    match line.body[-1]:
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Attribute(attr=cst.Name("data")))]):
            return True
    return False


def _keeps_gradient(unit: Unit, line: cst.SimpleStatementLine, place: cst.BaseExpression) -> bool:
    """Whether a tensor gets other values where no gradient is recorded, `y.data.clamp_(0, 1)`, and has one that goes on as
    if these had always been its own. What torch has kept of it for gradients changes as well, which is reported.
    """
    if not isinstance(place, (cst.Name, cst.Subscript)) or not unit.differentiated.holds(unit.facts.program, line):
        return False
    values = unit.facts.values
    value, written = values(place), _written(line.body[-1])
    if value.kind is not Kind.TENSOR or is_discrete(value.dtype) or not {"parameter", "buffer"}.isdisjoint(value.types):
        return False
    makers = values.makers(value.roots)
    is_known = len(makers) == len(value.roots) > 0
    match written:
        case cst.Attribute(attr=cst.Name("data")) | cst.Call(func=cst.Attribute(attr=cst.Name("detach")), args=[]):
            is_unrecorded = True
        case _:
            is_unrecorded = is_known and is_under_no_grad(line, values)
    if not is_unrecorded or (is_known and all(map(partial(_makes_constant, unit), makers))):
        return False
    if isinstance(place, cst.Subscript) or _is_kept_for_gradients(unit, line, place, makers):
        unit.problem(line, "T2J303", name=code(place), other="what torch has kept of it for gradients")
        return False
    return True


def _is_kept_for_gradients(
    unit: Unit, line: cst.SimpleStatementLine, place: cst.Name, makers: Sequence[cst.CSTNode]
) -> bool:
    """Whether operations before a line may have kept a tensor for their gradients: those that have read it, or made it."""
    index = unit.facts.program.index
    if any(isinstance(maker, cst.Call) and _keeps_result(unit, maker) for maker in makers):
        return True
    definitions = unit.facts.program.definitions
    reads = {use for item in definitions.of(place) for use in definitions.uses(item)}
    for use in reads:
        if index.order[use] >= index.order[line] or index.statement_of(use) is line:
            continue
        parent = index.parents[use]
        is_look = isinstance(parent, cst.Attribute) and parent.attr.value in _LOOKS
        if not is_look and _is_used_up(unit, use):
            continue
        if not is_look and not isinstance(parent, (cst.ComparisonTarget, cst.Comparison)):
            return True
    return False


def _is_used_up(unit: Unit, use: cst.Name) -> bool:
    """Whether a tensor is read where a gradient is taken at once, of which nothing goes on: `torch.autograd.grad`, normalized to
    `value, value_vjp = jax.vjp(f, x)`.
    """
    index, definitions = unit.facts.program.index, unit.facts.program.definitions
    match index.statement_of(use):
        case cst.SimpleStatementLine(
            body=[
                cst.Assign(
                    targets=[
                        cst.AssignTarget(cst.Tuple([cst.Element(cst.Name() as value), cst.Element(cst.Name() as vjp)]))
                    ],
                    value=cst.Call() as call,
                )
            ]
        ) if dotted(call.func) == "jax.vjp":
            uses = [*definitions.uses_at(value), *definitions.uses_at(vjp)]
            return all(_is_stopped(unit, item) for item in uses)
    return False


def _is_stopped(unit: Unit, node: cst.CSTNode) -> bool:
    """Whether no gradient goes on through what an expression is part of."""
    around = [node, *unit.facts.program.index.ancestors(node)]
    calls = (item for item in around if isinstance(item, cst.Call))
    return any(dotted(call.func) == "jax.lax.stop_gradient" for call in calls)


_LOOKS = frozenset(
    {"data", "detach", "device", "dim", "dtype", "ndim", "numel", "requires_grad", "requires_grad_", "shape", "size"}
)
_KEEPING_RESULT = frozenset(
    {"celu", "elu", "exp", "expm1", "leaky_relu", "log_softmax", "logsoftmax", "reciprocal", "relu", "relu6", "rsqrt"}
    | {"selu", "sigmoid", "softmax", "sqrt", "tan", "tanh"}
)


def _keeps_result(unit: Unit, maker: cst.Call) -> bool:
    """Whether the gradient of what a call computes is worked out from its result: `torch.sigmoid(x)`, `self.act(x)`."""
    called = unit.facts.values(maker.func)
    if called.kind is Kind.MODULE:
        members = called.items or ((called.elem,) if called.elem is not None else ())
        names = called.types.union(*(item.types for item in members))
    else:
        names = frozenset({unit.facts.values.torch_name(maker.func) or code(maker.func)})
    return not _KEEPING_RESULT.isdisjoint(name.rpartition(".")[2].lower().removesuffix("_") for name in names)


def _makes_constant(unit: Unit, node: cst.CSTNode) -> bool:
    """Whether a call makes a tensor without a gradient: `torch.zeros(3)`, `x.new_ones(2)`, or anything under `no_grad`."""
    if is_under_no_grad(node, unit.facts.values):
        return True
    if not isinstance(node, cst.Call):
        return False
    name = (unit.facts.values.torch_name(node.func) or code(node.func)).rpartition(".")[2]
    return name in _MAKING or name.startswith("new") or name.endswith("_like")


_MAKING = frozenset(
    {"arange", "empty", "eye", "full", "linspace", "ones", "rand", "randint", "randn", "tensor", "zeros"}
)


def _written(small: cst.BaseSmallStatement) -> cst.BaseExpression | None:
    """The tensor that a statement changes, as it stands there: `y.data` of `y.data[0] = 1`, `y.data.mul_(2).add_(1)`."""
    node: cst.BaseExpression | None = None
    match small:
        case cst.AugAssign(target=node) | cst.Assign(targets=[cst.AssignTarget(target=node)]):
            pass
        case cst.Expr(value=cst.Call() as node):
            while isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
                if not is_inplace_name(node.func.attr.value):
                    break
                node = node.func.value
    while isinstance(node, cst.Subscript):
        node = node.value
    return node


def _is_property(unit: Unit, holder: cst.BaseExpression) -> bool:
    """Whether a place to be bound again is a property of a module, which takes no value."""
    if not isinstance(holder, cst.Attribute) or not unit.facts.target.immutable:
        return False
    found = [item.method(holder.attr.value) for item in unit.facts.effects.classes_of(unit.facts.values(holder.value))]
    return any(method is not None and method.decorators == ["property"] for method in found)


def _set_by_name(
    unit: Unit,
    line: cst.SimpleStatementLine,
    held: cst.BaseExpression,
    template: str,
    value: Callable[[Rewriter], cst.BaseExpression],
) -> None:
    """A parameter gets another value by its name: `set_variable(m, "weight", value)`, outside of functions `m.weight = value`."""
    if not isinstance(held, cst.Attribute):
        unit.problem(line, "T2J612", name=code(held), reason="a parameter is changed as a field of its module only")
        return
    if unit.facts.program.function_around(line) is None:
        unit.edits.rewrite_statement(
            line,
            lambda rewrite: [
                quote_statement("{place} = {value}", place=rewrite.expression(held), value=value(rewrite))
            ],
        )
        return
    text = unit.spell(template.replace("{name}", f'"{held.attr.value}"'))
    unit.edits.rewrite_statement(
        line, lambda rewrite: [quote_statement(text, owner=rewrite.expression(held.value), value=value(rewrite))]
    )


def _gives_self(unit: Unit, node: cst.CSTNode) -> bool:
    """Whether a method gives its module back, changed."""
    return gives_self(unit.facts.program, unit.facts.program.function_around(node))


def _is_own_part(unit: Unit, line: cst.BaseStatement, holder: cst.BaseExpression) -> bool:
    """Whether a method of an immutable module that runs after `__init__` would bind one of the module's fields again."""
    function = unit.facts.program.function_around(line)
    if function is None or function.owner is None or not function.owner.is_module or not unit.facts.target.immutable:
        return False
    if function.name == "__init__" or function in unit.facts.effects.module_state.init_only:
        return False
    return isinstance(holder, cst.Attribute) and dotted(holder.value) == function.self_name


def _is_slot(unit: Unit, line: cst.SimpleStatementLine, place: cst.BaseExpression) -> bool:
    """Whether a place is `lst[0]` or `d["a"]`, of which all is known that matters."""
    if line not in unit.facts.program.settled or not isinstance(place, cst.Subscript):
        return False
    return unit.facts.values(place.value).kind in (Kind.LIST, Kind.DICT)


def _is_queue(unit: Unit, holder: cst.BaseExpression) -> bool:
    """Whether a field of an object is given a deque somewhere, of whose members nothing is known."""
    if not isinstance(holder, cst.Attribute) or unit.facts.values(holder.value).kind is not Kind.OBJECT:
        return False
    for item in unit.facts.program.index.every(cst.Assign, cst.AnnAssign):
        made = item.value if isinstance(item, (cst.Assign, cst.AnnAssign)) else None
        targets = (
            [part.target for part in item.targets] if isinstance(item, cst.Assign) else [getattr(item, "target", None)]
        )
        if isinstance(made, cst.Call) and str(dotted(made.func)).rpartition(".")[2] == "deque":
            if any(isinstance(target, cst.Attribute) and target.attr.value == holder.attr.value for target in targets):
                return True
    return False


def _is_kept_slot(unit: Unit, place: cst.BaseExpression, holder: cst.BaseExpression) -> bool:
    """Whether a place is a slot of the list or dict that a field of an object, no module, has: `self.keys[0]`."""
    if not isinstance(place, cst.Subscript) or place.value is not holder or not isinstance(holder, cst.Attribute):
        return False
    return unit.facts.values(holder).kind in (Kind.LIST, Kind.DICT) and (
        unit.facts.values(holder.value).kind is Kind.OBJECT
    )


def _is_element_write(unit: Unit, place: cst.Attribute) -> bool:
    """Whether a field that is changed in place always holds an array: its shape and dtype stay as they are."""
    return form_of(unit.facts.program, unit.facts.values, place) is Form.ARRAY


def _is_computed_weight(unit: Unit, node: cst.BaseExpression) -> bool:
    """Whether a place is the weight of a layer under weight_norm or spectral_norm: torch computes it anew at each call."""
    if not isinstance(node, cst.Attribute) or node.attr.value != "weight":
        return False
    owner = unit.facts.values(node.value)
    return bool(owner.types) and all(name.startswith("torch.nn.utils.") for name in owner.types)


def is_variable(unit: Unit, node: cst.BaseExpression) -> bool:
    """Whether a place is a field of a module that was made as a parameter or a buffer."""
    if not isinstance(node, cst.Attribute):
        return False
    if is_of_torch(unit, node.value):
        return True
    parts = [part for item in unit.facts.effects.classes_of(unit.facts.values(node.value)) for part in item.lineage]
    return any(_is_made_variable(part, node.attr.value) for part in parts)


def _is_made_variable(item: Class, name: str) -> bool:
    """Whether a class makes a field as a parameter or a buffer: torch neither saves nor trains tensors that are just stored."""
    field = item.fields.get(name)
    return item.is_registered(name) or (field is not None and field.kind is Kind.TENSOR and "parameter" in field.types)


def _may_be_variable(unit: Unit, held: cst.BaseExpression, node: cst.BaseExpression) -> bool:
    """Whether a field of something unknown is taken for a parameter: a layer's, or what a program changes through `data`."""
    owner = unit.facts.values(held.value) if isinstance(held, cst.Attribute) else UNKNOWN
    if not isinstance(held, cst.Attribute) or owner.types or owner.kind not in (Kind.UNKNOWN, Kind.MODULE):
        return False
    return (
        owner.kind is Kind.MODULE
        or held.attr.value in ("weight", "bias")
        or (isinstance(node, cst.Attribute) and node.attr.value == "data")
    )


def _is_part(unit: Unit, line: cst.BaseStatement, name: str) -> bool:
    """Whether a variable names a part of another module, or one that has a second name: rebinding it changes only the one."""
    for ancestor in unit.facts.program.index.ancestors(line):
        if isinstance(ancestor, cst.FunctionDef):
            break
        if isinstance(ancestor, cst.For) and any(_is_name(part, name) for part in descendants(ancestor.target)):
            if _goes_through_new(unit, ancestor, name):
                return False
            return all(loop.loop is not ancestor for loop in unit.facts.loops)  # else its body becomes a function
    function = unit.facts.program.function_around(line)
    return function is not None and any(
        isinstance(part, cst.Assign)
        and isinstance(part.value, (cst.Attribute, cst.Subscript, cst.Name))
        and unit.facts.values(part.value).kind is not Kind.NONE
        and any(_is_name(target.target, name) for target in part.targets)
        for part in descendants(function.node)
    )


def _is_name(node: cst.CSTNode, name: str) -> bool:
    return isinstance(node, cst.Name) and node.value == name


def split_place(unit: Unit, node: cst.BaseExpression) -> tuple[cst.BaseExpression | None, str | None]:
    """The variable or field to rebind, and the path inside it (None: it is the tensor itself)."""
    values = unit.facts.values
    if isinstance(node, cst.Name):
        return node, None
    if isinstance(node, cst.Attribute) and values(node.value).kind is Kind.OBJECT and _is_path(node):
        return node, None  # of an object that is no module, which can be given another tensor
    parts: list[str] = []
    current: cst.BaseExpression = node
    while isinstance(current, (cst.Attribute, cst.Subscript)):
        inner = current.value
        text = f".{current.attr.value}" if isinstance(current, cst.Attribute) else code(current)[len(code(inner)) :]
        is_field = isinstance(current, cst.Attribute) and isinstance(inner, cst.Name) and inner.value == "self"
        is_kept = isinstance(current, cst.Attribute) and values(inner).kind is Kind.OBJECT and dotted(inner) is not None
        if (is_field and not _gives_self(unit, node)) or (is_kept and values(current).kind is Kind.MODULE):
            is_tree = not parts or values(current).kind in _TREES
            return (current, "".join(reversed(parts)) or None) if is_tree else (None, None)
        if parts and values(current).kind not in _TREES:
            return None, None
        parts.append(text)
        current = inner
    if isinstance(current, cst.Name) and values(current).kind is Kind.MODULE:
        return current, "".join(reversed(parts))
    return None, None


_TREES = (Kind.MODULE, Kind.LIST, Kind.TUPLE, Kind.DICT, Kind.UNKNOWN)  # parts of what `eqx.tree_at` may go through


def _is_path(node: cst.BaseExpression) -> bool:
    """Whether a place is written out as fields and slots of a variable: `self.boxes[i].x`."""
    while isinstance(node, (cst.Attribute, cst.Subscript)):
        if isinstance(node, cst.Subscript) and slot_key(node) is None:
            return False
        node = node.value
    return isinstance(node, cst.Name)


# in-place updates


def _inplace_method(unit: Unit, line: cst.SimpleStatementLine, call: cst.Call, function: cst.Attribute) -> None:
    """`x.add_(y)` as a statement, chains of such methods included."""
    chain, innermost = [call], function
    while isinstance(innermost.value, cst.Call) and isinstance(innermost.value.func, cst.Attribute):
        chain.append(innermost.value)
        innermost = innermost.value.func
    place = without_data(innermost.value, unit.facts.values)
    if function.attr.value == "requires_grad_" and len(chain) == 1:
        return
    if len(chain) == 1 and _store_method(unit, line, call, function.attr.value, place):
        return
    lowered: dict[cst.Call, Lowered] = {}
    for item in chain:
        assert isinstance(item.func, cst.Attribute)
        found = _inplace_lowering(unit, item, item.func)
        if found is None:
            return
        lowered[item] = found
    is_part = is_part_of_tensor(unit, place)
    if not is_part and not may_write(unit, line, place):
        return
    if any(_mentions(argument, place) for item in chain[:-1] for argument in item.args):  # which the chain has changed
        unit.problem(line, "T2J302", name=code(place), operation=code(chain[-1]))
        return
    for item in chain[1:]:
        spelled = lowered[item]
        unit.edits.replace(item, partial(_filled_call, unit, spelled, item))
    for item in chain:
        unit.settled.add(item)
    if not _write_part(unit, line, call, place, lowered[call]):
        write_place(unit, line, place, lambda rewrite: _filled(unit, lowered[call], rewrite, call))


def _mentions(node: cst.CSTNode, place: cst.BaseExpression) -> bool:
    """Whether an expression reads the variable behind a place."""
    text = dotted(place) or code(place)
    if isinstance(place, cst.Attribute) and dotted(place):
        owner = text.rpartition(".")[0]
        called = (item.func for item in (node, *descendants(node)) if isinstance(item, cst.Call))
        if any(isinstance(func, cst.Attribute) and dotted(func.value) == owner for func in called):
            return True  # a method may read it
        return any(isinstance(item, cst.Attribute) and dotted(item) == text for item in (node, *descendants(node)))
    root = text.split(".")[0].split("[")[0]
    return any(isinstance(item, cst.Name) and item.value == root for item in (node, *descendants(node)))


_STORING_METHODS = {"copy_": None, "fill_": None, "zero_": None, "add_": "add", "sub_": "subtract", "subtract_": "subtract",
                    "mul_": "multiply", "multiply_": "multiply", "div_": "divide", "divide_": "divide"}  # fmt: skip


def is_part_of_tensor(unit: Unit, place: cst.BaseExpression) -> bool:
    """Whether a place is `x[...]` of a tensor."""
    return isinstance(place, cst.Subscript) and unit.facts.values(place.value).kind is Kind.TENSOR


def _is_view(unit: Unit, place: cst.Subscript) -> bool:
    """Whether an index only selects and cuts: with lists, masks and tensors `x[...]` is a copy."""
    for element in place.slice:
        if isinstance(element.slice, cst.Slice):
            continue
        assert isinstance(element.slice, cst.Index)
        value = unit.facts.values(element.slice.value)
        if value.kind is Kind.INT or (value.const in (None, ...) and value.kind in (Kind.NONE, Kind.PYTHON)):
            continue
        return False
    return True


def _store_method(
    unit: Unit, line: cst.SimpleStatementLine, call: cst.Call, method: str, place: cst.BaseExpression
) -> bool:
    """`x[0].copy_(y)`, `x[0].zero_()` or `x[0].add_(y)`: a store like `x[0] = y` or `x[0] += y`."""
    given = [item.value for item in call.args if item.keyword is None and not item.star]
    if method not in _STORING_METHODS or len(given) != len(call.args) or len(given) != (method != "zero_"):
        return False
    if not isinstance(place, cst.Subscript) or not is_part_of_tensor(unit, place) or not _is_view(unit, place):
        return False
    stored = unit.facts.values(given[0]) if given else Value(Kind.INT)
    is_whole = is_discrete(unit.facts.values(place.value).dtype)
    if method == "copy_" and is_whole and stored.dtype != unit.facts.values(place.value).dtype:
        return False
    unit.settled.add(call)
    how = _STORING_METHODS[method]
    zero = cst.Integer("0")
    _store(unit, line, place, lambda rewrite: rewrite.expression(given[0]) if given else zero, stored, how)
    return True


_RESHAPING_METHODS = {"t_", "transpose_", "swapaxes_", "swapdims_", "squeeze_", "unsqueeze_", "resize_"}


def _write_part(
    unit: Unit, line: cst.SimpleStatementLine, call: cst.Call, node: cst.BaseExpression, lowered: Lowered
) -> bool:
    """Whether a place is `x[...]`; then it gets its new value by a store, or the user is told why not."""
    place = without_data(node, unit.facts.values)
    if not is_part_of_tensor(unit, place):
        return False
    assert isinstance(place, cst.Subscript)
    has_effect = any(isinstance(part, (cst.Call, cst.Await, cst.NamedExpr)) for part in descendants(place))
    reshapes = isinstance(call.func, cst.Attribute) and call.func.attr.value in _RESHAPING_METHODS  # the part, not `x`
    if has_effect or reshapes or not _is_view(unit, place):
        unit.problem(call, "T2J302", name=code(place), operation=code(call))
        return True
    _store(unit, line, place, partial(_filled_call, unit, lowered, call), Value(Kind.TENSOR), None)
    return True


def _function_in_place(unit: Unit, line: cst.SimpleStatementLine, call: cst.Call, name: str) -> bool:
    """`torch.relu_(x)`, `F.relu(x, inplace=True)` and `torch.add(a, b, out=c)` as statements."""
    functions = unit.facts.tables.functions
    out = next((item for item in call.args if item.keyword is not None and item.keyword.value == "out"), None)
    if out is not None:
        return _into_given(unit, line, call, name, out)
    if not call.args or call.args[0].keyword is not None or call.args[0].star:
        return False
    plain = _changes_first(unit, call, name)
    if plain is None:
        return False
    place = without_data(call.args[0].value, unit.facts.values)
    lowered = _lower(unit, functions[plain], call, place, name, call.args[1:])
    if lowered is not None:
        lowered = _keeping_dtype(unit, lowered, functions[plain], call, place, call.args[1:])
    if lowered is None or not (is_part_of_tensor(unit, place) or may_write(unit, line, place)):
        return True
    unit.settle(call.func)
    unit.settled.add(call)
    if not _write_part(unit, line, call, place, lowered):
        write_place(unit, line, place, partial(_filled_call, unit, lowered, call))
    return True


_WITH_OPTION = ("torch.nn.functional.", "torchvision.transforms.functional.", "torchvision.transforms.v2.functional.")


def _changes_first(unit: Unit, call: cst.Call, name: str) -> str | None:
    """The row for a function that changes its first argument in place; None if it does not."""
    functions, values = unit.facts.tables.functions, unit.facts.values
    if name not in functions:
        return inplace_row(unit.facts.tables, name)
    inplace = name.startswith(_WITH_OPTION) and values.keyword_is_true(call, "inplace")
    return name if inplace else None


def _keeping_dtype(
    unit: Unit,
    lowered: Lowered,
    spec: FunctionSpec,
    call: cst.Call,
    place: cst.BaseExpression,
    arguments: Sequence[cst.Arg],
) -> Lowered | None:
    if "mutates" in spec.effects:
        return lowered
    kept = keeping_dtype(lowered, spec, unit.facts.values, call, place, arguments)
    if kept is None:
        unit.problem(call, "T2J302", name=code(place), operation=code(call))
    return kept


def _into_given(unit: Unit, line: cst.SimpleStatementLine, call: cst.Call, name: str, out: cst.Arg) -> bool:
    """`torch.add(a, b, out=c)` -> `c = a + b`; `c` keeps its dtype."""
    values, spec = unit.facts.values, unit.facts.tables.functions.get(name)
    if spec is None or spec.unsupported is not None:
        return False
    places = elements_of(out.value)
    if any(values(place).kind is not Kind.TENSOR for place in places):
        return False
    if len(places) > 1 and not all(isinstance(place, cst.Name) for place in places):
        return False
    arguments = [item for item in call.args if item is not out]
    lowered = _lower(unit, spec, call, None, name, arguments)
    if lowered is None:
        return True
    signature = parse_signature(spec.signature)
    facts = ArgumentFacts(signature, bind(signature, arguments, None), values)
    result = result_value(spec.result, facts)
    place = without_data(places[0], unit.facts.values)
    if not all(is_part_of_tensor(unit, item) or may_write(unit, line, item) for item in map(without_data, places)):
        return True
    unit.settle(call.func)
    unit.settled.add(call)
    if len(places) > 1:
        names, spelled = out.value.with_changes(lpar=(), rpar=()), lowered
        unit.edits.rewrite_statement(
            line,
            lambda rewrite: [
                quote_statement("{names} = {value}", names=names, value=_filled(unit, spelled, rewrite, call))
            ],
        )
        return True
    if _write_part(unit, line, call, place, lowered):
        return True
    if result.dtype is None or result.dtype != values(place).dtype:
        lowered = cast_to(lowered, f"{code(place)}.dtype")
    write_place(unit, line, place, partial(_filled_call, unit, lowered, call))
    return True


def _inplace_lowering(unit: Unit, call: cst.Call, function: cst.Attribute) -> Lowered | None:
    name = function.attr.value
    spec = unit.facts.tables.method(name) or unit.facts.tables.method(name.removesuffix("_"))
    if spec is None or spec.unsupported is not None:
        unit.problem(call, "T2J203", name=name)
        return None
    lowered = _lower(unit, spec, call, function.value, f"Tensor.{name}")
    if lowered is None or unit.facts.tables.method(name) is not None:
        return lowered
    kept = keeping_dtype(lowered, spec, unit.facts.values, call, without_data(function.value, unit.facts.values))
    if kept is None:
        unit.problem(call, "T2J302", name=code(function.value), operation=code(call))
    return kept


def _is_read_of_field(unit: Unit, place: cst.BaseExpression) -> bool:
    """Whether a variable is bound once, to what a field of something holds: `t = box.ns.a`."""
    bound = unit.facts.program.definitions.only(place) if isinstance(place, cst.Name) else None
    return bound is not None and isinstance(bound.value, cst.Attribute)


def may_write(unit: Unit, line: cst.BaseStatement, place: cst.BaseExpression, quiet_parameter: bool = False) -> bool:
    """Whether rebinding a place shows the write to everybody who may see the storage; tells the user if not."""
    value = unit.facts.values(place)
    text = dotted(place)
    if text is None or _is_mapped(unit, line, text) or line in unit.facts.program.settled:
        return True
    function = unit.facts.program.function_around(line)
    if is_state(unit, place):
        return may_change_field(unit, line, place, text)
    if text.startswith("self.") and _gives_self(unit, line):
        return True
    if "." in text:
        method = function
        while method is not None and method.self_name is None and method.outer is not None:
            method = method.outer  # whose `self` an inner function speaks of
        owner = method.owner if method is not None else None
        if text.startswith("self.") and (
            function is None
            or function in unit.facts.effects.module_state.init_only
            or function.name == "__init__"
            or (owner and not owner.is_module)
        ):
            return True
        is_other = not text.startswith("self.") and not _lacks_gradient(unit, line, place)
        if is_other or _changes_in_place(unit, line, place):
            return True
        reason = "it is a parameter, and only training changes those"
        if "parameter" not in value.types:
            reason = "it is not made of tensors and numbers only, as far as can be seen"
        unit.problem(
            line, "T2J606", name=text.rpartition(".")[2], module=owner.name if owner else "the module", reason=reason
        )
        return False
    roots = value.roots
    if any(root.startswith("param:") for root in roots):
        if quiet_parameter:
            return True
        unit.problem(line, "T2J300", name=text, function=function.name if function else "the module")
        return False
    is_anything = value.kind is Kind.UNKNOWN and not roots and _is_read_of_field(unit, place)
    if is_anything or "*" in roots or any(root.startswith("field:") for root in roots):
        unit.problem(line, "T2J303", name=text, other="a container, a field or a caller")
        return False
    if "repeated" in value.types:
        unit.problem(line, "T2J301", name=text, base="a tensor whose elements it repeats")
        return False
    if isinstance(place, cst.Name) and _is_made_outside(unit, function, text, roots):
        unit.problem(line, "T2J303", name=text, other="a variable outside of the function")
        return False
    other = live_alias(unit, line, text, value)
    if other is not None:
        unit.problem(line, "T2J301", name=text, base=other)
        return False
    return True


def _changes_in_place(unit: Unit, line: cst.BaseStatement, place: cst.BaseExpression) -> bool:
    """Whether a parameter or buffer may get another value in a method, for all who have the module: it is a variable of an
    object, and no gradient is taken of what the method computes.
    """
    is_held = isinstance(place, cst.Attribute) and unit.facts.values(place.value).kind is Kind.MODULE
    bound = unit.facts.effects.bound
    is_object = unit.facts.target.read is not None or (
        bound is not None and not bound.is_inside(unit.facts.program, place)
    )
    if not is_object or not is_held or unit.facts.values(place).kind is not Kind.TENSOR:
        return False
    return not unit.differentiated.holds(unit.facts.program, line)


def _lacks_gradient(unit: Unit, line: cst.BaseStatement, place: cst.BaseExpression) -> bool:
    """Whether a function gives a parameter of a module that is an object another value, below a gradient that was to go on to it."""
    is_held = isinstance(place, cst.Attribute) and unit.facts.values(place.value).kind is Kind.MODULE
    is_parameter = is_held and "parameter" in unit.facts.values(place).types
    function = unit.facts.program.function_around(line)
    is_below = function is not None and function in unit.differentiated.functions
    return is_parameter and is_below and unit.facts.target.read is not None


def _is_made_outside(unit: Unit, function: Function | None, name: str, roots: frozenset[str]) -> bool:
    """Whether a variable of a function may hold a tensor that was made outside of it: `t = self.buffers[0]`, or one of a class."""
    program, flow = unit.facts.program, unit.facts.flows.liveness(function).flow
    bound = {name for item in flow.accesses_by_index for name in (*item.defs, *item.may_defs)}
    if name not in bound - flow.global_names - flow.nonlocal_names:
        return False
    made = [node for node in unit.facts.values.makers(roots) if node in program.index.parents]
    return any(program.function_around(node) is not function or _is_of_class(unit, node) for node in made)


def _is_of_class(unit: Unit, node: cst.CSTNode) -> bool:
    """Whether a node stands in a statement of a class, and in no method."""
    scopes = (cst.ClassDef, cst.FunctionDef, cst.Lambda)
    around = next((item for item in unit.facts.program.index.ancestors(node) if isinstance(item, scopes)), None)
    return isinstance(around, cst.ClassDef)


def _is_mapped(unit: Unit, line: cst.BaseStatement, name: str) -> bool:
    """Whether a variable is the parameter that a loop changes, whose body becomes a function of it."""
    loops = {loop.loop for loop in unit.facts.loops if loop.changed == name}
    return bool(loops) and any(item in loops for item in unit.facts.program.index.ancestors(line))


def may_change_field(unit: Unit, line: cst.BaseStatement, place: cst.BaseExpression, text: str) -> bool:
    """Whether a field may be changed in place: no variable that is read afterwards may show the same storage."""
    other = live_alias(unit, line, text, unit.facts.values(place))
    if other is not None:
        unit.problem(line, "T2J301", name=text, base=other)
    return other is None


def live_alias(unit: Unit, line: cst.BaseStatement, name: str, value: Value) -> str | None:
    """A variable that is live after the statement and may share storage with the written one; an optimizer has no tensors here:
    its steps name what they train.
    """
    function = unit.facts.program.function_around(line)
    last = function.env if function is not None else unit.facts.program.module_env
    env = unit.facts.values.after.get(line, last)  # a variable may hold something else in the end
    live = unit.facts.flows.liveness(function).after_statement(line)
    apart = {name, _bound_by(line), copied_place(line)}
    for other in sorted(live):
        is_other = other not in apart and other in env and env[other].kind is not Kind.OPTIMIZER
        if is_other and env[other].shares(value.roots):
            return other
    return None


def _bound_by(line: cst.BaseStatement) -> str | None:
    """The variable that an assignment gives another value."""
    small = line.body[0] if isinstance(line, cst.SimpleStatementLine) else None
    alone = isinstance(small, cst.Assign) and len(small.targets) == 1
    return dotted(small.targets[0].target) if alone and isinstance(small, cst.Assign) else None


def _refuse_stores(unit: Unit, line: cst.SimpleStatementLine, node: cst.Assign) -> None:
    """`x[0], y[0] = a, b` and `x[0] = y[0] = a`: each store would have to be a statement of its own."""
    for target in node.targets:
        for part in descendants(target):
            if isinstance(part, cst.Subscript) and unit.facts.values(part.value).kind is Kind.TENSOR:
                if is_stored(unit, part):
                    unit.problem(line, "T2J302", name=code(part.value), operation=code(node))
                    return
            if not isinstance(part, cst.Attribute) or not is_stored(unit, part):
                continue
            if _replaces_part(unit, line, part) or _may_set_pooling(unit, part):
                unit.problem(line, "T2J601", name=part.attr.value, module=code(part.value))
                return


def _refuse_unknown_store(
    unit: Unit, line: cst.SimpleStatementLine, target: cst.BaseExpression, given: cst.BaseExpression | None = None
) -> None:
    """`x[1] = 2` where `x` may be a tensor, of which nothing says so: arrays of JAX take no stores."""
    if given is not None and unit.facts.values(given).kind in _NO_ELEMENTS:
        return
    if not isinstance(target, cst.Subscript) or unit.facts.values(target.value).kind is not Kind.UNKNOWN:
        return
    if not isinstance(target.value, cst.Name | cst.Subscript | cst.Attribute):
        return
    if any(map(unit.facts.program.mentions, ("numpy", "pandas"))) and not _is_tensor_somewhere(unit, target.value):
        return
    indices = [element.slice.value if isinstance(element.slice, cst.Index) else None for element in target.slice]
    if any(index is None or _may_index_tensor(unit, index) for index in indices) or _is_computed(unit, target.value):
        if not _gives_sizes(unit, target.value):
            unit.problem(line, "T2J207", name=code(target.value))


def _gives_sizes(unit: Unit, place: cst.BaseExpression) -> bool:
    """Whether a layer of torch is made with an element of a variable, as with those of a list: `nn.Linear(sizes[-1], width)`."""
    function = unit.facts.program.function_around(place)
    if not isinstance(place, cst.Name) or function is None or _is_tensor_somewhere(unit, place):
        return False
    for call in descendants(function.node.body, cst.Call):
        if isinstance(call, cst.Call) and unit.facts.values.torch_name(call.func) in unit.facts.tables.layers:
            given = [item.value for item in call.args]
            if any(isinstance(size, cst.Subscript) and _is_name(size.value, place.value) for size in given):
                return True
    return False


def _is_tensor_somewhere(unit: Unit, place: cst.BaseExpression) -> bool:
    """Whether one of the assignments whose value a variable may have, or one of a field in its class, gives it a tensor."""
    program, values = unit.facts.program, unit.facts.values
    if isinstance(place, cst.Name):
        given = [
            item.value for item in program.definitions.of(place) if item.value is not None and item.how is How.ASSIGNED
        ]
        return any(values(item).kind is Kind.TENSOR for item in given)
    function = program.function_around(place)
    text = dotted(place)
    if text is None or function is None or function.owner is None or text.count(".") != 1:
        return False
    if text.partition(".")[0] != function.self_name:
        return False
    return any(
        values(node.value).kind is Kind.TENSOR
        for node in descendants(function.owner.node, cst.Assign)
        if any(dotted(item.target) == text for item in node.targets)
    )


# torch refuses to store what is of such a kind: what takes it is a list or a dictionary.
_NO_ELEMENTS = frozenset(
    {Kind.TUPLE, Kind.LIST, Kind.DICT, Kind.STR, Kind.NONE, Kind.MODULE, Kind.FUNCTION, Kind.OBJECT}
)


def _is_computed(unit: Unit, place: cst.BaseExpression) -> bool:
    """Whether a name is given the result of an operator somewhere in its function, as no dictionary is."""
    index = unit.facts.program.index
    return isinstance(place, cst.Name) and any(
        isinstance(node.value, cst.BinaryOperation)
        and not isinstance(node.value.operator, cst.BitOr)  # of two dictionaries
        and any(_is_name(item.target, place.value) for item in node.targets)
        and index.function_of(node) is index.function_of(place)
        for node in index.every(cst.Assign)
    )


def _may_index_tensor(unit: Unit, index: cst.BaseExpression) -> bool:
    """Whether an index is of a kind that tensors take, or that no dictionary has for a key."""
    value = unit.facts.values(index)
    if value.kind in (Kind.INT, Kind.TENSOR, Kind.LIST) or value.const is ... or isinstance(value.const, bool):
        return True
    if isinstance(index, cst.Tuple):  # of variables, it is rather a key
        return all(isinstance(item.value, cst.Integer) for item in index.elements)
    is_slice = isinstance(index, cst.Call) and dotted(index.func) == "slice"
    return is_slice or isinstance(index, cst.Comparison | cst.List)


def _sets_function(unit: Unit, target: cst.Attribute) -> bool:
    """Whether an option of a layer is set that is a function here: `act.negative_slope = 0.2`, `loss.reduction = "sum"`."""
    value = unit.facts.values(target.value)
    is_module = value.kind is Kind.MODULE and unit.facts.effects.bound is None  # there they are told of anyway
    layers = [unit.facts.tables.layers.get(name) for name in value.types] if is_module else []
    for layer in layers:
        column = layer.targets.get(unit.facts.target.name) if layer is not None else None
        is_function = column is not None and column.call == "function"
        if is_function and layer is not None and target.attr.value in parse_signature(layer.signature):
            return True
    return False


def _is_sequence(value: Value) -> bool:
    """Whether a value is a Sequential, whose layers stay those that it was made of."""
    return value.kind is Kind.MODULE and value.types == {"torch.nn.Sequential"}


def _assignment(unit: Unit, line: cst.SimpleStatementLine, node: cst.Assign) -> None:
    values = unit.facts.values
    if values(node.value).kind is Kind.OPTIMIZER:
        _optimizer_state(unit, line, node)
    elif isinstance(node.targets[0].target, cst.Name) and dotted(node.value) == "None":
        no_optimizer(unit, line, node.targets[0].target.value)
    elif isinstance(node.value, cst.Call) and isinstance(node.targets[0].target, cst.Tuple):
        optimizer_from_function(unit, line, node.targets[0].target, node.value)
    if isinstance(node.value, cst.Tuple):
        _moved_together(unit, node.value)
    if (settings := settings_of_layer(unit, node)) is not None:
        _set_on_layer(unit, line, *settings)
        return
    if len(node.targets) != 1 or isinstance(node.targets[0].target, (cst.Tuple, cst.List)):
        _refuse_stores(unit, line, node)
        return
    target = node.targets[0].target
    _refuse_unknown_store(unit, line, target, node.value)
    if isinstance(target, cst.Subscript) and values(target.value).kind is Kind.TENSOR:
        _store(unit, line, target, lambda rewrite: rewrite.expression(node.value), values(node.value), None)
    elif (
        isinstance(target, (cst.Attribute, cst.Subscript))
        and target in unit.facts.replaced
        and not _is_held(unit, line, target)
    ):
        _exchange(unit, line, target, node.value)
    elif isinstance(target, cst.Attribute) and is_note_on_layer(unit, target):
        _note_on_layer(unit, line, target, node.value)
    elif isinstance(target, cst.Attribute) and (
        _replaces_part(unit, line, target) or _sets_function(unit, target) or _may_set_pooling(unit, target)
    ):
        unit.problem(line, "T2J601", name=target.attr.value, module=code(target.value))
    elif isinstance(target, cst.Subscript) and unit.facts.target.immutable and _is_sequence(values(target.value)):
        unit.problem(line, "T2J601", name=code(target), module=code(target.value))
    elif isinstance(target, cst.Attribute):
        holder = values.torch_name(target.value)
        name = f"{holder}.{target.attr.value}" if holder is not None else None
        if name == "torch.backends.cuda.matmul.allow_tf32" and values(node.value).const is not True:
            _allow_tf32(unit, line, node)
        elif (name is not None and name.startswith(ERASED_ASSIGNMENTS)) or (
            target.attr.value == "requires_grad" and values(node.value).const is False and _is_data(unit, target.value)
        ):
            unit.settle(node)
            unit.edits.remove(line)
        elif target.attr.value == "requires_grad" and values(target.value).kind in (Kind.TENSOR, Kind.UNKNOWN):
            unit.problem(line, "T2J502", name=code(target.value))
        elif target.attr.value == "data" and values(target.value).kind is Kind.TENSOR:
            unit.settled.add(target)
            if not may_write(unit, line, target.value):
                return
            write_place(unit, line, target.value, lambda rewrite: rewrite.expression(node.value))
        elif target.attr.value == "data" and _may_change_tensor(unit, target.value, node.value):
            unit.problem(line, "T2J303", name=code(target.value), other="a container, a field or a caller")
        elif (
            unit.facts.target.immutable
            and _is_weight_of_own_layer(unit, target, values(node.value))
            and may_write(unit, line, target)
        ):
            write_place(unit, line, target, lambda rewrite: rewrite.expression(node.value))


def _may_change_tensor(unit: Unit, owner: cst.BaseExpression, value: cst.BaseExpression) -> bool:
    """Whether `t.data = 2 * t` gives a tensor new values, as far as is known."""
    is_open = unit.facts.values(owner).is_a(Kind.UNKNOWN, Kind.PYTHON)
    return is_open and any(code(item) == code(owner) for item in descendants(value) if isinstance(item, type(owner)))


def _is_data(unit: Unit, node: cst.BaseExpression) -> bool:
    """Whether a tensor is none that anybody trains: torch lets its flag be taken away, and nothing comes of that."""
    value, function = unit.facts.values(node), unit.facts.program.function_around(node)
    if value.kind not in (Kind.TENSOR, Kind.UNKNOWN) or value.types & {"leaf", "parameter"}:
        return False
    is_forward = function is not None and function.owner is not None and function.name == "forward"
    if "buffer" in value.types or (is_forward and _is_of_argument(unit, node)):
        return True
    is_told = function is not None and bool(function.callers)
    roots_are_data = all(root.startswith("new:") or (root.startswith("param:") and is_told) for root in value.roots)
    return value.kind is Kind.TENSOR and roots_are_data


def _is_of_argument(unit: Unit, node: cst.BaseExpression) -> bool:
    """Whether something is an argument, or an element of one."""
    while isinstance(node, cst.Subscript):
        node = node.value
    bound = unit.facts.program.definitions.only(node) if isinstance(node, cst.Name) else None
    if bound is None or bound.how is How.PARAMETER:
        return bound is not None
    return bound.value is not None and bound.how in (How.ASSIGNED, How.PART) and _is_of_argument(unit, bound.value)


def drop_self_assignments(unit: Unit) -> None:
    """`x = x.clone()` is nothing but `x = x` where arrays never change: such lines go."""
    index = unit.facts.program.index
    for node in index.every(cst.SimpleStatementLine):
        if len(node.body) != 1 or any(_comments(node)):
            continue
        small = node.body[0]
        if type(small) is not cst.Assign or len(small.targets) != 1:
            continue
        if node in unit.edits.statements or node in unit.edits.moved:
            continue
        names, values = _paired(small.targets[0].target, small.value)
        if names and all(_may_be(unit, value, name) for name, value in zip(names, values, strict=True)):
            unit.edits.rewrite_statement(node, partial(_unless_trivial, node, names))


def _paired(target: cst.BaseExpression, value: cst.BaseExpression) -> tuple[list[str], list[cst.BaseExpression]]:
    """The names of `x = ...` or `x, y = ..., ...`, and the values they get."""
    if isinstance(target, cst.Tuple) and isinstance(value, cst.Tuple):
        names = [dotted(element.value) or "" for element in target.elements]
        values = [element.value for element in value.elements]
        is_plain = len(names) == len(values) and all(name and "." not in name for name in names)
        return (names, values) if is_plain else ([], [])
    return ([target.value], [value]) if type(target) is cst.Name else ([], [])


def _may_be(unit: Unit, value: cst.BaseExpression, name: str) -> bool:
    """Whether a call of or with a variable may be rewritten to nothing but the variable."""
    return type(value) is cst.Call and value in unit.edits.nodes and name in names_in(value)


def _comments(line: cst.SimpleStatementLine) -> Iterator[cst.Comment | None]:
    yield from (empty.comment for empty in line.leading_lines)


def _unless_trivial(line: cst.SimpleStatementLine, names: list[str], rewrite: Rewriter) -> Sequence[cst.BaseStatement]:
    new = rewrite(line)
    assert isinstance(new, cst.SimpleStatementLine)
    small = new.body[0]
    if not isinstance(small, cst.Assign):
        return [new]
    given = _paired(small.targets[0].target, small.value)[1]
    return [] if given and all(_is_name(item, name) for name, item in zip(names, given, strict=True)) else [new]


def _is_weight_of_own_layer(unit: Unit, node: cst.Attribute, value: Value) -> bool:
    """Whether `self.fc.weight = ...` gives a layer of the library another parameter."""
    owner = unit.facts.values(node.value)
    is_layer = owner.kind is Kind.MODULE and any(name in unit.facts.tables.layers for name in owner.types)
    return is_layer and value.kind is Kind.TENSOR and (dotted(node) or "").startswith("self.")


def _exchange(
    unit: Unit, line: cst.SimpleStatementLine, target: cst.Attribute | cst.Subscript, value: cst.BaseExpression
) -> None:
    """`model.head = nn.Identity()`: the model with another part; torch trains what is new."""
    unit.settled.add(target)
    new = unit.facts.values(value)
    is_part = new.kind in (Kind.MODULE, Kind.TENSOR)
    may_lack = _is_none_somewhere(unit, target) if is_part else _may_be_none(unit, target)
    template = "in_order({value})" if holds_dict(new) and not is_part else "{value}"
    holder, path = split_place(unit, target)
    is_buffer = "buffer" in unit.facts.values(target).types or not is_part
    may_be_frozen = path is not None and not is_buffer and may_be_frozen_by_now(unit, line, holder, new)
    around = FROZEN_AS_BEFORE if may_be_frozen and may_hold_older(unit, value) else "{new}"
    write_place(
        unit, line, target, lambda rewrite: unit.quote(template, value=rewrite.expression(value)), may_lack, around
    )
    if holder is None or path is None or not may_be_frozen or around == FROZEN_AS_BEFORE:
        return
    if unit.facts.effects.has_frozen(new):  # it would be trained as a whole
        unit.problem(line, "T2J502", name=code(target))
        return
    name = _name_of_path(unit, target, path)
    if name is None:
        unit.problem(line, "T2J502", name=code(target))
        return
    trained = unit.quote("unfreeze({m}, {name})", m=holder, name=name)
    unit.edits.after(line, lambda rewrite: [quote_statement("{m} = {value}", m=holder, value=trained)])


def _name_of_path(unit: Unit, target: cst.BaseExpression, path: str) -> cst.BaseExpression | None:
    """torch's name of what lies at a path, as Python writes it: `f"blocks.{i}.weight"` of `.blocks[i].weight`."""
    counting = {
        node.value
        for node in descendants(target)
        if isinstance(node, cst.Name) and runs_through_range(unit.facts.program, node)
    }
    name = re.sub(r"\[(\d+)\]", r".\1", path).removeprefix(".")
    name = re.sub(r"\[(\w+)\]", lambda found: f".{{{found[1]}}}" if found[1] in counting else found[0], name)
    if re.fullmatch(r"(\w+|\{\w+\})(\.(\w+|\{\w+\}))*", name) is None:
        return None
    return cst.parse_expression(f'f"{name}"' if "{" in name else f'"{name}"')


def _may_be_none(unit: Unit, target: cst.Attribute | cst.Subscript) -> bool:
    """Whether a field of modules of the program, which holds no tensor and no part, may be None by now."""
    of_layer = isinstance(target, cst.Attribute) and is_of_torch(unit, target.value)
    kinds = {unit.facts.values(value).kind for value in (*_given_to_field(unit, target), target)}
    return not of_layer and not kinds <= {Kind.INT, Kind.FLOAT, Kind.BOOL, Kind.STR}


def _is_none_somewhere(unit: Unit, target: cst.Attribute | cst.Subscript) -> bool:
    """Whether the file gives a field of this name None, so that there may be no part where another one goes."""
    return any(unit.facts.values(value).kind is Kind.NONE for value in _given_to_field(unit, target))


def _given_to_field(unit: Unit, target: cst.Attribute | cst.Subscript) -> list[cst.BaseExpression]:
    """What the file gives fields of a name, by assignments and by `self.register_parameter(name, None)`."""
    name = target.attr.value if isinstance(target, cst.Attribute) else None
    index = unit.facts.program.index
    given = [
        node.value
        for node in index.every(cst.Assign)
        if any(isinstance(item.target, cst.Attribute) and item.target.attr.value == name for item in node.targets)
    ]
    for call in index.calls:
        match call:
            case cst.Call(
                func=cst.Attribute(attr=cst.Name(method)), args=[cst.Arg(value=text), cst.Arg(value=value), *_]
            ):
                if method in REGISTERING and name is not None and unit.facts.values(text).const == name:
                    given.append(value)
    return given


def _note_on_layer(unit: Unit, line: cst.SimpleStatementLine, target: cst.Attribute, value: cst.BaseExpression) -> None:
    template = f"{unit.facts.target.noted}".replace("{name}", target.attr.value)

    def given(rewrite: Rewriter) -> dict[str, cst.BaseExpression]:
        return {"layer": rewrite.expression(target.value), "value": rewrite.expression(value)}

    if unit.facts.target.immutable:
        write_place(unit, line, target.value, lambda rewrite: unit.quote(template, **given(rewrite)))
    else:
        unit.edits.rewrite_statement(line, lambda rewrite: [unit.statement(template, **given(rewrite))])


def _set_on_layer(
    unit: Unit, line: cst.SimpleStatementLine, layer: cst.BaseExpression, settings: dict[str, cst.BaseExpression]
) -> None:
    """`conv.stride = (1, 1)`: the layer with other settings."""
    template = f"with_settings({{layer}}, {', '.join(f'{name}={{{name}}}' for name in settings)})"

    def changed(rewrite: Rewriter) -> cst.BaseExpression:
        given = {name: rewrite.expression(value) for name, value in settings.items()}
        return unit.quote(template, layer=rewrite.expression(layer), **given)

    write_place(unit, line, layer, changed)


def _may_set_pooling(unit: Unit, target: cst.Attribute) -> bool:
    """Whether a layer that pools may be among those of a loop that are given another stride."""
    is_told = unit.facts.effects.bound is not None  # there it is told of anyway
    return not is_told and target.attr.value in SETTINGS and may_be_pooling(unit, target.value)


def _replaces_part(unit: Unit, line: cst.SimpleStatementLine, target: cst.Attribute) -> bool:
    """`model.fc = ...` outside the module's own `__init__`: an immutable module cannot be changed that way."""
    owner, assigned = unit.facts.values(target.value), unit.facts.values(target).kind
    is_module = owner.kind is Kind.MODULE or LISTED_MODULE in owner.types
    if not unit.facts.target.immutable or not (is_module or (owner.kind is Kind.UNKNOWN and assigned is Kind.MODULE)):
        return False
    if target.attr.value in ("data", "requires_grad", "training", "grad"):
        return False
    function = unit.facts.program.function_around(line)
    return function is None or dotted(target.value) is None or dotted(target.value) != function.self_name


def _moved_together(unit: Unit, node: cst.Tuple) -> None:
    """`x.to(device), y.to(device)` -> `jax.device_put((x, y), device)`."""
    calls = [element.value for element in node.elements]
    devices: set[str] = set()
    for call in calls:
        if not isinstance(call, cst.Call) or not isinstance(call.func, cst.Attribute) or call.func.attr.value != "to":
            return
        if unit.facts.values(call.func.value).kind is not Kind.TENSOR:
            return
        device, dtype = split_move(unit.facts.values, call)
        if device is None or dtype is not None:
            return
        devices.add(code(device))
    if len(devices) != 1 or len(calls) < 2:
        return
    for call in calls:
        unit.settled.add(call)

    def build(rewrite: Rewriter) -> cst.BaseExpression:
        moved = [rewrite.expression(call.func.value) for call in calls]  # type: ignore[attr-defined]
        return quote(f"jax.device_put({{values}}, {min(devices)})", values=as_tuple(moved))

    unit.edits.replace(node, build)


def _optimizer_state(unit: Unit, line: cst.SimpleStatementLine, node: cst.Assign) -> None:
    """Behind `optimizer = optax.adam(...)` the state for the parameters that it was given is made."""
    target = unit.facts.target
    if not isinstance(node.value, cst.Call):
        return
    call = node.value
    if unit.facts.values(call.func).kind not in (Kind.TORCH, Kind.CLASS):
        optimizer_from_function(unit, line, node.targets[0].target, call)
        return
    trained = trained_by(unit, call)
    place = dotted(node.targets[0].target) if len(node.targets) == 1 else None
    if trained is None or place is None:
        unit.problem(call, "T2J501", name=place or "the optimizer")
        no_state(unit, line, place)
        return
    given, is_own = given_parameters(call), unit.facts.values(call.func).kind is Kind.CLASS
    if is_own and given is not None:
        list_all(unit, trained, given)
    elif not trained.grouped and given is not None:
        unit.settle(given)
    function = unit.facts.program.function_around(line)
    companion = companion_place(unit, function, place, "opt_state")
    if companion is not None or target.optimizer_state_of is None:
        no_gradients(unit, line, place)
    if companion is None or target.optimizer_state_of is None:
        return
    values = [unit.facts.values(root) for root in trained.roots]
    unit.edits.after(
        line, lambda rewrite: [initial_state(unit, companion, place, trained.tree(rewrite), values, is_own)]
    )


def _augmented(unit: Unit, line: cst.SimpleStatementLine, node: cst.AugAssign) -> None:
    values = unit.facts.values
    target = node.target
    _refuse_unknown_store(unit, line, target, node.value)
    if isinstance(target, cst.Subscript) and values(target.value).kind is Kind.TENSOR:
        _augmented_part(unit, line, node, target)
    elif values(target).kind is Kind.TENSOR and isinstance(target, (cst.Name, cst.Attribute)):
        operator = OPERATORS.get(type(node.operator))
        template = augmented(operator, values(target), values(node.value)) if operator is not None else ""
        place = without_data(target, unit.facts.values)
        stands = place is target and not _is_inside_module(unit, target)  # Python's own `+=` does what is wanted
        writable = may_write(unit, line, place)
        if not writable or (stands and template in ("", f"{{x}} {operator} {{y}}")):
            return
        if operator is None:
            unit.problem(line, "T2J302", name=code(place), operation=code(node))
        else:
            write_place(
                unit,
                line,
                place,
                lambda rewrite: unit.quote(template, x=rewrite.expression(place), y=rewrite.expression(node.value)),
            )
    elif isinstance(target, cst.Attribute) and (
        _replaces_part(unit, line, target) or (_is_inside_module(unit, target) and is_of_torch(unit, target.value))
    ):
        unit.problem(line, "T2J601", name=target.attr.value, module=code(target.value))
    elif isinstance(target, cst.Subscript) and _may_be_shared_part(unit, target, values(node.value)):
        unit.problem(line, "T2J303", name=code(target), other="a container, a field or a caller")
    elif isinstance(target, cst.Name) and _may_change_argument(unit, target, node):
        unit.problem(line, "T2J208", name=target.value, operator=code(node.operator).strip())


def _may_change_argument(unit: Unit, target: cst.Name, node: cst.AugAssign) -> bool:
    """Whether `p *= 0.5` changes what a caller has given if `p` is a tensor, as an unannotated parameter without a default may
    be in a function that uses torch. Constructors are given numbers, and `n += 1` counts, unless `n` is a tensor elsewhere.
    """
    values, program = unit.facts.values, unit.facts.program
    around = program.index.function_of(target)
    if around is None or values(target).kind is not Kind.UNKNOWN:
        return False
    function = program.functions[around]
    if _is_optional_tensor(values, function, target.value, frozenset()):
        return True
    if program.mentions("numpy"):
        return False
    if function.name == "__init__" or isinstance(node.operator, cst.MatrixMultiplyAssign):
        return False
    value = values(node.value)
    counts = value.is_a(Kind.INT, Kind.BOOL) and not _is_tensor_elsewhere(values, around, target.value)
    may_scale = value.is_a(Kind.FLOAT, Kind.PYTHON, Kind.UNKNOWN, Kind.INT, Kind.BOOL) and not counts
    if not may_scale and not isinstance(node.operator, cst.DivideAssign):
        return False
    given = {
        f"param:{item.name.value}" for item in function.parameters if item.annotation is None and item.default is None
    }
    shown = {root.removeprefix(ITEM) for root in values(target).roots}
    return not shown.isdisjoint(given) and any(
        values(item).kind is Kind.TENSOR for item in descendants(around.body) if isinstance(item, cst.BaseExpression)
    )


def _is_tensor_elsewhere(values: Values, function: cst.FunctionDef, name: str) -> bool:
    """Whether a variable holds a tensor in another place of its function, so that it hardly counts."""
    return any(
        isinstance(item, cst.Name) and item.value == name and values(item).kind is Kind.TENSOR
        for item in own_nodes(function)
    )


def _is_optional_tensor(values: Values, function: Function, name: str, seen: frozenset[str]) -> bool:
    """Whether a variable is an unannotated parameter or a tensor: `b = torch.ones(3) if b is None else b`."""
    optional = {
        item.name.value
        for item in function.parameters
        if item.annotation is None and (item.default is None or dotted(item.default) == "None")
    }
    given = [
        item.value
        for item in own_nodes(function.node)
        if isinstance(item, cst.Assign) and any(name in bound_names(target.target) for target in item.targets)
    ]
    choices = [choice for value in given for choice in _choices(values, value)]
    names = {item.value for item in choices if isinstance(item, cst.Name)}
    if any(values(item).kind is Kind.TENSOR for item in choices) and not optional.isdisjoint({name} | names):
        return True
    others = names - {name} - seen
    return any(_is_optional_tensor(values, function, other, seen | {name}) for other in others)


def _choices(values: Values, node: cst.BaseExpression) -> list[cst.BaseExpression]:
    """What an expression may give: both branches, and what a function was given that hands on what it is given."""
    match node:
        case cst.IfExp(body=first, orelse=second) | cst.BooleanOperation(left=first, right=second):
            return [*_choices(values, first), *_choices(values, second)]
        case cst.Call() if any(_hands_on(callee) for callee in values.callees.get(node, ())):
            given = [argument.value for argument in node.args]
            return [item.body if isinstance(item, cst.Lambda) else item for item in given]
    return [node]


def _hands_on(function: Function) -> bool:
    """Whether a function may give what it was given as it is."""
    names = {item.name.value for item in function.parameters}
    returned = [item.value for item in own_nodes(function.node) if isinstance(item, cst.Return)]
    leaves = [leaf for value in returned if value is not None for leaf in _branches(value)]
    return any(isinstance(leaf, cst.Name) and leaf.value in names for leaf in leaves)


def _branches(node: cst.BaseExpression) -> list[cst.BaseExpression]:
    match node:
        case cst.IfExp(body=first, orelse=second) | cst.BooleanOperation(left=first, right=second):
            return [*_branches(first), *_branches(second)]
    return [node]


def _may_be_shared_part(unit: Unit, target: cst.Subscript, value: Value) -> bool:
    """Whether `items[0] += y` changes an argument that is kept in a container, or may change what others hold, too: a part of
    something of which nothing is known.
    """
    values, function = unit.facts.values, unit.facts.program.index.function_of(target)
    part, container = values(target), values(target.value)
    if part.kind is Kind.TENSOR and container.is_a(Kind.LIST, Kind.TUPLE, Kind.DICT) and function is not None:
        params = unit.facts.program.functions[function].parameters
        return any(
            f"param:{param.name.value}" in part.roots and values(param.name).kind is Kind.TENSOR for param in params
        )
    shared = any(root == "*" or root.startswith("param:") for root in part.roots)
    is_list = container.is_a(Kind.LIST, Kind.TUPLE)
    return is_list and part.kind is Kind.UNKNOWN and shared and value.is_a(Kind.UNKNOWN, Kind.TENSOR)


def _augmented_part(unit: Unit, line: cst.SimpleStatementLine, node: cst.AugAssign, target: cst.Subscript) -> None:
    """`x[i] += y` -> `x = x.at[i].add(y)`, or `x = x.at[i].set(x[i] + y)` where JAX has no such method."""
    values = unit.facts.values
    operator, method = OPERATORS.get(type(node.operator)), _AT_METHODS.get(type(node.operator))
    if operator is None:
        unit.problem(line, "T2J302", name=code(node))
        return
    stored = values(node.value)
    template = augmented(operator, values(target), stored)
    adds = not values(target.value).may_be("bool")  # JAX adds no truth values in place
    mask = _mask(unit, target) if stored.is_number or stored.kind is Kind.TENSOR else None
    if mask is not None and _inner_part(unit, line, target) is None:
        _combine(unit, line, target, mask, template, node.value)
        return
    if method is not None and adds and "power" not in template and _indexes_once(values, target):
        _store(unit, line, target, lambda rewrite: rewrite.expression(node.value), stored, method)
        return

    def build(rewrite: Rewriter) -> cst.BaseExpression:
        return unit.quote(template, x=rewrite.expression(target), y=rewrite.expression(node.value))

    _store(unit, line, target, build, stored, None)


def _combine(
    unit: Unit,
    line: cst.SimpleStatementLine,
    target: cst.Subscript,
    mask: cst.BaseExpression,
    template: str,
    operand: cst.BaseExpression,
) -> None:
    """`x[mask] += 1` -> `x = jnp.where(mask, x + 1, x)`: the shape is known, and it is `where` that leaves the others."""
    values, place = unit.facts.values, without_data(target.value, unit.facts.values)
    if not may_write(unit, line, place):
        return
    base, stored = values(target.value), values(operand)
    room = (base.rank or 0) - (values(mask).rank or (base.rank or 0))
    is_one = stored.is_number or (stored.rank is not None and stored.rank <= room)
    is_exact = _whole_mask(unit, target) is not None and _fits(base, stored)
    is_power = isinstance(stored.const, int) and stored.const > 0
    is_guarded = ("**" in template or "power" in template) and not is_power  # others may have none, nor a gradient
    where = "jnp.where({mask}, {result}, {x})" if is_exact else "set_where({x}, {mask}, {result})"

    def build(rewrite: Rewriter) -> cst.BaseExpression:
        x, y, given = (rewrite.expression(item) for item in (target.value, operand, mask))
        y = y if is_one else unit.quote("placed({y}, {mask}, {x})", x=x, y=y, mask=given)
        old = unit.quote("set_where({x}, ~{mask}, 1)", x=x, mask=given) if is_guarded else x
        return unit.quote(where, x=x, mask=given, result=unit.quote(template, x=old, y=y))

    write_place(unit, line, place, build)


def is_of_torch(unit: Unit, module: cst.BaseExpression) -> bool:
    """Whether a module is a layer of torch, whose attributes are parameters or settings."""
    return any(name in unit.facts.tables.layers for name in unit.facts.values(module).types)


def _is_inside_module(unit: Unit, target: cst.BaseExpression) -> bool:
    """Whether a place is a part of a module that cannot be changed where it lies."""
    if not isinstance(target, cst.Attribute) or not unit.facts.target.immutable or is_state(unit, target):
        return False
    return unit.facts.values(target.value).kind is Kind.MODULE and split_place(unit, target)[1] is not None


def _indexes_once(values: Callable[[cst.CSTNode], Value], target: cst.Subscript) -> bool:
    """Whether no element can be indexed twice: integers, slices and masks."""
    for element in target.slice:
        if isinstance(element.slice, cst.Slice):
            continue
        assert isinstance(element.slice, cst.Index)
        value = values(element.slice.value)
        if value.kind is Kind.INT or (value.const in (None, ...) and value.kind in (Kind.NONE, Kind.PYTHON)):
            continue
        if value.kind is Kind.TENSOR and (value.dtype == "bool" or value.rank == 0):
            continue
        return False
    return True


def _store(
    unit: Unit,
    line: cst.SimpleStatementLine,
    target: cst.Subscript,
    value: Callable[[Rewriter], cst.BaseExpression],
    stored: Value,
    method: str | None,
) -> None:
    """`x[index] = value` -> `x = x.at[index].set(value)`; a mask of x's own shape and a number -> `jnp.where`."""
    base, inner = target.value, _inner_part(unit, line, target)
    if inner is not None:
        base = inner.value
        if isinstance(base, cst.Subscript) or not (_selects(unit, inner) and _is_view(unit, target)):
            unit.problem(line, "T2J301", name=code(target), base=code(inner))
            return
    place = without_data(base, unit.facts.values)
    if not may_write(unit, line, place):
        return
    mask = _mask_of_number(unit, line, target, stored) if method is None else None
    if mask is not None:
        is_exact = _whole_mask(unit, target) is not None and _fits(unit.facts.values(base), stored)
        template = "jnp.where({mask}, {value}, {x})" if is_exact else "set_where({x}, {mask}, {value})"

        def filled(rewrite: Rewriter) -> cst.BaseExpression:
            holes = {"mask": rewrite.expression(mask), "value": value(rewrite), "x": rewrite.expression(base)}
            return unit.quote(template, **holes)

        write_place(unit, line, place, filled)
        return
    index = _index_of_number(unit, line, target, stored) if method is None else None
    if index is not None:
        write_place(
            unit,
            line,
            place,
            lambda rewrite: unit.quote(
                "fill_at({x}, {index}, {value})",
                x=rewrite.expression(base),
                index=rewrite.expression(index),
                value=value(rewrite),
            ),
        )
        return
    in_order = _needs_values_in_order(unit, target, stored)
    if not in_order or unit.facts.values(target).rank is not None:
        value = _fitted(unit, target, value, stored)
    if in_order:
        if inner is not None or not _store_in_order(unit, line, target, value, method):
            unit.problem(line, "T2J201", name="x[mask] = values", argument="values")
        return
    how = method or "set"

    def build(rewrite: Rewriter) -> cst.BaseExpression:
        rewritten = rewrite.inside(target)
        assert isinstance(rewritten, cst.Subscript)
        if inner is not None:
            first = rewrite.inside(inner)
            assert isinstance(first, cst.Subscript)
            comma = cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
            rewritten = rewritten.with_changes(
                slice=[*(item.with_changes(comma=comma) for item in first.slice), *rewritten.slice]
            )
        holder = rewrite.expression(place)
        is_array = unit.facts.values(base).types & {"host", "buffer"} or _is_picked_of_buffer(unit, base)
        if is_array and not is_state(unit, place):
            holder = quote("jnp.asarray({x})", x=holder)
        at = rewritten.with_changes(value=quote("{x}.at", x=holder))
        return quote(f"{{at}}.{how}({{value}})", at=at, value=value(rewrite))

    write_place(unit, line, place, build)


def _is_picked_of_buffer(unit: Unit, node: cst.BaseExpression) -> bool:
    """Whether a variable holds a part of a buffer, which is an array of NumPy where no layer changes it: `self.table[index]`."""
    found = unit.facts.program.definitions.only(node) if isinstance(node, cst.Name) else None
    line = unit.facts.program.definitions.assignment(found) if found is not None else None
    picked = line.value if line is not None else None
    return isinstance(picked, cst.Subscript) and "buffer" in unit.facts.values(picked.value).types


def _fitted(
    unit: Unit, target: cst.Subscript, value: Callable[[Rewriter], cst.BaseExpression], stored: Value
) -> Callable[[Rewriter], cst.BaseExpression]:
    """What is stored, without leading axes of length 1 that the part does not have: torch drops them."""
    room = unit.facts.values(target).rank
    if stored.kind is not Kind.TENSOR:
        return value
    if stored.rank is not None and room is not None and stored.rank > room:
        axes = ", ".join(str(axis) for axis in range(stored.rank - room))
        axis = axes if stored.rank == room + 1 else f"({axes})"
        return lambda rewrite: unit.quote(f"jnp.squeeze({{x}}, axis={axis})", x=value(rewrite))
    if not stored.has_ranks:
        return value
    if room is not None:
        return lambda rewrite: unit.quote(f"drop_leading({{x}}, {room})", x=value(rewrite))

    def build(rewrite: Rewriter) -> cst.BaseExpression:
        part = rewrite.inside(target)
        assert isinstance(part, cst.BaseExpression)
        return unit.quote("drop_leading({x}, {part}.ndim)", x=value(rewrite), part=part)

    return build


def _inner_part(unit: Unit, line: cst.SimpleStatementLine, target: cst.Subscript) -> cst.Subscript | None:
    """`x[i]` of `x[i][j]`, unless that is a slot of a container."""
    base = target.value
    return base if isinstance(base, cst.Subscript) and not _is_slot(unit, line, base) else None


def _mask_of_number(
    unit: Unit, line: cst.SimpleStatementLine, target: cst.Subscript, stored: Value
) -> cst.BaseExpression | None:
    """The mask that says where one number is stored."""
    is_number = stored.is_number or (stored.kind is Kind.TENSOR and stored.rank == 0)
    if not is_number or _inner_part(unit, line, target) is not None:
        return None
    return _mask(unit, target)


def _index_of_number(
    unit: Unit, line: cst.SimpleStatementLine, target: cst.Subscript, stored: Value
) -> cst.BaseExpression | None:
    """The only index under which a function stores one number, if it may be a mask: compiled code takes no such indices."""
    is_number = stored.is_number or (stored.kind is Kind.TENSOR and stored.rank == 0)
    only = target.slice[0].slice if len(target.slice) == 1 else None
    if not isinstance(only, cst.Index) or isinstance(unit.facts.program.index.parents[target], cst.AugAssign):
        return None
    if not is_number or _inner_part(unit, line, target) is not None:
        return None
    in_step = any(line in step.forward for step in unit.facts.steps)
    if unit.facts.program.function_around(line) is None and not in_step:
        return None
    known = unit.facts.values(only.value)
    is_open = known.kind is Kind.TENSOR and known.dtype is None and known.rank != 0
    return only.value if is_open and (not known.among or known.may_be("bool")) else None


def _fits(target: Value, stored: Value) -> bool:
    """Whether `jnp.where` keeps the target's dtype: torch cuts what is stored to it."""
    if target.dtype is None:  # most are floating; what no integer could hold says so
        is_huge = isinstance(stored.const, float) and abs(stored.const) > 1e4
        return is_huge or stored.kind is Kind.BOOL or (stored.kind is Kind.INT and not target.may_be("bool"))
    if stored.kind is Kind.TENSOR:
        return stored.dtype == target.dtype
    kept = {Kind.BOOL} if target.dtype == "bool" else {Kind.BOOL, Kind.INT}
    return stored.kind in kept or (target.dtype in FLOATS and stored.kind in {Kind.INT, Kind.FLOAT})


def _selects(unit: Unit, inner: cst.Subscript) -> bool:
    """Whether all indices of `x[i]` in `x[i][j]` are numbers: it is `x[i, j]`."""
    values = unit.facts.values
    return values(inner.value).kind is Kind.TENSOR and all(
        isinstance(element.slice, cst.Index) and values(element.slice.value).kind is Kind.INT for element in inner.slice
    )


def _mask(unit: Unit, target: cst.Subscript) -> cst.BaseExpression | None:
    """The mask if the only index is a boolean tensor."""
    if len(target.slice) != 1 or not isinstance(target.slice[0].slice, cst.Index):
        return None
    index = target.slice[0].slice.value
    mask = unit.facts.values(index)
    return index if mask.kind is Kind.TENSOR and mask.dtype == "bool" else None


def _whole_mask(unit: Unit, target: cst.Subscript) -> cst.BaseExpression | None:
    """The mask if it has the rank of the indexed tensor."""
    index = _mask(unit, target)
    if index is None:
        return None
    mask, base = unit.facts.values(index), unit.facts.values(target.value)
    if mask.rank is not None and mask.rank == base.rank:
        return index
    compared = index.left if isinstance(index, cst.Comparison) else None
    return index if compared is not None and code(compared) == code(target.value) else None


def _store_in_order(
    unit: Unit,
    line: cst.SimpleStatementLine,
    target: cst.Subscript,
    value: Callable[[Rewriter], cst.BaseExpression],
    method: str | None,
) -> bool:
    """`x[mask] = z[mask] * 2` takes whole arrays, `x[mask] = values` puts the values in order where the mask holds."""
    if method is not None or unit.facts.values(target.value).types & {"host", "buffer"}:
        return False
    if len(target.slice) != 1:
        return _store_in_order_at(unit, line, target, value)
    if not isinstance(target.slice[0].slice, cst.Index):
        return False
    mask, place = target.slice[0].slice.value, target.value
    small = line.body[0]
    stored = small.value if isinstance(small, cst.Assign) and small.targets[0].target is target else None
    whole = stored is not None and _masked_alike(unit, stored, target)

    def build(rewrite: Rewriter) -> cst.BaseExpression:
        name = "set_where" if whole else "set_masked"
        return unit.quote(
            f"{name}({{x}}, {{mask}}, {{value}})",
            x=rewrite.expression(place),
            mask=rewrite.expression(mask),
            value=_without_mask(rewrite, stored) if whole and stored is not None else value(rewrite),
        )

    write_place(unit, line, place, build)
    return True


def _store_in_order_at(
    unit: Unit, line: cst.SimpleStatementLine, target: cst.Subscript, value: Callable[[Rewriter], cst.BaseExpression]
) -> bool:
    """`x[i, mask] = values`: one mask beside whole numbers and slices."""
    parts = [item.slice.value for item in target.slice if isinstance(item.slice, cst.Index)]
    others = [
        value for value in map(unit.facts.values, parts) if not (value.kind is Kind.TENSOR and value.dtype == "bool")
    ]
    if len(others) != len(parts) - 1 or any(value.kind not in (Kind.INT, Kind.UNKNOWN) for value in others):
        return False

    def build(rewrite: Rewriter) -> cst.BaseExpression:
        inside = cst.ensure_type(rewrite.inside(target), cst.Subscript)
        index = cst.ensure_type(quote("jnp.s_[0]"), cst.Subscript).with_changes(slice=inside.slice)
        holes = {"x": rewrite.expression(target.value), "index": index, "value": value(rewrite)}
        return unit.quote("set_masked_at({x}, {index}, {value})", **holes)

    write_place(unit, line, target.value, build)
    return True


def _masked_alike(unit: Unit, node: cst.BaseExpression, target: cst.Subscript) -> bool:
    """Whether an expression is computed, element by element, of numbers and of tensors like the target under its mask."""
    values = unit.facts.values
    match node:
        case cst.Subscript():
            rank, other = values(target.value).rank, values(node.value).rank
            is_tensor = values(node.value).kind is Kind.TENSOR and isinstance(node.value, (cst.Name, cst.Attribute))
            same = rank == other or None in (rank, other)
            return is_tensor and same and code(node)[len(code(node.value)) :] == code(target)[len(code(target.value)) :]
        case cst.BinaryOperation(left=left, right=right):
            if not isinstance(node.operator, (cst.Add, cst.Subtract, cst.Multiply)) and not values(right).is_number:
                return False  # where the mask does not hold there may be zeros, and gradients that are no numbers
            parts = [part for part in (left, right) if not values(part).is_number]
            return bool(parts) and all(_masked_alike(unit, part, target) for part in parts)
        case cst.UnaryOperation(operator=cst.Minus(), expression=inner):
            return _masked_alike(unit, inner, target)
    return False


def _without_mask(rewrite: Rewriter, node: cst.BaseExpression) -> cst.BaseExpression:
    match node:
        case cst.Subscript():
            return rewrite.expression(node.value)
        case cst.BinaryOperation(left=left, right=right):
            return node.with_changes(left=_without_mask(rewrite, left), right=_without_mask(rewrite, right))
        case cst.UnaryOperation(expression=inner):
            return node.with_changes(expression=_without_mask(rewrite, inner))
    return rewrite.expression(node)


def _needs_values_in_order(unit: Unit, target: cst.Subscript, stored: Value) -> bool:
    """`x[mask] = tensor`: the values go to the True positions in order, which has no fixed shape."""
    if stored.kind not in (Kind.TENSOR, Kind.UNKNOWN) or stored.rank == 0:
        return False
    for element in target.slice:
        if isinstance(element.slice, cst.Index):
            value = unit.facts.values(element.slice.value)
            if value.kind is Kind.TENSOR and value.dtype == "bool":
                return True
    return False
