# expect: T2J200
"""LBFGS evaluates a closure that does not stand beside its step."""

import torch
import torch.nn as nn


def advance(optimizer, closure):
    return optimizer.step(closure)


def main():
    torch.manual_seed(0)
    x = torch.randn(32, 4)
    y = x.sum(dim=1, keepdim=True)
    model = nn.Linear(4, 1)
    optimizer = torch.optim.LBFGS(model.parameters(), lr=0.5)  # T2J200

    def closure():
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        return loss

    for step in range(5):
        loss = advance(optimizer, closure)
        print(loss.item())


if __name__ == "__main__":
    main()
