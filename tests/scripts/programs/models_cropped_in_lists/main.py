# flagged: T2J303
import torch
from model import Net

models = [Net(), Net()]
for model in models:
    model.crop(2)
print([tuple(model(torch.ones(1, 4)).shape) for model in models])
