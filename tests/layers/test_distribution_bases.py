"""The classes that stand for torch's distributions as bases of classes: the same fields and results."""

import pytest
import torch
from torch import distributions as D

from torch2jax.layer_bases import distributions

A, B = torch.tensor([0.3, -1.2, 0.5]), torch.tensor([0.5, 1.5, 2.0])
CASES = {
    "Normal": ((A, B), {}, A, "loc scale mean mode stddev variance"),
    "Normal-numbers": ((0.5, 2.0), {"validate_args": False}, A, "loc mean stddev"),
    "Categorical": ((), {"logits": A}, torch.tensor(2), "probs logits mode param_shape"),
    "Categorical-probs": ((B,), {}, torch.tensor([0, 2]), "probs logits mode"),
    "Bernoulli": ((), {"logits": A}, torch.tensor([1.0, 0.0, 1.0]), "probs logits mean mode variance stddev"),
    "Bernoulli-probs": ((torch.tensor([0.2, 0.5, 0.9]),), {}, torch.tensor([1.0, 0.0, 1.0]), "probs logits mean"),
    "OneHotCategorical": (
        (),
        {"logits": A},
        torch.tensor([0.0, 0.0, 1.0]),
        "probs logits mode mean variance param_shape",
    ),
    "TransformedDistribution": ((D.Normal(A, B), [D.TanhTransform()]), {}, torch.tensor([0.1, -0.5, 0.9]), ""),
    "TransformedDistribution-one": ((D.Normal(A[0], B[0]), D.AffineTransform(A, B)), {}, A, ""),
}


@pytest.mark.parametrize("name", CASES)
def test_a_base_is_the_distribution(name: str) -> None:
    args, options, value, fields = CASES[name]
    short = name.split("-")[0]
    theirs = getattr(D, short)(*args, **options)
    ours = getattr(distributions, f"{short}Base")(*args, **options)
    for field in fields.split():
        expected, found = getattr(theirs, field), getattr(ours, field)
        assert found == expected if not isinstance(expected, torch.Tensor) else torch.allclose(found, expected), field
    assert torch.allclose(ours.log_prob(value), theirs.log_prob(value))
    assert (ours.batch_shape, ours.event_shape) == (theirs.batch_shape, theirs.event_shape)
    assert ours.has_rsample == theirs.has_rsample
    torch.manual_seed(0)
    expected = theirs.sample((4,))
    torch.manual_seed(0)
    assert torch.equal(ours.sample((4,)), expected)
    if short != "TransformedDistribution":
        assert torch.allclose(ours.entropy(), theirs.entropy())
        assert torch.allclose(ours.perplexity(), theirs.perplexity())
        assert torch.allclose(ours.kl_divergence(ours), torch.zeros(()))


def test_a_transform_with_a_cache_gives_back_what_it_was_given() -> None:
    class Tanh(distributions.TransformBase):
        def _call(self, x: torch.Tensor) -> torch.Tensor:
            return x.tanh()

        def _inverse(self, y: torch.Tensor) -> torch.Tensor:
            return y.atanh()

    x = torch.full((2,), 20.0)
    kept, plain = Tanh(cache_size=1), Tanh()
    assert kept.inv(kept(x)) is x
    assert torch.isinf(plain.inv(plain(x))).all()
