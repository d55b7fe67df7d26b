# expect: equal
"""A second model gives the targets and is not trained."""

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
    model = Net()
    optimizer = optim.SGD(model.parameters(), lr=0.3, momentum=0.9)
    teacher = Net()
    teacher.eval()
    losses = []
    for step in range(6):
        optimizer.zero_grad()
        with torch.no_grad():
            soft = F.softmax(teacher(x), dim=1)
        loss = F.kl_div(F.log_softmax(model(x), dim=1), soft, reduction='batchmean')
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    print(F.cross_entropy(model(x), y).item())
    return losses


if __name__ == "__main__":
    main()
