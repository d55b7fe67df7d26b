# also: nnx, linen
import torch
import torch.nn as nn


class Shift(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        nn.init.constant_(self.fc.weight, 0.5)
        nn.init.constant_(self.fc.bias, 0.1)

    def mask(self, x, lengths):
        if x.dim() == 2:
            x = x.unsqueeze(1)
        x[:, 0] = x[:, 0] * 0.5
        return x.sum()

    def forward(self, x):
        h = self.fc(x) * 2
        total = self.mask(h, 3)
        return total + h.sum()


net = Shift()
x = torch.arange(6.0).view(2, 3)
x.requires_grad_()
out = net(x)
(g,) = torch.autograd.grad(out, x)
print(out.item(), g.tolist())
