"""Control flow that the values of tensors decide, in compiled code, normalized with functions.

if loss > limit:          ->   loss = jax.lax.cond(loss > limit, lambda: limit + (loss - limit).sqrt(), lambda: loss)
    loss = limit + (loss - limit).sqrt()

A region that is compiled is normalized if all that speaks against compiling it can be; else it stays as it is, and runs
uncompiled. What branches and loops carry must keep its shape and dtype, and they may do nothing but compute.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import field
from functools import partial

import libcst as cst

from torch2jax.facts.compiled import Obstacle, Region, find_regions, obstacle_at, obstacles, print_around, tests_tensor
from torch2jax.facts.effects import Draw, Effects
from torch2jax.facts.infer import STRUCTURED
from torch2jax.facts.mutations import changes_values, filled_arguments
from torch2jax.facts.object_changes import object_changes
from torch2jax.facts.shapes import Alike, Form, Forms, merged, reads_in
from torch2jax.facts.training import Flows
from torch2jax.normalize.rounds import CannotNormalize, NormalizationRound
from torch2jax.ops.python import LOGS, WRITES, changes_container
from torch2jax.program.program import dotted
from torch2jax.program.statements import block, reads_and_writes
from torch2jax.records import dataclass
from torch2jax.syntax.codegen import code
from torch2jax.syntax.quote import fit, quote, quote_statement, quote_statements
from torch2jax.syntax.walk import descendants, lines_of
from torch2jax.values import Kind

_READS = frozenset({"item", "float"})


def normalize_control(work: NormalizationRound) -> None:
    """Normalize the innermost constructs of each region that can be normalized to a whole."""
    spread_operands(work)
    if not any(_may_be_normalized(node, work) for node in work.index.every(*_RESTATED)):
        return
    assert work.effects is not None and work.flows is not None
    control = Control(work, work.effects, work.flows, Alike(work.program, work.values, work.effects.tables))
    chosen: dict[cst.CSTNode, Region] = {}
    for region in find_regions(work.program, work.values, work.effects, work.flows):
        found = list(obstacles(region.nodes, work.values))
        if found and all(control.can(item, region) for item in found):
            chosen.update({item.node: region for item in found})
    for node in reversed(
        [item for item in work.index.nodes if item in chosen]
    ):  # what stands behind belongs to a branch
        inner = any(item in chosen for item in descendants(node) if item is not node)
        if not inner and not control.is_taken(node):
            try:
                control.normalize(node, chosen[node])
            except CannotNormalize:
                continue  # not before what lies in its branches


_RESTATED: tuple[type[cst.CSTNode], ...] = (cst.If, cst.While, cst.IfExp, cst.Assert, cst.Call)


def _may_be_normalized(node: cst.CSTNode, work: NormalizationRound) -> bool:
    """Whether a node is, at first sight, a construct that is normalized where it is compiled."""
    if isinstance(node, cst.Call):
        parent = work.index.parents[node]
        if isinstance(parent, cst.Expr):
            function = work.program.function_around(node)
            is_print = isinstance(node.func, cst.Name) and node.func.value == "print"
            if not is_print or function is None:
                return False
            return function.owner.is_module if function.owner is not None else bool(function.callers)
        wanted = (cst.BinaryOperation, cst.UnaryOperation, cst.Comparison, cst.ComparisonTarget, cst.Assign)
        tensor = _read_tensor(node) if isinstance(parent, wanted) else None
        return tensor is not None and work.values(tensor).kind is Kind.TENSOR
    return obstacle_at(node, work.values)


def spread_operands(work: NormalizationRound) -> None:
    """`torch.cond(p, f, g, (x, y))` is `jax.lax.cond(p, f, g, x, y)`."""
    for call in work.index.calls:
        name = work.values.torch_name(call.func)
        if name is None or name not in STRUCTURED or name.rpartition(".")[2] != "cond" or len(call.args) not in (3, 4):
            continue
        *first, last = call.args
        if not first[2:]:
            first, operands = [*first, last], cst.Tuple(())
        elif isinstance(last.value, (cst.Tuple, cst.List)) and (
            last.keyword is None or last.keyword.value == "operands"
        ):
            operands = cst.Tuple(last.value.elements)
        else:
            continue
        if any(item.keyword is not None or item.star for item in first):
            continue
        values = [item.value for item in first] + [item.value for item in operands.elements]
        if any(inner is not call and inner in work.edits.nodes for inner in descendants(call)):
            continue
        made = quote("jax.lax.cond({*values})", values=values)
        work.copies[made] = call
        work.edits.replace(call, lambda rewrite, made=made: made)  # type: ignore[misc]


@dataclass(slots=True)
class Branch:
    """One of the ways: its statements, what they bind (in order), what they need from before."""

    statements: list[cst.BaseStatement]
    result: cst.BaseExpression | None = None
    above_result: Sequence[cst.EmptyLine] = ()
    writes: list[str] = field(default_factory=list)
    needs: set[str] = field(default_factory=set)


@dataclass(slots=True)
class Control:
    """The work on one file in one round."""

    work: NormalizationRound
    effects: Effects
    flows: Flows
    alike: Alike
    taken: set[cst.CSTNode] = field(default_factory=set)
    carried: set[str] = field(default_factory=set)  # numbers of Python that the loop at hand makes arrays

    # what can be normalized

    def can(self, obstacle: Obstacle, region: Region) -> bool:
        """Whether an obstacle can be normalized, given that those inside of it are."""
        if obstacle.node not in self.work.index.parents:
            return False  # of another file
        try:
            self._plan(obstacle.node, region)
        except CannotNormalize:
            return False
        return True

    def is_taken(self, node: cst.CSTNode) -> bool:
        """Whether something around a node is normalized in this round already."""
        return any(item in self.taken for item in (node, *self.work.index.ancestors(node)))

    def normalize(self, node: cst.CSTNode, region: Region) -> None:
        """Normalize a construct that can be. Raises CannotNormalize."""
        self._ways(node, region)[1]()

    def _plan(self, node: cst.CSTNode, region: Region) -> None:
        """Raises CannotNormalize where a construct cannot be normalized."""
        self._ways(node, region)[0]()

    def _ways(self, node: cst.CSTNode, region: Region) -> tuple[Callable[[], object], Callable[[], None]]:
        """How to find out whether a construct can be normalized, and how to do it."""
        match node:
            case cst.Assert():
                return partial(self._check, node), partial(self._normalize_check, node)
            case cst.If() if _raised(node) is not None:
                return partial(self._check, node), partial(self._normalize_check, node)
            case cst.Call(func=cst.Name("print")):
                return partial(self._printed, node), partial(self._normalize_print, node)
            case cst.Call() if (
                _read_tensor(node) is not None and (printed := print_around(self.work.index, node)) is not None
            ):
                return partial(self._printed, printed), partial(self._normalize_print, printed)
            case cst.If() if _breaks(node):
                return partial(self._broken_loop, node, region), partial(self._normalize_break, node, region)
            case cst.While():
                return partial(self._loop, node, region), partial(self._normalize_while, node, region)
            case cst.If() if self._gives_back(node):
                return partial(self._check_ways, node), partial(self._normalize_return, node)
            case cst.If():
                return partial(self._outcome, node), partial(self._normalize_if, node)
            case cst.IfExp():
                return partial(self._arms, node), partial(self._normalize_ternary, node)
            case cst.Call() if _read_tensor(node) is not None:
                around = self.work.index.parents.get(self.work.index.parents[node])
                is_inner = isinstance(around, cst.Call) and _read_tensor(around) is _read_tensor(node)
                whole = around if isinstance(around, cst.Call) and is_inner else node
                return partial(self._check_read, whole), partial(self._normalize_read, whole)
        raise CannotNormalize("no normalization")

    # conditions

    def predicate(self, test: cst.BaseExpression) -> cst.BaseExpression:
        """A test as an array of one truth value."""
        values = self.work.values
        match test:
            case cst.UnaryOperation(operator=cst.Not()):
                inner = self.predicate(test.expression)
                return quote("~{x}", x=_boolean(inner))
            case cst.BooleanOperation():
                return self._both(test)
            case cst.Comparison(comparisons=[_]):
                if not self._is_one(test):
                    raise CannotNormalize("it is not known that the test is a single number")
                return test
            case cst.Comparison(left=left, comparisons=[first, *others]) if len(others) == 1:
                middle = first.comparator
                one = cst.Comparison(left, [first])
                other = cst.Comparison(self.work.copy(middle), others)
                return quote("({a}) & ({b})", a=one, b=other)
        value = values(test)
        if value.kind is not Kind.TENSOR or not self._is_one(test):
            raise CannotNormalize("it is not known that the test is a single number")
        if value.dtype == "bool" or (isinstance(test, cst.Call) and _method(test) in ("any", "all")):
            return test
        return quote("{x} != 0", x=test)

    def _both(self, test: cst.BooleanOperation) -> cst.BaseExpression:
        values = self.work.values
        left, right = (
            tests_tensor(side, values) or bool(reads_in(side) & self.carried) for side in (test.left, test.right)
        )
        if left and right:
            sign = "&" if isinstance(test.operator, cst.And) else "|"
            one, other = self.predicate(test.left), self.predicate(test.right)
            return quote(f"{{a}} {sign} {{b}}", a=_boolean(one), b=_boolean(other))
        if right and isinstance(test.operator, cst.And):
            return test.with_changes(right=fit(self.predicate(test.right), test, "right"))
        raise CannotNormalize("a test joins tensors with other things")

    def _is_one(self, node: cst.BaseExpression) -> bool:
        form = self.alike.form(node, {})
        return form.shape == "()" or self.work.values(node).rank == 0

    # branches

    def _gives_back(self, node: cst.If) -> bool:
        """Whether a branch ends with `return`."""
        suites: list[cst.CSTNode] = [node.body]
        if isinstance(node.orelse, cst.Else):
            suites.append(node.orelse.body)
        return any(
            isinstance(item, cst.Return) for suite in suites for line in lines_of(suite) for item in descendants(line)
        )

    def _orelse(self, node: cst.If) -> list[cst.BaseStatement]:
        if isinstance(node.orelse, cst.Else):
            return lines_of(node.orelse.body)
        return [node.orelse] if node.orelse is not None else []

    def branch(self, statements: Sequence[cst.BaseStatement], ends: bool = False) -> Branch:
        """A branch whose statements only bind names. `ends`: its last statement is `return`."""
        found = Branch(list(statements))
        if ends:
            last = statements[-1] if statements else None
            if not isinstance(last, cst.SimpleStatementLine) or not isinstance(last.body[-1], cst.Return):
                raise CannotNormalize("one way returns, another does not")
            found.result = last.body[-1].value or cst.Name("None")
            found.above_result = last.leading_lines
            found.statements = list(statements[:-1])
        bound: set[str] = set()
        for statement in found.statements:
            self._follow(statement, found, bound)
        if found.result is not None:
            self.check_effects(found.result)
            found.needs |= reads_in(found.result) - bound
        return found

    def _follow(self, statement: cst.BaseStatement, found: Branch, bound: set[str]) -> None:
        if isinstance(statement, cst.If):
            found.needs |= reads_in(statement.test) - bound
            self.check_effects(statement.test)
            sides = []
            for side in (lines_of(statement.body), self._orelse(statement)):
                inner = set(bound)
                for line in side:
                    self._follow(line, found, inner)
                sides.append(inner)
            bound |= sides[0] & sides[1]
            return
        if isinstance(statement, cst.FunctionDef) and statement.name.value.startswith(("if_true", "if_false")):
            found.needs |= reads_in(statement) - bound
            bound.add(statement.name.value)
            return
        if not isinstance(statement, cst.SimpleStatementLine):
            raise CannotNormalize("a branch holds a compound statement")
        for small in statement.body:
            match small:
                case cst.Pass() | cst.Expr(value=cst.SimpleString()):
                    continue
                case cst.Assign(targets=targets, value=value):
                    names = [name for target in targets for name in _plain_names(target.target)]
                    reads = reads_in(value)
                case cst.AnnAssign(target=cst.Name(value=name), value=cst.BaseExpression() as value):
                    names, reads = [name], reads_in(value)
                case cst.AugAssign(target=cst.Name(value=name), value=value):
                    self._check_augmented(small)
                    names, reads = [name], reads_in(value) | {name}
                case _:
                    raise CannotNormalize("a branch does more than compute")
            self.check_effects(value)
            found.needs |= reads - bound
            bound.update(names)
            found.writes.extend(name for name in names if name not in found.writes)

    def _check_augmented(self, node: cst.AugAssign) -> None:
        """`x += 1` may become `x = x + 1` where nobody else holds x."""
        value = self.work.values(node.target)
        if value.is_number:
            return
        own = {root for root in value.roots if root.startswith("new:")}
        assert isinstance(node.target, cst.Name)
        function = self.work.index.function_of(node)
        others = (
            item
            for item in self.work.index.names
            if item.value != node.target.value and self.work.index.function_of(item) is function
        )
        if own != value.roots or any(self.work.values(item).roots & own for item in others):
            raise CannotNormalize("a branch changes a tensor in place")

    def check_effects(self, node: cst.CSTNode) -> None:
        """Branches may not draw, keep state, change objects or speak to the world outside."""
        for item in descendants(node):
            if isinstance(item, (cst.NamedExpr, cst.Await, cst.Yield)):
                raise CannotNormalize("a branch binds a name inside an expression")
            if not isinstance(item, cst.Call):
                continue
            method = _method(item)
            if method is not None and (
                changes_values(method) or any(filled_arguments(item)) or self._acts(item, method)
            ):
                raise CannotNormalize("a branch changes an object")
            if isinstance(item.func, cst.Name) and item.func.value in ("print", "open", "input", "setattr"):
                raise CannotNormalize("a branch acts on the world outside")
            if self.effects.draw_of(item) is not Draw.NONE:
                raise CannotNormalize("a branch draws random numbers")
            if self.effects.threads_state(item):
                raise CannotNormalize("a branch changes the state of a module")
            for function in self.work.values.callees.get(item, ()):
                if object_changes(self.work.values).of(function) or self.effects.of(function).state:
                    raise CannotNormalize("a branch changes an object")

    def _acts(self, call: cst.Call, method: str) -> bool:
        """Whether a method changes a container, a file or a log."""
        assert isinstance(call.func, cst.Attribute)
        return method in WRITES | LOGS or changes_container(method, self.work.values(call.func.value).kind)

    # forms

    def forms(self, branch: Branch, known: Forms = {}) -> dict[str, Form]:  # noqa: B006
        """The forms of the names that a branch binds, at its end."""
        forms = dict(known)
        for statement in branch.statements:
            self._run(statement, forms)
        return forms

    def _run(self, statement: cst.BaseStatement, forms: dict[str, Form]) -> None:
        if isinstance(statement, cst.If):
            sides = []
            for side in (lines_of(statement.body), self._orelse(statement)):
                inner = dict(forms)
                for line in side:
                    self._run(line, inner)
                sides.append(inner)
            for name in sides[0].keys() | sides[1].keys():
                one, other = (side.get(name) or self.before(name, statement) for side in sides)
                forms[name] = merged(one, other)
            return
        for small in statement.body if isinstance(statement, cst.SimpleStatementLine) else ():
            match small:
                case cst.Assign(targets=targets, value=value):
                    for target in targets:
                        self._bind(target.target, value, forms)
                case cst.AnnAssign(target=cst.Name(value=name), value=cst.BaseExpression() as value):
                    forms[name] = self.alike.form(value, forms)
                case cst.AugAssign(target=cst.Name(value=name), value=value):
                    forms[name] = self.alike.form(_plainly(small), forms)

    def _bind(self, target: cst.BaseExpression, value: cst.BaseExpression, forms: dict[str, Form]) -> None:
        if isinstance(target, cst.Name):
            forms[target.value] = self.alike.form(value, forms)
            return
        names = _plain_names(target)
        if (
            isinstance(value, cst.Call)
            and self.work.values(value.func).types == {"torch.nn.LSTMCell"}
            and len(value.args) == 2
        ):
            value = value.args[1].value  # a cell gives what it is given, one step later
        given = value.elements if isinstance(value, cst.Tuple) and len(value.elements) == len(names) else None
        found = [self.alike.form(item.value, forms) for item in given] if given else [Form()] * len(names)
        forms.update(zip(names, found, strict=True))

    def before(self, name: str, node: cst.CSTNode) -> Form:
        """The form of a variable before a statement, by what is known of it where it is read."""
        said = self._said_before(name, node)
        if said is not None and (found := self.alike.form(said, {})).agrees(found):
            return found
        nodes = [item for item in descendants(node) if isinstance(item, cst.Name) and item.value == name]
        for item in nodes:
            if self._is_read(item) and self.work.values(item).kind is not Kind.UNKNOWN:
                return self.alike.form(item, {})
        function = self.work.index.function_of(node)
        line = self._line_before(node)
        env = self.work.values.after.get(line) if line is not None else None
        value = env.get(name) if env is not None else None
        if value is None and function is not None:
            for param in self.work.program.functions[function].parameters:
                if param.name.value == name:
                    value = self.work.values(param.name)
        if value is None:
            return Form()
        if value.is_number:
            return Form("()", {Kind.FLOAT: "a float", Kind.INT: "an int", Kind.BOOL: "bool"}[value.kind])
        if value.kind is not Kind.TENSOR:
            return Form()
        return Form("()" if value.rank == 0 else ("shape of", name), value.dtype or ("dtype of", name))

    def _said_before(self, name: str, node: cst.CSTNode) -> cst.BaseExpression | None:
        """What the statement closest above binds a name to, if nothing between changes that."""
        body = self.beside(node)
        later: set[str] = set()
        for statement in reversed(body[: body.index(node)] if node in body else []):
            if isinstance(statement, cst.SimpleStatementLine) and len(statement.body) == 1:
                match statement.body[0]:
                    case cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=target))], value=value):
                        if target == name:
                            return None if reads_in(value) & later else value
            later |= reads_and_writes(statement)[1]
            if name in later:
                return None
        return None

    def beside(self, node: cst.CSTNode) -> list[cst.CSTNode]:
        """The statements of the block in which one stands; none for `elif`."""
        body = getattr(self.work.index.parents.get(node), "body", ())
        return list(body) if isinstance(body, (list, tuple)) else []

    def _line_before(self, node: cst.CSTNode) -> cst.CSTNode | None:
        body = self.beside(node)
        place = body.index(node) if node in body else 0
        before = [item for item in body[:place] if item in self.work.values.after]
        return before[-1] if before else None

    def _is_read(self, node: cst.Name) -> bool:
        index = self.work.index
        stored = isinstance(index.parents.get(node), (cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.Element))
        return not stored and not index.is_label(node)

    # `if` that binds names

    def _outcome(self, node: cst.If) -> tuple[Branch, Branch, list[str]]:
        """Both branches, and the names that they leave."""
        self.predicate(node.test)
        one, other = self.branch(lines_of(node.body)), self.branch(self._orelse(node))
        whole: cst.CSTNode = node
        while isinstance(self.work.index.parents.get(whole), cst.If) and whole is getattr(
            self.work.index.parents[whole], "orelse", None
        ):
            whole = self.work.index.parents[whole]
        live = self.flows.liveness(self.work.program.function_around(node)).after_statement(whole)  # type: ignore[arg-type]
        names = [name for name in dict.fromkeys((*one.writes, *other.writes)) if name in live]
        if not names:
            raise CannotNormalize("nothing is left of what a branch computes")
        known = {name: self.before(name, whole) for name in dict.fromkeys((*one.writes, *other.writes))}
        known = {name: form for name, form in known.items() if form.shape is not None}
        forms = self.forms(one, known), self.forms(other, known)
        for name in names:
            certain = name in self._surely(one) and name in self._surely(other)
            if not certain and not self.is_bound_before(name, whole):
                raise CannotNormalize(f"`{name}` may have no value before")
            first, second = (each.get(name) or self.before(name, whole) for each in forms)
            if not first.agrees(second):
                raise CannotNormalize(f"`{name}` may have another shape or dtype behind each branch")
            if "an int" in (first.dtype, second.dtype):
                raise CannotNormalize(f"`{name}` is a number of Python, which may be used as a size")
        return one, other, names

    def _surely(self, branch: Branch) -> set[str]:
        bound: set[str] = set()
        for statement in branch.statements:
            self._follow(statement, Branch([]), bound)
        return bound

    def is_bound_before(self, name: str, node: cst.CSTNode) -> bool:
        """Whether a name surely has a value before a statement."""
        function = self.work.index.function_of(node)
        if function is not None and name in self.work.program.functions[function].parameter_names:
            return True
        while not isinstance(node, (cst.FunctionDef, cst.Module)):
            parent = self.work.index.parents[node]
            body = getattr(parent, "body", ())
            for statement in body if isinstance(body, (list, tuple)) else ():
                if statement is node:
                    break
                if isinstance(statement, cst.SimpleStatementLine) and any(
                    isinstance(small, (cst.Assign, cst.AnnAssign)) and name in _bound(small) for small in statement.body
                ):
                    return True
            node = parent
        return False

    def _normalize_if(self, node: cst.If) -> None:
        one, other, names = self._outcome(node)
        test = self.predicate(node.test)
        single = [_single(branch, names) for branch in (one, other)]
        made: list[cst.BaseStatement]
        if single[0] is not None and single[1] is not None:
            value = self._selection(test, single[0], single[1])
            made = [quote_statement(f"{names[0]} = {{value}}", value=value)]
            self._put(node, made, [*one.statements, *other.statements])
        else:
            self._put(node, self._functions(node, test, one, other, names))

    def _selection(
        self, test: cst.BaseExpression, one: cst.BaseExpression, other: cst.BaseExpression
    ) -> cst.BaseExpression:
        if _is_atom(one) and _is_atom(other):
            return quote("jnp.where({test}, {one}, {other})", test=test, one=one, other=other)
        template = "jax.lax.cond({test}, lambda: {one}, lambda: {other})"
        return quote(template, test=test, one=_bare(one), other=_bare(other))

    def _functions(
        self, node: cst.If, test: cst.BaseExpression, one: Branch, other: Branch, names: Sequence[str]
    ) -> list[cst.BaseStatement]:
        """Two local functions that return the names, and the choice between them."""
        given = [name for name in names if name in (one.needs & set(one.writes)) | (other.needs & set(other.writes))]
        given = list(dict.fromkeys((*given, *_needed_and_bound(one), *_needed_and_bound(other))))
        kept = [name for name in names if name not in one.writes or name not in other.writes]
        given += [name for name in kept if name not in given and not _lacks(one, other, name)]
        parameters = ", ".join(given)
        fresh = self.work.local(self.work.index.function_of(node) or self.work.index.module)
        result = ", ".join(names)
        chosen: list[str] = []
        made: list[cst.BaseStatement] = []
        for branch, wish in ((one, "if_true"), (other, "if_false")):
            if not branch.statements:
                values = result if len(names) == 1 else f"({result})"
                chosen.append(f"lambda{' ' if parameters else ''}{parameters}: {values}")
                continue
            name = fresh(wish)
            body = [*plain_statements(branch.statements), quote_statement(f"return {result}")]
            made.append(definition(name, parameters, body, apart=bool(made)))
            chosen.append(name)
        arguments = "".join(f", {name}" for name in given)
        call = f"{result} = jax.lax.cond({{test}}, {', '.join(chosen)}{arguments})"
        last = quote_statement(call, test=test)
        return [*made, last.with_changes(leading_lines=[cst.EmptyLine(indent=False)])]

    def _put(self, node: cst.If, made: list[cst.BaseStatement], said: Sequence[cst.BaseStatement] = ()) -> None:
        """Statements in the place of an `if` or `elif`; what `said` lines of it said is said in other words."""
        self.taken.add(node)
        parent = self.work.index.parents[node]
        self.work.copies[made[-1]] = node
        if isinstance(parent, cst.If) and parent.orelse is node:
            self.work.edits.replace(node, lambda rewrite: cst.Else(block(made), leading_lines=node.leading_lines))
            return
        self._put_in_place(node, made, said)

    def _put_in_place(
        self,
        node: cst.If | cst.While | cst.For,
        made: list[cst.BaseStatement],
        said: Sequence[cst.BaseStatement],
    ) -> None:
        """Put statements in the place of one, with the comments above it and in what was `said` there."""
        comments = [*node.leading_lines, *comments_in(said)]
        first = self.beside(node)[:1] == [node]
        if isinstance(made[0], cst.FunctionDef) and not comments and not first:
            comments = [cst.EmptyLine(indent=False)]
        made[0] = made[0].with_changes(leading_lines=comments)
        self.work.edits.rewrite_statement(node, lambda rewrite: made)

    # `if` that returns

    def _returns(self, node: cst.If) -> tuple[Branch, Branch, list[cst.BaseStatement]]:
        """Both ways to the end of the function, and the statements that belong to the second."""
        whole = self._returning_chain(node)
        suite = self.work.index.parents[whole]
        function = self.work.index.parents.get(suite)
        if not isinstance(function, cst.FunctionDef) or not isinstance(suite, cst.IndentedBlock):
            raise CannotNormalize("`return` inside of other statements")
        self.predicate(node.test)
        rest = list(suite.body[list(suite.body).index(whole) + 1 :])
        if any(statement in self.taken for statement in rest):
            raise CannotNormalize("what follows is being normalized")
        one = self.branch(lines_of(node.body), ends=True)
        other = self.branch([*self._orelse(node), *rest], ends=True)
        assert one.result is not None and other.result is not None
        known = {name: self.before(name, node) for name in dict.fromkeys((*one.writes, *other.writes))}
        known = {name: form for name, form in known.items() if form.shape is not None}
        first = self._result_forms(one.result, self.forms(one, known))
        second = self._result_forms(other.result, self.forms(other, known))
        if len(first) != len(second) or not all(a.agrees(b) for a, b in zip(first, second, strict=True)):
            raise CannotNormalize("the results may have other shapes or dtypes")
        if any("an int" in (a.dtype, b.dtype) for a, b in zip(first, second, strict=True)):
            raise CannotNormalize("a result is a number of Python")
        return one, other, rest

    def _check_ways(self, node: cst.If) -> None:
        """Whether all ways from an `if` to the end of its function give results that agree."""
        whole = self._returning_chain(node)
        suite = self.work.index.parents[whole]
        if not isinstance(suite, cst.IndentedBlock) or not isinstance(self.work.index.parents[suite], cst.FunctionDef):
            raise CannotNormalize("`return` inside of other statements")
        rest = list(suite.body[list(suite.body).index(whole) :])
        known = {name: self.before(name, whole) for name in dict.fromkeys(_assigned(rest))}
        self._way(rest, {name: form for name, form in known.items() if form.shape is not None})

    def _way(self, statements: Sequence[cst.BaseStatement], given: Forms) -> list[Form]:
        """The forms of the results that statements return."""
        forms = dict(given)
        for place, statement in enumerate(statements):
            if isinstance(statement, cst.If) and any(isinstance(item, cst.Return) for item in descendants(statement)):
                if tests_tensor(statement.test, self.work.values):
                    self.predicate(statement.test)
                rest = statements[place + 1 :]
                one = self._way([*lines_of(statement.body), *rest], forms)
                other = self._way([*self._orelse(statement), *rest], forms)
                if len(one) != len(other) or not all(a.agrees(b) for a, b in zip(one, other, strict=True)):
                    raise CannotNormalize("the results may have other shapes or dtypes")
                if any("an int" in (a.dtype, b.dtype) for a, b in zip(one, other, strict=True)):
                    raise CannotNormalize("a result is a number of Python")
                return one
            if isinstance(statement, cst.SimpleStatementLine) and isinstance(statement.body[-1], cst.Return):
                result = statement.body[-1].value
                if result is None:
                    raise CannotNormalize("a result is None")
                self.check_effects(result)
                return self._result_forms(result, forms)
            self._follow(statement, Branch([]), set())
            self._run(statement, forms)
        raise CannotNormalize("one way returns, another does not")

    def _returning_chain(self, node: cst.If) -> cst.If:
        """The `if` to which an `elif` belongs, where all branches above it end with `return`."""
        parent = self.work.index.parents[node]
        while isinstance(parent, cst.If) and parent.orelse is node:
            last = lines_of(parent.body)[-1]
            if not isinstance(last, cst.SimpleStatementLine) or not isinstance(last.body[-1], cst.Return):
                raise CannotNormalize("one way returns, another does not")
            node, parent = parent, self.work.index.parents[parent]
        return node

    def _result_forms(self, node: cst.BaseExpression, forms: Forms) -> list[Form]:
        if isinstance(node, cst.Tuple):
            return [self.alike.form(item.value, forms) for item in node.elements]
        return [self.alike.form(node, forms)]

    def _normalize_return(self, node: cst.If) -> None:
        one, other, rest = self._returns(node)
        test = self.predicate(node.test)
        assert one.result is not None and other.result is not None
        if not one.statements and not other.statements:
            value = self._selection(test, one.result, other.result)
            made: list[cst.BaseStatement] = [quote_statement("return {value}", value=value)]
            lines = [*lines_of(node.body), *self._orelse(node), *rest]
        else:
            made, lines = self._returning_functions(node, test, one, other), []
        for statement in rest:
            self.work.edits.remove(statement)
            self.taken.add(statement)
        self._put(node, made, lines)

    def _returning_functions(
        self, node: cst.If, test: cst.BaseExpression, one: Branch, other: Branch
    ) -> list[cst.BaseStatement]:
        given = list(dict.fromkeys((*_needed_and_bound(one), *_needed_and_bound(other))))
        parameters = ", ".join(given)
        fresh = self.work.local(self.work.index.function_of(node) or self.work.index.module)
        made: list[cst.BaseStatement] = []
        chosen: list[cst.BaseExpression] = []
        for branch, wish in ((one, "if_true"), (other, "if_false")):
            assert branch.result is not None
            if not branch.statements:
                template = f"lambda{' ' if parameters else ''}{parameters}: {{result}}"
                chosen.append(quote(template, result=_bare(branch.result)))
                continue
            name = fresh(wish)
            end = quote_statement("return {result}", result=branch.result)
            body = [*plain_statements(branch.statements), end.with_changes(leading_lines=branch.above_result)]
            made.append(definition(name, parameters, body, apart=bool(made)))
            chosen.append(cst.Name(name))
        arguments = "".join(f", {name}" for name in given)
        template = f"return jax.lax.cond({{test}}, {{one}}, {{other}}{arguments})"
        last = quote_statement(template, test=test, one=chosen[0], other=chosen[1])
        return [*made, last.with_changes(leading_lines=[cst.EmptyLine(indent=False)])]

    # `a if test else b`

    def _arms(self, node: cst.IfExp) -> None:
        self.predicate(node.test)
        for arm in (node.body, node.orelse):
            self.check_effects(arm)
        one, other = self.alike.form(node.body, {}), self.alike.form(node.orelse, {})
        if not one.agrees(other) or "an int" in (one.dtype, other.dtype):
            raise CannotNormalize("the two may have other shapes or dtypes")

    def _normalize_ternary(self, node: cst.IfExp) -> None:
        self._arms(node)
        made = self._selection(self.predicate(node.test), node.body, node.orelse)
        self.taken.add(node)
        self.work.copies[made] = node
        self.work.edits.replace(node, lambda rewrite: made)

    # numbers that leave the device

    def _check_read(self, node: cst.Call) -> None:
        """`x.item()` in arithmetic, in a comparison, or given a name."""
        tensor = _read_tensor(node)
        assert tensor is not None
        values, parent = self.work.values, self.work.index.parents[node]
        if values(tensor).kind is not Kind.TENSOR or not self._is_one(tensor):
            raise CannotNormalize("it is not known that it is a single number")
        if isinstance(parent, (cst.Comparison, cst.ComparisonTarget)):
            return
        dtype = values(tensor).dtype
        if dtype is not None and not dtype.startswith(("float", "bfloat")):
            raise CannotNormalize("a whole number may be used as a size")
        if isinstance(parent, (cst.BinaryOperation, cst.UnaryOperation)):
            return
        if isinstance(parent, cst.Assign) and all(isinstance(item.target, cst.Name) for item in parent.targets):
            return
        raise CannotNormalize("what becomes of the number is not known")

    def _normalize_read(self, node: cst.Call) -> None:
        tensor = _read_tensor(node)
        assert tensor is not None
        parent = self.work.index.parents[node]
        plain = isinstance(parent, (cst.Comparison, cst.ComparisonTarget)) or _method(tensor) == "detach"
        made = tensor if plain else quote("{x}.detach()", x=tensor)
        self.taken.add(node)
        self.work.copies[made] = node
        self.work.edits.replace(node, lambda rewrite: made)

    # loops

    def _loop(self, node: cst.While, region: Region) -> tuple[Branch, list[str]]:
        """The body of a loop, and the names that it carries."""
        if node.orelse is not None:
            raise CannotNormalize("a loop with `else`")
        body = self.branch(lines_of(node.body))
        names = self._carried(node, body, reads_in(node.test), region)
        self.carried = set(names)
        self.predicate(node.test)
        return body, names

    def _carried(self, node: cst.While | cst.For, body: Branch, tested: Set[str], region: Region) -> list[str]:
        """The names that one pass of a loop hands on to the next, or to what follows; they keep their shapes and dtypes."""
        if region.differentiated:
            raise CannotNormalize("a loop of unknown length has no gradient in JAX")
        live = self.flows.liveness(self.work.program.function_around(node)).after_statement(node)
        names = [name for name in body.writes if name in live or name in body.needs or name in tested]
        known = {name: self.before(name, node) for name in names}
        behind = self.forms(body, known)
        for name in names:
            if not self.is_bound_before(name, node):
                raise CannotNormalize(f"`{name}` may have no value before the loop")
            if not behind[name].agrees(known[name]):
                raise CannotNormalize(f"`{name}` may change its shape or dtype in the loop")
            if known[name].dtype == "an int" and self.is_size(name, node):
                raise CannotNormalize(f"`{name}` is used as a size")
        if not names:
            raise CannotNormalize("nothing is left of what a loop computes")
        return names

    def is_size(self, name: str, node: cst.CSTNode) -> bool:
        """Whether a number is used, somewhere in its function, where arrays of unknown value cannot stand."""
        function = self.work.index.function_of(node) or self.work.index.module
        for item in descendants(function):
            if isinstance(item, cst.Slice) and name in reads_in(item):
                return True
            if isinstance(item, cst.Call) and any(name in reads_in(argument) for argument in item.args):
                return True
        return False

    def _normalize_while(self, node: cst.While, region: Region) -> None:
        body, names = self._loop(node, region)
        test = self.predicate(node.test)
        single = _single(body, names)
        only = names[0]
        if single is not None:
            template = f"{only} = jax.lax.while_loop(lambda {only}: {{test}}, lambda {only}: {{value}}, {only})"
            made: list[cst.BaseStatement] = [quote_statement(template, test=test, value=single)]
            said = body.statements
        else:
            made, said = self._loop_functions(node, names, test, body.statements, names, ", ".join(names)), []
        self._put_loop(node, made, said)

    def _loop_functions(
        self,
        node: cst.While | cst.For,
        names: Sequence[str],
        test: cst.BaseExpression,
        statements: Sequence[cst.BaseStatement],
        results: Sequence[str | cst.BaseExpression],
        start: str,
    ) -> list[cst.BaseStatement]:
        """The two functions of a loop, and the loop."""
        fresh = self.work.local(self.work.index.function_of(node) or self.work.index.module)
        running, step = fresh("running"), fresh("step")
        packed = ", ".join(names)
        given = names[0] if len(names) == 1 else "carry"
        opening = [quote_statement(f"{packed} = carry")] if len(names) > 1 else []
        values = [item if isinstance(item, cst.BaseExpression) else cst.parse_expression(item) for item in results]
        result = values[0] if len(values) == 1 else cst.Tuple([cst.Element(item) for item in values], lpar=(), rpar=())
        made: list[cst.BaseStatement] = []
        if opening:
            made.append(
                definition(running, given, [*opening, quote_statement("return {test}", test=test)], apart=False)
            )
        end = cst.SimpleStatementLine([cst.Return(result)])
        body = [*(quote_statement(f"{packed} = carry") for _ in opening), *plain_statements(statements), end]
        made.append(definition(step, given, body, apart=bool(made)))
        first = cst.Name(running) if opening else quote(f"lambda {given}: {{test}}", test=test)
        packed_start = f"({start})" if len(names) > 1 else start
        last = quote_statement(f"{packed} = jax.lax.while_loop({{first}}, {step}, {packed_start})", first=first)
        return [*made, last.with_changes(leading_lines=[cst.EmptyLine(indent=False)])]

    def _put_loop(
        self, node: cst.While | cst.For, made: list[cst.BaseStatement], said: Sequence[cst.BaseStatement]
    ) -> None:
        self.carried = set()
        self.taken.add(node)
        self.work.copies[made[-1]] = node
        self._put_in_place(node, made, said)

    def _broken_loop(self, node: cst.If, region: Region) -> tuple[cst.For, Branch, list[str], bool]:
        """The loop `for i in range(n)` that an `if` leaves, its other statements, what it carries; whether the test comes
        first.
        """
        suite = self.work.index.parents[node]
        loop = self.work.index.parents.get(suite)
        if not isinstance(loop, cst.For) or loop.orelse is not None or not isinstance(loop.target, cst.Name):
            raise CannotNormalize("`break` out of another kind of loop")
        if not _counts(loop.iter) or node.orelse is not None or len(lines_of(node.body)) != 1:
            raise CannotNormalize("`break` out of another kind of loop")
        lines = lines_of(loop.body)
        if node not in (lines[0], lines[-1]) or len(lines) < 2:
            raise CannotNormalize("`break` in the middle of a loop")
        first = node is lines[0]
        body = self.branch(lines[1:] if first else lines[:-1])
        live = self.flows.liveness(self.work.program.function_around(loop)).after_statement(loop)
        counter = loop.target.value
        if counter in live or counter in body.writes or self.is_size(counter, loop):
            raise CannotNormalize("the counter of the loop is used otherwise than to compute")
        local = set() if first else set(body.writes)
        names = self._carried(loop, body, reads_in(node.test) - local, region)
        self.carried = {counter}
        if first:
            self.predicate(node.test)
        else:
            self._last_test(node, body)
        return loop, body, names, first

    def _last_test(self, node: cst.If, body: Branch) -> cst.BaseExpression:
        if not isinstance(node.test, (cst.Comparison, cst.Call)):
            raise CannotNormalize("a test of several parts at the end of a loop")
        return self.predicate(node.test)

    def _normalize_break(self, node: cst.If, region: Region) -> None:
        loop, body, names, first = self._broken_loop(node, region)
        assert isinstance(loop.iter, cst.Call) and isinstance(loop.target, cst.Name)
        fresh = self.work.local(self.work.index.function_of(loop) or self.work.index.module)
        counter, test = loop.target.value, self.predicate(node.test)
        counter = fresh("step_number") if counter == "_" else counter
        end = _boolean(quote(f"{counter} < {{end}}", end=loop.iter.args[0].value))
        stop: cst.BaseExpression = _boolean(test) if first else cst.Name(fresh("done"))
        running = quote("{end} & ~{stop}", end=end, stop=stop)
        flag = [] if first else [code(stop)]
        all_names = [counter, *flag, *names]
        results: list[str | cst.BaseExpression] = [f"{counter} + 1", *([] if first else [test]), *names]
        start = ", ".join(["0", *(["False"] if flag else []), *names])
        made = self._loop_functions(loop, all_names, running, body.statements, results, start)
        self.taken.add(node)
        self._put_loop(loop, made, [])

    # checks

    def _check(self, node: cst.If | cst.Assert) -> tuple[str, cst.BaseExpression, str]:
        """The variable that carries a check, what must not be true, and what is said then."""
        if self.work.checked is None:
            raise CannotNormalize("the target has no checks of values in compiled code")
        if any(_may_catch(item) for item in self.work.index.every(cst.Try)):
            raise CannotNormalize("somebody may catch what is raised")
        if isinstance(node, cst.If):
            line: cst.CSTNode = node
            text = _message(_raised(node))
            negated = False
        else:
            line = self.work.index.parents[node]
            text = _text_of(node.msg) if node.msg is not None else _quoted(code(node.test))
            negated = True
            if not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1:
                raise CannotNormalize("it stands among others on a line")
        if isinstance(self.work.index.parents[line], cst.If):
            raise CannotNormalize("`elif` that raises")
        if text is None:
            raise CannotNormalize("what is raised says more than a text")
        test = self.predicate(node.test)
        if negated:
            inner = test.expression if isinstance(test, cst.UnaryOperation) and code(test).startswith("~") else None
            test = inner if inner is not None else quote("~{x}", x=_boolean(test))
        live = self.flows.liveness(self.work.program.function_around(node)).after_statement(line)  # type: ignore[arg-type]
        for item in descendants(node.test):
            if isinstance(item, cst.Name) and item.value in live and self.work.values(item).kind is Kind.TENSOR:
                return item.value, test, text
        raise CannotNormalize("nothing that is checked is used later")

    def _normalize_check(self, node: cst.If | cst.Assert) -> None:
        name, test, text = self._check(node)
        line: cst.CSTNode = node if isinstance(node, cst.If) else self.work.index.parents[node]
        assert self.work.checked is not None
        message = cst.parse_expression(text)
        made = quote_statement(f"{name} = {self.work.checked}", value=name, test=test, message=message)
        said = lines_of(node.body) if isinstance(node, cst.If) else []
        made = made.with_changes(leading_lines=[*getattr(line, "leading_lines", ()), *comments_in(said)])
        if isinstance(line, cst.SimpleStatementLine):
            made = made.with_changes(trailing_whitespace=line.trailing_whitespace)
        self.taken.add(line)
        self.work.copies[made] = line
        self.work.edits.rewrite_statement(line, lambda rewrite: [made])

    # printing

    def _printed(self, node: cst.Call) -> tuple[str, list[cst.BaseExpression]]:
        """The template of `jax.debug.print` as it is written, and the values that it is given."""
        if not isinstance(self.work.index.parents[node], cst.Expr):
            raise CannotNormalize("the result of `print` is used")
        pieces: list[str] = []
        given: list[cst.BaseExpression] = []
        static = False
        for argument in node.args:
            if argument.star or (argument.keyword is not None and argument.keyword.value != "flush"):
                raise CannotNormalize("`print` with options")
            if argument.keyword is not None:
                continue
            text, fixed = self._piece(argument.value, given)
            pieces.append(text)
            static = static or fixed
        template = " ".join(pieces)
        if not given and not static:
            return f'"{template}"', []
        if static:
            template = template.replace(_OPEN, "{{").replace(_CLOSE, "}}")
            return f'f"{template}"', given
        return f'"{template.replace(_OPEN, "{").replace(_CLOSE, "}")}"', given

    def _piece(self, node: cst.BaseExpression, given: list[cst.BaseExpression]) -> tuple[str, bool]:
        """What an argument of `print` adds to the template; whether Python knows it while the code is traced."""
        if isinstance(node, cst.SimpleString):
            return _literal(str(node.evaluated_value)), False
        if isinstance(node, cst.FormattedString):
            texts, static = [], False
            for part in node.parts:
                if isinstance(part, cst.FormattedStringText):
                    texts.append(_literal(part.value.replace("{{", "{").replace("}}", "}"), escaped=True))
                elif isinstance(part, cst.FormattedStringExpression):
                    spec = "".join(code(item) for item in part.format_spec or ())
                    if part.conversion is not None or part.equal is not None or "{" in spec:
                        raise CannotNormalize("an f-string with a conversion")
                    text, fixed = self._value(part.expression, f":{spec}" if spec else "", given)
                    texts.append(text)
                    static = static or fixed
            return "".join(texts), static
        return self._value(node, "", given)

    def _value(self, node: cst.BaseExpression, spec: str, given: list[cst.BaseExpression]) -> tuple[str, bool]:
        tensor = _read_tensor(node) if isinstance(node, cst.Call) else None
        value = self.work.values(tensor or node)
        if value.kind is Kind.TENSOR:
            self.check_effects(tensor or node)
            given.append(tensor or node)
            return f"{_OPEN}{spec}{_CLOSE}", False
        if value.is_number or value.is_a(Kind.STR, Kind.SIZE, Kind.DTYPE, Kind.DEVICE) or isinstance(node, cst.Integer):
            text = code(node)
            if '"' in text or "\\" in text:
                raise CannotNormalize("an f-string that cannot be written")
            return f"{{{text}{spec}}}", True
        raise CannotNormalize("it is not known what is printed")

    def _normalize_print(self, node: cst.Call) -> None:
        template, given = self._printed(node)
        made = quote("jax.debug.print({*values})", values=[cst.parse_expression(template), *given])
        self.taken.add(node)
        self.work.copies[made] = node
        self.work.edits.replace(node, lambda rewrite: made)


# pieces of text

_OPEN, _CLOSE = "\ue000", "\ue001"  # the braces of a template while it is being put together


def _literal(text: str, escaped: bool = False) -> str:
    """Text as it stands in a template between double quotes."""
    if "{" in text or "}" in text:
        raise CannotNormalize("braces in a text that is printed")
    if escaped:
        if '"' in text.replace('\\"', ""):
            raise CannotNormalize("quotes in a text that is printed")
        return text
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")


def _breaks(node: cst.If) -> bool:
    """Whether all that an `if` does is to leave a loop."""
    lines = lines_of(node.body)
    last = lines[-1] if lines else None
    return isinstance(last, cst.SimpleStatementLine) and isinstance(last.body[-1], cst.Break)


def _counts(node: cst.BaseExpression) -> bool:
    """Whether an expression is `range(n)`."""
    return isinstance(node, cst.Call) and dotted(node.func) == "range" and len(node.args) == 1


def _assigned(statements: Sequence[cst.CSTNode]) -> Iterator[str]:
    """The names that statements bind."""
    for statement in statements:
        for node in descendants(statement):
            if isinstance(node, (cst.AssignTarget, cst.AugAssign, cst.AnnAssign)):
                yield from sorted(reads_in(node.target))


def _raised(node: cst.If) -> cst.Raise | None:
    """The `raise` that is all that an `if` does."""
    lines = lines_of(node.body)
    if node.orelse is not None or len(lines) != 1 or not isinstance(lines[0], cst.SimpleStatementLine):
        return None
    only = lines[0].body
    return only[0] if len(only) == 1 and isinstance(only[0], cst.Raise) else None


def _message(node: cst.Raise | None) -> str | None:
    """What an exception says, as a literal."""
    match node:
        case cst.Raise(exc=cst.Name(value=name)):
            return f'"{name}"'
        case cst.Raise(exc=cst.Call(func=cst.Name(value=name), args=[])):
            return f'"{name}"'
        case cst.Raise(exc=cst.Call(args=[cst.Arg(value=text, keyword=None, star="")])):
            return _text_of(text)
    return None


def _text_of(node: cst.BaseExpression) -> str | None:
    """A literal of the text of a string; what an f-string fills in stands as it is written."""
    if isinstance(node, cst.SimpleString):
        return code(node)
    if isinstance(node, cst.FormattedString) and node.start in ('f"', "f'"):
        return code(node)[1:]
    return None


def _quoted(text: str) -> str:
    return f"'{text}'" if '"' in text else f'"{text}"'


def _may_catch(node: cst.Try) -> bool:
    for handler in node.handlers:
        names = reads_in(handler.type) if handler.type is not None else {"BaseException"}
        if not names <= {
            "ImportError",
            "ModuleNotFoundError",
            "KeyboardInterrupt",
            "FileNotFoundError",
            "StopIteration",
        }:
            return True
    return False


def _method(node: cst.CSTNode) -> str | None:
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
        return node.func.attr.value
    return None


def _read_tensor(node: cst.Call) -> cst.BaseExpression | None:
    """The tensor that `x.item()`, `float(x)` or `float(x.item())` reads."""
    if _method(node) == "item" and not node.args:
        assert isinstance(node.func, cst.Attribute)
        return node.func.value
    if isinstance(node.func, cst.Name) and node.func.value == "float" and len(node.args) == 1:
        given = node.args[0].value
        inner = _read_tensor(given) if isinstance(given, cst.Call) else None
        return given if inner is None else inner
    return None


def _plain_names(target: cst.BaseExpression) -> list[str]:
    match target:
        case cst.Name(value=name):
            return [name]
        case cst.Tuple(elements=elements) | cst.List(elements=elements):
            return [name for item in elements for name in _plain_names(item.value)]
    raise CannotNormalize("a branch writes into an object")


def _bound(small: cst.Assign | cst.AnnAssign) -> Iterator[str]:
    targets = [item.target for item in small.targets] if isinstance(small, cst.Assign) else [small.target]
    for target in targets:
        for node in descendants(target):
            if isinstance(node, cst.Name):
                yield node.value


_SIGNS: dict[type[cst.BaseAugOp], type[cst.BaseBinaryOp]] = {
    cst.AddAssign: cst.Add, cst.SubtractAssign: cst.Subtract, cst.MultiplyAssign: cst.Multiply,
    cst.DivideAssign: cst.Divide, cst.PowerAssign: cst.Power, cst.FloorDivideAssign: cst.FloorDivide,
    cst.ModuloAssign: cst.Modulo, cst.MatrixMultiplyAssign: cst.MatrixMultiply,
}  # fmt: skip


def _plainly(node: cst.AugAssign) -> cst.BaseExpression:
    """`x + y` for `x += y`."""
    sign = _SIGNS.get(type(node.operator))
    if sign is None:
        raise CannotNormalize("an operator that is not followed")
    assert isinstance(node.target, cst.Name)
    made = cst.BinaryOperation(cst.Name(node.target.value), sign(), node.value)
    return made.with_changes(right=fit(node.value, made, "right"))


def plain_statements(statements: Sequence[cst.BaseStatement]) -> list[cst.BaseStatement]:
    """The statements of a branch as those of a function, where `x += y` binds a name of its own."""
    found: list[cst.BaseStatement] = []
    for statement in statements:
        if isinstance(statement, cst.SimpleStatementLine):
            smalls = [
                cst.Assign([cst.AssignTarget(small.target)], _plainly(small))
                if isinstance(small, cst.AugAssign)
                else small
                for small in statement.body
            ]
            changed = any(new is not old for new, old in zip(smalls, statement.body, strict=True))
            found.append(statement.with_changes(body=smalls) if changed else statement)
        else:
            found.append(statement)
    return found


def _single(branch: Branch, names: Sequence[str]) -> cst.BaseExpression | None:
    """The one expression that a branch says what it computes with; the name itself where it does nothing."""
    if len(names) != 1:
        return None
    if not branch.statements:
        return cst.Name(names[0])
    if len(branch.statements) != 1 or not isinstance(branch.statements[0], cst.SimpleStatementLine):
        return None
    match branch.statements[0].body:
        case [cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=name))], value=value)] if name == names[0]:
            return value
        case [cst.AugAssign(target=cst.Name(value=name)) as small] if name == names[0]:
            return _plainly(small)
    return None


def _needed_and_bound(branch: Branch) -> list[str]:
    """The names that a branch reads before it binds them: parameters of its function."""
    return [name for name in branch.writes if name in branch.needs]


def _lacks(one: Branch, other: Branch, name: str) -> bool:
    """Whether a name is not bound in one of the branches, which has statements and so may read it from around."""
    return all(name not in branch.writes for branch in (one, other))


def _is_atom(node: cst.BaseExpression) -> bool:
    if isinstance(node, cst.UnaryOperation):
        return isinstance(node.expression, (cst.Integer, cst.Float))
    return isinstance(node, (cst.Name, cst.Integer, cst.Float)) or (
        isinstance(node, cst.Attribute) and dotted(node) is not None
    )


def _bare(node: cst.BaseExpression) -> cst.BaseExpression:
    return cst.parse_expression(f"({code(node)})") if isinstance(node, cst.Tuple) and not node.lpar else node


def _boolean(node: cst.BaseExpression) -> cst.BaseExpression:
    """An operand of `&`, `|` and `~`, in parentheses where they bind more tightly."""
    if isinstance(node, (cst.Comparison, cst.BooleanOperation, cst.UnaryOperation, cst.BinaryOperation)):
        return node if node.lpar else node.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
    return node


def definition(name: str, parameters: str, body: Sequence[cst.BaseStatement], apart: bool) -> cst.FunctionDef:
    (made,) = quote_statements(f"def {name}({parameters}):\n    pass\n")
    assert isinstance(made, cst.FunctionDef)
    lines = [cst.EmptyLine(indent=False)] if apart else []
    return made.with_changes(body=block(body), leading_lines=lines)


def comments_in(lines: Sequence[cst.BaseStatement]) -> list[cst.EmptyLine]:
    """The comments of lines that are said in other words."""
    found = []
    for line in lines:
        found += [item for item in getattr(line, "leading_lines", ()) if item.comment is not None]
        if isinstance(line, cst.SimpleStatementLine) and line.trailing_whitespace.comment is not None:
            found.append(cst.EmptyLine(comment=line.trailing_whitespace.comment))
    return found


__all__ = ["Branch", "Control", "comments_in", "definition", "normalize_control", "plain_statements"]
