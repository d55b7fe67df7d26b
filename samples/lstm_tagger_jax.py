"""Tag the tokens of padded sequences with a bidirectional LSTM."""

import collections.abc
import dataclasses
import inspect
import itertools
import math
import random
from collections import OrderedDict

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax

PAD = 0
IGNORE = -100


class ToySentences:
    """Random token sequences; the tag of a token says how it compares with its neighbours."""

    def __init__(self, num_sentences, vocab_size, seed):
        rng = random.Random(seed)
        self.sentences = [
            [rng.randint(1, vocab_size - 1) for _ in range(rng.randint(3, 9))] for _ in range(num_sentences)
        ]

    def __len__(self):
        return len(self.sentences)

    def __getitem__(self, index):
        tokens = self.sentences[index]
        tags = []
        for i, token in enumerate(tokens):
            left = tokens[i - 1] if i > 0 else 0
            right = tokens[i + 1] if i + 1 < len(tokens) else 0
            tags.append(int(token > left) + int(token > right))
        return tokens, tags


def collate(batch):
    """Pad the sequences of a batch to a common length."""
    longest = max(len(tokens) for tokens, _ in batch)
    inputs = jnp.full((len(batch), longest), PAD, dtype=int)
    targets = jnp.full((len(batch), longest), IGNORE, dtype=int)
    for row, (tokens, tags) in enumerate(batch):
        inputs = inputs.at[row, : len(tokens)].set(jnp.array(tokens))
        targets = targets.at[row, : len(tags)].set(jnp.array(tags))
    return inputs, targets


# --- torch2jax support -------------------------------------------------------------------------


def torch_dropout(x, p=0.5, *, key):
    """torch.nn.functional.dropout: `p` is the probability of dropping an entry."""
    if p == 0:
        return x
    return jnp.zeros_like(x) if p == 1 else jnp.where(jax.random.bernoulli(key, 1 - p, x.shape), x / (1 - p), 0)


def split_key(key, num):
    """`num` new keys, or as many `None` where there is no key (inference)."""
    return [None] * num if key is None else jax.random.split(key, num)


class PaddedEmbedding(eqx.nn.Embedding):
    """torch.nn.Embedding with `padding_idx`: that row starts at zero and gets no gradient."""

    padding_idx: int = eqx.field(static=True)

    def __init__(self, num_embeddings, embedding_dim, padding_idx, dtype=None, *, key):
        super().__init__(num_embeddings, embedding_dim, dtype=dtype, key=key)
        self.padding_idx = padding_idx % num_embeddings
        self.weight = self.weight.at[self.padding_idx].set(0)

    def __call__(self, x, *, key=None):
        frozen = jax.lax.stop_gradient(self.weight[self.padding_idx])
        return self.weight.at[self.padding_idx].set(frozen)[x]


@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class PackedSequence:
    """torch.nn.utils.rnn.PackedSequence with its sequences side by side: `padded` is (time, batch, ...), in the given order."""

    padded: jax.Array
    lengths: jax.Array

    @property
    def sorted_indices(self):
        """Which sequence comes first in torch's order: longer ones first."""
        return np.argsort(-np.asarray(self.lengths), kind="stable")

    @property
    def unsorted_indices(self):
        """Where in that order each sequence is."""
        return np.argsort(self.sorted_indices)

    @property
    def batch_sizes(self):
        """How many sequences have each step."""
        return (np.arange(self.padded.shape[0])[:, None] < np.asarray(self.lengths)).sum(1)

    @property
    def data(self):
        """The valid steps one after the other, as torch keeps them: step by step, longer sequences first."""
        valid = np.arange(self.padded.shape[0])[:, None] < np.asarray(self.lengths)[self.sorted_indices]
        return self.padded[:, self.sorted_indices][valid]


def lstm_step(carry, gates_x, weight_hh, bias_hh, weight_hr=None):
    """One step of torch's LSTM (gates i, f, g, o): the new `(h, c)`; `weight_hr` projects `h`."""
    h, c = carry
    i, f, g, o = jnp.split(gates_x + h @ weight_hh.T + bias_hh, 4, axis=-1)
    c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
    h = jax.nn.sigmoid(o) * jnp.tanh(c)
    return h if weight_hr is None else h @ weight_hr.T, c


def scan_direction(step, x, carry, weights, reverse, lengths=None):
    """Run `step` over `x` (time, batch, features): outputs of all steps and the last carry.

    With `lengths`, a sequence's carry stays as it is outside of its steps, where the output is 0."""
    weight_ih, weight_hh = weights["weight_ih"], weights["weight_hh"]
    bias_ih, bias_hh = weights.get("bias_ih", 0.0), weights.get("bias_hh", 0.0)
    rest = [weights["weight_hr"]] if "weight_hr" in weights else []

    def body(carry, given):
        gates_x, time = given
        new = step(carry, gates_x, weight_hh, bias_hh, *rest)
        if lengths is None:
            return new, new[0]
        valid = (time < lengths)[:, None]
        return tuple(jnp.where(valid, a, b) for a, b in zip(new, carry)), jnp.where(valid, new[0], 0)

    steps = (x @ weight_ih.T + bias_ih, jnp.arange(x.shape[0]))
    carry, outputs = jax.lax.scan(body, carry, steps, reverse=reverse)
    return outputs, carry


def layer_suffixes(num_layers, bidirectional):
    """torch's suffixes of the weights of recurrent layers, layer by layer: `_l0`, `_l0_reverse`, `_l1`, ..."""
    directions = ("", "_reverse") if bidirectional else ("",)
    return [[f"_l{layer}{direction}" for direction in directions] for layer in range(num_layers)]


def weight_shapes(gates, input_size, hidden_size, suffixes, bias=True, proj_size=0):
    """The shapes of all weights of recurrent layers by their names, in torch's order."""
    rows, size, found = gates * hidden_size, proj_size or hidden_size, {}
    for layer, names in enumerate(suffixes):
        width = input_size if layer == 0 else size * len(names)
        for suffix in names:
            shapes = {"weight_ih": (rows, width), "weight_hh": (rows, size)}
            shapes |= {"bias_ih": (rows,), "bias_hh": (rows,)} if bias else {}
            shapes |= {"weight_hr": (proj_size, hidden_size)} if proj_size else {}
            found |= {name + suffix: shape for name, shape in shapes.items()}
    return found


def initial_carry(x, count, size, batch_first=False):
    """torch's hidden state for the input `x` where none is given: zeros."""
    time_first = hasattr(x, "lengths") or not batch_first or x.ndim == 2
    x = getattr(x, "padded", x)
    batch = x.shape[1:-1] if time_first else x.shape[:1]
    return jnp.zeros((count, *batch, size), x.dtype)


def run_recurrent(step, x, carry, weights, suffixes, batch_first=False, dropout_p=0, key=None):
    """Recurrent layers over `x`, a batch, a single sequence or a PackedSequence: outputs, and the last carry."""
    run = lambda x, carry, lengths=None: run_layers(step, x, carry, weights, suffixes, dropout_p, key, lengths)
    if hasattr(x, "lengths"):
        y, carry = run(x.padded, carry, x.lengths)
        return PackedSequence(y, x.lengths), carry
    if x.ndim == 2:
        y, carry = run(x[:, None], tuple(c[:, None] for c in carry))
        return y[:, 0], tuple(c[:, 0] for c in carry)
    y, carry = run(x.swapaxes(0, 1) if batch_first else x, carry)
    return y.swapaxes(0, 1) if batch_first else y, carry


def run_layers(step, x, carry, weights, suffixes, dropout_p, key, lengths=None):
    """Recurrent layers over `x` (time, batch, features), with dropout between them."""
    finals = []
    for layer, (directions, subkey) in enumerate(zip(suffixes, split_key(key, len(suffixes)))):
        if layer and dropout_p:
            x = torch_dropout(x, dropout_p, key=subkey)
        outputs = []
        for direction, suffix in enumerate(directions):
            names = ("weight_ih", "weight_hh", "bias_ih", "bias_hh", "weight_hr")
            own = {name: weights[name + suffix] for name in names if name + suffix in weights}
            start = tuple(c[layer * len(directions) + direction] for c in carry)
            output, final = scan_direction(step, x, start, own, direction == 1, lengths)
            outputs.append(output)
            finals.append(final)
        x = jnp.concatenate(outputs, axis=-1)
    return x, tuple(jnp.stack(c) for c in zip(*finals))


class Recurrent(eqx.Module):
    """What LSTM, GRU and RNN share: layers and directions, dropout between layers, torch's layout of states."""

    weights: OrderedDict[str, jax.Array] = eqx.field(metadata={"torch_name": ""})
    input_size: int = eqx.field(static=True)
    hidden_size: int = eqx.field(static=True)
    num_layers: int = eqx.field(static=True)
    batch_first: bool = eqx.field(static=True)
    dropout: float = eqx.field(static=True)
    bidirectional: bool = eqx.field(static=True)
    proj_size: int = eqx.field(static=True)
    inference: bool

    def __init__(
        self,
        gates,
        input_size,
        hidden_size,
        num_layers=1,
        bias=True,
        batch_first=False,
        dropout=0.0,
        bidirectional=False,
        proj_size=0,
        *,
        key,
    ):
        self.input_size, self.hidden_size, self.proj_size = input_size, hidden_size, proj_size
        self.num_layers, self.batch_first = num_layers, batch_first
        self.dropout, self.bidirectional, self.inference = dropout, bidirectional, False
        limit, self.weights = 1 / math.sqrt(hidden_size), OrderedDict()
        for name, shape in weight_shapes(gates, input_size, hidden_size, self.suffixes(), bias, proj_size).items():
            key, subkey = jax.random.split(key)
            self.weights[name] = jax.random.uniform(subkey, shape, minval=-limit, maxval=limit)

    def __getattr__(self, name):
        if name in vars(self).get("weights", ()):
            return self.weights[name]
        raise AttributeError(name)

    def suffixes(self):
        """torch's suffixes of the weights, layer by layer: `_l0`, `_l0_reverse`, `_l1`, ..."""
        return layer_suffixes(self.num_layers, self.bidirectional)

    def run(self, step, x, carry, key=None):
        """All layers over `x`; carries are (layers * directions, batch, size)."""
        rate = 0 if self.inference else self.dropout
        return run_recurrent(step, x, carry, self.weights, self.suffixes(), self.batch_first, rate, key)

    def zeros(self, x, size=0):
        """The initial hidden state for the input `x`."""
        count = self.num_layers * (1 + self.bidirectional)
        return initial_carry(x, count, size or self.hidden_size, self.batch_first)


class LSTM(Recurrent):
    """torch.nn.LSTM: `y, (h, c) = layer(x, (h, c))`."""

    def __init__(self, *args, key, **kwargs):
        super().__init__(4, *args, key=key, **kwargs)

    def __call__(self, x, hx=None, *, key=None):
        start = (self.zeros(x, self.proj_size), self.zeros(x)) if hx is None else tuple(hx)
        return self.run(lstm_step, x, start, key)


class LSTMTagger(eqx.Module):
    embedding: PaddedEmbedding
    dropout: eqx.nn.Dropout
    lstm: LSTM
    classifier: eqx.nn.Linear

    def __init__(self, vocab_size, num_tags, embedding_dim=16, hidden_dim=24, dropout=0.1, *, key):
        embedding_key, lstm_key, classifier_key = jax.random.split(key, 3)
        self.embedding = PaddedEmbedding(vocab_size, embedding_dim, padding_idx=PAD, key=embedding_key)
        self.dropout = eqx.nn.Dropout(dropout)
        self.lstm = LSTM(embedding_dim, hidden_dim, num_layers=2, batch_first=True, bidirectional=True, key=lstm_key)
        self.classifier = eqx.nn.Linear(2 * hidden_dim, num_tags, key=classifier_key)

    def __call__(self, tokens, *, key=None):
        dropout_key, dropout_key_1 = split_key(key, 2)
        embedded = self.dropout(batched(self.embedding)(tokens), key=dropout_key)
        output, (h_n, c_n) = self.lstm(embedded)  # (B, T, 2H)
        return batched(self.classifier)(self.dropout(output, key=dropout_key_1))


@eqx.filter_jit
def train_step(optimizer, model, opt_state, inputs, criterion, targets, *, key):
    def loss_fn(model):
        logits = model(inputs, key=key)
        return criterion(logits.reshape(-1, logits.shape[-1]), targets.reshape(-1))

    loss, grads = eqx.filter_value_and_grad(loss_fn)(model)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), opt_state, loss


def train_epoch(model, loader, optimizer, opt_state, criterion, *, key):
    """Returns the loss of every step."""
    model = eqx.nn.inference_mode(model, value=False)
    losses = []
    for inputs, targets in loader:
        key, subkey = jax.random.split(key)
        model, opt_state, loss = train_step(optimizer, model, opt_state, inputs, criterion, targets, key=subkey)
        losses.append(loss.item())
    return model, opt_state, losses


@eqx.filter_jit
def accuracy_step(model, inputs, targets):
    predictions = model(inputs).argmax(axis=2)
    mask = targets != IGNORE
    return ((predictions == targets) & mask).sum(), mask.sum()


def accuracy(model, loader):
    """Share of real (not padding) tokens with the right tag."""
    model = eqx.nn.inference_mode(model)
    correct = total = 0
    for inputs, targets in loader:
        batch_correct, batch_total = accuracy_step(model, inputs, targets)
        correct += batch_correct.item()
        total += batch_total.item()
    return correct / total


def main():
    key = jax.random.key(7)
    seed_host_rng(7)
    vocab_size, num_tags = 20, 3
    train_loader = DataLoader(
        ToySentences(120, vocab_size, seed=0), batch_size=20, shuffle=True, collate_fn=collate
    )
    test_loader = DataLoader(ToySentences(40, vocab_size, seed=1), batch_size=20, collate_fn=collate)

    key, subkey = jax.random.split(key)
    model = LSTMTagger(vocab_size, num_tags, key=subkey)
    num_params = sum(p.size for p in jax.tree.leaves(eqx.filter(model, eqx.is_inexact_array)))
    print(f"{num_params} parameters")
    criterion = cross_entropy
    optimizer = optax.adam(0.01)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))

    losses = []
    for epoch in range(5):
        key, subkey = jax.random.split(key)
        model, opt_state, epoch_losses = train_epoch(model, train_loader, optimizer, opt_state, criterion, key=subkey)
        losses.extend(epoch_losses)
        mean = sum(epoch_losses) / len(epoch_losses)
        print(f"epoch {epoch}: loss {mean:.4f}, accuracy {accuracy(model, test_loader):.3f}")
    return losses


# --- torch2jax support -------------------------------------------------------------------------


def example_ndim(layer, x):
    """How many trailing axes of `x` are one example of an Equinox layer; None for whatever takes the whole batch."""
    if not isinstance(layer, eqx.Module) or not type(layer).__call__.__module__.startswith("equinox."):
        return None
    match layer:
        case eqx.nn.Embedding():
            return 0
        case eqx.nn.Linear():
            return 1
        case eqx.nn.LayerNorm() | eqx.nn.RMSNorm():
            return len(layer.shape)
        case eqx.nn.GroupNorm():
            return x.ndim - 1
        case eqx.nn.Conv() | eqx.nn.ConvTranspose() | eqx.nn.Pool():
            return layer.num_spatial_dims + 1
        case eqx.nn.AdaptivePool():
            return len(layer.target_shape) + 1
    return None


def refuse_state(layer, *args, **kwargs):
    """Raise a TypeError for a module that keeps state, where none is passed."""
    signature = inspect.signature(layer)
    takes = signature.parameters.get("state")
    if takes and takes.default is takes.empty and "state" not in signature.bind_partial(*args, **kwargs).arguments:
        name = type(layer).__name__
        raise TypeError(
            f"{name} keeps state, which has to be passed with it and taken back: `y, state = model(x, state)`. "
            f"Annotate the parameter that holds the module with its class and translate again"
        )


def batched(layer):
    """Apply `layer` to a batch: Equinox's own layers over all leading axes (flattened: one matrix product), an
    `eqx.nn.Sequential` member by member, anything else as it is. With `state`, returns `(y, state)`."""

    def apply(x, *, key=None):
        if isinstance(layer, eqx.nn.Sequential) and type(layer).__call__ is eqx.nn.Sequential.__call__:
            for sublayer, subkey in zip(layer.layers, split_key(key, len(layer.layers))):
                x = batched(sublayer)(x, key=subkey)
            return x
        ndim = example_ndim(layer, x)
        if ndim is not None:
            leading, example = x.shape[: x.ndim - ndim], x.shape[x.ndim - ndim :]
            y = jax.vmap(layer)(x.reshape(math.prod(leading), *example))
            return y.reshape(*leading, *y.shape[1:])
        refuse_state(layer, x)
        draws = key is not None and "key" in inspect.signature(layer).parameters
        return layer(x, key=key) if draws else layer(x)

    return apply


def target_weights(targets, weight):
    """The class weight of every target; 0 where it is ignored."""
    keep = targets != -100
    return jnp.where(keep, jnp.take(weight, jnp.where(keep, targets, 0)), 0)


def nll_loss(log_probs, targets, weight=None):
    """torch.nn.functional.nll_loss: classes on axis 1; the mean divides by the weights of the targets that count."""
    log_probs = jnp.moveaxis(log_probs, min(1, log_probs.ndim - 1), -1)
    keep = targets != -100
    picked = jnp.take_along_axis(log_probs, jnp.where(keep, targets, 0)[..., None], axis=-1)[..., 0]
    if weight is None:
        loss, count = jnp.where(keep, -picked, 0), keep.sum(dtype=log_probs.dtype)
    else:
        weights = target_weights(targets, weight)
        loss, count = jnp.where(keep, -picked * weights, 0), weights.sum()
    return loss.sum() / count


def cross_entropy(logits, targets, weight=None):
    """torch.nn.functional.cross_entropy: classes on axis 1; `targets` are class indices or class probabilities."""
    axis = min(1, logits.ndim - 1)
    log_probs = jax.nn.log_softmax(logits, axis=axis)
    weighted = log_probs if weight is None else log_probs * weight.reshape((-1,) + (1,) * (logits.ndim - axis - 1))
    if jnp.issubdtype(targets.dtype, jnp.floating):
        return (-(weighted * targets).sum(axis)).mean()
    return nll_loss(log_probs, targets, weight)


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
