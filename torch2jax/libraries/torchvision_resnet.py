"""Residual networks: He et al., 2015 (arXiv:1512.03385); Xie et al., 2016 (ResNeXt); Zagoruyko and Komodakis, 2016 (wide ones)."""

import torch
import torch.nn as nn

OMITTED = {
    "ResNet": "_forward_impl _make_layer _norm_layer base_width dilation groups inplanes",
}


def conv3x3(in_planes, out_planes, stride=1, groups=1, dilation=1):
    return nn.Conv2d(in_planes, out_planes, 3, stride, dilation, dilation, groups, bias=False)


def conv1x1(in_planes, out_planes, stride=1):
    return nn.Conv2d(in_planes, out_planes, 1, stride, bias=False)


class BasicBlock(nn.Module):
    """Two convolutions beside a shortcut."""

    expansion = 1

    def __init__(
        self, inplanes, planes, stride=1, downsample=None, *, groups=1, base_width=64, dilation=1, norm_layer=None
    ):
        super().__init__()
        if groups != 1 or base_width != 64:
            raise ValueError("BasicBlock only supports groups=1 and base_width=64")
        if dilation != 1:
            raise NotImplementedError("Dilation > 1 not supported in BasicBlock")
        norm = norm_layer or nn.BatchNorm2d
        self.conv1 = nn.Conv2d(inplanes, planes, kernel_size=3, stride=stride, padding=1, bias=False)
        self.bn1 = norm(planes)
        self.relu = nn.ReLU(inplace=True)
        self.conv2 = nn.Conv2d(planes, planes, kernel_size=3, padding=1, bias=False)
        self.bn2 = norm(planes)
        self.downsample = downsample
        self.stride = stride

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        shortcut = x if self.downsample is None else self.downsample(x)
        x = self.relu(self.bn1(self.conv1(x)))
        x = self.bn2(self.conv2(x))
        return self.relu(x + shortcut)


class Bottleneck(nn.Module):
    """A convolution of 3 by 3 between two that lead to fewer channels and back, beside a shortcut."""

    expansion = 4

    def __init__(
        self, inplanes, planes, stride=1, downsample=None, *, groups=1, base_width=64, dilation=1, norm_layer=None
    ):
        super().__init__()
        norm = norm_layer or nn.BatchNorm2d
        width = planes if groups == 1 and base_width == 64 else int(planes * (base_width / 64.0)) * groups
        self.conv1 = nn.Conv2d(inplanes, width, kernel_size=1, bias=False)
        self.bn1 = norm(width)
        self.conv2 = nn.Conv2d(
            width,
            width,
            kernel_size=3,
            stride=stride,
            padding=dilation,
            dilation=dilation,
            groups=groups,
            bias=False,
        )
        self.bn2 = norm(width)
        self.conv3 = nn.Conv2d(width, planes * self.expansion, kernel_size=1, bias=False)
        self.bn3 = norm(planes * self.expansion)
        self.relu = nn.ReLU(inplace=True)
        self.downsample = downsample
        self.stride = stride

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        shortcut = x if self.downsample is None else self.downsample(x)
        x = self.relu(self.bn1(self.conv1(x)))
        x = self.relu(self.bn2(self.conv2(x)))
        x = self.bn3(self.conv3(x))
        return self.relu(x + shortcut)


def residual_layer(
    block, inplanes, planes, blocks, stride=1, *, first_dilation=1, dilation=1, groups=1, base_width=64, norm_layer=None
):
    """Blocks one after another, the first of which changes the size and the number of channels."""
    norm = norm_layer or nn.BatchNorm2d
    downsample = None
    if stride != 1 or inplanes != planes * block.expansion:
        downsample = nn.Sequential(
            nn.Conv2d(inplanes, planes * block.expansion, kernel_size=1, stride=stride, bias=False),
            norm(planes * block.expansion),
        )
    layers = [
        block(
            inplanes,
            planes,
            stride,
            downsample,
            groups=groups,
            base_width=base_width,
            dilation=first_dilation,
            norm_layer=norm_layer,
        )
    ]
    for _ in range(1, blocks):
        layers.append(
            block(
                planes * block.expansion,
                planes,
                groups=groups,
                base_width=base_width,
                dilation=dilation,
                norm_layer=norm_layer,
            )
        )
    return nn.Sequential(*layers)


class ResNet(nn.Module):
    def __init__(
        self,
        block,
        layers,
        num_classes=1000,
        *,
        zero_init_residual=False,
        groups=1,
        width_per_group=64,
        replace_stride_with_dilation=None,
        norm_layer=None,
    ):
        super().__init__()
        norm = norm_layer or nn.BatchNorm2d
        self.conv1 = nn.Conv2d(3, 64, kernel_size=7, stride=2, padding=3, bias=False)
        self.bn1 = norm(64)
        self.relu = nn.ReLU(inplace=True)
        self.maxpool = nn.MaxPool2d(kernel_size=3, stride=2, padding=1)
        self.layer1 = residual_layer(
            block, 64, 64, layers[0], groups=groups, base_width=width_per_group, norm_layer=norm_layer
        )
        if replace_stride_with_dilation is None:
            self.layer2 = residual_layer(
                block,
                64 * block.expansion,
                128,
                layers[1],
                stride=2,
                groups=groups,
                base_width=width_per_group,
                norm_layer=norm_layer,
            )
            self.layer3 = residual_layer(
                block,
                128 * block.expansion,
                256,
                layers[2],
                stride=2,
                groups=groups,
                base_width=width_per_group,
                norm_layer=norm_layer,
            )
            self.layer4 = residual_layer(
                block,
                256 * block.expansion,
                512,
                layers[3],
                stride=2,
                groups=groups,
                base_width=width_per_group,
                norm_layer=norm_layer,
            )
        else:
            if len(replace_stride_with_dilation) != 3:
                raise ValueError("replace_stride_with_dilation should be None or a 3-element tuple")
            strides = [1 if dilate else 2 for dilate in replace_stride_with_dilation]
            dilation2 = 2 // strides[0]
            dilation3 = dilation2 * 2 // strides[1]
            dilation4 = dilation3 * 2 // strides[2]
            self.layer2 = residual_layer(
                block,
                64 * block.expansion,
                128,
                layers[1],
                stride=strides[0],
                dilation=dilation2,
                groups=groups,
                base_width=width_per_group,
                norm_layer=norm_layer,
            )
            self.layer3 = residual_layer(
                block,
                128 * block.expansion,
                256,
                layers[2],
                stride=strides[1],
                first_dilation=dilation2,
                dilation=dilation3,
                groups=groups,
                base_width=width_per_group,
                norm_layer=norm_layer,
            )
            self.layer4 = residual_layer(
                block,
                256 * block.expansion,
                512,
                layers[3],
                stride=strides[2],
                first_dilation=dilation3,
                dilation=dilation4,
                groups=groups,
                base_width=width_per_group,
                norm_layer=norm_layer,
            )
        self.avgpool = nn.AdaptiveAvgPool2d((1, 1))
        self.fc = nn.Linear(512 * block.expansion, num_classes)
        for module in self.modules():
            if isinstance(module, nn.Conv2d):
                nn.init.kaiming_normal_(module.weight, mode="fan_out", nonlinearity="relu")
        if norm_layer is not None:
            for module in self.modules():
                if isinstance(module, (nn.BatchNorm2d, nn.GroupNorm)):
                    nn.init.constant_(module.weight, 1)
                    nn.init.constant_(module.bias, 0)
        if zero_init_residual:
            for module in self.modules():
                if isinstance(module, Bottleneck):
                    nn.init.constant_(module.bn3.weight, 0)
                elif isinstance(module, BasicBlock):
                    nn.init.constant_(module.bn2.weight, 0)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.maxpool(self.relu(self.bn1(self.conv1(x))))
        x = self.layer4(self.layer3(self.layer2(self.layer1(x))))
        x = torch.flatten(self.avgpool(x), 1)
        return self.fc(x)


def resnet18(*, weights=None, **kwargs):
    model = ResNet(BasicBlock, [2, 2, 2, 2], **kwargs)
    if weights is not None:
        model.load_state_dict(
            torch.hub.load_state_dict_from_url("https://download.pytorch.org/models/resnet18-f37072fd.pth")
        )
    return model


def resnet34(*, weights=None, **kwargs):
    model = ResNet(BasicBlock, [3, 4, 6, 3], **kwargs)
    if weights is not None:
        model.load_state_dict(
            torch.hub.load_state_dict_from_url("https://download.pytorch.org/models/resnet34-b627a593.pth")
        )
    return model


def resnet50(*, weights=None, **kwargs):
    model = ResNet(Bottleneck, [3, 4, 6, 3], **kwargs)
    if weights == "IMAGENET1K_V1":
        model.load_state_dict(
            torch.hub.load_state_dict_from_url("https://download.pytorch.org/models/resnet50-0676ba61.pth")
        )
    elif weights is not None:
        model.load_state_dict(
            torch.hub.load_state_dict_from_url("https://download.pytorch.org/models/resnet50-11ad3fa6.pth")
        )
    return model


def resnet101(*, weights=None, **kwargs):
    model = ResNet(Bottleneck, [3, 4, 23, 3], **kwargs)
    if weights == "IMAGENET1K_V1":
        model.load_state_dict(
            torch.hub.load_state_dict_from_url("https://download.pytorch.org/models/resnet101-63fe2227.pth")
        )
    elif weights is not None:
        model.load_state_dict(
            torch.hub.load_state_dict_from_url("https://download.pytorch.org/models/resnet101-cd907fc2.pth")
        )
    return model


def resnet152(*, weights=None, **kwargs):
    model = ResNet(Bottleneck, [3, 8, 36, 3], **kwargs)
    if weights == "IMAGENET1K_V1":
        model.load_state_dict(
            torch.hub.load_state_dict_from_url("https://download.pytorch.org/models/resnet152-394f9c45.pth")
        )
    elif weights is not None:
        model.load_state_dict(
            torch.hub.load_state_dict_from_url("https://download.pytorch.org/models/resnet152-f82ba261.pth")
        )
    return model


def resnext50_32x4d(*, weights=None, **kwargs):
    model = ResNet(Bottleneck, [3, 4, 6, 3], groups=32, width_per_group=4, **kwargs)
    if weights == "IMAGENET1K_V1":
        model.load_state_dict(
            torch.hub.load_state_dict_from_url("https://download.pytorch.org/models/resnext50_32x4d-7cdf4587.pth")
        )
    elif weights is not None:
        model.load_state_dict(
            torch.hub.load_state_dict_from_url("https://download.pytorch.org/models/resnext50_32x4d-1a0047aa.pth")
        )
    return model


def resnext101_32x8d(*, weights=None, **kwargs):
    model = ResNet(Bottleneck, [3, 4, 23, 3], groups=32, width_per_group=8, **kwargs)
    if weights == "IMAGENET1K_V1":
        model.load_state_dict(
            torch.hub.load_state_dict_from_url("https://download.pytorch.org/models/resnext101_32x8d-8ba56ff5.pth")
        )
    elif weights is not None:
        model.load_state_dict(
            torch.hub.load_state_dict_from_url("https://download.pytorch.org/models/resnext101_32x8d-110c445d.pth")
        )
    return model


def resnext101_64x4d(*, weights=None, **kwargs):
    model = ResNet(Bottleneck, [3, 4, 23, 3], groups=64, width_per_group=4, **kwargs)
    if weights is not None:
        model.load_state_dict(
            torch.hub.load_state_dict_from_url("https://download.pytorch.org/models/resnext101_64x4d-173b62eb.pth")
        )
    return model


def wide_resnet50_2(*, weights=None, **kwargs):
    model = ResNet(Bottleneck, [3, 4, 6, 3], width_per_group=128, **kwargs)
    if weights == "IMAGENET1K_V1":
        model.load_state_dict(
            torch.hub.load_state_dict_from_url("https://download.pytorch.org/models/wide_resnet50_2-95faca4d.pth")
        )
    elif weights is not None:
        model.load_state_dict(
            torch.hub.load_state_dict_from_url("https://download.pytorch.org/models/wide_resnet50_2-9ba9bcbe.pth")
        )
    return model


def wide_resnet101_2(*, weights=None, **kwargs):
    model = ResNet(Bottleneck, [3, 4, 23, 3], width_per_group=128, **kwargs)
    if weights == "IMAGENET1K_V1":
        model.load_state_dict(
            torch.hub.load_state_dict_from_url("https://download.pytorch.org/models/wide_resnet101_2-32ee1156.pth")
        )
    elif weights is not None:
        model.load_state_dict(
            torch.hub.load_state_dict_from_url("https://download.pytorch.org/models/wide_resnet101_2-d733dc28.pth")
        )
    return model
