"""`nn.DataParallel` in one file, `.module` in another, and both in one function."""

import torch
from torch import nn
from net import Net
from trainer import fit

if __name__ == "__main__":
    model = nn.DataParallel(Net())
    trained = fit(model, 3)
    print(trained.a.tolist())
    again = nn.DataParallel(Net())
    print(again(torch.ones(2)).item(), again.module.a.tolist())
