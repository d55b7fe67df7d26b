"""Sandler et al., 2018 (arXiv:1801.04381): residual blocks that are narrow at their ends, with convolutions of each channel alone."""

import torch
import torch.nn as nn


def make_divisible(v, divisor, min_value=None):
    """The nearest multiple of a number that is not much smaller."""
    nearest = max(min_value or divisor, int(v + divisor / 2) // divisor * divisor)
    return nearest + divisor if nearest < 0.9 * v else nearest


def conv_norm_relu6(in_planes, out_planes, kernel_size=3, stride=1, groups=1, *, norm_layer=None):
    norm = norm_layer or nn.BatchNorm2d
    return nn.Sequential(
        nn.Conv2d(in_planes, out_planes, kernel_size, stride, (kernel_size - 1) // 2, groups=groups, bias=False),
        norm(out_planes),
        nn.ReLU6(inplace=True),
    )


class InvertedResidual(nn.Module):
    """More channels, a convolution of each alone, and fewer channels again, with a shortcut where the size stays."""

    def __init__(self, inp, oup, stride, expand_ratio, *, norm_layer=None):
        super().__init__()
        norm = norm_layer or nn.BatchNorm2d
        self.stride = stride
        self.use_res_connect = stride == 1 and inp == oup
        hidden = round(inp * expand_ratio)
        layers = []
        if expand_ratio != 1:
            layers.append(conv_norm_relu6(inp, hidden, kernel_size=1, norm_layer=norm_layer))
        layers.append(conv_norm_relu6(hidden, hidden, stride=stride, groups=hidden, norm_layer=norm_layer))
        layers.append(nn.Conv2d(hidden, oup, kernel_size=1, bias=False))
        layers.append(norm(oup))
        self.conv = nn.Sequential(*layers)
        self.out_channels = oup

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.conv(x) if self.use_res_connect else self.conv(x)


class MobileNetV2(nn.Module):
    def __init__(
        self,
        num_classes=1000,
        width_mult=1.0,
        *,
        inverted_residual_setting=None,
        round_nearest=8,
        norm_layer=None,
        dropout=0.2,
    ):
        super().__init__()
        setting = inverted_residual_setting or [
            [1, 16, 1, 1],
            [6, 24, 2, 2],
            [6, 32, 3, 2],
            [6, 64, 4, 2],
            [6, 96, 3, 1],
            [6, 160, 3, 2],
            [6, 320, 1, 1],
        ]
        channels = make_divisible(32 * width_mult, round_nearest)
        last_channel = make_divisible(1280 * max(1.0, width_mult), round_nearest)
        features = [conv_norm_relu6(3, channels, stride=2, norm_layer=norm_layer)]
        for expand_ratio, out, blocks, stride in setting:
            out_channels = make_divisible(out * width_mult, round_nearest)
            for i in range(blocks):
                features.append(
                    InvertedResidual(
                        channels, out_channels, stride if i == 0 else 1, expand_ratio, norm_layer=norm_layer
                    )
                )
                channels = out_channels
        features.append(conv_norm_relu6(channels, last_channel, kernel_size=1, norm_layer=norm_layer))
        self.last_channel = last_channel
        self.features = nn.Sequential(*features)
        self.classifier = nn.Sequential(nn.Dropout(p=dropout), nn.Linear(last_channel, num_classes))
        for module in self.modules():
            if isinstance(module, nn.Conv2d):
                nn.init.kaiming_normal_(module.weight, mode="fan_out")
            elif isinstance(module, nn.Linear):
                nn.init.normal_(module.weight, 0, 0.01)
                nn.init.zeros_(module.bias)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = nn.functional.adaptive_avg_pool2d(self.features(x), (1, 1))
        return self.classifier(torch.flatten(x, 1))


def mobilenet_v2(*, weights=None, **kwargs):
    model = MobileNetV2(**kwargs)
    if weights == "IMAGENET1K_V1":
        model.load_state_dict(
            torch.hub.load_state_dict_from_url("https://download.pytorch.org/models/mobilenet_v2-b0353104.pth")
        )
    elif weights is not None:
        model.load_state_dict(
            torch.hub.load_state_dict_from_url("https://download.pytorch.org/models/mobilenet_v2-7ebf99e0.pth")
        )
    return model
