# expect: equal
"""Early stopping that keeps and restores the best weights."""

import copy

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(4, 32)
        self.fc2 = nn.Linear(32, 1)

    def forward(self, x):
        return self.fc2(torch.relu(self.fc1(x)))


def main():
    torch.manual_seed(0)
    x, x_val = torch.randn(20, 4), torch.randn(20, 4)
    y, y_val = x[:, :1] + torch.randn(20, 1), x_val[:, :1] + torch.randn(20, 1)
    model = Net()
    criterion = nn.MSELoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.05)

    best_loss = float("inf")
    best_state = None
    patience, bad_epochs = 3, 0
    losses = []
    for epoch in range(40):
        model.train()
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()

        model.eval()
        with torch.no_grad():
            val_loss = criterion(model(x_val), y_val).item()
        losses.append(val_loss)
        if val_loss < best_loss:
            best_loss = val_loss
            best_state = copy.deepcopy(model.state_dict())
            bad_epochs = 0
        else:
            bad_epochs += 1
            if bad_epochs >= patience:
                print(f"stopping at epoch {epoch}")
                break
    model.load_state_dict(best_state)
    with torch.no_grad():
        print(f"restored: {criterion(model(x_val), y_val).item():.4f}, best: {best_loss:.4f}")
    return losses


if __name__ == "__main__":
    main()
