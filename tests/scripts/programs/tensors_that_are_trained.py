# also: nnx, linen
"""Tensors that stand by themselves and are trained: alone, beside a model, in groups, in fields, in functions."""

import torch
from torch import nn

x = torch.linspace(-1, 1, 20).reshape(10, 2)
y = x[:, 0] * 2 - x[:, 1] + 0.5
w = torch.tensor([0.1, 0.2], requires_grad=True)
b = nn.Parameter(torch.zeros(1))
opt = torch.optim.SGD([w, b], lr=0.1)
for i in range(4):
    opt.zero_grad()
    loss = ((x @ w + b - y) ** 2).mean()
    loss.backward()
    opt.step()
    print(loss.item(), w[0].item(), b.item())

net = nn.Linear(2, 1)
with torch.no_grad():
    net.weight.copy_(torch.tensor([[0.3, -0.2]]))
    net.bias.fill_(0.1)
scale = torch.ones((), requires_grad=True)
shift = torch.zeros(())
shift.requires_grad_(True)
both = torch.optim.SGD([{"params": net.parameters(), "lr": 0.05}, {"params": [scale, shift], "momentum": 0.9}], lr=0.02)


def predict(x):
    return net(x).squeeze(1) * scale + shift


for i in range(4):
    both.zero_grad()
    loss = nn.functional.mse_loss(predict(x), y)
    loss.backward()
    both.step()
    print(loss.item(), scale.item(), shift.item(), net.weight.sum().item())


class Agent:
    def __init__(self, learns):
        self.alpha = 1.0
        if learns:
            self.log_alpha = torch.zeros(1, requires_grad=True)
            self.opt = torch.optim.Adam([self.log_alpha], lr=0.1)

    def update(self, entropy):
        loss = -(self.log_alpha * (entropy - 1.0).detach()).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.alpha = self.log_alpha.exp().item()
        return loss.item()


agent = Agent(True)
for i in range(3):
    print(agent.update(y.mean() * i), agent.alpha, agent.log_alpha.item())


def factors(ratings, steps):
    rows = torch.linspace(-1, 1, 6).reshape(3, 2).clone().requires_grad_()
    columns = (torch.linspace(-1, 1, 8).reshape(4, 2) * 0.5).requires_grad_(True)
    opt = torch.optim.Adam([rows, columns], lr=0.1)
    for i in range(steps):
        loss = torch.sum((rows @ columns.T - ratings) ** 2)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_([rows, columns], 5.0)
        opt.step()
        rows.data.clamp_(-1.2, 1.2)
        print(loss.item())
    return rows, columns


rows, columns = factors(torch.linspace(1, 5, 12).reshape(3, 4), 4)
print(rows.sum().item(), columns.shape, columns.sum().item())
