# also: nnx, linen
"""REINFORCE with baseline on a tiny deterministic corridor; returns by discount, entropy bonus."""
import torch
import torch.nn as nn
import torch.optim as optim
from torch.distributions import Categorical


class Corridor:
    def __init__(self, n=6):
        self.n = n

    def reset(self):
        self.pos, self.t = 0, 0
        return self._obs()

    def _obs(self):
        o = torch.zeros(self.n)
        o[self.pos] = 1.0
        return o

    def step(self, a):
        self.t += 1
        self.pos = max(0, min(self.n - 1, self.pos + (1 if a == 1 else -1)))
        done = self.pos == self.n - 1 or self.t >= 12
        reward = 1.0 if self.pos == self.n - 1 else -0.05
        return self._obs(), reward, done, {}


class Policy(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.affine = nn.Linear(n, 16)
        self.action_head = nn.Linear(16, 2)
        self.value_head = nn.Linear(16, 1)
        self.saved = []
        self.rewards = []
        with torch.no_grad():
            for k, p in enumerate(self.parameters()):
                p.copy_(torch.sin(torch.arange(p.numel()).float() + k).view_as(p) * 0.3)

    def forward(self, x):
        h = torch.relu(self.affine(x))
        return torch.softmax(self.action_head(h), dim=-1), self.value_head(h)


env, policy = Corridor(), Policy(6)
optimizer = optim.Adam(policy.parameters(), lr=0.02)
gamma = 0.95


def select_action(state, forced):
    probs, value = policy(state)
    m = Categorical(probs)
    action = torch.tensor(forced)
    policy.saved.append((m.log_prob(action), value, m.entropy()))
    return action.item()


def finish_episode():
    R, returns = 0, []
    for r in policy.rewards[::-1]:
        R = r + gamma * R
        returns.insert(0, R)
    returns = torch.tensor(returns)
    returns = (returns - returns.mean()) / (returns.std() + 1e-6)
    policy_losses, value_losses, ents = [], [], []
    for (logp, value, ent), R in zip(policy.saved, returns):
        adv = R - value.item()
        policy_losses.append(-logp * adv)
        value_losses.append(nn.functional.smooth_l1_loss(value, torch.tensor([R])))
        ents.append(ent)
    optimizer.zero_grad()
    loss = torch.stack(policy_losses).sum() + torch.stack(value_losses).sum() - 0.01 * torch.stack(ents).mean()
    loss.backward()
    optimizer.step()
    del policy.rewards[:]
    del policy.saved[:]
    return loss.item()


running = 0
for ep in range(5):
    s, total = env.reset(), 0
    for t in range(12):
        a = select_action(s, int((t * 5 + ep) % 3 != 0))
        s, r, done, _ = env.step(a)
        policy.rewards.append(r)
        total += r
        if done:
            break
    running = 0.1 * total + 0.9 * running
    print(ep, round(finish_episode(), 4), round(running, 4))
with torch.no_grad():
    print([round(v, 4) for v in policy(env.reset())[0].tolist()])
