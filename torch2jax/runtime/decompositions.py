"""Decompositions of torch that JAX lacks, whose results are more in number, or whose gradients JAX does not have."""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from torch2jax.runtime.functional import solve
from torch2jax.runtime.linalg_ops import mirrored


class Inverse(NamedTuple):
    """What torch.linalg.inv_ex returns."""

    inverse: Any
    info: Any


class Solved(NamedTuple):
    """What torch.linalg.solve_ex returns."""

    result: Any
    info: Any


class CholeskyFactor(NamedTuple):
    """What torch.linalg.cholesky_ex returns."""

    L: Any
    info: Any


class PackedLUInfo(NamedTuple):
    """What torch.linalg.lu_factor_ex returns."""

    LU: Any
    pivots: Any
    info: Any


class Reflectors(NamedTuple):
    """What torch.geqrf returns."""

    a: Any
    tau: Any


class LeastSquares(NamedTuple):
    """What torch.linalg.lstsq returns."""

    solution: Any
    residuals: Any
    rank: Any
    singular_values: Any


class FullSVD(NamedTuple):
    """What torch.linalg.svd returns."""

    U: Any
    S: Any
    Vh: Any


class Eigen(NamedTuple):
    """What torch.linalg.eig returns."""

    eigenvalues: Any
    eigenvectors: Any


def first_of(wrong):
    """The number of the first true entry of each row, counted from 1; 0 if there is none."""
    before = (jnp.cumsum(wrong, -1) == 0).sum(-1)
    return jnp.where(wrong.any(-1), before + 1, 0).astype(jnp.int32)


def lu_factor_ex(a):
    """torch.linalg.lu_factor_ex: with the number of the first pivot that is 0."""
    packed, pivots, _ = jax.lax.linalg.lu(a)
    return PackedLUInfo(packed, pivots + 1, first_of(jnp.diagonal(packed, axis1=-2, axis2=-1) == 0))


def inv_ex(a):
    """torch.linalg.inv_ex: with the number of the first pivot that is 0."""
    return Inverse(jnp.linalg.inv(a), lu_factor_ex(jax.lax.stop_gradient(a)).info)


def solve_ex(a, b, left=True):
    """torch.linalg.solve_ex: with the number of the first pivot that is 0."""
    info = lu_factor_ex(jax.lax.stop_gradient(a)).info
    return Solved(solve(a, b) if left else solve(a.mT, b.mT).mT, info)


def cholesky_ex(a, upper=False):
    """torch.linalg.cholesky_ex: with the order of the first leading minor that is not positive (its factor is NaN)."""
    whole = mirrored(a, upper)
    factor = jnp.linalg.cholesky(whole)

    def step(k, both):
        rest, pivots = both
        column, pivot = rest[..., k], rest[..., k, k].real
        rest = rest - column[..., None] * (column.conj() / pivot[..., None])[..., None, :]
        return rest, pivots.at[..., k].set(pivot)

    whole = jax.lax.stop_gradient(whole)
    start = whole, jnp.ones(whole.shape[:-1], whole.real.dtype)
    pivots = (jax.lax.fori_loop(0, a.shape[-1], step, start) if a.shape[-1] else start)[1]
    return CholeskyFactor(factor.conj().mT if upper else factor, first_of(~(pivots > 0)))


def lstsq(a, b, rcond=None, driver=None):
    """torch.linalg.lstsq: the shortest of the best solutions; ranks and singular values where the driver gives them."""
    vector = b.ndim == 1 or (b.ndim == a.ndim - 1 and b.shape == a.shape[:-1])
    right = b[..., None] if vector else b
    rows, columns = a.shape[-2:]
    rcond = jnp.finfo(a.dtype).eps * max(rows, columns) if rcond is None else rcond
    solution = jnp.linalg.pinv(a, rtol=None if driver == "gels" else rcond) @ right
    singular = jnp.linalg.svd(jax.lax.stop_gradient(a), compute_uv=False)
    rank = (singular > rcond * singular.max(-1, keepdims=True, initial=0)).sum(-1)
    nothing = jnp.zeros(0, singular.dtype)
    residuals = nothing
    if rows > columns and driver not in (None, "gelsy"):
        residuals = (jnp.abs(right - a @ solution) ** 2).sum(-2)
    return LeastSquares(
        solution[..., 0] if vector else solution,
        residuals[..., 0] if vector and residuals is not nothing else residuals,
        jnp.zeros(0, int) if driver == "gels" else rank,
        singular if driver in ("gelsd", "gelss") else nothing,
    )


def pinv(a, atol=None, rtol=None, hermitian=False):
    """torch.linalg.pinv: singular values up to the larger one of both tolerances count as 0."""
    if rtol is None:
        rtol = jnp.finfo(a.dtype).eps * max(a.shape[-2:]) if atol is None else 0.0
    if hermitian:
        a = mirrored(a)
    largest = jnp.linalg.svd(jax.lax.stop_gradient(a), compute_uv=False).max(-1, initial=0)
    relative = jnp.asarray(0.0 if atol is None else atol) / jnp.where(largest > 0, largest, 1)
    return jnp.linalg.pinv(a, rtol=jnp.maximum(jnp.asarray(rtol), relative).astype(largest.dtype))


def geqrf(a):
    """torch.geqrf: the upper triangular factor above the reflectors, and their weights."""
    packed, tau = jnp.linalg.qr(a, mode="raw")
    return Reflectors(packed.mT, tau)


def reflect(packed, tau, c, adjoint=False):
    """The product of the reflectors, or its adjoint, times `c`."""
    count = tau.shape[-1]
    reflectors = (jnp.tril(packed, -1) + jnp.eye(*packed.shape[-2:], dtype=packed.dtype))[..., :count]

    def step(k, c):
        k = k if adjoint else count - 1 - k
        v, weight = reflectors[..., k][..., None], tau[..., k][..., None, None]
        return c - (weight.conj() if adjoint else weight) * (v @ (v.conj().mT @ c))

    return jax.lax.fori_loop(0, count, step, c) if count else c


def householder_product(packed, tau):
    """torch.linalg.householder_product: the first columns of the product of the reflectors; differentiable."""
    eye = jnp.eye(*packed.shape[-2:], dtype=packed.dtype)
    return reflect(packed, tau, jnp.broadcast_to(eye, packed.shape))


def ormqr(packed, tau, c, left=True, transpose=False):
    """torch.ormqr: the product of the reflectors (or its adjoint) times `c`, or `c` times it."""
    if left:
        return reflect(packed, tau, c, transpose)
    return reflect(packed, tau, c.conj().mT, not transpose).conj().mT


class SVD(NamedTuple):
    """What torch.svd returns."""

    U: Any
    S: Any
    V: Any


def svd(x, some=True, compute_uv=True):
    """torch.svd: `(U, S, V)`, reduced unless `some` is False; V is not transposed. U and V are zeros without `compute_uv`."""
    if not compute_uv:
        m, n = x.shape[-2:]
        zeros = [jnp.zeros((*x.shape[:-2], size, size), x.dtype) for size in (m, n)]
        return SVD(zeros[0], jnp.linalg.svd(x, compute_uv=False), zeros[1])
    u, s, vh = jnp.linalg.svd(x, full_matrices=False) if some else full_svd(x)
    return SVD(u, s, vh.conj().mT)


def full_svd(a):
    """torch.linalg.svd with full matrices: differentiable, though nothing may depend on the additional columns."""
    k = min(a.shape[-2:])

    @jax.custom_jvp
    def factors(a):
        return tuple(jnp.linalg.svd(a))

    @factors.defjvp
    def factors_jvp(primals, tangents):
        u, _, vh = jnp.linalg.svd(primals[0])
        (ur, s, vr), (du, ds, dv) = jax.jvp(lambda a: tuple(jnp.linalg.svd(a, full_matrices=False)), primals, tangents)
        values = jnp.concatenate([ur, u[..., k:]], -1), s, jnp.concatenate([vr, vh[..., k:, :]], -2)
        rest = jnp.zeros_like(u[..., k:]), jnp.zeros_like(vh[..., k:, :])
        return values, (jnp.concatenate([du, rest[0]], -1), ds, jnp.concatenate([dv, rest[1]], -2))

    return FullSVD(*(jnp.linalg.svd(a) if a.shape[-2] == a.shape[-1] else factors(a)))


def eig(a):
    """torch.linalg.eig: differentiable, as long as nothing depends on the phases of the eigenvectors."""
    a = a if a.size else jax.lax.stop_gradient(a)
    return Eigen(*jax.lax.linalg.eig(a, compute_left_eigenvectors=False, enable_eigvec_derivs=True))


def svd_lowrank(a, q=6, niter=2, M=None, *, key):
    """torch.svd_lowrank: the decomposition within a subspace that starts at random and is improved `niter` times."""
    a = a if M is None else a - M
    flat = a.shape[-2] < a.shape[-1]
    a = a.conj().mT if flat else a
    basis = jnp.linalg.qr(a @ jax.random.normal(key, (a.shape[-1], q), a.dtype))[0]
    for _ in range(niter):
        basis = jnp.linalg.qr(a.conj().mT @ basis)[0]
        basis = jnp.linalg.qr(a @ basis)[0]
    u, s, vh = jnp.linalg.svd(basis.conj().mT @ a, full_matrices=False)
    u, v = basis @ u, vh.conj().mT
    return (v, s, u) if flat else (u, s, v)


def pca_lowrank(a, q=None, center=True, niter=2, *, key):
    """torch.pca_lowrank: the same of the columns without their means."""
    q = min(6, *a.shape[-2:]) if q is None else q
    return svd_lowrank(a - a.mean(-2, keepdims=True) if center else a, q, niter, key=key)
