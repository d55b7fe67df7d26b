"""Hooks of modules: they run where modules are called, or wait for the values of the step that is being traced."""

import functools
from typing import ClassVar

import jax
import jax.numpy as jnp


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
    """The hooks of one module, before its call and behind it, and those of its gradients; copies of the module share them, and
    `module` is the one that they are of, where modules are objects."""

    def __init__(self, module=None):
        self.module = module
        self.before, self.behind, self.gradient = [], [], []


class WatchedCall:
    """A call of a module of which hooks see the gradients: of what comes out, and of what goes in where that has some."""

    def __init__(self, module, hooks):
        self.module = module
        self.hooks, self.reached, self.of_outputs = hooks, (), ()

    def inputs(self, given):
        """What goes in; when its gradients are there, so are those of what comes out, and the hooks run."""
        arrays = [i for i, x in enumerate(given) if isinstance(x, jax.Array) and jnp.issubdtype(x.dtype, jnp.inexact)]
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
    """Whether no gradient comes to a value."""
    return isinstance(gradient, jax.custom_derivatives.SymbolicZero)


@jax.tree_util.register_pytree_node_class
class HookCalls:
    """Calls of hooks that wait, as what a traced function gives: the arrays among their arguments, and the `rest`."""

    def __init__(self, arrays, rest):
        self.arrays, self.rest = arrays, rest

    @classmethod
    def of(cls, calls):
        leaves, structure = jax.tree.flatten([args for _, args in calls])
        is_array = [isinstance(x, jax.Array) for x in leaves]
        others = [None if known else x for x, known in zip(leaves, is_array)]
        arrays = [x for x, known in zip(leaves, is_array) if known]
        return cls(arrays, ([hook for hook, _ in calls], structure, others, is_array))

    def tree_flatten(self):
        return self.arrays, self.rest

    @classmethod
    def tree_unflatten(cls, rest, arrays):
        return cls(arrays, rest)

    def run(self):
        """Run the hooks, or let them wait for the step around."""
        hooks, structure, others, is_array = self.rest
        given = iter(self.arrays)
        every = structure.unflatten([next(given) if known else x for x, known in zip(others, is_array)])
        for hook, args in zip(hooks, every):
            hook(*args)


def with_waiting(function):
    """The function, whose result comes with the calls of hooks that wait for its values."""

    @functools.wraps(function)
    def run(*args, **kwargs):
        Traced.steps.append([])
        try:
            return function(*args, **kwargs), HookCalls.of(Traced.steps[-1])
        finally:
            Traced.steps.pop()

    return run


def hooked_jit(jit, **options):
    """A step that is compiled by `jit`, whose modules may have hooks: they run behind it, and when they change it is compiled anew."""

    def decorate(function):
        compiled = {}

        @functools.wraps(function)
        def run(*args, **kwargs):
            if Traced.changes not in compiled:
                compiled.clear()
                compiled[Traced.changes] = jit(with_waiting(function), **options)
            result, calls = compiled[Traced.changes](*args, **kwargs)
            calls.run()
            return result

        return run

    return decorate


def hooked_gradient(gradient, function, has_aux=False):
    """`gradient(function)`, a loss with its gradients, whose modules may have hooks: they run behind it."""

    def value_and_grad(model, *args):
        def loss_fn(model, *args):
            result, calls = with_waiting(function)(model, *args)
            loss, aux = result if has_aux else (result, None)
            return loss, (aux, calls)

        result, of_gradients = with_waiting(gradient(loss_fn, has_aux=True))(model, *args)
        (loss, (aux, calls)), grads = result
        calls.run()
        of_gradients.run()
        return ((loss, aux) if has_aux else loss), grads

    return value_and_grad


def with_call(cls, call, hooks):
    """The class `cls` whose modules are called by `call`, and take hooks as torch's modules do."""
    call.__wrapped__ = cls.__call__  # which says what it takes
    added = {"__call__": call, "__module__": cls.__module__, "__doc__": cls.__doc__}
    added["register_forward_hook"] = lambda self, function, within=False: Hook(function, hooks.behind, within)
    added["register_forward_pre_hook"] = lambda self, function, within=False: Hook(function, hooks.before, within)
    added["register_full_backward_hook"] = lambda self, function: Hook(function, hooks.gradient)
    added["register_backward_hook"] = added["register_full_backward_hook"]
    return type(cls)(cls.__name__, (cls,), added)
