"""Linear algebra."""

import torch

from tests.semantics.cases import Case, case, f32, n, t

TITLE = "Linear algebra"
_C64 = torch.complex64
_SQ = n(3, 3) + 3 * torch.eye(3)
_SPD = n(3, 3) @ n(3, 3).T + torch.eye(3)
_SKEW = _SPD + torch.triu(n(3, 3, seed=3), 1)
_LOST = "what torch refuses becomes NaN or infinity in JAX"

CASES: list[Case] = [
    case(
        "torch.matmul(a, b) (batched)",
        {"a": n(2, 3, 4), "b": n(2, 4, 5)},
        "torch.matmul(a, b), a @ b, torch.bmm(a, b), a.matmul(b[0]), a @ b[0, :, 0]",
        grad=True,
    ),
    case(
        "x.T @ y vs x.mT @ y   (3-D)",
        {"x": n(2, 3, 4), "y": n(2, 3, 5)},
        "x.mT @ y, x.transpose(-1, -2) @ y, x[0].T @ y[0], x[0].t()",
    ),
    case("torch.svd(x)", {"x": n(4, 3)}, "u, s, v = torch.svd(x)\ns, torch.abs(v), (u * s) @ v.T"),
    case(
        "torch.svd(x)",
        {"x": n(4, 3)},
        "torch.svd(x).S, abs(torch.linalg.svd(x)[2]), abs(torch.linalg.svd(x, full_matrices=False).Vh), torch.linalg.svdvals(x), torch.linalg.svd(x)[0].shape",
    ),
    case("torch.linalg.eigh(x) (x not symmetric)", {"x": _SKEW}, "torch.linalg.eigh(x)[0], torch.linalg.eigvalsh(x)"),
    case("torch.linalg.cholesky(x) (x not symmetric)", {"x": _SKEW}, "torch.linalg.cholesky(x), torch.cholesky(x)"),
    case(
        "torch.linalg.cholesky(x) (not positive definite)",
        {"x": -_SPD},
        "torch.linalg.cholesky(x)",
        raises=True,
        bug=_LOST,
    ),
    case("torch.linalg.inv(x) (singular)", {"x": torch.zeros(2, 2)}, "torch.linalg.inv(x)", raises=True, bug=_LOST),
    case(
        "torch.linalg.inv(x) (singular)",
        {"x": _SQ},
        "torch.linalg.inv(x), torch.inverse(x), x.inverse(), torch.linalg.pinv(x)",
        grad=True,
        rtol=1e-3,
    ),
    case(
        "torch.linalg.solve(A, B) (A: (2, 3, 3), B: (2, 3))",
        {"A": n(2, 3, 3) + 3 * torch.eye(3), "B": n(2, 3)},
        "torch.linalg.solve(A, B)",
        rtol=1e-3,
    ),
    case(
        "torch.linalg.solve(A, B) (A: (2, 3, 3), B: (2, 3))",
        {"A": _SQ, "B": n(3, 2)},
        "torch.linalg.solve(A, B), torch.linalg.solve(A, B[:, 0])",
        rtol=1e-3,
    ),
    case(
        "torch.linalg.solve_triangular(A, B, upper=False)",
        {"A": _SQ, "B": n(3, 2)},
        "torch.linalg.solve_triangular(A, B, upper=False), torch.linalg.solve_triangular(A, B, upper=True), torch.linalg.solve_triangular(A, B, upper=True, unitriangular=True)",
    ),
    case(
        "torch.cholesky_solve(B, L)",
        {"B": n(3, 2), "L": torch.linalg.cholesky(_SPD)},
        "torch.cholesky_solve(B, L), torch.cholesky_solve(B, L.T, upper=True), torch.cholesky_inverse(L)",
        rtol=1e-3,
    ),
    case(
        "torch.linalg.lu_factor(A).pivots",
        {"A": n(3, 3)},
        "torch.linalg.lu_factor(A).pivots, torch.linalg.lu_factor(A)[0]",
    ),
    case(
        "torch.logdet(A) (det < 0)",
        {"A": t([[0.0, 1.0], [1.0, 0.0]])},
        "torch.logdet(A), A.logdet(), torch.linalg.slogdet(A), torch.det(A)",
    ),
    case("torch.logdet(A) (det < 0)", {"A": _SPD}, "torch.logdet(A), torch.slogdet(A), A.det()", grad=True, rtol=1e-3),
    case(
        "torch.linalg.lstsq(A, B).solution (batched)",
        {"A": n(2, 4, 3), "B": n(2, 4, 2)},
        "torch.linalg.lstsq(A, B).solution",
        rtol=1e-3,
        gap="T2J200",
    ),
    case(
        "torch.linalg.matrix_rank(A, rtol=0.1)",
        {"A": torch.diag(t([10.0, 2.0, 0.5]))},
        "torch.linalg.matrix_rank(A, rtol=0.1), torch.linalg.matrix_rank(A)",
    ),
    case(
        "torch.cdist(x, y)",
        {"x": n(2, 3), "y": n(4, 3)},
        "torch.cdist(x, y), torch.cdist(x, y, p=1), torch.cdist(x[None], y[None], 3.0)",
        grad=True,
        atol=1e-4,
    ),
    case("F.pdist(x)", {"x": n(4, 3)}, "F.pdist(x), torch.pdist(x, p=1)", grad=True),
    case(
        "torch.linalg.norm(x, ord=2)",
        {"x": n(3, 4)},
        "torch.linalg.norm(x, ord=2), torch.linalg.norm(x), torch.linalg.norm(x, 'nuc'), torch.linalg.norm(x, 1), torch.linalg.norm(x[0], 1), torch.linalg.norm(x, dim=1), torch.linalg.matrix_norm(x)",
        rtol=1e-3,
    ),
    case("torch.tensordot(a, b, dims=([1], [0]))", {"a": n(2, 3), "b": n(3, 4)}),
    case(
        "torch.tensordot(a, b, dims=([1], [0]))",
        {"a": n(2, 3, 4), "b": n(3, 4, 5)},
        "torch.tensordot(a, b), torch.tensordot(a, b, 2), torch.tensordot(a, b, dims=([1, 2], [0, 1]))",
    ),
    case(
        "torch.chain_matmul(a, b, c), torch.linalg.multi_dot([a, b, c])",
        {"a": n(2, 3), "b": n(3, 4), "c": n(4, 2)},
        "torch.chain_matmul(a, b, c)",
        gap="T2J200",
    ),
    case(
        "torch.chain_matmul(a, b, c), torch.linalg.multi_dot([a, b, c])",
        {"a": n(2, 3), "b": n(3, 4), "c": n(4, 2)},
        "torch.linalg.multi_dot([a, b, c])",
    ),
    case(
        "torch.vecdot(a, b) (complex)",
        {"a": n(3, dtype=f32).to(_C64) * (1 + 2j), "b": n(3, seed=1).to(_C64) * (2 - 1j)},
        "torch.linalg.vecdot(a, b), torch.vdot(a, b), torch.dot(a, b)",
    ),
    case(
        'torch.fft.hfft(x), rfft(x, norm="ortho")',
        {"x": n(6)},
        "torch.fft.rfft(x, norm='ortho'), torch.fft.fft(x, n=4), torch.fft.irfft(torch.fft.rfft(x)), torch.fft.fftfreq(6), torch.fft.fftshift(x)",
    ),
    case(
        'torch.fft.hfft(x), rfft(x, norm="ortho")', {"x": n(4).to(_C64)}, "torch.fft.hfft(x), torch.fft.ihfft(x.real)"
    ),
    case(
        "torch.stft(x, 8, return_complex=True)",
        {"x": n(20)},
        "torch.stft(x, 8, return_complex=True), torch.stft(x, 8, hop_length=4, window=torch.hann_window(8), center=False, return_complex=True)",
    ),
    case(
        "torch.hann_window(8)",
        {},
        "torch.hann_window(8), torch.hamming_window(6), torch.hann_window(5, periodic=False), torch.blackman_window(5)",
    ),
    case(
        "torch.cdist(x, y)", {"x": n(2, 3), "y": n(4, 3)}, "torch.cdist(x, y, p=float('inf')), torch.cdist(x, y, 0.0)"
    ),
]
