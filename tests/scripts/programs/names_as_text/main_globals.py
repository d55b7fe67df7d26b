import torch
from models import Small


def build(name):
    return globals()[name](3)


print(build("Small")(torch.ones(2, 3)).shape[1])
