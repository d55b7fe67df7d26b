# expect: equal
"""Printing between backward() and step(), and gradients enabled explicitly."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)

    def forward(self, x):
        return self.fc(x)


def main():
    torch.manual_seed(0)
    x = torch.randn(16, 3)
    y = torch.randint(0, 2, (16,))
    model = Net()
    optimizer = torch.optim.RMSprop(model.parameters(), lr=0.01, alpha=0.9)
    loss_history = []
    for step in range(6):
        optimizer.zero_grad()
        output = model(x)
        loss = F.cross_entropy(output, y)
        loss.backward()
        print(f"{loss.item():.3f}")
        optimizer.step()
        loss_history.append(loss.item())
    return loss_history


if __name__ == "__main__":
    main()
