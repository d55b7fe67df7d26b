# expect: equal
"""A network with a straight-through binarization and a reversed gradient, recomputed block by block."""

import torch
import torch.nn as nn
from torch.autograd import Function
from torch.utils.checkpoint import checkpoint


class Binarize(Function):
    @staticmethod
    def forward(ctx, x, bound):
        ctx.save_for_backward(x)
        ctx.bound = bound
        return torch.where(x > 0, 1.0, -1.0)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        grad_input = grad_output.clone()
        grad_input[x.abs() > ctx.bound] = 0
        return grad_input, None


class ReverseGradient(Function):
    @staticmethod
    def forward(ctx, x, alpha):
        ctx.alpha = alpha
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad_output):
        return -ctx.alpha * grad_output, None


binarize = Binarize.apply


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 16)
        self.second = nn.Linear(16, 8)
        self.head = nn.Linear(8, 2)
        self.other = nn.Linear(8, 2)

    def features(self, x):
        return torch.tanh(self.second(binarize(self.first(x), 0.8)))

    def forward(self, x, alpha):
        h = checkpoint(self.features, x, use_reentrant=False)
        return self.head(h), self.other(ReverseGradient.apply(h, alpha))


def main():
    torch.manual_seed(0)
    net = Net()
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    x = torch.linspace(-1, 1, 32).reshape(8, 4)
    y = torch.arange(8) % 2
    for epoch in range(6):
        alpha = 0.1 * epoch
        a, b = net(x, alpha)
        loss = criterion(a, y) + criterion(b, 1 - y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(f"{loss.item():.4f}")


if __name__ == "__main__":
    main()
