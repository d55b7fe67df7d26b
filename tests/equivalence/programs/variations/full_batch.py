# expect: equal
"""Tensors made once are used in every step and after training."""

import torch
import torch.nn as nn


class LinearModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(3, 1))
        self.bias = nn.Parameter(torch.zeros(1))

    def forward(self, x):
        return x @ self.weight + self.bias


def fit(model, x, y, lr, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    for _ in range(epochs):
        prediction = model(x)
        loss = ((prediction - y) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss.item()


def main():
    torch.manual_seed(0)
    x = torch.randn(50, 3)
    true_weight = torch.tensor([[2.0], [-1.0], [0.5]])
    y = x @ true_weight + 0.3
    model = LinearModel()
    final = fit(model, x, y, 0.1, 25)
    print(f"loss {final:.5f}")
    print("weight", model.weight.data.flatten().tolist())
    print("bias", model.bias.item())
    residual = (model(x) - y).abs().max().item()
    print(f"largest residual {residual:.4f}, mean of x {x.mean().item():.4f}")
    return [final, residual]


if __name__ == "__main__":
    main()
