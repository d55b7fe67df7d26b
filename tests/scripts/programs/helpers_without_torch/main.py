import torch

from helper import flatten, halve, describe
import models

y = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
total = halve(y)
print(y.tolist(), total.tolist(), flatten(torch.ones(2, 2, 2)).shape, describe([1, 2, 3]))
net = models.build(2)
print(net(y).shape)
