# also: nnx linen
"""The class of a tensor, asked for by its name: `window.data.type() == x.data.type()`, as measures of similarity do."""

import torch
import torch.nn as nn

class SSIM(nn.Module):
    def __init__(self):
        super().__init__()
        self.window = torch.ones(3)
        self.channel = 1
    def forward(self, a):
        if self.channel == a.shape[0] and self.window.data.type() == a.data.type():
            w = self.window
        else:
            w = torch.ones(3) * 2
            w = w.type_as(a)
            self.window = w
            self.channel = a.shape[0]
        return (w * a).sum()
s = SSIM()
print(s(torch.ones(1, 3)).item(), s(torch.ones(2, 3)).item(), s(torch.ones(2, 3).half()).item())
x = torch.ones(3)
print(x.type() == torch.ones(2).type(), x.type() == 'torch.FloatTensor', x.type() != x.long().type(), x.long().type() == "torch.LongTensor")
print(x.type(), x.half().type(), x.bool().type())
def which(x, flag):
    y = x if flag == 1 else x.half() if flag == 2 else x.long()
    if y.type() == "torch.FloatTensor":
        return 1
    if y.type() == "torch.cuda.FloatTensor":
        return 2
    if "torch.LongTensor" == y.type():
        return 3
    if y.type() != "torch.HalfTensor":
        return 4
    return 5
print(which(x, 1), which(x, 2), which(x, 3))
