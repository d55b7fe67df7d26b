# expect: equal
"""A network that solves u'' = -u: derivatives of the network stand in its loss."""

import torch
import torch.nn as nn


class Field(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(1, 16)
        self.out = nn.Linear(16, 1)

    def forward(self, x):
        return self.out(torch.tanh(self.hidden(x)))


def residual(net, x):
    u = net(x)
    u_x = torch.autograd.grad(u, x, grad_outputs=torch.ones_like(u), create_graph=True)[0]
    u_xx = torch.autograd.grad(u_x, x, grad_outputs=torch.ones_like(u_x), create_graph=True)[0]
    return u_xx + u


def main():
    torch.manual_seed(0)
    net = Field()
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)
    points = torch.linspace(0, 3, 20).reshape(-1, 1)
    for step in range(8):
        x = points.clone().requires_grad_(True)
        optimizer.zero_grad()
        loss = (residual(net, x) ** 2).mean() + (net(points[:1]) ** 2).mean()
        loss.backward()
        optimizer.step()
        print(f"{step} {loss.item():.4f}")


if __name__ == "__main__":
    main()
