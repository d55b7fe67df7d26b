# expect: equal
"""The whole step stands in a block that enables gradients."""

import torch
import torch.nn as nn


def main():
    torch.manual_seed(0)
    x = torch.randn(16, 5)
    y = (x[:, 0] > 0).long()
    model = nn.Sequential(nn.Linear(5, 8), nn.ReLU(), nn.Linear(8, 2))
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    losses = []
    for epoch in range(5):
        with torch.set_grad_enabled(True):
            optimizer.zero_grad()
            outputs = model(x)
            loss = criterion(outputs, y)
            loss.backward()
            optimizer.step()
        losses.append(loss.item())
    print(losses)
    return losses


if __name__ == "__main__":
    main()
