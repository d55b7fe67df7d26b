import torch.nn as nn
from ..registry import MODELS
from .base import Base


@MODELS.register("mlp")
class MLP(Base):
    def __init__(self, width, depth=2, classes=3):
        super().__init__()
        layers = []
        for i in range(depth):
            layers += [nn.Linear(16 if i == 0 else width, width), nn.ReLU(inplace=True)]
        self.layers = nn.Sequential(*layers)
        self.head = nn.Linear(width, classes)

    def features(self, x):
        return self.layers(x.flatten(1))
