# also: nnx, linen
"""A test that turns gradients off, and tells what it does."""

import torch
from torch import nn
class D:
    def __repr__(self):
        return "data"
def train(net):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    loss = net(torch.ones(1, 2)).sum()
    loss.backward()
    opt.step()
def test(net):
    device = "cpu"
    torch.set_grad_enabled(False)

    # Dataset
    dataset = D()
    print(dataset)

    # Model
    print("Model:", 3)
    model = nn.Linear(2, 1)
    model.eval()
    for i in range(2):
        print(net(torch.ones(1, 2)).shape)
net = nn.Linear(2, 1)
train(net)
test(net)
