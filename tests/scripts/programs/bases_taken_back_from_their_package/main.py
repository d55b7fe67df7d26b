# also: nnx, linen
"""Networks whose base comes back from the package that takes all names of their modules."""

import torch

from nets import NETS, ScaledNet
from nets.counted import CountedNet
from nets.plain import PlainNet


def fill(net):
    with torch.no_grad():
        for i, p in enumerate(net.parameters()):
            p.copy_((torch.sin(torch.arange(p.numel()) * 0.7 + i) * 0.5).reshape(p.shape))
    return net


x = torch.arange(12.0).reshape(4, 3).cos()
for name in NETS:
    print(name, list(NETS[name](3)(x)[0].shape))

plain = fill(PlainNet(3))
out = plain(x)
print([part.sum().item() for part in out], plain.loss_function(*out, weight=0.5)["loss"].item())
print(plain.encode(x)[0].sum().item())
scaled = fill(ScaledNet(3))
for _ in range(2):
    out = scaled(x)
    print(out[0].sum().item(), scaled.loss_function(*out, weight=0.5)["loss"].item())
counted = fill(CountedNet(3))
counted.eval()
for _ in range(3):
    out = counted(x)
    print(out[0].sum().item(), counted.loss_function(*out, weight=1.0)["loss"].item())
print(counted.num_iter)
