import torch
from torch.hub import get_dir


class A(torch.autograd.Function):  # T2J206
    pass


where = get_dir()  # T2J200
kind = torch.frobnicate  # T2J200
torch.frobnicate = 3  # T2J200
