import torch.nn as nn
from ..registry import MODELS
from .base import Base


@MODELS.register("conv")
class SmallConv(Base):
    def __init__(self, channels, classes=3):
        super().__init__()
        self.conv = nn.Conv2d(1, channels, 3, padding=1)
        self.bn = nn.BatchNorm2d(channels)
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.head = nn.Linear(channels, classes)

    def features(self, x):
        return self.pool(self.bn(self.conv(x)).relu()).flatten(1)
