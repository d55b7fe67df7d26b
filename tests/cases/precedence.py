import torch


def mixed(x: torch.Tensor, y: torch.Tensor):
    a = x.add(y) * 2
    b = 3 - torch.sub(x, y)
    c = -torch.add(x, y)
    d = torch.neg(x) ** 2
    e = torch.add(x, y)[0]
    f = x.ne(y) == torch.eq(x, y)
    g = not torch.add(x, y)
    h = (torch.add(x, y)).sum()
    return a, b, c, d, e, f, g, h
