# also: nnx, linen
"""Methods that set the mode of their module only where it is in the other one: `if self.training: self.eval()`."""
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.bn = nn.BatchNorm1d(3)
        self.drop = nn.Dropout(0.9)
        self.head = nn.Linear(3, 1)

    def forward(self, x):
        return self.head(self.drop(self.bn(x)))

    @torch.no_grad()
    def predict(self, x):
        if self.training:
            self.eval()
        return self.forward(x)

    def generate(self, x):
        was = 0
        if not self.training:
            self.train()
            was = 1
        return was


net = Net()
for i, p in enumerate(net.parameters()):
    nn.init.constant_(p, 0.1 * (i + 1))
x = torch.sin(torch.arange(12.0)).view(4, 3)
print(net.generate(x))
print(net.predict(x).sum().item())
print(net.training)
print(net.generate(x))
print(net.training)
net.eval()
net.bn.train()
print(net.predict(x).sum().item(), net.training)
