import torch
from models import Net, fill

x = torch.linspace(-1, 1.7, 24).reshape(8, 3)
model = fill(Net())
opt = torch.optim.AdamW(model.parameters(), lr=0.1, weight_decay=0.2)
for i in range(3):
    loss = model.encode(x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
for p in model.parameters():
    print(p.sum().item(), p.abs().sum().item())
