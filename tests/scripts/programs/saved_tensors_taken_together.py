"""Backward passes have functions of their own, and ask for the saved tensors in other ways than by their names."""
# also: nnx, linen

import torch


class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return x * w

    @staticmethod
    def backward(ctx, grad):
        saved = ctx.saved_tensors
        return grad * saved[1], grad * saved[0]


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, grad):
        return 2 * ctx.saved_tensors[0] * grad


class Both(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return x * y + x

    @staticmethod
    def backward(ctx, grad):
        def parts(ts):
            a, b = ts
            return b + 1, a
        dx, dy = parts(ctx.saved_tensors)
        return grad * dx, grad * dy


class Same(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x + 1 - 1

    @staticmethod
    def backward(ctx, grad):
        x = ctx.saved_tensors
        return grad * len(x)


x = torch.tensor([1.0, 2.0], requires_grad=True)
w = torch.tensor([3.0, 4.0], requires_grad=True)
loss = (Scale.apply(x, w) ** 2).sum() + Square.apply(x).sum() + (Both.apply(x, w) * 3).sum() + Same.apply(w).prod()
loss.backward()
print(loss.item(), x.grad, w.grad)
