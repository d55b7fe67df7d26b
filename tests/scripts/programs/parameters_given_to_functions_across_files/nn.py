"""Various utilities for neural networks."""

import torch as th


def update_ema(target_params, source_params, rate=0.99):
    """
    Update target parameters.

    :param rate: the EMA rate (closer to 1 means slower).
    """
    for targ, src in zip(target_params, source_params):
        targ.detach().mul_(rate).add_(src, alpha=1 - rate)


@th.no_grad()
def scale_all(params, factor):
    for p in params:
        p.mul_(factor)


def mean_flat(tensor):
    return tensor.mean(dim=list(range(1, len(tensor.shape))))
