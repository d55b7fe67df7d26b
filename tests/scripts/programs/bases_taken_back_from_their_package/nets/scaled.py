from nets import BaseNet
from torch import nn

from .types_ import *


class ScaledNet(BaseNet):
    num_iter = 1

    def __init__(self, width: int) -> None:
        super(ScaledNet, self).__init__()
        self.fc = nn.Linear(width, 2)

    def forward(self, input: Tensor, **kwargs) -> List[Tensor]:
        return [self.fc(input).tanh(), input]

    def loss_function(self, *args, **kwargs) -> dict:
        self.num_iter = self.num_iter + 1
        return {"loss": args[0].abs().mean() / self.num_iter * kwargs["weight"]}
