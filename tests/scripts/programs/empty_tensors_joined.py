# also: nnx, linen
import torch


def joined(x):
    out = torch.tensor([])
    for i in range(3):
        out = torch.cat((out, x * i), dim=1)
    return out


def grown(xs):
    out = torch.Tensor()
    for x in xs:
        out = torch.cat([out, x], 0)
    return out


def kept(xs):
    out = torch.empty(0)
    if len(xs) > 1:
        out = torch.cat([out] + [x for x in xs], -1)
    return torch.cat([out, torch.zeros(0), out], 0)


x = torch.arange(6.0).reshape(2, 3)
print(joined(x).shape, joined(x).sum().item())
print(grown([x, x + 1]).shape, grown([x[0], x[1]]).shape)
print(kept([x, x]).shape, kept([x]).shape)
feats = torch.tensor([])
for i in range(2):
    feats = torch.cat((feats, x[i : i + 1]), 0)
print(feats.tolist())
print(torch.cat([torch.randn(0), x]).shape, torch.hstack([torch.tensor([]), x[0]]).shape)
