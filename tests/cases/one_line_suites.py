import torch


def f(x: torch.Tensor, c: int):
    y = torch.zeros(3)
    if c: y = torch.add(x, 1)  # why
    elif x is None: return y
    else: y[0] = 1
    while c: c -= 1
    for i in range(3): y += torch.sin(x)
    try: y = torch.exp(y)
    except ValueError: raise RuntimeError("bad")
    finally: c = 0
    return y
