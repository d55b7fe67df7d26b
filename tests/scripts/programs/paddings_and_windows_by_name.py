# also: nnx, linen
"""Paddings, poolings, activations and windows that are asked of torch by names, with options from dicts."""

import torch
from torch import nn


class Causal(nn.Module):
    def __init__(self, channels, kernel_size=3, dilation=1, pad="ConstantPad1d", pad_params={"value": 0.5}):
        super().__init__()
        self.pad = getattr(torch.nn, pad)((kernel_size - 1) * dilation, **pad_params)
        self.conv = nn.Conv1d(channels, channels, kernel_size, dilation=dilation)

    def forward(self, x):
        return self.conv(self.pad(x))[:, :, : x.size(2)]


class Up(nn.Module):
    def __init__(self, channels, pad="ReplicationPad1d", pad_params={}):
        super().__init__()
        self.pad = getattr(torch.nn, pad)((1, 0), **pad_params)
        self.deconv = nn.ConvTranspose1d(channels, channels, 4, 2)

    def forward(self, x):
        return self.deconv(self.pad(x))[:, :, 2:-2]


class Stack(nn.Module):
    def __init__(self, channels, kernel_size=3, dilation=1, act="LeakyReLU", act_params={"negative_slope": 0.2}, pad="ReflectionPad1d", pad_params={}):
        super().__init__()
        self.stack = nn.Sequential(
            getattr(nn, act)(**act_params),
            getattr(nn, pad)((kernel_size - 1) // 2 * dilation, **pad_params),
            nn.Conv1d(channels, channels, kernel_size, dilation=dilation),
        )

    def forward(self, x):
        return self.stack(x) + x


class Scales(nn.Module):
    def __init__(self, scales, act=None, act_params={}, pooling="AvgPool1d", pooling_params={"kernel_size": 4, "stride": 2, "padding": 2}):
        super().__init__()
        self.layers = nn.ModuleList()
        for scale in scales:
            self.layers += [nn.Conv1d(2, 2, 2 * scale + 1, padding=scale)]
            if act is not None:
                layer = getattr(nn, act)(**act_params)
                self.layers += [layer]
        self.pooling = getattr(torch.nn, pooling)(**pooling_params)

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return self.pooling(x)


class Spectrum(nn.Module):
    def __init__(self, length=8, window="hann_window"):
        super().__init__()
        self.length = length
        self.register_buffer("window", getattr(torch, window)(length))

    def forward(self, x):
        return torch.stft(x, self.length, 4, self.length, self.window, return_complex=True).abs()


def show(module, x):
    with torch.no_grad():
        for i, p in enumerate(module.parameters()):
            p.copy_(torch.linspace(-0.5, 1.0, p.numel()).view(p.shape) + 0.1 * i)
    y = module(x)
    print([round(v, 3) for v in y.flatten().tolist()])


x = torch.linspace(-1, 2, 32).view(2, 2, 8)
show(Causal(2), x)
show(Causal(2, dilation=2, pad="ReflectionPad1d", pad_params={}), x)
show(Up(2), x)
show(Up(2, "ZeroPad1d"), x)
show(Stack(2), x)
show(Stack(2, act="ELU", act_params={"alpha": 0.5}, pad="ConstantPad1d", pad_params={"value": 1.0}), x)
show(Scales((1, 2)), x)
show(Scales((1, 2), "LeakyReLU", {"negative_slope": 0.1}, "MaxPool1d", {"kernel_size": 3, "stride": 2}), x)
show(Scales((1,), "ReLU", pooling="AvgPool1d", pooling_params={"kernel_size": 3, "padding": 1, "count_include_pad": False}), x)
show(Spectrum(), x[0])
show(Spectrum(window="hamming_window"), x[0])
