# also: nnx, linen
# A forward gives functions its parts, with running averages: one after the other, in loops, and in comprehensions.
import torch, torch.nn as nn, torch.nn.functional as F
def run_block(conv, bn, x, act=None):
    x = bn(conv(x))
    return act(x) if act is not None else x
def chain(layers, x):
    for l in layers: x = l(x)
    return x
def residual(fn, x): return x + fn(x)
def apply_twice(net, x):
    a = net(x); b = net(x * 0.5)
    return a, b
class Inner(nn.Module):
    def __init__(self, d): super().__init__(); self.bn = nn.BatchNorm1d(d); self.fc = nn.Linear(d, d)
    def forward(self, x): return F.relu(self.bn(self.fc(x)))
class Net(nn.Module):
    def __init__(self, d=4):
        super().__init__()
        self.a = nn.Linear(d, d); self.bn = nn.BatchNorm1d(d)
        self.inner = Inner(d); self.layers = nn.ModuleList([Inner(d) for _ in range(2)])
        self.seq = nn.Sequential(nn.Linear(d, d), nn.BatchNorm1d(d))
        self.parts = nn.ModuleDict({"p": Inner(d), "q": Inner(d)})
    def forward(self, x):
        x = run_block(self.a, self.bn, x, torch.tanh)
        x = chain(self.layers, x)
        x = residual(self.inner, x)
        y, z = apply_twice(self.seq, x)
        w = sum(residual(m, x) for m in self.parts.values())
        return y + z + w
m = Net()
with torch.no_grad():
    for i, p in enumerate(m.parameters()): p.copy_(torch.cos(torch.arange(p.numel()).float() * 0.9 + i).view_as(p) * 0.5)
x = torch.sin(torch.arange(32.)).view(8, 4)
opt = torch.optim.SGD(m.parameters(), lr=0.05)
for s in range(3):
    out = m(x); loss = (out ** 2).mean()
    opt.zero_grad(); loss.backward(); opt.step()
    print(s, round(loss.item(), 5))
m.eval()
print(m(x).sum().item(), m.inner.bn.running_mean.sum().item(), m.seq[1].running_var.sum().item(), m.parts["q"].bn.running_mean.sum().item())
