# flagged: T2J601 T2J603
"""A dropout that stands in a field and in a container, or twice in one: it holds no parameters, so each place may have its own."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Classifier(nn.Module):
    def __init__(self, rate):
        super().__init__()
        self.proj = nn.Linear(4, 6)
        self.dropout = nn.Dropout(p=rate)
        self.relu = nn.ReLU()
        self.out = nn.Sequential(
            nn.Linear(6, 6), self.relu, self.dropout, nn.Linear(6, 6), self.relu, self.dropout, nn.Linear(6, 3)
        )
        for p in self.parameters():
            nn.init.constant_(p, 0.1)

    def forward(self, x):
        return self.out(self.dropout(self.relu(self.proj(x))))


def set_rate(model, rate):
    for m in model.modules():
        if isinstance(m, nn.Dropout):
            m.p = rate


x, y = torch.arange(8.0).reshape(2, 4), torch.tensor([0, 2])
model = Classifier(0.0)
optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
for step in range(4):
    loss = F.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(f"{loss.item():.4f}", sum(p.numel() for p in model.parameters()))
model.dropout.p = 0.5
model.dropout.eval()
print(model(x).detach())
