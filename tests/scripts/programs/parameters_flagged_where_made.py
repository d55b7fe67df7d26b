# also: nnx, linen
"""`nn.Parameter(x).requires_grad_(False)`: a parameter that is made without a gradient."""

import torch
import torch.nn as nn

x = torch.linspace(-1, 1.7, 24).reshape(6, 4)
y = torch.linspace(0, 1, 6).reshape(6, 1)


class Shifted(nn.Module):
    def __init__(self):
        super().__init__()
        self.shift = nn.Parameter(torch.linspace(-1, 1, 4)).requires_grad_(False)
        self.scale = nn.Parameter(torch.ones(4)).requires_grad_()
        self.net = nn.Linear(4, 1)

    def forward(self, x):
        return self.net((x + self.shift) * self.scale)


model = Shifted()
values = {k: torch.sin(torch.arange(v.numel()) + 1.0).reshape(v.shape) * 0.5 for k, v in model.state_dict().items()}
model.load_state_dict(values)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(3):
    optimizer.zero_grad()
    loss = ((model(x) - y) ** 2).mean()
    loss.backward()
    optimizer.step()
print(round(loss.item(), 5), [name for name, p in model.named_parameters() if (p - values[name]).abs().sum() > 0])
