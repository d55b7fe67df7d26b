import models
import torch

make = models.__dict__["".join(["la", "rge"])]
print(make(3)(torch.ones(2, 6)).shape[1])
