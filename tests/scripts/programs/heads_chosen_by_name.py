# also: nnx, linen
"""A head that some steps do not reach: its gradient is None in torch, so that weight decay leaves it alone."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Two(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(2, 2), nn.Linear(2, 2)

    def forward(self, x, head):
        return self.a(x) if head == "a" else self.b(x)


model = Two()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, weight_decay=0.5)
for _ in range(2):
    optimizer.zero_grad()
    loss = F.cross_entropy(model(torch.ones(4, 2), "a"), torch.tensor([0, 1, 1, 0]))
    loss.backward()
    optimizer.step()
print(model.b.weight.shape)
