"""What `requires_grad` says of what is computed: recorded where a part is, and nowhere below `no_grad`."""

import torch
import torch.nn as nn

x = torch.ones(2, 2, requires_grad=True)
w = torch.full((2,), 3.0)
print(x.requires_grad, w.requires_grad)
y = x + 2
z = y * y * 3
out = z.mean()
print(y.requires_grad, z.requires_grad, out.requires_grad, (w * 2).requires_grad)
print((x**2).requires_grad, x.detach().requires_grad, y.detach().requires_grad, (w @ x).requires_grad)
with torch.no_grad():
    print((x**2).requires_grad)
    hidden = x * 2
    made = nn.Parameter(torch.ones(3))
    asked = torch.ones(3, requires_grad=True)
    with torch.enable_grad():
        shown = x * 3
print(
    hidden.requires_grad,
    (hidden + w).requires_grad,
    (hidden + x).requires_grad,
    made.requires_grad,
    asked.requires_grad,
)
print(shown.requires_grad, torch.relu(x).sum().requires_grad, x.argmax().requires_grad)


@torch.no_grad()
def doubled(value):
    return value * 2


print(doubled(x).requires_grad)
d = doubled(x)
print(d.requires_grad)
y = x.detach() * 2
print(y.requires_grad)
y = torch.exp(x)
print(y.requires_grad)
labels = torch.arange(3)
print(labels.requires_grad, torch.cat([x, w[None]]).sum().requires_grad)
