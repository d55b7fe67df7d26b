"""Losses agree with torch for every reduction, gradients included."""

import jax
import numpy as np
import pytest
import torch
import torch.nn.functional as F

from torch2jax.runtime import losses as l

RNG = np.random.default_rng(0)


def normal(*shape):
    return RNG.normal(size=shape).astype(np.float32)


LOGITS, LABELS = normal(6, 4), RNG.integers(0, 4, 6)
IMAGE, IMAGE_LABELS = normal(2, 4, 3, 3), RNG.integers(0, 4, (2, 3, 3))
IGNORED = np.where(np.arange(6) % 3 == 0, -100, LABELS)
PROBS = RNG.dirichlet(np.ones(4), 6).astype(np.float32)
WEIGHT = np.array([0.5, 1.0, 2.0, 0.1], np.float32)
X, Y = normal(6, 4), normal(6, 4)
Y[0] = X[0]
UNIT, BITS = RNG.random((6, 4)).astype(np.float32), RNG.integers(0, 2, (6, 4)).astype(np.float32)
UNIT[0] = [0, 1, 0, 1]
BITS[0] = [0, 1, 1, 0]
SIGNS = np.where(RNG.random(6) < 0.5, -1, 1).astype(np.float32)
SIGNS4 = np.where(RNG.random((6, 4)) < 0.5, -1, 1).astype(np.float32)
LOG_Q = np.log(RNG.dirichlet(np.ones(4), 6)).astype(np.float32)
ZERO_PROBS = np.where(PROBS < 0.1, 0, PROBS)
VAR = RNG.random((6, 4)).astype(np.float32)
COUNTS = RNG.integers(0, 6, (6, 4)).astype(np.float32)

CASES = {
    "cross_entropy": ("cross_entropy", {}, LOGITS, LABELS),
    "cross_entropy image": ("cross_entropy", {}, IMAGE, IMAGE_LABELS),
    "cross_entropy weight": ("cross_entropy", {"weight": WEIGHT}, LOGITS, IGNORED),
    "cross_entropy image weight": ("cross_entropy", {"weight": WEIGHT, "label_smoothing": 0.2}, IMAGE, IMAGE_LABELS),
    "cross_entropy ignored": ("cross_entropy", {"ignore_index": 2}, LOGITS, LABELS),
    "cross_entropy smooth": ("cross_entropy", {"label_smoothing": 0.1}, LOGITS, IGNORED),
    "cross_entropy all": ("cross_entropy", {"label_smoothing": 0.1, "weight": WEIGHT}, LOGITS, IGNORED),
    "cross_entropy probs": ("cross_entropy", {}, LOGITS, PROBS),
    "cross_entropy probs all": ("cross_entropy", {"label_smoothing": 0.1, "weight": WEIGHT}, LOGITS, PROBS),
    "cross_entropy one": ("cross_entropy", {}, LOGITS[0], np.array(2)),
    "nll": ("nll_loss", {"weight": WEIGHT}, LOG_Q, IGNORED),
    "bce": ("binary_cross_entropy", {}, UNIT, BITS),
    "bce weight": ("binary_cross_entropy", {"weight": VAR}, UNIT, BITS),
    "bce logits": ("binary_cross_entropy_with_logits", {}, 10 * X, BITS),
    "bce logits all": ("binary_cross_entropy_with_logits", {"weight": VAR, "pos_weight": WEIGHT}, X, BITS),
    "mse": ("mse_loss", {}, X, Y),
    "l1": ("l1_loss", {}, X, Y),
    "smooth_l1": ("smooth_l1_loss", {"beta": 0.5}, X, Y),
    "smooth_l1 zero": ("smooth_l1_loss", {"beta": 0.0}, X, Y),
    "huber": ("huber_loss", {"delta": 0.7}, X, Y),
    "kl": ("kl_div", {}, LOG_Q, PROBS),
    "kl log": ("kl_div", {"log_target": True}, LOG_Q, np.log(PROBS)),
    "cosine": ("cosine_embedding_loss", {"margin": 0.2}, X, Y, SIGNS),
    "margin": ("margin_ranking_loss", {"margin": 0.3}, X[:, 0], Y[:, 0], SIGNS),
    "margin tie": ("margin_ranking_loss", {}, X[0], Y[0], SIGNS[:4]),
    "triplet": ("triplet_margin_loss", {}, X, Y, LOGITS),
    "triplet swap": ("triplet_margin_loss", {"swap": True, "p": 1.0, "margin": 2.0}, X, Y, LOGITS),
    "hinge": ("hinge_embedding_loss", {"margin": 0.8}, X, SIGNS4),
    "poisson": ("poisson_nll_loss", {}, X, COUNTS),
    "poisson full": ("poisson_nll_loss", {"full": True, "log_input": False}, VAR + 0.1, COUNTS),
    "gaussian": ("gaussian_nll_loss", {"full": True}, X, Y, VAR),
    "gaussian small": ("gaussian_nll_loss", {"eps": 0.2}, X, Y, VAR),
    "soft": ("soft_margin_loss", {}, X, SIGNS4),
    "multilabel": ("multilabel_soft_margin_loss", {"weight": WEIGHT}, X, BITS),
    "multi": ("multi_margin_loss", {"margin": 0.5}, X, LABELS),
    "multi squared": ("multi_margin_loss", {"p": 2, "weight": WEIGHT}, X, LABELS),
}
DATA_ONLY = {
    "soft",
    "hinge",
    "margin",
    "margin tie",
    "cosine",
    "poisson",
    "poisson full",
    "bce",
    "bce weight",
}  # labels without gradient


@pytest.mark.filterwarnings("ignore:reduction")
@pytest.mark.parametrize(
    "case, reduction",
    [(case, "none") for case in CASES] + [(case, "mean") for case in CASES if case.startswith(("cross", "nll", "kl"))],
)
def test_loss_agrees(case, reduction, agree):
    name, options, *arrays = CASES[case]
    tensors = {k: torch.tensor(v) if isinstance(v, np.ndarray) else v for k, v in options.items()}
    if case in DATA_ONLY:
        label = arrays[-1]
        agree(
            lambda *a: getattr(l, name)(*a, label, reduction=reduction, **options),
            lambda *a: getattr(F, name)(*a, torch.tensor(label), reduction=reduction, **tensors),
            *arrays[:-1],
        )
        return
    agree(
        lambda *a: getattr(l, name)(*a, reduction=reduction, **options),
        lambda *a: getattr(F, name)(*a, reduction=reduction, **tensors),
        *arrays,
    )


@pytest.mark.parametrize("name", ["cross_entropy", "nll_loss"])
def test_sum(name, agree):
    agree(
        lambda x: getattr(l, name)(x, IGNORED, reduction="sum"),
        lambda x: getattr(F, name)(x, torch.tensor(IGNORED), reduction="sum"),
        LOGITS,
    )


def test_batchmean_and_zero_targets(agree):
    agree(
        lambda q: l.kl_div(q, ZERO_PROBS, reduction="batchmean"),
        lambda q: F.kl_div(q, torch.tensor(ZERO_PROBS), reduction="batchmean"),
        LOG_Q,
    )


@pytest.mark.parametrize("eps", [1e-8, 1.5])
def test_cosine_similarity(eps, agree):
    agree(lambda x, y: l.cosine_similarity(x, y, 1, eps), lambda x, y: F.cosine_similarity(x, y, 1, eps), X * 0.5, Y)


@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
@pytest.mark.parametrize("flat", [False, True])
def test_ctc(reduction, flat, agree):
    logits = normal(12, 3, 5)
    labels, lengths, frames = RNG.integers(1, 5, (3, 4)), np.array([4, 2, 3]), np.array([12, 10, 11])
    given = np.concatenate([row[:n] for row, n in zip(labels, lengths)]) if flat else labels
    agree(
        lambda x: l.ctc_loss(jax.nn.log_softmax(x, -1), given, frames, lengths, reduction=reduction),
        lambda x: F.ctc_loss(
            x.log_softmax(-1), torch.tensor(given), torch.tensor(frames), torch.tensor(lengths), reduction=reduction
        ),
        logits,
        tolerance=1e-4,
    )


def test_ctc_impossible(agree):
    logits, labels = normal(3, 2, 4), np.array([[1, 1, 1], [1, 2, 3]])
    args = (np.array([3, 3]), np.array([3, 3]))
    agree(
        lambda x: l.ctc_loss(jax.nn.log_softmax(x, -1), labels, *args, zero_infinity=True),
        lambda x: F.ctc_loss(x.log_softmax(-1), torch.tensor(labels), *map(torch.tensor, args), zero_infinity=True),
        logits,
    )
