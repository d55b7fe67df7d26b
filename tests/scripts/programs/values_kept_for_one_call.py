# also: nnx, linen
# What an agent keeps for one call: several fields set from one pass, a pair that is emptied again, a field set under a condition.
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Normal


def fill(model, scale=1.0):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(scale * torch.linspace(-0.4, 0.5, p.numel()).reshape(p.shape) * (1 + 0.1 * i))


class Net(nn.Module):
    def __init__(self, n=3, m=2):
        super().__init__()
        self.body = nn.Linear(n, 8)
        self.pi = nn.Linear(8, m)
        self.v = nn.Linear(8, 1)

    def forward(self, x):
        h = torch.tanh(self.body(x))
        return F.log_softmax(self.pi(h), -1), self.v(h).squeeze(-1)


class Agent:
    def __init__(self, net):
        self.net = net
        self.opt = torch.optim.SGD(net.parameters(), lr=0.1)
        self._last = None

    def act(self, obs):
        logits, value = self.net(torch.from_numpy(obs))
        a = int(logits.argmax())
        self._last = (logits[a], value)
        return a

    def learn(self, r):
        if self._last is None:
            return 0.0
        logp, value = self._last
        adv = r - value
        loss = -logp * adv.detach() + adv ** 2
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self._last = None
        return loss.item()


one, two = Agent(Net()), Agent(Net())
fill(one.net)
fill(two.net, 0.7)
rng = np.random.RandomState(0)
print(one.learn(1.0))
for t in range(5):
    obs = rng.randn(3).astype(np.float32)
    a, b = one.act(obs), two.act(obs[::-1].copy())
    print(a, b, one.learn(float(obs[0])), two.learn(float(obs[1])), one.learn(2.0))
for p in [*one.net.parameters(), *two.net.parameters()]:
    print(float(p.sum()))


class Careful:
    """a stale value: parameters changed between act and learn"""
    def __init__(self):
        self.net = Net()
        fill(self.net)
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.1)

    def act(self, obs):
        logits, value = self.net(torch.from_numpy(obs))
        if self.net.training:
            self.value = value
        return int(logits.argmax())

    def learn(self, r):
        loss = (r - self.value) ** 2
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()

    def pretrain(self, x, y):
        loss = F.nll_loss(self.net(x)[0], y)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()


careful = Careful()
rng = np.random.RandomState(0)
for t in range(5):
    obs = rng.randn(3).astype(np.float32)
    a = careful.act(obs)
    print(careful.pretrain(torch.from_numpy(rng.randn(4, 3).astype(np.float32)), torch.tensor([0, 1, 1, 0])))
    print(a, careful.learn(0.3))
    careful.net.eval()
    print(careful.act(obs))
    careful.net.train()
for p in careful.net.parameters():
    print(float(p.sum()))


class Policy(nn.Module):
    def __init__(self, obs_dim, act_dim):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(obs_dim, 16), nn.Tanh(), nn.Linear(16, 16), nn.Tanh())
        self.mu = nn.Linear(16, act_dim)
        self.log_std = nn.Parameter(torch.zeros(act_dim))
        self.value = nn.Linear(16, 1)

    def forward(self, x):
        h = self.body(x)
        return Normal(self.mu(h), self.log_std.exp()), self.value(h)


class OnlineAC:
    def __init__(self, obs_dim, act_dim, lr=1e-2, gamma=0.9):
        self.net = Policy(obs_dim, act_dim)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=lr)
        self.gamma = gamma
        self.last_value = None
        self.last_log_prob = None
        self.last_entropy = None

    def act(self, obs):
        obs = torch.as_tensor(obs, dtype=torch.float32)
        dist, value = self.net(obs)
        action = dist.mean.detach() + 0.1
        self.last_log_prob = dist.log_prob(action).sum()
        self.last_entropy = dist.entropy().sum()
        self.last_value = value
        return action.numpy()

    def update(self, reward, next_obs, done):
        with torch.no_grad():
            _, next_value = self.net(torch.as_tensor(next_obs, dtype=torch.float32))
            target = reward + self.gamma * next_value * (0.0 if done else 1.0)
        advantage = target - self.last_value
        loss = -(self.last_log_prob * advantage.detach()) + advantage.pow(2) - 0.01 * self.last_entropy
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()


def main():
    agent = OnlineAC(3, 2)
    with torch.no_grad():
        for i, p in enumerate(agent.net.parameters()):
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).reshape(p.shape) * (1 + 0.1 * i))
    rng = np.random.RandomState(1)
    obs = rng.randn(3).astype(np.float32)
    for step in range(12):
        action = agent.act(obs)
        next_obs = np.tanh(obs + 0.3 * np.array([action[0], action[1], action[0] - action[1]], dtype=np.float32))
        reward = float(-np.abs(next_obs).sum())
        loss = agent.update(reward, next_obs, step % 4 == 3)
        print(f"{step} {loss:.5f}")
        obs = next_obs if step % 4 != 3 else rng.randn(3).astype(np.float32)
    for p in agent.net.parameters():
        print(p.detach().sum().item())


main()
