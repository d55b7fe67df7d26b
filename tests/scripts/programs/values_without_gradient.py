# also: nnx, linen
"""Values that are changed where no gradient is recorded (`y.data`, `y.detach()`, `no_grad`): gradients go on as if nothing had been."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.fc = nn.Linear(2, 2)
        self.kind = kind

    def forward(self, x):
        y = self.fc(x)
        if self.kind == "mask":
            y.data.masked_fill_(y > 0.5, 0.5)
        elif self.kind == "clamp":
            y.data.clamp_(0, 0.5)
        elif self.kind == "store":
            y.data[0] = 3.0
        elif self.kind == "scale":
            y.data.mul_(2)
        elif self.kind == "add":
            y.data += 2
        elif self.kind == "detached":
            y.detach().mul_(2)
        elif self.kind == "sign":
            y.data = torch.sign(y.data)
        elif self.kind == "copy":
            y.data.copy_(x)
        elif self.kind == "no_grad":
            with torch.no_grad():
                y.mul_(2)
        smooth = torch.zeros_like(y)
        smooth.data.fill_(0.1)
        return y + smooth


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.score = nn.Linear(4, 1, bias=False)

    def forward(self, memory, mask=None):
        energies = self.score(torch.tanh(memory))
        alignment = energies.squeeze(-1)
        if mask is not None:
            alignment.data.masked_fill_(mask, -float("inf"))
        return torch.softmax(alignment, dim=1)


for kind in ("mask", "clamp", "store", "scale", "add", "detached", "sign", "copy", "no_grad"):
    net = Net(kind)
    with torch.no_grad():
        for p in net.parameters():
            p.copy_(torch.arange(float(p.numel())).reshape(p.shape).cos())
    loss = net(torch.tensor([[1.0, 2.0], [3.0, -1.0]])).pow(2).mean()
    loss.backward()
    print(kind, loss.item(), net.fc.weight.grad.tolist())

attention = Attention()
with torch.no_grad():
    attention.score.weight.copy_(torch.arange(4.0).reshape(1, 4).cos())
memory = torch.arange(24.0).reshape(2, 3, 4).sin()
mask = torch.tensor([[False, False, True], [False, True, True]])
loss = (attention(memory, mask) * torch.arange(6.0).reshape(2, 3)).sum()
loss.backward()
print(loss.item(), attention.score.weight.grad.tolist())
