"""Losses that are computed before the steps of others, normalized to losses that stand at their own steps.

q_loss = F.mse_loss(self.q(x, a), y)               q_loss = F.mse_loss(self.q(x, a), y)
value_loss = F.mse_loss(self.value(x), y)          self.q_opt.zero_grad()
self.q_opt.zero_grad()                             q_loss.backward()
q_loss.backward()                           ->     self.q_opt.step()
self.q_opt.step()                                  value_loss = F.mse_loss(self.value(x), y)
self.value_opt.zero_grad()                         self.value_opt.zero_grad()
value_loss.backward()                              value_loss.backward()
self.value_opt.step()                              self.value_opt.step()

Lines go down where nothing that they pass makes a difference to them: the steps are those of other modules.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from torch2jax.facts.contexts import turns_off
from torch2jax.facts.dependence import Dependence
from torch2jax.facts.steps import find_steps
from torch2jax.facts.training import is_clip, method_call
from torch2jax.normalize.evaluation_order import paired, say_one_by_one
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import dotted
from torch2jax.syntax.edits import always_statements
from torch2jax.syntax.quote import names_in
from torch2jax.syntax.walk import bound_names, descendants
from torch2jax.values import Kind, Value, module_sites

Body = Sequence[cst.BaseStatement]


def normalize_early_losses(work: NormalizationRound) -> None:
    """Move the lines of losses down in all blocks with several steps, one of which is not understood as it stands."""
    for block in blocks_of_steps(work):
        if not any(_say_apart(work, line) for line in block.body):
            _move(work, list(block.body))


def blocks_of_steps(work: NormalizationRound) -> Iterator[cst.IndentedBlock | cst.Module]:
    """The blocks with several steps, one of which is not understood as it stands."""
    blocks = [work.index.parents[work.index.statement_of(node)] for node in _passes(work)]
    if len(set(blocks)) == len(blocks):
        return
    assert work.flows is not None
    steps = find_steps(work.program, work.values, work.flows)
    refused = {work.index.parents[step.backward_statement] for step in steps if step.is_refused}
    for block in dict.fromkeys(blocks):
        if block in refused and blocks.count(block) > 1 and isinstance(block, (cst.IndentedBlock, cst.Module)):
            yield block


def _passes(work: NormalizationRound) -> list[cst.Attribute]:
    return [node for node in work.index.attributes if node.attr.value == "backward"]


def _say_apart(work: NormalizationRound, line: cst.BaseStatement) -> bool:
    """Write `p, q = first(x), second(x)`, or `p, q = a, b`, as two lines: each may go down with another loss."""
    pairs = paired(line)
    if not pairs or len(assigned_variables(line)) != len(pairs):
        return False
    if not all(isinstance(value, cst.Call | cst.Name) and work.values(value).kind is Kind.TENSOR for _, value in pairs):
        return False
    say_one_by_one(work, cst.ensure_type(line, cst.SimpleStatementLine))
    return True


def _move(work: NormalizationRound, body: Body) -> None:
    """Move the lines of one loss of a block: the last one that can go to its step."""
    ends = [position for position, line in enumerate(body) if stepping(work, line) is not None]
    passes = [position for position, line in enumerate(body) if method_call(line, "backward") is not None]
    for position in reversed(passes):
        call = method_call(body[position], "backward")
        assert call is not None and isinstance(call.func, cst.Attribute)
        loss = call.func.value
        if not isinstance(loss, cst.Name) or work.values(loss).kind is not Kind.TENSOR:
            continue
        begin = max((end + 1 for end in ends if end < position), default=0)
        target = _first_of_step(body, begin, position)
        lines = _lines_of(work, body, loss.value, target, position)
        if lines and lines != list(range(target - len(lines), target)):
            moved = [work.copy(body[line]) for line in lines]
            for line in lines:
                work.edits.remove(body[line])
            work.edits.before(body[target], always_statements(moved))
            return


def _first_of_step(body: Body, begin: int, end: int) -> int:
    """Where the lines in front of `backward()` begin that empty gradients."""
    while end > begin and method_call(body[end - 1], "zero_grad") is not None:
        end -= 1
    return end


def _lines_of(work: NormalizationRound, body: Body, loss: str, target: int, end: int) -> list[int]:
    """The positions of the lines that compute a loss, which can go to a target. What other losses need behind its step goes
    along where the modules that this step trains compute it.
    """
    dependence = Dependence(work.values, work.program.function_around(body[target]))
    optimizers = [item for line in body[end:] if (item := stepping(work, line)) is not None]
    trained = optimizers[0].sites if optimizers else frozenset[int]()
    last = max(place for place, line in enumerate(body) if method_call(line, "backward") is not None)
    others = [line for line in body[end:last] if assigned_variables(line)]
    wanted, found = {loss}, list[int]()
    for position in range(target - 1, -1, -1):
        names = assigned_variables(body[position])
        if not names or wanted.isdisjoint(names):
            continue
        passed = [body[item] for item in range(position + 1, target) if item not in found]
        sites = set[int]().union(*map(module_sites, called_modules(work, body[position])))
        if any(names & names_in(line) for line in others) and not (sites and sites <= trained):
            continue
        if not _can_pass(work, dependence, body[position], passed):
            return found
        found.insert(0, position)
        wanted |= dependence.of(body[position]).reads
    return found


def assigned_variables(line: cst.CSTNode) -> set[str]:
    """The variables of a line that does nothing but give them values; of a loop those whose lists grow in it, too."""
    match line:
        case cst.SimpleStatementLine(
            body=[cst.Assign(targets=[cst.AssignTarget(target=cst.Name() | cst.Tuple() as it)])]
        ):
            names = bound_names(it)
            parts = [it] if isinstance(it, cst.Name) else [element.value for element in it.elements]
            return set(names) if all(isinstance(part, cst.Name) for part in parts) else set()
        case cst.For(target=target, body=cst.IndentedBlock(body=inner), orelse=None):
            found = [assigned_variables(item) or _appended_to(item) for item in inner]
            return set(bound_names(target)).union(*found) if all(found) else set()
    return set()


def _appended_to(line: cst.CSTNode) -> set[str]:
    """The variable with the list to which a line does nothing but add something."""
    match line:
        case cst.SimpleStatementLine(body=[cst.Expr(value=cst.Call(func=cst.Attribute(value=cst.Name(name))) as call)]):
            return {name} if _appends(call) else set()
    return set()


def _appends(call: cst.Call) -> bool:
    """Whether a call adds something to the list of a variable: `values.append(x)`."""
    match call.func:
        case cst.Attribute(value=cst.Name(), attr=cst.Name("append")):
            return True
    return False


def _can_pass(work: NormalizationRound, dependence: Dependence, line: cst.BaseStatement, passed: Body) -> bool:
    """Whether a line gives the same behind some others, and they the same without it."""
    own = dependence.of(line)
    called = list(called_modules(work, line))
    sites = set[int]().union(*map(module_sites, called))
    if own.world or own.gradients or any(not module_sites(value) for value in called) or _runs_modules(work, line):
        return False
    if any(_is_trained_by_itself(work.values(node)) for node in descendants(line)):
        return False
    for other in passed:
        optimizer = stepping(work, other)
        if optimizer is not None:
            if not _is_of_others(work, optimizer, sites, line):
                return False
        elif acts_on_gradients(work, other):
            continue
        else:
            access = dependence.of(other)
            is_plain = not (access.world or access.trained or access.gradients) or _only_computes(work, other)
            if not is_plain or not dependence.commute(line, other):
                return False
    return True


def _is_of_others(work: NormalizationRound, optimizer: Value, sites: set[int], line: cst.CSTNode) -> bool:
    """Whether an optimizer changes nothing that a line reads, which calls the modules of some sites."""
    tensors = [part for part in optimizer.items or () if part.kind is Kind.TENSOR]
    if tensors:
        methods = {call.func for call in descendants(line, cst.Call)}
        places = [node for node in descendants(line) if isinstance(node, (cst.Name, cst.Attribute))]
        read = [work.values(node) for node in places if node not in methods and not work.index.is_label(node)]
        is_clear = not any(value.kind is Kind.UNKNOWN or "leaf" in value.types for value in read)
        return is_clear and not optimizer.sites and len(tensors) == len(optimizer.items or ())
    trained = optimizer.sites
    return bool(trained) and not trained & sites and not (sites and are_parts(work, trained | sites))


def _is_trained_by_itself(value: Value) -> bool:
    """Whether a value is a parameter of a module, or what trains them."""
    is_parameter = value.kind is Kind.TENSOR and "parameter" in value.types
    return is_parameter or value.kind in (Kind.OPTIMIZER, Kind.SCHEDULER, Kind.PARAMETERS)


def called_modules(work: NormalizationRound, line: cst.CSTNode) -> Iterator[Value]:
    """The modules with parameters that a line speaks of."""
    for node in descendants(line):
        if isinstance(node, (cst.Name, cst.Attribute, cst.Subscript, cst.Call)):
            value = work.values(node)
            if value.kind is Kind.MODULE and not value.is_loss_module:
                yield value


def _runs_modules(work: NormalizationRound, line: cst.CSTNode) -> bool:
    """Whether a line calls functions of the program that may look at parameters by themselves, or what is not known."""
    for call in descendants(line, cst.Call):
        callee = work.values(call.func)
        if callee.kind is Kind.MODULE or work.values.torch_name(call.func) is not None:
            continue
        if isinstance(call.func, cst.Attribute) and work.values(call.func.value).kind in (
            Kind.TENSOR,
            Kind.TORCH_OBJECT,
        ):
            continue
        if not (_appends(call) or _is_method_of_module(work, call)):
            return True
    return False


def _is_method_of_module(work: NormalizationRound, call: cst.Call) -> bool:
    """Whether a call is one of a method of the program's, `forward` among them, of a module that is known."""
    match call.func:
        case cst.Attribute(value=module) if work.values(module).kind is Kind.MODULE:
            return work.values(call.func).kind is Kind.FUNCTION and bool(module_sites(work.values(module)))
    return False


def stepping(work: NormalizationRound, line: cst.CSTNode) -> Value | None:
    """The optimizer of `optimizer.step()`."""
    call = method_call(line, "step")
    if call is None or call.args or not isinstance(call.func, cst.Attribute):
        return None
    value = work.values(call.func.value)
    return value if value.kind is Kind.OPTIMIZER else None


def acts_on_gradients(work: NormalizationRound, line: cst.CSTNode) -> bool:
    """Whether a line computes, empties or clips gradients, or sets the rate of a step, and does nothing else."""
    if method_call(line, "backward") is not None:
        return True
    cleared = method_call(line, "zero_grad")
    if cleared is not None and isinstance(cleared.func, cst.Attribute):
        return dotted(cleared.func.value) is not None
    scheduled = method_call(line, "step")
    if scheduled is not None and isinstance(scheduled.func, cst.Attribute) and not scheduled.args:
        return work.values(scheduled.func.value).kind is Kind.SCHEDULER
    match line:
        case cst.SimpleStatementLine(body=[cst.Expr(value=cst.Call() as call)]):
            return is_clip(call, work.values)
    return False


def _only_computes(work: NormalizationRound, line: cst.CSTNode) -> bool:
    """Whether a line gives variables values and changes no parameters."""
    match line:
        case cst.With(items=[cst.WithItem(item=context)], body=cst.IndentedBlock(body=body)):
            return turns_off(context, work.values) and all(_only_computes(work, item) for item in body)
    return bool(assigned_variables(line)) and not _runs_modules(work, line)


def are_parts(work: NormalizationRound, sites: set[int] | frozenset[int]) -> bool:
    """Whether some module may hold one of these, so that another one has its parameters, too."""
    held = [value for item in work.program.module_classes() for _, value in item.all_fields()]
    return any(module_sites(value) & sites for value in held)


__all__ = [
    "acts_on_gradients",
    "are_parts",
    "assigned_variables",
    "blocks_of_steps",
    "called_modules",
    "normalize_early_losses",
    "stepping",
]
