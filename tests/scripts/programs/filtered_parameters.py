# also: nnx
"""Parameters that are filtered by their flag: counted, looked at, and given to an optimizer whose group is asked for more than its learning rate."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.last = nn.Linear(4, 8), nn.Linear(8, 2)

    def forward(self, x):
        return self.last(torch.tanh(self.first(x)))


def make():
    model = Net()
    with torch.no_grad():
        for number, p in enumerate(model.parameters()):
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).reshape(p.shape) * (1 + 0.1 * number))
    return model


x = torch.linspace(-1, 1, 24).reshape(6, 4)
y = torch.linspace(0, 1, 12).reshape(6, 2)

frozen = make()
frozen.first.bias.requires_grad = False
trained = filter(lambda p: p.requires_grad, frozen.parameters())
print(sum(p.numel() for p in trained))
for p in filter(lambda p: p.requires_grad, frozen.parameters()):
    print(round(p.sum().item(), 4))

model = make()
parameters = filter(lambda p: p.requires_grad, model.parameters())
optimizer = torch.optim.SGD(parameters, lr=0.1)
for group in optimizer.param_groups:
    print(group["lr"], group["momentum"])
    group["momentum"] = 0.5
for step in range(3):
    optimizer.zero_grad()
    loss = F.mse_loss(model(x), y)
    loss.backward()
    optimizer.step()
    print(round(loss.item(), 5))
