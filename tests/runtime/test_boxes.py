"""Boxes as torchvision has them, by their definition."""

import jax.numpy as jnp
import numpy as np

from torch2jax.runtime.boxes import batched_nms, box_area, box_iou, nms

BOXES = jnp.array([[0.0, 0, 2, 2], [1, 1, 3, 3], [0, 0, 2, 1.9], [5, 5, 6, 8]])
SCORES = jnp.array([0.6, 0.9, 0.7, 0.1])


def test_areas_and_overlap():
    assert box_area(BOXES).tolist() == [4, 4, 3.799999952316284, 3]
    np.testing.assert_allclose(box_iou(BOXES[:1], BOXES), [[1, 1 / 7, 0.95, 0]], rtol=1e-6)


def test_suppression():
    assert nms(BOXES, SCORES, 0.5).tolist() == [1, 2, 3]
    assert nms(BOXES, SCORES, 0.1).tolist() == [1, 3]
    assert nms(BOXES, SCORES, 0.99).tolist() == [1, 2, 0, 3] and nms(BOXES[:0], SCORES[:0], 0.5).shape == (0,)
    assert batched_nms(BOXES, SCORES, jnp.array([0, 0, 1, 0]), 0.5).tolist() == [1, 2, 0, 3]
