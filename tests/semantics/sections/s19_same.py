"""What is the same in both."""

from tests.semantics.cases import Case, case, f16, i8, i32, inf, n, nan, t, u, u8

TITLE = "Same in both"
_HALF = {"x": t([0.5, 1.5, 2.5, -0.5, -1.5, 1.26, 1.25])}
_TIES = {"x": t([[1.0, 3.0, 3.0], [2.0, 2.0, 2.0]])}
_NAN = {"x": t([1.0, nan, 3.0]), "y": t([2.0, 0.0, nan])}
_ACT = {"x": t([-3.0, -1.0, 0.0, 0.5, 6.0])}

CASES: list[Case] = [
    case("round rounds halves to even", _HALF, "torch.round(x), x.round()"),
    case("round(decimals=1)", _HALF, "torch.round(x, decimals=1), x.round(decimals=1)"),
    case(
        "remainder / % follow the divisor's sign, fmod the dividend's",
        {"a": t([-7, 7]), "b": t([3, -3])},
        "a % b, torch.remainder(a, b), torch.fmod(a, b)",
    ),
    case("// floors, also for negative integers", {"a": t([-7, 7]), "b": t([3, -3])}, "a // b, a // 2"),
    case("argmax / argmin take the first of equal elements", _TIES, "x.argmax(1), x.argmin(1), x.argmax()"),
    case("max, argmax and maximum spread NaN", _NAN, "x.max(), x.argmax(), torch.maximum(x, y), x.min(0), x.amax(0)"),
    case("ascending sort puts NaN last", _NAN, "torch.sort(x), x.sort(dim=0)"),
    case(
        "ascending sort puts NaN last",
        _NAN,
        "x.sort()",
    ),
    case(
        "gradient of maximum(x, y) at x = y is 1/2 each",
        {"x": t([1.0, 2.0]), "y": t([1.0, 3.0])},
        "torch.maximum(x, y), torch.min(x, y)",
        grad=True,
    ),
    case("full reductions x.max(), amax share the gradient among ties", _TIES, "x.max(), x.amax(), x.min()", grad=True),
    case("amax(dim) too (unlike max(dim))", _TIES, "x.amax(1), x.amin(0), torch.amax(x, dim=(0, 1))", grad=True),
    case(
        "gradient of sign, floor, round is 0",
        {"x": n(3)},
        "x.sign() + x, x.floor() * x, x.round() * 2 + x, x.trunc() + x, x.frac()",
        grad=True,
    ),
    case("gradient of sqrt at 0 is inf", {"x": t([0.0, 1.0])}, "x.sqrt()", grad=True),
    case(
        "NaN of the unused where branch reaches the gradient in both",
        {"x": t([0.0, 1.0])},
        "torch.where(x > 0, torch.log(x), x)",
        grad=True,
    ),
    case("cumprod, prod gradients with a zero factor", {"x": t([2.0, 0.0, 3.0])}, "x.cumprod(0), x.prod()", grad=True),
    case("prod gradient with two zeros", {"x": t([2.0, 0.0, 0.0])}, "x.prod(), x.prod(0)", grad=True),
    case("elu gradient at 0", _ACT, "F.elu(x), F.celu(x), F.selu(x)", grad=True),
    case(
        "softplus, silu, mish, selu, logsigmoid values",
        _ACT,
        "F.softplus(x), F.silu(x), F.mish(x), F.selu(x), F.logsigmoid(x)",
        grad=True,
    ),
    case(
        "hardswish, hardsigmoid, relu6, hardtanh values",
        _ACT,
        "F.hardswish(x), F.hardsigmoid(x), F.relu6(x), F.hardtanh(x)",
    ),
    case("relu6 gradient at 0 and 6 with jax.nn.relu6", _ACT, "F.relu6(x)", grad=True),
    case("logsumexp of -inf only is -inf", {"x": t([-inf, -inf])}, "torch.logsumexp(x, 0)"),
    case("mean of an empty tensor is NaN, sum 0, prod 1", {"x": u(0)}, "x.mean(), x.sum(), x.prod()"),
    case("int / int gives float32", {"a": t([1, 2]), "b": t([2, 4])}, "a / b, a / 2, 1 / a"),
    case("int tensor * Python float gives the default float", {"a": t([1, 2])}, "a * 1.5, a + 0.5, 2.0 ** a"),
    case("float16 + int32 stays float16", {"a": t([1.0, 2.0], f16), "b": t([1, 2], i32)}, "a + b, a * 3, a * 1.5"),
    case("uint8 + int8 gives int16", {"a": t([1, 2], u8), "b": t([1, -2], i8)}, "a + b"),
    case("bool + bool is logical or", {"a": t([True, False]), "b": t([True, False])}, "a + b, a * b"),
    case(
        "linalg.svd returns Vh and full matrices by default",
        {"x": n(3, 2)},
        "u, s, vh = torch.linalg.svd(x)\nu.shape, s, vh.shape",
    ),
    case(
        "einsum strings, tensordot(dims=2), outer, kron, inner",
        {"a": n(2, 3), "b": n(2, 3, seed=1)},
        'torch.einsum("ij,kj->ik", a, b), torch.einsum("...j,...j->...", [a, b]), torch.tensordot(a, b, dims=2), torch.outer(a[0], b[0]), torch.kron(a, b), torch.inner(a, b)',
        grad=True,
    ),
    case(
        "diagonal, tril, triu, trace, diff, movedim",
        {"x": n(3, 3)},
        "x.diagonal(), x.tril(-1), torch.triu(x, 1), x.trace(), torch.diff(x), x.movedim(0, 1), torch.diff(x, n=2, dim=0)",
        grad=True,
    ),
    case("tensor_split equals array_split", {"x": n(7)}, "torch.tensor_split(x, 3)"),
    case("quantile interpolates linearly", {"x": n(5)}, "torch.quantile(x, 0.3), x.quantile(0.5)"),
    case(
        "bilinear enlargement without align_corners equals jax.image.resize",
        {"x": n(1, 1, 3, 3)},
        "F.interpolate(x, size=(6, 5), mode='bilinear', align_corners=False)",
    ),
    case(
        "padding='same' (stride 1) puts the odd extra cell at the end, as \"SAME\"",
        {"x": n(1, 1, 5), "w": n(1, 1, 4)},
        "F.conv1d(x, w, padding='same')",
    ),
    case(
        "reduce_window max gives the gradient to the first maximum",
        {"x": t([[[1.0, 1.0, 1.0, 0.0]]])},
        "F.max_pool1d(x, 2)",
        grad=True,
    ),
    case(
        "heaviside, hypot, logaddexp, copysign, nextafter, sinc, i0",
        {"x": n(3), "y": n(3, seed=1)},
        "torch.heaviside(x, y), torch.hypot(x, y), torch.logaddexp(x, y), torch.copysign(x, y), torch.nextafter(x, y), torch.sinc(x), torch.i0(x)",
    ),
    case(
        "xlogy gradient at x = 0 with y > 0", {"x": t([0.0, 1.0]), "y": t([2.0, 3.0])}, "torch.xlogy(x, y)", grad=True
    ),
]
