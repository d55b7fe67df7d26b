# also: nnx, linen
"""Gradients of tensors of the file, through modules and functions above it whose parameters have the names of these tensors."""
import torch
import torch.nn as nn
import torch.nn.functional as F


def square(x):
    return x * x


class Scale(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([1.0, 2.0, 3.0, 4.0, 5.0]))

    def forward(self, x):
        return square(x) * self.w


class Mish(nn.Module):
    class F(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x.mul(torch.tanh(F.softplus(x)))

        @staticmethod
        def backward(ctx, grad_output):
            x = ctx.saved_tensors[0]
            sx = torch.sigmoid(x)
            fx = F.softplus(x).tanh()
            return 2 * grad_output * (fx + x * sx * (1 - fx * fx))

    def forward(self, x):
        return self.F.apply(x)


m = Scale()
x = torch.linspace(-2, 2, 5, requires_grad=True)
y = m(x)
y.sum().backward()
print(y.tolist())
print(x.grad.tolist())

mish = Mish()
x = torch.linspace(-1, 3, 5, requires_grad=True)
y = mish(x)
loss = (y ** 2).sum()
loss.backward()
print(loss.item())
print(x.grad.tolist())
