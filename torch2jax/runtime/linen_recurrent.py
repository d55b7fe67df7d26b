"""Recurrent layers of torch.nn as modules of Flax Linen, with torch's weights."""

import math

import jax.numpy as jnp
from flax import linen as nn

from torch2jax.runtime.linen_layers import uniform
from torch2jax.runtime.linen_modules import is_training
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


class Recurrent(nn.Module):
    """What LSTM, GRU and RNN share: layers and directions, dropout between layers, torch's layout of states."""

    input_size: int
    hidden_size: int
    num_layers: int = 1
    bias: bool = True
    batch_first: bool = False
    dropout: float = 0.0
    bidirectional: bool = False
    proj_size: int = 0

    def setup(self):
        sizes = (self.gates, self.input_size, self.hidden_size)
        shapes = weight_shapes(*sizes, self.suffixes(), self.bias, self.proj_size)
        init = uniform(1 / math.sqrt(self.hidden_size))
        for name, shape in shapes.items():
            setattr(self, name, self.param(name, init, shape))
        self.names = tuple(shapes)

    def suffixes(self):
        """torch's suffixes of the weights, layer by layer."""
        return layer_suffixes(self.num_layers, self.bidirectional)

    def run(self, step, x, carry):
        """All layers over `x`; carries are (layers * directions, batch, size)."""
        weights = {name: getattr(self, name) for name in self.names}
        rate = self.dropout if is_training(self) else 0
        key = self.make_rng("dropout") if rate else None
        return run_recurrent(step, x, carry, weights, self.suffixes(), self.batch_first, rate, key)

    def zeros(self, x, size=0):
        """The initial hidden state for the input `x`."""
        count = self.num_layers * (1 + self.bidirectional)
        return initial_carry(x, count, size or self.hidden_size, self.batch_first)


class LSTM(Recurrent):
    """torch.nn.LSTM: `y, (h, c) = layer(x, (h, c))`."""

    gates = 4

    def __call__(self, x, hx=None):
        start = (self.zeros(x, self.proj_size), self.zeros(x)) if hx is None else tuple(hx)
        return self.run(lstm_step, x, start)


class GRU(Recurrent):
    """torch.nn.GRU: `y, h = layer(x, h)`."""

    gates = 3

    def __call__(self, x, hx=None):
        y, (h,) = self.run(gru_step, x, (self.zeros(x) if hx is None else hx,))
        return y, h


class RNN(Recurrent):
    """torch.nn.RNN: `y, h = layer(x, h)`."""

    nonlinearity: str = "tanh"
    gates = 1

    def __call__(self, x, hx=None):
        step = tanh_step if self.nonlinearity == "tanh" else relu_step
        y, (h,) = self.run(step, x, (self.zeros(x) if hx is None else hx,))
        return y, h


class RecurrentCell(nn.Module):
    """What LSTMCell, GRUCell and RNNCell share: torch's weights of one step."""

    input_size: int
    hidden_size: int
    bias: bool = True

    def setup(self):
        init, rows = uniform(1 / math.sqrt(self.hidden_size)), self.gates * self.hidden_size
        self.weight_ih = self.param("weight_ih", init, (rows, self.input_size))
        self.weight_hh = self.param("weight_hh", init, (rows, self.hidden_size))
        self.bias_ih = self.param("bias_ih", init, (rows,)) if self.bias else None
        self.bias_hh = self.param("bias_hh", init, (rows,)) if self.bias else None

    def run(self, step, x, carry):
        """One step from `carry`, with or without a batch axis."""
        return run_cell(step, x, carry, self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)

    def zeros(self, x):
        """The initial hidden state for the input `x`."""
        return jnp.zeros((*x.shape[:-1], self.hidden_size), x.dtype)


class LSTMCell(RecurrentCell):
    """torch.nn.LSTMCell: `h, c = cell(x, (h, c))`."""

    gates = 4

    def __call__(self, x, hx=None):
        return self.run(lstm_step, x, (self.zeros(x),) * 2 if hx is None else tuple(hx))


class GRUCell(RecurrentCell):
    """torch.nn.GRUCell: `h = cell(x, h)`."""

    gates = 3

    def __call__(self, x, hx=None):
        return self.run(gru_step, x, (self.zeros(x) if hx is None else hx,))[0]


class RNNCell(RecurrentCell):
    """torch.nn.RNNCell: `h = cell(x, h)`."""

    nonlinearity: str = "tanh"
    gates = 1

    def __call__(self, x, hx=None):
        step = tanh_step if self.nonlinearity == "tanh" else relu_step
        return self.run(step, x, (self.zeros(x) if hx is None else hx,))[0]
