# flagged: T2J606, also: nnx, linen
import torch
import torch.nn as nn


class Gate(nn.Module):
    def __init__(self, a):
        super().__init__()
        self.W = nn.Parameter(torch.zeros(a, 2))
        self.fc = nn.Linear(a, 2)
        with torch.no_grad():
            self.W += torch.arange(a * 2).float().view(a, 2)
            self.W[0] += 1
            self.W[:, 1] *= 2
            self.fc.weight *= 0
            self.fc.weight += 0.5
            self.fc.bias -= self.fc.bias
        self.W.data += 0.25
        self.fc.weight.data -= 0.125

    def scale(self, s):
        with torch.no_grad():
            self.W *= s
            self.fc.weight /= s
        self.W.data -= 0.1
        self.fc.weight.data[0] += 1

    def forward(self, x):
        return x @ self.W + self.fc(x)


m = Gate(3)
x = torch.arange(6.0).view(2, 3)
print(m(x).sum().item())
m.scale(2.0)
print(m(x).sum().item())
with torch.no_grad():
    m.W += 1
    m.fc.bias += m.W[0]
m.fc.weight.data *= 2
m.W.data[1] += 3
print(m(x).sum().item(), m(x).pow(2).sum().item())
