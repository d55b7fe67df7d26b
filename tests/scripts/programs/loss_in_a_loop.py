import torch
import torch.nn as nn

model = nn.Linear(2, 1)
with torch.no_grad():
    for p in model.parameters():
        p.fill_(0.5)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for i in range(3):
    optimizer.zero_grad()
    loss = model(torch.ones(4, 2)).pow(2).mean()
    loss.backward()
    optimizer.step()
    print(i, round(loss.item(), 5))
