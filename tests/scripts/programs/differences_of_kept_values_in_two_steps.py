# also: nnx, linen
"""Losses of several optimizers that share what was computed of values that were kept: a difference, with and without its gradient."""

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


def fill(m):
    with torch.no_grad():
        for p in m.parameters():
            p.copy_(torch.linspace(-0.5, 0.7, p.numel()).view_as(p))


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.head = nn.Linear(3, 8), nn.Linear(8, 2)

    def forward(self, x):
        return F.log_softmax(self.head(torch.tanh(self.body(x))), -1)


class Value(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.head = nn.Linear(3, 8), nn.Linear(8, 1)

    def forward(self, x):
        return self.head(torch.tanh(self.body(x))).squeeze(-1)


class Shared:
    """What a field keeps goes into a difference that two steps share."""

    def __init__(self):
        self.actor, self.critic = Policy(), Value()
        self.opt_a = torch.optim.Adam(self.actor.parameters(), lr=0.01)
        self.opt_c = torch.optim.Adam(self.critic.parameters(), lr=0.02)

    def act(self, obs):
        x = torch.as_tensor(obs).float()
        dist = torch.distributions.Categorical(logits=self.actor(x))
        a = dist.probs.argmax()
        self.log_prob, self.entropy = dist.log_prob(a), dist.entropy()
        self.value = self.critic(x)
        return a.item()

    def update(self, reward, next_obs, done):
        next_value = self.critic(torch.as_tensor(next_obs).float()).detach()
        td = reward + 0.9 * next_value * (1 - done) - self.value
        actor_loss = -self.log_prob * td.detach() - 0.01 * self.entropy
        critic_loss = td.pow(2)
        self.opt_a.zero_grad()
        actor_loss.backward()
        self.opt_a.step()
        self.opt_c.zero_grad()
        critic_loss.backward()
        self.opt_c.step()
        return actor_loss.item(), critic_loss.item()


class Rollout:
    """Lists keep what the rounds compute, and are emptied behind the steps."""

    def __init__(self):
        self.actor, self.critic = Policy(), Value()
        self.opt_a = torch.optim.Adam(self.actor.parameters(), lr=0.01)
        self.opt_c = torch.optim.SGD(self.critic.parameters(), lr=0.02)
        self.log_probs, self.values, self.rewards = [], [], []

    def act(self, obs):
        x = torch.from_numpy(obs).float().unsqueeze(0)
        dist = torch.distributions.Categorical(logits=self.actor(x))
        a = dist.probs.argmax(dim=1)
        self.log_probs.append(dist.log_prob(a))
        self.values.append(self.critic(x).squeeze())
        return a.item()

    def update(self):
        total, returns = 0.0, []
        for r in self.rewards[::-1]:
            total = r + 0.9 * total
            returns.insert(0, total)
        adv = torch.tensor(returns) - torch.stack(self.values)
        actor_loss = -(torch.cat(self.log_probs) * adv.detach()).mean()
        critic_loss = adv.pow(2).mean()
        self.opt_a.zero_grad()
        actor_loss.backward()
        self.opt_a.step()
        self.opt_c.zero_grad()
        critic_loss.backward()
        self.opt_c.step()
        self.log_probs, self.values, self.rewards = [], [], []
        return actor_loss.item(), critic_loss.item()


shared = Shared()
fill(shared.actor)
fill(shared.critic)
obs = np.array([1.0, -2.0, 0.5])
for i in range(4):
    a = shared.act(obs)
    after = 0.8 * obs + 0.1 * a
    print(a, *shared.update(float(after.sum()), after, float(i == 3)))
    obs = after
rollout = Rollout()
fill(rollout.actor)
fill(rollout.critic)
for i in range(3):
    obs = np.array([1.0, -2.0, 0.5]) * (i + 1)
    for t in range(4):
        a = rollout.act(obs)
        obs = 0.8 * obs + 0.1 * a
        rollout.rewards.append(float(obs.sum()))
    print(a, *rollout.update())
for agent in (shared, rollout):
    print([sum(p.sum().item() for p in net.parameters()) for net in (agent.actor, agent.critic)])
