"""Special functions of torch that jax.scipy.special lacks, from series and from integrals by the trapezoidal rule."""

import math

import jax
import jax.numpy as jnp


def polynomial(kind, x, n):
    """torch.special.*_polynomial_*: the three-term recurrence of orthogonal polynomials up to the order `n`."""
    dtype = jnp.result_type(float if jnp.result_type(x, n) == jnp.float64 else jnp.float32)
    x, n = jnp.broadcast_arrays(jnp.asarray(x, dtype), jnp.asarray(n).astype(int))
    first = {"t": x, "u": 2 * x, "v": 2 * x - 1, "w": 2 * x + 1, "h": 2 * x, "he": x, "l": 1 - x, "p": x}[kind]

    def step(k, both):
        previous, current = both
        factor, before, divisor = {
            "h": (2 * x, 2 * k, 1),
            "he": (x, k, 1),
            "l": (2 * k + 1 - x, k, k + 1),
            "p": ((2 * k + 1) * x, k, k + 1),
        }.get(kind, (2 * x, 1, 1))
        following = ((factor * current - before * previous) / divisor).astype(dtype)
        return jnp.where(k < n, current, previous), jnp.where(k < n, following, current)

    current = jax.lax.fori_loop(1, n.max(initial=1), step, (jnp.ones_like(x), first))[1]
    return jnp.where(n < 0, 0, jnp.where(n == 0, 1, current)).astype(dtype)


def digamma(x):
    """torch.digamma: also the gradient is right for negative numbers."""
    x = float_array(x)
    negative, phase = x < 0, x - jnp.round(x)
    reflected = math.pi / jnp.tan(math.pi * jnp.where(negative & (phase != 0), phase, 0.5))
    value = jax.scipy.special.digamma(jnp.where(negative, 1 - x, x)) - jnp.where(negative, reflected, 0)
    value = jnp.where(negative & (phase == 0), jnp.nan, value)
    return jnp.where(x == 0, jnp.copysign(jnp.inf, -x), value)


def polygamma(n, x):
    """torch.polygamma: also for negative numbers, by reflection."""
    if n == 0:
        return digamma(x)
    x = float_array(x)
    powers = [0, 1]  # the n-th derivative of the cotangent is a polynomial of the cotangent
    for _ in range(n):
        slopes = [k * a for k, a in enumerate(powers)][1:]
        powers = [-a - b for a, b in zip([*slopes, 0, 0], [0, 0, *slopes])]
    negative, phase = x < 0, x - jnp.round(x)
    phase = math.pi * jnp.where(negative & (phase != 0), phase, 0.25)
    reflected = math.pi ** (n + 1) * jnp.polyval(jnp.array(powers[::-1], x.dtype), jnp.cos(phase) / jnp.sin(phase))
    value = jax.scipy.special.polygamma(n, jnp.where(negative, 1 - x, x))
    value = jnp.where(negative, (-1) ** n * value - reflected, value)
    return jnp.where((x <= 0) & (x == jnp.round(x)), (-1) ** (n + 1) * jnp.inf, value)


def spherical_bessel_j0(x):
    """torch.special.spherical_bessel_j0: sin(x) / x."""
    x = float_array(x)
    return jnp.where(x == 0, 1, jnp.where(jnp.isinf(x), 0, jnp.sin(x) / x))


def bessel_j(x, order):
    """torch.special.bessel_j0 and bessel_j1."""
    x = float_array(x)
    size = jnp.abs(x)
    near = bessel_series(jnp.minimum(size, 2), order, -1)[0]
    value = jnp.where(size < 2, near, hankel(jnp.maximum(size, 2), order).real)
    return jnp.where(x < 0, -value, value) if order == 1 else value


def bessel_y(x, order):
    """torch.special.bessel_y0 and bessel_y1: NaN for negative numbers."""
    x = float_array(x)
    small = jnp.clip(x, 0, 2)
    regular, weighted = bessel_series(small, order, -1)
    near = (2 * jnp.log(small / 2) * regular - weighted - (2 / small if order == 1 else 0)) / math.pi
    value = jnp.where(x < 2, near, hankel(jnp.maximum(x, 2), order).imag)
    return jnp.where(x == 0, -jnp.inf, jnp.where(x < 0, jnp.nan, value))


def bessel_k(x, order, scaled=False):
    """torch.special.modified_bessel_k0 and _k1, and with the factor exp(x) scaled_modified_bessel_k0 and _k1."""
    x = float_array(x)
    small, large = jnp.clip(x, 0, 2), jnp.maximum(x, 2)
    regular, weighted = bessel_series(small, order, 1)
    log = jnp.log(small / 2) * regular
    near = log - weighted / 2 + 1 / small if order == 1 else weighted / 2 - log
    far = scaled_macdonald(large, order)
    value = jnp.where(x < 2, near * jnp.exp(small), far) if scaled else jnp.where(x < 2, near, far * jnp.exp(-large))
    return jnp.where(x == 0, jnp.inf, jnp.where(x < 0, jnp.nan, value))


def airy_ai(x):
    """torch.special.airy_ai."""
    x = float_array(x)
    size = jnp.maximum(jnp.abs(x), 1.5)
    zeta = 2 / 3 * size**1.5
    above = jnp.sqrt(size / 3) / math.pi * jnp.exp(-zeta) * scaled_macdonald(zeta, 1 / 3)
    rotated = hankel(zeta, 1 / 3)
    below = jnp.sqrt(size / 3) * (math.cos(math.pi / 6) * rotated.real - math.sin(math.pi / 6) * rotated.imag)
    near = jnp.clip(x, -1.5, 1.5)
    even = odd = jnp.ones_like(x)
    for k in range(12, 0, -1):
        even = 1 + even * near**3 / (3 * k * (3 * k - 1))
        odd = 1 + odd * near**3 / (3 * k * (3 * k + 1))
    middle = even / (3 ** (2 / 3) * math.gamma(2 / 3)) - near * odd / (3 ** (1 / 3) * math.gamma(1 / 3))
    return jnp.where(jnp.abs(x) < 1.5, middle, jnp.where(x > 0, above, below))


def float_array(x):
    """An array of floats."""
    x = jnp.asarray(x)
    return x if jnp.issubdtype(x.dtype, jnp.floating) else x.astype(jnp.float32)


def bessel_series(x, order, sign):
    """The power series of J (`sign` -1) or I (1) of the order 0 or 1, for small x; and the same weighted by psi(k + 1) + psi(k + 1 + order)."""
    regular = weighted = jnp.zeros_like(x)
    term = (x / 2) ** order
    psi = -2 * 0.5772156649015329 + order
    for k in range(14):
        regular, weighted = regular + term, weighted + psi * term
        term = term * sign * (x / 2) ** 2 / ((k + 1) * (k + 1 + order))
        psi += 1 / (k + 1) + 1 / (k + 1 + order)
    return regular, weighted


def scaled_macdonald(z, order):
    """exp(z) K(z), from the integral of exp(-u) u^(order - 1/2) (1 + u / 2z)^(order - 1/2): u is the square of t, or its sixth power.

    The integrand is even and analytic near the real axis, so that the trapezoidal rule converges like a Fourier series.
    """
    power, steps, width = (2, 30, 0.2) if order in (0, 1) else (6, 46, 0.04)
    total = jnp.zeros_like(z)
    for step in range(steps + 1):
        t = step * width
        weight = t ** round(power * (order + 0.5) - 1) * math.exp(-(t**power)) * (0.5 if step == 0 else 1)
        total = total + weight * jnp.exp((order - 0.5) * jnp.log(1 + t**power / (2 * z)))
    return jnp.sqrt(math.pi / (2 * z)) / math.gamma(order + 0.5) * power * width * total


def hankel(x, order):
    """J(x) + i Y(x) for x that are not small."""
    x = jax.lax.complex(jnp.zeros_like(x), -x)
    quarter = order * math.pi / 2
    factor = 2 / math.pi * complex(-math.sin(quarter), -math.cos(quarter))
    return factor * jnp.exp(-x) * scaled_macdonald(x, order)
