"""The base of the networks."""

from abc import abstractmethod

from torch import nn

from .types_ import *


class BaseNet(nn.Module):
    def __init__(self) -> None:
        super(BaseNet, self).__init__()

    def encode(self, input: Tensor) -> List[Tensor]:
        raise NotImplementedError

    @abstractmethod
    def forward(self, *inputs: Tensor) -> Tensor:
        pass

    @abstractmethod
    def loss_function(self, *inputs: Any, **kwargs) -> Tensor:
        pass
