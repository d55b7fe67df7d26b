"""The questions that planning and rewriting ask a target library; no pass asks for its name."""

from __future__ import annotations

from dataclasses import dataclass

from torch2jax.ops.schema import LayerColumn, LayerSpec


@dataclass(frozen=True, slots=True)
class Target:
    """The spelling of everything in which targets differ.

    Texts are templates of `torch2jax.syntax.quote`. `None` means that the target needs nothing there.

    * `immutable`: modules and optimizers are values: what changes them gives back new ones, and callers rebind.
    * `key`: the parameter that carries randomness; `splits_keys`: each draw gets a key of its own (else the one object is
      passed on); `calls_take_key`: calling a module that draws takes it too; `lifts_keys`: the key may be None in inference.
    * `state`: the parameter that carries module state in calls, None where modules keep it themselves.
    """

    name: str
    module_base: str
    stateful_base: str
    forward_name: str
    immutable: bool
    key: str
    splits_keys: bool
    calls_take_key: bool
    new_key: str
    state: str | None
    annotated_fields: bool
    sequential: str
    sequential_type: str
    module_list: str
    module_list_type: str
    module_dict: str
    parameter: str
    parameter_type: str
    buffer: str
    buffer_type: str
    discrete_buffer: str
    discrete_buffer_type: str
    hidden_buffer_type: str
    make_stateful: str | None
    train_mode: str
    eval_mode: str
    training_flag: str
    mode_field: str | None
    to_device: str
    optimizer: str
    optimizer_state: str | None
    optimizer_state_of: str | None
    step: str
    step_call: str
    one_gradient: str
    decorator: str
    decorator_keeping_inputs: str
    mapped_call: str | None
    batched_call: str
    plain_function_layers: bool
    load_state_dict: str
    state_dict: str
    parameters: str
    named_parameters: str

    def column(self, spec: LayerSpec) -> LayerColumn | None:
        """How this target makes and calls a layer, or None if the table has no column for it."""
        return spec.targets.get(self.name)

    def draws_at_init(self, spec: LayerSpec) -> bool:
        """Whether constructing the layer needs randomness (or the object that carries it)."""
        column = self.column(spec)
        return column is not None and any(
            "{key}" in (item.emit or "") or "{rngs}" in (item.emit or "") for item in column.make
        )
