# also: nnx, linen
# Functions that set a seed, but for early returns.
import torch


def set_seed(seed):
    if seed is None:
        return
    torch.manual_seed(seed)


class Setup:
    def seed(self, args):
        if not "seed" in args:
            return
        set_seed(args["seed"])


set_seed(0)
a = torch.randn(2)
Setup().seed({})
Setup().seed({"seed": 3})
b = torch.randn(2)
set_seed(None)
c = torch.randn(2)
set_seed(3)
d = torch.randn(2)
print(int((b == d).all()), int((b == c).all()))
