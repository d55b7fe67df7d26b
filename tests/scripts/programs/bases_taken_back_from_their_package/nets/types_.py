"""Names for annotations."""

from typing import Any, List, TypeVar, Union

import numpy as np
import torch

Tensor = TypeVar("torch.tensor")
Array = Union[torch.Tensor, np.ndarray]
