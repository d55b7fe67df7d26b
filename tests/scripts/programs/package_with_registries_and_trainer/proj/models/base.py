from abc import ABC, abstractmethod
import torch
import torch.nn as nn


class Base(nn.Module, ABC):
    def __init__(self):
        super().__init__()
        self.register_buffer("calls", torch.zeros(1))

    @abstractmethod
    def features(self, x):
        ...

    def forward(self, x):
        if self.training:
            self.calls += 1
        return self.head(self.features(x))

    @property
    def num_parameters(self):
        return sum(p.numel() for p in self.parameters())
