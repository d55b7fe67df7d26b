"""Factorizations and other linear algebra of torch whose results are packed or numbered differently in JAX."""

import math
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from torch2jax.runtime.reductions import absolute, norm


class PackedLU(NamedTuple):
    """What torch.linalg.lu_factor returns."""

    LU: Any
    pivots: Any


class Factors(NamedTuple):
    """What torch.linalg.lu and torch.lu_unpack return."""

    P: Any
    L: Any
    U: Any


class Solution(NamedTuple):
    """What torch.triangular_solve returns."""

    solution: Any
    cloned_coefficient: Any


def lu_factor(a):
    """torch.linalg.lu_factor: both factors in one matrix, and pivots that count from 1."""
    packed, pivots, _ = jax.lax.linalg.lu(a)
    return PackedLU(packed, pivots + 1)


def lu_unpack(packed, pivots):
    """torch.lu_unpack: `(P, L, U)` with `A = P L U`."""
    m, n = packed.shape[-2:]
    k = min(m, n)
    lower = jnp.tril(packed[..., :, :k], -1) + jnp.eye(m, k, dtype=packed.dtype)
    order = jax.lax.linalg.lu_pivots_to_permutation(pivots - 1, m)
    permutation = jax.nn.one_hot(order, m, dtype=packed.dtype, axis=-2)
    return Factors(permutation, lower, jnp.triu(packed[..., :k, :]))


def lu(a):
    """torch.linalg.lu: `(P, L, U)` with `A = P L U`."""
    return lu_unpack(*lu_factor(a))


def lu_solve(packed, pivots, b, left=True, adjoint=False):
    """torch.linalg.lu_solve: solve `A x = b`, or `x A = b` unless `left`, with the adjoint of `A` if `adjoint`."""
    p, lower, upper = lu_unpack(packed, pivots)
    a = p @ lower @ upper
    a = a.conj().mT if adjoint else a
    return jnp.linalg.solve(a, b) if left else jnp.linalg.solve(a.mT, b.mT).mT


def mirrored(x, upper=False):
    """The Hermitian matrix of one triangle; the gradient passes as if the other triangle counted, too."""
    kept = jnp.triu(x) if upper else jnp.tril(x)
    whole = kept + (jnp.triu(x, 1) if upper else jnp.tril(x, -1)).conj().mT
    return x + jax.lax.stop_gradient(whole - x)


def cholesky(x, upper=False):
    """torch.linalg.cholesky: one triangle of a Hermitian matrix is read, both get the gradient."""
    factor = jnp.linalg.cholesky(mirrored(x, upper))
    return factor.conj().mT if upper else factor


def eigh(x, UPLO="L"):
    """torch.linalg.eigh: one triangle of a Hermitian matrix is read, both get the gradient."""
    return jnp.linalg.eigh(mirrored(x, UPLO == "U"))


def cholesky_solve(b, factor, upper=False):
    """torch.cholesky_solve: solve with the matrix whose Cholesky factor is given."""
    lower = triangle(factor, upper)
    return jnp.linalg.solve(lower @ lower.conj().mT, b)


def triangle(factor, upper):
    """The lower factor; the other triangle does not count, but gets a gradient as if it did."""
    lower = factor.conj().mT if upper else factor
    return lower - jax.lax.stop_gradient(jnp.triu(lower, 1))


def cholesky_inverse(factor, upper=False):
    """torch.cholesky_inverse: the inverse of the matrix whose Cholesky factor is given."""
    inverse = jnp.linalg.inv(triangle(factor, upper))
    return inverse.conj().mT @ inverse


def triangular_solve(b, a, upper=True, transpose=False, unitriangular=False):
    """torch.triangular_solve: the solution, and the matrix itself."""
    batch = jnp.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    a, b = jnp.broadcast_to(a, (*batch, *a.shape[-2:])), jnp.broadcast_to(b, (*batch, *b.shape[-2:]))
    solve = jax.scipy.linalg.solve_triangular
    return Solution(solve(a, b, trans=1 if transpose else 0, lower=not upper, unit_diagonal=unitriangular), a)


def triangular_solution(a, b, upper, left=True, unitriangular=False):
    """torch.linalg.solve_triangular: of `A x = b`, or of `x A = b` unless `left`."""
    if not left:
        return triangular_solution(a.mT, b.mT, not upper, True, unitriangular).mT
    return triangular_solve(b, a, upper, False, unitriangular).solution


def matrix_norm(x, ord="fro", dim=(-2, -1), keepdim=False):
    """torch.linalg.matrix_norm: gradient 0 for the Frobenius norm of zeros."""
    if ord == "fro":
        return norm(x, 2, tuple(dim), keepdim)
    x = jnp.moveaxis(x, dim, (-2, -1))
    if ord in (2, -2, "nuc"):
        values = jnp.linalg.svd(x, compute_uv=False)
    else:
        values = absolute(x).sum(-2 if abs(ord) == 1 else -1)
    size = values.sum(-1) if ord == "nuc" else values.max(-1) if ord > 0 else values.min(-1)
    return jnp.expand_dims(size, sorted(axis % x.ndim for axis in dim)) if keepdim else size


def linalg_norm(x, ord=None, dim=None, keepdim=False):
    """torch.linalg.norm: of matrices if an order is given for two axes, else of vectors."""
    axes = range(x.ndim) if dim is None else [dim] if isinstance(dim, int) else dim
    if ord is None or len(axes) < 2:
        return norm(x, 2 if ord is None else ord, dim, keepdim)
    return matrix_norm(x, ord, tuple(axes), keepdim)


def matrix_rank(x, atol=None, rtol=None, hermitian=False):
    """torch.linalg.matrix_rank: singular values above the larger one of both tolerances."""
    values = (
        jnp.abs(jnp.linalg.eigvalsh(x, symmetrize_input=False)) if hermitian else jnp.linalg.svd(x, compute_uv=False)
    )
    if rtol is None:
        rtol = max(x.shape[-2:]) * jnp.finfo(x.dtype).eps if atol is None else 0.0
    largest = values.max(-1, initial=0)
    bound = jnp.maximum(0.0 if atol is None else jnp.asarray(atol), rtol * largest)
    return (values > bound[..., None]).sum(-1)


def vander(x, N=None):
    """torch.linalg.vander: powers from 0 on along a new last axis."""
    x = jnp.atleast_1d(x)
    count = x.shape[-1] if N is None else N
    repeated = jnp.broadcast_to(x[..., None], (*x.shape, count - 1))
    return jnp.cumprod(jnp.concatenate([jnp.ones_like(x)[..., None], repeated], -1), -1)


def tensorsolve(a, b, dims):
    """torch.linalg.tensorsolve with axes that go last; only the number of equations has to fit `b`."""
    a = jnp.moveaxis(a, tuple(dims), tuple(range(-len(dims), 0)))
    return jnp.linalg.solve(a.reshape(b.size, -1), b.reshape(-1)).reshape(a.shape[b.ndim :])


def renorm(x, p, dim, maxnorm):
    """torch.renorm: sub-arrays along `dim` whose norm is too large are scaled down to it."""
    dim = dim % x.ndim
    others = tuple(axis for axis in range(x.ndim) if axis != dim)
    size = norm(x, p, others, True)
    return x * jnp.where(size > maxnorm, maxnorm / (size + 1e-7), jnp.ones_like(size))


def hfftn(x, s=None, dim=None, norm=None):
    """torch.fft.hfftn: the real transform of an array that is Hermitian in its last transformed axis."""
    s, dim = transformed_axes(x, s, dim)
    for n, axis in zip(s[:-1], dim[:-1]):
        x = jnp.fft.fft(x, n, axis, norm)
    return jnp.fft.hfft(x, s[-1], dim[-1], norm)


def ihfftn(x, s=None, dim=None, norm=None):
    """torch.fft.ihfftn: the inverse of `hfftn`."""
    s, dim = transformed_axes(x, s, dim)
    x = jnp.fft.ihfft(x, s[-1], dim[-1], norm)
    for n, axis in zip(s[:-1], dim[:-1]):
        x = jnp.fft.ifft(x, n, axis, norm)
    return x


def transformed_axes(x, s, dim):
    """Lengths (None: as they are) and axes of a transform over several axes."""
    if dim is None:
        dim = range(x.ndim) if s is None else range(-len(s), 0)
    dim = [dim] if isinstance(dim, int) else list(dim)
    s = [None] * len(dim) if s is None else [None if n == -1 else n for n in ([s] if isinstance(s, int) else s)]
    return s, dim


def tensor_condition(x, p=None):
    """torch.linalg.cond: infinite for singular matrices."""
    if p is None or p in (2, -2):
        values = jnp.linalg.svd(x, compute_uv=False)
        return values[..., -1] / values[..., 0] if p == -2 else values[..., 0] / values[..., -1]
    if x.shape[-1] == 0:
        return jnp.zeros(x.shape[:-2], x.real.dtype)
    both = matrix_norm(x, p) * matrix_norm(jnp.linalg.inv(x), p)
    return jnp.where(jnp.isnan(both), math.inf, both)


def tensordot(a, b, dims):
    """torch.tensordot over some of the last and first axes, or over lists of axes, of which one of length 1 fits any other."""
    if isinstance(dims, int):
        return jnp.tensordot(a, b, dims)
    first, second = dims
    for i, j in zip(first, second):
        length = max(a.shape[i], b.shape[j])
        a = jnp.repeat(a, length, axis=i) if a.shape[i] == 1 else a
        b = jnp.repeat(b, length, axis=j) if b.shape[j] == 1 else b
    return jnp.tensordot(a, b, (tuple(first), tuple(second)))
