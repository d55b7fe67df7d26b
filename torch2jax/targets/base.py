"""The questions that planning and rewriting ask a target library; no pass asks for its name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

from torch2jax.ops.schema import LayerColumn, LayerSpec, Tables
from torch2jax.ops.signatures import parse_signature
from torch2jax.records import dataclass

ModuleKind = Literal["values", "objects"]


@dataclass(frozen=True, slots=True)
class FieldSpelling:
    """How a field that changes after `__init__` is kept. `made`: its first value; `initial`: the same read in `__init__`;
    `written`: another value of the same shape and dtype; `replaced`: any other value.
    """

    made: str
    type: str
    initial: str
    read: str
    written: str
    replaced: str


@dataclass(frozen=True, slots=True)
class Target:
    """The spelling of everything in which targets differ.

    Texts are templates of `torch2jax.syntax.quote`. `None` means that the target needs nothing there.

    * `modules`: what a module is. "values": it and its optimizers never change: what changes them gives back new ones, and
      callers rebind. "objects": they change in place and are shared by reference, as in torch.
    * `key`: the parameter that carries randomness; `splits_keys`: each draw gets a key of its own (else the one object is
      passed on); `calls_take_key`: calling a module that draws takes it too; where it does not, `kept_key` says where methods
      find it and `keep_key` how `__init__` puts it there.
    * `draw`: how a draw from `jax.random` begins; `drawn_key`: what other functions that draw are given as their key.
    * `state`: the parameter that carries module state in calls, None where modules keep it themselves; `state_type` and
      `optimizer_state_type` annotate what carries state.
    * `renamed_fields`: for layers of torch, how the fields are read that their translations keep in another way; None for
      those that they lack.
    * `frozen_parameter`: a parameter made with requires_grad=False: not trained, but one of the parameters;
      `chosen_parameter`: one whose `flag` says so, None where the module notes its name.
    * `hidden_buffer`: a buffer that no state dict holds, None where the type of its field says so.
    * `unregistered_type`: the annotation of a field that holds a tensor which is neither a parameter nor a buffer;
      `unregistered`: such a tensor where it changes, None where the type of its field, or where it is kept, says so.
    * `buffer_value`: the statement that gives a buffer another value, None where an assignment does.
    * `compiles_arrays`: compiled code is given arrays and modules alone; anything else becomes an array, or is refused.
    * `decorator_of_values`: the decorator of a step that is given other things than arrays and modules, None for the same.
    * `read`: what an array is read as that a module may keep in a variable (`read_optional`: or that is None); None where fields
      hold the arrays themselves.
    * `open_field`: None as the value of a field that later holds arrays or modules.
    * `sequential_members`: how the members of a sequence of layers are indexed, counted and run through;
      `named_sequential`: a sequence made of a dict of layers.
    * `kept_object`: an object that holds arrays and is no module, where a module keeps it.
    * `replaced`: another value for what lies at a path inside a module; `restored`: the same where there is None now;
      `overwritten`: the statement that writes to a parameter or buffer in place, at `place` or by the `name` that its `owner` has
      for it.
    * `parameter_filter`: what is trained; `trainable_filter`: the same for modules that hold buffers of floating point.
    * `frozen_type`: the annotation of the field with the names of parameters that are not trained; `freezing`: the statement
      that takes parameters of a model out of training (`frozen` is the call for it), None where there is none.
    * `partition`, `combine`: take the trained part out of a module for the gradient, and put it back.
    * `optimizer_type`: what an optimizer is, in annotations and tests.
    * `hyperparameter`: where an optimizer that was made by `optax.inject_hyperparams` keeps a hyperparameter.
    * `optimizer_entries`: the arrays of the state of an optimizer by name; `restored_optimizer`: the statement that puts them back.
      `saved_optimizer` and `loaded_optimizer`: the same for a state that has torch's form.
    * `gradients`: the gradients of a model in the places of its parameters; `gradient`: what is there.
    * `param_groups`: the options of groups of parameters in the state of an optimizer; `group_entry`: one that may change, of a
      group.
    * `trained_names`: the names of the parameters whose flag `requires_grad` is set.
    * `trained`: the parameters that an update is given; `update`: the statement that updates; `updated`: the new model.
    * `own_str`: whether the base class of modules says how they are printed, whatever their `__repr__` does.
    * `state_fields`: fields that change after `__init__`, by their form: always an array, always a number, or anything.
    * `checked`: a value that stops the program where a test of values is true, None where there is none.
    * `checkpoint`: what makes a function compute its intermediate values again, None where calls are left as they are.
    """

    name: str
    module_base: str
    stateful_base: str
    forward_name: str
    own_str: bool
    modules: ModuleKind
    key: str
    splits_keys: bool
    calls_take_key: bool
    new_key: str
    kept_key: str | None
    keep_key: str | None
    draw: str
    drawn_key: str
    state: str | None
    annotated_fields: bool
    renamed_fields: Mapping[str, Mapping[str, str | None]]
    sequential: str
    sequential_type: str
    sequential_members: str
    named_sequential: str
    module_list: str
    module_list_type: str
    module_dict: str
    module_dict_type: str
    tested_types: Mapping[str, str]  # what `isinstance` asks for of containers that modules hold in another form
    parameter: str
    parameter_type: str
    buffer: str
    buffer_type: str
    discrete_buffer: str
    discrete_buffer_type: str
    frozen_parameter: str
    frozen_parameter_type: str
    chosen_parameter: str | None
    kept_object: str
    hidden_buffer: str | None
    hidden_buffer_type: str
    unregistered_type: str
    unregistered: str | None
    make_stateful: str | None
    make_by_class: str | None
    """How something is called that is a class of modules with state, or a function that gives a module and its state."""
    state_type: str | None
    train_mode: str
    eval_mode: str
    open_mode: str | None
    """How a mode is set that is known only when the program runs."""
    mode_of: str
    """The mode of a module whose class does not keep it."""
    modes_of_parts: bool
    """Whether that is told of each part: otherwise it is that of the first part that keeps one."""
    training_flag: str
    mode_field: str | None
    mode_names: frozenset[str]
    """The fields that the library switches in each module that has them, or asks for."""
    beside_own_modes: Mapping[str, Any] | None
    """How modes are spelled in programs that have such names for something else; None: nothing but the library sets modes."""
    to_device: str
    cast: str
    """A module with parameters and buffers of another dtype, which those change that change in place."""
    cast_inside: str
    """The same of the module whose `__init__` it stands in."""
    optimizer: str
    own_optimizer: str | None  # the same for one of a class of the program
    optimizer_type: str
    optimizer_state: str | None
    optimizer_state_of: str | None
    optimizer_state_type: str | None
    gradients: str
    gradient: str
    param_groups: str
    group_entry: str
    group_pair: str  # a pair of numbers as such an entry
    optimizer_entries: str
    restored_optimizer: str
    saved_optimizer: str
    loaded_optimizer: str
    hyperparameter: str
    step: str
    one_gradient: str
    reached_gradient: str | None  # the same, with None for parameters that the loss does not reach
    pullback: str | None  # the value of a function beside what takes a gradient of it on to its argument
    input_pullback: (
        str | None
    )  # jax.vjp of a function that is given models first, which may change; None: they change as they stand
    compiles_arrays: bool
    decorator: str
    decorator_keeping_inputs: str
    decorator_of_values: str | None
    data_parallel: str  # the same for steps that run on all devices
    data_parallel_keeping_inputs: str
    data_parallel_by_choice: tuple[str, str]  # both, where it is decided when the program runs
    data_parallel_anew: tuple[str, str]  # in all programs, and where it is decided when the program runs
    mapped_call: str | None
    batched_call: str
    function_layer: str
    function_module: str | None  # the same where parts of modules are listed, None where that is a module already
    load_state_dict: str | None
    load_inside: str | None
    """The same of the module whose `__init__` it stands in."""
    state_dict: str | None
    parameters: str
    named_parameters: str | None
    parts: Mapping[str, str]  # methods of modules that list their parts or buffers: what is written for them
    replaced: str | None
    restored: str | None
    buffer_value: str | None
    read: str | None
    read_optional: str | None
    open_field: str | None
    overwritten: str | None
    apply: str | None
    apply_inside: str | None
    parameter_filter: str
    trainable_filter: str
    partition: str | None
    frozen_type: str | None
    freezing: str | None
    combine: str | None
    trained: str
    trained_names: str
    update: str
    updated: str | None
    state_fields: Mapping[str, FieldSpelling]
    checkpoint: str | None = None
    checked: str | None = None
    noted: str | None = (
        None  # a layer with one more attribute, which is a constant, or the statement that gives it that
    )
    unnamed_field: str = (
        "{type}"  # the annotation of a field of such a type, which torch's names of parameters leave out
    )
    setup: str | None = None
    """The method in which modules make their parts, where the arguments of `__init__` are fields of the class."""
    constants: str | None = None
    """What is around lines of that method which read what they compute: it is run again inside of compiled functions."""
    setup_with: str | None = None
    """The same method where arguments cannot be fields, of classes that derive from `taking_base`."""
    taking_base: str | None = None
    taken_arguments: str | None = None
    """What the module was made with, where its fields of these names are set to something else."""
    vacated: str | None = None
    """What lets a part take the name of another one that a module has made, and that nothing uses."""
    copied_part: str | None = None
    """What copies parts while a module is made: `copy.deepcopy` where parts are made before their variables."""
    measured: str | None = None
    """What runs parts while a module is made for a number that their shapes decide."""
    is_made: str | None = None
    """Whether a module gets its first variables: what `__init__` does to them is done then only."""
    started: str | None = None
    """What runs a function that gives a new part first values where that has variables; `started_key` is what it draws from."""
    started_key: str | None = None
    tied: str | None = None
    """A parameter of a part that takes the place of another part's."""
    bound: str | None = None
    """What gives a module its variables that is nobody's part, where modules have none by themselves."""
    outside: str | None = None
    """The decorator of methods that act on a model as a whole, where modules have no variables by themselves."""
    initial_key: str | None = None
    """What `__init__` draws from, where it is given no key."""
    state_buffer: str | None = None
    """A registered buffer that changes after `__init__`, where it is kept elsewhere than other such fields."""
    taken_names: frozenset[str] = frozenset()
    """What the library calls methods and attributes of its modules, where classes may not use these names."""
    lists_functions: bool = False  # whether the program lists parts of modules, so that functions become modules
    lists_everywhere: bool = False  # whether they do so in all of its files
    wide_biases: frozenset[str] = frozenset()  # layers that keep axes of size 1 behind that of their bias

    @property
    def immutable(self) -> bool:
        """Whether what changes a module gives back a new one, so that every name of it is bound again."""
        return self.modules == "values"

    @property
    def makes_arrays_of_numbers(self) -> bool:
        """Whether numbers that modules keep and change are arrays."""
        return self.state_fields["number"].read != "{place}"

    @property
    def hides_functions(self) -> bool:
        """Whether layers without parameters are functions, which modules do not list, unless the program lists parts."""
        return self.lists_functions or self.function_layer == "{function}"

    def column(self, spec: LayerSpec) -> LayerColumn | None:
        """How this target makes and calls a layer, or None if the table has no column for it."""
        column = spec.targets.get(self.name)
        is_wrapped = self.lists_functions and column is not None and column.call == "function"
        return self._wrapped(column) if is_wrapped and column is not None and "," not in spec.forward else column

    def _wrapped(self, column: LayerColumn) -> LayerColumn:
        """The column of a layer that is a function, as that of a module."""
        around = self.function_layer.replace("{function}", "{emit}")
        made = (
            replace(item, emit=None if item.emit is None else around.replace("{emit}", item.emit))
            for item in column.make
        )
        return replace(column, make=tuple(made), type=around.split("(")[0], call="native")

    def with_listed_functions(self, module: str, everywhere: bool) -> Target:
        """The target for programs that list the parts of modules: layers that would be functions, which no module lists, are
        modules there, made by the template `module`, in one file or `everywhere`.
        """
        return replace(self, function_layer=module, lists_functions=True, lists_everywhere=everywhere)

    def with_hooks(self) -> Target:
        """The target for programs whose modules have hooks, which run behind the steps that call them."""
        return replace(
            self,
            decorator=_hooked(self.decorator),
            decorator_keeping_inputs=_hooked(self.decorator_keeping_inputs),
            decorator_of_values=_hooked(self.decorator_of_values) if self.decorator_of_values is not None else None,
            one_gradient=f"hooked_gradient({self.one_gradient.removesuffix('({function})')}, {{function}})",
            reached_gradient="hooked_gradient(reached_value_and_grad, {function})",
        )

    def is_function(self, tables: Tables, name: str) -> bool:
        """Whether a layer of torch is no module but a function here."""
        column = self.column(tables.layers[name]) if name in tables.layers else None
        return column is not None and column.call == "function"

    def field_of_layer(self, spec: LayerSpec, name: str) -> str | None:
        """How a field of a layer of torch is read; None where its translation lacks it."""
        column = self.column(spec)
        own = f"torch.nn.{column.type}" if column is not None else ""
        renamed = self.renamed_fields.get(own) or self.renamed_fields.get(spec.name, {})
        is_told = column is not None and column.told
        if name in renamed and not is_told:
            return renamed[name]
        is_function = column is not None and (column.call == "function" or column.type == "eqx.nn.Lambda")
        given = {item.name for item in parse_signature(spec.signature).parameters} if is_function else {"inplace"}
        return None if name in given else f"{{layer}}.{name}"

    def named(self, template: str, owner: str, name: str) -> str:
        """The template of a parameter or buffer that is made with its name, in the method of a module called `owner`."""
        return template.replace("{name}", f'"{name}"').replace("{self}", owner)

    def with_buffers(self, template: str, frozen: bool = False) -> str:
        """A template about parameters, for a module that holds buffers of floating point besides, or frozen parameters."""
        text = template.replace(self.parameter_filter, self.trainable_filter)
        return text.replace("trainable(", "unfrozen(") if frozen else text

    def with_pmap(self) -> Target:
        """The target with steps of several devices that are mapped over them rather than compiled for a mesh."""
        return replace(
            self,
            data_parallel="@pmapped",
            data_parallel_keeping_inputs="@pmapped",
            data_parallel_by_choice=("@pmapped(when=is_initialized)",) * 2,
            data_parallel_anew=("@pmapped(anew=True)", "@pmapped(anew=True, when=is_initialized)"),
        )

    def with_own_modes(self) -> Target:
        """The target for programs that use the names of its modes themselves: no such field, method or option is taken for a mode."""
        return self if self.beside_own_modes is None else replace(self, **self.beside_own_modes)

    def with_draws(self, template: str) -> str:
        """A template of a row that draws, with this target's spelling of draws; `{key}` stays a hole, or `{rng}` where `key` is an
        argument.
        """
        if "{rng}" in template:
            return template.replace("{rng}", self.drawn_key.replace("{key}", "{rng}"))
        parts = re.split(r"jax\.random\.((?!split|fold_in)\w+)\(\{key\}, ", template)
        texts = [part.replace("{key}", self.drawn_key) for part in parts[::2]]
        calls = [self.draw.replace("{name}", name) for name in parts[1::2]]
        return texts[0] + "".join(call + text for call, text in zip(calls, texts[1:], strict=True))

    def draws_at_init(self, spec: LayerSpec) -> bool:
        """Whether constructing the layer needs randomness (or the object that carries it)."""
        column = self.column(spec)
        return column is not None and any(
            "{key}" in (item.emit or "") or "{rngs}" in (item.emit or "") for item in column.make
        )


def renamed_fields(
    forms: Mapping[str, Mapping[str, str]], lacking: Mapping[str, str]
) -> Mapping[str, Mapping[str, str | None]]:
    """By layers of torch: how fields are read that are kept in another way, and None for those that are lacking."""
    found: dict[str, dict[str, str | None]] = {}
    for layers, fields in [*forms.items(), *((names, dict.fromkeys(text.split())) for names, text in lacking.items())]:
        for layer in layers.split():
            found.setdefault(f"torch.nn.{layer}", {}).update(fields)
    return found


def _hooked(decorator: str) -> str:
    """The decorator of steps whose modules may have hooks: `@cached_jit` becomes `@hooked_jit(cached_jit)`."""
    name, _, options = decorator.removeprefix("@").removesuffix(")").partition("(")
    return f"@hooked_jit({name}, {options})" if options else f"@hooked_jit({name})"
