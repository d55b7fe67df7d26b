# also: nnx, linen
"""Gradients of tensors in scripts and functions: read before and behind the backward pass, beside optimizers, added up, cleared, renewed."""

import torch
import torch.nn as nn
from torch.autograd import Variable

tensor = torch.FloatTensor([[1, 2], [3, 4]])
variable = Variable(tensor, requires_grad=True)
t_out = torch.mean(tensor * tensor)
v_out = torch.mean(variable * variable)
print(t_out.item(), v_out.item())
v_out.backward()
print(variable.grad.tolist())
print(variable.data.numpy().tolist())

x = torch.tensor(1.0, requires_grad=True)
w = torch.tensor(2.0, requires_grad=True)
b = torch.tensor(3.0, requires_grad=True)
print(x.grad)
y = w * x + b
y.backward()
print(x.grad.item(), w.grad.item(), b.grad.item())

x = torch.linspace(0, 1, 6).view(2, 3)
linear = torch.nn.Linear(3, 2)
with torch.no_grad():
    linear.weight.fill_(0.3)
    linear.bias.fill_(0.3)
optimizer = torch.optim.SGD(linear.parameters(), lr=0.01)
pred = linear(x)
loss = torch.nn.MSELoss()(pred, torch.zeros(2, 2))
print("loss: ", round(loss.item(), 5))
loss.backward()
print([round(v, 4) for v in linear.weight.grad.flatten().tolist()])
optimizer.step()
print(round(torch.nn.MSELoss()(linear(x), torch.zeros(2, 2)).item(), 5))

a = torch.tensor([1.0, 2.0], requires_grad=True)
(a * a).sum().backward()
print(a.grad.tolist())
(a**3).sum().backward()
print(a.grad.tolist())


def twice(x):
    x = x.clone().requires_grad_()
    (x * x).sum().backward()
    first = x.grad.clone()
    (x**3).sum().backward()
    return first, x.grad


def cleared(x):
    x = x.clone().requires_grad_()
    (x * x).sum().backward()
    first = x.grad.clone()
    x.grad.zero_()
    (x**3).sum().backward()
    return first, x.grad


def renewed(x):
    a = x.clone().requires_grad_()
    (a * a).sum().backward()
    first = a.grad
    a = (x + 1).clone().requires_grad_()
    (a**3).sum().backward()
    return first, a.grad


x = torch.tensor([1.0, -2.0, 3.0])
for f in (twice, cleared, renewed):
    print([v.tolist() for v in f(x)])


def nets():
    out = []
    for i in range(2):
        net = nn.Linear(3, 1)
        with torch.no_grad():
            net.weight.fill_(0.5 + i)
            net.bias.fill_(0.1)
        net(x).pow(2).sum().backward()
        out.append([p.grad.tolist() for p in net.parameters()])
    return out


print(nets())


def each(models):
    out = []
    for net in models:
        net.zero_grad()
        net(x).pow(2).sum().backward()
        out.append(net.weight.grad.tolist())
    return out


def make():
    net = nn.Linear(3, 1)
    with torch.no_grad():
        net.weight.fill_(0.5)
        net.bias.fill_(0.1)
    return net


print(each([make(), make()]))
