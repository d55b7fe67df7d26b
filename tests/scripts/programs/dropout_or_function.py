# also: nnx, linen
"""A part that is a layer with dropout or a function, set to evaluation; settings that have a name of such a part."""

import torch
from torch import nn
class Opt: pass
class Attn(nn.Module):
    def __init__(self, d, aoa=0, dropout_aoa=0.3):
        super().__init__()
        self.use_aoa = aoa
        self.lin = nn.Linear(d, d)
        if self.use_aoa:
            if dropout_aoa > 0:
                self.dropout_aoa = nn.Dropout(p=dropout_aoa)
            else:
                self.dropout_aoa = lambda x: x
    def forward(self, x):
        if self.use_aoa:
            return self.lin(self.dropout_aoa(x))
        return self.lin(x)
class Core(nn.Module):
    def __init__(self, opt):
        super().__init__()
        self.attn = Attn(opt.rnn_size, opt.aoa, dropout_aoa=getattr(opt, 'dropout_aoa', 0.3))
        nn.init.constant_(self.attn.lin.weight, 0.1)
        nn.init.constant_(self.attn.lin.bias, 0.1)
    def forward(self, x):
        return self.attn(x)
def build(opt):
    return Core(opt)
o = Opt()
o.rnn_size, o.aoa = 3, 1
c = build(o)
c.eval()
print(c(torch.ones(1, 3)).tolist())
o.aoa, o.dropout_aoa = 0, 0
print(build(o)(torch.ones(1, 3)).tolist())
