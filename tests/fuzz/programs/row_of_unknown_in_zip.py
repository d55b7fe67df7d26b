# why: a row of an argument of unknown type, taken by `zip`, was changed in place without a remark
# entry: f
# inputs:
#     torch.tensor([[1.875, 1.875, -0.75], [-0.125, 2.25, -0.25]]), 3, False
import torch


def f(x, n, flag):
    y = torch.stack((x, x), dim=0)
    u = torch.zeros(3)
    for a, c in zip(x, y):
        a += -1.5
    return {"u": u, "y": y}
