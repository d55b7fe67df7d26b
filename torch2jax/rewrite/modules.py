"""nn.Module classes become the target's modules: base class, annotated fields, `__call__`, buffers, tied weights.

class MLP(nn.Module):              class MLP(eqx.Module):
    def __init__(self):                fc: eqx.nn.Linear
        super().__init__()     ->
        self.fc = ...                  def __init__(self, *, key):
    def forward(self, x):                  self.fc = ...
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Set
from functools import partial

import libcst as cst

from torch2jax.facts.compiled import is_hashable
from torch2jax.facts.effects import holds_tensors, is_discrete
from torch2jax.facts.held_functions import find_held_functions
from torch2jax.facts.infer import UNNAMED_PART
from torch2jax.facts.key_order import are_changed, assignment_of, changed_by_giver, is_new_dict, unsorted_fields
from torch2jax.facts.module_state import gives_self, init_methods
from torch2jax.facts.parameters import is_optimizer, is_own_optimizer, own_optimizer_base
from torch2jax.facts.renamed_parts import renamed_parts
from torch2jax.facts.replaced_submodules import DROPOUTS, is_plain_layer
from torch2jax.facts.tensor_settings import HELD, MODULE, PARAMETER
from torch2jax.facts.unset_fields import fields_in_order, ordered_parts
from torch2jax.program.calls import decorators_of, wrappers_of
from torch2jax.program.program import Class, Function, dotted, is_super
from torch2jax.program.statements import bound_parts
from torch2jax.rewrite.calls import class_made
from torch2jax.rewrite.module_state import field_type, reason_against
from torch2jax.rewrite.parts_of_several import (
    report_parts_of_several,
    report_parts_of_trained_models,
    report_parts_on_several_ways,
    report_repeated_elements,
)
from torch2jax.rewrite.setup_arguments import takes_arguments
from torch2jax.rewrite.setup_methods import rewrite_setup
from torch2jax.rewrite.setup_starts import start_in_makers, starting_methods
from torch2jax.rewrite.taken_parts import is_taken_apart
from torch2jax.rewrite.threading import with_part
from torch2jax.rewrite.tied_weights import rewrite_ties
from torch2jax.rewrite.unhashed_fields import is_kept_set
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import Rewriter, always, always_statements, as_expression
from torch2jax.syntax.quote import names_in, quote, quote_statement, quote_statements
from torch2jax.syntax.walk import children, descendants, own_nodes
from torch2jax.values import Kind, Value, module_sites

DATASETS = ("torch.utils.data.Dataset", "torch.utils.data.IterableDataset", "torch.utils.data.Sampler")


def rewrite_modules(unit: Unit) -> None:
    """Rewrite all classes that derive from torch classes; runs before statements and calls."""
    starting = starting_methods(unit) if unit.facts.target.setup is not None else frozenset()
    renamed = renamed_parts(unit.facts.program) if unit.facts.target.immutable else frozenset()
    start_in_makers(unit)
    for item in unit.facts.program.classes.values():
        if item.is_module:
            _module(unit, item, starting, renamed)
        else:
            _other_class(unit, item)
    if unit.facts.target.immutable:
        report_parts_on_several_ways(unit)
        report_repeated_elements(unit)
    report_parts_of_trained_models(unit)
    if unit.facts.target.annotated_fields:
        _freeze_stored_dataclasses(unit)
    for problem in find_held_functions(unit.facts.program, unit.facts.effects):
        unit.problem(problem.node, problem.code, **problem.fields)


def _other_class(unit: Unit, item: Class) -> None:
    """Dataset classes keep their methods and lose their base, others that the support code has get that; the rest is
    refused."""
    for base, value in zip(item.node.bases, item.bases, strict=True):
        classes = [unit.facts.program.class_by_key.get(key) for key in value.types] if value.kind is Kind.CLASS else []
        if any(one is not None and own_optimizer_base(one) for one in classes):
            unit.problem(item.node, "T2J206", name=item.name, base=code(base.value))
        if value.kind is Kind.TORCH:
            spec = unit.facts.tables.functions.get(str(value.const))
            if value.const in DATASETS:
                unit.settle(base)
                unit.edits.replace(item.node, lambda rewrite: _without_base(unit, item, rewrite))
                for method in item.methods.values():
                    _drop_super_init(unit, item, method)
            elif spec is not None and spec.same is not None and not is_optimizer(str(value.const)):
                continue  # as a name
            elif is_own_optimizer(item) and unit.facts.target.own_optimizer is not None:
                unit.settle(base)
                named = quote(unit.spell("ParameterOptimizer()").removesuffix("()"))
                unit.edits.replace(base.value, always(named))
            else:
                if not any(problem.node is item.node for problem in unit.problems):  # else the reason is told
                    unit.problem(item.node, "T2J206", name=item.name, base=str(value.const))
                unit.settle(base)


def _without_base(unit: Unit, item: Class, rewrite: Rewriter) -> cst.CSTNode:
    node = rewrite.inside(item.node)
    assert isinstance(node, cst.ClassDef)
    kept = [
        rewrite(base)
        for base, value in zip(item.node.bases, item.bases, strict=True)
        if not (value.kind is Kind.TORCH and value.const in DATASETS)
    ]
    if kept:
        return node.with_changes(bases=kept)
    return node.with_changes(bases=[], lpar=cst.MaybeSentinel.DEFAULT, rpar=cst.MaybeSentinel.DEFAULT)


def _drop_super_init(unit: Unit, item: Class, method: Function) -> None:
    """`super().__init__(data_source)` in a class without bases."""
    if len(item.bases) > 1:
        return
    for node in own_nodes(method.node):
        match node:
            case cst.SimpleStatementLine(
                body=[cst.Expr(value=cst.Call(func=cst.Attribute(attr=cst.Name("__init__")) as function))]
            ):
                if is_super(function.value):
                    unit.settle(node)
                    unit.edits.remove(node)


def _module(unit: Unit, item: Class, starting: frozenset[Function], renamed: Set[tuple[str, str]]) -> None:
    target = unit.facts.target
    _bases(unit, item)
    _report_given_members(unit, item)
    at_init = init_methods(item)
    for method in item.methods.values():
        _super_init(unit, item, method)
        if method not in at_init and not method.is_static:
            _late_assignments(unit, method)
    init = item.methods.get("__init__")
    _plain_lists(unit, item)
    _mixed_settings(unit, item)
    _containers(unit, item)
    _numbers_of_numpy(unit, item)
    if target.own_str and "__repr__" in item.methods and item.method("__str__") is None:
        unit.edits.after(item.methods["__repr__"].node, lambda rewrite: quote_statements("__str__ = __repr__"))
    if target.immutable:
        _shared_parts(unit, item, renamed)
        report_parts_of_several(unit, item)
    if init is not None and target.replaced is not None:
        rewrite_ties(unit, item, init, at_init)
    if target.setup is not None:
        rewrite_setup(unit, item, starting)
    if target.annotated_fields:
        fields = _field_lines(unit, item)
        if fields:
            assert isinstance(item.node.body, cst.IndentedBlock)
            unit.edits.prologue(item.node.body, lambda rewrite: _annotations(fields))
        _declared_buffers(unit, item)
        _names_of_buffers(unit, item, at_init)
    elif item.name in unit.members:
        line = f'unnamed = ("{unit.members[item.name]}",)  # torch\'s names of parameters leave it out\n'
        unit.edits.prologue(item.node.body, lambda rewrite: quote_statements(line))
    if not target.annotated_fields and ordered_parts(item):
        parts = [name for part in reversed(item.lineage) for name in ordered_parts(part) or part.fields]
        listed = ", ".join(f'"{name}"' for name in dict.fromkeys(parts))
        order = f"torch_order = ({listed})  # of what is None at first, where it is filled\n"
        unit.edits.prologue(item.node.body, lambda rewrite: quote_statements(order))
    named = target.mode_names.intersection((*item.fields, *item.methods))
    is_confused = bool(named) and target.mode_field not in target.mode_names  # the other name tells what is none
    if target.mode_field is not None and (unit.facts.effects.reads_training(item) or is_confused):
        _mode_field(unit, item, init, target.mode_field)
    if not is_confused:
        reason = "the library sets what has this name to the mode, in each module"
        for name in sorted(named):
            unit.problem(unit.field_node(item, name), "T2J606", name=name, module=item.name, reason=reason)
    if target.keep_key is not None and unit.facts.effects.keeps_key(item):
        _keep_key(unit, item, init, target.keep_key)


def _plain_lists(unit: Unit, item: Class) -> None:
    """torch does not train what stands in plain lists, sets no mode of it, and does not list it among the parts."""
    is_listed = any(map(unit.facts.program.mentions, ("modules", "named_modules", "children", "named_children")))
    is_open = unit.facts.target.immutable and not is_listed
    for name, value in item.fields.items():
        if (
            value.kind in (Kind.LIST, Kind.TUPLE, Kind.DICT)
            and _holds_module(value)
            and not (is_open and _is_bare(unit, value))
        ):
            unit.problem(unit.field_node(item, name), "T2J601", name=name, module=item.name)


def _mixed_settings(unit: Unit, item: Class) -> None:
    """A setting that is a tensor of some modules, and a parameter or part of others, which fields cannot tell apart; so are frozen
    parameters.
    """
    for name, value in item.fields.items():
        if "frozen" in value.types and _may_be_plain(unit, item, name):
            unit.problem(unit.field_node(item, name), "T2J601", name=name, module=item.name)
    for name, value in item.fields.items() if unit.facts.target.immutable else ():
        kinds = unit.facts.effects.settings.get((item.key, name), frozenset())
        if value.kind in (Kind.UNKNOWN, Kind.PYTHON) and kinds & {PARAMETER, MODULE}:
            unit.problem(unit.field_node(item, name), "T2J601", name=name, module=item.name)


def _containers(unit: Unit, item: Class) -> None:
    """Lists and dicts in fields: dicts stay in order as OrderedDicts, and targets that have a word for it say what holds arrays."""
    unsorted = unsorted_fields(item, unit.facts.values)
    for name, value in item.fields.items():
        assignment = assignment_of(item, name, unit.facts.values)
        if assignment is not None and name not in item.state and _are_options(unit, name, value, assignment.value):
            unit.edits.replace(assignment.value, _around(assignment.value, unit.spell("hashable({value})")))
        elif assignment is not None and unit.facts.effects.settings.get((item.key, name), frozenset()) == {HELD}:
            kept = unit.spell(unit.facts.target.kept_object)
            if kept != "{value}" and assignment.value not in unit.edits.nodes:
                unit.edits.replace(assignment.value, _around(assignment.value, kept))
        elif assignment is not None and name not in item.state and is_kept_set(unit, name, assignment.value):
            unit.edits.replace(assignment.value, _around(assignment.value, "frozenset({value})"))
            continue
        if value.kind not in (Kind.LIST, Kind.TUPLE, Kind.DICT) or assignment is None or name in item.state:
            continue
        made, text = assignment.value, "{value}"
        if name in unsorted and not is_new_dict(made, unit.facts.values) and are_changed(unit.facts.values):
            unit.problem(assignment, "T2J303", name=f"self.{name}", other=code(made))
            continue
        if unit.facts.target.immutable and (giver := changed_by_giver(made, unit.facts.values)) is not None:
            unit.problem(assignment, "T2J303", name=giver, other=f"self.{name}")
            continue
        if name in unsorted:
            text = "OrderedDict({value})"
        if holds_tensors(value, discrete=True) or (item.key, name) in unit.facts.effects.opened:
            text = unit.spell(unit.facts.target.kept_object.replace("{value}", text))
        if text != "{value}" and made not in unit.edits.nodes:
            unit.edits.replace(made, _around(made, text))


def _numbers_of_numpy(unit: Unit, item: Class) -> None:
    """`self.size = np.prod(shape)`: Equinox takes numbers of NumPy for arrays, which compiled code knows no values of."""
    if not unit.facts.target.immutable:
        return
    read = [node.value for node in unit.facts.program.index.attributes]
    read += [node.value for node in unit.facts.program.index.every(cst.Subscript)]
    of_arrays = {node.attr.value for node in read if isinstance(node, cst.Attribute)}
    for name, made in unit.facts.effects.module_state.made.get(item, {}).items():
        is_number = (item.key, name) in unit.facts.effects.opened and item.fields[name].kind is Kind.PYTHON
        if not is_number or name in of_arrays or name in item.state:
            continue
        for _, value in made:
            if value is not None and value not in unit.edits.nodes and _is_of_numpy(unit, value):
                unit.edits.replace(value, _around(value, unit.spell("plain_number({value})")))


def _is_of_numpy(unit: Unit, node: cst.BaseExpression) -> bool:
    """Whether an expression computes something by functions of NumPy."""
    calls = [*([node] if isinstance(node, cst.Call) else []), *descendants(node, cst.Call)]
    names = [unit.facts.values(call.func).const for call in calls]
    is_given = any(isinstance(name, str) and name.startswith("numpy.") for name in names)
    return is_given and unit.facts.values(node).kind is Kind.PYTHON


def _are_options(unit: Unit, name: str, value: Value, made: cst.BaseExpression) -> bool:
    """Whether a field is given an object of a class that has no hash, or one of unknown class of which only fields are read, by
    the field or by the variable that it is from: `self.args = args`."""
    if value.kind is Kind.OBJECT:
        classes = [unit.facts.program.class_by_key[key] for key in value.types]
        own = unit.facts.program.classes  # dataclasses of other files stay as they are
        has_hash = all(item.is_dataclass and item.node in own and _gets_hash(unit, item) for item in classes)
        return not has_hash and not is_hashable(value, unit.facts.program) and made not in unit.edits.nodes
    if value.kind not in (Kind.UNKNOWN, Kind.PYTHON) or not isinstance(made, cst.Name):
        return False
    parents = unit.facts.program.index.parents
    function = unit.facts.program.index.function_of(made)
    fields = [node for node in unit.facts.program.index.attributes if node.attr.value == name]
    reads = [
        parent for node in fields if isinstance(parent := parents.get(node), cst.Attribute) and parent.value is node
    ]
    reads += [
        node
        for node in unit.facts.program.index.attributes
        if dotted(node.value) == made.value and unit.facts.program.index.function_of(node) is function
    ]
    called = [
        node for node in (*fields, *reads) if isinstance(call := parents.get(node), cst.Call) and call.func is node
    ]
    return bool(reads) and not called and made not in unit.edits.nodes


def _around(node: cst.BaseExpression, template: str) -> Callable[[Rewriter], cst.CSTNode]:
    """The edit that puts an expression, rewritten below, into a template."""
    return lambda rewrite: quote(template, value=as_expression(rewrite.inside(node)))


def _shared_parts(unit: Unit, item: Class, renamed: Set[tuple[str, str]]) -> None:
    """A pytree holds copies, so one module or parameter in two fields would come apart."""
    seen: dict[int, str] = {}
    plain = {site for value in item.fields.values() for site in _plain_sites(unit, value)}
    for name, value in item.fields.items():
        node = unit.field_node(item, name)
        for site in module_sites(value):
            first = seen.setdefault(site, name)
            is_moved = (name, first) in renamed or (first, name) in renamed
            if first != name and not is_moved and site not in plain and not _is_made_plain(unit, site):
                unit.problem(node, "T2J604", name=name, other=f"self.{seen[site]}")
    for name, node in item.field_nodes.items():
        parent = unit.facts.program.index.parents.get(node)
        assignment = unit.facts.program.index.parents.get(parent) if parent is not None else None
        if isinstance(assignment, cst.Assign):
            source = dotted(assignment.value)
            value = unit.facts.values(assignment.value)
            is_parameter = value.kind is Kind.TENSOR and "parameter" in value.types
            is_module = value.kind is Kind.MODULE and not is_plain_layer(unit.facts.tables, value)
            if source is not None and "." in source and (is_parameter or is_module):
                if is_taken_apart(unit, assignment.value) or (name, source.rpartition(".")[2]) in renamed:
                    continue
                unit.problem(node, "T2J604", name=name, other=source)
            for element in _parameters_listed(unit, assignment.value):
                unit.problem(element, "T2J604", name=f"self.{name}", other=code(element))


def _plain_sites(unit: Unit, value: Value) -> Iterator[int]:
    """Where layers are made that hold nothing: two copies of them are the same."""
    if is_plain_layer(unit.facts.tables, value):
        yield from value.sites
    for part in value.parts:
        yield from _plain_sites(unit, part)


def _is_made_plain(unit: Unit, site: int) -> bool:
    """Whether a call makes such a layer, whatever else the fields may hold that it is given to."""
    values = unit.facts.values
    made = [values(call) for call in unit.facts.program.index.calls if values(call.func).kind is Kind.TORCH]
    found = [value for value in made if site in value.sites]
    return bool(found) and all(
        value.types == {"torch.nn.Identity"} or is_plain_layer(unit.facts.tables, value) for value in found
    )


def _parameters_listed(unit: Unit, node: cst.BaseExpression) -> list[cst.Attribute]:
    """The fields with parameters that an `nn.ParameterList` is made of as well."""
    if unit.facts.values(node).types != {"torch.nn.ParameterList"} or not isinstance(node, cst.Call):
        return []
    lists = [item.value for item in node.args if isinstance(item.value, (cst.List, cst.Tuple))]
    given = [element.value for item in lists for element in item.elements]
    return [item for item in given if isinstance(item, cst.Attribute) and "parameter" in unit.facts.values(item).types]


def _holds_module(value: Value) -> bool:
    return any(part.kind is Kind.MODULE or _holds_module(part) for part in value.parts)


def _is_bare(unit: Unit, value: Value, seen: frozenset[str] = frozenset()) -> bool:
    """Whether the modules in a container have no parameters, state or mode; `seen` are the classes around them."""
    if value.kind is not Kind.MODULE:
        return all(_is_bare(unit, part, seen) for part in value.parts)
    tables, effects = unit.facts.tables, unit.facts.effects
    for name in value.types - seen:
        item = unit.facts.program.class_by_key.get(name)
        if item is None:
            if not tables.is_function(name) or name in DROPOUTS:
                return False
        elif effects.class_is_stateful(item) or effects.reads_training(item):
            return False
        fields = item.all_fields() if item is not None else ()
        if any(field.kind is Kind.TENSOR or not _is_bare(unit, field, seen | {name}) for _, field in fields):
            return False
        settings = (effects.settings.get((name, field), frozenset()) for field, _ in fields)
        if any(kinds & {PARAMETER, MODULE} for kinds in settings):
            return False
    return bool(value.types) and all(_is_bare(unit, part, seen) for part in value.parts)


def _report_given_members(unit: Unit, item: Class) -> None:
    """Report modules that a class, which derived from a container, was given and keeps: torch makes them members, too."""
    if not any(part.name in unit.members for part in item.lineage):
        return
    for method in item.methods.values():
        for node in own_nodes(method.node):
            match node:
                case cst.Assign(targets=[cst.AssignTarget(target=cst.Attribute(value=cst.Name(owner)))], value=value):
                    is_given = owner == method.self_name and not isinstance(value, cst.Call)
                    if is_given and unit.facts.values(value).kind is Kind.MODULE:
                        unit.problem(item.node, "T2J206", name=item.name, base="a container of layers")
                        return


def _bases(unit: Unit, item: Class) -> None:
    base = _library_base(unit, item)
    above = {_library_base(unit, other) for part in item.base_classes for other in part.lineage if other.is_module}
    if above:
        above.add(unit.facts.target.module_base)
    for argument, value in zip(item.node.bases, item.bases, strict=True):
        if value.kind is Kind.TORCH:
            unit.settle(argument)
            if value.const != "torch.nn.Module":
                unit.problem(item.node, "T2J206", name=item.name, base=str(value.const))
            elif base in above:  # which Python does not take in front of a class that derives from it
                unit.edits.drop(argument)
            else:
                unit.edits.replace(argument.value, always(quote(base)))


def _library_base(unit: Unit, item: Class) -> str:
    """What a module derives from that derives from no other module."""
    target = unit.facts.target
    if target.taking_base is not None and takes_arguments(unit, item):
        return unit.spell(target.taking_base)
    is_layer = unit.facts.effects.class_is_stateful(item) and item.method("forward") is not None
    return target.stateful_base if is_layer else target.module_base


def _super_init(unit: Unit, item: Class, method: Function) -> None:
    """`super().__init__()` has nothing to do where the only base is the library's own module class."""
    plain = not item.base_classes
    for node in own_nodes(method.node):
        if type(node) is not cst.SimpleStatementLine or len(node.body) != 1:
            continue
        small = node.body[0]
        if not isinstance(small, cst.Expr) or not isinstance(small.value, cst.Call):
            continue
        text = code(small.value.func)
        is_super = text.startswith("super(") and text.endswith(".__init__")
        is_named = text in ("nn.Module.__init__", "torch.nn.Module.__init__")
        if (is_super or is_named) and plain and node not in unit.edits.statements:
            unit.settle(node)
            unit.edits.remove(node)
        elif is_super and text != "super().__init__":
            unit.edits.replace(small.value.func, lambda rewrite: quote("super().__init__"))


def _is_trained_through(unit: Unit, method: Function) -> bool:
    """Whether a method runs below a gradient that trains a module, where a module keeps the parts that it has."""
    return bool(unit.facts.steps) and method in unit.differentiated.functions


def _late_assignments(unit: Unit, method: Function) -> None:
    """A field that is set outside `__init__` is state: not on an immutable module, and no array beside the variables."""
    if method.self_name is None:
        return
    immutable, owner = unit.facts.target.immutable, method.owner
    if owner is not None and (immutable or _is_trained_through(unit, method)):
        _wrapped_assignments(unit, method, owner)
    for node in own_nodes(method.node):
        if isinstance(node, (cst.AssignTarget, cst.AugAssign, cst.AnnAssign)):
            target = node.target
            if (
                isinstance(target, cst.Attribute)
                and isinstance(target.value, cst.Name)
                and target.value.value == method.self_name
            ):
                if target in unit.facts.effects.module_state.writes or _bound_to_itself(unit, method, node, target):
                    continue
                if target in unit.facts.replaced:
                    continue  # in a method that gives its module back
                field = owner.field_value(target.attr.value) if owner is not None else None
                held = field is not None and field.kind not in (Kind.TENSOR, Kind.UNKNOWN)
                if not immutable and held and unit.facts.target.setup is None:
                    if field is not None and field.kind is Kind.MODULE and _is_trained_through(unit, method):
                        unit.problem(node, "T2J601", name=target.attr.value, module=owner.name if owner else "")
                    continue
                reason = reason_against(unit, method, target.attr.value)
                module = owner.name if owner else ""
                if reason is None:
                    unit.problem(node, "T2J601", name=target.attr.value, module=module)
                else:
                    unit.problem(node, "T2J606", name=target.attr.value, module=module, reason=reason)


def _wrapped_assignments(unit: Unit, method: Function, owner: Class) -> None:
    """A field that the wrapper of a method sets: `self` is an argument like others there."""
    for decorator, _, functions in decorators_of(method, unit.facts.program, unit.facts.values):
        names = {name for function in functions for node in wrappers_of(function) for name in _set_by(node)}
        reason = f"a wrapper of `{method.name}` does it"
        for name in sorted(names):
            unit.problem(decorator, "T2J606", name=name, module=owner.name, reason=reason)


def _set_by(wrapper: cst.FunctionDef) -> Iterator[str]:
    """The fields that a function gives its first argument."""
    own = wrapper.params.params[0].name.value if wrapper.params.params else ""
    for node in own_nodes(wrapper):
        match node:
            case cst.AssignTarget(target=target) | cst.AugAssign(target=target) | cst.AnnAssign(target=target):
                stored = [part for part in bound_parts(target) if isinstance(part, cst.Attribute)]
                yield from (part.attr.value for part in stored if dotted(part.value) == own)
            case cst.Call(func=cst.Name("setattr"), args=[cst.Arg(value=cst.Name(given)), cst.Arg(value=name), *_]):
                if given == own:
                    yield code(name)


def _bound_to_itself(
    unit: Unit, method: Function, node: cst.AssignTarget | cst.AugAssign | cst.AnnAssign, target: cst.Attribute
) -> bool:
    """`self.head = self.head.crop(4)` in a method that gives its module back: the module has another part then."""
    assign, own = unit.facts.program.index.parents[node], method.self_name
    if not unit.facts.target.immutable or not gives_self(unit.facts.program, method) or own is None:
        return False
    if not isinstance(assign, cst.Assign) or len(assign.targets) != 1 or not isinstance(assign.value, cst.Call):
        return False
    function, value = assign.value.func, assign.value
    if not isinstance(function, cst.Attribute) or not function.value.deep_equals(target):
        return False
    planned = unit.plan.calls.get(value)
    if planned is not None and (planned.before or planned.behind):
        return False  # it gives more back than the part, such as its state
    path = f".{target.attr.value}"
    unit.edits.replace(
        assign,
        lambda rewrite: cst.Assign(
            [cst.AssignTarget(cst.Name(own))], with_part(unit, own, path, rewrite.expression(value))
        ),
    )
    return True


# fields


def _field_lines(unit: Unit, item: Class) -> list[tuple[str, str]]:
    inherited = {name for base in item.base_classes for name, _ in base.all_fields()}
    lines: list[tuple[str, str]] = []
    declared, later = _declared(item), _later(unit, item)
    for name in fields_in_order(item):
        value = item.fields[name]
        if name in inherited or name in declared or _is_stored_elsewhere(unit, item, name):
            continue
        lines.append((name, _without_later(unit, later, _field_type(unit, item, name, value))))
    bases = {base.key for part in item.base_classes for base in part.lineage}
    if any(_is_either(item, name) for name in item.fields):
        lines.append(("buffer_names", str(unit.facts.target.frozen_type)))
    if item.key in unit.facts.effects.frozen and not bases & unit.facts.effects.frozen:
        lines.append(("untrained", str(unit.facts.target.frozen_type)))
    return lines


def _is_either(item: Class, name: str) -> bool:
    """Whether a field is a parameter of some modules of a class, and a buffer of others."""
    value = item.fields[name]
    return value.kind is Kind.TENSOR and {"parameter", "buffer"} <= value.types and "frozen" not in value.types


def _names_of_buffers(unit: Unit, item: Class, at_init: set[Function]) -> None:
    """A module whose field is a buffer, of a class that makes parameters there of other modules, keeps the name."""
    program = unit.facts.program
    for name in item.fields:
        if not _is_either(item, name):
            continue
        for node in item.given_buffers.get(name, ()):
            function = program.function_around(node) if node is not None and node in program.index.parents else None
            if (
                node is None
                or function is None
                or function not in at_init
                or not item.buffers.get(name, True)
                or "buffer_names" in item.fields
            ):
                unit.problem(unit.field_node(item, name), "T2J601", name=name, module=item.name)
                break
            place = f"{function.self_name}.buffer_names"
            line = f'{place} = (*{place}, "{name}")'
            unit.edits.after(program.index.statement_of(node), always_statements([quote_statement(line)]))


def _may_be_plain(unit: Unit, item: Class, name: str) -> bool:
    """Whether a field with a frozen parameter holds a plain tensor in other modules, where the class says which; or before, where
    variables stay the same ones.
    """
    if not item.buffers.get(name, True):
        return unit.facts.target.annotated_fields
    first = assignment_of(item, name, unit.facts.values)
    is_plain = first is not None and "frozen" not in unit.facts.values(first.value).types
    return is_plain and not unit.facts.target.immutable


def _declared_buffers(unit: Unit, item: Class) -> None:
    """`pe: Tensor` in the body of a class whose `pe` is a buffer: the field says that it is not trained."""
    for node in descendants(item.node.body, cst.AnnAssign):
        if not isinstance(node.target, cst.Name) or node.target.value not in item.fields:
            continue
        name = node.target.value
        _, _, marks = _field_type(unit, item, name, item.fields[name]).partition(" = ")
        if (
            not marks
            or unit.facts.program.index.parents[unit.facts.program.index.statement_of(node)] is not item.node.body
        ):
            continue
        if node.value is not None:
            unit.problem(node, "T2J601", name=name, module=item.name)
        else:
            unit.edits.replace(node, partial(_marked, node, marks))


def _marked(node: cst.AnnAssign, marks: str, rewrite: Rewriter) -> cst.CSTNode:
    annotated = rewrite.inside(node)
    assert isinstance(annotated, cst.AnnAssign)
    return annotated.with_changes(equal=cst.AssignEqual(), value=quote(marks))


def _is_stored_elsewhere(unit: Unit, item: Class, name: str) -> bool:
    """Whether only other files store into a field, which is reported there: modules are made without it."""
    node = item.field_nodes.get(name)
    return node is not None and node not in unit.facts.program.index.parents


def _later(unit: Unit, item: Class) -> dict[str, Class]:
    """The classes that are defined further down, or are the class itself, by name."""
    order = list(unit.facts.program.classes.values())
    return {other.name: other for other in (order[order.index(item) :] if item in order else [])}


def _without_later(unit: Unit, later: dict[str, Class], text: str) -> str:
    """An annotation in which classes that are defined `later` are modules of any class."""
    for name in re.findall(r"(?<![\w.])\w+", text.split(" = ")[0]):
        if name in later:
            base = unit.facts.target.module_base if later[name].is_module else "Any"
            text = re.sub(rf"(?<![\w.]){name}\b", base, text)
    return text


def _declared(item: Class) -> set[str]:
    """Names that the class body itself binds or annotates."""
    found: set[str] = set()
    for statement in item.node.body.body:
        if isinstance(statement, cst.SimpleStatementLine):
            for small in statement.body:
                if isinstance(small, cst.Assign):
                    found.update(str(dotted(target.target)) for target in small.targets)
                elif isinstance(small, cst.AnnAssign):
                    found.add(str(dotted(small.target)))
    return found


def _annotations(fields: list[tuple[str, str]]) -> list[cst.BaseStatement]:
    return quote_statements("".join(f"{name}: {kind}\n" for name, kind in fields))


def _field_type(unit: Unit, item: Class, name: str, value: Value) -> str:
    persistent = {key: kept for part in item.lineage for key, kept in part.buffers.items()}.get(name, True)
    kept = field_type(unit, item, name)
    if kept is not None:
        return kept
    if _is_either(item, name):
        return unit.facts.target.parameter_type
    text = _made_type(unit, item, name, value) or type_text(unit, value)
    is_unnamed = (UNNAMED_PART, item.key, name) in unit.facts.program.marks
    if is_unnamed or unit.members.get(item.name) == name:
        return unit.facts.target.unnamed_field.replace("{type}", text)
    is_opened = value.kind not in (Kind.MODULE, Kind.TENSOR) and any(
        (part.key, name) in unit.facts.effects.opened for part in item.lineage
    )
    is_opened = is_opened or _becomes_plain(unit, item, name, value)
    if unit.facts.target.immutable and (holds_tensors(value) or is_opened):
        return unit.spell(f"{text} = unregistered()")
    if persistent or value.kind is not Kind.TENSOR:
        return text
    is_registered = any(part.is_registered(name) for part in item.lineage)
    return unit.spell(unit.facts.target.hidden_buffer_type if is_registered else unit.facts.target.unregistered_type)


def _becomes_plain(unit: Unit, item: Class, name: str, value: Value) -> bool:
    """Whether a field holds something else at first, and then a plain tensor: `self.w = table(4)`, `self.w = torch.tensor(self.w)`."""
    if value.kind is Kind.TENSOR or name not in item.given_buffers or item.buffers.get(name, True):
        return False
    given = [
        unit.facts.values(node.value)
        for node in unit.facts.program.index.every(cst.Assign)
        if any(isinstance(to.target, cst.Attribute) and to.target.attr.value == name for to in node.targets)
    ]
    return not any(item.kind is Kind.MODULE or "parameter" in item.types for item in given)


def _made_type(unit: Unit, item: Class, name: str, value: Value) -> str | None:
    """The class of a layer that a field holds, where that goes by the arguments it is made with: `MaxPool2d`, or a `Lambda`."""
    spec = (
        unit.facts.tables.layers.get(next(iter(value.types))) if len(value.types) == 1 and not value.optional else None
    )
    assignment = assignment_of(item, name, unit.facts.values)
    made = assignment.value if assignment is not None else None
    if spec is None or not isinstance(made, cst.Call) or item.fields[name].types != unit.facts.values(made).types:
        return None
    found = class_made(unit, spec, made.args) if unit.facts.values.torch_name(made.func) == spec.name else None
    return unit.spell(found) if found is not None else None


def type_text(unit: Unit, value: Value) -> str:
    """The annotation of a field that holds such a value."""
    target = unit.facts.target
    simple = {
        Kind.INT: "int", Kind.FLOAT: "float", Kind.BOOL: "bool", Kind.STR: "str", Kind.TUPLE: "tuple", Kind.LIST: "list",
        Kind.DICT: "dict", Kind.SIZE: "tuple", Kind.FUNCTION: "Callable", Kind.TORCH: "Callable", Kind.CLASS: "type",
    }  # fmt: skip
    match value.kind:
        case Kind.TENSOR:
            if "buffer" not in value.types:
                return target.parameter_type
            if "frozen" in value.types:
                return unit.spell(target.frozen_parameter_type)
            return target.discrete_buffer_type if is_discrete(value.dtype) else unit.spell(target.buffer_type)
        case Kind.MODULE:
            return _module_type(unit, value)
        case Kind.TORCH_OBJECT if target.annotated_fields:
            return unit.spell("Any = buffer(persistent=False)")
        case Kind.OBJECT if len(value.types) == 1:
            (name,) = value.types
            return _class_text(unit, name)
        case Kind.LIST if value.element().kind is Kind.MODULE:
            return f"list[{_module_type(unit, value.element())}]"
        case Kind.TORCH if value.dtype is not None:
            return "Any"
    return simple.get(value.kind, "Any")


def _module_type(unit: Unit, value: Value) -> str:
    target, program, tables = unit.facts.target, unit.facts.program, unit.facts.tables
    if len(value.types) != 1:
        return target.module_base
    (name,) = value.types
    if name in program.class_by_key:
        return _class_text(unit, name)
    if name == "torch.nn.Sequential":
        return target.sequential_type
    if name == "torch.nn.ModuleList":
        element = value.element() if value.items or value.elem else None
        inner = _module_type(unit, element) if element is not None and element.kind is Kind.MODULE else None
        return f"{target.module_list_type}[{inner}]" if inner else target.module_list_type
    if name in ("torch.nn.ModuleDict", "torch.nn.ParameterDict"):
        return target.module_dict_type
    if name == "torch.nn.ParameterList":
        return "list[jax.Array]"
    spec = tables.layers.get(name)
    column = target.column(spec) if spec is not None else None
    if column is None:
        return target.module_base
    return "Callable" if column.call == "function" else unit.spell(column.type)


def _class_text(unit: Unit, key: str) -> str:
    """The name of a class of the program; of one from another file only if this one imports it by that name."""
    program = unit.facts.program
    item = program.class_by_key[key]
    bound = program.module_env.get(item.name)
    if item.node in program.classes or (bound is not None and key in bound.types):
        return item.name
    return unit.facts.target.module_base if item.is_module else "Any"


# A field with a default would not be part of a module that another class's `__init__` makes.
_INHERITED_INIT = """{name}: bool

def __init__(self, *args, **kwargs):
    super().__init__(*args, **kwargs)
    self.{name} = False
"""


def _mode_field(unit: Unit, item: Class, init: Function | None, name: str) -> None:
    """A class that reads `self.training` gets the field that `inference_mode` switches."""
    assert isinstance(item.node.body, cst.IndentedBlock)
    if init is None and item.method("__init__") is not None and unit.facts.target.annotated_fields:
        if not any(base.method("__init__") and unit.facts.effects.reads_training(base) for base in item.lineage[1:]):
            made = quote_statements(_INHERITED_INIT.replace("{name}", name))
            unit.edits.prologue(item.node.body, lambda rewrite: made)
        return
    if init is None:
        unit.edits.prologue(item.node.body, lambda rewrite: quote_statements(f"{name}: bool = False\n"))
        return
    if not unit.facts.target.annotated_fields:
        unit.edits.prologue(init.node.body, lambda rewrite: [quote_statement(f"{init.self_name}.{name} = False")])
        return
    unit.edits.prologue(item.node.body, lambda rewrite: quote_statements(f"{name}: bool\n"))
    last = init.node.body.body[-1]
    unit.edits.after(last, lambda rewrite: [quote_statement(f"{init.self_name}.{name} = False")])


def _keep_key(unit: Unit, item: Class, init: Function | None, template: str) -> None:
    """A class whose methods draw keeps what they draw from."""
    if init is not None:
        key = unit.plan.of(init).key_name
        text = template.replace("{self}", str(init.self_name)).replace("{key}", key)
        unit.edits.prologue(init.node.body, lambda rewrite: [quote_statement(text)])
    elif not any(unit.facts.effects.keeps_key(base) for base in item.lineage[1:]):
        unit.problem(item.node, "T2J400", name=item.name, place="a class without `__init__`")


# dataclasses in fields


def _freeze_stored_dataclasses(unit: Unit) -> None:
    """A dataclass that a module keeps is part of what jit compares, so it must be hashable: frozen, if nobody writes it.

    Else its hash is that of its values: code is compiled anew when they have changed."""
    program = unit.facts.program
    stored = {
        key
        for item in program.module_classes()
        for _, value in item.all_fields()
        if value.kind is Kind.OBJECT
        for key in value.types
    }
    for key in sorted(stored):
        item = program.class_by_key[key]
        if item.is_dataclass and not _is_written(unit, item):
            _decorate(unit, item, _hash_option(unit, item))
        elif item.is_dataclass and _has_hashable_values(item):
            _decorate(unit, item, "unsafe_hash=True")


def _gets_hash(unit: Unit, item: Class) -> bool:
    """Whether a dataclass that a module keeps is given a hash."""
    return not _is_written(unit, item) or _has_hashable_values(item)


def _is_written(unit: Unit, item: Class) -> bool:
    for attribute in unit.facts.program.index.attributes:
        parent = unit.facts.program.index.parents.get(attribute)
        if isinstance(parent, (cst.AssignTarget, cst.AugAssign)) and unit.facts.values(attribute.value).types & {
            item.key
        }:
            return True
    return False


_HASHABLE = frozenset(
    {"Literal", "Optional", "Tuple", "Union", "bool", "bytes", "complex", "float", "int", "str", "tuple", "typing"}
)


def _hash_option(unit: Unit, item: Class) -> str:
    """What gives the objects of a dataclass a hash: that of their values, or (lists, arrays) of each object by itself."""
    return "frozen=True" if _has_hashable_values(item) or _is_compared(unit, item) else "eq=False"


def _has_hashable_values(item: Class) -> bool:
    annotations = [item.annotation for item in descendants(item.node.body, cst.AnnAssign)]
    return all(names_in(annotation.annotation) <= _HASHABLE for annotation in annotations)


def _is_compared(unit: Unit, item: Class) -> bool:
    """Whether the file asks whether two objects of a class are equal."""
    sides = [side for node in unit.facts.program.index.every(cst.Comparison) for side in children(node)]
    return any(item.key in unit.facts.values(side).types for side in sides)


def _decorate(unit: Unit, item: Class, option: str) -> None:
    for decorator in item.node.decorators:
        node = decorator.decorator
        text = code(node)
        if text in ("dataclass", "dataclasses.dataclass"):
            unit.edits.replace(node, always(quote(f"{text}({option})")))
        elif isinstance(node, cst.Call) and not {"frozen", "eq", "unsafe_hash"} & names_in(node):
            arguments = ", ".join([*(code(argument).strip(", ") for argument in node.args), option])
            unit.edits.replace(node, always(quote(f"{code(node.func)}({arguments})")))
