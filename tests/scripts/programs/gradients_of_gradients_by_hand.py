# also: nnx, linen
"""Functions whose gradients have gradients that are written by hand: one class applies another, or each the other."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.autograd import Function


class BlurFunctionBackward(Function):
    @staticmethod
    def forward(ctx, grad_output, kernel, kernel_flip):
        ctx.save_for_backward(kernel, kernel_flip)
        grad_input = F.conv2d(grad_output, kernel_flip, padding=1, groups=grad_output.shape[1])
        return grad_input

    @staticmethod
    def backward(ctx, gradgrad_output):
        kernel, kernel_flip = ctx.saved_tensors
        grad_input = F.conv2d(gradgrad_output, kernel, padding=1, groups=gradgrad_output.shape[1])
        return grad_input, None, None


class BlurFunction(Function):
    @staticmethod
    def forward(ctx, x, kernel, kernel_flip):
        ctx.save_for_backward(kernel, kernel_flip)
        output = F.conv2d(x, kernel, padding=1, groups=x.shape[1])
        return output

    @staticmethod
    def backward(ctx, grad_output):
        kernel, kernel_flip = ctx.saved_tensors
        grad_input = BlurFunctionBackward.apply(grad_output, kernel, kernel_flip)
        return grad_input, None, None


blur = BlurFunction.apply


class Blur(nn.Module):
    def __init__(self, channel):
        super().__init__()
        kernel = torch.tensor([[1, 2, 1], [2, 4, 2], [1, 2, 3]], dtype=torch.float32)
        kernel = kernel.view(1, 1, 3, 3)
        kernel = kernel / kernel.sum()
        kernel_flip = torch.flip(kernel, [2, 3])
        self.kernel = kernel.repeat(channel, 1, 1, 1)
        self.kernel_flip = kernel_flip.repeat(channel, 1, 1, 1)

    def forward(self, x):
        return blur(x, self.kernel.type_as(x), self.kernel_flip.type_as(x))


class LeakyBackward(Function):
    @staticmethod
    def forward(ctx, grad_output, out, slope, scale):
        ctx.save_for_backward(out)
        ctx.slope = slope
        ctx.scale = scale
        grad_input = torch.where(out > 0, grad_output, grad_output * slope) * scale
        dim = [0]
        if grad_input.ndim > 2:
            dim += list(range(2, grad_input.ndim))
        grad_bias = grad_input.sum(dim).detach()
        return grad_input, grad_bias

    @staticmethod
    def backward(ctx, gradgrad_input, gradgrad_bias):
        (out,) = ctx.saved_tensors
        gradgrad = gradgrad_input + gradgrad_bias.view(1, -1)
        gradgrad_out = torch.where(out > 0, gradgrad, gradgrad * ctx.slope) * ctx.scale
        return gradgrad_out, None, None, None


class Leaky(Function):
    @staticmethod
    def forward(ctx, input, bias, slope, scale):
        out = F.leaky_relu(input + bias.view(1, -1), slope) * scale
        ctx.save_for_backward(out)
        ctx.slope = slope
        ctx.scale = scale
        return out

    @staticmethod
    def backward(ctx, grad_output):
        (out,) = ctx.saved_tensors
        grad_input, grad_bias = LeakyBackward.apply(grad_output, out, ctx.slope, ctx.scale)
        return grad_input, grad_bias, None, None


def fused_leaky_relu(input, bias, slope=0.2, scale=2**0.5):
    return Leaky.apply(input, bias, slope, scale)


class Sin(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.sin(x)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * Cos.apply(x)


class Cos(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.cos(x)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return -g * Sin.apply(x)


x = torch.sin(torch.arange(2 * 2 * 4 * 4.0)).reshape(2, 2, 4, 4).requires_grad_()
net = Blur(2)
y = net(x)
(g,) = torch.autograd.grad((y**3).sum(), x, create_graph=True)
penalty = g.pow(2).sum()
penalty.backward()
print(y.sum().item(), g.sum().item(), penalty.item(), x.grad.abs().sum().item())

z = torch.cos(torch.arange(12.0)).reshape(4, 3).requires_grad_()
bias = torch.tensor([0.1, -0.2, 0.3], requires_grad=True)
out = fused_leaky_relu(z, bias)
(g,) = torch.autograd.grad((out**2).sum(), z, create_graph=True)
loss = g.pow(2).sum() + out.sum()
loss.backward()
print(out.sum().item(), g.sum().item(), z.grad.sum().item(), bias.grad.sum().item())

w = torch.linspace(0, 1, 4, requires_grad=True)
(g,) = torch.autograd.grad(Sin.apply(w).sum(), w, create_graph=True)
(g2,) = torch.autograd.grad(g.sum(), w, create_graph=True)
(g3,) = torch.autograd.grad(g2.sum(), w)
print(g.tolist(), g2.tolist(), g3.tolist())
