# also: nnx, linen
"""Two networks with optimizers of their own, one backward of the sum, what one computed kept in lists."""
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim


def fill(m):
    with torch.no_grad():
        for p in m.parameters():
            p.copy_(torch.linspace(-0.5, 0.7, p.numel()).view_as(p))


class Net(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.a = nn.Linear(n_in, 8)
        self.b = nn.Linear(8, n_out)

    def forward(self, x):
        return self.b(torch.tanh(self.a(x)))


class Reinforce:
    def __init__(self):
        self.actor, self.critic = Net(3, 2), Net(3, 1)
        fill(self.actor)
        fill(self.critic)
        self.actor_opt = optim.Adam(self.actor.parameters(), lr=0.01)
        self.critic_opt = optim.SGD(self.critic.parameters(), lr=0.02)
        self.log_probs, self.values, self.rewards = [], [], []

    def act(self, state):
        state = torch.from_numpy(state).float().unsqueeze(0)
        probs = F.softmax(self.actor(state), dim=1)
        dist = torch.distributions.Categorical(probs)
        action = probs.argmax(dim=1)
        self.log_probs.append(dist.log_prob(action))
        self.values.append(self.critic(state).squeeze())
        return action.item()

    def update(self):
        R, returns = 0.0, []
        for r in self.rewards[::-1]:
            R = r + 0.9 * R
            returns.insert(0, R)
        returns = torch.tensor(returns)
        values = torch.stack(self.values)
        adv = returns - values
        actor_loss = -(torch.cat(self.log_probs) * adv).mean()
        critic_loss = adv.pow(2).mean()
        self.actor_opt.zero_grad()
        self.critic_opt.zero_grad()
        (actor_loss + critic_loss).backward()
        nn.utils.clip_grad_norm_(self.actor.parameters(), 0.5)
        nn.utils.clip_grad_norm_(self.critic.parameters(), 0.5)
        self.actor_opt.step()
        self.critic_opt.step()
        self.log_probs, self.values, self.rewards = [], [], []
        return actor_loss.item(), critic_loss.item()


rng = np.random.RandomState(0)
agent = Reinforce()
for episode in range(4):
    s = rng.randn(3)
    for t in range(6):
        a = agent.act(s)
        s = s * 0.9 + 0.1 * a
        agent.rewards.append(float(s.sum()))
    print(episode, a, *agent.update())
print(sum(p.sum().item() for p in agent.actor.parameters()), sum(p.sum().item() for p in agent.critic.parameters()))

# one optimizer for both
actor, critic = Net(3, 2), Net(3, 1)
fill(actor)
fill(critic)
opt = optim.Adam(list(actor.parameters()) + list(critic.parameters()), lr=0.01)
rng = np.random.RandomState(1)
for episode in range(4):
    log_probs, values, rewards = [], [], []
    s = rng.randn(3)
    for t in range(6):
        state = torch.from_numpy(s).float().unsqueeze(0)
        dist = torch.distributions.Categorical(F.softmax(actor(state), dim=1))
        action = dist.probs.argmax(dim=1)
        log_probs.append(dist.log_prob(action))
        values.append(critic(state).squeeze())
        s = s * 0.9 + 0.1 * action.item()
        rewards.append(float(s.sum()))
    returns = torch.tensor(rewards)
    adv = returns - torch.stack(values)
    loss = -(torch.cat(log_probs) * adv.detach()).mean() + adv.pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(episode, loss.item())
print(sum(p.sum().item() for p in actor.parameters()), sum(p.sum().item() for p in critic.parameters()))
