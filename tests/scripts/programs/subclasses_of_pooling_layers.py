# also: nnx
"""Classes that derive from pooling, upsampling and transposed convolutions are those layers with something added."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class MaxPool2dSame(nn.MaxPool2d):
    def __init__(self, kernel_size, stride, padding=0, dilation=1, return_indices=False, ceil_mode=False):
        super().__init__(kernel_size, stride, padding, dilation, return_indices, ceil_mode)
        self.stride = [self.stride] * 2 if isinstance(self.stride, int) else self.stride
        self.kernel_size = [self.kernel_size] * 2 if isinstance(self.kernel_size, int) else self.kernel_size

    def forward(self, x):
        ih, iw = x.size()[-2:]
        kh, kw = self.kernel_size
        sh, sw = self.stride
        oh, ow = -(-ih // sh), -(-iw // sw)
        pad_h = max((oh - 1) * sh + kh - ih, 0)
        pad_w = max((ow - 1) * sw + kw - iw, 0)
        if pad_h > 0 or pad_w > 0:
            x = F.pad(x, [pad_w // 2, pad_w - pad_w // 2, pad_h // 2, pad_h - pad_h // 2])
        return F.max_pool2d(
            x, self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode, self.return_indices
        )


class Conv2dSame(nn.Conv2d):
    def __init__(self, cin, cout, kernel_size, stride=1, dilation=1, groups=1, bias=True):
        super().__init__(cin, cout, kernel_size, stride, 0, dilation, groups, bias)
        self.stride = self.stride if len(self.stride) == 2 else [self.stride[0]] * 2

    def forward(self, x):
        ih, iw = x.size()[-2:]
        kh, kw = self.weight.size()[-2:]
        sh, sw = self.stride
        oh, ow = -(-ih // sh), -(-iw // sw)
        pad_h = max((oh - 1) * sh + (kh - 1) * self.dilation[0] + 1 - ih, 0)
        pad_w = max((ow - 1) * sw + (kw - 1) * self.dilation[1] + 1 - iw, 0)
        if pad_h > 0 or pad_w > 0:
            x = F.pad(x, [pad_w // 2, pad_w - pad_w // 2, pad_h // 2, pad_h - pad_h // 2])
        return F.conv2d(x, self.weight, self.bias, self.stride, self.padding, self.dilation, self.groups)


class Mean(nn.AvgPool2d):
    def forward(self, x):
        return super().forward(x) * self.kernel_size


class Deconv(nn.ConvTranspose2d):
    def __init__(self, c1, c2, k=2, gain=2.0):
        super().__init__(c1, c2, k, k)
        self.gain = gain

    def forward(self, x):
        return super().forward(x) * self.gain


class Up(nn.Upsample):
    def forward(self, x):
        return super().forward(x) + 1


net = nn.Sequential(Conv2dSame(3, 4, 3, 2), MaxPool2dSame(3, 2), Up(scale_factor=2), Deconv(4, 2), Mean(2))
for i, p in enumerate(net.parameters()):
    nn.init.constant_(p, 0.1 * (i + 1))
x = torch.linspace(-1, 1, 2 * 3 * 9 * 9).reshape(2, 3, 9, 9)
print(net(x).sum().item(), net(x).shape[-1])
print(isinstance(net[3], nn.ConvTranspose2d), sum(p.numel() for p in net.parameters()))
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for _ in range(3):
    loss = net(x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
