"""Reductions, sorting, statistics."""

from tests.semantics.cases import Case, case, inf, k, n, nan, t, u, u8

TITLE = "Reductions, sorting, statistics"
_X = {"x": n(3, 4)}
_TIES = {"x": t([[2.0, 1.0, 2.0, 1.0], [0.0, 0.0, 0.0, 0.0]])}
_NAN = {"x": t([[1.0, nan, 3.0], [4.0, 5.0, 6.0]])}

CASES: list[Case] = [
    case(
        "x.std()",
        _X,
        "x.std(), torch.std(x), x.std(0), x.std(unbiased=False), x.std(1, False), x.std(dim=1, correction=0)",
        grad=True,
    ),
    case(
        "x.var(1, keepdim=True)",
        _X,
        "x.var(1, keepdim=True), x.var(), torch.var(x, dim=(0, 1)), x.var(0, unbiased=False)",
        grad=True,
    ),
    case("torch.std_mean(x, 0)", _X, "torch.std_mean(x, 0), torch.var_mean(x), torch.var_mean(x, 1, keepdim=True)"),
    case("x.std() (one element)", {"x": n(1)}, "x.std(), x.var()"),
    case("x.median() (even count)", _X, "x.median(), torch.median(x), torch.median(x[0])"),
    case("x.median(1)", _X, "x.median(1), torch.median(x, dim=0, keepdim=True)", grad=True),
    case(
        "x.median(1)", _X, "values, indices = x.median(dim=-1)\nvalues * 2, indices, x.median(0).values, x.median(0)[1]"
    ),
    case("x.nanmedian()", _NAN, "x.nanmedian(), torch.nanmedian(x, 1)"),
    case("x.max(1)", _X, "x.max(1), x.min(dim=0), torch.max(x, -1), x.max(dim=1, keepdim=True)", grad=True),
    case("x.max(1)", _TIES, "x.max(1), x.min(1), x.argmax(1), x.argmin(1)"),
    case(
        "x.max(1)",
        _X,
        "best, where = x.max(1)\nm = torch.max(x, 0)\nbest, where, m.values, m.indices, m[0], x.min(1)[1], x.max()",
    ),
    case(
        "torch.max(x, y)",
        {"x": n(3), "y": n(3, seed=1)},
        "torch.max(x, y), torch.min(x, other=y), x.max(y), x.minimum(y)",
        grad=True,
    ),
    case("x.aminmax(dim=1)", _X, "x.aminmax(dim=1), x.aminmax(), torch.aminmax(x, dim=0, keepdim=True)"),
    case("x.cummax(0)", {"x": t([1.0, 3.0, 3.0, 2.0])}, "x.cummax(0), torch.cummin(x, 0)", grad=True),
    case("torch.kthvalue(x, 2)", {"x": n(5)}, "torch.kthvalue(x, 2), x.kthvalue(k=1).values"),
    case("torch.topk(x, 2, dim=0)", _X, "torch.topk(x, 2, dim=0), x.topk(1), x.topk(2, -1)[1]", grad=True),
    case(
        "torch.topk(x, 2, largest=False)", _X, "torch.topk(x, 2, largest=False), x.topk(3, dim=1, largest=False).values"
    ),
    case("torch.topk(x, 2, largest=False)", {"x": k(50, 6)}, "torch.topk(x, 2, largest=False), x.topk(2)"),
    case("torch.sort(x)", _X, "torch.sort(x), x.sort(0), x.sort(descending=True), x.sort(-1, True)[0]", grad=True),
    case(
        "torch.sort(x)", _X, "ordered, order = torch.sort(x, dim=0, descending=True)\nordered, order, x.sort().indices"
    ),
    case(
        "torch.sort(x, descending=True, stable=True).indices (ties)",
        {"x": t([1.0, 2.0, 1.0, 2.0])},
        "torch.sort(x, descending=True, stable=True).indices, torch.sort(x, stable=True).indices, torch.argsort(x, descending=True, stable=True)",
    ),
    case(
        "torch.sort(x, descending=True).values (NaN)",
        {"x": t([1.0, nan, 2.0])},
        "torch.sort(x, descending=True).values, x.sort().values, x.topk(2).values",
    ),
    case("torch.mode(x)", {"x": t([3.0, 1.0, 3.0, 1.0, 2.0])}, "torch.mode(x).values"),
    case("x.argmax()", _X, "x.argmax(), x.argmin(), x.argmax(dim=1), x.argmax(0, keepdim=True), torch.argmax(x)"),
    case(
        "torch.norm(x, p=1)",
        _X,
        "torch.norm(x, p=1), torch.norm(x), x.norm(), x.norm(3), torch.norm(x, float('inf')), x.norm(p='fro')",
        grad=True,
    ),
    case(
        "x.norm(2, dim=(0, 1))",
        _X,
        "x.norm(2, dim=(0, 1)), x.norm(dim=1), x.norm(p=1, dim=0, keepdim=True), x.norm(2, -1)",
        grad=True,
    ),
    case(
        "torch.linalg.vector_norm(x, 3)",
        _X,
        "torch.linalg.vector_norm(x, 3), torch.linalg.vector_norm(x), torch.linalg.vector_norm(x, 1, dim=0), torch.linalg.vector_norm(x, float('inf'), (0, 1), True), torch.linalg.vector_norm(x, 0)",
    ),
    case("torch.dist(x, y, 3)", {"x": n(3), "y": n(3, seed=1)}, "torch.dist(x, y, 3), torch.dist(x, y)"),
    case("torch.histc(x, 4, 0, 1)", {"x": n(20)}),
    case("torch.histc(x, 4, 0, 1)", {"x": n(20)}, "torch.histc(x, bins=5), torch.histc(x, 5, min=-1, max=1)"),
    case("torch.gradient(x)", {"x": n(5)}, "torch.gradient(x), torch.gradient(x, spacing=2.0)"),
    case("torch.gradient(x)", {"x": n(4, 5)}, "torch.gradient(x), torch.gradient(x, dim=1)"),
    case("torch.cross(a, b) (shape (3, 4))", {"a": n(3, 4), "b": n(3, 4, seed=1)}, "torch.cross(a, b)", gap="T2J201"),
    case(
        "torch.cross(a, b) (shape (3, 4))",
        {"a": n(4, 3), "b": n(4, 3, seed=1)},
        "torch.cross(a, b, dim=1), torch.linalg.cross(a, b), a.cross(b, -1)",
    ),
    case("F.softmax(x) (3-D, no dim)", {"x": n(2, 3, 4)}, "F.softmax(x), F.log_softmax(x), F.softmin(x)", gap="T2J201"),
    case(
        "F.softmax(x) (4-D, no dim)",
        {"x": n(2, 3, 2, 2)},
        "F.softmax(x), F.log_softmax(x), nn.Softmax()(x)",
        gap="T2J201",
    ),
    case(
        "F.softmax(x) (4-D, no dim)",
        {"x": n(2, 3)},
        "nn.LogSoftmax(1)(x), F.softmax(x, dim=0), x.softmax(-1), torch.softmax(x, 1, dtype=torch.float16)",
        rtol=1e-3,
    ),
    case("F.softmin(x, 1)", _X),
    case("torch.logcumsumexp(x, 0)", {"x": t([100.0, 200.0, 50.0])}),
    case(
        "torch.quantile(x, q, dim=1)",
        {"x": n(3, 5), "q": t([0.25, 0.5])},
        "torch.quantile(x, q, dim=1), torch.quantile(x, 0.3), x.quantile(q, dim=0, keepdim=True)",
        grad=True,
    ),
    case(
        'torch.quantile(x, 0.35, interpolation="lower")',
        {"x": n(5)},
        'torch.quantile(x, 0.35, interpolation="lower"), torch.quantile(x, 0.35, interpolation="nearest")',
    ),
    case("torch.nanmean(x, 1)", _NAN, "torch.nanmean(x, 1), x.nanmean(), x.nansum(), x.nansum(0)"),
    case("torch.cov(x, correction=0)", _X, "torch.cov(x, correction=0), torch.cov(x), torch.corrcoef(x)"),
    case("torch.renorm(x, 2, 0, 1.0)", {"x": n(3, 2, 2)}, grad=True),
    case("torch.sum(x, dim=()) / x.sum([])", _X, "torch.sum(x, dim=()), x.sum([]), x.sum(())"),
    case(
        "torch.sum(x, dim=()) / x.sum([])",
        _X,
        "x.sum(None), torch.sum(x, dim=None), x.mean(dim=None), x.sum((0, 1)), x.sum([0]), x.sum(-1, keepdim=True)",
    ),
    case("torch.sum(x, dim=()) / x.sum([])", _X, "x.mean(()), x.amax(()), x.amin([]), torch.mean(x, dim=[])"),
    case(
        "x.any(0), x.all() (uint8)",
        {"x": t([[1, 0], [2, 0]], u8)},
        "x.any(0), x.all(), torch.any(x)",
        bug="uint8 becomes bool",
    ),
    case(
        "x.any(0), x.all() (uint8)",
        {"x": t([[1, 0], [2, 0]])},
        "x.any(0), x.all(), x.any(), x.float().all(1), x.any(dim=(0, 1))",
    ),
    case(
        "torch.trapezoid(y, dx=0.5, dim=0)",
        {"y": n(4, 3)},
        "torch.trapezoid(y, dx=0.5, dim=0), torch.trapezoid(y), torch.trapz(y)",
    ),
    case("x.softmax(-1) (a row of -inf)", {"x": t([[-inf, -inf], [0.0, -inf]])}, "x.softmax(-1), F.log_softmax(x, 1)"),
    case(
        "x.logsumexp(1)", _X, "x.logsumexp(1), torch.logsumexp(x, (0, 1)), x.logsumexp(dim=0, keepdim=True)", grad=True
    ),
    case("x.max(1)", {"x": u(0, 3)}, "x.sum(), x.mean(), x.prod(), x.sum(0), x.numel()"),
    case(
        "x.max(1)",
        {"x": t(3.0)},
        "x.max(0), x.sort(), x.mean(0), x.softmax(0), x.cumsum(0)",
        bug="an axis of a scalar: torch takes 0 and -1, JAX raises",
    ),
    case("x.max(1)", {"x": u(0, 3)}, "x.max()", raises=True),
    case(
        "x.max(1)",
        {"x": t(3.0)},
        "x.sum(), x.max(), x.argmax(), x.mean(), x.unsqueeze(-1), x.std(unbiased=False), x.flatten()",
    ),
]
