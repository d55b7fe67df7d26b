# also: nnx, linen
"""Steps whose loss reads or binds variables that are called as the function of a step would call its own."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc, self.norm, self.drop = nn.Linear(2, 3), nn.BatchNorm1d(3), nn.Dropout(0.0)
        self.register_buffer("factor", torch.full((3,), 0.5))

    def forward(self, x):
        return self.drop(self.norm(self.fc(x))) * self.factor


grads, updates = [1, 2], (3, 4)
params = Net()
with torch.no_grad():
    params.fc.weight.copy_(torch.tensor([[0.3, -0.2], [0.1, 0.4], [0.2, 0.1]]))
    params.fc.bias.zero_()
optimizer = torch.optim.SGD(params.parameters(), lr=0.1)
key = torch.arange(8.0).view(4, 2) / 8
labels = torch.tensor([0, 1, 2, 0])


def fit():
    optimizer.zero_grad()
    state = params(key)
    static = F.log_softmax(state, dim=1)
    loss = F.nll_loss(static, labels) * len(grads) / len(updates)
    loss.backward()
    optimizer.step()
    return loss.item(), state.shape[0], static.shape[1]


print(fit(), fit())
for step in range(2):
    optimizer.zero_grad()
    state = params(key)
    loss = F.cross_entropy(state, labels) + state.pow(2).mean()
    loss.backward()
    optimizer.step()
    print(loss.item(), state.argmax(1).tolist())
