"""Give every random draw a key of its own.

A function that draws once passes its `key` on; several draws that follow one another split it at the top; draws in loops, and
in code that sets the seed itself, split it before each statement:

    key, subkey = jax.random.split(key)
    x = jax.random.normal(subkey, (3,))

Where no statement could split (the test of a `while`, a function that `map` calls), keys come from a sequence:

    keys = KeySequence(key)
    while jax.random.uniform(next(keys)) < 0.5:
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count

import libcst as cst

from torch2jax.facts.datasets import transforms_given
from torch2jax.facts.default_factories import is_default_factory
from torch2jax.facts.effects import EAGER_CALLERS, FORKS, STATE_GETTERS, Draw, called_by_python, fresh_seed
from torch2jax.facts.infer import is_differentiated_lambda
from torch2jax.facts.library_calls import given_functions, hands_over
from torch2jax.facts.outside_callers import called_by_others
from torch2jax.facts.parameter_loops import ParameterLoop
from torch2jax.facts.training import Step
from torch2jax.plan.model import Facts, KeySequence, KeySplit, Plan
from torch2jax.program.calls import arguments_by_parameter, decorators_of, gives_back_its_own, wrappers_of
from torch2jax.program.definitions import How
from torch2jax.program.program import Function, dotted
from torch2jax.program.statements import assigned_pairs
from torch2jax.records import dataclass
from torch2jax.syntax.codegen import code
from torch2jax.syntax.fresh import FreshNames
from torch2jax.syntax.quote import names_in, quote
from torch2jax.syntax.walk import children, descendants, own_nodes
from torch2jax.values import Kind

_NAMED_AT_TOP = 6
_CACHES = ("functools.lru_cache", "functools.cache", "functools.cached_property", "functools.singledispatch")
_SIZED = (Kind.LIST, Kind.TUPLE, Kind.MODULE, Kind.UNKNOWN, Kind.DICT)
_COMPREHENSIONS = (cst.ListComp, cst.SetComp, cst.GeneratorExp, cst.DictComp)


_HOST_TRANSFORMS = frozenset({"torchvision.transforms.Lambda", "torchvision.transforms.v2.Lambda"})


@dataclass(slots=True)
class _Site:
    """One place that needs a key. `comprehension`: the one whose every element draws; `repeated`: it is run several times
    without a statement before it where a key could be split.
    """

    node: cst.CSTNode
    draw: Draw
    statement: cst.BaseStatement
    loops: tuple[cst.CSTNode, ...]
    comprehension: cst.CSTNode | None = None
    repeated: bool = False


@dataclass(slots=True)
class _Frame:
    """Code that has one key: a function, a step, or the module level (`owner` None)."""

    owner: Function | Step | None
    body: cst.CSTNode
    key: str
    sites: list[_Site]
    seeded: bool
    _fresh: FreshNames | None = None

    @property
    def fresh(self) -> FreshNames:
        """The names that are free in it."""
        if self._fresh is None:
            self._fresh = FreshNames(names_in(self.body) | {self.key})
        return self._fresh


def plan_keys(facts: Facts, plan: Plan) -> None:
    """Decide the keys of all frames of a file."""
    _Keys(facts, plan).run()


class _Keys:
    def __init__(self, facts: Facts, plan: Plan) -> None:
        self.facts = facts
        self.plan = plan
        self.index = facts.program.index
        self.generators: dict[cst.Call, str] = {}
        self.step_of: dict[cst.CSTNode, Step] = {}
        for step in facts.steps:
            if step.problem is None:
                for statement in step.forward:
                    for node in descendants(statement):
                        self.step_of[node] = step
                for node in descendants(step.loss):
                    self.step_of[node] = step

    def run(self) -> None:
        self.find_alternatives()
        by_frame: dict[Function | Step | None, list[_Site]] = {}
        outlined = {node: loop for loop in self.facts.loops for node in descendants(loop.loop.body)}
        inside: dict[ParameterLoop, list[_Site]] = {}
        seeds: dict[Function | None, list[cst.Call]] = {}
        for call in self.index.calls:
            function = self.facts.program.function_running(call)
            if self.facts.effects.seeds(call):
                seeds.setdefault(function, []).append(call)
                if function is not None and self.loses_seed(function):
                    self.plan.problem(call, "T2J401", place=f"`{function.name}`")
                elif function in self.facts.effects.lost_seeds and function.owner is not None:
                    self.plan.problem(call, "T2J402", name=function.owner.name)
                continue
            draw = self.facts.effects.draw_of(call)
            generator = self.facts.effects.generator_of(call)
            if generator is not None:
                self.plan_generator(call, generator, draw)
            if draw is Draw.NONE:
                continue
            self.plan.key_takers[call] = self.taker_of(call)
            if call in outlined and self.facts.target.splits_keys:
                inside.setdefault(outlined[call], []).append(_Site(call, draw, self.index.statement_of(call), ()))
                continue
            owner: Function | Step | None = self.step_of.get(call, function)
            if isinstance(owner, Step):
                draw = Draw.REQUIRED
            if owner is function and self.takes_no_key(function):
                assert function is not None
                self.plan.problem(call, "T2J400", name=_callee(call), place=f"`{function.name}`, which Python calls")
                continue
            site = self.site(call, draw, function)
            if site is not None:
                by_frame.setdefault(owner, []).append(site)
        self.check_decorators()
        self.check_transforms()
        self.check_partials()
        for node, passed in self.passed_functions():
            function = self.facts.program.function_running(node)
            site = self.site(node, self.facts.effects.of(passed).draw, function)
            if site is not None:
                site.repeated = True
                self.plan.passed[node] = passed
                by_frame.setdefault(self.step_of.get(node, function), []).append(site)
        for loop, sites in inside.items():
            self.outlined(loop, sites, by_frame)
        for step in self.facts.steps:
            inner = by_frame.get(step)
            if inner:
                draw = max(site.draw for site in inner)
                outer = self.site(step.backward, draw, step.function, step.anchor)
                if outer is not None:
                    by_frame.setdefault(step.function, []).append(outer)
        for owner in [*self.facts.program.functions.values(), None, *self.facts.steps]:
            if owner in by_frame or owner in seeds or self.makes_keys(owner):
                self.plan_frame(owner, by_frame.get(owner, []), seeds.get(owner, []))  # type: ignore[arg-type]
        for call, text in self.generators.items():
            if (key := self.plan.keys.get(call)) is not None:
                given = self.facts.target.drawn_key.replace("{key}", key)
                self.plan.keys[call] = f"{given} if {text} is None else next({text})"

    def loses_seed(self, function: Function) -> bool:
        """Whether a function sets a seed for what is drawn behind it, and cannot return the key: a `forward`, or an `__init__`
        that draws nothing itself.
        """
        effects = self.facts.effects
        is_forward = function.owner is not None and function.owner.is_module and function.name == "forward"
        if is_forward and effects.of(function).seeds:
            return True
        return function in effects.lost_seeds and all(
            effects.draw_of(call) is Draw.NONE for call in effects.calls.get(function, ())
        )

    def takes_no_key(self, function: Function | None) -> bool:
        """Whether a function is a method that Python calls, and its object keeps no keys for it."""
        if function is None or function.owner is None or not called_by_python(function):
            return False
        effects = self.facts.effects
        return not effects.draws_kept(function) and not effects.uses_kept_key(function)

    def find_alternatives(self) -> None:
        """Lambdas that stand beside functions that draw, in a table or a choice, take a key as these do; so do those with
        a name that draw themselves.
        """
        self.plan.keyed.update(dict.fromkeys(self.facts.effects.lambdas))
        self.find_beside()
        key = self.facts.target.key
        for node in [node for node in self.plan.keyed if key in names_in(node)]:
            self.plan.problem(node, "T2J400", name=code(node), place=f"a lambda with a `{key}` of its own")
            del self.plan.keyed[node]

    def find_beside(self) -> None:
        """The lambdas beside functions that draw."""
        program, parents = self.facts.program, self.index.parents
        drawing = {key for key, item in program.by_key.items() if self.facts.effects.of(item).draw is not Draw.NONE}
        for node in (*self.index.names, *self.index.attributes) if drawing else ():
            if self.facts.values(node).types.isdisjoint(drawing):
                continue
            parent = parents[node]
            values: list[cst.CSTNode] = []
            if isinstance(parent, cst.IfExp):
                values = [parent.body, parent.orelse]
                self.check_call(parents[parent], parent, node)
            elif isinstance(parent, (cst.Element, cst.DictElement)):
                values = [child for item in children(parents[parent]) for child in children(item)]
            elif isinstance(parent, cst.Return):
                values = [item.value for item in self.beside(node) if isinstance(item, cst.Return) and item.value]
            elif isinstance(parent, cst.Assign) and parent.value is node:
                names = {dotted(target.target) for target in parent.targets}
                for item in self.beside(node):
                    if isinstance(item, cst.Assign) and names & {dotted(target.target) for target in item.targets}:
                        values.append(item.value)
                    elif isinstance(item, cst.Call) and dotted(item.func) in names:
                        self.check_call(item, item.func, node)
            self.plan.keyed.update(dict.fromkeys(item for item in values if isinstance(item, cst.Lambda)))
            for other in values:
                if isinstance(parent, cst.IfExp) and self.is_called_by_signature(parent):
                    continue
                if isinstance(other, (cst.Attribute, cst.Name)) and self.facts.values(other).kind is Kind.TORCH:
                    place = f"a table beside `{code(other)}`, which takes no key"
                    self.plan.problem(node, "T2J400", name=code(node), place=place)

    def is_called_by_signature(self, choice: cst.IfExp) -> bool:
        """Whether a variable that holds one of two functions is only called, with a key if the one that it holds takes one."""
        match self.index.parents[choice]:
            case cst.Assign(targets=[cst.AssignTarget(target=cst.Name(name))]):
                pass
            case cst.AnnAssign(target=cst.Name(name)):
                pass
            case _:
                return False
        function = self.facts.program.function_running(choice)
        scope = function.node if function is not None else self.index.module
        readers = [item for item in descendants(scope) if isinstance(item, cst.Name) and item.value == name]
        calls = [self.index.parents[item] for item in readers]
        readers_called = [
            call for call, item in zip(calls, readers, strict=True) if isinstance(call, cst.Call) and call.func is item
        ]
        bound = sum(isinstance(call, (cst.AssignTarget, cst.AnnAssign)) for call in calls)
        is_keyed = all(self.facts.effects.draw_of(call) is not Draw.NONE for call in readers_called)
        return bound == 1 and len(readers_called) == len(readers) - 1 and is_keyed

    def beside(self, node: cst.CSTNode) -> Sequence[cst.CSTNode]:
        """The nodes of the function around a node."""
        function = self.facts.program.function_running(node)
        return own_nodes(function.node) if function is not None else ()

    def check_call(self, call: cst.CSTNode, callee: cst.CSTNode, given: cst.BaseExpression) -> None:
        """A call of what may be a function that draws must be known to be one."""
        if isinstance(call, cst.Call) and call.func is callee and self.facts.effects.draw_of(call) is Draw.NONE:
            place = f"`{code(call.func)}`, which may be another function"
            self.plan.problem(given, "T2J400", name=code(given), place=place)

    def check_decorators(self) -> None:
        """Functions that draw take a key, which their decorators must hand on, and which Python has none to give. What a
        decorator draws itself has no key at all: calls go to what it makes.
        """
        program, values = self.facts.program, self.facts.values
        for function in program.functions.values():
            needs_key = self.plan.of(function).key is not Draw.NONE
            if needs_key and called_by_others(function, program, values) is not None:
                self.plan.problem(function.node.name, "T2J400", name=function.name, place="what others call")
            for node, value, known in decorators_of(function, program, values):
                inner = (program.functions.get(line) for decorator in known for line in wrappers_of(decorator))
                if any(one is not None and self.plan.of(one).key is not Draw.NONE for one in inner):
                    self.plan.problem(node, "T2J400", name=code(node), place=f"its wrapper of `{function.name}`")
                is_made = isinstance(node, cst.Call)
                if needs_key and (
                    value.const in _CACHES or not all(_hands_keywords_on(item, is_made) for item in known)
                ):
                    self.plan.problem(function.node.name, "T2J400", name=function.name, place=f"`{code(node)}`")

    def passed_functions(self) -> Iterator[tuple[cst.BaseExpression, Function]]:
        """Functions that draw, where they are given to others that call them without a key."""
        values = self.facts.values
        for node, function, call in given_functions(self.facts.program, values, self.facts.effects):
            if self.is_eager(call):
                yield node, function
            elif not hands_over(call, node, values, modules_take_key=self.facts.target.calls_take_key):
                self.plan.problem(node, "T2J400", name=code(node), place=f"`{code(call.func)}`, which calls it")

    def check_transforms(self) -> None:
        """Objects that torchvision calls have no key from it: they keep some themselves, or are reported."""
        program = self.facts.program
        for node, value in transforms_given(program, self.facts.values):
            for item in self.facts.effects.classes_of(value):
                method = item.method("__call__")
                if method is not None and self.plan.of(method).key is not Draw.NONE:
                    self.plan.problem(node, "T2J400", name=f"{item.name}.__call__", place="what others call")

    def check_partials(self) -> None:
        """What is left of `partial(Block, width=4)` hands no key on: who calls it does not know that it makes modules."""
        for call in self.index.calls:
            if self.facts.values(call.func).const != "functools.partial" or not call.args:
                continue
            made = call.args[0].value
            classes = self.facts.effects.classes_of(self.facts.values(made))
            named = [item for item in classes if item.name == code(made).rpartition(".")[2]]
            inits = [init for item in named if (init := item.method("__init__")) is not None]
            if any(self.plan.of(init).key is not Draw.NONE for init in inits):
                self.plan.problem(call, "T2J400", name=code(made), place=f"`{code(call.func)}`")

    def is_eager(self, call: cst.Call) -> bool:
        """Whether a call only calls the functions that it is given while the code around it runs."""
        is_sort = isinstance(call.func, cst.Attribute) and call.func.attr.value == "sort"
        return (is_sort or dotted(call.func) in EAGER_CALLERS) and call not in self.step_of

    def plan_generator(self, call: cst.Call, generator: cst.BaseExpression, draw: Draw) -> None:
        """A draw from a generator of its own, or from that of the program if it may be None."""
        self.plan.generated.add(call)
        seed = fresh_seed(generator, self.facts.values)
        if seed is not None:
            self.plan.keys[call] = f"jax.random.key({code(seed)})"
        elif not is_place(generator):
            self.plan.problem(call, "T2J400", name="a generator that is made here")
        elif draw is Draw.NONE:
            self.plan.keys[call] = f"next({code(generator)})"
        else:
            self.generators[call] = code(generator)

    def outlined(
        self, loop: ParameterLoop, sites: list[_Site], by_frame: dict[Function | Step | None, list[_Site]]
    ) -> None:
        """The body of a loop over parameters becomes a function with a key: the loop as a whole is one draw."""
        free = FreshNames(names_in(loop.loop))
        key = next(wish for wish in self.wishes() if free.is_free(wish))
        self.plan.loop_key[loop.loop] = key
        if len(sites) == 1 or self.all_exclusive(sites):
            names = [key] * len(sites)
        else:
            fresh = FreshNames(names_in(loop.loop) | {key})
            names = self.plan.loop_keys[loop.loop] = [fresh(self.wish(site)) for site in sites]
        for site, name in zip(sites, names, strict=True):
            self.plan.keys[site.node] = name
        whole = self.site(loop.loop.iter, max(site.draw for site in sites), loop.function, loop.loop)
        if whole is not None:
            by_frame.setdefault(loop.function, []).append(whole)

    def wishes(self) -> Iterator[str]:
        """Names for a key, from the usual one to ever less likely ones."""
        key = self.facts.target.key
        yield from (key, f"rng_{key}")
        yield from (f"rng_{key}_{number}" for number in count(1))

    def taker_of(self, call: cst.Call) -> Function | None:
        """The function of the program that a call gives its key to; where it may be several, they call it by the same name."""
        reached = self.facts.values.callees.get(call) or self.facts.values.partials.get(call, ())
        return max(reached, key=lambda item: self.plan.of(item).key, default=None)

    def site(
        self, node: cst.CSTNode, draw: Draw, function: Function | None, statement: cst.BaseStatement | None = None
    ) -> _Site | None:
        limit: cst.CSTNode = function.node if function is not None else self.index.module
        if node in self.step_of:
            limit = self.step_of[node].block
        found: cst.CSTNode | None = None
        repeated = False
        source: cst.CSTNode | None = None
        child = node
        loops: list[cst.CSTNode] = []
        own = statement or self.index.statement_of(node)
        for ancestor in self.index.ancestors(statement or node):
            if ancestor is limit:
                break
            if ancestor in self.plan.keyed and child is not ancestor.params:  # type: ignore[attr-defined]
                if self.plan.keyed[ancestor] is not None or found is not None:
                    self.plan.problem(node, "T2J400", name=_callee(node), place="a lambda")
                self.plan.keyed[ancestor] = node
                self.plan.keys[node] = self.facts.target.key
                return None
            if isinstance(ancestor, cst.Lambda) and child is ancestor.params:
                child = ancestor  # a default, evaluated where the lambda stands
                continue
            if isinstance(ancestor, cst.Lambda) and not self.is_called_once(ancestor):
                if not self.is_called_here(ancestor, function):
                    self.plan.problem(node, "T2J400", name=_callee(node), place="a lambda")
                    return None
                repeated = True
            if isinstance(ancestor, cst.CompFor) and child is ancestor.iter:
                source = self.index.parents[ancestor]  # evaluated once, before all elements
            if isinstance(ancestor, _COMPREHENSIONS) and ancestor is not source:
                repeated = repeated or found is not None or not has_known_length(self.facts, ancestor)
                found = ancestor
            if isinstance(ancestor, cst.While) and child is ancestor.test:
                repeated = True
            if isinstance(ancestor, (cst.For, cst.While)) and child is ancestor.body:
                loops.append(ancestor)
            if isinstance(ancestor, (cst.ClassDef, cst.FunctionDef)):
                own, loops, repeated = ancestor, [], repeated or bool(loops)  # a class body, default or decorator
            if isinstance(ancestor, cst.If) and ancestor.orelse is own and isinstance(own, cst.If):
                own = ancestor  # the test of an `elif`
            child = ancestor
        return _Site(node, draw, own, tuple(loops), found, repeated)

    def is_called_here(self, node: cst.Lambda, function: Function | None) -> bool:
        """Whether a lambda is called only while the code around it runs, never as a part of something compiled."""
        parents = self.index.parents
        parent = parents[node]
        if isinstance(parent, cst.Arg) and isinstance(parents[parent], cst.Call):
            call = parents[parent]
            assert isinstance(call, cst.Call)
            return self.is_eager(call) or self.facts.values.torch_name(call.func) in _HOST_TRANSFORMS
        if isinstance(parent, cst.Call) and parent.func is node:
            return True
        if not isinstance(parent, cst.Assign) or len(parent.targets) != 1 or function is None:
            return False
        target = parent.targets[0].target
        if not isinstance(target, cst.Name):
            return False
        for name in self.index.names:
            if name.value != target.value or name is target or name in self.step_of:
                if name in self.step_of and name.value == target.value:
                    return False
                continue
            if self.facts.program.function_running(name) is not function:
                if any(item is function.node for item in self.index.ancestors(name)):
                    return False
                continue
            user = parents[name]
            if isinstance(user, cst.Arg):
                call = parents[user]
                if not isinstance(call, cst.Call) or dotted(call.func) not in EAGER_CALLERS:
                    return False
            elif not (isinstance(user, cst.Call) and user.func is name):
                return False
        return True

    def is_called_once(self, node: cst.Lambda) -> bool:
        """Whether a lambda is called once, where it stands: it is differentiated there, or makes a default value."""
        if is_differentiated_lambda(self.index.parents[self.index.parents[node]]):
            return True
        return is_default_factory(self.facts.values, node)

    def plan_frame(self, owner: Function | Step | None, sites: list[_Site], seeds: list[cst.Call]) -> None:
        key = self.frame_key(owner)
        body: cst.CSTNode
        if isinstance(owner, Function):
            body = owner.node
        else:
            body = self.index.module if owner is None else owner.block
        frame = _Frame(owner, body, key, sites, bool(seeds))
        for call in seeds:
            self.plan.seeds[call] = key
        draws = [site.node for site in sites if isinstance(site.node, cst.Call)]
        covered = bool(seeds) and self.facts.effects.are_seeded(
            owner if isinstance(owner, Function) else None, seeds, draws
        )
        for call in seeds:
            callees = self.facts.values.callees.get(call, ())
            if any(self.facts.effects.of(function).draw is not Draw.NONE for function in callees):
                self.plan.keys[call] = key
                self.plan.key_takers[call] = self.taker_of(call)
            if not self.facts.target.immutable and any(self.plan.of(function).has_result for function in callees):
                self.plan.problem(call, "T2J401", place=f"`{_callee(call)}`")
        holding = [site for site in sites if _holds_key(site, self.facts)]
        if holding:
            frame.seeded = True
            frame.sites = sites = [site for site in sites if site not in holding]
            for site in holding:
                self.plan.keys[site.node] = key
                if not self.facts.target.splits_keys or isinstance(owner, Step):
                    self.plan.problem(site.node, "T2J401", place=f"`{_callee(site.node)}`")
        kept = self.kept_keys(owner)
        if kept is not None:
            for site in sites:
                self.plan.keys[site.node] = kept
            return
        if isinstance(owner, Function) and self.facts.effects.uses_kept_key(owner):
            for site in sites:  # each draw asks the module for a key of its own
                self.plan.keys[site.node] = key
            return
        repeated = self.facts.target.splits_keys and any(site.repeated for site in [*sites, *holding])
        lines = {self.index.statement_of(call) for call in seeds}
        for site in sites:
            if site.statement in lines and isinstance(site.statement, cst.SimpleStatementLine):
                self.plan.problem(site.node, "T2J401", place="the statement that draws")
        if repeated:
            self.allocate_sequence(frame, [*sites, *holding], seeds, covered)
            return
        if owner is None and not covered and (sites or seeds or holding):
            self.new_key([*sites, *holding], seeds)
            frame.seeded = True
        if not sites:
            return
        if not self.facts.target.splits_keys:
            for site in sites:
                self.plan.keys[site.node] = key
            return
        self.allocate(frame)

    def makes_keys(self, owner: Function | Step | None) -> bool:
        return (
            isinstance(owner, Function)
            and owner.name == "__init__"
            and owner.owner is not None
            and self.facts.effects.keeps_sequence(owner.owner)
        )

    def kept_keys(self, owner: Function | Step | None) -> str | None:
        """What a method draws from that takes no key: its object keeps a sequence of keys, made in `__init__`."""
        effects, target = self.facts.effects, self.facts.target
        if not isinstance(owner, Function) or owner.owner is None:
            return None
        makes = self.makes_keys(owner)
        if not makes and not effects.draws_kept(owner):
            return None
        if not isinstance(owner.node.body, cst.IndentedBlock):
            return None
        of_library = owner.owner.is_module or target.keep_key is not None  # else only modules find a key by themselves
        kept = (target.kept_key if of_library else None) or "{self}.keys"
        name = kept.replace("{self}", str(owner.self_name))
        if makes:
            self.plan.kept.append((owner, target.keep_key or "{self}.keys = KeySequence({key})"))
        return f"next({name})" if target.splits_keys else name

    def frame_key(self, owner: Function | Step | None) -> str:
        if isinstance(owner, Function):
            target = self.facts.target
            kept = target.initial_key if owner.name == "__init__" else target.kept_key
            if kept is not None and self.facts.effects.uses_kept_key(owner):
                return kept.replace("{self}", str(owner.self_name))
            return self.plan.of(owner).key_name
        return self.plan.module_key if owner is None else self.plan.step_names[owner][self.facts.target.key]

    def new_key(self, sites: list[_Site], seeds: list[cst.Call]) -> None:
        """Code at module level that draws before it sets a seed starts from a key of its own."""
        statement = self.first_statement(sites, seeds)
        if statement is not None:
            self.plan.new_keys.append(statement)

    def first_statement(self, sites: list[_Site], seeds: list[cst.Call]) -> cst.BaseStatement | None:
        """The statement before which code at module level needs its first key."""
        uncertain = [self.index.statement_of(call) for call in seeds if call in self.plan.keys]
        places: list[cst.CSTNode] = sorted([*(site.statement for site in sites), *uncertain], key=self.position)
        if not places:
            return None
        statement = places[0]
        together = {self.index.top_level(place) for place in places}
        if len(together) > 1 or seeds:
            statement = self.index.top_level(statement)
        while not all(self.index.parents[statement] in self.index.ancestors(place) for place in places):
            statement = self.index.statement_of(self.index.parents[statement])
        for ancestor in self.index.ancestors(statement):
            if isinstance(ancestor, (cst.For, cst.While)):
                statement = ancestor
        assert isinstance(statement, cst.BaseStatement)
        return statement

    def allocate_sequence(self, frame: _Frame, sites: list[_Site], seeds: list[cst.Call], covered: bool) -> None:
        """All draws of a frame take the next key of one sequence."""
        name = frame.fresh("keys")
        for site in sites:
            self.plan.keys[site.node] = f"{name}.key" if _holds_key(site, self.facts) else f"next({name})"
        sequence = KeySequence(name, seeds=list(seeds))
        if frame.owner is not None and not covered:
            sequence.source = frame.key
        elif not covered:
            sequence.new = self.first_statement(sites, seeds)
        for call in seeds:
            if call in self.plan.keys:
                self.plan.keys[call] = f"next({name})"
        if isinstance(frame.owner, Function) and not isinstance(frame.owner.node.body, cst.IndentedBlock):
            self.plan.problem(frame.sites[0].node, "T2J400", name=_callee(frame.sites[0].node), place="one line")
            return
        self.plan.sequences[frame.owner] = sequence

    def allocate(self, frame: _Frame) -> None:
        sites = frame.sites
        comprehensions = {site.comprehension for site in sites if site.comprehension is not None}
        units = [site for site in sites if site.comprehension is None]
        for comprehension in sorted(comprehensions, key=lambda node: self.position(node)):
            inside = [site for site in sites if site.comprehension is comprehension]
            units.append(self.comprehension_unit(frame, comprehension, inside))
        units = self.gather_loops(frame, units)
        if len(units) > 1:
            units.sort(key=lambda site: self.position(site.node))
        optional = max(site.draw for site in sites) is Draw.OPTIONAL and not frame.seeded
        straight = not frame.seeded and not any(site.loops for site in units)
        if straight and (len(units) == 1 or self.all_exclusive(units)):
            for site in units:
                self.give(site, frame.key)
        elif straight and len(units) <= _NAMED_AT_TOP:
            names = [frame.fresh(self.wish(site)) for site in units]
            for site, name in zip(units, names, strict=True):
                self.give(site, name)
            self.plan.splits.append((frame.owner, KeySplit(None, frame.key, names, optional, False)))
        else:
            self.allocate_in_turn(frame, units, optional)

    def gather_loops(self, frame: _Frame, units: list[_Site]) -> list[_Site]:
        """A loop over modules with one draw in its body takes its keys from one split: `for block, subkey in zip(...)`."""
        result: list[_Site] = []
        for site in units:
            loop = site.loops[0] if len(site.loops) == 1 else None
            alone = [other for other in units if loop is not None and loop in other.loops] == [site]
            if not isinstance(loop, cst.For) or not alone or not self.runs_over_modules(loop):
                result.append(site)
                continue
            name = frame.fresh("subkey")
            self.plan.keys[site.node] = name
            self.plan.loops[loop] = ("", name, site.draw is Draw.OPTIONAL)
            result.append(_Site(loop, site.draw, loop, ()))
        return result

    def runs_over_modules(self, loop: cst.For) -> bool:
        value = self.facts.values(loop.iter)
        return value.kind is Kind.MODULE and isinstance(loop.iter, (cst.Name, cst.Attribute))

    def comprehension_unit(self, frame: _Frame, comprehension: cst.CSTNode, inside: list[_Site]) -> _Site:
        """One site for a comprehension as a whole; its elements get keys from the keys of that site."""
        names = ["subkey"] if len(inside) == 1 else [self.wish(site) for site in inside]
        names = [frame.fresh(name) for name in names]
        for site, name in zip(inside, names, strict=True):
            self.plan.keys[site.node] = name
        element = names[0] if len(names) == 1 else f"({', '.join(names)})"
        self.plan.comprehension_keys[comprehension] = ("", element, len(names))
        draw = max(site.draw for site in inside)
        return _Site(comprehension, draw, inside[0].statement, inside[0].loops)

    def give(self, site: _Site, key: str) -> None:
        if isinstance(site.node, cst.For):
            _, name, optional = self.plan.loops[site.node]
            self.plan.loops[site.node] = (key, name, optional)
        elif site.node in self.plan.comprehension_keys:
            _, element, count = self.plan.comprehension_keys[site.node]
            self.plan.comprehension_keys[site.node] = (key, element, count)
            self.plan.keys[site.node] = "optional" if site.draw is Draw.OPTIONAL else "required"
        else:
            self.plan.keys[site.node] = key

    def allocate_in_turn(self, frame: _Frame, units: list[_Site], optional: bool) -> None:
        by_statement: dict[cst.BaseStatement, list[_Site]] = {}
        for site in units:
            by_statement.setdefault(site.statement, []).append(site)
        single = frame.fresh("subkey")
        for statement, inside in by_statement.items():
            names = [single] if len(inside) == 1 else [frame.fresh(self.wish(site)) for site in inside]
            for site, name in zip(inside, names, strict=True):
                self.give(site, name)
            self.plan.splits.append((frame.owner, KeySplit(statement, frame.key, names, optional, True)))

    def position(self, node: cst.CSTNode) -> int:
        return self.index.order[node]

    def all_exclusive(self, units: list[_Site]) -> bool:
        """Whether no path runs two of the sites: they stand in different branches of one `if`."""
        return all(
            self.index.are_exclusive(a.node, b.node) for number, a in enumerate(units) for b in units[number + 1 :]
        )

    def wish(self, site: _Site) -> str:
        """The name a person would give to the key of a site."""
        if isinstance(site.statement, cst.For) and site.node is site.statement.iter:
            return "init_key"  # of all parameters, or layers, that a loop runs through
        stem = self.assigned_name(site)
        if stem is None and isinstance(site.node, cst.Call):
            stem = (dotted(site.node.func) or "draw").split(".")[-1]
        return f"{(stem or 'sub').lower().strip('_')}_key"

    def assigned_name(self, site: _Site) -> str | None:
        call = site.node
        if isinstance(call, cst.For):
            return (dotted(call.iter) or "").split(".")[-1] or None
        if isinstance(call, cst.Call):
            text = dotted(call.func)
            makes_part = self.facts.values(call).kind is Kind.MODULE  # `self.layer1 = self._make_layer(64)`
            if text is not None and text.startswith("self.") and not text.startswith("self.forward") and not makes_part:
                return text.split(".")[-1]
        if not isinstance(site.statement, cst.SimpleStatementLine) or not site.statement.body:
            return None
        small = site.statement.body[0]
        if isinstance(small, cst.Assign) and len(small.targets) == 1:
            text = dotted(small.targets[0].target)
            return text.split(".")[-1] if text else None
        return None


def is_place(node: cst.BaseExpression) -> bool:
    """Whether an expression names something and does nothing: `g`, `self.g`, `gs[i]`."""
    if isinstance(node, cst.Subscript):
        return is_place(node.value) and len(node.slice) == 1 and isinstance(node.slice[0].slice, cst.Index) and (
            isinstance(node.slice[0].slice.value, (cst.Name, cst.Integer))
        )  # fmt: skip
    return dotted(node) is not None


def has_known_length(facts: Facts, node: cst.CSTNode) -> bool:
    """Whether a comprehension can be given as many keys as it has elements."""
    first = node.for_in  # type: ignore[attr-defined]
    return first.inner_for_in is None and comprehension_length(facts, first.iter) is not None


def comprehension_length(facts: Facts, node: cst.BaseExpression) -> cst.BaseExpression | None:
    """The number of elements of what a comprehension runs over, as an expression of the program."""
    if isinstance(node, cst.Call) and dotted(node.func) == "range":
        if len(node.args) == 1:
            return node.args[0].value
        return quote("len({x})", x=node)
    if isinstance(node, (cst.Name, cst.Attribute)) and facts.values(node).kind in _SIZED:
        return quote("len({x})", x=node) if not _may_be_iterator(facts, node) else None
    if isinstance(node, (cst.List, cst.Tuple)) and not any(
        isinstance(item, cst.StarredElement) for item in node.elements
    ):
        return cst.Integer(str(len(node.elements)))
    return None


def _may_be_iterator(facts: Facts, node: cst.BaseExpression) -> bool:
    """Whether a name may hold what `zip` or the like gives, which has no length."""
    program = facts.program
    if isinstance(node, cst.Attribute):
        return any(
            isinstance(target, cst.Attribute) and target.attr.value == node.attr.value and _is_iterator(value)
            for line in program.index.every(cst.Assign)
            for item in line.targets
            for target, value in assigned_pairs(item.target, line.value)
        )
    for definition in program.definitions.of(node) if isinstance(node, cst.Name) else ():
        if definition.value is not None and _is_iterator(definition.value):
            return True
        owner = program.functions.get(definition.variable.owner)  # type: ignore[arg-type]
        if definition.how is not How.PARAMETER or owner is None:
            continue
        for call in facts.values.calls_of(owner):
            given = dict(arguments_by_parameter(owner, call, facts.values)).get(definition.variable.name)
            if given is not None and _is_iterator(given):
                return True
    return False


def _is_iterator(node: cst.CSTNode) -> bool:
    match node:
        case cst.Call(func=cst.Name("zip" | "map" | "filter" | "enumerate" | "reversed" | "iter")):
            return True
    return isinstance(node, cst.GeneratorExp)


def _hands_keywords_on(decorator: Function, is_made: bool) -> bool:
    """Whether the functions that a decorator puts in the place of others take all keywords; where a call makes the decorator, it
    may give back what it is given, and only note it: `MODELS[name] = f`.
    """
    return all(
        node.params.star_kwarg is not None or (is_made and gives_back_its_own(node)) for node in wrappers_of(decorator)
    )


def _holds_key(site: _Site, facts: Facts) -> bool:
    """Whether a site keeps the key as it is for later, instead of drawing from it."""
    call = site.node
    return isinstance(call, cst.Call) and (facts.values.torch_name(call.func) or "") in {*STATE_GETTERS, *FORKS}


def _callee(node: cst.CSTNode) -> str:
    return code(node.func) if isinstance(node, cst.Call) else code(node)


__all__ = ["comprehension_length", "plan_keys"]
