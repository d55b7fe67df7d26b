"""Values with graphs that go into lists round by round, for the loss of a step that comes later."""

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


def fill(m):
    with torch.no_grad():
        for p in m.parameters():
            p.copy_(torch.linspace(-0.5, 0.7, p.numel()).view_as(p))
    return m


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 16)
        self.norm = nn.BatchNorm1d(16)
        self.actor = nn.Linear(16, 2)
        self.critic = nn.Linear(16, 1)

    def forward(self, x):
        x = torch.tanh(self.norm(self.body(x)))
        return torch.log_softmax(self.actor(x), dim=-1), self.critic(x)


def three_lists():
    model = fill(ActorCritic())
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-2)
    for episode in range(2):
        state = torch.linspace(-1, 1, 12).view(3, 4)
        log_probs, values, rewards, entropies = [], [], [], []
        for t in range(3 + episode % 2):
            logits, value = model(state)
            action = (t * 3 + episode) % 2
            log_probs.append(logits[0, action])
            values.append(value.mean())
            entropies.append(-(logits.exp() * logits).sum())
            rewards.append(1.0 if action else 0.3)
            print(len(values), round(values[-1].item(), 4))
            state = torch.roll(state, 1) * 0.9 + 0.1 * action
        R = torch.zeros(1)
        policy_loss = 0
        value_loss = 0
        for i in reversed(range(len(rewards))):
            R = rewards[i] + 0.9 * R
            advantage = R - values[i]
            value_loss = value_loss + 0.5 * advantage.pow(2)
            policy_loss = policy_loss - log_probs[i] * advantage.detach() - 0.01 * entropies[i]
        optimizer.zero_grad()
        loss = policy_loss + 0.5 * value_loss
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        print(episode, round(loss.item(), 4))


class Agent:
    """A choice made on the host among what is computed; the lists are fields."""

    def __init__(self):
        self.policy = fill(nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 2)))
        self.optimizer = torch.optim.SGD(self.policy.parameters(), lr=0.05)
        self.log_probs = []
        self.rewards = []

    def act(self, state):
        probs = F.softmax(self.policy(state), dim=-1)
        a = int(np.argmax(probs.detach().numpy()))
        self.log_probs.append(torch.log(probs[a]))
        return a

    def learn(self):
        G = 0
        returns = []
        for r in self.rewards[::-1]:
            G = r + 0.9 * G
            returns.insert(0, G)
        returns = torch.tensor(returns)
        loss = -(torch.stack(self.log_probs) * returns).sum()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.log_probs = []
        self.rewards.clear()
        return loss.item()


def recurrent():
    """The hidden state goes on from round to round: no round can be computed apart."""
    cell = fill(nn.GRUCell(3, 4))
    optimizer = torch.optim.SGD(cell.parameters(), lr=0.05)
    for ep in range(3):
        outs = []
        h = torch.zeros(4)
        for t in range(4):
            h = cell(torch.full((3,), 0.1 * t), h)
            if h.max().item() > 5:
                break
            outs.append(h.sum())
        loss = torch.stack(outs).pow(2).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(round(loss.item(), 4))


three_lists()
agent = Agent()
for ep in range(3):
    s = torch.tensor([0.1, -0.4, 0.8])
    for t in range(3):
        a = agent.act(s)
        agent.rewards.append(a + 0.1)
        s = s * 0.9 + 0.05 * a
    print(round(agent.learn(), 4), len(agent.log_probs))
recurrent()
