"""Fields of a module that hold one of its own methods, normalized to the method: JAX's modules cannot hold themselves.

self.step = self.one_step     ->   (gone)
y = self.step(x)              ->   y = self.one_step(x)

self.act = self.a if c else self.b     ->   self.uses_a = c
y = self.act(x)                        ->   y = self.a(x) if self.uses_a else self.b(x)

Of more than two, the name of the one that the field holds is kept: `self.act_name == "a"`.

Where other files may ask for the field, the class gets a method of its name, which calls the one that the field holds:

self.step = self.one_step     ->   def step(self, x):
                                       return self.one_step(x)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import Class, Function, dotted
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import Rewriter, always_statements
from torch2jax.syntax.quote import names_in, quote, quote_statement
from torch2jax.syntax.walk import descendants, own_nodes, with_fields
from torch2jax.values import Kind

_Lines = list[tuple[cst.SimpleStatementLine, str]]


def normalize_method_fields(work: NormalizationRound) -> None:
    """Normalize all such fields that are read where their class is known."""
    for item in work.program.classes.values():
        init = item.methods.get("__init__") if item.is_module else None
        if init is None or init.self_name is None:
            continue
        found: dict[str, _Lines] = {}
        lines_of_init = [node for node in own_nodes(init.node) if isinstance(node, cst.SimpleStatementLine)]
        for line in sorted(lines_of_init, key=work.index.order.__getitem__):
            if (pair := _pair(line, init.self_name)) is not None:
                found.setdefault(pair[0], []).append((line, pair[1]))
        for field, lines in found.items():
            methods = {method for _, method in lines}
            if len(methods) == 1 and field not in item.methods:
                method = item.method(lines[0][1])
                if method is not None and not method.decorators:
                    _replace(work, item, init, field, method, lines)
            elif len(methods) > 1:
                _normalize_branches(work, item, init, field, lines)
        _normalize_choices(work, item, init)


def _is_plain(method: Function | None) -> bool:
    """Whether a method of a module is called as it is written."""
    return method is not None and method.decorators in ([], ["staticmethod"])


def _normalize_choices(work: NormalizationRound, item: Class, init: Function) -> None:
    """Keep the test where a field holds one of two methods, and ask it where the field is called."""
    body = init.node.body
    for line in body.body if isinstance(body, cst.IndentedBlock) else ():
        match line:
            case cst.SimpleStatementLine(
                body=[
                    cst.Assign(
                        targets=[
                            cst.AssignTarget(target=cst.Attribute(value=cst.Name(own), attr=cst.Name(field)) as store)
                        ],
                        value=cst.IfExp(
                            test=test,
                            body=cst.Attribute(value=cst.Name(first), attr=cst.Name(chosen)),
                            orelse=cst.Attribute(value=cst.Name(second), attr=cst.Name(other)),
                        ),
                    )
                ]
            ) if own == first == second == init.self_name:
                methods = [item.method(chosen), item.method(other)]
                if item.method(field) is None and all(map(_is_plain, methods)):
                    asked = quote("bool({test})", test=work.copy(test))
                    _ask(work, item, init, field, {line: (store, asked)}, (chosen, other))


def _normalize_branches(work: NormalizationRound, item: Class, init: Function, field: str, lines: _Lines) -> None:
    """Note in each line that gives the field one of two methods which one it is, and ask that where the field is called."""
    names = tuple(dict.fromkeys(method for _, method in lines))
    if item.method(field) is not None or not all(_is_plain(item.method(name)) for name in names):
        return
    stores: dict[cst.SimpleStatementLine, tuple[cst.Attribute, cst.BaseExpression]] = {}
    for line, method in lines:
        is_first = cst.Name(str(method == names[0]))
        stores[line] = _stored(line), is_first if len(names) == 2 else cst.SimpleString(f'"{method}"')
    _ask(work, item, init, field, stores, names)


def _stored(line: cst.SimpleStatementLine) -> cst.Attribute:
    return cst.ensure_type(cst.ensure_type(line.body[0], cst.Assign).targets[0].target, cst.Attribute)


def _ask(
    work: NormalizationRound,
    item: Class,
    init: Function,
    field: str,
    lines: Mapping[cst.SimpleStatementLine, tuple[cst.Attribute, cst.BaseExpression]],
    methods: tuple[str, ...],
) -> None:
    """Keep in a field of its own which method the field holds, as some lines say: whether it is the first of two, or its name."""
    flag = f"uses_{methods[0].lstrip('_')}" if len(methods) == 2 else f"{field}_name"
    stores = {store for store, _ in lines.values()}
    named = [node for node in work.index.attributes if node.attr.value == field and node not in stores]
    reads = [node for node in named if not _is_of_another(work, item, node)]
    calls = [call for node in reads if isinstance(call := work.index.parents[node], cst.Call) and call.func is node]
    taken = any(node.attr.value == flag for node in work.index.attributes)
    if taken or len(calls) < len(reads) or not all(_reads_own(work, item, node) for node in reads):
        return
    if _is_used_elsewhere(work, field):
        known = [method for name in methods if (method := item.method(name)) is not None]
        first, texts = known[0], [_call_with_own_parameters(method) for method in known]
        are_known = all(_are_given_alike(item, first, method) for method in known[1:])
        if None in texts or not are_known or _is_overridden_otherwise(work, item, *known):
            return
        tests = [_test(f"{first.self_name}.{flag}", methods, name) for name in methods[:-1]]
        body = [f"if {test}:\n    return {text}" for test, text in zip(tests, texts, strict=False)]
        _add_method(work, item, init, field, first, [*body, f"return {texts[-1]}"])
        calls = []  # they call that
    for call in calls:
        place = cst.ensure_type(call.func, cst.Attribute).value

        def build(rewrite: Rewriter, call: cst.Call = call, place: cst.BaseExpression = place) -> cst.BaseExpression:
            *others, last = (
                with_fields(
                    call, func=cst.Attribute(work.copy(place), cst.Name(name)), args=_arguments(rewrite, work, call)
                )
                for name in methods
            )
            chosen: cst.BaseExpression = last
            for name, made in reversed(list(zip(methods, others, strict=False))):
                test = _test(f"{{place}}.{flag}", methods, name)
                chosen = quote(f"{{made}} if {test} else {{chosen}}", made=made, place=work.copy(place), chosen=chosen)
            return chosen

        work.edits.replace(call, build)
    for line, (store, value) in lines.items():
        made = quote_statement("{made} = {value}", made=with_fields(store, attr=cst.Name(flag)), value=value)
        work.edits.rewrite_statement(line, always_statements([made]))


def _test(flag: str, methods: tuple[str, ...], name: str) -> str:
    """The question whether the field holds a method."""
    return flag if len(methods) == 2 else f'{flag} == "{name}"'


def _arguments(rewrite: Rewriter, work: NormalizationRound, call: cst.Call) -> list[cst.Arg]:
    """The arguments of a call, as often as they are asked for."""
    return [with_fields(arg, value=work.copy(rewrite.expression(arg.value))) for arg in call.args]


def _pair(line: cst.SimpleStatementLine, name: str) -> tuple[str, str] | None:
    """`("step", "one_step")` of `self.step = self.one_step`."""
    match line.body:
        case [
            cst.Assign(
                targets=[cst.AssignTarget(target=cst.Attribute(value=holder, attr=field))],
                value=cst.Attribute(value=source, attr=method),
            )
        ] if dotted(holder) == dotted(source) == name and field.value != method.value:
            return field.value, method.value
    return None


def _replace(
    work: NormalizationRound, item: Class, init: Function, field: str, method: Function, lines: _Lines
) -> None:
    stores = {_stored(line) for line, _ in lines}
    named = [node for node in work.index.attributes if node.attr.value == field and node not in stores]
    reads = [node for node in named if not _is_of_another(work, item, node)]
    is_hidden = item.method(field) is not None  # a method of a base class
    is_derived = any(item in other.base_classes for other in work.program.classes.values())
    if is_hidden and not any(work.index.parents[line] is init.node.body for line, _ in lines):
        return
    if is_hidden or is_derived or _is_used_elsewhere(work, field):
        if any(_is_set_otherwise(work, node) for node in named):
            return
        called = _call_with_own_parameters(method)
        is_known = method.owner is item or _is_the_same_elsewhere(method.node.params)
        if called is None or not is_known or _is_overridden_otherwise(work, item, method):
            return
        _add_method(work, item, init, field, method, [f"return {called}"])
        reads = []  # they call that
    elif any(not _reads_own(work, item, node) for node in reads):
        return
    for node in reads:
        work.edits.replace(
            node,
            lambda rewrite, node=node: with_fields(  # type: ignore[misc]
                node, value=rewrite.expression(node.value), attr=cst.Name(lines[0][1])
            ),
        )
    for line, _ in lines:
        work.edits.remove(line)


def _is_set_otherwise(work: NormalizationRound, node: cst.Attribute) -> bool:
    """Whether a field is given something else than one of the methods of `self`."""
    if not isinstance(work.index.parents[node], (cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.Del)):
        return False
    function, line = work.program.function_around(node), work.index.statement_of(node)
    if function is None or function.name != "__init__" or function.self_name is None:
        return True
    return not isinstance(line, cst.SimpleStatementLine) or _pair(line, function.self_name) is None


def _is_used_elsewhere(work: NormalizationRound, field: str) -> bool:
    """Whether other files may read a field, or set it for a class of theirs that derives from this one."""
    return field in work.program.read_elsewhere or f"={field}" in work.program.read_elsewhere


def _call_with_own_parameters(method: Function) -> str | None:
    """A call of a method in a method with the same parameters; None for one that yields, or has no block."""
    node, own = method.node, method.self_name
    yields = any(isinstance(item, (cst.Yield, cst.Await)) for item in own_nodes(node))
    if own is None or node.asynchronous is not None or yields or not isinstance(node.body, cst.IndentedBlock):
        return None
    params = node.params
    given = [item.name.value for item in (*params.posonly_params, *params.params)][1:]
    given += [f"*{item.name.value}" for item in [params.star_arg] if isinstance(item, cst.Param)]
    given += [f"{item.name.value}={item.name.value}" for item in params.kwonly_params]
    given += [f"**{item.name.value}" for item in [params.star_kwarg] if item is not None]
    return f"{own}.{method.name}({', '.join(given)})"


def _is_overridden_otherwise(work: NormalizationRound, item: Class, *methods: Function) -> bool:
    """Whether a class that derives from one has other parameters for one of its methods, or other defaults."""
    derived = [
        other for other in work.program.class_by_key.values() if item.key in {base.key for base in other.lineage}
    ]
    return any(
        code(own.node.params) != code(method.node.params)
        for method in methods
        for other in derived
        if (own := other.methods.get(method.name)) is not None
    )


def _are_given_alike(item: Class, first: Function, second: Function) -> bool:
    """Whether two methods have the same parameters, which a class may write down."""
    params = first.node.params
    is_own = first.owner is second.owner is item
    return code(params) == code(second.node.params) and (is_own or _is_the_same_elsewhere(params))


def _add_method(
    work: NormalizationRound, item: Class, init: Function, field: str, like: Function, lines: Sequence[str]
) -> None:
    """Give a class a method called as the field, with the parameters of another one, behind that, or behind `__init__`."""
    own, params = like.owner is item, like.node.params
    made = cst.FunctionDef(
        cst.Name(field),
        work.copy(params) if own else params.deep_clone(),
        cst.IndentedBlock([quote_statement(line) for line in lines]),
        returns=work.copy(like.node.returns) if own and like.node.returns is not None else None,
        leading_lines=[cst.EmptyLine(indent=False)],
    )
    work.edits.after((like if own else init).node, always_statements([made]))


def _is_the_same_elsewhere(params: cst.Parameters) -> bool:
    """Whether parameters say the same in another class, or in another file: no name is looked up for them."""
    every = list(descendants(params, cst.Param))
    names = {name for node in every if node.default is not None for name in names_in(node.default)}
    return names <= {"None", "True", "False"} and all(node.annotation is None for node in every)


def _is_of_another(work: NormalizationRound, item: Class, node: cst.Attribute) -> bool:
    """Whether a field is one of a class that has nothing to do with this one."""
    function = work.program.function_around(node)
    owner = function.owner if function is not None else None
    if function is None or owner is None or dotted(node.value) != function.self_name:
        return False
    return owner is not item and not owner.base_classes


def _reads_own(work: NormalizationRound, item: Class, node: cst.Attribute) -> bool:
    """Whether a field of a class is read, not set, of which no subclass is in sight."""
    function, value = work.program.function_around(node), work.values(node.value)
    is_own = function is not None and function.owner is item and dotted(node.value) == function.self_name
    is_own |= value.kind is Kind.MODULE and value.types == {item.key}
    is_set = isinstance(work.index.parents[node], (cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.Del))
    return is_own and not is_set and not any(item in other.base_classes for other in work.program.classes.values())


__all__ = ["normalize_method_fields"]
