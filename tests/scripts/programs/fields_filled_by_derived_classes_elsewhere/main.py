# also: nnx, linen
import torch
from torch import nn
from derived import Derived

net = nn.Linear(3, 2)
nn.init.constant_(net.weight, 0.5)
nn.init.constant_(net.bias, 0.1)
d = Derived(net)
print(d.outputs(torch.ones(4, 3)), d.scaled(torch.ones(4, 3)))
