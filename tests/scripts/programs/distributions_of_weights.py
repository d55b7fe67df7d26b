# also: nnx, linen
"""Objects that are no modules hold parameters of a module, which computes with them: weights with a distribution."""

import math
import torch
import torch.nn as nn
import torch.nn.functional as F

EPS = []


def noise(shape):
    n = 1
    for s in shape:
        n *= s
    EPS.append(n)
    return torch.sin(torch.arange(n, dtype=torch.float32) + len(EPS)).reshape(shape)


class Gaussian:
    def __init__(self, mu, rho):
        self.mu = mu
        self.rho = rho

    @property
    def sigma(self):
        return torch.log1p(torch.exp(self.rho))

    def sample(self):
        return self.mu + self.sigma * noise(self.rho.shape)

    def log_prob(self, input):
        return (
            -math.log(math.sqrt(2 * math.pi)) - torch.log(self.sigma) - ((input - self.mu) ** 2) / (2 * self.sigma**2)
        ).sum()


class BayesianLinear(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.weight_mu = nn.Parameter(torch.cos(torch.arange(n_in * n_out).float()).view(n_out, n_in) * 0.2)
        self.weight_rho = nn.Parameter(torch.full((n_out, n_in), -3.0))
        self.weight = Gaussian(self.weight_mu, self.weight_rho)
        self.bias_mu = nn.Parameter(torch.zeros(n_out))
        self.bias_rho = nn.Parameter(torch.full((n_out,), -3.0))
        self.bias = Gaussian(self.bias_mu, self.bias_rho)
        self.log_prior = 0
        self.log_q = 0

    def forward(self, x, sample=False):
        if self.training or sample:
            weight, bias = self.weight.sample(), self.bias.sample()
        else:
            weight, bias = self.weight.mu, self.bias.mu
        if self.training:
            self.log_prior = (-0.5 * weight**2).sum() + (-0.5 * bias**2).sum()
            self.log_q = self.weight.log_prob(weight) + self.bias.log_prob(bias)
        return F.linear(x, weight, bias)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.l1 = BayesianLinear(3, 8)
        self.l2 = BayesianLinear(8, 1)

    def forward(self, x, sample=False):
        return self.l2(F.relu(self.l1(x, sample)), sample)

    def kl(self):
        return self.l1.log_q + self.l2.log_q - self.l1.log_prior - self.l2.log_prior


net = Net()
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
x = torch.sin(torch.arange(30).float()).view(10, 3)
y = x.sum(1, keepdim=True)
for i in range(4):
    net.train()
    opt.zero_grad()
    out = net(x)
    loss = F.mse_loss(out, y, reduction="sum") + net.kl() / 100
    loss.backward()
    opt.step()
    net.eval()
    print(i, round(loss.item(), 4), round(net(x).mean().item(), 4))


class Helper:
    def __init__(self, net, scale):
        self.net = net
        self.scale = scale

    def __call__(self, x):
        return torch.tanh(self.net(x)) * self.scale


class Helped(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        self.bn = nn.BatchNorm1d(3)
        self.helper = Helper(self.fc, 2.0)
        nn.init.eye_(self.fc.weight)
        nn.init.zeros_(self.fc.bias)

    def forward(self, x):
        return self.bn(self.helper(x)) + self.helper.net(x)


helped = Helped()
opt = torch.optim.SGD(helped.parameters(), lr=0.1)
for i in range(3):
    loss = (helped(x) - y).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
print(len(helped.state_dict()), helped.bn.running_mean.sum().item(), helped.helper.net.weight.sum().item())
