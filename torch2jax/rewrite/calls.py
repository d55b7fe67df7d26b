"""Calls: torch functions and methods by their rows, layers and containers by the target, everything else with what it gains.

torch.sum(x, dim=1)   ->   jnp.sum(x, axis=1)
self.drop(x)          ->   self.drop(x, key=drop_key)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

import libcst as cst

from torch2jax.facts.datasets import is_labelled, may_be_traced
from torch2jax.facts.effects import Draw, fresh_seed, is_discrete
from torch2jax.facts.given_modules import is_known_to_keep_none, may_hold_any
from torch2jax.facts.hooks import takes_hooks
from torch2jax.facts.infer import CONTAINERS, EINOPS_LAYERS, LISTED_MODULE
from torch2jax.facts.listed_parts import is_made_here, lists_all
from torch2jax.facts.module_state import gives_self, module_place, runs_only_at_init
from torch2jax.facts.moves import has_casts, is_module_cast, is_single_precision, split_move
from torch2jax.facts.parallel import is_share_of_rank
from torch2jax.facts.parameters import is_optimizer, optimizer_of, parameter_flag, plain_container, shared_options
from torch2jax.facts.precision import is_off
from torch2jax.facts.replaced_submodules import is_plain_layer
from torch2jax.facts.saved_modules import may_read_modules, parts_said, saved_parts
from torch2jax.facts.saved_states import has_torch_form, is_saved
from torch2jax.facts.schedules import Schedule
from torch2jax.facts.values.evidence import fits
from torch2jax.ops.contexts import AUTOCASTS, KERNEL_CHOICES
from torch2jax.ops.lowering import IGNORED, Lowered, Refusal, as_tuple, lower
from torch2jax.ops.lowerings import lower_call
from torch2jax.ops.modules import MODULE_HOOKS, MODULE_NAMES, PLACING
from torch2jax.ops.names import tensor_names
from torch2jax.ops.rules import DTYPE_TEXTS, NARROW, result_value
from torch2jax.ops.rules import Facts as ArgumentFacts
from torch2jax.ops.schema import FunctionSpec, LayerColumn, LayerSpec, Tables, is_inplace_name
from torch2jax.ops.signatures import BindError, BoundArguments, Parameter, bind, parse_signature
from torch2jax.plan.model import Gained
from torch2jax.plan.threading import calls_several, differ
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.definitions import How
from torch2jax.program.program import Function, Program, dotted, is_super, root_name
from torch2jax.records import dataclass
from torch2jax.rewrite.open_receivers import rewrite_open_method
from torch2jax.rewrite.optimizers import (
    grouping,
    is_twice,
    open_optimizer,
    optimizer_state,
    trained_by,
    without_idle_options,
)
from torch2jax.rewrite.partials import rewrite_partial
from torch2jax.rewrite.precision import is_decided_later, require_full_precision
from torch2jax.rewrite.setup_methods import variable_name
from torch2jax.rewrite.starred_layers import function_template, starred_template
from torch2jax.rewrite.threading import companion_place
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import Rewriter, always, as_expression
from torch2jax.syntax.quote import as_node, fit, quote, quote_statement
from torch2jax.syntax.walk import descendants, is_label, with_fields
from torch2jax.targets.base import Target
from torch2jax.values import LAMBDA, NOTHING, TENSOR_CLASS, UNKNOWN, Kind, Value, class_dtype, class_of_dtype

Arguments = list[cst.Arg]
MOVES = PLACING | {"type"}
CASTS = {"float": "jnp.float32", "double": "float", "half": "jnp.float16", "long": "int", "int": "jnp.int32",
          "bool": "bool", "bfloat16": "jnp.bfloat16", "short": "jnp.int16", "byte": "jnp.uint8"}  # fmt: skip
_DRAWS = {"sample", "rsample", "sample_n", "rsample_n"}
PYTHON_METHODS = frozenset(
    set(dir(str))
    | set(dir(list))
    | set(dir(dict))
    | set(dir(set))
    | set(dir(tuple))
    | set(dir(bytes))
    | {"read", "close"}
)


def rewrite_calls(unit: Unit) -> None:
    """Decide every call of the file that needs a change."""
    for call in unit.facts.program.index.calls:
        is_open = call not in unit.edits.nodes and call not in unit.settled
        if is_open and not rewrite_partial(unit, call) and not _partial_layer(unit, call):
            _Call(unit, call).rewrite()


def lower_torch_call(
    unit: Unit, call: cst.Call, name: str, arguments: Sequence[cst.Arg], respell: Callable[[str], str] = str
) -> bool:
    """Translate a call of a torch function by its row as if it had other arguments; False if that is refused."""
    one = _Call(unit, call)
    lowered = one.lowered(unit.facts.tables.functions[name], name, arguments=arguments)
    if lowered is not None:
        one.use(replace(lowered, template=respell(lowered.template)))
    return lowered is not None


def start_of(unit: Unit, schedule: Schedule) -> cst.BaseExpression:
    """The learning rate that an optimizer is given, or torch's default."""
    if schedule.rate is not None:
        return schedule.rate
    spec = unit.facts.tables.functions[str(unit.facts.values.torch_name(schedule.optimizer.func))]
    default = next(item.default for item in parse_signature(spec.signature).parameters if item.name == "lr")
    return cst.parse_expression(str(default))


def _injected(unit: Unit, schedule: Schedule, update: cst.BaseExpression, rewrite: Rewriter) -> cst.BaseExpression:
    """An optimizer with a rate that changes; where its state has variables, these keep their dtype."""
    rate = start_of(unit, schedule)
    is_kept = unit.facts.target.hyperparameter.endswith("[...]")
    return schedule.injected(update, rewrite.expression(rate), is_kept and not _is_float(unit, rate))


def _is_float(unit: Unit, node: cst.BaseExpression) -> bool:
    """Whether a number is a float on every way: what is known of a value makes one kind of `0 if warmup else 0.1`."""
    match node:
        case cst.Float() | cst.BinaryOperation(operator=cst.Divide()) | cst.Call(func=cst.Name("float")):
            return True
        case cst.BinaryOperation(operator=cst.Add() | cst.Subtract() | cst.Multiply()):
            return _is_float(unit, node.left) or _is_float(unit, node.right)
        case cst.UnaryOperation(operator=cst.Minus()):
            return _is_float(unit, node.expression)
        case cst.IfExp():
            return _is_float(unit, node.body) and _is_float(unit, node.orelse)
        case cst.Name() if node in unit.facts.program.index.parents:
            found = unit.facts.program.definitions.of(node)
            given = [item.value for item in found if item.how is How.ASSIGNED]
            return bool(found) and len(given) == len(found) and all(isinstance(item, cst.Float) for item in given)
    return False


_HOOKS = MODULE_HOOKS | {"register_full_backward_pre_hook", "register_post_accumulate_grad_hook"}
"""Methods of torch's modules and tensors that nothing else is likely to have."""
_PARAMETERS = frozenset({"parameters", "named_parameters"})
_STATES = frozenset({"state_dict", "load_state_dict"})
_OF_HELPERS = frozenset({"layer", "key", "state"})  # what support code that calls a module of any class is given itself


def _modules_within(value: Value) -> Iterator[Value]:
    """The modules that a value is or holds."""
    if value.kind is Kind.MODULE:
        yield value
    for part in value.parts:
        yield from _modules_within(part)


def _has_optimizer(value: Value) -> bool:
    """Whether a value is or holds an optimizer."""
    return value.kind is Kind.OPTIMIZER or any(map(_has_optimizer, value.parts))


def _with_state(node: cst.BaseExpression, state: str, rewrite: Rewriter) -> cst.BaseExpression:
    return quote(f"({{module}}, {state})", module=as_expression(rewrite.inside(node)))


def _put_together(
    unit: Unit, node: cst.BaseExpression, seen: frozenset[cst.CSTNode] = frozenset()
) -> Iterator[cst.BaseExpression]:
    """An expression, the parts of displays in it, and what the function around it puts into a variable or its entries, or
    what its callers give it for it.
    """
    yield node
    if node in seen:
        return
    seen |= {node}
    for part in parts_said(node):
        yield from _put_together(unit, part, seen)
    if isinstance(node, cst.Name):
        program = unit.facts.program.home(node)  # of a caller, perhaps
        function = program.function_around(node)
        for assignment in descendants(function.node if function is not None else program.index.module):
            if isinstance(assignment, cst.Assign) and not isinstance(assignment.value, cst.Name):
                places = [target.target for target in assignment.targets]
                if any(root_name(place) == node.value for place in places):
                    yield from _put_together(unit, assignment.value, seen)
        if function is not None and node.value in function.parameter_names:
            for call in unit.facts.values.calls_of(function):
                for name, given in arguments_by_parameter(function, call, unit.facts.values):
                    if name == node.value:
                        yield from _put_together(unit, given, seen)


def fills_itself(unit: Unit, module: cst.BaseExpression) -> bool:
    """Whether a module that is being made is told to fill its parts."""
    return runs_only_at_init(unit.facts.program, method_of(unit, module))


def method_of(unit: Unit, place: cst.BaseExpression) -> Function | None:
    """The method around a place, or around the functions in it, if the place is its module: `self`."""
    function = unit.facts.program.function_around(place)
    while function is not None and function.outer is not None and dotted(place) not in function.env:
        function = function.outer
    return function if function is not None and dotted(place) == function.self_name else None


def only_looks(unit: Unit, call: cst.Call) -> bool:
    """Whether the function that a module applies gives no layer back."""
    keys = unit.facts.values(call.args[0].value).types if call.args else ()
    functions = [unit.facts.program.by_key.get(key) for key in keys]
    return bool(functions) and not any(item is None or unit.plan.of(item).extras for item in functions)


def _keeps_old_self(unit: Unit, function: Function) -> bool:
    """Whether a method runs when its module has been made, and does not give back what it makes of it."""
    is_method = function.owner is not None and function.owner.is_module and unit.facts.target.immutable
    is_making = runs_only_at_init(unit.facts.program, function)
    return is_method and not is_making and not gives_self(unit.facts.program, function)


class _Call:
    def __init__(self, unit: Unit, call: cst.Call) -> None:
        self.unit = unit
        self.call = call
        self.values = unit.facts.values
        self.target = unit.facts.target
        self.tables = unit.facts.tables

    def rewrite(self) -> None:
        name = self.values.torch_name(self.call.func)
        callee = self.values(self.call.func)
        planned = self.unit.plan.calls.get(self.call)
        if planned is not None and planned.copied is not None:
            self.copied_model(planned.copied)
        elif name is not None:
            self.unit.settle(self.call.func)
            self.torch_call(name)
        elif callee.kind is Kind.MODULE:
            self.module_call(callee)
        elif self.is_named_optimizer():
            named = self.call.args[1].value
            self.unit.settle(self.call.args[0])
            self.replace(lambda rewrite: self.unit.quote("torch_optimizer({name})", name=rewrite.expression(named)))
        elif dotted(self.call.func) == "getattr" and self.values(self.call).kind is Kind.DTYPE:
            self.named_dtype()
        elif (
            self.target.state is not None and LISTED_MODULE in callee.types and self.unit.facts.effects.may_keep_state()
        ) or self.asks_listed_module():
            self.unit.problem(self.call, "T2J605", name=code(self.call.func))
        elif callee.kind is Kind.PYTHON and callee.const in _OF_TORCH:
            self.unit.problem(self.call, "T2J200", name=str(callee.const))
        elif callee.kind is Kind.TORCH:
            self.call_of_several()
        elif callee.kind is Kind.CLASS and self.values(self.call).kind is Kind.OPTIMIZER:
            self.own_optimizer()
        elif self.target.calls_take_key and self.may_be_module_or_draw(callee):
            self.call_of_several_kinds(callee)
        elif callee.kind is Kind.CLASS or self.values.callees.get(self.call) or self.takes_key():
            self.program_call(callee)
        elif isinstance(self.call.func, cst.Attribute):
            self.method_call(self.call.func)
        elif self.sets_part():
            self.unit.problem(
                self.call, "T2J601", name=code(self.call.args[1].value), module=code(self.call.args[0].value)
            )
        elif self.is_builtin_of_tensor("abs"):
            self.torch_call("torch.abs")
        elif any(self.is_builtin_of_tensor(name) for name in ("int", "float", "bool")):
            self.conversion()

    def copied_model(self, state: str) -> None:
        """`best = copy.deepcopy(model)` of a module with state: the state beside it is copied as well, for Equinox takes a
        state once only.
        """

        def build(rewrite: Rewriter) -> cst.BaseExpression:
            template = self.unit.spell("({copy}, jax.tree.map(lambda leaf: leaf, {state}))")
            pair = quote(template, copy=as_expression(rewrite.inside(self.call)), state=state)
            assert isinstance(pair, cst.Tuple)
            return pair.with_changes(lpar=(), rpar=())

        self.replace(build)

    def conversion(self) -> None:
        """`int(x)` of a tensor that may have axes, and one element: JAX converts arrays without axes only.

        What may be a number of Python keeps its digits: 0.1 is no single precision, 2 ** 40 has no place in 32 bits.
        """
        argument = self.call.args[0]
        may_be_number = any("python" in self.values(node).among for node in descendants(argument.value))
        template = "np.asarray({x}).item()" if may_be_number else "{x}.item()"
        if self.values(argument.value).rank != 0:
            build = lambda rewrite: argument.with_changes(  # noqa: E731
                value=quote(template, x=rewrite.expression(argument.value))
            )
            self.unit.edits.replace(argument, build)

    def is_named_optimizer(self) -> bool:
        """Whether this is `getattr(torch.optim, name)`."""
        made = self.values(self.call)
        is_call = dotted(self.call.func) == "getattr" and made.kind is Kind.TORCH and made.const is NOTHING
        return is_call and bool(made.types) and all(map(is_optimizer, made.types))

    def named_dtype(self) -> None:
        """`getattr(torch, name)` of a dtype: `dtype_named(name)`."""
        asked = self.call.args[0]
        if self.values.torch_name(asked.value) != "torch":
            return
        self.unit.settle(asked)

        def build(rewrite: Rewriter) -> cst.BaseExpression:
            named = cst.ensure_type(self.unit.quote("dtype_named()"), cst.Call)
            return named.with_changes(args=[_rewritten(item, rewrite) for item in self.call.args[1:]])

        self.replace(build)

    def takes_key(self) -> bool:
        """Whether a `partial` or a lambda of the program is called that draws."""
        values, call = self.values, self.call
        return call in values.partials or (call in self.unit.plan.keys and values.lambda_of(call.func) is not None)

    def is_builtin_of_tensor(self, name: str) -> bool:
        """Whether one of Python's functions is called, which asks the tensor itself."""
        function, arguments = self.call.func, self.call.args
        return (
            isinstance(function, cst.Name)
            and function.value == name
            and len(arguments) == 1
            and not arguments[0].star
            and self.values(arguments[0].value).kind is Kind.TENSOR
        )

    def sets_part(self) -> bool:
        """Whether `setattr` gives a module a field by a name that is not known."""
        is_call = dotted(self.call.func) == "setattr" and len(self.call.args) == 3
        return is_call and self.target.annotated_fields and self.values(self.call.args[0].value).kind is Kind.MODULE

    def call_of_several(self) -> None:
        """A variable that holds one of several torch functions: their translations take the arguments that calls like this one give."""
        types = self.values(self.call.func).types
        if TENSOR_CLASS in types:
            self.tensor_of_class()
        elif types and all(map(is_optimizer, types)):
            self.open_optimizer(None)
        elif types and all(map(is_labelled, types)):
            pass  # datasets are made with the same arguments
        elif types:
            self.layer_of_several(sorted(types))
        elif any(argument.star for argument in self.call.args) or self.key() is not None:
            self.unit.problem(self.call, "T2J205", name=code(self.call.func))

    def tensor_of_class(self) -> None:
        """A variable that holds a class of tensors of one type, in the translation a dtype, makes one of them."""
        plain = [item.value for item in self.call.args if item.keyword is None and not item.star]
        if not plain or len(plain) < len(self.call.args):
            self.unit.problem(self.call, "T2J205", name=code(self.call.func))
            return
        if len(plain) == 1 and self.values(plain[0]).kind is Kind.TENSOR:
            self.replace(lambda rewrite: rewrite.expression(plain[0]))
            return
        made = "legacy_tensor({x}, {dtype})" if len(plain) == 1 else "jnp.empty({x}, {dtype})"

        def build(rewrite: Rewriter) -> cst.BaseExpression:
            given = [rewrite.expression(item) for item in plain]
            sizes = given[0] if len(given) == 1 else as_tuple(given)
            return self.unit.quote(made, x=sizes, dtype=rewrite.expression(self.call.func))

        self.replace(build)

    def layer_of_several(self, names: Sequence[str]) -> None:
        """A variable that holds one of several classes of layers: their translations are made with the same arguments."""
        specs = [self.tables.layers[name] for name in names]
        kept = [item for item in self.call.args if item.keyword is None or item.keyword.value != "inplace"]
        draws = {self.target.draws_at_init(spec) for spec in specs}
        if len(draws) == 1 and any(item.star for item in kept) and self.starred_layers(specs, kept):
            return
        if len(draws) > 1 or not all(takes_same_arguments(self.target, spec, kept) for spec in specs):
            self.respelled_layers(specs, kept)
            return
        unit, call, key = self.unit, self.call, self.key()
        if key is None and len(kept) == len(call.args):
            return

        def build(rewrite: Rewriter) -> cst.BaseExpression:
            arguments = _joined([_rewritten(item, rewrite) for item in kept])
            return gain(unit, call, call.with_changes(func=rewrite.expression(call.func), args=arguments), key)

        self.replace(build)

    def starred_layers(self, specs: Sequence[LayerSpec], kept: Sequence[cst.Arg]) -> bool:
        """The same with arguments that are not written out, where all of the layers have them in the same places, by the same
        names: `norm_layer(channels, **norm_options)`; False if that cannot be done.
        """
        places: set[str] = set()
        for spec in specs:
            column, factory = self.target.column(spec), layer_factory(self.target, spec)
            template = starred_template(spec, column, self.target.key) if column is not None else None
            if template is None or factory is None or not template.startswith(f"layer_from({factory}, "):
                return False
            places.add(template.removeprefix(f"layer_from({factory}, "))
        if len(places) > 1:
            return False
        unit, call, key = self.unit, self.call, self.key()
        template = unit.spell(f"layer_from({{layer}}, {places.pop()})")

        def build(rewrite: Rewriter) -> cst.BaseExpression:
            made = cst.ensure_type(quote(template, layer=rewrite.expression(call.func)), cst.Call)
            given = [_rewritten(item, rewrite) for item in kept]
            return gain(unit, call, made.with_changes(args=_joined([*made.args, *given])), key)

        self.replace(build)
        return True

    def respelled_layers(self, specs: Sequence[LayerSpec], kept: Sequence[cst.Arg]) -> None:
        """The same where their translations share other names for the arguments: `conv(8, 16, bias=False)`."""
        found = [respelled_arguments(self.target, spec, kept, self.values) for spec in specs]
        spellings = {None if item is None else code(item.build(lambda node: node, **_a_key(item))) for item in found}
        key, first = self.key(), found[0]
        if len(spellings) > 1 or first is None or (first.draws and key is None) or self.overrides(first, kept):
            self.unit.problem(self.call, "T2J205", name=code(self.call.func))
            return
        unit, call = self.unit, self.call
        if first.draws:
            unit.plan.key_takers.setdefault(call, None)

        def build(rewrite: Rewriter) -> cst.BaseExpression:
            made = cst.ensure_type(first.build(rewrite, **_a_key(first)), cst.Call)
            arguments = [item for item in made.args if item.keyword is None or item.keyword.value != self.target.key]
            return gain(unit, call, call.with_changes(func=rewrite.expression(call.func), args=_joined(arguments)), key)

        self.replace(build)

    def overrides(self, made: Lowered, kept: Sequence[cst.Arg]) -> bool:
        """Whether an argument that is left out as the default may differ from what a `partial` has been given."""
        if "partial" not in self.values(self.call.func).among:
            return False
        built = cst.ensure_type(made.build(lambda node: node, **_a_key(made)), cst.Call)
        written = [item for item in built.args if item.keyword is None or item.keyword.value != self.target.key]
        wanted = [item for item in kept if item.keyword is None or item.keyword.value not in IGNORED]
        return len(written) < len(wanted)

    # shared

    def replace(self, build: Callable[[Rewriter], cst.CSTNode]) -> None:
        self.unit.edits.replace(self.call, build)

    def refuse(self, name: str, refusal: Refusal) -> None:
        if refusal.argument is not None:
            self.unit.problem(self.call, "T2J201", name=name, argument=refusal.argument)
        else:
            self.unit.problem(self.call, "T2J201", name=name, argument=refusal.reason)

    def key(self) -> str | None:
        effects, key = self.unit.facts.effects, self.unit.plan.keys.get(self.call)
        if effects.bound is None or self.call not in effects.bound.calls or key is None:
            return key
        makers = [item for item in self.values.callees.get(self.call, ()) if item.owner is None]
        is_drawn = any(effects.of(item).draw is not Draw.NONE for item in makers)
        return f"jax.random.fold_in({key}, 1)" if is_drawn else None  # the key itself is for what binds the model

    def argument_facts(
        self, signature: str, receiver: cst.BaseExpression | None, args: Sequence[cst.Arg]
    ) -> ArgumentFacts:
        parsed = parse_signature(signature)
        bound = bind(parsed, args, receiver)
        return ArgumentFacts(parsed, bound, self.values, targets=self.unpacked(), is_kept=self.is_kept())

    def is_kept(self) -> bool:
        """Whether a module keeps the call's result as it is: a field, a buffer or a parameter of it."""
        parents = self.unit.facts.program.index.parents
        node: cst.CSTNode = self.call
        while True:
            parent = parents.get(node)
            match parent:
                case cst.Attribute(attr=cst.Name("detach" | "data" | "contiguous" | "requires_grad_" | "float")):
                    node = parent
                case cst.Call(func=func) if func is node:
                    node = parent
                case cst.Arg():
                    outer = parents[parent]
                    if not isinstance(outer, cst.Call):
                        return False
                    if isinstance(outer.func, cst.Attribute) and outer.func.attr.value == "register_buffer":
                        return True
                    if "parameter" not in self.values(outer).types:
                        return False
                    node = outer
                case cst.Assign(targets=targets):
                    places = [item.target for item in targets if isinstance(item.target, cst.Attribute)]
                    return any(self.values(item.value).kind in (Kind.MODULE, Kind.TENSOR) for item in places)
                case _:
                    return False

    def unpacked(self) -> int | None:
        """The number of names that the call's result is unpacked into."""
        parent = self.unit.facts.program.index.parents.get(self.call)
        if isinstance(parent, cst.Assign) and len(parent.targets) == 1:
            target = parent.targets[0].target
            if isinstance(target, (cst.Tuple, cst.List)):
                if not any(isinstance(element, cst.StarredElement) for element in target.elements):
                    return len(target.elements)
        return None

    def lowered(
        self,
        spec: FunctionSpec,
        name: str,
        receiver: cst.BaseExpression | None = None,
        arguments: Sequence[cst.Arg] | None = None,
    ) -> Lowered | None:
        """The lowering of this call by a row, or None after telling the user why there is none."""
        if spec.unsupported is not None:
            self.unit.problem(self.call, "T2J200", name=name)
            return None
        given = without_generator(self.unit, self.call, self.call.args if arguments is None else arguments)
        given = self.without_fresh_output(spec, receiver, given)
        try:
            facts = self.argument_facts(spec.signature, receiver, given)
        except BindError as error:
            is_starred = receiver is None and any(item.star for item in given)
            if spec.same is None or not is_starred:  # else the name alone changes
                self.unit.problem(self.call, "T2J202", name=name, reason=str(error))
            return None
        result = lower_call(spec, facts)
        if isinstance(result, Refusal):
            self.refuse(name, result)
            return None
        return result

    def without_fresh_output(
        self, spec: FunctionSpec, receiver: cst.BaseExpression | None, arguments: list[cst.Arg]
    ) -> list[cst.Arg]:
        """The arguments without `out=torch.empty(...)`: what is made for the result alone is the result."""
        outputs = [item for item in arguments if item.keyword is not None and item.keyword.value == "out"]
        others = [item for item in arguments if item not in outputs]
        if len(outputs) != 1 or not isinstance(made := outputs[0].value, cst.Call):
            return arguments
        try:
            result = result_value(spec.result, self.argument_facts(spec.signature, receiver, others))
        except BindError:
            return arguments
        if not self.values.makes_its_own(made) or result.dtype is None or self.values(made).dtype != result.dtype:
            return arguments
        self.unit.settle(outputs[0])
        return others

    def use(self, lowered: Lowered, receiver: cst.BaseExpression | None = None) -> None:
        key = self.key()
        if lowered.draws and key is None:
            self.unit.problem(self.call, "T2J400", name=code(self.call.func), place="this place")
            return
        unit = self.unit
        drawn = lowered.draws and "{key}" in lowered.template and self.call not in unit.plan.generated
        template = unit.spell(self.target.with_draws(lowered.template) if drawn else lowered.template)
        spelled = Lowered(template, lowered.arguments, lowered.defaults, lowered.tuples)
        extra = {"key": key} if key is not None else {}
        if receiver is not None and self.is_buffer(receiver):
            self.replace(lambda rewrite: spelled.build(_asarray(rewrite, receiver), **extra))
        elif isinstance(receiver, cst.Call) and (drawn or _FILLING.match(template)):
            self.replace(lambda rewrite: _without_blanks(spelled.build(rewrite, **extra)))
        else:
            self.replace(lambda rewrite: spelled.build(rewrite, **extra))

    def is_buffer(self, node: cst.BaseExpression) -> bool:
        value, state = self.values(node), self.unit.facts.effects.module_state
        if node in state.writes or node in state.reads:
            return False
        return "buffer" in value.types and is_discrete(value.dtype) and self.target.discrete_buffer.startswith("np.")

    # torch functions, layers, containers

    def torch_call(self, name: str) -> None:
        if name in CONTAINERS:
            self.container(name)
        elif name in self.tables.layers:
            self.layer(name)
        elif name in EINOPS_LAYERS:
            self.einops_layer(EINOPS_LAYERS[name])
        elif name in SPECIAL_FUNCTIONS:
            SPECIAL_FUNCTIONS[name](self)
        elif name in self.tables.functions:
            spec = self.tables.functions[name]
            if name.startswith("torch.optim.") and spec.unsupported is None:
                self.optimizer(spec, name)
                return
            if spec.same is not None and (not spec.alternatives or any(item.star for item in self.call.args)):
                self.same_arguments(self.variant(name, spec.same))
                return
            lowered = self.lowered(spec, name)
            if lowered is not None and self.is_kept_object():
                self.kept_object(lowered, name)
            elif lowered is not None:
                self.use(lowered)
        elif (plain := inplace_row(self.tables, name)) is not None and self.call.args:
            self.inplace_function(name, self.tables.functions[plain])
        else:
            self.unit.problem(self.call, "T2J200", name=name)

    def variant(self, name: str, same: str) -> str:
        """Which of several loaders or samplers of the support code it is."""
        facts = self.unit.facts
        if name == "torch.utils.data.DistributedSampler":
            split = bool(facts.parallel.marks) and is_share_of_rank(self.call, facts.values)
            return "DeviceSampler" if split else same
        is_split = bool(facts.parallel.marks) and facts.program.mentions("DistributedSampler")
        if name == "torch.utils.data.DataLoader" and is_split:
            return "DeviceDataLoader"
        is_whole = name == "torch.utils.data.DataLoader" and facts.program.has_loading_workers
        return f"Worker{same}" if is_whole else same

    def inplace_function(self, name: str, spec: FunctionSpec) -> None:
        """`torch.relu_(x)` in an expression, where nobody sees it: `rewrite_inplace_expressions` has checked."""
        first, *others = self.call.args
        if first.keyword is not None or first.star:
            self.unit.problem(self.call, "T2J200", name=name)
            return
        lowered = self.lowered(spec, name, first.value, others)
        if lowered is not None and "mutates" not in spec.effects:
            lowered = keeping_dtype(lowered, spec, self.values, self.call, first.value, others)
            if lowered is None:
                self.unit.problem(self.call, "T2J302", name=code(first.value), operation=code(self.call))
        if lowered is not None:
            self.use(lowered, first.value)

    def is_kept_object(self) -> bool:
        """Whether the call makes an object that becomes a field of a module."""
        line = self.unit.facts.program.index.parents.get(self.call)
        return (
            self.values(self.call).kind is Kind.TORCH_OBJECT
            and isinstance(line, cst.Assign)
            and isinstance(line.targets[0].target, cst.Attribute)
            and self.values(line.targets[0].target.value).kind is Kind.MODULE
        )

    def kept_object(self, lowered: Lowered, name: str) -> None:
        """An object that holds tensors: torch does not train those, but parameters among them would be trained through it."""
        if any("parameter" in self.values(node).types for item in self.call.args for node in descendants(item)):
            self.unit.problem(self.call, "T2J201", name=name, argument="a parameter in an object that a module keeps")
            return
        template = self.target.kept_object.replace("{value}", lowered.template)
        self.use(Lowered(template, lowered.arguments, lowered.defaults, lowered.tuples))

    def layer(self, name: str) -> None:
        spec = self.tables.layers[name]
        column = self.target.column(spec)
        if column is None or spec.unsupported is not None:
            self.unit.problem(self.call, "T2J200", name=name)
            return
        if name.startswith("torch.nn.utils.") and not self.takes_place_of_argument():
            self.unit.problem(self.call, "T2J201", name=name, argument="a module that other places go on to hold")
            return
        try:
            facts = self.argument_facts(spec.signature, None, self.call.args)
        except BindError as error:
            if not self.starred_layer(spec, column):
                self.unit.problem(self.call, "T2J202", name=name, reason=str(error))
            return
        lowered = lower(column.make, facts)
        if isinstance(lowered, Refusal):
            self.refuse(name, lowered)
            return
        template = self.unit.spell(lowered.template.replace("{rngs}", "{key}"))
        spelled = Lowered(template, lowered.arguments, lowered.defaults, lowered.tuples)
        if spelled.draws and self.key() is None:
            self.unit.problem(self.call, "T2J400", name=code(self.call.func), place="this place")
            return
        extra = {"key": self.key() or ""} if spelled.draws else {}
        make = self.stateful_make()
        self.replace(lambda rewrite: _made_with_state(spelled.build(rewrite, **extra), make))

    def starred_layer(self, spec: LayerSpec, column: LayerColumn) -> bool:
        """Make a layer with arguments that are not written out; False if that cannot be done."""
        draws, key = self.target.draws_at_init(spec), self.key()
        if not any(item.star for item in self.call.args) or draws != (key is not None):
            return False
        if self.stateful_make() is not None:
            return False
        function = function_template(spec, column, key or self.target.key)
        template = starred_template(spec, column, self.target.key)
        if template is None and function is None:
            return False
        spelled = self.unit.spell(template or function or "")

        def build(rewrite: Rewriter) -> cst.BaseExpression:
            made = cst.ensure_type(quote(f"{spelled})"), cst.Call)
            given = [_rewritten(item, rewrite) for item in self.call.args]
            whole = made.with_changes(args=_joined([*made.args, *given]))
            return gain(self.unit, self.call, whole, key) if template is not None else whole

        self.replace(build)
        return True

    def stateful_make(self) -> str | None:
        """What makes a module together with its state, where it is nobody's part."""
        planned = self.unit.plan.calls.get(self.call)
        return self.target.make_stateful if planned is not None and planned.behind else None

    def takes_place_of_argument(self) -> bool:
        """Whether nothing keeps the module that is given: torch changes it, the translation makes another one of it."""
        parent = self.unit.facts.program.index.parents.get(self.call)
        given = self.call.args[0].value if self.call.args else None
        if isinstance(parent, cst.Expr):
            return False
        if not isinstance(given, (cst.Attribute, cst.Subscript)):
            return True
        targets = [code(target.target) for target in parent.targets] if isinstance(parent, cst.Assign) else []
        return targets == [code(given)]

    def container(self, name: str) -> None:
        args = self.call.args
        target, unit = self.target, self.unit
        if any(argument.keyword is not None or argument.star == "**" for argument in args):
            self.unit.problem(self.call, "T2J201", name=name, argument="**")
            return
        if name == "torch.nn.Sequential":
            if len(args) == 1 and not args[0].star and self.values(args[0].value).kind is Kind.DICT:
                self.named_layers(args[0].value)
                return
            is_part = len(args) == 1 and _is_slice(args[0].value)  # of a container: no dictionary has such a part
            if len(args) == 1 and not (args[0].star or is_part or self.values(args[0].value).kind is Kind.MODULE):
                self.unit.problem(self.call, "T2J201", name=name, argument="an OrderedDict of layers")
                return
            make = self.stateful_make()
            self.replace(lambda rewrite: _sequential(unit, rewrite, self.call, make))
            return
        template = target.module_dict if name.endswith("Dict") else target.module_list
        if name.endswith("Dict") and target.immutable:
            self.ordered_layers(is_sorted=name == "torch.nn.ParameterDict")
            return
        if not args:
            empty = cst.parse_expression("{}" if name.endswith("Dict") else "[]")
            self.replace(lambda rewrite: quote(template, members=empty))
            return
        given, make = args[0].value, self.stateful_make()
        listed = (
            isinstance(given, (cst.Dict, cst.DictComp))
            if name.endswith("Dict")
            else isinstance(given, (cst.List, cst.ListComp))
            or (self.values(given).kind is Kind.LIST and isinstance(given, cst.Name))
        )
        if isinstance(given, cst.GeneratorExp):
            as_list = cst.parse_expression("[]")
            del as_list
            self.replace(lambda rewrite: _made_with_state(quote(template, members=_list_of(rewrite, given)), make))
        elif listed and name == "torch.nn.ParameterDict":  # whose keys torch sorts
            held = "dict(sorted({members}.items()))"
            self.replace(lambda rewrite: quote(template, members=quote(held, members=rewrite.expression(given))))
        elif listed and not isinstance(given, cst.Name):
            self.replace(lambda rewrite: _made_with_state(quote(template, members=rewrite.expression(given)), make))
        else:
            maker = "dict({members})" if name.endswith("Dict") else "list({members})"
            self.replace(
                lambda rewrite: _made_with_state(
                    quote(template, members=quote(maker, members=rewrite.expression(given))), make
                )
            )

    def ordered_layers(self, *, is_sorted: bool) -> None:
        """`nn.ModuleDict(...)`: JAX sorts the keys of a dict, and keeps the order of an OrderedDict. torch sorts those of the
        parameters of a plain dict (`is_sorted`).
        """
        unit, make = self.unit, self.stateful_make()
        given = self.call.args[0].value if self.call.args else None
        template = "OrderedDict({members})"
        if given is None:
            self.replace(lambda rewrite: quote("OrderedDict()"))
        elif is_sorted and isinstance(given, (cst.Dict, cst.DictComp)):
            self.replace(
                lambda rewrite: quote("OrderedDict(sorted({members}.items()))", members=rewrite.expression(given))
            )
        elif isinstance(given, cst.Call) and dotted(given.func) in ("dict", "OrderedDict", "collections.OrderedDict"):

            def build(rewrite: Rewriter) -> cst.BaseExpression:
                made = rewrite.expression(given)
                assert isinstance(made, cst.Call)
                kept = made if dotted(given.func) != "dict" else made.with_changes(func=quote("OrderedDict"))
                return _made_with_state(kept, make)

            self.replace(build)
        else:
            self.replace(
                lambda rewrite: _made_with_state(unit.quote(template, members=rewrite.expression(given)), make)
            )

    def named_layers(self, given: cst.BaseExpression) -> None:
        """`nn.Sequential(OrderedDict(fc=..., act=...))`."""
        planned = self.unit.plan.calls.get(self.call)
        make = self.target.make_stateful if planned is not None and planned.behind else None
        template = self.unit.spell(self.target.named_sequential)
        if make is not None:
            function, arguments = template.removesuffix(")").split("(", 1)
            template = f"{make.replace('{cls}', function)}({arguments})"
        self.replace(lambda rewrite: quote(template, layers=rewrite.expression(given)))

    # modules

    def module_call(self, callee: Value) -> None:
        unit, call = self.unit, self.call
        column = self.layer_column(callee)
        if not callee.types:
            return self.call_of_any_class()
        if call in unit.facts.effects.given and may_hold_any(callee):
            return self.call_by_signature(self.key(), "call_with_state()")
        if column is not None and column.call == "function":
            return self.function_layer()
        if column is not None and column.arguments is not None:
            return self.respelled_layer(callee, column)
        key = self.key()
        is_of_several = calls_several(unit.facts, unit.plan, call, callee) or self.may_be_layer_behind_stars(callee)
        if self.target.calls_take_key and is_of_several:
            return self.call_by_signature(
                key, "call_with_state()" if unit.facts.effects.is_stateful(callee) else "call()"
            )
        style = self.call_style(callee, column)
        if style is None and key is None and call not in unit.plan.calls:
            return None
        return self.replace(
            lambda rewrite: with_gains(
                unit, call, rewrite, quote(style, layer=rewrite.expression(call.func)) if style else None, key
            )
        )

    def asks_listed_module(self) -> bool:
        """Whether a method of what runs through `self.modules()` is called that needs more than its arguments where some class has it."""
        function, facts = self.call.func, self.unit.facts
        if not self.target.immutable or not isinstance(function, cst.Attribute) or facts.values.callees.get(self.call):
            return False
        if LISTED_MODULE not in self.values(function.value).types:
            return False
        named = [
            item.methods.get(function.attr.value) for item in facts.program.class_by_key.values() if item.is_module
        ]
        effects = [facts.effects.of(method) for method in named if method is not None]
        gives = any(gives_self(facts.program, method) for method in named)
        return gives or any(item.state or item.draw is not Draw.NONE for item in effects)

    def may_be_layer_behind_stars(self, callee: Value) -> bool:
        """`self.fn(x, **kwargs)`, where `fn` may be a layer that takes one example and is given one batch."""
        args, program = self.call.args, self.unit.facts.program
        may_be_one = any(item.star for item in args) and sum(not item.star for item in args) <= 1 < len(callee.types)
        if not may_be_one or any(item.keyword is not None for item in args) or self.target.mapped_call is None:
            return False
        specs = [self.tables.layers.get(name) for name in callee.types if name not in program.class_by_key]
        columns = [self.target.column(spec) if spec is not None else None for spec in specs]
        return any(column is not None and column.call == "mapped" for column in columns) or any(
            spec is None for spec in specs
        )

    def call_of_any_class(self) -> None:
        """`model(x)` where nothing is known of `model`: `call(model, x, key=key)`."""
        unit, call, key = self.unit, self.call, self.key()
        effects = unit.facts.effects
        if self.target.state is None and key is None:
            return  # modules keep what they draw from, and their state
        if not self.target.calls_take_key:
            unit.problem(call, "T2J605", name=code(call.func))
            return
        if call in effects.given or call in unit.plan.calls:
            self.call_by_signature(key, "call_with_state()")
            return
        if is_known_to_keep_none(effects, call.func):
            pass
        elif effects.may_keep_state():
            unit.problem(call, "T2J605", name=code(call.func))
        else:
            unit.problem(call, "T2J607", name=code(call.func))
        self.call_by_signature(key)

    def may_be_module_or_draw(self, callee: Value) -> bool:
        """Whether what is called is one of several kinds, of which a module takes a batch elsewhere, or some draw."""
        function, program = self.call.func, self.unit.facts.program
        is_part = isinstance(function, cst.Attribute) and self.values(function.value).kind is Kind.MODULE
        if callee.kind is not Kind.UNKNOWN or not callee.called or is_part:
            return False
        classes = (program.class_by_key.get(name) for name in callee.called)
        is_layer = "*" in callee.called or any(name in self.tables.layers for name in callee.called)
        return self.key() is not None or is_layer or any(item is not None and item.is_module for item in classes)

    def call_of_several_kinds(self, callee: Value) -> None:
        """`model(x)` of a function on one way and a module, or another object, on others, some of which draw."""
        unit = self.unit
        if self.call in unit.facts.effects.given:
            self.call_by_signature(self.key(), "call_with_state()")
            return
        if unit.facts.effects.is_stateful(Value(Kind.MODULE, types=callee.called - {"*"})):
            unit.problem(self.call, "T2J605", name=code(self.call.func))
        elif "*" in callee.called:
            unit.problem(self.call, "T2J607", name=code(self.call.func))
        self.call_by_signature(self.key())

    def call_by_signature(self, key: str | None, helper: str = "call()") -> None:
        """`call(model, x, y, key=key)`, which gives the key to what takes one."""
        unit, call = self.unit, self.call
        if any(item.keyword is not None and item.keyword.value in _OF_HELPERS for item in call.args):
            unit.problem(call, "T2J605", name=code(call.func))
            return

        def build(rewrite: Rewriter) -> cst.BaseExpression:
            spelled = unit.quote(helper)
            assert isinstance(spelled, cst.Call)
            args = [cst.Arg(rewrite.expression(call.func)), *(_rewritten(item, rewrite) for item in call.args)]
            return gain(unit, call, with_fields(call, func=spelled.func, args=_joined(args)), key)

        self.replace(build)

    def respelled_layer(self, callee: Value, column: LayerColumn) -> None:
        (name,) = callee.types
        signature = self.tables.layers[name].forward
        try:
            facts = self.argument_facts(signature, None, self.call.args)
        except BindError as error:
            self.unit.problem(self.call, "T2J202", name=name, reason=str(error))
            return
        from torch2jax.ops.schema import Alternative

        lowered = lower((Alternative(f"layer_call({column.arguments})"),), facts)
        if isinstance(lowered, Refusal):
            self.refuse(name, lowered)
            return
        unit, call, key = self.unit, self.call, self.key()

        def build(rewrite: Rewriter) -> cst.BaseExpression:
            spelled = lowered.build(rewrite)
            assert isinstance(spelled, cst.Call)
            changed = spelled.with_changes(func=rewrite.expression(call.func))
            return gain(unit, call, changed, key)

        self.replace(build)

    def function_layer(self) -> None:
        """A layer that is a plain function in the target: called with torch's arguments, keywords included."""
        if self.key() is not None or self.call in self.unit.plan.calls:
            self.unit.problem(self.call, "T2J400", name=code(self.call.func), place="this place")

    def layer_column(self, callee: Value) -> LayerColumn | None:
        """The column of the one library layer that a value is, else None."""
        if len(callee.types) != 1:
            return None
        (name,) = callee.types
        spec = self.tables.layers.get(name)
        return self.target.column(spec) if spec is not None else None

    def call_style(self, callee: Value, column: LayerColumn | None) -> str | None:
        """The template around a layer that takes one example where torch's takes a batch."""
        if self.target.mapped_call is None:
            return None
        if column is not None:
            if column.call != "mapped":
                return None
            first = self.call.args[0].value if self.call.args else None
            rank = self.values(first).rank if first is not None else None
            if takes_hooks(self.unit.facts.program):  # which are given whole batches
                return self.unit.spell(self.target.batched_call)
            if rank is not None and column.core is not None and rank == column.core + 1:
                return self.target.mapped_call
            return self.unit.spell(self.target.batched_call)
        if callee.types and all(map(self.takes_whole, callee.types)) and not self.some_keep_state(callee):
            return None
        program = self.unit.facts.program
        if callee.types and all(name in program.class_by_key for name in callee.types):
            if len(callee.types) == 1 or not differ(self.unit.facts, self.unit.plan, callee):
                return None
        if not callee.types:
            return None
        if len(self.call.args) != 1 or self.call.args[0].star:
            return None  # a layer that takes one example takes one argument
        return self.unit.spell(self.target.batched_call)

    def takes_whole(self, name: str) -> bool:
        """Whether a layer of the library takes a batch as torch's does."""
        spec = self.tables.layers.get(name)
        column = self.target.column(spec) if spec is not None else None
        return column is not None and column.call != "mapped"

    def some_keep_state(self, callee: Value) -> bool:
        """Whether some of the classes that a module may be of keep state, and others do not."""
        effects = self.unit.facts.effects
        return len({effects.is_stateful(Value(Kind.MODULE, types=frozenset({name}))) for name in callee.types}) > 1

    # functions and classes of the program

    def program_call(self, callee: Value) -> None:
        unit, call, key = self.unit, self.call, self.key()
        planned = unit.plan.calls.get(call)
        make = None
        constructed = self.values(call)
        if callee.kind is Kind.CLASS and planned is not None and planned.behind and constructed.kind is Kind.MODULE:
            make = self.target.make_stateful
        elif planned is not None and planned.makes_any:
            make = unit.spell(str(self.target.make_by_class))
        if key is not None and call in unit.plan.by_signature:
            self.keyed_method(key, make)
            return
        function = call.func
        name = function.attr.value if isinstance(function, cst.Attribute) else ""
        renamed = name == "forward" and any(
            item.owner and item.owner.is_module for item in self.values.callees.get(call, ())
        )
        if key is None and planned is None and make is None and not renamed:
            return

        def build(rewrite: Rewriter) -> cst.BaseExpression:
            spelled = rewrite.expression(function)
            if make is not None:
                spelled = quote(make, cls=spelled)
            if renamed and isinstance(spelled, cst.Attribute):
                is_class = isinstance(function, cst.Attribute) and self.values(function.value).kind is Kind.CLASS
                named = spelled.with_changes(attr=cst.Name("__call__"))
                spelled = named if is_super(spelled.value) or is_class else spelled.value
            return with_gains(unit, call, rewrite, spelled, key)

        self.replace(build)

    # methods

    def method_call(self, function: cst.Attribute) -> None:
        base = self.values(function.value)
        name = function.attr.value
        if base.kind in (Kind.MODULE, Kind.PYTHON) and is_method_of_torch(self.unit.facts.program, function):
            (self.mode_of_base if name in ("train", "eval") else self.method_of_base)()
            return
        match base.kind:
            case Kind.TENSOR:
                self.tensor_method(function, name, base)
            case Kind.MODULE:
                MODULE_METHODS.get(name, _Call.other_module_method)(self)
            case Kind.OPTIMIZER:
                self.optimizer_method(name)
            case Kind.SCHEDULER:
                self.unit.problem(self.call, "T2J203", name=name, owner="a scheduler")
            case Kind.TORCH_OBJECT:
                self.object_method(function, name, base)
            case Kind.GENERATOR:
                self.generator_method(function, name)
            case Kind.SIZE if name == "numel":
                self.replace(lambda rewrite: quote("math.prod({size})", size=rewrite.expression(function.value)))
            case Kind.UNKNOWN:
                self.unknown_receiver(function, name)
            # What a library gives may be one of torch, whose weights are read; nothing of JAX's is loaded into it.
            case Kind.PYTHON if name == "load_state_dict" and self.is_of_torch_alone(name):
                self.unit.problem(self.call, "T2J203", name=name, owner=f"`{code(function.value)}`, whatever it is,")
            # None of these has methods of such names.
            case Kind.PYTHON | Kind.LIST | Kind.TUPLE | Kind.DICT if is_inplace_name(name):
                self.unknown_receiver(function, name)

    def generator(self) -> None:
        """`torch.Generator()`: a sequence of keys; torch seeds all of them alike."""
        seed = self.unit.generator_seeds.get(self.call)
        self.unit.settle(self.call)
        template = self.unit.spell("KeySequence(jax.random.key({seed}))")
        self.replace(
            lambda rewrite: quote(template, seed=cst.Integer("0") if seed is None else rewrite.expression(seed))
        )

    def rng_state(self) -> None:
        """`torch.get_rng_state()`: the key that draws go on from."""
        key = self.key()
        if key is None:
            self.unit.problem(self.call, "T2J401", place="this place")
            return
        self.unit.settle(self.call)
        self.replace(lambda rewrite: quote("jax.random.clone({key})", key=key))

    def generator_method(self, function: cst.Attribute, name: str) -> None:
        """What a generator's methods are for a sequence of keys; `_generator_statement` has seen those that stand alone."""
        made, unit = function.value, self.unit
        if function in unit.settled:
            return
        if name == "manual_seed" and len(self.call.args) == 1 and isinstance(made, cst.Call):
            if self.values.torch_name(made.func) == "torch.Generator":
                unit.generator_seeds[made] = self.call.args[0].value
                self.replace(lambda rewrite: rewrite.expression(made))
                return
        if name in ("get_state", "clone_state") and not self.call.args:
            copy = "jax.random.clone({g}.key)"
            template = copy if name == "get_state" else unit.spell(f"KeySequence({copy})")
            self.replace(lambda rewrite: quote(template, g=rewrite.expression(made)))
            return
        unit.problem(self.call, "T2J203", name=name, owner="a generator")

    def unknown_receiver(self, function: cst.Attribute, name: str) -> None:
        """A method of something unknown: a tensor's method only if nothing else is likely to have it."""
        if name in _HOOKS:
            if not self.is_hook_of_module(name):
                self.unit.problem(self.call, "T2J602", name=code(function))
            return
        if name in _DRAWS and self.may_draw(function, name):
            self.unit.problem(self.call, "T2J204", name=name, receiver=code(function.value))
            return
        if (key := self.key()) is not None and self.unit.facts.effects.may_be_drawing_method(self.call):
            self.keyed_method(key)
            return
        if self.values(function.value).const == "numpy":
            return  # `np.bool_` is a type
        changes = is_inplace_name(name) and self.tables.method(name[:-1]) is not None
        known = self.tables.method(name) is not None or changes or name in MOVES | set(CASTS)
        if self.unit.facts.program.is_of_jax:
            return
        if self.is_of_torch_alone(name):
            if name in _PARAMETERS and self.asks_for_place() and self.target.parameters is not None:
                self.spelled_module(self.target.parameters)  # of a module of any class
                self.first_of_list()
                return
            self.unit.problem(self.call, "T2J203", name=name, owner=f"`{code(function.value)}`, whatever it is,")
            return
        if not known or (name in PYTHON_METHODS and not self.is_given_numbers()):
            return
        if self.tables.method(name) is not None:
            if not fits(self.tables, name, self.call):
                return
            lowered = self.quiet_lowering(function, name)
            if lowered is not None and self.same_text(lowered):
                return
        if not rewrite_open_method(self.unit, self.call, function):
            self.unit.problem(self.call, "T2J204", name=name, receiver=code(function.value))

    def is_of_torch_alone(self, name: str) -> bool:
        """Whether only models and optimizers of torch take such a call: `net.eval()`, `net.load_state_dict(saved)`."""
        program = self.unit.facts.program
        if program.is_of_jax or program.defines_method(name):
            return False
        return name in _STATES | _PARAMETERS or (name == "eval" and not self.call.args)

    def keyed_method(self, key: str, make: str | None = None) -> None:
        """`agent.act(x)`, where some class has a method of the name that draws: `keyed(agent.act, key=key)(x)`; `make`: what is
        called makes modules with state."""
        unit, call = self.unit, self.call

        def build(rewrite: Rewriter) -> cst.BaseExpression:
            keyed = f"keyed({{method}}, {_key_parameter(unit, call)}={key})"
            function = unit.quote(keyed, method=rewrite.expression(call.func))
            function = function if make is None else quote(make, cls=function)
            return with_gains(unit, call, rewrite, function, None)

        self.replace(build)

    def is_hook_of_module(self, name: str) -> bool:
        """Whether a call attaches a hook to a module that takes them, or one that has been reported."""
        return name in MODULE_HOOKS and (self.call in self.unit.settled or takes_hooks(self.unit.facts.program))

    def is_given_numbers(self) -> bool:
        """Whether `split` or `sort` gets what those of strings and lists do not take: the length of parts, or an axis."""
        name = cst.ensure_type(self.call.func, cst.Attribute).attr.value
        first = self.values(self.call.args[0].value) if self.call.args else UNKNOWN
        return name in ("split", "sort") and first.kind in (Kind.INT, Kind.LIST)

    def may_draw(self, function: cst.Attribute, name: str) -> bool:
        """Whether something unknown may be a distribution: it is not given a number, and no class here has the method."""
        program = self.unit.facts.program
        if not program.mentions("distributions") or program.defines_method(name):
            return False
        first = self.call.args[0].value if self.call.args else None
        return not code(function.value).endswith("space") and (first is None or self.values(first).is_sequence)

    def quiet_lowering(self, function: cst.Attribute, name: str) -> Lowered | None:
        spec = self.tables.method(name)
        if spec is None or spec.unsupported is not None:
            return None
        try:
            facts = self.argument_facts(spec.signature, function.value, self.call.args)
        except BindError:
            return None
        result = lower_call(spec, facts)
        return result if isinstance(result, Lowered) else None

    def same_text(self, lowered: Lowered) -> bool:
        """Whether a call is written as it stands, but for spaces."""
        if lowered.draws:
            return False
        ours, theirs = code(lowered.build(lambda node: node)), code(self.call)
        return "".join(ours.split()) == "".join(theirs.split())

    def tensor_method(self, function: cst.Attribute, name: str, base: Value) -> None:
        if name in MOVES:
            self.moved(function, name)
            return
        if name in CASTS and self.tables.method(name) is None:
            self.replace(lambda rewrite: quote(f"{{x}}.astype({CASTS[name]})", x=rewrite.expression(function.value)))
            return
        if name == "requires_grad_":
            self.requires_grad(function)
            return
        if name == "register_hook":
            self.unit.problem(self.call, "T2J602", name=code(self.call.func))
            return
        if name in ("backward", "retain_grad", "share_memory_"):
            if name in ("backward",):
                return
            self.unit.problem(self.call, "T2J203", name=name)
            return
        spec = self.tables.method(name)
        plain = self.tables.method(name.removesuffix("_")) if name.endswith("_") else None
        spec = (
            spec if spec is not None else plain
        )  # in place, and nobody sees it: `rewrite_inplace_expressions` has checked
        if spec is None:
            if name in tensor_names():  # else it is no tensor, whatever it looks like, or torch refuses the call, too
                self.unit.problem(self.call, "T2J203", name=name)
            return
        lowered = self.lowered(spec, f"Tensor.{name}", function.value)
        if lowered is not None and spec is plain:
            kept = keeping_dtype(lowered, spec, self.values, self.call, function.value)
            if kept is None:
                self.unit.problem(self.call, "T2J302", name=code(function.value), operation=code(self.call))
            lowered = kept
        if lowered is not None:
            self.use(lowered, function.value)

    def object_method(self, function: cst.Attribute, name: str, base: Value) -> None:
        """A method of something that torch made, by the rows of its class."""
        spec = self.tables.method_of(base.types, name)
        if spec is None:
            owner = min(base.types, default="this object").split(".")[-1]
            self.unit.problem(self.call, "T2J203", name=name, owner=owner)
            return
        lowered = self.lowered(spec, spec.name, function.value)
        if lowered is not None:
            self.use(lowered)

    def requires_grad(self, function: cst.Attribute) -> None:
        const = self.values(self.call.args[0].value).const if self.call.args else True
        is_trained = const is True and not self.may_thaw(function.value)
        if is_trained or (const is False and self.has_no_flag(function.value)):
            self.replace(lambda rewrite: rewrite.expression(function.value))
        else:
            self.unit.problem(self.call, "T2J502", name=code(function.value))

    def may_thaw(self, node: cst.BaseExpression) -> bool:
        """Whether a tensor may be a parameter of a module that keeps names of frozen ones."""
        value = self.values(node)
        is_parameter = "parameter" in value.types or "field:*" in value.roots
        return is_parameter and bool(self.unit.facts.effects.frozen)

    def has_no_flag(self, node: cst.BaseExpression) -> bool:
        """Whether a tensor is no parameter: a buffer, or a part of a tensor, whose flag torch only lets be what it is."""
        is_part = isinstance(node, cst.Subscript) and self.values(node.value).kind is Kind.TENSOR
        return is_part or "buffer" in self.values(node).types

    def moved(self, function: cst.Attribute, name: str) -> None:
        """`x.to(device)`, `x.to(dtype)`, `x.to(other)`, `x.cpu()`: device and dtype apart."""
        if name == "type" and self.named_type(function):
            return
        device, dtype = split_move(self.values, self.call)
        if dtype == "unknown":
            if not rewrite_open_method(self.unit, self.call, function):
                self.unit.problem(self.call, "T2J201", name=f"Tensor.{name}", argument="an argument of unknown kind")
            return

        def build(rewrite: Rewriter) -> cst.BaseExpression:
            result = rewrite.expression(function.value)
            if dtype is not None:
                assert isinstance(dtype, cst.BaseExpression)
                spelled = rewrite.expression(dtype)
                if self.values(dtype).kind is Kind.TENSOR:
                    spelled = quote("{other}.dtype", other=spelled)
                result = quote("{x}.astype({dtype})", x=result, dtype=spelled)
            if device is not None:
                result = quote("jax.device_put({x}, {device})", x=result, device=rewrite.expression(device))
            return result

        self.replace(build)

    def named_type(self, function: cst.Attribute) -> bool:
        """Decide `x.type("torch.LongTensor")`; False where a dtype is given."""
        given = self.values(self.call.args[0].value) if self.call.args else UNKNOWN
        dtype = class_dtype(given.const) if isinstance(given.const, str) and given.kind is Kind.STR else None
        if self.call.args and given.kind is not Kind.STR:
            return False
        told = class_of_dtype(self.values(function.value).dtype) if not self.call.args else None
        if told is not None:
            self.replace(lambda rewrite: cst.SimpleString(f'"{told}"'))
        elif dtype is None:
            self.unit.problem(self.call, "T2J201", name="Tensor.type", argument="this name of a type")
        else:
            text = f"{{x}}.astype({DTYPE_TEXTS[dtype]})"
            self.replace(lambda rewrite: quote(text, x=rewrite.expression(function.value)))
        return True

    def optimizer_method(self, name: str) -> None:
        if name in ("zero_grad", "step"):  # belongs to a training step, or is reported there
            if not isinstance(self.unit.facts.program.index.parents[self.call], cst.Expr):
                self.unit.problem(self.call, "T2J500", reason=f"`{code(self.call)}` stands alone")
            return
        state = optimizer_state(self.unit, self.call)
        is_looked_into = isinstance(self.unit.facts.program.index.parents[self.call], (cst.Subscript, cst.Attribute))
        is_whole = has_torch_form(self.values(self.receiver()))
        if name == "state_dict" and state is not None and not self.call.args and (is_whole or not is_looked_into):
            spelled = self.unit.spell(self.target.saved_optimizer if is_whole else self.target.optimizer_entries)
            self.replace(lambda rewrite: quote(spelled, state=cst.parse_expression(state)))
            return
        self.unit.problem(self.call, "T2J203", name=name, owner="an optimizer")

    # methods of modules

    def receiver(self) -> cst.BaseExpression:
        assert isinstance(self.call.func, cst.Attribute)
        return self.call.func.value

    def spelled_module(self, template: str) -> None:
        node = self.receiver()
        spelled = self.unit.spell(template)
        self.replace(lambda rewrite: quote(spelled, model=rewrite.expression(node)))

    def parameters(self) -> None:
        template, is_unordered = self.target.parameters, self.is_unordered()
        if self.call.args:
            self.own_parameters("parameters({model})")
            return
        effects, value = self.unit.facts.effects, self.values(self.receiver())
        if self.hides_parameters():
            self.other_module_method()
            return
        if effects.has_frozen(value) or effects.has_frozen_parameters(value):
            template = "parameters({model})"
        elif self.stands_in_zip():
            template = "parameters({model})"  # the longer spelling, twice, makes a line that nobody wants to read
        elif not is_unordered and self.target.immutable and self.has_named_parts():
            self.other_module_method()  # leaves of dictionaries come in alphabetical order
            return
        elif not is_unordered:
            template = "parameters({model})"  # in torch's order, where leaves have the order of fields
        elif self.may_hold_more():
            template = "parameters({model})"
        elif self.unit.facts.effects.has_float_buffers(self.values(self.receiver())):
            template = self.target.with_buffers(template)
        self.spelled_module(template)
        self.first_of_list()

    def own_parameters(self, template: str) -> None:
        """`m.parameters(recurse=False)`: those of the module itself; other arguments give other names."""
        (first, *others) = self.call.args
        recurses = self.values(first.value).const
        is_named = first.keyword is not None and first.keyword.value == "recurse"
        is_first = first.keyword is None and "named" not in template
        if others or not (is_named or is_first) or not isinstance(recurses, bool):
            self.other_module_method()
            return
        self.spelled_module(template if recurses else template.replace("{model}", "{model}, recurse=False"))
        self.first_of_list()

    def may_hold_more(self) -> bool:
        """Whether the module may be of a class that is not in sight, whose buffers are leaves as well, or is still being made:
        its state holds its first values then.
        """
        value, function = self.values(self.receiver()), self.unit.facts.program.function_around(self.call)
        if not value.types:
            return True
        if function is None or dotted(self.receiver()) not in function.parameter_names:
            return False
        is_own = dotted(self.receiver()) == function.self_name
        return self.unit.facts.effects.is_stateful(value) or (is_own and self.unit.facts.effects.may_be_derived(value))

    def hides_parameters(self) -> bool:
        """Whether parameters of the module live in its state, where lists of parameters do not look."""
        return self.target.immutable and self.unit.facts.effects.has_frozen_state(self.values(self.receiver()))

    def stands_in_zip(self) -> bool:
        parents = self.unit.facts.program.index.parents
        outer = parents.get(parents[self.call])
        return isinstance(outer, cst.Call) and dotted(outer.func) == "zip"

    def is_unordered(self) -> bool:
        """Whether the order of the parameters makes no difference: they are counted or added up, or run through beside those of
        another module, or the first one is asked for its dtype or device.
        """
        parents = self.unit.facts.program.index.parents
        node: cst.CSTNode = self.call
        while True:
            parent = parents[node]
            if isinstance(parent, cst.CompFor) and parent.iter is node:
                node = parent
                while isinstance(node, cst.CompFor):
                    node = parents[node]
                if _asks_for_shapes(node):
                    return False
                if isinstance(node, cst.SetComp):
                    return True
                continue
            outer = parents[parent] if isinstance(parent, cst.Arg) else None
            name = dotted(outer.func) if isinstance(outer, cst.Call) else None
            if outer is None or name is None:
                return False
            if name == "next":
                asked = parents[outer]
                alike = {"device"} if has_casts(self.unit.facts.program) else {"device", "dtype"}
                return isinstance(asked, cst.Attribute) and asked.attr.value in alike
            if name not in _HANDING_ON:
                return name in _UNORDERED
            node = outer

    def has_named_parts(self) -> bool:
        """Whether the program keeps parts of modules by their names, whose order JAX forgets."""
        return self.unit.facts.program.mentions("ParameterDict")

    def first_of_list(self) -> None:
        """`next(model.parameters())`: what is an iterator in torch is a list."""
        parents = self.unit.facts.program.index.parents
        outer = parents.get(parents[self.call])
        if not isinstance(outer, cst.Call) or dotted(outer.func) != "next" or outer.args[0].value is not self.call:
            return
        if len(outer.args) == 1:
            self.unit.edits.replace(outer, lambda rewrite: quote("{x}[0]", x=rewrite.expression(self.call)))
        else:
            build = self.unit.edits.nodes[self.call]
            self.unit.edits.replace(
                self.call, lambda rewrite: quote("iter({x})", x=as_expression(build(rewrite))), override=True
            )

    def asks_for_place(self) -> bool:
        """Whether the first of some parameters says where they are, or of what type: `next(net.parameters()).device`."""
        parents = self.unit.facts.program.index.parents
        given = parents[self.call]
        outer = parents[given]
        asked = parents[outer]
        is_first = isinstance(given, cst.Arg) and isinstance(outer, cst.Call) and dotted(outer.func) == "next"
        is_asked = isinstance(asked, cst.Attribute) and asked.attr.value in ("device", "dtype")
        return is_first and is_asked and not self.call.args

    def named_parameters(self) -> None:
        if self.target.named_parameters is None or self.hides_parameters():
            self.other_module_method()
        elif self.call.args:
            self.own_parameters(self.target.named_parameters)
        else:
            self.spelled_module(self.target.named_parameters)
            self.first_of_list()

    def parts(self) -> None:
        """`model.named_modules()` and its like, of which nothing is changed here: loops that change parts are statements."""
        assert isinstance(self.call.func, cst.Attribute)
        template = self.target.parts.get(self.call.func.attr.value)
        if template is not None and "buffers" in template and self.has_unlisted_buffers():
            template = None
        if template is None or self.call.args or self.loses_functions(self.call.func.attr.value):
            self.other_module_method()
            return
        state = self.companion_state()
        if state is not None and "buffers" in template:
            template = template.replace("{model}", f"{{model}}, {state}")
        self.spelled_module(template)
        self.first_of_list()

    def has_unlisted_buffers(self) -> bool:
        """Whether buffers that no state dict holds are constants of a definition, which nothing lists."""
        return self.target.hidden_buffer == "{value}" and self.unit.facts.program.has_hidden_buffers

    def loses_functions(self, method: str) -> bool:
        """Whether parts are listed to be called or counted where layers without parameters are functions, which no module lists."""
        facts = self.unit.facts
        if not self.target.hides_functions or not lists_all(facts.program, self.values, self.call):
            return False
        is_alone = len(list(facts.program.files)) == 1 or is_made_here(facts.program, self.values, self.call)
        if self.target.lists_functions and (is_alone or self.target.lists_everywhere):
            return False  # they are modules
        return self.may_hold_functions(self.values(self.receiver()), "children" not in method, set())

    def may_hold_functions(self, module: Value, is_deep: bool, seen: set[str]) -> bool:
        """Whether a module may hold a layer without parameters as one of its parts or, if `is_deep`, somewhere below."""
        held = list(self.unit.facts.effects.members(module))
        for name in module.types - seen:
            seen.add(name)
            item = self.unit.facts.program.class_by_key.get(name)
            if item is not None:
                held += item.fields.values()
            elif not name.startswith("torch.nn."):
                return True
        if not module.types or any(is_plain_layer(self.tables, value) for value in held):
            return True
        parts = [value for value in held if value.kind is Kind.MODULE] if is_deep else []
        return any(self.may_hold_functions(value, is_deep, seen) for value in parts)

    def state_dict(self) -> None:
        state, template = self.companion_state(), self.target.state_dict
        if self.values(self.receiver()).may_train:
            self.unit.problem(self.call, "T2J203", name="state_dict", owner="what may be an optimizer or a scheduler")
        elif template is None:
            self.other_module_method()
        else:
            self.spelled_module(template if state is None else template.replace(")", f", {state})"))

    def companion_state(self) -> str | None:
        """The state that belongs to the module in this place, if it has one."""
        node = self.receiver()
        if self.target.state is None or not self.unit.facts.effects.is_stateful(self.values(node)):
            return None
        program = self.unit.facts.program
        place = module_place(program, self.values, node) or dotted(node)
        function = program.function_around(self.call)
        return companion_place(self.unit, function, place, "state") if place is not None else None

    def mode(self) -> None:
        """`model.train()` or `.eval()` as an expression (statements are handled as such)."""
        template = mode_template(self.target, self.values, self.call)
        if template is None:
            self.unit.problem(self.call, "T2J603", name=code(self.call.func))
        elif not keeps_mode(self.unit, self.values(self.receiver())):
            self.spelled_module("{model}")
        elif not self.target.immutable:
            self.mode_of_object(template)
        elif "{mode}" in template:
            node, call = self.receiver(), self.call
            self.replace(
                lambda rewrite: quote(template, model=rewrite.expression(node), **mode_given(template, call, rewrite))
            )
        else:
            self.spelled_module(template)

    def mode_of_base(self) -> None:
        """`super().train(mode)` in a method that stands for torch's own `train`: modes are set, and nothing is given back."""
        statement = self.unit.facts.program.index.parents[self.call]
        line = self.unit.facts.program.index.parents.get(statement)
        template = mode_template(self.target, self.values, self.call)
        is_line = isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1
        is_open = template is None and len(self.call.args) == 1 and not self.call.args[0].star
        if not is_line or not isinstance(statement, (cst.Expr, cst.Return)) or not (template or is_open):
            self.unit.problem(self.call, "T2J603", name=code(self.call.func))
            return
        if self.target.immutable:
            self.unit.problem(self.call, "T2J603", name=code(self.call.func))
            return
        function = self.unit.facts.program.function_around(self.call)
        own = function.self_name if isinstance(statement, cst.Return) and function is not None else None
        assert line is not None
        self.unit.edits.rewrite_statement(line, partial(_mode_of_base, self.call, template, own))

    def method_of_base(self) -> None:
        """`super().parameters()` in a method of the same name: what torch's own would give of this module."""
        function = self.unit.facts.program.function_around(self.call)
        assert function is not None and function.owner is not None and isinstance(self.call.func, cst.Attribute)
        name = self.call.func.attr.value
        listed: dict[str, str | None] = dict(self.target.parts)
        listed |= {"parameters": "parameters({model})", "named_parameters": self.target.named_parameters}
        template = self.target.state_dict if name == "state_dict" else listed.get(name)
        if template is None or self.call.args or self.unit.facts.effects.class_is_stateful(function.owner):
            self.unit.problem(self.call, "T2J603", name=code(self.call.func))
            return
        spelled, own = self.unit.spell(template), cst.Name(str(function.self_name))
        self.replace(lambda rewrite: quote(spelled, model=own))

    def mode_of_object(self, template: str) -> None:
        """`model = Net().eval()` where modes are set on the object and give nothing back: a statement of its own."""
        parent = self.unit.facts.program.index.parents.get(self.call)
        if isinstance(parent, cst.Expr):
            return
        place = (
            dotted(parent.targets[0].target) if isinstance(parent, cst.Assign) and len(parent.targets) == 1 else None
        )
        if place is None:
            self.unit.problem(self.call, "T2J603", name=code(self.call.func))
            return
        line = self.unit.facts.program.index.statement_of(self.call)
        self.unit.edits.after(line, lambda rewrite: [quote_statement(template, model=cst.parse_expression(place))])
        self.spelled_module("{model}")

    def loaded_values(self) -> None:
        """`model.load_state_dict(values)` in another place than a line of its own, which statements decide."""
        if not self.stands_alone() and self.call not in self.unit.settled:
            self.unit.problem(self.call, "T2J603", name=code(self.call.func))

    def moved_module(self) -> None:
        assert isinstance(self.call.func, cst.Attribute)
        device, dtype = split_move(self.values, self.call)
        node = self.receiver()
        if is_module_cast(self.call):
            self.cast_module()
            return
        is_place = dtype == "unknown" and is_single_precision(self.unit.facts.program)  # `net.to(gpu_ids[0])`
        if dtype is not None and not is_place:
            self.unit.problem(self.call, "T2J603", name=code(self.call.func))
            return
        if device is None:
            self.spelled_module("{model}")
            return
        template = self.target.to_device
        self.replace(
            lambda rewrite: (
                quote(template, model=rewrite.expression(node), device=rewrite.expression(device))
                if "{device}" in template
                else rewrite.expression(node)
            )
        )

    def cast_module(self) -> None:
        """`Net().half()`, of a module that only the expression around has so far; others are statements."""
        if self.stands_alone() or self.call in self.unit.settled:
            return
        node = self.receiver()
        is_made = dotted(node) is None and is_module_cast(self.call)
        if not is_made or self.unit.facts.effects.is_stateful(self.values(node)):
            self.other_module_method()
            return
        spelled = self.unit.spell(self.target.cast)
        self.replace(
            lambda rewrite: quote(
                spelled, model=rewrite.expression(node), dtype=cast_expression(self.unit, self.call, rewrite)
            )
        )

    def apply(self) -> None:
        """`self.apply(init)` in `__init__`, or `model.apply(init)`."""
        unit, call, node = self.unit, self.call, self.receiver()
        key = self.key()
        template = self.target.apply_inside if fills_itself(unit, node) else self.target.apply
        function = unit.facts.program.function_around(call)
        is_own = function is not None and (dotted(node) or "").partition(".")[0] == function.self_name
        if function is not None and is_own and _keeps_old_self(unit, function) and not only_looks(unit, call):
            reason = "a method that `__init__` and other code call cannot give its module back"
            unit.problem(
                call, "T2J606", name=code(node), module=str(getattr(function.owner, "name", "")), reason=reason
            )
            return
        if template is None:
            self.other_module_method()
            return
        spelled = unit.spell(template.removesuffix(")") + f", {self.target.key}={{key}})" if key else template)
        holes = {"key": key} if key else {}
        self.replace(
            lambda rewrite: quote(
                spelled, model=rewrite.expression(node), init=rewrite.expression(call.args[0].value), **holes
            )
        )

    def append(self) -> None:
        """What a list of modules gains, and a list of parameters, of which it then is the only holder."""
        # Layers have no such method: a field that a branch makes a layer and another one a list holds the list here.
        types = self.values(self.receiver()).types - self.tables.layers.keys()
        given = [item.value for item in self.call.args]
        is_new = len(given) == 1 and all(
            isinstance(item, cst.Call) or self.is_made_for_call(item) for item in _elements(given[0])
        )
        if types != {"torch.nn.ModuleList"} and not (types == {"torch.nn.ParameterList"} and is_new):
            self.unit.problem(self.call, "T2J603", name=code(self.call.func))

    def is_made_for_call(self, node: cst.BaseExpression) -> bool:
        """Whether a variable is bound once in its function, to what a call gives, and is read by this call alone."""
        function = self.unit.facts.program.function_around(self.call)
        if not isinstance(node, cst.Name) or function is None or node.value in function.parameter_names:
            return False
        mentions = [
            item
            for item in descendants(function.node.body)
            if isinstance(item, cst.Name) and item.value == node.value and not self.is_label(item)
        ]
        parents = self.unit.facts.program.index.parents
        others = [item for item in mentions if item is not node]
        target = parents[others[0]] if len(others) == 1 else None
        assign = parents[target] if isinstance(target, cst.AssignTarget) else None
        return isinstance(assign, cst.Assign) and len(assign.targets) == 1 and isinstance(assign.value, cst.Call)

    def is_label(self, name: cst.Name) -> bool:
        return is_label(name, self.unit.facts.program.index.parents[name])

    def no_change(self) -> None:
        return

    def other_module_method(self) -> None:
        assert isinstance(self.call.func, cst.Attribute)
        name = self.call.func.attr.value
        if self.is_hook_of_module(name):
            return
        if "hook" in name:
            self.unit.problem(self.call, "T2J602", name=code(self.call.func))
            return
        if name == "add_module" and self.sets_part_of_object():
            return
        if self.values(self.receiver()).types <= {"torch.nn.ModuleDict", "torch.nn.ModuleList"} and name in (
            "items",
            "keys",
            "values",
        ):
            return
        field = self.values(self.call.func)
        is_lambda = field.kind is Kind.FUNCTION and LAMBDA in field.among and not field.types
        if is_lambda or field.kind is Kind.PYTHON:
            return  # lambdas in a field, or a tool of some library
        if may_be_traced(field):
            return  # a transform of torchvision
        if self.unit.facts.effects.is_method_of_any_class(self.call):
            if not self.target.calls_take_key:
                return  # an object, which keeps its state and its keys
            if not self.stands_alone():
                self.method_of_any_class()
                return
        self.unit.problem(self.call, "T2J603", name=code(self.call.func))

    def sets_part_of_object(self) -> bool:
        """`self.add_module(f"fc{i}", layer)` of modules that are objects: `setattr(self, f"fc{i}", layer)`."""
        node, args = self.receiver(), self.call.args
        classes = self.unit.facts.program.class_by_key
        is_own = dotted(node) is not None and bool(types := self.values(node).types) and types <= classes.keys()
        is_plain = len(args) == 2 and not any(item.star or item.keyword is not None for item in args)
        if self.target.immutable or not is_own or not is_plain or not self.stands_alone():
            return False
        name, part = (item.value for item in args)
        self.replace(
            lambda rewrite: quote(
                "setattr({module}, {name}, {part})",
                module=rewrite.expression(node),
                name=rewrite.expression(name),
                part=rewrite.expression(part),
            )
        )
        return True

    def stands_alone(self) -> bool:
        """Whether nothing takes what the call gives, so that it is there for what it changes."""
        return isinstance(self.unit.facts.program.index.parents[self.call], cst.Expr)

    def method_of_any_class(self) -> None:
        """`model.encode(x)` where nothing is known of the method: `call(model.encode, x, key=key)`."""
        key = self.key()
        if self.call in self.unit.facts.effects.given:
            self.call_by_signature(key, "call_with_state()")
            return
        self.unit.problem(self.call, "T2J607", name=code(self.receiver()))
        if key is not None:
            self.call_by_signature(key)

    # special functions

    def parameter(self) -> None:
        if not self.call.args:
            self.unit.problem(self.call, "T2J202", name="torch.nn.Parameter", reason="lacks `data`")
            return
        value, flag = self.call.args[0].value, parameter_flag(self.call)
        const, program = True if flag is None else self.values(flag).const, self.unit.facts.program
        if not self.target.immutable and (held := plain_container(program, self.values, self.call)):
            if (maker := optimizer_of(program, self.values, held)) is not None:
                self.unit.problem(maker, "T2J501", name=code(maker))
            self.replace(lambda rewrite: rewrite.expression(value))
        elif flag is None or isinstance(const, bool):
            template = self.unit.spell(self.target.parameter if const else self.target.frozen_parameter)
            if const and self.target.setup is not None and self.renews_parameter():
                self.replace(lambda rewrite: rewrite.expression(value))
            else:
                self.make_variable(template, value=value)
        elif self.target.chosen_parameter is not None:
            self.make_variable(self.unit.spell(self.target.chosen_parameter), value=value, flag=flag)
        elif any(self.call in descendants(item.statement) for item in self.unit.facts.freezing.statements):
            self.replace(lambda rewrite: rewrite.expression(value))
        else:
            self.unit.problem(self.call, "T2J502", name=code(self.call))

    def make_variable(self, template: str, **holes: cst.BaseExpression) -> None:
        """Make a parameter by a template, with the name of the variable where modules have such."""
        if self.target.setup is not None:
            place = variable_name(self.unit, self.call)
            if place is None:
                reason = "a parameter is a field of a module, made by an assignment of its own in `__init__`"
                self.unit.problem(self.call, "T2J612", name=code(self.call), reason=reason)
                return
            template = self.target.named(template, *place)
        self.replace(
            lambda rewrite: quote(template, **{name: rewrite.expression(node) for name, node in holes.items()})
        )

    def renews_parameter(self) -> bool:
        """Whether a model, which keeps its arrays by their names, gets a parameter in the place of one that it has."""
        bound, program = self.unit.facts.effects.bound, self.unit.facts.program
        match program.index.parents[self.call]:
            case cst.Assign(targets=[cst.AssignTarget(target=cst.Attribute(value=owner, attr=cst.Name(name)))]):
                made, types = self.unit.facts.effects.module_state.made, self.values(owner).types
                classes = [program.class_by_key[key] for key in types if key in program.class_by_key]
                is_of_layer = types <= self.unit.facts.tables.layers.keys() and name in ("weight", "bias")
                has_own = bool(classes) and all(
                    any(name in made.get(part, ()) for part in item.lineage) for item in classes
                )
                is_outside = bound is not None and not bound.is_inside(program, self.call)
                return is_outside and bool(types) and (is_of_layer or has_own)
        return False

    def device(self) -> None:
        if not self.call.args:
            self.unit.problem(self.call, "T2J202", name="torch.device", reason="lacks a device")
            return
        argument = self.call.args[0].value
        const = self.values(argument).const
        if const == "cpu":
            text = 'jax.devices("cpu")[0]'
        elif isinstance(const, str) and ":" in const and const.split(":")[1].isdigit():
            text = f"jax.devices()[{const.split(':')[1]}]"
        else:
            text = "jax.devices()[0]"
        self.unit.settle(argument)
        self.replace(lambda rewrite: cst.parse_expression(text))

    def idle_context(self) -> None:
        """`ctx = torch.autocast("cuda")` where it changes nothing: a context that does nothing, either."""
        unit, name = self.unit, code(self.call.func)
        if self.values(self.call).kind is not Kind.CONTEXT:
            unit.problem(self.call, "T2J200", name=name)
            return
        context = str(self.values.torch_name(self.call.func))
        if context in AUTOCASTS and not is_off(self.call, context, self.values):
            unit.problem(self.call, "T2J102", name=name)
        if is_decided_later(unit, self.call):
            call = self.call
            unit.settle(call.func)
            self.replace(
                lambda rewrite: quote("nullcontext({asked})", asked=require_full_precision(unit, call, rewrite))
            )
            return
        for argument in self.call.args:
            unit.settle(argument)
        self.replace(lambda rewrite: quote("nullcontext()"))

    def einops_layer(self, function: str) -> None:
        """einops' layers are its functions with the pattern given: `Rearrange(p)` is `partial(rearrange, pattern=p)`."""
        names = ["pattern", "reduction"] if function == "reduce" else ["pattern"]
        plain = [argument for argument in self.call.args if argument.keyword is None and argument.star != "**"]
        if any(argument.star == "*" for argument in self.call.args) or len(plain) > len(names):
            self.unit.problem(self.call, "T2J201", name=function, argument="these arguments")
            return
        equal = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))
        wrapped = self.target.function_layer

        def build(rewrite: Rewriter) -> cst.BaseExpression:
            arguments = [cst.Arg(quote(f"einops.{function}"))]
            for position, argument in enumerate(self.call.args):
                if argument.star:
                    arguments.append(_rewritten(argument, rewrite))
                    continue
                keyword = argument.keyword or cst.Name(names[position])
                arguments.append(cst.Arg(rewrite.expression(argument.value), keyword=keyword, equal=equal))
            return quote(wrapped, function=cst.Call(cst.Name("partial"), _joined(arguments)))

        self.replace(build)

    def same_arguments(self, text: str) -> None:
        """A call of something that takes the same arguments under another name; what draws does so with NumPy."""
        function = quote(self.unit.spell(text))

        def build(rewrite: Rewriter) -> cst.BaseExpression:
            arguments = [self.seeded(item, rewrite) for item in self.call.args]
            return with_fields(self.call, func=fit(function, self.call, "func"), args=arguments)

        for item in self.call.args:
            if fresh_seed(item.value, self.values) is not None:
                self.unit.settle(item)
        self.replace(build)

    def seeded(self, argument: cst.Arg, rewrite: Rewriter) -> cst.Arg:
        """An argument of what draws with NumPy: a generator that is made for it alone is NumPy's."""
        seed = fresh_seed(argument.value, self.values)
        if seed is None:
            return _rewritten(argument, rewrite)
        return with_fields(argument, value=quote("np.random.default_rng({n})", n=rewrite.expression(seed)))

    def load(self) -> None:
        said = next(
            (item.value for item in self.call.args if item.keyword and item.keyword.value == "weights_only"), None
        )
        is_kept = said is not None and self.values(said).const is not True
        template = "load({f}, weights_only={weights_only})" if is_kept else "load({f})"
        self.file_call(template, "f, map_location=None, pickle_module=None, *, weights_only=True, mmap=None")

    def save(self) -> None:
        signature = "obj, f, pickle_module=None, pickle_protocol=2, _use_new_zipfile_serialization=True"
        saved = self.call.args[0].value if self.call.args else cst.Tuple([])
        parts = [self.values(node) for node in _put_together(self.unit, saved)]
        if any(map(_has_optimizer, parts)):  # functions, which no file keeps
            self.unit.problem(
                self.call, "T2J201", name="torch.save", argument="an optimizer itself (save its state_dict())"
            )
            return
        modules = [item for value in parts for item in _modules_within(value)]
        if self.target.state is not None and any(map(self.unit.facts.effects.is_stateful, modules)):
            if not self.save_states(saved):
                self.unit.problem(self.call, "T2J201", name="torch.save", argument="a whole module that keeps state")
                return
        self.file_call("save_modules({obj}, {f})" if modules else "save({obj}, {f})", signature)

    def save_states(self, saved: cst.BaseExpression) -> bool:
        """Save `(net, state)` where torch saves `net`, in a program that reads no whole modules: whether that can be done."""
        unit, is_stateful = self.unit, self.unit.facts.effects.is_stateful
        if may_read_modules(unit.facts.program):
            return False
        pairs: dict[cst.BaseExpression, str] = {}
        for node in saved_parts(unit.facts.program, saved):
            value = self.values(node)
            if not any(map(is_stateful, _modules_within(value))):
                continue
            place = module_place(unit.facts.program, self.values, node) or dotted(node)
            function = unit.facts.program.function_around(node)
            state = companion_place(unit, function, place, "state") if place is not None else None
            if value.kind is not Kind.MODULE or state is None:
                return False
            pairs[node] = state
        for node, state in pairs.items():
            unit.edits.replace(node, partial(_with_state, node, state))
        return True

    def file_call(self, template: str, signature: str) -> None:
        """Reading and writing of files: where tensors lie and how they are pickled is nothing to arrays."""
        name = template.split("(")[0]
        if any(item.star for item in self.call.args):
            self.same_arguments(f"{name}_as_given")
            return
        try:
            given = bind(parse_signature(signature), self.call.args)
        except BindError as error:
            self.unit.problem(self.call, "T2J202", name=f"torch.{name}", reason=str(error))
            return
        wanted = {key: given.one(key) for key in ("obj", "f", "weights_only") if f"{{{key}}}" in template}
        for argument in self.call.args:
            if argument.value not in wanted.values():
                self.unit.settle(argument)
        spelled = self.unit.spell(template)
        self.replace(
            lambda rewrite: quote(spelled, **{key: rewrite.expression(node) for key, node in wanted.items() if node})
        )

    def optimizer(self, spec: FunctionSpec, name: str) -> None:
        """An update by its row; where optimizers hold the state of their parameters, the module besides."""
        unit, template = self.unit, self.target.optimizer
        trained = trained_by(unit, self.call)
        kept = trained if "{model}" in template else None
        if "{model}" in template and kept is None:
            unit.problem(self.call, "T2J501", name="the optimizer")
            return
        if kept is not None and is_twice(unit, self.call, name, kept):
            return
        schedule = unit.facts.schedules.by_optimizer.get(self.call)
        arguments = without_idle_options(unit, self.call)
        if any(item.star for item in arguments) and spec.same is not None:
            self.open_optimizer(spec)
            return
        groups = (
            grouping(unit, self.call, spec, arguments, schedule) if trained is not None and trained.grouped else None
        )
        lowered = self.lowered(spec, name, arguments=groups.arguments if groups is not None else arguments)
        if lowered is None:
            return
        if groups is not None and is_saved(self.values(self.call), unit.facts.program, self.values):
            self.open_optimizer(spec)
            return
        if schedule is not None and lowered.template.count("{lr}") != 1:
            unit.problem(self.call, "T2J507", reason="the learning rate of this optimizer cannot change")
            return
        spelled = Lowered(unit.spell(lowered.template), lowered.arguments, lowered.defaults, lowered.tuples)

        apart = self.per_parameter if self.call in unit.plan.per_parameter else lambda update: update

        def build(rewrite: Rewriter) -> cst.BaseExpression:
            if schedule is None:
                update = apart(spelled.build(rewrite))
            else:
                rate = schedule.learning_rate if groups is None else groups.rate(schedule)
                update = apart(spelled.build(rewrite, lr=rate))
                if groups is None:
                    update = _injected(unit, schedule, update, rewrite)
            if groups is not None:
                update = groups.build(unit, update, rewrite)
            return quote(template, update=update, **({"model": kept.tree(rewrite)} if kept is not None else {}))

        self.replace(build)

    def own_optimizer(self) -> None:
        """An optimizer of a class of the program, with the module where optimizers hold the state of its parameters."""
        template, trained = self.target.own_optimizer, trained_by(self.unit, self.call)
        classes = [self.unit.facts.program.class_by_key.get(key) for key in self.values(self.call.func).types]
        shared = {name for item in classes if item is not None for name in shared_options(item)}
        options = trained.options if trained is not None else None
        is_grouped = trained is None or trained.grouped
        if shared and is_grouped and (options is None or "lr" in shared or shared & options):
            names = ", ".join(f"`{name}`" for name in sorted(shared))
            self.unit.problem(
                self.call, "T2J201", name=code(self.call.func), argument=f"groups that may differ in {names}"
            )
            return
        if template is None or "{model}" not in template:
            return
        if trained is None:
            self.unit.problem(self.call, "T2J501", name="the optimizer")
            return
        spelled = self.unit.spell(template)
        self.replace(
            lambda rewrite: quote(spelled, model=trained.tree(rewrite), update=as_expression(rewrite.inside(self.call)))
        )

    def open_optimizer(self, spec: FunctionSpec | None) -> None:
        """An optimizer whose class or options are known when the program runs."""
        unit = self.unit
        kept = trained_by(unit, self.call) if "{model}" in self.target.optimizer else None
        schedule = unit.facts.schedules.by_optimizer.get(self.call)
        made = open_optimizer(unit, self.call, spec, schedule)
        if made is None:
            return
        is_grouped = made.trained is not None and made.trained.grouped  # which keeps parameters apart anyway
        is_apart = self.call in unit.plan.per_parameter and not is_grouped
        apart = self.per_parameter if is_apart else lambda update: update

        def build(rewrite: Rewriter) -> cst.BaseExpression:
            update = apart(made.build(unit, rewrite))
            if schedule is not None:
                update = _injected(unit, schedule, update, rewrite)
            others = {"model": kept.tree(rewrite)} if kept is not None else {}
            return quote(self.target.optimizer, update=update, **others)

        self.replace(build)

    def per_parameter(self, update: cst.BaseExpression) -> cst.BaseExpression:
        """An update that passes over parameters without a gradient."""
        return quote(self.unit.spell("per_parameter({update})"), update=update)


def _asks_for_shapes(node: cst.CSTNode) -> bool:
    """Whether something of the shape of an array is asked for that is more than how many elements it has."""
    names = {item.attr.value for item in descendants(node) if isinstance(item, cst.Attribute)}
    return not names.isdisjoint({"shape", "dim", "ndim", "size", "ndimension"})


def layer_factory(target: Target, spec: LayerSpec) -> str | None:
    """What makes a layer when it is called with the arguments that torch's class requires; None if nothing short does."""
    made, column = _made(target, spec, []), target.column(spec)
    if made is not None and (names := _names_of_all(spec)) and not target.draws_at_init(spec):
        return f"lambda {', '.join(names)}: {code(made)}"
    if column is not None and column.call == "function":
        is_bare = not any(_is_required(item) for item in parse_signature(spec.signature).parameters)
        return f"lambda: {code(made)}" if made is not None and is_bare else None
    if made is None or not isinstance(made, cst.Call):
        return None
    required = [item.name for item in parse_signature(spec.signature).parameters if _is_required(item)]
    arguments = [
        code(item).strip(", ") for item in made.args if item.keyword is None or item.keyword.value != target.key
    ]
    if arguments == required:
        return code(made.func)
    if required or any(item.keyword is not None for item in made.args):
        return None
    return f"partial({', '.join([code(made.func), *arguments])})"


def _names_of_all(spec: LayerSpec) -> list[str]:
    """The arguments of a layer that leaves none to a default: `padding` of `nn.ReflectionPad2d`."""
    parameters = parse_signature(spec.signature).parameters
    return [item.name for item in parameters] if all(map(_is_required, parameters)) else []


_PLAIN_VALUES = (cst.Float, cst.Integer, cst.SimpleString, cst.UnaryOperation)


def _partial_layer(unit: Unit, call: cst.Call) -> bool:
    """`partial(nn.LeakyReLU, 0.2)`, where activations are functions in a layer that has no arguments for them:
    `partial(eqx.nn.Lambda, partial(leaky_relu, negative_slope=0.2))`.
    """
    values, target = unit.facts.values, unit.facts.target
    if values(call.func).const != "functools.partial" or len(call.args) < 2:
        return False
    first, *others = call.args
    name = values.torch_name(first.value) or ""
    spec = unit.facts.tables.layers.get(name)
    column = target.column(spec) if spec is not None else None
    if spec is None or column is None or not unit.facts.tables.is_function(name):
        return False
    if any(item.star or not (isinstance(item.value, _PLAIN_VALUES) or _is_truth(item.value)) for item in others):
        return False
    made = _made(target, spec, others)
    if made is None:
        return False
    if column.call == "function":
        text = f"(lambda: {code(made)})"
    elif isinstance(made, cst.Call) and all(item.keyword is None for item in made.args):
        text = f"partial({', '.join([code(made.func), *(code(item.value) for item in made.args)])})"
    else:
        return False
    unit.settle(call)
    unit.edits.replace(call, always(unit.quote(text)))
    return True


def _is_truth(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Name) and node.value in ("True", "False", "None")


def respelled_arguments(
    target: Target, spec: LayerSpec, args: Sequence[cst.Arg], values: Callable[[cst.CSTNode], Value]
) -> Lowered | None:
    """How a layer is made with these arguments, as `layer(...)`, where its class alone stands for it as a value."""
    column, factory = target.column(spec), layer_factory(target, spec)
    if column is None or factory is None or any(item.star for item in args):
        return None
    signature = parse_signature(spec.signature)
    try:
        bound = bind(signature, args, None)
    except BindError:
        return None
    lowered = lower(column.make, ArgumentFacts(signature, bound, values))
    if not isinstance(lowered, Lowered) or not lowered.template.startswith(f"{factory}("):
        return None
    template = "layer" + lowered.template.removeprefix(factory)
    return Lowered(template, lowered.arguments, lowered.defaults, lowered.tuples)


def _a_key(lowered: Lowered) -> dict[str, str]:
    return {"key": "key"} if lowered.draws else {}


def takes_same_arguments(target: Target, spec: LayerSpec, args: Sequence[cst.Arg]) -> bool:
    """Whether the layer's translation is made with these arguments as they stand."""
    if any(item.star for item in args):
        return False
    if (names := _names_of_all(spec)) and (layer_factory(target, spec) or "").startswith("lambda"):
        told = {item.keyword.value for item in args if item.keyword is not None}
        return len(args) <= len(names) and told <= set(names)  # a partial may have been given the others
    required = [item.name for item in parse_signature(spec.signature).parameters if _is_required(item)]
    given = [code(item.value) for item in args if item.keyword is None]
    keywords = {item.keyword.value: code(item.value) for item in args if item.keyword is not None}
    if "*args" in spec.signature:
        return True
    column = target.column(spec)
    if column is not None and column.call == "function":
        return not args
    made = made_layer(target, spec, args)
    if made is None:
        return False
    plain = [code(item.value) for item in made.args if item.keyword is None]
    named = {item.keyword.value: code(item.value) for item in made.args if item.keyword is not None}
    named.pop(target.key, None)
    return named == keywords and (plain == given if required else not given and not keywords)


def _is_required(parameter: Parameter) -> bool:
    return parameter.default is None and not parameter.variadic


def made_layer(
    target: Target,
    spec: LayerSpec,
    args: Sequence[cst.Arg],
    values: Callable[[cst.CSTNode], Value] = lambda node: UNKNOWN,
) -> cst.Call | None:
    """The call of its class that makes a layer with some arguments; None if it is made in another way."""
    made = _made(target, spec, args, values)
    return made if layer_factory(target, spec) is not None and isinstance(made, cst.Call) else None


def class_made(unit: Unit, spec: LayerSpec, args: Sequence[cst.Arg]) -> str | None:
    """The class of what is made of a layer with some arguments; None if it is made by a function."""
    made = None if any(item.star for item in args) else _made(unit.facts.target, spec, args, unit.facts.values)
    name = dotted(made.func) if isinstance(made, cst.Call) else None
    return name if name is not None and name.rpartition(".")[2][:1].isupper() else None


def _made(
    target: Target,
    spec: LayerSpec,
    args: Sequence[cst.Arg],
    values: Callable[[cst.CSTNode], Value] = lambda node: UNKNOWN,
) -> cst.BaseExpression | None:
    """The call that makes a layer with some arguments, or with names for those that it requires."""
    column, signature = target.column(spec), parse_signature(spec.signature)
    if column is None or spec.unsupported is not None:
        return None
    names = [cst.Arg(cst.Name(item.name)) for item in signature.parameters if _is_required(item)]
    try:
        bound = bind(signature, list(args) or names, None)
    except BindError:
        return None
    lowered = lower(column.make, ArgumentFacts(signature, bound, values))
    if not isinstance(lowered, Lowered):
        return None
    return lowered.build(lambda node: node, **({"key": "key"} if lowered.draws else {}))


def keeping_dtype(
    lowered: Lowered,
    spec: FunctionSpec,
    values: Callable[[cst.CSTNode], Value],
    call: cst.Call,
    receiver: cst.BaseExpression,
    arguments: Sequence[cst.Arg] | None = None,
) -> Lowered | None:
    """An operation in place by the row of the one without underscore: the tensor keeps its dtype, whatever that one gives.

    None where the dtype has no name.
    """
    signature = parse_signature(spec.signature)
    arguments = call.args if arguments is None else arguments
    facts = ArgumentFacts(signature, bind(signature, arguments, receiver), values)
    kept, result = values(receiver), result_value(spec.result, facts)
    before, after = kept.dtype, result.dtype
    may_differ = after == "bool" or before in NARROW or (before is not None and after is not None)
    if not _may_widen(kept, result, arguments, values) and (before == after or not may_differ):
        return lowered
    if before in DTYPE_TEXTS:
        dtype = DTYPE_TEXTS[before]
    elif dotted(receiver) is not None:
        dtype = f"{{{signature.parameters[0].name}}}.dtype"
    else:
        return None
    return cast_to(lowered, dtype)


def _may_widen(
    kept: Value, result: Value, arguments: Sequence[cst.Arg], values: Callable[[cst.CSTNode], Value]
) -> bool:
    """Whether a tensor of few bits on some way would get more there: from other tensors, or a truth value from a number."""
    counts = "bool" in kept.among and any(values(argument.value).is_number for argument in arguments)
    few = kept.among.intersection(("bool", *NARROW))
    return kept.dtype is None and bool(few) and (counts or not few <= result.among)


def inplace_row(tables: Tables, name: str) -> str | None:
    """The row for a function `torch.relu_` that has none: the method's, or the one of the function without underscore."""
    short = name.split(".")[-1]
    if name in tables.functions or not is_inplace_name(short):
        return None
    plain = short.removesuffix("_")
    candidates = (f"Tensor.{short}", name.removesuffix("_"), f"Tensor.{plain}")
    return next((item for item in candidates if item in tables.functions), None)


def cast_to(lowered: Lowered, dtype: str) -> Lowered:
    """A spelling whose result gets a dtype."""
    text = lowered.template
    is_call = re.fullmatch(r"[\w.]+\((?:[^()]|\([^()]*\))*\)", text) is not None
    template = f"{text if is_call else f'({text})'}.astype({dtype})"
    return Lowered(template, lowered.arguments, lowered.defaults, lowered.tuples)


def cast_expression(unit: Unit, call: cst.Call, rewrite: Rewriter) -> cst.BaseExpression:
    """The dtype that a cast of a module is to: `jnp.float16` of `model.half()`."""
    if not call.args:
        return quote(CASTS[cst.ensure_type(call.func, cst.Attribute).attr.value])
    given = call.args[0].value
    dtype = rewrite.expression(given)
    return quote("{x}.dtype", x=dtype) if unit.facts.values(given).kind is Kind.TENSOR else dtype


EITHER_MODE = (
    "if {mode}:\n    {model}.train()\nelse:\n    {model}.eval()"  # of objects that have a method for each mode
)


def mode_template(target: Target, values: Callable[[cst.CSTNode], Value], call: cst.Call) -> str | None:
    """The spelling of `.train()`, `.train(mode)` or `.eval()`, in which {mode} is the mode if that is not a constant."""
    assert isinstance(call.func, cst.Attribute)
    if call.func.attr.value == "eval":
        return target.eval_mode
    if not call.args:
        return target.train_mode
    const = values(call.args[0].value).const
    if isinstance(const, bool):
        return target.train_mode if const else target.eval_mode
    return target.open_mode if len(call.args) == 1 and not call.args[0].star else None


def keeps_mode(unit: Unit, value: Value) -> bool:
    """Whether a mode is set: it makes a difference to a module, or is asked of one that keeps it anyway."""
    is_asked = unit.facts.target.modes_of_parts and unit.facts.program.mentions("training")
    return is_asked or unit.facts.effects.has_mode(value)


def is_method_of_torch(program: Program, function: cst.Attribute) -> bool:
    """Whether `super().parameters` and its like is a method of torch's modules, in a class of the program below none that has it."""
    around, node, name = program.function_around(function), function.value, function.attr.value
    if not is_super(node) or around is None or around.owner is None or not around.owner.is_module:
        return False
    is_method = (name in MODULE_NAMES and name not in ("extra_repr", "forward")) or name == "__call__"
    return is_method and not any(item.method(name) for item in around.owner.base_classes)


def _mode_of_base(call: cst.Call, template: str | None, own: str | None, rewrite: Rewriter) -> list[cst.BaseStatement]:
    model = rewrite.expression(cst.ensure_type(call.func, cst.Attribute).value)
    if template is not None:
        lines = [quote_statement(template, model=model)]
    else:
        lines = [quote_statement(EITHER_MODE, model=model, mode=rewrite.expression(call.args[0].value))]
    return [*lines, quote_statement(f"return {own}")] if own is not None else lines


def mode_given(template: str, call: cst.Call, rewrite: Rewriter) -> dict[str, cst.BaseExpression]:
    """What fills the hole for the mode, if a spelling has one."""
    return {"mode": rewrite.expression(call.args[0].value)} if "{mode}" in template else {}


def _elements(node: cst.BaseExpression) -> list[cst.BaseExpression]:
    """The elements of a list as it is written, or what is no list."""
    if isinstance(node, (cst.List, cst.Tuple)):
        return [item.value for item in node.elements]
    return [node.elt] if isinstance(node, (cst.ListComp, cst.GeneratorExp)) else [node]


def _rewritten(argument: cst.Arg, rewrite: Rewriter) -> cst.Arg:
    return with_fields(argument, value=rewrite(argument.value))


def _joined(arguments: Arguments) -> Arguments:
    """Give the last argument no comma of its own unless it stands on its own line."""
    if not arguments:
        return arguments
    comma = cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
    result = [item if isinstance(item.comma, cst.Comma) else with_fields(item, comma=comma) for item in arguments[:-1]]
    last = arguments[-1]
    multiline = isinstance(last.comma, cst.Comma) and isinstance(
        last.comma.whitespace_after, cst.ParenthesizedWhitespace
    )
    return [*result, last if multiline else with_fields(last, comma=cst.MaybeSentinel.DEFAULT)]


def _on_lines(arguments: Arguments, call: cst.Call) -> Arguments:
    """Arguments of which some are new, behind those of a call: on lines of their own where these are, and `)` stays where it is."""
    last = next((number for number, item in enumerate(arguments) if call.args and item is call.args[-1]), None)
    if last is None or last == len(arguments) - 1:
        return arguments
    kept, added = arguments[last], arguments[last + 1 :]
    has_comma = isinstance(kept.comma, cst.Comma)
    end = kept.comma.whitespace_after if isinstance(kept.comma, cst.Comma) else kept.whitespace_after_arg
    if not isinstance(end, cst.ParenthesizedWhitespace):
        return arguments
    before = arguments[last - 1].comma if last else None
    between = before.whitespace_after if isinstance(before, cst.Comma) else call.whitespace_before_args
    plain: cst.BaseParenthesizableWhitespace = cst.SimpleWhitespace(" ")
    behind = plain
    if isinstance(between, cst.ParenthesizedWhitespace):
        plain = between.with_changes(first_line=cst.TrailingWhitespace(), empty_lines=())
        behind = between.with_changes(first_line=end.first_line, empty_lines=())
    elif end.first_line.comment is not None:
        return arguments
    closing = end.with_changes(first_line=cst.TrailingWhitespace())
    nothing = cst.SimpleWhitespace("")
    every = [with_fields(kept, comma=cst.Comma(whitespace_after=behind), whitespace_after_arg=nothing)]
    every += [with_fields(item, comma=cst.Comma(whitespace_after=plain)) for item in added[:-1]]
    if has_comma:
        every.append(with_fields(added[-1], comma=cst.Comma(whitespace_after=closing)))
    else:
        every.append(with_fields(added[-1], whitespace_after_arg=closing))
    return [*arguments[:last], *every]


_FILLING = re.compile(r"jnp\.(?:full|zeros)_like\(\{input\}[,)]")


class _Blanks(cst.CSTTransformer):
    """`jnp.empty(shape, dtype).shape` -> `shape`, `jnp.full_like(jnp.empty(shape), x)` -> `jnp.full(shape, x)`."""

    def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> cst.BaseExpression:
        blank = _blank(updated_node.value) if updated_node.attr.value in ("shape", "dtype") else None
        if blank is None:
            return updated_node
        if updated_node.attr.value == "dtype" and blank.dtype is not None:
            return blank.dtype
        if blank.is_like:
            return updated_node.with_changes(value=blank.shape)
        return cst.parse_expression("jnp.float32") if updated_node.attr.value == "dtype" else blank.shape

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:
        name = dotted(updated_node.func)
        blank = _blank(updated_node.args[0].value) if name in ("jnp.full_like", "jnp.zeros_like") else None
        if blank is None or len(updated_node.args) != (2 if name == "jnp.full_like" else 1):
            return updated_node
        first, *values = updated_node.args
        if blank.is_like:
            plain = with_fields(updated_node, args=[with_fields(first, value=blank.shape), *values])
            return plain if blank.dtype is None else updated_node
        if blank.dtype is not None:
            dtype: list[cst.Arg] = list(quote("f(dtype={dtype})", dtype=blank.dtype).args)  # type: ignore[attr-defined]
        else:  # the default, which JAX takes for a float by itself
            needs_dtype = values and not isinstance(values[0].value, cst.Float)
            dtype = list(cst.ensure_type(cst.parse_expression("f(dtype=float)"), cst.Call).args) if needs_dtype else []
        function = cst.parse_expression(f"{name}".removesuffix("_like"))
        return with_fields(
            updated_node, func=function, args=_joined([with_fields(first, value=blank.shape), *values, *dtype])
        )


@dataclass(frozen=True, slots=True)
class _Blank:
    """A new array of which only the shape and the dtype count; `is_like`: `shape` is an array of the same ones."""

    shape: cst.BaseExpression
    dtype: cst.BaseExpression | None
    is_like: bool


def _blank(made: cst.BaseExpression) -> _Blank | None:
    function = dotted(made.func) if isinstance(made, cst.Call) else None
    is_like = function in ("jnp.empty_like", "jnp.zeros_like", "jnp.ones_like")
    if not isinstance(made, cst.Call) or not (is_like or function in ("jnp.empty", "jnp.zeros", "jnp.ones")):
        return None
    options = {item.keyword.value: item.value for item in made.args if item.keyword is not None}
    plain = [item.value for item in made.args if item.keyword is None]
    return _Blank(plain[0], options.get("dtype", plain[1] if len(plain) > 1 else None), is_like)


def _without_blanks(node: cst.BaseExpression) -> cst.BaseExpression:
    """What is drawn or filled into a new tensor needs only its shape and dtype."""
    changed = node.visit(_Blanks())
    assert isinstance(changed, cst.BaseExpression)
    return changed


def without_generator(unit: Unit, call: cst.Call, arguments: Sequence[cst.Arg]) -> list[cst.Arg]:
    """The arguments of a draw without the generator that its key comes from."""
    kept = []
    for argument in arguments:
        is_generator = argument.keyword is not None and argument.keyword.value == "generator"
        if is_generator and call in unit.plan.generated:
            unit.settle(argument)
        else:
            kept.append(argument)
    return kept


def with_gains(
    unit: Unit, call: cst.Call, rewrite: Rewriter, function: cst.BaseExpression | None, key: str | None
) -> cst.BaseExpression:
    """The call with its own arguments rewritten, and what the plan adds."""
    function = function if function is not None else rewrite.expression(call.func)
    changed = with_fields(call, func=function, args=[_rewritten(item, rewrite) for item in call.args])
    return gain(unit, call, changed, key)


def _key_parameter(unit: Unit, call: cst.Call) -> str:
    """The parameter by which what is called takes a key."""
    taker = unit.plan.key_takers.get(call)
    return unit.plan.of(taker).key_parameter if taker is not None else unit.facts.target.key


def gain(unit: Unit, call: cst.Call, changed: cst.Call, key: str | None) -> cst.BaseExpression:
    """Add threaded arguments and the key to a rewritten call."""
    arguments: Arguments = list(changed.args)
    planned = unit.plan.calls.get(call)
    if planned is not None:
        arguments = _inserted(arguments, planned.arguments)
    if key is not None:
        name = cst.Name(_key_parameter(unit, call))
        equal = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))
        arguments.append(cst.Arg(as_node(key), keyword=name, equal=equal))
    result: cst.BaseExpression = with_fields(changed, args=_joined(_on_lines(arguments, changed)))
    if planned is not None and planned.first_of_pair and not _unpacks_pair(unit, call):
        result = quote("{call}[0]", call=result)
    return result


def _unpacks_pair(unit: Unit, call: cst.Call) -> bool:
    parent = unit.facts.program.index.parents.get(call)
    return isinstance(parent, cst.Assign) and len(parent.targets) == 1


def _inserted(arguments: Arguments, additions: Sequence[Gained]) -> Arguments:
    result = list(arguments)
    shift = 0
    for position, name, text in additions:
        value = cst.parse_expression(text)
        if position is None:
            equal = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))
            result.append(cst.Arg(value, keyword=cst.Name(name), equal=equal))
        else:
            result.insert(position + shift, cst.Arg(value))
            shift += 1
    return result


def _is_slice(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Subscript) and any(isinstance(item.slice, cst.Slice) for item in node.slice)


def _sequential(unit: Unit, rewrite: Rewriter, call: cst.Call, make: str | None = None) -> cst.BaseExpression:
    """Members become a list (Equinox) or stay arguments (NNX); the user's line breaks are kept."""
    template = unit.facts.target.sequential
    args = call.args
    if "{*members}" in template and "[" not in template:
        function = quote(template.split("(")[0])
        return call.with_changes(func=function, args=[_rewritten(item, rewrite) for item in args])
    function = quote(template.split("(")[0])
    if make is not None:
        function = quote(make, cls=function)
    if len(args) == 1 and args[0].star == "*":
        inner = rewrite.expression(args[0].value)
        return cst.Call(function, [cst.Arg(_plain_list(inner))])
    elements: list[cst.BaseElement] = []
    for item in args:
        value = rewrite.expression(item.value)
        comma = item.comma
        if item.star == "*":
            elements.append(cst.StarredElement(value, comma=comma))
        else:
            elements.append(cst.Element(value, comma=comma))
    multiline = isinstance(call.whitespace_before_args, cst.ParenthesizedWhitespace)
    listed = cst.List(
        elements,
        lbracket=cst.LeftSquareBracket(
            whitespace_after=call.whitespace_before_args if multiline else cst.SimpleWhitespace("")
        ),
    )
    return cst.Call(function, [cst.Arg(listed)])


def _plain_list(node: cst.BaseExpression) -> cst.BaseExpression:
    if isinstance(node, cst.GeneratorExp):
        return cst.ListComp(node.elt, node.for_in)
    return node


def _list_of(rewrite: Rewriter, node: cst.GeneratorExp) -> cst.BaseExpression:
    rewritten = rewrite(node)
    assert isinstance(rewritten, cst.GeneratorExp)
    return cst.ListComp(rewritten.elt, rewritten.for_in)


def _made_with_state(made: cst.BaseExpression, make: str | None) -> cst.BaseExpression:
    """`BatchNorm(3)` -> `eqx.nn.make_with_state(BatchNorm)(3)`, `[...]` -> `eqx.nn.make_with_state(list)([...])`."""
    if make is None:
        return made
    if isinstance(made, cst.Call):
        return made.with_changes(func=quote(make, cls=made.func))
    kind = "dict" if isinstance(made, (cst.Dict, cst.DictComp)) else "list"
    return quote("{make}({made})", make=quote(make, cls=cst.Name(kind)), made=made)


def _asarray(rewrite: Rewriter, receiver: cst.BaseExpression) -> Callable[[cst.CSTNode], cst.CSTNode]:
    def apply(node: cst.CSTNode) -> cst.CSTNode:
        rewritten = rewrite(node)
        if node is receiver:
            assert isinstance(rewritten, cst.BaseExpression)
            return quote("jnp.asarray({x})", x=rewritten)
        return rewritten

    return apply


SPECIAL_FUNCTIONS: dict[str, Callable[[_Call], None]] = {
    "torch.nn.Parameter": _Call.parameter,
    "torch.nn.Buffer": _Call.parameter,
    "torch.device": _Call.device,
    "torch.Generator": _Call.generator,
    "torch.get_rng_state": _Call.rng_state,
    "torch.random.get_rng_state": _Call.rng_state,
    "torch.load": _Call.load,
    "torch.save": _Call.save,
    **dict.fromkeys([*AUTOCASTS, *sorted(KERNEL_CHOICES)], _Call.idle_context),
}

# methods of writers that read what torch has
_OF_TORCH = frozenset(
    f"torch.utils.tensorboard.SummaryWriter.{name}"
    for name in ("add_onnx_graph", "add_hparams", "add_embedding", "add_video", "add_mesh", "add_pr_curve",
                 "add_pr_curve_raw", "add_custom_scalars", "add_histogram_raw", "add_tensor",
                 "add_image_with_boxes", "add_custom_scalars_multilinechart", "add_custom_scalars_marginchart")
)  # fmt: skip

_UNORDERED = frozenset({"sum", "any", "all", "max", "min", "len", "set", "frozenset", "zip"})


_HANDING_ON = frozenset({"map", "filter", "list", "tuple", "iter"})  # what they give is used as what they are given

MODULE_METHODS: dict[str, Callable[[_Call], None]] = {
    "parameters": _Call.parameters,
    "named_parameters": _Call.named_parameters,
    "named_children": _Call.parts,
    "children": _Call.parts,
    "named_modules": _Call.parts,
    "modules": _Call.parts,
    "named_buffers": _Call.parts,
    "buffers": _Call.parts,
    "state_dict": _Call.state_dict,
    "train": _Call.mode,
    "eval": _Call.mode,
    "to": _Call.moved_module,
    **dict.fromkeys(["float", "double", "half", "bfloat16"], _Call.cast_module),
    "cuda": _Call.moved_module,
    "cpu": _Call.moved_module,
    "apply": _Call.apply,
    "append": _Call.append,
    "extend": _Call.append,
    "insert": _Call.append,
    "register_buffer": _Call.no_change,
    "register_parameter": _Call.no_change,
    "zero_grad": _Call.no_change,
    "load_state_dict": _Call.loaded_values,
    "__init__": _Call.no_change,
}

__all__ = ["NOTHING", "UNKNOWN", "BoundArguments", "gain", "mode_given", "mode_template", "rewrite_calls", "with_gains"]
