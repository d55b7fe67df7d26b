# also: nnx, linen
"""Optimizers of a program in the forms in which they are passed on: factors in front, copies in single precision, lists of what a
step has computed, gradients that are changed before they are used."""

import math

import torch
import torch.nn as nn
from torch.optim.optimizer import Optimizer, required

x = torch.cos(torch.arange(40.0)).view(10, 4)
y = torch.sin(torch.arange(20.0)).view(10, 2)


class Rectified(Optimizer):
    """What depends on the number of the step alone is kept with the options, for ten steps."""

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, to_sgd=True):
        if not 0.0 <= lr:
            raise ValueError("Invalid learning rate: {}".format(lr))
        self.to_sgd = to_sgd
        if isinstance(params, (list, tuple)) and len(params) > 0 and isinstance(params[0], dict):
            for param in params:
                if "betas" in param and param["betas"] != betas:
                    param["buffer"] = [[None, None, None] for _ in range(10)]
        buffer = [[None, None, None] for _ in range(10)]
        defaults = dict(lr=lr, betas=betas, eps=eps, buffer=buffer, weight_decay=weight_decay)
        super(Rectified, self).__init__(params, defaults)

    def __setstate__(self, state):
        super(Rectified, self).__setstate__(state)

    def step(self, closure=None):
        loss = None
        if closure is not None:
            loss = closure()

        for group in self.param_groups:

            for p in group['params']:
                if p.grad is None:
                    continue
                grad = p.grad.data.float()
                if grad.is_sparse:
                    raise RuntimeError('no sparse gradients')

                full = p.data.float()
                state = self.state[p]
                if len(state) == 0:
                    state['step'] = 0
                    state['mean'] = torch.zeros_like(full)
                    state['square'] = torch.zeros_like(full)
                else:
                    state['mean'] = state['mean'].type_as(full)
                    state['square'] = state['square'].type_as(full)

                mean, square = state['mean'], state['square']
                beta1, beta2 = group['betas']
                square.mul_(beta2).addcmul_(1 - beta2, grad, grad)
                mean.mul_(beta1).add_(1 - beta1, grad)

                state['step'] += 1
                buffered = group['buffer'][int(state['step'] % 10)]
                if state['step'] == buffered[0]:
                    length, step_size = buffered[1], buffered[2]
                else:
                    buffered[0] = state['step']
                    power = beta2 ** state['step']
                    longest = 2 / (1 - beta2) - 1
                    length = longest - 2 * state['step'] * power / (1 - power)
                    buffered[1] = length
                    if length >= 5:
                        rest = (length - 4) / (longest - 4) * (length - 2) / length * longest / (longest - 2)
                        step_size = math.sqrt((1 - power) * rest) / (1 - beta1 ** state['step'])
                    elif self.to_sgd:
                        step_size = 1.0 / (1 - beta1 ** state['step'])
                    else:
                        step_size = -1
                    buffered[2] = step_size

                if length >= 5:
                    if group['weight_decay'] != 0:
                        full.add_(-group['weight_decay'] * group['lr'], full)
                    full.addcdiv_(-step_size * group['lr'], mean, square.sqrt().add_(group['eps']))
                    p.data.copy_(full)
                elif step_size > 0:
                    if group['weight_decay'] != 0:
                        full.add_(-group['weight_decay'] * group['lr'], full)
                    full.add_(-step_size * group['lr'], mean)
                    p.data.copy_(full)

        return loss


class Factored(Optimizer):
    """The list is a field; the copy is given back where it is one."""

    def __init__(self, params, lr=required, alpha=0.5, k=3):
        if lr is not required and lr < 0.0:
            raise ValueError("Invalid learning rate: {}".format(lr))
        super().__init__(params, dict(lr=lr, alpha=alpha, k=k))
        self.buffer = [[None, None] for ind in range(10)]

    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                grad = p.grad.data
                if grad.dtype in {torch.float16, torch.bfloat16}:
                    grad = grad.float()
                full = p.data
                if p.data.dtype in {torch.float16, torch.bfloat16}:
                    full = full.float()
                state = self.state[p]
                if len(state) == 0:
                    state["step"] = 0
                    state["slow"] = torch.empty_like(p.data)
                    state["slow"].copy_(p.data)
                    state["square"] = nn.init.constant_(torch.empty_like(full), 1e-3)
                state["step"] += 1
                buffered = self.buffer[int(state["step"] % 10)]
                if state["step"] == buffered[0]:
                    scale = buffered[1]
                else:
                    buffered[0] = state["step"]
                    scale = min(1.0, 2.0 / math.sqrt(state["step"]))
                    buffered[1] = scale
                square = state["square"]
                square.mul_(1 - math.pow(state["step"], -0.8)).add_(grad.pow(2).add_(1e-8).mul_(math.pow(state["step"], -0.8)))
                update = square.rsqrt().mul_(grad)
                update.div_((update.norm() / update.numel() ** 0.5).clamp_(min=1.0))
                full.add_(-update * scale * group["lr"])
                if p.data.dtype in {torch.float16, torch.bfloat16}:
                    p.data.copy_(full)
                if state["step"] % group["k"] == 0:
                    slow_p = state["slow"]
                    slow_p.add_(p.data - slow_p, alpha=group["alpha"])
                    p.data.copy_(slow_p)


class Scaled(Optimizer):
    def __init__(self, params, lr=required):
        super(Scaled, self).__init__(params, dict(lr=lr))

    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                d_p = p.grad.data
                d_p_norm = p.grad.norm()
                p_norm = p.norm()
                if p_norm > 0.0 and d_p_norm > 0.0:
                    p.data.add_(-group["lr"], d_p * (p_norm / d_p_norm))
                else:
                    p.data.add_(-group["lr"], d_p)
                p.data /= math.sqrt(1 + group["lr"] ** 2)


class Centered(Optimizer):
    """Gradients without their means."""

    def __init__(self, params, lr=0.1, momentum=0, dampening=0, weight_decay=0, nesterov=False):
        options = dict(lr=lr, momentum=momentum, dampening=dampening, weight_decay=weight_decay, nesterov=nesterov)
        super().__init__(params, options)

    def step(self, closure=None):
        for group in self.param_groups:
            weight_decay = group["weight_decay"]
            momentum = group["momentum"]
            for p in group["params"]:
                if p.grad is None:
                    continue
                d_p = p.grad.data
                if weight_decay != 0:
                    d_p.add_(weight_decay, p.data)
                if len(list(d_p.size())) > 1:
                    d_p.add_(-d_p.mean(dim=tuple(range(1, len(list(d_p.size())))), keepdim=True))
                if momentum != 0:
                    param_state = self.state[p]
                    if "momentum_buffer" not in param_state:
                        buf = param_state["momentum_buffer"] = torch.clone(d_p).detach()
                    else:
                        buf = param_state["momentum_buffer"]
                        buf.mul_(momentum).add_(1 - group["dampening"], d_p)
                    if group["nesterov"]:
                        d_p = d_p.add(momentum, buf)
                    else:
                        d_p = buf
                p.data.add_(-group["lr"], d_p)


class Varied(Optimizer):
    """What is no number is left out, and what nobody takes does nothing."""

    def __init__(self, params, lr=0.1, beta=0.9, amsgrad=False, eps=1e-4):
        super().__init__(params, dict(lr=lr, beta=beta, amsgrad=amsgrad, eps=eps))

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                grad = p.grad.data
                state = self.state[p]
                if len(state) == 0:
                    state["step"] = 0
                    state["mean"] = torch.zeros_like(p.data)
                    state["var"] = torch.zeros_like(p.data)
                    if group["amsgrad"]:
                        state["top"] = torch.zeros_like(p.data)
                mean, var = state["mean"], state["var"]
                beta = group["beta"]
                state["step"] += 1
                mean.mul_(beta).add_(1 - beta, grad)
                var.mul_(beta).addcmul_(1 - beta, grad - mean, grad - mean)
                if group["amsgrad"]:
                    top = state["top"]
                    torch.max(top, var.add_(group["eps"]), out=top)
                    below = (top.sqrt() / math.sqrt(1 - beta ** state["step"])).add_(group["eps"])
                else:
                    below = (var.add_(group["eps"]).sqrt() / math.sqrt(1 - beta ** state["step"])).add_(group["eps"])
                gamma = mean**2 / (mean**2 + 0.1 * (var - group["eps"]) * (p.data > 0))
                gamma[gamma != gamma] = 0.0
                p.data.add(-group["lr"], p.data)
                sign = mean * gamma / below
                p.data.add_(-group["lr"] * mean * gamma)
                p.add_(sign.sign_(), alpha=-0.01 * group["lr"])


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(4, 3, 1)
        self.out = nn.Linear(3, 2)

    def forward(self, x):
        return self.out(torch.tanh(self.conv(x[:, :, None])[:, :, 0]))


def train(kind, **options):
    model = Net()
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel()).float() + i).view(p.shape) * 0.4)
    optimizer = kind(model.parameters(), **options)
    for step in range(13):
        optimizer.param_groups[0]["lr"] *= 0.9
        optimizer.zero_grad()
        loss = ((model(x) - y) ** 2).mean()
        loss.backward()
        optimizer.step()
    print(kind.__name__, loss.item() * 100, *[p.abs().sum().item() * 100 for p in model.parameters()])


train(Rectified, lr=0.1)
train(Rectified, lr=0.1, betas=(0.5, 0.98), weight_decay=0.1, to_sgd=False)
train(Factored, lr=0.05)
train(Scaled, lr=0.05)
train(Centered, lr=0.05, momentum=0.9, weight_decay=0.01)
train(Centered, lr=0.05, momentum=0.9, nesterov=True)
train(Varied, lr=0.1)
train(Varied, lr=0.1, amsgrad=True)
