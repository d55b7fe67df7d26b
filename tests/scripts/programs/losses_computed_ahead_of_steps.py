# also: nnx, linen
"""Losses of a policy, a value function and a critic that are computed together, of which that of the policy draws, ahead of three steps."""

import torch
from torch import nn
from torch.distributions import Normal
torch.manual_seed(0)
class Actor(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 4)
        self.mu = nn.Linear(4, 1)
        self.ls = nn.Linear(4, 1)
    def forward(self, x):
        x = torch.relu(self.fc(x))
        return self.mu(x), torch.clamp(self.ls(x), -20, 2)
class Q(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 1)
    def forward(self, s, a):
        return self.fc(torch.cat((s.reshape(-1, 3), a.reshape(-1, 1)), -1))
class SAC:
    def __init__(self):
        self.policy_net = Actor()
        self.value_net = nn.Linear(3, 1)
        self.target = nn.Linear(3, 1)
        self.Q_net = Q()
        for net in (self.policy_net, self.value_net, self.target, self.Q_net):
            for p in net.parameters():
                p.data.fill_(0.1)
        self.policy_optimizer = torch.optim.Adam(self.policy_net.parameters(), lr=0.01)
        self.value_optimizer = torch.optim.Adam(self.value_net.parameters(), lr=0.01)
        self.Q_optimizer = torch.optim.Adam(self.Q_net.parameters(), lr=0.01)
        self.crit = nn.MSELoss()
        self.n = 0
    def get(self, s):
        mu, ls = self.policy_net(s)
        sigma = torch.exp(ls) * 0
        dist = Normal(mu, sigma + 1)
        z = Normal(0, 1).sample(mu.shape)
        action = torch.tanh(mu + sigma * z)
        log_prob = dist.log_prob(mu + sigma * z) - torch.log(1 - action.pow(2) + 1e-6)
        return action, log_prob, z, mu, ls
    def update(self, s, a, r, s_, d):
        for _ in range(2):
            target_value = self.target(s_)
            next_q = r + (1 - d) * 0.9 * target_value
            ev = self.value_net(s)
            eq = self.Q_net(s, a)
            sample, log_prob, z, mu, ls = self.get(s)
            enq = self.Q_net(s, sample)
            nv = enq - log_prob
            V_loss = self.crit(ev, nv.detach())
            V_loss = V_loss.mean()
            Q_loss = self.crit(eq, next_q.detach())
            Q_loss = Q_loss.mean()
            lpt = enq - ev
            pi_loss = log_prob * (log_prob - lpt).detach()
            pi_loss = pi_loss.mean()
            print(V_loss.item(), Q_loss.item(), pi_loss.item())
            self.value_optimizer.zero_grad()
            V_loss.backward(retain_graph=True)
            nn.utils.clip_grad_norm_(self.value_net.parameters(), 0.5)
            self.value_optimizer.step()
            self.Q_optimizer.zero_grad()
            Q_loss.backward(retain_graph=True)
            nn.utils.clip_grad_norm_(self.Q_net.parameters(), 0.5)
            self.Q_optimizer.step()
            self.policy_optimizer.zero_grad()
            pi_loss.backward(retain_graph=True)
            nn.utils.clip_grad_norm_(self.policy_net.parameters(), 0.5)
            self.policy_optimizer.step()
            for tp, p in zip(self.target.parameters(), self.value_net.parameters()):
                tp.data.copy_(tp * 0.9 + p * 0.1)
            self.n += 1
x = torch.arange(12.0).reshape(4, 3) / 12
sac = SAC()
sac.update(x, x[:, :1], x[:, 1:2], x + 1, torch.zeros(4, 1))
print(sac.policy_net(x)[0].tolist(), sac.value_net(x).tolist())
