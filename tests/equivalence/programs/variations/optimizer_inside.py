# expect: equal
"""The train function makes its optimizer, and the caller uses the model afterwards."""

import torch
from torch import nn, optim


class Regressor(nn.Module):
    def __init__(self, hidden=16):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(3, hidden), nn.ReLU(), nn.Linear(hidden, 1))

    def forward(self, x):
        return self.layers(x).squeeze(-1)


def train(model, x, y, epochs=15, lr=0.05):
    optimizer = optim.SGD(model.parameters(), lr=lr, momentum=0.8)
    criterion = nn.MSELoss()
    losses = []
    for epoch in range(epochs):
        optimizer.zero_grad(set_to_none=True)
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def evaluate(model, x, y):
    model.eval()
    with torch.no_grad():
        return nn.functional.mse_loss(model(x), y).item()


def main():
    torch.manual_seed(0)
    x = torch.randn(40, 3)
    y = x @ torch.tensor([1.0, -2.0, 0.5])
    model = Regressor()
    print(f"before: {evaluate(model, x, y):.4f}")
    model.train()
    losses = train(model, x, y)
    print(f"after: {evaluate(model, x, y):.4f}")
    losses += train(model, x, y, epochs=5, lr=0.01)
    print(f"after more: {evaluate(model, x, y):.4f}")
    return losses


if __name__ == "__main__":
    main()
