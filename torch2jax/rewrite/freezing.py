"""Statements that freeze parameters: modules keep the names, and what trains them asks for those.

for p in self.backbone.parameters():    ->    self.untrained = ("backbone",)
    p.requires_grad = False

model.head.requires_grad_(True)         ->    model = unfreeze(model, "head")
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from torch2jax.facts.flag_statements import set_flag
from torch2jax.facts.freezing import Freeze
from torch2jax.facts.infer import Values
from torch2jax.program.program import Function, dotted
from torch2jax.rewrite.local_names import local_name
from torch2jax.rewrite.newly_trained import train_what_is_new
from torch2jax.rewrite.parameter_loops import is_at_init, lines_above
from torch2jax.rewrite.training import filled
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.edits import BuildStatements, Rewriter
from torch2jax.syntax.quote import quote_statement, quote_statements
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_PLAIN = frozenset({"range", "len", "list", "enumerate", "isinstance", "any", "all", "getattr", "str"})
_PARTS = frozenset({"children", "named_children", "modules", "named_modules"})
_LISTING = frozenset({"parameters", "named_parameters", "requires_grad_", "eval"}) | _PARTS


def rewrite_freezing(unit: Unit) -> None:
    """Decide all statements that freeze parameters; runs before the passes that would refuse them."""
    for item in unit.facts.freezing.statements:
        if item.flag is not None:
            _chosen_by_flag(unit, item, item.flag)
        elif item.is_idle:
            unit.settle(item.statement)
            unit.edits.remove(item.statement)
        elif unit.facts.target.freezing is None or _is_late(unit, item) or _trains_made_frozen(unit, item):
            _refuse(unit, item)
        elif _is_within(unit, item):
            _in_setup(unit, item)
        elif not unit.facts.target.immutable and not _runs_late(unit, item):
            _from_outside(unit, item)
        elif item.function is not None and item.place == item.function.self_name:
            _own(unit, item)
        else:
            _from_outside(unit, item)
    train_what_is_new(unit)


def _refuse(unit: Unit, item: Freeze) -> None:
    unit.problem(item.statement, "T2J502", name=f"{item.place}.{item.path}".rstrip("."))


def _trains_made_frozen(unit: Unit, item: Freeze) -> bool:
    """Whether parameters are to be trained that may have been made with requires_grad=False, where no variable says that."""
    is_variable = unit.facts.target.chosen_parameter is not None and unit.facts.target.setup is None
    is_told = item.value is False or is_variable
    if is_told or not unit.facts.effects.makes_frozen_parameters:
        return False
    return item.variable is None or any(
        unit.facts.values(flag).const is not False if isinstance(flag, cst.CSTNode) else flag
        for flag in (set_flag(line, item.variable) for line in descendants(item.statement))
        if flag is not None
    )


def _is_late(unit: Unit, item: Freeze) -> bool:
    """Whether an optimizer may have been made before, whose state would not fit any more."""
    return _is_late_at(unit, item.statement, item.function, item.sites)


def _is_late_at(unit: Unit, node: cst.CSTNode, function: Function | None, sites: frozenset[int]) -> bool:
    program, values = unit.facts.program.home(node), unit.facts.values
    for ancestor in program.index.ancestors(node):
        if isinstance(ancestor, (cst.For, cst.While)) and _trains(values, ancestor):
            return True
        if isinstance(ancestor, cst.FunctionDef):
            break
    order = program.index.order
    for call in program.index.calls:
        if values(call).kind is Kind.OPTIMIZER and order[call] < order[node]:
            same = program.function_around(call) is function
            trained = values(call).sites
            if same and (not trained or not sites or trained & sites) and _is_used_below(unit, call, order, node):
                return True
    return False


def _trains(values: Values, loop: cst.CSTNode) -> bool:
    """Whether a loop calls what may make or use an optimizer: more than parts of models by their place, and their parameters."""
    calls = [item for item in descendants(loop) if isinstance(item, cst.Call)]
    return any(dotted(item.func) not in _PLAIN and not _only_lists(values, item) for item in calls)


def _only_lists(values: Values, call: cst.Call) -> bool:
    if not isinstance(call.func, cst.Attribute):
        return False
    asked = values(call.func.value)
    return asked.kind is Kind.STR or (call.func.attr.value in _LISTING and asked.is_a(Kind.MODULE, Kind.TENSOR))


def _is_used_below(unit: Unit, made: cst.Call, order: dict[cst.CSTNode, int], node: cst.CSTNode) -> bool:
    """Whether an optimizer may be used behind a node."""
    program = unit.facts.program.home(node)
    parent = program.index.parents[made]
    if isinstance(parent, cst.Assign) and len(parent.targets) == 1 and program is unit.facts.program:
        target, definitions = parent.targets[0].target, program.definitions
        found = (
            [item for item in definitions.every_of_name(target) if item.node is target]
            if isinstance(target, cst.Name)
            else []
        )
        if found:
            return any(order[use] > order[node] for item in found for use in definitions.uses(item))
    call = program.index.parents[parent] if isinstance(parent, cst.Arg) else None
    callees = unit.facts.values.callees.get(call, ()) if isinstance(call, cst.Call) else ()
    return not callees or any(item.name == "__init__" for item in callees)


def _runs_late(unit: Unit, item: Freeze) -> bool:
    """Whether a statement about a module's own parameters stands in a method that may run late."""
    function = item.function
    if function is None or item.place != function.self_name or is_at_init(function):
        return False
    return _may_run_late(unit, function)


def _is_within(unit: Unit, item: Freeze) -> bool:
    """Whether a statement runs while a module is made or called, where that has no variables of its own."""
    bound = unit.facts.effects.bound
    return bound is not None and bound.is_inside(unit.facts.program, item.statement)


def _in_setup(unit: Unit, item: Freeze) -> None:
    """The method that makes the parts of a module says which of them are not trained."""
    function = item.function
    is_own = function is not None and is_at_init(function) and item.place == function.self_name
    if function is None or not is_own or item.value is not False:
        _refuse(unit, item)
        return
    paths = [item.path] if item.path else _fields_before(unit, item, function)
    helper = unit.spell("freeze()").removesuffix("()")
    calls = [cst.parse_expression(f"{helper}({item.place}, {_literal(path)})") for path in paths]
    unit.settle(item.statement)
    unit.edits.rewrite_statement(
        item.statement, lambda rewrite: [quote_statement("{call}", call=call) for call in calls]
    )


def _own(unit: Unit, item: Freeze) -> None:
    """In `__init__` the module notes the names."""
    function = item.function
    assert function is not None and function.owner is not None
    if item.value is None and not (_may_run_late(unit, function) and not is_at_init(function)):
        _chosen(unit, item, in_place=True)
        return
    if not is_at_init(function) or item.value is True or _runs_behind(unit, function):
        _in_method(unit, item, function)
        return
    paths = [item.path] if item.path else _fields_before(unit, item, function)
    names = ", ".join(map(_literal, paths))
    first = _is_first(unit, item, function)
    text = f"({names}{',' if len(paths) == 1 else ''})" if first else f"(*{item.place}.untrained, {names})"
    unit.settle(item.statement)
    kept = cst.parse_expression(text)
    unit.edits.rewrite_statement(
        item.statement, lambda rewrite: [quote_statement(f"{item.place}.untrained = {{kept}}", kept=kept)]
    )


def _runs_behind(unit: Unit, function: Function) -> bool:
    """Whether a method that runs while a module is made may run behind that, too."""
    homes = ((call, unit.facts.program.home(call)) for call in function.callers)
    around = [home.function_around(call) for call, home in homes]
    return any(item is None or item.owner is None or not is_at_init(item) for item in around)


def _literal(path: str) -> str:
    """The text of a path as Python writes it."""
    return f'f"{path}"' if "{" in path else f'"{path}"'


def _chosen_by_flag(unit: Unit, item: Freeze, flag: cst.BaseExpression) -> None:
    """A parameter that is made with a flag: without it, the module notes the name."""
    if not unit.facts.target.immutable:
        return  # its variable says it
    assert item.function is not None
    kept = f'("{item.path}",)' if _is_first(unit, item, item.function) else f'(*{item.place}.untrained, "{item.path}")'
    line = f"if not {{flag}}:\n    {item.place}.untrained = {kept}\n"
    unit.edits.after(item.statement, lambda rewrite: [quote_statement(line, flag=rewrite.expression(flag))])


def _in_method(unit: Unit, item: Freeze, function: Function) -> None:
    """Another method changes the names that the module keeps, for all who hold it; compiled code would change a copy."""
    if item.value is None or (_may_run_late(unit, function) and not is_at_init(function)):
        _refuse(unit, item)
        return
    helper = unit.spell("unfreeze_in_place()" if item.value else "freeze_in_place()").removesuffix("()")
    call = _call(helper, item)
    unit.settle(item.statement)
    unit.edits.rewrite_statement(item.statement, lambda rewrite: [quote_statement("{call}", call=call)])


def _call(helper: str, item: Freeze) -> cst.BaseExpression:
    """`freeze(model, "head")`."""
    return cst.parse_expression(f"{helper}({item.place}{f', {_literal(item.path)}' if item.path else ''})")


def _may_run_late(unit: Unit, function: Function) -> bool:
    """Whether a method may run while a loss is computed, or when the state of an optimizer would not fit any more."""
    program, steps = unit.facts.program, (*unit.facts.steps, *unit.facts.steps_elsewhere)
    compiled = {node for step in steps for part in (*step.region, *step.ahead) for node in descendants(part)}
    waiting, seen = [function], {function}
    while waiting:
        item = waiting.pop()
        if item.name in ("forward", "__call__") or not compiled.isdisjoint(item.callers):
            return True
        around = [program.home(call).function_around(call) for call in item.callers]
        if any(_is_late_at(unit, call, place, frozenset()) for call, place in zip(item.callers, around, strict=True)):
            return True
        more = [other for other in around if other is not None and other not in seen]
        seen.update(more)
        waiting += more
    return False


def _fields_before(unit: Unit, item: Freeze, function: Function) -> list[str]:
    """The fields with parameters that a module has when it freezes them all."""
    order = unit.facts.program.index.order
    assert function.owner is not None
    found = []
    for name, value in function.owner.all_fields():
        node = next((part.field_nodes[name] for part in function.owner.lineage if name in part.field_nodes), None)
        is_trained = value.kind is Kind.MODULE or "parameter" in value.types
        if is_trained and (node not in order or order[node] < order[item.statement]):
            found.append(name)
    return found


def _is_first(unit: Unit, item: Freeze, function: Function) -> bool:
    """Whether nothing can have been frozen before a statement of `__init__`."""
    if function.name != "__init__" or function.owner is None or function.owner.base_classes:
        return False
    if unit.facts.program.index.parents.get(item.statement) is not function.node.body:
        return False
    own = [
        other for other in unit.facts.freezing.statements if other.function and other.function.owner is function.owner
    ]
    return own[0] is item and all(other.function is function for other in own)


def _from_outside(unit: Unit, item: Freeze) -> None:
    statement, place = item.statement, item.place
    if item.value is None:
        _chosen(unit, item)
        return
    helper = unit.spell("unfreeze()" if item.value else "freeze()").removesuffix("()")
    call = _call(helper, item)
    unit.settle(statement)
    text = filled(unit.facts.target.freezing, model=place)
    unit.edits.rewrite_statement(statement, lambda rewrite: [quote_statement(text, frozen=call)])


def _chosen(unit: Unit, item: Freeze, in_place: bool = False) -> None:
    """A loop that decides by the names of parameters becomes a function of a name and of the flag."""
    loop, place = item.statement, item.place
    assert isinstance(loop, cst.For) and item.variable is not None
    template = "{frozen}" if in_place else unit.facts.target.freezing
    helper = unit.spell("choose_trained_in_place()" if in_place else "choose_trained()").removesuffix("()")
    name, path = item.name, f", {_literal(item.path)}" if item.path else ""
    unit.settle(loop.iter)
    unit.settle(loop.target)
    flags: dict[cst.CSTNode, cst.BaseExpression | bool] = {}
    for line in dict.fromkeys(descendants(loop.body)):
        flag = set_flag(line, item.variable)
        if flag is not None:
            flags[line] = flag
            unit.settled.update(node for node in descendants(line) if isinstance(node, cst.Attribute))
            unit.settled.update(_calls_of_flag(line))
    if len(loop.body.body) == 1 and loop.body.body[0] in flags:
        unit.settled.add(loop.body.body[0])
        chosen = flags[loop.body.body[0]]
        assert isinstance(chosen, cst.BaseExpression)
        unit.edits.rewrite_statement(
            loop,
            lambda rewrite: [
                quote_statement(
                    filled(
                        template,
                        model=place,
                        frozen=f"{helper}({place}, lambda {name}, requires_grad: {{value}}{path})",
                    ),
                    value=rewrite.expression(chosen),
                )
            ],
        )
        return
    for line, value in flags.items():
        unit.edits.rewrite_statement(line, _flag_statement(value))
    function = local_name(unit, loop, "is_trained")

    def build(rewrite: Rewriter) -> list[cst.BaseStatement]:
        body = rewrite(loop.body)
        assert isinstance(body, cst.IndentedBlock)
        definition, applied = quote_statements(
            f"def {function}({name}, requires_grad):\n    pass\n\n"
            + filled(template, model=place, frozen=f"{helper}({place}, {function}{path})")
        )
        assert isinstance(definition, cst.FunctionDef)
        full = body.with_changes(body=[*body.body, quote_statement("return requires_grad")])
        blank = [cst.EmptyLine(indent=False)]
        above = lines_above(unit, loop)
        return [definition.with_changes(body=full, leading_lines=above), applied.with_changes(leading_lines=blank)]

    unit.edits.rewrite_statement(loop, build)


def _calls_of_flag(line: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """`p.requires_grad_(flag)` on a line of its own."""
    match line:
        case cst.SimpleStatementLine(body=[cst.Expr(value=cst.Call() as call)]):
            yield call


def _flag_statement(value: cst.BaseExpression | bool) -> BuildStatements:
    def build(rewrite: Rewriter) -> list[cst.BaseStatement]:
        new = cst.Name("True") if value is True else rewrite.expression(value)  # type: ignore[arg-type]
        return [quote_statement("requires_grad = {value}", value=new)]

    return build


__all__ = ["rewrite_freezing"]
