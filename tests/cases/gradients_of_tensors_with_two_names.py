import torch


def connected(x, steps):
    x = x.clone().detach().requires_grad_()
    weight = x * 2
    for _ in range(steps):
        x.requires_grad = True
        cost = (x * weight).sum()
        grad = torch.autograd.grad(cost, x, retain_graph=True)[0]  # T2J200
        print(grad.sum().item())
    return x


def of_an_argument(x, steps):
    weight = x * 2
    for _ in range(steps):
        x.requires_grad = True
        cost = (x * weight).sum()
        grad = torch.autograd.grad(cost, x, retain_graph=True)[0]  # T2J200
        print(grad.sum().item())


connected(torch.ones(3), 2)
of_an_argument(torch.ones(3), 1)


def same_block(x0):
    x = x0.clone().detach()
    other = x
    x.requires_grad_()
    cost = (x * other).sum()
    return torch.autograd.grad(cost, x)[0]  # T2J200

def around(x0):
    x = x0.clone().detach()
    other = x
    for _ in range(1):
        x.requires_grad = True
        cost = (x * other).sum()
        grad = torch.autograd.grad(cost, x)[0]  # T2J200
    return grad

def ident(x):
    return x

def around2(x0):
    x = x0.clone().detach()
    other = ident(x)
    for _ in range(1):
        x.requires_grad = True
        cost = (x * other).sum()
        grad = torch.autograd.grad(cost, x)[0]  # T2J200
    return grad

def around3(x0, f):
    x = x0.clone().detach()
    other = f(x)
    for _ in range(1):
        x.requires_grad = True
        cost = (x * other).sum()
        grad = torch.autograd.grad(cost, x)[0]  # T2J200
    return grad

def block3(x0, f):
    x = x0.clone().detach()
    other = f(x)
    x.requires_grad = True
    cost = (x * other).sum()
    return torch.autograd.grad(cost, x)[0]  # T2J200

x = torch.arange(3.0)
print(same_block(x).tolist())
print(around(x).tolist())
print(around2(x).tolist())
print(around3(x, lambda x: x).tolist())
print(block3(x, lambda x: x).tolist())


def given(x, other):
    x.requires_grad_()
    cost = (x * other).sum()
    return torch.autograd.grad(cost, x)[0]  # T2J200

a = torch.arange(3.0)
print(given(a, a).tolist())


def local(x):
    def h(t):
        return (t * x).sum()

    x.requires_grad_()
    out = h(x)
    return torch.autograd.grad(out, x)[0]  # T2J200


def penalty(f, x):
    out = f(x)
    return torch.autograd.grad(out, x, torch.ones_like(out))[0]  # T2J200


leaf = torch.arange(1.0, 4.0).requires_grad_()
scaled = lambda t: t * leaf
print(local(torch.arange(1.0, 4.0)).tolist())
print(penalty(scaled, leaf).tolist())
