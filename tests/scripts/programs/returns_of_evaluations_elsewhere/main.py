# also: nnx, linen
# What another file measures of a model scales the loss of others: it has no graph.
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from evaluation import Env, evaluate


class QNetwork(nn.Module):
    def __init__(self):
        super().__init__()
        self.network = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))

    def forward(self, x):
        return self.network(x)


def fill(net, scale):
    with torch.no_grad():
        for p in net.parameters():
            p.copy_(scale * torch.cos(0.7 * torch.arange(float(p.numel()))).reshape(p.shape))
    return net


teacher, student = fill(QNetwork(), 0.5), fill(QNetwork(), 0.3)
optimizer = torch.optim.Adam(student.parameters(), lr=0.05)
teacher_returns = evaluate(teacher, Env, 2)
for step in range(4):
    x = torch.sin(torch.arange(24.0) + step).reshape(6, 4)
    if step % 2 == 0:
        coefficient = max(1.5 - np.mean(evaluate(student, Env, 1)) / np.mean(teacher_returns), 0.0)
    loss = F.mse_loss(student(x), torch.ones(6, 2)) + coefficient * F.mse_loss(student(x), teacher(x).detach())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, float(coefficient), loss.item())
