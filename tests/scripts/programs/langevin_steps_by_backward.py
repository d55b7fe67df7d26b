# also: nnx, linen
"""Langevin steps by `backward()`: gradients that are changed in place, and data of leaves that change between passes."""

import torch
import torch.nn as nn

class Energy(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, 8), nn.SiLU(), nn.Linear(8, 1))
    def forward(self, x):
        return self.net(x).squeeze(-1)

def fill(m):
    with torch.no_grad():
        for i, p in enumerate(m.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel()).float() + i).view(p.shape) * 0.5)

def sgld(energy, x, n=3, lr=0.1):
    x = x.clone().detach().requires_grad_(True)
    for _ in range(n):
        if x.grad is not None:
            x.grad.zero_()
        e = energy(x).sum()
        e.backward()
        with torch.no_grad():
            x -= lr * x.grad
            x += 0.001
    return x.detach()

def sgld2(energy, x, n=3, lr=0.1):
    x = x.clone().detach().requires_grad_(True)
    for _ in range(n):
        energy(x).sum().backward()
        with torch.no_grad():
            x.add_(x.grad, alpha=-lr)
            x.grad.zero_()
    return x.detach()

def sgld3(energy, x, n=3, lr=0.1):
    x = x.clone().detach().requires_grad_(True)
    opt = torch.optim.SGD([x], lr=lr)
    for _ in range(n):
        opt.zero_grad()
        energy(x).sum().backward()
        opt.step()
    return x.detach()

def langevin(model, x, steps=5, step_size=0.1):
    is_training = model.training
    model.eval()
    for p in model.parameters():
        p.requires_grad = False
    x.requires_grad = True
    for _ in range(steps):
        out_img = model(x)
        out_img.sum().backward()
        x.grad.data.clamp_(-0.03, 0.03)
        x.data.add_(-step_size * x.grad.data)
        x.grad.detach_()
        x.grad.zero_()
        x.data.clamp_(min=-1.0, max=1.0)
    for p in model.parameters():
        p.requires_grad = True
    model.train(is_training)
    return x.detach()

def walk2(model, x, n=3):
    x.requires_grad = True
    kept = []
    for _ in range(n):
        model(x).sum().backward()
        g = x.grad.clone()
        kept.append(g)
        x.grad.clamp_(-0.03, 0.03)
        x.data.add_(-0.5 * x.grad)
        x.grad = None
    print([k.sum().item() for k in kept])
    return x.detach()

model = Energy()
fill(model)
opt = torch.optim.Adam(model.parameters(), lr=0.01)
real = torch.linspace(-1, 1, 8).view(4, 2)
for it in range(3):
    fake = langevin(model, torch.linspace(-0.5, 0.5, 8).view(4, 2))
    opt.zero_grad()
    e_real, e_fake = model(real), model(fake)
    loss = (e_real - e_fake).mean() + 0.1 * (e_real**2 + e_fake**2).mean()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm=0.1)
    opt.step()
    print(it, loss.item(), fake.sum().item())
for f in (sgld, sgld2):
    print(f(model, real).sum().item(), real.sum().item())
print(sgld3(model, real).sum().item())
start = torch.linspace(0, 1, 8).view(4, 2)
print(walk2(model, start).sum().item(), start.sum().item())
