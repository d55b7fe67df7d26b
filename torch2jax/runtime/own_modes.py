"""Modes of modules in programs that have fields, methods or options of their own called `inference`."""

import dataclasses

import equinox as eqx
import jax


def set_mode(model, training):
    """`eqx.nn.inference_mode` that switches nothing but modes: `in_eval_mode` of modules that keep it, `inference` of others."""
    return eqx.tree_at(modes, model, replace_fn=lambda _: not training)


def mode_of(model, default=None):
    """torch's `model.training`: the mode that the model, or the first of its parts that keeps one, is in."""
    found = modes(model)
    if not found and default is None:
        raise ValueError("no part of this model keeps a mode")
    return not found[0] if found else default


def modes(model):
    """The modes that a module and its parts keep."""
    fields = [item.name for item in dataclasses.fields(model)] if isinstance(model, eqx.Module) else []
    found = [getattr(model, name) for name in ("in_eval_mode", "inference") if name in fields][:1]
    parts = jax.tree.leaves(model, is_leaf=lambda x: x is not model and isinstance(x, eqx.Module))
    return found + [mode for part in parts if isinstance(part, eqx.Module) for mode in modes(part)]
