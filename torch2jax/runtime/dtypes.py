"""Questions about dtypes, of which JAX has those with 64 bits only if jax_enable_x64 is set."""

import jax
import jax.numpy as jnp
import numpy as np


def is_dtype(dtype, wanted):
    """`dtype == wanted` of torch: whether arrays that are made with one or the other have one dtype; None is none."""
    return dtype is not None and jax.dtypes.canonicalize_dtype(dtype) == jax.dtypes.canonicalize_dtype(wanted)


def is_a_dtype(x):
    """`isinstance(x, torch.dtype)`: a dtype of arrays, or a class that names one."""
    return isinstance(x, np.dtype) or any(x is dtype for dtype in named_dtypes().values())


def named_dtypes():
    """The dtypes by their names in torch, as translations write them."""
    same = "float16 bfloat16 float32 int8 int16 int32 uint8 uint16 uint32 uint64 complex64".split()
    wide = {"float64": float, "int64": int, "complex128": complex, "bool": bool}
    dtypes = {name: getattr(jnp, name) for name in same} | wide
    others = {"half": "float16", "float": "float32", "double": "float64", "short": "int16", "int": "int32", "long": "int64",
              "cfloat": "complex64", "cdouble": "complex128"}  # fmt: skip
    return dtypes | {name: dtypes[other] for name, other in others.items()}


def dtype_named(name, *default):
    """`getattr(torch, name)` of the name of a dtype; what else torch has is no dtype."""
    dtypes = named_dtypes()
    if name not in dtypes and not default:
        raise AttributeError(f"`torch` has no dtype {name!r}")
    return dtypes.get(name, *default)


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
