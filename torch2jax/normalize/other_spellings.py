"""Spellings of torch for one thing, of which the usual one is left.

m.weight.detach().normal_(0, 0.05)     ->   m.weight.data.normal_(0, 0.05)     both name the storage of the parameter
m.bias = nn.init.zeros_(m.bias)        ->   nn.init.zeros_(m.bias)             which gives back what it was given
nn.init.zeros_(tensor=m.bias)          ->   nn.init.zeros_(m.bias)
m.bias.data = m.bias.data.zero_()      ->   m.bias.data.zero_()
layer.forward(x)                       ->   layer(x)                           of a layer of torch, without hooks
self.__getattr__(f"conv{i}")(x)        ->   getattr(self, f"conv{i}")(x)   as self.__setattr__(...) is setattr(self, ...)
type(self)(width), type(net).__name__  ->   self.__class__(width), net.__class__.__name__
nn.Parameter(x).requires_grad_(False)  ->   nn.Parameter(x, requires_grad=False)
nn.ParameterList([torch.zeros(3)])     ->   nn.ParameterList([torch.nn.Parameter(torch.zeros(3))])
loss.data[0]                           ->   loss.item()                        as it was written before torch 0.4
x.new().resize_(3)                     ->   x.new_empty(3)                     also as old programs write it
clip_grad_norm_([p for p in            ->   clip_grad_norm_(params, 1.0)       where there is no gradient, nothing is clipped
    params if p.grad is not None], 1.0)
clip_grad_norm_([p for g in opt.param_groups  ->  clip_grad_norm_(net.parameters(), 1.0)   where it updates those of a model at hand
    for p in g["params"]], 1.0)
nn.LeakyReLU(0.2)(x)                   ->   torch.nn.functional.leaky_relu(x, 0.2)   a layer without parameters that is called where it is made
torch.FloatTensor(*x.shape)            ->   torch.FloatTensor(x.shape)         one for each type of tensors; also x.new(*x.shape)
torch.FloatTensor(*sizes)              ->   torch.FloatTensor(torch.Size(sizes))
torch.cuda.FloatTensor if cuda         ->   torch.FloatTensor                  arrays of JAX are where the program runs
    else torch.Tensor
x.type(torch.Tensor)                   ->   x.type(torch.FloatTensor)
defaultdict(torch.Tensor)              ->   defaultdict(lambda: torch.Tensor())   which a dtype is not called like
x.type(y.type())                       ->   x.type_as(y)
opt.param_groups[0].update(lr=lr)      ->   opt.param_groups[0]["lr"] = lr
x.clamp(*bounds)                       ->   x.clamp(bounds[0], bounds[1])
opt.step(closure=None)                 ->   opt.step()
getattr(box, "x")[0] = 1               ->   box.x[0] = 1                       also where a method changes it in place
box.x[0] = 1                           ->   box._x[0] = 1                      where `x` is a property that gives the field
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial

import libcst as cst

from torch2jax.facts.training import is_clip
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.normalize.single_groups import trained_model
from torch2jax.ops.schema import is_inplace_name
from torch2jax.program.calls import chain_start
from torch2jax.program.program import Function, dotted
from torch2jax.program.statements import out_of_displays
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import Rewriter, as_expression, is_docstring
from torch2jax.syntax.quote import quote, quote_statement
from torch2jax.syntax.walk import descendants, with_fields
from torch2jax.values import TENSOR_CLASS, Kind, Value, class_dtype, class_of_dtype


def normalize_other_spellings(work: NormalizationRound) -> None:
    """Normalize all such calls of a file."""
    has_hooks = any(work.program.mentions(name) for name in ("register_forward_hook", "register_forward_pre_hook"))
    for call in work.index.calls:
        match call.func:
            case cst.Attribute(
                value=cst.Call(func=cst.Attribute(value=tensor, attr=cst.Name("detach")), args=[]) as detached,
                attr=cst.Name(method),
            ) if is_inplace_name(method) and work.values(tensor).kind in (Kind.TENSOR, Kind.UNKNOWN):
                work.edits.replace(detached, _filled("{it}.data", chain_start(tensor, frozenset({"detach"}))))
            case cst.Attribute(
                value=cst.Call(func=cst.Attribute(value=tensor, attr=cst.Name("new")), args=[]),
                attr=cst.Name("resize_" | "resize_as_" as method),
            ) if work.values(tensor).kind in (Kind.TENSOR, Kind.UNKNOWN) and call.args:
                work.edits.replace(call.func, _filled("{it}.new_empty", tensor))
                if method == "resize_as_":
                    work.edits.replace(call.args[0].value, partial(_size_of, call.args[0].value))
            case cst.Attribute(
                value=cst.Call(args=[cst.Arg(keyword=None, star="")]) as parameter, attr=cst.Name("requires_grad_")
            ) if work.values.torch_name(parameter.func) == "torch.nn.Parameter" and len(call.args) < 2:
                work.edits.replace(call, partial(_made_with_flag, parameter, call))
            case cst.Attribute(value=layer, attr=cst.Name("forward")) if not has_hooks and _is_layer(work, layer):
                work.edits.replace(call.func, _filled("{it}", layer))
            case cst.Name("type") if len(call.args) == 1 and dotted(call.args[0].value) is not None:
                parent, made = work.index.parents[call], call.args[0].value
                is_made = isinstance(parent, cst.Call) and parent.func is call
                is_named = isinstance(parent, cst.Attribute) and parent.attr.value == "__name__"
                kind = work.values(made).kind
                if (is_made and kind is Kind.OBJECT) or ((is_made or is_named) and kind is Kind.MODULE):
                    work.edits.replace(call, _filled("{it}.__class__", made))
            case cst.Attribute(value=owner, attr=cst.Name("__getattr__" | "__setattr__" as special)) if _is_plain(
                work, owner, call, special
            ):
                work.edits.replace(call, partial(_as_builtin, special.strip("_"), owner, call))
            case cst.Attribute(attr=cst.Name("type")) if (other := _typed(work, call)) is not None:
                work.edits.replace(call.func, _filled("{it}.type_as", call.func.value))
                work.edits.replace(call.args[0].value, _filled("{it}", other))
            case cst.Attribute(attr=cst.Name("type")) if len(call.args) == 1 and (torch := work.torch_alias()):
                if work.values.torch_name(call.args[0].value) == "torch.Tensor":
                    work.edits.replace(call.args[0].value, _constant(f"{torch}.FloatTensor"))
            case cst.Name("defaultdict") | cst.Attribute(attr=cst.Name("defaultdict")) if call.args and _is_class(
                work, call.args[0].value
            ):
                work.edits.replace(call.args[0].value, partial(_as_factory, call.args[0].value))
            case cst.Attribute(value=stepped, attr=cst.Name("step")) if [dotted(item.value) for item in call.args] == [
                "None"
            ] and work.values(stepped).kind is Kind.OPTIMIZER:
                work.edits.replace(call, _filled("{it}()", call.func))
            case cst.Attribute(
                value=cst.Subscript(value=cst.Attribute(attr=cst.Name("param_groups"))) as group,
                attr=cst.Name("update"),
            ):
                _set_options(work, call, group)
        if (work.values.torch_name(call.func) or "").startswith("torch.nn.init."):
            _fill_by_position(work, call)
        if work.values.torch_name(call.func) == "torch.nn.ParameterList" and len(call.args) == 1:
            _name_parameters(work, call)
        if (
            isinstance(call.func, cst.Call)
            and len(call.args) == 1
            and not call.args[0].star
            and call.args[0].keyword is None
        ):
            _call_function(work, call, call.func)
        if call.args and call.args[-1].star == "*" and _clamps(work, call):
            work.edits.replace(call, partial(_with_both_bounds, call))
        if len(call.args) == 1 and call.args[0].star == "*" and _makes_tensor(work, call.func):
            _name_size(work, call.args[0])
        given = call.args[0] if call.args and is_clip(call, work.values) else None
        if given is None or given.keyword is not None:
            continue
        if (every := _with_gradients(given.value)) is not None:
            work.edits.replace(given.value, _filled("{it}", every))
        elif (optimizer := _optimizer_of(given.value)) is not None:
            module = trained_model(work, optimizer)
            if module is not None:
                work.edits.replace(given.value, _filled("{it}.parameters()", module))

    for line in work.index.every(cst.Assign):
        if isinstance(line, cst.Assign) and len(line.targets) == 1 and _gives_itself(work, line):
            work.edits.replace(line, partial(_as_statement, line.value))
    for choice in work.index.every(cst.IfExp):
        assert isinstance(choice, cst.IfExp)
        found, torch = _class_on_any_device(work, choice), work.torch_alias()
        if found is not None and torch is not None:
            work.edits.replace(choice, _constant(found.replace("torch", torch, 1)))
    _name_classes(work)
    _name_changed_fields(work)

    if not work.program.mentions("data"):
        return
    losses = {
        dotted(call.func.value)
        for call in work.index.calls
        if isinstance(call.func, cst.Attribute) and call.func.attr.value == "backward" and not call.args
    }
    for node in work.index.every(cst.Subscript):
        match node:
            case cst.Subscript(
                value=cst.Attribute(value=tensor, attr=cst.Name("data")),
                slice=[cst.SubscriptElement(slice=cst.Index(value=cst.Integer(value="0")))],
            ) if _is_scalar(work, tensor, losses):
                if getattr(work.index.parents[node], "target", None) is not node:
                    work.edits.replace(node, _filled("{it}.item()", tensor))


def _is_plain(work: NormalizationRound, module: cst.BaseExpression, call: cst.Call, special: str) -> bool:
    """Whether a module of classes that find and set parts as torch does is asked for one, or given one."""
    value = work.values(module)
    known = [work.program.class_by_key.get(key) for key in value.types]
    if value.kind is not Kind.MODULE or any(item.keyword is not None or item.star for item in call.args):
        return False
    if len(call.args) != (1 if special == "__getattr__" else 2):
        return False
    return bool(known) and all(item is not None and item.method(special) is None for item in known)


def _as_builtin(name: str, module: cst.BaseExpression, call: cst.Call, rewrite: Rewriter) -> cst.BaseExpression:
    given = [cst.ensure_type(rewrite.inside(item), cst.Arg) for item in call.args]
    return call.with_changes(func=cst.Name(name), args=[cst.Arg(rewrite.expression(module)), *given])


_FUNCTIONS = {
    **{f"torch.nn.{name}": (name.lower(), 0) for name in "ReLU ReLU6 SELU SiLU Mish Sigmoid Tanh LogSigmoid".split()},
    **{f"torch.nn.{name}": (name.lower(), 1) for name in "ELU GELU CELU Softmax".split()},
    "torch.nn.LeakyReLU": ("leaky_relu", 1),
    "torch.nn.LogSoftmax": ("log_softmax", 1),
    "torch.nn.Softplus": ("softplus", 2),
    **{f"torch.nn.{kind}Pool{n}d": (f"{kind.lower()}_pool{n}d", 3) for kind in ("Max", "Avg") for n in (1, 2)},
    **{f"torch.nn.AdaptiveAvgPool{n}d": (f"adaptive_avg_pool{n}d", 3) for n in (1, 2)},
}
"""Functions of torch.nn.functional that take the arguments of a layer behind what it is called with, and how many of them: not
`inplace`, and not those that stand in another order.
"""


def _call_function(work: NormalizationRound, call: cst.Call, made: cst.Call) -> None:
    """A layer without parameters that is called where it is made is its function."""
    name, most = _FUNCTIONS.get(work.values.torch_name(made.func) or "", ("", 0))
    torch = work.torch_alias()
    words = {item.keyword.value if item.keyword is not None else item.star for item in made.args}
    if not name or torch is None or words & {"*", "**", "inplace", "return_indices"} or len(made.args) > most:
        return
    if name.endswith("softmax") and not made.args:
        return  # the axis goes by the rank of what it is given

    def build(rewrite: Rewriter) -> cst.BaseExpression:
        options = [
            item.with_changes(keyword=cst.Name("approximate"))
            if name == "gelu"
            else item  # which is given by name only
            for item in (cst.ensure_type(rewrite.inside(item), cst.Arg) for item in made.args)
        ]
        given = [*(rewrite.inside(item) for item in call.args), *options]
        function = quote(f"{torch}.nn.functional.{name}")
        return cst.Call(
            function, [cst.ensure_type(item, cst.Arg).with_changes(comma=cst.MaybeSentinel.DEFAULT) for item in given]
        )

    work.edits.replace(call, build)


def _name_changed_fields(work: NormalizationRound) -> None:
    """What changes in place the tensor of a field speaks of the field itself."""
    for call in work.index.calls:
        if isinstance(call.func, cst.Attribute) and is_inplace_name(call.func.attr.value):
            _name_field(work, call.func.value)
    for store in work.index.every(cst.Subscript):
        parent, whole = out_of_displays(work.index, store)
        if isinstance(parent, (cst.AssignTarget, cst.AugAssign)) and parent.target is whole:
            place: cst.BaseExpression = cst.ensure_type(store, cst.Subscript).value
            while isinstance(place, cst.Subscript):
                place = place.value
            _name_field(work, place)


def _name_field(work: NormalizationRound, place: cst.BaseExpression) -> None:
    match place:
        case cst.Call(
            func=cst.Name("getattr"),
            args=[cst.Arg(value=owner, keyword=None), cst.Arg(value=cst.SimpleString() as text)],
        ):
            name = str(text.evaluated_value)
            if name.isidentifier() and not name.startswith("__"):
                work.edits.replace(place, lambda rewrite: cst.Attribute(rewrite.expression(owner), cst.Name(name)))
        case cst.Attribute(value=owner) if work.values(owner).kind is Kind.OBJECT and work.effects is not None:
            known = {item.method(place.attr.value) for item in work.effects.classes_of(work.values(owner))}
            others = {item.methods.get(place.attr.value) for item in work.program.classes.values()} - {None}
            fields = {_field_given(item) if item is not None else None for item in known | others}
            if known and len(fields) == 1 and (field := fields.pop()) is not None:
                work.edits.replace(place.attr, lambda rewrite: cst.Name(field))


def _field_given(method: Function) -> str | None:
    """`_x` of `@property def x(self): return self._x`."""
    body = [item for item in method.node.body.body if not is_docstring(item)]
    match body:
        case [
            cst.SimpleStatementLine(body=[cst.Return(value=cst.Attribute(value=cst.Name(owner), attr=cst.Name(field)))])
        ] if method.decorators == ["property"] and owner == method.self_name and not field.startswith("__"):
            return field
    return None


def _clamps(work: NormalizationRound, call: cst.Call) -> bool:
    """Whether a call takes nothing but two bounds by its star, from something that can be read twice."""
    bounds = call.args[-1].value
    if not isinstance(bounds, (cst.Name, cst.Attribute)):
        return False
    is_in_place = isinstance(call.func, cst.Attribute) and call.func.attr.value.endswith("_")
    if work.values(bounds).items is not None and not is_in_place:
        return False  # the star of what is known is written out anyway
    match call.func:
        case cst.Attribute(value=tensor, attr=cst.Name("clamp" | "clamp_" | "clip" | "clip_")) if len(call.args) == 1:
            return work.values(tensor).kind is Kind.TENSOR
    return len(call.args) == 2 and work.values.torch_name(call.func) in ("torch.clamp", "torch.clip")


def _with_both_bounds(call: cst.Call, rewrite: Rewriter) -> cst.Call:
    new = rewrite.inside(call)
    assert isinstance(new, cst.Call)
    bounds = new.args[-1].value
    both = [cst.Arg(quote(f"{{bounds}}[{place}]", bounds=bounds.deep_clone())) for place in (0, 1)]
    return with_fields(new, args=[*new.args[:-1], *both])


def _size_of(node: cst.BaseExpression, rewrite: Rewriter) -> cst.BaseExpression:
    return quote("{it}.size()", it=as_expression(rewrite.inside(node)))


def _makes_tensor(work: NormalizationRound, function: cst.BaseExpression) -> bool:
    """Whether something takes the size of a tensor to make: `torch.FloatTensor`, `torch.cuda.LongTensor`, `x.new`."""
    match function:
        case cst.Attribute(value=value, attr=cst.Name("new")) if work.values(value).kind is Kind.TENSOR:
            return True
    name = work.values.torch_name(function) or ""
    return name.removeprefix("torch.cuda.").removeprefix("torch.").endswith("Tensor")


def _as_factory(node: cst.BaseExpression, rewrite: Rewriter) -> cst.BaseExpression:
    return quote("lambda: {it}()", it=as_expression(rewrite.inside(node)))


def _is_class(work: NormalizationRound, node: cst.BaseExpression) -> bool:
    """Whether something is a class of tensors: `torch.Tensor`, `torch.LongTensor`, or a variable that holds one or another."""
    value = work.values(node)
    return TENSOR_CLASS in value.types or work.values.torch_name(node) == "torch.Tensor"


def _made_with_flag(made: cst.Call, flagged: cst.Call, rewrite: Rewriter) -> cst.Call:
    """`nn.Parameter(x, requires_grad=False)` of `nn.Parameter(x).requires_grad_(False)`."""
    new = rewrite(made)
    assert isinstance(new, cst.Call)
    flag = flagged.args[0].value if flagged.args else cst.Name("True")
    equal = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))
    return new.with_changes(args=[*new.args, cst.Arg(rewrite.expression(flag), cst.Name("requires_grad"), equal)])


def _fill_by_position(work: NormalizationRound, call: cst.Call) -> None:
    """An initializer is given its tensor first, and by no keyword."""
    by_name = [item.keyword.value if item.keyword is not None else "" for item in call.args]
    if "tensor" not in by_name or "" in by_name:
        return

    def build(rewrite: Rewriter) -> cst.BaseExpression:
        made = rewrite.inside(call)
        assert isinstance(made, cst.Call)
        given = made.args[by_name.index("tensor")]
        others = [item.with_changes(comma=cst.MaybeSentinel.DEFAULT) for item in made.args if item is not given]
        return made.with_changes(args=[cst.Arg(given.value), *others])

    work.edits.replace(call, build)


def _gives_itself(work: NormalizationRound, line: cst.Assign) -> bool:
    """Whether a field is given the tensor that it holds, which has just been filled."""
    target, call = line.targets[0].target, line.value
    place = dotted(target)
    if not isinstance(target, cst.Attribute) or place is None or not isinstance(call, cst.Call):
        return False
    if (work.values.torch_name(call.func) or "").startswith("torch.nn.init."):
        filled = next((item.value for item in call.args if _is_filled(item, call)), None)
    elif isinstance(call.func, cst.Attribute) and is_inplace_name(call.func.attr.value) and place.endswith(".data"):
        filled = call.func.value
    else:
        return False
    return dotted(filled) in (place, place.removesuffix(".data")) if filled is not None else False


def _is_filled(item: cst.Arg, call: cst.Call) -> bool:
    """Whether an argument of an initializer is what it fills."""
    return item.keyword.value == "tensor" if item.keyword is not None else item is call.args[0] and not item.star


def _as_statement(call: cst.BaseExpression, rewrite: Rewriter) -> cst.Expr:
    return cst.Expr(rewrite.expression(call))


def _set_options(work: NormalizationRound, call: cst.Call, group: cst.Subscript) -> None:
    """A group of parameters that is told its options by name gets them one by one."""
    line = work.index.statement_of(call)
    match line:
        case cst.SimpleStatementLine(body=[cst.Expr(value=value)]) if value is call and call.args:
            pass
        case _:
            return
    if any(item.keyword is None for item in call.args) or any(descendants(group, cst.Call)):
        return

    def build(rewrite: Rewriter) -> list[cst.BaseStatement]:
        return [
            quote_statement(
                f'{{group}}["{item.keyword.value}"] = {{it}}',
                group=group.deep_clone(),
                it=rewrite.expression(item.value),
            )
            for item in call.args
            if item.keyword is not None
        ]

    work.edits.rewrite_statement(line, build)


def _class_on_any_device(work: NormalizationRound, choice: cst.IfExp) -> str | None:
    """The class of tensors that both ways of a choice name, which goes by the device; `torch.Tensor` has elements of float32."""
    names = [work.values.torch_name(item) for item in (choice.body, choice.orelse)]
    dtypes = {"float32" if name == "torch.Tensor" else class_dtype(name or "") for name in names}
    is_one = len(dtypes) == 1 and set(names) != {"torch.Tensor"}
    asked = [node for node in descendants(choice.test) if isinstance(node, (cst.Call, cst.NamedExpr, cst.Await))]
    is_pure = all(isinstance(node, cst.Call) and work.values.torch_name(node.func) is not None for node in asked)
    if is_pure and set(names) == {"torch", "torch.cuda"}:
        return "torch"
    return class_of_dtype(dtypes.pop()) if is_pure and is_one else None


def _name_classes(work: NormalizationRound) -> None:
    """Names that are bound to `torch.Tensor` on one way and to `torch.cuda.FloatTensor` on another are so to one class."""
    bound: dict[tuple[cst.CSTNode | None, str], list[cst.BaseExpression]] = {}
    for line in work.index.every(cst.Assign):
        assert isinstance(line, cst.Assign)
        name = work.values.torch_name(line.value) or ""
        if name == "torch.Tensor" or class_dtype(name) == "float32":
            bound.setdefault((work.index.function_of(line), code(line.targets[0].target)), []).append(line.value)
    torch = work.torch_alias()
    for values in bound.values() if torch is not None else ():
        general = [value for value in values if work.values.torch_name(value) == "torch.Tensor"]
        for value in general if len(general) < len(values) else ():
            work.edits.replace(value, _constant(f"{torch}.FloatTensor"))


def _name_size(work: NormalizationRound, given: cst.Arg) -> None:
    """Sizes that are given one by one are given as a whole."""
    value, torch = work.values(given.value), work.torch_alias()
    numbers = value.items if value.items is not None else (value.elem or _given_one_by_one(work, given.value),)
    if value.kind is Kind.SIZE:
        template = "{it}"
    elif (
        torch is not None and value.is_sequence and all(item is not None and item.kind is Kind.INT for item in numbers)
    ):
        template = f"{torch}.Size({{it}})"
    else:
        return
    work.edits.replace(given, lambda rewrite: cst.Arg(quote(template, it=rewrite.expression(given.value))))


def _given_one_by_one(work: NormalizationRound, node: cst.BaseExpression) -> Value | None:
    """What calls give a function for its `*size`; numbers where it is never called."""
    function = work.program.function_around(node)
    if function is None or not isinstance(node, cst.Name) or node.value != function.star_name:
        return None
    return function.seen.get(node.value, Value(Kind.INT) if not function.callers else None)


def _name_parameters(work: NormalizationRound, call: cst.Call) -> None:
    """A list of parameters makes parameters of the tensors that it is given."""
    match call.args[0].value:
        case cst.List(elements=elements) | cst.Tuple(elements=elements):
            given = [item.value for item in elements if not isinstance(item, cst.StarredElement)]
        case cst.ListComp(elt=made) | cst.GeneratorExp(elt=made):
            given = [made]
        case _:
            given = []
    torch = work.torch_alias()
    for item in given if torch is not None else ():
        value = work.values(item)
        if value.kind is Kind.TENSOR and "parameter" not in value.types:
            work.edits.replace(item, partial(_as_parameter, str(torch), item))


def _as_parameter(torch: str, item: cst.BaseExpression, rewrite: Rewriter) -> cst.BaseExpression:
    return quote(f"{torch}.nn.Parameter({{it}})", it=as_expression(rewrite.inside(item)))


def _with_gradients(node: cst.BaseExpression) -> cst.BaseExpression | None:
    """`params` of `[p for p in params if p.grad is not None]`, and of what chooses those that are trained, too."""
    match node:
        case cst.ListComp(elt=cst.Name(name), for_in=loop) | cst.GeneratorExp(elt=cst.Name(name), for_in=loop):
            is_plain = dotted(loop.target) == name and loop.inner_for_in is None
            tests = [item.test for item in loop.ifs]
            return loop.iter if is_plain and tests and all(_has_gradient(item, name) for item in tests) else None
        case cst.Call(
            func=cst.Name("filter"),
            args=[cst.Arg(value=cst.Lambda(params=params, body=body)), cst.Arg(value=listed, star="")],
        ) if len(params.params) == 1:
            return listed if _has_gradient(body, params.params[0].name.value) else None
    return None


def _optimizer_of(node: cst.BaseExpression) -> cst.BaseExpression | None:
    """`optimizer` of `[p for group in optimizer.param_groups for p in group["params"]]`."""
    match node:
        case (
            cst.ListComp(elt=cst.Name(name), for_in=cst.CompFor(ifs=[]) as groups)
            | cst.GeneratorExp(elt=cst.Name(name), for_in=cst.CompFor(ifs=[]) as groups)
        ) if isinstance(groups.inner_for_in, cst.CompFor) and not groups.inner_for_in.ifs:
            inner = groups.inner_for_in
            is_whole = inner.inner_for_in is None and dotted(inner.target) == name
            match groups.iter:
                case cst.Attribute(value=optimizer, attr=cst.Name("param_groups")) if is_whole:
                    group = code(groups.target)
                    return optimizer if code(inner.iter) in (f"{group}['params']", f'{group}["params"]') else None
    return None


def _has_gradient(test: cst.BaseExpression, name: str) -> bool:
    """Whether a condition asks whether a parameter is trained, or has a gradient."""
    match test:
        case cst.BooleanOperation(left=left, operator=cst.And(), right=right):
            return _has_gradient(left, name) and _has_gradient(right, name)
        case cst.Comparison(
            left=left, comparisons=[cst.ComparisonTarget(operator=cst.IsNot(), comparator=cst.Name("None"))]
        ):
            return dotted(left) == f"{name}.grad"
    return dotted(test) == f"{name}.requires_grad"


def _is_scalar(work: NormalizationRound, node: cst.BaseExpression, losses: Collection[str | None]) -> bool:
    """Whether a tensor has one element: no axes, or a gradient is taken of it as it is."""
    value = work.values(node)
    if value.rank is None and dotted(node) in losses:
        return value.kind in (Kind.TENSOR, Kind.UNKNOWN, Kind.PYTHON) and dotted(node) is not None
    return value.kind is Kind.TENSOR and value.rank == 0


def _filled(template: str, node: cst.BaseExpression) -> Callable[[Rewriter], cst.CSTNode]:
    return lambda rewrite: quote(template, it=rewrite.expression(node))


def _constant(text: str) -> Callable[[Rewriter], cst.CSTNode]:
    return lambda rewrite: quote(text)


def _is_layer(work: NormalizationRound, node: cst.BaseExpression) -> bool:
    """Whether something is a layer of torch, a module whose heirs have a `forward`, or may be one where nothing else of the program
    has a `forward` of another kind.
    """
    value = work.values(node)
    if value.kind is Kind.MODULE and value.types:
        own = [work.program.class_by_key.get(name) for name in value.types if not name.startswith("torch.nn.")]
        is_left = len(own) < len(value.types) or not any(item is not None and item.method("forward") for item in own)
        return is_left and all(item is not None and item.method("__call__") is None for item in own)
    if value.kind not in (Kind.MODULE, Kind.UNKNOWN) or dotted(node) is None:
        return False
    classes = work.program.class_by_key.values()
    named = [item for item in classes if item.method("forward") is not None]
    return all(item.is_module for item in named) and all(
        item.method("__call__") is None for item in classes if item.is_module
    )


def _typed(work: NormalizationRound, call: cst.Call) -> cst.BaseExpression | None:
    """`y` of `x.type(y.type())`."""
    match call.args:
        case [cst.Arg(value=cst.Call(func=cst.Attribute(value=other, attr=cst.Name("type")), args=[]), keyword=None)]:
            return other if work.values(other).kind in (Kind.TENSOR, Kind.UNKNOWN) else None
    return None


__all__ = ["normalize_other_spellings"]
