# expect: equal
"""Layers under weight_norm, by hooks and by parametrisation; writing the computed weight changes nothing."""

import torch
import torch.nn as nn
from torch.nn.utils import parametrizations, weight_norm


def init_weights(m):
    if isinstance(m, nn.Conv1d):
        m.weight.data.normal_(0.0, 0.01)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = parametrizations.weight_norm(nn.ConvTranspose1d(4, 6, 4, 2, padding=1))
        self.layers = nn.ModuleList([weight_norm(nn.Conv1d(6, 6, 3, padding=1)) for _ in range(2)])
        self.layers.apply(init_weights)
        self.head = weight_norm(nn.Linear(6, 1), dim=None)

    def forward(self, x):
        x = torch.tanh(self.up(x))
        for layer in self.layers:
            x = torch.relu(layer(x))
        return self.head(x.mean(2)).squeeze(1)


def main():
    torch.manual_seed(0)
    model = Net()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    losses = []
    for step in range(5):
        x = torch.randn(8, 4, 6)
        loss = (model(x) - 1).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
        print(f"{step} {losses[-1]:.4f}")
    return losses


if __name__ == "__main__":
    main()
