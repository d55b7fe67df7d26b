# also: nnx, linen
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


def filled(model):
    rng = np.random.RandomState(0)
    for p in model.parameters():
        p.data = torch.from_numpy(rng.randn(*p.shape).astype(np.float32) * 0.5)
    return model


rng = np.random.RandomState(1)
x = torch.from_numpy(rng.randn(8, 4).astype(np.float32))
y = torch.from_numpy(rng.randint(0, 3, 8))


# the norm, and values cut where there is a limit
def clip_grad_value_(parameters, clip_value, norm_type=2):
    if isinstance(parameters, torch.Tensor):
        parameters = [parameters]
    parameters = list(filter(lambda p: p.grad is not None, parameters))
    norm_type = float(norm_type)
    if clip_value is not None:
        clip_value = float(clip_value)

    total_norm = 0
    for p in parameters:
        param_norm = p.grad.data.norm(norm_type)
        total_norm += param_norm.item() ** norm_type
        if clip_value is not None:
            p.grad.data.clamp_(min=-clip_value, max=clip_value)
    return total_norm ** (1.0 / norm_type)


# norms alone, in a function of the gradients
def norm_of(parameters, norm_type=2):
    parameters = list(filter(lambda p: p.grad is not None, parameters))
    total = 0.0
    for p in parameters:
        total += p.grad.data.norm(norm_type).item() ** norm_type
    return total ** (1.0 / norm_type)


def scaled_to(parameters, most):
    parameters = [p for p in parameters if p.grad is not None]
    total = torch.norm(torch.stack([torch.norm(p.grad.detach(), 2) for p in parameters]), 2)
    factor = most / (total + 1e-6)
    if factor < 1:
        for p in parameters:
            p.grad.detach().mul_(factor)
    return total


model = filled(nn.Sequential(nn.Linear(4, 5), nn.Tanh(), nn.Linear(5, 3)))
optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
for _ in range(3):
    optimizer.zero_grad()
    loss = F.cross_entropy(model(x), y)
    loss.backward()
    before = clip_grad_value_(model.parameters(), None)
    largest = scaled_to(model.parameters(), 0.8)
    clip_grad_value_(list(model.parameters()), 0.1)
    after = norm_of(model.parameters())
    optimizer.step()
    print(round(loss.item(), 5), round(before, 5), round(largest.item(), 5), round(after, 5))

# in the step itself, through variables
chosen = [p for p in model.parameters() if p.requires_grad]
for step in range(3):
    optimizer.zero_grad()
    loss = F.cross_entropy(model(x), y)
    loss.backward()
    model_parameters = model.parameters()
    for p in model_parameters:
        p.grad.data.clamp_(-0.05, 0.05)
    trained = [p for p in model.parameters() if p.requires_grad and p.grad is not None]
    print(round(sum(p.grad.abs().sum() for p in trained).item(), 5))
    for p in trained:
        p.grad.mul_(0.5)
    for p in chosen:
        if p.grad is not None:
            g = p.grad.data
            g.clamp_(-0.04, 0.04)
    for i, p in enumerate(model.parameters()):
        nn.utils.clip_grad_norm_(p, 0.05 * (i + 1))
    for p in filter(lambda q: q.ndim > 1, model.parameters()):
        p.grad += 0.01 * p.data
    optimizer.step()
print([round(p.sum().item(), 5) for p in model.parameters()])
