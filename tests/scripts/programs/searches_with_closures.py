# also: nnx
"""LBFGS, whose steps run closures several times: of tensors and of models, with line searches, counters and changes in closures."""

import torch
import torch.nn as nn
import torch.optim as optim
from torch.optim import LBFGS

w_true = torch.tensor([[1.5], [-2.0], [0.5]])
x = torch.cos(torch.arange(60, dtype=torch.float32) * 0.3).reshape(20, 3)
y = x @ w_true + 0.3
w = torch.zeros(3, 1, requires_grad=True)
b = torch.zeros(1, requires_grad=True)
opt = optim.LBFGS([w, b], lr=1, history_size=10, max_iter=4)
history = []
calls = 0


def closure():
    global calls
    if torch.is_grad_enabled():
        opt.zero_grad()
    loss = ((x @ w + b - y) ** 2).mean()
    if loss.requires_grad:
        loss.backward()
    calls += 1
    return loss


for i in range(4):
    loss = opt.step(closure)
    history.append(loss.item())
    print(i, round(history[-1], 4), calls)


def train(model, x, y, steps):
    optimizer = torch.optim.LBFGS(list(model.parameters()), lr=0.8)
    for step in range(steps):
        running = 0.0

        def closure():
            nonlocal running
            optimizer.zero_grad()
            output = model(x)
            loss = nn.functional.mse_loss(output, y)
            loss.backward()
            running += loss.item()
            return loss

        optimizer.step(closure)
        print(step, round(running, 4))
    return model


net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
for i, p in enumerate(net.parameters()):
    nn.init.constant_(p, 0.1 * (i + 1))
net = train(net, x, y, 3)
with torch.no_grad():
    print(round(net(x).sum().item(), 3))


target = torch.cos(torch.arange(16, dtype=torch.float32)).reshape(4, 4)
image = torch.sin(torch.arange(16, dtype=torch.float32)).reshape(4, 4).clone().requires_grad_(True)
search = LBFGS([image])
run = [0]
while run[0] <= 20:

    def evaluate():
        with torch.no_grad():
            image.clamp_(0, 1)
        search.zero_grad()
        loss = ((image - target) ** 2).sum() + 0.1 * (image**4).sum()
        loss.backward()
        run[0] += 1
        if run[0] % 10 == 0:
            print(run, round(loss.item(), 4))
        return loss

    search.step(evaluate)
print(round(image.sum().item(), 4))


class Fit:
    def __init__(self):
        self.net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
        for i, p in enumerate(self.net.parameters()):
            nn.init.constant_(p, 0.1 * (i + 1))
        self.optimizer = LBFGS(
            self.net.parameters(), lr=1.0, max_iter=12, max_eval=15, history_size=5, line_search_fn="strong_wolfe"
        )
        self.count = 0

    def loss_of(self):
        self.optimizer.zero_grad()
        loss = nn.functional.mse_loss(self.net(x), torch.sin(y))
        penalty = 1e-2 * (self.net[0].weight ** 2).sum()
        (loss + penalty).backward()
        self.count += 1
        if self.count % 5 == 0:
            print(self.count, round(loss.item(), 4))
        return loss + penalty

    def fit(self):
        self.net.train()
        self.optimizer.step(self.loss_of)


fit = Fit()
fit.fit()
fit.fit()
print(fit.count > 12, round(fit.net(x).sum().item(), 2))
