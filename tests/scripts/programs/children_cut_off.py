# also: nnx
"""A network made of the children of another one, without the last: the first of them changes nothing in place."""

import torch
import torch.nn as nn


class Backbone(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 2, 3)
        self.relu = nn.ReLU(inplace=True)
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.fc = nn.Linear(2, 5)

    def forward(self, x):
        return self.fc(self.pool(self.relu(self.conv(x))).flatten(1))


class Encoder(nn.Module):
    def __init__(self, size):
        super().__init__()
        backbone = Backbone()
        modules = list(backbone.children())[:-1]
        self.backbone = nn.Sequential(*modules)
        self.linear = nn.Linear(backbone.fc.in_features, size)

    def forward(self, images):
        with torch.no_grad():
            features = self.backbone(images)
        features = features.reshape(features.size(0), -1)
        return self.linear(features)


net = Encoder(3)
for i, p in enumerate(net.parameters()):
    p.data = torch.sin(torch.arange(p.numel()).float() + i).view(p.shape)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.cos(torch.arange(50.0)).view(2, 1, 5, 5)
for _ in range(3):
    loss = net(x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(loss.item(), x.sum().item())
