# also: nnx, linen
import torch
import torch.nn as nn
import torch.nn.functional as F


def flat_grad(y, params, retain_graph=False, create_graph=False):
    if create_graph:
        retain_graph = True
    grads = torch.autograd.grad(y, params, retain_graph=retain_graph, create_graph=create_graph)
    return torch.cat([g.reshape(-1) for g in grads])


def gradient_norm(loss, model):
    grads = torch.autograd.grad(loss, model.parameters(), create_graph=True)
    return torch.sqrt(sum((g**2).sum() for g in grads))


def product(net, x, y, v):
    loss = F.cross_entropy(net(x), y)
    grads = torch.autograd.grad(loss, net.parameters(), create_graph=True)
    flat = torch.cat([g.view(-1) for g in grads])
    second = torch.autograd.grad((flat * v).sum(), net.parameters())
    return torch.cat([g.contiguous().view(-1) for g in second])


net = nn.Sequential(nn.Linear(4, 6), nn.Tanh(), nn.Linear(6, 3))
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.copy_(torch.linspace(-0.5, 0.5 + i * 0.1, p.numel()).view(p.shape))
x = torch.linspace(-1, 1, 20).view(5, 4)
y = torch.tensor([0, 1, 2, 1, 0])
v = torch.linspace(-1, 1, sum(p.numel() for p in net.parameters()))
print(product(net, x, y, v).norm().item())

loss = F.cross_entropy(net(x), y)
g = flat_grad(loss, net.parameters(), create_graph=True)
print(flat_grad((g * v).sum(), net.parameters()).norm().item())

loss = F.cross_entropy(net(x), y)
grads = torch.autograd.grad(loss, net.parameters(), create_graph=True)
flat = torch.cat([g.reshape(-1) for g in grads])
rows = []
for k in range(3):
    row = torch.autograd.grad(flat[k], net.parameters(), retain_graph=True)
    rows.append(torch.cat([r.reshape(-1) for r in row]))
print(torch.stack(rows).norm().item())

opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    loss = F.cross_entropy(net(x), y)
    total = loss + 0.1 * gradient_norm(loss, net)
    opt.zero_grad()
    total.backward()
    opt.step()
    print(total.item())
