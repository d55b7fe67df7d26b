import torch
from torch import nn

def make_model():
    model = nn.Sequential(nn.Linear(4, 5), nn.Tanh(), nn.Linear(5, 2))
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.linspace(-0.5, 0.6, p.numel()).view(p.shape) * (1 + i / 3))
    return model

def data():
    x = torch.linspace(-1, 1, 24).view(6, 4)
    return x, torch.stack([x.sum(1), x[:, 0] * x[:, 1]], 1)
