# also: nnx, linen
"""Losses of several optimizers that are all computed first, from values that they share."""

import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.first = nn.Linear(inputs, 8)
        self.last = nn.Linear(8, outputs)
        for i, p in enumerate(self.parameters()):
            p.data.copy_(torch.cos(torch.arange(p.numel()).float() * (i + 1)).view_as(p) * 0.4)

    def forward(self, *x):
        return self.last(torch.relu(self.first(torch.cat(x, 1))))


class Agent:
    def __init__(self):
        self.value, self.quality, self.policy = Net(3, 1), Net(3, 1), Net(3, 3)
        self.value_optimizer = torch.optim.Adam(self.value.parameters(), lr=0.01)
        self.quality_optimizer = torch.optim.Adam(self.quality.parameters(), lr=0.01)
        self.policy_optimizer = torch.optim.Adam(self.policy.parameters(), lr=0.01)
        self.criterion = nn.MSELoss()

    def update(self, state):
        expected = self.value(state)
        quality = self.quality(state)
        action = self.policy(state)
        better = self.quality(action)
        value_loss = self.criterion(expected, (better - action.sum()).detach())
        quality_loss = self.criterion(quality, state[:, :1])
        policy_loss = (action.mean() * (action.mean() - (better - expected)).detach()).mean()
        self.value_optimizer.zero_grad()
        value_loss.backward(retain_graph=True)
        self.value_optimizer.step()
        self.quality_optimizer.zero_grad()
        quality_loss.backward(retain_graph=True)
        self.quality_optimizer.step()
        self.policy_optimizer.zero_grad()
        policy_loss.backward()
        self.policy_optimizer.step()
        print(round(value_loss.item(), 5), round(quality_loss.item(), 5), round(policy_loss.item(), 5))


class SoftAgent:
    """Two critics in one line, a rate that changes between the steps, and clipped gradients."""

    def __init__(self):
        self.policy, self.value, self.target = Net(3, 2), Net(3, 1), Net(3, 1)
        self.q1, self.q2 = Net(5, 1), Net(5, 1)
        self.policy_opt = torch.optim.Adam(self.policy.parameters(), lr=1e-2)
        self.value_opt = torch.optim.Adam(self.value.parameters(), lr=1e-2)
        self.q1_opt = torch.optim.Adam(self.q1.parameters(), lr=1e-2)
        self.q2_opt = torch.optim.Adam(self.q2.parameters(), lr=1e-2)
        self.schedule = torch.optim.lr_scheduler.StepLR(self.q1_opt, 2, 0.5)
        self.gamma = 0.9

    def learn(self, state, action, reward):
        with torch.no_grad():
            target = reward + self.gamma * self.target(state)
        p1, p2 = self.q1(state, action), self.q2(state, action)
        q1_loss = F.mse_loss(p1, target)
        q2_loss = F.mse_loss(p2, target) * self.gamma
        new = torch.tanh(self.policy(state))
        logs = -new.pow(2).sum(1, keepdim=True)
        with torch.no_grad():
            better = torch.min(self.q1(state, new), self.q2(state, new))
        value_loss = F.mse_loss(self.value(state), better - logs.detach())
        policy_loss = (0.2 * logs - better * new.mean(1, keepdim=True)).mean()

        self.q1_opt.zero_grad()
        q1_loss.backward()
        nn.utils.clip_grad_norm_(self.q1.parameters(), 0.5)
        self.q1_opt.step()
        self.schedule.step()
        self.gamma *= 0.5

        self.q2_opt.zero_grad()
        q2_loss.backward()
        self.q2_opt.step()

        self.value_opt.zero_grad()
        value_loss.backward()
        self.value_opt.step()

        self.policy_opt.zero_grad()
        policy_loss.backward()
        self.policy_opt.step()
        losses = q1_loss, q2_loss, value_loss, policy_loss
        return [round(loss.item(), 5) for loss in losses]


states = torch.sin(torch.arange(18.0)).view(6, 3)
actions = torch.cos(torch.arange(12.0)).view(6, 2)
rewards = torch.linspace(-1, 1, 6).view(6, 1)
agent, soft = Agent(), SoftAgent()
for _ in range(4):
    agent.update(states)
    print(soft.learn(states, actions, rewards))

# targets that are computed with what the steps between change: they stay where they are
q1, q2, v = Net(3, 1), Net(3, 1), Net(3, 1)
o1 = torch.optim.SGD(q1.parameters(), lr=0.1)
o2 = torch.optim.SGD(q2.parameters(), lr=0.1)
ov = torch.optim.SGD(v.parameters(), lr=0.1)
schedule = torch.optim.lr_scheduler.StepLR(o1, 1, 0.5)
for _ in range(3):
    l1 = F.mse_loss(q1(states), rewards)
    l2 = F.mse_loss(q2(states), rewards)
    weight = o1.param_groups[0]["lr"] * 10
    target = torch.min(q1(states), q2(states)).detach()
    lv = F.mse_loss(v(states), target) * weight
    o1.zero_grad()
    l1.backward()
    o1.step()
    schedule.step()
    o2.zero_grad()
    l2.backward()
    o2.step()
    ov.zero_grad()
    lv.backward()
    ov.step()
    print(round(l1.item(), 5), round(l2.item(), 5), round(lv.item(), 5))
