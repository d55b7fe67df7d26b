# also: nnx, linen
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, act_layer=nn.GELU, norm_layer=None):
        super().__init__()
        self.act = act_layer()
        if act_layer == nn.ReLU:
            self.gain = 2.0
        elif act_layer is nn.GELU:
            self.gain = 1.5
        else:
            self.gain = 1.0
        self.norm = norm_layer(4) if norm_layer is not None else nn.Identity()
        self.has = not isinstance(self.norm, nn.Identity)
        self.pool = nn.AdaptiveAvgPool1d(1)

    def forward(self, x):
        x = self.act(self.norm(x)) * self.gain
        return self.pool(x.unsqueeze(1)).flatten(1)


a, b, c = Net(), Net(nn.ReLU, nn.LayerNorm), Net(nn.SiLU)
x = torch.arange(8.0).reshape(2, 4)
print(a(x).sum().item(), a.has, b(x).sum().item(), b.has, c(x).sum().item(), c.has)
