"""Agents that a context of another file sets to evaluation."""

import torch
import torch.nn as nn
import torch.nn.functional as F


import utils


def fill(net):
    with torch.no_grad():
        for p in net.parameters():
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).view_as(p))


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 1))

    def forward(self, obs, action):
        return self.trunk(torch.cat([obs, action], dim=-1))


class Agent(object):
    def __init__(self):
        self.actor = nn.Sequential(nn.Linear(4, 8), nn.LayerNorm(8), nn.Tanh(), nn.Linear(8, 2))
        self.critic = Critic()
        fill(self.actor)
        fill(self.critic)
        self.opt = torch.optim.Adam(self.critic.parameters(), lr=0.01)
        self.train()

    def train(self, training=True):
        self.training = training
        self.actor.train(training)
        self.critic.train(training)

    def act(self, obs):
        with torch.no_grad():
            return torch.tanh(self.actor(obs))

    def update(self, obs):
        action = self.act(obs)
        loss = F.mse_loss(self.critic(obs, action), torch.ones(obs.shape[0], 1))
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()


class Workspace(object):
    def __init__(self):
        self.agent = Agent()

    def evaluate(self, obs):
        with utils.eval_mode(self.agent):
            action = self.agent.act(obs)
            print("eval", self.agent.training, action.sum().item())

    def run(self):
        obs = torch.linspace(-1, 1, 24).view(6, 4)
        for step in range(3):
            with utils.eval_mode(self.agent):
                action = self.agent.act(obs)
            print(step, self.agent.training, self.agent.update(obs), action.sum().item())
        self.evaluate(obs)


workspace = Workspace()
workspace.run()
print(utils.double(3))
# also: nnx, linen
