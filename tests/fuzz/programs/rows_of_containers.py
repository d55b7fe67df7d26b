# why: containers that a function is given, `zip` of two, and keys that are bound again: what changed was lost
# entry: f
# inputs:
#     torch.tensor([[0.5, -1.0, 2.0], [1.5, 0.25, -0.75]])
from torch import Tensor


def f(x: Tensor):
    x = x.clone()
    h = {"a": x, "b": x + 1}
    y = x.sum()
    for (k, v), u in zip(h.items(), x):

        def inner(t):
            return t.add_(1)

        w = inner(v)
        y = y + u.sum()
    return h, x, w, y
