import torch
import torch.nn as nn

ce = nn.CrossEntropyLoss(reduction="sum")
x = torch.sin(torch.arange(12.0)).view(4, 3)
t = torch.tensor([0, 1, 2, 1])
print(ce(x, t).item())
ce.reduction = "mean"  # T2J601
print(ce(x, t).item())
act = nn.LeakyReLU(0.1)
act.negative_slope = 0.5  # T2J601
print(act(x).sum().item())
