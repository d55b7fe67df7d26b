# also: nnx
"""Gradients of some of what one optimizer trains are clipped or scaled, each in the ways that people write."""

import torch
import torch.nn as nn


def fill(net):
    for i, p in enumerate(net.parameters()):
        p.data.copy_(torch.cos(torch.arange(p.numel()).float() + i).view(p.shape) * 0.3)


actor, critic, shared = nn.Linear(4, 2), nn.Linear(4, 1), nn.Linear(3, 4)
fill(actor)
fill(critic)
fill(shared)
params = list(actor.parameters()) + list(critic.parameters()) + list(shared.parameters())
optimizer = torch.optim.Adam(params, lr=0.1)


def loss_of(step):
    hidden = torch.relu(shared(torch.ones(2, 3) + step))
    return actor(hidden).pow(2).mean() + critic(hidden).abs().mean()


def train(step, scale):
    loss = loss_of(step)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(actor.parameters(), 0.5)
    norm = nn.utils.clip_grad_norm_(critic.parameters(), 0.1)
    for p in shared.parameters():
        p.grad.data = scale * p.grad.data
    optimizer.step()
    return loss.item(), norm.item()


for step in range(3):
    print(*train(step, 0.5))

sgd = torch.optim.SGD(params, lr=0.1)
for step in range(3):
    sgd.zero_grad()
    loss = loss_of(step)
    loss.backward()
    nn.utils.clip_grad_value_(list(actor.parameters()) + list(shared.parameters()), 0.01)
    for p in critic.parameters():
        p.grad = p.grad / (step + 1)
    for p in critic.parameters():
        if p.grad is not None:
            p.grad.mul_(2)
    for p in actor.parameters():
        p.grad *= 3
    for p in shared.parameters():
        p.grad.data.clamp_(-0.005, 0.005)
    sgd.step()
    print(loss.item())
print(sum(p.sum().item() for net in (actor, critic, shared) for p in net.parameters()))
