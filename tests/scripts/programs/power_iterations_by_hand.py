# also: nnx, linen
# Spectral norms by hand, whose vectors lie in buffers that get what a loop has made of them.
import torch, torch.nn as nn, torch.nn.functional as F
def l2n(v, eps=1e-12): return v / (v.norm() + eps)
class SNLinear(nn.Module):
    def __init__(self, i, o, n_iter=1):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(o, i)); self.bias = nn.Parameter(torch.zeros(o)); self.n_iter = n_iter
        nn.init.orthogonal_(self.weight)
        self.register_buffer("u", l2n(torch.arange(1., o + 1)))
    def sn(self):
        u = self.u; W = self.weight
        with torch.no_grad():
            for _ in range(self.n_iter):
                v = l2n(torch.mv(W.t(), u)); u = l2n(torch.mv(W, v))
        if self.training: self.u.copy_(u)
        sigma = torch.dot(u, torch.mv(W, v))
        return W / sigma
    def forward(self, x): return F.linear(x, self.sn(), self.bias)
class D(nn.Module):
    def __init__(self):
        super().__init__(); self.a = SNLinear(3, 6); self.b = SNLinear(6, 1)
    def forward(self, x): return self.b(F.leaky_relu(self.a(x), 0.1))
class G(nn.Module):
    def __init__(self):
        super().__init__(); self.net = nn.Sequential(nn.Linear(2, 6), nn.ReLU(True), nn.Linear(6, 3))
    def forward(self, z): return torch.tanh(self.net(z))
d, g = D(), G()
with torch.no_grad():
    for m in (d, g):
        for i, p in enumerate(m.parameters()): p.copy_(torch.cos(torch.arange(p.numel()).float() * 1.3 + i).view_as(p) * 0.6)
od = torch.optim.Adam(d.parameters(), 1e-2, betas=(0., 0.9)); og = torch.optim.Adam(g.parameters(), 1e-2, betas=(0., 0.9))
x = torch.sin(torch.arange(24.)).view(8, 3)
for it in range(4):
    for k in range(2):
        z = torch.cos(torch.arange(16.) + it + k).view(8, 2)
        with torch.no_grad(): fake = g(z)
        ld = F.relu(1 - d(x)).mean() + F.relu(1 + d(fake)).mean()
        d.zero_grad(); ld.backward(); od.step()
    for p in d.parameters(): p.requires_grad_(False)
    lg = -d(g(z)).mean()
    og.zero_grad(); lg.backward(); og.step()
    for p in d.parameters(): p.requires_grad_(True)
    print(it, round(ld.item(), 5), round(lg.item(), 5), round(d.a.u[0].item(), 5))
d.eval(); print(d(x).sum().item(), d.b.u.item(), d.state_dict()["a.u"].sum().item(), len(d.state_dict()))
