# why: a chain of changes of a view read its base as it was before the first of them
# entry: f
# inputs:
#     torch.tensor([[-2.75, -1.375, 0.625], [-0.375, -1.75, -2.125]])
from torch import Tensor


def f(x: Tensor):
    x = x.clone()
    x.T[...].mul_(2).add_(x.sum())
    y = x[0]
    y.mul_(2).add_(x.mean())
    x[1].mul_(3).sub_(x[1].sum())
    z = x.view(-1).neg_().add_(x.sum())
    return x, y, z
