"""Szegedy et al., 2014 (arXiv:1409.4842): blocks of four branches, and two heads in the middle."""

from collections import namedtuple

import torch
import torch.nn as nn
import torch.nn.functional as F

from torch2jax.libraries.torchvision_inception import BasicConv2d, normalized_by_half

OMITTED = {"GoogLeNet": "_forward _transform_input eager_outputs", "Inception": "_forward"}

GoogLeNetOutputs = namedtuple("GoogLeNetOutputs", ["logits", "aux_logits2", "aux_logits1"])


class Inception(nn.Module):
    def __init__(self, in_channels, ch1x1, ch3x3red, ch3x3, ch5x5red, ch5x5, pool_proj):
        super().__init__()
        self.branch1 = BasicConv2d(in_channels, ch1x1, 1)
        self.branch2 = nn.Sequential(BasicConv2d(in_channels, ch3x3red, 1), BasicConv2d(ch3x3red, ch3x3, 3, padding=1))
        self.branch3 = nn.Sequential(BasicConv2d(in_channels, ch5x5red, 1), BasicConv2d(ch5x5red, ch5x5, 3, padding=1))
        self.branch4 = nn.Sequential(
            nn.MaxPool2d(kernel_size=3, stride=1, padding=1, ceil_mode=True), BasicConv2d(in_channels, pool_proj, 1)
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.cat([self.branch1(x), self.branch2(x), self.branch3(x), self.branch4(x)], 1)


class GoogLeNetAux(nn.Module):
    """Logits in the middle of the network, for a further loss."""

    def __init__(self, in_channels, num_classes, dropout):
        super().__init__()
        self.conv = BasicConv2d(in_channels, 128, 1)
        self.fc1 = nn.Linear(2048, 1024)
        self.fc2 = nn.Linear(1024, num_classes)
        self.dropout = nn.Dropout(p=dropout)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = torch.flatten(self.conv(F.adaptive_avg_pool2d(x, (4, 4))), 1)
        return self.fc2(self.dropout(F.relu(self.fc1(x))))


class GoogLeNet(nn.Module):
    def __init__(
        self,
        num_classes=1000,
        aux_logits=True,
        transform_input=False,
        init_weights=True,
        *,
        dropout=0.2,
        dropout_aux=0.7,
    ):
        super().__init__()
        self.aux_logits = aux_logits
        self.transform_input = transform_input
        self.conv1 = BasicConv2d(3, 64, 7, stride=2, padding=3)
        self.maxpool1 = nn.MaxPool2d(3, stride=2, ceil_mode=True)
        self.conv2 = BasicConv2d(64, 64, 1)
        self.conv3 = BasicConv2d(64, 192, 3, padding=1)
        self.maxpool2 = nn.MaxPool2d(3, stride=2, ceil_mode=True)
        self.inception3a = Inception(192, 64, 96, 128, 16, 32, 32)
        self.inception3b = Inception(256, 128, 128, 192, 32, 96, 64)
        self.maxpool3 = nn.MaxPool2d(3, stride=2, ceil_mode=True)
        self.inception4a = Inception(480, 192, 96, 208, 16, 48, 64)
        self.inception4b = Inception(512, 160, 112, 224, 24, 64, 64)
        self.inception4c = Inception(512, 128, 128, 256, 24, 64, 64)
        self.inception4d = Inception(512, 112, 144, 288, 32, 64, 64)
        self.inception4e = Inception(528, 256, 160, 320, 32, 128, 128)
        self.maxpool4 = nn.MaxPool2d(2, stride=2, ceil_mode=True)
        self.inception5a = Inception(832, 256, 160, 320, 32, 128, 128)
        self.inception5b = Inception(832, 384, 192, 384, 48, 128, 128)
        self.aux1 = GoogLeNetAux(512, num_classes, dropout_aux) if aux_logits else None
        self.aux2 = GoogLeNetAux(528, num_classes, dropout_aux) if aux_logits else None
        self.avgpool = nn.AdaptiveAvgPool2d((1, 1))
        self.dropout = nn.Dropout(p=dropout)
        self.fc = nn.Linear(1024, num_classes)
        if init_weights:
            for module in self.modules():
                if isinstance(module, (nn.Conv2d, nn.Linear)):
                    nn.init.trunc_normal_(module.weight, std=0.01, a=-2, b=2)

    def forward(self, x: torch.Tensor):
        if self.transform_input:
            x = normalized_by_half(x)
        x = self.maxpool2(self.conv3(self.conv2(self.maxpool1(self.conv1(x)))))
        x = self.maxpool3(self.inception3b(self.inception3a(x)))
        first = self.inception4a(x)
        second = self.inception4d(self.inception4c(self.inception4b(first)))
        x = self.maxpool4(self.inception4e(second))
        x = self.avgpool(self.inception5b(self.inception5a(x)))
        x = self.fc(self.dropout(torch.flatten(x, 1)))
        if self.aux_logits and self.training:
            return GoogLeNetOutputs(x, self.aux2(second), self.aux1(first))
        return x


def googlenet(*, weights=None, aux_logits=None, transform_input=None, init_weights=True, **kwargs):
    model = GoogLeNet(
        aux_logits=weights is None if aux_logits is None else aux_logits,
        transform_input=weights is not None if transform_input is None else transform_input,
        init_weights=init_weights and weights is None,
        **kwargs,
    )
    if weights is not None:
        values = torch.hub.load_state_dict_from_url("https://download.pytorch.org/models/googlenet-1378be20.pth")
        if not aux_logits:
            values = {name: value for name, value in values.items() if not name.startswith("aux")}
        model.load_state_dict(values)
    return model
