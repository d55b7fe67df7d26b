import torch
import torch.nn.functional as F


def activation(kind: str):
    if kind == "relu":
        fn = F.relu
    else:
        fn = F.silu
    return fn


class Act(torch.nn.Module):
    def __init__(self, kind: str):
        super().__init__()
        if kind == "relu":
            self.act = F.relu
        else:
            self.act = F.silu

    def forward(self, x):
        return self.act(x)
