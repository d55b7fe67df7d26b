"""Methods of torch that a translation calls on what may be an array, a module, or an object of another library."""

import jax
import jax.numpy as jnp
import numpy as np

from torch2jax.runtime.indexing import expand, squeeze
from torch2jax.runtime.reductions import std


def call_or_keep(x, method):
    """`x.cpu()`, `x.contiguous()`: the method of `x` if it has one; arrays and modules are already what it would give."""
    return getattr(x, method)() if hasattr(x, method) else x


def to_device(x, device):
    """`x.to(device)`: the method of `x` if it has one, else `x` with its arrays there; a name such as "cuda" moves nothing."""
    if hasattr(x, "to"):
        return x.to(device)
    if device is None or isinstance(device, (str, int)):
        return x
    if isinstance(x, np.ndarray):
        return jax.device_put(x, device)
    return jax.tree.map(lambda leaf: jax.device_put(leaf, device) if isinstance(leaf, jax.Array) else leaf, x)


def cast(x, dtype, method="to"):
    """`x.to(dtype)`: of an array all elements, of a module its floats; any other object has a method for it."""
    if isinstance(x, (jax.Array, np.ndarray)):
        return jnp.asarray(x).astype(dtype)
    if hasattr(x, method):
        return getattr(x, method)(*[dtype] if method in ("to", "type") else [])
    is_float = lambda leaf: isinstance(leaf, jax.Array) and jnp.issubdtype(leaf.dtype, jnp.floating)
    return jax.tree.map(lambda leaf: leaf.astype(dtype) if is_float(leaf) else leaf, x)


def to(x, target):
    """`x.to(target)`, whatever both are: a device, a dtype, or an array whose dtype `x` is to have."""
    if target is None or isinstance(target, (str, int, jax.Device, jax.sharding.Sharding)):
        return to_device(x, target)
    return cast(x, target.dtype if isinstance(target, (jax.Array, np.ndarray)) else target)


def to_numpy(x):
    """`x.numpy()`: an array of NumPy."""
    return np.asarray(x) if is_array_or_holder(x) else x.numpy()


def data_of(x):
    """`x.data`: of an array its values, through which no gradient flows."""
    return jax.lax.stop_gradient(jnp.asarray(x)) if is_array_or_holder(x) else x.data


def is_array_or_holder(x):
    """Whether something is an array, or a variable that holds one."""
    return isinstance(x, (jax.Array, np.ndarray)) or hasattr(type(x), "__jax_array__")


def of_numbers(data, dtype=None):
    """`torch.tensor(data)`: a tensor of one element in a list is the number in it, without a gradient."""
    plain = lambda x: jax.lax.stop_gradient(x).reshape(()) if isinstance(x, jax.Array) else x
    is_leaf = lambda x: not isinstance(x, (list, tuple))
    return jnp.array(jax.tree.map(plain, data, is_leaf=is_leaf), dtype)


def legacy_tensor(data, dtype=jnp.float32):
    """`torch.FloatTensor(data)`: a number is a length, everything else the elements."""
    if isinstance(data, tuple) and data and all(type(item) is int for item in data):
        raise TypeError(f"{data} may be a shape or data: write jnp.empty or jnp.array")
    is_length = isinstance(data, (int, np.integer)) and not isinstance(data, bool)
    return jnp.empty(data, dtype) if is_length else jnp.array(data, dtype)


def legacy_tensor_of_shape(owner, dtype=jnp.float32):
    """`torch.FloatTensor(owner.shape)`: of a tensor the length of each axis, of a space of actions and its like the elements."""
    if isinstance(owner, jax.Array):
        return jnp.empty(owner.shape, dtype)
    return legacy_tensor(owner.shape, dtype) if isinstance(owner, np.ndarray) else jnp.array(owner.shape, dtype)


def layer_from(make, parameters, count, renamed, *args, key=None, **options):
    """A layer made with torch's arguments: `args` are its `parameters` in order, `make` takes the first `count` by place.

    `renamed` has other names for some, or the one value, as a tuple, of what `make` does not take."""
    names = parameters.split()
    given = {"key": key} if key is not None else {}
    given |= {**dict(zip(names, args, strict=False)), **options}
    for name, fixed in renamed.items():
        if isinstance(fixed, tuple) and given.pop(name, fixed[0]) != fixed[0]:
            raise NotImplementedError(f"{make.__name__} is translated with {name}={fixed[0]!r} only")
    first = [given.pop(name) for name in names[:count]]
    return make(*first, **{renamed.get(name, name): value for name, value in given.items() if name != "device"})


def device_at(device):
    """A device that is given by itself, by its number, or by a name such as "cuda:1"; `None` is the default one."""
    if isinstance(device, str):
        device = int(device.partition(":")[2] or 0)
    return jax.devices()[device] if isinstance(device, int) else device


def set_device(device):
    """torch.cuda.set_device: where new arrays are made, by a device, its number or its name."""
    jax.config.update("jax_default_device", device_at(device))


def numel(x):
    """`x.numel()` of an array or of another object with such a method."""
    return x.size if isinstance(x, (jax.Array, np.ndarray)) else x.numel()


def magnitude(x):
    """`x.abs()` of an array or of another object with such a method."""
    return abs(x) if isinstance(x, (jax.Array, np.ndarray)) else x.abs()


def cloned(x):
    """`x.clone()` of an array or of another object with such a method."""
    if isinstance(x, np.ndarray):
        return x.copy()
    return x if isinstance(x, jax.Array) else x.clone()


def expanded(x, *sizes):
    """`x.expand(*sizes)` of an array or of another object with such a method."""
    return expand(x, *sizes) if isinstance(x, (jax.Array, np.ndarray)) else x.expand(*sizes)


def flipped(x, *dims):
    """`x.flip(*dims)` of an array or of another object with such a method."""
    if not isinstance(x, (jax.Array, np.ndarray)):
        return x.flip(*dims)
    return jnp.flip(x, dims[0] if len(dims) == 1 else dims)


def multiplied(x, other, method="mul"):
    """`x.mul(other)` of an array or of another object with such a method; SciPy's sparse matrices have a `multiply`."""
    return jnp.asarray(x) * other if isinstance(x, (jax.Array, np.ndarray)) else getattr(x, method)(other)


def divided(x, other):
    """`x.div(other)` of an array or of another object with such a method."""
    return jnp.asarray(x) / other if isinstance(x, (jax.Array, np.ndarray)) else x.div(other)


def subtracted(x, other):
    """`x.sub(other)` of an array or of another object with such a method."""
    return jnp.asarray(x) - other if isinstance(x, (jax.Array, np.ndarray)) else x.sub(other)


def logarithm(x):
    """`x.log()` of an array or of another object with such a method."""
    return jnp.log(x) if isinstance(x, (jax.Array, np.ndarray)) else x.log()


def resized(x, *sizes):
    """`x.resize(*sizes)` of an array, which keeps its elements, or of another object with such a method: a picture of Pillow."""
    if not isinstance(x, (jax.Array, np.ndarray)):
        return x.resize(*sizes)
    return jnp.resize(x, sizes[0] if len(sizes) == 1 else sizes)


def squeezed(x, dim):
    """`x.squeeze(dim)` of an array or of another object with such a method."""
    return squeeze(x, dim) if isinstance(x, (jax.Array, np.ndarray)) else x.squeeze(dim)


def standard_deviation(x, *axis):
    """`x.std(axis)` of a tensor, with Bessel's correction, or of another object with such a method: NumPy's arrays have none."""
    return std(x, *axis) if isinstance(x, jax.Array) else x.std(*axis)


def variance(x, *axis):
    """`x.var(axis)` of a tensor, with Bessel's correction, or of another object with such a method: NumPy's arrays have none."""
    return jnp.var(x, *axis, ddof=1) if isinstance(x, jax.Array) else x.var(*axis)


def unique_values(x):
    """`x.unique()` of an array or of another object with such a method."""
    return jnp.unique(x) if isinstance(x, (jax.Array, np.ndarray)) else x.unique()


def is_equal(x, other):
    """`x.equal(other)` of an array or of another object with such a method."""
    return bool(jnp.array_equal(x, other)) if isinstance(x, (jax.Array, np.ndarray)) else x.equal(other)
