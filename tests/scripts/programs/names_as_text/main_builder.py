import models
import torch


def build(module, name, *args):
    return getattr(module, name)(*args)


model = build(models, "Small", 3)
print(model(torch.ones(2, 3)).shape[1])
