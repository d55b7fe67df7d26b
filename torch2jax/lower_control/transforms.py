"""Function transforms normalized before all else: what torch says with classes and graphs, JAX says with functions.

class Square(torch.autograd.Function): ...       ->   @jax.custom_vjp
                                                      def square(x): ...
torch.autograd.grad(y, x, torch.ones_like(y))    ->   y, y_vjp = jax.vjp(y_of_x, x)
torch.utils.checkpoint.checkpoint(f, x)          ->   f(x), noted as a call whose intermediate values are computed again

The bodies are still torch's; they are translated like all other code.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import field

import libcst as cst

from torch2jax.facts.infer import Memory, infer_values
from torch2jax.lower_control.custom_gradients import normalize_classes
from torch2jax.lower_control.gradient_hooks import normalize_gradient_hooks
from torch2jax.lower_control.gradients import normalize_gradients
from torch2jax.lower_control.recomputations import normalize_recomputations
from torch2jax.normalize.gradient_helpers import GRAD, normalize_gradient_helpers
from torch2jax.normalize.leaf_backward import normalize_backward
from torch2jax.normalize.rounds import Mark, NormalizationRound
from torch2jax.ops.schema import Tables
from torch2jax.program.program import build_program
from torch2jax.records import dataclass
from torch2jax.syntax.edits import apply_edits
from torch2jax.syntax.problem import Problem
from torch2jax.syntax.quote import fit
from torch2jax.syntax.walk import Index, build_index, children, descendants
from torch2jax.values import Kind

_MENTIONED = re.compile(r"\bautograd\b|\bcheckpoint\b|\bcheckpoint_sequential\b|\bregister_hook\b")
_LEAF, _GRADIENT = re.compile(r"\brequires_grad|\bretain_grad\b"), re.compile(r"\.grad\b")
_OF_AUTOGRAD, _LEAF_NAMES = {"Function", "InplaceFunction", "grad"}, {"requires_grad", "requires_grad_", "retain_grad"}
_CHECKPOINTS = {"checkpoint", "checkpoint_sequential"}
CHECKPOINT = "torch.utils.checkpoint.checkpoint"
# What becomes of the names that are normalized; forms that cannot be followed are refused by their rows.
RESTATED = {
    "torch.autograd.Function": "a function with jax.custom_vjp",
    GRAD: "jax.vjp of a local function between inputs and outputs",
    CHECKPOINT: "the function in jax.checkpoint",
}


@dataclass(frozen=True, slots=True)
class Normalized:
    """The new module; `origins` maps each node that was made anew to one of the original module, `problems` say what could
    not be normalized; `checkpoints` are the calls that compute their intermediate values again, `marks` say more of functions.
    """

    index: Index
    origins: Mapping[cst.CSTNode, cst.CSTNode] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    checkpoints: frozenset[cst.CSTNode] = frozenset()
    marks: frozenset[Mark] = frozenset()


def normalize_transforms(index: Index, text: str, tables: Tables, named: Set[str] = frozenset()) -> Normalized:
    """Normalize the transforms of a file; `text` is its text, or enough of it to see that it has none, and `named` are the names
    that other files may have from it.
    """
    if not _has_transforms(index, text):
        return Normalized(index)
    origins: dict[cst.CSTNode, cst.CSTNode] = {}
    problems: list[Problem] = []
    checkpoints: set[cst.CSTNode] = set()
    marks: frozenset[Mark] = frozenset()
    program, memory = build_program(index), Memory()
    values = infer_values(program, tables, memory)
    for normalize in (
        normalize_recomputations,
        normalize_gradient_hooks,
        normalize_classes,
        normalize_backward,
        normalize_gradient_helpers,  # which brings inputs and outputs together
        normalize_gradients,
        normalize_checkpoints,
    ):
        for _ in range(
            20
        ):  # each round normalizes what does not lie inside of what the round normalizes, innermost first
            program.read_elsewhere, program.marks = named, marks
            work = NormalizationRound(index, program, values)
            normalize(work)
            if not work.edits.touched():
                problems += work.problems
                break
            module = apply_edits(index.module, work.edits, index.parents)
            note_origins(index, module, work.copies, origins)
            checkpoints |= work.checkpoints
            marks |= work.marks
            index = build_index(module)
            program = build_program(index)
            values = infer_values(program, tables, memory)
    return Normalized(
        index, origins, tuple(placed(item, index, origins) for item in problems), frozenset(checkpoints), marks
    )


def _has_transforms(index: Index, text: str) -> bool:
    """Whether a file has names that transforms are made of: outside of comments and other text."""
    if not _MENTIONED.search(text) and not (_LEAF.search(text) and _GRADIENT.search(text)):
        return False
    words = {name.value for name in index.names}
    return (
        ("autograd" in words and not words.isdisjoint(_OF_AUTOGRAD))
        or ("grad" in words and not words.isdisjoint(_LEAF_NAMES))
        or "register_hook" in words
        or (not words.isdisjoint(_CHECKPOINTS) and any(_may_be_imported(index, name) for name in index.names))
    )


def _may_be_imported(index: Index, name: cst.Name) -> bool:
    """Whether a name may stand for `torch.utils.checkpoint`: it is imported, called as an attribute, or asked for one."""
    parent = index.parents[name]
    if name.value not in _CHECKPOINTS or isinstance(parent, cst.ImportAlias | cst.ImportFrom):
        return name.value in _CHECKPOINTS
    around = index.parents[parent]
    if isinstance(parent, cst.Attribute) and parent.attr is name:
        return isinstance(around, cst.Attribute | cst.ImportAlias | cst.ImportFrom | cst.Call)
    return False


def placed(problem: Problem, index: Index, origins: Mapping[cst.CSTNode, cst.CSTNode]) -> Problem:
    """The problem at the node that a later round has put in the place of its own."""
    return placed_everywhere(problem, index, origins)[0]


def placed_everywhere(problem: Problem, index: Index, origins: Mapping[cst.CSTNode, cst.CSTNode]) -> Sequence[Problem]:
    """The problem at each node that later rounds have put in the place of its own: of a function that is written out where
    it is called there are several.
    """
    if problem.node in index.parents:
        return [problem]
    origin = origins.get(problem.node, problem.node)
    places = [node for node in index.nodes if origins.get(node, node) is origin]
    alike = [node for node in places if type(node) is type(problem.node)]
    return [Problem(node, problem.code, problem.fields) for node in alike or places or [index.module]]


def normalize_checkpoints(work: NormalizationRound) -> None:
    """`checkpoint(f, x, use_reentrant=False)` is `f(x)`."""
    options = {"use_reentrant", "preserve_rng_state", "determinism_check", "debug", "context_fn", "early_stop"}
    for call in reversed(work.index.calls):  # inner ones first
        name = work.values.torch_name(call.func)
        if name not in (CHECKPOINT, f"{CHECKPOINT}_sequential") or not call.args:
            continue
        first, *others = call.args
        if name != CHECKPOINT:  # in how many parts decides about memory only
            if (
                work.values(first.value).kind is not Kind.MODULE
                or len(others) < 2
                or others[0].keyword
                or others[0].star
            ):
                continue
            others = others[1:]
        kept = [item for item in others if item.keyword is None or item.keyword.value not in options]
        if first.keyword is not None or first.star:
            continue
        if any(
            item.keyword is not None and item.keyword.value in ("context_fn", "preserve_rng_state") for item in others
        ) and not all(_is_harmless(item) for item in others):
            continue
        if any(inner is not call and inner in work.edits.nodes for inner in descendants(call)):
            continue
        if kept:
            kept[-1] = kept[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
        plain = cst.Call(fit(first.value, call, "func"), kept)
        work.edits.replace(call, lambda rewrite, plain=plain: plain)  # type: ignore[misc]
        work.copies[plain] = call
        work.checkpoints.add(plain)


def _is_harmless(item: cst.Arg) -> bool:
    if item.keyword is None or item.keyword.value not in ("context_fn", "preserve_rng_state"):
        return True
    return (
        item.keyword.value == "preserve_rng_state" and isinstance(item.value, cst.Name) and item.value.value == "True"
    )


def note_origins(
    old: Index, module: cst.Module, copies: Mapping[cst.CSTNode, cst.CSTNode], origins: dict[cst.CSTNode, cst.CSTNode]
) -> None:
    """Every new node stands for the first original node below it, or for what the node around it stands for."""
    known = old.parents.keys() | {old.module}
    order: list[tuple[cst.CSTNode, list[cst.CSTNode]]] = []  # the new ones, with what is below them
    stack: list[cst.CSTNode] = [module]
    while stack:
        node = stack.pop()
        if node not in known:
            below = children(node)
            order.append((node, below))
            stack += reversed(below)
    found: dict[cst.CSTNode, cst.CSTNode] = {}

    def origin_of(node: cst.CSTNode) -> cst.CSTNode | None:
        return origins.get(node, node) if node in known else found.get(node)

    for node, below in reversed(order):
        if node in copies:
            source = copies[node]
            while source not in known and source in copies:
                source = copies[source]
            found[node] = origins.get(source, source)
        elif (first := next(filter(None, map(origin_of, below)), None)) is not None:
            found[node] = first
    for node, below in order:
        for child in below:
            if child not in known and child not in found and node in found:
                found[child] = found[node]
    origins.update(found)
