"""Functions that are given classes, or tuples of classes, under the annotation of what these make."""

import numpy as np
import torch
import torch.nn as nn


class Actor(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.fc = nn.Linear(sizes[0], sizes[1])
        self.register_buffer("scale", torch.full((sizes[1],), 0.5))

    def forward(self, x):
        return torch.tanh(self.fc(x)) * self.scale


class Critic(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.fc = nn.Linear(sizes[0] + sizes[1], 1)

    def forward(self, x, a):
        return self.fc(torch.cat([x, a], 1))


def filled(model):
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.linspace(-0.5, 0.7, p.numel()).view_as(p))
    return model.state_dict()


def evaluate(Model: nn.Module, weights, sizes, device: torch.device = torch.device("cpu")):
    actor = Model[0](sizes).to(device)
    critic = Model[1](sizes).to(device)
    actor.load_state_dict(weights[0])
    actor.eval()
    critic.load_state_dict(weights[1])
    critic.eval()
    obs, values = np.ones((2, sizes[0])), []
    while len(values) < 3:
        with torch.no_grad():
            x = torch.Tensor(obs).to(device)
            actions = actor(x)
            actions += torch.full((2, sizes[1]), 0.1) * actor.scale
            values.append(critic(x, actions).sum().item())
            actions = actions.cpu().numpy().clip(-0.3, 0.3)
        obs = obs + actions.sum()
    return [round(value, 4) for value in values]


def count(Model: nn.Module, sizes):
    return sum(p.numel() for p in Model(sizes).parameters())


sizes = (3, 2)
weights = (filled(Actor(sizes)), filled(Critic(sizes)))
print(evaluate(Model=(Actor, Critic), weights=weights, sizes=sizes))
print(count(Actor, sizes), count(Critic, sizes))
