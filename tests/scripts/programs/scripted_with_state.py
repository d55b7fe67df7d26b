# also: nnx, linen
"""A module for TorchScript with running statistics is trained, traced in evaluation mode and frozen."""

import torch
import torch.nn as nn


class Net(torch.jit.ScriptModule):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(3, 4)
        self.norm = nn.BatchNorm1d(4)
        self.head = nn.Linear(4, 1)
        for layer in (self.body, self.head):
            nn.init.constant_(layer.weight, 0.3)
            nn.init.constant_(layer.bias, -0.1)

    @torch.jit.script_method
    def forward(self, x):
        return self.head(self.norm(torch.relu(self.body(x))))


x = torch.arange(12.0).reshape(4, 3) / 7
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for _ in range(4):
    optimizer.zero_grad()
    loss = ((model(x) - x.sum(1, keepdim=True)) ** 2).mean()
    loss.backward()
    optimizer.step()
    print(round(loss.item(), 5))
model.eval()
frozen = torch.jit.freeze(torch.jit.trace(model, x))
print(round(frozen(x).sum().item(), 5))
