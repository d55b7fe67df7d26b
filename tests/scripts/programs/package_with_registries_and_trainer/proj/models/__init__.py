from .mlp import MLP
from .conv import SmallConv
