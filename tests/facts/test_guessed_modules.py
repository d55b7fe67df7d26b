"""Modules whose classes are guessed by their use give way to those whose classes are known."""

from torch2jax.values import GUESSED, Kind, Value, join

_KNOWN = Value(Kind.MODULE, types=frozenset({"nets:Net"}), sites=frozenset({1}))


def _guess(*classes: str) -> Value:
    return Value(Kind.MODULE, types=frozenset(classes), among=GUESSED)


def test_known_classes_stay() -> None:
    guess = _guess("nets:Net", "nets:Other")
    assert join(_KNOWN, guess) == join(guess, _KNOWN) == _KNOWN


def test_guesses_add_up() -> None:
    assert join(_guess("nets:Net"), _guess("nets:Other")).types == {"nets:Net", "nets:Other"}
