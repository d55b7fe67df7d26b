# also: nnx, linen
"""Norms as functions that update the statistics that they are given: of buffers, of copies made for the call, of arguments."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class AdaptiveInstanceNorm2d(nn.Module):
    def __init__(self, num_features, eps=1e-5, momentum=0.1):
        super().__init__()
        self.eps = eps
        self.momentum = momentum
        self.weight = None
        self.bias = None
        self.register_buffer("running_mean", torch.zeros(num_features))
        self.register_buffer("running_var", torch.ones(num_features))

    def forward(self, x, weight, bias):
        b, c = x.size(0), x.size(1)
        running_mean = self.running_mean.repeat(b)
        running_var = self.running_var.repeat(b)
        flat = x.contiguous().view(1, b * c, *x.size()[2:])
        out = F.batch_norm(flat, running_mean, running_var, weight, bias, True, self.momentum, self.eps)
        return out.view(b, c, *x.size()[2:])


class Norm(nn.Module):
    def __init__(self, features, momentum=0.2):
        super().__init__()
        self.momentum = momentum
        self.gamma = nn.Parameter(torch.linspace(0.5, 1.5, features))
        self.beta = nn.Parameter(torch.zeros(features))
        self.register_buffer("moving_mean", torch.zeros(features))
        self.register_buffer("moving_var", torch.ones(features))

    def forward(self, x):
        return F.batch_norm(
            x.flatten(2), self.moving_mean, self.moving_var, self.gamma, self.beta, self.training, self.momentum
        )


class Instances(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.register_buffer("running_mean", torch.zeros(features))
        self.register_buffer("running_var", torch.ones(features))

    def forward(self, x):
        return F.relu(F.instance_norm(x, self.running_mean, self.running_var, use_input_stats=self.training))


def normalized(x, mean, var, training=True):
    return F.batch_norm(x, mean, var, training=training, momentum=0.5)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 3, 3)
        self.norm = Norm(3)
        self.instances = Instances(3)
        self.ada = AdaptiveInstanceNorm2d(3)

    def forward(self, x):
        y = self.conv(x)
        n = y.size(0) * 3
        z = self.ada(self.instances(y), torch.linspace(1, 2, n), torch.linspace(-1, 1, n))
        return (self.norm(z) * torch.linspace(0, 1, 16)).mean(2)


net = Net()
with torch.no_grad():
    net.conv.weight.copy_(torch.sin(torch.arange(27.0)).view(3, 1, 3, 3))
    net.conv.bias.zero_()
x = torch.cos(torch.arange(72.0)).view(2, 1, 6, 6)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    loss = (net(x * (step + 1)) - 1).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item(), net.norm.moving_mean.tolist(), net.instances.running_var.sum().item())
print(net.ada.running_mean.tolist(), net.norm.moving_var.tolist())
net.eval()
print(net(x).tolist())
net.train()
print(net(x).sum().item(), net.norm.moving_mean.tolist())

mean, var = torch.zeros(3), torch.ones(3)
y = torch.arange(12.0).view(4, 3)
print(normalized(y, mean, var).tolist(), mean.tolist(), var.tolist())
print(normalized(y, mean, var, False).tolist(), mean.tolist())
print(F.batch_norm(y, torch.zeros(3), torch.ones(3), training=True).tolist())
