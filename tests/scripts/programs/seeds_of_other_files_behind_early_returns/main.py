# also: nnx, linen
import torch
from setup_seed import Setup

Setup().parse({"seed": 3})
b = torch.randn(2)
torch.manual_seed(3)
d = torch.randn(2)
print(int((b == d).all()))
