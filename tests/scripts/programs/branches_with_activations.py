"""Branches of a compiled step that end in different activations, of the same shape."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)

    def forward(self, x):
        h = self.fc(x)
        if h.sum() > 0:
            h = F.hardswish(h)
        else:
            h = torch.erfinv(torch.tanh(h) * 0.5)
        return h


torch.manual_seed(0)
model = Net()
with torch.no_grad():
    model.fc.weight.fill_(0.5)
    model.fc.bias.fill_(-0.3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.tensor([[1.0, 2.0], [0.5, -1.0]])
for sign in (1.0, -1.0, 1.0):
    optimizer.zero_grad()
    loss = (model(sign * x) ** 2).mean()
    loss.backward()
    optimizer.step()
    print(round(loss.item(), 4))
