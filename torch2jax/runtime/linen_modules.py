"""Flax Linen modules with their variables: what translations call, train and save as torch does its models."""

import copy
from functools import partial

import jax
import jax.numpy as jnp
from flax import linen as nn
from flax.core import unfreeze


def is_training(module):
    """torch's `module.training`: whether statistics of batches may be changed by this call of `apply`."""
    return module.is_mutable_collection("batch_stats")


def each_part(value, path=()):
    """`(path, module)` of the modules that a field of a module holds, in lists and dicts too."""
    if isinstance(value, nn.Module):
        return [(path, value)]
    pairs = enumerate(value) if isinstance(value, (list, tuple)) else value.items() if hasattr(value, "items") else ()
    return [found for key, item in pairs for found in each_part(item, (*path, key))]


def parts_of(module):
    """`(path, module)` of the direct parts of a module that has a scope, in the order in which `setup` makes them."""
    module._try_setup()
    held = [(name, value) for name, value in vars(module).items() if name not in ("parent", "name", "scope")]
    return [found for name, value in held if name[0] != "_" for found in each_part(value, (name,))]


def declare(module):
    """Make all parameters and buffers of a module, which Linen does where a module is first used."""
    for _, part in parts_of(module):
        declare(part)


def follow(module, path):
    """The part of a module at a path of fields, indices and keys."""
    for step in path:
        module = getattr(module, step) if isinstance(step, str) and isinstance(module, nn.Module) else module[step]
    return module


class Store:
    """The variables of a model, or the state of an optimizer: arrays that change, beside what they belong to."""

    def __init__(self, arrays, owner, training=True):
        self.arrays, self.owner, self.training = arrays, owner, training


class Bound:
    """A Linen module with its variables, or a part of it: called as torch's modules are, it keeps the changes of its state."""

    def __init__(self, store, path=()):
        vars(self).update(store=store, path=path)

    def reach(self, function, *args, **kwargs):
        """`function(part, ...)` with the part of the module that this is, while that has its variables."""
        store, dropout, noise = self.store, *jax.random.split(self.store.arrays["key"])
        arrays = store.arrays["variables"]
        kept = [name for name in ("batch_stats", "buffers", "state") if store.training or name != "batch_stats"]
        run = lambda root: (declare(root), function(follow(root, self.path), *args, **kwargs))[1]
        rngs = {"dropout": dropout, "noise": noise}
        result, changed = store.owner.apply(arrays, rngs=rngs, mutable=kept, method=run)
        store.arrays = {"variables": {**arrays, **unfreeze(changed)}, "key": jax.random.fold_in(store.arrays["key"], 1)}
        return result

    def look(self, function):
        """What a function says of the module, which draws nothing and changes nothing."""
        run = lambda root: (declare(root), function(follow(root, self.path)))[1]
        return self.store.owner.apply(self.store.arrays["variables"], method=run)

    def __call__(self, *args, **kwargs):
        return self.reach(lambda module: module(*args, **kwargs))

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
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
            return [self.bound(item, (*path, i)) for i, item in enumerate(value)]
        if hasattr(value, "items") and each_part(value):
            return {key: self.bound(item, (*path, key)) for key, item in value.items()}
        return value

    @property
    def __class__(self):
        return type(self.store.owner) if not self.path else self.look(type)

    def is_mutable_collection(self, name):
        """Whether calls may change variables of that kind: statistics of batches in training only."""
        return self.store.training or name != "batch_stats"

    def __setattr__(self, name, value):
        if name == "training":
            self.store.training = value
            return
        place = self.look(lambda module: place_of(module, name))
        if place is None:
            raise AttributeError(f"{name} is no parameter and no buffer: Linen modules keep what they were made with")
        self.put(place, jnp.asarray(value, self.get(place).dtype))

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
        return found

    def __len__(self):
        return self.look(len)

    def __getitem__(self, index):
        if isinstance(index, slice):
            return [self[i] for i in range(len(self))[index]]
        return Bound(self.store, (*self.path, range(len(self))[index]))

    def __iter__(self):
        return (self[i] for i in range(len(self)))

    def __deepcopy__(self, memo):
        store = memo.setdefault(id(self.store), copy.copy(self.store))
        return Bound(store, self.path)

    def train(self, mode=True):
        """torch's train: dropout drops, and statistics are those of batches."""
        if self.path:
            raise NotImplementedError("the mode of a part of a Linen module is that of the whole")
        self.store.training = mode
        return self

    def eval(self):
        """torch's eval: nothing drops, and statistics are the running ones."""
        return self.train(False)

    @property
    def training(self):
        """torch's `model.training`."""
        return self.store.training


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
    if type(module) is Bound:
        setattr(module, name, value)
        return
    module._try_setup()
    if name in vars(module):
        vars(module)[name] = value
    owner, name = vars(module).get("_tied", {}).get(name, (module, name))
    kind = place_of(owner, name)[0]
    owner.put_variable(kind, name, jnp.asarray(value, owner.get_variable(kind, name).dtype))


def tie(module, name, other, other_name):
    """`module.name = other.other_name`: a module uses a parameter of another one in the place of its own."""
    module._try_setup()
    other._try_setup()
    vars(module).setdefault("_tied", {})[name] = (other, other_name)
    vars(module)[name] = getattr(other, other_name)


def replaced(tree, path, value):
    """A copy of nested dicts with another value at a path."""
    return {**tree, path[0]: replaced(tree[path[0]], path[1:], value)} if path else value


def bind(module, key):
    """A Linen module with the variables that it starts from."""
    first, later = jax.random.split(key)
    variables = module.init({"params": first}, method=declare)
    return Bound(Store({"variables": unfreeze(variables), "key": later}, module))


class Sequential(nn.Module):
    """torch.nn.Sequential: layers and functions, one after the other."""

    layers: tuple

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def __len__(self):
        return len(self.layers)

    def __getitem__(self, index):
        return self.layers[index]

    def __iter__(self):
        return iter(self.layers)


class Identity(nn.Module):
    """torch.nn.Identity: a module, since it often takes the place of one."""

    def __call__(self, x):
        return x
