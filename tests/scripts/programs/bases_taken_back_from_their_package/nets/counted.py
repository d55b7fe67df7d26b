from nets import BaseNet
from torch import nn

from .types_ import *


class CountedNet(BaseNet):
    num_iter = 0  # how often the loss has been asked for

    def __init__(self, width: int) -> None:
        super(CountedNet, self).__init__()
        self.body = nn.Sequential(nn.Linear(width, 2), nn.BatchNorm1d(2))

    def forward(self, input: Tensor, **kwargs) -> List[Tensor]:
        return [self.body(input), input]

    def loss_function(self, *args, **kwargs) -> dict:
        self.num_iter += 1
        return {"loss": scaled(args[0], 0.5).mean() * self.num_iter * kwargs["weight"]}


def scaled(values: Array, by: float) -> Array:
    return values.square() * by
