# also: nnx, linen
"""Variables of a loss that lines in its middle compute from what they held before: `rewards = torch.tensor(rewards)`."""

from collections import namedtuple

import torch
import torch.nn.functional as F
from torch import nn
from torch.distributions import Categorical

Saved = namedtuple("Saved", ["log_prob", "value"])


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 8)
        self.action_head = nn.Linear(8, 2)
        self.value_head = nn.Linear(8, 1)
        self.saved = []
        self.rewards = []
        self.gamma = 0.9

    def forward(self, x):
        x = F.relu(self.fc(x))
        return F.softmax(self.action_head(x), dim=-1), self.value_head(x)


policy = Policy()
for number, p in enumerate(policy.parameters()):
    nn.init.constant_(p, 0.1 + 0.03 * number)
optimizer = torch.optim.Adam(policy.parameters(), lr=0.01)


def select_action(state):
    probs, value = policy(state)
    distribution = Categorical(probs)
    action = probs.argmax()
    policy.saved.append(Saved(distribution.log_prob(action), value))
    return action.item()


def finish_episode():
    rewards = []
    saved = policy.saved
    policy_loss = []
    value_loss = []
    R = 0
    for r in policy.rewards[::-1]:
        R = r + policy.gamma * R
        rewards.insert(0, R)
    rewards = torch.tensor(rewards)
    rewards = (rewards - rewards.mean()) / (rewards.std() + 1e-7)
    for (log_prob, value), r in zip(saved, rewards):
        advantage = r - value.item()
        policy_loss.append(-log_prob * advantage)
        value_loss.append(F.smooth_l1_loss(value, torch.tensor([r])))
    optimizer.zero_grad()
    loss = torch.stack(policy_loss).sum() + torch.stack(value_loss).sum()
    loss.backward()
    optimizer.step()
    del policy.rewards[:]
    del policy.saved[:]
    return loss


def weighted(rounds=3):
    net = nn.Linear(2, 2)
    nn.init.constant_(net.weight, 0.2)
    nn.init.constant_(net.bias, 0.1)
    update = torch.optim.SGD(net.parameters(), lr=0.1)
    for step in range(rounds):
        weights = [1.0, 2.0 + step]
        out = net(torch.ones(3, 2) * (step + 1))
        weights = torch.tensor(weights)
        weights = weights / weights.sum()
        weights = weights.view(1, 2)
        loss = (out.pow(2) * weights).mean()
        update.zero_grad()
        loss.backward()
        update.step()
        print(loss.item(), weights.tolist())


for episode in range(3):
    state = torch.tensor([0.1, 0.2, 0.3, 0.4]) * (episode + 1)
    for t in range(4):
        action = select_action(state)
        state = state + 0.1 * (action + 1)
        policy.rewards.append(float(t) + 0.5 * action)
    print(f"{finish_episode().item():.4f}")
weighted()
