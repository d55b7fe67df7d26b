# also: nnx, linen
"""Functions that are computed again in the backward pass by an autograd function of the program."""

import torch as th
import torch.nn as nn


class CheckpointFunction(th.autograd.Function):
    @staticmethod
    def forward(ctx, run_function, length, *args):
        ctx.run_function = run_function
        ctx.input_tensors = list(args[:length])
        ctx.input_params = list(args[length:])
        with th.no_grad():
            output_tensors = ctx.run_function(*ctx.input_tensors)
        return output_tensors

    @staticmethod
    def backward(ctx, *output_grads):
        ctx.input_tensors = [x.detach().requires_grad_(True) for x in ctx.input_tensors]
        with th.enable_grad():
            shallow_copies = [x.view_as(x) for x in ctx.input_tensors]
            output_tensors = ctx.run_function(*shallow_copies)
        input_grads = th.autograd.grad(
            output_tensors,
            ctx.input_tensors + ctx.input_params,
            output_grads,
            allow_unused=True,
        )
        del ctx.input_tensors
        del ctx.input_params
        del output_tensors
        return (None, None) + input_grads


class Again(th.autograd.Function):
    @staticmethod
    def forward(ctx, fn, length, *args):
        ctx.fn = fn
        ctx.input_tensors = list(args[:length])
        ctx.input_params = list(args[length:])
        ctx.autocast_kwargs = {"enabled": th.is_autocast_enabled()}
        with th.no_grad():
            output_tensors = ctx.fn(*ctx.input_tensors)
        return output_tensors

    @staticmethod
    def backward(ctx, *output_grads):
        ctx.input_tensors = [x.detach().requires_grad_(True) for x in ctx.input_tensors]
        with th.enable_grad(), th.autocast("cpu", **ctx.autocast_kwargs):
            copies = [x.view_as(x) for x in ctx.input_tensors]
            output_tensors = ctx.fn(*copies)
        input_grads = th.autograd.grad(
            output_tensors,
            ctx.input_tensors + ctx.input_params,
            output_grads,
            allow_unused=True,
        )
        del ctx.input_tensors
        del ctx.input_params
        del output_tensors
        return (None, None) + input_grads


def checkpoint(func, inputs, params, flag):
    if flag:
        args = tuple(inputs) + tuple(params)
        return CheckpointFunction.apply(func, len(inputs), *args)
    else:
        return func(*inputs)


def again(func, count, everything):
    return Again.apply(func, count, *everything)


class Block(nn.Module):
    def __init__(self, dim, flag):
        super().__init__()
        self.fc = nn.Linear(dim, dim)
        self.flag = flag

    def forward(self, x, scale):
        y = checkpoint(self._forward, (x, scale), self.parameters(), self.flag)
        return again(self._forward, 2, [y, scale, *self.parameters()])

    def _forward(self, x, scale):
        return x + th.tanh(self.fc(x)) * scale


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Block(3, True), Block(3, False)])

    def forward(self, x, scale):
        for block in self.blocks:
            x = block(x, scale)
        return x


net = Net()
with th.no_grad():
    for i, p in enumerate(net.parameters()):
        p.copy_(th.sin(th.arange(p.numel()).float() * 0.9 + i).view_as(p) * 0.5)
x = th.cos(th.arange(12.0)).view(4, 3)
scale = th.linspace(0.5, 1.5, 3)
opt = th.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    opt.zero_grad()
    loss = (net(x, scale) ** 2).mean()
    loss.backward()
    opt.step()
    print(loss.item())
print(net(x, scale).sum().item())
