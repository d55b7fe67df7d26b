import torch
from torch.autograd import Function


class ReverseLayerF(Function):
    @staticmethod
    def forward(ctx, x, alpha):
        ctx.alpha = alpha
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad_output):
        output = grad_output.neg() * ctx.alpha
        return output, None


class WindowProcess(torch.autograd.Function):
    @staticmethod
    def forward(ctx, input, B, H, C, shift, ws):
        output = torch.roll(input, shift, 1).view(B, H // ws, ws, C)
        ctx.B, ctx.H = B, H
        ctx.C = C
        ctx.shift = shift
        ctx.ws = ws
        return output

    @staticmethod
    def backward(ctx, grad_in):
        B = ctx.B
        H, shift = ctx.H, ctx.shift
        C = ctx.C
        return torch.roll(grad_in.reshape(B, H, C), -shift, 1) * 2, None, None, None, None, None


class Round(Function):
    @staticmethod
    def forward(ctx, x, bits):
        scale = 2**bits
        return torch.round(x * scale) / scale

    @staticmethod
    def backward(ctx, g):
        return g, None


quantize = Round.apply
