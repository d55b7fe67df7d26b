"""The first draws of a file stand in branches: each of them has a key."""

import os

import torch
import torch.nn as nn

if __name__ == "__main__":
    if os.path.exists("nope"):
        model = nn.Linear(2, 2)
    elif os.path.exists("nope2"):
        print(torch.rand(2).shape)
        model = nn.Linear(2, 4)
    else:
        for i in range(2):
            model = nn.Linear(2, 3)
    x = torch.rand(2)
    print(model.weight.shape, x.shape)
