# also: nnx, linen
# A Runge-Kutta method is given a part that counts its calls; a reversed gradient; domains told apart.
import torch, torch.nn as nn, torch.nn.functional as F
from torch.autograd import Function
class GRL(Function):
    @staticmethod
    def forward(ctx, x, lambd):
        ctx.lambd = lambd
        return x.view_as(x)
    @staticmethod
    def backward(ctx, g):
        return g.neg() * ctx.lambd, None
class ODEFunc(nn.Module):
    def __init__(self):
        super().__init__(); self.net = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 2)); self.nfe = 0
    def forward(self, t, y):
        self.nfe += 1
        tt = torch.ones_like(y[:, :1]) * t
        return self.net(torch.cat([tt, y], 1))
def rk4_step(f, t, dt, y):
    k1 = f(t, y); k2 = f(t + dt / 2, y + dt / 2 * k1); k3 = f(t + dt / 2, y + dt / 2 * k2); k4 = f(t + dt, y + dt * k3)
    return y + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
def odeint(f, y0, ts):
    out = [y0]
    for t0, t1 in zip(ts[:-1], ts[1:]):
        out.append(rk4_step(f, t0, t1 - t0, out[-1]))
    return torch.stack(out)
class Net(nn.Module):
    def __init__(self):
        super().__init__(); self.f = ODEFunc(); self.cls = nn.Linear(2, 2); self.dom = nn.Linear(2, 1)
    def forward(self, x, alpha):
        z = odeint(self.f, x, torch.linspace(0., 1., 5))[-1]
        return self.cls(z), self.dom(GRL.apply(z, alpha)).squeeze(1)
m = Net()
with torch.no_grad():
    for i, p in enumerate(m.parameters()): p.copy_(torch.cos(torch.arange(p.numel()).float() * 0.9 + i).view_as(p) * 0.5)
opt = torch.optim.SGD(m.parameters(), lr=0.1, momentum=0.9, nesterov=True)
xs = torch.sin(torch.arange(16.)).view(8, 2); ys = torch.arange(8) % 2; xt = torch.cos(torch.arange(16.)).view(8, 2) + 0.3
n = 5
for i in range(n):
    p = float(i) / n
    alpha = 2. / (1. + torch.exp(torch.tensor(-10 * p)).item()) - 1
    c, d = m(xs, alpha)
    ls = F.cross_entropy(c, ys); ld = F.binary_cross_entropy_with_logits(d, torch.zeros(8))
    _, dt = m(xt, alpha)
    ldt = F.binary_cross_entropy_with_logits(dt, torch.ones(8))
    loss = ls + ld + ldt
    opt.zero_grad(); loss.backward(); opt.step()
    print(i, round(ls.item(), 5), round(ld.item(), 5), round(ldt.item(), 5), m.f.nfe)
m.f.nfe = 0
with torch.no_grad(): print(m(xs, 0.)[0].argmax(1).tolist(), m.f.nfe)
