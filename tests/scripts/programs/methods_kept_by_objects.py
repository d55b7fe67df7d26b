# flagged: T2J303
"""A method of a model that an object keeps: in torch it is the trained model's."""

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)

    def encode(self, x):
        return self.fc(x)

    def forward(self, x):
        return self.encode(x)


class Report:
    def __init__(self, function):
        self.function = function

    def of(self, x):
        return self.function(x).pow(2).sum().item()


x = torch.ones(4, 3)
net = Net()
encoded, seen = Report(net.encode), Report(net.forward)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(2):
    loss = net(x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(encoded.of(x), seen.of(x))
