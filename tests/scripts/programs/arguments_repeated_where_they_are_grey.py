# also: nnx, linen
import torch


def color_normalize(x, mean, std):
    if x.size(0) == 1:
        x = x.repeat(3, 1, 1)
    for t, m, s in zip(x, mean, std):
        t.sub_(m).div_(s)
    return x


a = torch.ones(3, 2, 2)
b = color_normalize(a, [0.1, 0.2, 0.3], [1, 2, 1])
print(a.tolist(), b.tolist())
a = torch.ones(1, 2, 2)
b = color_normalize(a, [0.1, 0.2, 0.3], [1, 2, 1])
print(a.tolist(), b.tolist())
def kept(x):
    y = x
    if x.size(0) == 1:
        x = x.repeat(2, 1)
    x[0] += 1
    return x.sum() + y.sum()


b = torch.zeros(2, 2)
print(kept(b).item(), b.tolist())
b = torch.zeros(1, 2)
print(kept(b).item(), b.tolist())
