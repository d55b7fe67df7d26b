# also: nnx
"""Operations with their factors among the operands, as older versions of torch have them, and losses by their old names."""

import torch
from torch import nn

x = torch.arange(12.0).reshape(3, 4) / 7
a = torch.ones(3, 3) * 0.3
z = torch.zeros(3, 4)
z.add_(0.5, x)
z.sub_(0.1, x)
z.addcmul_(0.9, x, x)
z.addcdiv_(-0.1, x, x + 1)
print(z.sum().item())
print(torch.add(x, 2, x).sum().item(), torch.sub(x, 3, x).sum().item())
print(x.add(2, x).sum().item(), x.sub(2, x + 1).sum().item())
print(torch.addmm(0.5, a, 2.0, x, x.t()).sum().item(), torch.addmm(0.5, a, x, x.t()).sum().item())
print(a.addmm(0.5, 2.0, x, x.t()).sum().item(), a.addmm(0.5, x, x.t()).sum().item())
print(torch.addcmul(x, 0.3, x, x).sum().item(), torch.addcdiv(x, 0.3, x, x + 1).sum().item())
b = a[None]
print(torch.baddbmm(1, b, 2, b, b).sum().item(), b.baddbmm(3, b, b).sum().item())
print(torch.addmv(2, x[:, 0], 3, a, x[:, 1]).sum().item(), torch.addr(2, a, 3, x[:, 0], x[:, 1]).sum().item())
print(torch.addbmm(2, a, 3, b, b).sum().item())

# Adam by hand, as optimizers of users wrote it
weight = torch.ones(3, 4)
state = {"exp_avg": torch.zeros(3, 4), "exp_avg_sq": torch.zeros(3, 4)}
beta1, beta2, step_size = 0.9, 0.99, 0.1
for step in range(3):
    grad = weight * 0.3 + x
    exp_avg, exp_avg_sq = state["exp_avg"], state["exp_avg_sq"]
    exp_avg.mul_(beta1).add_(1 - beta1, grad)
    exp_avg_sq.mul_(beta2).addcmul_(1 - beta2, grad, grad)
    denom = exp_avg_sq.sqrt().add_(1e-8)
    weight.addcdiv_(-step_size, exp_avg, denom)
print(weight.sum().item(), state["exp_avg_sq"].sum().item())

criterion = nn.NLLLoss2d()
scores = torch.log_softmax(torch.arange(24.0).reshape(1, 3, 2, 4) / 5, dim=1)
print(criterion(scores, torch.tensor([[[0, 1, 2, 0], [1, 1, 0, 2]]])).item())
