"""Functions with a gradient of their own: what they keep has the same names in both halves, or the gradients come in one name."""

import torch


class Shift(torch.autograd.Function):
    @staticmethod
    def forward(ctx, input, B, H, shift, ws):
        output = torch.roll(input, shift, 1) * ws
        ctx.B = B
        ctx.H = H
        ctx.shift = shift
        ctx.ws = ws
        return output

    @staticmethod
    def backward(ctx, grad_in):
        B = ctx.B
        H, shift = ctx.H, ctx.shift
        ws = ctx.ws
        grad_out = torch.roll(grad_in, -shift, 1) * ws * B / H
        return grad_out, None, None, None, None


class Clamp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, input, low, high):
        ctx.mask = input.ge(low) * input.le(high)
        return input.clamp(low, high)

    @staticmethod
    def backward(ctx, *grads):
        mask = ctx.mask
        return grads[0] * mask * 3, None, None


class Pair(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return x * y, x + y

    @staticmethod
    def backward(ctx, *grads):
        x, y = ctx.saved_tensors
        a, b = grads
        return a * y + b, a * x * 2 + b


class First(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(y)
        return x * y, x.detach() + 1

    @staticmethod
    def backward(ctx, grad, *rest):
        (y,) = ctx.saved_tensors
        return grad * y, grad * len(rest)


class Single(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        scale = 2.0
        ctx.scale = scale
        return x * scale

    @staticmethod
    def backward(ctx, grad, *args):
        scale = ctx.scale
        return grad * (scale + len(args))


def run():
    x = torch.arange(8.0).view(2, 4).requires_grad_()
    y = torch.full((2, 4), 0.5, requires_grad=True)
    p, q = Pair.apply(x, y)
    r, _ = First.apply(x, y)
    loss = (Shift.apply(x, 2, 3, 1, 2) * torch.arange(4)).sum() + Clamp.apply(x, 1.0, 5.0).sum()
    loss = loss + (p * 2 + q).sum() + r.sum() + Single.apply(x).sum()
    loss.backward()
    print(loss.item(), x.grad.tolist(), y.grad.tolist())


run()
