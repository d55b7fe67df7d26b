"""Functions with a gradient of their own, in all their forms."""

import torch
import torch.nn as nn
from torch.autograd import Function


class RoundSTE(torch.autograd.Function):
    """Straight-through rounding."""

    @staticmethod
    def forward(ctx, x):
        return torch.round(x)

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output


class GradReverse(Function):
    @staticmethod
    def forward(ctx, x, alpha):
        ctx.alpha = alpha
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output.neg() * ctx.alpha, None


class Swish(Function):
    @staticmethod
    def forward(ctx, i):
        result = i * torch.sigmoid(i)
        ctx.save_for_backward(i)
        return result

    @staticmethod
    def backward(ctx, grad_output):
        i = ctx.saved_tensors[0]
        sigmoid_i = torch.sigmoid(i)
        return grad_output * (sigmoid_i * (1 + i * (1 - sigmoid_i)))


swish = Swish.apply


class LinearFunction(Function):
    @staticmethod
    def forward(ctx, input, weight, bias=None):
        ctx.save_for_backward(input, weight, bias)
        output = input.mm(weight.t())
        if bias is not None:
            output += bias.unsqueeze(0).expand_as(output)
        return output

    @staticmethod
    def backward(ctx, grad_output):
        input, weight, bias = ctx.saved_tensors
        grad_input = grad_weight = grad_bias = None
        if ctx.needs_input_grad[0]:
            grad_input = grad_output.mm(weight)
        if ctx.needs_input_grad[1]:
            grad_weight = grad_output.t().mm(input)
        if bias is not None and ctx.needs_input_grad[2]:
            grad_bias = grad_output.sum(0)
        return grad_input, grad_weight, grad_bias


class SumDim(Function):
    @staticmethod
    def forward(ctx, x, dim, scale):
        ctx.shape = x.shape
        ctx.dim = dim
        ctx.scale = scale
        return x.sum(dim=dim) * scale

    @staticmethod
    def backward(ctx, g):
        return g.unsqueeze(ctx.dim).expand(ctx.shape) * ctx.scale * 2.0, None, None


class Exp(Function):
    @staticmethod
    def forward(x):
        return torch.exp(x), x + 1

    @staticmethod
    def setup_context(ctx, inputs, output):
        (x,) = inputs
        y, _ = output
        ctx.save_for_backward(y)

    @staticmethod
    def backward(ctx, g, h):
        (y,) = ctx.saved_tensors
        return 3 * g * y + h


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(3, 4))
        self.bias = nn.Parameter(torch.zeros(3))

    def forward(self, x, alpha: float = 0.5):
        x = swish(x)
        x = GradReverse.apply(x, alpha)
        x = LinearFunction.apply(x, self.weight, self.bias)
        return RoundSTE.apply(x * 3)


def loss(x):
    y = SumDim.apply(x, 1, 0.25)
    a, b = Exp.apply(y)
    return (a * b).sum() + SumDim.apply(x, 0, 3.0).sin().sum()
