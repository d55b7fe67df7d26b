"""Decide what immutable modules and optimizers need: extra parameters, extra results, and callers that rebind.

    def train(model, loader, optimizer):          def train(model, loader, optimizer, opt_state):
        ... optimizer.step() ...           ->         ... model, opt_state, loss = train_step(...) ...
        return total                                  return model, opt_state, total

A *place* is a variable or field (`model`, `self.model`). What changes the object in a place is an event; events spread from
callee to caller through the arguments of calls (least fixpoint). A place that is a parameter is returned, a module-level
variable is declared `global`, a field is simply assigned.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property

import libcst as cst

from torch2jax.facts.bindings import makes_module
from torch2jax.facts.effects import Draw
from torch2jax.facts.field_aliases import TensorChange, changes_of_tensors
from torch2jax.facts.given_modules import LENT, is_known_to_keep_none
from torch2jax.facts.infer import SITES, all_marks
from torch2jax.facts.left_modes import evaluates_at, mode_left_by, modes_in_front
from torch2jax.facts.listed_optimizers import lists_put_back
from torch2jax.facts.module_state import (
    changes_in_place,
    gives_self,
    giving_self,
    module_place,
    runs_only_at_init,
    writes_parameters,
)
from torch2jax.facts.moves import changes_parameters
from torch2jax.facts.part_makers import sites_of_parts
from torch2jax.facts.restored_modes import restores_mode_of
from torch2jax.facts.saved_modules import may_read_modules, saved_parts
from torch2jax.facts.schedules import GIVEN, Form
from torch2jax.facts.training import Step, Update, method_call
from torch2jax.facts.values.field_evidence import makes_modules
from torch2jax.ops.modules import WRAPPING
from torch2jax.plan.apart import find_put_back, find_refilled, refilled_by_calls
from torch2jax.plan.closures import check_outliving, check_two_names
from torch2jax.plan.held_changes import check_held_changes
from torch2jax.plan.kept_gradients import check_kept_gradients
from torch2jax.plan.listed_elements import check_elements_paired, check_elements_read
from torch2jax.plan.listed_states import find_listed_states
from torch2jax.plan.made_optimizers import receiving_places, returned_elements, returned_optimizers
from torch2jax.plan.model import CallPlan, Facts, FunctionPlan, Gained, Known, Plan
from torch2jax.plan.names import OwnNames, is_bound, names_of_step, states_of_step
from torch2jax.plan.optimizer_states import check_optimizer_states
from torch2jax.plan.private_changes import is_unseen_behind, private_parameters
from torch2jax.plan.shared_parts import SharedParts, find_parts
from torch2jax.plan.sharing import (
    check_exchanges,
    check_given_modules,
    check_holders_given,
    check_lasting,
    check_sharing,
    check_tensors,
)
from torch2jax.plan.suspended import check_suspended
from torch2jax.plan.unreached import plan_left_over, plan_unreached, plan_watched
from torch2jax.plan.untrained_parts import check_untrained_parts
from torch2jax.plan.wrapped_modes import modes_of_wrappers, wrappers_in_use
from torch2jax.program.calls import arguments_by_parameter, chain_start, wrappers_of
from torch2jax.program.program import Class, Function, dotted, root_name
from torch2jax.program.statements import bound_by
from torch2jax.syntax.codegen import code
from torch2jax.syntax.quote import names_in
from torch2jax.syntax.walk import bound_names, descendants, elements_of, own_nodes
from torch2jax.values import LAMBDA, SOME_CLASS, UNGIVEN, UNKNOWN, Kind, Partial, Value, module_sites

Events = dict[str, set[str]]  # place -> what happens to it: "value", "mode", "opt_state", "state", "state-read"
PRIVATE = "private"  # beside the events of a parameter: the function keeps what it changes to itself
_OF_STATES = frozenset({"opt_state", "opt_state-read"})
COMPANIONS = ("opt_state", "grads", "state")  # what is kept beside optimizers and modules; the end of a name says which
_WITHOUT_MODE = frozenset({"buffers", "named_buffers", "named_parameters", "parameters", "state_dict", "zero_grad"})
_OPTIMIZER_NAMES = ("optimizer", "optim", "opt", "optimiser")


def plan_threading(facts: Facts, plan: Plan, known: Known, elsewhere: Sequence[Facts] = ()) -> None:
    """Fill the function and call plans (`known` and `elsewhere`: what is known of the other files of the program)."""
    _Threading(facts, plan, known, elsewhere).run()


_OF_A_LIST = "an element of a list, with a state of its own,"

_OR_OTHERS = frozenset({SOME_CLASS, UNGIVEN})

_OF_PARTS = frozenset({"children", "named_children", "modules", "named_modules", "_modules"})


class _Threading:
    def __init__(self, facts: Facts, plan: Plan, known: Known, elsewhere: Sequence[Facts]) -> None:
        self.facts = facts
        self.elsewhere = elsewhere
        self.plan = plan
        self.values = facts.values
        self.names = OwnNames(facts.program, facts.flows)
        self.loose: dict[Function | None, str] = {}
        self.given: dict[cst.CSTNode, str] = {}  # what makes a module that is given to a call at once: its state
        self.events: dict[Function | None, Events] = {function: {} for function in facts.program.functions.values()}
        self.events[None] = {}
        self.imported: Mapping[Function, Events] = known.events
        self.modes_wanted = known.modes_wanted
        self.fields = known.fields
        self.calls: dict[Function | None, list[cst.Call]] = {}
        self.set_to_evaluate: dict[Function, set[str]] = {}
        self.giving = giving_self(facts.program)
        self.evaluating = frozenset(call for item in facts.evaluations for call in item.calls)
        for call in facts.program.index.calls:
            self.calls.setdefault(facts.program.function_running(call), []).append(call)

    def run(self) -> None:
        for step in self.facts.steps:
            self.plan.step_names[step] = names_of_step(step, self.facts.program, self.facts.target.key)
            stateful = [place for place in step.models if self.is_stateful_place(step.function, place)]
            self.plan.step_states[step] = states_of_step(step, stateful, self.plan.step_names[step])
        self.plan_keys_and_state()
        if self.facts.target.optimizer_state_of is not None:
            self.plan.listed_states = find_listed_states(self.facts)
        of_tensors = list(changes_of_tensors(self.facts.program, self.facts.effects))
        check_tensors(self.facts, self.plan, of_tensors)
        check_optimizer_states(self.facts, self.plan)
        check_kept_gradients(self.facts, self.plan)
        check_untrained_parts(self.facts, self.plan)
        self.direct_events()
        if not self.facts.target.immutable:  # modules are the same objects for all; what was read of them is not
            self.plan.by_signature.update(
                call for call, reached in self.reached_calls() if self.keyless_elsewhere(reached) is not None
            )
            self.plan.by_signature.update(
                call for call in self.facts.program.index.calls if self.values(call.func).among & _OR_OTHERS
            )
            while self.spread() | self.spread_outwards():
                pass
            for function, events in self.events.items():
                for place, found in sorted(events.items()):
                    if "grads" in found and function is not None and self.is_own_optimizer(function, place):
                        self.companion(function, place, "grads")
            changes = self.changes_of_all(of_tensors)
            check_sharing(self.facts, self.plan, changes, self.elsewhere, of_arrays=True)
            check_lasting(self.facts, self.plan, changes, self.elsewhere, of_tensors, of_arrays=True)
            self.check_gradients()
            return
        for generator, parameter in private_parameters(self.facts):
            self.event(generator, parameter, PRIVATE)
        self.find_aliases()
        find_parts(self.facts, self.plan)
        while self.spread() | self.spread_aliases() | self.spread_outwards() | self.spread_alike():
            pass
        self.drop_dead_modes()
        for function, events in self.events.items():
            for place, found in sorted(events.items()):
                for kind in COMPANIONS:
                    if kind in found or f"{kind}-read" in found:
                        self.companion(function, place, kind)
        for function in self.facts.program.functions.values():
            self.plan_function(function)
        changed = True
        while changed:  # what one function gives back its callers may give back
            changed = False
            for function in self.facts.program.functions.values():
                changed = self.gives_back(function) or changed
        for function in self.facts.program.functions.values():
            if self.is_builder(function):
                self.plan_builder(function)
            self.plan_builder_of_several(function)
            self.check_returned(function)
        while any(self.plan_made_optimizers(function) for function in self.facts.program.functions.values()):
            pass  # what one function gives back its callers may return
        for function, calls in self.calls.items():
            for call in calls:
                self.plan_call(function, call)
        self.plan_states_of_fields()
        self.plan.events.update({function: events for function, events in self.events.items() if function is not None})
        self.shared_parts().note_taken()
        changes = self.changes_of_all(of_tensors)
        for call, places in refilled_by_calls(self.facts, find_refilled([self.facts, *self.elsewhere])):
            statement = self.facts.program.index.statement_of(call)
            running = self.facts.program.function_running(call)
            changes.setdefault(running, []).extend((statement, place) for place in sorted(places))
        put_back = find_put_back(self.facts, changes)
        for function, elements in put_back.items():
            changes[function] += [(statement, container) for statement, _, container in elements]
        check_sharing(self.facts, self.plan, changes, self.elsewhere, put_back=put_back)
        check_holders_given(self.facts, self.plan)
        check_held_changes(self.facts, self.plan, self.events, of_tensors, self.mode_is_dead_behind)
        check_suspended(self.facts, self.plan, changes)
        check_exchanges(self.facts, self.plan, self.exchanges())
        self.check_new_parts()
        check_lasting(self.facts, self.plan, changes, self.elsewhere, of_tensors)
        check_given_modules(self.facts, self.plan, changes, self.elsewhere)
        self.check_gradients()
        self.check_states_put_back()
        self.check_aliases()
        self.shared_parts().check_fields()
        self.check_makers()
        for function, events in self.events.items():
            for place, found in events.items():
                if {"opt_state", "opt_state-read"} & found:
                    self.check_optimizer(function, place)
                if {"state", "state-read"} & found:
                    self.check_state(function, place)

    def is_own_optimizer(self, function: Function, place: str) -> bool:
        """Whether a field has an optimizer that its class makes, and that has no other name there."""
        owner, (root, _, name) = function.owner, place.partition(".")
        if owner is None or owner.is_module or root != function.self_name or name not in owner.field_nodes:
            return False
        lines = [line for line in self.facts.program.index.every(cst.Assign) if isinstance(line, cst.Assign)]
        given = [line for line in lines if any(dotted(item.target) == place for item in line.targets)]
        made = all(isinstance(line.value, cst.Call) and len(line.targets) == 1 for line in given)
        return bool(given) and made and not any(dotted(line.value) == place for line in lines)

    def check_states_put_back(self) -> None:
        """Optimizers that come out of lists, and whose state changes without going back, or which leave gradients beside them."""
        taken = {(self.facts.program.function_around(name), name.value) for name in self.plan.listed_states.taken}
        if not taken:
            return
        for function, statement, place in self.changes_of_states():
            if (function, place) in taken:
                if not any(lists_put_back(self.facts.program, self.values, statement, place)):
                    self.plan.problem(statement, "T2J501", name=place)
        for function, place in taken:
            if {"grads", "grads-read"} & self.events[function].get(place, set()):
                self.plan.problem(self.facts.program.index.module, "T2J501", name=place)

    def changes_of_states(self) -> Iterator[tuple[Function | None, cst.BaseStatement, str]]:
        """The statements that give optimizers in variables other states."""
        index = self.facts.program.index
        for step in self.facts.steps:
            for update in step.updates:
                yield from ((function, line, update.optimizer) for line, function in update.lines.items())
            if step.optimizer is not None and not step.updates:
                yield step.function, step.backward_statement, str(dotted(step.optimizer))
        schedules = self.facts.schedules
        changing = [*schedules.steps.items(), *schedules.writes.items(), *schedules.loads.items()]
        for node, (_, place) in changing:
            yield self.facts.program.function_around(node), index.statement_of(node), place
        for function, calls in self.calls.items():
            for call in calls:
                statement = index.statement_of(call)
                for callee in self.values.callees.get(call, ()):
                    arguments = dict(arguments_by_parameter(callee, call, self.values))
                    given = [name for name, what in self.events_of(callee).items() if "opt_state" in what]
                    yield from ((function, statement, str(dotted(arguments.get(name)))) for name in given)
                if isinstance(call.func, cst.Attribute) and call.func.attr.value == "load_state_dict":
                    yield function, statement, str(dotted(call.func.value))

    def check_gradients(self) -> None:
        """Parameters that steps leave without gradients, and gradients that nobody empties."""
        check_elements_read(self.facts, self.plan)
        check_elements_paired(self.facts, self.plan)
        plan_unreached(self.facts, self.plan)
        plan_watched(self.facts, self.plan)
        plan_left_over(self.facts, self.plan)

    def check_optimizer(self, function: Function | None, place: str) -> None:
        """An optimizer whose making is not seen has no state that could be passed on."""
        root, _, rest = place.partition(".")
        owner = self.owner_of(function, root)
        if not rest and (owner is not function or (owner is not None and root in owner.parameter_names)):
            return
        scope: cst.CSTNode = owner.node if owner is not None else self.facts.program.index.module
        holder = self.holder(function, place)
        if holder is not None:
            scope, place = cst.Module([item.node for item in holder.lineage]), f"self.{place.rpartition('.')[2]}"
        elif rest and owner is not None and owner.owner is not None:
            scope = cst.Module([item.node for item in owner.owner.lineage])
        stored = {
            dotted(item)
            for node in descendants(scope)
            if isinstance(node, cst.Assign)
            for target in _given_places(node)
            for item in descendants(target)
            if isinstance(item, (cst.Name, cst.Attribute))
        }
        stored |= {name.value for name in self.plan.listed_states.taken if name in set(descendants(scope))}
        if place not in stored:
            node = next(
                (
                    item
                    for item in descendants(scope)
                    if isinstance(item, (cst.Name, cst.Attribute)) and dotted(item) == place
                ),
                None,
            )
            self.plan.problem(node or self.facts.program.index.module, "T2J501", name=place)

    def check_aliases(self) -> None:
        """`other = net`, where both go on to be called: the state would stand beside two names, and change beside one."""
        for function, node, left, right in self.plan.aliases:
            if not self.is_stateful_place(function, right) or "." in right or not self.stays(function, node, right):
                continue
            if all({"state", "state-read"} & self.events[function].get(place, set()) for place in (left, right)):
                self.plan.problem(node, "T2J604", name=left, other=right)

    def stays(self, function: Function | None, node: cst.Assign, place: str) -> bool:
        """Whether a variable still holds the module that an assignment gives a second name."""
        targets = {name for target in node.targets for name in bound_names(target.target)}
        if function is not None and (place in function.parameter_names or place not in function.env):
            return True
        statement = self.facts.program.index.statement_of(node)
        return place not in targets and place in self.facts.flows.liveness(function).after_statement(statement)

    def check_state(self, function: Function | None, place: str) -> None:
        """The state of a part is that of the module around it, and what comes from a plain list has none beside it."""
        owner = self.owner_of(function, place)
        if "." in place or self.facts.target.state is None or (owner is not function and function is not None):
            return
        if function is not None and (place in function.parameter_names or self.inside_module(function)):
            return
        value = self.place_value(function, place)
        if value is None or value.kind is not Kind.MODULE:
            return
        scope: cst.CSTNode = function.node if function is not None else self.facts.program.index.module
        for node in descendants(scope):
            if self.facts.program.function_around(node) is not function:
                continue  # a name of its own
            if isinstance(node, (cst.For, cst.CompFor)):
                names = [
                    item for item in descendants(node.target) if isinstance(item, cst.Name) and item.value == place
                ]
                if any(self.module_place(item) == place for item in names):
                    self.plan.problem(node, "T2J604", name=place, other=_OF_A_LIST)
                    return
            if isinstance(node, cst.Assign) and any(dotted(target.target) == place for target in node.targets):
                if value.sites & self.part_sites:
                    self.plan.problem(node, "T2J604", name=place, other="a part of another module")
                    return
                if self.is_of_unknown_maker(node.value) and self.is_stateful_place(function, place):
                    self.plan.problem(node, "T2J605", name=place)
                    return

    def is_of_unknown_maker(self, value: cst.BaseExpression) -> bool:
        """Whether nothing that is known makes a module, so that no state is made beside it either."""
        return isinstance(value, cst.Call) and self.values(value).kind is Kind.UNKNOWN

    def changes_of_all(
        self, of_tensors: Sequence[TensorChange]
    ) -> dict[Function | None, list[tuple[cst.BaseStatement, str]]]:
        """The changes of modules, and those of all their tensors, by function."""
        changes = self.changes()
        for change in of_tensors:
            if change.fields is not None or self.is_of_loop(change):
                continue
            if not (self.inside_module(change.function) and self.is_of_self(change)):
                statement = self.facts.program.index.statement_of(change.node)
                changes.setdefault(change.function, []).append((statement, change.place))
        return changes

    def is_of_loop(self, change: TensorChange) -> bool:
        """Whether it is the variable of a loop over modules or parameters that changes, whose body becomes a function."""
        return self.is_in_loop_over(change.node, change.place)

    def is_in_loop_over(self, node: cst.CSTNode, place: str) -> bool:
        """Whether code stands in a loop, the body of which becomes a function, over what a place begins with."""
        loops = [item.loop for item in self.facts.loops if item.changed == place.split(".")[0]]
        return bool(loops) and any(around in loops for around in self.facts.program.index.ancestors(node))

    def is_of_self(self, change: TensorChange) -> bool:
        """Whether what changes is found by way of the object of a method."""
        own = change.function.self_name if change.function is not None else None
        return own is None or change.place.split(".")[0] == own

    def changed_by_methods(self) -> Iterator[tuple[cst.Call, str]]:
        """The calls of methods that change tensors of their own module, with its place: `net.scale_weights(2)`."""
        for call, callees in self.values.callees.items():
            if not isinstance(call, cst.Call) or not isinstance(call.func, cst.Attribute):
                continue
            place, around = dotted(call.func.value), self.facts.program.function_around(call)
            if around is not None and around.name == "__init__" and place == around.self_name:
                continue  # of a module that is being made
            if place is not None and call in self.facts.program.index.parents and any(map(self.changes_own, callees)):
                yield call, place

    def changes_own(self, method: Function) -> bool:
        """Whether a method goes through parameters of its own module and changes them."""
        if method.owner is None or not method.owner.is_module or method.self_name is None:
            return False
        return any(
            item.function is method and item.place.split(".")[0] == method.self_name for item in self.facts.loops
        )

    def changes(self) -> dict[Function | None, list[tuple[cst.BaseStatement, str]]]:
        """The statements that give a module another value, with the module's place, by function."""
        found: dict[Function | None, list[tuple[cst.BaseStatement, str]]] = {}
        for step in self.facts.steps:
            if step.problem is None and step.updates:
                for update in step.updates:
                    for line, function in update.lines.items():
                        found.setdefault(function, []).extend((line, place) for place in update.models)
            elif step.problem is None and step.optimizer is not None:
                others = [place for place in step.models if self.may_change_in(step, place)]
                trained = dict.fromkeys((*others, *step.trained))
                found.setdefault(step.function, []).extend((step.backward_statement, place) for place in trained)
        for item in self.facts.freezing.statements if self.facts.target.immutable else ():
            if not item.is_idle and (item.function is None or item.place != item.function.self_name):
                found.setdefault(item.function, []).append((item.statement, item.place))
        for loop in self.facts.loops:
            if not self.is_in_loop_over(loop.loop, loop.place):
                found.setdefault(loop.function, []).append((loop.loop, loop.place))
        for call, place in self.changed_by_methods():
            statement = self.facts.program.index.statement_of(call)
            found.setdefault(self.facts.program.function_running(call), []).append((statement, place))
        for function, calls in self.calls.items():
            for call in calls:
                statement = self.facts.program.index.statement_of(call)
                places = {
                    place for callee in self.values.callees.get(call, ()) for place in self.changed_by(callee, call)
                }
                places |= {place for place in [self.applied_to(function, call)] if place is not None}
                kept = [place for place in sorted(places) if not self.is_in_loop_over(call, place)]
                found.setdefault(function, []).extend((statement, place) for place in kept)
        return found

    def may_change_in(self, step: Step, place: str) -> bool:
        """Whether a step changes a module that its loss goes through: all but those that it is known not to train."""
        if not step.trained or place in step.trained or self.is_stateful_place(step.function, place):
            return True
        return self.writes_parameters(self.place_value(step.function, place))

    def applied_to(self, function: Function | None, call: cst.Call) -> str | None:
        """The module to whose parts a call applies a function that may change them: `w` of `w.apply(init)`."""
        match call:
            case cst.Call(func=cst.Attribute(value=owner, attr=cst.Name("apply")), args=[cst.Arg(value=given)]):
                if self.values(owner).kind is Kind.MODULE and not self.inside_module(function):
                    functions = [self.facts.program.by_key.get(key) for key in self.values(given).types]
                    changes = any(item is None or self.plan.of(item).extras for item in functions)
                    return self.module_place(owner) if changes or not functions else None
        return None

    def exchanges(self) -> dict[Function | None, list[tuple[cst.BaseStatement, str]]]:
        """The statements that give a part or a setting of a module another value, with the module's place, by function."""
        found: dict[Function | None, list[tuple[cst.BaseStatement, str]]] = {}
        for target in self.facts.program.index.every(cst.AssignTarget):
            if target.target not in self.facts.replaced:
                continue
            function = self.facts.program.function_around(target)
            place = self.module_place(target.target.value)  # type: ignore[attr-defined]
            is_own = place is not None and function is not None and place.split(".")[0] == function.self_name
            if place is not None and not (is_own and self.inside_module(function)):
                found.setdefault(function, []).append((self.facts.program.index.statement_of(target), place))
        return found

    def check_new_parts(self) -> None:
        """Parts with state are exchanged while the whole has none yet: where it, or what it has, becomes a part of another module."""
        for target in self.facts.replaced:
            assign = self.facts.program.index.parents[self.facts.program.index.parents[target]]
            if not isinstance(target, cst.Attribute) or not isinstance(assign, cst.Assign):
                continue
            owner, old, new = self.values(target.value), self.values(target), self.values(assign.value)
            if any(self.facts.effects.is_stateful(value) for value in (old, new)):
                function = self.facts.program.function_around(target)
                is_part = bool(owner.sites) and owner.sites <= self.part_sites
                if not is_part and (function is None or self.is_made(function) or not self.is_inner(function)):
                    self.plan.problem(assign, "T2J601", name=target.attr.value, module=code(target.value))

    def changed_by(self, callee: Function, call: cst.Call) -> Iterator[str]:
        """The places, in the caller's words, of the modules that a call changes."""
        arguments = dict(arguments_by_parameter(callee, call, self.values))
        for place, what in self.events_of(callee).items():
            root, _, rest = place.partition(".")
            if "value" not in what:
                continue
            if root == callee.self_name and isinstance(call.func, cst.Attribute) and callee.name != "__init__":
                owner = dotted(call.func.value)
                if owner is not None:
                    yield f"{owner}.{rest}"
            elif root in arguments:
                part = self.part_of_module(arguments[root])
                argument = part[0] if part is not None else dotted(arguments[root])
                if argument is not None:
                    yield f"{argument}.{rest}" if rest else argument
            elif root not in callee.env:
                yield place

    def plan_keys_and_state(self) -> None:
        target, index = self.facts.target, self.facts.program.index
        with_result = {index.function_of(node) for node in index.every(cst.Return) if node.value is not None}
        for function in self.facts.program.functions.values():
            summary = self.facts.effects.of(function)
            planned = self.plan.of(function)
            planned.key = summary.draw
            seeded = any(self.facts.effects.seeds(call) for call in self.calls.get(function, ()))
            planned.key_name = planned.key_parameter = target.key
            if planned.key is not Draw.NONE or seeded:
                planned.key_parameter, planned.key_name = self.own_parameter(function, target.key, f"rng_{target.key}")
            planned.state = summary.state and target.state is not None and function.owner is not None
            planned.gives_state = planned.state and summary.changes_state
            if planned.state:
                planned.state_parameter, planned.state_name = self.own_parameter(function, "state", "module_state")
            planned.has_result = function.node in with_result or any(
                other.node in with_result for other in self.called_alike(function)
            )
        self.plan.module_key = self.names.fresh(None, [target.key, f"rng_{target.key}"])
        self.agree_on_names()

    def called_alike(self, function: Function) -> Iterator[Function]:
        """The methods of this name in base classes and subclasses, any of which a call may run."""
        owner = function.owner
        if owner is None:
            return
        for other in self.facts.program.class_by_key.values():
            if function.name in other.methods and other is not owner:
                if owner in other.lineage or other in owner.lineage:
                    yield other.methods[function.name]

    def own_parameter(self, function: Function, name: str, other: str) -> tuple[str, str]:
        """The parameter that a function gains, and the variable with it: containers give both to the forward passes of
        their members by the usual name, so a variable of the program's own is evaded inside of them.
        """
        fresh = self.names.fresh(function, [name, other])
        is_forward = function.name == "forward" and self.inside_module(function)
        given = [*function.parameter_names, function.star_name, function.double_star_name]
        evaded = is_forward and name not in given and is_bound(self.facts.flows, function, name)
        return (name if evaded else fresh), fresh

    def agree_on_names(self) -> None:
        """Functions that one call may reach take their keys and states by the same names."""
        reached = [callees for callees in self.values.callees.values() if len(callees) > 1]
        changed = bool(reached)
        while changed:
            changed = False
            for callees in reached:
                drawing = [item for item in callees if self.plan.of(item).key is not Draw.NONE]
                changed |= self.agree(drawing)

    def agree(self, functions: Sequence[Function]) -> bool:
        """Give functions one name for their keys, an unusual one if some need it; True if that is news."""
        names = {self.plan.of(item).key_parameter for item in functions}
        if len(names) < 2:
            return False
        name = max(names - {self.facts.target.key})
        for item in functions:
            planned = self.plan.of(item)
            if planned.key_parameter != name:
                if item not in self.imported and planned.key_name == planned.key_parameter:
                    planned.key_name = name  # in another file what reads the variable has been planned
                planned.key_parameter = name
        return True

    # events

    def events_of(self, function: Function) -> Events:
        """What a function, of this file or an imported one, does to its places."""
        return self.events[function] if function in self.events else self.imported.get(function, {})

    def direct_events(self) -> None:
        for step in self.facts.steps:
            if step.problem is not None:
                continue
            for update in step.updates:
                self.update_events(step, update)
            if step.optimizer is not None and not step.updates:
                for place in step.trained or step.models:
                    self.event(step.function, place, "value")
                optimizer = dotted(step.optimizer)
                if optimizer is not None:
                    self.event(step.function, optimizer, "opt_state")
            for place in step.models:
                if self.is_stateful_place(step.function, place):
                    self.event(step.function, place, "state")
                if self.writes_parameters(self.place_value(step.function, place)):
                    self.event(step.function, place, "value")
        for line, (schedule, place) in self.facts.schedules.steps.items():
            if schedule.form is not Form.BY_UPDATE:
                self.event(self.facts.program.function_around(line), place, "opt_state")
        for made in self.facts.schedules.objects:
            if made.rate is None or made.starts:
                self.event(self.facts.program.function_around(made.line), made.place, "opt_state-read")
        for line, (_, place) in self.facts.schedules.writes.items():
            self.event(self.facts.program.function_around(line), place, "opt_state")
        for line, (_, place) in self.facts.schedules.loads.items():
            self.event(self.facts.program.function_around(line), place, "opt_state")
        for call, (_, place) in self.facts.schedules.saves.items():
            self.event(self.facts.program.function_around(call), place, "opt_state-read")
        for rate, (_, place) in self.facts.schedules.reads.items():
            self.event(self.facts.program.function_around(rate), place, "opt_state-read")
        for groups, place in self.facts.schedules.groups.items():
            self.event(self.facts.program.function_around(groups), place, "opt_state-read")
        for node in self.facts.replaced:
            function = self.facts.program.function_around(node)
            changed = self.module_place(node.value)  # type: ignore[attr-defined]
            if changed is not None and not self.inside_module(function):
                self.event(function, changed, "value")
        for item in self.facts.freezing.statements:
            if not item.is_idle and not self.inside_module(item.function):
                self.event(item.function, item.place, "value")
        for loop in self.facts.loops:
            if not self.inside_module(loop.function):
                self.event(loop.function, self.whole(loop.function, loop.place), "value")
        for _, key, parameter, source in (mark for mark in sorted(self.facts.program.marks) if mark[0] == LENT):
            function = self.facts.program.by_key.get(key)
            if function is not None and parameter in function.parameter_names:
                self.event(function, parameter, "value")
            if self.is_stateful_place(function, parameter):
                self.event(function, parameter, "state")
                self.event(function, source, "state-read")
        for name in self.plan.listed_states.given:
            self.event(self.facts.program.function_around(name), name.value, "opt_state-read")
        self.binding_events()
        for function, calls in self.calls.items():
            for call in calls:
                self.call_events(function, call)
        self.field_events()

    def binding_events(self) -> None:
        """What is kept beside a model or optimizer becomes a new one where a function binds a variable around it anew:
        `global optimizer; optimizer = Adam(...)`.
        """
        for declaration in self.facts.program.index.every(cst.Global, cst.Nonlocal):
            function = self.facts.program.function_around(declaration)
            names = {item.name.value for item in declaration.names}  # type: ignore[attr-defined]
            for node in own_nodes(function.node) if function is not None else ():
                for name in names & set(bound_names(node.target)) if isinstance(node, cst.AssignTarget) else ():
                    value = self.place_value(function, name)
                    if value is not None and value.kind is Kind.OPTIMIZER:
                        self.event(function, name, "opt_state")
                    elif self.is_stateful_place(function, name):
                        self.event(function, name, "state")

    def update_events(self, step: Step, update: Update) -> None:
        """Gradients that go on from statement to statement are kept beside the optimizer, as its state is."""
        for function in update.lines.values():
            for place in update.models:
                self.event(function, place, "value")
            self.event(function, update.optimizer, "opt_state")
        if update.kept and not update.is_local:
            for function in (step.function, *update.lines.values(), *update.clears.values()):
                self.event(function, update.optimizer, "grads")

    def is_stateful_place(self, function: Function | None, place: str) -> bool:
        value = self.place_value(function, place)
        return value is not None and self.facts.effects.is_stateful(value)

    def is_of_stateful_class(self, value: Value) -> bool:
        """Whether a module is known to be of a class that keeps state."""
        return value.kind is Kind.MODULE and bool(value.types) and self.facts.effects.is_stateful(value)

    def stands_beside_state(self, value: Value) -> bool:
        """Whether a module keeps state, or is held where others do."""
        return self.is_of_stateful_class(value) or not value.sites.isdisjoint(self.sites_beside_state)

    def comes_with_state(self, function: Function | None, node: cst.BaseExpression) -> bool:
        """Whether a module keeps state that stands beside it; one of any class where it is a parameter, or a field that holds one."""
        value = self.values(node)
        if isinstance(node, cst.Name) and function is not None and node.value in function.parameter_names:
            if makes_modules(function, node.value):
                return False  # a class, whatever its annotation says
        if value.types or not self.facts.effects.is_stateful(value):
            return self.facts.effects.is_stateful(value)
        return self.is_given_model(function, node)

    def is_given_model(self, function: Function | None, node: cst.BaseExpression) -> bool:
        """Whether a module of any class is a parameter of a function outside of modules, or what its object takes over from one."""
        place = self.module_place(node)
        if place is None or self.inside_module(function) or is_known_to_keep_none(self.facts.effects, node):
            return False
        root, _, field = place.partition(".")
        owner = self.owner_of(function, root)
        if owner is None or root not in owner.parameter_names or (owner.owner is not None and owner.owner.is_module):
            return False
        return (
            self.is_only_given(owner, root) if not field else owner.self_name == root and self.takes_over(owner, field)
        )

    def is_only_given(self, function: Function, name: str) -> bool:
        """Whether a parameter is bound to nothing but itself, moved or in another mode."""
        bound = [node for node in descendants(function.node.body) if isinstance(node, cst.Assign)]
        values = [node.value for node in bound if any(name in bound_names(target.target) for target in node.targets)]
        return all(dotted(chain_start(value, WRAPPING | {"train", "eval"})) == name for value in values)

    def takes_over(self, function: Function, field: str) -> bool:
        """Whether a field of an object holds nothing but what a method is given for a parameter."""
        owner = function.owner
        methods = [method for item in owner.lineage for method in item.methods.values()] if owner is not None else []
        stores = [
            (method, node.value)
            for method in methods
            for node in descendants(method.node.body)
            if isinstance(node, cst.Assign)
            and any(dotted(target.target) == f"{method.self_name}.{field}" for target in node.targets)
        ]
        given = [
            isinstance(value, cst.Name)
            and value.value in method.parameter_names
            and method.name == "__init__"
            and self.is_only_given(method, value.value)
            for method, value in stores
        ]
        return bool(given) and all(given)

    def is_without_state(self, function: Function | None, place: str) -> bool:
        """Whether a place, other than a parameter that others give a state beside, holds a module that keeps none, or a function."""
        owner, value = self.owner_of(function, place), self.place_value(function, place)
        if value is None or (owner is not None and place in owner.parameter_names):
            return False
        is_module = value.kind is Kind.MODULE and bool(value.types)
        return value.kind is Kind.FUNCTION or (is_module and not self.is_stateful_place(function, place))

    def needs_empty_state(self, function: Function | None, node: cst.BaseExpression) -> bool:
        """Whether what a call is given keeps no state, where others that it is given elsewhere do: a module made there, a function."""
        place = dotted(node)
        value, known, made = self.values(node), self.facts.program.functions, self.values.lambda_of(node)
        if made is not None and isinstance(node, cst.Name):
            return all(map(self.calls_tensors, descendants(made.body, cst.Call)))
        if place is not None and value.kind is not Kind.FUNCTION and self.is_without_state(function, place):
            return True
        if value.kind is Kind.MODULE and value.types and isinstance(chain_start(node, WRAPPING), cst.Call):
            return not self.facts.effects.is_stateful(value) and self.state_of_new(function, node) is None
        if value.kind is not Kind.FUNCTION or not isinstance(node, cst.Name) or not value.types:
            return False
        found = [item for item in known.values() if item.key in value.types and item.owner is None]
        return len(found) == len(value.types) and not any(
            "state" in events for item in found for events in self.events[item].values()
        )

    def calls_tensors(self, call: cst.Call) -> bool:
        """Whether a call is one of torch, or of a method of a tensor."""
        method = isinstance(call.func, cst.Attribute) and self.values(call.func.value).kind is Kind.TENSOR
        return method or self.values.torch_name(call.func) is not None

    def place_value(self, function: Function | None, place: str) -> Value | None:
        root, _, rest = place.partition(".")
        if function is not None and rest and root == function.self_name and function.owner is not None:
            return function.owner.field_value(rest)
        owner = self.owner_of(function, root)
        return owner.env[root] if owner is not None else self.facts.program.module_env.get(root)

    def whole(self, function: Function | None, place: str) -> str:
        """The module around all others in a place: it is bound again where a part of it changes."""
        steps = place.split(".")
        places = [".".join(steps[: n + 1]) for n in range(len(steps))]
        values = {item: self.place_value(function, item) for item in places}
        return next((item for item, value in values.items() if value is not None and value.kind is Kind.MODULE), place)

    def event(self, function: Function | None, place: str, what: str) -> bool:
        found = self.events[function].setdefault(place, set())
        if what in found:
            return False
        found.add(what)
        return True

    def mode_left(self, function: Function, parameter: str) -> str | None:
        """The mode that a function leaves its module in, on every way; None where that is unknown."""
        left: str | None = None
        ends: set[str | None] = set()
        for line in function.node.body.body:
            calls = [node for node in descendants(line) if isinstance(node, cst.Call)]
            sets = [
                call
                for call in calls
                if isinstance(call.func, cst.Attribute)
                and call.func.attr.value in ("train", "eval")
                and dotted(call.func.value) == parameter
            ]
            given = [node for call in calls for callee in self.values.callees.get(call, ())
                     for _, node in arguments_by_parameter(callee, call, self.values)]  # fmt: skip
            if sets:
                only = sets[0]
                is_line = isinstance(line, cst.SimpleStatementLine) and isinstance(line.body[0], cst.Expr)
                if len(sets) > 1 or not is_line or only is not line.body[0].value:  # type: ignore[union-attr]
                    left = None
                elif only.args:
                    const = self.values(only.args[0].value).const
                    left = {True: "train", False: "eval"}.get(const) if isinstance(const, bool) else None
                else:
                    left = only.func.attr.value
            elif any(dotted(node) == parameter for node in given):
                left = None  # it may set the mode, too
            if any(isinstance(node, (cst.Return, cst.Yield)) for node in descendants(line)):
                ends.add(left)
        ends.add(left)
        return left if ends == {left} else None

    def plan_mode_left(self, call: cst.Call, reached: Function, name: str, place: str | None) -> None:
        """What a call of a function that sets a mode needs where the mode matters afterwards."""
        events, step = self.events_of(reached).get(name, set()), self.step_around(call)
        if {"mode", "mode-local"}.isdisjoint(events) or self.mode_is_dead_after(call, reached, name):
            return
        if step is not None and place is not None:
            self.plan_mode_behind_step(step, call, reached, name, place)
        if reached not in self.imported:
            return
        mode = self.mode_left(reached, name)
        is_lost = "mode-local" in events and "mode" not in events  # else it gives back what it leaves
        if mode is None or place is None or not self.is_line_of_its_own(call) or step is not None:
            self.plan.modes_wanted.add((reached.key, name))
            if is_lost:
                self.plan.problem(call, "T2J603", name=f"{reached.name}: train or eval")
        elif is_lost:
            self.plan.modes.setdefault(call, []).append((place, mode))

    def plan_mode_behind_step(self, step: Step, call: cst.Call, reached: Function, name: str, place: str) -> None:
        """The mode in which a function of the forward pass leaves a model is that of the model behind the step, too."""
        caller, program = step.function, self.facts.program
        if restores_mode_of(self.facts.effects, reached, name):
            return
        if self.mode_is_dead_behind(step.anchor if step.updates else step.backward_statement, place, caller):
            return
        mode = mode_left_by(self.values, reached, name)
        if mode not in ("train", "eval"):
            self.plan.problem(call, "T2J603", name=f"{reached.name}: train or eval")
            return
        body = caller.node.body.body if caller is not None else program.index.module.body
        if modes_in_front(self.values, body, place, program.index.statement_of(call)) != {mode}:
            self.plan.step_modes.setdefault(step, []).append((place, mode))

    def plan_modes_of_wrappers(self, function: Function | None, call: cst.Call) -> None:
        """What the mode is in which a decorator leaves a module is what it is behind the call."""
        body = function.node.body.body if function is not None else self.facts.program.index.module.body
        own = bound_by(function.node.body) if function is not None else None
        for place, mode in modes_of_wrappers(self.facts, call, self.events_of):
            line = self.facts.program.index.statement_of(call)
            if place is not None and (
                self.mode_is_dead_behind(call, place, function)
                or (mode in ("train", "eval") and modes_in_front(self.values, body, place, line) == {mode})
            ):
                continue
            is_here = (
                place is not None and (own is None or place.split(".")[0] in own) and self.is_line_of_its_own(call)
            )
            if place is None or not is_here or mode not in ("train", "eval") or self.step_around(call) is not None:
                self.plan.problem(call, "T2J603", name=f"{dotted(call.func)}: train or eval")
            else:
                self.plan.modes.setdefault(call, []).append((place, mode))

    def is_name_of_model(self, reached: Function, parameter: str, node: cst.BaseExpression) -> bool:
        """Whether an argument is a text under which the function makes a model: `if model == "small": model = Small()`."""
        value, text = self.values(node), (cst.SimpleString, cst.Tuple, cst.List, cst.Set)
        if value.kind is Kind.MODULE or value.kind is Kind.STR or value.types:
            return value.kind is Kind.STR
        if parameter not in bound_by(reached.node.body):
            return False
        return any(
            isinstance(item, cst.Comparison)
            and dotted(item.left) == parameter
            and isinstance(item.comparisons[0].operator, cst.Equal | cst.NotEqual | cst.In | cst.NotIn)
            and isinstance(item.comparisons[0].comparator, text)
            for item in descendants(reached.node.body)
        )

    def is_line_of_its_own(self, call: cst.Call) -> bool:
        """Whether something can be done right behind the statement of a call."""
        parents = self.facts.program.index.parents
        small = parents[call]
        line = parents.get(small)
        is_simple = isinstance(small, (cst.Assign, cst.AnnAssign, cst.Expr)) and small.value is call
        return is_simple and isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1

    def mode_events(self, function: Function | None, call: cst.Call) -> None:
        """Functions of other files that set a mode, and do not give the module back, where the mode matters afterwards."""
        for reached in self.values.callees.get(call, ()):
            for name, node in arguments_by_parameter(reached, call, self.values) if reached in self.imported else ():
                place = dotted(node)
                if place is not None and "mode-local" in self.imported[reached].get(name, ()):
                    if not self.inside_module(function) and not self.mode_is_dead_after(call, reached, name):
                        self.event(function, place, "mode")

    def save_events(self, function: Function | None, call: cst.Call) -> None:
        """The states of whole modules are saved with them."""
        program = self.facts.program
        is_save = self.values.torch_name(call.func) == "torch.save" and bool(call.args)
        if not is_save or self.facts.target.state is None or may_read_modules(program):
            return
        for node in saved_parts(program, call.args[0].value):
            place = self.module_place(node) if self.values(node).kind is Kind.MODULE else None
            if place is not None and self.comes_with_state(function, node) and not self.inside_module(function):
                self.event(function, place, "state-read")

    def has_given_state(self, function: Function | None, call: cst.Call, place: str | None) -> bool:
        """Whether a method of a module asks for the state of another one, which its callers give it: all of them outside of
        modules. Where modules are made, parts have what their state begins with.
        """
        if function is None or place == function.self_name or place not in function.parameter_names:
            return False
        callers = [self.facts.program.function_around(caller) for caller in self.values.calls_of(function)]
        inside = [caller for caller in callers if self.inside_module(caller)]
        if inside and (len(inside) < len(callers) or any(map(self.is_made, inside))):
            self.plan.problem(call, "T2J603", name=code(call.func))
        return not inside

    def is_restored_around(self, function: Function | None, place: str) -> bool:
        """Whether a decorator puts a function in the place of methods, whose callers then see nothing of the mode that is set in it."""
        if function is None or function.outer is None or function.node not in wrappers_of(function.outer):
            return False
        is_first = function.parameter_names[:1] == [place]
        return is_first and restores_mode_of(self.facts.effects, function, place)

    def call_events(self, function: Function | None, call: cst.Call) -> None:
        self.copy_events(function, call)
        self.mode_events(function, call)
        self.save_events(function, call)
        if isinstance(call.func, cst.Attribute):
            receiver = self.values(call.func.value)
            place = dotted(call.func.value)
            name = call.func.attr.value
            if name in ("state_dict", "buffers", "named_buffers") and receiver.kind is Kind.MODULE:
                whole = self.module_place(call.func.value)
                if self.comes_with_state(function, call.func.value) and whole:
                    if not self.inside_module(function) or self.has_given_state(function, call, whole):
                        self.event(function, whole, "state-read")
            if receiver.kind is Kind.OPTIMIZER and place is not None and name in ("state_dict", "load_state_dict"):
                self.event(function, place, "opt_state-read" if name == "state_dict" else "opt_state")
            if receiver.kind is Kind.MODULE and place is not None and self.is_statement(call):
                whole = self.module_place(call.func.value)
                if whole is not None and not (function is not None and whole == function.self_name):
                    place = whole  # a part is changed with the module that holds it
                if self.facts.effects.is_mode_method(receiver, name) and self.facts.effects.has_mode(receiver):
                    if not self.is_restored_around(function, place):
                        self.event(function, place, "mode" if place == dotted(call.func.value) else "value")
                elif changes_parameters(call) and place != "self":
                    self.event(function, place, "value")
                    if name != "apply" and self.comes_with_state(function, call.func.value):
                        if self.is_being_made(function):
                            self.plan.early_loads.add(call)
                        elif (
                            self.is_made(function)
                            and not self.gives_self(function)
                            and place.partition(".")[0] == getattr(function, "self_name", None)
                        ):
                            self.plan.problem(call, "T2J603", name=code(call.func))
                        else:
                            self.event(function, place, "state")
        if (given := self.given_again(function, call)) is not None:
            self.event(function, given, "value")
        callee = self.values(call.func)
        if self.threads_own_state(function, call):
            place = self.module_place(call.func.value)  # type: ignore[attr-defined]
            if place is not None and not self.in_step(call):
                changes = self.facts.effects.changes_state(call)
                self.event(function, place, "state" if changes else "state-read")
                if changes and self.writes_parameters(self.place_value(function, place)):
                    self.event(function, place, "value")
        if callee.kind is Kind.MODULE and self.comes_with_state(function, call.func):
            place = self.module_place(call.func)
            if place is not None and not self.inside_module(function) and not self.in_step(call):
                self.event(function, place, "state-read" if self.keeps_state(function, call, place) else "state")
                if self.writes_parameters(self.place_value(function, place)):
                    self.event(function, place, "value")

    def copy_events(self, function: Function | None, call: cst.Call) -> None:
        """The state of a copied module would have to be copied beside it, unless it is a part that has none yet."""
        if self.values(call.func).const not in ("copy.deepcopy", "copy.copy") or self.facts.target.state is None:
            return
        copied = self.values(call)
        if not copied.types:
            return
        if (place := self.copied_place(function, call)) is not None:
            self.event(function, place, "state-read")
        elif self.facts.effects.is_stateful(copied) and (self.is_made(function) or not self.is_unmade_part(call)):
            self.plan.problem(call, "T2J200", name=f"{code(call.func)} of a module with state")

    def copied_place(self, function: Function | None, call: cst.Call) -> str | None:
        """The place of a whole module with state that is copied, where the copy gets a name: its state is copied beside it."""
        if self.values(call.func).const != "copy.deepcopy" or len(call.args) != 1 or self.facts.target.state is None:
            return None
        copied, node = self.values(call), call.args[0].value
        assign = self.facts.program.index.parents[call]
        is_known = bool(copied.types) and self.facts.effects.is_stateful(copied)
        if not is_known or self.inside_module(function) or self.in_step(call):
            return None
        if not isinstance(assign, cst.Assign) or len(assign.targets) != 1 or dotted(assign.targets[0].target) is None:
            return None
        place = dotted(node)
        is_whole = place is not None and self.module_place(node) == place
        is_part = (copied.sites | self.values(node).sites) & self.part_sites
        return place if is_whole and not is_part and dotted(assign.targets[0].target) != place else None

    def is_unmade_part(self, call: cst.Call) -> bool:
        """Whether a module is copied whole that is only ever given to the modules it becomes a part of."""
        given, copied = (self.values(call.args[0].value).sites if call.args else frozenset()), self.values(call).sites
        function, own = self.facts.program.function_around(call), self.facts.program.first_site // SITES
        if function is not None and function.key in self.makers_of_parts:  # so are those that other files make
            given = frozenset(site for site in given if site // SITES == own) or copied
        return (
            bool(given)
            and bool(copied)
            and (given | copied) - self.plain_sites <= self.part_sites
            and self.values(call.func).const == "copy.deepcopy"
        )

    def field_events(self) -> None:
        """Fields of modules that are read or changed from outside live in the state of the module."""
        state = self.facts.effects.module_state
        for node in changes_in_place(self.facts.program, self.values, state):
            function, root = self.facts.program.function_around(node), root_name(node)
            if node in state.writes or root is None:
                continue
            owner = self.owner_of(function, root)
            if owner is not None and root == owner.self_name:
                continue
            value = self.place_value(function, root)
            is_tested = self.values(chain_root(node)).kind is Kind.MODULE  # by now: `if isinstance(m, nn.Linear):`
            if is_tested or (value is not None and value.kind is Kind.MODULE):
                self.event(function, root, "value")
        for node in (*state.reads, *state.writes):
            function = self.facts.program.function_around(node)
            place = self.module_place(node.value)
            if place is not None and not self.inside_module(function) and not self.in_step(node):
                self.event(function, place, "state" if node in state.writes else "state-read")

    def module_place(self, node: cst.BaseExpression) -> str | None:
        """The place of the module around all others in an expression, which the state belongs to."""
        return module_place(self.facts.program, self.values, node)

    def state_holder(self, function: Function | None, node: cst.BaseExpression) -> str | None:
        """The place of the module whose state that of a module is a part of: all of it is given to what asks for it."""
        whole = None if self.inside_module(function) else self.module_place(node)
        return whole if whole is not None else dotted(node)

    def threads_own_state(self, function: Function | None, call: cst.Call) -> bool:
        """Whether code outside of modules calls a method of a module that takes and gives back its state."""
        return (
            isinstance(call.func, cst.Attribute)
            and self.values(call.func.value).kind is Kind.MODULE
            and self.values(call.func).kind is not Kind.MODULE
            and not self.inside_module(function)
            and self.facts.effects.threads_state(call)
        )

    def in_step(self, call: cst.CSTNode) -> bool:
        return self.step_around(call) is not None

    def step_around(self, call: cst.CSTNode) -> Step | None:
        """The step in whose forward pass a node stands."""
        steps: dict[cst.CSTNode, Step] = {
            line: step for step in self.facts.steps if step.problem is None for line in step.forward
        }
        around = (self.facts.program.index.statement_of(call), *self.facts.program.index.ancestors(call))
        return next((steps[item] for item in around if item in steps), None)

    def inside_module(self, function: Function | None) -> bool:
        """Whether a function is a method of a module: those of the class itself, which make modules, are as any other function."""
        if function is None or function.owner is None or function.self_name is None:
            return False
        return function.owner.is_module

    def is_made(self, function: Function | None) -> bool:
        """Whether a method of a module runs when the module has been made, and cannot be changed any more."""
        init_only = self.facts.effects.module_state.init_only
        return self.inside_module(function) and function not in init_only and self.facts.target.immutable

    def loses_own_module(self, function: Function | None, place: str) -> bool:
        """Whether a method of a module that has been made would bind its own variable for the module, and nothing else."""
        if function is None or place != function.self_name or not self.is_made(function):
            return False
        if runs_only_at_init(self.facts.program, function):
            return False
        return not self.gives_self(function)

    def given_again(self, function: Function | None, call: cst.Call) -> str | None:
        """The parameter of a function that a call of a method which gives its module back binds again: `model = model.update()`."""
        match call.func:
            case cst.Attribute(value=cst.Name(name)) if function is not None and name in function.parameter_names:
                is_own = self.inside_module(function) and name == function.self_name
                gives = any(callee.key in self.giving for callee in self.values.callees.get(call, ()))
                return name if gives and not is_own else None
        return None

    def gives_self(self, function: Function | None) -> bool:
        """Whether a method gives its module back, changed."""
        return gives_self(self.facts.program, function)

    def is_being_made(self, function: Function | None) -> bool:
        """Whether what a function makes becomes a part of a module, and has no state of its own yet."""
        if function is None or (self.inside_module(function) and self.is_made(function)):
            return False
        return self.inside_module(function) or self.is_inner_builder(function)

    def evaluated_places(self, function: Function | None) -> set[str]:
        """Places that a function sets to evaluation mode and never to training mode."""
        places = self.facts.effects.evaluated_places(function)
        values = {place: self.place_value(function, place) for place in places}
        return {
            place for place, value in values.items() if value is None or not self.facts.effects.has_own_state(value)
        }

    def keeps_state(self, function: Function | None, call: cst.Call, place: str) -> bool:
        """Whether a call of a module leaves its state as it is: the module evaluates, everywhere in a function or there."""
        if place in self.evaluated_places(function) or call in self.evaluating:
            return True
        return self.evaluates_there(function, call, place)

    def evaluates_there(self, function: Function | None, call: cst.Call, place: str) -> bool:
        """Whether a module evaluates where a call of it stands, in a function that sets it to training, too."""
        value = self.place_value(function, place)
        if value is None or value.kind is not Kind.MODULE or self.facts.effects.has_own_state(value):
            return False
        if function is None or self.inside_module(function) or place not in self.modes_set(function):
            return False
        if place.split(".")[0] not in function.env or not self.runs_in_place(call):
            return False
        line = self.facts.program.index.statement_of(call)
        return evaluates_at(self.values, function.node.body.body, place, line)

    def modes_set(self, function: Function) -> set[str]:
        """The places whose modules a function sets to evaluation."""
        if function not in self.set_to_evaluate:
            calls = self.calls.get(function, ())
            receivers = [
                call.func.value
                for call in calls
                if isinstance(call.func, cst.Attribute) and call.func.attr.value == "eval"
            ]
            self.set_to_evaluate[function] = {place for node in receivers if (place := dotted(node)) is not None}
        return self.set_to_evaluate[function]

    def runs_in_place(self, call: cst.Call) -> bool:
        """Whether a call runs when its statement does: it stands in no function, and in a lambda only that is differentiated there."""
        for item in self.facts.program.index.ancestors(call):
            if isinstance(item, cst.Lambda):
                around = self.facts.program.index.parents.get(self.facts.program.index.parents[item])
                return isinstance(around, cst.Call) and dotted(around.func) == "jax.vjp"
            if isinstance(item, cst.BaseStatement):
                return True
        return False

    def is_statement(self, call: cst.Call) -> bool:
        return isinstance(self.facts.program.index.parents.get(call), cst.Expr)

    def spread(self) -> bool:
        changed = False
        for function, calls in self.calls.items():
            for call in calls:
                for callee in self.values.callees.get(call, ()):
                    for name, node in arguments_by_parameter(callee, call, self.values):
                        place, part = dotted(node), self.part_of_module(node)
                        for what in sorted(seen_outside(self.events_of(callee).get(name, set()))):
                            if what == "value" and part is not None:
                                changed |= self.event(function, part[0], what)
                                continue
                            held = self.state_holder(function, node) if what.startswith("state") else place
                            if held is None:
                                continue
                            if what == "state" and held in self.evaluated_places(function):
                                what = "state-read"
                            changed |= self.event(function, held, what)
        return changed

    def part_of_module(self, node: cst.BaseExpression) -> tuple[str, str] | None:
        """The place that must be bound again to change a part of a module, and the path of the part in it: `model` and `.head`
        of `model.head`, `self.model` and `.body[0]` of `self.model.body[0]`; None of what is a place by itself.
        """
        if not self.facts.target.immutable:
            return None
        current, path, found = node, "", None
        is_whole = self.gives_self(self.facts.program.function_around(node))
        while isinstance(current, (cst.Attribute, cst.Subscript)):
            inner = current.value
            is_field = isinstance(current, cst.Attribute) and isinstance(inner, cst.Name) and inner.value == "self"
            if is_field and not is_whole:
                break
            path = f"{code(current)[len(code(inner)) :]}{path}"
            current = inner
            if self.values(current).kind is Kind.MODULE and not any(descendants(current, cst.Call)):
                found = code(current), path
        return found

    def spread_outwards(self) -> bool:
        """What a nested function does to a variable of the function around it happens to that function's variable."""
        changed = False
        for function, events in self.events.items():
            if function is None:
                continue
            for place, found in sorted(events.items()):
                owner = self.owner_of(function, place)
                if owner is not function and owner is not None:
                    for what in sorted(found):
                        changed |= self.event(owner, place, what)
        return changed

    def owner_of(self, function: Function | None, place: str) -> Function | None:
        """The function, this one or one around it, that a variable belongs to; None for the module."""
        root = place.split(".")[0]
        while function is not None and root not in function.env:
            function = function.outer
        return function

    # fields that take over what a parameter refers to

    def find_aliases(self) -> None:
        """`self.model = model.to(device)` and `a, b = b, a`: (function, node, left place, right place)."""
        for node in self.facts.program.index.every(cst.Assign):
            function = self.facts.program.function_around(node)
            if len(node.targets) != 1 or self.inside_module(function):
                continue
            for target, value in _pairs(node.targets[0].target, node.value):
                left, right = dotted(target), dotted(chain_start(value, WRAPPING))
                kind = self.values(value).kind
                if left is None or right is None or left == right or kind not in (Kind.MODULE, Kind.OPTIMIZER):
                    continue
                self.plan.aliases.append((function, node, left, right))

    def spread_alike(self) -> bool:
        """Methods of one name that are given the optimizer of their object are called alike: what one does to it another may do."""
        changed = False
        for _, key, parameter, *_ in (mark for mark in sorted(self.facts.program.marks) if mark[0] == GIVEN):
            function = self.facts.program.by_key.get(key)
            for other in self.called_alike(function) if function is not None and function in self.events else ():
                if other in self.events and parameter in other.parameter_names:
                    for what in self.events_of(other).get(parameter, ()):
                        changed = self.event(function, parameter, what) or changed
        return changed

    def spread_aliases(self) -> bool:
        changed = False
        for function, _, left, right in self.plan.aliases:
            needed = self.events_of_field(function, left)
            if self.is_stateful_place(function, right):
                needed = needed | {"state"}
            for kind in COMPANIONS:
                if kind in needed or f"{kind}-read" in needed:
                    is_own = "." not in right or self.holder(function, right) is not None
                    changed |= self.event(function, right, f"{kind}-read") if is_own else False
        return changed

    def events_of_field(self, function: Function | None, place: str) -> set[str]:
        """What happens to a field anywhere in its class."""
        if function is None or function.owner is None or not place.startswith(f"{function.self_name}."):
            return set((self.events[None] if function is None else self.events_of(function)).get(place, ()))
        name = place.partition(".")[2]
        found: set[str] = set()
        for other, events in self.events.items():
            if other is not None and other.owner is not None and f"{other.self_name}.{name}" in events:
                if _are_related(function.owner, other.owner):
                    found |= events[f"{other.self_name}.{name}"]
        found |= self.states_of_field(function.owner, name)
        for number, owner, events_there in self.fields.get(name, ()):
            if self.plan.seen >> number & 1 and _are_related(function.owner, owner):
                found |= events_there
        return found

    def plan_states_of_fields(self) -> None:
        """Code outside of a class that gives its objects an optimizer gives them its state: `config.optimizer = SGD(...)`."""
        for assign in self.facts.program.index.every(cst.Assign):
            if self.values(assign.value).kind is not Kind.OPTIMIZER:
                continue
            function = self.facts.program.function_around(assign)
            for place in filter(None, (dotted(item.target) for item in assign.targets)):
                holder, field = self.holder(function, place), place.rpartition(".")[2]
                key = (None, f"{holder.keeper(field).key}.{field}", "opt_state") if holder is not None else None
                if key in self.plan.companions:
                    self.companion(function, place, "opt_state")

    def states_of_field(self, owner: Class, name: str) -> set[str]:
        """What happens outside of a class to the state of an optimizer that its objects keep: `holder.optimizer.step()`."""
        if owner.is_module:
            return set()
        found: set[str] = set()
        for function, events in self.events.items():
            for place, kinds in events.items():
                if place.endswith(f".{name}") and not kinds.isdisjoint(_OF_STATES):
                    holder = self.holder(function, place)
                    if holder is not None and _are_related(owner, holder):
                        found |= kinds & _OF_STATES
        return found

    # modes that nobody sees

    def drop_dead_modes(self) -> None:
        """A change of mode need not be given back if every caller sets the mode again before it matters, or does it itself."""
        wrappers = wrappers_in_use(self.facts)
        for function, events in self.events.items():
            if function is None:
                continue
            for place, found in events.items():
                is_wanted = (function.key, place) in self.modes_wanted
                if "mode" in found and place in function.parameter_names and "value" not in found and not is_wanted:
                    if function in wrappers or (
                        not _is_for_apply(function)
                        and all(self.mode_is_dead_after(call, function, place) for call in function.callers)
                    ):
                        found.discard("mode")
                        found.add("mode-local")

    def mode_is_dead_after(self, node: cst.CSTNode, callee: Function, parameter: str) -> bool:
        assert isinstance(node, cst.Call)
        caller = self.facts.program.function_around(node)
        place = next(
            (dotted(arg) for name, arg in arguments_by_parameter(callee, node, self.values) if name == parameter), None
        )
        return place is None or self.mode_is_dead_behind(node, place, caller)

    def mode_is_dead_behind(self, node: cst.CSTNode, place: str, caller: Function | None) -> bool:
        """Whether the mode of what lies at a place is set again, behind a node, before it matters."""
        flow = self.facts.flows.liveness(caller).flow
        start = self.point_of(node, flow)
        if start is None or self.is_mode_seen_within(start, node, place):
            return False
        is_local = "." not in place and (caller is None or place not in caller.parameter_names)
        seen: set[int] = set()
        stack = list(flow.successors(start))
        while stack:
            point = stack.pop()
            if id(point) in seen:
                continue
            seen.add(id(point))
            if point is flow.exit:
                if not is_local:
                    return False
                continue
            if point is not flow.entry and isinstance(point, cst.CSTNode):
                kind = self.mode_event(point, place)
                if kind == "use":
                    return False
                if kind == "set":
                    continue
            stack.extend(flow.successors(point))
        return True

    def is_mode_seen_within(self, point: cst.CSTNode, node: cst.CSTNode, place: str) -> bool:
        """Whether the rest of a statement depends on the mode that a node in it sets: `print(evaluate(net), net.training)`."""
        index = self.facts.program.index
        inside = {node, *descendants(node)}
        around = [item.func for item in index.ancestors(node) if isinstance(item, cst.Call)]
        called = {
            part for item in around for part in (item, *descendants(item))
        }  # which they are behind their arguments
        return any(
            mention not in inside and (mention in called or index.order[mention] > index.order[node])
            for mention in self.mode_mentions(point, place)
        )

    def point_of(self, node: cst.CSTNode, flow: object) -> cst.CSTNode | None:
        for ancestor in (node, *self.facts.program.index.ancestors(node)):
            if ancestor in flow:  # type: ignore[operator]
                return ancestor
        return None

    def mode_event(self, point: cst.CSTNode, place: str) -> str | None:
        """Whether a point sets the mode of a place, uses it, or neither."""
        if isinstance(point, (cst.FunctionDef, cst.ClassDef)):
            return "use" if place.split(".")[0] in names_in(point) else None
        mentions, index = self.mode_mentions(point, place), self.facts.program.index
        reads = [node for node in mentions if not isinstance(index.parents[node], cst.AssignTarget)]
        if len(reads) != 1:
            return "use" if mentions else None
        for node in index.ancestors(reads[0]):
            if isinstance(node, cst.Call):
                if (
                    isinstance(node.func, cst.Attribute)
                    and dotted(node.func.value) == place
                    and self.facts.effects.is_mode_method(self.values(node.func.value), node.func.attr.value)
                ):
                    return "set"
                for callee in self.values.callees.get(node, ()):
                    for name, argument in arguments_by_parameter(callee, node, self.values):
                        if argument is reads[0] and self.sets_mode_first(callee, name):
                            return "set"
        return "use"

    def mode_mentions(self, point: cst.CSTNode, place: str) -> list[cst.BaseExpression]:
        """Where what runs at a point names a place whose mode it may depend on."""
        header = point
        if isinstance(point, (cst.If, cst.While)):
            header = point.test
        elif isinstance(point, cst.For):
            header = point.iter
        elif isinstance(point, cst.With):
            header = cst.Tuple([cst.Element(item.item) for item in point.items])
        return [
            node
            for node in (header, *descendants(header))
            if isinstance(node, (cst.Name, cst.Attribute)) and dotted(node) == place and self.sees_mode(node)
        ]

    def sees_mode(self, node: cst.BaseExpression) -> bool:
        """Whether what is done with a module may depend on its mode; its tensors, and what lists them, do not."""
        parents = self.facts.program.index.parents
        whole = node
        while isinstance(parent := parents.get(whole), cst.Attribute) and parent.value is whole:
            whole = parent
        if whole is node or not isinstance(whole, cst.Attribute):
            return True
        if isinstance(parent, cst.Call) and parent.func is whole:
            return whole.attr.value not in _WITHOUT_MODE
        return self.values(whole).kind is not Kind.TENSOR

    def sets_mode_first(self, function: Function, parameter: str) -> bool:
        for statement in function.node.body.body:
            call = method_call(statement, "train") or method_call(statement, "eval")
            if call is not None and isinstance(call.func, cst.Attribute) and dotted(call.func.value) == parameter:
                return True
            if parameter in names_in(statement):
                return False
        return False

    # plans

    def plan_function(self, function: Function) -> None:
        planned = self.plan.of(function)
        names = function.parameter_names
        for place in ordered_places(self.events[function], names):
            found = self.events[function][place]
            root = place.split(".")[0]
            if place in names and place != function.self_name:
                self.plan_parameter(function, planned, place, found)
            elif "." in place:
                continue
            elif root in function.env:
                flow = self.facts.flows.liveness(function).flow
                around = ((flow.global_names, planned.outer_names), (flow.nonlocal_names, planned.enclosing_names))
                for declared, names_around in around:
                    if root in declared:
                        kept = found - {"value", "mode"}
                        if names_around is planned.enclosing_names and not self.is_kept_around(function, root, kept):
                            self.plan.problem(function.node, "T2J303", name=root, other=function.name)
                            continue
                        self.plan_outer(function, names_around, place, kept)
            elif (owner := self.owner_of(function, place)) is not None:
                if owner.name == "__init__" and place == owner.self_name and self.inside_module(owner):
                    continue  # what is being made has no state yet: whoever changes its fields refuses
                self.plan_outer(function, planned.enclosing_names, place, found)
                check_outliving(self.facts, self.plan, function, owner, place)
            elif root in self.facts.program.module_env and root not in names:
                self.plan_outer(function, planned.outer_names, place, found)

    def gives_back(self, function: Function) -> bool:
        """Note that a function changes one of its parameters, and returns it and nothing else; True where that is news."""
        planned = self.plan.of(function)
        if planned.returns_changed or planned.returned or planned.state or self.is_builder(function):
            return False
        if self.facts.effects.of(function).seeds or not planned.extras:
            return False
        returned = [node.value for node in own_nodes(function.node) if isinstance(node, cst.Return)]
        last = function.node.body.body[-1]
        ends = isinstance(last, cst.SimpleStatementLine) and isinstance(last.body[-1], cst.Return)
        for name in planned.extras if ends else ():
            if name in function.parameter_names and all(self.is_changed(node, name) for node in returned):
                planned.returns_changed = len(planned.extras) == 1
                planned.returned = name if len(planned.extras) > 1 else None
                return True
        return False

    def is_changed(self, node: cst.BaseExpression | None, name: str) -> bool:
        """Whether an expression is a variable, or what a function that changes it gives back."""
        if isinstance(node, cst.Call) and len(reached := self.values.callees.get(node, ())) == 1:
            planned, given = self.plan.of(reached[0]), arguments_by_parameter(reached[0], node, self.values)
            return planned.returns_changed and any(
                parameter in planned.extras and dotted(argument) == name for parameter, argument in given
            )
        return isinstance(node, cst.Name) and node.value == name

    def is_builder(self, function: Function) -> bool:
        """Whether a function makes a module with state for code that is not itself a module: it returns the state too."""
        value = function.returns
        if value is None or not (self.is_of_stateful_class(value) or self.makes_part_beside_state(function)):
            return False
        if self.hands_back(function):
            return False
        return not self.inside_module(function) and not self.is_inner(function)

    def makes_part_beside_state(self, function: Function) -> bool:
        """Whether a function makes the module that it gives, which has no state and is held where others have some."""
        value = function.returns
        return value is not None and self.stands_beside_state(value) and self.makes_result(function)

    def makes_result(self, function: Function, seen: frozenset[Function] = frozenset()) -> bool:
        """Whether the module that a function gives is made in it, or in what it calls."""
        made: set[int] = set()
        for call in own_nodes(function.node):
            if isinstance(call, cst.Call) and self.values(call).kind is Kind.MODULE:
                reached = self.values.callees.get(call, ())
                if makes_module(self.values, call) or (
                    reached
                    and seen.isdisjoint(reached)
                    and all(self.makes_result(item, seen | {function}) for item in reached)
                ):
                    made |= self.values(call).sites
        return function.returns is not None and bool(function.returns.sites) and function.returns.sites <= made

    def hands_back(self, function: Function) -> bool:
        """Whether a function returns a module that it was given, whose state its callers have."""
        nodes = own_nodes(function.node)
        bound = {
            name
            for node in nodes
            if isinstance(node, cst.AssignTarget) and self.values(node.target).kind is Kind.MODULE
            for name in bound_names(node.target)
        }
        given = set(function.parameter_names) - bound
        returned = [node.value for node in nodes if isinstance(node, cst.Return)]
        return bool(returned) and all(isinstance(node, cst.Name) and node.value in given for node in returned)

    def is_inner(self, function: Function) -> bool:
        """Whether a function runs while a module is being made."""
        waiting, found, seen = [function], {function}, set[Function]()
        while waiting:
            item = waiting.pop()
            callers = [self.facts.program.function_around(call) for call in item.callers]
            around = [caller for caller in callers if caller is not None and caller not in seen]
            if any(map(self.inside_module, around)):
                return True
            is_unseen = not item.callers and (item.key, False) not in self.facts.program.makers_elsewhere
            if (is_unseen and self.only_layers(item)) or item.key in self.makers_of_parts:
                return True
            if item.callers and self.gives_stateful(item):
                if all(self.is_for_part(call, self.part_sites) for call in item.callers):
                    return True
            seen.add(item)
            new = [caller for caller in dict.fromkeys(around) if caller not in found]
            found.update(new)
            waiting += new
        return False

    def only_layers(self, function: Function) -> bool:
        """Without callers in sight: a function that makes library layers only is taken for a part of modules, unless it is
        what a base class of objects asks for.
        """
        if function.returns is None or function.returns.kind is not Kind.MODULE or _is_asked_for_by_base(function):
            return False
        return not any(name in self.facts.program.class_by_key for name in function.returns.types)

    def plan_builder(self, function: Function) -> None:
        planned = self.plan.of(function)
        returned = [node.value for node in own_nodes(function.node) if isinstance(node, cst.Return)]
        for node in returned:
            if node is not None:
                planned.behind_returns[node] = [self.state_of_result(function, node)]
                self.note_late(function, node, [node])
        states = [state for state, *_ in planned.behind_returns.values() if state.isidentifier() and state != "None"]
        planned.behind = [states[-1] if states else self.loose_state(function)]
        for node in returned:
            if node is not None and self.place_of_result(node) is None and self.is_handed_back(node):
                self.plan.problem(
                    node, "T2J200", name=f"a module with state that is made inside of `{code(node)}` and returned by it"
                )

    def late_place(self, function: Function, node: cst.BaseExpression) -> str | None:
        """The variable of a module that a function returns, if another one may have become its whole meanwhile.

        `model = Net()`, `if masks: model = Masked(model)`, `return model`: a state is made for what is returned.
        """
        place, value = self.place_of_result(node), self.values(node)
        if place is None or "." in place or value.kind is not Kind.MODULE or not self.is_of_stateful_class(value):
            return None
        if value.sites.isdisjoint(self.part_sites) or self.inside_module(function) or self.is_inner(function):
            return None
        return place

    def note_late(self, function: Function, node: cst.BaseExpression, items: Sequence[cst.BaseExpression]) -> None:
        """Note the states that are made where a function returns the modules."""
        for item in items:
            place = self.late_place(function, item)
            if place is None or self.plan.of(function).companions.get(place):
                continue
            if {"state", "state-read"} & set(self.events_of(function).get(place, ())):
                what = f"a module with state that is used by itself before it is a part of another one, `{place}`,"
                self.plan.problem(item, "T2J200", name=what)
            late = self.plan.of(function).made_at_returns.setdefault(node, [])
            late.append((place, self.companion(function, place, "state")))

    @cached_property
    def late_sites(self) -> frozenset[int]:
        """Where modules are made whose state is made where they are returned."""
        found: set[int] = set()
        if self.facts.target.state is None:
            return frozenset()
        for function in self.facts.program.functions.values():
            for node in own_nodes(function.node):
                if isinstance(node, cst.Return) and node.value is not None:
                    for item in elements_of(node.value):
                        if self.late_place(function, item) is not None:
                            found |= self.values(item).sites
        return frozenset(found)

    def check_returned(self, function: Function) -> None:
        """A new module with state that is returned in ways of which no caller can tell where its state is."""
        planned = self.plan.of(function)
        if self.facts.target.state is None or planned.behind_returns or self.inside_module(function):
            return
        given = self.given_sites(function)
        for node in own_nodes(function.node):
            for item in elements_of(node.value) if isinstance(node, cst.Return) and node.value is not None else ():
                value, place = self.values(item), self.place_of_result(item)
                is_own = place is not None and "." not in place and value.sites.isdisjoint(self.part_sites)
                is_new = value.kind is Kind.MODULE and value.sites and value.sites.isdisjoint(given)
                if is_own and is_new and self.is_of_stateful_class(value):
                    if not self.is_inner(function) and not self.hands_back(function):
                        what = f"{function.name}, which returns a new module with state among others,"
                        self.plan.problem(item, "T2J200", name=what)
                    return

    def plan_builder_of_several(self, function: Function) -> None:
        """Note the states of modules that a function makes and returns among other things: `return model, tokenizer`."""
        positions = list(self.new_modules(function))
        if not positions or self.inside_module(function) or self.is_inner(function):
            return
        returned = returned_elements(function, positions) or {}
        states = {
            node: [
                self.companion(function, place, "state")
                for item in items
                if (place := self.place_of_own(item) or self.late_place(function, item))
            ]
            for node, items in returned.items()
        }
        if states and all(len(found) == len(positions) for found in states.values()):
            planned = self.plan.of(function)
            planned.modules, planned.behind = positions, list(states.values())[-1]
            planned.behind_returns.update(states)
            for node, items in returned.items():
                self.note_late(function, node, items)

    def place_of_own(self, node: cst.BaseExpression) -> str | None:
        """The variable of the module that an expression gives, and that nothing else holds."""
        place = self.place_of_result(node)
        return (
            place if place is not None and "." not in place and not self.values(node).sites & self.part_sites else None
        )

    def plan_made_optimizers(self, function: Function) -> bool:
        """Note the states of the optimizers that a function makes, changes and returns; True where that is news."""
        planned = self.plan.of(function)
        if self.facts.target.optimizer_state_of is None or function.name == "__init__" or planned.optimizers:
            return False
        changed = {place for place, what in self.events_of(function).items() if {"opt_state", "opt_state-read"} & what}
        for call in self.calls.get(function, ()):
            changed |= set(receiving_places(self.facts, call, self.optimizers_of(call)) or ())
        found = returned_optimizers(self.facts, function, changed)
        if found is None or (
            found and (planned.behind != planned.behind[: len(planned.modules)] or planned.gives_state)
        ):
            self.plan.problem(function.node, "T2J501", name=f"what {function.name} returns")
        elif found:
            planned.behind = [*planned.behind, *(self.companion(function, name, "opt_state") for name in found)]
            planned.optimizers = list(found.values())
        return bool(found) and bool(planned.optimizers)

    def optimizers_of(self, call: cst.Call) -> list[int | None]:
        """Which elements of what a call gives are optimizers whose states come behind it."""
        reached = self.values.callees.get(call, ())
        is_function = bool(reached) and self.values(call.func).kind is Kind.FUNCTION
        return self.plan.of(reached[0]).optimizers if is_function else []

    def state_of_result(self, function: Function, node: cst.BaseExpression) -> str:
        """The variable with the state of the module that a function returns there."""
        if isinstance(node, cst.Name) and node.value == "None":
            return "None"
        value = self.values(node)
        if isinstance(node, cst.Name) and value.types and not self.is_of_stateful_class(value):
            if value.sites & self.part_sites:  # it has none where it is made, since others may hold it
                return f"{self.facts.target.state_type}({node.value})"
        place = self.place_of_result(node)
        if place is not None:
            return self.companion(function, place, "state")
        held = chain_start(node, WRAPPING)
        if not isinstance(held, cst.Call):  # out of a list or table
            self.plan.problem(node, "T2J303", name=code(node), other=root_name(held) or "")
        return self.loose_state(function)

    def place_of_result(self, node: cst.BaseExpression) -> str | None:
        """The place of the module that an expression gives: `net` of `net`, `net.eval()` and `filled(net)`."""
        node = chain_start(node, WRAPPING)
        if not isinstance(node, cst.Call):
            return self.module_place(node)
        sites = self.values(node).sites
        given = [argument.value for argument in node.args if self.values(argument.value).kind is Kind.MODULE]
        places = [self.place_of_result(item) for item in given if self.values(item).sites & sites]
        return places[0] if len(places) == 1 else None

    def is_handed_back(self, node: cst.BaseExpression) -> bool:
        """Whether an expression gives a module that a function of the program was given and returns."""
        made = chain_start(node, WRAPPING)
        reached = self.values.callees.get(made, ()) if isinstance(made, cst.Call) else ()
        is_function = bool(reached) and self.values(made.func).kind is Kind.FUNCTION  # type: ignore[attr-defined]
        return is_function and not any(map(self.is_builder, reached))

    def gives_held(self, node: cst.BaseExpression) -> bool:
        """Whether an expression may give a module that another one holds: `getattr(net, "fc")`, `net.head()`, `parts[0]`."""
        made = chain_start(node, WRAPPING)
        if not isinstance(made, cst.Call):
            return True
        returned = (
            (item, node.value)
            for item in self.values.callees.get(made, ())
            for node in own_nodes(item.node)
            if isinstance(node, cst.Return)
        )
        of_field = any(
            isinstance(value, (cst.Attribute, cst.Subscript)) and root_name(value) == item.self_name
            for item, value in returned
        )
        return of_field or (isinstance(made.func, cst.Name) and made.func.value in ("getattr", "next"))

    def check_given_away(self, function: Function | None, call: cst.Call, reached: Function) -> None:
        """A module that a method returns out of a field has its state in two places then: one of them must be dead."""
        returned = [node.value for node in own_nodes(reached.node) if isinstance(node, cst.Return)]
        places = [place for node in returned if node is not None and (place := self.place_of_result(node)) is not None]
        held = next((place for place in places if place.startswith(f"{reached.self_name}.")), None)
        parent = self.facts.program.index.parents.get(call)
        if held is None or isinstance(parent, (cst.Expr, cst.Return)) or not isinstance(call.func, cst.Attribute):
            return
        holder = root_name(call.func.value)
        statement = self.facts.program.index.statement_of(call)
        is_own = function is not None and holder == function.self_name
        if is_own or holder in self.facts.flows.liveness(function).after_statement(statement):
            self.plan.problem(call, "T2J303", name=code(call), other=held)

    def given_sites(self, function: Function) -> frozenset[int]:
        """Where the modules are made that a function is given."""
        given = (function.env[name].sites for name in function.parameter_names if name in function.env)
        return frozenset().union(*given)

    def new_modules(self, function: Function) -> Iterator[int]:
        """Which of several results of a function are modules with state that it makes."""
        several = function.returns is not None and function.returns.kind in (Kind.TUPLE, Kind.LIST)
        items = function.returns.items if function.returns is not None and several else None
        given = self.given_sites(function)
        for number, item in enumerate(items or () if self.facts.target.state is not None else ()):
            is_new = item.kind is Kind.MODULE and item.sites and item.sites.isdisjoint(given)
            if is_new and self.facts.effects.is_stateful(item):
                yield number

    def makes_state(self, function: Function | None, call: cst.Call) -> bool:
        """Whether a call makes a stateful module that is nobody's part."""
        constructed = self.values(call)
        callee = self.values(call.func)
        if constructed.kind is not Kind.MODULE:
            return False
        if not self.stands_beside_state(constructed):
            return False
        if self.inside_module(function) or (function is not None and self.is_inner_builder(function)):
            return False
        if constructed.sites & (self.part_sites | self.late_sites) or self.becomes_part(call):
            return False
        if callee.kind is Kind.CLASS:
            return not self.is_argument_of_module(call)
        if any(constructed.sites & module_sites(self.values(item.value)) for item in call.args):
            return False  # it gives back what it is given
        return self.values.torch_name(call.func) is not None and not self.is_argument_of_module(call)

    def part_with_state(self, call: cst.Call) -> cst.BaseExpression | None:
        """What a module is made of that is a part of another one, whose state holds what it keeps: `Head(net.encoder)`."""
        for node in (node for item in call.args for node in descendants(item.value)):
            if not isinstance(node, cst.Attribute):
                continue
            whole, part = self.values(node.value), self.values(node)
            is_made = whole.kind is Kind.MODULE and not whole.sites & (self.part_sites | self.late_sites)
            if is_made and self.facts.effects.is_stateful(whole if node.attr.value in _OF_PARTS else part):
                return node
        return None

    def becomes_part(self, call: cst.Call) -> bool:
        """Whether a module becomes a part of another one, that has no state, where it is made: `chain[2] = nn.Linear(4, 2)`."""
        match self.facts.program.index.parents[call]:
            case cst.Assign(targets=targets):
                holders = [
                    item.target.value for item in targets if isinstance(item.target, (cst.Attribute, cst.Subscript))
                ]
                return any(self.values(item).kind is Kind.MODULE for item in holders)
        return False

    @cached_property
    def sites_beside_state(self) -> frozenset[int]:
        """Where modules are made that have no state, and that are held where others have some: theirs is empty."""
        functions = list(self.facts.program.functions.values())
        envs = [self.facts.program.module_env, *(item.env for item in functions)]
        objects = [item for item in self.facts.program.class_by_key.values() if not item.is_module]
        held = [*(value for env in envs for value in env.values()), *(item.returns or UNKNOWN for item in functions)]
        held += [value for item in objects for _, value in item.all_fields()]
        several = [item for item in held if item.kind is Kind.MODULE and len(item.types) > 1]
        found = set[int]().union(*(item.sites for item in several if self.facts.effects.is_stateful(item)))
        makers = [item for item in functions if item.returns is not None and item.returns.kind is Kind.MODULE]
        size = 0
        while size != len(found):  # what functions give is made in them
            size = len(found)
            for function in makers:
                if any(self.values(call).sites & found for call in function.callers):
                    found |= module_sites(function.returns or UNKNOWN)
        return frozenset(found)

    @cached_property
    def part_sites(self) -> frozenset[int]:
        """Where modules are made that become parts of other modules: arguments of what makes those, in lists, too, and fields."""
        is_stateful = self.facts.effects.is_stateful
        found = sites_of_parts(self.facts.program, self.values, self.makers_of_parts, is_stateful)
        self.add_sites_of_makers(found)
        self.add_sites_of_patterns(found)
        return frozenset(found)

    @cached_property
    def makers_of_parts(self) -> frozenset[str]:
        """The functions that make modules which other files use as parts of others only, and this one, too."""
        uses = self.facts.program.makers_elsewhere | self.facts.effects.module_state.makers
        alone = {key for key, is_part in uses if not is_part}
        return frozenset(key for key, is_part in self.facts.program.makers_elsewhere if is_part) - alone

    @cached_property
    def plain_sites(self) -> frozenset[int]:
        """Where modules without state are made."""
        calls = [
            call for call in self.facts.program.index.calls if self.values(call.func).kind in (Kind.CLASS, Kind.TORCH)
        ]
        made = [value for call in calls if (value := self.values(call)).kind is Kind.MODULE and len(value.types) == 1]
        stateful = [value.sites for value in made if self.facts.effects.is_stateful(value)]
        return frozenset().union(*(value.sites for value in made)).difference(*stateful)

    def add_sites_of_patterns(self, found: set[int]) -> None:
        """`clones(Block(4), 2)`, `block = Block(4)`: modules of which there are copies only, all of them parts of others."""
        for function in self.facts.program.functions.values():
            reads = [node for node in descendants(function.node.body) if isinstance(node, cst.Name)]
            for name in function.parameter_names:
                if self.are_only_copied([node for node in reads if node.value == name], found):
                    pairs = [pair for call in function.callers for pair in self.given_to(function, call)]
                    made = [node for parameter, node in pairs if parameter == name and self.makes_class(node)]
                    found.update(*(self.values(node).sites for node in made))
        definitions = self.facts.program.definitions
        for call in self.facts.program.index.calls:
            copied = call.args[0].value if self.values(call.func).const == "copy.deepcopy" and call.args else None
            bound = definitions.bound_once(copied) if isinstance(copied, cst.Name) else None
            if bound is not None and bound.value is not None and self.makes_class(bound.value):
                if self.are_only_copied(definitions.uses(bound), found):
                    found |= self.values(bound.value).sites

    def given_to(self, function: Function, call: cst.CSTNode) -> Iterator[tuple[str, cst.BaseExpression]]:
        if isinstance(call, cst.Call):
            yield from arguments_by_parameter(function, call, self.values)

    def makes_class(self, node: cst.BaseExpression) -> bool:
        """Whether an expression makes a module of a class."""
        is_made = isinstance(node, cst.Call) and self.values(node.func).kind in (Kind.CLASS, Kind.TORCH)
        return is_made and self.values(node).kind is Kind.MODULE

    def are_only_copied(self, reads: Sequence[cst.Name], parts: Collection[int]) -> bool:
        """Whether nothing is done with a variable but to copy it, for modules that are parts of others."""
        parents = self.facts.program.index.parents
        copies = [parents.get(parents[node]) if isinstance(parents[node], cst.Arg) else None for node in reads]
        return bool(copies) and all(
            isinstance(copy, cst.Call)
            and self.values(copy.func).const == "copy.deepcopy"
            and bool(self.values(copy).sites)
            and self.values(copy).sites - self.plain_sites <= set(parts)
            for copy in copies
        )

    def add_sites_of_makers(self, found: set[int]) -> None:
        """`Wrap(make_layers(sizes))`: what functions make whose results are only ever parts of modules."""
        functions = [item for item in self.facts.program.functions.values() if self.gives_stateful(item)]
        size = -1
        while size != len(found):
            size = len(found)
            for function in functions:
                if all(self.is_for_part(call, found) for call in function.callers):
                    found |= module_sites(function.returns or UNKNOWN)

    def gives_stateful(self, function: Function) -> bool:
        value = function.returns
        if value is None or not function.callers or function.name == "__init__":
            return False
        if value.kind is not Kind.MODULE:
            return any(True for _ in self.new_modules(function))
        given = self.given_sites(function)
        is_new = self.is_of_stateful_class(value) or self.makes_part_beside_state(function)
        return is_new and value.sites.isdisjoint(given)

    def is_for_part(self, call: cst.CSTNode, found: Collection[int]) -> bool:
        made = module_sites(self.values(call)) if isinstance(call, cst.Call) else set()
        return bool(made) and made <= set(found)

    def check_makers(self) -> None:
        """A function whose results are parts of modules in some places, and modules of their own in others."""
        for function in self.facts.program.functions.values():
            is_own = self.inside_module(function) and self.is_inner(function)
            if self.gives_stateful(function) and not is_own:
                parts = [
                    call
                    for call in function.callers
                    if self.is_for_part(call, self.part_sites) or self.runs_inside(call)
                ]
                for call in parts if len(parts) < len(function.callers) else ():
                    self.refuse_maker(call, function)
        uses = self.facts.program.makers_elsewhere | self.facts.effects.module_state.makers
        both = {key for key, is_part in uses if is_part} & {key for key, is_part in uses if not is_part}
        for call in self.facts.program.index.calls if both else ():
            for function in self.values.callees.get(call, ()):
                is_other = function.key in both and function.node not in self.facts.program.functions
                if (
                    is_other
                    and self.is_of_stateful_class(self.values(call))
                    and self.is_for_part(call, self.part_sites)
                ):
                    self.refuse_maker(call, function)

    def refuse_maker(self, call: cst.CSTNode, function: Function) -> None:
        what = "which makes modules with state that stand alone, and such that others hold,"
        self.plan.problem(call, "T2J200", name=f"{function.name}, {what}")

    def runs_inside(self, call: cst.CSTNode) -> bool:
        """Whether a call runs while a module is being made, or used."""
        caller = self.facts.program.function_around(call)
        return caller is not None and (self.inside_module(caller) or self.is_inner(caller))

    def is_inner_builder(self, function: Function) -> bool:
        value = function.returns
        is_module = value is not None and self.is_of_stateful_class(value)
        return is_module and self.is_inner(function)

    def is_argument_of_module(self, call: cst.Call) -> bool:
        """Whether a module is made as a part of another one: an argument, a list element, ..."""
        for ancestor in self.facts.program.index.ancestors(call):
            if isinstance(ancestor, cst.Call) and self.values(ancestor).kind is Kind.MODULE:
                if not (isinstance(ancestor.func, cst.Attribute) and call in list(descendants(ancestor.func))):
                    return True
            if isinstance(ancestor, cst.BaseStatement):
                return False
        return False

    def plan_parameter(self, function: Function, planned: FunctionPlan, place: str, found: set[str]) -> None:
        given_back = seen_outside(found)
        if {"value", "mode"} & given_back:
            planned.extras.append(place)
        for kind in COMPANIONS:
            if kind in found or f"{kind}-read" in found:
                name = self.companion(function, place, kind)
                planned.companions.setdefault(place, []).append(name)
                if kind in given_back:
                    planned.extras.append(name)
        if function.name == "__init__":
            if "value" in found:
                self.plan.problem(function.node, "T2J303", name=place)
            planned.extras.clear()

    def is_kept_around(self, function: Function, name: str, kinds: set[str]) -> bool:
        """Whether the function that has a variable which one in it binds anew binds what is kept beside it, too: the state of
        a module, or of an optimizer.
        """
        around = function.outer
        while around is not None and name not in around.env:
            around = around.outer
        beside = kinds & set(COMPANIONS)
        return not beside or (around is not None and beside <= self.events[around].get(name, set()))

    def plan_outer(self, function: Function, names: list[str], place: str, found: set[str]) -> None:
        """The variables of the module, or of a function around this one, that a function binds anew."""
        if {"value", "mode"} & found:
            names.append(place)
        kinds = [kind for kind in COMPANIONS if kind in found]
        if self.is_without_state(function, place):
            kinds = [kind for kind in kinds if kind != "state"]
        names.extend(self.companion(function, place, kind) for kind in kinds)

    def check_taken_over(
        self, function: Function | None, call: cst.Call, reached: Function, parameter: str, place: str | None
    ) -> None:
        """A module given to an object that trains it is another one afterwards; the caller's variable must be dead."""
        if place is None or "." in place:
            return
        for _, left in self.taken_over(reached, parameter):
            statement = self.facts.program.index.statement_of(call)
            if place in self.facts.flows.liveness(function).after_statement(statement):
                self.plan.problem(call, "T2J303", name=place, other=left)

    def taken_over(self, reached: Function, parameter: str) -> Iterator[tuple[Function, str]]:
        """The functions that keep an argument in a field whose module, or what is kept beside it, changes; and the field."""
        takers = list(self.takers(reached, parameter))
        for owner, _, left, right in (*self.plan.aliases, *self.plan.imported_aliases):
            if owner is not None and (owner, right) in takers:
                if {"value", "opt_state-read", *COMPANIONS} & self.events_of_field(reached, left):
                    yield owner, left

    def shared_parts(self) -> SharedParts:
        return SharedParts(self.facts, self.plan, self.calls, self.events_of_field, self.taken_over)

    def takers(self, function: Function, parameter: str, depth: int = 4) -> Iterator[tuple[Function, str]]:
        """A function with a parameter, and the `__init__` of base classes that are given it: `super().__init__(optimizer)`."""
        yield function, parameter
        for call in self.calls.get(function, ()) if function.name == "__init__" and depth else ():
            for callee in self.values.callees.get(call, ()):
                if callee.name == "__init__" and callee.owner in (function.owner.lineage if function.owner else ()):
                    for name, given in arguments_by_parameter(callee, call, self.values):
                        if dotted(given) == parameter:
                            yield from self.takers(callee, name, depth - 1)

    def companion(self, function: Function | None, place: str, kind: str) -> str:
        """The place of the state that belongs to an optimizer or module."""
        root, _, rest = place.partition(".")
        if function is not None and not rest:
            function = self.owner_of(function, root)
        if kind == "state" and function is not None and place == function.self_name and self.plan.of(function).state:
            return self.plan.of(function).state_name  # of a method, for the functions inside of it
        item = function.owner if function is not None and root == function.self_name else None
        owner = item.keeper(rest) if item is not None and rest else None
        key = (function if owner is None else None, f"{owner.key}.{rest}" if owner else place, kind)
        holder = self.holder(function, place)
        if key not in self.plan.companions and holder is not None:
            prefix, _, name = place.rpartition(".")
            holder = holder.keeper(name)
            own = (None, f"{holder.key}.{name}", kind)
            if own not in self.plan.companions:
                self.plan.companions[own] = self.new_companion(None, holder, f"self.{name}", kind)
            self.plan.companions[key] = f"{prefix}.{self.plan.companions[own].rpartition('.')[2]}"
        if key not in self.plan.companions:
            self.plan.companions[key] = self.new_companion(function, owner, place, kind)
        return self.plan.companions[key]

    def holder(self, function: Function | None, place: str) -> Class | None:
        """The class of the object, in a variable or a field, whose fields hold an optimizer and its state: that of `trainer` in
        `trainer.opt`, of `self.actor` in `self.actor.opt`; None for a field of `self`.
        """
        if "." not in place:
            return None
        root, *fields = place.split(".")[:-1]
        is_own = function is not None and function.owner is not None and root == function.self_name
        if is_own and not fields:
            return None
        value = self.place_value(function, f"{root}.{fields.pop(0)}" if is_own else root)
        item = self.object_class(value)
        while item is not None and fields:
            item = self.object_class(item.field_value(fields.pop(0)))
        return item

    def object_class(self, value: Value | None) -> Class | None:
        """The class of an object of the program that is no module."""
        is_object = value is not None and value.kind is Kind.OBJECT and len(value.types) == 1
        return self.facts.program.class_by_key.get(next(iter(value.types))) if value is not None and is_object else None

    def new_companion(self, function: Function | None, owner: Class | None, place: str, kind: str) -> str:
        prefix, _, last = place.rpartition(".")
        stem = last
        if kind in ("opt_state", "grads"):
            for part in _OPTIMIZER_NAMES:
                if stem.startswith(part) or stem.endswith(part):
                    stem = stem.removeprefix(part).removesuffix(part).strip("_")
                    break
            plain = not stem
            if stem.isdigit():
                return f"{prefix}.{kind}{stem}" if prefix else f"{kind}{stem}"
            stem = stem if stem.isidentifier() else last
        else:
            plain = len(self.stateful_places(function, owner)) <= 1
        name = kind if plain else f"{stem}_{kind}"
        wishes = [name, f"{last}_{kind}"]
        if owner is not None:
            return f"{prefix}.{self.names.fresh_field(owner, wishes)}"
        fresh = self.names.fresh(function, wishes, self.users(function, place))
        return f"{prefix}.{fresh}" if prefix else fresh

    def users(self, function: Function | None, place: str) -> list[Function]:
        """The functions that see what happens to a place of another function, or of the module."""
        return [
            item
            for item, events in self.events.items()
            if item is not None and item is not function and place in events
            if self.owner_of(item, place) is function
        ]

    def stateful_places(self, function: Function | None, owner: Class | None) -> set[str]:
        if owner is not None:
            return {name for name, value in owner.all_fields() if self.facts.effects.is_stateful(value)}
        found = {place for place, what in self.events[function].items() if {"state", "state-read"} & what}
        env = function.env if function is not None else self.facts.program.module_env
        sites = {
            name: value.sites for name, value in env.items()
            if value.kind is Kind.MODULE and self.facts.effects.is_stateful(value) and not value.sites & self.part_sites
        }  # fmt: skip
        return found | {
            name for name in sites if not any(name != other and sites.get(other) == sites[name] for other in found)
        }

    def plan_call(self, function: Function | None, call: cst.Call) -> None:
        callee = self.values(call.func)
        if call in self.facts.effects.given:
            state = self.own_state(function, call)
            self.plan.calls[call] = CallPlan([Gained(None, "state", state)], [], [state])
            return
        if callee.kind is Kind.MODULE:
            self.plan_module_call(function, call, callee)
            return
        if (copied := self.copied_place(function, call)) is not None:
            new = self.constructed_state(function, call)
            self.plan.calls[call] = CallPlan([], [], [new], copied=self.companion(function, copied, "state"))
            return
        reached = sorted(self.values.callees.get(call, ()), key=lambda item: item.name == "__init__")
        planned = CallPlan()
        other = self.builder_among_others(callee, reached) or self.keyless_class(callee, call)
        other = other or self.facts.effects.gains_beside_layers(call) or self.gaining_partial(call)
        if (drawing := self.keyless_elsewhere(reached)) is not None:
            if self.differ_by_key(callee, reached):
                self.plan.by_signature.add(call)
            else:
                other = other or drawing
        elif callee.among & _OR_OTHERS:
            self.plan.by_signature.add(call)
        if (other := other or self.unlike_others(callee, reached)) is not None:
            self.plan.problem(call, "T2J609", name=code(call.func), other=other)
        builders = [item for item in reached if callee.kind is Kind.FUNCTION and self.is_builder(item)]
        if self.makes_state(function, call) or builders:
            if self.facts.target.immutable and (part := self.part_with_state(call)) is not None:
                self.plan.problem(call, "T2J604", name=code(part), other="a part of another module")
            planned.makes_any = callee.kind is Kind.FUNCTION and len(builders) < len(reached)
            reached = [*builders, *(item for item in reached if item not in builders)]
            planned.behind.append(self.constructed_state(function, call))
            for item in reached if callee.kind is Kind.FUNCTION else ():
                self.check_given_away(function, call, item)
        elif reached and callee.kind is Kind.FUNCTION and self.gives_others_state(call, reached[0]):
            planned.behind += self.states_among_others(function, call, reached[0])
        if optimizers := self.optimizers_of(call):
            places = receiving_places(self.facts, call, optimizers)
            planned.behind += [self.companion(function, place, "opt_state") for place in places or ()]
            if places is None:
                self.plan.problem(call, "T2J501", name=code(call))
        self.check_partial(call)
        self.plan_modes_of_wrappers(function, call)
        for item in reached:
            check_two_names(self.facts, self.plan, call, item, self.events_of)
        if reached:
            self.plan_program_call(function, call, reached[0], planned)
            if self.facts.effects.of(reached[0]).seeds and reached[0].name != "__init__" and planned.has_result:
                planned.behind.append(self.plan.of(function).key_name if function is not None else self.plan.module_key)
        if planned.rebinds or planned.arguments:
            self.plan.calls[call] = planned

    def gives_others_state(self, call: cst.Call, reached: Function) -> bool:
        """Whether a call makes a module with state among other things, and none that become parts of another one."""
        is_new = any(True for _ in self.new_modules(reached))
        return is_new and not self.is_inner(reached) and not self.is_for_part(call, self.part_sites)

    def states_among_others(self, function: Function | None, call: cst.Call, reached: Function) -> list[str]:
        """The variables with the states of modules that a call gives among other things."""
        modules, parent = self.plan.of(reached).modules, self.facts.program.index.parents.get(call)
        target = parent.targets[0].target if isinstance(parent, cst.Assign) else None
        is_known = isinstance(target, cst.Tuple) and all(isinstance(item, cst.Element) for item in target.elements)
        places = receiving_places(self.facts, call, modules) if modules and is_known else None
        if places is None:
            what = f"{reached.name}, which returns a new module with state among others,"
            self.plan.problem(call, "T2J200", name=what)
        return [self.companion(function, place, "state") for place in places or ()]

    def check_partial(self, call: cst.Call) -> None:
        """A function that changes what `partial` has given it would give it back to nobody."""
        made = self.values(call).const
        if not isinstance(made, Partial) or call in self.values.partials:
            return
        for key in sorted(made.keys & self.facts.program.by_key.keys()):
            function = self.facts.program.by_key[key]
            planned, given = self.plan.of(function), function.parameter_names[: made.given]
            named = [item.keyword.value for item in call.args if item.keyword is not None]
            changed = [name for name in (*given, *named) if name in planned.extras or name in planned.companions]
            if changed:
                self.plan.problem(call, "T2J303", name=changed[0], other=code(call))

    def builder_among_others(self, callee: Value, reached: Sequence[Function]) -> str | None:
        """What gives a state with its module, among several functions and classes of which others do not, or not that way."""
        if callee.kind is not Kind.FUNCTION or len(reached) < 2:
            return None
        builders = [item.name for item in reached if self.is_builder(item)]
        owners = [item.owner for item in reached if item.name == "__init__" and item.owner is not None]
        if self.makes_models(reached):
            return None  # what gives no state is asked for it as well
        stateful = [item.name for item in owners if self.facts.effects.class_is_stateful(item)]
        return next(iter([*stateful, *(builders if len(builders) < len(reached) else [])]), None)

    def makes_models(self, reached: Sequence[Function]) -> bool:
        """Whether each of several functions and classes makes a module, or gives one that it has made, and some give a state too."""
        return any(map(self.is_builder, reached)) and all(
            self.is_builder(item)
            or (item.name == "__init__" and item.owner is not None and item.owner.is_module)
            or (item.name != "__init__" and item.owner is None and self.makes_result(item) and not self.is_inner(item))
            for item in reached
        )

    def reached_calls(self) -> Iterator[tuple[cst.Call, tuple[Function, ...]]]:
        """The calls of the file that may run one of several functions."""
        for call in self.facts.program.index.calls:
            reached = self.values.callees.get(call, ())
            if len(reached) > 1:
                yield call, reached

    def keyless_elsewhere(self, reached: Sequence[Function]) -> str | None:
        """What draws among the functions of a call, where one of another file, which has not heard of it, does not."""
        named = [item.owner or item if item.name == "__init__" else item for item in reached]
        drawing = [
            one.name for item, one in zip(reached, named, strict=True) if self.plan.of(item).key is not Draw.NONE
        ]
        others = [item for item in reached if item.node not in self.facts.program.functions]
        if any(item.name == "forward" for item in reached):
            return None  # modules are called by their signatures
        is_mixed = drawing and any(self.plan.of(item).key is Draw.NONE for item in others)
        return drawing[0] if is_mixed and len(reached) > 1 else None

    def differ_by_key(self, callee: Value, reached: Sequence[Function]) -> bool:
        """Whether functions of one call are given the same and give back the same, but for the key that some take."""
        gained = [self.gained_by(item) for item in reached]
        states = {(self.plan.of(item).state, self.plan.of(item).gives_state) for item in reached}
        is_one = callee.kind is Kind.FUNCTION or (callee.kind is Kind.CLASS and self.are_made_alike(callee))
        return is_one and len(states) == 1 and all(item == gained[0] for item in gained)

    def are_made_alike(self, made: Value) -> bool:
        """Whether all classes that a variable may hold are modules, which a state can be asked for, or none keeps one."""
        classes = [self.facts.program.class_by_key[key] for key in made.types if key in self.facts.program.class_by_key]
        are_modules = len(classes) == len(made.types) and all(item.is_module for item in classes)
        return are_modules or not any(map(self.facts.effects.class_is_stateful, classes))

    def unlike_others(self, callee: Value, reached: Sequence[Function]) -> str | None:
        """A function that is given something beside a parameter, or gives something back, where others of a call are not."""
        if any(item.owner is not None and self.inside_module(item) for item in reached):
            return self.alone_with_state(reached)
        if callee.kind is not Kind.FUNCTION or self.facts.target.state is None or any(item.owner for item in reached):
            return None
        gained = [self.gained_by(item) for item in reached]
        if self.makes_models(reached):
            gained = [(*item[:2], 0, []) for item in gained]  # but for the states, which are looked for
        if all(item == gained[0] for item in gained) and not (LAMBDA in callee.among and any(map(any, gained))):
            return None
        return next(item.name for item, found in zip(reached, gained, strict=True) if any(found))

    def alone_with_state(self, reached: Sequence[Function]) -> str | None:
        """A method that takes the state of its module, or gives it back, where those of other classes that are called there do not."""
        states = {(self.plan.of(item).state, self.plan.of(item).gives_state) for item in reached}
        if len(states) < 2 or any(item.name in ("forward", "__init__") for item in reached):
            return None
        return next(item.name for item in reached if self.plan.of(item).state)

    def gained_by(self, function: Function) -> tuple[list[tuple[int, int]], list[str], int, list[int]]:
        """How many values go with which parameters, and what is given back beside the result."""
        planned, names = self.plan.of(function), function.parameter_names
        beside = [(names.index(name), len(found)) for name, found in planned.companions.items() if name in names]
        kinds = [next((kind for kind in COMPANIONS if name.endswith(kind)), name) for name in planned.extras]
        places = [
            str(names.index(name)) if name in names else kind for name, kind in zip(planned.extras, kinds, strict=True)
        ]
        return beside, places, len(planned.behind), planned.modules

    def gaining_partial(self, call: cst.Call) -> str | None:
        """A function with some of its arguments (`partial(train, model)`) that is called and gains others, or gives back more."""
        if self.facts.target.state is None:
            return None
        functions = self.values.partials.get(call, ())
        return next((item.name for item in functions if any(self.gained_by(item)) or self.plan.of(item).state), None)

    def keyless_class(self, callee: Value, call: cst.Call) -> str | None:
        """A class of modules, among others that take a key, that has no `__init__` for it: one of another file."""
        if callee.kind not in (Kind.CLASS, Kind.FUNCTION) or len(callee.types) < 2:
            return None
        classes = [
            self.facts.program.class_by_key[key] for key in callee.types if key in self.facts.program.class_by_key
        ]
        bare = [item.name for item in classes if item.is_module and item.method("__init__") is None]
        return next(iter(bare), None) if bare and self.facts.effects.draw_of(call) is not Draw.NONE else None

    def constructed_state(self, function: Function | None, call: cst.Call) -> str:
        """The companion of the place that a new stateful module is assigned to."""
        node: cst.CSTNode = call
        parents = self.facts.program.index.parents
        while isinstance(parents[node], (cst.Attribute, cst.Call)) and not isinstance(parents[node], cst.Arg):
            node = parents[node]
        if isinstance(parents[node], cst.Arg):
            return self.given_new(function, call)
        for ancestor in self.facts.program.index.ancestors(node):
            if isinstance(ancestor, cst.Assign):
                pairs = [pair for target in ancestor.targets for pair in _pairs(target.target, ancestor.value)]
                place = next((dotted(target) for target, value in pairs if value is node), None)
                return self.loose_state(function) if place is None else self.companion(function, place, "state")
            if isinstance(ancestor, cst.BaseStatement):
                break
        return self.loose_state(function)

    def given_new(self, function: Function | None, call: cst.Call) -> str:
        """The variable with the state of a new module that a call is given."""
        if call not in self.given:
            self.given[call] = self.names.fresh(function, ["state", "module_state"])
        return self.given[call]

    def state_of_new(self, function: Function | None, node: cst.BaseExpression) -> str | None:
        """The variable with the state of a module that a call is given and that is made there: `train(Net().cuda())`."""
        made = chain_start(node, WRAPPING)
        if not isinstance(made, cst.Call) or (function is not None and self.inside_module(function)):
            return None
        callee, reached = self.values(made.func), self.values.callees.get(made, ())
        is_built = callee.kind is Kind.FUNCTION and any(map(self.is_builder, reached))
        return self.given_new(function, made) if is_built or self.makes_state(function, made) else None

    def loose_state(self, function: Function | None) -> str:
        """The variable with the state of a new module that is assigned to none."""
        if function not in self.loose:
            self.loose[function] = self.names.fresh(function, ["state", "module_state"])
        return self.loose[function]

    def own_state(self, function: Function | None, call: cst.Call) -> str:
        """The variable with the state in a method of a module, or in a step."""
        step = self.step_around(call)
        if step is not None:
            states = self.plan.step_states[step]
            if len(states) < 2:
                return self.plan.step_names[step]["state"]
            is_module = self.values(call.func).kind is Kind.MODULE or not isinstance(call.func, cst.Attribute)
            place = self.module_place(call.func if is_module else call.func.value)  # type: ignore[attr-defined]
            if place not in states:
                self.plan.problem(call, "T2J303", name="the module called here")
            return states.get(str(place), "state")
        return self.plan.of(function).state_name if function is not None else "state"

    def companion_at(self, function: Function | None, call: cst.Call, place: str, kind: str) -> str:
        """The variable with what is kept beside a place, where a call is: the function of a step has names of its own for states."""
        step = self.step_around(call) if kind == "state" else None
        states = self.plan.step_states[step] if step is not None else {}
        return states[place] if place in states else self.companion(function, place, kind)

    def plan_module_call(self, function: Function | None, call: cst.Call, callee: Value) -> None:
        if self.facts.target.state is None or not self.comes_with_state(function, call.func):
            return
        self.check_lent(function, call, self.module_place(call.func), self.values.callees.get(call, ()))
        if self.inside_module(function) or self.in_step(call):
            state = self.own_state(function, call)
            self.plan.calls[call] = CallPlan([self.given_to_module(call, callee, state)], [], [state])
            return
        place = self.module_place(call.func)
        if place is None:
            self.plan.problem(call, "T2J303", name="the module called here")
            return
        self.check_loops_around(call, place)
        state = self.companion(function, place, "state")
        if self.keeps_state(function, call, place):
            self.plan.calls[call] = CallPlan([self.given_to_module(call, callee, state)], [], [], first_of_pair=True)
        else:
            self.plan.calls[call] = CallPlan([self.given_to_module(call, callee, state)], [], [state])
        self.note_written(function, call, place, state)

    def check_lent(
        self, function: Function | None, call: cst.Call, place: str | None, reached: Sequence[Function]
    ) -> None:
        """A method runs the modules that it is given with the state of its own module, of which they have to be parts."""
        if self.inside_module(function):
            return  # the module around all of them has their states
        for method in reached:
            for name, node in arguments_by_parameter(method, call, self.values):
                is_other = self.facts.effects.is_stateful(self.values(node)) and self.module_place(node) != place
                if is_other and self.plan.of(method).state and self.runs_given(method, name):
                    self.plan.problem(node, "T2J303", name=code(node), other=method.name)

    def runs_given(self, method: Function, name: str, seen: frozenset[tuple[Function, str]] = frozenset()) -> bool:
        """Whether a method may ask for the state of a module that it is given."""
        if method not in self.calls:
            return True  # in another file
        seen |= {(method, name)}
        state = self.facts.effects.module_state
        if any(
            root_name(node) == name and self.facts.program.function_around(node) is method
            for node in (*state.reads, *state.writes)
        ):
            return True
        for call in self.calls[method]:
            if root_name(call.func) == name and self.facts.effects.threads_state(call):
                return True
            for callee in self.values.callees.get(call, ()):
                for other, node in arguments_by_parameter(callee, call, self.values):
                    if root_name(node) == name and (callee, other) not in seen and self.runs_given(callee, other, seen):
                        return True
        return False

    def writes_parameters(self, value: Value | None) -> bool:
        """Whether the state of a module may hold other values of its parameters than it has itself."""
        return (
            value is not None and self.facts.target.state is not None and writes_parameters(self.facts.program, value)
        )

    def note_written(self, function: Function | None, call: cst.Call, place: str, state: str) -> None:
        if self.writes_parameters(self.place_value(function, place)):
            self.plan.written[call] = (place, state)

    def given_to_module(self, call: cst.Call, callee: Value, state: str) -> Gained:
        """How a module is given the state: by its name to what decides when it runs whether the module takes it."""
        by_name = not callee.types or calls_several(self.facts, self.plan, call, callee)
        if (
            len(callee.types) > 1
            and len(call.args) == 1
            and any(name in self.facts.tables.layers for name in callee.types)
        ):
            # a layer of torch takes a batch: what applies it knows where each takes the state
            return Gained(1, "state", state)
        return Gained(None, "state", state) if by_name else self.given_state(call, state)

    def given_state(self, call: cst.Call, state: str, reached: Sequence[Function] = ()) -> Gained:
        """How a call is given the state: behind its first argument, in front of what is starred, or by its name."""
        positional = [item for item in call.args if item.keyword is None]
        reached = reached or self.values.callees.get(call, ())
        name = self.plan.of(reached[0]).state_parameter if reached else "state"
        for function in reached:
            params = function.node.params
            names = [*params.posonly_params, *params.params][1:]
            if not names and isinstance(params.star_arg, cst.Param):
                return Gained(0, name, state)
            if names and (not positional or positional[0].star):
                return Gained(None, name, state)
        return Gained(None if call.args and call.args[0].keyword is not None else min(1, len(call.args)), name, state)

    def state_of_call(self, function: Function | None, call: cst.Call) -> str:
        """The state that a call of a method of a module is given."""
        if not self.threads_own_state(function, call) or self.in_step(call):
            if not self.in_step(call) and not self.inside_module(function) and isinstance(call.func, cst.Attribute):
                self.check_loops_around(call, root_name(call.func.value) or "")
            return self.own_state(function, call)
        assert isinstance(call.func, cst.Attribute)
        place = self.module_place(call.func.value)
        if place is None:
            self.plan.problem(call, "T2J303", name="the module called here")
            return self.own_state(function, call)
        self.check_loops_around(call, place)
        state = self.companion(function, place, "state")
        if self.facts.effects.changes_state(call):
            self.note_written(function, call, place, state)
        return state

    def check_loops_around(self, call: cst.Call, place: str) -> None:
        """What a loop over modules takes has its state in that of the model that they are parts of, or in none."""
        for loop in self.facts.program.index.ancestors(call):
            if isinstance(loop, cst.FunctionDef | cst.Lambda):
                return
            if isinstance(loop, cst.For | cst.CompFor) and place.split(".")[0] in bound_names(loop.target):
                self.plan.problem(call, "T2J604", name=place, other=_OF_A_LIST)
                return

    def plan_program_call(
        self, function: Function | None, call: cst.Call, reached: Function, planned: CallPlan
    ) -> None:
        target = self.plan.of(reached)
        planned.has_result = target.has_result or reached.name == "__init__"
        if target.state and reached.name != "__init__":
            if isinstance(call.func, cst.Attribute):
                self.check_lent(function, call, self.module_place(call.func.value), [reached])
            state = self.state_of_call(function, call)
            planned.arguments.append(self.given_state(call, state, [reached]))
            if target.gives_state:
                planned.behind.append(state)
        renamed: dict[str, str] = {}
        for name, node in arguments_by_parameter(reached, call, self.values):
            is_name = self.is_name_of_model(reached, name, node) or self.values(node).kind is Kind.NONE
            place = dotted(node) if not is_name else None
            if reached in self.imported and PRIVATE in self.imported[reached].get(name, ()):
                if not is_unseen_behind(self.facts, call, reached, name):
                    self.plan.problem(call, "T2J302", name=name, operation=reached.name)
            self.check_taken_over(function, call, reached, name, place)
            if place is not None:
                self.shared_parts().check_call(function, call, reached, name, place)
            self.plan_mode_left(call, reached, name, place)
            part = self.part_of_module(node) if name in target.extras else None
            renamed[name] = place or "_"
            if part is not None:
                renamed[name] = "".join(part)
                planned.parts[renamed[name]] = part
            elif name in target.extras and place is None and self.gives_held(node):
                if not is_name:
                    self.plan.problem(call, "T2J303", name=code(node), other=name)
            is_given = self.is_made(function) and not self.gives_self(function)
            if renamed[name].startswith("self.") and name in target.extras and is_given:
                self.plan.problem(call, "T2J601", name=code(node), module=function.owner.name)  # type: ignore[union-attr]
            if name in target.extras and self.loses_own_module(function, renamed[name]):
                reason = f"`{reached.name}` changes it, which a method cannot give back where `__init__` calls it, too"
                self.plan.problem(call, "T2J606", name=renamed[name], module=function.owner.name, reason=reason)  # type: ignore[union-attr]
            for companion in target.companions.get(name, ()):
                kind = next((item for item in COMPANIONS if companion.endswith(item)), "state")
                if kind == "state" and self.needs_empty_state(function, node):
                    empty = f"{self.facts.target.state_type}({place})"
                    planned.arguments.append(Gained(position_of(call, node), companion, empty))
                    continue  # nobody asks for the empty state again
                held = self.state_holder(function, node) if kind == "state" else place
                is_inside = kind == "state" and self.inside_module(function)
                if is_inside and function is not None and self.plan.of(function).state:  # the module's own part
                    own = self.own_state(function, call)
                    if own in renamed.values():
                        self.plan.problem(call, "T2J303", name=code(node), other=reached.name)
                elif held is not None:
                    own = self.companion_at(function, call, held, kind)
                    if kind == "state" and not self.is_of_stateful_class(self.values(node)):
                        is_passed_on = self.values(node).kind is Kind.UNKNOWN and self.is_given_model(function, node)
                        if not is_passed_on and not self.comes_with_state(function, node):
                            self.plan.problem(call, "T2J605", name=code(node))
                else:
                    own = self.state_of_new(function, node) or "_"
                    if kind != "state" or own == "_":
                        self.plan.problem(call, "T2J501" if kind != "state" else "T2J303", name=code(node), other=name)
                renamed[companion] = own
                planned.arguments.append(Gained(position_of(call, node), companion, own))
        for mark in all_marks(self.facts.program):
            if mark[:2] == (GIVEN, reached.key) and mark[2] not in renamed:
                self.plan.problem(call, "T2J501", name=code(call.func))
        starred = next((item.value for item in call.args if item.star), None)
        missing = [name for name in (*target.extras, *target.companions) if name not in renamed]
        if starred is not None and missing:
            self.plan.problem(call, "T2J303", name=code(starred), other=missing[0])
        planned.before.extend(renamed.get(name, "_") for name in target.extras)
        if target.returns_changed:
            planned.same = planned.before != ["_"]
            planned.before = planned.before if planned.same else []
            planned.has_result = not planned.same
        elif target.returned is not None:
            planned.returned_at = target.extras.index(target.returned)
            planned.has_result = False


def chain_root(node: cst.BaseExpression) -> cst.BaseExpression:
    """The variable that a place begins with: `m` of `m.layers[0].weight`."""
    while isinstance(node, (cst.Attribute, cst.Subscript)):
        node = node.value
    return node


def calls_several(facts: Facts, plan: Plan, call: cst.Call, callee: Value) -> bool:
    """Whether a call with other than one argument runs a module of one of several classes, of which some gain what others do not."""
    is_one = len(call.args) == 1 and not call.args[0].star
    if not is_one and len(callee.types) > 1 and _some_take_no_key(facts, plan, call, callee):
        return True
    known = len(callee.types) > 1 and all(name in facts.program.class_by_key for name in callee.types)
    return known and not is_one and differ(facts, plan, callee)


def _some_take_no_key(facts: Facts, plan: Plan, call: cst.Call, callee: Value) -> bool:
    """Whether a call gives a key, and a class of another file or a loss of torch, which it may run, takes none."""
    if facts.effects.draw_of(call) is Draw.NONE:
        return False
    if not callee.types <= facts.program.class_by_key.keys():
        return True
    forwards = [item.method("forward") for item in facts.effects.classes_of(callee)]
    return any(
        item is not None and item.node not in facts.program.functions and plan.of(item).key is Draw.NONE
        for item in forwards
    )


def differ(facts: Facts, plan: Plan, callee: Value) -> bool:
    """Whether some of the classes that a module may be of take a key or state and others do not."""
    forwards = [item.method("forward") for item in facts.effects.classes_of(callee)]
    return len({(bool(plan.of(item).key), plan.of(item).state) for item in forwards if item is not None}) > 1


def _pairs(
    target: cst.BaseExpression, value: cst.BaseExpression
) -> Iterator[tuple[cst.BaseExpression, cst.BaseExpression]]:
    """What an assignment gives to what: `a` to `x` and `b` to `y` in `x, y = a, b`."""
    if isinstance(target, (cst.Tuple, cst.List)) and isinstance(value, (cst.Tuple, cst.List)):
        starred = any(isinstance(item, cst.StarredElement) for item in (*target.elements, *value.elements))
        if not starred and len(target.elements) == len(value.elements):
            for left, right in zip(target.elements, value.elements, strict=True):
                yield from _pairs(left.value, right.value)
    else:
        yield target, value


def _is_for_apply(function: Function) -> bool:
    """Whether a function may be one for `net.apply(rest)`: nobody calls it, and a module is all that it takes."""
    is_plain = (
        function.owner is None and not function.decorators and not isinstance(function.node.params.star_arg, cst.Param)
    )
    return is_plain and not function.callers and len(function.parameters) == 1


def _is_asked_for_by_base(function: Function) -> bool:
    """Whether a method overrides one of a base class that is no class of modules."""
    owner = function.owner
    bases = owner.lineage[1:] if owner is not None and not owner.is_module else []
    return any(function.name in base.methods for base in bases)


def _are_related(one: Class, other: Class) -> bool:
    """Whether objects of one class may be objects of the other."""
    return one.key in {item.key for item in other.lineage} or other.key in {item.key for item in one.lineage}


def seen_outside(events: set[str]) -> set[str]:
    """What the callers of a function must know of what happens to a parameter: of a private one what must be given with it."""
    if PRIVATE not in events:
        return events
    return {f"{kind}-read" for kind in COMPANIONS if kind in events or f"{kind}-read" in events}


def position_of(call: cst.Call, node: cst.BaseExpression) -> int | None:
    """Where an argument stands: its position counted from 1 (an insertion point behind it), or None for a keyword's."""
    for position, argument in enumerate(call.args):
        if argument.value is node:
            return None if argument.keyword is not None else position + 1
    raise AssertionError("the argument belongs to the call")


def _given_places(node: cst.Assign) -> Iterator[cst.BaseExpression]:
    """The targets that are given what a call makes, or what a name holds: `self.model, self.optimizer = model, optimizer`."""
    if isinstance(node.value, (cst.Call, cst.Name)):
        yield from (target.target for target in node.targets)
    elif isinstance(node.value, cst.Tuple) and len(node.targets) == 1:
        target, elements = node.targets[0].target, node.value.elements
        if isinstance(target, cst.Tuple) and len(target.elements) == len(elements):
            pairs = zip(target.elements, elements, strict=True)
            yield from (item.value for item, given in pairs if isinstance(given.value, cst.Name))


def ordered_places(events: Events, parameters: list[str]) -> list[str]:
    """Places in the order of parameters, then the rest by name."""
    return sorted(
        events, key=lambda place: (parameters.index(place) if place in parameters else len(parameters), place)
    )


__all__ = ["Step", "arguments_by_parameter", "plan_threading", "position_of"]
