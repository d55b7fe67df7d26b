# flagged: T2J303
import torch
from torch import nn

from averages import WeightEMA

model = nn.Linear(4, 3)
nn.init.constant_(model.weight, 0.1)
nn.init.zeros_(model.bias)
weights = WeightEMA(model.parameters(), 0.5)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for i in range(3):
    loss = model(torch.arange(8.0).view(2, 4)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    weights.step()
    print(loss.item(), weights.norm())
