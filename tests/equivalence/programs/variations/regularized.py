# expect: equal
"""L1 and L2 terms over all parameters, and a frequent evaluation inside the loop."""

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(5, 10)
        self.fc2 = nn.Linear(10, 1)

    def forward(self, x):
        return self.fc2(torch.relu(self.fc1(x)))


def train(model, x, y, x_test, y_test, epochs, lam=1e-3):
    criterion = nn.MSELoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    train_losses, test_losses = [], []
    for epoch in range(epochs):
        model.train()
        optimizer.zero_grad()
        pred = model(x)
        loss = criterion(pred, y)
        l2 = sum(p.pow(2).sum() for p in model.parameters())
        loss = loss + lam * l2
        loss.backward()
        optimizer.step()
        model.eval()
        with torch.no_grad():
            test_loss = criterion(model(x_test), y_test)
        train_losses.append(loss.item())
        test_losses.append(test_loss.item())
    return train_losses, test_losses


def main():
    torch.manual_seed(0)
    x, x_test = torch.randn(30, 5), torch.randn(10, 5)
    w = torch.randn(5, 1)
    y, y_test = x @ w, x_test @ w
    model = Net()
    train_losses, test_losses = train(model, x, y, x_test, y_test, 8)
    for a, b in zip(train_losses, test_losses):
        print(f"{a:.4f} {b:.4f}")
    num_params = sum(p.numel() for p in model.parameters() if p.requires_grad)
    print(num_params)
    return train_losses


if __name__ == "__main__":
    main()
