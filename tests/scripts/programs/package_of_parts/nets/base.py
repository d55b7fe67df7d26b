from abc import abstractmethod

from torch import nn

from .kinds import *

WIDTH = 3


class Base(nn.Module):
    @abstractmethod
    def forward(self, *inputs: Tensor) -> Tensor:
        pass
