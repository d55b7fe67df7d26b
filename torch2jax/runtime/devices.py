"""Questions about devices that only the running program can answer."""

import sys

import jax
import jax.numpy as jnp

PLATFORMS = {"gpu": "cuda", "tpu": "xla", "METAL": "mps"}


def type_of_device(device):
    """`device.type` of torch.device: the name that torch has for a platform of JAX."""
    return PLATFORMS.get(device.platform, device.platform)


def require_full_precision(device_type, dtype=None, enabled=True):
    """torch.autocast of a device that is not known before: it is left out, and refused where torch would round on a CPU."""
    if enabled and device_type == "cpu" and (dtype is None or jnp.dtype(dtype).itemsize == 2):
        raise NotImplementedError(
            "mixed precision on a CPU has no translation: switch it off, or cast the model and its inputs to bfloat16"
        )


def out_of_memory():
    """torch.cuda.OutOfMemoryError in a handler: the class of what was just raised, if XLA says that memory was lacking."""
    error = sys.exc_info()[1]
    is_lacking = isinstance(error, jax.errors.JaxRuntimeError) and "RESOURCE_EXHAUSTED" in str(error)
    return (type(error),) if is_lacking else ()
