# also: nnx, linen
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, dims):
        super().__init__()
        self.dims = dims
        self._make_layers(dims)

    def _make_layers(self, dims):
        for i, dim in enumerate(dims):
            setattr(self, f"stage{i}", nn.Linear(4, 4, bias=dim > 2))
            self.add_module("drop%d" % i, nn.Dropout(0.5))

    def _init_weights(self):
        for i in range(len(self.dims)):
            print(getattr(self, f"stage{i}").weight.shape[0])

    def unet(self, x, height=0):
        if height == len(self.dims):
            return x
        name = f"stage{height}"
        x = getattr(self, name)(x)
        drop = getattr(self, f"drop{height}")
        return self.unet(drop(x), height + 1)

    def forward(self, x):
        return self.unet(x)


torch.manual_seed(0)
net = Net([1, 3])
net._init_weights()
net.eval()
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.copy_(torch.linspace(-1, 1, p.numel()).reshape(p.shape) * (i + 1) / 5)
print(net(torch.linspace(0, 1, 8).reshape(2, 4)).tolist())
