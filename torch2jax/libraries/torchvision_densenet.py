"""Networks each of whose layers sees all before it: Huang et al., 2016 (arXiv:1608.06993)."""

from collections import OrderedDict

import torch
import torch.nn as nn
import torch.nn.functional as F


class DenseLayer(nn.Module):
    """A few more channels, made of all that there are."""

    def __init__(self, channels, growth_rate, bn_size, drop_rate):
        super().__init__()
        self.norm1 = nn.BatchNorm2d(channels)
        self.relu1 = nn.ReLU(inplace=True)
        self.conv1 = nn.Conv2d(channels, bn_size * growth_rate, kernel_size=1, bias=False)
        self.norm2 = nn.BatchNorm2d(bn_size * growth_rate)
        self.relu2 = nn.ReLU(inplace=True)
        self.conv2 = nn.Conv2d(bn_size * growth_rate, growth_rate, kernel_size=3, padding=1, bias=False)
        self.drop_rate = float(drop_rate)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.conv1(self.relu1(self.norm1(x)))
        x = self.conv2(self.relu2(self.norm2(x)))
        return F.dropout(x, p=self.drop_rate, training=self.training)


class DenseBlock(nn.Sequential):
    def __init__(self, blocks, channels, bn_size, growth_rate, drop_rate):
        layers = OrderedDict()
        for i in range(blocks):
            layers[f"denselayer{i + 1}"] = DenseLayer(channels + i * growth_rate, growth_rate, bn_size, drop_rate)
        super().__init__(layers)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for layer in self:
            x = torch.cat([x, layer(x)], 1)
        return x


def transition(channels):
    """Half the channels, at half the size."""
    layers = OrderedDict()
    layers["norm"] = nn.BatchNorm2d(channels)
    layers["relu"] = nn.ReLU(inplace=True)
    layers["conv"] = nn.Conv2d(channels, channels // 2, kernel_size=1, bias=False)
    layers["pool"] = nn.AvgPool2d(kernel_size=2, stride=2)
    return nn.Sequential(layers)


class DenseNet(nn.Module):
    def __init__(
        self,
        growth_rate=32,
        block_config=(6, 12, 24, 16),
        num_init_features=64,
        bn_size=4,
        drop_rate=0,
        num_classes=1000,
    ):
        super().__init__()
        channels = num_init_features
        layers = OrderedDict()
        layers["conv0"] = nn.Conv2d(3, channels, kernel_size=7, stride=2, padding=3, bias=False)
        layers["norm0"] = nn.BatchNorm2d(channels)
        layers["relu0"] = nn.ReLU(inplace=True)
        layers["pool0"] = nn.MaxPool2d(kernel_size=3, stride=2, padding=1)
        for i, blocks in enumerate(block_config):
            layers[f"denseblock{i + 1}"] = DenseBlock(blocks, channels, bn_size, growth_rate, drop_rate)
            channels = channels + blocks * growth_rate
            if i < len(block_config) - 1:
                layers[f"transition{i + 1}"] = transition(channels)
                channels = channels // 2
        layers["norm5"] = nn.BatchNorm2d(channels)
        self.features = nn.Sequential(layers)
        self.classifier = nn.Linear(channels, num_classes)
        for module in self.modules():
            if isinstance(module, nn.Conv2d):
                nn.init.kaiming_normal_(module.weight)
            elif isinstance(module, nn.Linear):
                nn.init.zeros_(module.bias)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = F.relu(self.features(x))
        x = F.adaptive_avg_pool2d(x, (1, 1))
        return self.classifier(torch.flatten(x, 1))


def downloaded_densenet(url):
    """Weights of former versions, whose layers had a dot in their names."""
    weights = torch.hub.load_state_dict_from_url(url)
    for part in ("norm.1", "conv.1", "norm.2", "conv.2"):
        weights = {name.replace(part, part.replace(".", "")): value for name, value in weights.items()}
    return weights


def densenet121(*, weights=None, **kwargs):
    model = DenseNet(32, (6, 12, 24, 16), 64, **kwargs)
    if weights is not None:
        model.load_state_dict(downloaded_densenet("https://download.pytorch.org/models/densenet121-a639ec97.pth"))
    return model


def densenet161(*, weights=None, **kwargs):
    model = DenseNet(48, (6, 12, 36, 24), 96, **kwargs)
    if weights is not None:
        model.load_state_dict(downloaded_densenet("https://download.pytorch.org/models/densenet161-8d451a50.pth"))
    return model


def densenet169(*, weights=None, **kwargs):
    model = DenseNet(32, (6, 12, 32, 32), 64, **kwargs)
    if weights is not None:
        model.load_state_dict(downloaded_densenet("https://download.pytorch.org/models/densenet169-b2777c0a.pth"))
    return model


def densenet201(*, weights=None, **kwargs):
    model = DenseNet(32, (6, 12, 48, 32), 64, **kwargs)
    if weights is not None:
        model.load_state_dict(downloaded_densenet("https://download.pytorch.org/models/densenet201-c1103571.pth"))
    return model
