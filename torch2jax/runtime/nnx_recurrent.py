"""Recurrent layers of torch.nn as modules of Flax NNX, with torch's weights."""

import math

import jax.numpy as jnp
from flax import nnx

from torch2jax.runtime.nnx_layers import uniform_param, value_of
from torch2jax.runtime.recurrent import (
    gru_step,
    initial_carry,
    layer_suffixes,
    lstm_step,
    relu_step,
    run_cell,
    run_recurrent,
    tanh_step,
    weight_shapes,
)


class Recurrent(nnx.Module):
    """What LSTM, GRU and RNN share: layers and directions, dropout between layers, torch's layout of states."""

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
        rngs,
    ):
        self.input_size, self.hidden_size, self.proj_size = input_size, hidden_size, proj_size
        self.num_layers, self.batch_first, self.bias = num_layers, batch_first, bias
        self.dropout, self.bidirectional, self.deterministic = dropout, bidirectional, False
        shapes = weight_shapes(gates, input_size, hidden_size, self.suffixes(), bias, proj_size)
        for name, shape in shapes.items():
            setattr(self, name, uniform_param(rngs, shape, 1 / math.sqrt(hidden_size)))
        self.names, self.rngs = tuple(shapes), rngs.dropout.fork()

    def suffixes(self):
        """torch's suffixes of the weights, layer by layer."""
        return layer_suffixes(self.num_layers, self.bidirectional)

    def run(self, step, x, carry):
        """All layers over `x`; carries are (layers * directions, batch, size)."""
        weights = {name: getattr(self, name)[...] for name in self.names}
        rate = 0 if self.deterministic else self.dropout
        return run_recurrent(
            step, x, carry, weights, self.suffixes(), self.batch_first, rate, self.rngs() if rate else None
        )

    def zeros(self, x, size=0):
        """The initial hidden state for the input `x`."""
        count = self.num_layers * (1 + self.bidirectional)
        return initial_carry(x, count, size or self.hidden_size, self.batch_first)


class LSTM(Recurrent):
    """torch.nn.LSTM: `y, (h, c) = layer(x, (h, c))`."""

    def __init__(self, *args, rngs, **kwargs):
        super().__init__(4, *args, rngs=rngs, **kwargs)

    def __call__(self, x, hx=None):
        start = (self.zeros(x, self.proj_size), self.zeros(x)) if hx is None else tuple(hx)
        return self.run(lstm_step, x, start)


class GRU(Recurrent):
    """torch.nn.GRU: `y, h = layer(x, h)`."""

    def __init__(self, *args, rngs, **kwargs):
        super().__init__(3, *args, rngs=rngs, **kwargs)

    def __call__(self, x, hx=None):
        y, (h,) = self.run(gru_step, x, (self.zeros(x) if hx is None else hx,))
        return y, h


class RNN(Recurrent):
    """torch.nn.RNN: `y, h = layer(x, h)`."""

    def __init__(self, input_size, hidden_size, num_layers=1, nonlinearity="tanh", *args, rngs, **kwargs):
        super().__init__(1, input_size, hidden_size, num_layers, *args, rngs=rngs, **kwargs)
        self.nonlinearity = nonlinearity

    def __call__(self, x, hx=None):
        step = tanh_step if self.nonlinearity == "tanh" else relu_step
        y, (h,) = self.run(step, x, (self.zeros(x) if hx is None else hx,))
        return y, h


class RecurrentCell(nnx.Module):
    """What LSTMCell, GRUCell and RNNCell share: torch's weights of one step."""

    def __init__(self, gates, input_size, hidden_size, bias=True, *, rngs):
        bound, rows = 1 / math.sqrt(hidden_size), gates * hidden_size
        self.weight_ih = uniform_param(rngs, (rows, input_size), bound)
        self.weight_hh = uniform_param(rngs, (rows, hidden_size), bound)
        self.bias_ih = uniform_param(rngs, (rows,), bound) if bias else nnx.data(None)
        self.bias_hh = uniform_param(rngs, (rows,), bound) if bias else nnx.data(None)
        self.input_size, self.hidden_size = input_size, hidden_size

    def run(self, step, x, carry):
        """One step from `carry`, with or without a batch axis."""
        weights = map(value_of, (self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh))
        return run_cell(step, x, carry, *weights)

    def zeros(self, x):
        """The initial hidden state for the input `x`."""
        return jnp.zeros((*x.shape[:-1], self.hidden_size), x.dtype)


class LSTMCell(RecurrentCell):
    """torch.nn.LSTMCell: `h, c = cell(x, (h, c))`."""

    def __init__(self, *args, rngs, **kwargs):
        super().__init__(4, *args, rngs=rngs, **kwargs)

    def __call__(self, x, hx=None):
        return self.run(lstm_step, x, (self.zeros(x),) * 2 if hx is None else tuple(hx))


class GRUCell(RecurrentCell):
    """torch.nn.GRUCell: `h = cell(x, h)`."""

    def __init__(self, *args, rngs, **kwargs):
        super().__init__(3, *args, rngs=rngs, **kwargs)

    def __call__(self, x, hx=None):
        return self.run(gru_step, x, (self.zeros(x) if hx is None else hx,))[0]


class RNNCell(RecurrentCell):
    """torch.nn.RNNCell: `h = cell(x, h)`."""

    def __init__(self, input_size, hidden_size, bias=True, nonlinearity="tanh", *, rngs):
        super().__init__(1, input_size, hidden_size, bias, rngs=rngs)
        self.nonlinearity = nonlinearity

    def __call__(self, x, hx=None):
        step = tanh_step if self.nonlinearity == "tanh" else relu_step
        return self.run(step, x, (self.zeros(x) if hx is None else hx,))[0]
