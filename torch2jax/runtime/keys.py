"""Random keys that may be absent, as in inference."""

import jax


def split_key(key, num):
    """`num` new keys, or as many `None` where there is no key (inference)."""
    return [None] * num if key is None else jax.random.split(key, num)
