# also: nnx, linen
# A memory gets what is computed before the environment goes on, and a function is given it with the policy.
import torch, torch.nn as nn, torch.optim as optim
from torch.distributions import Categorical
class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.l = nn.Linear(4, 3)
    def forward(self, x):
        return torch.softmax(self.l(x), -1)
class Memory:
    def __init__(self):
        self.logp = []
        self.rewards = []
    def add(self, lp, r):
        self.logp.append(lp)
        self.rewards.append(r)
    def clear(self):
        self.logp = []
        self.rewards = []
class Env:
    def __init__(self): self.t = 0
    def reset(self):
        self.t = 0
        return torch.ones(4) * 0.1
    def step(self, a):
        self.t += 1
        return torch.ones(4) * 0.1 * self.t, float(self.t % 3), self.t >= 6
def update(policy, opt, mem):
    R = 0; returns = []
    for r in mem.rewards[::-1]:
        R = r + 0.9 * R
        returns.insert(0, R)
    returns = torch.tensor(returns)
    returns = (returns - returns.mean()) / (returns.std() + 1e-6)
    loss = 0
    for lp, R in zip(mem.logp, returns):
        loss = loss - lp * R
    opt.zero_grad(); loss.backward(); opt.step()
    return loss

def main():
    torch.manual_seed(0)
    policy = Policy()
    with torch.no_grad():
        policy.l.weight.copy_(torch.arange(12.).reshape(3, 4) * 0.1); policy.l.bias.zero_()
    opt = optim.Adam(policy.parameters(), lr=1e-2)
    env = Env(); mem = Memory()
    for ep in range(3):
        s = env.reset(); done = False
        while not done:
            p = policy(s)
            dist = Categorical(p)
            a = torch.argmax(p)
            s, r, done = env.step(a.item())
            mem.add(dist.log_prob(a), r)
        loss = update(policy, opt, mem)
        mem.clear()
        print(ep, round(loss.item(), 4))
    print(policy.l.weight.sum().item(), policy.l.bias.sum().item(), policy.l.weight[0, 0].item())
main()
