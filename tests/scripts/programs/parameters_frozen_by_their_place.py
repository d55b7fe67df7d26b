# also: nnx, linen
"""Single parameters of layers in containers, frozen by the place of the layer."""

import torch
import torch.nn as nn


class Enc(nn.Module):
    def __init__(self, num_classes=4):
        super().__init__()
        self.conv = nn.Linear(6, 5)
        self.fc = nn.Linear(5, num_classes)

    def forward(self, x):
        return self.fc(torch.relu(self.conv(x)))


class A(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(6, 5), nn.ReLU(), nn.Linear(5, 4))
        self.net[2].bias.requires_grad = False

    def forward(self, x):
        return self.net(x)


class B(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = Enc(4)
        self.encoder.fc = nn.Sequential(nn.Linear(5, 5), nn.ReLU(), self.encoder.fc)
        self.encoder.fc[2].bias.requires_grad = False

    def forward(self, x):
        return self.encoder(x)


class D(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(6, 5), nn.Linear(5, 4)])
        self.layers[-1].weight.requires_grad_(False)

    def forward(self, x):
        for layer in self.layers:
            x = torch.tanh(layer(x))
        return x


for m in (A(), B(), D()):
    with torch.no_grad():
        for p in m.parameters():
            p.copy_(torch.linspace(-0.5, 0.7, p.numel()).view_as(p))
    opt = torch.optim.SGD(m.parameters(), lr=0.1, weight_decay=0.1)
    x = torch.linspace(-1, 1, 24).view(4, 6)
    for i in range(2):
        loss = m(x).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(loss.item())
    print([p.sum().item() for p in m.parameters()])
