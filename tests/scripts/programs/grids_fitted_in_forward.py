# also: nnx
"""A layer fits its grid, a buffer, and its coefficients, parameters, to what it is given; `__init__` uses methods that read the grid."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Hats(nn.Module):
    def __init__(self, inputs, outputs, knots=6):
        super().__init__()
        self.knots = knots
        grid = (torch.arange(knots) * (2 / (knots - 1)) - 1).expand(inputs, -1).contiguous()
        self.register_buffer("grid", grid)
        self.register_buffer("rate", torch.tensor(0.5))
        self.coefficients = nn.Parameter(torch.zeros(outputs, inputs, knots))
        self.start()

    def start(self):
        with torch.no_grad():
            x = self.grid.T
            self.coefficients.copy_(
                self.fit(x, torch.sin(2 * x).unsqueeze(-1).expand(-1, -1, self.coefficients.size(0)))
            )

    def bases(self, x):
        width = self.grid[:, 1:2] - self.grid[:, :1]
        return F.relu(1 - (x.unsqueeze(-1) - self.grid).abs() / width)

    def fit(self, x, y):
        a = self.bases(x).transpose(0, 1)
        squares = a.transpose(1, 2) @ a + torch.eye(self.knots)
        return torch.linalg.solve(squares, a.transpose(1, 2) @ y.transpose(0, 1)).permute(2, 0, 1)

    @property
    def scaled(self):
        return self.coefficients * 0.9

    @torch.no_grad()
    def update(self, x):
        y = torch.einsum("bik,oik->bio", self.bases(x), self.scaled)
        low, high = x.min(0).values, x.max(0).values
        steps = torch.linspace(0, 1, self.knots)
        self.grid.copy_(0.7 * self.grid + 0.3 * (low.unsqueeze(1) + steps * (high - low).unsqueeze(1)))
        self.rate.copy_(self.rate * 0.5 + 0.1)
        self.coefficients.data.copy_(self.fit(x, y))

    def forward(self, x):
        return torch.einsum("bik,oik->bo", self.bases(x), self.scaled) * self.rate

    def penalty(self):
        return self.coefficients.abs().mean()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([Hats(3, 4), Hats(4, 2)])

    def forward(self, x, update=False):
        for layer in self.layers:
            if update:
                layer.update(x)
            x = layer(x)
        return x

    def penalty(self):
        return sum(layer.penalty() for layer in self.layers)


model = Net()
x = torch.sin(torch.arange(60.0)).view(20, 3)
y = torch.stack([x.sum(1), x[:, 0] * x[:, 1]], 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for step in range(5):
    optimizer.zero_grad()
    loss = F.mse_loss(model(x, update=step == 2), y) + 0.01 * model.penalty()
    loss.backward()
    optimizer.step()
    print(f"{loss.item():.4f}")
print([name for name, _ in model.named_buffers()], len(list(model.parameters())))
with torch.no_grad():
    print(f"{model(x, update=True).sum().item():.4f} {model(x).sum().item():.4f}")
print(
    f"{model.layers[0].grid.sum().item():.4f} {model.layers[0].coefficients.abs().sum().item():.4f} {model.layers[1].rate.item():.4f}"
)
