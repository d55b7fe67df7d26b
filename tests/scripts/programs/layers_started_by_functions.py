# also: nnx, linen
"""Functions give layers first values and hand them back, while a module is made of them."""

import numpy as np
import torch
import torch.nn as nn


def layer_init(layer, std=np.sqrt(2), bias_const=0.0):
    torch.nn.init.orthogonal_(layer.weight, std)
    torch.nn.init.constant_(layer.bias, bias_const)
    return layer


def even(layer, value):
    with torch.no_grad():
        layer.weight.fill_(value)
        layer.bias.fill_(value / 2)
    return layer


class Agent(nn.Module):
    def __init__(self, inputs, actions):
        super().__init__()
        self.critic = nn.Sequential(
            layer_init(nn.Linear(inputs, 8)),
            nn.Tanh(),
            layer_init(nn.Linear(8, 1), std=1.0, bias_const=0.5),
        )
        self.actor = even(nn.Linear(inputs, actions), 0.25)
        self.rnn = nn.GRU(inputs, 2)
        for name, param in self.rnn.named_parameters():
            if "bias" in name:
                nn.init.constant_(param, 0.25)
            elif "weight" in name:
                nn.init.orthogonal_(param, 1.0)
        self.layers = nn.ModuleList([even(nn.Linear(2, 2), 0.1 * i) for i in range(3)])

    def forward(self, x):
        return self.critic(x), self.actor(x)


agent = Agent(4, 3)
w = agent.critic[0].weight
print((w.T @ w - 2 * torch.eye(4)).abs().max().item() < 1e-5, agent.critic[2].bias.item())
print(agent.critic[2].weight.pow(2).sum().sqrt().item(), agent.critic[0].bias.sum().item())
x = torch.ones(2, 4)
print(agent(x)[1].sum().item(), [layer.weight.sum().item() for layer in agent.layers])
print(agent.rnn.bias_ih_l0.sum().item())
opt = torch.optim.SGD(agent.parameters(), lr=0.1)
for _ in range(2):
    loss = agent(x)[1].pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
