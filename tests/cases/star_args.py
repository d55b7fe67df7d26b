import torch


def f(*args, scale=1.0, **options):
    first, *rest = args
    return torch.stack(list(args)), [torch.neg(x) for x in rest], scale, options


def g(a, /, b, *, c):
    return f(*[a, b], **{"scale": c})


out = torch.cat([*[torch.ones(1), torch.ones(2)]])
