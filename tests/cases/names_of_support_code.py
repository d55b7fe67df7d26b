from functools import partial

import torch.nn.functional as F


def mse_loss(a, b):
    return 0


loss = partial(F.mse_loss, reduction="none")
