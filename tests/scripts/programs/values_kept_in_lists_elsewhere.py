# also: linen
"""Values with graphs in lists that are global, that an object keeps, or that have another name where they are used up."""

from collections import namedtuple

import torch
import torch.nn as nn
import torch.nn.functional as F

SavedAction = namedtuple("SavedAction", ["log_prob", "value"])
X = torch.linspace(-1, 1, 6).view(2, 3)


def fill(m):
    with torch.no_grad():
        for p in m.parameters():
            p.copy_(torch.linspace(-0.5, 0.7, p.numel()).view_as(p))
    return m


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.affine = nn.Linear(3, 4)
        self.action_head = nn.Linear(4, 2)
        self.value_head = nn.Linear(4, 1)
        self.saved_actions = []
        self.rewards = []

    def forward(self, x):
        x = F.relu(self.affine(x))
        return F.softmax(self.action_head(x), dim=-1), self.value_head(x)


class Memory:
    def __init__(self):
        self.log_probs = []
        self.rewards = []

    def clear(self):
        del self.log_probs[:]
        del self.rewards[:]


model = fill(ActorCritic())
optimizer = torch.optim.Adam(model.parameters(), lr=3e-2)
net = fill(nn.Linear(3, 2))
opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
memory = Memory()
chosen = []


def select_action(state, a):
    probs, state_value = model(state)
    m = torch.distributions.Categorical(probs)
    action = torch.tensor(a)
    model.saved_actions.append(SavedAction(m.log_prob(action), state_value))
    return action.item()


def finish_episode():
    R = 0
    saved_actions = model.saved_actions
    policy_losses = []
    value_losses = []
    returns = []
    for r in model.rewards[::-1]:
        R = r + 0.99 * R
        returns.insert(0, R)
    returns = torch.tensor(returns)
    for (log_prob, value), R in zip(saved_actions, returns):
        advantage = R - value.item()
        policy_losses.append(-log_prob * advantage)
        value_losses.append(F.smooth_l1_loss(value, torch.tensor([R])))
    optimizer.zero_grad()
    loss = torch.stack(policy_losses).sum() + torch.stack(value_losses).sum()
    loss.backward()
    optimizer.step()
    del model.rewards[:]
    del model.saved_actions[:]
    return loss.item()


def act(x):
    out = torch.log_softmax(net(x), dim=-1)
    memory.log_probs.append(out[0])
    return round(out[0].item(), 3)


def learn():
    loss = -(torch.stack(memory.log_probs) * torch.tensor(memory.rewards)).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
    memory.clear()
    return loss.item()


def choose(x):
    out = net(x)
    a = out.argmax().item()
    chosen.append(out[a])
    return a


def settle():
    global chosen
    loss = (torch.stack(chosen) * torch.arange(float(len(chosen)))).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
    chosen = []
    return loss.item()


for ep in range(2):
    for t in range(2 + ep):
        a = select_action(torch.full((3,), 0.1 * t), (t + ep) % 2)
        model.rewards.append(a * 1.0)
    print(round(finish_episode(), 4))
    for x in X:
        print(act(x))
        memory.rewards.append(0.5 + ep)
    print(round(learn(), 4), len(memory.log_probs))
    print([choose(x) for x in X], round(settle(), 4), len(chosen))
