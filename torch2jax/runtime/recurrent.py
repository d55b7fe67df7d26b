"""Recurrent layers of torch.nn, with torch's weights, on `jax.lax.scan`."""

import dataclasses
import math
from collections import OrderedDict

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from torch2jax.runtime.activations import dropout
from torch2jax.runtime.checks import stop_if
from torch2jax.runtime.functional import pad_sequence
from torch2jax.runtime.keys import split_key


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


def pack_padded_sequence(x, lengths, batch_first=False):
    """torch.nn.utils.rnn.pack_padded_sequence."""
    x, lengths = jnp.asarray(x), jnp.asarray(lengths)
    x = x.swapaxes(0, 1) if batch_first else x
    if not isinstance(lengths, jax.core.Tracer):
        x = x[: int(lengths.max())]
    return PackedSequence(x, lengths)


def pack_sequence(sequences):
    """torch.nn.utils.rnn.pack_sequence."""
    return PackedSequence(pad_sequence(sequences), jnp.array([len(x) for x in sequences]))


def pad_packed_sequence(packed, batch_first=False, padding_value=0.0, total_length=None):
    """torch.nn.utils.rnn.pad_packed_sequence: `(padded, lengths)`; while a function is traced, a batch must be as long as
    its longest sequence unless `total_length` is given."""
    x, lengths = packed.padded, packed.lengths
    if total_length is not None:
        x = jnp.pad(x[:total_length], [(0, max(0, total_length - x.shape[0]))] + [(0, 0)] * (x.ndim - 1))
    elif isinstance(lengths, jax.core.Tracer):
        message = "the padded batch is longer than its longest sequence: give `total_length` to pad_packed_sequence"
        stop_if(lengths.max() != x.shape[0], message)
    valid = jnp.arange(x.shape[0])[:, None] < lengths
    x = jnp.where(valid.reshape(*valid.shape, *(1,) * (x.ndim - 2)), x, padding_value)
    return x.swapaxes(0, 1) if batch_first else x, lengths


def unpad_sequence(x, lengths, batch_first=False):
    """torch.nn.utils.rnn.unpad_sequence: the list of sequences without their padding."""
    return [one[: int(length)] for one, length in zip(x if batch_first else x.swapaxes(0, 1), lengths)]


def unpack_sequence(packed):
    """torch.nn.utils.rnn.unpack_sequence: the list of sequences."""
    return unpad_sequence(packed.padded, packed.lengths)


def lstm_step(carry, gates_x, weight_hh, bias_hh, weight_hr=None):
    """One step of torch's LSTM (gates i, f, g, o): the new `(h, c)`; `weight_hr` projects `h`."""
    h, c = carry
    i, f, g, o = jnp.split(gates_x + h @ weight_hh.T + bias_hh, 4, axis=-1)
    c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
    h = jax.nn.sigmoid(o) * jnp.tanh(c)
    return h if weight_hr is None else h @ weight_hr.T, c


def gru_step(carry, gates_x, weight_hh, bias_hh):
    """One step of torch's GRU (gates r, z, n; the reset gate acts on the whole hidden term): the new `(h,)`."""
    (h,) = carry
    r_x, z_x, n_x = jnp.split(gates_x, 3, axis=-1)
    r_h, z_h, n_h = jnp.split(h @ weight_hh.T + bias_hh, 3, axis=-1)
    z = jax.nn.sigmoid(z_x + z_h)
    n = jnp.tanh(n_x + jax.nn.sigmoid(r_x + r_h) * n_h)
    return ((1 - z) * n + z * h,)


def tanh_step(carry, gates_x, weight_hh, bias_hh):
    """One step of torch's RNN with tanh: the new `(h,)`."""
    return (jnp.tanh(gates_x + carry[0] @ weight_hh.T + bias_hh),)


def relu_step(carry, gates_x, weight_hh, bias_hh):
    """One step of torch's RNN with relu: the new `(h,)`."""
    return (jax.nn.relu(gates_x + carry[0] @ weight_hh.T + bias_hh),)


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
            x = dropout(x, dropout_p, key=subkey)
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


def run_cell(step, x, carry, weight_ih, weight_hh, bias_ih, bias_hh):
    """One step of a recurrent cell from `carry`, with or without a batch axis."""
    gates_x = x @ weight_ih.T
    if bias_ih is None:
        return step(carry, gates_x, weight_hh, 0.0)
    return step(carry, gates_x + bias_ih, weight_hh, bias_hh)


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


class GRU(Recurrent):
    """torch.nn.GRU: `y, h = layer(x, h)`."""

    def __init__(self, *args, key, **kwargs):
        super().__init__(3, *args, key=key, **kwargs)

    def __call__(self, x, hx=None, *, key=None):
        y, (h,) = self.run(gru_step, x, (self.zeros(x) if hx is None else hx,), key)
        return y, h


class RNN(Recurrent):
    """torch.nn.RNN: `y, h = layer(x, h)`."""

    nonlinearity: str = eqx.field(static=True)

    def __init__(self, input_size, hidden_size, num_layers=1, nonlinearity="tanh", *args, key, **kwargs):
        super().__init__(1, input_size, hidden_size, num_layers, *args, key=key, **kwargs)
        self.nonlinearity = nonlinearity

    def __call__(self, x, hx=None, *, key=None):
        step = tanh_step if self.nonlinearity == "tanh" else relu_step
        y, (h,) = self.run(step, x, (self.zeros(x) if hx is None else hx,), key)
        return y, h


class RecurrentCell(eqx.Module):
    """What LSTMCell, GRUCell and RNNCell share: torch's weights of one step."""

    weight_ih: jax.Array
    weight_hh: jax.Array
    bias_ih: jax.Array | None
    bias_hh: jax.Array | None
    hidden_size: int = eqx.field(static=True)

    def __init__(self, gates, input_size, hidden_size, bias=True, *, key):
        limit, rows = 1 / math.sqrt(hidden_size), gates * hidden_size
        draw = lambda key, *shape: jax.random.uniform(key, shape, minval=-limit, maxval=limit)
        keys = jax.random.split(key, 4)
        self.weight_ih, self.weight_hh = draw(keys[0], rows, input_size), draw(keys[1], rows, hidden_size)
        self.bias_ih, self.bias_hh = (draw(keys[2], rows), draw(keys[3], rows)) if bias else (None, None)
        self.hidden_size = hidden_size

    def run(self, step, x, carry):
        """One step from `carry`, with or without a batch axis."""
        return run_cell(step, x, carry, self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)

    def zeros(self, x):
        """The initial hidden state for the input `x`."""
        return jnp.zeros((*x.shape[:-1], self.hidden_size), x.dtype)


class LSTMCell(RecurrentCell):
    """torch.nn.LSTMCell: `h, c = cell(x, (h, c))`."""

    def __init__(self, *args, key, **kwargs):
        super().__init__(4, *args, key=key, **kwargs)

    def __call__(self, x, hx=None, *, key=None):
        return self.run(lstm_step, x, (self.zeros(x),) * 2 if hx is None else tuple(hx))


class GRUCell(RecurrentCell):
    """torch.nn.GRUCell: `h = cell(x, h)`."""

    def __init__(self, *args, key, **kwargs):
        super().__init__(3, *args, key=key, **kwargs)

    def __call__(self, x, hx=None, *, key=None):
        return self.run(gru_step, x, (self.zeros(x) if hx is None else hx,))[0]


class RNNCell(RecurrentCell):
    """torch.nn.RNNCell: `h = cell(x, h)`."""

    nonlinearity: str = eqx.field(static=True)

    def __init__(self, input_size, hidden_size, bias=True, nonlinearity="tanh", *, key):
        super().__init__(1, input_size, hidden_size, bias, key=key)
        self.nonlinearity = nonlinearity

    def __call__(self, x, hx=None, *, key=None):
        step = tanh_step if self.nonlinearity == "tanh" else relu_step
        return self.run(step, x, (self.zeros(x) if hx is None else hx,))[0]
