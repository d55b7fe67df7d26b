"""Lists of the parameters of a module that a plain object keeps, normalized to those of the module wherever they are read.

def __init__(self, model):                     def __init__(self, model):
    self.params = list(model.parameters())         self.model = model
                                          ->
def step(self):                                def step(self):
    for p in self.params:                          for p in self.model.parameters():
        p.mul_(0.9)                                    p.mul_(0.9)

In torch the list holds the parameters themselves, whatever becomes of their values; a list of arrays would keep those of the
time when it was made. The module gets no other parts, and nobody changes the list. State dicts and their values go the same way.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile

import libcst as cst

from torch2jax.normalize.joined_parameters import is_at_init
from torch2jax.normalize.named_fields import expression_with
from torch2jax.normalize.own_fields import may_be_of
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.normalize.unread_fields import speaks_of_all_fields
from torch2jax.program.definitions import How
from torch2jax.program.program import Class, Function, dotted
from torch2jax.syntax.edits import always, always_statements
from torch2jax.syntax.quote import quote_statement
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_LISTING = frozenset({"parameters", "named_parameters", "buffers", "named_buffers", "state_dict"})
_WITHOUT_NAMES = {"named_parameters": "parameters", "named_buffers": "buffers", "items": "values"}
_COLLECTING = frozenset({"list", "tuple", "dict"})
_READING = frozenset({"zip", "enumerate", "reversed", "len", "list", "tuple", "iter", "sum", "map", "filter"})
_ADDING = frozenset({"add_module", "register_parameter", "register_buffer", "register_module"})


def normalize_kept_parameters(work: NormalizationRound) -> None:
    """Normalize all such fields of a file."""
    if speaks_of_all_fields(work) or any(map(work.program.mentions, _ADDING)):
        return
    for item in work.program.classes.values():
        init = None if item.is_module else item.methods.get("__init__")
        if init is None or init.self_name is None or len(item.lineage) != 1:
            continue
        for line in init.node.body.body:
            match line:
                case cst.SimpleStatementLine(
                    body=[cst.Assign(targets=[cst.AssignTarget(target=cst.Attribute() as place)], value=value)]
                ) if dotted(place.value) == init.self_name:
                    _of_field(work, item, init, place, value)


def _of_field(
    work: NormalizationRound, item: Class, init: Function, place: cst.Attribute, value: cst.BaseExpression
) -> None:
    """Normalize one field, where it holds such a list; a module that is no field becomes one first."""
    roots = _roots(work, value)
    if not roots or not _is_kept_list(value) or not _is_filter_lasting(work, value):
        return
    reads = list(_reads(work, item, place))
    if (
        not reads
        or not all(_only_reads(work, node) for node in reads)
        or not all(_is_lasting(work, root) for root in roots)
    ):
        return
    assert init.self_name is not None
    given: dict[str, cst.Name] = {}
    for root in roots:
        name = _base(root)
        if name == init.self_name:
            continue
        field = _field_of(work, init, name, place)
        if field is None:
            _keep(work, item, init, name, place)
            return
        given[name] = cst.Name(field)
    for node in reads:
        owner = node.value
        own = {name: cst.Attribute(work.copy(owner), field) for name, field in given.items()}
        made = expression_with(work, value, {**own, init.self_name: owner})
        work.edits.replace(node, always(_as_read(work, node, made)))
    if place.attr.value not in work.program.read_elsewhere:
        work.edits.remove(work.index.statement_of(place))


def _is_kept_list(value: cst.BaseExpression) -> bool:
    """Whether a value can be gone through more than once."""
    match value:
        case cst.Call(func=cst.Name(name)) if name in _COLLECTING:
            return True
        case cst.Call(func=cst.Attribute(attr=cst.Name("state_dict" | "values" | "items"))):
            return True
    return isinstance(value, (cst.List, cst.ListComp, cst.DictComp, cst.BinaryOperation))


def _roots(work: NormalizationRound, node: cst.BaseExpression) -> list[cst.BaseExpression]:
    """The modules all of whose parameters an expression lists, and nothing else; none where that is not known."""
    match node:
        case cst.Call(func=cst.Attribute(value=module, attr=cst.Name(name)), args=[]) if name in _LISTING:
            is_module = dotted(module) is not None and work.values(module).kind is Kind.MODULE
            return [module] if is_module else []
        case cst.Call(func=cst.Attribute(value=inner, attr=cst.Name("values" | "items")), args=[]):
            return _roots(work, inner)
        case cst.Call(func=cst.Name(name), args=[cst.Arg(value=inner, keyword=None, star="")]) if name in _COLLECTING:
            of_names = isinstance(inner, cst.Call) and name != "dict" and _method(inner) == "state_dict"
            return [] if of_names else _roots(work, inner)
        case cst.ListComp(elt=cst.Name() as made, for_in=loop) | cst.DictComp(value=cst.Name() as made, for_in=loop):
            is_plain = loop.inner_for_in is None and loop.asynchronous is None and _is_member(made.value, loop)
            return _roots(work, loop.iter) if is_plain and all(_is_filter(item.test) for item in loop.ifs) else []
        case cst.BinaryOperation(left=left, operator=cst.Add(), right=right):
            both = [_roots(work, left), _roots(work, right)]
            return [*both[0], *both[1]] if all(both) else []
    return []


def _is_member(name: str, loop: cst.CompFor) -> bool:
    """Whether a variable of a loop has the parameters that it goes through, not their names."""
    method = _method(loop.iter) if isinstance(loop.iter, cst.Call) else None
    match loop.target:
        case cst.Name(variable):
            return variable == name and method in _WITHOUT_NAMES.values()
        case cst.Tuple(elements=[_, cst.Element(value=cst.Name(variable))]):
            return variable == name and method in _WITHOUT_NAMES
    return False


def _method(call: cst.Call) -> str | None:
    return call.func.attr.value if isinstance(call.func, cst.Attribute) else None


def _is_filter(test: cst.CSTNode) -> bool:
    """`p.requires_grad`."""
    return isinstance(test, cst.Attribute) and isinstance(test.value, cst.Name) and test.attr.value == "requires_grad"


def _is_filter_lasting(work: NormalizationRound, value: cst.BaseExpression) -> bool:
    """Whether the parameters that are trained are so for good, where only these are listed."""
    if not any(map(_is_filter, descendants(value))):
        return True
    return not work.field_stores("requires_grad") and not work.program.mentions("requires_grad_")


def _is_lasting(work: NormalizationRound, module: cst.BaseExpression) -> bool:
    """Whether what lies at a place is the same module later, with the same parts."""
    path = set(str(dotted(module)).split(".")[1:])
    for target in work.index.every(cst.AssignTarget):
        assert isinstance(target, cst.AssignTarget)
        place: cst.BaseExpression = target.target
        while isinstance(place, cst.Subscript):
            place = place.value
        if not isinstance(place, cst.Attribute):
            continue
        function = work.program.function_around(target)
        is_made = function is not None and function.name == "__init__" and dotted(place.value) == function.self_name
        is_part = work.values(place.value).kind is Kind.MODULE and work.values(place).is_a(Kind.MODULE, Kind.UNKNOWN)
        if not is_made and (place.attr.value in path or is_part):
            return False
    return True


def _base(module: cst.BaseExpression) -> str:
    return str(dotted(module)).partition(".")[0]


def _field_of(work: NormalizationRound, init: Function, name: str, place: cst.Attribute) -> str | None:
    """The field that has what `__init__` is given for a parameter above a place, and nothing else ever."""
    for line in takewhile(lambda line: line is not work.index.statement_of(place), init.node.body.body):
        match line:
            case cst.SimpleStatementLine(
                body=[cst.Assign(targets=[cst.AssignTarget(target=cst.Attribute() as place)], value=cst.Name(given))]
            ) if given == name and dotted(place.value) == init.self_name:
                stores = work.field_stores(place.attr.value)
                if all(is_at_init(work, node) for node in stores):
                    return place.attr.value
    return None


def _keep(work: NormalizationRound, item: Class, init: Function, name: str, place: cst.Attribute) -> None:
    """Let an object keep the module that it is given."""
    parameter = next((part.name for part in init.parameters if part.name.value == name), None)
    if parameter is None or any(found.how is not How.PARAMETER for found in work.program.definitions.of(parameter)):
        return
    if item.method(name) is not None or item.field_value(name) is not None:
        return
    field = cst.Attribute(cst.Name(str(init.self_name)), cst.Name(name))
    line = quote_statement("{field} = {module}", field=field, module=cst.Name(name))
    work.edits.before(work.index.statement_of(place), always_statements([line]))


def _reads(work: NormalizationRound, item: Class, place: cst.Attribute) -> Iterator[cst.Attribute]:
    """Where a field may be read, or a list in it changed."""
    for node in work.index.attributes:
        if node is not place and node.attr.value == place.attr.value and may_be_of(work.values(node.value), {item.key}):
            yield node


def _only_reads(work: NormalizationRound, node: cst.Attribute) -> bool:
    """Whether a use of a list of the file's own leaves it as it is, and keeps it in no other place."""
    if dotted(node) is None or work.values(node.value).kind is not Kind.OBJECT:
        return False
    parent = work.index.parents[node]
    match parent:
        case cst.For(iter=over) | cst.CompFor(iter=over):
            return over is node
        case cst.Subscript(value=value):
            around = work.index.parents[parent]
            is_changed = isinstance(around, (cst.AssignTarget, cst.AugAssign, cst.Del))
            return value is node and not is_changed
        case cst.Arg(star=""):
            call = work.index.parents[parent]
            assert isinstance(call, cst.Call)
            is_torch = work.values.torch_name(call.func) is not None
            return is_torch or dotted(call.func) in _READING
        case cst.Attribute(attr=cst.Name("values" | "items" | "keys")):
            return isinstance(work.index.parents[parent], cst.Call)
    return False


def _as_read(work: NormalizationRound, node: cst.Attribute, made: cst.BaseExpression) -> cst.BaseExpression:
    """What a list is made of, without the list where it is only gone through."""
    parent = work.index.parents[node]
    call = work.index.parents[parent] if isinstance(parent, cst.Arg) else None
    is_zipped = isinstance(call, cst.Call) and dotted(call.func) in ("zip", "enumerate")
    if is_zipped or isinstance(parent, (cst.For, cst.CompFor)):
        match _without_comprehension(work, made):
            case cst.Call(func=cst.Name("list" | "tuple"), args=[cst.Arg(value=inner)]):
                return inner
            case inner:
                return inner
    return made


def _without_comprehension(work: NormalizationRound, made: cst.BaseExpression) -> cst.BaseExpression:
    """`net.parameters()` of `[p for p in net.parameters()]`, also of `[p for name, p in net.named_parameters()]`."""
    match made:
        case cst.ListComp(for_in=cst.CompFor(target=target, iter=inner, ifs=ifs)):
            frozen = (item for item in work.index.names if item.value == "requires_grad")
            if ifs and any(isinstance(work.index.parents[item], cst.Arg) for item in frozen):
                return made
        case _:
            return made
    if not isinstance(inner, cst.Call) or not isinstance(inner.func, cst.Attribute) or isinstance(target, cst.Name):
        return inner
    return inner.with_changes(func=inner.func.with_changes(attr=cst.Name(_WITHOUT_NAMES[inner.func.attr.value])))


__all__ = ["normalize_kept_parameters"]
