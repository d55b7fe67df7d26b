# also: nnx, linen
# Fields of layers without parameters.
import torch
import torch.nn as nn


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.pool1 = nn.AvgPool1d(2)
        self.pool2 = nn.AvgPool2d(3, padding=1)
        self.pad1 = nn.ReflectionPad1d(2)
        self.pad2 = nn.ReplicationPad2d(1)
        self.pad3 = nn.ZeroPad2d((1, 2, 3, 4))
        self.max = nn.MaxPool2d((2, 3), ceil_mode=True)
        self.ada = nn.AdaptiveAvgPool2d((1, None))
        self.ada1 = nn.AdaptiveMaxPool1d(4)
        self.act = nn.LeakyReLU()
        self.hard = nn.ReLU6()
        self.soft = nn.Softmax(dim=-1)
        self.elu = nn.ELU(0.5)
        self.gelu = nn.GELU("tanh")
        self.flat = nn.Flatten()

    def forward(self, x):
        return self.act(self.max(self.pad3(x))) * 1.0

    def total(self, n):
        k = self.max.kernel_size
        return n // k[0] + self.pad1.padding[0]


b = Block()
print(b.pool1.kernel_size, b.pool1.stride, b.pool1.padding, b.pool1.ceil_mode, b.pool1.count_include_pad)
print(b.pool2.kernel_size, b.pool2.stride, b.pool2.padding, b.pool2.divisor_override)
print(b.pad1.padding, b.pad2.padding, b.pad3.padding)
print(b.max.kernel_size, b.max.stride, b.max.padding, b.max.dilation, b.max.ceil_mode, b.max.return_indices)
print(b.ada.output_size, b.ada1.output_size, b.act.negative_slope, b.hard.min_val, b.hard.max_val)
print(b.soft.dim, b.elu.alpha, b.gelu.approximate, b.flat.start_dim, b.flat.end_dim)
print(b.total(10))
x = torch.sin(torch.arange(2.0 * 3 * 5 * 5)).view(2, 3, 5, 5)
print(b(x).sum().item(), b(x).shape)
print(b.ada(x).shape)
