import functools
import os
import sys

import torch

from first.utils.helper import change
from second.utils.helper import change as change_too
from second.utils import settings

sys.path.append(os.path.join(os.path.dirname(__file__), "second"))
from lonely import double

z = torch.zeros(2, 2)
print((change(z) != 0).all().item(), change_too(z).tolist())
loud = functools.partial(change, scale=100.0)
print((loud(z).abs() > 1e-3).all().item(), double(torch.ones(2)).tolist(), settings.rate)
