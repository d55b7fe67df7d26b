# also: nnx
"""A convolution and the norm behind it become one layer, made with the settings of the first and filled by hand."""

import torch
from torch import nn


def fused(conv, norm):
    new = (
        nn.Conv2d(
            conv.in_channels,
            conv.out_channels,
            kernel_size=conv.kernel_size,
            stride=conv.stride,
            padding=tuple(size // 2 for size in conv.kernel_size),
            groups=conv.groups,
            bias=True,
        )
        .requires_grad_(False)
        .to(conv.weight.device)
    )
    weight = conv.weight.clone().view(conv.out_channels, -1)
    scale = torch.diag(norm.weight.div(torch.sqrt(norm.eps + norm.running_var)))
    new.weight.copy_(torch.mm(scale, weight).view(new.weight.shape))
    bias = torch.zeros(conv.weight.size(0)) if conv.bias is None else conv.bias
    shift = norm.bias - norm.weight.mul(norm.running_mean).div(torch.sqrt(norm.running_var + norm.eps))
    new.bias.copy_(torch.mm(scale, bias.reshape(-1, 1)).reshape(-1) + shift)
    return new


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3, stride=2, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(4)

    def forward(self, x):
        return self.norm(self.conv(x))


def main():
    net = Net()
    with torch.no_grad():
        for number, p in enumerate(net.parameters()):
            p.copy_((torch.arange(p.numel()) * 0.7 + number).sin().view_as(p))
    x = torch.linspace(-1, 1, 150).view(2, 3, 5, 5)
    net(x)
    net.eval()
    y = net(x)
    with torch.no_grad():
        conv = fused(net.conv, net.norm)
        z = conv(x)
    print(
        tuple(z.shape),
        round((y - z).abs().max().item(), 3),
        round(z.sum().item(), 3),
        round(z.square().sum().item(), 2),
    )


main()
