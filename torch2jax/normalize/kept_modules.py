"""One name for a module that an object keeps and trains: what training makes of it has no other.

def run(self):                                   ->   def run(self):
    model, steps = self.model, self.steps                 steps = self.steps
    ... loss = model(x).sum() ...                         ... loss = self.model(x).sum() ...

trainer = Trainer(net, loader)                   ->   trainer = Trainer(net, loader)
trainer.run()                                         trainer.run()
print(net(x))                                         print(trainer.model(x))

trainer.fit(net, loader)                         ->   trainer.fit(net, loader)
print(net(x))                                         print(trainer.model(x))

trainer = Trainer(encoder)                       ->   trainer = Trainer(encoder)     # self.net = Critic(encoder)
print(encoder(x))                                     print(trainer.net.encoder(x))

diffusion = Diffusion(unet)                      ->   diffusion = Diffusion(unet)    # a module
optimizer = Adam(unet.parameters())                   optimizer = Adam(diffusion.unet.parameters())

In torch all these names stand for the same object.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import partial

import libcst as cst

from torch2jax.facts.captures import reached
from torch2jax.facts.kept_fields import field_of, itself, made_class, names_field, stores_of, trains
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.definitions import Definition, How
from torch2jax.program.program import Class, Function, dotted
from torch2jax.program.statements import assigned_pairs
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import Rewriter, always, always_statements
from torch2jax.syntax.quote import quote, quote_statement
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind


def normalize_kept_modules(work: NormalizationRound) -> None:
    """Normalize such names where modules are values; elsewhere those whose parameters others train: the loss has the whole."""
    if work.effects is None:
        return
    if not work.effects.threads:
        for call, callees in work.values.callees.items():
            owner = callees[0].owner if len(callees) == 1 and callees[0].name == "__init__" else None
            if owner is not None and owner.is_module and call in work.index.parents:
                _normalize_given(work, call, callees[0], of_parameters=True)
        return
    for function in list(work.program.functions.values()):
        if function.owner is not None and not function.owner.is_module and function.self_name is not None:
            _normalize_names_of_fields(work, function)
            _normalize_own_arguments(work, function)
    for call, callees in work.values.callees.items():
        if call in work.index.parents and len(callees) == 1 and callees[0].name == "__init__":
            _normalize_given(work, call, callees[0])
        elif call in work.index.parents and len(callees) == 1 and callees[0].self_name is not None:
            _normalize_given_later(work, call, callees[0])


# model = self.model


def _normalize_names_of_fields(work: NormalizationRound, function: Function) -> None:
    owner = function.owner
    assert owner is not None
    for line in _lines(function.node.body):
        assign = line.body[0]
        if not isinstance(assign, cst.Assign) or len(assign.targets) != 1:
            continue
        pairs = list(assigned_pairs(assign.targets[0].target, assign.value))
        gone = []
        for target, value in pairs:
            uses = _uses_of_field(work, function, owner, target, value)
            if uses is not None and _is_changed(work, function, uses):
                gone.append(target)
                for use in uses:
                    work.edits.replace(use, partial(_copy, value))
        if gone:
            left = [pair for pair in pairs if pair[0] not in gone]
            work.edits.rewrite_statement(line, partial(without_pairs, line, left))


def _lines(body: cst.CSTNode) -> Iterator[cst.SimpleStatementLine]:
    """The lines of one statement in a block, and in the blocks of `if`s and loops below it."""
    for node in descendants(body):
        if isinstance(node, cst.SimpleStatementLine) and len(node.body) == 1:
            yield node


def _uses_of_field(
    work: NormalizationRound, function: Function, owner: Class, target: cst.BaseExpression, value: cst.BaseExpression
) -> list[cst.Name] | None:
    """The reads of a variable that only ever holds the module in a field which only `__init__` sets; else None."""
    match target, value:
        case cst.Name(), cst.Attribute(value=cst.Name(value=own), attr=cst.Name(value=name)) if (
            own == function.self_name and work.values(value).kind is Kind.MODULE
        ):
            definition = work.program.definitions.bound_once(target)
            if definition is None or work.index.function_of(target) is not function.node:
                return None
            is_kept = stores_of(owner, name) or (function.name != "__init__" and _is_set_at_init(owner, name))
            if not is_kept or _is_rebound(function, own):
                return None
            return reads_of_variable(work, definition)
    return None


def reads_of_variable(
    work: NormalizationRound, definition: Definition, ways: Collection[How] = (How.ASSIGNED, How.PART)
) -> list[cst.Name] | None:
    """The reads of a variable; None where its scope deletes or declares it, or it is bound in another way."""
    uses = work.program.definitions.uses(definition)
    is_plain = all(not isinstance(work.index.parents[use], (cst.Del, cst.NameItem)) for use in uses)
    return uses if is_plain and definition.how in ways else None


def _is_rebound(function: Function, name: str) -> bool:
    """Whether a function, or one in it, binds the name of the object again."""
    return any(
        (isinstance(node, cst.Param) and node.name.value == name)
        or (isinstance(node, cst.AssignTarget) and dotted(node.target) == name)
        for node in descendants(function.node.body)
    )


def _is_set_at_init(owner: Class, name: str) -> bool:
    """Whether a field is set in `__init__`, under whichever conditions, and nowhere else in the class."""
    setting = [
        method
        for item in owner.lineage
        for method in item.methods.values()
        for node in descendants(method.node)
        if isinstance(node, (cst.AssignTarget, cst.AugAssign, cst.AnnAssign)) and names_field(node.target, name)
    ]
    return bool(setting) and all(method.name == "__init__" for method in setting)


def _is_changed(work: NormalizationRound, function: Function, uses: Sequence[cst.Name]) -> bool:
    """Whether a module may change under a name: it is trained here, or a statement calls one of its methods."""
    if any(isinstance(node, cst.Attribute) and node.attr.value == "backward" for node in descendants(function.node)):
        return True
    for use in uses:
        attribute = work.index.parents[use]
        call = work.index.parents.get(attribute)
        if isinstance(attribute, cst.Attribute) and isinstance(call, cst.Call) and call.func is attribute:
            if isinstance(work.index.parents.get(call), cst.Expr):
                return True
    return False


# def epoch(self, model):


def _normalize_own_arguments(work: NormalizationRound, method: Function) -> None:
    """Read a field that a method names, and not the argument by which all its calls, on the object itself, give it the same."""
    owner = method.owner
    calls = [call for call, callees in work.values.callees.items() if method in callees]
    if owner is None or method.name == "__init__" or not calls:
        return
    for param in method.parameters[1:]:
        fields = {_own_field(work, method, call, param.name.value) for call in calls}
        name = fields.pop() if len(fields) == 1 else None
        definition = work.program.definitions.bound_once(param.name)
        if name is None or definition is None or not _is_settled(owner, name):
            continue
        around = [method, *(item for item in reached([method.node.body], work.values) if item.owner is not None)]
        if any(names_field(item.node.body, name) for item in around):
            place = cst.parse_expression(f"{method.self_name}.{name}")
            for use in work.program.definitions.uses(definition):
                work.edits.replace(use, partial(_copy, place))


def _own_field(work: NormalizationRound, method: Function, call: cst.CSTNode, parameter: str) -> str | None:
    """The field with a module that a call of a method, on the object that has it, gives for a parameter."""
    caller = work.program.function_around(call) if call in work.index.parents else None
    if not isinstance(call, cst.Call) or caller is None or caller.self_name is None:
        return None
    if not isinstance(call.func, cst.Attribute) or dotted(call.func.value) != caller.self_name:
        return None
    given = dict(arguments_by_parameter(method, call, work.values)).get(parameter)
    own, _, name = (dotted(given) or "").partition(".")
    is_module = given is not None and work.values(given).kind is Kind.MODULE
    return name if is_module and own == caller.self_name and "." not in name else None


def _is_settled(owner: Class, name: str) -> bool:
    """Whether a field gets one value, besides None."""
    return sum(not _is_none(item) for item in _every_store(owner, name)) == 1


def _copy(value: cst.BaseExpression, rewrite: Rewriter) -> cst.CSTNode:
    return value.deep_clone()


def without_pairs(
    line: cst.SimpleStatementLine,
    left: Sequence[tuple[cst.BaseExpression, cst.BaseExpression]],
    rewrite: Rewriter,
) -> list[cst.BaseStatement]:
    """An assignment with what is left of its targets and values."""
    if not left:
        return []
    assign = line.body[0]
    assert isinstance(assign, cst.Assign)
    target, value = left[0][0], rewrite.expression(left[0][1])
    if len(left) > 1:
        target = cst.Tuple([cst.Element(item) for item, _ in left], lpar=(), rpar=())
        value = cst.Tuple([cst.Element(rewrite.expression(item)) for _, item in left], lpar=(), rpar=())
    bound = assign.targets[0].with_changes(target=target)
    return [line.with_changes(body=[assign.with_changes(targets=[bound], value=value)])]


# trainer = Trainer(net)


def _normalize_given(work: NormalizationRound, call: cst.Call, init: Function, of_parameters: bool = False) -> None:
    """Read the modules that an object is given and trains in its fields, once it has been made; those of a module, which others train."""
    owner, index, definitions = made_class(work.program, work.values, call), work.index, work.program.definitions
    assign = index.parents[call]
    if owner is None or not isinstance(assign, cst.Assign) or len(assign.targets) != 1:
        return
    made, line = assign.targets[0].target, index.parents[assign]
    whole = definitions.bound_once(made) if isinstance(made, cst.Name) else None
    if not isinstance(made, cst.Name) or whole is None or reads_of_variable(work, whole) is None:
        return
    is_repeated = any(isinstance(item, (cst.For, cst.While)) for item in index.ancestors(line))
    by_others = work.program.is_trained
    by_methods = trains(work.values, owner) or (owner.is_module and by_others)
    for parameter, given in arguments_by_parameter(init, call, work.values):
        kind = work.values(given).kind
        if not isinstance(given, cst.Name) or kind not in (Kind.MODULE, Kind.OPTIMIZER):
            continue
        if is_repeated and (kind is Kind.MODULE or not _lives_in_block(work, given, line)):
            continue  # modules that outlive a round are given back to their variables
        own = field_of(work.values, init, owner, parameter)
        if own is not None and owner.is_module and _is_set_outside(work, own):
            continue
        field = own if by_methods else None
        if own is None and kind is Kind.MODULE and (by_methods or by_others):
            field = part_of(work, init, owner, parameter)
        definition = definitions.bound_once(given)
        uses = reads_of_variable(work, definition) if definition is not None and field is not None else None
        if uses is None or index.function_of(given) is not index.function_of(made):
            continue
        behind = [use for use in uses if work.is_behind(use, line)]
        if of_parameters:
            behind = [use for use in behind if _is_asked_for_parameters(index.parents[use])]
        others = [use for use in uses if use not in behind and index.function_of(use) is not index.function_of(made)]
        is_of_one = (own is None or owner.is_module) and any(_becomes_part(work, use, init) for use in behind)
        if others or is_of_one:
            continue  # functions that may run before the object is made; a part of two has no one place
        if any(use in work.edits.nodes for use in behind):
            continue  # given to two objects: one after the other
        seeing = {use: _sees(work, use, made, owner) for use in behind}
        other = made.value if all(seeing.values()) else work.fresh(f"outer_{made.value}")
        for use, sees in seeing.items():
            work.edits.replace(use, always(quote(f"{made.value if sees else other}.{field}")))
        if other != made.value:  # functions have other things by its name
            work.edits.after(line, always_statements([quote_statement(f"{other} = {made.value}")]))
            return


def _is_asked_for_parameters(node: cst.CSTNode) -> bool:
    return isinstance(node, cst.Attribute) and node.attr.value == "parameters"


def _lives_in_block(work: NormalizationRound, given: cst.Name, line: cst.CSTNode) -> bool:
    """Whether a variable is bound in the block of a line, and read nowhere else."""
    definition, block = work.program.definitions.bound_once(given), work.index.parents[line]
    if definition is None or work.index.parents.get(work.index.statement_of(definition.node)) is not block:
        return False
    return all(block in set(work.index.ancestors(use)) for use in work.program.definitions.uses(definition))


def part_of(work: NormalizationRound, init: Function, owner: Class, parameter: str) -> str | None:
    """The place, in a new module that `__init__` keeps in a field, of what it is given for a parameter and keeps nowhere else:
    `net.encoder` of `self.net = Critic(encoder)`.
    """
    bound = next((item.name for item in init.parameters if item.name.value == parameter), None)
    definition = work.program.definitions.bound_once(bound) if bound is not None else None
    uses = work.program.definitions.uses(definition) if definition is not None else []
    whole = [use for use in uses if not isinstance(work.index.parents[use], cst.Attribute)]
    argument = work.index.parents[whole[0]] if len(whole) == 1 else None
    made = work.index.parents[argument] if isinstance(argument, cst.Arg) else None
    store = work.index.parents[made] if made is not None else None
    if not isinstance(made, cst.Call) or not isinstance(store, cst.Assign) or len(store.targets) != 1:
        return None
    own, _, name = (dotted(store.targets[0].target) or "").partition(".")
    if own != init.self_name or not name or stores_of(owner, name) != [made]:
        return None
    inner = _place_in(work, made, whole[0])
    return None if inner is None or _is_set_outside(work, name) else f"{name}{inner}"


def _place_in(work: NormalizationRound, made: cst.Call, given: cst.Name) -> str | None:
    """Where a new module has an argument, and never anything else: `.encoder`, or `[0]` of a sequence."""
    if work.values.torch_name(made.func) == "torch.nn.Sequential":
        is_plain = all(not item.star and item.keyword is None for item in made.args)
        return f"[{[item.value for item in made.args].index(given)}]" if is_plain else None
    callees, item = work.values.callees.get(made, ()), made_class(work.program, work.values, made)
    if item is None or not item.is_module or len(callees) != 1 or callees[0].name != "__init__":
        return None
    for parameter, value in arguments_by_parameter(callees[0], made, work.values):
        name = field_of(work.values, callees[0], item, parameter) if value is given else None
        if name is not None:
            return None if _is_set_outside(work, name) else f".{name}"
    return None


def _becomes_part(work: NormalizationRound, use: cst.Name, init: Function) -> bool:
    """Whether a module is given to a second object of a class, or to a new module."""
    argument = work.index.parents[use]
    call = work.index.parents[argument] if isinstance(argument, cst.Arg) else None
    callees = work.values.callees.get(call, ()) if isinstance(call, cst.Call) else ()
    return any(item is init or (item.name == "__init__" and item.owner and item.owner.is_module) for item in callees)


def _is_set_outside(work: NormalizationRound, name: str) -> bool:
    """Whether a statement sets a field of that name other than that of the object it stands in a method of."""
    for node in work.index.attributes:
        if node.attr.value == name and isinstance(work.index.parents[node], cst.AssignTarget):
            function = work.program.function_around(node)
            if function is None or function.name != "__init__" or dotted(node.value) != function.self_name:
                return True
    return False


# trainer.fit(net)


def _normalize_given_later(work: NormalizationRound, call: cst.Call, method: Function) -> None:
    """Read the modules that an object is given by the one call of a method, and trains in its fields, there from then on."""
    index, definitions = work.index, work.program.definitions
    line = index.statement_of(call)
    held = call.func.value if isinstance(call.func, cst.Attribute) else None
    owner = made_class(work.program, work.values, held) if held is not None else None
    if owner is None or owner.is_module or not isinstance(held, cst.Name) or definitions.bound_once(held) is None:
        return
    calls = [node for node, callees in work.values.callees.items() if method in callees]
    if calls != [call] or not isinstance(line, cst.SimpleStatementLine) or not trains(work.values, owner):
        return
    if any(isinstance(item, (cst.For, cst.While)) for item in index.ancestors(line)):
        return
    for parameter, given in arguments_by_parameter(method, call, work.values):
        if not isinstance(given, cst.Name) or work.values(given).kind is not Kind.MODULE:
            continue
        store, definition = _store_of(work, method, owner, parameter), definitions.bound_once(given)
        uses = reads_of_variable(work, definition) if definition is not None and store is not None else None
        if uses is None or store is None or index.function_of(given) is not index.function_of(held):
            continue
        behind = [use for use in uses if work.is_behind(use, line)]
        others = [use for use in uses if use not in behind and index.function_of(use) is not index.function_of(held)]
        if not others and all(_is_same_variable(work, use, held) for use in behind):
            place = code(store.targets[0].target)
            for use in behind:
                work.edits.replace(use, always(quote(f"{held.value}{place[len(str(method.self_name)) :]}")))
            if method.node in work.program.functions:
                _normalize_argument(work, method, parameter, store)


def _is_same_variable(work: NormalizationRound, use: cst.Name, held: cst.Name) -> bool:
    scopes = work.program.definitions.scopes
    return scopes.lookup(held.value, scopes.around(use)) == scopes.variable(held)


def _store_of(work: NormalizationRound, method: Function, owner: Class, parameter: str) -> cst.Assign | None:
    """The line of a method that keeps an argument in a field, which is empty until then."""
    own = next((item for item in method.parameters if item.name.value == parameter), None)
    if own is None or work.program.definitions.bound_once(own.name) is None:
        return None
    for line in method.node.body.body:
        for small in line.body if isinstance(line, cst.SimpleStatementLine) else ():
            if not isinstance(small, cst.Assign) or len(small.targets) != 1 or itself(small.value) != parameter:
                continue
            root, _, name = (dotted(small.targets[0].target) or "").partition(".")
            if (
                root == method.self_name
                and name
                and all(item is small or _is_none(item) for item in _every_store(owner, name))
            ):
                return small
    return None


def _every_store(owner: Class, name: str) -> list[cst.CSTNode]:
    return [
        node
        for item in owner.lineage
        for node in descendants(item.node)
        if isinstance(node, (cst.Assign, cst.AugAssign, cst.AnnAssign))
        for target in (node.targets if isinstance(node, cst.Assign) else [node])
        if names_field(target.target, name)
    ]


def _is_none(store: cst.CSTNode) -> bool:
    return isinstance(store, cst.Assign) and isinstance(store.value, cst.Name) and store.value.value == "None"


def _normalize_argument(work: NormalizationRound, method: Function, parameter: str, store: cst.Assign) -> None:
    """Read the field, not the argument, behind the line that keeps it."""
    own = next(item for item in method.parameters if item.name.value == parameter)
    line = work.index.statement_of(store)
    definition = work.program.definitions.bound_once(own.name)
    place = store.targets[0].target
    for use in work.program.definitions.uses(definition) if definition is not None else ():
        if work.is_behind(use, line):
            work.edits.replace(use, partial(_copy, place))


def _sees(work: NormalizationRound, use: cst.Name, made: cst.Name, owner: Class) -> bool:
    """Whether the name of an object means it where a read stands: an argument of that name may be the only object of its class."""
    scopes = work.program.definitions.scopes
    seen = scopes.lookup(made.value, scopes.around(use))
    if seen == scopes.variable(made):
        return True
    function = next(
        (item for item in work.program.functions.values() if seen is not None and item.node is seen.owner), None
    )
    if function is None or made.value not in function.parameter_names:
        return False
    value = work.values(function.parameters[function.parameter_names.index(made.value)].name)
    made_by = [call for call, callees in work.values.callees.items() if owner.methods.get("__init__") in callees]
    return value.kind is Kind.OBJECT and value.types == {owner.key} and len(made_by) == 1


__all__ = [
    "normalize_kept_modules",
    "part_of",
    "reads_of_variable",
    "without_pairs",
]
