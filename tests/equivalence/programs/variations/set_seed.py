# expect: equal
"""A helper sets all seeds; a second training starts from a new model."""

import random

import numpy as np
import torch
import torch.nn as nn


def set_seed(seed):
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)
    if torch.cuda.is_available():
        torch.cuda.manual_seed_all(seed)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 1)
        self.drop = nn.Dropout(0.1)

    def forward(self, x):
        return self.fc(self.drop(x))


def main():
    set_seed(42)
    x = torch.randn(20, 4)
    y = torch.from_numpy(np.random.randn(20, 1).astype(np.float32))
    model = Net()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
    losses = []
    for step in range(10):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    print(f"{losses[-1]:.4f}", random.randint(0, 100))
    return losses


if __name__ == "__main__":
    main()
