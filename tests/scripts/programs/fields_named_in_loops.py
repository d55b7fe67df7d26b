"""Buffers, parts and parameters that `__init__` sets in loops by computed names, and what reads them by such names."""

import torch
import torch.nn as nn


def make_schedule(low, high, n):
    """The numbers of a diffusion."""
    beta = torch.linspace(low, high, n)
    alpha = 1 - beta
    return {"beta": beta, "alpha": alpha, "log_alpha": torch.log(alpha)}


class Diffusion(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.fc = nn.Linear(2, 2)

        # the buffers are found by their names
        for k, v in make_schedule(0.1, 0.5, n).items():
            self.register_buffer(k, v)
        for i in range(3):
            layer_name = f"norm{i}"
            layer = nn.LayerNorm(2)
            self.add_module(layer_name, layer)
        for name in ("low", "high"):
            setattr(self, f"{name}_scale", nn.Parameter(torch.ones(2)))

    def forward(self, x):
        for i in range(3):
            norm = getattr(self, f"norm{i}")
            x = norm(x)
        return self.fc(x) * self.alpha[0] + self.log_alpha[1] * self.low_scale + self.high_scale


torch.manual_seed(0)
model = Diffusion(4)
print([(name, tuple(p.shape)) for name, p in model.named_parameters()])
print(sorted(model.state_dict().keys()))
with torch.no_grad():
    for p in model.parameters():
        p.copy_(torch.arange(p.numel()).view(p.shape) * 0.1 + 0.1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for i in range(3):
    loss = (model(torch.tensor([[1.0, 2.0], [3.0, -1.0]])) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(loss.item())
