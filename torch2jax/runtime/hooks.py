"""Hooks of modules, which run outside of what is compiled."""

import dataclasses
import functools
from typing import ClassVar

import equinox as eqx
import jax
import jax.numpy as jnp

from torch2jax.runtime.batching import call, call_with_state


class Traced:
    """Steps that are being traced, each with the calls of hooks that wait for its values, and how often hooks have changed."""

    steps: ClassVar = []
    changes: ClassVar = 0


class Hook:
    """What `register_forward_hook` gives: a function that runs at each call of a module until it is removed.

    It runs behind the steps that call the module, with the values that they have computed, or `within` them."""

    def __init__(self, function, hooks, within=False):
        self.function, self.hooks, self.within = function, hooks, within
        hooks.append(self)
        Traced.changes += 1

    def __call__(self, *args):
        if Traced.steps and not self.within:
            Traced.steps[-1].append((self, args))
            return None
        return self.function(*args) if self in self.hooks else None

    def remove(self):
        if self in self.hooks:
            self.hooks.remove(self)
            Traced.changes += 1


class Hooks:
    """The hooks of one module, before its call and behind it, and those of its gradients; copies of the module share them."""

    def __init__(self):
        self.before, self.behind, self.gradient = [], [], []


def with_hooks(model, made=None):
    """The model with modules that have `register_forward_hook` and its like, as torch's modules do."""
    made = {} if made is None else made
    if id(model) in made:
        return made[id(model)]
    parts = jax.tree.map(
        lambda part: with_hooks(part, made) if isinstance(part, eqx.Module) else part,
        model,
        is_leaf=lambda part: part is not model and isinstance(part, eqx.Module),
    )
    if isinstance(parts, eqx.Module) and callable(parts) and not hasattr(parts, "register_forward_hook"):
        parts = of_class(parts, hooked_class(type(parts), Hooks()))
    made[id(model)] = parts
    return parts


def of_class(module, cls):
    """The module with another class that has the same fields."""
    made = object.__new__(cls)
    for field in dataclasses.fields(module):
        if hasattr(module, field.name):
            object.__setattr__(made, field.name, getattr(module, field.name))
    return made


@functools.cache
def hooked_class(cls, hooks):
    """The class `cls` with hooks; the same for the same ones, since trees are compared by their classes."""

    def __call__(self, *args, **kwargs):
        args = [*args]
        places = [i for i, x in enumerate(args) if not isinstance(x, eqx.nn.State)]
        for hook in [*hooks.before]:
            changed = hook(self, tuple(args[i] for i in places))
            for i, x in zip(places, changed if isinstance(changed, tuple) else (changed,)):
                args[i] = args[i] if changed is None else x
        state = next((x for x in (*args, *kwargs.values()) if isinstance(x, eqx.nn.State)), None)
        given = [args[i] for i in places]
        named = {name: x for name, x in kwargs.items() if not isinstance(x, eqx.nn.State)}
        layer, watched = of_class(self, cls), WatchedCall(self, hooks.gradient) if hooks.gradient else None
        given = given if watched is None else watched.inputs(given)
        if state is None:
            y = call(layer, *given, **named)
        else:
            y, state = call_with_state(layer, *given, state=state, **named)
        for hook in [*hooks.behind]:
            changed = hook(self, tuple(given), y)
            y = y if changed is None else changed
        y = y if watched is None else watched.outputs(y)
        return y if state is None else (y, state)

    __call__.__wrapped__ = cls.__call__  # which says what it takes
    added = {"__call__": __call__, "__module__": cls.__module__, "__doc__": cls.__doc__}
    added["register_forward_hook"] = lambda self, function, within=False: Hook(function, hooks.behind, within)
    added["register_forward_pre_hook"] = lambda self, function, within=False: Hook(function, hooks.before, within)
    added["register_full_backward_hook"] = lambda self, function: Hook(function, hooks.gradient)
    added["register_backward_hook"] = added["register_full_backward_hook"]
    return type(cls)(cls.__name__, (cls,), added)


class WatchedCall:
    """A call of a module of which hooks see the gradients: of what comes out, and of what goes in where that has some."""

    def __init__(self, module, hooks):
        self.module = jax.tree.map(lambda x: jax.lax.stop_gradient(x) if eqx.is_array(x) else x, module)
        self.hooks, self.reached, self.of_outputs = hooks, (), ()

    def inputs(self, given):
        """What goes in; when its gradients are there, so are those of what comes out, and the hooks run."""
        arrays = [i for i, x in enumerate(given) if eqx.is_inexact_array(x)]
        watched = jax.custom_vjp(lambda *xs: xs)

        def forward(*xs):
            self.reached = tuple(x.perturbed for x in xs)
            return tuple(x.value for x in xs), None

        def backward(_, gradients):
            values = [jnp.zeros(g.shape, g.dtype) if is_symbolic_zero(g) else g for g in gradients]
            self.run(tuple(g if reached else None for g, reached in zip(values, self.reached)))
            return tuple(None if is_symbolic_zero(g) else g for g in gradients)

        watched.defvjp(forward, backward, symbolic_zeros=True)
        for i, x in zip(arrays, watched(*(given[i] for i in arrays))):
            given[i] = x
        return given

    def outputs(self, y):
        """What comes out."""
        leaves, structure = jax.tree.flatten(y)
        watched = jax.custom_vjp(lambda *xs: xs)

        def backward(_, gradients):
            self.of_outputs = gradients
            if not any(self.reached):
                self.run(tuple(None for _ in self.reached) or (None,))
            return gradients

        watched.defvjp(lambda *xs: (xs, None), backward)
        return structure.unflatten(watched(*leaves))

    def run(self, of_inputs):
        for hook in [*self.hooks]:
            hook(self.module, of_inputs, self.of_outputs)


def is_symbolic_zero(gradient):
    return isinstance(gradient, jax.custom_derivatives.SymbolicZero)


def with_waiting(function):
    """The function, whose result comes with the calls of hooks that wait for its values."""

    @functools.wraps(function)
    def run(*args, **kwargs):
        Traced.steps.append([])
        try:
            return function(*args, **kwargs), Traced.steps[-1]
        finally:
            Traced.steps.pop()

    return run


def run_waiting(calls):
    """Run hooks that have waited, or let them wait for the step around."""
    for hook, args in calls:
        hook(*args)


def hooked_jit(function=None, **options):
    """`eqx.filter_jit` of a step whose modules may have hooks, which run behind it; it is compiled anew when they change."""
    if function is None:
        return functools.partial(hooked_jit, **options)
    compiled = {}

    @functools.wraps(function)
    def run(*args, **kwargs):
        if Traced.changes not in compiled:
            compiled.clear()
            compiled[Traced.changes] = eqx.filter_jit(with_waiting(function), **options)
        result, calls = compiled[Traced.changes](*args, **kwargs)
        run_waiting(calls)
        return result

    return run


def hooked_value_and_grad(function, has_aux=False, gradient=eqx.filter_value_and_grad):
    """`eqx.filter_value_and_grad` of a loss whose modules may have hooks, which run behind it."""

    def value_and_grad(model, *args):
        others = []

        def loss_fn(model, *args):
            result, calls = with_waiting(function)(model, *args)
            loss, aux = result if has_aux else (result, None)
            arrays, other = eqx.partition(calls, eqx.is_array)
            others.append(other)
            return loss, (aux, arrays)

        result, of_gradients = with_waiting(gradient(loss_fn, has_aux=True))(model, *args)
        (loss, (aux, arrays)), grads = result
        run_waiting(eqx.combine(arrays, others[-1]))
        run_waiting(of_gradients)
        return ((loss, aux) if has_aux else loss), grads

    return value_and_grad
