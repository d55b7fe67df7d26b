# expect: equal
"""model.zero_grad() clears the gradients; the norm of the gradient is logged."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 8)
        self.head = nn.Linear(8, 2)

    def forward(self, x):
        return self.head(torch.sigmoid(self.fc(x)))


def train(model, x, y, steps, max_norm=0.5):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    norms, losses = [], []
    for step in range(steps):
        model.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        grad_norm = torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        norms.append(grad_norm.item())
        losses.append(loss.item())
    return losses, norms


def main():
    torch.manual_seed(0)
    x = torch.randn(20, 4)
    y = (x[:, 0] > x[:, 1]).long()
    model = Net()
    losses, norms = train(model, x, y, 10)
    print("norms", [round(n, 3) for n in norms])
    print(f"accuracy {(model(x).argmax(1) == y).float().mean():.3f}")
    return losses


if __name__ == "__main__":
    main()
