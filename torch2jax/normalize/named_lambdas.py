"""Lambdas that have a name and draw, or make modules: a function can be given a key, and takes the place of each. So does it
where a lambda that calls what it is given, or gives it back, stands among functions: calls of all of them gain the same.

block = lambda n, m: nn.Sequential(nn.Conv2d(n, m, 3), nn.ReLU())   ->   def block(n, m):
                                                                             return nn.Sequential(nn.Conv2d(n, m, 3), nn.ReLU())
MODELS = {"small": lambda: Net(8)}                                  ->   def make_small():
                                                                             return Net(8)
                                                                         MODELS = {"small": make_small}
nets = SimpleNamespace(small=lambda: Net(8))                        ->   def small():
                                                                             return Net(8)
                                                                         nets = SimpleNamespace(small=small)
step = {"heun": heun, "euler": lambda f, x: x + f(x)}[name]         ->   def make_euler(f, x):
                                                                             return x + f(x)
                                                                         step = {"heun": heun, "euler": make_euler}[name]
data = MNIST(".", transform=lambda x: x + torch.rand(1))            ->   def transform(x):
                                                                             return x + torch.rand(1)
                                                                         data = MNIST(".", transform=transform)
return lambda n: torch.rand(n) * k                                  ->   def sample(n):
                                                                             return torch.rand(n) * k
                                                                         return sample
"""

from __future__ import annotations

import re
from functools import partial

import libcst as cst

from torch2jax.facts.datasets import DATASETS, is_of
from torch2jax.facts.effects import Draw, Effects
from torch2jax.normalize.namespaces import is_namespace
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.syntax.edits import Rewriter, always
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind, Value


def normalize_named_lambdas(work: NormalizationRound) -> None:
    """Normalize all such lambdas of a file."""
    hoisted: dict[cst.SimpleStatementLine, dict[cst.Lambda, str]] = {}
    for made in work.index.every(cst.Lambda):
        assert isinstance(made, cst.Lambda)
        display = _line_of_display(work, made)
        if display is not None and (_needs_more(work, made) or _is_among_functions(work, made)):
            hoisted.setdefault(display, {})[made] = _wish(work, made)
            continue
        assign = work.index.parents[made]
        line = work.index.parents.get(assign)
        match assign, line:
            case (
                cst.Assign(targets=[cst.AssignTarget(target=cst.Name() as name)]),
                cst.SimpleStatementLine(body=[_]) as line,
            ) if _needs_more(work, made):
                work.edits.rewrite_statement(line, partial(_function, line, name, made))

    for above, functions in hoisted.items():
        names = {function: work.fresh(wish) for function, wish in functions.items()}
        for function, chosen in names.items():
            work.edits.replace(function, always(cst.Name(chosen)))
        work.edits.rewrite_statement(above, partial(_above, above, names))


def _line_of_display(work: NormalizationRound, made: cst.Lambda) -> cst.SimpleStatementLine | None:
    """The statement of a module or function in which a lambda is an element of a dict, list or tuple, a branch of a decision, or
    has a name in a namespace, and is of nothing else; or which gives it back.
    """
    parent = work.index.parents[made]
    call = work.index.parents[parent] if isinstance(parent, cst.Arg) else None
    is_named = call is not None and (is_namespace(work, call) or _calls_for_each(work, call))
    if not is_named and not isinstance(parent, (cst.DictElement, cst.Element, cst.IfExp, cst.Return)):
        return None
    for around in work.index.ancestors(made):
        if isinstance(around, cst.SimpleStatementLine):
            block = work.index.parents[around]
            is_of_class = isinstance(work.index.parents.get(block), cst.ClassDef)
            return around if len(around.body) == 1 and not is_of_class else None
        if isinstance(around, (cst.Lambda, cst.BaseComp, cst.BaseStatement)):
            return None
    return None


def _calls_for_each(work: NormalizationRound, call: cst.CSTNode) -> bool:
    """Whether a dataset of torchvision is made there, which calls what it is given for each of its pictures."""
    return isinstance(call, cst.Call) and is_of(work.values(call.func), (DATASETS,))


def _wish(work: NormalizationRound, made: cst.Lambda) -> str:
    """What a function in a display may be called: by its key, where that is a word; one in a namespace has a name."""
    element = work.index.parents[made]
    if isinstance(element, cst.Return) and work.values(made.body).kind is Kind.TENSOR:
        return "sample"
    if isinstance(element, cst.Arg) and element.keyword is not None:
        return element.keyword.value
    key = element.key if isinstance(element, cst.DictElement) else None
    word = key.evaluated_value if isinstance(key, cst.SimpleString) else None
    word = re.sub(r"\W", "_", word.lower()) if isinstance(word, str) else ""
    return f"make_{word}" if word.strip("_") else "make"


def _above(line: cst.SimpleStatementLine, names: dict[cst.Lambda, str], rewrite: Rewriter) -> list[cst.BaseStatement]:
    last = rewrite.inside(line)
    assert isinstance(last, cst.SimpleStatementLine)
    if not last.leading_lines:
        last = last.with_changes(leading_lines=[cst.EmptyLine(indent=False)])
    bare = cst.SimpleStatementLine([])
    functions = [_function(bare, cst.Name(name), made, rewrite)[0] for made, name in names.items()]
    return [*functions, last]


def _needs_more(work: NormalizationRound, made: cst.Lambda) -> bool:
    """Whether something in a lambda makes a module, or draws and cannot be given a key as it stands."""
    effects, values = work.effects, work.values
    assert effects is not None
    for call in descendants(made.body):
        if isinstance(call, cst.Call):
            makes = values(call).kind is Kind.MODULE and not values(call.func).is_a(Kind.MODULE)
            if makes and not (_is_bare(effects, values(call)) and _stands_among_bare(work, made)):
                return True
            if made not in effects.lambdas and effects.draw_of(call) is not Draw.NONE:
                return True
    return False


def _is_bare(effects: Effects, made: Value) -> bool:
    """Whether a module is a layer of torch that draws nothing and keeps nothing, whoever makes it."""
    layers = [effects.tables.layers.get(name) for name in made.types]
    is_known = bool(layers) and all(layer is not None and not effects.init_draws(layer) for layer in layers)
    return is_known and not effects.is_stateful(made) and effects.bound is None


def _stands_among_bare(work: NormalizationRound, made: cst.Lambda) -> bool:
    """Whether a lambda stands in a display in which everything is such a layer, or makes one."""
    for value in map(work.values, _beside(work, made)):
        layer = value.elem if value.kind is Kind.FUNCTION and not value.types else Value(Kind.MODULE, types=value.types)
        is_maker = value.is_a(Kind.TORCH, Kind.FUNCTION) and layer is not None and layer.kind is Kind.MODULE
        if not is_maker or not _is_bare(work.effects, layer):  # type: ignore[arg-type]
            return False
    return len(_beside(work, made)) > 0


def _is_among_functions(work: NormalizationRound, made: cst.Lambda) -> bool:
    """Whether a lambda, which calls one of its parameters or gives it back, is one of several things of which others are functions
    of the program.
    """
    parameters = {item.name.value for item in (*made.params.params, *made.params.kwonly_params)}
    called = {call.func.value for call in descendants(made.body, cst.Call) if isinstance(call.func, cst.Name)}
    given_back = {made.body.value} if isinstance(made.body, cst.Name) else set[str]()
    if not (called | given_back) & parameters:
        return False
    return any(value.kind is Kind.FUNCTION and bool(value.types) for value in map(work.values, _beside(work, made)))


def _beside(work: NormalizationRound, made: cst.Lambda) -> list[cst.BaseExpression]:
    """What stands in a display or a decision with a lambda, itself among it."""
    parent = work.index.parents[made]
    around = parent if isinstance(parent, cst.IfExp) else work.index.parents[parent]
    match around:
        case cst.IfExp():
            return [around.body, around.orelse]
        case cst.Dict() | cst.List() | cst.Tuple():
            return [item.value for item in around.elements]
    return []


def _function(
    line: cst.SimpleStatementLine, name: cst.Name, made: cst.Lambda, rewrite: Rewriter
) -> list[cst.BaseStatement]:
    inner = rewrite.inside(made)
    assert isinstance(inner, cst.Lambda)
    result = cst.SimpleStatementLine([cst.Return(inner.body)], trailing_whitespace=line.trailing_whitespace)
    return [cst.FunctionDef(name, inner.params, cst.IndentedBlock([result]), leading_lines=line.leading_lines)]


__all__ = ["normalize_named_lambdas"]
