# also: nnx, linen
import torch
from torch import nn


class Field(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, 12), nn.Tanh(), nn.Linear(12, 1))
        with torch.no_grad():
            for k, p in enumerate(self.net.parameters()):
                p.copy_(torch.sin(torch.arange(p.numel()).float() * 0.7 + k).reshape(p.shape))

    def forward(self, coords):
        return self.net(coords)


def laplace(y, x):
    grad = gradient(y, x)
    return divergence(grad, x)


def divergence(y, x):
    div = 0.
    for i in range(y.shape[-1]):
        div += torch.autograd.grad(y[..., i], x, torch.ones_like(y[..., i]), create_graph=True)[0][..., i:i + 1]
    return div


def gradient(y, x, grad_outputs=None):
    if grad_outputs is None:
        grad_outputs = torch.ones_like(y)
    grad = torch.autograd.grad(y, [x], grad_outputs=grad_outputs, create_graph=True)[0]
    return grad


grid = torch.linspace(-1, 1, 5)
points = torch.stack(torch.meshgrid(grid, grid, indexing="ij"), dim=-1).reshape(-1, 2)
field = Field()
optim = torch.optim.Adam(field.parameters(), lr=0.01)
for step in range(6):
    coords = points.clone().detach().requires_grad_(True)
    value = field(coords)
    source = laplace(value, coords)
    loss = ((source - 0.5) ** 2).mean() + (value ** 2).mean()
    optim.zero_grad()
    loss.backward()
    optim.step()
    print("%.5f %.5f" % (loss.item(), source.abs().mean().item()))
