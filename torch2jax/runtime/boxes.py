"""torchvision.ops on boxes `(x1, y1, x2, y2)`."""

import jax.numpy as jnp
import numpy as np


def box_area(boxes):
    """torchvision.ops.box_area: the area of each box."""
    return (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])


def box_iou(boxes1, boxes2):
    """torchvision.ops.box_iou: what each two boxes share, over what both of them cover."""
    corner, other = jnp.maximum(boxes1[:, None, :2], boxes2[:, :2]), jnp.minimum(boxes1[:, None, 2:], boxes2[:, 2:])
    shared = jnp.prod(jnp.clip(other - corner, 0), -1)
    return shared / (box_area(boxes1)[:, None] + box_area(boxes2) - shared)


def nms(boxes, scores, iou_threshold):
    """torchvision.ops.nms: the positions of the best boxes that overlap no better one, best first; how many depends on them."""
    boxes, scores = np.asarray(boxes), np.asarray(scores)
    areas = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    left, kept = np.argsort(-scores, kind="stable"), []
    while left.size:
        best, left = left[0], left[1:]
        kept.append(best)
        sides = np.minimum(boxes[left, 2:], boxes[best, 2:]) - np.maximum(boxes[left, :2], boxes[best, :2])
        shared = np.prod(np.maximum(sides, 0), -1)
        left = left[~(shared > iou_threshold * (areas[left] + areas[best] - shared))]
    return jnp.asarray(kept, int)


def batched_nms(boxes, scores, idxs, iou_threshold):
    """torchvision.ops.batched_nms: `nms` among the boxes of each class alone."""
    boxes, idxs = np.asarray(boxes), np.asarray(idxs)
    if not boxes.size:
        return jnp.zeros(0, int)
    return nms(boxes + idxs[:, None].astype(boxes.dtype) * (boxes.max() + 1), scores, iou_threshold)
