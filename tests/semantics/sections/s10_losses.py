"""Losses."""

from tests.semantics.cases import Case, case, k, n, t, u

TITLE = "Losses"
_XY = {"x": n(3, 4), "y": n(3, 4, seed=1)}
_CLS = {"x": n(5, 4), "y": t([0, 3, 1, 1, 2])}
_IGN = {"x": n(5, 4), "y": t([0, -100, 1, -100, 2])}
_LQ = n(3, 4).log_softmax(1)
_LP = n(3, 4, seed=1).log_softmax(1)
_CTC = {"lp": n(6, 2, 4).log_softmax(-1), "y": t([[1, 2, 3], [2, 1, 1]]), "il": t([6, 5]), "tl": t([3, 2])}
_SIGN = t([1.0, -1.0, 1.0])

CASES: list[Case] = [
    case(
        "F.cross_entropy(x, y) (x: (N, C, d), y: (N, d))",
        {"x": n(2, 4, 3), "y": k(4, 2, 3)},
        "F.cross_entropy(x, y), F.cross_entropy(x, y, reduction='none'), nn.CrossEntropyLoss()(x, y)",
        grad=True,
    ),
    case(
        "F.cross_entropy(x, y) (y has -100)",
        _IGN,
        "F.cross_entropy(x, y), F.cross_entropy(x, y, reduction='sum'), F.cross_entropy(x, y, reduction='none')",
        grad=True,
    ),
    case(
        "F.cross_entropy(x, y) (y has -100)",
        _CLS,
        "F.cross_entropy(x, y, ignore_index=1), nn.CrossEntropyLoss(ignore_index=0)(x, y), F.cross_entropy(x[0], y[0])",
        grad=True,
    ),
    case(
        "F.cross_entropy(x, y, weight=w)",
        {**_CLS, "w": u(4)},
        "F.cross_entropy(x, y, weight=w), F.cross_entropy(x, y, w, reduction='sum'), nn.CrossEntropyLoss(weight=w)(x, y)",
        grad=True,
        fixed=("w",),
    ),
    case(
        "F.cross_entropy(x, y, label_smoothing=0.1)",
        {**_IGN, "w": u(4)},
        "F.cross_entropy(x, y, label_smoothing=0.1), F.cross_entropy(x, y, w, label_smoothing=0.2)",
        grad=True,
        fixed=("w",),
    ),
    case(
        "F.cross_entropy(x, t) (float targets of x's shape)",
        {"x": n(5, 4), "t": n(5, 4, seed=1).softmax(1)},
        "F.cross_entropy(x, t), F.cross_entropy(x, t, label_smoothing=0.1), F.cross_entropy(x, t, reduction='sum')",
        grad=True,
    ),
    case(
        "F.nll_loss(lp, y, w)",
        {"lp": n(5, 4).log_softmax(1), "y": t([0, 3, 1, 1, 2]), "w": u(4)},
        "F.nll_loss(lp, y, w), F.nll_loss(lp, y), nn.NLLLoss(ignore_index=1)(lp, y), F.nll_loss(lp, y, reduction='none')",
        grad=True,
        fixed=("w",),
    ),
    case(
        "F.binary_cross_entropy(p, y) (p = 0 or 1)",
        {"p": t([0.0, 1.0, 0.3, 1.0]), "y": t([1.0, 0.0, 1.0, 1.0])},
        "F.binary_cross_entropy(p, y), nn.BCELoss(reduction='none')(p, y)",
    ),
    case(
        "F.binary_cross_entropy(p, y) (p = 0 or 1)",
        {"p": u(4), "y": t([1.0, 0.0, 1.0, 1.0]), "w": u(4, seed=1)},
        "F.binary_cross_entropy(p, y), F.binary_cross_entropy(p, y, weight=w)",
        grad=True,
        fixed=("w", "y"),
    ),
    case(
        "F.binary_cross_entropy_with_logits(x, y, pos_weight=w)",
        {"x": n(3, 4) * 20, "y": u(3, 4), "w": u(4, seed=1)},
        "F.binary_cross_entropy_with_logits(x, y, pos_weight=w), F.binary_cross_entropy_with_logits(x, y), nn.BCEWithLogitsLoss(pos_weight=w)(x, y)",
        grad=True,
        fixed=("w", "y"),
    ),
    case(
        "F.kl_div(lq, p)",
        {"lq": _LQ, "p": _LP.exp()},
        "F.kl_div(lq, p), F.kl_div(lq, p, reduction='batchmean'), nn.KLDivLoss(reduction='sum')(lq, p)",
        grad=True,
    ),
    case("F.kl_div(lq, p) (p = 0)", {"lq": _LQ, "p": t([[0.0, 0.5, 0.5, 0.0]] * 3)}, "F.kl_div(lq, p)"),
    case("F.kl_div(lq, lp, log_target=True)", {"lq": _LQ, "lp": _LP}, grad=True),
    case(
        "F.mse_loss(x, y)",
        _XY,
        "F.mse_loss(x, y), nn.MSELoss(reduction='sum')(x, y), F.mse_loss(x, y, reduction='none')",
        grad=True,
    ),
    case(
        "F.mse_loss(x, y) (x: (3, 1), y: (3,))",
        {"x": n(3, 1), "y": n(3)},
        "F.mse_loss(x, y), F.l1_loss(x, y), F.smooth_l1_loss(x, y)",
    ),
    case(
        "F.smooth_l1_loss(x, y, beta=0.5)",
        _XY,
        "F.smooth_l1_loss(x, y, beta=0.5), F.smooth_l1_loss(x, y), F.smooth_l1_loss(x, y, beta=0.0), nn.SmoothL1Loss(beta=2.0)(x, y)",
        grad=True,
    ),
    case(
        "F.huber_loss(x, y, delta=2.0)",
        _XY,
        "F.huber_loss(x, y, delta=2.0), F.huber_loss(x, y), nn.HuberLoss(delta=0.5, reduction='sum')(x, y)",
        grad=True,
    ),
    case(
        "F.gaussian_nll_loss(x, y, v)",
        {**_XY, "v": t([[0.0, 0.5, 1.0, 2.0]] * 3)},
        "F.gaussian_nll_loss(x, y, v, eps=0.1), F.gaussian_nll_loss(x, y, v, full=True, eps=0.1), nn.GaussianNLLLoss(eps=0.1)(x, y, v)",
        grad=True,
    ),
    case(
        "F.poisson_nll_loss(x, y)",
        {"x": u(4), "y": u(4, low=0.1, high=4)},
        "F.poisson_nll_loss(x, y), F.poisson_nll_loss(x, y, log_input=False), F.poisson_nll_loss(x, y, full=True)",
        grad=True,
    ),
    case("F.cosine_embedding_loss(a, b, y, margin=0.5)", {"a": n(3, 4), "b": n(3, 4) + 0.2, "y": _SIGN}, grad=True),
    case("F.margin_ranking_loss(a, b, y, margin=0.3)", {"a": n(3), "b": n(3, seed=1), "y": _SIGN}, grad=True),
    case(
        "F.margin_ranking_loss(a, b, y, margin=0.3)",
        {"a": n(3), "b": n(3), "y": _SIGN},
        "F.margin_ranking_loss(a, b, y), nn.MarginRankingLoss(0.5)(a, b, y)",
        grad=True,
    ),
    case("F.hinge_embedding_loss(x, y)", {"x": t([0.5, 1.0, 2.0]), "y": t([1.0, -1.0, -1.0])}, grad=True),
    case(
        "F.triplet_margin_loss(a, p, n)",
        {"a": n(3, 4), "p": n(3, 4, seed=1), "n": n(3, 4, seed=2)},
        "F.triplet_margin_loss(a, p, n), F.triplet_margin_loss(a, p, n, margin=0.5, swap=True), nn.TripletMarginLoss()(a, p, n)",
        grad=True,
    ),
    case(
        "F.multi_margin_loss(x, y)",
        {"x": n(3, 4), "y": t([0, 3, 1])},
        "F.multi_margin_loss(x, y), nn.MultiMarginLoss(p=2, margin=0.5)(x, y)",
        grad=True,
    ),
    case(
        "F.multilabel_soft_margin_loss(x, y)",
        {"x": n(3, 4), "y": u(3, 4).round()},
        "F.multilabel_soft_margin_loss(x, y), F.soft_margin_loss(x, 2 * y - 1)",
        grad=True,
        fixed=("y",),
    ),
    case(
        "F.ctc_loss(lp, y, il, tl) (lp: (T, N, C))",
        _CTC,
        "F.ctc_loss(lp, y, il, tl), F.ctc_loss(lp, y, il, tl, reduction='none'), F.ctc_loss(lp, y, il, tl, reduction='sum')",
        grad=True,
        rtol=1e-3,
        atol=1e-4,
    ),
    case(
        'nn.L1Loss(reduction="sum")(x, y)',
        _XY,
        "nn.L1Loss(reduction='sum')(x, y), F.l1_loss(x, y), F.l1_loss(x, y, reduction='none')",
        grad=True,
    ),
]
