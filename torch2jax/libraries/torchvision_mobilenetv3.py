"""Howard et al., 2019 (arXiv:1905.02244): inverted residual blocks with squeeze and excitation, and hard activations."""

from functools import partial

import torch
import torch.nn as nn

from torch2jax.libraries.torchvision_mobilenetv2 import make_divisible
from torch2jax.libraries.torchvision_ops import Conv2dNormActivation, SqueezeExcitation

OMITTED = {"MobileNetV3": "_forward_impl"}


class InvertedResidualV3(nn.Module):
    """More channels, a convolution of each alone, and fewer channels again, with a shortcut where the size stays."""

    def __init__(self, inp, kernel, hidden, out, use_se, act, stride, dilation, norm_layer):
        super().__init__()
        self.use_res_connect = stride == 1 and inp == out
        layers = []
        if hidden != inp:
            layers.append(Conv2dNormActivation(inp, hidden, kernel_size=1, norm_layer=norm_layer, activation_layer=act))
        layers.append(
            Conv2dNormActivation(
                hidden,
                hidden,
                kernel_size=kernel,
                stride=1 if dilation > 1 else stride,
                dilation=dilation,
                groups=hidden,
                norm_layer=norm_layer,
                activation_layer=act,
            )
        )
        if use_se:
            squeezed = make_divisible(hidden // 4, 8)
            layers.append(SqueezeExcitation(hidden, squeezed, scale_activation=nn.Hardsigmoid))
        layers.append(Conv2dNormActivation(hidden, out, kernel_size=1, norm_layer=norm_layer, activation_layer=None))
        self.block = nn.Sequential(*layers)
        self.out_channels = out

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.block(x) if self.use_res_connect else self.block(x)


class MobileNetV3(nn.Module):
    """`setting`: kernel, hidden and output channels, whether there is squeeze and excitation, whether activations are hard
    swish, stride and dilation of each block.
    """

    def __init__(self, setting, last_channel, num_classes=1000, *, width_mult=1.0, norm_layer=None, dropout=0.2):
        super().__init__()
        norm = norm_layer or partial(nn.BatchNorm2d, eps=0.001, momentum=0.01)
        channels = make_divisible(16 * width_mult, 8)
        layers = [Conv2dNormActivation(3, channels, stride=2, norm_layer=norm, activation_layer=nn.Hardswish)]
        for kernel, hidden, out, use_se, is_swish, stride, dilation in setting:
            hidden, out = make_divisible(hidden * width_mult, 8), make_divisible(out * width_mult, 8)
            act = nn.Hardswish if is_swish else nn.ReLU
            layers.append(InvertedResidualV3(channels, kernel, hidden, out, use_se, act, stride, dilation, norm))
            channels = out
        layers.append(
            Conv2dNormActivation(channels, 6 * channels, kernel_size=1, norm_layer=norm, activation_layer=nn.Hardswish)
        )
        last_channel = make_divisible(last_channel * width_mult, 8)
        self.features = nn.Sequential(*layers)
        self.avgpool = nn.AdaptiveAvgPool2d(1)
        self.classifier = nn.Sequential(
            nn.Linear(6 * channels, last_channel),
            nn.Hardswish(inplace=True),
            nn.Dropout(p=dropout, inplace=True),
            nn.Linear(last_channel, num_classes),
        )
        for module in self.modules():
            if isinstance(module, nn.Conv2d):
                nn.init.kaiming_normal_(module.weight, mode="fan_out")
                if module.bias is not None:
                    nn.init.zeros_(module.bias)
            elif isinstance(module, nn.Linear):
                nn.init.normal_(module.weight, 0, 0.01)
                nn.init.zeros_(module.bias)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.classifier(torch.flatten(self.avgpool(self.features(x)), 1))


def mobilenet_v3_large(*, weights=None, reduced_tail=False, dilated=False, **kwargs):
    part, rate = 2 if reduced_tail else 1, 2 if dilated else 1
    setting = [
        (3, 16, 16, False, False, 1, 1),
        (3, 64, 24, False, False, 2, 1),
        (3, 72, 24, False, False, 1, 1),
        (5, 72, 40, True, False, 2, 1),
        (5, 120, 40, True, False, 1, 1),
        (5, 120, 40, True, False, 1, 1),
        (3, 240, 80, False, True, 2, 1),
        (3, 200, 80, False, True, 1, 1),
        (3, 184, 80, False, True, 1, 1),
        (3, 184, 80, False, True, 1, 1),
        (3, 480, 112, True, True, 1, 1),
        (3, 672, 112, True, True, 1, 1),
        (5, 672, 160 // part, True, True, 2, rate),
        (5, 960 // part, 160 // part, True, True, 1, rate),
        (5, 960 // part, 160 // part, True, True, 1, rate),
    ]
    model = MobileNetV3(setting, 1280 // part, **kwargs)
    if weights == "IMAGENET1K_V1":
        model.load_state_dict(
            torch.hub.load_state_dict_from_url("https://download.pytorch.org/models/mobilenet_v3_large-8738ca79.pth")
        )
    elif weights is not None:
        model.load_state_dict(
            torch.hub.load_state_dict_from_url("https://download.pytorch.org/models/mobilenet_v3_large-5c1a4163.pth")
        )
    return model


def mobilenet_v3_small(*, weights=None, reduced_tail=False, dilated=False, **kwargs):
    part, rate = 2 if reduced_tail else 1, 2 if dilated else 1
    setting = [
        (3, 16, 16, True, False, 2, 1),
        (3, 72, 24, False, False, 2, 1),
        (3, 88, 24, False, False, 1, 1),
        (5, 96, 40, True, True, 2, 1),
        (5, 240, 40, True, True, 1, 1),
        (5, 240, 40, True, True, 1, 1),
        (5, 120, 48, True, True, 1, 1),
        (5, 144, 48, True, True, 1, 1),
        (5, 288, 96 // part, True, True, 2, rate),
        (5, 576 // part, 96 // part, True, True, 1, rate),
        (5, 576 // part, 96 // part, True, True, 1, rate),
    ]
    model = MobileNetV3(setting, 1024 // part, **kwargs)
    if weights is not None:
        model.load_state_dict(
            torch.hub.load_state_dict_from_url("https://download.pytorch.org/models/mobilenet_v3_small-047dcff4.pth")
        )
    return model
