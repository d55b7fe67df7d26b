"""State of modules whose values change their shape or structure."""

import equinox as eqx
import jax
import jax.numpy as jnp

from torch2jax.runtime.module_state import (
    keep_state,
    made_with_state,
    set_state,
    state_so_far,
    take_written,
    with_written,
)


class Memory(eqx.Module):
    first: eqx.nn.StateIndex
    second: eqx.nn.StateIndex

    def __init__(self) -> None:
        self.first = eqx.nn.StateIndex(None)
        self.second = eqx.nn.StateIndex(None)


def test_none_becomes_an_array_and_grows() -> None:
    memory, state = eqx.nn.make_with_state(Memory)()
    for size in (2, 3):
        state = set_state(state, memory.first, jnp.ones(size))
        assert state.get(memory.first).shape == (size,)
        assert state.get(memory.second) is None


def test_classes_and_functions_give_a_module_and_its_state() -> None:
    def build() -> tuple[Memory, eqx.nn.State]:
        return eqx.nn.make_with_state(Memory)()

    for make in (Memory, build):
        memory, state = made_with_state(make)()
        assert state.get(memory.first) is None


def test_what_init_changes_is_what_a_module_starts_with() -> None:
    class Pair(eqx.Module):
        counts: list[eqx.nn.StateIndex]
        name: str

        def __init__(self) -> None:
            self.counts, self.name = [eqx.nn.StateIndex(jnp.zeros(2)), eqx.nn.StateIndex(jnp.ones(2))], "pair"
            keep_state(self, state_so_far(self).set(self.counts[1], jnp.full(2, 3.0, jnp.float32)))

    pair, state = eqx.nn.make_with_state(Pair)()
    assert [state.get(count).tolist() for count in pair.counts] == [[0.0, 0.0], [3.0, 3.0]]
    assert pair.name == "pair"


def test_structures_come_and_go() -> None:
    memory, state = eqx.nn.make_with_state(Memory)()
    for value in ((jnp.ones(2), None), None, [], [jnp.ones(1)], (jnp.ones(3), jnp.ones(1))):
        state = set_state(state, memory.second, value)
        assert jax.tree.structure(state.get(memory.second)) == jax.tree.structure(value)
        assert state.get(memory.first) is None


def test_numbers_become_arrays() -> None:
    memory, state = eqx.nn.make_with_state(Memory)()
    state = set_state(state, memory.first, 3)
    assert isinstance(state.get(memory.first), jax.Array)


def test_compiled() -> None:
    memory, state = eqx.nn.make_with_state(Memory)()
    remember = eqx.filter_jit(lambda state, x: set_state(state, memory.first, x * 2))
    for size in (2, 3):
        state = remember(state, jnp.ones(size))
        assert state.get(memory.first).sum() == 2 * size


class Scaled(eqx.Module):
    weight: jax.Array
    written_weight: eqx.nn.StateIndex
    weight_is_written: eqx.nn.StateIndex

    def __init__(self) -> None:
        self.weight = jnp.ones(2)
        self.written_weight = eqx.nn.StateIndex(jnp.zeros(2))
        self.weight_is_written = eqx.nn.StateIndex(jnp.asarray(False))


def test_models_take_the_values_of_written_parameters() -> None:
    model, state = eqx.nn.make_with_state(lambda: {"parts": [Scaled(), Scaled()]})()
    part = model["parts"][1]
    state = state.set(part.written_weight, jnp.full(2, 3.0, jnp.float32)).set(part.weight_is_written, jnp.asarray(True))
    grads = jax.grad(lambda weight: with_written(eqx.tree_at(lambda m: m.weight, part, weight), state).weight.sum())(
        part.weight
    )
    assert grads.tolist() == [1.0, 1.0]
    taken, rest = take_written(model, state)
    assert [item.weight.tolist() for item in taken["parts"]] == [[1.0, 1.0], [3.0, 3.0]]
    assert not rest.get(part.weight_is_written)
