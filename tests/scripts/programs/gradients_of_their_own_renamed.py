# also: nnx, linen
"""Functions with a gradient of their own: names that mean something else in the backward half."""

import torch
import torch.nn as nn
from torch.autograd import Function


class SwishImplementation(Function):
    @staticmethod
    def forward(ctx, i):
        result = i * torch.sigmoid(i)
        ctx.save_for_backward(i)
        return result

    @staticmethod
    def backward(ctx, grad_output):
        i = ctx.saved_variables[0]
        sigmoid_i = torch.sigmoid(i)
        return grad_output * (sigmoid_i * (1 + i * (1 - sigmoid_i)))


class Swish(nn.Module):
    def forward(self, x):
        return SwishImplementation.apply(x)


class Rebound(Function):
    """What is saved is rebound behind it."""

    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        ctx.count = x.shape[0]
        return x * w

    @staticmethod
    def backward(ctx, grad):
        x = grad * 2
        twice = x
        x, w = ctx.saved_tensors
        x = x * ctx.count
        return twice * w, grad * x


class Scaled(Function):
    @staticmethod
    @torch.no_grad()
    def forward(ctx, x, scale):
        ctx.scale = scale
        return x * scale

    @staticmethod
    @torch.no_grad()
    def backward(ctx, g):
        scale = ctx.scale
        scale = scale + 1
        x = g * scale * ctx.scale
        return x, None


class Same(Function):
    @staticmethod
    def forward(ctx, x, index):
        ctx.save_for_backward(x)
        ctx.dim = x.dim()
        return x**3

    @staticmethod
    def backward(ctx, x):
        index = ctx.dim
        return x * ctx.saved_tensors[0] ** 2 * index, None


class Table(Function):
    @staticmethod
    def forward(ctx, inputs, codebook):
        distances = ((inputs[:, None] - codebook[None]) ** 2).sum(-1)
        indices = distances.argmin(1)
        ctx.save_for_backward(indices, codebook)
        return codebook[indices]

    @staticmethod
    def backward(ctx, grad_output):
        grad_inputs, grad_codebook = None, None
        if ctx.needs_input_grad[0]:
            grad_inputs = grad_output.clone()
        if ctx.needs_input_grad[1]:
            indices, codebook = ctx.saved_tensors
            grad_codebook = torch.zeros_like(codebook)
            grad_codebook.index_add_(0, indices, grad_output)
        return grad_inputs, grad_codebook


class Branches(Function):
    @staticmethod
    def forward(ctx, x, w, flip):
        ctx.save_for_backward(x, w)
        ctx.flip = flip
        return x * w

    @staticmethod
    def backward(ctx, grad):
        if ctx.flip:
            w, x = ctx.saved_tensors
            w, x = x, w
        else:
            x, w = ctx.saved_tensors
        return grad * w, product(grad, *ctx.saved_tensors), None


def product(grad, x, w):
    return grad * x


def show(name, y, of):
    print(name, y.detach(), *of)


x = torch.arange(6.0).view(3, 2).sub(2.5).requires_grad_()
w = torch.full((3, 2), 0.5, requires_grad=True)
factor = torch.arange(6.0).view(3, 2)
y = Swish()(x)
show("swish", y, torch.autograd.grad((y * factor).sum(), [x]))
y = Rebound.apply(x, w)
show("rebound", y, torch.autograd.grad((y * factor).sum(), [x, w]))
y = Scaled.apply(x, 3.0)
show("scaled", y, torch.autograd.grad((y * factor).sum(), [x]))
y = Same.apply(x, 1)
show("same", y, torch.autograd.grad((y * factor).sum(), [x]))
y = Table.apply(x, w)
show("table", y, torch.autograd.grad((y * factor).sum(), [x, w]))
y = Branches.apply(x, w, True)
show("branches", y, torch.autograd.grad((y * factor).sum(), [x, w]))
