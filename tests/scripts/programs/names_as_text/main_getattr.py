import models
import torch

for name in ("Small", "large"):
    model = getattr(models, name)(3)
print(model(torch.ones(2, 6)).shape[1])
