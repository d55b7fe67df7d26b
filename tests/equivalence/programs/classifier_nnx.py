"""Train a small classifier and report its accuracy."""

import collections
import collections.abc
import functools
import itertools
import math
import operator
import weakref

import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax import nnx


class MLP(nnx.Module):
    """Fully connected network with ReLU activations and dropout."""

    def __init__(self, input_dim: int, hidden_sizes=(64, 32), num_classes=10, p=0.1, *, rngs):
        layers = []
        prev_dim = input_dim
        for h in hidden_sizes:
            layers.append(Linear(prev_dim, h, rngs=rngs))
            layers.append(nnx.relu)
            layers.append(Dropout(p, rngs=rngs))
            prev_dim = h
        layers.append(Linear(prev_dim, num_classes, rngs=rngs))
        self.net = Sequential(*layers)

    def __call__(self, x):
        return self.net(x)


# --- torch2jax support -------------------------------------------------------------------------


def cached_jit(function, is_static=lambda leaf: False):
    """`nnx.jit`, which goes through modules and optimizers only where they are others than at its last call, or made of others."""
    compiled = functools.cache(lambda: Compiled(function, is_static))
    return functools.wraps(function)(lambda *args, **kwargs: compiled()(*args, **kwargs))


@cached_jit
def train_step(model, optimizer, x, y):
    def loss_fn(model):
        return cross_entropy(model(x), y)

    loss, grads = nnx.value_and_grad(loss_fn)(model)
    optimizer.update(model, grads)
    return loss


def train(model, loader, optimizer, device):
    """One pass over the data; returns the mean loss."""
    model.train()
    total = 0.0
    for x, y in loader:
        x, y = jax.device_put((x, y), device)
        loss = train_step(model, optimizer, x, y)
        total += loss.item()
    return total / len(loader)


@cached_jit
def evaluate_step(model, x, y):
    pred = model(x).argmax(axis=1)
    return (pred == y).sum()


def evaluate(model, loader, device):
    """Share of examples that the model classifies correctly."""
    model.eval()
    correct = 0
    for x, y in loader:
        correct += evaluate_step(model, x, y).item()
    return correct / len(loader.dataset)


def main():
    rngs = nnx.Rngs(0)
    seed_host_rng(0)
    device = jax.devices()[0]

    x = rngs.normal((512, 20))
    y = (x[:, :10].sum(axis=1) > 0).astype(int)
    dataset = ArrayDataset(x, y)
    train_loader = DataLoader(dataset, batch_size=64, shuffle=True)
    test_loader = DataLoader(dataset, batch_size=64)

    model = MLP(20, num_classes=2, rngs=rngs)
    optimizer = nnx.Optimizer(model, optax.adamw(1e-2, weight_decay=0.01), wrt=nnx.Param)
    for epoch in range(5):
        loss = train(model, train_loader, optimizer, device)
        accuracy = evaluate(model, test_loader, device)
        print(f"epoch {epoch}: loss {loss:.4f}, accuracy {accuracy:.3f}")


# --- torch2jax support -------------------------------------------------------------------------


def dropout(x, p=0.5, *, key, inference=False):
    """torch.nn.functional.dropout: `p` is the probability of dropping an entry."""
    if inference or p == 0:
        return x
    return jnp.zeros_like(x) if p == 1 else jnp.where(jax.random.bernoulli(key, 1 - p, x.shape), x / (1 - p), 0)


def linear(x, weight, bias=None):
    """torch.nn.functional.linear: `weight` is (out, in)."""
    y = x @ weight.T
    return y if bias is None else y + bias


def nll_loss(log_probs, targets):
    """torch.nn.functional.nll_loss: classes on axis 1; the mean divides by the weights of the targets that count."""
    log_probs = jnp.moveaxis(log_probs, min(1, log_probs.ndim - 1), -1)
    keep = targets != -100
    picked = jnp.take_along_axis(log_probs, jnp.where(keep, targets, 0)[..., None], axis=-1)[..., 0]
    loss, count = jnp.where(keep, -picked, 0), keep.sum(dtype=log_probs.dtype)
    return loss.sum() / count


def cross_entropy(logits, targets):
    """torch.nn.functional.cross_entropy: classes on axis 1; `targets` are class indices or class probabilities."""
    axis = min(1, logits.ndim - 1)
    log_probs = jax.nn.log_softmax(logits, axis=axis)
    if jnp.issubdtype(targets.dtype, jnp.floating):
        return (-(log_probs * targets).sum(axis)).mean()
    return nll_loss(log_probs, targets)


CHANGING = (list, tuple, set, frozenset, collections.deque)


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


class Drawing(nnx.Module):
    """What layers that draw in training share: a stream of keys of their own, and their mode."""

    def __init__(self, rngs):
        self.rngs, self.deterministic = rngs.dropout.fork(), False

    def key(self):
        """A key in training, None in evaluation, and where nothing is dropped."""
        return None if self.deterministic or getattr(self, "p", None) == 0 else self.rngs()


class Dropout(Drawing):
    """torch.nn.Dropout."""

    def __init__(self, p=0.5, *, rngs):
        super().__init__(rngs)
        self.p = p

    def __call__(self, x):
        return dropout(x, self.p, key=self.key(), inference=self.deterministic)


def uniform_param(rngs, shape, bound, dtype=None):
    """A parameter drawn uniformly from -bound to bound."""
    return nnx.Param(jax.random.uniform(rngs.params(), shape, dtype or float, -bound, bound))


def value_of(variable):
    """The array of a parameter or buffer; None for one that is absent."""
    return None if variable is None else variable[...]


class Linear(nnx.Module):
    """torch.nn.Linear: `weight` is (out, in)."""

    def __init__(self, in_features, out_features, bias=True, dtype=None, *, rngs):
        bound = 1 / math.sqrt(in_features) if in_features else 0
        self.weight = uniform_param(rngs, (out_features, in_features), bound, dtype)
        self.bias = uniform_param(rngs, (out_features,), bound, dtype) if bias else nnx.data(None)
        self.in_features, self.out_features = in_features, out_features

    def __call__(self, x):
        return linear(x, self.weight[...], value_of(self.bias))


class Sequential(nnx.List):
    """torch.nn.Sequential: a list of layers that is called with what the first one takes."""

    def __init__(self, *layers):
        super().__init__(layers)

    def __setitem__(self, index, layer):
        if isinstance(index, int):
            delattr(self, str(range(len(self))[index]))  # a function may give way to a module
        super().__setitem__(index, layer)

    def __getitem__(self, index):
        return Sequential(*super().__getitem__(index)) if isinstance(index, slice) else super().__getitem__(index)

    def __call__(self, x):
        for layer in self:
            x = layer(x)
        return x


host_rng = np.random.default_rng(0)  # what torch's global generator is to loaders and transforms


def seed_host_rng(seed):
    """torch.manual_seed, for what loaders, samplers and transforms draw."""
    host_rng.bit_generator.state = np.random.default_rng(seed % 2**64).bit_generator.state


def as_rng(generator):
    """NumPy's generator of random numbers: the one of the whole program for None, one from the next key of a sequence."""
    if generator is None:
        return host_rng
    if isinstance(generator, np.random.Generator):
        return generator
    return np.random.default_rng(int(jax.random.bits(next(generator))))


class ArrayDataset:
    """torch.utils.data.TensorDataset: tuples of rows taken from equally long arrays."""

    def __init__(self, *tensors):
        self.tensors = tuple(np.asarray(array) for array in tensors)
        if any(len(array) != len(self.tensors[0]) for array in self.tensors):
            raise ValueError("the arrays have different lengths")

    def __len__(self):
        return len(self.tensors[0])

    def __getitem__(self, index):
        return tuple(array[index] for array in self.tensors)


def default_collate(batch):
    """torch.utils.data.default_collate: stack arrays and numbers, keep strings in a list, go into dicts and tuples."""
    first = batch[0]
    if isinstance(first, (np.ndarray, np.generic, jax.Array, int, float)):
        return jax.numpy.asarray(np.stack([np.asarray(sample) for sample in batch]))
    if isinstance(first, (str, bytes)):
        return list(batch)
    if isinstance(first, collections.abc.Mapping):
        return {key: default_collate([sample[key] for sample in batch]) for key in first}
    if hasattr(first, "_fields"):
        return type(first)(*map(default_collate, zip(*batch)))
    if isinstance(first, collections.abc.Sequence):
        return [default_collate(members) for members in zip(*batch, strict=True)]
    raise TypeError(f"batches hold arrays, numbers, strings, dicts and lists, not {type(first)}")


class DataLoader:
    """torch.utils.data.DataLoader: batches of a dataset, in a new order at every pass where `shuffle` is set.

    The settings of worker processes and of pinned memory (`settings`) say nothing here."""

    def __init__(
        self, dataset, batch_size=1, shuffle=False, sampler=None, batch_sampler=None, num_workers=0, collate_fn=None,
        pin_memory=False, drop_last=False, timeout=0, worker_init_fn=None, multiprocessing_context=None,
        generator=None, **settings,
    ):  # fmt: skip
        self.dataset, self.batch_size, self.shuffle, self.sampler = dataset, batch_size, shuffle, sampler
        collates = batch_size is not None or batch_sampler is not None
        self.collate_fn = collate_fn or (default_collate if collates else lambda sample: sample)
        self.drop_last, self.generator = drop_last, generator
        self.batch_sampler, self.num_workers, self.worker_init_fn = batch_sampler, num_workers, worker_init_fn

    def __len__(self):
        if self.batch_sampler is not None:
            return len(self.batch_sampler)
        count, size = len(self.dataset if self.sampler is None else self.sampler), self.batch_size or 1
        return count // size if self.drop_last else -(-count // size)

    def positions(self):
        """The order of one pass."""
        if self.sampler is not None:
            return self.sampler
        count = len(self.dataset)
        return as_rng(self.generator).permutation(count).tolist() if self.shuffle else range(count)

    def batches(self):
        """The positions of each batch of one pass."""
        positions = iter(self.positions())
        batches = iter(lambda: list(itertools.islice(positions, self.batch_size)), [])
        return (batch for batch in batches if len(batch) == self.batch_size or not self.drop_last)

    def __iter__(self):
        if self.batch_size is None and self.batch_sampler is None:
            return (self.collate_fn(self.dataset[position]) for position in self.positions())
        batches = self.batches() if self.batch_sampler is None else self.batch_sampler
        return (self.collate_fn([self.dataset[position] for position in batch]) for batch in batches)


if __name__ == "__main__":
    main()
