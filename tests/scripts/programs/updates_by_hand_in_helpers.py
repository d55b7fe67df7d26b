# also: nnx
"""Functions that change tensors, or the parameters of a module, by their gradients; lists of parameters gone through by hand."""

import torch
import torch.nn as nn
import torch.nn.functional as F


def sgd(params, lr, batch_size):
    """One step of gradient descent."""
    with torch.no_grad():
        for param in params:
            param -= lr * param.grad / batch_size
            param.grad.zero_()


def descend(parameters, lr=0.1, decay=0.0):
    for p in parameters:
        if p.grad is None:
            continue
        p.data.add_(p.grad.data + decay * p.data, alpha=-lr)
        p.grad = None


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(3, 4)
        self.fc2 = nn.Linear(4, 1)
        for i, p in enumerate(self.parameters()):
            nn.init.constant_(p, 0.1 + 0.1 * i)

    def forward(self, x):
        return self.fc2(torch.tanh(self.fc1(x)))


class Wide(Net):
    def __init__(self):
        super().__init__()
        self.unused = nn.Linear(2, 2)
        nn.init.constant_(self.unused.weight, 0.5)
        nn.init.constant_(self.unused.bias, 0.5)


def linear(X, w, b):
    return torch.matmul(X, w) + b


features = torch.cos(torch.arange(40, dtype=torch.float32) * 0.37).reshape(20, 2)
labels = (features @ torch.tensor([2.0, -3.4]) + 4.2).reshape(-1, 1)
w = torch.full((2, 1), 0.01, requires_grad=True)
b = torch.zeros(1, requires_grad=True)
lr, net = 0.3, linear
for epoch in range(4):
    for start in range(0, 20, 5):
        X, y = features[start : start + 5], labels[start : start + 5]
        l = (net(X, w, b) - y) ** 2 / 2
        l.sum().backward()
        sgd([w, b], lr, len(X))
    with torch.no_grad():
        print(((net(features, w, b) - labels) ** 2).mean().item(), w[0].item(), b.item())

x = torch.linspace(-1, 1.5, 12).reshape(4, 3)
y = torch.sin(x[:, :1] * 3)
model = Net()
for epoch in range(4):
    loss = F.mse_loss(model(x), y)
    loss.backward()
    sgd(model.parameters(), lr, 1)
    print(loss.item())

other = Wide()
for epoch in range(4):
    loss = F.mse_loss(other(x), y)
    loss.backward()
    descend(other.parameters(), decay=0.1)
    print(loss.item())


def train(model, epochs):
    params = list(model.parameters())
    for epoch in range(epochs):
        loss = F.mse_loss(model(x), y)
        loss.backward()
        for p in params:
            if p.grad is not None:
                p.data -= 0.1 * p.grad
        model.zero_grad()
    return loss.item()


third = Wide()
print(train(third, 4), sum(p.sum().item() for p in third.parameters()))
