# expect: equal
"""Running statistics are saved and loaded with the weights."""

import copy

import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self, d_in=4, hidden=8, d_out=3):
        super().__init__()
        self.base = nn.Linear(d_in, hidden)
        self.head = nn.Linear(hidden, d_out)

    def forward(self, x):
        return self.head(torch.tanh(self.base(x)))


def train(model, loader, optimizer):
    model.train()
    losses = []
    for x, y in loader:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses

class BN(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 3, bias=False)
        self.bn = nn.BatchNorm1d(3)

    def forward(self, x):
        return self.bn(self.fc(x))


def main():
    torch.manual_seed(0)
    x = torch.randn(32, 4)
    y = torch.randint(0, 3, (32,))
    loader = DataLoader(TensorDataset(x, y), batch_size=16, shuffle=True)
    model = BN()
    optimizer = optim.AdamW(model.parameters(), lr=0.03)
    losses = []
    for step in range(3):
        losses += train(model, loader, optimizer)
    best = copy.deepcopy(model.state_dict())
    model.load_state_dict(best)
    model.eval()
    print(model(x).sum().item())
    other = BN()
    other.load_state_dict(best)
    other.eval()
    print(other(x).sum().item())
    return losses


if __name__ == "__main__":
    main()
