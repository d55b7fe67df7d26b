import torch
from torch import Tensor, nn
from torch.autograd import Variable
from torch.utils.checkpoint import checkpoint, checkpoint_sequential


@torch.jit.script
def doubled(x: Tensor):
    return x * 2


def wrapped(x: Tensor):
    y = Variable(x)
    torch.autograd.set_detect_anomaly(True)
    return y


def recomputed(m: nn.Sequential, x: Tensor):
    x = checkpoint(m, x, use_reentrant=False)
    return checkpoint_sequential(m, 2, x, use_reentrant=False)
