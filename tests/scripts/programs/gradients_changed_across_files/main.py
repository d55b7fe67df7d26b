# also: nnx, linen
import gradients
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from gradients import clip_gradient, mean_of


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(4, 5)
        self.unused = nn.Linear(4, 2)
        self.out = nn.Linear(5, 3)

    def forward(self, x):
        return self.out(torch.tanh(self.hidden(x)))


def filled(model):
    rng = np.random.RandomState(0)
    for p in model.parameters():
        p.data = torch.from_numpy(rng.randn(*p.shape).astype(np.float32) * 0.5)
    return model


rng = np.random.RandomState(1)
x = torch.from_numpy(rng.randn(8, 4).astype(np.float32))
y = torch.from_numpy(rng.randint(0, 3, 8))


def train(model, optimizer, limit):
    norms = []
    for _ in range(3):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        norms.append(gradients.clip_grad_value_(model.parameters(), None))
        clip_gradient(optimizer, limit)
        norms.append(gradients.grad_norm(model))
        optimizer.step()
    print([round(norm, 5) for norm in norms], round(mean_of(norms), 5), round(loss.item(), 5))


model = filled(Net())
train(model, torch.optim.Adam(model.parameters(), lr=0.1), 0.05)
print([round(p.sum().item(), 5) for p in model.parameters()])

plain = filled(nn.Sequential(nn.Linear(4, 5), nn.Tanh(), nn.Linear(5, 3)))
optimizer = torch.optim.SGD(plain.parameters(), lr=0.1)
for _ in range(3):
    optimizer.zero_grad()
    loss = F.cross_entropy(plain(x), y)
    loss.backward()
    norm = gradients.clip_grad_value_(plain.parameters(), 0.1)
    if norm > 0.5:
        print("large", round(norm, 5), round(gradients.clip_grad_value_(plain.parameters(), None), 5))
    optimizer.step()
print([round(p.sum().item(), 5) for p in plain.parameters()])
