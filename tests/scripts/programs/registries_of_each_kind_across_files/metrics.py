import torch
from registry import METRIC_REGISTRY


@METRIC_REGISTRY.register()
def calculate_err(img, img2, **kwargs):
    return (img - img2).abs().mean().item()


@METRIC_REGISTRY.register()
def calculate_mse(img, img2, scale=1.0, **kwargs):
    return scale * ((img - img2) ** 2).mean().item()
