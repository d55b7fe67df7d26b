# also: nnx
"""A loss with a backbone that is given to it, in evaluation and frozen, beside the model that trains."""

import torch
import torch.nn as nn


class VGGLoss(nn.Module):
    def __init__(self, backbone, weights=(1.0, 0.5)):
        super().__init__()
        self.vgg = backbone.eval()
        for p in self.vgg.parameters():
            p.requires_grad = False
        self.criterion = nn.L1Loss()
        self.weights = weights
        self.register_buffer("mean", torch.tensor([0.1, 0.2, 0.3]))

    def forward(self, x, y):
        x, y = x - self.mean, y - self.mean
        loss = 0
        for layer, w in zip(self.vgg, self.weights):
            x, y = layer(x), layer(y)
            loss += w * self.criterion(x, y.detach())
        return loss


net = nn.Linear(3, 3)
vgg = nn.Sequential(nn.Sequential(nn.Linear(3, 3), nn.BatchNorm1d(3)), nn.Linear(3, 3))
with torch.no_grad():
    for m in (net, vgg):
        for p in m.parameters():
            p.copy_(torch.linspace(-1, 1, p.numel()).reshape(p.shape))
crit = VGGLoss(vgg)
opt = torch.optim.Adam(net.parameters(), lr=0.1)
x = torch.linspace(-1, 1, 6).reshape(2, 3)
for _ in range(3):
    opt.zero_grad()
    loss = crit(net(x), x * 2)
    loss.backward()
    opt.step()
    print(round(loss.item(), 4))
print(net.weight.tolist())
