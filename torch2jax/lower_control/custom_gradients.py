"""Functions with a gradient of their own: a subclass of torch.autograd.Function becomes a jax.custom_vjp and its two halves."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import field
from typing import cast

import libcst as cst

from torch2jax.facts.mutations import filled_arguments
from torch2jax.normalize.rounds import CannotNormalize, NormalizationRound
from torch2jax.normalize.written_out import renamed
from torch2jax.program.program import Class, Function, dotted
from torch2jax.program.statements import block, bound_in, suite_body
from torch2jax.records import dataclass
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import always, is_docstring
from torch2jax.syntax.fresh import FreshNames, words_of
from torch2jax.syntax.quote import names_in, quote_statement, quote_statements
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind, Value

BASES = {"torch.autograd.Function", "torch.autograd.function.Function", "torch.autograd.function.InplaceFunction"}
_ERASED = {"once_differentiable", "custom_fwd", "custom_bwd", "staticmethod", "no_grad"}
_SAVED = ("saved_tensors", "saved_variables")
_HALVES = {"forward", "backward", "setup_context"}
_STATIC_KINDS = {Kind.INT, Kind.BOOL, Kind.STR, Kind.TUPLE, Kind.LIST, Kind.SIZE, Kind.DTYPE, Kind.DEVICE, Kind.FUNCTION,
                 Kind.DICT, Kind.TORCH, Kind.NONE}  # fmt: skip
_NO_ARRAYS = _STATIC_KINDS - {Kind.INT, Kind.BOOL, Kind.NONE}
_STATIC_ANNOTATIONS = {"int", "bool", "str", "tuple", "list", "Callable", "Tuple", "List", "Sequence"}
_STATIC_ATTRIBUTES = {"shape", "dtype", "device", "ndim"}
_OF_SIZES = frozenset(
    "view reshape expand repeat permute transpose narrow chunk split unfold roll flatten unflatten select tile pad tril triu "
    "new_empty new_zeros new_ones new_full zeros ones empty full rand randn arange topk cumsum flip".split()
)  # functions and methods that are given sizes, numbers and axes beside their tensor
_STATIC_METHODS = {"size", "dim", "numel", "stride", "ndimension"}


def normalize_classes(work: NormalizationRound) -> None:
    """Normalize all classes of a file that can be; the others are problems. Of two of which one applies the other, as gradients
    of gradients are written, one waits for the next round.
    """
    found: list[Class] = []
    for item in work.program.classes.values():
        if item.methods and any(value.kind is Kind.TORCH and value.const in BASES for value in item.bases):
            if any(_speaks_of(item, other) or _speaks_of(other, item) for other in found):
                continue
            try:
                _normalize(work, item)
            except CannotNormalize as reason:
                work.refuse(item.node, "torch.autograd.Function", str(reason))
            else:
                found.append(item)


def _speaks_of(item: Class, other: Class) -> bool:
    return other.name in names_in(item.node)


def has_own_gradient(function: Function) -> bool:
    """Whether a function has a gradient of its own by now."""
    return any(decorator.startswith(("jax.custom_vjp", "partial(jax.custom_vjp")) for decorator in function.decorators)


def normalize_imported_classes(work: NormalizationRound) -> None:
    """Where a class of another file is applied, which is a function of the same name by now: `Square.apply(x)` is `Square(x)`."""
    for node in work.index.attributes:
        if node.attr.value != "apply":
            continue
        found = [work.program.by_key.get(key) for key in work.values(node.value).types]
        functions = [item for item in found if item is not None and has_own_gradient(item)]
        if len(functions) != 1 or len(found) != 1:
            continue
        call = work.index.parents[node]
        if isinstance(call, cst.Call) and not _fits(work, functions[0], call):
            work.refuse(node, code(node), "of these arguments it is not known which are no arrays")
        else:
            work.edits.replace(node, always(node.value))


def _fits(work: NormalizationRound, function: Function, call: cst.Call) -> bool:
    """Whether the arguments of a function with a gradient of its own are arrays, but for those that it takes otherwise."""
    if any(argument.star or argument.keyword for argument in call.args):
        return False
    listed = re.search(r"nondiff_argnums=\(([\d, ]*)\)", "".join(function.decorators))
    fixed = {int(position) for position in re.findall(r"\d+", listed[1])} if listed else set()
    given = [work.values(argument.value).kind for position, argument in enumerate(call.args) if position not in fixed]
    return not _NO_ARRAYS.intersection(given)


@dataclass(slots=True)
class _Halves:
    """One class: its parameters (the context left out), which of them are no arrays, and what the backward half reads."""

    item: Class
    name: str
    forward: Function
    backward: Function
    setup: Function | None
    parameters: list[cst.Param]
    fixed: list[str] = field(default_factory=list)
    saved: list[cst.BaseExpression] = field(default_factory=list)
    attributes: dict[str, str] = field(default_factory=dict)  # attribute of the context -> text of its value
    residuals: list[str] = field(default_factory=list)

    @property
    def names(self) -> list[str]:
        return [param.name.value for param in self.parameters]


def _normalize(work: NormalizationRound, item: Class) -> None:
    aliases, references = _references(work, item)
    forward, backward = item.methods.get("forward"), item.methods.get("backward")
    if forward is None or backward is None:
        raise CannotNormalize("it needs both `forward` and `backward` in the class itself")
    if len(item.bases) != 1 or set(item.methods) - _HALVES:
        raise CannotNormalize("its methods besides `forward` and `backward` are not followed")
    for half in item.methods.values():
        _check_half(half)
    setup = item.methods.get("setup_context")
    parameters = forward.parameters if setup is not None else forward.parameters[1:]
    halves = _Halves(item, _name(work, item, aliases), forward, backward, setup, parameters)
    halves.fixed = _fixed(work, halves, references)
    statements = _definitions(work, halves)
    for node in references:
        work.edits.replace(node, lambda rewrite: cst.Name(halves.name))
    for statement in aliases:
        work.edits.remove(statement)
    first, *others = statements
    lines = [cst.EmptyLine(indent=False)] * (2 if item.outer is None else 1)
    others = [
        other.with_changes(leading_lines=lines) if isinstance(other, cst.FunctionDef) else other for other in others
    ]
    others[-1] = others[-1].with_changes(leading_lines=lines)
    if halves.name != item.name and _is_asked_for(work, item):
        others.append(quote_statement(f"{item.name} = {halves.name}"))
    result = [first.with_changes(leading_lines=item.node.leading_lines), *others]
    work.edits.rewrite_statement(item.node, lambda rewrite: result)


def _check_half(half: Function) -> None:
    for decorator in half.decorators:
        name = re.sub(r"\(.*", "", decorator, flags=re.S).split(".")[-1]
        if name not in _ERASED:  # casts happen under autocast only, and halves record nothing anyway
            raise CannotNormalize(f"the decorator `{decorator}`")
    if not half.is_static:
        raise CannotNormalize(f"`{half.name}` is no static method")
    params = half.node.params
    is_open = isinstance(params.star_arg, cst.Param) and half.name != "backward"
    if is_open or params.star_kwarg is not None or params.kwonly_params:
        raise CannotNormalize(f"`{half.name}` takes starred arguments")
    if any(isinstance(node, (cst.Yield, cst.Global, cst.Nonlocal)) for node in descendants(half.node.body)):
        raise CannotNormalize(f"`{half.name}` is no plain function")


# where the class is used


def _references(work: NormalizationRound, item: Class) -> tuple[list[cst.CSTNode], list[cst.CSTNode]]:
    """The statements `name = Class.apply` that only rename it, and all expressions `Class.apply`."""
    if work.index.function_of(item.node) is not None and item.outer is None:
        raise CannotNormalize("it stands inside a class")
    references: list[cst.CSTNode] = []
    for name in work.index.names:
        value = work.values(name)
        if name.value != item.name or value.kind is not Kind.CLASS or item.key not in value.types:
            continue
        parent, applied = work.index.parents[name], cast(cst.BaseExpression, name)
        if isinstance(parent, cst.Call) and parent.func is name and not parent.args:  # `Round().apply(x)`
            applied, parent = parent, work.index.parents[parent]
        if isinstance(parent, cst.Attribute) and parent.value is applied and parent.attr.value == "apply":
            references.append(parent)
        elif parent is not item.node and not (isinstance(parent, cst.Attribute) and parent.attr is name):
            raise CannotNormalize(f"`{item.name}` is used for something else than `{item.name}.apply`")
    for call in (work.index.parents[node] for node in references):
        if isinstance(call, cst.Call) and any(argument.star or argument.keyword for argument in call.args):
            raise CannotNormalize("it is applied to starred or keyword arguments")
    aliases: list[cst.CSTNode] = []
    for node in references:
        assign = work.index.parents[node]
        if (
            isinstance(assign, cst.Assign)
            and len(assign.targets) == 1
            and isinstance(assign.targets[0].target, cst.Name)
        ):
            line = work.index.parents[assign]
            if isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1:
                if work.index.parents[line] is work.index.parents[item.node]:
                    aliases.append(line)
    names = {_alias(line) for line in aliases}
    if len(names) != 1:
        return [], references
    gone = {assign.value for line in aliases for assign in line.body if isinstance(assign, cst.Assign)}  # type: ignore[attr-defined]
    return aliases, [node for node in references if node not in gone]


def _is_asked_for(work: NormalizationRound, item: Class) -> bool:
    """Whether other files may have the class from this one: there it is applied by the name that it has here."""
    return item.outer is None and not work.program.read_elsewhere.isdisjoint((item.name, "*"))


def _alias(line: cst.CSTNode) -> str:
    assert isinstance(line, cst.SimpleStatementLine) and isinstance(line.body[0], cst.Assign)
    return str(dotted(line.body[0].targets[0].target))


def _name(work: NormalizationRound, item: Class, aliases: Sequence[cst.CSTNode]) -> str:
    if aliases:
        name = _alias(aliases[0])
        stored = [
            node
            for node in work.index.names
            if node.value == name
            and isinstance(work.index.parents[node], (cst.AssignTarget, cst.Param, cst.FunctionDef))
        ]
        if len(stored) == 1:
            return name
    words = words_of(item.name).strip("_")
    name = re.sub(r"_(function|func|fn|op)$", "", words) or words
    prefix = "_" if item.name.startswith("_") else ""
    if not aliases:
        return item.name if _is_asked_for(work, item) else work.fresh(prefix + name)
    raise CannotNormalize(f"`{_alias(aliases[0])}` is bound several times")


# which arguments are arrays


def _fixed(work: NormalizationRound, halves: _Halves, references: Sequence[cst.CSTNode]) -> list[str]:
    """The parameters that are no arrays: they get no gradient, and hold numbers, names or shapes that choose what is done."""
    calls = [parent for node in references if isinstance(parent := work.index.parents[node], cst.Call)]
    without = _without_gradient(halves)
    found = []
    for position, param in enumerate(halves.parameters):
        given = [work.values(call.args[position].value) for call in calls if position < len(call.args)]
        if param.default is not None:
            given.append(work.values(param.default))
        if position in without and _is_fixed(halves, param, given):
            found.append(param.name.value)
    return found


def _is_fixed(halves: _Halves, param: cst.Param, given: Sequence[Value]) -> bool:
    kinds = {value.kind for value in given}
    if Kind.TENSOR in kinds:
        return False
    if param.annotation is not None:
        words = set(re.findall(r"\w+", code(param.annotation.annotation)))
        if "Tensor" in words:
            return False
        if words & _STATIC_ANNOTATIONS:
            return True
    name = param.name.value
    if kinds - {Kind.NONE, Kind.UNKNOWN} and kinds - {Kind.UNKNOWN} <= _STATIC_KINDS:
        return True
    return _chooses(halves, name)


def _chooses(halves: _Halves, name: str) -> bool:
    """Whether a value decides what is done: it is tested, counted with, or says a size or an axis."""
    halves_of = (halves.forward, halves.backward)
    kept = {f"{half.parameter_names[0]}.{key}" for half in halves_of for key in _keys_of(halves, name)}
    for node in (node for half in halves_of for node in descendants(half.node.body)):
        if isinstance(node, cst.Call) and (dotted(node.func) or code(node.func)).rpartition(".")[2] in _OF_SIZES:
            for argument in node.args if isinstance(node.func, cst.Attribute) else ():
                inner = (argument.value, *_elements(argument.value))
                if any(code(item) == name or dotted(item) in kept for item in inner):
                    return True
        if isinstance(node, cst.Slice):
            bounds = [code(item) for item in (node.lower, node.upper, node.step) if item is not None]
            if name in bounds or kept.intersection(bounds):
                return True
    for node in descendants(halves.forward.node.body):
        if isinstance(node, (cst.If, cst.IfExp, cst.While)):
            test = node.test
            if name in names_in(test) and not re.search(rf"\b{name}\.|\b{name} is (not )?None", code(test)):
                return True
        if isinstance(node, cst.Arg) and node.keyword is not None and code(node.value) == name:
            if node.keyword.value in ("dim", "axis", "dims", "k", "keepdim", "size", "shape", "padding", "stride"):
                return True
        if isinstance(node, cst.Call) and dotted(node.func) == "range" and name in names_in(node):
            return True
    return False


def _keys_of(halves: _Halves, name: str) -> list[str]:
    """The attributes of the context that keep an argument."""
    keeper = halves.setup or halves.forward
    assigned = [pair for node in descendants(keeper.node.body) if isinstance(node, cst.Assign) for pair in _pairs(node)]
    targets = [dotted(target) or "" for target, value in assigned if code(value) == name]
    start = f"{keeper.parameter_names[0]}."
    return [target.removeprefix(start) for target in targets if target.startswith(start)]


def _elements(node: cst.BaseExpression) -> list[cst.BaseExpression]:
    return [element.value for element in node.elements] if isinstance(node, (cst.Tuple, cst.List)) else []


def _without_gradient(halves: _Halves) -> set[int]:
    """The positions of the arguments for which `backward` returns None, always."""
    found: set[int] | None = None
    for _, values in _returns(halves.backward):
        none = {i for i, value in enumerate(values) if dotted(value) == "None"}
        none |= set(range(len(values), len(halves.parameters)))
        found = none if found is None else found & none
    return found or set()


def _returns(half: Function) -> Iterator[tuple[cst.Return, list[cst.BaseExpression]]]:
    for node in _own(half.node.body):
        if isinstance(node, cst.Return):
            if isinstance(node.value, cst.Tuple):
                if any(isinstance(element, cst.StarredElement) for element in node.value.elements):
                    raise CannotNormalize("it returns starred values")
                yield node, [element.value for element in node.value.elements]
            else:
                yield node, [node.value or cst.Name("None")]


def _own(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """What lies below a node, functions in it left out."""
    from torch2jax.syntax.walk import children

    yield node
    for child in children(node):
        if not isinstance(child, (cst.FunctionDef, cst.Lambda)):
            yield from _own(child)


# the new functions


def _definitions(work: NormalizationRound, halves: _Halves) -> list[cst.BaseStatement]:
    name = halves.name
    forward_half = _forward_half(work, halves)
    backward_half = _backward_half(work, halves)
    positions = [i for i, parameter in enumerate(halves.names) if parameter in halves.fixed]
    listed = ", ".join(map(str, positions)) + ("," if len(positions) == 1 else "")
    decorator = f"@partial(jax.custom_vjp, nondiff_argnums=({listed}))" if positions else "@jax.custom_vjp"
    doc = _docstring(halves)
    (primal,) = quote_statements(f"{decorator}\ndef {name}():\n    pass\n")
    assert isinstance(primal, cst.FunctionDef)
    body = _primal_body(work, halves)
    params = cst.Parameters([_bare(work.copy(param)) for param in halves.parameters])
    primal = primal.with_changes(params=_comma(params), body=block([*doc, *body]))
    registered = quote_statement(f"{name}.defvjp({name}_fwd, {name}_bwd)")
    return [primal, forward_half, backward_half, registered]


def _docstring(halves: _Halves) -> list[cst.BaseStatement]:
    body = halves.item.node.body.body
    if body and is_docstring(body[0]):
        return [body[0]]  # type: ignore[list-item]
    return []


def _bare(param: cst.Param) -> cst.Param:
    return param.with_changes(comma=cst.MaybeSentinel.DEFAULT)


def _comma(params: cst.Parameters) -> cst.Parameters:
    return params


def _primal_body(work: NormalizationRound, halves: _Halves) -> list[cst.BaseStatement]:
    """The function itself: the forward half without what it keeps."""
    if halves.setup is not None:
        return [work.copy(statement) for statement in suite_body(halves.forward.node) if not is_docstring(statement)]
    body = _without_contexts(work, suite_body(halves.forward.node))
    context = halves.forward.parameter_names[0]
    kept = [statement for statement in body if not _only_keeps(statement, context)]
    if len(kept) == 1 and context not in names_in(kept[0]):
        return [work.copy(kept[0]).with_changes(leading_lines=[])]
    return [quote_statement(f"return {halves.name}_fwd({', '.join(halves.names)})[0]")]


def _without_contexts(work: NormalizationRound, lines: Sequence[cst.BaseStatement]) -> list[cst.BaseStatement]:
    """The lines of a forward half, which records no gradients anyway: without `with torch.no_grad():` around them."""
    found: list[cst.BaseStatement] = []
    for line in lines:
        if is_docstring(line):
            continue
        match line:
            case cst.With(items=[cst.WithItem(item=cst.Call(func=func, args=[]), asname=None)]) if (
                work.values.torch_name(func) == "torch.no_grad"
            ):
                found += _without_contexts(work, suite_body(line))
            case _:
                found.append(line)
    return found


def _only_keeps(statement: cst.BaseStatement, context: str) -> bool:
    if not isinstance(statement, cst.SimpleStatementLine) or len(statement.body) != 1:
        return False
    small = statement.body[0]
    if isinstance(small, cst.Expr) and isinstance(small.value, cst.Call):
        return (dotted(small.value.func) or "").startswith(f"{context}.")
    if isinstance(small, cst.Assign):
        pairs = _pairs(small)
        return bool(pairs) and all((dotted(target) or "").startswith(f"{context}.") for target, _ in pairs)
    return False


def _pairs(node: cst.Assign) -> list[tuple[cst.BaseExpression, cst.BaseExpression]]:
    """The targets of an assignment and what each gets; none where a value is unpacked."""
    found: list[tuple[cst.BaseExpression, cst.BaseExpression]] = []
    for item in node.targets:
        targets, values = _elements(item.target), _elements(node.value)
        if not targets:
            found.append((item.target, node.value))
        elif len(targets) == len(values):
            found += zip(targets, values, strict=True)
        else:
            return []
    return found


def _forward_half(work: NormalizationRound, halves: _Halves) -> cst.BaseStatement:
    """`name_fwd`: the result and what the backward half needs of it."""
    name = halves.name
    (definition,) = quote_statements(f"def {name}_fwd():\n    pass\n")
    assert isinstance(definition, cst.FunctionDef)
    if halves.setup is None:
        context, keeper = halves.forward.parameter_names[0], halves.forward
        body = _without_contexts(work, suite_body(halves.forward.node))
    else:
        context, keeper = halves.setup.parameter_names[0], halves.setup
        inputs, output = halves.setup.parameter_names[1:3]
        called = quote_statement(f"{output} = {name}({', '.join(halves.names)})")
        body = [called, *_unpacked_inputs(halves, inputs), quote_statement(f"return {output}")]
    body = [statement for statement in body if not is_docstring(statement)]
    written = _written(keeper)
    result: list[cst.BaseStatement] = []
    for statement in body:
        if _only_keeps(statement, context):
            assert isinstance(statement, cst.SimpleStatementLine)
            result.extend(_keep(work, halves, statement.body[0], written, context))
        else:
            result.append(statement)
    residuals = _residuals(halves)
    rest = "None" if not residuals else f"({residuals[0]},)" if len(residuals) == 1 else f"({', '.join(residuals)})"
    replaced = _Replace(work, {f"{context}.{key}": text for key, text in halves.attributes.items()}, context)
    final = [replaced(statement) for statement in result]
    final = [_return_both(work, statement, rest) for statement in final]
    params = cst.Parameters([_bare(param) for param in halves.parameters])
    return definition.with_changes(params=params, body=block(final))


def _unpacked_inputs(halves: _Halves, inputs: str) -> list[cst.BaseStatement]:
    assert halves.setup is not None
    result = []
    for statement in suite_body(halves.setup.node):
        if is_docstring(statement):
            continue
        match statement:
            case cst.SimpleStatementLine(body=[cst.Assign(targets=[cst.AssignTarget(target=target)], value=value)]) if (
                dotted(value) == inputs
            ):
                elements = target.elements if isinstance(target, (cst.Tuple, cst.List)) else []
                taken = [dotted(element.value) for element in elements]
                if [name for name in taken if name != "_"] != [
                    own for name, own in zip(taken, halves.names, strict=False) if name != "_"
                ] or len(taken) != len(halves.names):
                    raise CannotNormalize("`setup_context` gives the inputs other names than `forward`")
            case _:
                result.append(statement)
    if any(inputs in names_in(statement) for statement in result):
        raise CannotNormalize("`setup_context` uses its inputs otherwise than by unpacking them")
    return result


def _written(half: Function) -> Counter[str]:
    """How often each name is bound in a function, or what it names is changed."""
    found: Counter[str] = Counter()
    for node in descendants(half.node.body):
        if isinstance(node, (cst.AssignTarget, cst.AnnAssign, cst.For, cst.NamedExpr)):
            found.update(bound_in(node.target))
        for target in _changed(node):
            found.update(bound_in(target))
    return found


def _changed_in_place(half: Function) -> set[str]:
    """The names of what a function changes in place."""
    nodes = descendants(half.node.body)
    found = {name for node in nodes for target in _changed(node) for name in names_in(target)}
    stored = [node.target for node in descendants(half.node.body) if isinstance(node, cst.AssignTarget)]
    return found | {name for target in stored if not isinstance(target, cst.Name) for name in _stored_into(target)}


def _stored_into(target: cst.BaseExpression) -> Iterator[str]:
    if isinstance(target, (cst.Tuple, cst.List)):
        for element in target.elements:
            yield from _stored_into(element.value)
    elif isinstance(target, (cst.Attribute, cst.Subscript)):
        yield from names_in(target.value)


def _changed(node: cst.CSTNode) -> list[cst.CSTNode]:
    """What a node changes in place."""
    if isinstance(node, cst.AugAssign):
        return [node.target]
    if isinstance(node, cst.Call):
        return list(filled_arguments(node))
    return [node.value] if isinstance(node, cst.Attribute) and node.attr.value.endswith("_") else []


def _keep(
    work: NormalizationRound, halves: _Halves, small: cst.BaseSmallStatement, written: Mapping[str, int], context: str
) -> list[cst.BaseStatement]:
    """What a statement that keeps something for the backward half becomes in the forward half."""
    if isinstance(small, cst.Expr):
        assert isinstance(small.value, cst.Call)
        method = (dotted(small.value.func) or "").removeprefix(f"{context}.")
        if method == "mark_non_differentiable":
            return []
        if method == "set_materialize_grads" and code(small.value.args[0].value) == "True":
            return []
        if method not in ("save_for_backward", "save_for_forward"):
            raise CannotNormalize(f"`{context}.{method}`")
        if method == "save_for_forward":
            return []
        if halves.saved or any(argument.star for argument in small.value.args):
            raise CannotNormalize(f"`{context}.save_for_backward` is called twice or with a starred argument")
        result: list[cst.BaseStatement] = []
        for argument in small.value.args:
            expression = argument.value
            if isinstance(expression, cst.Name) and _settled(halves, expression.value, written):
                halves.saved.append(expression)
            elif dotted(expression) == "None":
                halves.saved.append(cst.Name("None"))
            else:
                base = expression.value if isinstance(expression, cst.Name) else "value"
                name = work.fresh(f"saved_{base}")
                result.append(quote_statement(f"{name} = {{x}}", x=expression))
                halves.saved.append(cst.Name(name))
        return result
    assert isinstance(small, cst.Assign)
    result = []
    for target, value in _pairs(small):
        key = (dotted(target) or "").removeprefix(f"{context}.")
        if key in halves.attributes or "." in key:
            raise CannotNormalize(f"`{context}.{key}` is set twice")
        result.extend(_keep_attribute(work, halves, key, value, written))
    return result


def _settled(halves: _Halves, name: str, written: Mapping[str, int]) -> bool:
    """Whether a name holds the same value from where it is bound to the end."""
    return written.get(name, 0) + (name in halves.names) <= 1


def _keep_attribute(
    work: NormalizationRound, halves: _Halves, key: str, value: cst.BaseExpression, written: Mapping[str, int]
) -> list[cst.BaseStatement]:
    names = {node.value for node in descendants(value) if isinstance(node, cst.Name)}
    parameters = names & set(halves.names)
    if _is_static(value, set(halves.fixed)) and all(_settled(halves, name, written) for name in parameters):
        halves.attributes[key] = code(value) if _is_atom(value) else f"({code(value)})"
        halves.residuals += sorted(parameters - set(halves.fixed) - set(halves.residuals))
        return []
    if isinstance(value, cst.Name) and _settled(halves, value.value, written):
        halves.attributes[key] = value.value
        if value.value not in halves.fixed and value.value not in halves.residuals:
            halves.residuals.append(value.value)
        return []
    if not _is_array(work, value):
        raise CannotNormalize(f"`{key}` may be no array, and is kept for the backward half")
    name = work.fresh(key)
    halves.attributes[key] = name
    halves.residuals.append(name)
    return [quote_statement(f"{name} = {{x}}", x=value)]


def _is_array(work: NormalizationRound, value: cst.BaseExpression) -> bool:
    found = work.values(value)
    if found.kind in (Kind.TENSOR, Kind.FLOAT):
        return True
    return found.kind is Kind.UNKNOWN and isinstance(value, (cst.BinaryOperation, cst.Call, cst.UnaryOperation))


def _is_atom(value: cst.BaseExpression) -> bool:
    return isinstance(
        value, (cst.Name, cst.Attribute, cst.Call, cst.Subscript, cst.BaseNumber, cst.SimpleString, cst.Tuple)
    )


def _is_static(value: cst.BaseExpression, fixed: set[str]) -> bool:
    """Whether an expression gives no array, whatever its names are, and can be evaluated again."""
    match value:
        case cst.Name():
            return value.value in fixed or value.value in ("True", "False", "None")
        case cst.Integer() | cst.Float() | cst.SimpleString():
            return True
        case cst.Attribute():
            return value.attr.value in _STATIC_ATTRIBUTES
        case cst.Call(func=cst.Attribute(attr=cst.Name(value=name))) if name in _STATIC_METHODS:
            return all(_is_static(argument.value, fixed) for argument in value.args)
        case cst.Call(func=cst.Name(value="len"), args=[cst.Arg(value=inner)]):
            return _is_static(inner, fixed) or isinstance(inner, cst.Name)
        case cst.Subscript():
            return _is_static(value.value, fixed) and all(
                (isinstance(item.slice, cst.Index) and _is_static(item.slice.value, fixed))
                or isinstance(item.slice, cst.Slice)
                for item in value.slice
            )
        case cst.BinaryOperation():
            return _is_static(value.left, fixed) and _is_static(value.right, fixed)
        case cst.UnaryOperation():
            return _is_static(value.expression, fixed)
        case cst.Tuple() | cst.List():
            return all(_is_static(element.value, fixed) for element in value.elements)
    return False


def _residuals(halves: _Halves) -> list[str]:
    found = []
    for name in [*(code(node) for node in halves.saved), *halves.residuals]:
        if name not in found and name not in halves.fixed and name != "None":
            found.append(name)
    return found


class _Replace:
    """Puts expressions for the attributes of the context, and insists that nothing of the context is left."""

    def __init__(self, work: NormalizationRound, texts: dict[str, str], context: str) -> None:
        self.work = work
        self.texts = texts
        self.context = context

    def __call__(self, node: cst.BaseStatement) -> cst.BaseStatement:
        result = _visited(self.work, node, _Visitor(self.work, self.texts))
        assert isinstance(result, cst.BaseStatement)
        if self.context in {item.value for item in descendants(result) if isinstance(item, cst.Name)}:
            raise CannotNormalize(f"a use of `{self.context}` that is not followed")
        return result


class _Visitor(cst.CSTTransformer):
    def __init__(self, work: NormalizationRound, texts: dict[str, str], gone: Container[cst.CSTNode] = ()) -> None:
        self.work = work
        self.texts = texts
        self.gone = gone

    def leave_SimpleStatementLine(
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> cst.SimpleStatementLine | cst.RemovalSentinel:
        return cst.RemoveFromParent() if original_node in self.gone else updated_node

    def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> cst.BaseExpression:
        return self._given(original_node, updated_node)

    def leave_Subscript(self, original_node: cst.Subscript, updated_node: cst.Subscript) -> cst.BaseExpression:
        return self._given(original_node, updated_node)

    def _given(self, original: cst.BaseExpression, updated: cst.BaseExpression) -> cst.BaseExpression:
        text = self.texts.get(code(original))
        return cst.parse_expression(text) if text is not None else updated

    def leave_BooleanOperation(
        self, original_node: cst.BooleanOperation, updated_node: cst.BooleanOperation
    ) -> cst.BaseExpression:
        if isinstance(updated_node.operator, cst.And):
            for side, other in ((updated_node.left, updated_node.right), (updated_node.right, updated_node.left)):
                if dotted(side) == "True":
                    return other
        return updated_node

    def leave_If(self, original_node: cst.If, updated_node: cst.If) -> cst.If | cst.FlattenSentinel[cst.BaseStatement]:
        if dotted(updated_node.test) == "True" and updated_node.orelse is None:
            if isinstance(updated_node.body, cst.IndentedBlock):
                return cst.FlattenSentinel(updated_node.body.body)
            lines = [cst.SimpleStatementLine([small]) for small in updated_node.body.body]  # type: ignore[list-item]
            return cst.FlattenSentinel(lines)
        return updated_node


class _Returns(cst.CSTTransformer):
    def __init__(self, text: str) -> None:
        self.text = text

    def visit_FunctionDef(self, node: cst.FunctionDef) -> bool:
        return False

    def leave_Return(self, original_node: cst.Return, updated_node: cst.Return) -> cst.Return:
        value = updated_node.value or cst.Name("None")
        if isinstance(value, cst.Tuple) and not value.lpar:
            value = value.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
        pair = cst.Tuple([cst.Element(value), cst.Element(cst.parse_expression(self.text))], lpar=[], rpar=[])
        return updated_node.with_changes(value=pair, whitespace_after_return=cst.SimpleWhitespace(" "))


def _visited(work: NormalizationRound, node: cst.CSTNode, transformer: cst.CSTTransformer) -> object:
    """What a transformer makes of a node; LibCST makes nodes anew, but those that are not visited, and those below are known by
    their order.
    """
    result = node.visit(transformer)
    if isinstance(result, cst.CSTNode):
        pairs = list(zip(descendants(result), descendants(node), strict=False))
        same = len(pairs) == len(list(descendants(node))) == len(list(descendants(result)))
        work.copies.update((new, old) for new, old in (pairs if same else pairs[:1]) if new is not old)
    return result


def _return_both(work: NormalizationRound, statement: cst.BaseStatement, rest: str) -> cst.BaseStatement:
    result = _visited(work, statement, _Returns(rest))
    assert isinstance(result, cst.BaseStatement)
    return result


def _backward_half(work: NormalizationRound, halves: _Halves) -> cst.BaseStatement:
    """`name_bwd`: from what was kept and the gradient of the result to the gradients of the arguments."""
    name, backward = halves.name, halves.backward
    plain = [param.name.value for param in (*backward.node.params.posonly_params, *backward.node.params.params)]
    context, *grads = plain
    star = backward.node.params.star_arg
    rest = star.name.value if isinstance(star, cst.Param) else None
    outputs = {len(values) for _, values in _returns(halves.forward)}
    count = max(outputs, default=0)
    kinds = {work.values(values[0]).kind for _, values in _returns(halves.forward) if len(values) == 1}
    is_sequence = kinds == {Kind.TUPLE}
    if len(outputs) != 1 or count < len(grads) or (rest is None and count > len(grads)) or (is_sequence and grads):
        raise CannotNormalize("`backward` takes another number of gradients than `forward` returns results")
    residuals = _residuals(halves)
    own = _written(backward)
    body = [
        statement
        for statement in suite_body(backward.node)
        if not is_docstring(statement) and not _takes_same_name(halves, statement, context, own)
    ]
    for statement in suite_body(backward.node):
        if statement not in body and not is_docstring(statement):
            for name_bound in _written_in(statement):
                own.pop(name_bound, None)
    given = {*grads, *([rest] if rest is not None else [])}
    clash = (set(residuals) | set(halves.fixed) | _names_of_texts(halves)) & (set(own) | given)
    prologue: list[cst.BaseStatement] = []
    saved = [code(node) for node in halves.saved]
    kept = []
    places: dict[int, str] = {}
    for statement in body:
        found = _unpacks_saved(statement, context, len(saved))
        rebound = [item for item in (found or {}).items() if own.get(item[1], 0) > 1]
        for position, name_bound in rebound:
            kept.append(quote_statement(f"{name_bound} = {context}.{_SAVED[0]}[{position}]"))
        found = found if found is None else dict(item for item in found.items() if item not in rebound)
        if found is None:
            kept.append(statement)
        elif set(found) & set(places):
            raise CannotNormalize("the saved tensors are unpacked twice")
        else:
            places |= found
    gone = set()
    for node in (node for statement in kept for node in descendants(statement)):
        found = _unpacks_saved(node, context, len(saved)) if isinstance(node, cst.SimpleStatementLine) else None
        if found and all(own.get(item, 0) == 1 for item in found.values()) and not set(found) & set(places):
            gone.add(node)
            places |= found
    if places:
        names = [places.get(position, name) for position, name in enumerate(saved)]
        saved_as = dict(zip(saved, names, strict=True))
        clash -= {old for old, new in saved_as.items() if own.get(new, 0) == 1}
        others = [item for item in residuals if item not in saved_as]
        listed = [saved_as.get(item, item) for item in residuals]
        if len(set(listed)) != len(listed) or (set(others) & set(names)) or len(saved_as) != len(saved):
            raise CannotNormalize("the saved tensors have names that clash")
        residuals = listed
        extra = [quote_statement(f"{new} = None") for old, new in saved_as.items() if old in ("None",)]
        prologue += extra
        others_named = {old: new for old, new in saved_as.items() if old != new}
        for key, text in halves.attributes.items():
            halves.attributes[key] = code(renamed(work, cst.parse_expression(text), others_named))
    changed = clash & _changed_in_place(backward)
    if changed:
        raise CannotNormalize(f"`{sorted(changed)[0]}` names different things in its two halves")
    fresh = FreshNames(names_in(backward.node) | set(residuals) | set(halves.fixed))
    others_named = {name: fresh(f"kept_{name}") for name in sorted(clash)}
    for key, text in halves.attributes.items():
        halves.attributes[key] = code(renamed(work, cst.parse_expression(text), others_named))
    residuals = [others_named.get(item, item) for item in residuals]
    saved = [others_named.get(item, item) for item in saved]
    texts = {f"{context}.{key}": text for key, text in halves.attributes.items()}
    for position, item in enumerate(saved):
        texts |= {f"{context}.{attribute}[{position}]": item for attribute in _SAVED}
    whole = f"({saved[0]},)" if len(saved) == 1 else f"({', '.join(saved)})"
    texts |= {f"{context}.{attribute}": whole for attribute in _SAVED}
    texts |= {
        f"{context}.needs_input_grad[{i}]": str(parameter not in halves.fixed)
        for i, parameter in enumerate(halves.names)
    }
    residual_name = (
        "_" if not residuals else "residuals" if "residuals" not in names_in(backward.node) | set(residuals) else "kept"
    )
    taken = names_in(backward.node) | set(residuals)
    grad_name = next(name for name in ("grads", "cotangents", "given_grads") if name not in taken)
    if rest is not None and count == len(grads) == 1:
        grad_name = grads[0]
        prologue.append(quote_statement(f"{rest} = ()"))
    elif rest is not None and not grads and not is_sequence and count == 1 and Kind.UNKNOWN in kinds:
        prologue.append(quote_statement(f"{rest} = {grad_name} if isinstance({grad_name}, tuple) else ({grad_name},)"))
    elif rest is not None and not grads:
        is_several = count > 1 or is_sequence
        prologue.append(quote_statement(f"{rest} = {grad_name}" if is_several else f"{rest} = ({grad_name},)"))
    elif rest is not None:
        prologue.append(quote_statement(f"{', '.join(grads)}, *{rest} = {grad_name}"))
    elif len(grads) > 1:
        prologue.append(quote_statement(f"{', '.join(grads)} = {grad_name}"))
    else:
        grad_name = grads[0]
    if residuals:
        unpack = f"({residuals[0]},)" if len(residuals) == 1 else ", ".join(residuals)
        prologue.insert(0, quote_statement(f"{unpack} = {residual_name}"))
    replace = _Replace(work, texts, context)
    final = [*prologue]
    for statement in kept:
        replaced = _visited(work, statement, _Visitor(work, texts, gone))
        if isinstance(replaced, cst.FlattenSentinel):
            final.extend(replaced)
        else:
            final.append(replace(replaced))  # type: ignore[arg-type]
    results = _Gradients(halves)
    final = [_visited(work, statement, results) for statement in final]  # type: ignore[misc]
    for statement in final:
        replace(statement)
    fixed = [others_named.get(item, item) for item in halves.fixed]
    parameters = ", ".join([*fixed, residual_name, grad_name])
    (definition,) = quote_statements(f"def {name}_bwd({parameters}):\n    pass\n")
    return definition.with_changes(body=block(final))


def _takes_same_name(halves: _Halves, statement: cst.BaseStatement, context: str, own: Mapping[str, int]) -> bool:
    """Whether a statement gives what was kept the name that it has anyway: `scale = ctx.scale`."""
    match statement:
        case cst.SimpleStatementLine(body=[cst.Assign(targets=[cst.AssignTarget(target=target)], value=value)]):
            pass
        case _:
            return False
    targets: list[cst.BaseExpression] = [target]
    values = [value]
    if isinstance(target, cst.Tuple) and isinstance(value, cst.Tuple):
        targets, values = [item.value for item in target.elements], [item.value for item in value.elements]
    if len(targets) != len(values):
        return False
    for name, kept in zip(targets, values, strict=True):
        key = (dotted(kept) or "").removeprefix(f"{context}.")
        if not isinstance(name, cst.Name) or halves.attributes.get(key) != name.value or own.get(name.value) != 1:
            return False
    return True


def _written_in(statement: cst.BaseStatement) -> set[str]:
    targets = [node.target for node in descendants(statement) if isinstance(node, cst.AssignTarget)]
    return {name for target in targets for name in bound_in(target)}


def _names_of_texts(halves: _Halves) -> set[str]:
    return {name for text in halves.attributes.values() for name in names_in(cst.parse_expression(text))}


def _unpacks_saved(statement: cst.CSTNode, context: str, count: int) -> dict[int, str] | None:
    """The names that a statement gives to saved tensors, by their places; None if it does not."""
    match statement:
        case cst.SimpleStatementLine(body=[cst.Assign(targets=[cst.AssignTarget(target=target)], value=value)]):
            if dotted(value) in {f"{context}.{attribute}" for attribute in _SAVED}:
                if isinstance(target, (cst.Tuple, cst.List)):
                    names = [dotted(element.value) for element in target.elements]
                    if len(names) == count and all(name is not None and "." not in name for name in names):
                        return {position: str(name) for position, name in enumerate(names)}
                elif isinstance(target, cst.Name):
                    return None  # it names all of them
                raise CannotNormalize("the saved tensors are not unpacked into names")
            place = re.fullmatch(rf"{context}\.(?:{'|'.join(_SAVED)})\[(\d)\]", code(value))
            if place is not None and isinstance(target, cst.Name) and int(place[1]) < count:
                return {int(place[1]): target.value}
    return None


class _Gradients(cst.CSTTransformer):
    """`return` in the backward half: a tuple with one gradient for each array."""

    def __init__(self, halves: _Halves) -> None:
        self.halves = halves

    def visit_FunctionDef(self, node: cst.FunctionDef) -> bool:
        return False

    def leave_Return(self, original_node: cst.Return, updated_node: cst.Return) -> cst.Return:
        value = updated_node.value
        count = len(self.halves.names)
        given = [element.value for element in value.elements] if isinstance(value, cst.Tuple) else [value]
        if not isinstance(value, cst.Tuple) and count > 1:
            raise CannotNormalize("`backward` returns its gradients as one value")
        if len(given) < count or any(dotted(item) != "None" for item in given[count:] if item is not None):
            raise CannotNormalize("`backward` returns another number of gradients than `forward` takes arguments")
        kept = [
            item or cst.Name("None")
            for item, name in zip(given, self.halves.names, strict=False)
            if name not in self.halves.fixed
        ]
        if len(kept) == 1:
            kept = [_out_of_place(kept[0])]
        comma = cst.Comma(whitespace_after=cst.SimpleWhitespace(" " if len(kept) > 1 else ""))
        last = len(kept) - 1
        elements = [
            cst.Element(item, comma=comma if i < last or not last else cst.MaybeSentinel.DEFAULT)
            for i, item in enumerate(kept)
        ]
        result = cst.Tuple(elements) if len(elements) < 2 else cst.Tuple(elements, lpar=[], rpar=[])
        return updated_node.with_changes(value=result, whitespace_after_return=cst.SimpleWhitespace(" "))


def _out_of_place(node: cst.BaseExpression) -> cst.BaseExpression:
    """`g.clamp_(-1, 1)` that is returned at once is `g.clamp(-1, 1)`: nobody sees the old `g` any more."""
    match node:
        case cst.Call(func=cst.Attribute(attr=cst.Name(value=method))) if re.fullmatch(r"[a-z]\w*[a-z]_", method):
            assert isinstance(node.func, cst.Attribute)
            return node.with_changes(func=node.func.with_changes(attr=cst.Name(method[:-1])))
    return node
