"""Flax Linen modules with their variables: what translations call, train and save as torch does its models."""

import copy
import dataclasses
from collections import OrderedDict
from collections.abc import Mapping
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
from flax import linen as nn
from flax.core import apply
from flax.core import unfreeze as plain_dicts

from torch2jax.runtime.loading import fields_in_order


def is_training(module):
    """torch's `module.training`."""
    if is_bound(module):
        return module.training
    return mode_at(module.scope.root.get_variable("modes", "set", TRAINING), module.path)


def is_bound(value):
    """Whether a value is a module with its variables, a `Bound` of this file or of another one with support code of its own."""
    return hasattr(type(value), "scope_path")


def is_function(value):
    """Whether a value is called as layers are, and has no variables."""
    return callable(value) and not isinstance(value, nn.Module)


TRAINING = (((), True),)
CHANGING = ["batch_stats", "buffers", "frozen", "params", "state"]  # what calls of a model may change
NO_FIELDS = (  # what Linen, and the functions below, keep beside the fields of a module
    "made_with",
    "parent",
    "name",
    "scope",
    "_parent_ref",
    "_id",
    "_state",
    "_tied",
    "_users",
    "_starts",
    "_copied",
    "_taken",
    "_frozen",
    "clone",
    "__post_init__",
    "__dataclass_fields__",
)


def mode_at(modes, path):
    """The mode of a part: what was set last for it, or for what it is a part of."""
    return max((entry for entry in modes if path[: len(entry[0])] == entry[0]), key=lambda entry: len(entry[0]))[1]


def each_part(value, path=()):
    """`(path, module)` of the modules that a field of a module holds, in lists and dicts too."""
    if isinstance(value, nn.Module):
        return [(path, value)]
    pairs = (
        enumerate(value) if isinstance(value, (list, tuple)) else value.items() if isinstance(value, Mapping) else ()
    )
    return [found for key, item in pairs for found in each_part(item, (*path, key))]


def parts_of(module):
    """`(path, module)` of the direct parts of a module that has a scope, in the order in which `setup` makes them."""
    module._try_setup()
    return [found for name in field_names(module) for found in each_part(getattr(module, name), (name,))]


def field_names(module):
    """The names of what a module was made with and of what `setup` has set, in torch's order."""
    return [name for name in fields_in_order(module, vars(module)) if name not in NO_FIELDS]


def way_to(part, module):
    """The fields, indices and keys on the way from a module to a part of it."""
    if part is module:
        return ()
    ways = ((path, way_to(part, inner)) for path, inner in parts_of(module))
    return next(((*path, *way) for path, way in ways if way is not None), None)


def declare(module):
    """Make all parameters and buffers of a module, which Linen does where a module is first used."""
    for _, part in parts_of(module):
        declare(part)


def complete(root, settings):
    """A model with all its parts, and with the fields that were set since it was made."""
    for path, name, value in settings:
        module, (field, *inside) = owner_of(root, (*path, name))
        module._try_setup()
        new = value.part_of(module) if isinstance(value, NewPart) else value
        vars(module)[field] = exchanged(vars(module).get(field), inside, new)
    declare(root)
    return root


def owner_of(root, way):
    """The module whose field, or what lies in it, is at the end of a way, and the rest of the way from there."""
    owner, rest, held = root, way, root
    for number, step in enumerate(way[:-1], 1):
        held = follow(held, (step,))
        if isinstance(held, nn.Module):
            owner, rest = held, way[number:]
    return owner, rest


def exchanged(held, way, value):
    """What a field holds, with another value at the end of a way of indices and keys; the one behind the last is a new one."""
    if not way:
        return value
    step, *rest = way
    if isinstance(held, Mapping):
        return type(held)({**held, step: exchanged(held.get(step), rest, value)})
    inner = exchanged(held[step] if step < len(held) else None, rest, value)
    return type(held)([*held[:step], inner, *held[step + 1 :]])


class NewPart:
    """The definition of a module that has become a part of a model later, and the name of the scope of its variables."""

    def __init__(self, definition, scope):
        self.definition, self.scope = definition, scope

    def part_of(self, module):
        """The module where its variables are."""
        return self.definition.clone(parent=module.scope.push(self.scope, reuse=True))


def started(function, module, *args, keys=None, **options):
    """A part of a module that a function gives first values, where it gets its variables; `keys` is a module to draw from."""

    def start(part):
        function(part, *args, **options, **({} if keys is None else {"key": keys.make_rng("params")}))

    start_later(module, (*vars(module).get("_starts", ()), start))
    return module


def start_later(module, starts):
    """Functions that give a module first values run when it has a scope: those that Linen makes of it have them, too."""
    if module.scope is None:
        vars(module).update(_starts=starts, __post_init__=partial(join, module), clone=partial(copied, module))
        return
    for start in starts if module.is_initializing() else ():
        start(module)


def join(module):
    """What a new part does where it becomes a part of a module, and gets a scope."""
    type(module).__post_init__(module)
    start_later(module, vars(module)["_starts"])


def copied(module, **changes):
    """Linen's `clone` of a new part."""
    made = type(module).clone(module, **changes)
    start_later(made, vars(module)["_starts"])
    return made


def arguments(module, *names):
    """What a module was made with, in `setup`: fields of these names are then set as any others are."""
    fields, held = module.__dataclass_fields__, vars(module)
    held["__dataclass_fields__"] = {name: field for name, field in fields.items() if name not in names}
    values = [held.pop(name) for name in names]
    held["_taken"] = {**held.get("_taken", {}), **dict(zip(names, values))}
    return values if len(values) > 1 else values[0]


def vacate(module, name):
    """In `setup`, let a part take the name of one that nothing uses: torch's modules may be given a part twice."""
    for _, part in each_part(vars(module).get(name)):
        del module._state.children[part.name], module.scope.reservations[part.name]
        for kind in module.scope.variables() if module.is_initializing() else ():
            module.scope._mutable_collection(kind).pop(part.name, None)


def insert_part(module, name, index, part):
    """In `setup`, torch's `insert` of a part into a list: the names of the others stay."""
    setattr(module, name, [*vars(module)[name], part])
    parts = list(vars(module)[name])
    parts.insert(index, parts.pop())
    vars(module)[name] = parts


def exchange_part(module, name, part):
    """In `setup`, torch's `module.name = part`, or `module[number] = part`, for a part that another one has made."""
    module._try_setup()
    field, *inside = way_to_item(module, range(len(module))[name]) if isinstance(name, int) else (name,)
    around = module
    while isinstance(around, nn.Module) and module.is_initializing():
        if finds := vars(around).get("_frozen", ()):  # what is frozen by now: the new part is not
            declare(around)
            found = [find() for find in finds]
            vars(around)["_frozen"] = tuple(lambda places=places: places for places in found)
        around = around.parent
    new = adopted(module, "_".join(map(str, (field, *inside))), part)
    vars(module)[field] = exchanged(vars(module).get(field), inside, new)


def adopted(module, name, part):
    """A part that has no scope yet, with one in a module that has made its own parts, under a name that is free."""
    if not isinstance(part, nn.Module) or part.scope is not None:
        return part
    part = part.clone(name=None) if part.parent is None else part
    names = (name, *(f"{name}_{number}" for number in range(1, len(module._state.children) + 2)))
    free = next(other for other in names if other not in module._state.children)
    for key, value in (("parent", module), ("name", free)):
        object.__setattr__(part, key, value)
    was, module._state.in_setup = module._state.in_setup, True
    part.__post_init__()
    module._state.in_setup = was
    return part


def measured(module, compute):
    """In `setup`, a number that parts give for some input: they keep state of it only while the module is made."""
    if module.is_initializing():
        return compute()
    root = module.scope.root
    kept = {kind: plain_dicts(values) for kind, values in root.variables().items() if root.is_mutable_collection(kind)}
    number = compute()
    for kind, values in kept.items():
        put_back(root._mutable_collection(kind), values)
    return number


def put_back(variables, kept):
    """Give the variables in nested dicts the values that they had."""
    for name, value in kept.items():
        if hasattr(value, "items") and hasattr(variables[name], "items"):
            put_back(variables[name], value)
        else:
            variables[name] = value


class Arguments:
    """What a module is made with, as it is: Linen makes tuples of lists that are fields of a module."""

    holds_arguments = True  # packages have copies of this class

    def __init__(self, args, kwargs):
        self.args, self.kwargs = args, kwargs

    def __getitem__(self, index):
        return (self.args, self.kwargs)[index]


class MadeWith(nn.Module):
    """A module that is made with arguments as torch's are, some of them without names: `setup_with` gets them as they are."""

    made_with: Any = Arguments((), {})

    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        cls.__init__ = keep_arguments

    def setup(self):
        self.setup_with(*self.made_with.args, **self.made_with.kwargs)

    def setup_with(self):
        """What classes do to make their parts."""

    @nn.nowrap
    def _register_submodules(self, name, value):
        given = (value.args, value.kwargs) if name == "made_with" else value
        super()._register_submodules(name, given)
        found = as_given(given, vars(self)[name])  # Linen has made tuples of the lists among them
        vars(self)[name] = Arguments(*found) if name == "made_with" else found


MADE_WITH = MadeWith.__init__


def keep_arguments(module, *args, **kwargs):
    """The `__init__` of such modules: Linen's own copies are given `made_with`."""
    MADE_WITH(module, **(kwargs if "made_with" in kwargs else {"made_with": Arguments(args, kwargs)}))


def as_given(value, found):
    """The modules that were found in containers, in containers of their first types."""
    if isinstance(value, nn.Module):
        return found
    if type(value) in (list, tuple):
        return type(value)(as_given(item, other) for item, other in zip(value, found))
    if type(value) in (dict, OrderedDict):
        return type(value)((key, as_given(item, found[key])) for key, item in value.items())
    return value


def follow(module, path):
    """The part of a module at a path of fields, indices and keys."""
    for step in path:
        module = getattr(module, step) if isinstance(step, str) and isinstance(module, nn.Module) else module[step]
    return module


class Store:
    """The variables of a model, or the state of an optimizer: arrays that change, beside what they belong to.

    `modes` says which parts train, by the names of their scopes; `settings` are fields that were set later, as
    `(path, name, value)`; `frozen` are the places of parameters that are not trained; `outer` is the store and the place of
    the model that this one has become a part of."""

    def __init__(self, arrays, owner, modes=TRAINING, settings=(), frozen=frozenset()):
        self.arrays, self.owner, self.modes, self.settings, self.outer = arrays, owner, modes, settings, None
        self.frozen = frozen

    def __getstate__(self):
        data = lambda name, value: jax.random.key_data(value) if name == "key" else value
        return {**vars(self), "arrays": {name: data(name, value) for name, value in self.arrays.items()}}

    def __setstate__(self, state):
        whole = lambda name, value: jax.random.wrap_key_data(value) if name == "key" else value
        vars(self).update(state, arrays={name: whole(name, value) for name, value in state["arrays"].items()})


class Bound:
    """A Linen module with its variables, or a part of it: called as torch's modules are, it keeps the changes of its state."""

    def __init__(self, store, path=()):
        vars(self)["_place"] = (store, path)

    @property
    def _at(self):
        """The store with the variables, and the way to the part of its model that this is."""
        store, path = vars(self)["_place"]
        while store.outer is not None:
            store, path = store.outer[0], (*store.outer[1], *path)
        return store, path

    @property
    def store(self):
        """What keeps the variables."""
        return self._at[0]

    @property
    def path(self):
        """The fields, indices and keys on the way to the part that this is."""
        return self._at[1]

    def reach(self, function, *args, **kwargs):
        """`function(part, ...)` with the part of the module that this is, while that has its variables."""
        store, dropout, noise = self.store, *jax.random.split(self.store.arrays["key"])
        arrays = store.arrays["variables"]
        run = lambda root: self._handed(
            root, function(follow(complete(root, store.settings), self.path), *args, **kwargs)
        )
        rngs = {"dropout": dropout, "params": noise}
        given = {**arrays, "modes": {"set": store.modes}}
        result, changed = store.owner.apply(given, rngs=rngs, mutable=CHANGING, method=run)
        store.arrays = {
            "variables": {**arrays, **plain_dicts(changed)},
            "key": jax.random.fold_in(store.arrays["key"], 1),
        }
        return result

    def _handed(self, root, value):
        """What a method gives: itself and parts of the model, also in lists and dicts, are Bound."""
        if isinstance(value, nn.Module):
            path = way_to(value, root)
            return value if path is None else Bound(self.store, path)
        if not each_part(value):
            return value
        if isinstance(value, (list, tuple)):
            return type(value)([self._handed(root, item) for item in value])
        return type(value)((key, self._handed(root, item)) for key, item in value.items())

    def look(self, function):
        """What a function says of the module, which draws nothing and changes nothing."""
        return self._look_at_root(lambda root: function(follow(root, self.path)))

    def _look_at_root(self, function):
        """What a function says of the whole model, of which this may be a part."""
        run = lambda root: function(complete(root, self.store.settings))
        rngs = {"params": self.store.arrays["key"]}  # `setup` may name keys of first values that are there
        arrays = self.store.arrays["variables"]
        result, changed = self.store.owner.apply(arrays, rngs=rngs, mutable=CHANGING, method=run)
        was = jax.tree.leaves({kind: arrays[kind] for kind in changed})
        if any(new is not old for new, old in zip(jax.tree.leaves(plain_dicts(changed)), was, strict=True)):
            raise ValueError("a model changes its state where it is only asked what it is made of")
        return result

    def __call__(self, *args, **kwargs):
        return self.reach(lambda module: module(*args, **kwargs))

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        if name.isdigit():
            return self[int(name)]
        method = getattr(self.__class__, name, None)
        if getattr(method, "is_outside", False):
            return partial(method, self)
        seen = self.look(lambda module: self.seen(module, name))
        return seen() if isinstance(seen, partial) else seen

    def seen(self, module, name):
        """A field of the module: its parts are Bound themselves, its methods run with the variables."""
        value = getattr(module, name)
        if callable(getattr(type(module), name, None)) and not isinstance(value, nn.Module):
            return partial(lambda: lambda *args, **kwargs: self.reach(lambda m: getattr(m, name)(*args, **kwargs)))
        if isinstance(value, nn.Variable):
            return Slot(self, name)
        return self.bound(value, (*self.path, name))

    def bound(self, value, path):
        """The parts in a value as Bound."""
        if isinstance(value, nn.Module):
            return Bound(self.store, path)
        if isinstance(value, (list, tuple)) and each_part(value):
            parts = [self.bound(item, (*path, i)) for i, item in enumerate(value)]
            return ModuleList(parts, lambda index, part: self._take((*path, index), part))
        if isinstance(value, Mapping) and each_part(value):
            parts = {key: self.bound(item, (*path, key)) for key, item in value.items()}
            return ModuleDict(parts, lambda key, part: self._take((*path, key), part))
        return value

    @property
    def __class__(self):
        return type(self.store.owner) if not self.path else self.look(type)

    def __setattr__(self, name, value):
        if name.isdigit():
            self[int(name)] = value
            return
        found, place = getattr(self.__class__, name, None), self.look(lambda module: place_of(module, name))
        if isinstance(found, property) and (place is None or found.fset is not None):  # others read a variable
            self._set_property(name, found, value)
            return
        way = (*self.path, name)
        if is_bound(value):
            self._take(way, value)
            return
        if self.look(lambda module: name in getattr(type(module), "computed", ())):
            return  # as in torch, where each call computes it anew
        if place is not None:
            self.put(place, value if isinstance(value, jax.Array) else jnp.asarray(value, self.get(place).dtype))
        elif isinstance(value, (bool, int, float, str)) or value is None or is_function(value):
            self._set(way, value)
        else:
            raise AttributeError(f"{name} is no parameter and no buffer: Linen modules keep what they were made with")

    def _set_property(self, name, found, value):
        """Run the setter of a property with the variables, which keep what it changes."""
        if found.fset is None:
            raise AttributeError(f"property {name!r} of {self.__class__.__name__!r} object has no setter")
        self.reach(lambda module: found.fset(module, value))

    def _set(self, way, value):
        """Give a field, or a place in what it holds, another value than a module: the part that was there is gone."""
        store, (*path, name) = self.store, way
        self._vacate(way)
        store.settings = (*store.settings, (tuple(path), name, value))

    def _vacate(self, way):
        """Forget what was set in a place, and the variables, modes and frozen parameters of the part that was there."""
        store, number = self.store, len(way)
        place = self._look_at_root(lambda root: scopes_at(root, way))
        store.settings = tuple(item for item in store.settings if (*item[0], item[1])[:number] != way)
        if place is None:
            return
        variables = store.arrays["variables"]
        for kind in variables:
            variables = {**variables, kind: put_in(variables[kind], place, {})}
        store.arrays = {**store.arrays, "variables": variables}
        store.modes = tuple(entry for entry in store.modes if entry[0][: len(place)] != place)
        store.frozen = frozenset(entry for entry in store.frozen if entry[: len(place)] != place)

    def _take(self, way, model):
        """Put a model in a place: it becomes a part, with the variables, the modes and the frozen parameters that it has."""
        if not is_bound(model):
            self._set(way, model)
            return
        if model.path:
            raise NotImplementedError(A_PART_TWICE)
        store, inner, (*path, name) = self.store, model.store, way
        owner, scope = self._look_at_root(lambda root: new_scope(root, way))
        self._vacate(way)
        place = (*owner, scope)
        inside = (((*way, *below), field, value) for below, field, value in inner.settings)
        store.settings = (*store.settings, (tuple(path), name, NewPart(inner.owner, scope)), *inside)
        variables = store.arrays["variables"]
        for kind, values in inner.arrays["variables"].items():
            variables = {**variables, kind: put_in(variables.get(kind, {}), place, values)}
        store.arrays = {**store.arrays, "variables": variables}
        store.modes = (*store.modes, *(((*place, *below), mode) for below, mode in inner.modes))
        store.frozen = store.frozen | {(*place, *below) for below in inner.frozen}
        inner.outer = (store, way)

    def get(self, place):
        """The array of a variable: `place` is its collection, and the names on the way to it."""
        value = self.store.arrays["variables"]
        for name in place:
            value = value[name]
        return value

    def put(self, place, value):
        """Give a variable another array."""
        variables = replaced(self.store.arrays["variables"], place, value)
        self.store.arrays = {**self.store.arrays, "variables": variables}

    @property
    def scope_path(self):
        """The names of the scopes in which the variables of a part lie."""
        return self.look(lambda module: module.path) if self.path else ()

    @property
    def params(self):
        """The trained parameters, as Optax takes them."""
        found = self.store.arrays["variables"].get("params", {})
        for name in self.scope_path:
            found = found.get(name, {})
        return trained_only(found, self.store.frozen, self.scope_path) if self.store.frozen else found

    def __repr__(self):
        return self.look(repr)

    def __str__(self):
        return self.look(str)

    def __len__(self):
        return self.look(len)

    def __getitem__(self, index):
        if isinstance(index, slice):
            return Sliced(self[i] for i in range(len(self))[index])
        return Bound(self.store, self._way_to(index))

    def __setitem__(self, index, part):
        self._take(self._way_to(index), part)

    def _way_to(self, index):
        """The way to one of the parts of a sequence."""
        return (*self.path, *self.look(lambda module: way_to_item(module, range(len(module))[index])))

    def __iter__(self):
        return (self[i] for i in range(len(self)))

    def __reduce_ex__(self, protocol):
        return Bound, self._at

    def __deepcopy__(self, memo):
        store = self.store
        copied = Store(store.arrays, store.owner, store.modes, store.settings, store.frozen)
        return Bound(memo.setdefault(id(store), copied), self.path)

    def train(self, mode=True):
        """torch's train: dropout drops, and statistics are those of batches."""
        store, own = self.store, self.scope_path
        others = tuple(entry for entry in store.modes if entry[0][: len(own)] != own)
        store.modes = (*others, (own, mode))
        return self

    def eval(self):
        """torch's eval: nothing drops, and statistics are the running ones."""
        return self.train(False)

    @property
    def training(self):
        """torch's `model.training`."""
        return mode_at(self.store.modes, self.scope_path)


class Parts:
    """What lists and dicts of parts have in common: they have modes as modules do."""

    def train(self, mode=True):
        """torch's train, of all parts."""
        for _, part in each_part(self):
            part.train(mode)
        return self

    def eval(self):
        """torch's eval, of all parts."""
        return self.train(False)


@jax.tree_util.register_pytree_node_class
class ModuleList(Parts, list):
    """torch.nn.ModuleList of a model: a part that is put there becomes a part of the model."""

    def __init__(self, parts, take):
        super().__init__(parts)
        self.take = take

    def __setitem__(self, index, part):
        index = range(len(self))[index]
        self.take(index, part)
        super().__setitem__(index, part)

    def __setattr__(self, name, value):
        if name.isdigit():
            self[int(name)] = value
        else:
            super().__setattr__(name, value)

    def append(self, part):
        self.take(len(self), part)
        super().append(part)

    def __reduce_ex__(self, protocol):
        return list, (list(self),)

    def tree_flatten(self):
        return tuple(self), None

    @classmethod
    def tree_unflatten(cls, _, parts):
        return list(parts)


@jax.tree_util.register_pytree_node_class
class ModuleDict(Parts, dict):
    """torch.nn.ModuleDict of a model: a part that is put there becomes a part of the model."""

    def __init__(self, parts, take):
        super().__init__(parts)
        vars(self)["take"] = take

    def __setattr__(self, name, value):
        if name in self:
            self[name] = value
        else:
            super().__setattr__(name, value)

    def __setitem__(self, key, part):
        self.take(key, part)
        super().__setitem__(key, part)

    def __reduce_ex__(self, protocol):
        return dict, (dict(self),)

    def tree_flatten(self):
        return tuple(self.values()), tuple(self)

    @classmethod
    def tree_unflatten(cls, keys, parts):
        return dict(zip(keys, parts))


class Sliced(list):
    """Some layers of a sequence, or of a list, in a model: called one after the other."""

    def __call__(self, x):
        for layer in self:
            x = layer(x)
        return x


def outside(method):
    """A method that is given the model that it is called on, with its variables, and may change all of it."""
    method.nowrap = method.is_outside = True
    return method


def as_model(model, grads):
    """A model that holds the gradients of another one in the places of its parameters."""
    holder = copy.deepcopy(model)
    holder.put(("params", *holder.scope_path), grads)
    return holder


class Slot:
    """A variable of a Bound that changes when the module is called: `model.count.value`."""

    def __init__(self, model, name):
        self.model, self.name = model, name

    @property
    def value(self):
        """Its array as it is now."""
        return self.model.get(self.model.look(lambda module: place_of(module, self.name)))

    @value.setter
    def value(self, value):
        self.model.put(self.model.look(lambda module: place_of(module, self.name)), value)


def place_of(module, name):
    """Where the variables of a model have that of a module by that name: its collection and the names of scopes."""
    if name in vars(module).get("_tied", {}):
        return place_of(*vars(module)["_tied"][name])
    found = [kind for kind, values in module.variables.items() if name in values and not hasattr(values[name], "items")]
    return (found[0], *module.path, name) if found else None


def set_variable(module, name, value):
    """Give a parameter or buffer of a module another value, also while its model gets its first variables."""
    if is_bound(module):
        setattr(module, name, value)
        return
    if name in getattr(type(module), "computed", ()):
        return
    module._try_setup()
    owner, name = vars(module).get("_tied", {}).get(name, (module, name))
    for user, field in ((owner, name), *vars(owner).get("_users", {}).get(name, ())):
        if field in vars(user) and not isinstance(vars(user)[field], nn.Variable):  # which reads what is put below
            vars(user)[field] = value
    kind = place_of(owner, name)[0]
    is_array = isinstance(value, jax.Array)
    owner.put_variable(kind, name, value if is_array else jnp.asarray(value, owner.get_variable(kind, name).dtype))


def tie(module, name, other, other_name):
    """`module.name = other.other_name`: a module uses a parameter of another one in the place of its own."""
    module._try_setup()
    other._try_setup()
    owner, owner_name = vars(other).get("_tied", {}).get(other_name, (other, other_name))
    vars(module).setdefault("_tied", {})[name] = (owner, owner_name)
    users = vars(owner).setdefault("_users", {})
    users[owner_name] = (*users.get(owner_name, ()), (module, name))
    vars(module)[name] = getattr(other, other_name)


def replaced(tree, path, value):
    """A copy of nested dicts with another value at a path."""
    return {**tree, path[0]: replaced(tree[path[0]], path[1:], value)} if path else value


def put_in(tree, path, value):
    """A copy of nested dicts with other dicts at a path, which may not be there yet; with none, nothing is there."""
    if not path:
        return value
    inner = put_in(tree.get(path[0], {}), path[1:], value)
    return {**{name: item for name, item in tree.items() if name != path[0]}, **({path[0]: inner} if inner else {})}


def kept_of(found, place, had):
    """Nested dicts without what others, which lie at a place in them, do not have: variables of parts that a model has no more."""
    if place:
        return put_in(found, place[:1], kept_of(found.get(place[0], {}), place[1:], had))
    inner = lambda name, value: kept_of(value, (), had[name]) if hasattr(value, "items") else value
    return {name: inner(name, value) for name, value in found.items() if name in had}


def way_to_item(module, index):
    """The way from a sequence to one of its parts."""
    return module.way_to_item(index) if hasattr(type(module), "way_to_item") else (index,)


def scopes_at(root, way):
    """The names of the scopes of a part; None where there is no part."""
    try:
        part = follow(root, way)
    except (AttributeError, IndexError, KeyError):
        return None
    return part.path if isinstance(part, nn.Module) else None


def new_scope(root, way):
    """The scopes of the module that gets a new part, and a name that is free there: Linen's own unless another part has it."""
    owner, rest = owner_of(root, way)
    name = "_".join(map(str, rest))
    taken = {part.path[-1] for field, part in parts_of(owner) if field != rest and part.path}
    others = (name, *(f"{name}_{number}" for number in range(1, len(taken) + 2)))
    return owner.path, next(other for other in others if other not in taken)


def trained_only(params, frozen, path):
    """The parameters in nested dicts, without those at places that are frozen."""
    inner = lambda name, value: trained_only(value, frozen, (*path, name)) if hasattr(value, "items") else value
    return {name: inner(name, value) for name, value in params.items() if (*path, name) not in frozen}


def frozen_at_start(module):
    """The places of parameters that a module, and its parts, say they do not train."""
    own = {place for find in vars(module).get("_frozen", ()) for place in find()}
    return own.union(*(frozen_at_start(part) for _, part in parts_of(module)))


def bind(module, key):
    """A Linen module with the variables that it starts from.

    Models that it was made with become parts of it, with the variables that they have. A layer that is a function has none."""
    if not isinstance(module, nn.Module) or is_bound(module):
        return module
    first, later = jax.random.split(key)
    module, held = as_definition(module)

    def start(scope):
        root = module.clone(parent=scope)
        parts = [field_at(root, path) for path, _ in held]
        for part, (_, model) in zip(parts, held):
            part.scope.flags = {**part.scope.flags, "initializing": False}
            for kind, values in jax.tree.map(lambda array: array, model.store.arrays["variables"]).items():
                for name, value in values.items():
                    part.scope.put_variable(kind, name, value)
        declare(root)
        return [(part.path, path_to(root, part)) for part in parts], frozen_at_start(root), scopes_of(root)

    run = apply(start, mutable=True, flags={"initializing": True})
    (places, frozen, scopes), variables = run({}, rngs={"params": first})
    given = tuple(names for names, path in places if path is not None)
    own = lambda kind, values: values if kind == "state" else within(values, scopes, given)  # states may be dicts
    variables = {kind: own(kind, values) for kind, values in plain_dicts(variables).items()}
    for (names, _), (_, model) in zip(places, held):
        for kind in variables:
            had = model.store.arrays["variables"].get(kind, {})
            variables[kind] = kept_of(variables[kind], names, had)
    store, modes = Store({"variables": variables, "key": later}, module), TRAINING
    for (names, path), (_, model) in zip(places, held):
        inner = model.store
        modes = (*modes, *(((*names, *below), mode) for below, mode in inner.modes))
        inner.outer = (store, path) if path is not None else None
        frozen |= {(*names, *place) for place in inner.frozen}
        inside = (((*path, *below), name, value) for below, name, value in inner.settings if path is not None)
        store.settings = (*store.settings, *inside)
    store.modes, store.frozen = modes, frozenset(frozen)
    return Bound(store)


def scopes_of(module):
    """The scopes of a module and of its parts, with those around them, by the names on the way to them."""
    own = {module.path[:length] for length in range(len(module.path) + 1)}
    return own.union(*(scopes_of(part) for _, part in parts_of(module)))


def within(variables, scopes, given, path=()):
    """Variables that are those of parts of a model, or of models that it is given: some modules are only there to be copied."""
    if path in given:
        return variables
    inner = lambda name, value: within(value, scopes, given, (*path, name)) if hasattr(value, "items") else value
    held = lambda name, value: (*path, name) in scopes or not hasattr(value, "items")
    return {name: inner(name, value) for name, value in variables.items() if held(name, value)}


A_PART_TWICE = "a part of a model becomes a part of another one, which would have variables of its own"


def as_definition(value, path=(), store=None, made=None):
    """A value with definitions in the places of the models that it holds, and those models with the ways to them.

    What two models were made of, one a copy of the other, becomes parts of their own; `made` has those of each `store`."""
    made = {} if made is None else made
    if is_bound(value):
        if value.path:
            raise NotImplementedError(A_PART_TWICE)
        return as_definition(value.store.owner, path, value.store, made)[0], [(path, value)]
    if isinstance(value, nn.Module):
        if (store, value._id) in made:
            return made[store, value._id], []
        names = [
            field.name for field in dataclasses.fields(value) if field.init and field.name not in ("parent", "name")
        ]
        fields = {name: as_definition(getattr(value, name), (*path, name), store, made) for name in names}
        made[store, value._id] = value.clone(**{name: definition for name, (definition, _) in fields.items()})
        return made[store, value._id], [found for _, inner in fields.values() for found in inner]
    if getattr(type(value), "holds_arguments", False):
        (args, kwargs), held = as_definition((value.args, value.kwargs), path, store, made)
        return type(value)(args, kwargs), held
    if isinstance(value, (list, tuple)) or type(value) in (dict, OrderedDict):
        pairs = list(value.items() if isinstance(value, dict) else enumerate(value))
        items = [as_definition(item, (*path, key), store, made) for key, item in pairs]
        held = [found for _, inner in items for found in inner]
        definitions = [definition for definition, _ in items]
        if all(definition is item for definition, (_, item) in zip(definitions, pairs)):
            return value, held
        return type(value)(zip(value, definitions) if isinstance(value, dict) else definitions), held
    return value, []


def field_at(module, path):
    """A module that another one was made with, before that makes its parts."""
    for step in path:
        if isinstance(module, nn.Module):
            module._try_setup(shallow=True)
        module = getattr(module, step) if isinstance(module, nn.Module) else module[step]
    return module


def path_to(module, part):
    """The fields, indices and keys on the way from a module to a part of it."""
    if module is part:
        return ()
    for path, other in parts_of(module):
        if (rest := path_to(other, part)) is not None:
            return (*path, *rest)
    return None


class Sequential(nn.Module):
    """torch.nn.Sequential: layers and functions, one after the other."""

    layers: tuple
    unnamed = ("layers",)  # torch's names of parameters leave it out

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def __len__(self):
        return len(self.layers)

    def way_to_item(self, index):
        """The field and the index of a layer."""
        return ("layers", index)

    def __getitem__(self, index):
        found = self.layers[index]
        return Sequential(found, parent=None) if isinstance(index, slice) else found

    def __iter__(self):
        return iter(self.layers)


class NamedSequential(MadeWith):
    """torch.nn.Sequential of an OrderedDict: a sequence whose layers have names."""

    def setup_with(self, layers):
        self.order = tuple(layers)
        for name, layer in layers.items():
            setattr(self, name, layer)

    def __call__(self, x):
        for layer in self:
            x = layer(x)
        return x

    def __len__(self):
        return len(self.order)

    def way_to_item(self, index):
        """The field of a layer."""
        return (self.order[index],)

    def __getitem__(self, index):
        if isinstance(index, slice):
            return Sequential([getattr(self, name) for name in self.order[index]], parent=None)
        return getattr(self, self.order[index])

    def __iter__(self):
        return (getattr(self, name) for name in self.order)


class Identity(nn.Module):
    """torch.nn.Identity: a module, since it often takes the place of one."""

    def __call__(self, x):
        return x
