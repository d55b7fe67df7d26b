# also: nnx, linen
# An agent empties its lists by several `del` on one line.
import torch, torch.nn as nn, torch.optim as optim
from torch.distributions import Categorical
class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.l = nn.Linear(4, 3)
        self.v = nn.Linear(4, 1)
    def forward(self, x):
        return torch.softmax(self.l(x), -1), self.v(x)
class Env:
    def __init__(self): self.t = 0
    def reset(self):
        self.t = 0
        return torch.ones(4) * 0.1
    def step(self, a):
        self.t += 1
        return torch.ones(4) * 0.1 * self.t, float(self.t % 3), self.t >= 6
class Agent:
    def __init__(self, lr=1e-2):
        self.policy = Policy()
        with torch.no_grad():
            self.policy.l.weight.copy_(torch.arange(12.).reshape(3, 4) * 0.1); self.policy.l.bias.zero_()
            self.policy.v.weight.copy_(torch.arange(4.).reshape(1, 4) * 0.1); self.policy.v.bias.zero_()
        self.opt = optim.Adam(self.policy.parameters(), lr=lr)
        self.log_probs, self.values, self.rewards = [], [], []
    def act(self, s):
        p, v = self.policy(s)
        dist = Categorical(p)
        a = torch.argmax(p)
        self.log_probs.append(dist.log_prob(a))
        self.values.append(v)
        return a.item()
    def learn(self):
        R = 0; returns = []
        for r in self.rewards[::-1]:
            R = r + 0.9 * R
            returns.insert(0, R)
        returns = torch.tensor(returns)
        lp = torch.stack(self.log_probs); v = torch.cat(self.values)
        adv = returns - v.detach()
        loss = -(lp * adv).mean() + 0.5 * (returns - v).pow(2).mean()
        self.opt.zero_grad(); loss.backward(); self.opt.step()
        del self.log_probs[:]; del self.values[:]; del self.rewards[:]
        return loss.item()
def main():
    agent = Agent(); env = Env()
    for ep in range(3):
        s = env.reset(); done = False
        while not done:
            a = agent.act(s)
            s, r, done = env.step(a)
            agent.rewards.append(r)
        print(ep, round(agent.learn(), 4))
    print(agent.policy.l.weight.sum().item(), agent.policy.l.weight[0, 0].item(), agent.policy.v.weight.sum().item())
main()
