"""The rows of the mapping tables: what they may say, and the frozen specs that they become."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field

from torch2jax.ops.rules import FUNCTIONS, SHORT_RESULTS, RuleError, parse_rule
from torch2jax.ops.signatures import SignatureError, parse_signature
from torch2jax.options import TableError as TableError
from torch2jax.records import dataclass
from torch2jax.syntax.imported import Import
from torch2jax.syntax.quote import template_holes


@dataclass(frozen=True, slots=True)
class Alternative:
    """One spelling: used if `when` holds (None: always). Either `emit` or a refusal `flag`."""

    emit: str | None
    when: str | None = None
    flag: str | None = None


@dataclass(frozen=True, slots=True)
class FunctionSpec:
    """One torch function, method, attribute or constant.

    `effects` is a subset of EFFECTS. `view`: the parameter whose storage the result may share. `same`: a function or class
    that takes the same arguments; nothing but the name changes, in calls and wherever else it stands. Where there are
    alternatives, too, it stands for the function as a value and in calls with `*` and `**`.
    """

    name: str
    signature: str
    alternatives: tuple[Alternative, ...]
    method_alternatives: tuple[Alternative, ...]
    result: object
    effects: frozenset[str]
    view: str | None
    reference: str | None
    lowering: str | None
    unsupported: str | None
    origin: str
    same: str | None = None


@dataclass(frozen=True, slots=True)
class LayerSpec:
    """One torch.nn layer. `targets` maps a target's name to how that target makes and calls the layer.

    `forward` is the signature of its call, `effects` those of the call (`rng`, `state`), `parameters` the torch names of
    its parameters. `unsupported` says why there is no translation.
    """

    name: str
    signature: str
    forward: str
    result: object
    effects: frozenset[str]
    view: str | None
    targets: Mapping[str, LayerColumn]
    unsupported: str | None
    origin: str

    def draws_parameters(self) -> bool:
        """Whether its parameters start at random, which some target says of the layer's making."""
        made = [item.emit or "" for column in self.targets.values() for item in column.make]
        draws_later = any(effect.startswith("rng") for effect in self.effects)
        return not draws_later and any("{key}" in text or "{rngs}" in text for text in made)


@dataclass(frozen=True, slots=True)
class LayerColumn:
    """A target's spelling of a layer.

    `make`: alternatives for the construction. `type`: the class for annotations and isinstance. `call`: `native` (takes
    torch's batch), `mapped` (takes one example of rank `core`), or `function` (a plain function). `result` texts may
    override what a call returns; `arguments` is the text of the call's arguments. `told`: a class of its own for a layer
    without parameters, which has torch's fields.
    """

    make: tuple[Alternative, ...]
    type: str
    call: str = "native"
    core: int | None = None
    arguments: str | None = None
    told: bool = False


def is_inplace_name(name: str) -> bool:
    """Whether a method or function is named as torch names those that change their tensor: `add_`, but not `__add__`."""
    return name.endswith("_") and not name.endswith("__")


COLUMNS = ("equinox", "nnx", "linen")
EFFECTS = frozenset({"rng", "rng-optional", "state", "host", "seed", "mode", "mutates"})
_COMMON = {"torch", "aliases", "signature", "result", "effects", "view", "check", "unsupported", "note"}
_FUNCTION_KEYS = _COMMON | {
    "method",
    "attribute",
    "constant",
    "jax",
    "jax_method",
    "reference",
    "lowering",
    "erase",
    "same",
}
_LAYER_KEYS = _COMMON | {"forward", *COLUMNS}
_COLUMN_KEYS = {"make", "type", "call", "core", "arguments"}


def _need(condition: bool, origin: str, message: str) -> None:
    if not condition:
        raise TableError(f"{origin}: {message}")


def _alternatives(value: object, origin: str, signature: str, extra: frozenset[str]) -> tuple[Alternative, ...]:
    if value is None:
        return ()
    entries = value if isinstance(value, list) else [{"emit": value}]
    result = []
    for entry in entries:
        _need(isinstance(entry, Mapping), origin, "an alternative is a mapping with `emit` or `flag`")
        unknown = set(entry) - {"when", "emit", "flag"}
        _need(not unknown, origin, f"unknown key {sorted(unknown)} in an alternative")
        _need(("emit" in entry) != ("flag" in entry), origin, "an alternative has either `emit` or `flag`")
        if entry.get("when"):
            _check_rule(str(entry["when"]), origin)
        if "emit" in entry:
            _check_holes(str(entry["emit"]), signature, origin, extra)
        emit = str(entry["emit"]) if "emit" in entry else None
        when, flag = (str(entry[key]) if entry.get(key) else None for key in ("when", "flag"))
        result.append(Alternative(emit, when, flag))
    _need(result[-1].when is None, origin, "the last alternative must be valid for everything (no `when`)")
    return tuple(result)


def _check_rule(text: str, origin: str) -> None:
    try:
        parse_rule(text)
    except RuleError as error:
        raise TableError(f"{origin}: {error}") from error


def _check_holes(emit: str, signature: str, origin: str, extra: frozenset[str]) -> None:
    names = {parameter.name for parameter in parse_signature(signature).parameters} | extra
    for hole in template_holes(emit):
        _need(hole in names, origin, f"hole {{{hole}}} is no parameter of the signature")


def _check_common(row: Mapping[str, object], origin: str) -> None:
    try:
        parse_signature(str(row.get("signature", "")))
    except SignatureError as error:
        raise TableError(f"{origin}: {error}") from error
    unknown = set(row.get("effects", ())) - EFFECTS  # type: ignore[call-overload]
    _need(not unknown, origin, f"unknown effect {sorted(unknown)}")
    _check_result(row.get("result"), origin)


def _check_result(result: object, origin: str) -> None:
    if isinstance(result, str) and "(" in result:
        _need(result.split("(")[0] in (*SHORT_RESULTS, *FUNCTIONS), origin, f"unknown result rule {result!r}")
    elif isinstance(result, Mapping) and "cases" in result:
        for case in result["cases"]:
            _need(set(case) <= {"when", "is"} and "is" in case, origin, "a case has `is` and perhaps `when`")
            if "when" in case:
                _check_rule(case["when"], origin)
            _check_result(case["is"], origin)
    elif isinstance(result, Mapping):
        unknown = set(result) - {"kind", "rank", "dtype", "items", "elem", "const", "type"}
        _need(not unknown, origin, f"unknown key {sorted(unknown)} in `result`")
        if "rank" in result:
            _check_rule(str(result["rank"]), origin)


def names_of(row: Mapping[str, object]) -> list[str]:
    """Every torch name that a row stands for: its own, aliases, methods and attributes (as `Tensor.name`)."""
    found: list[str] = []
    for key in ("torch", "aliases", "method", "attribute"):
        value = row.get(key)
        if value is not None:
            found.extend(value if isinstance(value, list) else [str(value)])
    return found


_FUNCTION_HOLES = frozenset({"key", "rng"})
_LAYER_HOLES = frozenset({"key", "rngs"})


def function_spec(row: Mapping[str, object], origin: str) -> FunctionSpec:
    """A validated function row. Raises TableError."""
    unknown = set(row) - _FUNCTION_KEYS
    _need(not unknown, origin, f"unknown key {sorted(unknown)}")
    _need(bool(names_of(row)), origin, "a row needs `torch`, `method` or `attribute`")
    _check_common(row, origin)
    default = "input" if "attribute" in row else ""
    signature = str(row.get("signature", default))
    emit = row.get("constant", row.get("jax", row.get("erase")))
    has_text = emit is not None or any(key in row for key in ("jax_method", "lowering", "same", "unsupported"))
    _need(has_text, origin, "a row needs `jax`, `constant`, `same`, `lowering` or `unsupported`")
    view = row.get("view")
    return FunctionSpec(
        names_of(row)[0],
        signature,
        _alternatives(emit, origin, signature, _FUNCTION_HOLES),
        _alternatives(row.get("jax_method"), origin, signature, _FUNCTION_HOLES),
        row.get("result"),
        frozenset(row.get("effects", ())),  # type: ignore[call-overload]
        str(view) if view else None,
        _text(row, "reference"),
        _text(row, "lowering"),
        _text(row, "unsupported"),
        origin,
        _text(row, "same"),
    )


def _text(row: Mapping[str, object], key: str) -> str | None:
    return str(row[key]) if key in row else None


def layer_spec(row: Mapping[str, object], origin: str) -> LayerSpec:
    """A validated layer row. Raises TableError."""
    unknown = set(row) - _LAYER_KEYS
    _need(not unknown, origin, f"unknown key {sorted(unknown)}")
    _check_common(row, origin)
    signature = str(row.get("signature", ""))
    forward = str(row.get("forward", "input"))
    columns = {}
    for target in COLUMNS:
        if target in row:
            columns[target] = _column(row[target], f"{origin} ({target})", signature)
    view = row.get("view")
    return LayerSpec(
        str(row["torch"]),
        signature,
        forward,
        row.get("result", "like(input)"),
        frozenset(row.get("effects", ())),  # type: ignore[call-overload]
        str(view) if view else None,
        columns,
        _text(row, "unsupported"),
        origin,
    )


def _column(value: object, origin: str, signature: str) -> LayerColumn:
    _need(isinstance(value, Mapping), origin, "a target's column is a mapping")
    assert isinstance(value, Mapping)
    unknown = set(value) - _COLUMN_KEYS
    _need(not unknown, origin, f"unknown key {sorted(unknown)}")
    _need("make" in value, origin, "a target's column needs `make`")
    call = str(value.get("call", "native"))
    _need(call in ("native", "mapped", "function"), origin, f"unknown call style {call!r}")
    make = _alternatives(value["make"], origin, signature, _LAYER_HOLES)
    text = next((alternative.emit for alternative in make if alternative.emit), "")
    return LayerColumn(
        make,
        str(value.get("type", text.split("(")[0])),
        call,
        value.get("core"),
        str(value["arguments"]) if "arguments" in value else None,
    )


@dataclass(frozen=True, slots=True)
class Tables:
    """All rows, by torch name. Methods and attributes are filed under `Tensor.name`.

    `own` are names of other packages for which a project has rows, `imports` the names that texts of such rows use, by
    target. `told` are layers without parameters that have classes of their own, since the program asks for them; `asked` are
    all names of classes, and of variables that hold such, that it asks for.
    """

    functions: Mapping[str, FunctionSpec]
    layers: Mapping[str, LayerSpec]
    optimizers: Mapping[str, FunctionSpec] = field(default_factory=dict)
    own: frozenset[str] = frozenset()
    imports: Mapping[str, Mapping[str, Import]] = field(default_factory=dict)
    told: frozenset[str] = frozenset()
    asked: frozenset[str] = frozenset()

    def is_function(self, name: str) -> bool:
        """Whether a layer holds nothing but a function: it has no parameters and no state."""
        columns = self.layers[name].targets.values() if name in self.layers else ()
        return any(column.call == "function" for column in columns)

    def has_own(self, name: str) -> bool:
        """Whether there are own rows for a name or for something in the module of that name."""
        return name in self.own or any(item.startswith(f"{name}.") for item in self.own)

    def method(self, name: str) -> FunctionSpec | None:
        return self.functions.get(f"Tensor.{name}")

    def method_of(self, types: Iterable[str], name: str) -> FunctionSpec | None:
        """The row of a method or attribute that objects of all these types have in common.

        A type names a class behind those that it derives from, as in `Distribution.Normal`; the nearest row counts.
        """
        found = {self._nearest(item.split("."), name) for item in types}
        return self.functions[found.pop() or ""] if len(found) == 1 and None not in found else None

    def _nearest(self, classes: list[str], name: str) -> str | None:
        keys = [f"{item}.{name}" for item in reversed(classes)]
        return next((key for key in keys if key in self.functions), None)
