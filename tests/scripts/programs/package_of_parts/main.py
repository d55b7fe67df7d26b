import torch

import parts.blocks.noise as shaking
from parts import blocks, Scale
from parts.stats import *

torch.manual_seed(0)
scale = Scale(3)
print(scale(torch.ones(2, 3)).shape, sorted(name for name, _ in scale.named_parameters()))

shake = shaking.shake
print((shake(torch.zeros(4)) != 0).all().item(), blocks.settle(torch.tensor([1.0, 3.0])).tolist())

norm = Norm()
y = norm(torch.arange(6.0).view(2, 3))
print(y.mean().item(), norm.bn.running_mean.tolist())

counter = Counter()
for _ in range(3):
    counter(torch.ones(2))
print(counter.seen.item())
