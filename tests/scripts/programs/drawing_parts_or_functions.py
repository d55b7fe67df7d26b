# also: nnx, linen
"""Parts that draw or are functions, in tables and by themselves."""

import torch
from torch import nn
import torch.nn.functional as F
class Gate(nn.Module):
    def forward(self, x):
        return F.dropout(x, 0.5, training=self.training)
class Net(nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.gate = Gate() if kind == "gate" else torch.sigmoid
        self.table = {"a": Gate(), "b": torch.tanh}
        self.f = self.table["b" if kind == "gate" else "a"] if kind != "none" else None
        self.mods = nn.ModuleDict({"g": Gate()})
    def forward(self, x):
        return self.gate(x) + (self.mods["g"](x) if "g" in self.mods else 0)
for kind in ("gate", "sig"):
    n = Net(kind)
    n.train(False)
    print(n(torch.ones(2, 2)).tolist())
    n2 = nn.Sequential(n, nn.Dropout(0.5)).eval()
    print(n2(torch.ones(2, 2)).tolist())
