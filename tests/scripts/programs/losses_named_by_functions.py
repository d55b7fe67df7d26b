# also: nnx, linen
"""Losses of one element that functions compute, one of which is called `loss`, trained by hand and by optimizers."""

import torch
import torch.nn as nn

w = torch.tensor([1.0], requires_grad=True)


def forward(x, w):
    return x * w


def loss(y_pred, y_val):
    return (y_pred - y_val) ** 2


for x_val, y_val in zip([1.0, 2.0, 3.0], [2.0, 4.0, 6.0]):
    l = loss(forward(x_val, w), y_val)
    l.backward()
    print("grad:", x_val, y_val, w.grad.item())
    w.data = w.data - 0.01 * w.grad.item()
    w.grad.data.zero_()
    print(l.item(), forward(4, w).item())

net = nn.Linear(1, 1)
nn.init.constant_(net.weight, 0.5)
nn.init.constant_(net.bias, 0.1)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for x, y in [(1.0, 2.0), (2.0, 4.0), (3.0, 6.0)]:
    error = loss(net(torch.tensor([x])), torch.tensor([y]))
    opt.zero_grad()
    error.backward()
    opt.step()
    print(error.item(), error.shape)

for x, y in [(1.0, 2.0), (2.0, 4.0), (3.0, 6.0)]:  # a loss without a name
    pred = net(torch.tensor([[x]]))
    opt.zero_grad()
    loss(pred, torch.tensor([[y]])).mean().backward()
    opt.step()
    print(loss(pred, torch.tensor([[y]])).item(), pred.sum().item())

for x, y in [(1.0, 2.0), (2.0, 4.0), (3.0, 6.0)]:
    opt.zero_grad()
    loss(net(torch.tensor([[x]])), torch.tensor([[y]])).mean().backward()
    opt.step()
    print(net.weight.item())

criterion = nn.MSELoss()
for x, y in [(1.0, 2.0), (2.0, 4.0)]:
    opt.zero_grad()
    criterion(net(torch.tensor([[x]])), torch.tensor([[y]])).backward()
    opt.step()
    print(net.bias.item())
