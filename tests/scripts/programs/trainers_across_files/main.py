import torch
from torch import nn

from trainer import Trainer


def start(model):
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.linspace(-0.9, 1, p.numel()).reshape(p.shape))


x = torch.linspace(-1, 1, 24).reshape(8, 3)
y = x.sum(1, keepdim=True)
net = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Linear(4, 1))
start(net)
trainer = Trainer(net, [(x[:4], y[:4]), (x[4:], y[4:])])
trainer.run()
net.eval()
print(net(x).sum().item(), trainer.model(x).sum().item())
