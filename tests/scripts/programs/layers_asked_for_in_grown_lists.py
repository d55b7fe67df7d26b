# also: nnx, linen
import torch
from torch import nn

KINDS = [nn.ReLU]
KINDS.append(nn.Dropout)
KINDS.extend([nn.Tanh, nn.Conv2d])
TABLE = {"drop": nn.Dropout, "act": nn.Sigmoid, "conv": nn.Conv2d}
MAKERS = {"relu": nn.ReLU, "tanh": nn.Tanh, "sig": nn.Sigmoid}


class Finder:
    kinds = (nn.Sigmoid, nn.Dropout)

    def __init__(self, more=()):
        self.more = more

    def find(self, model):
        return [n for n, m in model.named_modules() if isinstance(m, self.kinds) or isinstance(m, self.more)]


net = nn.Sequential(nn.Conv2d(1, 1, 1), MAKERS["relu"](), nn.Dropout(0.2), MAKERS["tanh"](), MAKERS["sig"]())
print([isinstance(m, tuple(KINDS)) for m in net])
print([sum(isinstance(m, TABLE[k]) for m in net.modules()) for k in ("drop", "act", "conv")])
print(Finder().find(net), Finder((nn.Tanh,)).find(net), Finder(more=nn.ReLU).find(net))
print([any(isinstance(m, k) for k in KINDS) for m in net])
net.eval()
print(net(torch.ones(1, 1, 2, 2)).shape[1])
