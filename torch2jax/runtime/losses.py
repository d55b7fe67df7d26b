"""Losses of torch.nn.functional, with torch's reductions, defaults and subgradients."""

import math

import jax
import jax.numpy as jnp
import optax

from torch2jax.runtime.reductions import absolute, clamp, norm, pairwise_distance


def reduce_loss(loss, reduction):
    """torch's `reduction`: "none", "mean" over all elements, or "sum"."""
    if reduction == "none":
        return loss
    return loss.sum() if reduction == "sum" else loss.mean()


def target_weights(targets, weight, ignore_index):
    """The class weight of every target; 0 where it is ignored."""
    keep = targets != ignore_index
    return jnp.where(keep, jnp.take(weight, jnp.where(keep, targets, 0)), 0)


def nll_loss(log_probs, targets, weight=None, ignore_index=-100, reduction="mean"):
    """torch.nn.functional.nll_loss: classes on axis 1; the mean divides by the weights of the targets that count."""
    log_probs = jnp.moveaxis(log_probs, min(1, log_probs.ndim - 1), -1)
    keep = targets != ignore_index
    picked = jnp.take_along_axis(log_probs, jnp.where(keep, targets, 0)[..., None], axis=-1)[..., 0]
    if weight is None:
        loss, count = jnp.where(keep, -picked, 0), keep.sum(dtype=log_probs.dtype)
    else:
        weights = target_weights(targets, weight, ignore_index)
        loss, count = jnp.where(keep, -picked * weights, 0), weights.sum()
    return loss.sum() / count if reduction == "mean" else reduce_loss(loss, reduction)


def cross_entropy(logits, targets, weight=None, ignore_index=-100, label_smoothing=0.0, reduction="mean"):
    """torch.nn.functional.cross_entropy: classes on axis 1; `targets` are class indices or class probabilities."""
    axis = min(1, logits.ndim - 1)
    log_probs = jax.nn.log_softmax(logits, axis=axis)
    classes = logits.shape[axis]
    weighted = log_probs if weight is None else log_probs * weight.reshape((-1,) + (1,) * (logits.ndim - axis - 1))
    if jnp.issubdtype(targets.dtype, jnp.floating):
        if label_smoothing:
            targets = targets * (1 - label_smoothing) + label_smoothing / classes
        return reduce_loss(-(weighted * targets).sum(axis), reduction)
    if label_smoothing:
        loss = nll_loss(log_probs, targets, weight, ignore_index, reduction)
        smooth = jnp.where(targets != ignore_index, -weighted.sum(axis), 0)
        if reduction == "mean":
            count = (targets != ignore_index).sum(dtype=smooth.dtype)
            total = count if weight is None else target_weights(targets, weight, ignore_index).sum()
            smooth = smooth.sum() / total
        else:
            smooth = reduce_loss(smooth, reduction)
        return (1 - label_smoothing) * loss + label_smoothing / classes * smooth
    return nll_loss(log_probs, targets, weight, ignore_index, reduction)


def binary_cross_entropy(probs, targets, weight=None, reduction="mean"):
    """torch.nn.functional.binary_cross_entropy: logarithms are at least -100, and p (1 - p) 1e-12 in the gradient."""
    p = jax.lax.stop_gradient(probs)
    loss = -(targets * jnp.maximum(jnp.log(p), -100) + (1 - targets) * jnp.maximum(jnp.log1p(-p), -100))
    slope = jax.lax.stop_gradient((p - targets) / jnp.maximum(p * (1 - p), 1e-12))
    loss = loss + slope * (probs - p)  # adds 0; carries the gradient
    return reduce_loss(loss if weight is None else loss * weight, reduction)


def binary_cross_entropy_with_logits(logits, targets, weight=None, reduction="mean", pos_weight=None):
    """torch.nn.functional.binary_cross_entropy_with_logits: `pos_weight` multiplies the positive term only."""
    positive = targets if pos_weight is None else pos_weight * targets
    loss = -(positive * jax.nn.log_sigmoid(logits) + (1 - targets) * jax.nn.log_sigmoid(-logits))
    return reduce_loss(loss if weight is None else loss * weight, reduction)


def mse_loss(x, y, reduction="mean"):
    """torch.nn.functional.mse_loss."""
    return reduce_loss((x - y) ** 2, reduction)


def l1_loss(x, y, reduction="mean"):
    """torch.nn.functional.l1_loss: gradient 0 where x = y."""
    return reduce_loss(absolute(x - y), reduction)


def smooth_l1_loss(x, y, reduction="mean", beta=1.0):
    """torch.nn.functional.smooth_l1_loss: the Huber loss divided by `beta`."""
    if beta == 0:
        return l1_loss(x, y, reduction)
    return huber_loss(x, y, reduction, beta) / beta


def huber_loss(x, y, reduction="mean", delta=1.0):
    """torch.nn.functional.huber_loss."""
    size = absolute(x - y)
    return reduce_loss(jnp.where(size < delta, 0.5 * size**2, delta * (size - 0.5 * delta)), reduction)


def kl_div(log_probs, targets, reduction="mean", log_target=False):
    """torch.nn.functional.kl_div(log q, p): "mean" divides by all elements, "batchmean" by the batch size."""
    if log_target:
        loss = jnp.exp(targets) * (targets - log_probs)
    else:
        loss = jax.scipy.special.xlogy(targets, targets) - targets * log_probs
    return loss.sum() / loss.shape[0] if reduction == "batchmean" else reduce_loss(loss, reduction)


def cosine_similarity(x1, x2, dim=1, eps=1e-8):
    """torch.nn.functional.cosine_similarity: each norm is bounded below by `eps`."""
    x1, x2 = jnp.broadcast_arrays(x1, x2)
    dim = dim if x1.ndim else None
    norm1, norm2 = norm(x1, 2, dim, keepdim=True), norm(x2, 2, dim, keepdim=True)
    bounded = lambda n: n + jax.lax.stop_gradient(jnp.maximum(n, eps) - n)  # torch's bound does not stop the gradient
    return jnp.sum(x1 / bounded(norm1) * (x2 / bounded(norm2)), axis=dim)


def cosine_embedding_loss(x1, x2, targets, margin=0.0, reduction="mean"):
    """torch.nn.functional.cosine_embedding_loss: targets are 1 (similar) or -1."""
    squares1, squares2 = (x1 * x1).sum(-1) + 1e-12, (x2 * x2).sum(-1) + 1e-12
    cosine = (x1 * x2).sum(-1) / jnp.sqrt(squares1 * squares2)
    loss = jnp.where(targets == 1, 1 - cosine, 0) + jnp.where(targets == -1, clamp(cosine - margin, min=0), 0)
    return reduce_loss(loss, reduction)


def margin_ranking_loss(x1, x2, targets, margin=0.0, reduction="mean"):
    """torch.nn.functional.margin_ranking_loss: target 1 means that `x1` should be the larger one."""
    return reduce_loss(clamp(-targets * (x1 - x2) + margin, min=0), reduction)


def triplet_margin_loss(anchor, positive, negative, margin=1.0, p=2.0, eps=1e-6, swap=False, reduction="mean"):
    """torch.nn.functional.triplet_margin_loss: plain distances, `eps` added to the differences."""
    near, far = pairwise_distance(anchor, positive, p, eps), pairwise_distance(anchor, negative, p, eps)
    if swap:
        far = jnp.minimum(far, pairwise_distance(positive, negative, p, eps))
    return reduce_loss(clamp(margin + near - far, min=0), reduction)


def hinge_embedding_loss(x, targets, margin=1.0, reduction="mean"):
    """torch.nn.functional.hinge_embedding_loss: x where the target is 1, max(0, margin - x) where it is -1."""
    loss = jnp.where(targets != 1, clamp(margin - x, min=0), 0) + jnp.where(targets != -1, x, 0)
    return reduce_loss(loss, reduction)


def poisson_nll_loss(x, targets, log_input=True, full=False, eps=1e-8, reduction="mean"):
    """torch.nn.functional.poisson_nll_loss: `x` is the logarithm of the rate unless log_input is False."""
    loss = jnp.exp(x) - targets * x if log_input else x - targets * jnp.log(x + eps)
    if full:
        safe = jnp.where(targets > 1, targets, 1)
        stirling = targets * jnp.log(safe) - targets + 0.5 * jnp.log(2 * math.pi * safe)
        loss = loss + jnp.where(targets > 1, stirling, 0)
    return reduce_loss(loss, reduction)


def gaussian_nll_loss(x, targets, var, full=False, eps=1e-6, reduction="mean"):
    """torch.nn.functional.gaussian_nll_loss: the variance is bounded below by `eps`, its gradient is not."""
    var = jnp.asarray(var, x.dtype)
    if var.shape != x.shape and var.shape == x.shape[:-1]:
        var = var[..., None]
    var = var + jax.lax.stop_gradient(jnp.maximum(var, eps) - var)
    loss = 0.5 * (jnp.log(var) + (x - targets) ** 2 / var)
    return reduce_loss(loss + 0.5 * math.log(2 * math.pi) if full else loss, reduction)


def soft_margin_loss(x, targets, reduction="mean"):
    """torch.nn.functional.soft_margin_loss: log(1 + exp(-y x)), targets 1 or -1."""
    return reduce_loss(jax.nn.softplus(-targets * x), reduction)


def multilabel_soft_margin_loss(x, targets, weight=None, reduction="mean"):
    """torch.nn.functional.multilabel_soft_margin_loss: mean over the classes (last axis), then over the batch."""
    loss = -(targets * jax.nn.log_sigmoid(x) + (1 - targets) * jax.nn.log_sigmoid(-x))
    return reduce_loss((loss if weight is None else loss * weight).mean(-1), reduction)


def multilabel_margin_loss(x, targets, reduction="mean"):
    """torch.nn.functional.multilabel_margin_loss: `targets` lists the labels of an example up to the first -1."""
    x, targets = jnp.atleast_1d(x, targets)
    listed = jnp.cumprod(targets >= 0, axis=-1) > 0
    labels = jnp.where(listed, targets, 0)
    is_label = ((labels[..., None] == jnp.arange(x.shape[-1])) & listed[..., None]).any(-2)
    hinge = 1 - jnp.take_along_axis(x, labels, axis=-1)[..., None] + x[..., None, :]
    counts = listed[..., None] & ~is_label[..., None, :] & (hinge > 0)
    return reduce_loss(jnp.where(counts, hinge, 0).sum((-2, -1)) / x.shape[-1], reduction)


def multi_margin_loss(x, targets, p=1, margin=1.0, weight=None, reduction="mean"):
    """torch.nn.functional.multi_margin_loss: hinge of every wrong class, divided by the number of classes."""
    rows, labels = x.reshape(targets.size, x.shape[-1] if x.ndim else 1), targets.reshape(-1, 1)
    margins = margin - jnp.take_along_axis(rows, labels, axis=-1) + rows
    hinge = jnp.where(margins > 0, margins, 0) ** p
    if weight is not None:
        hinge = hinge * jnp.take(weight, labels)
    wrong = jnp.arange(rows.shape[-1]) != labels
    loss = jnp.where(wrong, hinge, 0).sum(-1) / rows.shape[-1]
    return reduce_loss(loss.reshape(targets.shape), reduction)


def ctc_loss(log_probs, targets, input_lengths, target_lengths, blank=0, reduction="mean", zero_infinity=False):
    """torch.nn.functional.ctc_loss: `log_probs` (time, batch, classes), `targets` (batch, length) or (length,) for all
    in a row; the mean divides each loss by its target length first. The batch axis may be missing."""
    if log_probs.ndim == 2:
        lengths = [jnp.reshape(jnp.asarray(item), (1,)) for item in (input_lengths, target_lengths)]
        targets = targets.reshape(1, -1)
        loss = ctc_loss(log_probs[:, None], targets, *lengths, blank, reduction, zero_infinity)
        return loss.reshape(())
    logits = jnp.swapaxes(log_probs, 0, 1)
    input_lengths, target_lengths = jnp.asarray(input_lengths), jnp.asarray(target_lengths)
    if targets.ndim == 1:
        starts = jnp.cumsum(target_lengths) - target_lengths
        columns = starts[:, None] + jnp.arange(targets.shape[0])
        targets = jnp.take(targets, jnp.minimum(columns, targets.shape[0] - 1))
    frames, labels = jnp.arange(logits.shape[1]), jnp.arange(targets.shape[1])
    frame_padding = (frames >= input_lengths[:, None]).astype(logits.dtype)
    label_padding = (labels >= target_lengths[:, None]).astype(logits.dtype)
    targets = jnp.where(label_padding > 0, (blank + 1) % logits.shape[2], targets)
    loss = optax.ctc_loss(logits, frame_padding, targets, label_padding, blank_id=blank).astype(logits.dtype)
    impossible = loss > 1e4  # optax writes about 1e5 for an infinite loss
    loss = jnp.where(impossible, 0.0 if zero_infinity else math.inf, loss)
    return (
        (loss / jnp.maximum(target_lengths, 1).astype(loss.dtype)).mean()
        if reduction == "mean"
        else reduce_loss(loss, reduction)
    )
