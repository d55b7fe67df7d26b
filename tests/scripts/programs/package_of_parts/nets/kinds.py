from typing import Any

from torch import Tensor
import torch.nn.functional as F
