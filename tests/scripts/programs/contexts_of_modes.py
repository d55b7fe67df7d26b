"""Contexts that set the modes of models and agents for a while, and those of before at their end."""

import contextlib
import torch
import torch.nn as nn
import torch.nn.functional as F


class eval_mode(object):
    def __init__(self, *models):
        self.models = models

    def __enter__(self):
        self.prev_states = []
        for model in self.models:
            self.prev_states.append(model.training)
            model.train(False)

    def __exit__(self, *args):
        for model, state in zip(self.models, self.prev_states):
            model.train(state)
        return False


class evaluate_mode:
    """Evaluates one model."""

    def __init__(self, model):
        self.model = model

    def __enter__(self):
        self.was_training = self.model.training
        self.model.eval()
        return self.model

    def __exit__(self, exc_type, exc, tb):
        self.model.train(self.was_training)


@contextlib.contextmanager
def evaluating(net):
    was_training = net.training
    try:
        net.eval()
        yield net
    finally:
        if was_training:
            net.train()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 3)
        self.bn = nn.BatchNorm1d(3)

    def forward(self, x):
        return self.bn(self.fc(x))


def score(net, x):
    with evaluate_mode(net), torch.no_grad():
        return net(x).abs().sum().item()


def finally_score(net, x):
    was_training = net.training
    net.train(False)
    try:
        return net(x).abs().sum().item()
    finally:
        net.train(was_training)


def fit(net, x):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for i in range(3):
        loss = net(x).pow(3).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        with evaluating(net):
            with torch.no_grad():
                out = net(x)
            print(loss.item(), out.sum().item(), net.training)


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
        with eval_mode(self.agent):
            action = self.agent.act(obs)
            print("eval", self.agent.training, action.sum().item())

    def run(self):
        obs = torch.linspace(-1, 1, 24).view(6, 4)
        for step in range(3):
            with eval_mode(self.agent):
                action = self.agent.act(obs)
            print(step, self.agent.training, self.agent.update(obs), action.sum().item())
        self.evaluate(obs)



net = Net()
other = Net()
fill(net)
fill(other)
x = torch.linspace(-1, 1, 24).view(6, 4)
print(net(x).abs().sum().item())
with eval_mode(net):
    print(net.training, net(x).abs().sum().item())
print(net.training, net(x).abs().sum().item())
other.eval()
with torch.no_grad(), eval_mode(net, other):
    print(net.training, net(x).abs().sum().item(), other(x).abs().sum().item())
print(net.training, other.training, net(x).abs().sum().item())
print(score(net, x), net.training)
fit(net, x)
print(finally_score(net, x), net.training, net(x).abs().sum().item())
net.eval()
print(score(net, x), finally_score(net, x), net.training)
try:
    with evaluating(other), eval_mode(other):
        other.train()
        raise ValueError("inside")
except ValueError:
    print(other.training)
workspace = Workspace()
workspace.run()
# also: nnx, linen
