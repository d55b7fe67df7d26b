# flagged: T2J609
import torch
import torch.nn as nn


class Count(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(2, 2)
        self.register_buffer("seen", torch.zeros(()))

    def forward(self, x):
        self.seen += 1
        return torch.tanh(self.lin(x))


def heun(f, x, h):
    k = f(x)
    return x + h * (k + f(x + h * k)) / 2


def solve(f, x, method="heun", n=3):
    if method == "heun":
        step = heun
    else:
        step = lambda f, x, h: x + h * f(x)
    for _ in range(n):
        x = step(f, x, 0.1)
    return x


x = torch.cos(torch.arange(6.0)).view(3, 2)
net = Count()
print(solve(net, x).sum().item(), solve(net, x, "euler").sum().item(), net.seen.item())
