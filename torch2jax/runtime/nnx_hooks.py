"""Hooks of modules of Flax NNX, which run outside of what is compiled."""

import functools

from flax import nnx

from torch2jax.runtime.hook_calls import Hooks, Traced, WatchedCall, with_call
from torch2jax.runtime.nnx_checkpoints import modules


def with_hooks(model):
    """The model, whose modules have `register_forward_hook` and its like from here on, as torch's modules do."""
    for part in modules(model):
        if isinstance(part, nnx.Module) and callable(part) and not hasattr(part, "register_forward_hook"):
            object.__setattr__(part, "__class__", hooked_class(type(part), Hooks(part)))
    return model


@functools.cache
def hooked_class(cls, hooks):
    """The class `cls` with hooks; the same for the same ones, so that graphs of modules stay the same."""

    def __call__(self, *args, **kwargs):
        for hook in [*hooks.before]:
            changed = hook(self_for(self, hook, hooks), args)
            args = args if changed is None else changed if isinstance(changed, tuple) else (changed,)
        watched = WatchedCall(hooks.module, hooks.gradient) if hooks.gradient else None
        given = tuple(args if watched is None else watched.inputs([*args]))
        y = cls.__call__(self, *given, **kwargs)
        for hook in [*hooks.behind]:
            changed = hook(self_for(self, hook, hooks), given, y)
            y = y if changed is None else changed
        return y if watched is None else watched.outputs(y)

    return with_call(cls, __call__, hooks)


def self_for(module, hook, hooks):
    """The module as a hook sees it: one that waits for values is not given what is being traced."""
    return hooks.module if Traced.steps and not hook.within else module
