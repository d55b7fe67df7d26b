# expect: equal
"""A float buffer takes part in the forward pass but is neither trained nor decayed."""

import torch
import torch.nn as nn


class Scaled(nn.Module):
    def __init__(self, mean, std):
        super().__init__()
        self.register_buffer("mean", torch.tensor(mean))
        self.register_buffer("std", torch.tensor(std))
        self.fc = nn.Linear(2, 8)
        self.out = nn.Linear(8, 1)

    def forward(self, x):
        x = (x - self.mean) / self.std
        return self.out(torch.tanh(self.fc(x)))


def main():
    torch.manual_seed(0)
    x = torch.randn(40, 2) * 5 + 10
    y = (x[:, :1] - 10) / 5
    model = Scaled([10.0, 10.0], [5.0, 5.0])
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.02, weight_decay=0.5)
    criterion = nn.MSELoss()
    losses = []
    for step in range(15):
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    print("mean buffer", model.mean.tolist())
    print("loss", losses[-1])
    return losses


if __name__ == "__main__":
    main()
