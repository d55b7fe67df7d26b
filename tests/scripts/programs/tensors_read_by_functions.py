# also: nnx, linen
"""Tensors that the program changes by itself, with gradients of what functions compute that read them from around."""

import torch
from torch import nn

w = torch.tensor(0.5, requires_grad=True)
X = torch.tensor([1.0, 2.0, 3.0])
Y = 2 * X


def forward(x):
    return w * x


def loss(y, predicted):
    return ((predicted - y) ** 2).mean()


for epoch in range(5):
    predicted = forward(X)
    l = loss(Y, predicted)
    l.backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
    w.grad.zero_()
    if epoch % 2 == 0:
        print(f"epoch {epoch}: w = {w.item():.3f}, loss = {l.item():.3f}")
print(f"after training: {forward(5.0).item():.3f}")

w1 = torch.tensor([1.0], requires_grad=True)
w2 = torch.tensor([1.0], requires_grad=True)
b = torch.tensor([0.1], requires_grad=True)


def quadratic(x):
    return x * x * w2 + x * w1 + b


def squared(x, y):
    error = quadratic(x) - y
    return error * error


print("before", quadratic(4.0).item())
for epoch in range(3):
    for x_val, y_val in zip([1.0, 2.0, 3.0], [2.0, 4.0, 6.0]):
        cost = squared(x_val, y_val)
        cost.backward()
        print("  grad", x_val, y_val, w1.grad.data[0].item(), w2.grad.item(), b.grad.item())
        w1.data = w1.data - 0.01 * w1.grad.data
        w2.data = w2.data - 0.01 * w2.grad.data
        b.data = b.data - 0.01 * b.grad.data
        w1.grad.data.zero_()
        w2.grad.data.zero_()
        b.grad.data.zero_()
    print(epoch, cost.item())
print("after", quadratic(4.0).item())


def regression(steps=4):
    weight = torch.zeros(2, 1, requires_grad=True)
    bias = torch.zeros(1, requires_grad=True)
    inputs = torch.linspace(-1, 1, 8).view(4, 2)
    targets = inputs.sum(1, keepdim=True) + 0.5

    def model(x):
        return x @ weight + bias

    def objective(x, y):
        return nn.functional.mse_loss(model(x), y)

    for _ in range(steps):
        value = objective(inputs, targets)
        value.backward()
        with torch.no_grad():
            weight -= 0.1 * weight.grad
            bias -= 0.1 * bias.grad
            weight.grad.zero_()
            bias.grad.zero_()
        print(value.item(), weight.sum().item(), bias.item())


def fitted(steps=4):
    rate = torch.tensor([0.3], requires_grad=True)
    optimizer = torch.optim.SGD([rate], lr=0.1)

    def model(t):
        return torch.exp(-rate * t)

    times = torch.linspace(0, 2, 5)
    seen = torch.exp(-0.7 * times)
    for _ in range(steps):
        value = (model(times) - seen).pow(2).sum()
        optimizer.zero_grad()
        value.backward()
        optimizer.step()
        print(value.item(), rate.item())


regression()
fitted()
