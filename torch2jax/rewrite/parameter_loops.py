"""Loops over parameters that change them: the body becomes a function, applied to each parameter.

for p, q in zip(ema.parameters(), model.parameters()):    ->   ema = map_parameters(
    p.mul_(decay).add_(q, alpha=1 - decay)                         lambda p, q: p * decay + (1 - decay) * q, ema, model)
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from torch2jax.facts.gradient_reads import gradient_change
from torch2jax.facts.module_state import gives_self, init_methods
from torch2jax.facts.parameter_loops import ParameterLoop
from torch2jax.plan.model import CallPlan
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.definitions import How
from torch2jax.program.program import Function, dotted
from torch2jax.rewrite.kept_frozen import FROZEN_AS_BEFORE, may_be_frozen_by_now
from torch2jax.rewrite.local_names import local_name
from torch2jax.rewrite.statements import split_place
from torch2jax.rewrite.tied_weights import tied_in_loop
from torch2jax.rewrite.trained_flags import ask_by_name, in_doubt
from torch2jax.rewrite.training import gradients_of
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import Rewriter, always
from torch2jax.syntax.quote import names_in, quote, quote_statement, quote_statements
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_ENTRY = re.compile(r"(\w+)\[(\d+)\]")  # of the gradients of several modules, those of one
_LONGEST = 110  # characters of a line that a lambda may stand on


def rewrite_parameter_loops(unit: Unit) -> None:
    """Outline the bodies of all such loops; runs behind training, which says where gradients are, and before statements."""
    for item in unit.facts.loops:
        if item.loop not in unit.settled and not _refused(unit, item) and _knows_gradients(unit, item):
            _outline(unit, item)


def _knows_gradients(unit: Unit, item: ParameterLoop) -> bool:
    """Whether a variable holds the gradients that a loop changes, alone or beside those of other modules, if it changes gradients."""
    held = _gradients_held(unit, item) or ""
    return not item.of_gradients or held.isidentifier() or _ENTRY.fullmatch(held) is not None


def _gradients_held(unit: Unit, item: ParameterLoop) -> str | None:
    """What holds the gradients of the module of a loop: those of the one step that it looks at, where several have some of it."""
    steps = [step for step in unit.facts.steps if step.problem is None]
    looked_at = {
        update: None
        for step in steps
        for update in step.updates
        if any(read.loop is item.loop for read in update.reads)
    }
    if len(looked_at) == 1:
        (update,) = looked_at
        held = gradients_of(unit, update, item.function) if item.place in update.models else None
        is_one = len(update.models) == 1
        return held if held is None or is_one else f"{held}[{update.models.index(item.place)}]"
    key = (item.function, item.place)
    return unit.gradients.get(key) if len(unit.gradients_of_steps.get(key, ())) < 2 else None


def _refused(unit: Unit, item: ParameterLoop) -> bool:
    """Whether the parameters belong to a module whose fields cannot be bound again, or more than they changes."""
    function = item.function
    within = list(descendants(item.loop.body))
    inner = [other.loop.body for other in unit.facts.loops if other.loop in within]
    asked = {node for body in inner for node in descendants(body)}
    for call in within:
        planned = unit.plan.calls.get(call) if isinstance(call, cst.Call) and call not in asked else None
        if planned is not None and planned.rebinds and not _gives_part(item, planned):
            unit.problem(call, "T2J303", name=(planned.before or planned.behind)[0], other=item.changed)
            return True
    if (shared := _shared_storage(unit, item)) is not None:
        unit.problem(item.loop, "T2J303", name=item.changed, other=shared)
        return True
    root, around = item.place.split(".")[0], function
    while around is not None and around.owner is None:  # a method, or a function within one
        around = around.outer
    if (
        item.of_gradients
        or not unit.facts.target.immutable
        or around is None
        or around.owner is None
        or not around.owner.is_module
        or root != around.self_name
    ):
        return False
    if around is function and (is_at_init(around) or _gives_self(unit, item)):
        return False
    unit.problem(item.loop, "T2J601", name=item.place, module=around.owner.name)
    return True


def _shared_storage(unit: Unit, item: ParameterLoop) -> str | None:
    """What holds the storage that a loop gives its parameters, `p.data = start[name]`, and is looked at again: training changes
    both in torch.
    """
    beside = dict(item.others)
    for node in descendants(item.loop.body, cst.Assign):
        target = node.targets[0].target
        if not isinstance(target, cst.Attribute) or target.attr.value != "data" or dotted(target.value) != item.changed:
            continue
        root: cst.BaseExpression = node.value
        while isinstance(root, (cst.Attribute, cst.Subscript)):
            root = root.value
        if not isinstance(root, cst.Name):
            continue
        if root.value in beside and unit.facts.values(beside[root.value]).kind is Kind.MODULE:
            return code(beside[root.value])
        is_place = root is not node.value and unit.facts.program.is_trained
        if is_place and root.value not in beside and _is_looked_at_again(unit, item, root):
            return root.value
    return None


def _is_looked_at_again(unit: Unit, item: ParameterLoop, root: cst.Name) -> bool:
    """Whether a variable is read somewhere else, or what callers have given for it."""
    program, function = unit.facts.program, item.function
    inside = set(descendants(item.loop))
    for definition in program.definitions.of(root):
        if definition.how is not How.PARAMETER or function is None:
            if not inside.issuperset(program.definitions.uses(definition)):
                return True
            continue
        if not function.callers and root.value != function.self_name:
            return True  # for all that is known in this file
        for call in function.callers:
            if not isinstance(call, cst.Call):
                return True
            given = dict(arguments_by_parameter(function, call, unit.facts.values)).get(root.value)
            if not isinstance(given, cst.Name) or given not in program.index.parents:
                continue
            reads = [use for found in program.definitions.of(given) for use in program.definitions.uses(found)]
            if any(use is not given for use in reads) or any(map(_repeats, program.index.ancestors(given))):
                return True
    return False


def _repeats(node: cst.CSTNode) -> bool:
    return isinstance(node, (cst.For, cst.While))


def _gives_part(item: ParameterLoop, planned: CallPlan) -> bool:
    """Whether a call gives back the module in the variable of a loop, or a part of it, and nothing else."""
    roots = {re.split(r"\W", place)[0] for place in planned.before} - {"_"}
    return item.of_modules and not planned.behind and roots == {item.changed}


def is_at_init(function: Function) -> bool:
    """Whether a method only runs while its module is made."""
    return function.owner is not None and function in init_methods(function.owner)


def _outline(unit: Unit, item: ParameterLoop) -> None:
    loop, target = item.loop, unit.facts.target
    unit.settle(loop.iter)
    key, own_key = unit.plan.keys.get(loop.iter), unit.plan.loop_key.get(loop, target.key)
    gradients = None if item.of_gradients else _read_gradients(unit, item)
    _drop_frame(unit, item)
    for node in descendants(loop.body):
        if isinstance(node, cst.Attribute) and isinstance(node.value, cst.Name) and node.attr.value == "data":
            if not item.of_modules and node.value.value in {item.changed, *(name for name, _ in item.others)}:
                unit.edits.replace(node, always(node.value))
                unit.settled.add(node)
        elif isinstance(node, cst.SimpleStatementLine):
            _copy(unit, item, node)
            _put_back(unit, item, node)
        elif isinstance(node, cst.Continue) and _belongs(unit, node, loop):
            space = cst.SimpleWhitespace(" ")
            unit.edits.replace(node, always(cst.Return(cst.Name(item.changed), whitespace_after_return=space)))
    used, name, name_of_helper = names_in(loop.body), item.name, _helper(unit, item)
    flagged = [] if item.is_own or item.of_modules else list(_read_flags(unit, item))
    if flagged:
        name = item.name or local_name(unit, loop, "name")
        for node in flagged:
            ask_by_name(unit, node, name, item.place)
    named = bool(flagged) or (name is not None and name in used)
    others = [(name, source) for name, source in item.others if name in used or item.of_gradients]
    parameters = [*([str(name)] if named else []), item.changed, *(name for name, _ in others)]
    parameters += ["grad"] if gradients else []

    def build(rewrite: Rewriter) -> list[cst.BaseStatement]:
        body = rewrite(loop.body)
        assert isinstance(body, cst.IndentedBlock)
        place = str(_gradients_held(unit, item)) if item.of_gradients else item.place
        if loop in unit.plan.loop_keys:
            names = ", ".join(unit.plan.loop_keys[loop])
            split = f"{names} = jax.random.split({own_key}, {len(unit.plan.loop_keys[loop])})"
            body = body.with_changes(body=[quote_statement(split), *body.body])
        models = [code(rewrite.expression(source)) for _, source in others] + ([gradients] if gradients else [])
        options = [*(["named=True"] if named else []), *([f"{target.key}={key}"] if key else [])]
        sets_all = name_of_helper == "set_parameters" and target.replaced is not None
        tied = tied_in_loop(unit, loop, item.function) if sets_all and item.function is not None else None
        options += [f"tied={tied}"] if tied else []
        rest = ", ".join([place, *models, *options])
        helper = unit.spell(f"{'set_tied_parameters' if tied else name_of_helper}()").removesuffix("()")
        signature = ", ".join([*parameters, *([f"*, {own_key}"] if key else [])])
        value = _single_value(body, item.changed)
        before, behind = _binding(unit, item)
        kept = _keeping_frozen(unit, item)
        before, behind = f"{before}{kept[0]}", f"{kept[1]}{behind}"
        if (
            value is not None
            and not item.of_modules
            and not item.carried
            and not _has_comment(loop)
            and own_key == target.key
        ):
            text = f"{before}{helper}(lambda {signature}: {code(value)}, {rest}){behind}"
            if len(text) + 4 * _depth(unit, loop) <= _LONGEST:
                where = quote(f"lambda {signature}: {{value}}", value=value)
                return [quote_statement(f"{before}{helper}({{function}}, {rest}){behind}", function=where)]
        function = local_name(unit, loop, _wish(unit, item))
        given = function
        if key and own_key != target.key:
            given = f"lambda *given, {target.key}: {function}(*given, {own_key}={target.key})"
        applied_text = f"{before}{helper}({given}, {rest}){behind}"
        definition, applied = quote_statements(f"def {function}({signature}):\n    pass\n\n{applied_text}\n")
        assert isinstance(definition, cst.FunctionDef)
        full = body.with_changes(body=[*_declared(unit, item), *_returning(body, item.changed)])
        blank = [cst.EmptyLine(indent=False)]
        above = lines_above(unit, loop)
        return [definition.with_changes(body=full, leading_lines=above), applied.with_changes(leading_lines=blank)]

    unit.edits.rewrite_statement(loop, build)


def _drop_frame(unit: Unit, item: ParameterLoop) -> None:
    """The lines that take a gradient, and give it back, are the parameter and the result of the function."""
    change = gradient_change(item.loop) if item.of_gradients else None
    for line in (change.first, change.last) if change is not None else ():
        unit.settle(line)
        unit.settled.update(descendants(line))
        unit.edits.remove(line)


def _declared(unit: Unit, item: ParameterLoop) -> Iterator[cst.BaseStatement]:
    """What says that counters and sums are those of the code around the function."""
    function = item.function
    declared = (
        unit.facts.flows.liveness(function).flow.global_names if function is not None else frozenset(item.carried)
    )
    outer = [name for name in item.carried if name in declared]
    inner = [name for name in item.carried if name not in declared]
    for word, names in (("global", outer), ("nonlocal", inner)):
        if names:
            yield quote_statement(f"{word} {', '.join(names)}")


def _read_flags(unit: Unit, item: ParameterLoop) -> Iterator[cst.Attribute]:
    """Where a body asks whether its parameter is trained, if that can be in doubt."""
    for node in descendants(item.loop.body):
        match node:
            case cst.Attribute(value=cst.Name(variable), attr=cst.Name("requires_grad")) if variable == item.changed:
                if not isinstance(unit.facts.program.index.parents[node], cst.AssignTarget) and in_doubt(unit, node):
                    yield node


def _binding(unit: Unit, item: ParameterLoop) -> tuple[str, str]:
    """What stands around the new module: the name that it is bound to, or the module that it becomes a part of."""
    if item.of_gradients:
        return _binding_of_gradients(unit, item)
    if (item.is_own and not _gives_self(unit, item)) or not unit.facts.target.immutable:
        return "", ""
    holder, path = _holder(unit, item)
    if path is None or unit.facts.target.replaced is None:
        return f"{item.place} = ", ""
    text = unit.facts.target.replaced.replace("{where}", f"lambda m: m{path}").replace("{model}", holder)
    before, _, behind = text.partition("{value}")
    return f"{holder} = {before}", behind


def _binding_of_gradients(unit: Unit, item: ParameterLoop) -> tuple[str, str]:
    """`grads = `, or `grads = (` and `, grads[1])` where the gradients of several modules are held together."""
    own = str(_gradients_held(unit, item))
    entry = _ENTRY.fullmatch(own)
    if entry is None:
        return f"{own} = ", ""
    texts = [found for (function, _), found in unit.gradients_of_steps.items() if function is item.function]
    held = set[str]().union(*texts)
    number = max(int(found[2]) for text in held if (found := _ENTRY.fullmatch(text)) and found[1] == entry[1]) + 1
    place = int(entry[2])
    before = "".join(f"{entry[1]}[{n}], " for n in range(place))
    behind = "".join(f", {entry[1]}[{n}]" for n in range(place + 1, number))
    return f"{entry[1]} = ({before}", f"{behind})"


def _holder(unit: Unit, item: ParameterLoop) -> tuple[str, str | None]:
    """What can be bound again, `self.net`, and the path to the module of a loop inside of it, `.online`, if it is a part of that."""
    for node in descendants(item.loop):
        if isinstance(node, cst.Attribute) and dotted(node) == item.place:
            holder, path = split_place(unit, node)
            if holder is not None:
                return code(holder), path
    return item.place, None


def _keeping_frozen(unit: Unit, item: ParameterLoop) -> tuple[str, str]:
    """What stands around the module where it gets other parts, and may have frozen parameters that are in these."""
    holder = item.loop.iter.func.value if item.exchanges else None  # type: ignore[attr-defined]
    news = [unit.facts.values(call.args[2].value) for call in item.exchanges]
    if not any(may_be_frozen_by_now(unit, item.loop, holder, new) for new in news):
        return "", ""
    before, _, behind = unit.spell(FROZEN_AS_BEFORE).replace("{m}", item.place).partition("{new}")
    return before, behind


def lines_above(unit: Unit, loop: cst.For) -> list[cst.EmptyLine]:
    """The comments above a loop, or a blank line above the function that its body becomes."""
    block = unit.facts.program.index.parents[loop]
    first = isinstance(block, (cst.IndentedBlock, cst.Module)) and block.body[0] is loop
    blank = [] if first or any(line.comment is None for line in loop.leading_lines) else [cst.EmptyLine(indent=False)]
    return [*blank, *loop.leading_lines]


def _helper(unit: Unit, item: ParameterLoop) -> str:
    if item.of_gradients:
        return "map_gradients"
    sets = item.is_own and not _gives_self(unit, item)
    if item.of_parts:
        return "set_children" if sets else "map_children"
    if item.of_modules:
        return "set_modules" if sets else "map_modules"
    return "set_parameters" if sets else "map_parameters"


def _gives_self(unit: Unit, item: ParameterLoop) -> bool:
    """Whether a loop over the parts of its own module stands in a method that gives the module back."""
    return gives_self(unit.facts.program, item.function)


def _wish(unit: Unit, item: ParameterLoop) -> str:
    if item.of_modules:
        calls = [node for node in descendants(item.loop.body) if isinstance(node, cst.Call)]
        names = [unit.facts.values.torch_name(call.func) or "" for call in calls]
        is_init = item.is_own or any(name.startswith("torch.nn.init.") for name in names)
        return "init_layer" if is_init else "update_layer"
    return "init_parameter" if item.is_own else "update"


def _copy(unit: Unit, item: ParameterLoop, line: cst.SimpleStatementLine) -> None:
    """`p.data.copy_(q.data)`: p is q, where nothing says that q has another shape; the shape is checked when it runs."""
    match line.body:
        case [cst.Expr(value=cst.Call(func=cst.Attribute(value=place, attr=cst.Name("copy_")), args=[argument]))]:
            variables = {item.changed, *(name for name, _ in item.others)}
            value = argument.value
            if argument.keyword is None and not argument.star and _is_like(unit, value, variables):
                if code(place).removesuffix(".data") == item.changed:
                    unit.settled.add(line.body[0].value)
                    unit.settled.update(descendants(place))
                    unit.edits.rewrite_statement(
                        line,
                        lambda rewrite: [quote_statement(f"{item.changed} = {{x}}", x=rewrite.expression(value))],
                    )


def _put_back(unit: Unit, item: ParameterLoop, line: cst.SimpleStatementLine) -> None:
    """`setattr(model, name, layer)`: what the function gives back for this part of the model is the new layer."""
    match line.body:
        case [cst.Expr(value=cst.Call() as call)] if call in item.exchanges:
            unit.settle(call.func)
            unit.settled.add(call)
            unit.edits.rewrite_statement(
                line,
                lambda rewrite: [quote_statement(f"{item.changed} = {{x}}", x=rewrite.expression(call.args[2].value))],
            )


def _is_like(unit: Unit, node: cst.BaseExpression, variables: set[str]) -> bool:
    """Whether an expression is arithmetic of parameters that stand beside each other, and of numbers."""
    match node:
        case cst.Name(value=name) if name in variables:
            return True
        case cst.Attribute(value=inner, attr=cst.Name("data")):
            return _is_like(unit, inner, variables)
        case cst.BinaryOperation(left=left, right=right):
            parts = (left, right)
            tensors = [part for part in parts if not unit.facts.values(part).is_number and not _is_scalar(unit, part)]
            return bool(tensors) and all(_is_like(unit, part, variables) for part in tensors)
        case cst.Call(func=cst.Attribute(value=inner, attr=cst.Name("lerp" | "clone" | "detach" | "to"))):
            return _is_like(unit, inner, variables)
    return False


def _is_scalar(unit: Unit, node: cst.BaseExpression) -> bool:
    """Whether nothing says that an expression is a tensor: `self.decay`, `1 - tau`."""
    if isinstance(node, cst.BinaryOperation):
        return _is_scalar(unit, node.left) and _is_scalar(unit, node.right)
    value = unit.facts.values(node)
    return value.is_number or (value.kind is Kind.UNKNOWN and isinstance(node, (cst.Name, cst.Attribute)))


def _returning(body: cst.IndentedBlock, name: str) -> list[cst.BaseStatement]:
    """The statements of a function that gives back what the last one binds."""
    *others, last = body.body
    value = _single_value(cst.IndentedBlock([last]), name)
    if value is not None and isinstance(last, cst.SimpleStatementLine):
        returned = cst.Return(value, whitespace_after_return=cst.SimpleWhitespace(" "))
        return [*others, last.with_changes(body=[returned])]
    return [*body.body, quote_statement(f"return {name}")]


def _single_value(body: cst.IndentedBlock, name: str) -> cst.BaseExpression | None:
    """The value if a block consists of `name = value`, or of `name -= value`."""
    if len(body.body) != 1 or not isinstance(body.body[0], cst.SimpleStatementLine) or len(body.body[0].body) != 1:
        return None
    match body.body[0].body[0]:
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Name(target))], value=value) if target == name:
            return value
        case cst.AugAssign(target=cst.Name(target), operator=operator, value=value) if target == name:
            sign = code(operator).strip().removesuffix("=")
            return quote(f"{name} {sign} {{value}}", value=value)
    return None


def _has_comment(loop: cst.For) -> bool:
    return any(isinstance(node, cst.Comment) for node in descendants(loop.body))


def _depth(unit: Unit, loop: cst.For) -> int:
    blocks = (cst.FunctionDef, cst.ClassDef, cst.For, cst.While, cst.If, cst.With, cst.Try)
    return sum(isinstance(item, blocks) for item in unit.facts.program.index.ancestors(loop))


def _belongs(unit: Unit, node: cst.Continue, loop: cst.For) -> bool:
    for ancestor in unit.facts.program.index.ancestors(node):
        if isinstance(ancestor, (cst.For, cst.While)):
            return ancestor is loop
    return False


def _read_gradients(unit: Unit, item: ParameterLoop) -> str | None:
    """`p.grad` in the loop is the gradient beside the parameter; the variable that holds those of the module."""
    gradients = _gradients_held(unit, item)
    read = [
        node
        for node in descendants(item.loop.body)
        if isinstance(node, cst.Attribute)
        and node.attr.value == "grad"
        and isinstance(node.value, cst.Name)
        and node.value.value == item.changed
    ]
    if gradients is None or not read:
        return None
    parents = unit.facts.program.index.parents
    for node in read:
        parent = parents.get(node)
        whole = parent if isinstance(parent, cst.Attribute) and parent.attr.value == "data" else node
        if whole not in unit.settled:
            unit.edits.replace(whole, always(cst.Name("grad")))
        unit.settled.update((node, whole))
    return gradients


__all__ = ["is_at_init", "lines_above", "rewrite_parameter_loops"]
