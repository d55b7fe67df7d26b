"""What torch's contexts do with gradients: `no_grad`, `enable_grad`, `inference_mode(mode)`, `set_grad_enabled(mode)`; those of precision."""

from __future__ import annotations

from enum import StrEnum

from torch2jax.values import NOTHING, Value


class Gradient(StrEnum):
    """Whether code records gradients: not, yes, as a value says, or as the code around it does."""

    OFF = "off"
    ON = "on"
    EITHER = "either"
    AS_AROUND = "as around"


_MODULES = ("torch", "torch.autograd", "torch.autograd.grad_mode")
_NAMES = ("no_grad", "enable_grad", "inference_mode", "set_grad_enabled")
GRADIENT_CONTEXTS = {f"{module}.{name}": name for module in _MODULES for name in _NAMES}
AUTOCASTS = {"torch.autocast": 2, "torch.amp.autocast": 2, "torch.cuda.amp.autocast": 0, "torch.cpu.amp.autocast": 0}
"""Contexts of mixed precision, with the place of their argument `enabled`."""


def gradient_below(name: str, mode: Value | None = None) -> Gradient | None:
    """What a context of torch sets recording of gradients to, given its argument; None if it is another context."""
    switch = GRADIENT_CONTEXTS.get(name)
    if switch is None:
        return None
    if switch == "no_grad":
        return Gradient.OFF
    if switch == "enable_grad":
        return Gradient.ON
    leaves = switch == "inference_mode"  # only False says that the mode around it stays
    if mode is None:
        return Gradient.OFF if leaves else Gradient.EITHER
    if mode.const is NOTHING:
        return Gradient.EITHER
    if mode.const:
        return Gradient.OFF if leaves else Gradient.ON
    return Gradient.AS_AROUND if leaves else Gradient.OFF


# Contexts that choose among kernels of one result, to rounding, or only say how something is computed.
KERNEL_CHOICES = frozenset(
    {
        "torch.nn.attention.sdpa_kernel", "torch.backends.cuda.sdp_kernel", "torch.backends.cudnn.flags",
        "torch.backends.mkldnn.flags", "torch.backends.opt_einsum.flags", "torch.cuda.stream",
        "torch.cuda.StreamContext", "torch.autograd.detect_anomaly", "torch.autograd.set_detect_anomaly",
        "torch.cuda.profiler.profile", "torch.autograd.profiler.emit_nvtx", "torch.autograd.profiler.emit_itt",
    }
)  # fmt: skip

__all__ = ["AUTOCASTS", "GRADIENT_CONTEXTS", "KERNEL_CHOICES", "Gradient", "gradient_below"]
