"""`backward()` is told with which gradient to begin."""

import torch
import torch.nn as nn

a = torch.tensor([2.0, 3.0], requires_grad=True)
b = torch.tensor([6.0, 4.0], requires_grad=True)
q = 3 * a**3 - b**2
external = torch.tensor([1.0, 0.5])
q.backward(gradient=external)
print(a.grad.tolist(), b.grad.tolist())

critic = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
maker = nn.Linear(2, 3)


def fill(m):
    with torch.no_grad():
        for p in m.parameters():
            p.copy_(torch.linspace(-0.5, 0.7, p.numel()).view_as(p))


fill(critic)
fill(maker)
optimizer = torch.optim.Adam(critic.parameters(), lr=0.05)
maker_optimizer = torch.optim.RMSprop(maker.parameters(), lr=0.05)
one = torch.tensor(1.0)
minus = one * -1
real = torch.linspace(-1, 1, 12).view(4, 3)
noise = torch.linspace(1, -1, 8).view(4, 2)
for _ in range(3):
    optimizer.zero_grad()
    real_score = critic(real).mean()
    real_score.backward(minus)
    fake_score = critic(maker(noise).detach()).mean()
    fake_score.backward(one)
    optimizer.step()
    maker_optimizer.zero_grad()
    score = critic(maker(noise)).mean()
    score.backward(minus)
    maker_optimizer.step()
    print(round(real_score.item(), 3), round(fake_score.item(), 3), round(score.item(), 3))


def weights_of(scores):
    return scores.detach().abs() + 0.1


for _ in range(3):
    scores = critic(real)
    weight = weights_of(scores)
    optimizer.zero_grad()
    scores.backward(weight, retain_graph=False)
    optimizer.step()
    print([round(v, 3) for v in scores.flatten().tolist()])

for _ in range(2):
    out = critic(real)
    optimizer.zero_grad()
    out.backward(torch.ones_like(out), create_graph=False)
    optimizer.step()
    print(round(out.sum().item(), 3))

for _ in range(2):
    out = critic(real).pow(2)
    loss = out.sum()
    optimizer.zero_grad()
    loss.backward(None)
    optimizer.step()
    print(round(loss.item(), 3))
