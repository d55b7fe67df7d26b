# also: nnx
"""Strings that stand beside each other, with values in them."""

import torch
from torch import nn

model = nn.Linear(2, 1)
with torch.no_grad():
    model.weight.fill_(0.5)
    model.bias.fill_(0.25)
x = torch.arange(6.0).reshape(3, 2)
print(
    f"sum {torch.relu(x).sum().item():.2f} and "
    f"mean {x.mean(dim=1)[0].item():.2f}, "
    "of " f"{x.size(0)} rows"
)  # fmt: skip
text = f"model: {model(x).sum().item():.3f}"
print(text, f"devices {torch.get_default_dtype() == torch.float32}")
