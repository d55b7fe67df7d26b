"""Parameters of modules of Flax NNX that are not trained: their variables are of another type."""

from flax import nnx

from torch2jax.runtime.freezing import is_below
from torch2jax.runtime.nnx_checkpoints import FrozenParam, in_torch_order, modules, torch_variables


def freeze(model, path=""):
    """torch's `requires_grad_(False)` for what lies at a path of a model."""
    below = {id(variable) for name, variable, _ in torch_variables(model) if is_below(name, [path])}
    set_trained(model, lambda name, variable: isinstance(variable, nnx.Param) and id(variable) not in below)


def unfreeze(model, path=""):
    """torch's `requires_grad_(True)` for what lies at a path of a model."""
    below = {id(variable) for name, variable, _ in torch_variables(model) if is_below(name, [path])}
    set_trained(model, lambda name, variable: isinstance(variable, nnx.Param) or id(variable) in below)


def choose_trained(model, is_trained, path=""):
    """The parameters below a path of a model are trained for which `is_trained(name, requires_grad)` is true."""
    prefix = f"{path}." if path else ""
    is_chosen = lambda name, trained: (
        is_trained(name.removeprefix(prefix), trained) if name.startswith(prefix) else trained
    )
    set_trained(model, lambda name, variable: is_chosen(name, isinstance(variable, nnx.Param)))


def set_trained(model, is_trained):
    """Parameters get variables of another type where `is_trained(name, variable)` says so, tied ones the same in all places."""
    chosen = {}
    for name, variable, is_parameter in torch_variables(model):
        if is_parameter and id(variable) not in chosen:
            kind = nnx.Param if is_trained(name, variable) else FrozenParam
            chosen[id(variable)] = variable if type(variable) is kind else kind(variable[...])
    for module in modules(model):
        for name, value in list(in_torch_order(module)):
            new = chosen.get(id(value), value) if isinstance(value, nnx.Variable) else value
            if new is not value and isinstance(module, nnx.List):
                module[name] = new
            elif new is not value:
                setattr(module, name, new)
