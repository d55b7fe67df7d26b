import torch
from engine import pretrain, train
from models import Net, fill

x = torch.linspace(-1, 1.7, 24).reshape(8, 3)
model = fill(Net())
opt = torch.optim.AdamW(model.parameters(), lr=0.1, weight_decay=0.2)
train(model, opt, x, 3)
for p in model.parameters():
    print(p.sum().item(), p.abs().sum().item())
opt = torch.optim.Adam(model.parameters(), lr=0.1)
pretrain(model, opt, x)
for p in model.parameters():
    print(p.sum().item(), p.abs().sum().item())
