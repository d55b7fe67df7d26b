"""Fields that hold functions, which read constants of their module, or modules in their place: a flow, and blocks."""
# also: nnx, linen

import torch
import torch.nn as nn
import torch.nn.functional as F


class Block(nn.Module):
    def __init__(self, cin, cout, act="relu", project=False):
        super().__init__()
        self.dim = cout
        self.fc = nn.Linear(cin, cout)
        self.act = None
        if act == "relu":
            self.act = nn.ReLU()
        elif act == "prelu":
            self.act = nn.PReLU()
        self.skip = lambda v: v[:, : self.dim]
        if project:
            self.skip = nn.Linear(cin, cout)
        self.norm = F.relu if project else nn.LayerNorm(cout)

    def run(self, x):
        return x if self.act is None else self.act(x)

    def forward(self, x):
        return self.norm(self.run(self.fc(x)) + self.skip(x))


class MLP(nn.Module):
    def __init__(self, nin, nout, nh):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(nin, nh), nn.LeakyReLU(0.2), nn.Linear(nh, nout))

    def forward(self, x):
        return self.net(x)


class AffineHalfFlow(nn.Module):
    def __init__(self, dim, parity, net_class=MLP, nh=24, scale=True, shift=True):
        super().__init__()
        self.dim = dim
        self.parity = parity
        self.s_cond = lambda x: x.new_zeros(x.size(0), self.dim // 2)
        self.t_cond = lambda x: x.new_zeros(x.size(0), self.dim // 2)
        if scale:
            self.s_cond = net_class(self.dim // 2, self.dim // 2, nh)
        if shift:
            self.t_cond = net_class(self.dim // 2, self.dim // 2, nh)

    def forward(self, x):
        x0, x1 = x[:, ::2], x[:, 1::2]
        if self.parity:
            x0, x1 = x1, x0
        s = self.s_cond(x0)
        t = self.t_cond(x0)
        z0 = x0
        z1 = torch.exp(s) * x1 + t
        if self.parity:
            z0, z1 = z1, z0
        z = torch.cat([z0, z1], dim=1)
        log_det = torch.sum(s, dim=1)
        return z, log_det


class NormalizingFlow(nn.Module):
    def __init__(self, flows):
        super().__init__()
        self.flows = nn.ModuleList(flows)

    def forward(self, x):
        m, _ = x.shape
        log_det = torch.zeros(m)
        zs = [x]
        for flow in self.flows:
            x, ld = flow.forward(x)
            log_det += ld
            zs.append(x)
        return zs, log_det


torch.manual_seed(0)
model = NormalizingFlow([AffineHalfFlow(dim=4, parity=i % 2, scale=i != 1, nh=5) for i in range(3)])
for p in model.parameters():
    p.data.copy_(torch.linspace(-0.4, 0.5, p.numel()).view(p.shape))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
x = torch.linspace(-1, 1, 24).view(6, 4)
for k in range(4):
    zs, log_det = model(x)
    loss = (zs[-1] ** 2).sum() / 2 - log_det.sum()
    model.zero_grad()
    loss.backward()
    optimizer.step()
    print(loss.item())
for act in ("relu", "prelu", "none"):
    for project in (True, False):
        net = Block(4, 3, act, project)
        for p in net.parameters():
            p.data.copy_(torch.linspace(-0.5, 0.6, p.numel()).view(p.shape))
        print(net(torch.linspace(-1, 1, 8).view(2, 4)).sum().item(), len(list(net.parameters())))
