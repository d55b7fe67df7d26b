"""A choice of the program's configuration between the forward pass and the loss, in what the loss takes as it is."""

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)

    def score(self, x):
        return torch.log_softmax(self.fc(x), dim=-1)[:, 0]


def fill(m):
    with torch.no_grad():
        for p in m.parameters():
            p.copy_(torch.linspace(-0.5, 1.0, p.numel()).view_as(p))


def train(normalized):
    net = Net()
    fill(net)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.2)
    X = torch.linspace(-1, 1, 24).view(8, 3)
    advantages = torch.tensor([1.0, -2.0, 0.5, 3.0, 1.5, -1.0, 2.0, 0.0])
    for start in range(0, 8, 4):
        score = net.score(X[start : start + 4])
        chosen = advantages[start : start + 4]
        if normalized:
            chosen = (chosen - chosen.mean()) / (chosen.std() + 1e-8)
        loss = -(score * chosen).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(round(loss.item(), 4))
    print([round(v, 4) for v in net.fc.weight.flatten().tolist()])


train(True)
train(False)
