"""Tests of values that stop a program, also while a function is traced."""

import jax


def stop_if(test, message):
    """Python's `raise` where a value is true that is known when the program runs only."""

    def stop(value):
        if value.any():
            raise ValueError(message)

    jax.debug.callback(stop, test)


def checked(value, test, message):
    """A value, or an error where the test is true."""
    stop_if(test, message)
    return value
