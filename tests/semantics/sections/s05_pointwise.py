"""Pointwise arithmetic."""

from tests.semantics.cases import Case, case, i32, inf, n, nan, t, u

TITLE = "Pointwise arithmetic"
_IJ = {"a": t([-7, 7, 5, -5]), "b": t([2, -2, 3, 3])}
_FG = {"a": t([-7.5, 7.5, 5.0, -5.0, 0.0]), "b": t([2.0, -2.0, 3.0, 3.0, 1.5])}
_ACT = {"x": t([-30.0, -3.0, -1.0, -0.5, 0.0, 0.25, 0.5, 1.0, 3.0, 30.0])}

CASES: list[Case] = [
    case(
        'torch.div(a, b, rounding_mode="trunc")',
        _IJ,
        'torch.div(a, b, rounding_mode="trunc"), torch.div(a, b, rounding_mode="floor"), a.div(2, rounding_mode="trunc"), torch.true_divide(a, b), torch.floor_divide(a, b)',
    ),
    case(
        'torch.div(a, b, rounding_mode="trunc")',
        _FG,
        'torch.div(a, b, rounding_mode="trunc"), torch.div(a, b, rounding_mode="floor"), a.div(b), a // b, a // 2, a.floor_divide(b)',
    ),
    case("a % b (torch.remainder)", _IJ, "a % b, torch.remainder(a, b), a % 3, a % -3, 7 % b"),
    case("a % b (torch.remainder)", _FG, "a % b, torch.remainder(a, b), a % 3, a.remainder(-3)", grad=True),
    case("torch.fmod(a, b)", _IJ, "torch.fmod(a, b), a.fmod(3)"),
    case("torch.fmod(a, b)", _FG, "torch.fmod(a, b), a.fmod(3)", grad=True),
    case(
        "a // b, a % b (integers, b = 0)",
        {"a": t([1, 2]), "b": t([0, 1])},
        "a // b",
        raises=True,
        bug="integer division by zero raises in torch, and gives a number in JAX",
    ),
    case(
        "a // b, a % b (integers, b = 0)",
        {"a": t([1.0, -2.0, 0.0]), "b": t([0.0, 0.0, 0.0])},
        "a / b, a // b, a % b, torch.fmod(a, b)",
    ),
    case("i ** -1 (integer tensor, Python exponent)", {"i": t([1, 2, 3])}, "i ** -1", raises=True),
    case(
        "torch.pow(i, e) (integer tensors, e negative)",
        {"i": t([1, 2, -1, -1, 3]), "e": t([-1, -2, -3, -2, 2])},
        "torch.pow(i, e), i ** e, i.pow(2), 2 ** e.abs()",
    ),
    case(
        "torch.sign(x) (NaN)",
        {"x": t([nan, -2.0, 0.0])},
        "torch.sign(x), x.sign(), x.sgn()",
    ),
    case("F.gelu(x)", _ACT, "F.gelu(x), nn.GELU()(x)", grad=True),
    case('F.gelu(x, approximate="tanh")', _ACT, 'F.gelu(x, approximate="tanh"), nn.GELU("tanh")(x)', grad=True),
    case(
        "F.softplus(x, beta=2)",
        _ACT,
        "F.softplus(x, beta=2), F.softplus(x), F.softplus(x, 1, 2), nn.Softplus(beta=0.5)(x)",
        grad=True,
    ),
    case(
        "F.elu(x, 0.5), F.celu(x, 0.5)",
        _ACT,
        "F.elu(x, 0.5), F.celu(x, 0.5), F.elu(x), F.selu(x), nn.ELU(alpha=2.0)(x)",
        grad=True,
    ),
    case("F.leaky_relu(x, 0.2)", _ACT, "F.leaky_relu(x, 0.2), F.leaky_relu(x), nn.LeakyReLU(0.3)(x)", grad=True),
    case(
        "F.prelu(x, w) (x: (N, C, L), w: (C,))",
        {"x": n(2, 3, 4), "w": u(3)},
        "F.prelu(x, w), F.prelu(x, w[:1])",
        grad=True,
    ),
    case("F.rrelu(x, 0.1, 0.3) (training=False)", _ACT, "F.rrelu(x, 0.1, 0.3), F.rrelu(x)", grad=True),
    case("F.threshold(x, 0.5, 9.0)", _ACT, "F.threshold(x, 0.5, 9.0), nn.Threshold(0.25, -1)(x)", grad=True),
    case(
        "F.hardshrink(x), F.softshrink(x)",
        _ACT,
        "F.hardshrink(x), F.softshrink(x), F.hardshrink(x, 1.0), F.softshrink(x, 0.25), F.tanhshrink(x)",
        grad=True,
    ),
    case("F.hardsigmoid(x)", _ACT, "F.hardsigmoid(x), F.hardswish(x), F.hardtanh(x, -0.5, 0.5), F.relu6(x)"),
    case("F.glu(x)", {"x": n(2, 4)}, "F.glu(x), F.glu(x, 0), nn.GLU(dim=1)(x)", grad=True),
    case(
        "torch.logit(x, eps=0.1)",
        {"x": t([0.0, 0.05, 0.5, 0.95])},
        "torch.logit(x, eps=0.1), torch.logit(x), x.logit(0.2)",
    ),
    case(
        "torch.lerp(a, b, w)",
        {"a": n(3), "b": n(3, seed=1), "w": u(3)},
        "torch.lerp(a, b, w), torch.lerp(a, b, 0.25), a.lerp(b, 0.75)",
        grad=True,
    ),
    case(
        "torch.addmm(m, a, b, beta=0) (m has NaN)",
        {"m": t([[nan, 1.0], [2.0, 3.0]]), "a": n(2, 3), "b": n(3, 2)},
        "torch.addmm(m, a, b, beta=0)",
    ),
    case(
        "torch.addmm(m, a, b, beta=0) (m has NaN)",
        {"m": n(2, 2), "a": n(2, 3), "b": n(3, 2)},
        "torch.addmm(m, a, b, beta=0.5, alpha=2), m.addmm(a, b), torch.addmv(m[0], a, b[:, 0])",
        grad=True,
    ),
    case(
        "torch.addcmul(x, a, b, value=0.5)",
        {"x": n(3), "a": n(3, seed=1), "b": u(3)},
        "torch.addcmul(x, a, b, value=0.5), torch.addcdiv(x, a, b, value=2), x.addcmul(a, b)",
        grad=True,
    ),
    case(
        "torch.rsub(x, 2), torch.sub(x, y, alpha=3)",
        {"x": n(3), "y": n(3, seed=1)},
        "torch.rsub(x, 2), torch.sub(x, y, alpha=3), torch.add(x, y, alpha=0.5), x.add(y, alpha=2), torch.rsub(x, y, alpha=2)",
    ),
    case(
        "torch.clamp(x, lo, hi) (lo > hi)",
        _ACT,
        "torch.clamp(x, 2, 1), x.clamp(max=0.5), x.clamp_min(-1), x.clip(-1, 1), torch.clamp(x, min=torch.tensor(2.0), max=torch.tensor(1.0))",
    ),
    case("torch.clamp(x, lo, hi) (lo > hi)", {"x": t([1.0, nan, inf, -inf])}, "x.clamp(0, 1), torch.clamp(x, min=0)"),
    case(
        "torch.fmax(x, y)",
        {"x": t([1.0, nan, 3.0, nan]), "y": t([2.0, 2.0, nan, nan])},
        "torch.fmax(x, y), torch.fmin(x, y), torch.maximum(x, y), torch.minimum(x, y)",
    ),
    case(
        "torch.nan_to_num(x, nan=1.0)",
        {"x": t([nan, inf, -inf, 2.0])},
        "torch.nan_to_num(x, nan=1.0), x.nan_to_num(), torch.nan_to_num(x, 0.0, 5.0, -5.0)",
    ),
    case(
        "torch.xlogy(x, y)",
        {"x": t([0.0, 0.0, 2.0]), "y": t([0.0, nan, 3.0])},
        "torch.xlogy(x, y), torch.special.xlog1py(x, y)",
    ),
    case("torch.special.entr(x)", {"x": t([0.0, -1.0, 0.5, nan])}),
    case(
        "torch.bitwise_right_shift(i, 1) (negative)",
        {"i": t([-8, 7, -1], i32)},
        "torch.bitwise_right_shift(i, 1), i >> 1, i << 2, torch.bitwise_left_shift(i, 1)",
    ),
    case("torch.heaviside(x, v)", {"x": t([-1.0, 0.0, 2.0]), "v": t(0.5)}),
    case(
        "torch.ldexp(x, e), torch.frexp(x)",
        {"x": t([1.5, -3.0, 0.0]), "e": t([2, -1, 3])},
        "torch.ldexp(x, e), torch.frexp(x)",
    ),
    case(
        "torch.polygamma(1, x)",
        {"x": u(4, low=0.5, high=4)},
        "torch.polygamma(1, x), x.polygamma(2), torch.polygamma(0, x)",
        rtol=1e-3,
    ),
    case("torch.mvlgamma(x, 3)", {"x": u(4, low=2, high=4)}),
    case(
        "torch.igamma(a, x)",
        {"a": u(4, low=0.5, high=4), "x": u(4, low=0.5, high=4, seed=1)},
        "torch.igamma(a, x), torch.igammac(a, x)",
    ),
    case(
        "torch.nn.functional.normalize(x)",
        {"x": t([[3.0, 4.0], [0.0, 0.0], [1e-13, 0.0]])},
        "torch.nn.functional.normalize(x), F.normalize(x, dim=0), F.normalize(x, p=1, dim=-1), F.normalize(x, eps=1.0)",
    ),
    case(
        "F.cosine_similarity(a, b, dim=1, eps=e)",
        {"a": t([[3.0, 4.0], [0.1, 0.0]]), "b": t([[1.0, 2.0], [0.2, 0.1]])},
        "F.cosine_similarity(a, b, dim=1, eps=0.5), F.cosine_similarity(a, b), F.cosine_similarity(a, b, 0), nn.CosineSimilarity(dim=1)(a, b)",
        grad=True,
    ),
    case(
        "F.pairwise_distance(a, b)",
        {"a": n(3, 4), "b": n(3, 4, seed=1)},
        "F.pairwise_distance(a, b), F.pairwise_distance(a, a), F.pairwise_distance(a, b, p=1, keepdim=True)",
    ),
]
