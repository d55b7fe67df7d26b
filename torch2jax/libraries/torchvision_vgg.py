"""Simonyan and Zisserman, 2014 (arXiv:1409.1556): deep stacks of small convolutions."""

import torch
import torch.nn as nn

OMITTED = {"VGG": "_initialize_weights"}


class VGG(nn.Module):
    def __init__(self, features, num_classes=1000, init_weights=True, dropout=0.5):
        super().__init__()
        self.features = features
        self.avgpool = nn.AdaptiveAvgPool2d((7, 7))
        self.classifier = nn.Sequential(
            nn.Linear(512 * 7 * 7, 4096),
            nn.ReLU(inplace=True),
            nn.Dropout(p=dropout),
            nn.Linear(4096, 4096),
            nn.ReLU(inplace=True),
            nn.Dropout(p=dropout),
            nn.Linear(4096, num_classes),
        )
        if init_weights:
            for module in self.modules():
                if isinstance(module, nn.Conv2d):
                    nn.init.kaiming_normal_(module.weight, mode="fan_out", nonlinearity="relu")
                    nn.init.zeros_(module.bias)
                elif isinstance(module, nn.Linear):
                    nn.init.normal_(module.weight, 0, 0.01)
                    nn.init.zeros_(module.bias)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.avgpool(self.features(x))
        return self.classifier(torch.flatten(x, 1))


def make_layers(channels, *, batch_norm=False):
    """Convolutions with these numbers of channels, and a pooling for each "M"."""
    layers = []
    in_channels = 3
    for size in channels:
        if size == "M":
            layers.append(nn.MaxPool2d(kernel_size=2, stride=2))
        else:
            layers.append(nn.Conv2d(in_channels, size, kernel_size=3, padding=1))
            if batch_norm:
                layers.append(nn.BatchNorm2d(size))
            layers.append(nn.ReLU(inplace=True))
            in_channels = size
    return nn.Sequential(*layers)


def vgg11(*, weights=None, **kwargs):
    model = VGG(make_layers([64, "M", 128, "M", 256, 256, "M", 512, 512, "M", 512, 512, "M"]), **kwargs)
    if weights is not None:
        model.load_state_dict(
            torch.hub.load_state_dict_from_url("https://download.pytorch.org/models/vgg11-8a719046.pth")
        )
    return model


def vgg11_bn(*, weights=None, **kwargs):
    model = VGG(
        make_layers([64, "M", 128, "M", 256, 256, "M", 512, 512, "M", 512, 512, "M"], batch_norm=True), **kwargs
    )
    if weights is not None:
        model.load_state_dict(
            torch.hub.load_state_dict_from_url("https://download.pytorch.org/models/vgg11_bn-6002323d.pth")
        )
    return model


def vgg13(*, weights=None, **kwargs):
    model = VGG(make_layers([64, 64, "M", 128, 128, "M", 256, 256, "M", 512, 512, "M", 512, 512, "M"]), **kwargs)
    if weights is not None:
        model.load_state_dict(
            torch.hub.load_state_dict_from_url("https://download.pytorch.org/models/vgg13-19584684.pth")
        )
    return model


def vgg13_bn(*, weights=None, **kwargs):
    model = VGG(
        make_layers([64, 64, "M", 128, 128, "M", 256, 256, "M", 512, 512, "M", 512, 512, "M"], batch_norm=True),
        **kwargs,
    )
    if weights is not None:
        model.load_state_dict(
            torch.hub.load_state_dict_from_url("https://download.pytorch.org/models/vgg13_bn-abd245e5.pth")
        )
    return model


def vgg16(*, weights=None, **kwargs):
    model = VGG(
        make_layers([64, 64, "M", 128, 128, "M", 256, 256, 256, "M", 512, 512, 512, "M", 512, 512, 512, "M"]), **kwargs
    )
    if weights is not None:
        model.load_state_dict(
            torch.hub.load_state_dict_from_url("https://download.pytorch.org/models/vgg16-397923af.pth")
        )
    return model


def vgg16_bn(*, weights=None, **kwargs):
    model = VGG(
        make_layers(
            [64, 64, "M", 128, 128, "M", 256, 256, 256, "M", 512, 512, 512, "M", 512, 512, 512, "M"], batch_norm=True
        ),
        **kwargs,
    )
    if weights is not None:
        model.load_state_dict(
            torch.hub.load_state_dict_from_url("https://download.pytorch.org/models/vgg16_bn-6c64b313.pth")
        )
    return model


def vgg19(*, weights=None, **kwargs):
    model = VGG(
        make_layers(
            [64, 64, "M", 128, 128, "M", 256, 256, 256, 256, "M", 512, 512, 512, 512, "M", 512, 512, 512, 512, "M"]
        ),
        **kwargs,
    )
    if weights is not None:
        model.load_state_dict(
            torch.hub.load_state_dict_from_url("https://download.pytorch.org/models/vgg19-dcbb9e9d.pth")
        )
    return model


def vgg19_bn(*, weights=None, **kwargs):
    model = VGG(
        make_layers(
            [64, 64, "M", 128, 128, "M", 256, 256, 256, 256, "M", 512, 512, 512, 512, "M", 512, 512, 512, 512, "M"],
            batch_norm=True,
        ),
        **kwargs,
    )
    if weights is not None:
        model.load_state_dict(
            torch.hub.load_state_dict_from_url("https://download.pytorch.org/models/vgg19_bn-c79401a0.pth")
        )
    return model
