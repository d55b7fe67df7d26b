# also: linen
import torch
import torch.nn as nn
import torch.nn.functional as F
from collections import OrderedDict


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.l1 = nn.Linear(1, 8)
        self.l2 = nn.Linear(8, 1)

    def forward(self, x, params=None):
        if params is None:
            params = OrderedDict(self.named_parameters())
        x = F.relu(F.linear(x, params["l1.weight"], params["l1.bias"]))
        return F.linear(x, params["l2.weight"], params["l2.bias"])


def adapt(model, x, y, lr, steps):
    params = OrderedDict(model.named_parameters())
    for _ in range(steps):
        loss = F.mse_loss(model(x, params), y)
        grads = torch.autograd.grad(loss, params.values(), create_graph=True)
        params = OrderedDict((n, p - lr * g) for (n, p), g in zip(params.items(), grads))
    return params


model = Model()
with torch.no_grad():
    for i, p in enumerate(model.parameters()):
        p.copy_(torch.sin(torch.arange(p.numel()).float() + i).view(p.shape))
meta = torch.optim.Adam(model.parameters(), lr=1e-2)
x = torch.linspace(-1, 1, 10).view(-1, 1)
for it in range(4):
    meta_loss = 0.0
    for task in range(3):
        amp = 1.0 + 0.3 * task
        y = amp * torch.sin(3 * x + it)
        fast = adapt(model, x[:5], y[:5], 0.1, 2)
        meta_loss = meta_loss + F.mse_loss(model(x[5:], fast), y[5:])
    meta_loss = meta_loss / 3
    meta.zero_grad()
    meta_loss.backward()
    meta.step()
    print(it, meta_loss.item())
