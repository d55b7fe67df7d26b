# also: nnx, linen
import torch
import torch.nn.functional as F
from torch import Tensor, nn


class LayerNorm(nn.LayerNorm):
    def forward(self, x: Tensor) -> Tensor:
        return super().forward(x.float()).type(x.dtype)


class Linear(nn.Linear):
    def forward(self, x: Tensor) -> Tensor:
        return F.linear(x, self.weight.to(x.dtype), None if self.bias is None else self.bias.to(x.dtype))


class Conv1d(nn.Conv1d):
    def _conv_forward(self, x, weight, bias):
        return super()._conv_forward(x, weight.to(x.dtype), None if bias is None else bias.to(x.dtype))


class Scaled(nn.Linear):
    def __init__(self, in_features, out_features, scale, **kwargs):
        super().__init__(in_features, out_features, **kwargs)
        self.scale = nn.Parameter(torch.tensor(scale))

    def reset_parameters(self):
        nn.init.constant_(self.weight, 0.5)
        if self.bias is not None:
            nn.init.zeros_(self.bias)

    def forward(self, x):
        return super().forward(x) * self.scale


class Block(nn.Sequential):
    def __init__(self, a, b):
        super().__init__(nn.Linear(a, b), nn.ReLU(), nn.Linear(b, a))


class Chunk(nn.ModuleList):
    def forward(self, x):
        for b in self:
            x = b(x)
        return x


class Steps(nn.Sequential):
    def forward(self, x, factor):
        for layer in self:
            x = layer(x) * factor
        return x / len(self)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = Conv1d(4, 4, kernel_size=3, padding=1)
        self.norm = LayerNorm(4)
        self.fc = Linear(4, 4, bias=False)
        self.scaled = Scaled(4, 4, 2.0)
        self.block = Block(4, 8)
        self.chunk = Chunk([nn.Linear(4, 4), nn.Linear(4, 4)])
        self.steps = Steps(nn.Linear(4, 4), nn.Tanh())

    def forward(self, x):
        x = self.conv(x.transpose(1, 2)).transpose(1, 2)
        x = self.scaled(self.fc(self.norm(x)))
        return self.steps(self.chunk(self.block(x)), 0.5)


net = Net()
print([(name, tuple(p.shape)) for name, p in net.named_parameters()])
print(net.scaled.weight[0].tolist(), net.fc.in_features, net.fc.bias is None)
print(all(isinstance(m, nn.Linear) for m in (net.fc, net.scaled, nn.Linear(1, 1))))
with torch.no_grad():
    for p in net.parameters():
        p.copy_(torch.arange(p.numel()).view(p.shape) * 0.01)
print(net(torch.ones(2, 3, 4)).sum(dim=(0, 1)).tolist())
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(3):
    optimizer.zero_grad()
    loss = (net(torch.ones(2, 3, 4)) - 1).pow(2).mean()
    loss.backward()
    optimizer.step()
    print(round(loss.item(), 5))
