"""Which expressions have the same shape and dtype, whatever the values: what the branches of compiled code must agree in."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import field
from functools import lru_cache

import libcst as cst

from torch2jax.facts.infer import Values, structured
from torch2jax.ops.schema import Tables, is_inplace_name
from torch2jax.program.program import Function, Program, dotted
from torch2jax.records import dataclass
from torch2jax.syntax.codegen import code
from torch2jax.syntax.walk import children, descendants
from torch2jax.values import Kind, Value

SCALAR = "()"
AXES = "axes"
_CELLS = frozenset({"torch.nn.RNNCell", "torch.nn.GRUCell"})
_FILLED = frozenset({"zeros", "ones", "rand", "randn", "new_zeros", "new_ones"})
_KEEPING = frozenset(
    "abs add addcdiv addcmul ceil clamp clamp_max clamp_min clip clone contiguous cumprod cumsum detach div "
    "empty_like fill flip float floor full_like isfinite isinf isnan lerp log_softmax logical_and logical_not "
    "logical_or masked_fill maximum minimum mul nan_to_num neg negative ones_like pow rand_like randn_like relu "
    "requires_grad_ roll round sign softmax square sub to type_as where zeros_like".split()
)
_SAME_DTYPE = frozenset(
    "sum mean amax amin norm std var prod logsumexp matmul mm bmm view reshape transpose permute squeeze unsqueeze expand "
    "flatten index_select gather median quantile diff linear t".split()
)
_LAYERS = frozenset(
    f"torch.nn.{name}"
    for name in "ReLU ReLU6 GELU SiLU Mish Tanh Sigmoid ELU LeakyReLU PReLU Softplus Softmax LogSoftmax Dropout LayerNorm "
    "RMSNorm BatchNorm1d BatchNorm2d BatchNorm3d GroupNorm InstanceNorm1d InstanceNorm2d Identity Hardtanh".split()
)
_WEAK = {Kind.FLOAT: "a float", Kind.INT: "an int", Kind.BOOL: "bool"}
_OPEN = ("a float", "an int")


@lru_cache(maxsize=2048)
def reads_in(node: cst.CSTNode) -> frozenset[str]:
    """The names that stand for values below a node: no attributes and no keywords."""
    match node:
        case cst.Name(value=name):
            return frozenset({name})
        case cst.Attribute():
            return reads_in(node.value)
        case cst.Arg():
            return reads_in(node.value)
    return frozenset(name for child in children(node) for name in reads_in(child))


@dataclass(frozen=True, slots=True)
class Form:
    """A shape and a dtype by names of their own: equal ones are equal, `None` is unknown."""

    shape: Hashable | None = None
    dtype: Hashable | None = None

    def agrees(self, other: Form) -> bool:
        """Whether two values surely have the same shape and, as arrays, the same dtype."""
        if self.shape is None or self.dtype is None or self.shape != other.shape:
            return False
        if self.dtype == other.dtype:
            return True
        weak, strong = (self.dtype, other.dtype) if self.dtype == "a float" else (other.dtype, self.dtype)
        return weak == "a float" and (not isinstance(strong, str) or strong.startswith(("float", "bfloat")))


UNKNOWN_FORM = Form()
Forms = Mapping[str, Form]


@dataclass(frozen=True, slots=True)
class Alike:
    """Forms of expressions, given those of names that have been bound anew."""

    program: Program
    values: Values
    tables: Tables
    _bound: dict[Function, dict[str, list[cst.BaseExpression | None]]] = field(default_factory=dict)

    def form(self, node: cst.BaseExpression, known: Forms) -> Form:
        """The form of an expression where `known` names have other forms than what infers says of them."""
        value = self.values(node)
        if value.is_number and not reads_in(node) & known.keys():
            return Form(SCALAR, _WEAK[value.kind])
        found = self._structure(node, known, value)
        if reads_in(node) & known.keys():
            return found
        shape = SCALAR if value.rank == 0 and value.kind is Kind.TENSOR else found.shape
        dtype = value.dtype if value.dtype is not None and value.kind is Kind.TENSOR else found.dtype
        return Form(shape, dtype)

    def _structure(self, node: cst.BaseExpression, known: Forms, value: Value) -> Form:
        match node:
            case cst.Name():
                return known.get(node.value) or self._text(node, value)
            case cst.UnaryOperation(operator=cst.Not()):
                return Form(SCALAR, "bool")
            case cst.UnaryOperation():
                return self.form(node.expression, known)
            case cst.BinaryOperation():
                one, other = self.form(node.left, known), self.form(node.right, known)
                if isinstance(node.operator, cst.MatrixMultiply):
                    return UNKNOWN_FORM
                mixed = together(one, other)
                if isinstance(node.operator, cst.Divide) and mixed.dtype == "an int":
                    return Form(mixed.shape, "a float")
                return mixed
            case cst.Comparison(comparisons=[only]):
                both = together(self.form(node.left, known), self.form(only.comparator, known))
                return Form(both.shape, "bool")
            case cst.IfExp():
                return self._either(node.body, node.orelse, known)
            case cst.Call():
                return self._call(node, known, value)
            case cst.Subscript():
                found = self._part(node, known)
                if found is not None:
                    return found
        return self._text(node, value) if not reads_in(node) & known.keys() else UNKNOWN_FORM

    def _part(self, node: cst.Subscript, known: Forms) -> Form | None:
        """`x[:, t]`: the axes but those at which one place is taken."""
        whole = self.form(node.value, known)
        if not isinstance(whole.shape, tuple) or whole.shape[0] != AXES or len(node.slice) >= len(whole.shape):
            return None
        axes = list(whole.shape[1:])
        kept: list[Hashable] = []
        for element in node.slice:
            axis = axes.pop(0)
            match element.slice:
                case cst.Slice(lower=None, upper=None, step=None):
                    kept.append(axis)
                case cst.Index(value=value) if self.values(value).kind is Kind.INT:
                    continue
                case _:
                    return None
        return Form((AXES, *kept, *axes) if kept or axes else SCALAR, whole.dtype)

    def _text(self, node: cst.BaseExpression, value: Value) -> Form:
        """What has no known form is the same wherever it is said in the same words."""
        if value.kind is not Kind.TENSOR:
            return UNKNOWN_FORM
        if isinstance(node, cst.Name) and (said := self._definition(node)) is not None:
            found = self.form(said, {})
            if found.shape is not None and found.dtype is not None:
                return Form(SCALAR if value.rank == 0 else found.shape, value.dtype or found.dtype)
        words = code(node)
        return Form(self.shape_of(node, words, value), value.dtype or ("dtype of", words))

    def shape_of(self, node: cst.CSTNode, words: str, value: Value) -> Hashable:
        """The shape of what is said in these words: by its axes, where their number is known."""
        if value.rank == 0:
            return SCALAR
        rank = value.rank or len(self._unpacked(node, words) or ())
        if not rank or not isinstance(node, (cst.Name, cst.Attribute)):
            return ("shape of", words)
        return (AXES, *((words, axis) for axis in range(rank)))

    def _unpacked(self, node: cst.CSTNode, words: str) -> list[str] | None:
        """The names `b, n, d` of `b, n, d = x.shape`."""
        function = self.program.function_around(node)
        if function is None or len(self._bindings(function).get(words, [])) > (words not in function.parameter_names):
            return None
        for item in descendants(function.node.body):
            if isinstance(item, cst.Assign) and isinstance(item.targets[0].target, cst.Tuple):
                if code(item.value) in (f"{words}.shape", f"{words}.size()"):
                    names = [element.value for element in item.targets[0].target.elements]
                    return [name.value if isinstance(name, cst.Name) else "" for name in names]
        return None

    def length(self, node: cst.BaseExpression) -> Hashable:
        """A length by a name of its own: that of an axis where it is one, else how it is said."""
        match node:
            case cst.Subscript(value=cst.Attribute(value=cst.Name(value=name), attr=cst.Name("shape")), slice=[only]):
                if isinstance(only.slice, cst.Index) and isinstance(only.slice.value, cst.Integer):
                    return (name, int(only.slice.value.value))
            case cst.Call(func=cst.Attribute(value=cst.Name(value=name), attr=cst.Name("size")), args=[only]):
                if isinstance(only.value, cst.Integer):
                    return (name, int(only.value.value))
            case cst.Call(func=cst.Name("len"), args=[cst.Arg(value=cst.Name(value=name))]):
                return (name, 0)
            case cst.Name(value=name):
                function = self.program.function_around(node)
                bound = self._bindings(function) if function is not None else {}
                if function is not None and len(bound.get(name, [])) == 1:
                    said = self._definition(node)
                    if said is not None:
                        return self.length(said)
                    for item in descendants(function.node.body):
                        if isinstance(item, cst.Assign) and isinstance(item.targets[0].target, cst.Tuple):
                            source = code(item.value).removesuffix(".shape").removesuffix(".size()")
                            names = self._unpacked(node, source) or []
                            if name in names:
                                return (source, names.index(name))
            case cst.Attribute(value=cst.Name("self"), attr=cst.Name(value=name)):
                return self._made_field(node, name) or code(node)
        return code(node)

    def _made_field(self, node: cst.CSTNode, name: str) -> str | None:
        """What `self.name` is in the words of `__init__`."""
        made = self._field(node, name)
        return code(made) if made is not None and isinstance(made, (cst.Name, cst.Integer)) else None

    def _bindings(self, function: Function) -> dict[str, list[cst.BaseExpression | None]]:
        if function not in self._bound:
            self._bound[function] = _bindings(function)
        return self._bound[function]

    def _definition(self, node: cst.Name) -> cst.BaseExpression | None:
        """What a variable is bound to, once and for all, where that is said with variables that never change, too."""
        function = self.program.function_around(node)
        if function is None:
            return None
        found = self._bindings(function).get(node.value, [])
        if len(found) != 1 or found[0] is None or node.value in function.parameter_names:
            return None
        steady = all(self._is_steady(name, function) for name in reads_in(found[0]))
        return found[0] if steady else None

    def _is_steady(self, name: str, function: Function, depth: int = 8) -> bool:
        found = self._bindings(function).get(name, [])
        if not found:
            return True  # a parameter, or something from around
        if len(found) != 1 or found[0] is None or name in function.parameter_names or not depth:
            return False
        return all(self._is_steady(item, function, depth - 1) for item in reads_in(found[0]))

    def _either(self, one: cst.BaseExpression, other: cst.BaseExpression, known: Forms) -> Form:
        first, second = self.form(one, known), self.form(other, known)
        return merged(first, second)

    def _call(self, node: cst.Call, known: Forms, value: Value) -> Form:
        short = structured(node)
        arguments = [item.value for item in node.args if item.keyword is None and not item.star]
        if short in ("cond", "where") and len(arguments) >= 3:
            one, other = (self._given_back(item, known) for item in arguments[1:3])
            return merged(one, other)
        if any(item.keyword is not None and item.keyword.value in ("dtype", "size") for item in node.args):
            return self._plain(node, known, value)
        if isinstance(node.func, cst.Attribute) and self.values(node.func.value).kind is Kind.TENSOR:
            arguments = [node.func.value, *arguments]
            word = node.func.attr.value
        else:
            word = (self.values.torch_name(node.func) or "").rpartition(".")[2]
        rule = self._rule(node, word)
        if rule is not None and arguments and self._is_tensor(arguments[0], known):
            form = self.form(arguments[0], known)
            exact = value.dtype if value.kind is Kind.TENSOR and not reads_in(node) & known.keys() else None
            is_float = rule == "kept" or _is_floating(form) or form.dtype is None
            return Form(form.shape, exact or (form.dtype if is_float else "float32"))
        if word in _KEEPING and arguments:
            given = [item for item in arguments if self._is_tensor(item, known)]
            if not given or (word == "to" and len(arguments) > 2):
                return self._plain(node, known, value)
            form = self.form(given[0], known)
            if word not in ("type_as", "to"):
                for item in given[1:]:
                    form = Form(together(form, self.form(item, known)).shape, form.dtype)
            exact = value.dtype if value.kind is Kind.TENSOR and not reads_in(node) & known.keys() else None
            return Form(form.shape, exact or ("float32" if word == "float" else form.dtype))
        if self.values(node.func).kind is Kind.MODULE and len(arguments) == 1:
            return self._layer(node, arguments[0], known, value)
        if self.values(node.func).types and self.values(node.func).types <= _CELLS and len(arguments) == 2:
            return self.form(arguments[1], known)
        if word in _FILLED and arguments and not (reads_in(node) & known.keys()):
            sizes = arguments[1:] if self.values.torch_name(node.func) is None else arguments
            if len(sizes) == 1 and isinstance(sizes[0], (cst.Tuple, cst.List)):
                sizes = [item.value for item in sizes[0].elements]
            if not any(item.star for item in node.args):
                return Form((AXES, *(self.length(item) for item in sizes)), value.dtype or "float32")
        return self._plain(node, known, value)

    def _rule(self, node: cst.Call, word: str) -> str | None:
        """`kept` or `floating`, where the row of a function says that it keeps the shape of its first argument."""
        name = self.values.torch_name(node.func)
        row = self.tables.functions.get(name) if name is not None else self.tables.method(word)
        rule = row.result.partition("(")[0] if row is not None and isinstance(row.result, str) else ""
        return rule if rule in ("kept", "floating") else None

    def _given_back(self, node: cst.BaseExpression, known: Forms) -> Form:
        """The form of what a branch of `cond` gives: a lambda, or a local function that binds names and returns one."""
        if isinstance(node, cst.Lambda):
            return self.form(node.body, known)
        function = self.program.function_around(node)
        for item in self.program.functions.values():
            if isinstance(node, cst.Name) and item.name == node.value and item.outer is function is not None:
                forms = dict(known)
                lines = [line for line in item.node.body.body if not isinstance(line, cst.FunctionDef)]
                for small in (part for line in lines for part in _smalls(line)):
                    match small:
                        case cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=name))], value=value):
                            forms[name] = self.form(value, forms)
                        case cst.Return(value=cst.BaseExpression() as value):
                            return self.form(value, forms)
                        case _:
                            return UNKNOWN_FORM
        return self.form(node, known)

    def _is_tensor(self, node: cst.BaseExpression, known: Forms) -> bool:
        if isinstance(node, cst.Name) and node.value in known:
            return True
        return self.values(node).kind is Kind.TENSOR

    def _plain(self, node: cst.BaseExpression, known: Forms, value: Value) -> Form:
        if value.kind is Kind.TENSOR and value.rank == 0 and value.dtype is not None:
            return Form(SCALAR, value.dtype)
        if isinstance(node, cst.Call) and (found := self._function(node, known)) is not None:
            return Form(SCALAR, found.dtype) if value.kind is Kind.TENSOR and value.rank == 0 else found
        return self._text(node, value) if not reads_in(node) & known.keys() else UNKNOWN_FORM

    def _function(self, node: cst.Call, known: Forms) -> Form | None:
        """A function of tensors gives what those of the same shapes and dtypes give, if all else is said in the same words."""
        name = self.values.torch_name(node.func)
        arguments = [item.value for item in node.args]
        if name is None:
            if not isinstance(node.func, cst.Attribute) or not self._is_tensor(node.func.value, known):
                return None
            arguments.insert(0, node.func.value)
            name = node.func.attr.value
        shapes: list[Hashable] = [name]
        dtypes: list[Hashable] = [name]
        for item in arguments:
            if self._is_tensor(item, known):
                form = self.form(item, known)
                if form.shape is None or form.dtype is None:
                    return None
                shapes.append(form.shape)
                dtypes.append(form.dtype)
            elif reads_in(item) & known.keys():
                return None
            else:
                shapes.append(code(item))
                dtypes.append(code(item))
        shapes.append(" ".join(item.keyword.value for item in node.args if item.keyword is not None))
        if name.rpartition(".")[2] in _SAME_DTYPE and len(dtypes) > 1:
            return Form(tuple(shapes), dtypes[1])
        return Form(tuple(shapes), tuple(dtypes))

    def _layer(self, node: cst.Call, argument: cst.BaseExpression, known: Forms, value: Value) -> Form:
        """Layers that keep the shape, and linear ones by the number of their features."""
        layer, given = self.values(node.func), self.form(argument, known)
        if layer.types and layer.types <= _LAYERS:
            return given
        if layer.types == {"torch.nn.Linear"} and given.shape not in (None, SCALAR):
            if (sizes := self._features(node.func)) is not None:
                dtype = given.dtype if isinstance(given.dtype, str) else "float32"  # that of the weights
                if sizes[0] == sizes[1]:
                    return Form(given.shape, dtype)
                if isinstance(given.shape, tuple) and given.shape[0] == AXES:
                    return Form((*given.shape[:-1], sizes[1]), dtype)
                lead = given.shape[1] if isinstance(given.shape, tuple) and given.shape[0] == "linear" else given.shape
                return Form(("linear", lead, sizes[1]), dtype)
        return self._plain(node, known, value)

    def _features(self, node: cst.BaseExpression) -> tuple[str, str] | None:
        """How many features a linear layer takes and gives, as written where it is made."""
        path = (dotted(node) or "").split(".")
        made = self._field(node, path[1]) if len(path) == 2 and path[0] == "self" else None
        if not isinstance(made, cst.Call) or len(made.args) < 2:
            return None
        first, second = made.args[:2]
        if first.keyword is not None or second.keyword is not None:
            return None
        return code(first.value), code(second.value)

    def _field(self, node: cst.CSTNode, name: str) -> cst.BaseExpression | None:
        """What `self.name` is bound to, once, in the `__init__` of the class around a node."""
        function = self.program.function_around(node)
        while function is not None and function.owner is None:
            function = function.outer
        if function is None or function.owner is None:
            return None
        init = function.owner.method("__init__")
        made = [
            item
            for part in function.owner.lineage
            for item in descendants(part.node)
            if isinstance(item, cst.Assign) and any(dotted(target.target) == f"self.{name}" for target in item.targets)
        ]
        own = [item for item in made if self.program.function_around(item) is init]
        return own[0].value if init is not None and len(own) == 1 and len(made) == 1 else None


def _smalls(line: cst.CSTNode) -> Sequence[cst.CSTNode]:
    """The small statements of a line; a compound statement is one itself."""
    return line.body if isinstance(line, cst.SimpleStatementLine) else [line]


def _bindings(function: Function) -> dict[str, list[cst.BaseExpression | None]]:
    """What each variable of a function is bound to; None where that is no plain assignment."""
    found: dict[str, list[cst.BaseExpression | None]] = {}
    for node in descendants(function.node.body):
        match node:
            case cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=name))], value=value):
                found.setdefault(name, []).append(value)
            case cst.Assign() | cst.For() | cst.AugAssign() | cst.AnnAssign() | cst.NamedExpr() | cst.WithItem():
                for target in _targets(node):
                    for item in descendants(target):
                        if isinstance(item, cst.Name):
                            found.setdefault(item.value, []).append(None)
            case cst.Call(func=cst.Attribute(value=cst.Name(value=name), attr=cst.Name(value=method))):
                if is_inplace_name(method):
                    found.setdefault(name, []).append(None)
    return found


def _targets(node: cst.CSTNode) -> list[cst.CSTNode]:
    if isinstance(node, cst.Assign):
        return [item.target for item in node.targets]
    if isinstance(node, cst.WithItem):
        return [node.asname] if node.asname is not None else []
    return [node.target]  # type: ignore[attr-defined]


def merged(one: Form, other: Form) -> Form:
    """What is known of a value that is one of two."""
    if one.agrees(other):
        return other if one.dtype in _OPEN else one
    return Form(one.shape if one.shape == other.shape else None, one.dtype if one.dtype == other.dtype else None)


def _broadcast(one: Hashable, other: Hashable) -> Hashable | None:
    if one == other or other == SCALAR:
        return one
    if one == SCALAR:
        return other
    if isinstance(one, tuple) and isinstance(other, tuple) and one[0] == other[0] == AXES:
        long, short = (one, other) if len(one) >= len(other) else (other, one)
        if len(short) == 1 or long[-len(short) + 1 :] == short[1:]:
            return long
    return None


def _is_floating(form: Form) -> bool:
    """Whether a dtype is one of floating point, as that of tensors without a known one nearly always is."""
    return form.dtype is not None and not (
        isinstance(form.dtype, str) and form.dtype.startswith(("bool", "int", "uint", "an int"))
    )


def together(one: Form, other: Form) -> Form:
    """The form of `a + b`."""
    shape = _broadcast(one.shape, other.shape)
    if one.dtype in _OPEN or (one.shape == SCALAR and other.shape != SCALAR and other.dtype not in _OPEN):
        one, other = other, one
    if one.dtype == other.dtype or (other.shape == SCALAR != one.shape and _is_floating(one)):
        return Form(shape, one.dtype)
    if other.dtype not in _OPEN:
        wide = "float32" in (one.dtype, other.dtype) and _is_floating(one) and _is_floating(other)
        return Form(shape, "float32" if wide and "float64" not in (one.dtype, other.dtype) else None)
    if one.dtype in _OPEN:
        return Form(shape, "a float")
    discrete = isinstance(one.dtype, str) and one.dtype.startswith(("bool", "int", "uint"))
    return Form(shape, None if discrete and (other.dtype == "a float" or one.dtype == "bool") else one.dtype)
