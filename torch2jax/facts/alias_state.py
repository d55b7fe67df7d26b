"""What the names of a function, and the slots of its lists, tuples and dictionaries, hold at one point: which storage, and
how a view was cut from it. `views` walks from one such state to the next.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import field, replace
from functools import lru_cache

import libcst as cst

from torch2jax.facts.storage import BASE, Held, Maybe, Object, Ref, Step, Tensor
from torch2jax.records import dataclass
from torch2jax.syntax.codegen import code
from torch2jax.values import Kind

UNKNOWN_ORIGIN: Object = ("*",)
"""Stands beside the storage that something may have for whatever has gone somewhere."""

_OF_SHAPE = "shape|size|dim|ndim|numel|dtype|device"
OPEN = "open"  # what a place has that comes from anywhere, told apart from what has come elsewhere


def open_object(node: cst.CSTNode) -> frozenset[Object]:
    """What comes from anywhere, told by the variable or the place in the text."""
    return frozenset({UNKNOWN_ORIGIN, (OPEN, node.value if isinstance(node, cst.Name) else node)})


def known_objects(objects: Collection[Object]) -> frozenset[Object]:
    """Without what comes from anywhere, of which it is not known whether it is storage at all."""
    return frozenset(item for item in objects if item != UNKNOWN_ORIGIN and OPEN not in item[:2])


@dataclass(frozen=True, slots=True)
class Box:
    """A container: what its slots hold, by the text of their index. `exact`: these are all of them; `rest` holds for the
    others, of which `fresh` says that each is a tensor of its own.
    """

    kind: Kind
    slots: dict[str, Ref] = field(default_factory=dict)
    exact: bool = True
    fresh: bool = False
    rest: Ref = None

    @property
    def holds_fresh(self) -> bool:
        """Whether all that it holds, if it holds anything, are tensors of their own without a place that is known."""
        return self.fresh or (self.exact and not self.slots and self.rest is None)


@dataclass(slots=True)
class State:
    """What is known at one point."""

    names: dict[str, Ref] = field(default_factory=dict)
    boxes: dict[Object, Box] = field(default_factory=dict)
    stale: set[str] = field(default_factory=set)
    escaped: set[Object] = field(default_factory=set)

    def copy(self) -> State:
        return State(dict(self.names), dict(self.boxes), set(self.stale), set(self.escaped))

    def escape(self, objects: frozenset[Object]) -> None:
        """Some storage has gone somewhere, and may come back from anywhere."""
        is_told = any(item[0] == OPEN or item[:2] == ("old", OPEN) for item in objects)
        self.escaped |= objects - {UNKNOWN_ORIGIN} if is_told else objects

    def anywhere(self) -> frozenset[Object]:
        """What may come back from where something has gone."""
        known = known_objects(self.escaped)
        return known if len(known) == len(self.escaped) else known | {UNKNOWN_ORIGIN}

    def objects(self, ref: Ref, depth: int = 4) -> frozenset[Object]:
        """All storage that can be reached."""
        match ref:
            case Tensor(object=("item", box_key, *_)) if depth and box_key in self.boxes:
                slots = self.boxes[box_key].slots.values()
                made = frozenset({ref.object, ("box", box_key)})
                return made.union(*(self.objects(item, depth - 1) for item in slots))
            case Tensor(object=("slot", box_key, *_)):  # `box` stands for each of the tensors of a container
                return frozenset({ref.object, ("box", box_key)})
            case Tensor():
                return frozenset({ref.object})
            case Maybe():
                return ref.objects
            case Held() if depth and ref.box in self.boxes:
                box = self.boxes[ref.box]
                inner = [*box.slots.values(), box.rest]
                found: frozenset[Object] = frozenset({("box", ref.box)}) if box.fresh else frozenset()
                return found.union(*(self.objects(item, depth - 1) for item in inner))
        return frozenset()

    def joined(self, other: State) -> State:
        """What holds on both ways."""
        result = State(stale=self.stale | other.stale, escaped=self.escaped | other.escaped)
        for name in {**self.names, **other.names}:
            if name in self.names and name in other.names:
                result.names[name] = self._either(self.names[name], other, other.names[name])
                continue
            ref = self.names[name] if name in self.names else other.names[name]
            if is_field_text(name):  # on the other way, it is what it was
                ref = Maybe(self.objects(ref) | other.objects(ref) | {("field", name)})
            result.names[name] = ref
        blurred: list[Object] = []
        for key in {**self.boxes, **other.boxes}:
            left, right = self.boxes.get(key), other.boxes.get(key)
            if left is None or right is None or left == right:
                result.boxes[key] = left or right  # type: ignore[assignment]
                continue
            slots = {
                slot: self._either(left.slots[slot], other, right.slots[slot])
                for slot in left.slots
                if slot in right.slots
            }
            made = [("slot", key, slot) for slot in {**left.slots, **right.slots} if slot not in slots]
            lost = [box.slots[slot] for box in (left, right) for slot in box.slots if slot not in slots]
            if (
                left.fresh
                and right.fresh
                and lost
                and all(isinstance(ref, Tensor) and ref.object in made for ref in lost)
            ):
                blurred += made  # which are some of the tensors of the container, each still its own
                lost = []
            rest = [item for item in (left.rest, right.rest, *lost) if item is not None]
            objects = frozenset[Object]().union(*(self.objects(item) | other.objects(item) for item in rest))
            result.boxes[key] = Box(
                left.kind,
                slots,
                left.exact and right.exact and not lost,
                (left.fresh or right.fresh) and left.holds_fresh and right.holds_fresh and not lost,
                Maybe(objects) if rest else None,
            )
        for item in blurred:
            grow_old(item, result, ("box", item[1]))
        return result

    def _either(self, left: Ref, state: State, right: Ref) -> Ref:
        if left == right:
            return left
        objects = self.objects(left) | state.objects(right)
        return Maybe(objects) if objects else None


@dataclass(frozen=True, slots=True)
class Holder:
    """A place that holds a tensor: how it reads, how it is assigned to, and whether somebody may look at it later."""

    text: str
    ref: Ref
    live: bool
    assigned: str | None  # a statement with `NEW` for what is assigned; None: it cannot be
    root: str
    slot: tuple[Object, str] | None = None

    def is_same(self, other: Holder) -> bool:
        return self.text == other.text or (self.slot is not None and self.slot == other.slot)


@dataclass(slots=True)
class Loop:
    """A loop over the rows of a tensor or the slots of a container: `index` is the name that counts them."""

    node: cst.For
    over: str
    index: str
    target: cst.BaseAssignTargetExpression
    item: cst.BaseExpression | None  # in the header, in the place of which an enumeration can stand
    object: Object | None = None
    path: tuple[Step, ...] = ()
    step: Step | None = None
    counted: bool = False  # by the program itself
    wanted: bool = False
    ranged: bool = False


def row_step(number: int, count: int) -> Step:
    text = f"{BASE}[{number}]"
    return Step(text, text, True, cut=("index", number), count=count)


def grow_old(made: Object, state: State, into: Object | None = None) -> None:
    """What holds an object of an earlier round of a loop, or one that is told apart no longer from those of `into`."""
    old: Object = into if into is not None else ("old", *made)

    def aged(ref: Ref) -> Ref:
        if isinstance(ref, Tensor) and ref.object == made:
            return Maybe(frozenset({old}))
        if isinstance(ref, Maybe) and made in ref.objects:
            return Maybe((ref.objects - {made}) | {old})
        return ref

    def is_it(ref: Ref) -> bool:
        if type(ref) is Tensor:
            return ref.object == made
        return type(ref) is Maybe and made in ref.objects

    if made in state.escaped:
        state.escaped = (state.escaped - {made}) | {old}
    if not any(map(is_it, _refs(state))):
        return
    state.names = {name: aged(ref) for name, ref in state.names.items()}
    state.boxes = {
        key: replace(box, slots={slot: aged(ref) for slot, ref in box.slots.items()}, rest=aged(box.rest))
        for key, box in state.boxes.items()
    }


def age_kept(state: State, live: Collection[str]) -> None:
    """At the end of a loop's round: what has been made in it, and only containers still hold, or whoever has got it, the next
    round makes anew.
    """
    named = {ref.object for name, ref in state.names.items() if name in live and isinstance(ref, Tensor)}
    held = {item for ref in _refs(state) for item in state.objects(ref)} | state.escaped
    for made in held - named:
        if made[0] == "new":
            grow_old(made, state)


def blur_path(step: Step, state: State) -> None:
    """What was made by a step in an earlier round of a loop may be something else than what it makes now."""

    def blurred(ref: Ref) -> Ref:
        return Maybe(state.objects(ref)) if isinstance(ref, Tensor) and step in ref.path else ref

    if any(isinstance(ref, Tensor) and step in ref.path for ref in _refs(state)):
        state.names = {name: blurred(ref) for name, ref in state.names.items()}
        state.boxes = {
            key: replace(box, slots={slot: blurred(ref) for slot, ref in box.slots.items()}, rest=blurred(box.rest))
            for key, box in state.boxes.items()
        }


def _refs(state: State) -> Iterator[Ref]:
    """What all names and all slots hold."""
    yield from state.names.values()
    for box in state.boxes.values():
        yield from box.slots.values()
        yield box.rest


def merged(left: State | None, right: State | None) -> State | None:
    if left is None or right is None:
        return left or right
    return left.joined(right)


def path_of(holder: Holder) -> tuple[Step, ...]:
    assert isinstance(holder.ref, Tensor)
    return holder.ref.path


def is_sure(ref: Tensor) -> bool:
    """Whether it is known how a view is made of its object."""
    return not any("?" in step.names for step in ref.path)


def is_prefix(short: tuple[Step, ...], long: tuple[Step, ...]) -> bool:
    return long[: len(short)] == short


def common_path(left: tuple[Step, ...], right: tuple[Step, ...]) -> tuple[Step, ...]:
    count = 0
    for one, other in zip(left, right, strict=False):
        if one != other:
            break
        count += 1
    return left[:count]


def made_along(text: str, steps: Sequence[Step]) -> str:
    for step in steps:
        text = step.made.replace(BASE, text)
    return text


def without_words(ref: Ref, name: str) -> Ref:
    """A view whose words speak of a variable that now has another value cannot be made, nor given back."""
    if isinstance(ref, Tensor) and ref.object[0] == "item" and isinstance(ref.object[2], str):
        if speaks_of(ref.object[2], name):
            return Tensor(("item", ref.object[1], None), ref.path)
    if not isinstance(ref, Tensor) or not any(name in step.names for step in ref.path):
        return ref
    path = tuple(
        replace(step, names=frozenset({"?"}), back=None, stores=False, cut=None) if name in step.names else step
        for step in ref.path
    )
    return Tensor(ref.object, path)


def reads_values(step: Step, place: str) -> bool:
    """Whether the words of a view read the values of the tensor at a place, and not only its shape."""
    whole = rf"(?<![\w.]){re.escape(place)}(?!\w)"
    of_shape = rf"len\({re.escape(place)}\)|{whole}\.(?:{_OF_SHAPE})\b"
    return any(re.search(whole, re.sub(of_shape, "", text)) for text in (step.made, step.back or ""))


def key_text(node: cst.BaseExpression) -> str | None:
    try:
        return repr(ast.literal_eval(code(node)))
    except (ValueError, SyntaxError):
        return code(node) if isinstance(node, cst.Name) else None


def slot_key(node: cst.Subscript) -> str | None:
    """The index of a slot."""
    if len(node.slice) != 1 or not isinstance(node.slice[0].slice, cst.Index):
        return None
    return key_text(node.slice[0].slice.value)


def quoted_key(key: str) -> str:
    """A key as it is written most of the time."""
    return f'"{key[1:-1]}"' if key.startswith("'") and '"' not in key else key


@lru_cache(maxsize=8192)
def is_constant(key: str) -> bool:
    try:
        ast.literal_eval(key)
    except (ValueError, SyntaxError):
        return False
    return True


def is_field_text(text: str) -> bool:
    """Whether a statement assigns to a field."""
    return "." in text.partition("=")[0].partition("[")[0]


def speaks_of(key: str, name: str) -> bool:
    return not is_constant(key) and name in words_of(key)


@lru_cache(maxsize=8192)
def words_of(text: str) -> frozenset[str]:
    return frozenset([node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)])


@lru_cache(maxsize=8192)
def read_by(text: str) -> frozenset[str]:
    """The variables that an assignment reads."""
    names = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name))
    return frozenset([node.id for node in names if isinstance(node.ctx, ast.Load)])


@lru_cache(maxsize=8192)
def assigned_root(text: str) -> str:
    """The variable to which a statement assigns."""
    target: ast.expr = ast.parse(text).body[0].targets[0]  # type: ignore[attr-defined]
    while isinstance(target, (ast.Subscript, ast.Attribute)):
        target = target.value
    return target.id if isinstance(target, ast.Name) else ""


def root_of(node: cst.CSTNode) -> str | None:
    """The variable at the bottom of an expression."""
    while True:
        match node:
            case cst.Name():
                return node.value
            case cst.Attribute() | cst.Subscript():
                node = node.value
            case cst.Call(func=cst.Attribute() as func):
                node = func.value
            case _:
                return None


def name_for_view(root: str, node: cst.BaseExpression) -> str:
    """A name for a view."""
    match node:
        case cst.Call(func=cst.Attribute(attr=cst.Name(value="view" | "reshape" | "flatten" | "ravel"))):
            return f"{root}_flat"
        case (
            cst.Attribute(attr=cst.Name(value="T" | "mT"))
            | cst.Call(func=cst.Attribute(attr=cst.Name(value="t" | "transpose" | "permute")))
        ):
            return f"{root}_t"
        case cst.Call(func=cst.Attribute(attr=cst.Name(value="diagonal"))):
            return f"{root}_diagonal"
    return f"{root}_part"
