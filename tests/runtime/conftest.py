"""The one verb of these tests: run a support function and the torch function it reproduces, and compare."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch

FAST_COMPILE = {"xla_backend_optimization_level": 0, "xla_llvm_disable_expensive_passes": True}


def _leaves(result):
    if isinstance(result, (torch.Tensor, jax.Array, np.ndarray)):
        return [result]
    return [] if result is None else [leaf for part in result for leaf in _leaves(part)]


def _is_float(array):
    return np.asarray(array).dtype.kind == "f"


def _compare(actual, expected, what, tolerance):
    expected = expected.detach().numpy()
    actual = np.asarray(actual)
    assert actual.shape == expected.shape, what
    kinds = {"u": "i"} if actual.dtype.itemsize > 1 else {}
    assert kinds.get(actual.dtype.kind, actual.dtype.kind) == expected.dtype.kind, what
    if expected.dtype.kind in "fc":
        assert actual.dtype == expected.dtype, what
    np.testing.assert_allclose(actual, expected, rtol=tolerance, atol=tolerance, err_msg=what)


@pytest.fixture
def agree():
    """`agree(jax_function, torch_function, *arrays)`: same values, dtypes, shapes and gradients, jitted (or eager)."""

    def check(jax_function, torch_function, *arrays, tolerance=1e-5, gradient=True, jit=True):
        floats = [i for i, array in enumerate(arrays) if gradient and _is_float(array)]
        tensors = [torch.tensor(array, requires_grad=i in floats) for i, array in enumerate(arrays)]
        expected = _leaves(torch_function(*tensors))
        live = [i for i, leaf in enumerate(expected) if leaf.requires_grad]
        rng = np.random.default_rng(1)
        cotangents = [
            rng.normal(size=tuple(expected[i].shape)).astype(np.asarray(expected[i].detach()).dtype) for i in live
        ]

        def loss(*some):
            given = list(map(jnp.asarray, arrays))
            for i, array in zip(floats, some):
                given[i] = array
            results = _leaves(jax_function(*given))
            return sum(jnp.sum(results[i] * cotangent) for i, cotangent in zip(live, cotangents)), results

        run = jax.value_and_grad(loss, argnums=tuple(range(len(floats))), has_aux=True) if live else loss
        compiled = jax.jit(run, compiler_options=FAST_COMPILE) if jit else run
        with jax.numpy_dtype_promotion("strict"):
            outcome = compiled(*(jnp.asarray(arrays[i]) for i in floats))
        actual = outcome[0][1] if live else outcome[1]
        assert len(actual) == len(expected)
        for i, (left, right) in enumerate(zip(actual, expected)):
            _compare(left, right, f"result {i}", tolerance)
        if live:
            sum((expected[i] * torch.tensor(cotangent)).sum() for i, cotangent in zip(live, cotangents)).backward()
            for i, grad in zip(floats, outcome[1]):
                wanted = tensors[i].grad
                _compare(grad, torch.zeros_like(tensors[i]) if wanted is None else wanted, f"gradient {i}", tolerance)

    return check
