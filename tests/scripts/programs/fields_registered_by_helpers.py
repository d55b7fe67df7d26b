# also: nnx
"""Functions, methods and lambdas that register buffers, parameters and parts under the names that they are given."""

from functools import partial

import torch
import torch.nn.functional as F
from torch import nn


def extract(values, t, shape):
    return values.gather(-1, t).reshape(t.shape[0], *((1,) * (len(shape) - 1)))


class Diffusion(nn.Module):
    def __init__(self, model, steps=6):
        super().__init__()
        self.model = model
        betas = torch.linspace(0.1, 0.4, steps, dtype=torch.float64)
        kept = torch.cumprod(1.0 - betas, dim=0)
        before = F.pad(kept[:-1], (1, 0), value=1.0)
        register_buffer = lambda name, val: self.register_buffer(name, val.to(torch.float32))

        register_buffer("betas", betas)
        register_buffer("kept", kept)

        # of the posterior
        register_buffer("variance", betas * (1.0 - before) / (1.0 - kept))
        register_buffer("log_variance", torch.log(self.variance.clamp(min=1e-3)))

    def forward(self, x, t, noise):
        level = extract(self.kept, t, x.shape)
        out = self.model(level.sqrt() * x + (1 - level).sqrt() * noise)
        return ((out - noise) ** 2 * extract(self.log_variance.exp(), t, x.shape)).mean()


class Scaled(nn.Module):
    def __init__(self, size):
        super().__init__()

        def scale(name, value):
            value = value * 0.5
            self.register_parameter(f"{name}_scale", nn.Parameter(value))

        hidden = partial(self.register_buffer, persistent=False)
        value = torch.linspace(0.5, 1.5, size)
        scale("first", value)
        scale("last", value + 1)
        hidden("mask", torch.arange(size) % 2)
        shown = self.register_buffer
        shown("offset", tensor=value.flip(0))
        self.put("fc", nn.Linear(size, size))
        self.put(part=nn.Tanh(), name="act")
        self.note("width", size + 1)

    def put(self, name, part):
        """A part under a name."""
        self.add_module(name, part)

    def note(self, name, value):
        setattr(self, name, value)

    def forward(self, x):
        x = self.act(self.fc(x * self.first_scale)) * self.last_scale
        return x * (1 - self.mask) + self.offset / self.width


net = Diffusion(Scaled(4))
with torch.no_grad():
    net.model.fc.weight.copy_(torch.sin(torch.arange(16.0)).view(4, 4))
    net.model.fc.bias.fill_(0.1)
optimizer = torch.optim.Adam(net.parameters(), lr=0.05)
x = torch.cos(torch.arange(12.0)).view(3, 4)
for step in range(4):
    noise = torch.sin(torch.arange(12.0) * (step + 1)).view(3, 4)
    loss = net(x, torch.tensor([0, 2, 4]) + step % 2, noise)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(loss.item())
print(sorted(net.state_dict()), net.model.mask.sum().item(), net.model.width)
print([name for name, _ in net.named_parameters()])
