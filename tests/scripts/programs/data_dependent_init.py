# also: nnx, linen
# Layers whose first batch gives their parameters values: in a method, through a view, in place under no_grad, and by a function
import torch
import torch.nn as nn
import torch.nn.functional as F


class ActNorm(nn.Module):
    def __init__(self, num_features, scale=1.):
        super().__init__()
        size = [1, num_features, 1, 1]
        self.register_parameter("bias", nn.Parameter(torch.zeros(*size)))
        self.register_parameter("logs", nn.Parameter(torch.zeros(*size)))
        self.num_features = num_features
        self.scale = float(scale)
        self.inited = False

    def initialize_parameters(self, input):
        if not self.training:
            return
        with torch.no_grad():
            bias = torch.mean(input.clone(), dim=[0, 2, 3], keepdim=True) * -1.0
            vars = torch.mean((input.clone() + bias) ** 2, dim=[0, 2, 3], keepdim=True)
            logs = torch.log(self.scale / (torch.sqrt(vars) + 1e-6))
            self.bias.data.copy_(bias.data)
            self.logs.data.copy_(logs.data)
            self.inited = True

    def forward(self, input, logdet=None, reverse=False):
        if not self.inited:
            self.initialize_parameters(input)
        if not reverse:
            input = (input + self.bias) * torch.exp(self.logs)
            dlogdet = torch.sum(self.logs) * input.size(2) * input.size(3)
        else:
            input = input * torch.exp(-self.logs) - self.bias
            dlogdet = -torch.sum(self.logs) * input.size(2) * input.size(3)
        if logdet is not None:
            logdet = logdet + dlogdet
        return input, logdet


class Squeezed(nn.Module):
    def __init__(self, param_dim=(1, 3, 1, 1)):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(param_dim))
        self.bias = nn.Parameter(torch.zeros(param_dim))
        self.register_buffer('initialized', torch.tensor(0).byte())

    def forward(self, x):
        if not self.initialized:
            # per channel mean and variance where x.shape = (B, C, H, W)
            self.bias.squeeze().data.copy_(x.transpose(0, 1).flatten(1).mean(1)).view_as(self.scale)
            self.scale.squeeze().data.copy_(x.transpose(0, 1).flatten(1).std(1, False) + 1e-6).view_as(self.bias)
            self.initialized += 1

        z = (x - self.bias) / self.scale
        logdet = - self.scale.abs().log().sum() * x.shape[2] * x.shape[3]
        return z, logdet

    def inverse(self, z):
        return z * self.scale + self.bias, self.scale.abs().log().sum() * z.shape[2] * z.shape[3]


class WNLinear(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.v = nn.Parameter(torch.linspace(-0.5, 0.7, n_in * n_out).view(n_out, n_in))
        self.g = nn.Parameter(torch.ones(n_out))
        self.b = nn.Parameter(torch.zeros(n_out))
        self.register_buffer("initialized", torch.tensor(False))

    def forward(self, x):
        w = self.g.unsqueeze(1) * self.v / self.v.norm(dim=1, keepdim=True)
        if self.training and not self.initialized:
            with torch.no_grad():
                out = F.linear(x, w)
                mean, var = out.mean(0), out.var(0)
                scale = 1.0 / torch.sqrt(var + 1e-10)
                self.g.data = self.g.data * scale
                self.b.data -= mean * scale
                self.initialized.fill_(True)
            w = self.g.unsqueeze(1) * self.v / self.v.norm(dim=1, keepdim=True)
        return F.linear(x, w, self.b)


class Scale(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.loc = nn.Parameter(torch.zeros(n))

    def forward(self, x):
        return x - self.loc


def data_init(layer, x):
    layer.loc.data.copy_(x.mean(0))


class Flow(nn.Module):
    def __init__(self):
        super().__init__()
        self.norms = nn.ModuleList([ActNorm(3), ActNorm(3, 2.)])
        self.last = Squeezed()

    def forward(self, x):
        logdet = torch.zeros(x.size(0))
        for norm in self.norms:
            x, logdet = norm(x, logdet)
        z, last = self.last(x)
        return z, logdet + last


class Dense(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(WNLinear(3, 4), nn.Tanh(), WNLinear(4, 3))
        self.shift = Scale(3)
        self.ready = False

    def forward(self, x):
        x = self.net(x)
        if not self.ready:
            data_init(self.shift, x)
            self.ready = True
        return self.shift(x)


flow = Flow()
images = torch.linspace(-1, 2, 2 * 3 * 4).reshape(2, 3, 2, 2) ** 2
optimizer = torch.optim.Adam(flow.parameters(), lr=0.1)
for step in range(3):
    optimizer.zero_grad()
    z, logdet = flow(images + step)
    loss = (0.5 * ((z - 0.3) ** 2 + 0.1 * z ** 3).sum(dim=[1, 2, 3]) - logdet).mean()
    loss.backward()
    optimizer.step()
    print(step, round(loss.item(), 4))
for norm in flow.norms:
    print(norm.inited, norm.bias.flatten().tolist(), norm.logs.flatten().tolist())
with torch.no_grad():
    print(flow.last.inverse(z)[0].sum().item(), flow.last.scale.flatten().tolist())

net = Dense()
x = torch.linspace(-1, 2, 18).reshape(6, 3) ** 2 + torch.tensor([0., 0.1, 0.5])
optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9, weight_decay=0.05)
for step in range(3):
    for part in range(2):
        loss = ((net(x + part) - 0.5) ** 2).mean() / 2
        loss.backward()
    nn.utils.clip_grad_norm_(net.parameters(), 0.5)
    optimizer.step()
    optimizer.zero_grad()
    print(step, loss.item())
net.eval()
print({name: value.float().sum().item() for name, value in net.state_dict().items()})
other = Dense()
other.load_state_dict(net.state_dict())
print(other(x).sum().item(), net(x).sum().item())
