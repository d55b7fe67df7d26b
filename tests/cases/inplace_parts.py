import torch
import torch.nn as nn
import torch.nn.functional as F


class Table(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(4, 3)
        self.emb.weight.data[0].fill_(0)
        nn.init.ones_(self.emb.weight[1])


def parts(x: torch.Tensor, y: torch.Tensor):
    x = x * 1
    x[:, 0].copy_(y)  # a column
    x[0].add_(1)
    x[..., 1:].mul_(2)
    for i in range(2):
        x[i].zero_()
        x[i][2] = y[i]
    x[1:].clamp_(min=0).sub_(1)
    x[0].add_(y[0], alpha=2)
    return x


def whole_numbers(y: torch.Tensor):
    z = torch.zeros(3, 4, dtype=torch.long)
    z[0].copy_(y)
    return z


def functions(x: torch.Tensor):
    x = x * 1
    torch.relu_(x)
    F.elu_(x)
    F.relu(x, inplace=True)
    torch.exp_(x[0])
    return torch.sqrt_(x * x)


def outputs(x: torch.Tensor, y: torch.Tensor):
    c = torch.empty(3, 4)
    torch.add(x, y, out=c)
    v, i = torch.empty(3), torch.empty(3, dtype=torch.long)
    torch.max(x, 1, out=(v, i))
    d = torch.zeros(2, 3)
    torch.matmul(x, y[0], out=d[1])
    return c, v, i, d
