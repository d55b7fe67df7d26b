# also: nnx linen
"""The smaller of what several critics say, as a list that `torch.min` is given with a star."""

import torch
from torch import nn


class Critics(nn.Module):
    def __init__(self, count):
        super().__init__()
        self.parts = nn.ModuleList([nn.Linear(3, 1, bias=False) for _ in range(count)])

    def forward(self, s, a):
        x = torch.cat([s, a], 1)
        return [part(x) for part in self.parts]


critics = Critics(2)
for i, part in enumerate(critics.parts):
    nn.init.constant_(part.weight, 0.5 + i)
optimizer = torch.optim.SGD(critics.parameters(), lr=0.1)
s, a = torch.tensor([[1.0, -2.0], [0.5, 3.0]]), torch.tensor([[0.5], [-4.0]])
for _ in range(2):
    q = torch.min(*critics(s, a))
    loss = (q - 1).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(loss.item(), q.tolist())
pair = [torch.tensor([1.0, 5.0]), torch.tensor([3.0, 2.0])]
print(torch.max(*pair).tolist(), torch.min(*[p * 2 for p in pair]).unsqueeze(0).tolist())
