# expect: equal
"""The same batches are used in every epoch, and outputs have their shape."""

import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim


class Net(nn.Module):
    def __init__(self, d_in=4, hidden=8, d_out=3):
        super().__init__()
        self.base = nn.Linear(d_in, hidden)
        self.head = nn.Linear(hidden, d_out)

    def forward(self, x):
        return self.head(torch.tanh(self.base(x)))


def main():
    torch.manual_seed(0)
    x = torch.randn(32, 4)
    y = torch.randint(0, 3, (32,))
    model = Net(4, 8, 4)
    optimizer = optim.Adam(model.parameters(), lr=0.01)
    batches = [x[:16], x[16:]]
    losses = []
    for step in range(6):
        for batch in batches:
            optimizer.zero_grad()
            recon = model(batch)
            loss = F.mse_loss(recon, batch)
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
            last = recon
    print(last.sum().item(), x.sum().item(), batches[0].sum().item())
    return losses


if __name__ == "__main__":
    main()
