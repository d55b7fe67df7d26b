# also: nnx, linen
"""An optimizer over a model and a part of another one, beside one of the model's own: what the loss does not reach stays."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 6)
        self.actor = nn.Linear(6, 2)
        self.critic = nn.Linear(6, 1)

    def forward(self, x):
        h = torch.tanh(self.body(x))
        return self.actor(h), self.critic(h)


class Novelty(nn.Module):
    def __init__(self):
        super().__init__()
        self.predictor = nn.Sequential(nn.Linear(4, 5), nn.ReLU(), nn.Linear(5, 3))
        self.target = nn.Sequential(nn.Linear(4, 5), nn.ReLU(), nn.Linear(5, 3))

    def forward(self, x):
        return self.predictor(x), self.target(x)


def fill(model, start):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) * 0.9 + i + start).reshape(p.shape) * 0.4)


def pretrain(model, optimizer, x, y):
    logits, _ = model(x)
    loss = F.cross_entropy(logits, y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


policy, novelty = Policy(), Novelty()
fill(policy, 0)
fill(novelty, 1)
opt = torch.optim.Adam(list(policy.parameters()) + list(novelty.predictor.parameters()), lr=0.01)
opt_policy = torch.optim.AdamW(policy.parameters(), lr=0.05)
for step in range(4):
    x = torch.sin(torch.arange(12.0) + step).view(3, 4)
    y = torch.tensor([0, 1, 0])
    print(pretrain(policy, opt_policy, x, y))
    logits, value = policy(x)
    predicted, aim = novelty(x)
    loss = F.cross_entropy(logits, y) + value.pow(2).mean() + F.mse_loss(predicted, aim.detach())
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(step, loss.item())
print([p.sum().item() for p in policy.parameters()], [p.sum().item() for p in novelty.parameters()])
