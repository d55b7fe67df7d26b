"""What the use of an unknown value shows it to be: words that only tensors, modules or optimizers have.

Strong evidence is what no array of NumPy and hardly anything else has: `x.unsqueeze(0)`, `x.size(1)`, `x.sum(dim=1)`. Weak
evidence counts where no NumPy is in sight, or where the same variable is asked for nothing that tensors lack.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import libcst as cst

from torch2jax.ops.schema import Tables, is_inplace_name
from torch2jax.ops.signatures import BindError, bind, parse_signature
from torch2jax.program.program import dotted
from torch2jax.syntax.codegen import code

MODULE_WORDS = {"train", "eval", "parameters", "named_parameters", "state_dict", "load_state_dict", "named_modules",
                "named_children", "children", "modules", "named_buffers", "buffers", "_modules", "_parameters",
                "_buffers"}  # fmt: skip
OPTIMIZER_WORDS = {"zero_grad", "param_groups"}
DISTRIBUTION_WORDS = {"rsample", "log_prob", "entropy", "icdf", "perplexity", "batch_shape", "event_shape"}
CLASS_TESTS = frozenset({"isinstance", "callable", "type", "hasattr", "torch.is_tensor"})
_ONLY_TENSORS = frozenset(
    "unsqueeze permute contiguous masked_fill detach requires_grad_ expand_as view_as type_as new_zeros new_ones".split()
    + "new_tensor new_full new_empty repeat_interleave index_select masked_select logsumexp log_softmax bmm baddbmm".split()
    + "addmm numel nelement index_fill index_copy index_put masked_scatter scatter_add scatter_reduce take_along_dim".split()
    + "index_add rsqrt clone is_floating_point unbind chunk fliplr flipud movedim unflatten float64 long".split()
    + "split_with_sizes reshape_as unique_consecutive sum_to_size logdet mvlgamma".split()
)
_WEAK = frozenset(
    "view expand backward size dim clamp unfold narrow softmax sigmoid relu tanh matmul mm flip cumsum argmax argmin".split()
    + "topk transpose float half double int bool".split()
)
_OF_ARRAYS = frozenset(
    "sum mean std var prod max min any all reshape flatten squeeze argsort nonzero round diagonal ravel swapaxes".split()
    + "cumprod item tolist".split()
)  # where no NumPy is in sight, and no class of the program has such a method
_NO_ARRAYS = frozenset(
    "floor ceil trunc logical_not logical_and logical_or neg exp sqrt square sin cos amax amin gather scatter norm".split()
    + "roll tril triu t swapdims moveaxis broadcast_to rot90 tensor_split hsplit vsplit dsplit cummax cummin".split()
    + "logcumsumexp nanmean nansum nanmedian aminmax argwhere count_nonzero isfinite isclose allclose nan_to_num log1p".split()
    + "log2 log10 expm1 exp2 asin acos atan atan2 sinh cosh asinh acosh atanh erf erfc erfinv lgamma digamma".split()
    + "reciprocal frac fmod remainder floor_divide true_divide lerp addmv addcmul addcdiv mv outer diag diag_embed".split()
    + "logical_xor heaviside hypot logaddexp maximum minimum fmax fmin xlogy kthvalue bernoulli multinomial".split()
    + "ndimension is_contiguous abs pow eq ne lt le gt ge isnan isinf median tan arcsin arccos arctan arctan2 arcsinh".split()
    + "arccosh arctanh negative sign sgn signbit sinc logit deg2rad rad2deg copysign ldexp nextafter".split()
    + "clamp_min clamp_max float_power isneginf isposinf greater_equal less_equal not_equal new".split()
)  # which arrays of NumPy do not have, but frames of pandas and classes of the program may
_CALLED = _OF_ARRAYS | _NO_ARRAYS
_COMPUTED = frozenset("clamp unfold narrow sigmoid relu mm topk float half double int bool type".split())
"""Weak words that no array of NumPy has: of what is computed, which no object with a method of its own is, they are enough."""
_NUMBER = re.compile(r"-?\d+")
_FIELDS = frozenset({"shape", "dtype", "device", "grad", "data", "is_cuda", "requires_grad", "ndim", "T", "mT", "to"})
_FIELDS_CALLED = frozenset({"cuda", "cpu", "type", "backward", "requires_grad_", "register_hook", "retain_grad"})
_OF_TENSORS = frozenset(
    {"dim", "keepdim", "start_dim", "end_dim", "dim0", "dim1", "unbiased", "descending", "as_tuple", "memory_format"}
)  # arguments


def is_word(name: str) -> bool:
    """Whether a name may say anything of what has it."""
    return name in _ONLY_TENSORS or name in _WEAK or name in MODULE_WORDS or name in OPTIMIZER_WORDS


def is_of_tensors(tables: Tables, name: str) -> bool:
    """Whether tensors have a method or field of this name."""
    if name in _FIELDS or name in _FIELDS_CALLED or tables.method(name) is not None:
        return True
    return is_inplace_name(name) and tables.method(name.removesuffix("_")) is not None


def is_strong(tables: Tables, name: str, call: cst.Call | None) -> bool:
    """Whether a method that is called so shows what has it to be a tensor, with NumPy in sight or not."""
    if call is None:
        return False
    if is_inplace_name(name) and name != "requires_grad_":
        return tables.method(name) is not None or tables.method(name.removesuffix("_")) is not None
    keywords = {item.keyword.value for item in call.args if item.keyword is not None}
    plain = [item.value for item in call.args if item.keyword is None and not item.star]
    if keywords & _OF_TENSORS and tables.method(name) is not None:
        return fits(tables, name, call)
    match name:
        case "size":
            return len(plain) == len(call.args) <= 1 and all(_is_length(item) for item in plain)
        case "dim":
            return not call.args
        case "view" | "repeat" | "expand":
            counts = [item for item in plain if _is_length(item)]
            return len(plain) > (2 if name == "repeat" else 1) and (bool(counts) or len(plain) > 2)
        case "select" | "narrow":
            return len(plain) == len(call.args) == (2 if name == "select" else 3) and any(map(_is_length, plain))
        case "flatten" | "softmax":
            return bool(plain) and all(_is_length(item) for item in plain) and fits(tables, name, call)
        case "transpose":
            return len(plain) == len(call.args) and _swaps_axes_of_tensor(plain)
    return name in _ONLY_TENSORS and fits(tables, name, call)


def is_of_torch(tables: Tables, name: str, call: cst.Call) -> bool:
    """Whether a method, asked of what a method of tensors has given, is one of tensors: no array is moved to a device."""
    return is_strong(tables, name, call) or (name in ("cpu", "cuda") and not call.args)


def is_weak(tables: Tables, name: str, call: cst.Call | None) -> bool:
    """Whether a method that is called so is one of tensors, as far as nothing contradicts it."""
    is_known = name in _CALLED or name in _WEAK or (name == "type" and call is not None and len(call.args) == 1)
    return call is not None and is_known and fits(tables, name, call)


def has_words_of_numpy(call: cst.Call) -> bool:
    """Whether a call gives its axes by the words of NumPy: tensors take them, too, but hardly anybody writes them so."""
    return any(item.keyword is not None and item.keyword.value in ("axis", "keepdims") for item in call.args)


def is_beside_arrays(name: str, receiver: cst.BaseExpression) -> bool:
    """Whether arrays of NumPy do not have such a method."""
    computed = isinstance(receiver, (cst.BinaryOperation, cst.UnaryOperation, cst.Comparison))
    return name in _NO_ARRAYS or (computed and name in _COMPUTED)


def is_weak_word(name: str) -> bool:
    """Whether a variable that has such a method is taken for a tensor even where NumPy is in sight."""
    return name in _WEAK


def fits(tables: Tables, name: str, call: cst.Call) -> bool:
    """Whether the arguments are ones that the method of tensors takes."""
    spec = tables.method(name)
    if spec is None or spec.unsupported is not None:
        return True
    try:
        bind(parse_signature(spec.signature), call.args, cst.Name("x"))
    except BindError:
        return any(item.star for item in call.args)
    return True


def contradicts(tables: Tables, used: Iterable[str]) -> bool:
    """Whether a variable is asked for something that tensors do not have."""
    return not all(is_of_tensors(tables, name) for name in used)


def show_tensor(tables: Tables, used: set[str]) -> bool:
    """Whether what a variable is asked for shows that it holds a tensor."""
    return not used.isdisjoint(_ONLY_TENSORS | {"cpu", "cuda", "eq"}) and not contradicts(tables, used)


def _swaps_axes_of_tensor(axes: list[cst.BaseExpression]) -> bool:
    """Whether these axes are two of more than two: arrays of NumPy want all of them, `x.transpose(0, 1)`."""
    numbers = [int(text) for axis in axes if _NUMBER.fullmatch(text := code(axis))]
    return len(numbers) == len(axes) == 2 and {number % 2 for number in numbers if -2 <= number < 2} != {0, 1}


def _is_length(node: cst.BaseExpression) -> bool:
    """Whether an argument is surely a number: `2`, `-1`, `x.size(0)`, `x.shape[0]`, `len(x)`, `n // 2`."""
    match node:
        case cst.Integer() | cst.UnaryOperation(operator=cst.Minus(), expression=cst.Integer()):
            return True
        case cst.Call(func=cst.Attribute(attr=cst.Name("size"))):
            return bool(node.args)
        case cst.Call():
            return dotted(node.func) in ("len", "int")
        case cst.Subscript(value=cst.Attribute(attr=cst.Name("shape"))):
            return True
        case cst.BinaryOperation():
            return _is_length(node.left) or _is_length(node.right)
    return False
