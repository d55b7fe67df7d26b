"""A loop scales the gradients of one part of a module that is trained as a whole."""

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(3, 4)
        self.decoder = nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 1))

    def forward(self, x):
        return self.decoder(self.encoder(x))


net = Net()
for i, p in enumerate(net.parameters()):
    p.data.copy_(torch.cos(torch.arange(p.numel()).float() + i).view(p.shape) * 0.3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for it in range(3):
    loss = net(torch.ones(2, 3) + it).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    for p in net.encoder.parameters():
        p.grad *= 0.5
    opt.step()
    print(loss.item())
