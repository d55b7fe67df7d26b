"""How functions that are given modules and optimizers of Flax NNX are compiled."""

import collections
import functools
import operator
import weakref

import jax
import numpy as np
from flax import nnx

CHANGING = (list, tuple, set, frozenset, collections.deque)


def cached_jit(function, is_static=lambda leaf: False):
    """`nnx.jit`, which goes through modules and optimizers only where they are others than at its last call, or made of others."""
    compiled = functools.cache(lambda: Compiled(function, is_static))
    return functools.wraps(function)(lambda *args, **kwargs: compiled()(*args, **kwargs))


def filter_jit(function):
    """The same for functions that are given more than arrays and modules: whatever else an argument holds is static."""
    return cached_jit(function, is_static=lambda leaf: not isinstance(leaf, (jax.Array, np.ndarray, nnx.Variable)))


class Compiled:
    """A function that JAX compiles, with what was found in the objects that it was given last.

    Where it changes what objects are made of, or gives objects, it runs as `nnx.jit` runs it."""

    def __init__(self, function, is_static):
        self.function, self.is_static = function, is_static
        self.graphs, self.last = [], None
        self.run = jax.jit(self.trace, static_argnums=(0, 1))
        self.run_whole = nnx.jit(lambda number, *given: self.apply(*given), static_argnums=(0, 1))

    def __call__(self, *args, **kwargs):
        static, objects, rest = take_apart(args, kwargs, self.is_static)
        if self.last is None or not self.last.fits(objects):
            self.last = Traversal(objects, self.graphs, self.forget)
        last = self.last
        is_apart = last.is_plain and not any(id(leaf) in last.own for leaf in rest)
        found = self.run(last.number, static, last.values(), rest) if is_apart else None
        if found is None:
            return self.run_whole(last.number, static, objects, rest)
        result, values = found
        last.update(values)
        return result

    def apply(self, static, objects, rest):
        """The result of the function."""
        args, kwargs = put_together(static, objects, rest)
        return self.function(*args, **kwargs)

    def trace(self, number, static, values, rest):
        """The result of the function, and the arrays of the variables behind it; None where those are not all that it changes."""
        graph, _ = self.graphs[number]
        objects, before = nnx.unflatten(graph, values), jax.tree.leaves(rest)
        result = self.apply(static, objects, rest)
        after, state = nnx.flatten(objects)
        given = [leaf for leaf in (*state.leaves, *rest) if is_reference(leaf)]
        results = jax.tree.leaves(result, is_leaf=is_reference)
        shares = any(is_object(x) or any(x is variable for variable in given) for x in results)
        changes = after != graph or any(map(operator.is_not, before, jax.tree.leaves(rest)))
        return None if shares or changes else (result, [variable.get_raw_value() for variable in state.leaves])

    def forget(self, reference):
        """Keep nothing of objects that are gone."""
        self.last = None


def is_object(value):
    """Whether a value is a module, an optimizer or a stream of random numbers."""
    return isinstance(value, nnx.Pytree)


def is_reference(value):
    """Whether a value is one of these, or a variable."""
    return isinstance(value, (nnx.Pytree, nnx.Variable))


def take_apart(args, kwargs, is_static):
    """What is static about arguments, the objects among them, and all the rest."""
    leaves, structure = jax.tree.flatten((args, kwargs), is_leaf=is_reference)
    kinds = tuple("object" if is_object(leaf) else "static" if is_static(leaf) else "rest" for leaf in leaves)
    found = {kind: [leaf for leaf, own in zip(leaves, kinds) if own == kind] for kind in ("static", "object", "rest")}
    return (structure, kinds, tuple(found["static"])), found["object"], found["rest"]


def put_together(static, objects, rest):
    """The arguments that were taken apart."""
    structure, kinds, fixed = static
    given = {"static": iter(fixed), "object": iter(objects), "rest": iter(rest)}
    return structure.unflatten([next(given[kind]) for kind in kinds])


class Traversal:
    """What has been found in objects: their variables, and all that would make it another graph if it were replaced."""

    def __init__(self, objects, graphs, forget):
        graph, state = nnx.flatten(objects)
        places, contents = {}, []
        for value in objects:
            note_places(value, places, contents)
        form = graph, contents  # what lies in a graph need not be hashable
        self.number = graphs.index(form) if form in graphs else len(graphs)
        graphs[self.number : self.number + 1] = [form]  # with the lists and dicts that are there now
        self.variables = list(state.leaves)
        self.is_plain, self.own = all(map(is_reference, self.variables)), set(map(id, self.variables))
        self.objects = [weakref.ref(value, forget) for value in objects]
        self.places = list(places.values())

    def fits(self, objects):
        """Whether these are the objects, made of what they were made of."""
        if len(objects) != len(self.objects) or any(own() is not value for own, value in zip(self.objects, objects)):
            return False
        return all(len(now) == len(then) and all(map(operator.is_, now, then)) for now, then in self.places)

    def values(self):
        """The arrays of the variables."""
        return [variable.get_raw_value() for variable in self.variables]

    def update(self, values):
        """Give the variables other arrays."""
        for variable, value in zip(self.variables, values):
            variable.set_raw_value(value)


def note_places(value, places, contents):
    """Note what the nodes of a graph hold in places where something else may be put later, and what is in lists and dicts now."""
    if isinstance(value, nnx.State):
        held = value.raw_mapping.values()
    elif isinstance(value, nnx.Pytree):
        held = vars(value).values()
    elif isinstance(value, dict):
        held = value.values()
    else:
        held = value if issubclass(type(value), CHANGING) else None
    if held is None or id(value) in places:
        return
    places[id(value)] = held, tuple(held)
    if isinstance(value, dict):
        places[id(value), "keys"] = value.keys(), tuple(value)
    if isinstance(value, (dict, *CHANGING)):
        contents.append(settled(value))
    for inner in tuple(held):
        note_places(inner, places, contents)


def settled(value):
    """What a value is now: a list, a dict or a set that is changed later is no longer that."""
    if isinstance(value, dict):
        return type(value), tuple((key, settled(inner)) for key, inner in value.items())
    if issubclass(type(value), CHANGING):
        return type(value), tuple(map(settled, value))
    return None if is_reference(value) or isinstance(value, (jax.Array, np.ndarray)) else (type(value), value)
