import torch
import torch.nn.functional as F


def copies(x: torch.Tensor, index: torch.Tensor):
    x = x * 1
    x[index].add_(1)  # T2J302
    x[x > 0].zero_()  # T2J302
    x[[0, 1]].fill_(1)  # T2J302
    x[0][x[0] > 0] = 1  # T2J301
    x[:, 0][1] = 1  # T2J301
    return x


def views(x: torch.Tensor, y: torch.Tensor):
    c = torch.zeros(3, 4)
    d = c.view(12)
    torch.add(x, y, out=c)  # T2J301
    c[0].zero_()  # T2J301
    torch.relu_(c)  # T2J301
    return d


def expressions(x: torch.Tensor, y: torch.Tensor):
    x = x * 1
    z = F.relu(x, inplace=True)  # T2J302
    c = torch.empty(3)
    w = torch.add(x, y, out=c)  # T2J201
    v = torch.sigmoid_(x) + x  # T2J302
    return x + z + w + c + v
