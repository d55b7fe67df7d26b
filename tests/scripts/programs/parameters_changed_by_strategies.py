# also: nnx, linen
"""An object that changes the parameters of the model which it is given by its own steps, as evolution strategies do."""
import copy
import numpy as np
import torch
import torch.nn as nn

torch.manual_seed(0)


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))

    def forward(self, x):
        return self.fc(x)


def reward(model):
    with torch.no_grad():
        x = torch.linspace(-1, 1, 12).view(4, 3)
        return -((model(x) - x.sum(1, keepdim=True)) ** 2).mean().item()


class ES:
    def __init__(self, model, n=6, sigma=0.1, lr=0.05):
        self.model = model
        self.n, self.sigma, self.lr = n, sigma, lr
        self.rng = np.random.RandomState(1)

    def perturb(self, noises, sign):
        new_model = copy.deepcopy(self.model)
        for p, eps in zip(new_model.parameters(), noises):
            p.data += sign * self.sigma * eps
        return new_model

    def step(self):
        rewards, seeds = [], []
        for i in range(self.n):
            noises = [torch.from_numpy(self.rng.randn(*p.shape)).float() for p in self.model.parameters()]
            seeds.append(noises)
            rewards.append((reward(self.perturb(noises, 1)), reward(self.perturb(noises, -1))))
        scale = np.std([r for pair in rewards for r in pair]) + 1e-8
        for idx, p in enumerate(self.model.parameters()):
            update = torch.zeros_like(p.data)
            for (rp, rm), noises in zip(rewards, seeds):
                update += (rp - rm) / scale * noises[idx]
            p.data.add_(self.lr / (2 * self.n * self.sigma) * update)
        return reward(self.model)


model = Policy()
for i, p in enumerate(model.parameters()):
    p.data.fill_(0.1 * (i + 1))
es = ES(model)
for i in range(4):
    print(es.step())

params = torch.nn.utils.parameters_to_vector(model.parameters())
best, best_r = params.clone(), reward(model)
for i in range(5):
    cand = best + 0.05 * torch.from_numpy(es.rng.randn(params.numel())).float()
    torch.nn.utils.vector_to_parameters(cand, model.parameters())
    r = reward(model)
    if r > best_r:
        best, best_r = cand, r
print(best_r)
