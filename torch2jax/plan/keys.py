"""Give every random draw a key of its own.

A function that draws once passes its `key` on; several draws that follow one another split it at the top; draws in loops, and
in code that sets the seed itself, split it before each statement:

    key, subkey = jax.random.split(key)
    x = jax.random.normal(subkey, (3,))
"""

from __future__ import annotations

from dataclasses import dataclass

import libcst as cst

from torch2jax.analysis.effects import Draw
from torch2jax.analysis.infer import is_differentiated_lambda
from torch2jax.analysis.program import Function, dotted
from torch2jax.analysis.training import Step
from torch2jax.plan.model import Facts, KeySplit, Plan
from torch2jax.plan.threading import own_nodes
from torch2jax.syntax.fresh import FreshNames
from torch2jax.syntax.quote import names_in
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_NAMED_AT_TOP = 6
_COMPREHENSIONS = (cst.ListComp, cst.SetComp, cst.GeneratorExp, cst.DictComp)


@dataclass(slots=True)
class _Site:
    """One place that needs a key. `comprehension`: the one whose every element draws."""

    node: cst.CSTNode
    draw: Draw
    statement: cst.BaseStatement
    loops: tuple[cst.CSTNode, ...]
    comprehension: cst.CSTNode | None = None


@dataclass(slots=True)
class _Frame:
    """Code that has one key: a function, a step, or the module level (`owner` None)."""

    owner: Function | Step | None
    body: cst.CSTNode
    key: str
    sites: list[_Site]
    seeded: bool
    fresh: FreshNames


def plan_keys(facts: Facts, plan: Plan) -> None:
    """Decide the keys of all frames of a file."""
    _Keys(facts, plan).run()


class _Keys:
    def __init__(self, facts: Facts, plan: Plan) -> None:
        self.facts = facts
        self.plan = plan
        self.index = facts.program.index
        self.step_of: dict[cst.CSTNode, Step] = {}
        for step in facts.steps:
            if step.problem is None:
                for statement in step.forward:
                    for node in descendants(statement):
                        self.step_of[node] = step
                for node in descendants(step.loss):
                    self.step_of[node] = step

    def run(self) -> None:
        by_frame: dict[Function | Step | None, list[_Site]] = {}
        seeds: dict[Function | None, list[cst.Call]] = {}
        for call in self.index.calls:
            function = self.facts.program.function_around(call)
            if self.facts.effects.seeds(call):
                seeds.setdefault(function, []).append(call)
                continue
            draw = self.facts.effects.draw_of(call)
            if draw is Draw.NONE:
                continue
            self.plan.key_names[call] = self.keyword_of(call)
            owner: Function | Step | None = self.step_of.get(call, function)
            if isinstance(owner, Step):
                draw = Draw.REQUIRED
            site = self.site(call, draw, function)
            if site is not None:
                by_frame.setdefault(owner, []).append(site)
        for step in self.facts.steps:
            inner = by_frame.get(step)
            if inner:
                draw = max(site.draw for site in inner)
                outer = self.site(step.backward, draw, step.function, step.backward_statement)
                if outer is not None:
                    by_frame.setdefault(step.function, []).append(outer)
        for owner in [*self.facts.program.functions.values(), None, *self.facts.steps]:
            if owner in by_frame or owner in seeds:
                self.plan_frame(owner, by_frame.get(owner, []), seeds.get(owner, []))  # type: ignore[arg-type]

    def keyword_of(self, call: cst.Call) -> str:
        reached = self.facts.values.callees.get(call, ())
        if len(reached) >= 1:
            return self.plan.of(reached[0]).key_name
        return self.facts.target.key

    def site(
        self, node: cst.CSTNode, draw: Draw, function: Function | None, statement: cst.BaseStatement | None = None
    ) -> _Site | None:
        limit: cst.CSTNode = function.node if function is not None else self.index.module
        if node in self.step_of:
            limit = self.step_of[node].block
        found: cst.CSTNode | None = None
        child = node
        loops: list[cst.CSTNode] = []
        own = statement or self.index.statement_of(node)
        for ancestor in self.index.ancestors(statement or node):
            if ancestor is limit:
                break
            if isinstance(ancestor, cst.Lambda) and not self.is_called_once(ancestor):
                self.plan.problem(node, "T2J400", name="a lambda")
                return None
            if isinstance(ancestor, cst.ClassDef):
                self.plan.problem(node, "T2J400", name="a class body")
                return None
            if isinstance(ancestor, _COMPREHENSIONS):
                if found is not None:
                    self.plan.problem(node, "T2J400", name="a nested comprehension")
                    return None
                found = ancestor
            if isinstance(ancestor, cst.While) and child is ancestor.test:
                self.plan.problem(node, "T2J400", name="the test of a while loop")
                return None
            if isinstance(ancestor, (cst.For, cst.While)) and child is ancestor.body:
                loops.append(ancestor)
            if isinstance(ancestor, (cst.Param, cst.Parameters)):
                self.plan.problem(node, "T2J400", name="a default argument")
                return None
            child = ancestor
        if isinstance(own, cst.If) and isinstance(self.index.parents.get(own), cst.If):
            self.plan.problem(node, "T2J400", name="the test of an elif")
            return None
        return _Site(node, draw, own, tuple(loops), found)

    def is_called_once(self, node: cst.Lambda) -> bool:
        """Whether a lambda is differentiated where it stands, and so is called there, once."""
        return is_differentiated_lambda(self.index.parents[self.index.parents[node]])

    def plan_frame(self, owner: Function | Step | None, sites: list[_Site], seeds: list[cst.Call]) -> None:
        key = self.frame_key(owner)
        body: cst.CSTNode
        if isinstance(owner, Function):
            body = owner.node
        else:
            body = self.index.module if owner is None else owner.block
        taken = names_in(body) | {key}
        frame = _Frame(owner, body, key, sites, bool(seeds), FreshNames(taken))
        for call in seeds:
            self.plan.seeds[call] = key
        if not sites:
            return
        if owner is None and not seeds:
            self.new_key(sites[0])
            frame.seeded = True
        self.check_seed_order(sites, seeds)
        if not self.facts.target.splits_keys:
            for site in sites:
                self.plan.keys[site.node] = key
            return
        self.allocate(frame)

    def frame_key(self, owner: Function | Step | None) -> str:
        if isinstance(owner, Function):
            kept = self.facts.target.kept_key
            if kept is not None and self.facts.effects.uses_kept_key(owner):
                return kept.replace("{self}", str(owner.self_name))
            return self.plan.of(owner).key_name
        return self.facts.target.key  # a step has a parameter of that name

    def new_key(self, site: _Site) -> None:
        """Code at module level that never sets a seed starts from a key of its own."""
        statement: cst.CSTNode = site.statement
        for ancestor in self.index.ancestors(site.statement):
            if isinstance(ancestor, (cst.For, cst.While)):
                statement = ancestor
        assert isinstance(statement, cst.BaseStatement)
        self.plan.new_keys.append(statement)

    def check_seed_order(self, sites: list[_Site], seeds: list[cst.Call]) -> None:
        if not seeds:
            return
        order = {node: position for position, node in enumerate(self.index.calls)}
        first = min(order[call] for call in seeds)
        for site in sites:
            if isinstance(site.node, cst.Call) and site.node in order and order[site.node] < first:
                self.plan.problem(site.node, "T2J401")

    def allocate(self, frame: _Frame) -> None:
        sites = frame.sites
        comprehensions = {site.comprehension for site in sites if site.comprehension is not None}
        units = [site for site in sites if site.comprehension is None]
        for comprehension in sorted(comprehensions, key=lambda node: self.position(node)):
            inside = [site for site in sites if site.comprehension is comprehension]
            units.append(self.comprehension_unit(frame, comprehension, inside))
        units = self.gather_loops(frame, units)
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
        if draw is Draw.OPTIONAL and len(names) > 1:
            self.plan.problem(inside[0].node, "T2J400", name="a comprehension with several draws")
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
        if not hasattr(self, "_order"):
            self._order = {item: number for number, item in enumerate(self.index.nodes)}
        return self._order[node]

    def all_exclusive(self, units: list[_Site]) -> bool:
        """Whether no path runs two of the sites: they stand in different branches of one `if`."""
        return all(
            self.exclusive(a.statement, b.statement) for number, a in enumerate(units) for b in units[number + 1 :]
        )

    def exclusive(self, a: cst.CSTNode, b: cst.CSTNode) -> bool:
        branches = {}
        child = a
        for ancestor in self.index.ancestors(a):
            if isinstance(ancestor, cst.If):
                branches[ancestor] = child
            child = ancestor
        child = b
        for ancestor in self.index.ancestors(b):
            if isinstance(ancestor, cst.If) and ancestor in branches:
                return branches[ancestor] is not child
            child = ancestor
        return False

    def wish(self, site: _Site) -> str:
        """The name a person would give to the key of a site."""
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
            if text is not None and text.startswith("self.") and not text.startswith("self.forward"):
                return text.split(".")[-1]
        if not isinstance(site.statement, cst.SimpleStatementLine) or not site.statement.body:
            return None
        small = site.statement.body[0]
        if isinstance(small, cst.Assign) and len(small.targets) == 1:
            text = dotted(small.targets[0].target)
            return text.split(".")[-1] if text else None
        return None


__all__ = ["own_nodes", "plan_keys"]
