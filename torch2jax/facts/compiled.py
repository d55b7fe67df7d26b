"""Which code runs compiled, and what in it needs the values of tensors, or the world outside, while it is being traced.

A step of training or evaluation is compiled, a function under `torch.compile`, and all that they call.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import libcst as cst

from torch2jax.facts.captures import code_of, surroundings
from torch2jax.facts.datasets import draws_as_called
from torch2jax.facts.effects import Effects
from torch2jax.facts.infer import Values
from torch2jax.facts.kept_arrays import reads_kept_array
from torch2jax.facts.object_changes import object_changes
from torch2jax.facts.steps import find_steps
from torch2jax.facts.training import Flows, Step, local_names, value_of_place
from torch2jax.ops.python import LOGS
from torch2jax.program.program import Function, Program, dotted
from torch2jax.program.statements import bound_parts, read_before_bound, reads_and_writes
from torch2jax.records import dataclass
from torch2jax.syntax.codegen import code
from torch2jax.syntax.walk import Index, descendants, elements_of
from torch2jax.values import Kind, Value

COMPILERS = frozenset({"torch.compile", "torch.jit.script"})
PREDICATES = frozenset({"torch.equal", "torch.allclose", "torch.is_nonzero"})
_HOST_METHODS = frozenset({"item", "tolist", "numpy"})
_OPEN = (Kind.TENSOR, Kind.UNKNOWN)
_DYNAMIC_METHODS = frozenset({"nonzero", "masked_select", "unique", "unique_consecutive", "argwhere", "bincount"})
_DYNAMIC_FUNCTIONS = frozenset({f"torch.{name}" for name in _DYNAMIC_METHODS})
_SIZED_METHODS = frozenset(
    {"view", "reshape", "expand", "repeat", "new_zeros", "new_ones", "new_full", "narrow", "unfold"}
)
_SIZED_FUNCTIONS = frozenset(
    {f"torch.{name}" for name in ("arange", "zeros", "ones", "empty", "full", "rand", "randn", "eye", "linspace")}
)
_HOST_DRAWS = frozenset(
    "beta betavariate binomial bytes chisquare choice choices dirichlet exponential expovariate gamma gammavariate gauss "
    "geometric getrandbits gumbel hypergeometric integers laplace logistic lognormal lognormvariate logseries multinomial "
    "multivariate_hypergeometric multivariate_normal negative_binomial noncentral_chisquare noncentral_f normal normalvariate "
    "pareto paretovariate permutation permuted poisson power rand randbytes randint randn random random_integers random_raw "
    "random_sample randrange rayleigh sample shuffle standard_cauchy standard_exponential standard_gamma standard_normal "
    "standard_t tomaxint triangular uniform vonmises vonmisesvariate wald weibull weibullvariate zipf".split()
)
"""The methods of the generators of Python and NumPy that draw."""
_DRAWN = (
    "rand",
    "normal",
    "uniform",
    "bernoulli",
    "multinomial",
    "poisson",
    "exponential",
    "sample",
    "rsample",
    "dropout",
)
_CONVERSIONS = frozenset({"float", "int", "bool"})
_COMPARING = frozenset({"min", "max", "sorted"})
_CLOCKS = frozenset(
    {"time.time", "time.perf_counter", "time.monotonic", "time.process_time", "datetime.now", "perf_counter"}
)
_DRAWS = ("random.", "np.random.", "numpy.random.")
_OF_ARRAYS = frozenset({"torch.as_tensor", "torch.from_numpy", "torch.tensor"})
_FILES = frozenset({"torch.save", "torch.load"})


@dataclass(frozen=True, slots=True)
class Obstacle:
    """A node that cannot be traced, or not only once; `reason` says why in the user's words, `function` where it stands."""

    node: cst.CSTNode
    reason: str
    function: Function | None = None
    is_of_time: bool = False  # code that is traced anew for each call sees what it has to see

    def __str__(self) -> str:
        return self.reason if self.function is None else f"{self.reason} in `{self.function.name}`"


@dataclass(frozen=True, slots=True)
class Region:
    """Code that is compiled as a whole: some nodes and all that they call. `differentiated`: it runs below a gradient."""

    nodes: tuple[cst.CSTNode, ...]
    differentiated: bool


def find_regions(program: Program, values: Values, effects: Effects, flows: Flows) -> list[Region]:
    """What is compiled, or would be if nothing spoke against it."""
    found = [
        Region((*(step.blocked or step.forward), step.loss), True)
        for step in find_steps(program, values, flows)
        if (step.problem is None or step.blocked) and (step.optimizer is not None or step.carries)
    ]
    for function in program.functions.values():
        if compiler(function, values) is not None:
            found.append(Region((function.node.body,), may_be_differentiated(program)))
        places = effects.evaluated_places(function)
        loops = [node for node in descendants(function.node.body) if isinstance(node, cst.For)] if places else []
        calls = [node for loop in loops for node in descendants(loop.body) if isinstance(node, cst.Call)]
        if models := tuple(call for call in calls if dotted(call.func) in places):
            found.append(Region(models, False))
    return found


def compiler(function: Function, values: Values) -> cst.Decorator | None:
    """The decorator that says that a function is compiled."""
    for decorator in function.node.decorators:
        node = decorator.decorator
        if values.torch_name(node.func if isinstance(node, cst.Call) else node) in COMPILERS:
            return decorator
    return None


def may_be_differentiated(program: Program) -> bool:
    return any(program.mentions(word) for word in ("backward", "grad", "requires_grad", "requires_grad_", "vjp"))


def find_obstacle(nodes: Sequence[cst.CSTNode], values: Values) -> str | None:
    """Why code cannot be compiled with `jax.jit`, in the user's words; None if nothing speaks against it."""
    return next((str(item) for item in obstacles(nodes, values)), None)


def step_obstacle(step: Step, values: Values) -> str | None:
    """The same for a training step, whose results may be given to fields of the object around it."""
    region = [*step.forward, cst.Expr(step.loss)]
    for place in step.inputs:
        value = value_of_place(region, place, values)
        if value is not None and value.kind is Kind.OBJECT and not is_hashable(value, values.program):
            return f"`{place}` has no hash, by which compiled code would know it again"
        if value is not None and value.kind is Kind.PYTHON and _is_looked_up(place, region):
            return f"nothing says what `{place}` is, whose entries it reads"
        if value is not None and value.kind is Kind.PYTHON and _is_queue(place, step, values):
            return f"`{place}` is a deque, which compiled code cannot be given"
    return next((str(item) for item in _obstacles_of(step, values)), None)


def tracing_obstacle(step: Step, values: Values) -> str | None:
    """Why a training step cannot even be traced anew for each call."""
    region = [*step.forward, cst.Expr(step.loss)]
    for place in step.inputs:
        value = value_of_place(region, place, values)
        if value is not None and value.kind is Kind.PYTHON:
            return f"nothing says what `{place}` is"
    return next((str(item) for item in _obstacles_of(step, values) if not item.is_of_time), None)


def _obstacles_of(step: Step, values: Values) -> Iterator[Obstacle]:
    given_back = {place for place in (*step.results, dotted(step.loss)) if place is not None and "." in place}
    return obstacles([*step.forward, step.loss], values, given_back, frozenset(step.models))


def _is_queue(place: str, step: Step, values: Values) -> bool:
    """Whether a variable of the function around a step holds a deque at some time."""
    bound = values.program.assigned_in(step.function, place)
    made = (node.value for node in bound if isinstance(node, cst.Assign))
    return any(isinstance(node, cst.Call) and str(dotted(node.func)).split(".")[-1] == "deque" for node in made)


def _is_looked_up(place: str, region: Sequence[cst.CSTNode]) -> bool:
    """Whether code reads entries of an object by names (`np.load("data.npz")["x"]`), and is no array then."""
    return any(
        isinstance(node, cst.Subscript)
        and dotted(node.value) == place
        and isinstance(node.slice[0].slice, cst.Index)
        and isinstance(node.slice[0].slice.value, cst.SimpleString)
        for part in region
        for node in descendants(part)
    )


_DICTS = frozenset({"dict", "OrderedDict", "collections.OrderedDict", "UserDict", "collections.UserDict"})


def is_hashable(value: Value, program: Program) -> bool:
    """Whether the objects of some classes have a hash: those that say when two are equal have none by themselves, as dicts."""
    for item in (program.class_by_key[name] for name in value.types if name in program.class_by_key):
        compares = (
            item.method("__eq__") is not None
            or (item.is_dataclass and not any("frozen=True" in code(one.decorator) for one in item.node.decorators))
            or any(code(base.value) in _DICTS for part in item.lineage for base in part.node.bases)
        )
        if compares and item.method("__hash__") is None:
            return False
    return True


def _bound_first(nodes: Sequence[cst.CSTNode]) -> set[str]:
    """The names that statements bind before any of them reads one: surely, or in the block that alone reads them."""
    bound: set[str] = set()
    within: set[str] = set()
    entering: set[str] = set()
    for node in nodes:
        entering |= read_before_bound(node) - bound
        if isinstance(node, cst.SimpleStatementLine):
            bound |= reads_and_writes(node)[1] - entering
        elif isinstance(node, (cst.For, cst.While, cst.With)):
            within |= set(reads_and_writes(node)[1])
    return bound | (within - entering)


def obstacles(
    nodes: Sequence[cst.CSTNode],
    values: Values,
    given_back: Collection[str] = (),
    trained: Collection[str] = (),
) -> Iterator[Obstacle]:
    """What speaks against compiling nodes and all that they call; stores to places that are `given_back` do not, nor modules
    that are `trained`, which are given anew in each call.
    """
    around, function = surroundings(values.program, values), values.program.function_around(nodes[0])
    given = local_names(function, values.program, values) | _bound_first(nodes)
    parts = list(code_of(nodes, values))
    inside = {where for _, where in parts}
    own = {item for node in nodes for item in descendants(node)} if given_back else set()
    for change in object_changes(values).within(nodes):
        if change.stores and all(item in own and _gives_only(item, given_back) for item in change.stores):
            continue
        called = change.function if change.function is not function else None
        yield Obstacle(change.node, f"it changes `{change.variable.name}`, which others see", called)
    defined = {item for node in nodes for item in descendants(node, cst.FunctionDef)}
    for root, where in parts:
        for node in descendants(root) if where is None or where.node not in defined else ():
            reason = _obstacle(node, values) or _number_obstacle(node, values)
            if reason is None and where is not None and _reads_groups(node, values):
                reason = f"`{where.name}` reads a number that the state of an optimizer keeps"
            if reason is not None:
                yield Obstacle(node, reason, where)
                continue
            if where is None and isinstance(node, cst.Attribute) and dotted(node) in trained:
                continue
            changing = around.hidden(node, where, nodes[0], given, inside)
            if changing is not None:
                yield Obstacle(node, f"`{changing}` may hold something else in its next call", where, True)


def _gives_only(store: cst.CSTNode, places: Collection[str]) -> bool:
    """Whether an assignment writes to some places and to variables only."""
    parts = list(bound_parts(store.target)) if isinstance(store, cst.AssignTarget) else [store]
    return all(
        isinstance(part, cst.Name) or (isinstance(part, cst.Attribute) and str(dotted(part)) in places)
        for part in parts
    )


def obstacle_at(node: cst.CSTNode, values: Values) -> bool:
    """Whether a node alone, without what it holds and calls, speaks against compiling it."""
    return _obstacle(node, values) is not None


def _obstacle(node: cst.CSTNode, values: Values) -> str | None:
    match node:
        case cst.If() | cst.While() | cst.IfExp() | cst.Assert():
            return "the value of a tensor decides what is done" if tests_tensor(node.test, values) else None
        case cst.CompIf():
            return "the value of a tensor decides what is done" if tests_tensor(node.test, values) else None
        case cst.Subscript():
            return "a mask selects elements, so the shape depends on values" if _is_masked(node, values) else None
        case cst.Attribute() if values(node.value).kind is Kind.OBJECT and _draws_as_read(node, values):
            return f"`{dotted(node)}` gives another number each time"
        case cst.Slice():
            bounds = (node.lower, node.upper, node.step)
            return "a tensor says how long a slice is" if any(_is_tensor(item, values) for item in bounds) else None
        case cst.Call():
            return _call_obstacle(node, values) or _truth_obstacle(node, values)
        case cst.Comparison() | cst.BooleanOperation() | cst.UnaryOperation(operator=cst.Not()):
            return _truth_obstacle(node, values)
        case cst.FormattedStringExpression(format_spec=[_, *_], expression=shown):
            return _text_obstacle(node, [shown], values)
        case cst.BinaryOperation(left=cst.SimpleString(), operator=cst.Modulo(), right=shown):
            return _text_obstacle(node, elements_of(shown), values)
    return None


def _text_obstacle(node: cst.CSTNode, shown: Sequence[cst.BaseExpression], values: Values) -> str | None:
    """Whether the number of a tensor is spelled: `f"{loss:.3f}"`, but for the messages of errors, which stop the program anyway."""
    if not any(_is_tensor(item, values) for item in shown):
        return None
    index = values.program.home(node).index
    is_shown = print_around(index, node) is not None or is_in_error(index, node)
    return None if is_shown else "a tensor is written as text"


def print_around(index: Index, node: cst.CSTNode) -> cst.Call | None:
    """The call of `print` that an expression is shown by: `print(f"{x.item():.2f}")`."""
    around = (item for item in index.ancestors(node) if isinstance(item, cst.Call))
    return next((item for item in around if dotted(item.func) == "print"), None)


def is_in_error(index: Index, node: cst.CSTNode) -> bool:
    """Whether an expression is a part of what an error says."""
    return any(isinstance(item, (cst.Raise, cst.Assert)) for item in index.ancestors(node))


def _truth_obstacle(node: cst.BaseExpression, values: Values) -> str | None:
    """Whether Python asks for the truth of a tensor where no statement does: `n * (not mask.any())`, `kind[0] in (1, 2)`."""
    match node:
        case cst.Comparison(
            left=left, comparisons=[cst.ComparisonTarget(operator=cst.In() | cst.NotIn(), comparator=right)]
        ):
            asks = _is_tensor(left, values) or _is_tensor(right, values)
        case cst.Call(func=cst.Name("any" | "all"), args=[cst.Arg(value=cst.GeneratorExp() | cst.ListComp() as each)]):
            asks = tests_tensor(each.elt, values)
        case cst.Call(func=cst.Name("any" | "all"), args=[cst.Arg(value=given)]):
            asks = _is_tensor(given, values)
        case _:
            asks = _asks_for_truth(node, values) and not _is_in_test(node, values)
    return "the truth of a tensor is asked for" if asks else None


def _asks_for_truth(node: cst.BaseExpression, values: Values) -> bool:
    """Whether an expression gives its value by the truth of a tensor, as a test does that may become `lax.cond`."""
    match node:
        case cst.Comparison():
            return _chains_tensors(node, values)
        case cst.Call():
            return values.torch_name(node.func) in PREDICATES
        case cst.BooleanOperation(left=left):
            return tests_tensor(left, values)
        case cst.UnaryOperation(expression=tested):
            return tests_tensor(tested, values)
    return False


def _is_in_test(node: cst.CSTNode, values: Values) -> bool:
    """Whether an expression is what a statement tests, or a part of that, or what is printed."""
    parents = values.program.home(node).index.parents
    while isinstance(parent := parents.get(node), (cst.BooleanOperation, cst.UnaryOperation)):
        node = parent
    match parent:
        case cst.If() | cst.While() | cst.IfExp() | cst.Assert() | cst.CompIf():
            return parent.test is node
        case cst.Arg():
            call = parents.get(parent)
            return isinstance(call, cst.Call) and dotted(call.func) == "print"
    return False


def _number_obstacle(node: cst.CSTNode, values: Values) -> str | None:
    """Whether Python needs a number that is kept in the state of a module, which has no value while it is being traced."""
    if not values.kept_numbers:
        return None
    parts: list[cst.BaseExpression | None] = []
    match node:
        case cst.If(test=test) | cst.While(test=test) | cst.IfExp(test=test) | cst.Assert(test=test):
            parts = [test]
        case cst.Slice():
            parts = [node.lower, node.upper, node.step]
        case cst.Call(func=cst.Name(value="range" | "min" | "max" | "int" | "float" | "bool" | "round")):
            parts = [item.value for item in node.args]
    for part in parts:
        if part is not None and any(_is_needed(item, values) for item in (part, *descendants(part))):
            return "a number that a module keeps in its state decides what is done"
    return None


def _is_needed(node: cst.CSTNode, values: Values) -> bool:
    """Whether a node is a kept number, and not only asked whether it is None."""
    parent = values.program.home(node).index.parents.get(node) if node in values.kept_numbers else None
    asks = isinstance(parent, cst.Comparison) and isinstance(parent.comparisons[0].operator, (cst.Is, cst.IsNot))
    return node in values.kept_numbers and not asks


def _reads_groups(node: cst.CSTNode, values: Values) -> bool:
    """Whether a function asks an optimizer for the options of its groups, which are numbers of Python's outside of steps."""
    match node:
        case cst.Attribute(value=owner, attr=cst.Name("param_groups")):
            return values(owner).kind is Kind.OPTIMIZER
    return False


def _is_tensor(node: cst.BaseExpression | None, values: Values) -> bool:
    return node is not None and values(node).kind is Kind.TENSOR


def tests_tensor(node: cst.BaseExpression, values: Values) -> bool:
    """Whether the truth of an expression depends on the values of a tensor."""
    if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Not):
        return tests_tensor(node.expression, values)
    if isinstance(node, cst.BooleanOperation):
        return tests_tensor(node.left, values) or tests_tensor(node.right, values)
    if isinstance(node, cst.Comparison):
        return values(node).kind is Kind.TENSOR or _chains_tensors(node, values)
    if isinstance(node, cst.Call) and values.torch_name(node.func) in PREDICATES:
        return True
    return (values(node).kind is Kind.TENSOR and not isinstance(node, (cst.Name, cst.Attribute))) or values(
        node
    ).rank == 0


def _chains_tensors(node: cst.Comparison, values: Values) -> bool:
    """Whether `a < b < c` compares a tensor."""
    parts = [node.left, *(item.comparator for item in node.comparisons)]
    orders = (cst.LessThan, cst.LessThanEqual, cst.GreaterThan, cst.GreaterThanEqual, cst.Equal, cst.NotEqual)
    return (
        len(parts) > 2
        and all(isinstance(item.operator, orders) for item in node.comparisons)
        and any(values(item).kind is Kind.TENSOR for item in parts)
    )


def _is_masked(node: cst.Subscript, values: Values) -> bool:
    """Whether a mask says which elements are read; what is stored where it holds has a shape that is known."""
    if values(node.value).kind is not Kind.TENSOR:
        return False
    parent, first = values.program.home(node).index.parents.get(node), node.slice[0].slice
    is_store = isinstance(parent, (cst.AssignTarget, cst.AugAssign)) and parent.target is node
    if is_store and len(node.slice) == 1:
        mask = values(first.value) if isinstance(first, cst.Index) else None
        if mask is not None and mask.kind is Kind.TENSOR and mask.dtype == "bool":
            return False
    indices = [element.slice.value for element in node.slice if isinstance(element.slice, cst.Index)]
    if any(_is_mask(index, values) for index in indices):
        return True
    return not is_store and any(_may_be_mask(index, values) for index in indices)


def _is_mask(node: cst.BaseExpression, values: Values) -> bool:
    """Whether an index selects elements by what holds for them: a tensor of truth values, or what NumPy makes of a test."""
    if values(node).kind is Kind.TENSOR and values(node).dtype is not None:
        return values(node).dtype == "bool"
    if values(node).kind is Kind.BOOL:  # which a test of arrays of NumPy is taken for, in whatever file
        return True
    if values(node).is_sequence:
        return values(node).element().kind is Kind.BOOL
    match node:
        case cst.Call(func=function, args=[cst.Arg(value=data), *_]) if values.torch_name(function) in _OF_ARRAYS:
            return _is_mask(data, values)
        case cst.Name():
            bound = values.program.definitions.only(node)
            made = bound.value if bound is not None else None
            return made is not None and not isinstance(made, cst.Name) and _is_mask(made, values)
        case cst.UnaryOperation(operator=cst.BitInvert()):
            return _is_mask(node.expression, values)
        case cst.BinaryOperation(operator=cst.BitAnd() | cst.BitOr()):
            return _is_mask(node.left, values) or _is_mask(node.right, values)
    return isinstance(node, cst.Comparison) and any(
        values(item).kind is Kind.PYTHON for item in descendants(node.left) if isinstance(item, cst.BaseExpression)
    )


def _may_be_mask(node: cst.BaseExpression, values: Values) -> bool:
    """Whether an index of which little is known is called a mask, or used as one: `~keep`, `keep & other`."""
    if values(node).kind not in _OPEN or values(node).dtype is not None:
        return False
    if isinstance(node, cst.UnaryOperation):
        return isinstance(node.operator, cst.BitInvert)
    if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, (cst.BitAnd, cst.BitOr)):
        return all(values(side).kind in _OPEN for side in (node.left, node.right))
    if isinstance(node, cst.Subscript):
        key = node.slice[0].slice
        name = values(key.value).const if isinstance(key, cst.Index) else None
    else:
        name = (dotted(node) or "").rpartition(".")[2]
    if isinstance(name, str) and "mask" in name.lower().split("_"):
        return True
    if not isinstance(node, cst.Name):
        return False
    bound = values.program.definitions.only(node)
    if bound is not None and isinstance(bound.value, (cst.Attribute, cst.Subscript)):
        return _may_be_mask(bound.value, values)
    index = values.program.home(node).index
    function = index.function_of(node)
    for other in index.names if function is not None else ():
        if other.value == node.value and index.function_of(other) is function:
            match index.parents.get(other):
                case cst.UnaryOperation(operator=cst.BitInvert()):
                    return True
                case cst.BinaryOperation(operator=cst.BitAnd() | cst.BitOr()):
                    return True
    return False


def _draws_as_read(node: cst.Attribute, values: Values) -> bool:
    """Whether an attribute is a property that draws, from keys that its object keeps."""
    for key in values(node.value).types:
        item = values.program.class_by_key.get(key)
        method = item.method(node.attr.value) if item is not None else None
        if method is not None and "property" in method.decorators and _seems_to_draw(method):
            return True
    return False


def _seems_to_draw(method: Function) -> bool:
    calls = [part for part in descendants(method.node.body) if isinstance(part, cst.Call)]
    names = [(dotted(call.func) or "").rpartition(".")[2].rstrip("_") for call in calls]
    return any(name.startswith(_DRAWN) for name in names)


def _may_draw_as_kept(call: cst.Call, values: Values) -> bool:
    """Whether a call runs an object of another file that draws, there perhaps from keys that it keeps."""
    return any(
        item.name == "__call__" and item.owner is not None and not item.owner.is_module and _seems_to_draw(item)
        for item in values.callees.get(call, ())
        if item.node not in values.program.functions
    )


def _draws_on_host(node: cst.Call, values: Values) -> bool:
    """Whether a call draws from the generators of Python and NumPy, or from a `torch.Generator`, which it changes."""
    function = str(values(node.func).const) if values(node.func).kind is Kind.PYTHON else ""
    if function.startswith(("random.", "numpy.random.", "secrets.")):
        return True
    if isinstance(node.func, cst.Attribute) and node.func.attr.value in _HOST_DRAWS:
        if values(node.func.value).kind is Kind.PYTHON and values(node.func).kind is not Kind.PYTHON:
            return True  # an object of theirs: `rng.normal()`, not `np.power()`
    generators = (item.value for item in node.args if item.keyword is not None and item.keyword.value == "generator")
    return any(values(item).kind is not Kind.NONE for item in generators)


def _call_obstacle(node: cst.Call, values: Values) -> str | None:
    name = values.torch_name(node.func)
    if _draws_on_host(node, values):
        return f"`{dotted(node.func) or 'a generator'}` gives another number each time"
    if draws_as_called(values(node.func)) or _may_draw_as_kept(node, values):
        return f"`{dotted(node.func) or 'a transform'}` may draw numbers of the host"
    arguments = [item.value for item in node.args if item.keyword is None]
    if isinstance(node.func, cst.Attribute) and name is None:
        method = node.func.attr.value
        if values(node.func.value).kind is Kind.TENSOR:
            if method in _HOST_METHODS:
                return f"`.{method}()` reads a tensor"
            if method in _DYNAMIC_METHODS:
                return f"the shape of `.{method}()` depends on values"
            if method == "repeat_interleave" and _counts_by_tensor(node.args, values):
                return f"a tensor says how large the result of `.{method}()` is"
            if method in _SIZED_METHODS and any(_is_size(item, values) for item in arguments):
                return f"a tensor says how large the result of `.{method}()` is"
        if method in _HOST_METHODS and not node.args and values(node.func.value).kind is Kind.UNKNOWN:
            if not values.program.defines_method(method):
                return f"`.{method}()` reads what may be a tensor"
        path = dotted(node.func) or ""
        if path.partition(".")[0] in ("math", "np", "numpy") and any(_is_tensor(item, values) for item in arguments):
            return f"`{path}` reads a tensor"
        if path.partition(".")[0] in ("np", "numpy") and reads_kept_array(node, values):
            return f"`{path}` reads an array that a module keeps"
        if path.startswith(_DRAWS):
            return f"`{path}` draws from another generator than JAX's"
        if path in _CLOCKS:
            return "it reads the clock"
        if method in LOGS and values(node.func.value).kind in (Kind.UNKNOWN, Kind.PYTHON, Kind.OBJECT):
            return f"`{path}` writes a log"
    if name in _FILES:
        return f"`{name}` works with files"
    if name in _DYNAMIC_FUNCTIONS or (name == "torch.where" and len(node.args) == 1):
        return f"the shape of `{name}` depends on values"
    if name == "torch.nn.functional.one_hot" and _leaves_classes_open(node, values):
        return f"the shape of `{name}` depends on values"
    if name == "torch.repeat_interleave" and (len(node.args) == 1 or _counts_by_tensor(node.args[1:], values)):
        return f"a tensor says how large the result of `{name}` is"
    if name in _SIZED_FUNCTIONS and any(_is_size(item, values) for item in arguments):
        return f"a tensor says how large the result of `{name}` is"
    if isinstance(node.func, cst.Name) and node.args:
        word = node.func.value
        if word in _CONVERSIONS and _is_tensor(node.args[0].value, values):
            return f"`{word}(...)` reads a tensor"
        if word == "range" and any(_is_tensor(item, values) for item in arguments):
            return "a tensor says how often a loop runs"
        if word in _COMPARING and len(arguments) > 1 and any(_is_tensor(item, values) for item in arguments):
            return f"`{word}(...)` compares tensors"
        if (word in _CONVERSIONS or word == "range") and reads_kept_array(node, values):
            return f"`{word}(...)` reads an array that a module keeps"
        if word == "print":
            return "it prints"
        if word in ("open", "input"):
            return f"`{word}(...)` speaks to the world outside"
    return None


def _leaves_classes_open(call: cst.Call, values: Values) -> bool:
    """Whether `F.one_hot(x)` is not told how many classes there are: as many as the highest number says."""
    named = [item.value for item in call.args if item.keyword is not None and item.keyword.value == "num_classes"]
    classes = named or [item.value for item in call.args if item.keyword is None][1:]
    return not classes or values(classes[0]).const == -1


def _counts_by_tensor(arguments: Sequence[cst.Arg], values: Values) -> bool:
    """Whether a tensor says how often `repeat_interleave` repeats each row; `output_size` is what its result has."""
    words = {item.keyword.value: item.value for item in arguments if item.keyword is not None}
    repeats = words.get("repeats") or next((item.value for item in arguments if item.keyword is None), None)
    return repeats is not None and values(repeats).kind is Kind.TENSOR and "output_size" not in words


def _is_size(node: cst.BaseExpression, values: Values) -> bool:
    return values(node).kind is Kind.TENSOR and values(node).rank == 0
