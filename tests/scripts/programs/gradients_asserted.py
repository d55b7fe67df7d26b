# also: nnx, linen
"""Assertions that nothing is differentiated by a tensor, which arrays know nothing of."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        self.mse = nn.MSELoss()
        with torch.no_grad():
            for i, p in enumerate(self.parameters()):
                p.copy_(torch.cos(torch.arange(p.numel()).float() + i).reshape(p.shape) * 0.3)

    def content(self, input, target):
        assert input.size() == target.size()
        assert (target.requires_grad is False)  # fmt: skip
        return self.mse(input, target)

    def style(self, input, target):
        assert not target.requires_grad, "the target is trained"
        return (input - target).abs().mean()

    def forward(self, x):
        y = self.fc(x)
        return self.content(y, x) + self.style(y, 2 * x)


net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.linspace(-1, 1, 6).reshape(2, 3)
for step in range(3):
    optimizer.zero_grad()
    loss = net(x)
    loss.backward()
    optimizer.step()
    print(step, f"{loss.item():.4f}")
