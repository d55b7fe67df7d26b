"""Random keys that may be absent, as in inference, and sequences of them."""

import functools
import inspect
import threading

import jax


def split_key(key, num):
    """`num` new keys, or as many `None` where there is no key (inference)."""
    return [None] * num if key is None else jax.random.split(key, num)


def keyed(function, **key):
    """A function or method that may be one or another: with the key that torch's global generator stands for, if it takes one."""
    made = (
        function.__init__ if isinstance(function, type) else function
    )  # a class of NNX shows the signature of its metaclass
    try:
        takes = inspect.signature(made).parameters
    except ValueError:  # of a builtin
        return function
    return functools.partial(function, **key) if key.keys() <= takes.keys() else function


class KeySequence:
    """torch.Generator: `next` gives another key each time (None where there is none to begin with)."""

    lock = threading.Lock()  # loaders read datasets in several threads

    def __init__(self, key):
        self.key = key

    def __iter__(self):
        return self

    def __next__(self):
        if self.key is None:
            return None
        with self.lock:
            self.key, subkey = jax.random.split(self.key)
        return subkey
