"""Names that stand in the code besides the tables: what comes new into a table is in them, or is said here not to be."""

from pathlib import Path

import pytest
import yaml

from torch2jax.facts import combined_schedulers, schedules
from torch2jax.normalize import layers_by_name, scheduler_classes

MAPPINGS = Path(__file__).parent.parent.parent / "mappings"
_STEPPED_BY_HAND = {"CyclicLR", "LambdaLR", "MultiplicativeLR", "OneCycleLR", "ReduceLROnPlateau", "SequentialLR"}

LISTS = {
    "activations by name": (
        "layers/activation.yaml",
        {*layers_by_name._PLAIN_LAYERS, *layers_by_name._OPTIONS},
        # they need an axis, a bound or a key that a table of activations does not give
        {"GLU", "LogSoftmax", "RReLU", "Softmax", "Softmax2d", "Softmin", "Threshold"},
    ),
    "parts of combined schedules": ("schedules.yaml", combined_schedulers._PARTS, _STEPPED_BY_HAND),
    "schedules of one factor": (
        "schedules.yaml",
        schedules._SCALING,
        {*_STEPPED_BY_HAND, "CosineAnnealingWarmRestarts"},  # its floor does not scale
    ),
    "schedules by name": (
        "schedules.yaml",
        scheduler_classes._BY_NAME,
        {*_STEPPED_BY_HAND, "ConstantLR", "CosineAnnealingWarmRestarts"},
    ),
}


@pytest.mark.parametrize("name", LISTS)
def test_list_is_whole(name: str) -> None:
    file, listed, left_out = LISTS[name]
    rows = {row["torch"].rpartition(".")[2] for row in yaml.safe_load((MAPPINGS / file).read_text(encoding="utf-8"))}
    assert rows - {item.rpartition(".")[2] for item in listed} == left_out
