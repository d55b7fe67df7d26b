# expect: equal
"""Two models with an optimizer each are trained in one loop."""

import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim


class Net(nn.Module):
    def __init__(self, d_in=4, hidden=8, d_out=3):
        super().__init__()
        self.base = nn.Linear(d_in, hidden)
        self.head = nn.Linear(hidden, d_out)

    def forward(self, x):
        return self.head(torch.tanh(self.base(x)))


def main():
    torch.manual_seed(0)
    x = torch.randn(32, 4)
    y = torch.randint(0, 3, (32,))
    a, b = Net(), Net()
    opt_a = optim.SGD(a.parameters(), lr=0.3)
    opt_b = optim.Adam(b.parameters(), lr=0.01)
    losses = []
    for step in range(6):
        opt_a.zero_grad()
        loss_a = F.cross_entropy(a(x), y)
        loss_a.backward()
        opt_a.step()
        opt_b.zero_grad()
        loss_b = F.mse_loss(b(x), a(x).detach())
        loss_b.backward()
        opt_b.step()
        losses.append(loss_a.item() + loss_b.item())
    print(F.cross_entropy(b(x), y).item())
    return losses


if __name__ == "__main__":
    main()
