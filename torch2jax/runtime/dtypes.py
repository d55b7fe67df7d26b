"""Questions about dtypes, of which JAX has those with 64 bits only if jax_enable_x64 is set."""

import jax
import numpy as np


def is_dtype(dtype, wanted):
    """`dtype == wanted` of torch: whether arrays that are made with one or the other have one dtype; None is none."""
    return dtype is not None and jax.dtypes.canonicalize_dtype(dtype) == jax.dtypes.canonicalize_dtype(wanted)


class DtypeDict(dict):
    """A dict by dtypes, which finds those of arrays: where JAX has 32 bits only, integers with these are torch's int64 first."""

    def __missing__(self, dtype):
        return super().__getitem__(self.key_of(dtype))

    def __contains__(self, dtype):
        return super().__contains__(self.key_of(dtype))

    def get(self, dtype, default=None):
        """The value of a dtype, or `default`."""
        return super().get(self.key_of(dtype), default)

    def key_of(self, dtype):
        """The key that stands for the dtype of an array; anything else is a key itself."""
        if not isinstance(dtype, np.dtype) or super().__contains__(dtype):
            return dtype
        alike = [key for key in self if jax.dtypes.canonicalize_dtype(key) == dtype]
        is_default = lambda key: (np.dtype(key) != dtype) == (dtype.kind in "iu")
        return max(alike, key=is_default, default=dtype)
