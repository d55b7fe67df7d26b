import torch
import torch.nn.functional as F
from torch import nn


class Judge(nn.Module):
    def __init__(self, n, device):
        super(Judge, self).__init__()
        self.device = device
        self.trunk = nn.Sequential(nn.Linear(n, 4), nn.Tanh(), nn.Linear(4, 1)).to(device)
        self.trunk.train()
        self.norm = nn.BatchNorm1d(n, affine=False)
        self.optimizer = torch.optim.Adam(self.trunk.parameters(), lr=0.05)
        self.count = 0
        self.returns = None

    def penalty(self, x, y, weight=0.1):
        mixed = 0.3 * x + 0.7 * y
        mixed.requires_grad = True
        out = self.trunk(mixed)
        (grad,) = torch.autograd.grad(
            outputs=out, inputs=mixed, grad_outputs=torch.ones(out.size()), create_graph=True, retain_graph=True
        )
        return weight * (grad.norm(2, dim=1) - 1).pow(2).mean()

    def update(self, pairs):
        self.train()
        total = 0
        for x, y in pairs:
            x = self.norm(x)
            real = self.trunk(x)
            made = self.trunk(y.to(self.device))
            loss = F.binary_cross_entropy_with_logits(real, torch.ones(real.size()))
            loss = loss + F.binary_cross_entropy_with_logits(made, torch.zeros(made.size()))
            penalty = self.penalty(x, y)
            total += (loss + penalty).item()
            self.optimizer.zero_grad()
            (loss + penalty).backward()
            self.optimizer.step()
            self.count += 1
        return total

    def predict(self, x):
        with torch.no_grad():
            self.eval()
            x = self.norm(x)
            reward = torch.sigmoid(self.trunk(x)).log()
            if self.returns is None:
                self.returns = reward.clone()
            self.returns = self.returns * 0.9 + reward
            return reward
