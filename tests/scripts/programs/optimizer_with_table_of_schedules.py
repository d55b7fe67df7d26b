# also: nnx, linen
"""An optimizer of the program that looks up its schedule in a table of functions, and clips the gradient of each parameter."""

import math

import torch
import torch.nn as nn
from torch.nn.utils import clip_grad_norm_
from torch.optim import Optimizer


def warmup_linear(x, warmup=0.002):
    s = 1 if x <= warmup else 0
    return (s * (x / warmup) + (1 - s)) * (1 - x)


def warmup_constant(x, warmup=0.002):
    s = 1 if x <= warmup else 0
    return s * (x / warmup) + (1 - s) * 1


def warmup_cosine(x, warmup=0.002):
    s = 1 if x <= warmup else 0
    return s * (x / warmup) + (1 - s) * (0.5 * (1 + math.cos(math.pi * x)))


def cosine(x, warmup):
    return 0.5 * (1 + math.cos(math.pi * x)) + warmup * math.exp(-x)


SCHEDULES = {"warmup_cosine": warmup_cosine, "cosine": cosine, "warmup_linear": warmup_linear, "warmup_constant": warmup_constant}


class OpenAIAdam(Optimizer):
    def __init__(self, params, lr, schedule, warmup, t_total, b1=0.9, b2=0.999, e=1e-8, l2=0, vector_l2=False, max_grad_norm=-1, **kwargs):
        if not 0.0 <= lr:
            raise ValueError("Invalid learning rate: {}".format(lr))
        if schedule not in SCHEDULES:
            raise ValueError("Invalid schedule parameter: {}".format(schedule))
        defaults = dict(lr=lr, schedule=schedule, warmup=warmup, t_total=t_total, b1=b1, b2=b2, e=e, l2=l2, vector_l2=vector_l2, max_grad_norm=max_grad_norm)
        super(OpenAIAdam, self).__init__(params, defaults)

    def step(self, closure=None):
        loss = None
        if closure is not None:
            loss = closure()
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                grad = p.grad.data
                if grad.is_sparse:
                    raise RuntimeError("Adam does not support sparse gradients, please consider SparseAdam instead")
                state = self.state[p]
                if len(state) == 0:
                    state["step"] = 0
                    state["exp_avg"] = torch.zeros_like(p.data)
                    state["exp_avg_sq"] = torch.zeros_like(p.data)
                exp_avg, exp_avg_sq = state["exp_avg"], state["exp_avg_sq"]
                beta1, beta2 = group["b1"], group["b2"]
                state["step"] += 1
                if group["max_grad_norm"] > 0:
                    clip_grad_norm_(p, group["max_grad_norm"])
                exp_avg.mul_(beta1).add_(1 - beta1, grad)
                exp_avg_sq.mul_(beta2).addcmul_(1 - beta2, grad, grad)
                denom = exp_avg_sq.sqrt().add_(group["e"])
                bias_correction1 = 1 - beta1 ** state["step"]
                bias_correction2 = 1 - beta2 ** state["step"]
                schedule_fct = SCHEDULES[group["schedule"]]
                lr_scheduled = group["lr"] * schedule_fct(state["step"] / group["t_total"], group["warmup"])
                step_size = lr_scheduled * math.sqrt(bias_correction2) / bias_correction1
                p.data.addcdiv_(-step_size, exp_avg, denom)
                if (len(p.size()) > 1 or group["vector_l2"]) and group["l2"] > 0:
                    p.data.add_(-lr_scheduled * group["l2"], p.data)
        return loss


torch.manual_seed(0)
for schedule in ("warmup_linear", "warmup_constant", "warmup_cosine", "cosine"):
    net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
    for p in net.parameters():
        p.data.copy_(torch.linspace(-1, 1, p.numel()).view(p.shape))
    opt = OpenAIAdam(net.parameters(), lr=0.05, schedule=schedule, warmup=0.2, t_total=10, l2=0.01, max_grad_norm=0.1)
    x = torch.arange(12.0).view(4, 3) / 10
    for i in range(5):
        loss = (net(x) - 1).pow(2).mean()
        loss.backward()
        opt.step()
        opt.zero_grad()
        print(loss.item())
