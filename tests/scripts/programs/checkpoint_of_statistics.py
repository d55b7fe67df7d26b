# flagged: T2J200
"""A checkpointed layer with statistics, which torch takes once more in the backward pass."""

import torch
import torch.nn as nn
from torch.utils.checkpoint import checkpoint


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(2)

    def block(self, x):
        return self.norm(x)

    def forward(self, x):
        def inner(*inputs):
            return self.block(*inputs)

        return checkpoint(inner, x, use_reentrant=False)


x = torch.tensor([[1.0, 2.0], [0.5, -1.0]])
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.001)
for _ in range(2):
    optimizer.zero_grad()
    loss = (model(x) * torch.tensor([[1.0, 2.0], [3.0, 5.0]])).sum()
    loss.backward()
    optimizer.step()
print(model.norm.num_batches_tracked)
