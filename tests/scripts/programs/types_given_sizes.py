# also: nnx
"""Types of tensors that are called with the sizes of other tensors, one by one."""

import torch


def perturbed(x, epsilon):
    noise = torch.FloatTensor(*x.shape).uniform_(-epsilon, epsilon)
    return bool(((x + noise - x).abs() <= epsilon + 1e-6).all()), noise.shape


x = torch.linspace(-1, 1, 6).reshape(2, 3)
print(perturbed(x, 0.3))
print(torch.FloatTensor(*x.size()).fill_(2.0).tolist(), torch.Tensor(*(2, 2)).fill_(1).tolist())
sizes = [3, 1]
print(torch.LongTensor(*sizes).zero_().tolist(), torch.cuda.FloatTensor(*sizes).fill_(1).shape if x.is_cuda else None)
