"""Liu et al., 2022 (arXiv:2201.03545): a convolution of each channel alone, and a small network over the channels."""

from functools import partial

import torch
import torch.nn as nn
import torch.nn.functional as F

from torch2jax.libraries.torchvision_ops import Conv2dNormActivation, Permute, StochasticDepth

OMITTED = {"ConvNeXt": "_forward_impl"}


class LayerNorm2d(nn.LayerNorm):
    """Layer norm over the channels of pictures."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x.permute(0, 2, 3, 1)
        x = F.layer_norm(x, self.normalized_shape, self.weight, self.bias, self.eps)
        return x.permute(0, 3, 1, 2)


class CNBlock(nn.Module):
    def __init__(self, dim, layer_scale, stochastic_depth_prob):
        super().__init__()
        self.block = nn.Sequential(
            nn.Conv2d(dim, dim, kernel_size=7, padding=3, groups=dim),
            Permute([0, 2, 3, 1]),
            nn.LayerNorm(dim, eps=1e-6),
            nn.Linear(dim, 4 * dim),
            nn.GELU(),
            nn.Linear(4 * dim, dim),
            Permute([0, 3, 1, 2]),
        )
        self.layer_scale = nn.Parameter(torch.ones(dim, 1, 1) * layer_scale)
        self.stochastic_depth = StochasticDepth(stochastic_depth_prob, "row")

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.stochastic_depth(self.layer_scale * self.block(x))


class ConvNeXt(nn.Module):
    """`block_setting`: the channels and the number of blocks of each stage."""

    def __init__(self, block_setting, stochastic_depth_prob=0.0, layer_scale=1e-6, num_classes=1000):
        super().__init__()
        channels = block_setting[0][0]
        norm = partial(LayerNorm2d, eps=1e-6)
        layers = [
            Conv2dNormActivation(
                3, channels, kernel_size=4, stride=4, padding=0, norm_layer=norm, activation_layer=None, bias=True
            )
        ]
        last, number = sum(count for _, count in block_setting) - 1.0, 0
        for i, (width, count) in enumerate(block_setting):
            if i > 0:
                layers.append(nn.Sequential(LayerNorm2d(channels, eps=1e-6), nn.Conv2d(channels, width, 2, stride=2)))
            stage = []
            for _ in range(count):
                stage.append(CNBlock(width, layer_scale, stochastic_depth_prob * number / last))
                number = number + 1
            layers.append(nn.Sequential(*stage))
            channels = width
        self.features = nn.Sequential(*layers)
        self.avgpool = nn.AdaptiveAvgPool2d(1)
        self.classifier = nn.Sequential(
            LayerNorm2d(channels, eps=1e-6), nn.Flatten(1), nn.Linear(channels, num_classes)
        )
        for module in self.modules():
            if isinstance(module, (nn.Conv2d, nn.Linear)):
                nn.init.trunc_normal_(module.weight, std=0.02)
                nn.init.zeros_(module.bias)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.classifier(self.avgpool(self.features(x)))


def convnext_tiny(*, weights=None, stochastic_depth_prob=0.1, **kwargs):
    model = ConvNeXt([(96, 3), (192, 3), (384, 9), (768, 3)], stochastic_depth_prob, **kwargs)
    if weights is not None:
        model.load_state_dict(
            torch.hub.load_state_dict_from_url("https://download.pytorch.org/models/convnext_tiny-983f1562.pth")
        )
    return model


def convnext_small(*, weights=None, stochastic_depth_prob=0.4, **kwargs):
    model = ConvNeXt([(96, 3), (192, 3), (384, 27), (768, 3)], stochastic_depth_prob, **kwargs)
    if weights is not None:
        model.load_state_dict(
            torch.hub.load_state_dict_from_url("https://download.pytorch.org/models/convnext_small-0c510722.pth")
        )
    return model


def convnext_base(*, weights=None, stochastic_depth_prob=0.5, **kwargs):
    model = ConvNeXt([(128, 3), (256, 3), (512, 27), (1024, 3)], stochastic_depth_prob, **kwargs)
    if weights is not None:
        model.load_state_dict(
            torch.hub.load_state_dict_from_url("https://download.pytorch.org/models/convnext_base-6075fbad.pth")
        )
    return model


def convnext_large(*, weights=None, stochastic_depth_prob=0.5, **kwargs):
    model = ConvNeXt([(192, 3), (384, 3), (768, 27), (1536, 3)], stochastic_depth_prob, **kwargs)
    if weights is not None:
        model.load_state_dict(
            torch.hub.load_state_dict_from_url("https://download.pytorch.org/models/convnext_large-ea097f82.pth")
        )
    return model
