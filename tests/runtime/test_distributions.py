"""torch.distributions: programs that use one, run before and after their translation.

A row of CASES is the text that makes a distribution, the arrays that it names, a value in its support, and the properties
and methods that torch has for it besides `log_prob`.
"""

import functools
import re
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch

import torch2jax
from torch2jax.ops.schema import names_of
from torch2jax.ops.tables import mappings_folder, read_rows

REAL = np.array([[-1.3], [0.4]], np.float32)
SCALE = np.array([0.5, 1.7, 2.2], np.float32)
POSITIVE = np.array([[0.7, 1.9, 3.1], [2.6, 0.3, 1.1]], np.float32)
OTHER = np.array([1.6, 2.4, 0.8], np.float32)
UNIT = np.array([[0.2, 0.65, 0.9], [0.35, 0.5001, 0.77]], np.float32)
LOGITS = np.array([[0.3, -1.2, 2.0, 0.1], [1.5, 0.2, -0.7, -2.0]], np.float32)
WEIGHTS = np.array([[0.3, 1.2, 2.0, 0.1], [1.5, 0.2, 0.7, 2.0]], np.float32)
SIMPLEX = np.array([[0.1, 0.2, 0.3, 0.4], [0.55, 0.15, 0.05, 0.25]], np.float32)
VECTOR = np.array([[0.3, -0.8, 1.2], [1.1, 0.4, -0.6]], np.float32)
TRIL = np.array([[1.2, 0, 0], [0.3, 0.8, 0], [-0.5, 0.4, 1.5]], np.float32)
COVARIANCE = (TRIL @ TRIL.T).astype(np.float32)
COUNTS = np.array([[0.0, 3.0, 1.0], [2.0, 5.0, 4.0]], np.float32)
CLASSES = np.array([[1, 0], [3, 2], [2, 2]])
ONE_HOT = np.eye(4, dtype=np.float32)[[2, 0]]
TEMPERATURE = np.array(0.7, np.float32)

MOMENTS = "mean variance stddev"
ALL = f"{MOMENTS} mode entropy() cdf(value) icdf(unit)"
CASES = {
    "Normal": ("D.Normal(a, b)", {"a": REAL, "b": SCALE}, VECTOR, ALL),
    "Normal of numbers": ("D.Normal(0.5, 2)", {}, VECTOR, ALL),
    "Normal of a number": ("torch.distributions.normal.Normal(a, 2.0)", {"a": REAL}, VECTOR, f"{ALL} loc scale"),
    "LogNormal": ("D.LogNormal(a, b)", {"a": REAL, "b": SCALE}, POSITIVE, f"{ALL} loc scale"),
    "Uniform": ("D.Uniform(a, a + b)", {"a": REAL, "b": SCALE}, REAL + UNIT, f"{MOMENTS} entropy() cdf(value) icdf(unit) low high"),
    "Uniform outside": ("D.Uniform(a, a + b, validate_args=False)", {"a": REAL, "b": SCALE}, REAL + 3, "cdf(value)"),
    "Exponential": ("D.Exponential(a)", {"a": POSITIVE}, OTHER, f"{ALL} rate"),
    "Laplace": ("D.Laplace(a, b)", {"a": REAL, "b": SCALE}, VECTOR, ALL),
    "Gamma": ("D.Gamma(a, b)", {"a": POSITIVE, "b": OTHER}, SCALE, f"{MOMENTS} mode entropy() concentration"),
    "Chi2": ("D.Chi2(a)", {"a": POSITIVE}, SCALE, f"{MOMENTS} entropy() df"),
    "Beta": ("D.Beta(a, b)", {"a": POSITIVE, "b": OTHER}, UNIT, f"{MOMENTS} entropy() concentration1 concentration0"),
    "Beta mode": ("D.Beta(a + 1, b + 1)", {"a": POSITIVE, "b": OTHER}, UNIT, "mode"),
    "StudentT": ("D.StudentT(a + 2, b)", {"a": POSITIVE, "b": SCALE}, VECTOR, f"{MOMENTS} mode entropy()"),
    "InverseGamma": ("D.InverseGamma(a + 4, b)", {"a": POSITIVE, "b": OTHER}, SCALE, f"{MOMENTS} mode entropy() rate"),
    "InverseGamma without moments": ("D.InverseGamma(a, b)", {"a": POSITIVE, "b": OTHER}, SCALE, MOMENTS),
    "FisherSnedecor": ("D.FisherSnedecor(a + 3, b + 9)", {"a": POSITIVE, "b": OTHER}, SCALE, f"{MOMENTS} mode df1 df2"),
    "VonMises": ("D.VonMises(a, b)", {"a": REAL, "b": SCALE}, VECTOR, f"{MOMENTS} mode concentration"),
    "Cauchy": ("D.Cauchy(a, b)", {"a": REAL, "b": SCALE}, VECTOR, "mode entropy() cdf(value) icdf(unit)"),
    "HalfNormal": ("D.HalfNormal(a)", {"a": SCALE}, POSITIVE, f"{ALL} scale"),
    "HalfCauchy": ("D.HalfCauchy(a)", {"a": SCALE}, POSITIVE, "entropy() cdf(value) icdf(unit) scale"),
    "Gumbel": ("D.Gumbel(a, b)", {"a": REAL, "b": SCALE}, VECTOR, ALL),
    "Weibull": ("D.Weibull(a, b)", {"a": POSITIVE, "b": OTHER + 1}, OTHER, ALL),
    "Pareto": ("D.Pareto(a, b + 3)", {"a": SCALE, "b": OTHER}, POSITIVE + 2, ALL),
    "Kumaraswamy": ("D.Kumaraswamy(a, b)", {"a": POSITIVE, "b": OTHER}, UNIT, f"{MOMENTS} entropy()"),
    "Bernoulli": ("D.Bernoulli(a)", {"a": UNIT}, UNIT.round(), f"{MOMENTS} mode entropy() logits probs"),
    "Bernoulli logits": ("D.Bernoulli(logits=a)", {"a": LOGITS}, ONE_HOT, f"{MOMENTS} mode entropy() logits probs"),
    "Categorical": ("D.Categorical(a)", {"a": WEIGHTS}, CLASSES, "mode entropy() logits probs perplexity()"),
    "Categorical logits": ("D.Categorical(logits=a)", {"a": LOGITS}, CLASSES, "mode entropy() logits probs"),
    "OneHotCategorical": ("D.OneHotCategorical(logits=a)", {"a": LOGITS}, ONE_HOT, f"{MOMENTS} mode entropy() probs"),
    "Straight through": ("D.OneHotCategoricalStraightThrough(a)", {"a": WEIGHTS}, ONE_HOT, f"{MOMENTS} mode entropy()"),
    "Binomial": ("D.Binomial(7, a)", {"a": UNIT}, COUNTS, f"{MOMENTS} mode logits probs total_count"),
    "Binomial of equal chances": ("D.Binomial(7, a)", {"a": np.full(3, 0.5, np.float32)}, COUNTS, "mean"),
    "Binomial logits": ("D.Binomial(b, logits=a)", {"a": VECTOR, "b": OTHER.round() + 6}, COUNTS, MOMENTS),
    "NegativeBinomial": ("D.NegativeBinomial(b, a)", {"a": UNIT, "b": OTHER}, COUNTS, f"{MOMENTS} mode"),
    "Geometric": ("D.Geometric(a)", {"a": UNIT}, COUNTS, f"{MOMENTS} entropy()"),
    "Poisson": ("D.Poisson(a)", {"a": POSITIVE}, COUNTS, f"{MOMENTS} mode rate"),
    "Multinomial": ("D.Multinomial(5, logits=a)", {"a": LOGITS}, np.array([[1.0, 0, 3, 1], [5, 0, 0, 0]], np.float32), MOMENTS),
    "RelaxedBernoulli": ("D.RelaxedBernoulli(t, logits=a)", {"t": TEMPERATURE, "a": VECTOR}, UNIT, "probs logits temperature"),
    "RelaxedOneHotCategorical": ("D.RelaxedOneHotCategorical(t, logits=a)", {"t": TEMPERATURE, "a": LOGITS}, SIMPLEX, "probs"),
    "Dirichlet": ("D.Dirichlet(a)", {"a": WEIGHTS}, SIMPLEX, f"{MOMENTS} entropy() concentration"),
    "Dirichlet mode": ("D.Dirichlet(a + 1)", {"a": WEIGHTS}, SIMPLEX, "mode"),
    "MultivariateNormal": (
        "D.MultivariateNormal(a, scale_tril=b)",
        {"a": VECTOR, "b": TRIL},
        VECTOR[::-1].copy(),
        f"{MOMENTS} mode entropy() covariance_matrix precision_matrix",
    ),
    "MultivariateNormal covariance": ("D.MultivariateNormal(a, b)", {"a": VECTOR, "b": COVARIANCE}, VECTOR[0], "entropy()"),
    "MultivariateNormal precision": (
        "D.MultivariateNormal(a, precision_matrix=b)",
        {"a": VECTOR, "b": COVARIANCE},
        VECTOR[0],
        "entropy() scale_tril",
    ),
    "Independent": ("D.Independent(D.Normal(a, b), 1)", {"a": VECTOR, "b": SCALE}, VECTOR[0], f"{MOMENTS} mode entropy()"),
    "MixtureSameFamily": (
        "D.MixtureSameFamily(D.Categorical(a), D.Normal(b, c))",
        {"a": WEIGHTS, "b": LOGITS, "c": WEIGHTS},
        VECTOR[:1, :1],
        f"{MOMENTS} cdf(value)",
    ),
    "Mixture of vectors": (
        "D.MixtureSameFamily(D.Categorical(logits=a), D.Independent(D.Normal(b, 1.5), 1))",
        {"a": LOGITS[:, :3], "b": np.stack([TRIL, COVARIANCE])},
        VECTOR,
        MOMENTS,
    ),
    "Tanh": (
        "D.TransformedDistribution(D.Independent(D.Normal(a, b), 1), [D.transforms.TanhTransform()])",
        {"a": VECTOR, "b": SCALE},
        UNIT - 0.5,
        "",
    ),
    "Affine and Sigmoid": (
        "D.TransformedDistribution(D.Normal(a, b), [D.SigmoidTransform(), D.AffineTransform(c, -2.0)])",
        {"a": VECTOR, "b": SCALE, "c": OTHER},
        OTHER - 2 * UNIT,
        "cdf(value) icdf(unit)",
    ),
    "Exp and Power": (
        "D.TransformedDistribution(D.Laplace(a, b), D.ComposeTransform([D.ExpTransform(), D.PowerTransform(2.0)]))",
        {"a": VECTOR, "b": SCALE},
        POSITIVE,
        "cdf(value)",
    ),
    "GeneralizedPareto": ("D.GeneralizedPareto(a, b, c)", {"a": REAL, "b": SCALE, "c": SCALE / 6}, POSITIVE + 1, f"{MOMENTS} entropy() cdf(value) icdf(unit)"),
    "GeneralizedPareto exponential": ("D.GeneralizedPareto(a, b, 0.0)", {"a": REAL, "b": SCALE}, POSITIVE + 1, f"{MOMENTS} cdf(value)"),
    "ContinuousBernoulli": ("D.ContinuousBernoulli(a)", {"a": UNIT}, UNIT[::-1].copy(), f"{MOMENTS} entropy() cdf(value) icdf(unit) logits probs"),
    "ContinuousBernoulli logits": ("D.ContinuousBernoulli(logits=a)", {"a": VECTOR}, UNIT, f"{MOMENTS} entropy()"),
    "LogisticNormal": ("D.LogisticNormal(a, b)", {"a": VECTOR, "b": SCALE}, SIMPLEX, "loc scale"),
    "LowRankMultivariateNormal": (
        "D.LowRankMultivariateNormal(a, b, c)",
        {"a": VECTOR, "b": TRIL[:, :2].copy(), "c": SCALE},
        VECTOR[::-1].copy(),
        f"{MOMENTS} mode entropy() covariance_matrix precision_matrix scale_tril",
    ),
    "LKJCholesky": ("D.LKJCholesky(3, a)", {"a": OTHER}, np.linalg.cholesky(0.7 * np.eye(3, dtype=np.float32) + 0.3), "concentration"),
    "Softplus": ("D.TransformedDistribution(D.Normal(a, b), [D.SoftplusTransform()])", {"a": REAL, "b": SCALE}, POSITIVE, ""),
}  # fmt: skip


@functools.cache
def translated(source: str):
    """The function `f` of a torch program, and that of its translation."""
    source = f"import torch\nimport torch.distributions as D\n\n\n{source}"
    conversion = torch2jax.convert(source, torch2jax.Options(support="import"))
    assert conversion.ok, conversion.diagnostics
    before, after = {}, {}
    exec(source, before)
    exec(conversion.text, after)
    return before["f"], after["f"]


def function(arrays, *statements):
    """The text of a function of tensors."""
    parameters = ", ".join(f"{name}: torch.Tensor" for name in arrays)
    return f"def f({parameters}):\n" + "".join(f"    {statement}\n" for statement in statements)


@pytest.mark.parametrize("name", CASES)
def test_values_and_gradients(name, agree):
    make, arrays, value, wanted = CASES[name]
    given = {**arrays, "value": value, "unit": UNIT[:, :1]}
    results = ", ".join(["dist.log_prob(value)", *(f"dist.{item}" for item in wanted.split())])
    before, after = translated(function(given, f"dist = {make}", f"return {results},"))
    agree(after, before, *given.values(), tolerance=2e-4)


@pytest.mark.parametrize("name", CASES)
def test_shapes(name):
    make, arrays, *_ = CASES[name]
    source = function(arrays, f"dist = {make}", "return dist.batch_shape, dist.event_shape, dist.sample((5, 2))")
    before, after = translated(source)
    batch, event, draws = before(*map(torch.tensor, arrays.values()))
    ours = after(*map(jnp.asarray, arrays.values()), key=jax.random.key(0))
    assert ours[0] == tuple(batch) and ours[1] == tuple(event) and ours[2].shape == tuple(draws.shape)
    assert str(ours[2].dtype) == str(draws.dtype).removeprefix("torch.").replace("int64", "int32")


def draws_of(name, count=4000):
    make, arrays, *_ = CASES[name]
    before, after = translated(function(arrays, f"return {make}.sample(({count},))"))
    torch.manual_seed(0)
    theirs = before(*map(torch.tensor, arrays.values())).double().numpy()
    ours = jax.jit(after)(*map(jnp.asarray, arrays.values()), key=jax.random.key(1))
    return np.asarray(ours, np.float64), theirs


@pytest.mark.parametrize("name", CASES)
def test_draws_have_the_same_distribution(name):
    """The largest difference of the two empirical distribution functions (Kolmogorov-Smirnov), for each component."""
    ours, theirs = (draws.reshape(len(draws), -1) for draws in draws_of(name))
    for left, right in zip(ours.T, theirs.T, strict=True):
        left, right = np.round(left, 5), np.round(right, 5)
        points = np.concatenate([left, right])
        below = [np.searchsorted(np.sort(part), points, side="right") / len(part) for part in (left, right)]
        assert np.abs(below[0] - below[1]).max() < 2.3 * (2 / len(left)) ** 0.5


REPARAMETRIZED = (
    "Normal LogNormal Uniform Exponential Laplace Gamma Chi2 Beta StudentT HalfNormal Gumbel Weibull Pareto Kumaraswamy "
    "InverseGamma FisherSnedecor Dirichlet MultivariateNormal Independent"
).split()


@pytest.mark.parametrize("name", REPARAMETRIZED)
def test_gradients_of_draws_are_those_of_the_mean_on_average(name):
    make, arrays, *_ = CASES[name]
    draw = translated(function(arrays, f"return {make}.rsample((30000,)).mean(0)"))[1]
    mean = translated(function(arrays, f"return {make}.mean"))[1]
    given = tuple(map(jnp.asarray, arrays.values()))
    every = tuple(range(len(given)))
    weights = jnp.arange(1.0, 1 + mean(*given).size).reshape(mean(*given).shape)
    ours = jax.jit(jax.grad(lambda *a: (weights * draw(*a, key=jax.random.key(3))).sum(), every))(*given)
    wanted = jax.grad(lambda *a: (weights * mean(*a)).sum(), every)(*given)
    for left, right in zip(ours, wanted, strict=True):
        np.testing.assert_allclose(left, right, rtol=0.1, atol=0.15 * float(jnp.abs(right).max()) + 0.1)


WITHOUT_GRADIENT = ["Normal", "Gamma", "Geometric", "NegativeBinomial", "MixtureSameFamily", "Affine and Sigmoid"]


@pytest.mark.parametrize("name", WITHOUT_GRADIENT)
def test_sample_stops_gradients(name):
    make, arrays, *_ = CASES[name]
    draw = translated(function(arrays, f"return {make}.sample()"))[1]
    given = {key: jnp.asarray(array) for key, array in arrays.items()}
    gradients = jax.grad(lambda given: draw(**given, key=jax.random.key(0)).astype(float).sum())(given)
    assert all(not np.any(leaf) for leaf in jax.tree.leaves(gradients))


PAIRS = {
    "Normal": ("D.Normal(a, b)", {"a": REAL, "b": SCALE}, {"a": VECTOR, "b": OTHER}),
    "LogNormal": ("D.LogNormal(a, b)", {"a": REAL, "b": SCALE}, {"a": VECTOR, "b": OTHER}),
    "Uniform": ("D.Uniform(a, b)", {"a": REAL, "b": SCALE + 1}, {"a": REAL - 1, "b": OTHER + 1.5}),
    "Exponential": ("D.Exponential(a)", {"a": POSITIVE}, {"a": OTHER}),
    "Laplace": ("D.Laplace(a, b)", {"a": REAL, "b": SCALE}, {"a": VECTOR, "b": OTHER}),
    "Gamma": ("D.Gamma(a, b)", {"a": POSITIVE, "b": SCALE}, {"a": OTHER, "b": OTHER}),
    "Beta": ("D.Beta(a, b)", {"a": POSITIVE, "b": SCALE}, {"a": OTHER, "b": OTHER}),
    "Cauchy": ("D.Cauchy(a, b)", {"a": REAL, "b": SCALE}, {"a": VECTOR, "b": OTHER}),
    "HalfNormal": ("D.HalfNormal(a)", {"a": SCALE}, {"a": OTHER}),
    "Gumbel": ("D.Gumbel(a, b)", {"a": REAL, "b": SCALE}, {"a": VECTOR, "b": OTHER}),
    "Pareto": ("D.Pareto(a, b)", {"a": SCALE, "b": OTHER}, {"a": SCALE - 0.4, "b": POSITIVE}),
    "Bernoulli": ("D.Bernoulli(logits=a)", {"a": LOGITS}, {"a": LOGITS[::-1].copy()}),
    "Bernoulli bounds": (
        "D.Bernoulli(probs=a)",
        {"a": np.array([0.0, 1.0, 0.4, 0.4], np.float32)},
        {"a": np.array([0.3, 0.3, 1.0, 0.0], np.float32)},
    ),
    "Categorical": ("D.Categorical(logits=a)", {"a": LOGITS}, {"a": LOGITS[::-1].copy()}),
    "Categorical zeros": (
        "D.Categorical(a)",
        {"a": np.array([[0.0, 0.4, 0.6], [0.2, 0.3, 0.5]], np.float32)},
        {"a": np.array([[0.0, 0.5, 0.5], [0.0, 0.5, 0.5]], np.float32)},
    ),
    "OneHotCategorical": ("D.OneHotCategorical(logits=a)", {"a": LOGITS}, {"a": LOGITS[::-1].copy()}),
    "Binomial": ("D.Binomial(4, a)", {"a": UNIT}, {"a": UNIT[::-1].copy()}),
    "Geometric": ("D.Geometric(a)", {"a": UNIT}, {"a": UNIT[::-1].copy()}),
    "Poisson": ("D.Poisson(a)", {"a": POSITIVE}, {"a": OTHER}),
    "Dirichlet": ("D.Dirichlet(a)", {"a": WEIGHTS}, {"a": WEIGHTS[::-1].copy()}),
    "MultivariateNormal": (
        "D.MultivariateNormal(a, scale_tril=b)",
        {"a": VECTOR, "b": TRIL},
        {"a": VECTOR[0], "b": np.linalg.cholesky(COVARIANCE + np.eye(3, dtype=np.float32))},
    ),
    "Independent": ("D.Independent(D.Normal(a, b), 1)", {"a": VECTOR, "b": SCALE}, {"a": VECTOR * 2, "b": OTHER}),
}


@pytest.mark.parametrize("name", PAIRS)
def test_divergences(name, agree):
    make, left, right = PAIRS[name]
    second = (
        make.replace("(a", "(a2").replace("=a", "=a2").replace(" a", " a2").replace(" b", " b2").replace("=b", "=b2")
    )
    given = {**left, **{f"{key}2": value for key, value in right.items()}}
    before, after = translated(function(given, f"return D.kl_divergence({make}, {second})"))
    agree(after, before, *given.values(), tolerance=2e-4, gradient=not name.endswith(("bounds", "zeros")))


@pytest.mark.parametrize("name", ["Normal", "Categorical", "Gamma", "MultivariateNormal", "Independent", "Bernoulli"])
def test_expanded(name, agree):
    make, arrays, value, _ = CASES[name]
    given = {**arrays, "value": value}
    body = [f"dist = {make}", "wide = dist.expand((3, *dist.batch_shape))"]
    before, after = translated(function(given, *body, "return wide.log_prob(value), wide.entropy()"))
    agree(after, before, *given.values(), tolerance=2e-4)


@pytest.mark.parametrize("make", ["D.Bernoulli(logits=a)", "D.Categorical(logits=a)", "D.OneHotCategorical(logits=a)"])
def test_enumerated_support(make, agree):
    body = [f"dist = {make}", "return dist.enumerate_support(), dist.enumerate_support(expand=False)"]
    before, after = translated(function({"a": LOGITS}, *body))
    agree(after, before, LOGITS)


def test_masked_classes_have_no_entropy(agree):
    masked = np.where(LOGITS < 0, -np.inf, LOGITS)
    before, after = translated(
        function({"a": LOGITS}, "dist = D.Categorical(logits=a)", "return dist.entropy(), dist.probs")
    )
    agree(after, before, masked.astype(np.float32))


def test_a_cached_transform_remembers_its_argument(agree):
    """tanh rounds to 1 far out, where its inverse is infinite: with a cache the density is that of the draw itself."""
    make = "D.TransformedDistribution(D.Normal(a, b), [D.TanhTransform(cache_size=1)])"
    body = [f"dist = {make}", "y = dist.{}()", "return dist.log_prob(y)"]
    far = np.array([15.0, -12.0, 9.5], np.float32)
    for method in ("rsample", "sample"):
        source = function({"a": far, "b": SCALE}, *(line.format(method) for line in body))
        _, after = translated(source)
        result = jax.jit(after)(jnp.asarray(far), jnp.full(3, 0.01), key=jax.random.key(0))
        assert np.all(np.isfinite(result))


def test_they_are_pytrees():
    _, after = translated(function({"a": REAL, "b": SCALE}, "return D.Independent(D.Normal(a, b), 1)"))
    dist = jax.jit(after)(jnp.asarray(REAL), jnp.asarray(SCALE))
    assert dist.batch_shape == (2,) and dist.event_shape == (3,)
    every = jax.vmap(lambda one: one.log_prob(jnp.zeros(3)))(dist)
    np.testing.assert_allclose(every, dist.log_prob(jnp.zeros(3)), rtol=1e-6)


TRANSFORMS = {
    "Affine": ("D.AffineTransform(b, -2.5)", "loc scale"),
    "Exp": ("D.ExpTransform()", ""),
    "Sigmoid": ("D.transforms.SigmoidTransform()", ""),
    "Tanh": ("D.TanhTransform()", ""),
    "Softplus": ("D.SoftplusTransform()", ""),
    "Power": ("D.PowerTransform(b)", "exponent"),
    "Compose": ("D.ComposeTransform([D.AffineTransform(0.5, b), D.ExpTransform()])", ""),
}


@pytest.mark.parametrize("name", TRANSFORMS)
def test_transforms(name, agree):
    make, fields = TRANSFORMS[name]
    values = POSITIVE if name == "Power" else VECTOR
    results = ", ".join(
        ["y", "f.inv(y)", "f.log_abs_det_jacobian(a, y)", *(f"f.{field} + a" for field in fields.split())]
    )
    before, after = translated(function({"a": values, "b": SCALE}, f"f = {make}", "y = f(a)", f"return {results},"))
    agree(after, before, values, SCALE, tolerance=2e-4)


def test_parts_of_distributions(agree):
    body = [
        "inner = D.Independent(D.Normal(a, b), 1)",
        "mixture = D.MixtureSameFamily(D.Categorical(logits=a), D.Normal(a, b))",
        "squashed = D.TransformedDistribution(inner, [D.ExpTransform(), D.AffineTransform(1.0, 2.0)])",
        "chain = D.ComposeTransform(squashed.transforms)",
        "one = mixture.mixture_distribution.logits, mixture.component_distribution.mean, inner.base_dist.scale",
        "two = squashed.base_dist.log_prob(a), chain(a), chain.parts[0].log_abs_det_jacobian(a, a)",
        "return *one, *two, inner.reinterpreted_batch_ndims + a",
    ]
    before, after = translated(function({"a": VECTOR, "b": SCALE}, *body))
    agree(after, before, VECTOR, SCALE, tolerance=2e-4)


def test_helpers(agree):
    body = [
        "one, two = D.utils.broadcast_all(a, b)",
        "probs = D.utils.clamp_probs(a)",
        "return one, two, probs, D.utils.probs_to_logits(probs), D.utils.logits_to_probs(b)",
    ]
    before, after = translated(function({"a": UNIT, "b": SCALE}, *body))
    agree(after, before, UNIT, SCALE)


def test_counts_of_draws_and_types():
    body = ["dist = D.Normal(a, 1.0)", "return dist.sample_n(5), dist.rsample_n(4), isinstance(dist, D.Distribution)"]
    _, after = translated(function({"a": VECTOR}, *body))
    one, two, known = after(jnp.asarray(VECTOR), key=jax.random.key(0))
    assert one.shape == (5, 2, 3) and two.shape == (4, 2, 3) and known
    _, after = translated(function({"a": VECTOR}, "return isinstance(D.ExpTransform(), D.Transform)"))
    assert after(VECTOR)


def test_divergences_between_families_are_refused():
    source = (
        "import torch.distributions as D\n\n\ndef f(x):\n    return D.kl_divergence(D.Normal(x, 1), D.Laplace(x, 1))\n"
    )
    conversion = torch2jax.convert(source)
    assert [diagnostic.code for diagnostic in conversion.diagnostics if diagnostic.severity == "error"] == ["T2J201"]


def test_divergences_between_families_are_refused_at_run_time():
    with pytest.raises(NotImplementedError, match="Normal from Laplace"):
        translated(
            function(
                {"a": SCALE},
                "return D.kl_divergence(D.Independent(D.Normal(a, a), 1), D.Independent(D.Laplace(a, a), 1))",
            )
        )[1](SCALE)


def test_every_row_is_used_here():
    """Constructors, methods and properties: what the tables translate is run above, or in the programs next to it."""
    rows = [row for row, _ in read_rows(mappings_folder() / "ops" / "distributions.yaml") if "unsupported" not in row]
    tests = Path(__file__).parents[1]
    folders = (tests / "equivalence" / "programs" / "variations", tests / "scripts" / "programs", tests / "layers")
    programs = [program for folder in folders for program in folder.glob("*.py")]
    texts = [Path(__file__).read_text(), *(program.read_text() for program in programs)]
    words = set(re.findall(r"\w+", " ".join(texts)))
    assert not {names_of(row)[0].split(".")[-1] for row in rows} - words - {"__call__"}
