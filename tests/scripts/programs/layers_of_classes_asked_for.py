# also: nnx, linen
# Layers without parameters are of classes of their own where a program asks which of them a module is.
import torch
from torch import nn

torch.manual_seed(0)


class Activations(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = nn.ModuleList(
            [
                nn.CELU(0.5), nn.ELU(alpha=2.0), nn.GELU(), nn.GELU(approximate="tanh"), nn.GLU(), nn.Hardshrink(0.2),
                nn.Hardsigmoid(), nn.Hardswish(inplace=True), nn.Hardtanh(-0.5, 0.5), nn.ReLU6(), nn.LeakyReLU(0.2, True),
                nn.LogSigmoid(), nn.LogSoftmax(dim=1), nn.Mish(), nn.ReLU(inplace=True), nn.SELU(), nn.SiLU(), nn.Sigmoid(),
                nn.Softmax(-1), nn.Softplus(2.0), nn.Softshrink(), nn.Softsign(), nn.Tanh(), nn.Tanhshrink(), nn.Flatten(),
            ]
        )  # fmt: skip

    def forward(self, x):
        return [layer(x.clone()) for layer in self.parts]


class Pools(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = nn.ModuleList(
            [
                nn.MaxPool2d(2), nn.MaxPool2d(3, 2, padding=1), nn.MaxPool2d((2, 1), ceil_mode=True), nn.MaxPool2d(2, dilation=2),
                nn.AvgPool2d(2), nn.AvgPool2d([3, 3], 1, 1, count_include_pad=False), nn.AvgPool2d(2, divisor_override=3),
                nn.AdaptiveAvgPool2d(1), nn.AdaptiveAvgPool2d((3, None)), nn.AdaptiveMaxPool2d(2), nn.ReflectionPad2d(1),
                nn.ReplicationPad2d((1, 2, 0, 1)), nn.ZeroPad2d(1), nn.ConstantPad2d((1, 0, 2, 0), 0.5), nn.PixelShuffle(2),
                nn.PixelUnshuffle(2), nn.Softmax2d(), nn.Flatten(2), nn.Flatten(0, 1),
            ]
        )  # fmt: skip

    def forward(self, x):
        return [layer(x) for layer in self.parts]


class Lines(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = nn.ModuleList(
            [
                nn.MaxPool1d(2), nn.AvgPool1d(2, 1), nn.AdaptiveAvgPool1d(3), nn.AdaptiveMaxPool1d(2), nn.ReflectionPad1d(2),
                nn.ReplicationPad1d((0, 1)), nn.ZeroPad1d(1), nn.ConstantPad1d(2, -1.0),
            ]
        )  # fmt: skip

    def forward(self, x):
        return [layer(x) for layer in self.parts]


class Cubes(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = nn.ModuleList(
            [nn.MaxPool3d(2), nn.AvgPool3d(2, 1), nn.AdaptiveAvgPool3d(1), nn.AdaptiveMaxPool3d(1)]
        )

    def forward(self, x):
        return [layer(x) for layer in self.parts]


def kind(m):
    if isinstance(m, (nn.CELU, nn.ELU, nn.GELU, nn.GLU, nn.Hardshrink, nn.Hardsigmoid, nn.Hardswish)):
        return 1
    if isinstance(m, (nn.Hardtanh, nn.LeakyReLU, nn.LogSigmoid, nn.LogSoftmax, nn.Mish, nn.ReLU, nn.SELU, nn.SiLU)):
        return 2
    if type(m) in (nn.Sigmoid, nn.Softmax, nn.Softplus, nn.Softshrink, nn.Softsign, nn.Tanh, nn.Tanhshrink, nn.Flatten):
        return 3
    if isinstance(m, (nn.MaxPool1d, nn.MaxPool2d, nn.MaxPool3d)):
        return 4
    if isinstance(m, (nn.AvgPool1d, nn.AvgPool2d, nn.AvgPool3d)):
        return 5
    if isinstance(m, (nn.AdaptiveAvgPool1d, nn.AdaptiveAvgPool2d, nn.AdaptiveAvgPool3d)):
        return 6
    if isinstance(m, (nn.AdaptiveMaxPool1d, nn.AdaptiveMaxPool2d, nn.AdaptiveMaxPool3d)):
        return 7
    if isinstance(m, (nn.ReflectionPad1d, nn.ReflectionPad2d, nn.ReplicationPad1d, nn.ReplicationPad2d)):
        return 8
    if isinstance(m, (nn.ConstantPad1d, nn.ConstantPad2d)):
        return 9
    if isinstance(m, (nn.PixelShuffle, nn.PixelUnshuffle, nn.Softmax2d)):
        return 10
    return 0


for model, shape in (
    (Activations(), (3, 4)),
    (Pools(), (2, 4, 6, 8)),
    (Lines(), (2, 3, 7)),
    (Cubes(), (1, 2, 4, 4, 4)),
):
    print([kind(m) for m in model.modules()], sum(isinstance(m, nn.ReLU6) for m in model.modules()))
    x = torch.linspace(-3, 3, torch.ones(shape).numel()).reshape(shape).sin().requires_grad_()
    results = model(x)
    print([tuple(y.shape) for y in results])
    print([round((y * y).sum().item(), 3) for y in results])
    loss = sum((y * torch.arange(y.numel()).reshape(y.shape)).sum() / y.numel() for y in results)
    (grad,) = torch.autograd.grad(loss, x)
    print(grad.abs().sum().item(), grad.flatten()[1].item())
