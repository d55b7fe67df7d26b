import torch
import torch.nn.functional as F


def copies(x: torch.Tensor, index: torch.Tensor):
    x = x * 1
    x[index].add_(1)  # T2J301
    x[x > 0].zero_()
    x[[0, 1]].fill_(1)
    x[0][x[0] > 0] = 1
    x[:, 0][1] = 1
    return x


def views(x: torch.Tensor, y: torch.Tensor):
    c = torch.zeros(3, 4)
    d = c.view(12)
    torch.add(x, y, out=c)
    c[0].zero_()
    torch.relu_(c)
    return d


def expressions(x: torch.Tensor, y: torch.Tensor):
    x = x * 1
    z = F.relu(x, inplace=True)
    c = torch.empty(3)
    w = torch.add(x, y, out=c)  # T2J201
    v = torch.sigmoid_(x) + x
    return x + z + w + c + v
