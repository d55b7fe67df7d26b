"""Ma et al., 2018 (arXiv:1807.11164): half the channels pass by, and channels change places between blocks."""

import torch
import torch.nn as nn

OMITTED = {"ShuffleNetV2": "_forward_impl _stage_out_channels"}


def channel_shuffle(x: torch.Tensor, groups: int) -> torch.Tensor:
    """Channels of groups in turn."""
    count, channels, height, width = x.shape
    x = x.reshape(count, groups, channels // groups, height, width).transpose(1, 2)
    return x.reshape(count, channels, height, width)


def pointwise(inp, out):
    """A convolution of each place alone."""
    return nn.Conv2d(inp, out, kernel_size=1, bias=False)


def depthwise(channels, stride):
    """A convolution of each channel alone."""
    return nn.Conv2d(channels, channels, kernel_size=3, stride=stride, padding=1, groups=channels, bias=False)


class ShuffleBlock(nn.Module):
    def __init__(self, inp, oup, stride):
        super().__init__()
        self.stride = stride
        half = oup // 2
        if stride > 1:
            self.branch1 = nn.Sequential(
                depthwise(inp, stride),
                nn.BatchNorm2d(inp),
                pointwise(inp, half),
                nn.BatchNorm2d(half),
                nn.ReLU(inplace=True),
            )
        else:
            self.branch1 = nn.Sequential()
        self.branch2 = nn.Sequential(
            pointwise(inp if stride > 1 else half, half),
            nn.BatchNorm2d(half),
            nn.ReLU(inplace=True),
            depthwise(half, stride),
            nn.BatchNorm2d(half),
            pointwise(half, half),
            nn.BatchNorm2d(half),
            nn.ReLU(inplace=True),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.stride == 1:
            kept, changed = x.chunk(2, dim=1)
            return channel_shuffle(torch.cat((kept, self.branch2(changed)), dim=1), 2)
        return channel_shuffle(torch.cat((self.branch1(x), self.branch2(x)), dim=1), 2)


def shuffle_stage(inp, out, repeats):
    """Blocks one after another, the first of which halves the size."""
    blocks = [ShuffleBlock(inp, out, 2)]
    for _ in range(repeats - 1):
        blocks.append(ShuffleBlock(out, out, 1))
    return nn.Sequential(*blocks)


class ShuffleNetV2(nn.Module):
    def __init__(self, stages_repeats, stages_out_channels, num_classes=1000):
        super().__init__()
        first, second, third, fourth, last = stages_out_channels
        self.conv1 = nn.Sequential(
            nn.Conv2d(3, first, 3, 2, 1, bias=False), nn.BatchNorm2d(first), nn.ReLU(inplace=True)
        )
        self.maxpool = nn.MaxPool2d(kernel_size=3, stride=2, padding=1)
        self.stage2 = shuffle_stage(first, second, stages_repeats[0])
        self.stage3 = shuffle_stage(second, third, stages_repeats[1])
        self.stage4 = shuffle_stage(third, fourth, stages_repeats[2])
        self.conv5 = nn.Sequential(pointwise(fourth, last), nn.BatchNorm2d(last), nn.ReLU(inplace=True))
        self.fc = nn.Linear(last, num_classes)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.stage4(self.stage3(self.stage2(self.maxpool(self.conv1(x)))))
        return self.fc(self.conv5(x).mean([2, 3]))


def shufflenet_v2_x0_5(*, weights=None, **kwargs):
    model = ShuffleNetV2([4, 8, 4], [24, 48, 96, 192, 1024], **kwargs)
    if weights is not None:
        model.load_state_dict(
            torch.hub.load_state_dict_from_url("https://download.pytorch.org/models/shufflenetv2_x0.5-f707e7126e.pth")
        )
    return model


def shufflenet_v2_x1_0(*, weights=None, **kwargs):
    model = ShuffleNetV2([4, 8, 4], [24, 116, 232, 464, 1024], **kwargs)
    if weights is not None:
        model.load_state_dict(
            torch.hub.load_state_dict_from_url("https://download.pytorch.org/models/shufflenetv2_x1-5666bf0f80.pth")
        )
    return model


def shufflenet_v2_x1_5(*, weights=None, **kwargs):
    model = ShuffleNetV2([4, 8, 4], [24, 176, 352, 704, 1024], **kwargs)
    if weights is not None:
        model.load_state_dict(
            torch.hub.load_state_dict_from_url("https://download.pytorch.org/models/shufflenetv2_x1_5-3c479a10.pth")
        )
    return model


def shufflenet_v2_x2_0(*, weights=None, **kwargs):
    model = ShuffleNetV2([4, 8, 4], [24, 244, 488, 976, 2048], **kwargs)
    if weights is not None:
        model.load_state_dict(
            torch.hub.load_state_dict_from_url("https://download.pytorch.org/models/shufflenetv2_x2_0-8be3c8ee.pth")
        )
    return model
