"""Report what torch would see changing together with a trained module, and what JAX would leave as it was.

    best_state = model.state_dict()     # the same tensors: training changes them too
    train(model, loader)
    model.load_state_dict(best_state)   # in torch this changes nothing

    weight = model.fc.weight
    model.fc.weight.data.mul_(2)        # `weight` is the same tensor

An assignment makes two places share tensors; the pair is followed forwards through the control flow until one of them is bound
again. It is reported where something changes one of the two while the other is still read (a may-analysis).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import libcst as cst

from torch2jax.facts.bindings import CONTAINERS
from torch2jax.facts.captures import kept_globals
from torch2jax.facts.field_aliases import TensorChange, dotted_part
from torch2jax.facts.given_modules import REFRESHED
from torch2jax.facts.listed_optimizers import puts_back
from torch2jax.facts.number_arrays import is_number_array
from torch2jax.facts.replaced_submodules import is_plain_layer
from torch2jax.facts.shape_reads import tensors_read_at
from torch2jax.ops.modules import PLACING, SETTING
from torch2jax.ops.python import LOGS, stores_arguments
from torch2jax.ops.signatures import parse_signature
from torch2jax.plan.counted_arguments import OF_MODULES, is_counted
from torch2jax.plan.model import Facts, Plan
from torch2jax.plan.names import is_bound
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.flow import Boundary, Flow, free_variables
from torch2jax.program.liveness import Liveness
from torch2jax.program.program import Class, Function, dotted
from torch2jax.program.statements import gone_through, statement_behind
from torch2jax.records import dataclass
from torch2jax.syntax.quote import names_in
from torch2jax.syntax.walk import descendants, elements_of, own_nodes
from torch2jax.values import GUESSED, NOTHING, Kind, Partial, Value, module_sites

Changes = Mapping[Function | None, Sequence[tuple[cst.BaseStatement, str]]]
"""For every function, the statements in it that change a module, with the module's place."""

PutBack = Mapping[Function | None, Sequence[tuple[cst.BaseStatement, str, str]]]
"""For every function, the statements that change an element of a list, by which variable, and the list that gets it back."""

_SAME_OBJECT = PLACING | SETTING | {"detach", "view", "flatten", "t", "numpy"}
_SAME_ARRAY = frozenset({"numpy.asarray", "numpy.ravel", "numpy.reshape", "numpy.squeeze", "numpy.transpose"})
_BUFFERS = frozenset({"state_dict", "buffers", "named_buffers"})
_VIEWS = _BUFFERS | {
    "parameters", "named_parameters", "modules", "named_modules", "children", "named_children", "items", "values"
}  # fmt: skip
_MOST = 200  # shares of one function that are looked at
_PLAIN = frozenset({Kind.INT, Kind.FLOAT, Kind.BOOL, Kind.STR, Kind.NONE, Kind.DTYPE, Kind.DEVICE})
_COLLECTIONS = frozenset({"list", "tuple", "dict", "set", "sorted", "reversed", "iter", "OrderedDict"})

_SAYING = frozenset({"print", "repr", "str", "type"})


@dataclass(frozen=True, slots=True)
class _Share:
    """From `point` on, what lies at `left` shares tensors with what lies at `right`."""

    point: cst.CSTNode
    left: str
    right: str
    value: cst.BaseExpression | None = None  # what lies at `left`

    def is_of_object(self, facts: Facts) -> bool:
        """Whether an object only keeps the module: what its methods change is followed elsewhere."""
        return self.value is not None and facts.values(self.value).kind is Kind.OBJECT


def check_sharing(
    facts: Facts,
    plan: Plan,
    changes: Changes,
    elsewhere: Sequence[Facts],
    of_arrays: bool = False,
    put_back: PutBack | None = None,
) -> None:
    """Report every pair of places of which one is changed while the other one is still in use.

    `elsewhere`: what is known of the other files of the program. `put_back`: what goes back to its list. `of_arrays`: modules are objects that everybody sees changing, but arrays that were taken out of them are not.
    """
    put_back = put_back or {}
    for function, changed in changes.items():
        if not changed:
            continue
        liveness = facts.flows.liveness(function)
        shares = list(_shares(facts, function))
        for share in (*_connected(shares), *_of_keepers(facts, shares)):
            if (of_arrays and not _is_of_arrays(facts, share, shares)) or _is_refreshed(facts, function, share):
                continue
            stale = [item for item in changed if not _is_renewed(facts, share, item[0])]
            stale = [item for item in stale if not _goes_back(share, *item, put_back.get(function, ()))]
            stale = [item for item in stale if not _keeps_tie(facts, function, share, *item)]
            found = _conflict(share, stale, liveness, function, one_way=share.is_of_object(facts))
            if found is None or (found[1] == share.left and _is_only_counted(facts, share, stale, liveness.flow)):
                continue
            if not _is_left_to([facts, *elsewhere], function, share):
                plan.problem(share.point, "T2J303", name=found[0], other=found[1])


def check_holders_given(facts: Facts, plan: Plan) -> None:
    """Report calls that change a module and are given what holds it, too, and would see the old one there:
    `train(trainer.model, trainer)`.
    """
    for call, planned in plan.calls.items():
        given = {dotted(item.value) for item in call.args if facts.values(item.value).kind is Kind.OBJECT}
        for place in (*planned.before, *planned.behind):
            holders = [other for other in given if other is not None and place.startswith(f"{other}.")]
            if holders and facts.values.callees.get(call):
                plan.problem(call, "T2J303", name=place, other=holders[0])


def _is_only_counted(facts: Facts, share: _Share, changed: Sequence[tuple[cst.BaseStatement, str]], flow: Flow) -> bool:
    """Whether a list of parameters is only counted, or asked for their shapes, once they have changed."""
    match share.point:
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Name() as left)]) if left.value == share.left:
            read = tensors_read_at(facts.program, left, flow)
            starts = [point for statement, _ in changed for point in points_of(statement)]
            behind = (point for start in starts for point in reached_behind(start, {left.value}, flow))
            return read is not None and read.isdisjoint(behind)
    return False


def _is_renewed(facts: Facts, share: _Share, statement: cst.BaseStatement) -> bool:
    """Whether the line behind a statement binds a place again to what it shares tensors with: `self.net = trainer.model`."""
    match statement_behind(facts.program.index, statement):
        case cst.SimpleStatementLine(body=[cst.Assign(targets=[cst.AssignTarget(target=left)], value=right)]):
            return dotted(left) == share.left and dotted(right) == share.right
    return False


def _is_refreshed(facts: Facts, function: Function | None, share: _Share) -> bool:
    """Whether an object is given the module that it shares with a variable wherever it is used, and keeps no parameters of it."""
    if isinstance(share.value, cst.Call) and _keeps_arrays(facts, share.value):
        return False
    name, *field = share.left.split(".")
    while function is not None and name not in function.env and name not in function.parameter_names:
        function = function.outer
    key = function.key if function is not None else ""
    return any(
        mark[:3] == (REFRESHED, key, name) and field in ([], [mark[3]]) and mark[4] == share.right
        for mark in facts.program.marks
    )


def _goes_back(
    share: _Share, statement: cst.BaseStatement, place: str, put_back: Sequence[tuple[cst.BaseStatement, str, str]]
) -> bool:
    """Whether a share is that of a list and the variable with an element which goes back to it behind a statement."""
    both = {share.left, share.right}
    return any(line is statement and place in both == {name, container} for line, name, container in put_back)


def _is_of_arrays(facts: Facts, share: _Share, shares: Sequence[_Share]) -> bool:
    """Whether what lies at the left of a share may be arrays, in a container or not, and no object that has them; a parameter
    that becomes a field of another module is an object.
    """
    match share.point:
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Attribute(value=new))], value=cst.Attribute(value=old)):
            if facts.values(new).kind is facts.values(old).kind is Kind.MODULE:
                return False
    given = [item.value for item in shares if item.point is share.point and item.left == share.left]
    if any(isinstance(item, cst.Call) and _keeps_arrays(facts, item) for item in given):
        return True
    others = (Kind.OBJECT, Kind.OPTIMIZER, Kind.FUNCTION, Kind.CLASS)
    return any(
        value is not None and _holds_tensors(facts, value) and facts.values(value).kind not in others for value in given
    )


def _keeps_arrays(facts: Facts, made: cst.Call) -> bool:
    """Whether an object is given parameters, or a module, and keeps parameters: `Averages(model.parameters())`; or a module is
    given a parameter of another one.
    """
    value = facts.values(made)
    given = [
        item.value
        for item in made.args
        if (value.kind is Kind.OBJECT and facts.values(item.value).is_a(Kind.PARAMETERS, Kind.MODULE))
        or _is_of_parameters(facts.values(item.value))
    ]
    return value.is_a(Kind.OBJECT, Kind.MODULE) and any(
        _keeps_parameters(facts, item, argument) for item in facts.effects.classes_of(value) for argument in given
    )


def _is_left_to(files: Sequence[Facts], function: Function | None, share: _Share) -> bool:
    """Whether a method keeps an argument in a field, or a function in what it makes, and none of its callers, all of them known,
    speaks of it again.
    """
    facts = files[0]
    if function is None or share.right not in function.parameter_names:
        return False
    if share.right in facts.flows.liveness(function).after_statement(facts.program.index.statement_of(share.point)):
        return False
    if function.self_name is not None and not share.left.startswith(f"{function.self_name}."):
        return False
    return _is_given_away(files, function, share.right)


def _is_given_away(files: Sequence[Facts], function: Function, name: str, depth: int = 3) -> bool:
    """Whether none of the calls of a function, all of them known, is of one who speaks again of what it gives for a parameter."""
    found = [
        (facts, call)
        for facts in files
        for call in facts.values.calls_of(function)
        if call in facts.program.index.parents
    ]
    return bool(found) and all(_is_last_use(files, facts, function, call, name, depth) for facts, call in found)


def _is_last_use(
    files: Sequence[Facts], facts: Facts, function: Function, call: cst.Call, name: str, depth: int
) -> bool:
    """Whether the variable that a call passes for a parameter is not read behind it; what it makes there has no other name."""
    if any(item.star == "*" for item in call.args):
        return False
    position = function.parameter_names.index(name) - (function.self_name is not None)
    named = {item.keyword.value: item.value for item in call.args if item.keyword is not None}
    plain = [item.value for item in call.args if item.keyword is None and not item.star]
    given = named.get(name) or (plain[position] if position < len(plain) else None)
    caller = facts.program.function_around(call)
    if given is None:
        default = next((item.default for item in function.parameters if item.name.value == name), None)
        return default is not None and dotted(default) == "None"
    if isinstance(given, cst.Call) and is_fresh(facts, given, ""):
        return True
    if not isinstance(given, cst.Name):
        return False
    is_own = caller is not None and given.value in caller.parameter_names
    if is_own and (caller is None or depth == 0 or not _is_given_away(files, caller, given.value, depth - 1)):
        return False
    live = facts.flows.liveness(caller).after_statement(facts.program.index.statement_of(call))
    env = facts.program.module_env if caller is None else caller.env
    return given.value in env and given.value not in live and _has_one_name(facts, caller, given)


def _has_one_name(facts: Facts, caller: Function | None, given: cst.Name) -> bool:
    """Whether a function, or the module, puts what it holds in a variable nowhere else."""
    variable = facts.program.definitions.scopes.variable(given)
    for node in facts.program.index.names:
        if node.value != given.value or node is given or facts.program.index.is_label(node):
            continue
        if facts.program.definitions.scopes.variable(node) == variable:
            if facts.program.function_around(node) is not caller or not _is_lent(facts, node):
                return False
    return True


def _is_lent(facts: Facts, node: cst.Name, depth: int = 3) -> bool:
    """Whether what a variable holds has no other name by this use of it: it is bound, called, asked, shown, or given to torch,
    or to a function of the program that does no more.
    """
    index = facts.program.index
    parent = index.parents[node]
    call = index.parents[parent] if isinstance(parent, cst.Arg) else None
    if isinstance(call, cst.Call):
        is_torch = facts.values.torch_name(call.func) is not None
        return is_torch or _is_shown(facts, call) or (depth > 0 and _only_lends(facts, call, node, depth - 1))
    target = index.parents[parent] if isinstance(parent, cst.Element) else parent
    target = index.parents[target] if isinstance(target, cst.Tuple) else target
    if isinstance(parent, cst.Param) and parent.name is node:
        return True
    is_bound = isinstance(target, cst.AssignTarget) and is_made_here(facts, index.parents[target], node.value)
    return is_bound or isinstance(parent, (cst.Attribute, cst.Call))


def _is_shown(facts: Facts, call: cst.Call) -> bool:
    """Whether a call only says what it is given, or something about it: `print(model)`, `logger.info(model)`."""
    if facts.values.callees.get(call):
        return False
    if isinstance(call.func, cst.Attribute):
        return call.func.attr.value in LOGS and isinstance(facts.program.index.parents[call], cst.Expr)
    return dotted(call.func) in _SAYING


def _only_lends(facts: Facts, call: cst.Call, given: cst.Name, depth: int) -> bool:
    """Whether the one function that a call runs, no method, lends what it is given."""
    callees = facts.values.callees.get(call, ())
    if len(callees) != 1 or callees[0].owner is not None or callees[0].node not in facts.program.functions:
        return False
    names = [name for name, node in arguments_by_parameter(callees[0], call, facts.values) if node is given]
    uses = [
        node
        for node in descendants(callees[0].node.body)
        if isinstance(node, cst.Name) and node.value in names and not facts.program.index.is_label(node)
    ]
    own = [facts.program.function_around(node) is callees[0] for node in uses]  # a function in it may keep the variable
    return len(names) == 1 and all(own) and all(_is_lent(facts, node, depth) for node in uses)


def is_made_here(facts: Facts, assignment: cst.CSTNode, name: str) -> bool:
    """Whether a variable is bound to what a call makes, which nothing else holds then."""
    if not isinstance(assignment, cst.Assign) or len(assignment.targets) != 1:
        return False
    return is_fresh(facts, assignment.value, name)


def is_fresh(facts: Facts, node: cst.BaseExpression, name: str, depth: int = 3) -> bool:
    """Whether an expression is a new object (`name` is the variable it goes to, whose own object may come back)."""
    if not isinstance(node, cst.Call) or depth == 0:
        return False
    given = [item.value for item in node.args if dotted(item.value) != name]
    if isinstance(node.func, cst.Attribute) and facts.values(node.func.value).kind is Kind.MODULE:
        given.append(node.func.value)
    if any(facts.values(item).kind is Kind.MODULE and dotted(item) != name and not is_fresh(facts, item, name, depth - 1) for item in given):  # fmt: skip
        return False
    callees = [item for item in facts.values.callees.get(node, ()) if item.name != "__init__"]
    return all(_gives_own(facts, item, depth - 1) for item in callees)


def _gives_own(facts: Facts, function: Function, depth: int) -> bool:
    """Whether a function gives only what it has made itself."""
    bindings = [node for node in descendants(function.node) if isinstance(node, cst.Assign)]
    for node in descendants(function.node):
        if not isinstance(node, cst.Return) or node.value is None:
            continue
        parts = elements_of(node.value)
        for part in parts:
            if isinstance(part, cst.Name) and facts.values(part).kind is Kind.MODULE:
                made = [
                    item.value
                    for item in bindings
                    if [dotted(target.target) for target in item.targets] == [part.value]
                ]
                if not made or not all(is_fresh(facts, value, part.value, depth) for value in made):
                    return False
            elif facts.values(part).kind in (Kind.MODULE, Kind.UNKNOWN) and not is_fresh(facts, part, "", depth):
                return False
    return True


def check_exchanges(facts: Facts, plan: Plan, exchanges: Changes) -> None:
    """Report every module that gets another part or setting while something else holds the module and is still in use.

    What it is called by itself in its function is seen where it is bound again.
    """
    for function, changed in exchanges.items():
        liveness = facts.flows.liveness(function)
        for share in _connected(_shares(facts, function)):
            if share.value is None or _holds_tensors(facts, share.value):
                continue  # what was exchanged is as it was
            holds = not isinstance(share.value, (cst.Name, cst.Attribute, cst.Subscript))
            seen = [(line, place) for line, place in changed if _is_within(place, share.right)]
            inside = [(line, place) for line, place in changed if holds and place.startswith(f"{share.left}.")]
            found = _conflict(share, seen, liveness, function, one_way=True)
            found = found or _conflict(share, inside, liveness, function)
            if found is not None:
                plan.problem(share.point, "T2J303", name=found[0], other=found[1])


def _is_within(place: str, other: str) -> bool:
    """Whether a place is another one, or a part of it."""
    return place == other or place.startswith(f"{other}.")


def check_lasting(
    facts: Facts,
    plan: Plan,
    changes: Changes,
    elsewhere: Sequence[Facts],
    of_tensors: Sequence[TensorChange],
    of_arrays: bool = False,
) -> None:
    """Report places that outlive their function, as `self.best = self.model.state_dict()`, and share tensors with what some
    function changes, perhaps another one.
    """
    kept: list[tuple[cst.CSTNode, _Share, _Lasting, _Lasting]] = []
    for home, function in _functions_reached(facts, elsewhere):
        if function.owner is not None and function.owner.is_module:
            continue  # tied weights are dealt with elsewhere
        shares = list(_shares(home, function))
        for share in (*_connected(shares), *_of_keepers(home, shares)):
            if (of_arrays and not _is_of_arrays(home, share, shares)) or _is_refreshed(home, function, share):
                continue
            left, right = (_lasting(home, function, place) for place in (share.left, share.right))
            if left is None:
                continue
            for call, given in _given(facts, home, function, share):
                kept.append((share.point if home is facts else call, share, left, given))
            if home is facts and right is not None and function not in (left.owner, right.owner):
                kept.append((share.point, share, left, right))
    if not kept:
        return
    found = [(function, place) for function, changed in changes.items() for _, place in changed]
    found += [(change.function, change.place) for change in of_tensors if isinstance(change.node, cst.Attribute)]
    places = {(_lasting(facts, function, place), place) for function, place in found}
    of_objects = {function: {share.left: share.right for share in _shares(facts, function)} for function in dict(found)}
    for around, place in found:
        for other in (place, of_objects[around].get(place, "")):
            places |= {(lasting, place) for lasting in _of_objects(facts, around, other)}
    for point, share, left, right in kept:
        for lasting, place in sorted(places, key=lambda item: item[1]):
            if lasting is None:
                continue
            is_changed = lasting.is_part_of(right) and (point is not share.point or is_read(facts, share.left))
            if is_changed or (lasting.is_part_of(left) and is_read(facts, share.right)):
                plan.problem(point, "T2J303", name=place, other=share.left if is_changed else share.right)
                break


def _functions_reached(facts: Facts, elsewhere: Sequence[Facts]) -> Iterator[tuple[Facts, Function]]:
    """The functions of a file, and the methods of objects of others that it calls, with what is known of their files."""
    yield from ((facts, function) for function in facts.program.functions.values())
    homes = {home.program.prefix: home for home in elsewhere}
    called = (callee for callees in facts.values.callees.values() for callee in callees)
    for callee in dict.fromkeys(called):
        if callee.owner is not None and not callee.owner.is_module:
            home = homes.get(callee.place)
            if home is not None and callee.node in home.program.functions:
                yield home, callee


def check_given_modules(facts: Facts, plan: Plan, changes: Changes, elsewhere: Sequence[Facts]) -> None:
    """Report modules that a method keeps in a field, which another method reads, and that its caller changes from then on:
    `callback.set_model(self.model)` in front of the training.
    """
    for home, function in _functions_reached(facts, elsewhere):
        if function.owner is None or function.owner.is_module or function.name == "__init__":
            continue
        for share in _shares(home, function):
            is_module = share.value is not None and home.values(share.value).kind is Kind.MODULE
            if not is_module or share.right not in function.parameter_names or share.right != dotted(share.value):
                continue
            if not share.left.startswith(f"{function.self_name}.") or not _is_read_outside(home, function, share.left):
                continue
            for call in function.callers:
                place = _changed_behind(facts, function, call, share.right, changes)
                if place is not None and isinstance(call, cst.Call):
                    plan.problem(call, "T2J303", name=place, other=share.left)


def _changed_behind(facts: Facts, function: Function, call: cst.CSTNode, name: str, changes: Changes) -> str | None:
    """The module that a call gives a method for a parameter, where a statement behind the call changes it."""
    index = facts.program.index
    if not isinstance(call, cst.Call) or call not in index.parents:
        return None
    place = dotted(dict(arguments_by_parameter(function, call, facts.values)).get(name))
    around = facts.program.function_around(call)
    if place is None:
        return None
    line = index.statement_of(call)
    loops = [node for node in index.ancestors(call) if isinstance(node, (cst.For, cst.While))]
    for statement, changed in changes.get(around, ()):
        is_behind = index.order[statement] > index.order[line] or any(
            loop in index.ancestors(statement) for loop in loops
        )
        if is_behind and statement is not line and _is_within(changed, place):
            return changed
    return None


def _given(facts: Facts, home: Facts, function: Function, share: _Share) -> Iterator[tuple[cst.Call, _Lasting]]:
    """What callers pass for the module whose tensors a method keeps in a field: `self.first = model.fc.weight`, or
    `self.best = model.state_dict()`, which another function reads.
    """
    root, _, rest = share.right.partition(".")
    if function.owner is None or root not in function.parameter_names or root == function.self_name:
        return
    if not rest and not (_is_of_states(share, root) and _is_read_outside(home, function, share.left)):
        return
    if (
        not share.left.startswith(f"{function.self_name}.")
        or home.values(share.value or share.point).kind is Kind.MODULE
    ):
        return
    for call in function.callers:
        if not isinstance(call, cst.Call) or call not in facts.program.index.parents:
            continue
        place = dotted(dict(arguments_by_parameter(function, call, facts.values)).get(root))
        caller = facts.program.function_around(call)
        found = _lasting(facts, caller, f"{place}.{rest}".rstrip(".")) if place is not None else None
        if found is not None:
            yield call, found


def _is_of_states(share: _Share, name: str) -> bool:
    """Whether what is kept is the state dict of a module, or holds it: `{"epoch": i, "model": model.state_dict()}`."""
    calls = descendants(share.value, cst.Call) if share.value is not None else ()
    return any(dotted(call.func) == f"{name}.state_dict" for call in calls)


def _is_read_outside(facts: Facts, function: Function, place: str) -> bool:
    """Whether another function, or another file, reads a field that a method sets."""
    name = place.rpartition(".")[2]
    nodes = [node for node in facts.program.index.attributes if node.attr.value == name]
    reads = [node for node in nodes if not isinstance(facts.program.index.parents[node], cst.AssignTarget)]
    is_elsewhere = any(facts.program.function_around(node) is not function for node in reads)
    return is_elsewhere or name in facts.program.read_elsewhere


@dataclass(frozen=True, slots=True)
class _Lasting:
    """A field of the objects of a class, or a variable of a function (None: of the module), and what is in it."""

    owner: Class | Function | None
    place: str

    def is_part_of(self, other: _Lasting) -> bool:
        if isinstance(self.owner, Class) and isinstance(other.owner, Class):
            is_same = self.owner in other.owner.lineage or other.owner in self.owner.lineage
        else:
            is_same = self.owner is other.owner
        return is_same and related(self.place, other.place)


def _lasting(facts: Facts, function: Function | None, place: str) -> _Lasting | None:
    root, _, rest = place.partition(".")
    if function is not None and function.owner is not None and root == function.self_name:
        return _Lasting(function.owner, rest) if rest else None
    while function is not None and not is_bound(facts.flows, function, root):
        function = function.outer
    if function is None and root not in facts.program.module_env:
        return None
    return _Lasting(function, place)


def _of_objects(facts: Facts, function: Function | None, place: str) -> Iterator[_Lasting]:
    """The field of an object, where a place is one of a variable that holds the object: `agent.actor`."""
    root, _, rest = place.partition(".")
    if not rest or (function is not None and root == function.self_name):
        return
    while function is not None and root not in function.env:
        function = function.outer
    value = (facts.program.module_env if function is None else function.env).get(root)
    if value is not None and value.kind is Kind.OBJECT:
        yield from (_Lasting(item, rest) for item in facts.effects.classes_of(value))


def is_read(facts: Facts, place: str) -> bool:
    """Whether a place is read somewhere, not only to make an optimizer or to clip gradients."""
    index, (_, dot, last) = facts.program.index, place.rpartition(".")
    nodes = (item for item in index.attributes if item.attr.value == last) if dot else ()
    names = (item for item in index.names if item.value == last) if not dot else ()
    for node in (*nodes, *names):
        parent = index.parents[node]
        if isinstance(parent, (cst.AssignTarget, cst.AnnAssign, cst.Param)) or getattr(parent, "attr", None) is node:
            continue
        call = index.parents.get(parent) if isinstance(parent, cst.Arg) else None
        is_asked = isinstance(call, cst.Call) and (
            facts.values(call).kind is Kind.OPTIMIZER or "clip_grad" in (facts.values.torch_name(call.func) or "")
        )
        if not is_asked:
            return True
    return False


def check_tensors(facts: Facts, plan: Plan, of_tensors: Sequence[TensorChange]) -> None:
    """Report tensors of modules under other names, and state dicts, where the tensors are changed in place."""
    changes: dict[Function | None, list[TensorChange]] = {}
    for change in of_tensors:
        changes.setdefault(change.function, []).append(change)
    for function, changed in changes.items():
        liveness = facts.flows.liveness(function)
        shares = list(_shares(facts, function))
        for share in shares:
            if share.value is None or not _holds_tensors(facts, share.value):
                continue
            if not facts.target.immutable and not _is_of_arrays(facts, share, shares):
                continue
            places = [
                (facts.program.index.statement_of(change.node), change.place)
                for change in changed
                if _is_among(facts, share, change.fields)
            ]
            places = [item for item in places if not _keeps_tie(facts, function, share, *item)]
            found = _conflict(share, places, liveness, function)
            if found is not None:
                plan.problem(share.point, "T2J303", name=found[0], other=found[1])
        for share, name in _of_field_keepers(facts, function):
            direct = [item.node for item in changed if isinstance(item.node, cst.Attribute)]
            lines = [
                (facts.program.index.statement_of(node), share.right) for node in direct if node.attr.value == name
            ]
            found = _conflict(share, lines, liveness, function, one_way=True)
            if found is not None:
                plan.problem(share.point, "T2J303", name=found[0], other=found[1])


def _of_field_keepers(facts: Facts, function: Function | None) -> Iterator[tuple[_Share, str]]:
    """Objects that keep tensors of modules which are no parameters, with the names of the fields: `seen = Seen(net.table)`.

    What methods and functions change is told at their calls (normalize/object_fields.py).
    """
    for point in facts.flows.liveness(function).flow:
        match point:
            case cst.Assign(targets=[cst.AssignTarget(target=target)], value=cst.Call() as made) if (
                left := dotted(target)
            ) is not None and facts.values(made).kind is Kind.OBJECT:
                for item in facts.effects.classes_of(facts.values(made)):
                    for argument in (given.value for given in made.args):
                        field = _field_seen(facts, argument)
                        place = dotted_part(field) if field is not None else None
                        if field is not None and place is not None and _keeps_given(facts, item, made, argument):
                            yield _Share(point, left, place, made), field.attr.value


def _keeps_given(facts: Facts, item: Class, made: cst.Call, argument: cst.BaseExpression) -> bool:
    """Whether `__init__` of a class gives a field what it is given: `self.v = v`."""
    init = item.method("__init__")
    if init is None:
        return False
    names = {name for name, node in arguments_by_parameter(init, made, facts.values) if node is argument}
    return any(
        isinstance(target.target, cst.Attribute) and not names.isdisjoint(map(dotted, elements_of(node.value)))
        for node in own_nodes(init.node)
        if isinstance(node, cst.Assign)
        for target in node.targets
    )


_OF_PARAMETERS = frozenset({"parameters", "named_parameters"})
_OF_ALL = _OF_PARAMETERS | {"modules", "named_modules", "apply"}


def _keeps_tie(
    facts: Facts, function: Function | None, share: _Share, statement: cst.BaseStatement, place: str
) -> bool:
    """Whether weights that `__init__` has tied stay one where it goes through all parameters of the module."""
    if function is None or function.name != "__init__" or function.owner is None or not function.owner.is_module:
        return False
    given = share.point.value if isinstance(share.point, cst.Assign) else None
    own = f"{function.self_name}."
    if not (isinstance(given, cst.Attribute) and share.left.startswith(own) and share.right.startswith(own)):
        return False
    called = {dotted(call.func) for call in descendants(statement, cst.Call)}
    walks = _OF_ALL if facts.values(given).kind is Kind.TENSOR else _OF_PARAMETERS
    is_of_part = share.left.count(".") > 1  # a field gets a name of its own otherwise
    return is_of_part and place == function.self_name and any(f"{own}{name}" in called for name in walks)


def _holds_tensors(facts: Facts, node: cst.BaseExpression) -> bool:
    """Whether a value is a tensor, or holds tensors and not the module itself."""
    value = facts.values(node)
    return value.kind is not Kind.MODULE and not any(part.kind is Kind.MODULE for part in value.parts)


def _is_among(facts: Facts, share: _Share, fields: frozenset[str] | None) -> bool:
    """Whether what a share holds may be in some of the fields of a module."""
    assert share.value is not None
    names = {node.attr.value for node in (share.value, *descendants(share.value)) if isinstance(node, cst.Attribute)}
    if fields is None or names & fields:
        return True
    return facts.values(share.value).kind is Kind.STATE_DICT or bool(names & _BUFFERS)


def _conflict(
    share: _Share,
    changed: Sequence[tuple[cst.BaseStatement, str]],
    liveness: Liveness,
    function: Function | None,
    one_way: bool = False,
) -> tuple[str, str] | None:
    """(what is changed, what should change with it) behind a share."""
    roots = {share.left.split(".")[0], share.right.split(".")[0]}
    for point in reached_behind(share.point, roots, liveness.flow):
        for statement, place in changed:
            if point not in points_of(statement):
                continue
            live = liveness.after_statement(statement)
            if _loads(statement, place, share.left):
                continue  # which says what the module holds from now on
            if related(place, share.right) and is_used(share.left, live, function, is_new=True):
                if not _is_only_deleted(share.left, statement, liveness.flow):
                    return place, share.left
            if not one_way and related(place, share.left) and is_used(share.right, live, function, is_new=False):
                if not _is_only_deleted(share.right, statement, liveness.flow):
                    return place, share.right
    return None


def _is_only_deleted(place: str, statement: cst.BaseStatement, flow: Flow) -> bool:
    """Whether nothing more is done with a variable behind a statement than to delete it: `del states`."""
    if any(place in (*found.captures, *found.rebinds) for found in flow.accesses_by_index):
        return False
    if not any(isinstance(point, cst.Del) and place in flow.accesses(point).defs for point in flow):
        return False
    behind = [point for start in points_of(statement) for point in reached_behind(start, {place}, flow)]
    return all(isinstance(point, cst.Del) for point in behind if place in flow.accesses(point).uses)


def _loads(statement: cst.BaseStatement, place: str, states: str) -> bool:
    """Whether a statement loads a state dict in a variable into a module: `model.load_state_dict(states, strict=False)`."""
    match points_of(statement):
        case [
            cst.Expr(
                cst.Call(
                    func=cst.Attribute(value=module, attr=cst.Name("load_state_dict")),
                    args=[cst.Arg(value=cst.Name(given), keyword=None, star=""), *_],
                )
            )
        ]:
            return dotted(module) == place and given == states
    return False


def related(place: str, other: str) -> bool:
    """Whether one of two places is a part of the other."""
    return place == other or place.startswith(f"{other}.") or other.startswith(f"{place}.")


def points_of(statement: cst.BaseStatement) -> Sequence[cst.CSTNode]:
    return statement.body if isinstance(statement, cst.SimpleStatementLine) else (statement,)


def is_used(place: str, live: frozenset[str], function: Function | None, is_new: bool) -> bool:
    """Whether a place is read later: fields and what other functions see always count."""
    root = place.split(".")[0]
    if root in live:
        return True
    if function is None:
        return False
    given = {*function.parameter_names, function.star_name, function.double_star_name}
    is_own = root in function.env and root not in given
    return not is_own and not (is_new and "." not in place and root in function.parameter_names)


def reached_behind(
    start: cst.CSTNode, roots: set[str], flow: Flow, ends: Callable[[cst.CSTNode], bool] = lambda point: False
) -> Iterator[cst.CSTNode]:
    """The points behind `start`, as far as the roots keep their values, and up to one that `ends` it."""
    if start not in flow:
        return
    seen: set[int] = set()
    stack = list(flow.successors(start))
    while stack:
        point = stack.pop()
        if id(point) in seen or isinstance(point, Boundary):
            continue
        seen.add(id(point))
        yield point
        if not roots & set(flow.accesses(point).defs) and not ends(point):
            stack.extend(flow.successors(point))


# what shares tensors with what


def _connected(shares: Iterable[_Share]) -> list[_Share]:
    """Shares, and those that follow: what lies at `model` in `models = [model]`, `for item in models`."""
    found = list(shares)
    known = {(share.point, share.left, share.right) for share in found}
    for share in found:  # it grows
        for other in found[:_MOST]:
            new = _Share(share.point, share.left, other.right)
            is_new = (new.point, new.left, new.right) not in known and not related(new.left, new.right)
            if is_new and related(share.right, other.left) and len(found) < _MOST:
                known.add((new.point, new.left, new.right))
                found.append(new)
    return found


def _of_keepers(facts: Facts, shares: Sequence[_Share]) -> Iterator[_Share]:
    """Objects and containers that keep the module which another object keeps: `Evaluator(net)` and `Trainer(net)`; new modules
    that are made of one part: `Actor(encoder)` and `Critic(encoder)`.
    """
    keepers = [share for share in shares if share.value is not None][:_MOST]
    for share in keepers:
        for other in keepers:
            if other.left != share.left and related(other.right, share.right) and _keep_one(facts, share, other):
                for point in (share.point, other.point):  # from the later one on
                    yield _Share(point, other.left, share.left, other.value)


def models_of_one_part(facts: Facts, function: Function | None, places: Sequence[str]) -> tuple[str, str] | None:
    """Two of the models at some places of a function that have parameters in common, as far as it shows that."""
    shares = list(_shares(facts, function))
    both = ((share.left, share.right) for share in (*_connected(shares), *_of_keepers(facts, shares)))
    return next(((one, two) for one, two in both if one != two and one in places and two in places), None)


def _keep_one(facts: Facts, share: _Share, other: _Share) -> bool:
    """Whether what lies at the left of two shares keeps one module; each pair of new modules counts once."""
    assert share.value is not None and other.value is not None
    if share.is_of_object(facts):
        value = facts.values(other.value)
        return other.is_of_object(facts) or value.is_sequence or value.kind is Kind.TENSOR
    one, two = (list(kept_parts(facts, item.value)) for item in (share, other))
    return share.left < other.left and any(_are_one(facts, part, twin) for part in one for twin in two)


def _are_one(facts: Facts, part: cst.BaseExpression, twin: cst.BaseExpression) -> bool:
    """Whether two places may hold one module: of those in a list or a dict, one with the same index, if that is known."""
    if dotted(part) is not None or dotted(twin) is not None:
        one, two = facts.values(part).sites, facts.values(twin).sites
        return part.deep_equals(twin) and (bool(one & two) or not one or not two)
    match part, twin:
        case (
            cst.Subscript(slice=[cst.SubscriptElement(cst.Index(left))]),
            cst.Subscript(slice=[cst.SubscriptElement(cst.Index(right))]),
        ) if NOTHING not in (keys := (facts.values(left).const, facts.values(right).const)):
            return keys[0] == keys[1] and dotted_part(part) == dotted_part(twin)
    return dotted_part(part) == dotted_part(twin)


def kept_parts(facts: Facts, node: cst.BaseExpression | None) -> Iterator[cst.BaseExpression]:
    """The places with modules that a new module is made of and keeps: arguments, what is listed in them, or what those that are
    made there keep.
    """
    match unmoved(node):
        case cst.Call() as call if facts.values(call).kind is Kind.MODULE and makes_module(facts, call):
            made = facts.values(call)
            is_own = any(key in facts.program.class_by_key for key in made.types)
        case _:
            return
    waiting = [item.value for item in reversed(call.args)]
    while waiting:
        match unmoved(waiting.pop()):
            case cst.Name() | cst.Attribute() | cst.Subscript() as place if facts.values(place).kind is Kind.MODULE:
                if not is_own or _keeps(facts, made, place):
                    yield place
            case cst.List(elements=elements) | cst.Tuple(elements=elements):
                waiting += [item.value for item in reversed(elements)]
            case cst.Call() as inner:
                yield from kept_parts(facts, inner)


def unmoved(node: cst.BaseExpression | None) -> cst.BaseExpression | None:
    """A module, without what puts it to a device or sets its mode: `Head(base).to(device)`."""
    while isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
        if node.func.attr.value not in PLACING | SETTING:
            break
        node = node.func.value
    return node


def _shares(facts: Facts, function: Function | None) -> Iterator[_Share]:
    flow = facts.flows.liveness(function).flow
    for point in flow:
        match point:
            case cst.Assign():
                for target in point.targets:
                    if puts_back(facts.program, target):
                        continue  # what the list has had
                    yield from _assigned(facts, point, target.target, point.value)
            case cst.Expr(value=cst.Call(func=cst.Attribute(value=container, attr=cst.Name(method)))) if (
                point.value not in facts.values.callees and stores_arguments(method, facts.values(container).kind)
            ):
                assert isinstance(point.value, cst.Call)
                given = [argument.value for argument in point.value.args]
                yield from _pairs(facts, point, dotted(container), given)
                yield from _of_loops(facts, point, dotted(container), given)
            case cst.For():
                yield from _elements(facts, point)
            case cst.FunctionDef():
                yield from _pairs(facts, point, point.name.value, _defaults(point.params))


def _defaults(parameters: cst.Parameters) -> list[cst.BaseExpression]:
    every = (*parameters.posonly_params, *parameters.params, *parameters.kwonly_params)
    return [item.default for item in every if item.default is not None]


def _assigned(
    facts: Facts, point: cst.CSTNode, target: cst.BaseExpression, value: cst.BaseExpression
) -> Iterator[_Share]:
    if isinstance(target, cst.Tuple):
        if isinstance(value, cst.Call):  # of functions that hold the arguments of the one around them
            for left in target.elements:
                yield from _pairs(facts, point, dotted(left.value), [value] if _gives_functions(facts, value) else [])
                if (name := dotted(left.value)) is not None and facts.values(left.value).kind is Kind.MODULE:
                    yield from (_Share(point, name, place) for place in _handed_out(facts, value))
            for one, two in _made_of_one(facts, value):
                if max(one, two) < len(target.elements):
                    places = [dotted(target.elements[number].value) for number in (one, two)]
                    yield from (_Share(point, *pair) for pair in [places] if None not in pair)  # type: ignore[arg-type]
        elif isinstance(value, cst.Tuple) and len(value.elements) == len(target.elements):
            for left, right in zip(target.elements, value.elements, strict=True):
                yield from _assigned(facts, point, left.value, right.value)
        return
    yield from _given_memory(facts, point, target, value)
    is_entry = isinstance(target, cst.Subscript)
    while isinstance(target, cst.Subscript):
        target = target.value
    yield from _pairs(facts, point, dotted(target), [value])
    yield from _of_loops(facts, point, dotted(target), [value] if is_entry else [])


def _given_memory(
    facts: Facts, point: cst.CSTNode, target: cst.BaseExpression, value: cst.BaseExpression
) -> Iterator[_Share]:
    """A parameter that gets the memory of a tensor with a name: `net.fc.weight.data = w`, `net.fc.weight = nn.Parameter(w)`."""
    match target, value:
        case cst.Attribute(value=cst.Attribute() as parameter, attr=cst.Name("data")), cst.Name() as given:
            pass
        case cst.Attribute() as parameter, cst.Call(args=[cst.Arg(value=cst.Name() as given), *_]) if (
            dotted(value.func) or ""
        ).endswith("Parameter"):
            pass
        case _:
            return
    place = dotted_part(parameter)
    is_parameter = facts.values(parameter.value).kind is Kind.MODULE and facts.values(given).kind is Kind.TENSOR
    if place is not None and is_parameter:
        yield _Share(point, place, given.value, given)


def _made_of_one(facts: Facts, call: cst.Call) -> Iterator[tuple[int, int]]:
    """The numbers of results of a function that are modules which are made of one part: `return Actor(net), Critic(net)`."""
    for callee in facts.values.callees.get(call, ()):
        nodes = list(own_nodes(callee.node)) if callee.node in facts.program.functions else []
        for returned in [node.value for node in nodes if isinstance(node, cst.Return)]:
            elements = returned.elements if isinstance(returned, cst.Tuple) else ()
            kept = [[*_parts_of_result(facts, nodes, item.value)] for item in elements]
            names = [dotted(item.value) for item in elements]
            for two, parts in enumerate(kept):
                for one, others in enumerate(kept[:two]):
                    is_part = _has_any(names[one], parts) or _has_any(names[two], others)
                    if is_part or any(_are_one(facts, part, twin) for part in others for twin in parts):
                        yield one, two


def _has_any(name: str | None, parts: Sequence[cst.BaseExpression]) -> bool:
    """Whether one of some places lies in a variable: `actor.base` in `actor`."""
    return name is not None and any((dotted(part) or "").startswith(f"{name}.") for part in parts)


def _parts_of_result(
    facts: Facts, nodes: Sequence[cst.CSTNode], node: cst.BaseExpression
) -> Iterator[cst.BaseExpression]:
    """What a result is made of, or what the variable is bound to that is given back."""
    yield from kept_parts(facts, node)
    for bound in nodes if isinstance(node, cst.Name) else ():
        if isinstance(bound, cst.Assign) and any(node.deep_equals(target.target) for target in bound.targets):
            yield from kept_parts(facts, bound.value)


def _gives_functions(facts: Facts, call: cst.Call) -> bool:
    return any(item.kind is Kind.FUNCTION for item in facts.values(call).items or ())


def _pairs(
    facts: Facts, point: cst.CSTNode, left: str | None, values: Sequence[cst.BaseExpression]
) -> Iterator[_Share]:
    if left is None:
        return
    for value in values:
        for right in held_places(facts, value):
            if right != left and not is_field_of_plain_layers(facts, left, right, value):
                yield _Share(point, left, right, value)


def _of_loops(
    facts: Facts, point: cst.CSTNode, left: str | None, values: Sequence[cst.BaseExpression]
) -> Iterator[_Share]:
    """`kept.append(p.data)` in `for p in model.parameters()`."""
    program = facts.program
    for value in values if left is not None else ():
        for loop in program.index.ancestors(value):
            if isinstance(loop, cst.For) and program.function_around(loop) is program.function_around(value):
                if not isinstance(value, (cst.Call, cst.Attribute)) or _is_exchanged(facts, point, value):
                    continue
                if facts.values(loop.iter).kind is Kind.PARAMETERS:
                    yield from (
                        _Share(point, left, right, value) for right in _held_by_each(facts, value, loop) if left
                    )


def _is_exchanged(facts: Facts, point: cst.CSTNode, value: cst.BaseExpression) -> bool:
    """Whether a line behind gives a tensor other memory: `saved[name] = p.data`, then `p.data = averages[name]`."""
    line = facts.program.index.statement_of(point)
    block = facts.program.index.parents[line]
    body = list(block.body) if isinstance(block, (cst.IndentedBlock, cst.Module)) else []
    names = {dotted(node) for node in descendants(value, cst.Name)}
    return any(
        isinstance(target.target, cst.Attribute)
        and target.target.attr.value == "data"
        and dotted(target.target.value) in names
        for behind in body[body.index(line) + 1 :]
        if isinstance(behind, cst.SimpleStatementLine)
        for item in behind.body
        if isinstance(item, cst.Assign)
        for target in item.targets
    )


def is_field_of_plain_layers(facts: Facts, left: str, right: str, value: cst.BaseExpression) -> bool:
    """Whether a layer without parameters and state becomes a part of a module once more: there are two of it then."""
    places = [node for node in (value, *descendants(value)) if isinstance(node, (cst.Name, cst.Attribute))]
    values = [facts.values(node) for node in places if dotted(node) == right]
    return "." in left and bool(values) and all(is_plain_layer(facts.tables, item) for item in values)


def _elements(facts: Facts, loop: cst.For) -> Iterator[_Share]:
    """`for model in models`: what the loop changes are elements of a container."""
    for target, source in gone_through(loop.target, loop.iter):
        yield from _elements_of(facts, loop, target, source)


def _elements_of(
    facts: Facts, loop: cst.For, target: cst.BaseExpression, source: cst.BaseExpression
) -> Iterator[_Share]:
    targets = target.elements if isinstance(target, cst.Tuple) else [cst.Element(target)]
    sources = [source]
    if isinstance(source, cst.Call):
        sources = [argument.value for argument in source.args]
        if isinstance(source.func, cst.Attribute):
            sources.append(source.func.value)
    for element in targets:
        if not facts.values(element.value).is_a(Kind.MODULE, Kind.UNKNOWN):  # what it is may show where it is changed
            continue
        left = dotted(element.value)
        if left is None:
            continue
        for item in sources:
            inner = dotted_part(item)
            for right in [inner] if inner is not None else held_places(facts, item):
                yield _Share(loop.target, left, right)


def held_places(facts: Facts, value: cst.BaseExpression) -> list[str]:
    """The places of modules whose tensors an expression's value refers to, without a copy."""
    place = dotted(value)
    if place is not None:
        if isinstance(value, cst.Attribute) and _is_method(facts, value):
            return _held_by_object(facts, value.value)
        is_held = _is_module_or_parameter(facts, value) and not place.endswith(".grad")  # see plan/kept_gradients.py
        return [place] if is_held else []
    if (viewed := _field_seen(facts, value)) is not None:
        inner = dotted_part(viewed)
        return [inner] if inner is not None else []
    match value:
        case cst.Call() if isinstance(facts.values(value).const, Partial):
            return _union(facts, [argument.value for argument in value.args])
        case cst.Lambda(params=parameters):
            return _union(facts, _defaults(parameters))
        case cst.Call(func=cst.Attribute(value=owner, attr=cst.Name("flatten"))) if (
            facts.values(owner).kind is Kind.PYTHON
        ):
            return []  # which copies those of NumPy
        case cst.Call(func=cst.Attribute(value=owner, attr=method)) if method.value in _SAME_OBJECT | _VIEWS:
            place = dotted(owner) if method.value == "requires_grad_" else None
            is_tensor = facts.values(owner).kind is Kind.TENSOR  # which is trained by both names
            return [place] if place is not None and is_tensor else held_places(facts, owner)
        case cst.Call(func=function, args=[cst.Arg(value=copied)]) if facts.values(function).const == "copy.copy":
            return held_places(facts, copied)
        case cst.Call(func=cst.Name("getattr"), args=[cst.Arg(value=owner), _, *_]) if facts.values(
            owner
        ).kind is Kind.MODULE and facts.values(value).kind in (Kind.MODULE, Kind.UNKNOWN):
            inner = dotted_part(owner)  # any of its parts
            return [inner] if inner is not None else []
        case cst.Call(func=cst.Name("next"), args=[cst.Arg(value=parts)]) if facts.values(value).kind is Kind.MODULE:
            return held_places(facts, parts)
        case cst.Call(func=cst.Name(name)) if name in _COLLECTIONS:
            return _union(facts, [argument.value for argument in value.args])
        case cst.Call(args=[array, *_]) if _names_numpy(facts, value.func):
            return held_places(facts, array.value)
        case cst.Call():
            return _held_by_call(facts, value)
        case cst.Subscript(value=container) if (
            facts.values(value).kind is Kind.MODULE or facts.values(container).kind is Kind.STATE_DICT
        ):
            inner = dotted_part(container)
            return [inner] if inner is not None else held_places(facts, container)
        case cst.Subscript(value=cst.Call() as container) if facts.values(value).kind in (Kind.LIST, Kind.TUPLE):
            return held_places(facts, container)  # `list(net.children())[:-1]`
        case cst.Attribute() if _is_module_or_parameter(facts, value):  # of `net.layers[0].weight`
            inner = dotted_part(value)
            return [inner] if inner is not None else []
        case cst.Tuple() | cst.List():
            return _union(facts, [element.value for element in value.elements])
        case cst.Dict():
            return _union(facts, [element.value for element in value.elements])
        case cst.IfExp():
            return _union(facts, [value.body, value.orelse])
        case cst.ListComp() | cst.SetComp() | cst.GeneratorExp():
            return _held_by_each(facts, value.elt, value.for_in)
        case cst.DictComp():
            return _held_by_each(facts, value.value, value.for_in)
    return []


def _held_by_object(facts: Facts, owner: cst.BaseExpression) -> list[str]:
    """What a method holds by its object: a module itself, or what another object was made with, which is not told what becomes of it."""
    if facts.values(owner).kind is not Kind.OBJECT or not isinstance(owner, cst.Name):
        return held_places(facts, owner)
    definition = facts.program.definitions.bound_once(owner)
    made = definition.value if definition is not None else None
    return held_places(facts, made) if isinstance(made, cst.Call) else []


def _names_numpy(facts: Facts, function: cst.BaseExpression) -> bool:
    """Whether a function of NumPy gives the memory of its argument."""
    value = facts.values(function)
    return value.kind is Kind.PYTHON and value.const in _SAME_ARRAY


def _is_method(facts: Facts, node: cst.Attribute) -> bool:
    """Whether an expression is a method of a module, or of another object, which holds that."""
    owner, kinds = facts.values(node.value), (Kind.MODULE, Kind.OBJECT)
    found = [facts.program.class_by_key.get(name) for name in owner.types] if owner.kind in kinds else []
    return any(item is not None and item.method(node.attr.value) is not None for item in found)


def _held_by_each(facts: Facts, element: cst.BaseExpression, loop: cst.CompFor | cst.For) -> list[str]:
    """`[p.data for p in model.parameters()]`: the tensors themselves, not copies of them."""
    while True:
        match element:
            case cst.Call(func=cst.Attribute(value=inner, attr=cst.Name("flatten"))) if (
                facts.values(inner).kind is Kind.PYTHON
            ):
                return []  # which copies those of NumPy
            case cst.Call(args=[array, *_]) if _names_numpy(facts, element.func):
                element = array.value
            case cst.Call(func=cst.Attribute(value=inner, attr=method)) if method.value in _SAME_OBJECT:
                element = inner
            case cst.Attribute(value=inner, attr=cst.Name("data")):
                element = inner
            case _:
                break
    if isinstance(element, cst.Tuple):
        return sorted({place for item in element.elements for place in _held_by_each(facts, item.value, loop)})
    names = {node.value for node in descendants(loop.target) if isinstance(node, cst.Name)}
    is_kept = isinstance(element, cst.Name) and element.value in names and facts.values(element).kind is not Kind.STR
    return held_places(facts, loop.iter) if is_kept else []


def _held_by_call(facts: Facts, call: cst.Call) -> list[str]:
    """What a new module, or the result of a function that hands on a part of its argument, refers to."""
    result = facts.values(call)
    arguments = [argument.value for argument in call.args]
    if facts.values.callees.get(call) and facts.values(call.func).kind is not Kind.CLASS:
        kept = [
            argument for argument in arguments
            if result.kind in (Kind.STATE_DICT, Kind.PARAMETERS) or _hands_on(facts, call, argument)
        ]  # fmt: skip
        gives_function = any(item.kind is Kind.FUNCTION for item in (result, *(result.items or ())))
        if gives_function:
            given = [argument for argument in arguments if facts.values(argument).kind is Kind.MODULE]
            kept = [argument for argument in given if _is_captured(facts, call, argument)]
        kinds = (Kind.STATE_DICT, Kind.PARAMETERS, Kind.MODULE)
        if not gives_function and result.kind not in kinds:
            has_arrays = any(part.kind is Kind.PYTHON for part in (result, *result.parts))
            kept = [argument for argument in arguments if has_arrays and _gives_arrays(facts, call, argument)]
        found = _union(facts, kept)
        made_of = _kept_in_result(facts, call) if result.kind is Kind.MODULE else ()
        has_modules = any(part.kind in (Kind.MODULE, Kind.UNKNOWN) for part in (result, *result.parts))
        handed_out = _handed_out(facts, call) if has_modules else ()
        return list(dict.fromkeys((*found, *made_of, *handed_out)))
    if result.kind is Kind.OBJECT:
        kept = [argument for argument in arguments if _keeps(facts, result, argument)]
        return _union(facts, [*kept, *_kept_globals(facts, call)])
    if result.kind is not Kind.MODULE or not makes_module(facts, call):
        return []
    arguments = [item for item in arguments if not _is_setting(facts, call, item)]
    return _union(facts, [*arguments, *_kept_globals(facts, call)])


def _kept_globals(facts: Facts, call: cst.Call) -> Iterator[cst.BaseExpression]:
    for init in facts.values.callees.get(call, ()):
        if init.name == "__init__" and init.node in facts.program.functions:
            yield from kept_globals(init, facts.values)


def _kept_in_result(facts: Facts, call: cst.Call) -> Iterator[str]:
    """The places of modules that a function is given, and makes a new module of: `return Critic(model.encoder)`."""
    for callee in facts.values.callees.get(call, ()):
        nodes = list(own_nodes(callee.node)) if callee.node in facts.program.functions else []
        given = dict(arguments_by_parameter(callee, call, facts.values)) if nodes else {}
        for returned in [node.value for node in nodes if isinstance(node, cst.Return) and node.value is not None]:
            for part in _parts_of_result(facts, nodes, returned):
                root, _, rest = (dotted(part) or "").partition(".")
                place = dotted(given.get(root))
                if place is not None:
                    yield f"{place}.{rest}" if rest else place


def _handed_out(facts: Facts, call: cst.Call) -> Iterator[str]:
    """The places of parts that a method or function gives of its module, or of one that it is given: `net.layer_at(1)`."""
    for callee in facts.values.callees.get(call, ()):
        given = {name: dotted_part(node) for name, node in arguments_by_parameter(callee, call, facts.values)}
        if callee.self_name is not None and isinstance(call.func, cst.Attribute):
            given.setdefault(callee.self_name, dotted_part(call.func.value))
        for place in _returned_places(facts, callee):
            root, _, rest = place.partition(".")
            owner = given.get(root)
            if owner is not None and (rest or _gives_named_part(callee)):
                yield f"{owner}.{rest}" if rest else owner


def _gives_named_part(function: Function) -> bool:
    """Whether a function may return any part of its module: `return getattr(self, name)`."""
    returned = [node.value for node in own_nodes(function.node) if isinstance(node, cst.Return)]
    return any(isinstance(node, cst.Call) and dotted(node.func) == "getattr" for node in returned)


def _gives_arrays(facts: Facts, call: cst.Call, argument: cst.BaseExpression) -> bool:
    """Whether a function may return arrays of NumPy that have the memory of a module which it is given."""
    for callee in facts.values.callees.get(call, ()):
        names = {name for name, node in arguments_by_parameter(callee, call, facts.values) if node is argument}
        if any(place.partition(".")[0] in names for place in _returned_places(facts, callee)):
            return True
    return False


def _returned_places(facts: Facts, function: Function) -> list[str]:
    """The places of modules whose tensors a function returns, without a copy: in its own words."""
    found = facts.returned_places.get(function)
    if found is None:
        facts.returned_places[function] = []  # what it returns by calling itself is among the rest
        returned = [node.value for node in own_nodes(function.node) if isinstance(node, cst.Return) and node.value]
        found = _union(facts, returned)
        if function.node in facts.program.functions and any(map(_is_local(function), found)):
            shares = _connected(list(_shares(facts, function)))
            found = sorted({*found, *(share.right for share in shares if share.left in found)})
        facts.returned_places[function] = found
    return found


def _is_local(function: Function) -> Callable[[str], bool]:
    return lambda place: place.partition(".")[0] not in function.parameter_names


def _is_setting(facts: Facts, call: cst.Call, node: cst.BaseExpression) -> bool:
    """Whether an argument of a module that is made there is a number, if anything: `nn.Linear(3, self.args.size)`, or what another
    layer was made with: `kernel_size=conv.kernel_size`.
    """
    values = facts.values
    is_open = values(node).kind in (Kind.UNKNOWN, Kind.PYTHON)
    name = values.torch_name(call.func)
    if name in facts.tables.layers:
        return (is_open and name not in OF_MODULES) or _is_of_other_layer(facts, node)
    made = facts.effects.classes_of(values(call)) if is_open else []
    makers = [item.method("__init__") for item in made]
    if makers and all(maker is not None and is_counted(facts, maker, call, node) for maker in makers):
        return True
    return bool(made) and all(_holds_own_parts(facts, item, set()) for item in made)


def _holds_own_parts(facts: Facts, item: Class, seen: set[str]) -> bool:
    """Whether all that objects of a class hold, and their parts, is known to be no tensor, or made by their classes themselves."""
    if item.key in seen:
        return True
    seen.add(item.key)
    if not all(base.kind in (Kind.TORCH, Kind.CLASS) for base in item.bases):
        return False
    return all(_is_own_part(facts, value, seen) for _, value in item.all_fields())


def _is_own_part(facts: Facts, value: Value, seen: set[str]) -> bool:
    if value.kind is Kind.MODULE:
        layers = facts.tables.layers
        classes = facts.effects.classes_of(value)
        others = value.types - {item.key for item in classes}
        is_known = (
            bool(value.types)
            and not value.among & GUESSED
            and all(name in layers or name in CONTAINERS for name in others)
        )
        parts = all(_is_own_part(facts, part, seen) for part in facts.effects.members(value))
        return is_known and parts and all(_holds_own_parts(facts, item, seen) for item in classes)
    if value.kind in (Kind.LIST, Kind.TUPLE, Kind.DICT):
        return not _may_hold_any(value) and all(_is_own_part(facts, part, seen) for part in value.parts)
    return value.kind not in (Kind.UNKNOWN, Kind.PYTHON, Kind.TENSOR, Kind.PARAMETERS, Kind.OBJECT, Kind.STATE_DICT)


def _is_of_other_layer(facts: Facts, node: cst.BaseExpression) -> bool:
    """Whether an argument of a layer is what another one was made with, and no tensor: `kernel_size=conv.kernel_size`."""
    if not isinstance(node, cst.Attribute) or facts.values(node).kind is Kind.TENSOR:
        return False
    layers = [facts.tables.layers.get(name) for name in facts.values(node.value).types]
    taken = [parse_signature(spec.signature) for spec in layers if spec is not None]
    return bool(taken) and len(taken) == len(layers) and all(node.attr.value in signature for signature in taken)


def _keeps(facts: Facts, made: Value, argument: cst.BaseExpression) -> bool:
    """Whether objects of a class have a module that they are given, or parts of it, in a field, perhaps in a list or dict, or
    may have the method of one.
    """
    sites = sites_within(facts, facts.values(argument))
    if isinstance(argument, cst.Attribute) and _is_method(facts, argument):
        return True
    if any(_keeps_parameters(facts, item, argument) for item in facts.effects.classes_of(made)):
        return True
    if facts.values(argument).kind is Kind.PARAMETERS:
        return False
    found = [facts.program.class_by_key.get(name) for name in made.types] if sites else []
    items = [item for item in found if item is not None]
    is_left = any(_is_one_of_those_left(facts, item, argument) for item in items)
    fields = [value for item in items for _, value in item.all_fields()]
    return any(_own_sites(value) & sites or (is_left and _may_hold_any(value)) for value in fields) or any(
        part.kind is Kind.MODULE and not part.sites and not part.is_loss_module
        for value in fields
        if value.is_a(Kind.LIST, Kind.TUPLE, Kind.DICT)
        for part in value.parts
    )


def _is_of_parameters(value: Value) -> bool:
    """Whether a value is a parameter, or a container with some."""
    is_one = value.kind is Kind.TENSOR and "parameter" in value.types
    is_container = value.is_a(Kind.LIST, Kind.TUPLE, Kind.DICT)
    return is_one or (is_container and any(map(_is_of_parameters, value.parts)))


def _field_seen(facts: Facts, node: cst.BaseExpression) -> cst.Attribute | None:
    """The field of a module that has a tensor, or its memory: `net.table` of `net.table[0].unsqueeze(1)`."""
    if facts.values(node).kind is not Kind.TENSOR:
        return None
    roots = facts.values(node).roots
    while isinstance(node, cst.Subscript) and facts.values(node.value).kind in (Kind.LIST, Kind.TUPLE, Kind.DICT):
        node = node.value  # the tensor itself
        if isinstance(node, cst.Attribute) and facts.values(node.value).kind is Kind.MODULE:
            return node
    while True:
        match node:
            case cst.Call(func=cst.Attribute(value=inner)) | cst.Subscript(value=inner):
                node = inner
            case cst.Attribute(value=inner) if facts.values(inner).kind is Kind.MODULE:
                return node if f"field:{node.attr.value}" in roots else None
            case cst.Attribute(value=inner):
                node = inner
            case _:
                return None


def _call_around(facts: Facts, argument: cst.BaseExpression) -> cst.CSTNode | None:
    """The call that an expression is an argument of; none where a function of another file makes the call."""
    parents = facts.program.index.parents
    return parents.get(parents[argument]) if argument in parents else None


def _keeps_parameters(facts: Facts, item: Class, argument: cst.BaseExpression) -> bool:
    """Whether `__init__` of a class keeps the parameters that it is given, one or several, or those of a module, in a field that
    somebody reads: `self.params = list(params)`, `self.params = [p for p in model.parameters()]`, `self.weight = weight`.
    """
    init, call = item.method("__init__"), _call_around(facts, argument)
    if init is None or not isinstance(call, cst.Call):
        return False
    names = {name for name, node in arguments_by_parameter(init, call, facts.values) if node is argument}
    is_here, is_module = init.node in facts.program.functions, facts.values(argument).kind is Kind.MODULE
    has_some = _is_of_parameters(facts.values(argument))
    fields = [
        node.value
        for node in own_nodes(init.node)
        if isinstance(node, cst.Assign)
        for part in node.targets
        if isinstance(part.target, cst.Attribute)
        if not is_here or is_read(facts, f"self.{part.target.attr.value}")
    ]
    if not is_here:  # whose facts are not at hand
        return any((_listed_module(value) if is_module else dotted(_listed(value))) in names for value in fields)
    if has_some and not names.isdisjoint(dotted(part) for value in fields for part in elements_of(value)):
        return True
    return any(
        not names.isdisjoint(held_places(facts, value)) and (not is_module or _holds_tensors(facts, value))
        for value in fields
    )


def _listed_module(value: cst.BaseExpression) -> str | None:
    """`net` of `list(net.parameters())` and `[p for p in net.parameters()]`."""
    match _listed(value):
        case cst.ListComp(elt=cst.Name(name), for_in=cst.CompFor(target=target, iter=inner)):
            return _listed_module(inner) if name in names_in(target) else None
        case cst.Call(func=cst.Attribute(value=module, attr=cst.Name(name))) if name in _VIEWS:
            return _listed_module(module) or dotted(module)
    return None


def _listed(value: cst.BaseExpression) -> cst.BaseExpression:
    """`params` of `list(params)`."""
    while isinstance(value, cst.Call) and dotted(value.func) in _COLLECTIONS and len(value.args) == 1:
        value = value.args[0].value
    return value


def _own_sites(value: Value) -> set[int]:
    """Where a module is made, or those in a container: the parts of a copy have those of what was copied."""
    if value.kind is Kind.MODULE:
        return set(value.sites)
    return {site for part in value.parts for site in _own_sites(part)}


def sites_within(facts: Facts, value: Value) -> set[int]:
    """Where the modules in a value are made, and the parts that classes of the program give them."""
    found, waiting = set[int](), [value]
    while waiting:
        part = waiting.pop()
        new = module_sites(part) - found
        found |= new
        for item in facts.effects.classes_of(part) if new and part.kind is Kind.MODULE else ():
            waiting += [field for _, field in item.all_fields()]
        waiting += [inner for inner in part.parts if new]
    return found


def _is_one_of_those_left(facts: Facts, item: Class, argument: cst.BaseExpression) -> bool:
    """Whether an argument of a new object is one of those that `__init__` takes together: `*parts`, `**parts`."""
    init, call = item.method("__init__"), _call_around(facts, argument)
    if init is None or not (init.star_name or init.double_star_name) or not isinstance(call, cst.Call):
        return False
    named = arguments_by_parameter(init, call, facts.values)
    return all(node is not argument or name not in init.parameter_names for name, node in named)


def _may_hold_any(value: Value) -> bool:
    """Whether nothing is known of what a container holds."""
    return value.is_a(Kind.LIST, Kind.TUPLE, Kind.DICT) and value.items is None and value.element().kind is Kind.UNKNOWN


def _is_captured(facts: Facts, call: cst.Call, argument: cst.BaseExpression) -> bool:
    """Whether functions that a call gives may read an argument from around them, or a module that was made of it."""
    for callee in facts.values.callees.get(call, ()):
        inner = [node for node in descendants(callee.node.body) if isinstance(node, (cst.FunctionDef, cst.Lambda))]
        returned = [node.value for node in own_nodes(callee.node) if isinstance(node, cst.Return) and node.value]
        parts = [item for node in returned for item in (descendants(node) if isinstance(node, cst.Tuple) else [node])]
        if any(isinstance(item, (cst.Call, cst.Attribute)) for item in parts):
            return True  # it may come from anywhere
        free = {name for node in inner for name in free_variables(node)}
        given = arguments_by_parameter(callee, call, facts.values)
        others = [callee.env[name] for name in free - set(callee.parameter_names) if name in callee.env]
        if any(name in free for name, node in given if node is argument) or any(map(_may_be_model, others)):
            return True
    return False


def _may_be_model(value: Value) -> bool:
    every = (value, *value.parts)
    parts = [part for part in every if part.kind in (Kind.MODULE, Kind.OBJECT) and not part.is_loss_module]
    return bool(parts) or value.kind is Kind.UNKNOWN


def _hands_on(facts: Facts, call: cst.Call, argument: cst.BaseExpression) -> bool:
    """Whether a function may return the module that it is given."""
    sites = facts.values(argument).sites
    return any(
        callee.returns is not None
        and callee.returns.kind is Kind.MODULE
        and (callee.returns.sites & sites or not sites)
        for callee in facts.values.callees.get(call, ())
    )


def makes_module(facts: Facts, call: cst.Call) -> bool:
    made = facts.values(call.func)
    name = facts.values.torch_name(call.func) or ""
    return made.kind is Kind.CLASS or name.startswith("torch.nn.") or name in facts.tables.layers


def _union(facts: Facts, values: Sequence[cst.BaseExpression]) -> list[str]:
    found: list[str] = []
    for value in values:
        found.extend(place for place in held_places(facts, value) if place not in found)
    return found


def _is_module_or_parameter(facts: Facts, node: cst.BaseExpression) -> bool:
    kind = facts.values(node).kind
    if kind in _PLAIN:
        return False  # a setting, such as `model.fc.in_features`
    if kind is Kind.PYTHON and is_number_array(node, facts.values):
        return False
    if kind in (Kind.MODULE, Kind.PARAMETERS) or (kind is Kind.TENSOR and "leaf" in facts.values(node).types):
        return True
    while isinstance(node, cst.Attribute):
        node = node.value
        if facts.values(node).kind is Kind.MODULE:
            return True
    return False


__all__ = [
    "Changes",
    "PutBack",
    "check_exchanges",
    "check_given_modules",
    "check_holders_given",
    "check_sharing",
    "held_places",
    "is_field_of_plain_layers",
    "is_fresh",
    "is_read",
    "is_used",
    "kept_parts",
    "makes_module",
    "models_of_one_part",
    "points_of",
    "reached_behind",
    "related",
    "sites_within",
    "unmoved",
]
