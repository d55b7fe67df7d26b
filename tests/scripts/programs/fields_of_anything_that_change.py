# also: nnx, linen
import torch
import torch.nn as nn
import torch.nn.functional as F


class ActNorm(nn.Module):
    """Data-dependent first values, kept as buffers that a flag guards."""

    def __init__(self, width):
        super().__init__()
        self.width = width
        self.register_buffer("shift", torch.zeros(width))
        self.initialized = False

    def forward(self, x):
        if not self.initialized:
            self.shift = -x.mean(0).detach()
            self.initialized = True
        return x + self.shift


class Cell(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.fc = nn.Linear(2 * width, width)
        self.hidden = None

    def reset(self):
        self.hidden = None

    def forward(self, x):
        if self.hidden is None:
            self.hidden = torch.zeros(x.shape[0], x.shape[1])
        self.hidden = torch.tanh(self.fc(torch.cat([x, self.hidden], 1)))
        return self.hidden


class Attention(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.q = nn.Linear(width, width)
        self.k = nn.Linear(width, width)
        self.weights = None
        self.temperature = 1.0
        self.steps = 0

    def set_temperature(self, value):
        self.temperature = value

    def forward(self, x):
        self.steps += 1
        w = F.softmax(self.q(x) @ self.k(x).t() / self.temperature, -1)
        self.weights = w
        return w @ x


class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = ActNorm(width)
        self.cell = Cell(width)
        self.att = Attention(width)
        self.out = nn.Linear(width, 1)
        self.losses = None
        self.last_shape = None

    def forward(self, x):
        x = self.norm(x)
        self.cell.reset()
        for _ in range(2):
            x = self.cell(x)
        x = self.att(x)
        self.losses = x.pow(2).mean()
        self.last_shape = x.shape[0]
        return self.out(x)


net = Net(3)
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.copy_(torch.arange(p.numel()).reshape(p.shape).float().mul(0.1 + i).sin())
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    if step == 1:
        net.att.set_temperature(2.0)
    x = torch.arange(12.0).reshape(4, 3) / 5 + step
    loss = (net(x) - 1).pow(2).mean() + 0.1 * net.losses
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item(), net.att.steps, net.norm.initialized)
net.eval()
with torch.no_grad():
    y = net(torch.ones(2, 3))
print(y.sum().item(), net.att.weights.shape, net.last_shape, net.att.temperature)
print(sorted(net.state_dict().keys()))
if net.att.weights is not None:
    print(net.att.weights.sum().item())
net.att.weights = None
print(net.att.weights)
