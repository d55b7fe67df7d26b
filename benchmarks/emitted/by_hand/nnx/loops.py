"""The ways in which Flax's guides run a training step: `jit` (the first examples), `cached_partial` and `functional` (the guide on
performance), `tree` and `jit_partial` (modules as trees, without shared variables and without changes of structure).
"""

import functools

import jax
from flax import nnx


def jit(step, *objects):
    return functools.partial(nnx.jit(step), *objects)


def cached_partial(step, *objects):
    return nnx.cached_partial(nnx.jit(step), *objects)


def tree(step, *objects):
    return functools.partial(nnx.jit(step, graph=False), *objects)


def jit_partial(step, *objects):
    return nnx.jit_partial(step, *objects, graph=False)


STYLES = {"jit": jit, "cached_partial": cached_partial, "functional": None, "tree": tree, "jit_partial": jit_partial}


def loop(style, step, *objects):
    """`train(steps, *arrays)`: calls `step(*objects, *arrays)`, compiled, and gives its last loss."""
    if style == "functional":
        return functional_loop(step, *objects)
    compiled = STYLES[style](step, *objects)

    def train(steps, *arrays):
        for _ in range(steps):
            loss = compiled(*arrays)
        return loss.item()

    return train


def functional_loop(step, *objects):
    """The objects are split before the loop; they have their state again behind it."""

    @jax.jit
    def functional_step(graphdef, state, *arrays):
        objects = nnx.merge(graphdef, state)
        loss = step(*objects, *arrays)
        return nnx.state(objects), loss

    def train(steps, *arrays):
        graphdef, state = nnx.split(objects)
        for _ in range(steps):
            state, loss = functional_step(graphdef, state, *arrays)
        nnx.update(objects, state)
        return loss.item()

    return train
