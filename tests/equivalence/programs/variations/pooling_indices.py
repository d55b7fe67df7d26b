# expect: equal
"""Max pooling with indices, its inverse, and a transposed convolution of a given size."""

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self, device=None, dtype=None):
        super().__init__()
        options = {"device": device, "dtype": dtype}
        self.conv = nn.Conv2d(1, 3, 3, padding=1, **options)
        self.pool = nn.MaxPool2d(2, 2, return_indices=True)
        self.unpool = nn.MaxUnpool2d(2, stride=2)
        self.up = nn.ConvTranspose2d(3, 1, 3, 2, 1, **options)

    def forward(self, x):
        y, places = self.pool(self.conv(x))
        z = self.unpool(y, places, output_size=x.size())
        return self.up(z, output_size=[16, 16])


def main():
    torch.manual_seed(0)
    model = Net()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    losses = []
    for step in range(5):
        x = torch.randn(4, 1, 8, 8)
        loss = model(x).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
        print(f"{step} {losses[-1]:.4f}")
    return losses


if __name__ == "__main__":
    main()
