"""Layers that begin anew, whichever of the program's they are."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(1, 2, 3), nn.ReLU(), nn.Flatten(), nn.Linear(18, 4))
        self.norm = nn.LayerNorm(4)
        self.emb = nn.Embedding(5, 4)
        self.head = nn.Linear(4, 2)

    def forward(self, x, n):
        return self.head(self.norm(self.body(x)) + self.emb(n))


def reset_weights(m):
    """Try resetting model weights to avoid weight leakage."""
    for layer in m.children():
        if hasattr(layer, "reset_parameters"):
            print("Reset trainable parameters")
            layer.reset_parameters()


def reset_all(m):
    for layer in m.children():
        if hasattr(layer, "reset_parameters"):
            layer.reset_parameters()


def weight_reset(m):
    if hasattr(m, "reset_parameters"):
        m.reset_parameters()


def spread(net):
    return [
        bool(net.body[0].weight.abs().max() <= 1 / 3 + 1e-6),
        bool(net.head.bias.abs().max() <= 0.5 + 1e-6),
        net.norm.weight.tolist(),
        net.norm.bias.tolist(),
        float(net.emb.weight.abs().max()) < 100,
        float(net.head.weight.abs().sum()) > 0,
    ]


net = Net()
x, n = torch.linspace(-1, 1, 50).view(2, 1, 5, 5), torch.tensor([1, 4])
for reset in (reset_all, reset_weights, weight_reset):
    with torch.no_grad():
        for p in net.parameters():
            p.fill_(100.0)
    net.apply(reset)
    print(spread(net))
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.copy_(torch.linspace(-0.5, 0.6, p.numel()).view(p.shape) * (1 + i / 9))
print(net(x, n).tolist())
