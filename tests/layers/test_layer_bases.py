"""The classes that stand for torch's layers as bases of classes: the same parameters, first values and results."""

import pytest
import torch
from torch import nn

from torch2jax.layer_bases import classes

CASES = {
    "Linear": ((3, 4), {}, (2, 3)),
    "Linear-no-bias": ((3, 4), {"bias": False}, (2, 3)),
    "Embedding": ((5, 3), {"padding_idx": 1}, None),
    "LayerNorm": ((3,), {"eps": 0.1}, (2, 3)),
    "LayerNorm-two-axes": (((2, 3),), {}, (4, 2, 3)),
    "LayerNorm-plain": ((3,), {"elementwise_affine": False}, (2, 3)),
    "GroupNorm": ((2, 4), {}, (2, 4, 3)),
    "BatchNorm1d": ((3,), {"momentum": 0.3}, (4, 3)),
    "BatchNorm1d-sequences": ((3,), {}, (4, 3, 5)),
    "BatchNorm2d": ((3,), {"eps": 0.1}, (2, 3, 4, 4)),
    "BatchNorm2d-plain": ((3,), {"affine": False}, (2, 3, 4, 4)),
    "Dropout": ((0.0,), {}, (2, 3)),
    "TransformerEncoderLayer": ((8, 2, 16, 0.0), {"batch_first": True}, (2, 3, 8)),
    "TransformerEncoderLayer-first": ((8, 2, 16, 0.0, "gelu"), {"norm_first": True}, (2, 3, 8)),
    "Conv1d": ((2, 4, 3), {"padding": 1, "groups": 2}, (2, 2, 5)),
    "Conv1d-mirrored": ((2, 4, 3), {"padding": 1, "padding_mode": "reflect"}, (2, 2, 5)),
    "Conv2d-circular": ((2, 4, (3, 2)), {"padding": (1, 2), "padding_mode": "circular"}, (2, 2, 5, 5)),
    "Conv3d": ((2, 4, (3, 2, 1)), {"padding": 1, "groups": 2, "stride": (1, 2, 1)}, (2, 2, 5, 4, 3)),
    "Conv3d-same": ((2, 4, 3), {"padding": "same"}, (2, 2, 5, 4, 3)),
    "ConvTranspose1d": ((4, 6, 3), {"stride": 2, "groups": 2, "output_padding": 1}, (2, 4, 5)),
    "ConvTranspose3d": ((4, 6, 3), {"stride": 2, "padding": 1, "bias": False}, (2, 4, 3, 4, 2)),
    "AvgPool2d": ((2,), {"padding": 1, "count_include_pad": False}, (2, 3, 5, 5)),
    "ConvTranspose2d": ((4, 6, 3), {"stride": 2, "groups": 2, "output_padding": 1}, (2, 4, 5, 5)),
    "MaxPool2d": ((3, 2), {"padding": 1, "ceil_mode": True}, (2, 3, 6, 6)),
    "Upsample": ((), {"scale_factor": 2, "mode": "bilinear", "align_corners": True}, (2, 3, 4, 4)),
    "Conv2d": ((2, 4, (3, 2)), {"stride": 2, "padding": "valid", "bias": False}, (2, 2, 5, 5)),
}


@pytest.mark.parametrize("name", CASES)
def test_a_base_is_the_layer(name: str) -> None:
    args, options, shape = CASES[name]
    short = name.split("-")[0]
    torch.manual_seed(0)
    theirs = getattr(nn, short)(*args, **options)
    torch.manual_seed(0)
    ours = getattr(classes, f"{short}Base")(*args, **options)
    expected = theirs.state_dict()
    assert list(ours.state_dict()) == list(expected)
    for key, value in ours.state_dict().items():
        assert torch.equal(value, expected[key]), key
    given = torch.randn(shape) if shape is not None else torch.tensor([[0, 1], [4, 2]])
    assert torch.allclose(ours(given), theirs(given), atol=1e-6)
    for key, value in ours.state_dict().items():  # which the call may have changed
        assert torch.allclose(value, theirs.state_dict()[key], atol=1e-6), key
    assert torch.allclose(ours.eval()(given), theirs.eval()(given), atol=1e-6)
    for key in (
        "in_features",
        "out_features",
        "kernel_size",
        "stride",
        "padding",
        "padding_mode",
        "normalized_shape",
        "num_embeddings",
    ):
        assert getattr(ours, key, None) == getattr(theirs, key, None)


def test_a_bilinear_base_is_the_layer() -> None:
    torch.manual_seed(0)
    theirs = nn.Bilinear(3, 4, 2)
    torch.manual_seed(0)
    ours = classes.BilinearBase(3, 4, 2)
    a, b = torch.randn(5, 3), torch.randn(5, 4)
    assert torch.equal(ours(a, b), theirs(a, b))
    assert list(ours.state_dict()) == list(theirs.state_dict())
