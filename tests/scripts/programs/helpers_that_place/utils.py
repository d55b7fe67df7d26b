import torch
from torch.autograd import Variable


def cuda(tensor, uses_cuda):
    return tensor.cuda() if uses_cuda else tensor


def to_var(x, volatile=False):
    if torch.cuda.is_available():
        x = x.cuda()
    return Variable(x)


def gpu(x):
    """Nothing where there is none."""
    if torch.cuda.is_available():
        return x.cuda()
    else:
        return x
