# also: nnx, linen
import torch
from util import counts, normalized

output = torch.tensor([[0.1, 0.7], [0.8, 0.3], [0.2, 0.9]])
target = torch.tensor([1, 255, 1])
output = output.max(1)[1]
c, target = counts(output, target, 2)
print(c.tolist(), target.tolist(), output.tolist())
x = torch.ones(3, 2)
y = normalized(x, [0.1, 0.2, 0.3])
print(x.tolist(), y.tolist())
x = torch.ones(1, 2)
y = normalized(x, [0.1, 0.2, 0.3])
print(x.tolist(), y.tolist())
