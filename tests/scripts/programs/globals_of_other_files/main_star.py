# also: nnx, linen
# The same of a star import.
import torch
from lib import *

x = torch.cos(torch.arange(12.0)).reshape(4, 3)
for i in range(3):
    print(train(x), net(x).sum().item())
    bump(torch.ones(3))
    print(total.tolist())
