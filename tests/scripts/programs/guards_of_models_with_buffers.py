import torch
import torch.nn as nn
import torch.nn.functional as F


class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)
        self.register_buffer("factor", torch.full((2,), 0.5))

    def forward(self, x):
        return self.fc(x) * self.factor


model = Scaled()
with torch.no_grad():
    for p in model.parameters():
        p.copy_(torch.linspace(-0.5, 0.6, p.numel()).view(p.shape))
optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
batches = [torch.sin(torch.arange(12.0) + k).view(4, 3) for k in range(4)]
skipped = 0
for i, x in enumerate(batches):
    if i == 1:
        x = x * float("nan")
    optimizer.zero_grad()
    loss = F.cross_entropy(model(x), torch.tensor([0, 1, 1, 0]))
    loss.backward()
    if torch.isnan(loss):
        skipped += 1
        continue
    optimizer.step()
    print(round(loss.item(), 5))
print(skipped, model.fc.weight.flatten().tolist(), model.factor.tolist())
