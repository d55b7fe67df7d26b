# also: nnx
"""Some parameters of a layer: their gradients are read, and they are trained alone."""

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        nn.init.constant_(self.fc.weight, 0.3)
        nn.init.constant_(self.fc.bias, 0.3)

    def forward(self, x):
        return self.fc(x)


model = Net()
x = torch.ones(2, 3)
model(x).sum().backward()
print(model.fc.weight.grad.sum().item(), model.fc.bias.grad.sum().item())
model.zero_grad()
opt = torch.optim.SGD([model.fc.weight], lr=0.1)
for _ in range(3):
    opt.zero_grad()
    loss = model(x).pow(2).mean()
    loss.backward()
    opt.step()
    print(loss.item())
print(model.fc.weight.sum().item(), model.fc.bias.sum().item())
