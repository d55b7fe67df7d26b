"""Training steps for Flax Linen modules with their variables: gradients, optimizers, and how steps are compiled."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
from flax import linen as nn

from torch2jax.runtime.constants import as_constants
from torch2jax.runtime.linen_modules import Store, is_bound


class Optimizer:
    """A transformation of Optax with its state, for the parameters of a model (or of several)."""

    updates_models = True  # other files may have copies of this class

    def __init__(self, model, transformation):
        self.store = Store({"opt_state": transformation.init(parameter_tree(model))}, transformation)

    @property
    def opt_state(self):
        """The state of the transformation."""
        return self.store.arrays["opt_state"]

    @opt_state.setter
    def opt_state(self, state):
        self.store.arrays = {"opt_state": state}

    def update(self, model, grads):
        """Give the model the parameters behind one step of the optimizer."""
        params = parameter_tree(model)
        updates, self.opt_state = self.store.owner.update(grads, self.opt_state, params)
        moved = lambda p, step: p if step is None else jnp.asarray(p + step, p.dtype)
        put_parameters(model, jax.tree.map(moved, params, updates))


def parameter_tree(model):
    """The trained parameters of a model, of several, or of nested containers with arrays and functions beside models."""
    chosen = lambda leaf: leaf.params if keeps_arrays(leaf) else leaf if is_array(leaf) else None
    return jax.tree.map(chosen, model, is_leaf=keeps_arrays)


def put_parameters(model, params):
    """Give a model, or several, other trained parameters; what is given back has other arrays in the places of its own."""
    leaves, structure = jax.tree.flatten(model, is_leaf=keeps_arrays)
    values = structure.flatten_up_to(params)
    for part, value in zip(leaves, values):
        if keeps_arrays(part) and value:
            place = ("params", *part.scope_path)
            part.put(place, with_values(part.get(place), value))
    return structure.unflatten([value if is_array(part) else part for part, value in zip(leaves, values)])


def with_values(params, values):
    """Parameters in nested dicts, with others in the places of those that are trained."""
    inner = lambda old, new: with_values(old, new) if hasattr(new, "items") else new
    return {**params, **{name: inner(params[name], value) for name, value in values.items()}}


def models_in(tree):
    """The models in nested containers, which may hold functions, too."""
    return [leaf for leaf in jax.tree.leaves(tree, is_leaf=keeps_arrays) if keeps_arrays(leaf)]


def stores_in(tree):
    """The stores of all models and optimizers in nested containers, each once."""
    leaves = jax.tree.leaves(tree, is_leaf=keeps_arrays)
    return list({id(leaf.store): leaf.store for leaf in leaves if keeps_arrays(leaf)}.values())


def keeps_arrays(value):
    """Whether a value is a model or an optimizer."""
    return is_bound(value) or getattr(type(value), "updates_models", False)


def value_and_grad(function, has_aux=False):
    """`jax.value_and_grad` by the parameters of a model, or of several: the first argument of the function.

    The models that the function is given change as they do when it is called."""

    def transform(compute, params):
        (loss, rest), grads = jax.value_and_grad(compute, has_aux=True)(params)
        return (loss, grads), rest

    def call(model, *args):
        (loss, grads), aux = differentiate(transform, function, model, args, has_aux)
        return ((loss, aux) if has_aux else loss), grads

    return call


def pullback(function, model, *others, has_aux=False):
    """The value of a function of a model, and what takes a gradient of it on to the parameters of the model.

    The models that the function is given change as they do when it is called."""

    def transform(compute, params):
        value, vjp, rest = jax.vjp(compute, params, has_aux=True)
        return (value, vjp), rest

    (value, vjp), aux = differentiate(transform, function, model, others, has_aux)
    return (value, vjp, aux) if has_aux else (value, vjp)


def differentiate(transform, function, model, args, has_aux):
    """What a transformation of JAX finds out about a function by the parameters of a model, and what the function gives beside."""
    stores = stores_in((model, args))
    before = [store.arrays for store in stores]

    def compute(params):
        result = function(put_parameters(model, params), *args)
        value, aux = result if has_aux else (result, None)
        return value, (aux, [store.arrays for store in stores])

    params = parameter_tree(model)
    try:
        found, (aux, after) = transform(compute, params)
    finally:
        for store, arrays in zip(stores, before):
            store.arrays = arrays
    for store, arrays in zip(stores, after):
        store.arrays = arrays
    return found, aux


@jax.tree_util.register_static
class Same:
    """What a compiled function is given besides arrays: numbers and texts by value, other objects by identity."""

    def __init__(self, value):
        self.value = value

    def __hash__(self):
        return hash(self.value) if isinstance(self.value, (int, float, str, tuple)) else id(self.value)

    def __eq__(self, other):
        if not isinstance(other, Same):
            return False
        if isinstance(self.value, (int, float, str, tuple)):
            return type(self.value) is type(other.value) and self.value == other.value
        return self.value is other.value


def jit(function):
    """`jax.jit` for functions that are given models and optimizers, which change as they do when it is called."""

    @functools.partial(jax.jit, static_argnums=0)
    def run(static, arrays, states):
        args, kwargs, stores = joined(static, arrays, states)
        return function(*args, **kwargs), [(store.arrays, Same(store.modes)) for store in stores]

    @functools.wraps(function)
    def call(*args, **kwargs):
        return changing(run, *separated(args, kwargs))

    return call


def separated(args, kwargs):
    """What a compiled function is given besides arrays, its arrays, and the stores of the models and optimizers among all that."""
    leaves, structure = jax.tree.flatten((args, kwargs), is_leaf=keeps_arrays)
    stores = stores_in(leaves)
    fixed = tuple(
        Place(leaf, stores) if keeps_arrays(leaf) else None if is_array(leaf) else Same(leaf) for leaf in leaves
    )
    kept = tuple((Same(store.owner), store.modes, same_settings(store), store.frozen) for store in stores)
    return (structure, fixed, kept), [leaf for leaf in leaves if is_array(leaf)], stores


def same_settings(store):
    """The fields of a model that were set since it was made, as a compiled function compares them."""
    return tuple((path, name, Same(value)) for path, name, value in store.settings)


def joined(static, arrays, states):
    """The arguments that were separated, and the stores of the models and optimizers among them, with traced arrays."""
    structure, fixed, kept = static
    stores = [
        Store(state, owner.value, modes, tuple((path, name, same.value) for path, name, same in settings), frozen)
        for state, (owner, modes, settings, frozen) in zip(states, kept)
    ]
    given = iter(arrays)
    leaves = [leaf.built(stores) if isinstance(leaf, Place) else leaf.value if leaf else next(given) for leaf in fixed]
    return *structure.unflatten(leaves), stores


def changing(run, static, arrays, stores):
    """The result of a compiled function, which gives the new arrays of stores, too, and the modes in which it leaves models."""
    result, after = run(static, arrays, [store.arrays for store in stores])
    for store, (state, modes) in zip(stores, after):
        store.arrays, store.modes = state, modes.value
    return result


def without_gradient(function):
    """torch.no_grad as a decorator: what a function makes is constant, and an array that it was given and hands back is not.

    Given are the arrays of models and modules, too."""

    @functools.wraps(function)
    def constant(*args, **kwargs):
        given = {
            id(array) for leaf in jax.tree.leaves((args, kwargs), is_leaf=keeps_arrays) for array in arrays_of(leaf)
        }
        return as_constants(function(*args, **kwargs), given)

    return constant


def arrays_of(value):
    """The arrays of a model, or of a module that is being used; else the value itself."""
    if keeps_arrays(value):
        return jax.tree.leaves(value.store.arrays)
    return jax.tree.leaves(value.scope.root.variables()) if isinstance(value, nn.Module) else [value]


def is_array(value):
    """Whether a value is an array, of JAX or NumPy."""
    return isinstance(value, (jax.Array, np.ndarray, np.generic))


class Place:
    """A model, a part of one or an optimizer among arguments: which store it has, and where in it."""

    def __init__(self, value, stores):
        self.number = [id(store) for store in stores].index(id(value.store))
        self.kind, self.path = type(value), value.path if is_bound(value) else ()

    def __hash__(self):
        return hash((self.number, self.kind, self.path))

    def __eq__(self, other):
        return isinstance(other, Place) and vars(self) == vars(other)

    def built(self, stores):
        """The same with the arrays that are traced."""
        value = object.__new__(self.kind)
        store = stores[self.number]
        vars(value).update({"_place": (store, self.path)} if is_bound(value) else {"store": store})
        return value
