"""Methods of modules that give back the module whose methods they are."""

from __future__ import annotations

PLACING = frozenset({"to", "cuda", "cpu"})
"""They move it."""

SETTING = frozenset({"train", "eval", "requires_grad_"})
"""They set its mode, or whether it is trained."""

REGISTERING = frozenset({"register_buffer", "register_parameter", "register_module", "add_module"})
"""They set a field by its name."""

CASTING = frozenset({"float", "double", "half", "bfloat16", "type"})
"""They give its tensors another type."""

WRAPPING = PLACING | SETTING - {"requires_grad_"}
"""They may stand behind what makes a module, or gives it together with its state."""

GIVING_BACK = PLACING | CASTING | {"train", "eval"}
"""They change it in place, wherever they stand."""

FORWARD_HOOKS = frozenset({"register_forward_hook", "register_forward_pre_hook"})
"""They attach a function that each call of the module runs."""

BACKWARD_HOOKS = frozenset({"register_backward_hook", "register_full_backward_hook"})
"""They attach a function that is given the gradients of each call of the module."""

MODULE_HOOKS = FORWARD_HOOKS | BACKWARD_HOOKS

MODULE_NAMES = frozenset(
    "T_destination add_module apply bfloat16 buffers call_super_init children compile cpu cuda double dump_patches eval "
    "extra_repr float forward get_buffer get_extra_state get_parameter get_submodule half ipu load_state_dict modules mtia "
    "named_buffers named_children named_modules named_parameters parameters register_backward_hook register_buffer "
    "register_forward_hook register_forward_pre_hook register_full_backward_hook register_full_backward_pre_hook "
    "register_load_state_dict_post_hook register_load_state_dict_pre_hook register_module register_parameter "
    "register_state_dict_post_hook register_state_dict_pre_hook requires_grad_ set_extra_state set_submodule share_memory "
    "state_dict to to_empty train training type xpu zero_grad".split()
)

LAYER_METHODS = frozenset(
    "append clear extend flatten_parameters from_pretrained get items insert keys pop popitem reset_bias_parameters "
    "reset_parameters reset_running_stats setdefault update values".split()
)
"""What layers and containers of torch have besides."""


def is_own_method(name: str) -> bool:
    """Whether a method of a module is none of torch's."""
    return name not in MODULE_NAMES and name not in LAYER_METHODS and not name.startswith("__")
