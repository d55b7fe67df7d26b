"""Recurrent layers of torch.nn, with torch's weights, on `jax.lax.scan`."""

import math
from collections import OrderedDict

import equinox as eqx
import jax
import jax.numpy as jnp

from torch2jax.runtime.keys import split_key


def lstm_step(carry, gates_x, weight_hh, bias_hh):
    """One step of torch's LSTM (gates i, f, g, o): the new `(h, c)`."""
    h, c = carry
    i, f, g, o = jnp.split(gates_x + h @ weight_hh.T + bias_hh, 4, axis=-1)
    c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
    return jax.nn.sigmoid(o) * jnp.tanh(c), c


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


def scan_direction(step, x, carry, weights, reverse):
    """Run `step` over `x` (time, batch, features): outputs of all steps and the last carry."""
    weight_ih, weight_hh, *biases = weights
    bias_ih, bias_hh = biases or (0.0, 0.0)

    def body(carry, gates_x):
        carry = step(carry, gates_x, weight_hh, bias_hh)
        return carry, carry[0]

    carry, outputs = jax.lax.scan(body, carry, x @ weight_ih.T + bias_ih, reverse=reverse)
    return outputs, carry


class Recurrent(eqx.Module):
    """What LSTM, GRU and RNN share: layers and directions, dropout between layers, torch's layout of states."""

    weights: OrderedDict[str, jax.Array] = eqx.field(metadata={"torch_name": ""})
    hidden_size: int = eqx.field(static=True)
    num_layers: int = eqx.field(static=True)
    batch_first: bool = eqx.field(static=True)
    dropout: float = eqx.field(static=True)
    bidirectional: bool = eqx.field(static=True)
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
        *,
        key,
    ):
        self.hidden_size, self.num_layers, self.batch_first = hidden_size, num_layers, batch_first
        self.dropout, self.bidirectional, self.inference = dropout, bidirectional, False
        limit, rows = 1 / math.sqrt(hidden_size), gates * hidden_size
        self.weights = OrderedDict()
        for layer, suffixes in enumerate(self.suffixes()):
            width = input_size if layer == 0 else hidden_size * len(suffixes)
            for suffix in suffixes:
                shapes = {"weight_ih": (rows, width), "weight_hh": (rows, hidden_size)}
                shapes |= {"bias_ih": (rows,), "bias_hh": (rows,)} if bias else {}
                for name, shape in shapes.items():
                    key, subkey = jax.random.split(key)
                    self.weights[name + suffix] = jax.random.uniform(subkey, shape, minval=-limit, maxval=limit)

    def __getattr__(self, name):
        if name in vars(self).get("weights", ()):
            return self.weights[name]
        raise AttributeError(name)

    def suffixes(self):
        """torch's suffixes of the weights, layer by layer: `_l0`, `_l0_reverse`, `_l1`, ..."""
        directions = ("", "_reverse") if self.bidirectional else ("",)
        return [[f"_l{layer}{direction}" for direction in directions] for layer in range(self.num_layers)]

    def run(self, step, x, carry, key=None):
        """All layers over `x` in the layout of `batch_first`; carries are (layers * directions, batch, hidden)."""
        batch_axis = 0 if self.batch_first else 1
        if x.ndim == 2:
            y, carry = self.run(step, jnp.expand_dims(x, batch_axis), tuple(c[:, None] for c in carry), key)
            return y.squeeze(batch_axis), tuple(c[:, 0] for c in carry)
        x = x.swapaxes(0, 1) if self.batch_first else x
        finals = []
        for layer, (suffixes, subkey) in enumerate(zip(self.suffixes(), split_key(key, self.num_layers))):
            if layer and self.dropout:
                x = eqx.nn.Dropout(self.dropout, inference=self.inference)(x, key=subkey)
            outputs = []
            for direction, suffix in enumerate(suffixes):
                names = (f"{name}{suffix}" for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh"))
                weights = [self.weights[name] for name in names if name in self.weights]
                start = tuple(c[layer * len(suffixes) + direction] for c in carry)
                output, final = scan_direction(step, x, start, weights, reverse=direction == 1)
                outputs.append(output)
                finals.append(final)
            x = jnp.concatenate(outputs, axis=-1)
        return x.swapaxes(0, 1) if self.batch_first else x, tuple(jnp.stack(c) for c in zip(*finals))

    def zeros(self, x):
        """The initial hidden state for the input `x`."""
        batch = x.shape[:1] if self.batch_first and x.ndim == 3 else x.shape[1:-1]
        return jnp.zeros((self.num_layers * (1 + self.bidirectional), *batch, self.hidden_size), x.dtype)


class LSTM(Recurrent):
    """torch.nn.LSTM: `y, (h, c) = layer(x, (h, c))`."""

    def __init__(self, *args, key, **kwargs):
        super().__init__(4, *args, key=key, **kwargs)

    def __call__(self, x, hx=None, *, key=None):
        return self.run(lstm_step, x, (self.zeros(x),) * 2 if hx is None else tuple(hx), key)


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
        gates_x = x @ self.weight_ih.T
        if self.bias_ih is None:
            return step(carry, gates_x, self.weight_hh, 0.0)
        return step(carry, gates_x + self.bias_ih, self.weight_hh, self.bias_hh)

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
