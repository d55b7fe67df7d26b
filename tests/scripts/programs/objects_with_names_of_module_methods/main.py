# also: nnx, linen
"""Objects that have fields with the names of methods of modules, `scores.eval["a"]`, in files beside models with state."""

import torch
from helpers import OPTIONS, caption_eval, total
from models import make_net


def main():
    net = make_net()
    print(net(torch.arange(6.0).reshape(3, 2)).abs().sum().item())
    scores = caption_eval({"CIDEr": 0.5})
    print(scores.eval["CIDEr"], total(OPTIONS))


main()
