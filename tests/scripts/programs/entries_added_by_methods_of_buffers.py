# also: nnx, linen
# An agent holds an object that keeps what it computes; a method of that one adds it, another one empties its lists.
import torch, torch.nn as nn, torch.optim as optim
from torch.distributions import Normal
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.pi = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))
        self.v = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))
        self.log_std = nn.Parameter(torch.zeros(1))
    def act(self, s):
        mu = self.pi(s)
        return Normal(mu, self.log_std.exp()), self.v(s)
class Buffer:
    def __init__(self):
        self.clear()
    def add(self, logp, v, r):
        self.logp.append(logp); self.v.append(v); self.r.append(r)
    def clear(self):
        self.logp, self.v, self.r = [], [], []
    def returns(self, gamma):
        R, out = 0.0, []
        for r in reversed(self.r):
            R = r + gamma * R
            out.append(R)
        return torch.tensor(out[::-1])
class A2C:
    def __init__(self, lr=3e-2, gamma=0.95):
        self.net = Net()
        with torch.no_grad():
            for p in self.net.parameters(): p.copy_(torch.linspace(-0.3, 0.4, p.numel()).reshape(p.shape))
        self.opt = optim.SGD(self.net.parameters(), lr=lr)
        self.buf = Buffer(); self.gamma = gamma
    def select(self, s):
        d, v = self.net.act(s)
        a = d.mean.detach() + 0.1
        return a, d.log_prob(a).sum(-1), v.squeeze(-1)
    def update(self):
        R = self.buf.returns(self.gamma)
        logp = torch.stack(self.buf.logp); v = torch.stack(self.buf.v)
        adv = (R - v).detach()
        loss = -(logp * adv).mean() + 0.5 * (v - R).pow(2).mean()
        self.opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 0.5)
        self.opt.step()
        self.buf.clear()
        return loss.item()
agent = A2C()
for ep in range(3):
    s = torch.tensor([1.0, 0.5, -0.5])
    for t in range(4):
        a, lp, v = agent.select(s)
        s = s * 0.9 + a * 0.1
        agent.buf.add(lp, v, float(-s.pow(2).sum()))
    print(ep, round(agent.update(), 4))
print(sum(p.sum().item() for p in agent.net.parameters()))
