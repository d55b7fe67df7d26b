"""Tan and Le, 2019 and 2021 (arXiv:1905.11946, arXiv:2104.00298): blocks of convolutions whose number and width grow together."""

import math
from functools import partial

import torch
import torch.nn as nn

from torch2jax.libraries.torchvision_mobilenetv2 import make_divisible
from torch2jax.libraries.torchvision_ops import Conv2dNormActivation, SqueezeExcitation, StochasticDepth

OMITTED = {"EfficientNet": "_forward_impl"}


class MBConv(nn.Module):
    """More channels, a convolution of each alone with squeeze and excitation, and fewer channels again."""

    def __init__(self, ratio, kernel, stride, inp, out, drop, norm_layer):
        super().__init__()
        self.use_res_connect = stride == 1 and inp == out
        hidden = make_divisible(inp * ratio, 8)
        layers = []
        if hidden != inp:
            layers.append(
                Conv2dNormActivation(inp, hidden, kernel_size=1, norm_layer=norm_layer, activation_layer=nn.SiLU)
            )
        layers.append(
            Conv2dNormActivation(
                hidden,
                hidden,
                kernel_size=kernel,
                stride=stride,
                groups=hidden,
                norm_layer=norm_layer,
                activation_layer=nn.SiLU,
            )
        )
        layers.append(SqueezeExcitation(hidden, max(1, inp // 4), activation=nn.SiLU))
        layers.append(Conv2dNormActivation(hidden, out, kernel_size=1, norm_layer=norm_layer, activation_layer=None))
        self.block = nn.Sequential(*layers)
        self.stochastic_depth = StochasticDepth(drop, "row")
        self.out_channels = out

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.stochastic_depth(self.block(x)) if self.use_res_connect else self.block(x)


class FusedMBConv(nn.Module):
    """The same with one convolution of all channels in the place of the first two."""

    def __init__(self, ratio, kernel, stride, inp, out, drop, norm_layer):
        super().__init__()
        self.use_res_connect = stride == 1 and inp == out
        hidden = make_divisible(inp * ratio, 8)
        layers = [
            Conv2dNormActivation(
                inp,
                hidden if hidden != inp else out,
                kernel_size=kernel,
                stride=stride,
                norm_layer=norm_layer,
                activation_layer=nn.SiLU,
            )
        ]
        if hidden != inp:
            layers.append(
                Conv2dNormActivation(hidden, out, kernel_size=1, norm_layer=norm_layer, activation_layer=None)
            )
        self.block = nn.Sequential(*layers)
        self.stochastic_depth = StochasticDepth(drop, "row")
        self.out_channels = out

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.stochastic_depth(self.block(x)) if self.use_res_connect else self.block(x)


class EfficientNet(nn.Module):
    """`setting`: whether the convolutions are fused, ratio of hidden channels, kernel, stride, channels and number of each
    stage's blocks.
    """

    def __init__(
        self,
        setting,
        dropout,
        stochastic_depth_prob=0.2,
        num_classes=1000,
        norm_layer=None,
        last_channel=None,
    ):
        super().__init__()
        norm = norm_layer or nn.BatchNorm2d
        channels = setting[0][4]
        layers = [Conv2dNormActivation(3, channels, stride=2, norm_layer=norm, activation_layer=nn.SiLU)]
        total, number = sum(item[6] for item in setting), 0
        for is_fused, ratio, kernel, stride, inp, out, blocks in setting:
            stage = []
            for i in range(blocks):
                first, step = (inp, stride) if i == 0 else (out, 1)
                drop = stochastic_depth_prob * float(number) / total
                if is_fused:
                    stage.append(FusedMBConv(ratio, kernel, step, first, out, drop, norm))
                else:
                    stage.append(MBConv(ratio, kernel, step, first, out, drop, norm))
                number = number + 1
            layers.append(nn.Sequential(*stage))
            channels = out
        last = 4 * channels if last_channel is None else last_channel
        layers.append(Conv2dNormActivation(channels, last, kernel_size=1, norm_layer=norm, activation_layer=nn.SiLU))
        self.features = nn.Sequential(*layers)
        self.avgpool = nn.AdaptiveAvgPool2d(1)
        self.classifier = nn.Sequential(nn.Dropout(p=dropout, inplace=True), nn.Linear(last, num_classes))
        for module in self.modules():
            if isinstance(module, nn.Conv2d):
                nn.init.kaiming_normal_(module.weight, mode="fan_out")
                if module.bias is not None:
                    nn.init.zeros_(module.bias)
            elif isinstance(module, nn.Linear):
                bound = 1.0 / math.sqrt(module.out_features)
                nn.init.uniform_(module.weight, -bound, bound)
                nn.init.zeros_(module.bias)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.classifier(torch.flatten(self.avgpool(self.features(x)), 1))


def scaled_stages(width, depth):
    """The stages of the first version, whose channels and numbers of blocks are multiplied."""
    stages = [
        (1, 3, 1, 32, 16, 1),
        (6, 3, 2, 16, 24, 2),
        (6, 5, 2, 24, 40, 2),
        (6, 3, 2, 40, 80, 3),
        (6, 5, 1, 80, 112, 3),
        (6, 5, 2, 112, 192, 4),
        (6, 3, 1, 192, 320, 1),
    ]
    return [
        (
            False,
            ratio,
            kernel,
            stride,
            make_divisible(inp * width, 8),
            make_divisible(out * width, 8),
            math.ceil(blocks * depth),
        )
        for ratio, kernel, stride, inp, out, blocks in stages
    ]


def efficientnet_b0(*, weights=None, dropout=0.2, **kwargs):
    model = EfficientNet(scaled_stages(1.0, 1.0), dropout, **kwargs)
    if weights is not None:
        model.load_state_dict(
            torch.hub.load_state_dict_from_url(
                "https://download.pytorch.org/models/efficientnet_b0_rwightman-7f5810bc.pth"
            )
        )
    return model


def efficientnet_b1(*, weights=None, dropout=0.2, **kwargs):
    model = EfficientNet(scaled_stages(1.0, 1.1), dropout, **kwargs)
    if weights == "IMAGENET1K_V1":
        model.load_state_dict(
            torch.hub.load_state_dict_from_url(
                "https://download.pytorch.org/models/efficientnet_b1_rwightman-bac287d4.pth"
            )
        )
    elif weights is not None:
        model.load_state_dict(
            torch.hub.load_state_dict_from_url("https://download.pytorch.org/models/efficientnet_b1-c27df63c.pth")
        )
    return model


def efficientnet_b2(*, weights=None, dropout=0.3, **kwargs):
    model = EfficientNet(scaled_stages(1.1, 1.2), dropout, **kwargs)
    if weights is not None:
        model.load_state_dict(
            torch.hub.load_state_dict_from_url(
                "https://download.pytorch.org/models/efficientnet_b2_rwightman-c35c1473.pth"
            )
        )
    return model


def efficientnet_b3(*, weights=None, dropout=0.3, **kwargs):
    model = EfficientNet(scaled_stages(1.2, 1.4), dropout, **kwargs)
    if weights is not None:
        model.load_state_dict(
            torch.hub.load_state_dict_from_url(
                "https://download.pytorch.org/models/efficientnet_b3_rwightman-b3899882.pth"
            )
        )
    return model


def efficientnet_b4(*, weights=None, dropout=0.4, **kwargs):
    model = EfficientNet(scaled_stages(1.4, 1.8), dropout, **kwargs)
    if weights is not None:
        model.load_state_dict(
            torch.hub.load_state_dict_from_url(
                "https://download.pytorch.org/models/efficientnet_b4_rwightman-23ab8bcd.pth"
            )
        )
    return model


def efficientnet_b5(*, weights=None, dropout=0.4, norm_layer=None, **kwargs):
    norm = norm_layer or partial(nn.BatchNorm2d, eps=0.001, momentum=0.01)
    model = EfficientNet(scaled_stages(1.6, 2.2), dropout, norm_layer=norm, **kwargs)
    if weights is not None:
        model.load_state_dict(
            torch.hub.load_state_dict_from_url(
                "https://download.pytorch.org/models/efficientnet_b5_lukemelas-1a07897c.pth"
            )
        )
    return model


def efficientnet_b6(*, weights=None, dropout=0.5, norm_layer=None, **kwargs):
    norm = norm_layer or partial(nn.BatchNorm2d, eps=0.001, momentum=0.01)
    model = EfficientNet(scaled_stages(1.8, 2.6), dropout, norm_layer=norm, **kwargs)
    if weights is not None:
        model.load_state_dict(
            torch.hub.load_state_dict_from_url(
                "https://download.pytorch.org/models/efficientnet_b6_lukemelas-24a108a5.pth"
            )
        )
    return model


def efficientnet_b7(*, weights=None, dropout=0.5, norm_layer=None, **kwargs):
    norm = norm_layer or partial(nn.BatchNorm2d, eps=0.001, momentum=0.01)
    model = EfficientNet(scaled_stages(2.0, 3.1), dropout, norm_layer=norm, **kwargs)
    if weights is not None:
        model.load_state_dict(
            torch.hub.load_state_dict_from_url(
                "https://download.pytorch.org/models/efficientnet_b7_lukemelas-c5b4e57e.pth"
            )
        )
    return model


def efficientnet_v2_s(*, weights=None, dropout=0.2, norm_layer=None, **kwargs):
    stages = [
        (True, 1, 3, 1, 24, 24, 2),
        (True, 4, 3, 2, 24, 48, 4),
        (True, 4, 3, 2, 48, 64, 4),
        (False, 4, 3, 2, 64, 128, 6),
        (False, 6, 3, 1, 128, 160, 9),
        (False, 6, 3, 2, 160, 256, 15),
    ]
    norm = norm_layer or partial(nn.BatchNorm2d, eps=0.001)
    model = EfficientNet(stages, dropout, norm_layer=norm, last_channel=1280, **kwargs)
    if weights is not None:
        model.load_state_dict(
            torch.hub.load_state_dict_from_url("https://download.pytorch.org/models/efficientnet_v2_s-dd5fe13b.pth")
        )
    return model


def efficientnet_v2_m(*, weights=None, dropout=0.3, norm_layer=None, **kwargs):
    stages = [
        (True, 1, 3, 1, 24, 24, 3),
        (True, 4, 3, 2, 24, 48, 5),
        (True, 4, 3, 2, 48, 80, 5),
        (False, 4, 3, 2, 80, 160, 7),
        (False, 6, 3, 1, 160, 176, 14),
        (False, 6, 3, 2, 176, 304, 18),
        (False, 6, 3, 1, 304, 512, 5),
    ]
    norm = norm_layer or partial(nn.BatchNorm2d, eps=0.001)
    model = EfficientNet(stages, dropout, norm_layer=norm, last_channel=1280, **kwargs)
    if weights is not None:
        model.load_state_dict(
            torch.hub.load_state_dict_from_url("https://download.pytorch.org/models/efficientnet_v2_m-dc08266a.pth")
        )
    return model


def efficientnet_v2_l(*, weights=None, dropout=0.4, norm_layer=None, **kwargs):
    stages = [
        (True, 1, 3, 1, 32, 32, 4),
        (True, 4, 3, 2, 32, 64, 7),
        (True, 4, 3, 2, 64, 96, 7),
        (False, 4, 3, 2, 96, 192, 10),
        (False, 6, 3, 1, 192, 224, 19),
        (False, 6, 3, 2, 224, 384, 25),
        (False, 6, 3, 1, 384, 640, 7),
    ]
    norm = norm_layer or partial(nn.BatchNorm2d, eps=0.001)
    model = EfficientNet(stages, dropout, norm_layer=norm, last_channel=1280, **kwargs)
    if weights is not None:
        model.load_state_dict(
            torch.hub.load_state_dict_from_url("https://download.pytorch.org/models/efficientnet_v2_l-59c71312.pth")
        )
    return model
