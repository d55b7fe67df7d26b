"""More operators with options that are easily lost."""

from tests.semantics.cases import Case, case, k, n, nan, t, u

TITLE = "More operators with options that are easily lost"
_CTC = {"lp": n(2, 2, 4).log_softmax(-1), "y": t([[1, 2, 3], [2, 1, 1]]), "il": t([2, 2]), "tl": t([3, 1])}

CASES: list[Case] = [
    case('torch.linalg.eigh(x, UPLO="U") (x not symmetric)', {"x": n(3, 3)}, 'torch.linalg.eigh(x, UPLO="U")[0]'),
    case(
        "torch.bincount(i, weights=w) (integer weights)",
        {"i": t([0, 1, 1]), "w": t([1, 2, 3])},
        "torch.bincount(i, weights=w)",
        x64=True,
    ),
    case(
        "torch.bincount(i, weights=w) (integer weights)",
        {"i": t([0, 1, 1]), "w": u(3)},
        "torch.bincount(i, weights=w), torch.bincount(i), i.bincount(minlength=5)",
    ),
    case(
        "F.embedding(i, w, max_norm=1.0)", {"i": t([0, 2]), "w": n(3, 4)}, "F.embedding(i, w, max_norm=1.0)", flag="T2J"
    ),
    case(
        'F.embedding_bag(i, w, padding_idx=0, mode="mean") (2-D i)',
        {"i": t([[0, 1], [2, 2]]), "w": n(3, 4)},
        'F.embedding_bag(i, w, padding_idx=0, mode="mean"), F.embedding_bag(i, w)',
        grad=True,
    ),
    case(
        'F.embedding_bag(i, w, mode="sum", per_sample_weights=s)',
        {"i": t([[0, 1], [2, 2]]), "w": n(3, 4), "s": u(2, 2)},
        grad=True,
    ),
    case('torch.cdist(x, y, p=float("inf"))', {"x": n(2, 3), "y": n(4, 3)}),
    case(
        "torch.polygamma(1, x) (x below about -8)",
        {"x": t([-10.5, -20.3, -3.4])},
        "torch.polygamma(1, x)",
        rtol=1e-3,
    ),
    case(
        "torch.searchsorted(b, v, sorter=o)",
        {"b": t([3.0, 1.0, 2.0]), "v": t([1.5, 2.5]), "o": t([1, 2, 0])},
        "torch.searchsorted(b, v, sorter=o), torch.searchsorted(b.sort().values, v)",
        gap="T2J201",
    ),
    case(
        "torch.allclose(x, y, equal_nan=True)",
        {"x": t([1.0, nan]), "y": t([1.0, nan])},
        "torch.allclose(x, y, equal_nan=True), torch.allclose(x, y), torch.allclose(x[:1], y[:1] + 0.01, atol=0.1)",
    ),
    case(
        "torch.isclose(x, y, rtol=0.1)",
        {"x": t([1.0, 1.1]), "y": t([1.105, 1.0])},
        "torch.isclose(x, y, rtol=0.1), torch.isclose(y, x, rtol=0.1), x.isclose(y)",
    ),
    case(
        "torch.repeat_interleave(x, r) (no dim)",
        {"x": n(2, 2), "r": t([1, 2, 0, 3])},
        "torch.repeat_interleave(x, r), x.repeat_interleave(2)",
    ),
    case("torch.cumulative_trapezoid(y)", {"y": n(5)}, grad=True),
    case(
        "torch.nanquantile(x, 0.5)",
        {"x": t([[1.0, nan], [4.0, 8.0]])},
        "torch.nanquantile(x, 0.5), torch.nanquantile(x, 0.5, dim=1)",
    ),
    case(
        "torch.argsort(x, dim=0)", {"x": n(3, 4)}, "torch.argsort(x, dim=0), x.argsort(), x.argsort(1, descending=True)"
    ),
    case(
        "torch.tensor_split(x, (2, 5)), torch.hsplit, torch.dsplit",
        {"x": n(6, 4, 2)},
        "torch.tensor_split(x, (2, 5)), torch.hsplit(x, 2), torch.dsplit(x, 2), torch.vsplit(x, [1, 3]), x.tensor_split(4)",
    ),
    case("torch.addr(m, a, b, alpha=2, beta=3)", {"m": n(2, 3), "a": n(2), "b": n(3)}, grad=True, gap="T2J201"),
    case(
        "torch.baddbmm(m, a, b, beta=0.5)",
        {"m": n(2, 3, 5), "a": n(2, 3, 4), "b": n(2, 4, 5)},
        "torch.baddbmm(m, a, b, beta=0.5), m.baddbmm(a, b, alpha=2)",
        grad=True,
    ),
    case(
        "torch.take_along_dim(x, i)",
        {"x": n(2, 3), "i": t([[0, 5]])},
        "torch.take_along_dim(x, i.reshape(-1)), torch.take_along_dim(x, x.argsort(1), dim=1)",
    ),
    case(
        "torch.isin(x, t, invert=True)",
        {"x": k(5, 6), "values": t([1, 3])},
        "torch.isin(x, values, invert=True), torch.isin(x, values)",
    ),
    case(
        "torch.nn.functional.ctc_loss(..., zero_infinity=True)",
        _CTC,
        "F.ctc_loss(lp, y, il, tl, zero_infinity=True), nn.CTCLoss(zero_infinity=True, reduction='sum')(lp, y, il, tl)",
        grad=True,
        rtol=1e-3,
    ),
    case(
        "torch.nn.functional.ctc_loss(..., zero_infinity=True)",
        _CTC,
        "F.ctc_loss(lp, y, il, tl), F.ctc_loss(lp, y, il, tl, reduction='none')",
    ),
]
