# also: nnx
import torch
import torch.nn as nn
import torch.nn.functional as F


def fill(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.linspace(-0.5, 0.6, p.numel()).reshape(p.shape) * (1 + 0.1 * i))


class Net(nn.Module):
    def __init__(self, i=4, o=3):
        super().__init__()
        self.body = nn.Linear(i, 5)
        self.head = nn.Linear(5, o)

    def forward(self, x):
        return self.head(torch.tanh(self.body(x)))


net = Net()
fill(net)
X = torch.linspace(0, 1, 16).reshape(4, 4)
y = torch.tensor([0, 1, 2, 1])


def jacobian(model, x):
    x = x.clone().detach().requires_grad_(True)
    out = model(x)
    rows = []
    for i in range(out.shape[1]):
        if x.grad is not None:
            x.grad.zero_()
        out[0][i].backward(retain_graph=True)
        rows.append(x.grad.clone())
    return torch.stack(rows)


def jac2(model, x, n):
    x = x.clone().requires_grad_()
    out = model(x)
    g = []
    for i in range(n):
        grads = torch.autograd.grad(out[0, i], x, retain_graph=True)[0]
        g.append(grads)
    return torch.stack(g)


def f(x, mode):
    x = x.clone().detach()
    x.requires_grad = True
    out = net(x)
    if mode == "a":
        loss = F.cross_entropy(out, y)
        loss.backward()
    else:
        out[0, 1].backward()
    g = x.grad
    x.grad = None
    net(x * 0.5).sum().backward()
    return g.abs().sum().item(), x.grad.abs().sum().item()


def weighted(x, weights):
    x = x.clone().requires_grad_()
    out = net(x).tanh()
    shown = out.argmax(1)
    total = torch.zeros_like(x)
    for i, weight in enumerate(weights):
        with torch.enable_grad():
            part = out[:, i] * weight
            total += torch.autograd.grad(part, x, torch.ones_like(part) * 0.5, retain_graph=True)[0]
    return total.sum().item(), shown.tolist()


def whole(x, n):
    x = x.clone().requires_grad_()
    out = net(x).tanh()
    for i in range(n):
        if i == 1:
            return torch.autograd.grad(out, x, torch.ones_like(out) * i)[0].sum().item()
    return None


print(jacobian(net, X[:1]).flatten().tolist())
print(jac2(net, X[:1], 3).flatten().tolist())
print(f(X, "a"), f(X, "b"))
print(weighted(X, [1.0, 2.0, 0.5]), whole(X, 3))
